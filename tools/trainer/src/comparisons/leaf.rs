//! The quiet position that a move leads to.

use caesura::board::Board;
use caesura::nnue::Network;
use caesura::nnue::simd::Native;
use caesura::types::{MATE, Move, Value};

use crate::record::PositionRecord;

/// The most plies of captures and evasions that are looked at.
const MAX_PLIES: u32 = 6;

/// A position behind captures, and what the network says of it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The position, from the side that is to move there.
    pub record: PositionRecord,
    /// The side to move is the one that was to move at the root.
    pub is_own: bool,
    /// The value in centipawns, for the side that was to move at the root.
    pub value: Value,
}

/// The leaf of a quiescence search with a full window: captures and promotions to a queen that lose nothing in their exchange, and
/// all moves in check. A side that is mated is worth what a mate is. `None` for a position that no record can
/// hold, and where there are captures and checks without end.
pub fn quiescence(network: &Network, board: &mut Board) -> Option<Leaf> {
    search(network, board, -MATE, MATE, MAX_PLIES)
}

fn search(network: &Network, board: &mut Board, mut alpha: Value, beta: Value, plies: u32) -> Option<Leaf> {
    let in_check = board.in_check();
    let stand_pat = network.evaluate::<Native>(board);
    let mut best = Leaf { record: PositionRecord::of(board)?, is_own: true, value: stand_pat };
    if plies == 0 {
        return (!in_check).then_some(best);
    }
    if in_check {
        best.value = -MATE;
    }
    alpha = alpha.max(best.value);
    if alpha >= beta {
        return Some(best);
    }
    let is_searched = |m: &Move| in_check || !m.is_quiet() && board.see_ge(*m, 0);
    let mut moves: Vec<Move> = board.legal_moves().iter().copied().filter(is_searched).collect();
    moves.sort_by_key(|&m| -board.gain(m));
    for m in moves {
        board.make_move(m, &mut ());
        let leaf = search(network, board, -beta, -alpha, plies - 1);
        board.unmake_move(m, &mut ());
        let leaf = leaf?;
        if -leaf.value > best.value {
            best = Leaf { value: -leaf.value, is_own: !leaf.is_own, ..leaf };
            alpha = alpha.max(best.value);
            if alpha >= beta {
                break;
            }
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use caesura::engine::{MATERIAL_NETWORK, load_network};

    use super::*;

    fn leaf(fen: &str) -> Leaf {
        let network = load_network(MATERIAL_NETWORK.as_ref()).expect("memory");
        quiescence(&network, &mut fen.parse().expect("a position")).expect("few enough pieces")
    }

    #[test]
    fn captures_are_resolved() {
        // The rook takes the queen, and Black is to move.
        let hanging = leaf("7k/8/8/3q4/8/8/8/3RK3 w - - 0 1");
        assert!(hanging.value > 0 && !hanging.is_own && hanging.record.count() == 3);
        // The queen does not take a pawn that is defended.
        let defended = leaf("7k/8/4p3/3p4/8/8/8/3QK3 w - - 0 1");
        assert!(defended.is_own && defended.record.count() == 5);
        // In check all moves are looked at, and the king takes the rook.
        let checked = leaf("7k/8/8/8/8/8/4r3/4K3 w - - 0 1");
        assert!(!checked.is_own && checked.record.count() == 2 && checked.value == 0);
    }

    #[test]
    fn a_mated_side_has_lost() {
        assert_eq!(leaf("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").value, -MATE);
    }
}
