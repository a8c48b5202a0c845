//! Where the pieces of an endgame can stand.

use caesura::board::{Board, fen};
use caesura::engine::Material;
use caesura::types::{Color, Square};

/// The ways to put each piece on any square, whether or not that is a position.
pub fn placements(material: &Material) -> u64 {
    64_u64.pow(material.pieces().len() as u32)
}

/// The position that is a placement, by number, with this side to move; `None` if it is none: two pieces on a square,
/// a pawn on the first or last rank, a king that could be taken. Of those in which equal pieces have changed places one is a
/// position.
pub fn position(material: &Material, placement: u64, side_to_move: Color) -> Option<Board> {
    let square = |index: usize| Square::from_index((placement >> (6 * index) & 63) as usize);
    let pieces = material.pieces();
    let is_swapped = (1..pieces.len()).any(|later| {
        (0..later).any(|earlier| pieces[earlier] == pieces[later] && square(earlier) > square(later))
    });
    if is_swapped {
        return None;
    }
    let mut setup = material.setup(false, (0..pieces.len()).map(square))?;
    setup.side_to_move = side_to_move;
    fen::check(&setup).ok()?;
    Some(Board::from_setup(&setup))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn placements_are_positions_or_nothing() {
        let material: Material = "KPvK".parse().unwrap();
        let count = |side| (0..placements(&material)).filter_map(|at| position(&material, at, side)).count();
        let (white, black) = (count(Color::White), count(Color::Black));
        assert!(
            (150_000..175_000).contains(&white) && (150_000..175_000).contains(&black),
            "{white} {black}"
        );
        assert!(position(&material, 0, Color::White).is_none());
    }

    #[test]
    fn equal_pieces_make_each_position_once() {
        let two_rooks: Material = "KRRvK".parse().unwrap();
        let mut seen = HashSet::new();
        // The last of the four pieces, Black's king, on one square.
        for at in 0..1 << 18 {
            if let Some(board) = position(&two_rooks, at, Color::White) {
                assert!(seen.insert(board.to_string()), "{board}");
            }
        }
        assert!(seen.len() > 50_000, "{}", seen.len());
    }
}
