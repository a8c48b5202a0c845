//! Single nodes of the search: what each answer of a null-move scheme does to a node, and where the table cuts one.

use std::cell::Cell;
use std::ops::ControlFlow::{Break, Continue};
use std::path::Path;
use std::sync::Arc;

use super::history::SharedHistories;
use super::node::{All, Cut, Node, NodeView, Pv, Root};
use super::null_move::{FailHigh, FailLow, NullMoveSettings, NullMoveSwitches, Scheme};
use super::null_move_result::NullMoveResult;
use super::null_move_state::NullMoveState;
use super::piece_to::NO_MOVE;
use super::pruning;
use super::reports::NullListener;
use super::searcher::Searcher;
use super::window::Window;
use super::{Job, SearchOptions, SearchRequest, Worker};
use crate::board::Board;
use crate::clock::Limits;
use crate::nnue;
use crate::nnue::load::MATERIAL;
use crate::params;
use crate::tt::{TableEntry, TranspositionTable};
use crate::types::{Bound, Depth, MATE_IN_MAX, MAX_PLY, Move, Square, Value};
use crate::util::sync::Instant;

/// The side to move loses its pawn and the game: mutual zugzwang.
const TREBUCHET: &str = "8/8/8/3pK3/2kP4/8/8/8 w - - 0 1";
/// White is far ahead and not in zugzwang.
pub(super) const AHEAD: &str = "4k3/pp6/8/8/8/8/4PPPP/RNBQKBNR w KQ - 0 1";
/// Whatever Black plays after a null move, White mates.
const MATE_AFTER_NULL: &str = "7k/p4K2/8/8/8/8/8/6R1 w - - 0 1";

thread_local! {
    /// The most null moves in a row and on a path that a scheme was asked about.
    static SEEN: Cell<(u8, u8)> = const { Cell::new((0, 0)) };
}

/// A scheme with preset answers.
#[derive(Clone, Copy)]
pub(super) struct Script {
    in_row: u8,
    on_path: u8,
    fail_high: FailHigh,
    fail_low: FailLow,
    prunes_reduced: bool,
}

pub(super) const SCRIPT: Script = Script {
    in_row: 1,
    on_path: u8::MAX,
    fail_high: FailHigh::Cut,
    fail_low: FailLow::Accept,
    prunes_reduced: false,
};

impl Scheme for Script {
    const NAME: &'static str = "script";
    const SUMMARY: &'static str = "answers as a test says";
    const SOURCE: &'static str = "none";
    const READS_PATH: bool = true;

    fn new(_settings: &NullMoveSettings) -> Self {
        SCRIPT
    }

    fn may_try(&self, node: &NodeView) -> bool {
        assert_eq!(node.after_null, node.null_moves.in_row > 0);
        let (in_row, on_path) = SEEN.get();
        SEEN.set((in_row.max(node.null_moves.in_row), on_path.max(node.null_moves.on_path)));
        !node.in_check && node.null_moves.in_row < self.in_row && node.null_moves.on_path < self.on_path
    }

    fn reduction(&self, _node: &NodeView) -> Depth {
        2
    }

    fn on_fail_high(&self, _node: &NodeView, value: Value) -> FailHigh {
        assert!(value >= -MATE_IN_MAX);
        self.fail_high
    }

    fn on_reduced_fail_low(&self, _node: &NodeView) -> FailLow {
        self.fail_low
    }

    fn prunes_reduced(&self) -> bool {
        self.prunes_reduced
    }
}

/// A search that counts material: it does not change with the embedded network.
pub(super) fn material_request(board: Board, limits: Limits) -> SearchRequest {
    let network = nnue::load(Path::new(MATERIAL)).expect("memory");
    let options = SearchOptions { network, ..SearchOptions::default() };
    SearchRequest::new(board, limits, options, Instant::now())
}

