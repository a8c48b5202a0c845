//! A scheme in a search that looks at the switches.

use super::scheme::{FailHigh, FailLow, Scheme};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// A scheme that does not let the search look at switches, with switches. So the search that is usually played does not
/// pay for them.
#[derive(Clone, Copy, Debug)]
pub struct Switched<S>(pub S);

impl<S: Scheme> Scheme for Switched<S> {
    const PATH: bool = S::PATH;
    const RIVALS: bool = S::RIVALS;
    const MATERIAL: bool = S::MATERIAL;
    const THREATS: bool = S::THREATS;
    const SWITCHES: bool = true;

    fn allowed(&self, node: &NodeView) -> bool {
        self.0.allowed(node)
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

    fn foresees_fail_high(&self, node: &NodeView) -> bool {
        self.0.foresees_fail_high(node)
    }

    fn table_settles_reduced(&self, node: &NodeView, value: Value) -> bool {
        self.0.table_settles_reduced(node, value)
    }

    fn late_move_relief(&self) -> i32 {
        self.0.late_move_relief()
    }
}
