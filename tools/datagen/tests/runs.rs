//! Runs of the generator, whole and interrupted.

mod common;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::engine::{MATERIAL_NETWORK, Network, load_network};

use caesura::types::is_mate;
use common::read;
use datagen::format::{FileHeader, label};
use datagen::game_groups::RecordCounts;
use datagen::merge::Repeated;
use datagen::opening::{BOOK_PLIES, Openings, read_positions};
use datagen::rescore::{RescoreError, RescoreOptions, RescoreReport};
use datagen::run::{self, RunOptions};
use datagen::selfplay::SelfPlayRules;
use datagen::stats::Stats;
use datagen::{
    Ending, Game, GameWriter, OpeningKind, Ply, ReadError, check, game_files, merge, rescore, sample,
};
use tempfile::TempDir;
use toolkit::cli::ErrorChain;
use toolkit::ordered::Control;
use toolkit::progress::Goal;

/// The network that counts material: it is fast and does not change when the embedded one does.
fn material() -> Arc<Network> {
    load_network(Path::new(MATERIAL_NETWORK)).unwrap()
}

const BOOK: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";

fn options(out: &Path, threads: usize, games: u64) -> RunOptions {
    let book = out.parent().unwrap().join("book.epd");
    fs::write(&book, BOOK).unwrap();
    RunOptions {
        out: out.to_path_buf(),
        threads,
        rules: SelfPlayRules { nodes: 300, opening_nodes: 200, max_plies: 120, ..SelfPlayRules::default() },
        openings: Openings {
            chess960: 0.5,
            book: read_positions(&book).unwrap(),
            book_share: 0.5,
            book_plies: BOOK_PLIES,
        },
        seed: Some(11),
        goal: Goal::Games(games),
        network: material(),
        label: "test".into(),
        block_bytes: 1 << 12,
        block_age: Duration::from_secs(1000),
    }
}

