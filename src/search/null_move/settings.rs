//! What can be set about null moves besides the scheme: the numbers that schemes leave open, and the switches.

use crate::params;
use crate::types::Depth;

/// The greatest reduction, in plies, that can be set for a null move (`NullMoveR`) and for a fail-high (`NullMoveDR`).
pub const MAX_NULL_MOVE_PLIES: Depth = 8;

/// The plies by which a fail-high reduces where nothing else is set: the paper's choice (David and Netanyahu 2008).
const DEFAULT_DR: Depth = 4;

/// The greatest depth, in plies, below which null moves can be forbidden (`NullMoveMinDepth`).
pub const MAX_NULL_MOVE_MIN_DEPTH: Depth = 32;

/// The numbers that schemes leave open, and the switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullMoveSettings {
    /// The reduction of a null-move search, in plies, in schemes that leave it open.
    pub r: Depth,
    /// The plies by which a fail-high reduces, in schemes that leave it open.
    pub dr: Depth,
    /// The depth from which null moves are tried, in plies, whatever the scheme; 0 leaves it to the scheme.
    pub min_depth: Depth,
    /// The plies of null-move quiescence above quiescence, where [`NullMoveSwitches::null_quiescence`] is on.
    pub quiescence_depth: usize,
    /// What the search does besides the scheme, or leaves out.
    pub switches: NullMoveSwitches,
    /// Every search ends with a report of its [`NullCounts`](super::NullCounts).
    pub report_counts: bool,
}

impl NullMoveSettings {
    /// True if a search with them differs from one with a scheme alone.
    pub fn must_be_looked_at(&self) -> bool {
        self.switches.any() || self.min_depth > 0 || self.report_counts
    }
}

impl Default for NullMoveSettings {
    fn default() -> NullMoveSettings {
        NullMoveSettings {
            r: params::null_r(),
            dr: DEFAULT_DR,
            min_depth: 0,
            quiescence_depth: 1,
            switches: NullMoveSwitches::default(),
            report_counts: false,
        }
    }
}

/// Uses of null moves that work with every scheme, and a baseline search in which the effect of null moves shows. All
/// are off by default. [`NullMoveSwitch::ALL`] lists them for options, command lines and experiments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullMoveSwitches {
    /// Mate-threat extension: a null move that is answered by a mate shows a threat, so the node is searched a ply
    /// deeper (after Donninger 1993, "Null move and deep search", who extends on what a failing null move shows).
    pub mate_threat: bool,
    /// Botvinnik-Markoff extension: the same move refutes the null moves of a node and of the node two plies before.
    /// The threat has then only been delayed, so the node is searched a ply deeper.
    pub botvinnik_markoff: bool,
    /// Null-refutation ordering: the piece that the refutation of a null move captures is in danger, so its quiet moves
    /// are tried earlier.
    pub refutation_order: bool,
    /// Null-move quiescence: above quiescence one ply or [more](NullMoveSettings::quiescence_depth) of all moves, with
    /// the search after a null move in place of the stand-pat value (Beal 1989, "Experiments with the null move").
    pub null_quiescence: bool,
    /// No null move while the path follows the principal variation of the last iteration: it is searched as it was found
    /// (an old rule of engines that search the last iteration's line first).
    pub not_on_pv: bool,
    /// Baseline mode, without the later techniques that hide the effect of a null move: reverse futility pruning,
    /// razoring, internal iterative reductions, ProbCut, late-move, history and SEE pruning of moves, futility pruning of
    /// captures, late-move reductions, singular extensions, and the malus for the move that led to a table cutoff.
    pub plain: bool,
    /// Baseline mode with what Falcon, the program of David and Netanyahu (2008), had beside null moves: multi-cut, and
    /// extensions for checks, recaptures, only replies, mate threats and passed pawns.
    pub falcon: bool,
}

impl NullMoveSwitches {
    /// True if anything is switched on.
    pub fn any(&self) -> bool {
        *self != NullMoveSwitches::default()
    }

    /// True if the search leaves out what hides the effect of a null move.
    pub fn is_baseline(&self) -> bool {
        self.plain || self.falcon
    }

    /// True if a switch is on that reads the refutations of null moves.
    pub fn wants_refutation(&self) -> bool {
        self.botvinnik_markoff || self.refutation_order
    }
}

