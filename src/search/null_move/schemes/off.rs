//! No null move: the baseline.

use crate::search::node::NodeView;
use crate::search::null_move::scheme::{FailHigh, Scheme};
use crate::search::null_move::settings::NullMoveSettings;
use crate::types::{Depth, Value};

/// No null move is ever tried.
///
/// What every scheme is measured against: without a null move nothing is overlooked because of one.
#[derive(Clone, Copy, Debug)]
pub struct Off;

impl Scheme for Off {
    const NAME: &'static str = "off";
    const SUMMARY: &'static str = "no null move";
    const SOURCE: &'static str = "the baseline without null moves";

    fn new(_settings: &NullMoveSettings) -> Self {
        Off
    }

    fn may_try(&self, _node: &NodeView) -> bool {
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
                assert!(!Off.may_try(&NodeView::sample(depth, eval)));
            }
        }
    }
}
