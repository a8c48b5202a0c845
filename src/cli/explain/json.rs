//! A node as a line of JSON, its fields in the order in which they are read.

use crate::board::notation;
use crate::engine::{FailHigh, NodePruning, NodeSearch};
use crate::types::{Move, Value};

use super::trace::TraceNode;

/// An object with the node's number, that of its parent, and all that is known of it.
pub(super) fn node(scheme: &str, number: usize, node: &TraceNode, chess960: bool) -> String {
    let entered = &node.entered;
    let uci = |m: Move| notation::to_uci(m, chess960).to_string();
    let last_move = match (entered.ply, entered.last_move) {
        (0, _) => String::new(),
        (_, None) => "0000".into(),
        (_, Some(m)) => uci(m),
    };
    let sort = match (node.is_again, entered.excluded) {
        (_, Some(m)) => format!("singular search without {}", uci(m)),
        (true, None) => "verification".into(),
        (false, None) => "node".into(),
    };
    let null_move = node.null_search.map(|null| {
        let NodeSearch { depth, bound, value } = null.search;
        format!(r#"{{"r":{},"depth":{depth},"bound":{bound},"value":{value}}}"#, null.reduction)
    });
    let refusals: Vec<String> = node.refusals.iter().map(|refusal| text(refusal.words())).collect();
    let moves: Vec<String> = node.moves.iter().map(|search| search_object(*search)).collect();
    let fields = [
        ("scheme", text(scheme)),
        ("id", number.to_string()),
        ("parent", optional(node.parent)),
        ("ply", entered.ply.to_string()),
        ("move", text(&last_move)),
        ("sort", text(&sort)),
        ("depth", entered.depth.to_string()),
        ("alpha", entered.alpha.to_string()),
        ("beta", entered.beta.to_string()),
        ("kind", text(entered.kind.name())),
        ("static_eval", optional(node.evals.map(|(static_eval, _)| static_eval))),
        ("eval", optional(node.evals.map(|(_, eval)| eval))),
        ("pruned", optional(node.pruned.map(|pruned| text(pruning_name(pruned))))),
        ("refused", format!("[{}]", refusals.join(","))),
        ("null_move", optional(null_move)),
        ("decision", optional(node.decision.map(|decision| text(&decision_name(decision))))),
        ("verification", optional(node.verification.map(search_object))),
        ("moves", format!("[{}]", moves.join(","))),
        ("value", optional::<Value>(node.value)),
        ("below", node.below.to_string()),
    ];
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn search_object(search: NodeSearch) -> String {
    let NodeSearch { depth, bound, value } = search;
    format!(r#"{{"depth":{depth},"bound":{bound},"value":{value}}}"#)
}

const fn pruning_name(pruning: NodePruning) -> &'static str {
    match pruning {
        NodePruning::Razoring => "razoring",
        NodePruning::ReverseFutility => "reverse futility",
    }
}

fn decision_name(decision: FailHigh) -> String {
    match decision {
        FailHigh::Cut => "cut".into(),
        FailHigh::Reduce(plies) => format!("reduce by {plies}"),
        FailHigh::Verify { depth, .. } => format!("verify at depth {depth}"),
    }
}

/// A text as JSON has it.
pub(super) fn text(words: &str) -> String {
    serde_json::Value::from(words).to_string()
}

fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "null".into(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EnteredNode, ExpectedKind, Refusal};

    #[test]
    fn a_node_is_an_object_with_all_that_is_known() {
        let entered = EnteredNode {
            ply: 1,
            depth: 6,
            alpha: -5,
            beta: -4,
            kind: ExpectedKind::Cut,
            last_move: None,
            excluded: None,
        };
        let bare = TraceNode {
            entered,
            parent: Some(0),
            is_again: false,
            evals: None,
            pruned: None,
            refusals: vec![Refusal::Check],
            null_search: None,
            decision: Some(FailHigh::Reduce(5)),
            verification: None,
            moves: vec![NodeSearch { depth: 1, bound: -4, value: 3 }],
            value: Some(3),
            below: 2,
        };
        assert_eq!(
            node("tuned", 7, &bare, false),
            "{\"scheme\":\"tuned\",\"id\":7,\"parent\":0,\"ply\":1,\"move\":\"0000\",\"sort\":\"node\",\"depth\":6,\
             \"alpha\":-5,\"beta\":-4,\"kind\":\"cut node\",\"static_eval\":null,\"eval\":null,\"pruned\":null,\
             \"refused\":[\"in check\"],\"null_move\":null,\"decision\":\"reduce by 5\",\"verification\":null,\
             \"moves\":[{\"depth\":1,\"bound\":-4,\"value\":3}],\"value\":3,\"below\":2}"
        );
    }
}
