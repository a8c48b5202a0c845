//! One thread's state.

use std::sync::Arc;

use super::history::{Butterfly, CaptureHistory, Continuation, Correction, PawnHistory};
use super::null_move::NullCounts;
use super::passes::Passes;
use super::root::RootMove;
use super::stack::{Lines, Stack};
use crate::board::Board;
use crate::nnue;
use crate::types::Depth;

/// What a worker remembers from search to search until a new game begins.
pub struct Histories {
    /// Quiet moves by squares.
    pub butterfly: Butterfly,
    /// Captures.
    pub capture: CaptureHistory,
    /// Quiet moves after earlier moves.
    pub continuation: Continuation,
    /// Quiet moves by pawn structure.
    pub pawn: PawnHistory,
}

impl Histories {
    /// Empty tables.
    pub fn new() -> Histories {
        Histories {
            butterfly: Butterfly::new(),
            capture: CaptureHistory::new(),
            continuation: Continuation::new(),
            pawn: PawnHistory::new(),
        }
    }

    /// Forgets all, in the memory that the tables have.
    pub fn clear(&mut self) {
        self.butterfly.clear();
        self.capture.clear();
        self.continuation.clear();
        self.pawn.clear();
    }
}

/// All that one search thread owns. It is made by the thread itself, so that its memory lies near the
/// processor that uses it.
pub struct Worker {
    /// The rank of the thread; 0 is the main worker.
    pub id: usize,
    /// The memory node of the plan that the thread is on.
    pub numa_node: usize,
    /// How often it gives its processor away once it has begun, so that others begin: not at all if there are
    /// processors for all.
    pub yields_at_start: u32,
    /// The position being searched.
    pub board: Board,
    /// The evaluation of that position.
    pub evaluator: nnue::Evaluator,
    /// The path.
    pub stack: Stack,
    /// The null moves on the path.
    pub passes: Passes,
    /// Principal variations.
    pub lines: Lines,
    /// What was learnt.
    pub histories: Histories,
    /// Errors of the static evaluation, as all workers of the memory node know them.
    pub correction: Arc<Correction>,
    /// The moves at the root.
    pub root: Vec<RootMove>,
    /// The root moves before this one belong to better lines.
    pub first_root_move: usize,
    /// Nodes of this search.
    pub nodes: u64,
    /// Null moves of this search.
    pub null_counts: NullCounts,
    /// Nodes that may still be searched before more must be claimed.
    pub node_batch: u64,
    /// The search's nodes are all spent.
    pub exhausted: bool,
    /// The greatest distance from the root in this iteration.
    pub seldepth: usize,
    /// The depth of this iteration.
    pub root_depth: Depth,
    /// The last iteration that was completed.
    pub completed: Depth,
}

impl Worker {
    /// A worker with nothing to do, at the start position.
    pub fn new(id: usize, node: usize, correction: Arc<Correction>) -> Worker {
        let board = Board::start();
        Worker {
            id,
            numa_node: node,
            yields_at_start: 0,
            evaluator: nnue::Evaluator::new(nnue::embedded()),
            board,
            stack: Stack::new(),
            passes: Passes::new(),
            lines: Lines::new(),
            histories: Histories::new(),
            correction,
            root: Vec::new(),
            first_root_move: 0,
            nodes: 0,
            null_counts: NullCounts::default(),
            node_batch: 0,
            exhausted: false,
            seldepth: 0,
            root_depth: 0,
            completed: 0,
        }
    }

    /// Forgets what it learnt itself.
    pub fn new_game(&mut self) {
        self.histories.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bitboard, Color, Piece, PieceType, Square};

    #[test]
    fn all_histories_are_forgotten() {
        let mut histories = Histories::new();
        let m = Board::start().legal_moves()[0];
        let ends = [0, crate::search::history::NO_MOVE - 1];
        let values = |histories: &Histories| {
            let piece = |index: usize| histories.capture.get(Piece::ALL[index], Square::H8, PieceType::Queen);
            let mut values = vec![piece(0), piece(11)];
            for side in Color::ALL {
                values.extend(
                    [Bitboard::EMPTY, !Bitboard::EMPTY]
                        .map(|threats| histories.butterfly.get(side, threats, m)),
                );
            }
            for row in ends {
                values.push(histories.continuation.after(row).get(row));
                values.push(histories.pawn.with(row as u64).get(row));
            }
            values
        };
        assert!(values(&histories).iter().all(|&value| value == 0));
        for index in [0, 11] {
            histories.capture.update(Piece::ALL[index], Square::H8, PieceType::Queen, 500);
        }
        for side in Color::ALL {
            for threats in [Bitboard::EMPTY, !Bitboard::EMPTY] {
                histories.butterfly.update(side, threats, m, 500);
            }
        }
        for row in ends {
            histories.continuation.update(row, row, 500);
            histories.pawn.update(row as u64, row, 500);
        }
        assert!(values(&histories).iter().all(|&value| value == 500));
        histories.clear();
        assert!(values(&histories).iter().all(|&value| value == 0));
    }
}
