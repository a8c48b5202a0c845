//! A scheme in a search that looks at the switches.

use super::scheme::{FailHigh, FailLow, Scheme};
use super::settings::NullMoveSettings;
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// A scheme whose search does not look at switches, in one that does: so the search that is usually played does not pay
/// for them.
#[derive(Clone, Copy, Debug)]
pub struct Switched<S>(pub S);

impl<S: Scheme> Scheme for Switched<S> {
    const NAME: &'static str = S::NAME;
    const SUMMARY: &'static str = S::SUMMARY;
    const SOURCE: &'static str = S::SOURCE;
    const USES_R: bool = S::USES_R;
    const USES_DR: bool = S::USES_DR;
    const READS_PATH: bool = S::READS_PATH;
    const READS_ALTERNATIVES: bool = S::READS_ALTERNATIVES;
    const READS_MATERIAL: bool = S::READS_MATERIAL;
    const READS_THREAT: bool = S::READS_THREAT;
    const SWITCHES: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        Switched(S::new(settings))
    }

    fn may_try(&self, node: &NodeView) -> bool {
        self.0.may_try(node)
    }

    fn reduction(&self, node: &NodeView) -> Depth {
        self.0.reduction(node)
    }

    fn bound(&self, node: &NodeView) -> Value {
        self.0.bound(node)
    }

    fn on_fail_high(&self, node: &NodeView, value: Value) -> FailHigh {
        self.0.on_fail_high(node, value)
    }

    fn on_reduced_fail_low(&self, node: &NodeView) -> FailLow {
        self.0.on_reduced_fail_low(node)
    }

    fn fails_high_statically(&self, node: &NodeView) -> bool {
        self.0.fails_high_statically(node)
    }

    fn tt_may_cut_reduced(&self, node: &NodeView, value: Value) -> bool {
        self.0.tt_may_cut_reduced(node, value)
    }
}