/// A search by one thread, with a table of its own.
pub(super) fn job(request: SearchRequest) -> Job {
    let table = Arc::new(TranspositionTable::new(1).expect("memory"));
    Job::new(request, table, 1, Arc::new(NullListener))
}

/// The thread of such a search.
pub(super) fn worker() -> Worker {
    Worker::new(0, 0, Arc::new(SharedHistories::new(1).expect("memory"))).expect("memory")
}

/// Lets a search with a script look at a position at ply 1, as if a move had led there.
pub(super) fn at_node<R>(
    fen: &str,
    scheme: Script,
    switches: NullMoveSwitches,
    look: impl FnOnce(&mut Searcher<'_, Script>) -> R,
) -> R {
    let board: Board = fen.parse().expect(fen);
    let former = board.legal_moves()[0];
    let mut request = material_request(board, Limits::depth(10));
    request.options.null_move_settings.switches = switches;
    let (job, mut worker) = (job(request), worker());
    let mut search = Searcher { worker: &mut worker, job: &job, scheme, observer: None };
    search.begin();
    search.worker.root_depth = 9;
    search.worker.stack.at(0).current_move = Some(former);
    look(&mut search)
}

/// The search without what comes before the null move.
pub(super) fn plain() -> NullMoveSwitches {
    NullMoveSwitches { plain: true, ..NullMoveSwitches::default() }
}

fn view(depth: Depth, beta: Value) -> NodeView {
    NodeView { ply: 1, alpha: beta - 1, beta, ..NodeView::sample(depth, 0) }
}

fn stored(search: &Searcher<'_, Script>) -> Option<TableEntry> {
    search.job.table.probe(search.worker.board.key(), 1)
}

#[test]
fn the_table_cuts_a_shallow_node_only_on_the_side_that_its_kind_expects() {
    let depth = params::tt_cutoff_any_depth();
    for (depth, any) in [(depth, false), (depth + 1, true)] {
        for (bound, value) in [(Bound::Lower, 200), (Bound::Upper, -200)] {
            let is_cut = |cut_node: bool| {
                at_node(AHEAD, SCRIPT, plain(), |search| {
                    let (best_move, static_eval) = (None, Some(0));
                    // A fail-high must have been searched a ply deeper.
                    let (value, stored_depth) = (Some(value), depth + 1);
                    let entry = TableEntry {
                        best_move,
                        value,
                        static_eval,
                        depth: stored_depth,
                        bound,
                        is_pv: false,
                    };
                    search.job.table.store(search.worker.board.key(), 1, &entry);
                    let window = Window::zero_below(50);
                    let found = if cut_node {
                        search.negamax::<Cut>(depth, 1, window)
                    } else {
                        search.negamax::<All>(depth, 1, window)
                    };
                    (search.worker.nodes == 0).then_some(found)
                })
            };
            for cut_node in [false, true] {
                let expected = (any || cut_node == (bound == Bound::Lower)).then_some(value);
                assert_eq!(is_cut(cut_node), expected, "{depth} {bound:?} {cut_node}");
            }
        }
    }
}

#[test]
fn what_a_scheme_allows_holds_on_every_path() {
    let fen = "r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQK2R w KQkq - 2 9";
    for (in_row, on_path) in [(1, u8::MAX), (2, u8::MAX), (1, 1)] {
        SEEN.set((0, 0));
        at_node(fen, Script { in_row, on_path, ..SCRIPT }, plain(), |search| search.iterative_deepening());
        let seen = SEEN.get();
        assert_eq!(seen.0, in_row);
        assert_eq!(seen.1 > 1, on_path > 1, "{seen:?}");
    }
}

#[test]
fn a_cut_returns_no_mate() {
    at_node(MATE_AFTER_NULL, SCRIPT, plain(), |search| {
        search.worker.null_moves.descend(1, true);
        search.worker.board.make_null_move();
        let value = -search.negamax::<All>(5, 2, Window::zero_below(-1999));
        search.worker.board.unmake_null_move();
        assert!(value >= MATE_IN_MAX, "{value}");
        let step = search.try_null_move::<All>(&view(8, 2000));
        assert!(matches!(step, Break(2000)));
        assert!(search.worker.null_counts.cuts > 0);
        // Fail-soft otherwise.
        let Break(value) = search.try_null_move::<All>(&view(1, -900)) else { panic!("no cut") };
        assert!((-900..MATE_IN_MAX).contains(&value), "{value}");
    });
}

#[test]
fn near_a_mate_no_null_move_is_tried() {
    for beta in [MATE_IN_MAX, -MATE_IN_MAX] {
        at_node(AHEAD, SCRIPT, plain(), |search| {
            assert!(
                matches!(search.try_null_move::<All>(&view(8, beta)), Continue(result) if result == NullMoveResult::default())
            );
            assert_eq!(search.worker.null_counts.tried, 0);
        });
    }
}

#[test]
fn a_cut_stores_nothing() {
    at_node(AHEAD, SCRIPT, plain(), |search| {
        assert!(search.negamax::<All>(8, 1, Window::zero_below(50)) >= 50);
        assert!(search.worker.null_counts.cuts > 0);
        // But for the static evaluation.
        assert!(stored(search).is_none_or(|hit| (hit.value, hit.bound) == (None, Bound::None)));
    });
}

#[test]
fn reverse_futility_leaves_a_reduced_node_where_the_scheme_lets_it() {
    let lead = pruning::reverse_futility_margin(&view(3, 50));
    for (prunes_reduced, lead, pruned) in [(true, lead, true), (true, lead - 1, false), (false, lead, false)]
    {
        at_node(AHEAD, Script { prunes_reduced, ..SCRIPT }, NullMoveSwitches::default(), |search| {
            let view = NodeView { eval: 50 + lead, ..view(3, 50) };
            let node = Node::new(view, (None, None), None, None, Window::FULL);
            let expected = if pruned { Break(pruning::reverse_futility_value(&view)) } else { Continue(()) };
            assert_eq!(search.cutoff_after_reduction::<All>(&node), expected, "{prunes_reduced} {lead}");
        });
        at_node(AHEAD, Script { prunes_reduced, ..SCRIPT }, plain(), |search| {
            let view = NodeView { eval: 50 + lead, ..view(3, 50) };
            let node = Node::new(view, (None, None), None, None, Window::FULL);
            assert_eq!(search.cutoff_after_reduction::<All>(&node), Continue(()), "not in the plain search");
        });
    }
}

#[test]
fn a_singular_search_knows_what_the_table_said_of_its_node() {
    for (tt_pv, tt_capture) in [(false, false), (true, false), (false, true)] {
        at_node(AHEAD, SCRIPT, plain(), |search| {
            let excluded = search.worker.board.legal_moves()[0];
            let entry = search.worker.stack.at(1);
            (entry.tt_pv, entry.tt_capture) = (tt_pv, tt_capture);
            let set_up = |search: &mut Searcher<'_, Script>, excluded| {
                search.worker.stack.at(1).excluded = excluded;
                let Continue(node) = search.set_up_node::<Cut>(4, 1, Window::zero_below(50)) else {
                    panic!("nothing cuts it off");
                };
                (node.view.has_tt_move, node.view.tt_pv, node.view.tt_capture)
            };
            assert_eq!(set_up(search, Some(excluded)), (true, tt_pv, tt_capture));
            assert_eq!(set_up(search, None), (false, false, false), "the table knows nothing");
        });
    }
}

