//! Searches whose null moves are watched, and searches of single nodes.

use caesura::bench::POSITIONS;
use caesura::board::{Board, notation};
use caesura::engine::{
    EnteredNode, FailHigh, Limits, NodePruning, NodeQuery, NodeSearch, NodeView, NullMoveObserver, Refusal,
    SchemeName,
};
use caesura::types::{Depth, MATE_IN_MAX, Move, Value, is_win};

use crate::search_client::single_threaded_engine;

const SCHEMES: [SchemeName; 5] =
    [SchemeName::Off, SchemeName::Tuned, SchemeName::Extended, SchemeName::Guarded, SchemeName::Verified];

/// Counts what is reported to it, checks that it fits together, and overrules fail-highs if it is asked to.
#[derive(Default)]
struct Witness {
    path: Vec<EnteredNode>,
    /// Of each node of the path, the depth at which a null move was last tried, and how often its moves were searched.
    searches: Vec<(Depth, u32)>,
    searched_again: u64,
    entered: u64,
    pruned: u64,
    refused: u64,
    tried: u64,
    fail_highs: u64,
    overrules: bool,
}

impl Witness {
    fn is_at(&self, view: &NodeView) {
        let node = self.path.last().expect("a node that was entered");
        // A mate at this ply is the best that can happen.
        assert!(node.ply == view.ply && node.beta >= view.beta);
    }
}

impl NullMoveObserver for Witness {
    fn enter(&mut self, node: &EnteredNode) {
        self.entered += 1;
        if let Some(parent) = self.path.last() {
            assert!(node.ply == parent.ply + 1 || node.ply == parent.ply, "a child, or the node again");
        }
        self.path.push(*node);
        self.searches.push((node.depth, 0));
    }

    fn prune(&mut self, view: &NodeView, by: NodePruning) {
        self.is_at(view);
        assert_eq!(by == NodePruning::ReverseFutility, view.eval >= view.beta);
        self.pruned += 1;
    }

    fn wants_refusals(&self) -> bool {
        true
    }

    fn refuse(&mut self, view: &NodeView, why: &[Refusal]) {
        self.is_at(view);
        assert!(!why.contains(&Refusal::Check) || view.in_check);
        self.refused += 1;
    }

    fn null_search(&mut self, view: &NodeView, search: NodeSearch) {
        self.is_at(view);
        assert!(search.depth < view.depth && search.bound <= view.beta);
        if let Some((depth, _)) = self.searches.last_mut() {
            *depth = view.depth;
        }
        self.tried += 1;
    }

    fn fail_high(&mut self, view: &NodeView, value: Value, _decision: FailHigh) -> bool {
        self.is_at(view);
        assert!(value >= view.beta);
        self.fail_highs += 1;
        !self.overrules
    }

    fn moves(&mut self, view: &NodeView, _search: NodeSearch) {
        assert_eq!(self.path.last().map(|node| node.ply), Some(view.ply));
        let (depth, times) = self.searches.last_mut().expect("a node that was entered");
        *times += 1;
        if *times == 2 {
            // Internal iterative reduction is asked again.
            let reduced = Depth::from(view.depth < *depth && (view.pv || view.cut_node));
            assert_eq!(view.depth + reduced, *depth, "the depth that the node had before its null move");
            self.searched_again += 1;
        }
    }

    fn leave(&mut self, _value: Value) {
        self.path.pop().expect("a node that was entered");
        self.searches.pop();
    }
}

#[test]
fn a_search_that_is_watched_is_the_same_search() {
    let mut engine = single_threaded_engine();
    for scheme in SCHEMES {
        engine.options_mut().null_move = scheme;
        for fen in &POSITIONS[..8] {
            let board: Board = fen.parse().expect("a position");
            engine.new_game();
            let alone = engine.search(&board, Limits::depth(7));
            engine.new_game();
            let mut witness = Witness::default();
            let watched = engine.search_observed(&board, Limits::depth(7), &mut witness);
            assert_eq!((alone.best, alone.nodes), (watched.best, watched.nodes), "{} {fen}", scheme.name());
            assert_eq!(alone.null_counts, watched.null_counts);
            assert!(witness.path.is_empty() && witness.entered > 0);
            let counts = watched.null_counts;
            assert_eq!(
                (witness.tried, witness.fail_highs),
                (counts.tried, counts.fail_highs),
                "{}",
                scheme.name()
            );
        }
    }
}

