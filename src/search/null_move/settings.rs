//! What can be set besides the scheme's name.

use super::tuned::Tuning;
use crate::params;
use crate::types::Depth;

/// The most plies that `NullMoveR` and `NullMoveDR` can be.
pub const MAX_NULL_MOVE_PLIES: Depth = 8;

/// The numbers that schemes leave open, and the switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullMoveSettings {
    /// The plies by which a null move is searched shallower, in schemes that leave it open.
    pub r: Depth,
    /// The plies by which a fail-high reduces, in schemes that leave it open.
    pub dr: Depth,
    /// The numbers of `tuned`, if they are not to be its own.
    pub tuning: Option<Tuning>,
    /// What else the search does, or leaves.
    pub switches: NullMoveSwitches,
    /// The counts are told at the end of every search.
    pub report_counts: bool,
}

impl Default for NullMoveSettings {
    fn default() -> NullMoveSettings {
        NullMoveSettings {
            r: params::null_r(),
            dr: params::null_depth_reduction(),
            tuning: None,
            switches: NullMoveSwitches::default(),
            report_counts: false,
        }
    }
}

/// Uses of null moves that are no schemes, and a search that is plain enough to see what a null move does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullMoveSwitches {
    /// Mate-threat extension: a null move that comes back as "I get mated" shows a threat, and the node is searched
    /// a ply deeper (after Donninger 1993, "Null move and deep search", who extends on what a failing null move
    /// shows).
    pub mate_threat: bool,
    /// Botvinnik-Markoff extension: the same move refutes the null moves of a node and of the node two plies before.
    /// So the threat is still there and was only put off: the node is searched a ply deeper.
    pub botvinnik_markoff: bool,
    /// Null-refutation ordering: the piece that the refutation of a null move takes is in danger, and its quiet
    /// moves come earlier.
    pub refutation_order: bool,
    /// Null-move quiescence: at the horizon one ply of all moves, with the null move's quiescence in place of
    /// standing pat (Beal 1989, "Experiments with the null move").
    pub null_quiescence: bool,
    /// The search without what came after its models and hides the effect of a null move: reverse futility,
    /// razoring, ProbCut, late-move pruning with history and exchange pruning of moves, late-move reductions and
    /// singular extensions.
    pub plain: bool,
}

impl NullMoveSwitches {
    /// True if anything is switched on.
    pub fn any(&self) -> bool {
        *self != NullMoveSwitches::default()
    }

    /// True if the refutations of null moves are wanted.
    pub fn wants_refutation(&self) -> bool {
        self.botvinnik_markoff || self.refutation_order
    }
}
