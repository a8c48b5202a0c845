//! Every experiment at a tiny size: results, interruption, report.

mod options;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use caesura::board::Board;
use lab::contender::parse_list;
use lab::experiment::RunContext;
use lab::limit::Limit;
use lab::mode::Mode;
use lab::origin::Origin;
use lab::plan::{Step, Work};
use lab::{LabError, all, atlas, audit, helpers, match_play, nodes, scaling, tactics, worth, zugzwang};
use tempfile::TempDir;
use toolkit::ordered::Control;
use toolkit::sequential::Sprt;
use toolkit::test_tables;

use options::*;

/// The lines of a file without the time they took.
fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let untimed = |line: &str| {
        let mut words: Vec<&str> = line.split(',').collect();
        words.retain(|word| !word.contains("milliseconds"));
        words.join(",")
    };
    text.lines().map(untimed).collect()
}

#[test]
fn nodes_are_the_same_on_any_number_of_threads_and_in_any_portions() {
    let directory = TempDir::new().unwrap();
    let run = |name: &str, options: &nodes::Options| {
        let out = directory.path().join(name);
        let summary = nodes::run(&context(&out), options).unwrap();
        (summary, out.join(nodes::FILE))
    };
    let (summary, one) = run("one", &nodes_options(1, 1));
    assert_eq!((summary.tasks, summary.now, summary.is_complete()), (8, 8, true));
    // Whatever is asked for twice is done once.
    let mut twice = nodes_options(1, 1);
    twice.contenders.extend(twice.contenders.clone());
    let (summary, doubled) = run("twice", &twice);
    assert_eq!((summary.tasks, lines(&doubled)), (8, lines(&one)));
    let (_, three) = run("three", &nodes_options(3, 1));
    assert_eq!(lines(&one), lines(&three));
    // Interrupted in the middle of a line, and once more.
    let cut = directory.path().join("cut");
    fs::create_dir(&cut).unwrap();
    let text = fs::read_to_string(&one).unwrap();
    fs::write(cut.join(nodes::FILE), &text[..text.len() * 2 / 3]).unwrap();
    let (summary, again) = run("cut", &nodes_options(2, 1));
    assert!(summary.before > 0 && summary.now > 0 && summary.is_complete());
    assert_eq!(lines(&one), lines(&again));
    let (summary, _) = run("cut", &nodes_options(2, 1));
    assert_eq!((summary.before, summary.now), (8, 0));
    // Another engine's results stay apart.
    let other = RunContext { origin: Origin::with_signature(2), ..context(&cut) };
    let other = nodes::run(&other, &nodes_options(1, 1));
    assert!(matches!(other, Err(LabError::Mixed { .. })));
}

#[test]
fn an_interrupted_run_says_that_something_is_left() {
    let directory = TempDir::new().unwrap();
    let context = context(directory.path());
    context.control.interrupt();
    let summary = nodes::run(&context, &nodes_options(2, 0)).unwrap();
    assert_eq!((summary.now, summary.is_complete()), (0, false));
}

#[test]
fn audits_are_the_same_on_any_number_of_threads_and_hold_together() {
    let directory = TempDir::new().unwrap();
    let run = |name: &str, threads| {
        let out = directory.path().join(name);
        let summary = audit::run(&context(&out), &audit_options(threads)).unwrap();
        assert!(summary.is_complete());
        out.join(audit::FILE)
    };
    let (one, three) = (run("one", 1), run("three", 3));
    assert_eq!(lines(&one), lines(&three));
    let contents = lab::store::read::<audit::Record>(&one).unwrap().unwrap();
    assert_eq!(contents.entries.len(), 9);
    let mut judged = 0;
    for (_, record) in &contents.entries {
        for position in &record.positions {
            assert!(position.fen.parse::<Board>().is_ok());
            let fail_highs: f64 = position.decisions.iter().map(|one| position.weight(one)).sum();
            assert!((fail_highs - position.seen.iter().sum::<u64>() as f64).abs() < 1e-6);
            for decision in &position.decisions {
                judged += 1;
                assert_eq!(record.contender == "off", decision.action == audit::Action::Moves);
                assert_eq!(decision.deeper.is_some(), decision.verdict.is_wrong());
                assert!(decision.lead >= 0 && decision.depth > 0, "{decision:?}");
                assert!(decision.flip.is_none() || decision.action != audit::Action::Moves);
            }
        }
    }
    assert!(judged > 30, "{judged}");
    let none = audit::Options { books: vec![Vec::new()], ..audit_options(1) };
    assert!(matches!(audit::run(&context(directory.path()), &none), Err(LabError::NoOpenings)));
}