#[test]
fn a_node_whose_moves_fail_low_behind_a_null_move_has_its_depth_back() {
    let mut engine = single_threaded_engine();
    let mut searched_again = 0;
    for scheme in [SchemeName::Tuned, SchemeName::Verified] {
        engine.options_mut().null_move = scheme;
        for fen in &POSITIONS[..16] {
            engine.new_game();
            let mut witness = Witness::default();
            engine.search_observed(&fen.parse().expect("a position"), Limits::depth(10), &mut witness);
            searched_again += witness.searched_again;
        }
    }
    assert!(searched_again > 100, "{searched_again}");
}

#[test]
fn an_observer_sees_prunings_and_refusals_and_can_overrule_every_fail_high() {
    let mut engine = single_threaded_engine();
    for scheme in [SchemeName::Extended, SchemeName::Guarded] {
        engine.options_mut().null_move = scheme;
        engine.new_game();
        let mut witness = Witness { overrules: true, ..Witness::default() };
        let result = engine.search_observed(&Board::start(), Limits::depth(8), &mut witness);
        let counts = result.null_counts;
        assert!(witness.fail_highs > 0 && witness.pruned > 0 && witness.refused > 0);
        assert_eq!((counts.fail_highs, counts.cuts, counts.reductions), (witness.fail_highs, 0, 0));
    }
}

fn path(root: &Board, moves: &[&str]) -> Vec<Option<Move>> {
    let mut board = root.clone();
    let step = |text: &&str| {
        if *text == "0000" {
            board.make_null_move();
            return None;
        }
        let m = notation::parse_uci(&board, text).expect("a legal move");
        board.make_move(m, &mut ());
        Some(m)
    };
    moves.iter().map(step).collect()
}

#[test]
fn a_node_is_searched_at_the_end_of_its_path() {
    let mut engine = single_threaded_engine();
    engine.options_mut().null_move = SchemeName::Off;
    let root: Board = "6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1".parse().expect("a position");
    // White mates unless the pawn has given the king air.
    for (moves, mates) in [(&["h7h6", "a1a7", "0000"][..], false), (&["0000"], true), (&["g8h8"], true)] {
        let path = path(&root, moves);
        let query = NodeQuery { path: &path, depth: 3, beta: MATE_IN_MAX, cut_node: true };
        let value = engine.search_node(&root, &query, 100_000, &mut ()).expect("within the limit");
        assert_eq!(is_win(value), mates, "{moves:?}: {value}");
    }
    let illegal = path(&Board::start(), &["e2e4"]);
    let query = NodeQuery { path: &illegal, depth: 3, beta: 0, cut_node: true };
    assert_eq!(engine.search_node(&root, &query, 100_000, &mut ()), None);
    let long = vec![None; 1000];
    assert_eq!(engine.search_node(&root, &NodeQuery { path: &long, ..query }, 100_000, &mut ()), None);
}

#[test]
fn in_zugzwang_the_null_move_holds_and_no_move_does() {
    let mut engine = single_threaded_engine();
    engine.options_mut().null_move = SchemeName::Off;
    // Who is to move loses the pawn and the game.
    let board: Board = "8/8/8/2Kp4/3Pk3/8/8/8 w - - 0 1".parse().expect("a position");
    let node = NodeQuery { path: &[], depth: 12, beta: 0, cut_node: true };
    let moves = engine.search_node(&board, &node, 1_000_000, &mut ()).expect("a value");
    let null_move = NodeQuery { path: &[None], depth: 11, beta: 1, cut_node: false };
    let answer = engine.search_node(&board, &null_move, 1_000_000, &mut ()).expect("a value");
    assert!(moves < 0 && -answer >= 0, "{moves} {answer}");
    engine.new_game();
    assert_eq!(engine.search_node(&board, &node, 1, &mut ()), None, "a node is not enough");
    // The scheme is asked at the root itself, as if a move had led to it.
    engine.options_mut().null_move = SchemeName::Extended;
    let mut witness = Witness::default();
    let node = NodeQuery { depth: 5, ..node };
    engine.search_node(&board, &node, 1_000_000, &mut witness).expect("a value");
    assert!(witness.tried > 0);
}
