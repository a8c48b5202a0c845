//! What the null move of a position in zugzwang leads to.

use caesura::board::Board;
use caesura::engine::{
    EnteredNode, FailHigh, NodePruning, NodeQuery, NodeSearch, NodeView, NullMoveObserver,
};
use caesura::single_threaded::SingleThreadedEngine;
use caesura::types::{Depth, Value};

use super::record::SchemeCount;
use crate::contender::Contender;
use crate::mode::Mode;

/// The most nodes of a search; one that takes more is left out.
const MAX_NODES: u64 = 1_000_000;

/// Searches positions with a scheme, each to this depth by iterative deepening, as expected cut nodes that would have to
/// reach the value of a pass. What counts is what happens at the position itself in the last iteration.
pub fn count(
    engine: &mut SingleThreadedEngine,
    contender: &Contender,
    mode: Mode,
    depth: Depth,
    positions: &[(Board, Value)],
) -> SchemeCount {
    let mut count = SchemeCount { contender: contender.to_string(), depth, ..SchemeCount::default() };
    contender.set_options(engine.options_mut(), mode);
    for (board, beta) in positions {
        let mut witness = Witness { depth, ..Witness::default() };
        let query = NodeQuery { path: &[], depth, beta: *beta, cut_node: true };
        engine.new_game();
        let Some(value) = engine.search_node(board, &query, MAX_NODES, &mut witness) else { continue };
        let is_wrong = value >= *beta;
        count.positions += 1;
        count.wrong += u64::from(is_wrong);
        count.reverse_futility += u64::from(witness.pruned && is_wrong);
        count.tried += u64::from(witness.tried);
        count.fail_highs += u64::from(witness.decision.is_some());
        match witness.decision {
            Some(FailHigh::Cut) => count.cuts += 1,
            Some(FailHigh::Verify { .. }) => count.cuts += u64::from(witness.verified),
            Some(FailHigh::Reduce(_)) => {
                count.reductions += 1;
                count.held += u64::from(is_wrong);
            }
            None => {}
        }
    }
    count
}

/// Watches the position itself, and nothing below.
#[derive(Default)]
struct Witness {
    depth: Depth,
    /// The nodes that have been entered and not left.
    entered: usize,
    is_last_iteration: bool,
    pruned: bool,
    tried: bool,
    decision: Option<FailHigh>,
    verified: bool,
}

impl Witness {
    const fn is_meant(&self) -> bool {
        self.entered == 1 && self.is_last_iteration
    }
}

impl NullMoveObserver for Witness {
    fn enter(&mut self, node: &EnteredNode) {
        if self.entered == 0 {
            self.is_last_iteration = node.depth == self.depth;
        }
        self.entered += 1;
    }

    fn prune(&mut self, _view: &NodeView, by: NodePruning) {
        self.pruned |= self.is_meant() && by == NodePruning::ReverseFutility;
    }

    fn null_search(&mut self, _view: &NodeView, _search: NodeSearch) {
        self.tried |= self.is_meant();
    }

    fn fail_high(&mut self, _view: &NodeView, _value: Value, decision: FailHigh) -> bool {
        if self.is_meant() {
            self.decision = Some(decision);
        }
        true
    }

    fn verification(&mut self, _view: &NodeView, search: NodeSearch) {
        self.verified |= self.is_meant() && search.value >= search.bound;
    }

    fn leave(&mut self, _value: Value) {
        self.entered -= 1;
    }
}