fn play(options: &RunOptions) -> Vec<Game> {
    let summary = run::run(options, &Control::default()).unwrap();
    let (games, error) = read(&summary.path);
    assert!(error.is_none());
    assert_eq!(games.len() as u64, summary.games);
    assert!(games.iter().all(|game| check::game(game).is_ok()));
    games
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads_and_in_any_portions() {
    let directory = TempDir::new().unwrap();
    let one = play(&options(&directory.path().join("one"), 1, 16));
    let three = play(&options(&directory.path().join("three"), 3, 16));
    assert_eq!(one.len(), 16);
    assert_eq!(one, three);
    assert!(one.iter().map(|game| game.index).eq(0..16));
    let out = directory.path().join("portions");
    let mut portions = play(&options(&out, 2, 5));
    portions.extend(play(&options(&out, 1, 11)));
    assert_eq!(one, portions);
    let other = play(&RunOptions { seed: Some(12), ..options(&out, 2, 4) });
    assert!(other.iter().all(|game| one.iter().all(|before| before.plies != game.plies)));
    for kind in OpeningKind::ALL {
        assert!(one.iter().any(|game| game.opening == kind), "{kind:?}");
    }
}

#[test]
fn evaluated_positions_are_recorded_beside_the_same_games() {
    let directory = TempDir::new().unwrap();
    let games = play(&options(&directory.path().join("games"), 1, 6));
    let with_positions = |name: &str, threads| {
        let out = directory.path().join(name);
        let mut options = options(&out, threads, 6);
        options.rules.evaluated = 3;
        options.rules.evaluated_nodes = 50;
        let summary = run::run(&options, &Control::default()).unwrap();
        assert_eq!(summary.games, 6);
        let (recorded, error) = read(&summary.path);
        assert!(error.is_none());
        assert!(recorded.iter().all(|game| check::game(game).is_ok()));
        assert_eq!(summary.positions, recorded.iter().map(|game| game.plies.len() as u64).sum::<u64>());
        recorded
    };
    let recorded = with_positions("one", 1);
    assert_eq!(recorded, with_positions("three", 3));
    let is_position = |game: &&Game| game.plies.len() == 1 && game.ending == Ending::TooLong;
    let (positions, played): (Vec<&Game>, Vec<&Game>) = recorded.iter().partition(is_position);
    assert!(played.into_iter().eq(&games), "the games are what they were");

    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert!(positions.len() > plies && positions.len() <= 3 * plies, "{} of {plies}", positions.len());
    let mut starts = HashSet::new();
    for game in &positions {
        let board = Board::from_setup(&game.start);
        starts.insert(board.key());
        let Ply { played, score } = game.plies[0];
        assert!(
            !board.in_check() && !played.is_capture() && !played.is_promotion() && !is_mate(score.into())
        );
    }
    let on_the_board = games.iter().flat_map(|game| {
        let mut board = Board::from_setup(&game.start);
        game.plies.iter().map(move |ply| {
            board.make_move(ply.played, &mut ());
            board.key()
        })
    });
    let on_the_board: HashSet<u64> = on_the_board.collect();
    let off_the_board = starts.difference(&on_the_board).count();
    assert!(off_the_board > starts.len() * 9 / 10, "{off_the_board} of {}", starts.len());
}

#[test]
fn collections_are_merged_sampled_counted_and_scored_anew() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    let games = play(&options(&at("a"), 2, 8));
    play(&options(&at("b"), 1, 4));
    let files = game_files(&[at("a"), at("b")]).unwrap();
    let complain = |error| panic!("{error}");

    let merged = at("merged.games");
    let report = merge::merge(&files, &merged, Repeated::Skip, complain).unwrap();
    assert_eq!((report.written.games, report.skipped.games), (8, 4));
    assert_eq!(read(&merged).0, games);
    assert!(merge::merge(&files, &merged, Repeated::Skip, complain).is_err(), "it exists");

    let drawn = at("sample.games");
    assert_eq!(sample::games(&files, &drawn, 3, 1, complain).unwrap().games, 3);
    assert!(read(&drawn).0.iter().all(|game| games.contains(game)));
    let lines = sample::positions(&files, 10, 1, complain).unwrap();
    assert_eq!(lines.len(), 10);
    assert!(lines.iter().all(|line| line.contains(" pm ") && line.contains("; ce ")), "{lines:?}");

    let scored = at("scored.games");
    let input = [merged];
    for threads in [1, 2] {
        let _ = fs::remove_file(&scored);
        let control = Control::default();
        let options = RescoreOptions { threads, nodes: 100, network: material(), label: "new".into() };
        let done = rescore::rescore(&input, &scored, &options, &control, complain).unwrap();
        let (new, error) = read(&scored);
        assert!(error.is_none());
        let positions = games.iter().map(|game| game.plies.len() as u64).sum::<u64>();
        assert_eq!(done, RescoreReport { positions, skipped: RecordCounts::default() });
        for (new, old) in new.iter().zip(&games) {
            assert!(new.plies.iter().map(|ply| ply.played).eq(old.plies.iter().map(|ply| ply.played)));
            assert_eq!((new.index, new.winner), (old.index, old.winner));
        }
        assert_ne!(new, games);
    }
    fs::remove_file(&scored).unwrap();
    let control = Control::default();
    control.interrupt();
    let options = RescoreOptions { threads: 1, nodes: 100, network: material(), label: "new".into() };
    let end = rescore::rescore(&input, &scored, &options, &control, complain);
    assert!(matches!(end, Err(RescoreError::Interrupted { .. })));
    assert!(!scored.exists(), "not whole");
    let mut stats = Stats::default();
    games.iter().for_each(|game| stats.add(game).unwrap());
    assert_eq!(stats.repeated_openings(), 0);
}

#[test]
fn a_game_that_cannot_be_replayed_is_not_rescored() {
    let directory = TempDir::new().unwrap();
    let games = play(&options(&directory.path().join("games"), 1, 2));
    let mut broken = games[0].clone();
    // The other side's move twice over.
    broken.plies[6].played = broken.plies[5].played;
    let input = directory.path().join("mixed.games");
    let mut writer = GameWriter::create(&input, &FileHeader::new(1, 2, 3, "test")).unwrap();
    for game in [&broken, &games[1]] {
        writer.write(game).unwrap();
    }
    writer.flush().unwrap();
    let out = directory.path().join("scored.games");
    let options = RescoreOptions { threads: 1, nodes: 100, network: material(), label: "new".into() };
    let complain = |error| panic!("{error}");
    let done = rescore::rescore(&[input], &out, &options, &Control::default(), complain).unwrap();
    let skipped = RecordCounts { games: 1, lone_positions: 0 };
    assert_eq!(done, RescoreReport { positions: games[1].plies.len() as u64, skipped });
    assert_eq!(read(&out).0.len(), 1);
}

