//! Node kinds as types, and the few values that every policy reads.

use super::passes::NullPath;
use crate::types::{Depth, Value};

/// The kind of a node, known when the program is compiled: each kind names its principal child's kind.
pub trait NodeKind {
    /// The search window is open: the node may lie on the principal variation.
    const PV: bool;
    /// The node is the root.
    const ROOT: bool;
    /// The kind of the child that is searched with the open window.
    type Child: NodeKind;
}

/// The root of the search.
pub struct Root;
/// A node with an open window.
pub struct Pv;
/// A node with a zero window: it can only say "at least" or "at most".
pub struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = NonPv;
}

/// What pruning, reductions and the null-move schemes may know of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeView {
    /// The depth still to search, in plies.
    pub depth: Depth,
    /// The distance from the root, in plies.
    pub ply: usize,
    /// The lower end of the window.
    pub alpha: Value,
    /// The upper end of the window.
    pub beta: Value,
    /// The corrected static evaluation; meaningless in check.
    pub static_eval: Value,
    /// The static evaluation, or a table value that bounds it better; meaningless in check.
    pub eval: Value,
    /// By how much the static evaluation was corrected, without its sign.
    pub correction: Value,
    /// The window is open.
    pub pv: bool,
    /// The side to move is in check.
    pub in_check: bool,
    /// The static evaluation is better than two plies ago.
    pub improving: bool,
    /// The side to move stands better than the opponent's own static evaluation had it before the last move.
    pub opponent_worsening: bool,
    /// The node is expected to fail high.
    pub cut_node: bool,
    /// The move that led here was a null move.
    pub after_null: bool,
    /// The side to move has more than pawns and its king.
    pub has_pieces: bool,
    /// The window is open, or the table says that the node was once on a principal variation.
    pub was_pv: bool,
    /// The table knows a move.
    pub has_table_move: bool,
    /// The table move is a capture.
    pub table_capture: bool,
    /// The null moves on the path, if the scheme asks.
    pub path: NullPath,
    /// The pieces of the side to move besides pawns and king, if the scheme asks.
    pub own_pieces: u8,
    /// The same of the side that has more, if the scheme asks.
    pub most_pieces: u8,
    /// The most that the opponent threatens to win at once, in centipawns, if the scheme asks.
    pub threat: Value,
}

#[cfg(test)]
impl NodeView {
    /// A quiet node with a zero window just above nought, for tests to change.
    pub fn sample(depth: Depth, eval: Value) -> NodeView {
        NodeView {
            depth,
            ply: 5,
            alpha: 10,
            beta: 11,
            static_eval: eval,
            eval,
            correction: 0,
            pv: false,
            in_check: false,
            improving: false,
            opponent_worsening: false,
            cut_node: false,
            after_null: false,
            has_pieces: true,
            was_pv: false,
            has_table_move: true,
            table_capture: false,
            path: NullPath::default(),
            own_pieces: 4,
            most_pieces: 4,
            threat: 0,
        }
    }
}
