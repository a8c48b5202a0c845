//! Helpers of several tests.

use std::path::Path;

use datagen::game::{Ending, Game, OpeningKind, Ply, Winner};
use datagen::{GameReader, ReadError, chess960};

/// A game of legal moves that ends by the rules or at this length.
#[allow(dead_code)]
pub(crate) fn some_game(index: u32, length: usize) -> Game {
    let mut board = chess960::start_position(index as usize * 37 % 960, index as usize * 41 % 960);
    let start = board.setup();
    let mut plies = Vec::new();
    let (ending, winner) = loop {
        if let Some(end) = Ending::by_rule(&board) {
            break end;
        }
        if plies.len() == length {
            break (Ending::TooLong, Winner::Draw);
        }
        let moves = board.legal_moves();
        let played = moves[(plies.len() * 31 + index as usize * 17) % moves.len()];
        plies.push(Ply { played, score: plies.len() as i16 * 13 - 200 });
        board.make_move(played, &mut ());
    };
    Game { index, start, opening: OpeningKind::DoubleChess960, plies, winner, ending }
}

/// The games of a file up to its end or the first damage.
#[allow(dead_code)]
pub(crate) fn read(path: &Path) -> (Vec<Game>, Option<ReadError>) {
    let mut games = Vec::new();
    let reader = match GameReader::open(path) {
        Ok(reader) => reader,
        Err(error) => return (games, Some(error)),
    };
    for item in reader {
        match item {
            Ok(game) => games.push(game),
            Err(error) => return (games, Some(error)),
        }
    }
    (games, None)
}
