//! Keeps some of the fail-highs of a search.

use caesura::engine::{
    EnteredNode, ExpectedKind, FailHigh, NodeSearch, NodeView, NullMoveObserver, SplitMix,
};
use caesura::types::{Depth, Move, Value, is_decisive};
use toolkit::reservoir::Reservoir;

use super::record::{Action, DEPTH_CLASSES, depth_class};

/// What is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Null moves that fail high.
    NullMoves,
    /// Moves that fail high where a null move could have been tried: in expected cut nodes, not in check, with the
    /// static evaluation at beta or above.
    Moves,
}

/// A fail-high that was kept. Values are in centipawns for the side to move at the node.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The fail-highs before it.
    pub ordinal: u64,
    /// The moves from the root; `None` is a null move.
    pub path: Vec<Option<Move>>,
    /// The depth of the node, in plies.
    pub depth: Depth,
    /// What had to be reached.
    pub beta: Value,
    /// The static evaluation.
    pub static_eval: Value,
    /// What the node was expected to be.
    pub kind: ExpectedKind,
    /// The value that failed high.
    pub value: Value,
    /// What follows.
    pub action: Action,
    /// The value of the node when it was left.
    pub outcome: Value,
}

/// A node that has been entered and not left.
struct OpenNode {
    is_singular_search: bool,
    /// The fail-high that was kept of the node.
    sample: Option<u64>,
}

/// Watches a search and keeps this many of its fail-highs from each class of depth, all with the same probability.
pub struct Sampler {
    source: Source,
    random: SplitMix,
    fail_highs: u64,
    /// The fail-highs kept of each class of depth.
    kept: [Reservoir<Sample>; DEPTH_CLASSES.len()],
    path: Vec<Option<Move>>,
    open: Vec<OpenNode>,
}

impl Sampler {
    /// A sampler whose choice depends on the seed alone.
    pub fn new(source: Source, per_class: usize, seed: u64) -> Sampler {
        Sampler {
            source,
            random: SplitMix(seed),
            fail_highs: 0,
            kept: std::array::from_fn(|_| Reservoir::new(per_class)),
            path: Vec::new(),
            open: Vec::new(),
        }
    }

    /// The fail-highs of each class of depth.
    pub fn seen(&self) -> [u64; DEPTH_CLASSES.len()] {
        self.kept.each_ref().map(|kept| kept.seen() as u64)
    }

    /// What was kept, in the order of the search.
    pub fn into_samples(self) -> Vec<Sample> {
        let mut samples: Vec<Sample> = self.kept.into_iter().flat_map(Reservoir::into_items).collect();
        samples.sort_unstable_by_key(|sample| sample.ordinal);
        samples
    }

    fn offer(&mut self, view: &NodeView, value: Value, action: Action) {
        let ordinal = self.fail_highs;
        self.fail_highs += 1;
        let Sampler { random, kept, path, .. } = self;
        let sample = || Sample {
            ordinal,
            path: path[..view.ply].to_vec(),
            depth: view.depth,
            beta: view.beta,
            static_eval: view.static_eval,
            kind: ExpectedKind::of(view.pv, view.cut_node),
            value,
            action,
            outcome: value,
        };
        if kept[depth_class(view.depth)].offer(|bound| random.below(bound), sample)
            && let Some(node) = self.open.last_mut()
        {
            node.sample = Some(ordinal);
        }
    }
}

impl NullMoveObserver for Sampler {
    fn enter(&mut self, node: &EnteredNode) {
        self.path.truncate(node.ply.saturating_sub(1));
        if node.ply > 0 {
            self.path.push(node.last_move);
        }
        self.open.push(OpenNode { is_singular_search: node.excluded.is_some(), sample: None });
    }

    fn fail_high(&mut self, view: &NodeView, value: Value, decision: FailHigh) -> bool {
        let action = match decision {
            FailHigh::Cut => Action::Cut,
            FailHigh::Reduce(_) => Action::Reduce,
            FailHigh::Verify { .. } => Action::Verify,
        };
        if self.source == Source::NullMoves {
            self.offer(view, value, action);
        }
        true
    }

    fn moves(&mut self, view: &NodeView, search: NodeSearch) {
        let could_be_tried = view.cut_node && !view.in_check && view.ply > 0 && view.static_eval >= view.beta;
        if self.source == Source::Moves
            && search.value >= search.bound
            && could_be_tried
            && !is_decisive(view.beta)
            && self.open.last().is_some_and(|node| !node.is_singular_search)
        {
            self.offer(view, search.value, Action::Moves);
        }
    }

    fn leave(&mut self, value: Value) {
        let Some(ordinal) = self.open.pop().and_then(|node| node.sample) else { return };
        let sample =
            self.kept.iter_mut().flat_map(Reservoir::items_mut).find(|sample| sample.ordinal == ordinal);
        // It may have given way to another meanwhile.
        if let Some(sample) = sample {
            sample.outcome = value;
        }
    }
}

/// Overrules one fail-high of a search.
pub struct Overruler {
    /// Which one: how many come before it.
    ordinal: u64,
    fail_highs: u64,
}

impl Overruler {
    /// Overrules the fail-high that comes after this many.
    pub const fn new(ordinal: u64) -> Overruler {
        Overruler { ordinal, fail_highs: 0 }
    }
}

impl NullMoveObserver for Overruler {
    fn fail_high(&mut self, _view: &NodeView, _value: Value, _decision: FailHigh) -> bool {
        self.fail_highs += 1;
        self.fail_highs - 1 != self.ordinal
    }
}
