//! The null-move schemes at work: what each finds in zugzwang, and what its counts show.

use std::num::NonZeroU64;

use caesura::board::notation::parse_uci;
use caesura::engine::{Engine, Limits};
use caesura::search::null_move::{NullCounts, NullMoveSwitch, NullMoveSwitches, SchemeName};
use caesura::types::{Depth, Value};

use crate::search_client::{board, engine, search};

/// Black wins the pawn if the kings meet on c4 and e5 with White to move, and loses its own with Black to move: so
/// not 1...Kc4 2.Ke5, but 1...Kc3.
const TREBUCHET: &str = "8/8/8/3p1K2/1k1P4/8/8/8 b - - 0 1";
/// The position of `TREBUCHET` with the white king one move further away.
const TREBUCHET_FAR: &str = "8/8/5K2/3p4/1k1P4/8/8/8 b - - 0 1";
const MIDDLEGAME: &str = "r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQK2R w KQkq - 2 9";

fn plain(scheme: SchemeName) -> Engine {
    let mut engine = engine(1);
    engine.options_mut().null_move = scheme;
    engine.options_mut().null_move_settings.switches =
        NullMoveSwitches { plain: true, ..NullMoveSwitches::default() };
    engine
}

/// What a search without modern prunings comes to: is it the winning move, with what score?
fn solve(scheme: SchemeName, fen: &str, plies: Depth) -> (bool, Value) {
    let mut engine = plain(scheme);
    let board = board(fen);
    let report = search(&mut engine, &board, Limits::depth(plies));
    (report.best == parse_uci(&board, "b4c3"), report.last().score)
}

#[test]
fn pruning_on_a_null_move_overlooks_zugzwang() {
    for scheme in [SchemeName::Fixed, SchemeName::Adaptive, SchemeName::Adaptive34] {
        for plies in 12..=16 {
            let (found, score) = solve(scheme, TREBUCHET, plies);
            assert!(!found && score < 0, "{scheme:?} {plies} {score}");
        }
    }
}

#[test]
fn who_asks_the_moves_finds_zugzwang() {
    for scheme in [
        SchemeName::Off,
        SchemeName::Fruit,
        SchemeName::Fruit2,
        SchemeName::Formula,
        SchemeName::Plenkner,
        SchemeName::Verified,
        SchemeName::Fhr,
        SchemeName::Guarded,
        SchemeName::Modern,
        SchemeName::Reduce,
        SchemeName::Extended,
        SchemeName::Tuned,
    ] {
        for plies in [12, 16] {
            let (found, score) = solve(scheme, TREBUCHET, plies);
            assert!(found && score > 50, "{scheme:?} {plies} {score}");
        }
    }
}

#[test]
fn a_second_null_move_betrays_the_first() {
    let (found, score) = solve(SchemeName::Double, TREBUCHET_FAR, 12);
    assert!(found && score > 50, "{score}");
    let (found, score) = solve(SchemeName::Fixed, TREBUCHET_FAR, 12);
    assert!(!found && score < 0, "{score}");
}

fn counts(engine: &mut Engine, plies: Depth) -> NullCounts {
    engine.set_position(board(MIDDLEGAME));
    engine.search(Limits::depth(plies)).expect("idle").null_counts
}

#[test]
fn verified_searches_each_reduced_node_that_fails_low_again() {
    let counts = counts(&mut plain(SchemeName::Verified), 7);
    assert!(counts.reductions > counts.reduced_fail_lows, "{counts}");
    assert_eq!(counts.verifications, counts.reduced_fail_lows, "{counts}");
}

#[test]
fn counts_begin_anew_and_are_summed_over_threads() {
    let mut engine = plain(SchemeName::Fixed);
    let once = counts(&mut engine, 6);
    engine.new_game().expect("idle");
    assert_eq!(counts(&mut engine, 6), once);
    // The main thread makes no null move: what is counted are those of the helper.
    let mut several = plain(SchemeName::Off);
    several.set_threads(2).expect("threads");
    several.options_mut().turn_nodes = NonZeroU64::new(64);
    assert_eq!(counts(&mut several, 6).tried, 0);
    several.options_mut().null_move_helpers = Some(SchemeName::Fixed);
    several.new_game().expect("idle");
    assert!(counts(&mut several, 6).tried > 0);
}