#[test]
fn a_reduction_stores_the_depth_that_was_searched() {
    for plies in 1..=5 {
        let script = Script { fail_high: FailHigh::Reduce(plies), ..SCRIPT };
        at_node(AHEAD, script, plain(), |search| {
            assert!(search.negamax::<All>(7, 1, Window::zero_below(50)) >= 50);
            let hit = stored(search).expect("stored");
            assert_eq!((hit.depth, hit.bound), (7 - plies, Bound::Lower));
            assert_eq!(search.worker.null_counts.cuts, 0);
            assert!(search.worker.null_moves.at(1).for_children.below_reduction);
        });
    }
    // No depth is left: quiescence.
    let script = Script { fail_high: FailHigh::Reduce(7), ..SCRIPT };
    at_node(AHEAD, script, plain(), |search| {
        assert!(search.negamax::<All>(7, 1, Window::zero_below(50)) >= 50);
        assert!(stored(search).is_none_or(|hit| hit.depth <= 0));
    });
}

#[test]
fn in_zugzwang_the_moves_have_the_last_word() {
    let zugzwang = |script| {
        at_node(TREBUCHET, script, plain(), |search| {
            let value = search.negamax::<All>(12, 1, Window::zero_below(10));
            (value, stored(search).map(|hit| (hit.depth, hit.bound)), search.worker.null_counts)
        })
    };
    // A cut believes the null move.
    assert!(zugzwang(SCRIPT).0 >= 10, "{:?}", zugzwang(SCRIPT));
    // A reduction does not.
    let (value, hit, counts) = zugzwang(Script { fail_high: FailHigh::Reduce(2), ..SCRIPT });
    assert!(value < 10 && counts.reduced_fail_lows > 0 && counts.verifications == 0, "{value} {counts}");
    assert_eq!(hit, Some((10, Bound::Upper)));
    // Searched again, the node is as deep as without a null move.
    let script = Script { fail_high: FailHigh::Reduce(2), fail_low: FailLow::Research, ..SCRIPT };
    let (value, hit, counts) = zugzwang(script);
    // What quiescence or the table cut off is not searched again.
    assert!(value < 10 && (1..=counts.reduced_fail_lows).contains(&counts.verifications), "{value} {counts}");
    assert_eq!(hit, Some((12, Bound::Upper)));
}

