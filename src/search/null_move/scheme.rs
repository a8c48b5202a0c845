//! What a null-move scheme must answer, and the schemes' names.

use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// What a null move's fail-high means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailHigh {
    /// The node fails high.
    Cut,
    /// The node is searched on, so many plies shallower.
    Reduce(Depth),
    /// Nothing: the node is searched as if no null move had been tried.
    Ignore,
}

/// What it means that a reduced node's search failed low although its null move had failed high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailLow {
    /// The reduced search is right.
    Accept,
    /// The node is searched again at its full depth.
    Research,
}

/// A null-move scheme: pure answers from a view of the node.
pub trait Scheme: Copy + Send + Sync + 'static {
    /// May a null move be tried here?
    fn allowed(&self, node: &NodeView) -> bool;

    /// How many plies shallower the null move is searched than a move would be (R).
    fn reduction(&self, node: &NodeView) -> Depth;

    /// What a null move's fail-high with this value means.
    fn on_fail_high(&self, node: &NodeView, value: Value) -> FailHigh;

    /// What a fail-low of the reduced search means.
    fn on_reduced_fail_low(&self, _node: &NodeView) -> FailLow {
        FailLow::Accept
    }
}

/// The schemes by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchemeName {
    /// No null move at all.
    Off,
    /// Extended null-move reductions.
    #[default]
    Extended,
}

impl SchemeName {
    /// All schemes.
    pub const ALL: [SchemeName; 2] = [SchemeName::Off, SchemeName::Extended];

    /// The name, as options and the command line have it.
    pub const fn name(self) -> &'static str {
        match self {
            SchemeName::Off => "off",
            SchemeName::Extended => "extended",
        }
    }

    /// The scheme of this name, in any case.
    pub fn parse(name: &str) -> Option<SchemeName> {
        SchemeName::ALL.into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }
}
