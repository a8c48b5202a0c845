//! The whole way: engines, pairs of games, and numbers that follow the winner.

use std::io::{BufReader, pipe};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use caesura::board::Board;
use caesura::engine::{Param, TUNABLE_PARAMS};
use caesura::uci::{Output, Session};
use spsa::TuneError;
use spsa::experiment::Experiment;
use spsa::factorial::Factorial;
use spsa::factorial_run::FactorialRun;
use spsa::pair;
use spsa::perturbation::{GainSchedule, TunedParam};
use spsa::run::{self, TuningSetup};
use spsa::state::{MatchSetup, TuningState};
use spsa::state_file;
use spsa::uci_engine::UciEngine;
use toolkit::ordered::Control;

/// An engine in a thread.
fn player() -> Result<UciEngine, TuneError> {
    let (commands, input) = pipe().expect("a pipe");
    let (output, answers) = pipe().expect("a pipe");
    thread::spawn(move || {
        let output = Arc::new(Output::new(answers, |_| {}));
        Session::new(output).expect("an engine").run(BufReader::new(commands)).expect("a pipe");
    });
    UciEngine::connect(Path::new("engine"), input, BufReader::new(output), 1)
}

/// A number that every build has as an option.
const OVERHEAD: Param = Param { name: "Move Overhead", default: 50, min: 0, max: 100, step: 10 };

/// A state of a number that every build has as an option.
fn state(pairs: u64) -> TuningState {
    TuningState {
        schedule: GainSchedule { spread: 1.0, rate: 0.1, pairs },
        nodes: 60,
        match_setup: None,
        played: 0,
        averaged: 0,
        balance: (0, 0),
        random: 5,
        params: vec![TunedParam::of(&OVERHEAD)],
    }
}

#[test]
fn equal_players_halve_the_points_of_a_pair() {
    let mut players = [player().unwrap(), player().unwrap()];
    // The same games twice over, with the names exchanged.
    for nodes in [1, 40, 200] {
        let pair = pair::play(&mut players, &Board::start(), nodes, &AtomicBool::new(false)).unwrap();
        let (result, decided) = pair.expect("not abandoned");
        assert_eq!((result, decided % 2), (0, 0));
    }
    let won = Board::from_setup(&caesura::board::fen::parse("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").unwrap());
    assert_eq!(pair::play(&mut players, &won, 500, &AtomicBool::new(false)).unwrap(), Some((0, 2)));
    assert_eq!(pair::play(&mut players, &won, 500, &AtomicBool::new(true)).unwrap(), None);
}

#[test]
fn a_run_plays_its_pairs_and_goes_on_where_it_ended() {
    let directory = tempfile::tempdir().unwrap();
    let setup = TuningSetup { start_engine: player, book: vec![Board::start().setup()], threads: 2 };
    let half = run::run(state(6), &setup, directory.path(), &Control::default()).unwrap();
    assert_eq!(half.played, 6);
    // The schedule of a longer run is another one.
    assert!(matches!(TuningState::load_or(directory.path(), state(9)), Err(TuneError::State { .. })));
    let kept = TuningState::load_or(directory.path(), state(6)).unwrap();
    assert_eq!(kept, half);
    let whole = run::run(
        TuningState { schedule: state(9).schedule, ..kept },
        &setup,
        directory.path(),
        &Control::default(),
    );
    assert_eq!(whole.unwrap().played, 9);
}

/// A factorial experiment on a number that every build has as an option.
fn factorial_run(pairs: u64) -> FactorialRun {
    let factor = format!("longer:{}=70", OVERHEAD.name).parse().unwrap();
    FactorialRun {
        nodes: 60,
        pairs,
        match_setup: MatchSetup {
            engine: "a".into(),
            book: "b".into(),
            hash: 1,
            seed: 1,
            engine_sha256: None,
            book_sha256: None,
        },
        random: 1,
        openings_used: 0,
        factorial: Factorial::new(vec![factor], &[OVERHEAD]).unwrap(),
    }
}

