//! What a node leaves behind: updates of histories, transposition table and correction history.

use super::history::update::bonus;
use super::node::Node;
use super::null_move::Scheme;
use super::searcher::Searcher;
use super::window::Best;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Bound, Depth, Move, Value};

impl<S: Scheme> Searcher<'_, S> {
    /// A fail-high by the table alone: its move gains if it is quiet, and the move that led here loses, as they would if the
    /// node had been searched (the practice of Stockfish; not measured by itself here).
    pub fn update_after_tt_cutoff(&mut self, ply: usize, tt_move: Option<Move>, depth: Depth) {
        let baseline = self.is_baseline();
        let (histories, node) = self.worker.histories_at(ply);
        if let Some(m) = tt_move.filter(|m| m.is_quiet()) {
            let threats = node.board.threats(!node.board.side_to_move()).all;
            histories.update_quiet(node, m, threats, bonus(depth) * params::tt_cutoff_bonus() / 16);
        }
        if !baseline {
            histories.update_prior_move_malus(node, depth);
        }
    }

    /// The moves of a node came to `value`, which the table keeps; correction history learns how far the static evaluation
    /// was off, unless the bound leaves open on which side, or a capture made the difference. Where all moves failed low, the
    /// move that led here gains.
    pub fn update_after_node(&mut self, node: &Node, value: Value, bound: Bound, best: &Best) {
        let view = &node.view;
        let ply = view.ply;
        if bound == Bound::Upper {
            let (histories, path_node) = self.worker.histories_at(ply);
            histories.update_prior_move_bonus(path_node, view.depth);
        }
        let entry = TableEntry {
            best_move: best.best_move,
            value: Some(value),
            static_eval: node.raw_eval,
            depth: view.depth,
            bound,
            is_pv: view.tt_pv,
        };
        self.job.table.store(self.worker.board.key(), ply, &entry);
        if !view.in_check
            && bound.improves_on(best.value, view.static_eval)
            && best.best_move.is_none_or(|m| m.is_quiet())
        {
            let worker = &mut *self.worker;
            let difference = best.value - view.static_eval;
            let moves = worker.last_moves(ply);
            worker.correction.update(&worker.board, moves, view.depth, difference);
        }
    }
}