#[test]
fn a_verification_decides_and_leaves_no_trace_on_the_path() {
    let script = Script {
        fail_high: FailHigh::Verify { depth: 4, without_null_moves: 4, both_sides: true },
        ..SCRIPT
    };
    for (fen, cuts) in [(TREBUCHET, false), (AHEAD, true)] {
        at_node(fen, script, plain(), |search| {
            // The move to the node was reduced, and hindsight has had its say.
            let entry = search.worker.stack.at(0);
            (entry.reduction, entry.static_eval) = (params::hindsight_reduction(), Some(-3000));
            let entry = search.worker.stack.at(1);
            (entry.tt_pv, entry.tt_capture, entry.static_eval) = (true, true, Some(7));
            match search.try_null_move::<All>(&view(12, 10)) {
                Break(value) => assert!(cuts && value >= 10, "{value}"),
                Continue(result) => assert!(!cuts && result == NullMoveResult::default()),
            }
            let counts = search.worker.null_counts;
            assert!(counts.verifications > 0 && counts.tried > 0);
            assert_eq!(search.worker.null_moves.at(1).state, NullMoveState::default());
            assert_eq!(search.worker.null_moves.at(1).for_children, NullMoveState::default());
            let entry = search.worker.stack.at(1);
            assert_eq!((entry.tt_pv, entry.tt_capture, entry.static_eval), (true, true, Some(7)));
            assert!(!search.worker.null_moves.at(1).verifying);
            assert_eq!(stored(search).map(|hit| hit.depth), Some(4), "hindsight comes once");
        });
    }
}

#[test]
fn where_a_verification_bars_null_moves_none_is_tried() {
    at_node(AHEAD, SCRIPT, plain(), |search| {
        search.worker.null_moves.at(1).state.null_move_min_ply = [u16::MAX; 2];
        search.negamax::<All>(6, 1, Window::zero_below(50));
        assert_eq!(search.worker.null_counts.tried, 0);
        search.worker.null_moves.at(1).state.null_move_min_ply = [2; 2];
        search.job.table.clear(1);
        search.negamax::<All>(6, 1, Window::zero_below(50));
        assert!(search.worker.null_counts.tried > 0);
    });
}

