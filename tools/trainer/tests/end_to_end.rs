//! From nothing to a network, through the command line.

use std::path::Path;
use std::process::{Command, Output};

use caesura::board::Board;
use caesura::clock::Limits;
use caesura::nnue::load::MATERIAL;
use caesura::nnue::{self, arch};
use caesura::single_threaded::{STACK_SIZE, SingleThreadedEngine};
use datagen::opening::Openings;
use datagen::run::{RunOptions, run};
use datagen::selfplay::SelfPlayRules;
use tempfile::TempDir;
use toolkit::ordered::Control;
use toolkit::progress::Goal;
use trainer::quantised::QuantisedNet;

/// Plays a few quick games.
fn play(directory: &Path) {
    let options = RunOptions {
        out: directory.to_path_buf(),
        threads: 2,
        rules: SelfPlayRules { nodes: 60, ..SelfPlayRules::default() },
        network: nnue::load(Path::new(MATERIAL)).unwrap(),
        openings: Openings { chess960: 0.2, ..Openings::default() },
        seed: Some(5),
        goal: Goal::Games(24),
        label: "test".into(),
        block_bytes: 4000,
        block_age: std::time::Duration::MAX,
    };
    run(&options, &Control::default()).unwrap();
}

fn trainer(directory: &Path, arguments: &str) -> Output {
    let command = || Command::new(env!("CARGO_BIN_EXE_trainer"));
    command().current_dir(directory).args(arguments.split_whitespace()).output().unwrap()
}

