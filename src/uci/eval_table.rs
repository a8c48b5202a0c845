//! The static evaluation as a table: what each piece is worth, and what each output bucket says.

use std::fmt::Write;

use crate::board::Board;
use crate::engine::{Engine, output_bucket_pieces, shown_score};
use crate::types::{Color, File, PieceType, Rank, Square, Value};

/// A value on this board in pawns, as scores are shown, with its sign.
fn pawns(board: &Board, value: Value) -> String {
    format!("{:+.2}", f64::from(shown_score(value, board.material())) / 100.0)
}

/// The value of a position for White, in centipawns.
fn for_white(board: &Board, value: Value) -> Value {
    if board.side_to_move() == Color::White { value } else { -value }
}

/// The position without the piece on a square. Castling is left out: no network sees it.
fn without(board: &Board, square: Square) -> Board {
    let mut setup = board.setup();
    setup.pieces[square.index()] = None;
    (setup.castling, setup.en_passant) = ([[None; 2]; 2], None);
    Board::from_setup(&setup)
}

/// The static evaluation of the engine's position: its value for White and the network that it comes from; the board with
/// each piece and by how much its presence changes the value for White; and the value by each output bucket, of which the
/// number of pieces chooses one.
pub fn table(engine: &Engine) -> String {
    let board = engine.board();
    let output = engine.network_output(board);
    let value = for_white(board, output.value());
    let network = engine.network().name();
    let mut text =
        format!("static evaluation {} pawns for White, network {network}\n\n", pawns(board, value));
    let rule = format!("  +{}\n", "-------+".repeat(8));
    text.push_str(&rule);
    for rank in Rank::ALL.into_iter().rev() {
        let (mut pieces, mut worths) = (String::new(), String::new());
        for file in File::ALL {
            let square = Square::new(file, rank);
            let piece = board.piece_on(square);
            let letter = piece.map_or(' ', |piece| piece.letter());
            let worth = match piece {
                Some(piece) if piece.kind() != PieceType::King => {
                    let rest = without(board, square);
                    pawns(board, value - for_white(&rest, engine.network_output(&rest).value()))
                }
                _ => String::new(),
            };
            // Writing to a string cannot fail.
            let _ = write!(pieces, "   {letter}   |");
            let _ = write!(worths, "{worth:^7}|");
        }
        let name = char::from(b'1' + rank.index() as u8);
        let _ = write!(text, "{name} |{pieces}\n  |{worths}\n{rule}");
    }
    let files: String = File::ALL.iter().map(|file| format!("    {}   ", file.letter())).collect();
    let _ = write!(text, "  {}\n\nbucket  pieces     White\n", files.trim_end());
    for (index, &value) in output.by_bucket.iter().enumerate() {
        let counts = output_bucket_pieces(index);
        let pieces = format!("{}-{}", counts.start(), counts.end());
        let mark = if index == output.bucket { "  used here" } else { "" };
        let _ = writeln!(text, "{index:>6}  {pieces:>6}  {:>8}{mark}", pawns(board, for_white(board, value)));
    }
    if board.in_check() {
        text.push_str(
            "\nThe side to move is in check: the search does not use the evaluation of such a position.\n",
        );
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::engine::{MATERIAL_NETWORK, load_network};

    #[test]
    fn pieces_are_worth_what_their_absence_costs() {
        let mut engine = Engine::new(1, 1).expect("memory");
        engine.set_network(load_network(Path::new(MATERIAL_NETWORK)).expect("a network")).expect("idle");
        engine.set_position("4k3/8/8/8/8/2n5/8/Q3K3 b - - 0 1".parse().expect("a position"));
        let text = table(&engine);
        // A queen and a knight, by the material on the board.
        let shown = |value| f64::from(shown_score(value, 9 + 3)) / 100.0;
        let numbers =
            text.split(|c: char| c.is_whitespace() || c == '|').filter_map(|word| word.parse().ok());
        let numbers: Vec<f64> = numbers.collect();
        let is_there =
            |least, most| numbers.iter().any(|number| (shown(least)..shown(most)).contains(number));
        assert!((shown(600)..shown(700)).contains(&numbers[0]), "{text}");
        assert!(is_there(900, 1000) && is_there(-310, -290), "{text}");
        let rows: Vec<&str> = text.lines().filter(|line| line.contains("used here")).collect();
        assert!(rows.len() == 1 && rows[0].trim_start().starts_with("0     2-5"), "{text}");
        // In check, and without the piece that gives it the other side would be.
        engine.set_position("4k3/8/8/8/4r3/8/4N3/4K2R w K - 0 1".parse().expect("a position"));
        assert!(!table(&engine).contains("in check"));
        engine.set_position("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1".parse().expect("a position"));
        assert!(table(&engine).contains("in check"));
    }
}
