//! No null move: the yardstick.

use super::{FailHigh, Scheme};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// Never passes.
#[derive(Clone, Copy, Debug)]
pub struct Off;

impl Scheme for Off {
    fn allowed(&self, _node: &NodeView) -> bool {
        false
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        0
    }

    fn on_fail_high(&self, _node: &NodeView, _value: Value) -> FailHigh {
        FailHigh::Ignore
    }
}