/// What becomes of a node whose null move fails low.
fn fail_low(fen: &str, switches: NullMoveSwitches, before: Option<&str>) -> NullMoveResult {
    at_node(fen, SCRIPT, switches, |search| {
        search.worker.board.make_null_move();
        let threat = before.map(|text| {
            crate::board::notation::parse_uci(&search.worker.board, text).expect("legal after a null move")
        });
        search.worker.board.unmake_null_move();
        search.worker.null_moves.at(1).refutation = threat;
        for ply in 1..=2 {
            search.worker.stack.at(ply).current_move = search.worker.stack.at(0).current_move;
        }
        match search.try_null_move::<All>(&NodeView { ply: 3, ..view(7, 50) }) {
            Continue(result) => result,
            Break(value) => panic!("{value}"),
        }
    })
}

#[test]
fn a_mate_threat_extends_if_it_is_asked_for() {
    let threatened = "6k1/5ppp/8/8/7Q/8/r4PPP/6K1 w - - 0 1";
    let quiet = "6k1/5ppp/8/8/8/6P1/r4P1P/6K1 w - - 0 1";
    let on = NullMoveSwitches { mate_threat: true, ..plain() };
    let extension = |fen, switches| fail_low(fen, switches, None).extension;
    assert_eq!([extension(threatened, on), extension(threatened, plain()), extension(quiet, on)], [1, 0, 0]);
}

#[test]
fn a_threat_that_was_put_off_extends_and_its_victim_moves_early() {
    // A rook takes the queen, whatever White does not do.
    let fen = "k2r4/8/8/8/3Q4/8/8/K7 w - - 0 1";
    let (markoff, order) = (
        NullMoveSwitches { botvinnik_markoff: true, ..plain() },
        NullMoveSwitches { refutation_order: true, ..plain() },
    );
    assert_eq!(
        fail_low(fen, markoff, Some("d8d4")),
        NullMoveResult { extension: 1, ..NullMoveResult::default() }
    );
    assert_eq!(fail_low(fen, markoff, Some("d8d5")), NullMoveResult::default());
    assert_eq!(fail_low(fen, markoff, None), NullMoveResult::default());
    let in_danger = Some(Square::D4);
    assert_eq!(fail_low(fen, order, Some("d8d4")), NullMoveResult { in_danger, ..NullMoveResult::default() });
    assert_eq!(fail_low(fen, plain(), Some("d8d4")), NullMoveResult::default());
}

#[test]
fn null_move_quiescence_sees_what_standing_pat_does_not() {
    // White to move has every piece, but Black threatens to take the queen: passing shows it, moving escapes it.
    let fen = "k2r4/8/8/8/3Q4/8/8/K7 w - - 0 1";
    let layer = NullMoveSwitches { null_quiescence: true, ..plain() };
    let tried = |switches| {
        at_node(fen, SCRIPT, switches, |search| {
            let value = search.negamax::<All>(0, 1, Window::zero_below(50));
            (value >= 50, search.worker.null_counts.tried)
        })
    };
    assert_eq!((tried(plain()), tried(layer)), ((true, 0), (true, 1)));
    // The pinned queen is lost whatever White does, although a static look has White ahead.
    let fen = "7k/6p1/5b2/8/8/2Q5/8/K7 w - - 0 1";
    let value = |switches| {
        at_node(fen, SCRIPT, switches, |search| search.negamax::<All>(0, 1, Window::zero_below(50)))
    };
    let (seen, missed) = (value(layer), value(plain()));
    assert!(seen < 50 && missed >= 50, "{seen} {missed}");
    // The king on c1 makes it stalemate: a draw, however good it would be for White to pass.
    let value = at_node("8/8/8/8/8/p1p5/P1Pk4/KB6 b - - 0 1", SCRIPT, layer, |search| {
        let moves = search.worker.board.legal_moves();
        let stalemate = moves.iter().find(|m| m.to() == Square::C1).expect("a move");
        search.make_move(1, *stalemate);
        search.negamax::<All>(0, 2, Window::zero_below(50))
    });
    assert_eq!(value, 0);
}