#[test]
fn an_interrupted_rescore_goes_on_where_it_was() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    let mut games = play(&options(&at("games"), 2, 8));
    // One that cannot be rescored, among those that are done.
    games[1].plies[6].played = games[1].plies[5].played;
    let input = [at("input.games")];
    let mut writer = GameWriter::create(&input[0], &FileHeader::new(1, 2, 3, "test")).unwrap();
    games.iter().for_each(|game| writer.write(game).unwrap());
    writer.flush().unwrap();

    let options = RescoreOptions { threads: 2, nodes: 100, network: material(), label: "new".into() };
    let complain = |error| panic!("{error}");
    let rescore = |out: &Path| rescore::rescore(&input, out, &options, &Control::default(), complain);
    let whole = rescore(&at("whole.games")).unwrap();
    let (expected, _) = read(&at("whole.games"));
    assert_eq!(expected.len(), 7);

    // What is left of an attempt: a block, and the beginning of another.
    let out = at("out.games");
    let part = at("out.games.part");
    let header = FileHeader::new(1, 100, 3, &label("new", &material()));
    let begin = |header: &FileHeader, games: &[Game]| {
        let _ = fs::remove_file(&part);
        let mut writer = GameWriter::create_with_part_file(&out, header).unwrap();
        games.iter().for_each(|game| writer.write(game).unwrap());
        writer.flush().unwrap();
        drop(writer);
        let rest = fs::read(&part).unwrap();
        fs::write(&part, [&rest[..], &rest[128..150]].concat()).unwrap();
    };
    // Scores that show that it was not done again.
    let mut done = expected[..3].to_vec();
    done.iter_mut().flat_map(|game| &mut game.plies).for_each(|ply| ply.score = 7);
    begin(&header, &done);
    assert_eq!(rescore(&out).unwrap(), whole);
    let (found, error) = read(&out);
    assert!(error.is_none() && !part.exists());
    assert_eq!(found, [&done[..], &expected[3..]].concat());
    fs::remove_file(&out).unwrap();

    // Other commands leave it alone.
    begin(&header, &done);
    let left = fs::read(&part).unwrap();
    let merged = merge::merge(&input, &out, Repeated::Skip, complain).unwrap_err();
    let sampled = sample::games(&input, &out, 3, 1, complain).unwrap_err();
    for refused in [&merged, &sampled] {
        assert!(ErrorChain(refused).to_string().contains("out.games.part"), "{refused:?}");
    }
    assert!(fs::read(&part).unwrap() == left && !out.exists());

    // One that was ended within the header is begun anew.
    fs::write(&part, &left[..100]).unwrap();
    assert_eq!(rescore(&out).unwrap(), whole);
    assert_eq!(read(&out).0, expected);
    fs::remove_file(&out).unwrap();

    // An attempt of something else is left alone.
    let mut other = done.clone();
    other[2].plies.truncate(5);
    for (header, games) in [(&FileHeader::new(1, 99, 3, "other"), &done), (&header, &other)] {
        begin(header, games);
        assert!(matches!(rescore(&out), Err(RescoreError::OtherPart { .. })));
        assert!(part.exists() && !out.exists());
    }
}

/// Starts an endless run and returns when it has written this many bytes.
fn start(out: &Path, bytes: u64) -> (Child, PathBuf) {
    start_by(Command::new(env!("CARGO_BIN_EXE_datagen")), out, bytes)
}

/// As [`start`], by a command that hands its arguments on to the program.
fn start_by(mut command: Command, out: &Path, bytes: u64) -> (Child, PathBuf) {
    let mut child = command
        .args(["run", "--threads", "2", "--nodes", "100", "--seed", "3", "--block-bytes", "1000"])
        .args(["--eval-file", MATERIAL_NETWORK, "--out"])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = || game_files(&[out.to_path_buf()]).ok().and_then(|files| files.into_iter().next_back());
    if !wait_until(|| file().is_some_and(|path| length(&path) >= bytes)) {
        child.kill().unwrap();
        child.wait().unwrap();
        panic!("nothing was written");
    }
    (child, file().unwrap())
}

/// Waits until something holds, two minutes at most; returns whether it does.
fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !holds() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// The length of a file in bytes; 0 if it is not there.
fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Sends a signal to a process.
#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

fn check_passes(out: &Path) -> bool {
    let status = Command::new(env!("CARGO_BIN_EXE_datagen"))
        .arg("check")
        .arg(out)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    status.success()
}

#[test]
fn a_killed_run_loses_the_block_in_work_and_nothing_else() {
    let directory = TempDir::new().unwrap();
    let (mut child, path) = start(directory.path(), 6_000);
    child.kill().unwrap();
    child.wait().unwrap();
    let (games, error) = read(&path);
    assert!(error.as_ref().is_none_or(ReadError::is_truncated));
    // The system may end a process in the middle of writing a block.
    assert_eq!(check_passes(directory.path()), error.is_none());
    let kept: usize = games.iter().map(|game| game.plies.len()).sum();
    assert!(kept > 2_000, "{kept}");
    // Nothing is missing in between, and the next run goes on where this one was killed.
    assert!(games.iter().map(|game| game.index).eq(0..games.len() as u32));
    assert_eq!(run::next_index(directory.path(), 3).unwrap(), games.len() as u32);
    let second = go_on(directory.path(), &path);
    assert!(check_passes(&second));
    let (more, error) = read(&second);
    assert!(error.is_none());
    assert_eq!(more.len(), 3);
    assert_eq!(more[0].index, games.len() as u32);
    assert_eq!(read(&path).0, games, "the first file was touched");
}