/// One of the [`NullMoveSwitches`] by name. A new switch is a field there and a line in [`NullMoveSwitch::ALL`]; its UCI
/// option, its flag on the command line and its word in the laboratory come from that line, and README's row is checked
/// against it.
#[derive(Clone, Copy, Debug)]
pub struct NullMoveSwitch {
    /// The name on command lines: `mate-threat`.
    pub name: &'static str,
    /// The name of the UCI option: `NullMoveMateThreat`.
    pub uci_name: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    /// The switch makes another kind of search, in which schemes are compared, and is no use of a null move.
    pub is_mode: bool,
    field: fn(&mut NullMoveSwitches) -> &mut bool,
}

impl NullMoveSwitch {
    /// All switches.
    pub const ALL: [NullMoveSwitch; 7] = [
        NullMoveSwitch {
            name: "mate-threat",
            uci_name: "NullMoveMateThreat",
            doc: "extends where a null move is answered by a mate",
            is_mode: false,
            field: |switches| &mut switches.mate_threat,
        },
        NullMoveSwitch {
            name: "botvinnik-markoff",
            uci_name: "NullMoveBotvinnikMarkoff",
            doc: "extends where the same move refutes null moves two plies apart",
            is_mode: false,
            field: |switches| &mut switches.botvinnik_markoff,
        },
        NullMoveSwitch {
            name: "refutation-order",
            uci_name: "NullMoveRefutationOrder",
            doc: "tries moves of the piece that the refutation of a null move captures earlier",
            is_mode: false,
            field: |switches| &mut switches.refutation_order,
        },
        NullMoveSwitch {
            name: "null-quiescence",
            uci_name: "NullMoveQuiescence",
            doc: "searches a layer of null-move quiescence above quiescence",
            is_mode: false,
            field: |switches| &mut switches.null_quiescence,
        },
        NullMoveSwitch {
            name: "not-on-pv",
            uci_name: "NullMoveNotOnPv",
            doc: "tries no null move while the path follows the principal variation of the last iteration",
            is_mode: false,
            field: |switches| &mut switches.not_on_pv,
        },
        NullMoveSwitch {
            name: "plain",
            uci_name: "NullMovePlain",
            doc: "leaves out what hides the effect of null moves: above quiescence all pruning but futility pruning of quiet moves, \
                  internal iterative and late-move reductions, singular extensions",
            is_mode: true,
            field: |switches| &mut switches.plain,
        },
        NullMoveSwitch {
            name: "falcon",
            uci_name: "NullMoveFalcon",
            doc: "the same with what Falcon had, the program of David and Netanyahu (2008): multi-cut, and extensions for \
                  checks, recaptures, only replies, mate threats and pawns on the seventh rank",
            is_mode: true,
            field: |switches| &mut switches.falcon,
        },
    ];

    /// The switch of this command-line name.
    pub fn find(name: &str) -> Option<NullMoveSwitch> {
        NullMoveSwitch::ALL.into_iter().find(|switch| switch.name == name)
    }

    /// True if it is on.
    pub fn get(&self, mut switches: NullMoveSwitches) -> bool {
        *(self.field)(&mut switches)
    }

    /// Turns it on or off.
    pub fn set(&self, switches: &mut NullMoveSwitches, on: bool) {
        *(self.field)(switches) = on;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_of_the_list_turns_on_its_own_field() {
        let on = NullMoveSwitch::ALL.map(|switch| {
            let mut switches = NullMoveSwitches::default();
            switch.set(&mut switches, true);
            assert!(
                NullMoveSwitch::ALL.iter().all(|other| other.get(switches) == (other.name == switch.name))
            );
            switches
        });
        // Every field is in the list: all of them together leave nothing off.
        let mut all = NullMoveSwitches::default();
        NullMoveSwitch::ALL.iter().for_each(|switch| switch.set(&mut all, true));
        let NullMoveSwitches {
            mate_threat,
            botvinnik_markoff,
            refutation_order,
            null_quiescence,
            not_on_pv,
            plain,
            falcon,
        } = all;
        assert!(mate_threat && botvinnik_markoff && refutation_order);
        assert!(null_quiescence && not_on_pv && plain && falcon);
        assert!(on.iter().all(NullMoveSwitches::any));
    }
}