#[test]
fn null_move_quiescence_leaves_a_null_move_on_the_stack() {
    let layer = NullMoveSwitches { null_quiescence: true, ..plain() };
    at_node(AHEAD, SCRIPT, layer, |search| {
        search.worker.stack.at(1).piece_to = 5;
        assert!(search.negamax::<All>(0, 1, Window::zero_below(50)) >= 50);
        assert_eq!(search.worker.null_counts.cuts, 1);
        let entry = search.worker.stack.back(2, 1);
        assert_eq!((entry.current_move, entry.piece_to), (None, NO_MOVE));
    });
}

#[test]
fn on_the_line_of_the_last_iteration_no_null_move_is_tried_if_it_is_asked_for() {
    let switches = NullMoveSwitches { not_on_pv: true, ..plain() };
    for (switches, on_line) in [(switches, true), (plain(), false)] {
        at_node(AHEAD, SCRIPT, switches, |search| {
            let forbidden = |search: &mut Searcher<'_, Script>, line: &[Move]| {
                search.worker.last_pv = line.to_vec();
                search.is_null_move_forbidden(&view(8, 50))
            };
            let moves = search.worker.board.legal_moves();
            search.worker.stack.at(0).current_move = Some(moves[0]);
            assert!(!forbidden(search, &[]) && !forbidden(search, &[moves[1], moves[0]]));
            assert_eq!(forbidden(search, &[moves[0]]), on_line, "the end of the line");
            assert_eq!(forbidden(search, &[moves[0], moves[1]]), on_line);
            search.worker.stack.at(0).current_move = None;
            assert!(!forbidden(search, &[moves[0]]), "a null move is on no line");
        });
    }
}

#[test]
fn a_node_ends_at_once_by_a_stop_a_draw_or_the_greatest_ply() {
    let window = Window::zero_below(50);
    at_node(AHEAD, SCRIPT, plain(), |search| {
        assert_eq!(search.enter_node::<All>(1, window), Continue(window));
        let Break(value) = search.enter_node::<All>(MAX_PLY - 1, window) else { panic!("no ply is left") };
        assert!(value > 300, "the static evaluation: {value}");
        search.job.signals.request_stop();
        search.worker.completed_depth = 1;
        assert!(search.enter_node::<All>(1, window).is_break());
        assert_eq!(search.enter_node::<Root>(0, window), Continue(window), "the root is searched");
    });
    at_node("8/8/8/3k4/8/8/8/K7 w - - 0 1", SCRIPT, plain(), |search| {
        assert_eq!(search.enter_node::<All>(1, window), Break(0));
    });
}

#[test]
fn where_a_repetition_can_be_forced_a_node_is_worth_a_draw_at_least() {
    at_node("1n2k3/8/8/8/8/8/8/1N2K3 w - - 0 1", SCRIPT, plain(), |search| {
        let lost = Window { alpha: -300, beta: 50 };
        assert_eq!(search.enter_node::<Pv>(1, lost), Continue(lost));
        for text in ["b1c3", "b8c6", "c3b1"] {
            let board = &mut search.worker.board;
            let m = crate::board::notation::parse_uci(board, text).expect(text);
            board.make_move(m, &mut ());
        }
        // The knight can go back.
        assert_eq!(search.enter_node::<Pv>(4, lost), Continue(Window { alpha: 0, ..lost }));
        assert_eq!(search.enter_node::<All>(4, Window::zero_below(0)), Break(0));
        let won = Window::zero_below(50);
        assert_eq!(search.enter_node::<All>(4, won), Continue(won));
    });
}
