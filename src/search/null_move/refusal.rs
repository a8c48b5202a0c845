//! Which conditions of a node keep a scheme from trying a null move there.

use super::scheme::Scheme;
use crate::search::node::NodeView;
use crate::search::null_move_state::NullMoveState;
use crate::types::MAX_EVAL;

/// A condition that forbids a null move by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The window or the evaluation is decisive: a mate, or a win by endgame tables.
    Decisive,
    /// A setting forbids it.
    Setting,
    /// A verification search is running.
    Verification,
    /// The side to move is in check.
    Check,
    /// The last move was a null move.
    AfterNullMove,
    /// The window is open.
    OpenWindow,
    /// The node is not expected to fail high.
    NotCutNode,
    /// The side to move has only pawns and its king.
    OnlyPawns,
    /// The evaluation, which may be the table's, is not far enough above beta.
    Evaluation,
    /// The static evaluation is not far enough above beta.
    StaticEvaluation,
    /// Too few pieces, a threat, the null moves on the path, or what the table move is.
    Circumstances,
    /// The depth, or the scheme as such: no node of this depth would do.
    Depth,
}

impl Refusal {
    /// The condition in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Refusal::Decisive => "mate or tablebase win",
            Refusal::Setting => "forbidden by a setting",
            Refusal::Verification => "in a verification",
            Refusal::Check => "in check",
            Refusal::AfterNullMove => "after a null move",
            Refusal::OpenWindow => "open window",
            Refusal::NotCutNode => "no cut node",
            Refusal::OnlyPawns => "only pawns",
            Refusal::Evaluation => "evaluation too low",
            Refusal::StaticEvaluation => "static evaluation too low",
            Refusal::Circumstances => "pieces, threat, path or table move",
            Refusal::Depth => "depth, or the scheme",
        }
    }

    /// Changes a node so that this condition cannot forbid a null move.
    fn rule_out(self, node: &mut NodeView) {
        match self {
            Refusal::Decisive | Refusal::Setting | Refusal::Verification | Refusal::Depth => {}
            Refusal::Check => node.in_check = false,
            Refusal::AfterNullMove => {
                node.after_null = false;
                node.null_moves.in_row = 0;
            }
            Refusal::OpenWindow => node.pv = false,
            Refusal::NotCutNode => node.cut_node = true,
            Refusal::OnlyPawns => node.has_non_pawn_material = true,
            Refusal::Evaluation => node.eval = MAX_EVAL,
            Refusal::StaticEvaluation => node.static_eval = MAX_EVAL,
            Refusal::Circumstances => {
                (node.own_pieces, node.most_pieces) = (7, 7);
                node.threat = 0;
                (node.has_tt_move, node.tt_capture, node.tt_pv) = (true, false, false);
                // How many null moves have led here in a row is a condition by itself.
                node.null_moves =
                    NullMoveState { in_row: node.null_moves.in_row, ..NullMoveState::default() };
            }
        }
    }
}

/// What a scheme itself looks at.
const BY_SCHEME: [Refusal; 8] = [
    Refusal::Check,
    Refusal::AfterNullMove,
    Refusal::OpenWindow,
    Refusal::NotCutNode,
    Refusal::OnlyPawns,
    Refusal::Evaluation,
    Refusal::StaticEvaluation,
    Refusal::Circumstances,
];

/// The conditions of a node that forbid a null move to the scheme, each by itself; none if the scheme may try it.
///
/// Schemes only answer yes or no, so they are asked about nodes that do not exist: one in which every condition is
/// favourable, and then the same with one condition as it really is.
pub fn refusals<S: Scheme>(scheme: &S, node: &NodeView) -> Vec<Refusal> {
    if scheme.may_try(node) {
        return Vec::new();
    }
    let favourable = |but: Option<Refusal>| {
        let mut node = *node;
        BY_SCHEME
            .iter()
            .filter(|&&condition| Some(condition) != but)
            .for_each(|condition| condition.rule_out(&mut node));
        node
    };
    if !scheme.may_try(&favourable(None)) {
        return vec![Refusal::Depth];
    }
    BY_SCHEME.into_iter().filter(|&condition| !scheme.may_try(&favourable(Some(condition)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::null_move::schemes::{Double, SchemeName, Tuned};
    use crate::search::null_move::settings::NullMoveSettings;

    fn cut_node(lead: i32) -> NodeView {
        let sample = NodeView { cut_node: true, ..NodeView::sample(6, 0) };
        NodeView { static_eval: sample.beta + lead, eval: sample.beta + lead, ..sample }
    }

    #[test]
    fn each_condition_is_named_and_only_those_that_forbid() {
        let good = cut_node(1000);
        let why = |node: &NodeView| refusals(&Tuned, node);
        assert_eq!(why(&good), []);
        assert_eq!(why(&NodeView { cut_node: false, ..good }), [Refusal::NotCutNode]);
        let several = NodeView { in_check: true, cut_node: false, ..good };
        assert_eq!(why(&several), [Refusal::Check, Refusal::NotCutNode]);
        assert_eq!(why(&NodeView { after_null: true, ..good }), [Refusal::AfterNullMove]);
        assert_eq!(why(&cut_node(-1000)), [Refusal::Evaluation, Refusal::StaticEvaluation]);
        assert_eq!(why(&NodeView { static_eval: good.beta - 1000, ..good }), [Refusal::StaticEvaluation]);
    }

    #[test]
    fn a_third_null_move_in_a_row_is_refused_as_one_after_a_null_move() {
        let double = Double { r: 2 };
        let null_moves = NullMoveState { in_row: 2, on_path: 2, ..NullMoveState::default() };
        let node = NodeView { null_moves, after_null: true, ..cut_node(1000) };
        assert_eq!(refusals(&double, &node), [Refusal::AfterNullMove]);
        assert_eq!(
            refusals(&double, &NodeView { in_check: true, ..node }),
            [Refusal::Check, Refusal::AfterNullMove]
        );
    }

    #[test]
    fn every_scheme_has_a_reason_for_every_refusal_in_check() {
        let settings = NullMoveSettings::default();
        for name in SchemeName::ALL {
            let scheme = name.scheme(&settings);
            let good = cut_node(1000);
            let why = refusals(&scheme, &NodeView { in_check: true, ..good });
            if scheme.may_try(&good) {
                assert_eq!(why, [Refusal::Check], "{}", name.name());
            } else {
                assert!(!why.is_empty(), "{}", name.name());
            }
        }
    }
}
