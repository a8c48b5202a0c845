//! Node kinds as types, what policies may see of a node, and what a node has established before its moves.

use super::null_move_state::NullMoveState;
use super::window::Window;
use crate::board::Threats;
use crate::tt::TableEntry;
use crate::types::{Depth, Move, Value};

/// The kind of a node, known when the program is compiled: each names the kinds of its children.
///
/// The kinds are those of Knuth and Moore (1975, "An analysis of alpha-beta pruning") as principal variation search
/// expects them: the first child of a PV node is a PV node, and its others are cut nodes, expected to fail high; the
/// children of a cut node are all-nodes, expected to fail low, and those of an all-node are cut nodes.
pub trait NodeKind {
    /// The window is open: the node may lie on the principal variation.
    const PV: bool;
    /// The node is the root.
    const ROOT: bool;
    /// The node is expected to fail high.
    const CUT: bool;
    /// The child that is searched with the node's whole window.
    type Child: NodeKind;
    /// The child that is searched with a zero window.
    type ZeroWindowChild: NodeKind;
    /// The node itself, searched with a zero window (singular and verification searches).
    type ZeroWindow: NodeKind;
    /// The node itself in quiescence, which expects nothing of its nodes.
    type Quiescence: NodeKind;
}

/// The root of the search.
pub struct Root;
/// A node with an open window.
pub struct Pv;
/// A node with a zero window that is expected to fail high.
pub struct Cut;
/// A node with a zero window that is expected to fail low.
pub struct All;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    const CUT: bool = false;
    type Child = Pv;
    type ZeroWindowChild = Cut;
    type ZeroWindow = All;
    type Quiescence = Pv;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    const CUT: bool = false;
    type Child = Pv;
    type ZeroWindowChild = Cut;
    type ZeroWindow = All;
    type Quiescence = Pv;
}

impl NodeKind for Cut {
    const PV: bool = false;
    const ROOT: bool = false;
    const CUT: bool = true;
    type Child = All;
    type ZeroWindowChild = All;
    type ZeroWindow = Cut;
    type Quiescence = All;
}

impl NodeKind for All {
    const PV: bool = false;
    const ROOT: bool = false;
    const CUT: bool = false;
    type Child = Cut;
    type ZeroWindowChild = Cut;
    type ZeroWindow = All;
    type Quiescence = All;
}

/// What pruning, reductions and the null-move schemes may know of a node. Values are in centipawns for the side to move.
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
    /// By how much the static evaluation was corrected, without its sign; 0 in a singular search.
    pub correction: Value,
    /// The window is open.
    pub pv: bool,
    /// The side to move is in check.
    pub in_check: bool,
    /// The static evaluation is better than at the last turn of the same side, or at the one before if it was in check
    /// then; false in check.
    pub improving: bool,
    /// The side to move stands better than the opponent's own static evaluation had it before the last move.
    pub opponent_worsening: bool,
    /// The node is expected to fail high.
    pub cut_node: bool,
    /// The move that led here was a null move.
    pub after_null: bool,
    /// The side to move has more than pawns and its king.
    pub has_non_pawn_material: bool,
    /// The window is open, or the table says that the node was once on a principal variation.
    pub tt_pv: bool,
    /// The width of the root's window, in centipawns; at least 1.
    pub root_width: Value,
    /// The table knows a move; in a singular search, the node that it belongs to had one.
    pub has_tt_move: bool,
    /// The table move is a capture.
    pub tt_capture: bool,
    /// The null moves on the path, if the scheme reads them.
    pub null_moves: NullMoveState,
    /// The pieces of the side to move besides pawns and king, if the scheme reads them.
    pub own_pieces: u8,
    /// The pieces besides pawns and king of the side that has more of them, if the scheme reads them.
    pub most_pieces: u8,
    /// The most that the opponent threatens to win at once, if the scheme reads it.
    pub threat: Value,
}

impl NodeView {
    /// The window of the node.
    #[inline]
    pub const fn window(&self) -> Window {
        Window { alpha: self.alpha, beta: self.beta }
    }
}

/// What a node has established before its moves are searched.
pub struct Node {
    /// What policies may see of it.
    pub view: NodeView,
    /// What the table knows of the position; nothing in a singular search.
    pub tt_hit: Option<TableEntry>,
    /// The table's move, if it is legal here; at the root the best move of the last iteration.
    pub tt_move: Option<Move>,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// The evaluation by the network, uncorrected, in centipawns; `None` where it was not needed.
    pub raw_eval: Option<Value>,
    /// The window that the value lies in by the endgame tables.
    pub tb_window: Window,
    /// The side to move can repeat a position: the value is a draw at least, also if that move is pruned.
    pub can_repeat: bool,
    /// The plies by which the node is searched shallower because a null move failed high.
    pub null_move_reduction: Depth,
    /// What the opponent attacks, once it has been asked for.
    threats: Option<Threats>,
}

impl Node {
    /// A node that nothing has reduced yet. The endgame tables say that its value lies in `tb_window`.
    pub fn new(
        view: NodeView,
        (tt_hit, tt_move): (Option<TableEntry>, Option<Move>),
        excluded: Option<Move>,
        raw_eval: Option<Value>,
        tb_window: Window,
    ) -> Node {
        Node {
            view,
            tt_hit,
            tt_move,
            excluded,
            raw_eval,
            tb_window,
            can_repeat: false,
            null_move_reduction: 0,
            threats: None,
        }
    }

    /// What the opponent attacks, as `find` finds it at the first call.
    #[inline]
    pub fn threats(&mut self, find: impl FnOnce() -> Threats) -> &mut Threats {
        self.threats.get_or_insert_with(find)
    }
}

#[cfg(test)]
impl NodeView {
    /// A quiet node with a zero window just above zero, for tests to change.
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
            has_non_pawn_material: true,
            tt_pv: false,
            root_width: 20,
            has_tt_move: true,
            tt_capture: false,
            null_moves: NullMoveState::default(),
            own_pieces: 4,
            most_pieces: 4,
            threat: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn kind<N: NodeKind>() -> (bool, bool, bool) {
        (N::PV, N::ROOT, N::CUT)
    }

    #[test]
    fn cut_and_all_nodes_take_turns_below_the_principal_variation() {
        let (root, pv) = ((true, true, false), (true, false, false));
        let (cut, all) = ((false, false, true), (false, false, false));
        assert_eq!([kind::<Root>(), kind::<Pv>(), kind::<Cut>(), kind::<All>()], [root, pv, cut, all]);
        fn children<N: NodeKind>() -> [(bool, bool, bool); 4] {
            [
                kind::<N::Child>(),
                kind::<N::ZeroWindowChild>(),
                kind::<N::ZeroWindow>(),
                kind::<N::Quiescence>(),
            ]
        }
        assert_eq!(children::<Root>(), [pv, cut, all, pv]);
        assert_eq!(children::<Pv>(), [pv, cut, all, pv]);
        assert_eq!(children::<Cut>(), [all, all, cut, all]);
        assert_eq!(children::<All>(), [cut, cut, all, all]);
    }

    #[test]
    fn threats_are_computed_once_and_can_be_changed() {
        let board = Board::start();
        let mut node = Node::new(NodeView::sample(3, 0), (None, None), None, None, Window::FULL);
        let find = || board.threats(!board.side_to_move());
        let attacked = node.threats(find).all;
        assert_eq!(attacked, find().all);
        node.threats(find).all = !attacked;
        assert_eq!(node.threats(find).all, !attacked);
    }
}
