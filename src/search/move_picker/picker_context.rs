//! What the move picker and the move loop read of a node's histories.

use crate::board::{Board, Threats};
use crate::params;
use crate::search::history::{ContinuationTable, Histories, PawnTable, SideButterfly, victim};
use crate::search::piece_to::piece_to;
use crate::search::stack::Stack;
use crate::types::{Bitboard, Move, Piece, PieceType, Square};

/// What the moves of a node are scored by.
#[derive(Clone, Copy)]
pub struct PickerContext<'a> {
    /// The position.
    pub board: &'a Board,
    /// The histories of the thread.
    pub histories: &'a Histories,
    /// The path to the node.
    pub stack: &'a Stack,
    /// The distance from the root, in plies.
    pub ply: usize,
    /// What the opponent attacks.
    pub threats: &'a Threats,
}

impl PickerContext<'_> {
    /// The history value of a move: for a quiet move the weighted sum of its histories, for others capture history.
    pub fn history(&self, m: Move) -> i32 {
        self.board.piece_on(m.from()).map_or(0, |piece| {
            if m.is_quiet() {
                QuietHistory::new(self).get(piece, m)
            } else {
                self.histories.capture.get(piece, m.to(), victim(self.board, m))
            }
        })
    }
}

/// The history values of the quiet moves of a node: butterfly, continuation and pawn history, weighted.
pub struct QuietHistory<'a> {
    board: &'a Board,
    /// The squares that the opponent attacks.
    threats: Bitboard,
    butterfly: &'a SideButterfly,
    /// How moves did after the moves one and two plies ago.
    continuations: [&'a ContinuationTable; 2],
    pawn: &'a PawnTable,
}

impl<'a> QuietHistory<'a> {
    /// Finds the tables that belong to the node.
    #[inline]
    pub fn new(context: &PickerContext<'a>) -> Self {
        let (stack, histories) = (context.stack, context.histories);
        QuietHistory {
            board: context.board,
            threats: context.threats.all,
            butterfly: histories.shared.butterfly.of(context.board.side_to_move()),
            continuations: [1, 2]
                .map(|back| histories.continuation.after(stack.back(context.ply, back).piece_to)),
            pawn: histories.pawn.with(context.board.keys().pawn()),
        }
    }

    /// Prefetches what [`QuietHistory::get`] may read of the larger tables: before the moves are known, since they come soon.
    #[inline]
    pub fn prefetch(&self) {
        let side = self.board.side_to_move();
        for kind in PieceType::ALL {
            let first = piece_to(Piece::new(side, kind), Square::A1);
            for table in self.continuations {
                table.prefetch_piece(first);
            }
            self.pawn.prefetch_piece(first);
        }
    }

    /// The weighted sum of the histories of a quiet move of `piece`. Butterfly history knows a move wherever it is played,
    /// continuation history as an answer to the last moves, pawn history in its pawn structure; each alone is sparse or
    /// coarse (the practice of Stockfish; weights tuned here, none measured by itself).
    #[inline]
    pub fn get(&self, piece: Piece, m: Move) -> i32 {
        let index = piece_to(piece, m.to());
        let [after_1, after_2] = self.continuations.map(|moves| moves.get(index));
        (params::history_butterfly() * self.butterfly.get(self.threats, m)
            + params::history_continuation_1() * after_1
            + params::history_continuation_2() * after_2
            + params::history_pawn() * self.pawn.get(index))
            / 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::piece_to::NO_MOVE;
    use crate::types::Square;

    #[test]
    fn each_history_counts_for_its_move_alone() {
        let board = Board::start();
        let threats = board.threats(!board.side_to_move());
        let stack = Stack::new().expect("memory");
        let moves = board.legal_moves();
        let knight_move = |&&m: &&Move| m.from() == Square::G1;
        let [m, other] =
            [moves.iter().find(knight_move), moves.iter().rev().find(knight_move)].map(|m| *m.expect("two"));
        let piece = board.piece_on(m.from()).expect("a knight");
        let index = piece_to(piece, m.to());
        let learn = |histories: &mut Histories, history| match history {
            0 => histories.shared.butterfly.of(board.side_to_move()).update(threats.all, m, 1000),
            1 => histories.pawn.update(board.keys().pawn(), index, 1000),
            _ => histories.continuation.update(NO_MOVE, index, 1000),
        };
        let mut sum = 0;
        let mut all = Histories::of_one_thread();
        let value = |histories: &Histories, m| {
            let context =
                PickerContext { board: &board, histories, stack: &stack, ply: 0, threats: &threats };
            assert_eq!(context.history(m), QuietHistory::new(&context).get(piece, m), "a quiet move");
            context.history(m)
        };
        for history in 0..3 {
            let mut one = Histories::of_one_thread();
            assert_eq!(value(&one, m), 0);
            learn(&mut one, history);
            assert!(value(&one, m) > 0 && value(&one, other) == 0);
            sum += value(&one, m);
            learn(&mut all, history);
        }
        // Each rounds for itself.
        assert!((value(&all, m) - sum).abs() <= 3, "{sum}");
    }
}