fn good(directory: &Path, arguments: &str) -> String {
    let output = trainer(directory, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn bad(directory: &Path, arguments: &str) -> String {
    let output = trainer(directory, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.lines().any(|line| line.starts_with("error: ")) && !text.contains("panicked"), "{text}");
    text
}

#[test]
fn games_from_nothing_become_a_network_that_plays() {
    let directory = TempDir::new().unwrap();
    let at = directory.path();
    play(&at.join("games"));
    let size = "--epochs 1 --batch 256 --validation 0.2 --threads 2";
    good(at, &format!("train --data games --out first.nnue {size}"));
    let network = nnue::load(&at.join("first.nnue")).unwrap();
    let search = move || {
        let mut engine = SingleThreadedEngine::new(1).unwrap();
        engine.set_network(network);
        engine.search(&Board::start(), Limits::depth(4))
    };
    let outcome = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(search).unwrap().join().unwrap();
    assert!(outcome.best.is_some() && outcome.nodes > 50);
}

#[test]
fn games_become_a_network() {
    let directory = TempDir::new().unwrap();
    let at = directory.path();
    play(&at.join("games"));
    let size = "--epochs 2 --batch 1024 --threads 2";
    let said =
        good(at, &format!("train --data games --out straight.nnue --scratch . {size} --validation 0.2"));
    assert!(said.contains("validation loss"), "{said}");
    good(at, "prepare --data games --out prepared --validation 0.2");
    let prepared = "train --prepared prepared --out net.nnue --checkpoint c.ckpt";
    good(at, &format!("{prepared} {size}"));
    let read = |name: &str| std::fs::read(at.join(name)).unwrap();
    assert_eq!(read("straight.nnue"), read("net.nnue"));
    // Nothing is overwritten unasked, and nothing is done before that is known.
    let refused = bad(at, &format!("{prepared} {size} --resume"));
    assert!(refused.contains("net.nnue") && refused.contains("--force"), "{refused}");
    std::fs::rename(at.join("net.nnue"), at.join("kept.nnue")).unwrap();
    assert!(bad(at, &format!("{prepared} {size} --resume")).contains("net.json"));
    for command in ["scale kept.nnue --factor 0.5", "average kept.nnue kept.nnue"] {
        std::fs::write(at.join("net.nnue"), "old").unwrap();
        assert!(bad(at, &format!("{command} --out net.nnue")).contains("--force"), "{command}");
        assert!(read("net.nnue") == b"old", "{command}");
        good(at, &format!("{command} --out net.nnue --force"));
    }
    good(at, &format!("{prepared} {size} --resume --force"));
    assert_eq!(read("straight.nnue"), read("net.nnue"));
    assert_eq!(QuantisedNet::read(&at.join("net.nnue")).unwrap().shape.hidden, arch::HIDDEN_SIZE);
    let log: serde_json::Value = serde_json::from_slice(&read("net.json")).unwrap();
    assert_eq!(log["log"]["epochs"].as_array().unwrap().len(), 2);
    assert!(String::from_utf8(read("net.html")).unwrap().contains("<svg"));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let output = Command::new(env!("CARGO_BIN_EXE_trainer"))
        .current_dir(at)
        .args(["show", "net.nnue", "--fen", start])
        .output()
        .unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().contains("centipawns"));
    let compare = "compare --data games --out moves --eval-file <material> --threads 2 --max-score 30000";
    let said = good(at, compare);
    assert!(said.contains(" comparisons for training, "), "{said}");
    assert!(bad(at, compare).contains("moves"), "nothing is overwritten");
    let compared = format!("{prepared} {size} --comparisons moves --comparisons-per-batch 100")
        .replace("c.ckpt", "d.ckpt");
    good(at, &format!("{compared} --force"));
    assert_ne!(read("straight.nnue"), read("net.nnue"));
    assert!(bad(at, &format!("{compared} --force --resume --comparison-weight 1")).contains("comparisons"));
    assert!(
        bad(at, &compared.replace("--comparisons moves", "--comparisons net.nnue --force --resume"))
            .contains("comparisons")
    );
    std::fs::copy(at.join("straight.nnue"), at.join("net.nnue")).unwrap();
    good(at, "scale net.nnue --factor 0.5 --out half.nnue");
    let [whole, half] = ["net.nnue", "half.nnue"].map(|name| QuantisedNet::read(&at.join(name)).unwrap());
    assert_eq!(whole.scaled(0.5).as_ref(), Some(&half));
    good(at, "average net.nnue half.nnue --out mean.nnue");
    assert_eq!(QuantisedNet::read(&at.join("mean.nnue")).ok(), QuantisedNet::average(&[whole, half]));
    assert!(bad(at, "average net.nnue nowhere.nnue --out x.nnue").contains("nowhere"));
    assert!(bad(at, "scale net.nnue --factor 1e9 --out x.nnue").contains("fit"));
    for zero in
        ["scale net.nnue --factor 0 --out x.nnue", &format!("train --data data {size} --score-scale 0")]
    {
        let refused = trainer(at, zero);
        assert!(String::from_utf8_lossy(&refused.stderr).contains("above 0"), "{refused:?}");
    }
    assert!(bad(at, "scale nowhere.nnue --factor 2 --out x.nnue").contains("nowhere"));
    assert!(!at.read_dir().unwrap().any(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().starts_with("trainer-") || name.to_string_lossy().ends_with(".part")
    }));

    // What could only fail at the end fails at the beginning, and no checkpoint is lost.
    let checkpoint = read("c.ckpt");
    assert!(bad(at, &format!("{prepared} {size} --force")).contains("--resume"));
    assert_eq!(checkpoint, read("c.ckpt"));
    assert!(bad(at, &format!("train --prepared prepared --out nowhere/net.nnue {size}")).contains("nowhere"));
    assert!(bad(at, &format!("train --prepared prepared --out net.json {size}")).contains("net.json"));
    // Prepared positions have their targets already.
    for settled in ["--lambda 0.5", "--stretch-to 0", "--max-score 100"] {
        let refused = trainer(at, &format!("train --prepared prepared --out x.nnue {size} {settled}"));
        assert_eq!(refused.status.code(), Some(2), "{settled}");
    }
    let for_ever = format!("{prepared} {size} --checkpoint-minutes {}", u64::MAX);
    assert_eq!(trainer(at, &for_ever).status.code(), Some(2));
    good(at, &format!("train --prepared prepared --out x.2 {size}"));
    assert!(at.join("x.2.json").exists() && at.join("x.2.html").exists());

    assert!(bad(at, &format!("{prepared} {size} --resume --force --lr 0.01")).contains("settings"));
    assert!(bad(at, "train --data nowhere --out x.nnue").contains("nowhere"));
    assert!(bad(at, "train --prepared games --out x.nnue").contains("data.json"));
    assert!(bad(at, "train --data net.nnue --out x.nnue").contains("no position"));
    // The engine would refuse networks with another number of hidden units.
    for hidden in [32, 50, 64, 2048] {
        let text = bad(at, &format!("train --data games --out x.nnue --hidden {hidden}"));
        assert!(text.contains("hidden units") && text.contains(&hidden.to_string()), "{text}");
    }
    assert!(!at.join("x.nnue").exists());
    assert!(bad(at, "show c.ckpt").contains("not a network"));
    assert!(
        bad(at, &format!("{} --resume --force", prepared.replace("c.ckpt", "half.nnue")))
            .contains("not a checkpoint")
    );
    // A checkpoint that the network, its log or its report would overwrite.
    for (checkpoint, more) in [
        ("net.nnue", "--resume"),
        ("./net.json", "--resume"),
        ("net.html", "--resume"),
        ("y.nnue", ""),
        ("./y.json", ""),
    ] {
        let out = if more.is_empty() { "y.nnue" } else { "net.nnue" };
        let command =
            format!("train --prepared prepared --out {out} --checkpoint {checkpoint} {size} --force {more}");
        let refused = bad(at, &command);
        assert!(refused.contains(checkpoint) && refused.contains("this name"), "{refused}");
    }
    assert!(!at.join("y.nnue").exists());
}
