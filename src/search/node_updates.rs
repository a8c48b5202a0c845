//! What a node leaves behind: updates of histories, transposition table and correction history.

use super::history::update::bonus;
use super::node::{Node, NodeKind};
use super::null_move::Scheme;
use super::reductions;
use super::searcher::Searcher;
use super::window::{Best, INFINITY};
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Bound, Depth, Move, Value};

impl<S: Scheme> Searcher<'_, S> {
    /// Steps 22 and 23: the value of the node, and what the table and correction history keep of it.
    pub fn finish_node<N: NodeKind>(&mut self, node: &Node, best: Best) -> Value {
        let (view, beta) = (&node.view, node.view.beta);
        // Step 22: the value of the node
        debug_assert!(best.value > -INFINITY, "the first move is searched unless a lower bound is known");
        if node.excluded.is_some() || N::ROOT && (self.worker.pv_index > 0 || self.worker.root_is_restricted)
        {
            // Not the value of the position: its best move may have been left out.
            return best.value;
        }
        let mut value = best.value.min(node.tb_window.beta);
        if !N::PV && value >= beta {
            value = reductions::blended_fail_high(value, beta, view.depth);
        }
        let bound = if value >= beta {
            Bound::Lower
        } else if best.best_move.is_some() || value == node.tb_window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Step 23: transposition table and correction history
        self.update_after_node(node, value, bound, &best);
        value
    }

    /// A fail-high by the table alone: its move gains if it is quiet, as it would if the node had been searched, and the move
    /// that led here loses, but for baseline modes (the practice of Stockfish; not measured by itself here).
    pub fn update_after_tt_cutoff(&mut self, ply: usize, tt_move: Option<Move>, depth: Depth) {
        let baseline = self.is_baseline();
        let quiet = tt_move.filter(|m| m.is_quiet()).map(|m| (m, self.worker.threats().all));
        let (histories, node) = self.worker.histories_at(ply);
        if let Some((m, threats)) = quiet {
            histories.update_quiet(node, m, threats, bonus(depth) * params::tt_cutoff_bonus() / 16);
        }
        if !baseline {
            histories.update_prior_move_malus(node, depth);
        }
    }

    /// The moves of a node came to `value`, which the table keeps, and with it that the node was once on a principal
    /// variation: after a fail low also if that is true of its parent only, since a move that has been refuted there may
    /// become the principal variation yet (the practice of Stockfish since 2021; with seven other changes 26 ± 21 Elo, 500
    /// games at 25,000 nodes); correction history learns how far the static evaluation was off, unless the bound leaves
    /// open on which side, or a capture made the difference. Where all moves failed low, the move that led here gains.
    fn update_after_node(&mut self, node: &Node, value: Value, bound: Bound, best: &Best) {
        let view = &node.view;
        let ply = view.ply;
        if bound == Bound::Upper {
            let (histories, path_node) = self.worker.histories_at(ply);
            let surprise =
                !view.in_check && best.value <= view.static_eval - params::prior_move_surprise_margin();
            histories.update_prior_move_bonus(path_node, view.depth, surprise);
        }
        let entry = TableEntry {
            best_move: best.best_move,
            value: Some(value),
            static_eval: node.raw_eval,
            depth: view.depth,
            bound,
            is_pv: view.tt_pv || bound == Bound::Upper && self.worker.stack.back(ply, 1).tt_pv,
        };
        self.store_tt(ply, &entry);
        if view.depth >= self.worker.shared_depth {
            self.share(ply, &entry);
        }
        if !view.pv
            && let Some(m) = best.best_move
        {
            self.worker.histories.tt_move.update(node.tt_move == Some(m));
        }
        if !view.in_check
            && bound.improves_on(best.value, view.static_eval)
            && best.best_move.is_none_or(|m| m.is_quiet())
        {
            let worker = &mut *self.worker;
            let difference = best.value - view.static_eval;
            let moves = worker.last_moves(ply);
            worker.histories.shared.correction.update(&worker.board, moves, view.depth, difference);
        }
    }

    /// Offers what the table has just stored to other machines.
    #[cold]
    fn share(&self, ply: usize, entry: &TableEntry) {
        if let Some(sharing) = &self.job.sharing {
            sharing.offer(self.worker.id, self.worker.board.key(), ply, entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node::NodeView;
    use crate::search::tests::{AHEAD, SCRIPT, at_node, plain};
    use crate::search::window::Window;

    #[test]
    fn a_node_is_stored_and_its_error_learnt_where_the_bound_shows_its_side() {
        for (value, bound, quiet, learnt) in [
            (300, Bound::Exact, true, 1),
            (-300, Bound::Exact, true, -1),
            (300, Bound::Lower, true, 1),
            (-300, Bound::Lower, true, 0),
            (300, Bound::Upper, true, 0),
            (-300, Bound::Upper, true, -1),
            (300, Bound::Exact, false, 0),
        ] {
            at_node(AHEAD, SCRIPT, plain(), |search| {
                let view = NodeView { ply: 1, static_eval: 0, ..NodeView::sample(6, 0) };
                let moves = search.worker.board.legal_moves();
                let quiet_move = moves.iter().copied().find(|m| m.is_quiet());
                // No capture is at hand: a promotion will do, since the move is not made.
                let other: crate::board::Board = "8/P6k/8/8/8/8/8/K7 w - - 0 1".parse().expect("a position");
                let noisy_move = other.legal_moves().iter().copied().find(|m| !m.is_quiet());
                let mut best = Best::none(view.window());
                best.value = value;
                best.best_move = if quiet { quiet_move } else { noisy_move };
                let node = Node::new(view, (None, None), None, Some(7), Window::FULL);
                for _ in 0..20 {
                    search.update_after_node(&node, value, bound, &best);
                }
                let key = search.worker.board.key();
                let hit = search.job.table.probe(key, 1).expect("stored");
                assert_eq!((hit.value, hit.bound, hit.depth), (Some(value), bound, 6));
                assert_eq!(hit.static_eval, Some(7));
                let last_moves = search.worker.last_moves(1);
                let correction =
                    search.worker.histories.shared.correction.get(&search.worker.board, last_moves);
                assert_eq!(correction.signum(), learnt, "{value} {bound:?} {quiet}");
            });
        }
    }

    #[test]
    fn after_a_fail_low_a_node_is_marked_as_its_parent_is() {
        for parent in [false, true] {
            for (bound, value) in [(Bound::Upper, -300), (Bound::Lower, 300), (Bound::Exact, 5)] {
                at_node(AHEAD, SCRIPT, plain(), |search| {
                    search.worker.stack.at(0).tt_pv = parent;
                    let view = NodeView { ply: 1, ..NodeView::sample(6, 0) };
                    let best = Best { value, ..Best::none(view.window()) };
                    let node = Node::new(view, (None, None), None, None, Window::FULL);
                    search.update_after_node(&node, value, bound, &best);
                    let hit = search.job.table.probe(search.worker.board.key(), 1).expect("stored");
                    assert_eq!(hit.is_pv, parent && bound == Bound::Upper, "{bound:?}");
                });
            }
        }
    }

    #[test]
    fn a_cutoff_by_the_table_teaches_of_its_move_if_that_is_quiet() {
        for noisy in [false, true] {
            at_node("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", SCRIPT, plain(), |search| {
                let moves = search.worker.board.legal_moves();
                let m = moves.iter().copied().find(|m| m.is_quiet() != noisy).expect("one of each");
                search.update_after_tt_cutoff(1, Some(m), 8);
                search.update_after_tt_cutoff(1, None, 8);
                let threats = search.worker.board.threats(!search.worker.board.side_to_move());
                let context = search.picker_context(1, &threats);
                for &other in &moves {
                    assert_eq!(context.history(other) > 0, !noisy && other == m, "{other:?}");
                    assert!(context.history(other) >= 0);
                }
            });
        }
    }
}
