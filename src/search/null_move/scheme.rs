//! What a null-move scheme must answer.

use super::settings::NullMoveSettings;
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// What a null move's fail-high means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailHigh {
    /// The node fails high.
    Cut,
    /// The moves of the node are searched, this many plies shallower.
    Reduce(Depth),
    /// The node fails high if a search of it to a smaller depth does: by its moves, or, as in any node of the full search, by the
    /// table, endgame tables, reverse futility or ProbCut before them.
    Verify {
        /// How deep the moves are searched, in plies; at least one.
        depth: Depth,
        /// For how many plies, from the node on, null moves are forbidden in that search.
        without_null_moves: usize,
        /// Null moves are forbidden to the opponent, too, and not only to the side to move.
        both_sides: bool,
    },
}

/// What it means that a reduced node's search failed low although its null move had failed high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailLow {
    /// The reduced search is right.
    Accept,
    /// The node is searched again, at the depth that it has without a null move.
    Research,
}

/// A null-move scheme: pure answers from a view of the node.
///
/// The constants say what of the view it reads; what no scheme reads is not computed.
pub trait Scheme: Copy + Send + Sync + 'static {
    /// The scheme's name, as options and the command line have it.
    const NAME: &'static str;
    /// What the scheme does, in one line, for the help of the command line.
    const SUMMARY: &'static str;
    /// Who published the scheme, and when.
    const SOURCE: &'static str;
    /// The scheme leaves open by how many plies a null move is searched shallower (`NullMoveR`).
    const USES_R: bool = false;
    /// The scheme leaves open by how many plies a fail-high reduces (`NullMoveDR`).
    const USES_DR: bool = false;
    /// The scheme reads [`NodeView::null_moves`].
    const READS_PATH: bool = false;
    /// The scheme reads the alternatives on the path, too.
    const READS_ALTERNATIVES: bool = false;
    /// The scheme reads [`NodeView::own_pieces`] and [`NodeView::most_pieces`].
    const READS_MATERIAL: bool = false;
    /// The scheme reads [`NodeView::threat`].
    const READS_THREAT: bool = false;
    /// The search looks at the switches of [`NullMoveSettings`], its minimal depth and whether nodes are counted; a
    /// search that does not is faster.
    const SWITCHES: bool = true;

    /// The scheme with the numbers that it leaves open.
    fn new(settings: &NullMoveSettings) -> Self;

    /// The name, of a scheme that is known only at run time too.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Does this scheme read the alternatives on the path? Not asked unless [`Scheme::READS_ALTERNATIVES`].
    #[inline]
    fn reads_alternatives(&self) -> bool {
        Self::READS_ALTERNATIVES
    }

    /// Does this scheme read the material? Not asked unless [`Scheme::READS_MATERIAL`].
    #[inline]
    fn reads_material(&self) -> bool {
        Self::READS_MATERIAL
    }

    /// Does this scheme read threats? Not asked unless [`Scheme::READS_THREAT`].
    #[inline]
    fn reads_threat(&self) -> bool {
        Self::READS_THREAT
    }

    /// May a null move be tried here? Most schemes ask for no check and no null move just before.
    #[inline]
    fn may_try(&self, node: &NodeView) -> bool {
        usual_conditions(node)
    }

    /// How many plies shallower the null move is searched than a move would be (R).
    fn reduction(&self, node: &NodeView) -> Depth;

    /// The value that the null move must reach to be a fail-high, in centipawns.
    fn bound(&self, node: &NodeView) -> Value {
        node.beta
    }

    /// What a null move's fail-high with this value means: in most schemes a cut.
    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Cut
    }

    /// What it means that the reduced search failed low.
    fn on_reduced_fail_low(&self, _node: &NodeView) -> FailLow {
        FailLow::Accept
    }

    /// Does the node count as a fail-high by its evaluation, without the search of a null move?
    fn fails_high_statically(&self, _node: &NodeView) -> bool {
        false
    }

    /// May reverse futility pruning leave a node that the scheme has reduced, as any node of its new depth?
    fn prunes_reduced(&self) -> bool {
        false
    }

    /// May the table cut a reduced node with this value, which was searched to the reduced depth at least but did not cut at
    /// the full one?
    fn tt_may_cut_reduced(&self, _node: &NodeView, _value: Value) -> bool {
        true
    }
}

/// Verification in nodes of at least `min_depth` plies, unless one is running already; elsewhere the fail-high cuts. The
/// node is searched to `depth` plies, one at least, without null moves of either side for three quarters of them.
pub fn verify_deep_nodes(node: &NodeView, min_depth: Depth, depth: Depth) -> FailHigh {
    if node.depth < min_depth || node.null_moves.is_verifying() {
        return FailHigh::Cut;
    }
    let depth = depth.max(1);
    FailHigh::Verify { depth, without_null_moves: (3 * depth / 4).max(1) as usize, both_sides: true }
}

/// No check, and no null move just before: what [`Scheme::may_try`] asks unless a scheme says otherwise.
#[inline]
pub fn usual_conditions(node: &NodeView) -> bool {
    !node.in_check && !node.after_null
}
