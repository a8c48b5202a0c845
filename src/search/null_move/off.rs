//! No null move: the yardstick.

use super::scheme::{FailHigh, Scheme};
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// Never passes.
///
/// What every scheme is measured against: without a null move nothing is overlooked because of one.
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
        FailHigh::Reduce(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_passes() {
        for depth in 1..40 {
            for eval in [-500, 0, 500] {
                assert!(!Off.allowed(&NodeView::sample(depth, eval)));
            }
        }
    }
}