/// Plays three games more and returns their file.
fn go_on(out: &Path, first: &Path) -> PathBuf {
    let status = Command::new(env!("CARGO_BIN_EXE_datagen"))
        .args(["run", "--threads", "2", "--nodes", "100", "--seed", "3", "--games", "3"])
        .args(["--eval-file", MATERIAL_NETWORK, "--out"])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let files = game_files(&[out.to_path_buf()]).unwrap();
    files.into_iter().find(|file| file != first).unwrap()
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_cleanly() {
    let directory = TempDir::new().unwrap();
    let (mut child, path) = start(directory.path(), 3_000);
    send("-INT", &child);
    assert!(child.wait().unwrap().success());
    assert!(check_passes(directory.path()));
    let (games, error) = read(&path);
    assert!(error.is_none());
    assert!(games.iter().map(|game| game.index).eq(0..games.len() as u32));
}

#[cfg(unix)]
#[test]
fn a_run_that_was_started_to_ignore_hang_ups_goes_on_after_one() {
    let directory = TempDir::new().unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_datagen")]);
    let (mut child, path) = start_by(shell, directory.path(), 3_000);
    send("-HUP", &child);
    // Many times what the games in progress take.
    let much = length(&path) + 6_000;
    let ended = |child: &mut Child| child.try_wait().unwrap().is_some();
    let has_grown = wait_until(|| length(&path) >= much || ended(&mut child));
    if !has_grown || ended(&mut child) {
        let _ = child.kill();
        panic!("it did not go on");
    }
    send("-TERM", &child);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_run_says_when_its_time_is_over() {
    let directory = TempDir::new().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_datagen"))
        .args([
            "run",
            "--hours",
            "0",
            "--threads",
            "1",
            "--nodes",
            "1",
            "--eval-file",
            MATERIAL_NETWORK,
            "--out",
        ])
        .arg(directory.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("the time is over: finishing the games in play").count(), 1, "{said}");
}

#[test]
fn without_a_game_file_that_can_be_read_every_command_fails() {
    let directory = TempDir::new().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir(at("empty")).unwrap();
    fs::write(at("text.games"), "not games").unwrap();
    let fails = |arguments: &str, input: &str, why: &str| {
        let mut datagen = Command::new(env!("CARGO_BIN_EXE_datagen"));
        datagen.current_dir(&directory).args(arguments.split(' ')).arg(input);
        let output = datagen.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(&format!("error: {why}")), "{arguments}: {said}");
        assert!(output.stdout.is_empty() && !at("x.games").exists(), "{arguments}");
    };
    let new_file = ["merge --out x.games", "sample --out x.games", "rescore --out x.games"];
    for arguments in [&["check", "stats", "sample"][..], &new_file].concat() {
        fails(arguments, "empty", "no game files were given");
    }
    for arguments in [&["stats", "sample"][..], &new_file].concat() {
        fails(arguments, "text.games", "text.games: not a game file");
    }
}

#[test]
fn nonsense_is_answered_by_an_error() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("text.games");
    fs::write(&path, "not games").unwrap();
    let run = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_datagen")).args(args).stdin(Stdio::null()).output().unwrap()
    };
    let file = path.to_str().unwrap();
    let new = directory.path().join("new");
    let new = new.to_str().unwrap();
    for args in [
        &["check", file][..],
        &["check", "/no/such/file"],
        &["run", "--out", file, "--games", "1"],
        &["run", "--out", "x", "--hours", "-1"],
        &["run", "--out", "x", "--chess960", "2"],
        &["run", "--out", "x", "--book", file],
        &["merge", "--out", "x", "/no/such/file"],
        &["run", "--out", new, "--games", "0"],
        &["run", "--out", new, "--positions", "0"],
        &["run", "--out", new, "--games", "1", "--nodes", "1", "--win-plies", "0"],
        &["run", "--out", new, "--games", "1", "--nodes", "1", "--draw-plies", "0"],
    ] {
        let output = run(args);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}: {output:?}");
        let words = output.stdout.len() + output.stderr.len();
        assert!(words > 10 && !String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    }
}