#[test]
#[ignore = "slow: threads that take turns"]
fn helper_threads_may_have_a_scheme_of_their_own() {
    let run = |main, helpers| {
        let mut engine = plain(main);
        engine.set_threads(2).expect("threads");
        engine.options_mut().turn_nodes = NonZeroU64::new(64);
        engine.options_mut().null_move_helpers = helpers;
        let mut run = || {
            engine.new_game().expect("idle");
            engine.set_position(board(MIDDLEGAME));
            let found = engine.search(Limits::depth(7)).expect("idle");
            (found.null_counts.tried > 0, (found.best, found.lines[0].score, found.nodes))
        };
        let once = run();
        assert_eq!(run(), once, "{main:?} and {helpers:?}");
        once
    };
    use SchemeName::{Fixed, Off};
    let off = run(Off, None);
    assert!(!off.0 && off == run(Off, Some(Off)));
    // Through the table the main thread profits from what the helper has searched.
    let mixed = run(Off, Some(Fixed));
    assert!(mixed.0 && mixed.1 != off.1);
    let mixed = run(Fixed, Some(Off));
    assert!(mixed.0 && mixed.1 != run(Fixed, None).1);
}

#[test]
fn the_reduction_can_be_set_where_it_is_open() {
    let tried = |scheme, r, dr| {
        let mut engine = plain(scheme);
        engine.options_mut().null_move_settings.r = r;
        engine.options_mut().null_move_settings.dr = dr;
        engine.set_position(board(MIDDLEGAME));
        engine.search(Limits::depth(5)).expect("idle").nodes
    };
    for scheme in SchemeName::ALL {
        assert_eq!(tried(scheme, 1, 4) != tried(scheme, 3, 4), scheme.uses_r(), "{scheme:?}");
        assert_eq!(tried(scheme, 3, 1) != tried(scheme, 3, 4), scheme.uses_dr(), "{scheme:?}");
    }
}

#[test]
#[ignore = "slow: deep searches"]
fn every_switch_changes_the_search_and_none_changes_its_honesty() {
    let none = NullMoveSwitches::default();
    let each = NullMoveSwitch::ALL.into_iter().map(|switch| {
        let mut switches = none;
        switch.set(&mut switches, true);
        switches
    });
    // Mate is threatened, or there, so that null moves show it.
    let boards = [
        board("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 4 4"),
        board("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"),
    ];
    let mut nodes: Vec<u64> = std::iter::once(none)
        .chain(each)
        .map(|switches| {
            let mut engine = engine(1);
            // A scheme that tries null moves everywhere, deep enough to show threats.
            engine.options_mut().null_move = SchemeName::Extended;
            engine.options_mut().null_move_settings.switches = switches;
            boards.iter().map(|board| search(&mut engine, board, Limits::depth(10)).last().nodes).sum()
        })
        .collect();
    nodes.sort_unstable();
    nodes.dedup();
    assert_eq!(nodes.len(), 1 + NullMoveSwitch::ALL.len(), "{nodes:?}");
}

#[test]
#[ignore = "slow: searches without prunings"]
fn a_minimal_depth_forbids_null_moves_below_it() {
    for scheme in [SchemeName::Fixed, SchemeName::default(), SchemeName::Fhr] {
        let what_happened = |min_depth| {
            let mut engine = plain(scheme);
            engine.options_mut().null_move_settings.min_depth = min_depth;
            let counts = counts(&mut engine, 7);
            counts.tried + counts.reductions
        };
        let (everywhere, somewhere) = (what_happened(0), what_happened(4));
        assert!(0 < somewhere && somewhere < everywhere, "{scheme:?} {somewhere} {everywhere}");
        assert_eq!(what_happened(30), 0, "{scheme:?}");
    }
}

#[test]
fn more_plies_of_null_move_quiescence_search_more_nodes() {
    let nodes = [1, 2, 3].map(|plies| {
        let mut engine = plain(SchemeName::Off);
        let settings = &mut engine.options_mut().null_move_settings;
        settings.switches.null_quiescence = true;
        settings.quiescence_depth = plies;
        engine.set_position(board(MIDDLEGAME));
        engine.search(Limits::depth(3)).expect("idle").nodes
    });
    assert!(nodes[0] < nodes[1] && nodes[1] < nodes[2], "{nodes:?}");
}

#[test]
#[ignore = "slow: every scheme searches twice"]
fn counts_by_class_agree_with_the_counts_of_all_nodes() {
    for scheme in SchemeName::ALL {
        let mut engine = engine(1);
        engine.options_mut().null_move = scheme;
        let uncounted = counts(&mut engine, 9);
        assert!(engine.null_breakdown().is_none());
        engine.new_game().expect("idle");
        engine.options_mut().null_move_settings.report_counts = true;
        let total = counts(&mut engine, 9);
        assert_eq!(total, uncounted, "counting changes nothing: {scheme:?}");
        let breakdown = engine.null_breakdown().expect("counted");
        let (sum, _) = breakdown.sum(|_| true);
        assert_eq!((sum.tried, sum.fail_highs), (total.tried, total.fail_highs), "{scheme:?}");
        assert_eq!((sum.cuts, sum.reductions), (total.cuts, total.reductions), "{scheme:?}");
        assert_eq!(sum.reduced_fail_lows, total.reduced_fail_lows, "{scheme:?}");
        assert!(sum.null_nodes == 0 || total.tried > 0, "{scheme:?}");
    }
}