#[test]
fn a_factorial_experiment_plays_its_pairs_and_goes_on_where_it_ended() {
    let directory = tempfile::tempdir().unwrap();
    let moves = Board::start().legal_moves();
    let book = moves.iter().take(8).map(|&m| {
        let mut board = Board::start();
        board.make_move(m, &mut ());
        board.setup()
    });
    let setup = TuningSetup { start_engine: player, book: book.collect(), threads: 2 };
    run::run(factorial_run(4), &setup, directory.path(), &Control::default()).unwrap();
    let kept = FactorialRun::load_or(directory.path(), factorial_run(7)).unwrap();
    assert_eq!(kept.factorial.pairs(), 4);
    let whole = run::run(kept, &setup, directory.path(), &Control::default()).unwrap();
    assert_eq!(whole.factorial.pairs(), 7);
    // The number means nothing where nodes are counted: a pair is the same game twice, with colours reversed.
    assert_eq!(whole.openings_used, 7, "each pair has an opening of its own");
    let effects = whole.factorial.effects();
    assert_eq!((effects.len(), effects[0].elo, effects[0].error), (1, 0.0, 0.0));
    // There is one opening more, and no pair without one.
    let longer = FactorialRun { pairs: 20, ..whole };
    let end = run::run(longer, &setup, directory.path(), &Control::default()).unwrap();
    assert_eq!((end.factorial.pairs(), end.openings_used), (8, 8));
}

#[test]
fn an_engine_without_the_number_is_an_error_and_what_was_learnt_stays() {
    let directory = tempfile::tempdir().unwrap();
    let setup = TuningSetup { start_engine: player, book: vec![Board::start().setup()], threads: 1 };
    let mut state = state(3);
    state.params[0].name = "no such number".to_string();
    state.params[0].value = 61.0;
    let outcome = run::run(state.clone(), &setup, directory.path(), &Control::default());
    assert!(matches!(outcome, Err(TuneError::Engine { .. })), "{outcome:?}");
    // While nothing was played, the directory is free for another run.
    let kept = || state_file::load::<TuningState>(directory.path()).unwrap();
    assert_eq!(kept(), None);
    state.played = 1;
    let outcome = run::run(state.clone(), &setup, directory.path(), &Control::default());
    assert!(matches!(outcome, Err(TuneError::Engine { .. })), "{outcome:?}");
    assert_eq!(kept().expect("a state").params, state.params);
}

#[test]
fn a_state_without_conditions_gets_those_of_the_run_that_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let book = directory.path().join("book.epd");
    std::fs::write(&book, format!("{}\n", Board::start())).unwrap();
    let tuned = TUNABLE_PARAMS[0].name;
    let params = TUNABLE_PARAMS.iter().filter(|param| param.name.starts_with(tuned));
    let kept = TuningState {
        schedule: GainSchedule { spread: 1.5, rate: 0.006, pairs: 100 },
        nodes: 8000,
        played: 1,
        params: params.map(TunedParam::of).collect(),
        ..state(100)
    };
    kept.store(directory.path()).unwrap();
    let mut tune = Command::new(env!("CARGO_BIN_EXE_spsa"));
    tune.args(["tune", "--pairs", "100", "--only", tuned, "--out"]).arg(directory.path());
    // A file that is no program: nothing more is played.
    let output = tune.arg("--book").arg(&book).arg("--engine").arg(&book).output().unwrap();
    assert!(!output.status.success(), "{output:?}");
    let setup = state_file::load::<TuningState>(directory.path()).unwrap().and_then(|kept| kept.match_setup);
    assert!(setup.as_ref().is_some_and(MatchSetup::has_hashes), "{setup:?} {output:?}");
}

#[test]
fn a_value_that_the_engine_would_refuse_is_an_error() {
    let mut player = player().unwrap();
    player.set_option("Move Overhead", 5000).unwrap();
    for (name, value) in [("Move Overhead", 5001), ("Move Overhead", -1), ("no_such_number", 1)] {
        assert!(matches!(player.set_option(name, value), Err(TuneError::Engine { .. })), "{name} {value}");
    }
}