/// A folder of endgame tables, and the materials there to look at.
fn tables() -> (PathBuf, &'static [&'static str]) {
    const FULL: &[&str] =
        &["KPvKP", "KPvK", "KQvKP", "KRvKP", "KBvKP", "KNvKP", "KQvK", "KRvK", "KBvK", "KNvK"];
    let (folder, is_full) = test_tables::folder();
    (folder, if is_full { FULL } else { &["KPvK", "KQvK", "KRvK", "KBvK"] })
}

#[test]
fn an_atlas_needs_tables_and_finds_zugzwangs_in_pawn_endings() {
    let directory = TempDir::new().unwrap();
    let none = atlas::run(&context(directory.path()), &atlas_options(directory.path()));
    assert!(matches!(none, Err(LabError::NoTables(_))));
    // Some materials, to be quick.
    let (source, names) = tables();
    let tables = directory.path().join("tables");
    fs::create_dir(&tables).unwrap();
    for name in names {
        let file = format!("{name}.rtbw");
        fs::copy(source.join(&file), tables.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    let run = || atlas::run(&context(directory.path()), &atlas_options(&tables)).unwrap();
    assert_eq!(run().now, 2 * names.len());
    assert_eq!(run().before, 2 * names.len());
    let path = directory.path().join(atlas::FILE);
    let contents = lab::store::read::<atlas::Record>(&path).unwrap().unwrap();
    for (_, record) in contents.entries {
        assert!(record.positions > 1000 && !record.exhaustive, "{record:?}");
        // With the pawn: who must leave the opposition gives the draw or the win away.
        assert!(record.zugzwangs.all() > 0 || record.material != "KPvK", "{record:?}");
        for count in &record.schemes {
            assert!(count.wrong >= count.cuts + count.held && count.fail_highs <= count.tried);
            assert!(count.contender != "off" || count.tried == 0);
            assert!(count.positions <= 5 && count.positions <= record.zugzwangs.all());
        }
    }
}

#[test]
fn an_atlas_fails_where_the_table_of_a_capture_is_missing() {
    let directory = TempDir::new().unwrap();
    let (source, _) = tables();
    let tables = directory.path().join("tables");
    fs::create_dir(&tables).unwrap();
    fs::copy(source.join("KNNvK.rtbw"), tables.join("KNNvK.rtbw")).unwrap();
    let outcome = atlas::run(&context(directory.path()), &atlas_options(&tables));
    assert!(
        matches!(outcome, Err(LabError::MissingTables { positions, .. }) if positions > 0),
        "{outcome:?}"
    );
}

#[test]
fn tactics_are_judged_and_timed_runs_are_repeated() {
    let directory = TempDir::new().unwrap();
    let run = |limit| tactics::run(&context(directory.path()), &tactics_options(limit, Mode::Full)).unwrap();
    assert_eq!(run(Limit::Nodes(3000)).tasks, 12);
    assert_eq!(run(Limit::Time(5)).tasks, 24);
    let contents =
        lab::store::read::<tactics::Record>(&directory.path().join(tactics::FILE)).unwrap().unwrap();
    assert_eq!(contents.entries.len(), 36);
    for (_, record) in contents.entries.iter().filter(|(_, record)| record.limit == "3000n") {
        assert_eq!(record.solved, record.position != "perverse", "{record:?}");
        assert!(record.nodes <= 3000 && record.depth > 0);
    }
}

#[test]
fn a_match_is_the_same_on_any_number_of_threads_and_a_test_ends_it() {
    let directory = TempDir::new().unwrap();
    let run = |name: &str, options: &match_play::Options| {
        match_play::run(&context(&directory.path().join(name)), options).unwrap()
    };
    let (summary, pairs) = run("one", &match_options(1, 9));
    assert_eq!((summary.tasks, pairs.pairs()), (4, 4));
    // Who has the pieces wins, so that every opening is balanced.
    assert_eq!(pairs.0, [0, 0, 4, 0, 0]);
    run("two", &match_options(2, 4));
    run("two", &match_options(2, 8));
    let file = |name: &str| directory.path().join(name).join(match_play::FILE);
    assert_eq!(lines(&file("one")), lines(&file("two")));
    // Only draws: a large difference is ruled out at once.
    let sprt = Some(Sprt { elo0: 0.0, elo1: 200.0 });
    let (summary, pairs) = run("one", &match_play::Options { sprt, ..match_options(2, 2000) });
    assert!(summary.before == 4 && pairs.pairs() < 72, "{summary:?}");
    // What else is stored does not count: the test ends where it did, and fewer games are fewer.
    run("one", &match_options(2, 160));
    let (summary, again) = run("one", &match_play::Options { sprt, ..match_options(2, 2000) });
    assert!(summary.now == 0 && again == pairs, "{summary:?}");
    assert_eq!(run("one", &match_options(2, 8)).1.pairs(), 4);
}

#[test]
fn pairs_of_another_table_size_do_not_count() {
    let directory = TempDir::new().unwrap();
    let mut options = match_options(2, 4);
    match_play::run(&context(directory.path()), &options).unwrap();
    options.common.hash = 2;
    let (summary, pairs) = match_play::run(&context(directory.path()), &options).unwrap();
    assert_eq!((summary.now, pairs.pairs()), (2, 2));
}

#[test]
fn the_worth_is_measured_evaluation_by_evaluation_and_resumed() {
    let directory = TempDir::new().unwrap();
    let run = |name: &str, options: &worth::Options| {
        worth::run(&context(&directory.path().join(name)), options).unwrap()
    };
    let all = worth_options(1);
    assert_eq!(run("one", &all).now, 8);
    // First half of the games, then the other.
    run("two", &worth::Options { games: 2, ..worth_options(2) });
    let summary = run("two", &worth_options(2));
    assert_eq!((summary.before, summary.now), (4, 4));
    let file = |name: &str| directory.path().join(name).join(worth::FILE);
    assert_eq!(lines(&file("one")), lines(&file("two")));
    let contents = lab::store::read::<worth::Record>(&file("one")).unwrap().unwrap();
    let of = |name: &str| {
        let mine = contents.entries.iter().filter(|(_, record)| record.evaluation == name);
        mine.map(|(_, record)| record.games.clone()).collect::<Vec<_>>()
    };
    assert_ne!(of("<material>"), of("<embedded>"), "two evaluations play two games");
    let evaluations = vec![all.evaluations[0].clone(), all.evaluations[0].clone()];
    let twice = worth::run(&context(directory.path()), &worth::Options { evaluations, ..all });
    assert!(matches!(twice, Err(LabError::SameName(_))));
}

#[test]
fn zugzwangs_are_dated() {
    let directory = TempDir::new().unwrap();
    zugzwang::run(&context(directory.path()), &zugzwang_options()).unwrap();
    let path = directory.path().join(zugzwang::FILE);
    let contents = lab::store::read::<zugzwang::Record>(&path).unwrap().unwrap();
    let records: Vec<zugzwang::Record> = contents.entries.into_iter().map(|(_, record)| record).collect();
    assert_eq!(records.len(), 6);
    for record in records.iter().filter(|record| record.position == "trebuchet") {
        assert_eq!(record.solved, record.contender != "fixed:r=3", "{record:?}");
        assert_eq!(record.since.is_some(), record.solved);
        assert!(record.since.is_none_or(|since| since.nodes <= record.nodes && since.depth <= record.depth));
    }
}

#[test]
fn mixed_schemes_are_the_same_each_time() {
    let directory = TempDir::new().unwrap();
    let mut options = zugzwang_options();
    options.contenders = parse_list(&["fixed:r=3", "fixed+off:r=3"]);
    options.common.search_threads = 2;
    let run = |name: &str| {
        let out = directory.path().join(name);
        assert!(helpers::run(&context(&out), &options).unwrap().is_complete());
        out.join(helpers::FILE)
    };
    let (once, again) = (run("once"), run("again"));
    assert_eq!(lines(&once), lines(&again));
    let contents = lab::store::read::<zugzwang::Record>(&once).unwrap().unwrap();
    assert!(contents.entries.iter().all(|(key, _)| key.ends_with("search threads 2")));
    let nodes = |name: &str| -> Vec<u64> {
        let mine = contents.entries.iter().filter(|(_, record)| record.contender == name);
        mine.map(|(_, record)| record.nodes).collect()
    };
    assert_eq!((nodes("fixed:r=3").len(), nodes("fixed+off:r=3").len()), (2, 2));
    assert!(contents.entries.iter().all(|(_, record)| record.search_threads == 2));
}

#[test]
fn players_of_several_threads_play_the_same_games_each_time() {
    let directory = TempDir::new().unwrap();
    let mut options = match_options(1, 2);
    options.common.search_threads = 2;
    let run = |name: &str| {
        let out = directory.path().join(name);
        match_play::run(&context(&out), &options).unwrap();
        out.join(match_play::FILE)
    };
    let (once, again) = (run("once"), run("again"));
    assert_eq!(lines(&once), lines(&again));
    assert!(lines(&once)[1].contains("search_threads\":2"));
}

#[test]
fn scaling_records_every_depth_once() {
    let directory = TempDir::new().unwrap();
    scaling::run(&context(directory.path()), &scaling_options()).unwrap();
    let path = directory.path().join(scaling::FILE);
    let contents = lab::store::read::<scaling::Record>(&path).unwrap().unwrap();
    for (_, record) in contents.entries {
        assert!(record.steps.iter().map(|step| step.depth).eq(1..=9), "{record:?}");
        assert!(record.steps.is_sorted_by_key(|step| step.nodes));
    }
}

#[test]
fn all_steps_are_done_within_a_budget_and_resumed() {
    let directory = TempDir::new().unwrap();
    let step = |share, work| Step { name: "step".into(), share, work };
    let steps = [
        step(1.0, Work::Nodes(nodes_options(2, 0))),
        step(2.0, Work::Match(Box::new(match_options(2, 4)))),
        step(1.0, Work::Zugzwang(zugzwang_options())),
    ];
    let mut begun = 0;
    let mut run = |seconds, control| {
        let context = RunContext { control, ..context(directory.path()) };
        all::run(&context, &steps, Duration::from_secs(seconds), |_| begun += 1).unwrap()
    };
    let interrupted = Arc::new(Control::default());
    interrupted.interrupt();
    assert!(!run(3600, interrupted).is_complete());
    // Without time, little or nothing; what was done counts.
    let hurried = run(0, Arc::default());
    let first = run(3600, Arc::default());
    assert_eq!((first.tasks, first.before, first.now), (8 + 2 + 6, hurried.now, 16 - hurried.now));
    let again = run(3600, Arc::default());
    assert_eq!((again.tasks, again.before, again.now), (16, 16, 0));
    assert_eq!(begun, 3 + 3 + 3);
}
