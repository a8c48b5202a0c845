//! The inputs in the repository, and each of them damaged a little, pass the checks.
//!
//! `CAESURA_FUZZ_COPIES=1000` tries a thousand damaged copies of each, `CAESURA_FUZZ_SEED=n` others.

use std::fs;
use std::path::Path;

use caesura::engine::SplitMix;
use fuzz::Check;

/// Damaged copies of each input that are tried, unless a variable says how many.
const COPIES: u64 = 3;

/// The number in a variable of the environment.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// All inputs of a check: the files below its folder, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut paths: Vec<_> =
        folder.read_dir().expect("a corpus").map(|entry| entry.expect("a file").path()).collect();
    paths.sort_unstable();
    paths.iter().map(|path| fs::read(path).expect("an input")).collect()
}

/// Cuts an input off, or changes, removes or repeats some of its bytes.
fn damage(input: &mut Vec<u8>, random: &mut SplitMix) {
    for _ in 0..1 + random.below(4) {
        let place = random.below(input.len() + 1);
        let end = input.len().min(place + 1 + random.below(8));
        match random.below(16) {
            0 => input.truncate(place),
            1..4 => drop(input.drain(place..end)),
            4..7 => input.extend_from_within(place..end),
            _ => input[place..end].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        }
    }
}

/// Shows an input if its check fails.
struct Shown<'a>(&'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("input: b\"{}\"", self.0.escape_ascii());
        }
    }
}

fn try_input(check: Check, input: &[u8]) {
    let _shown = Shown(input);
    check(input);
}

fn run(name: &str) {
    let (_, check) = fuzz::CHECKS.into_iter().find(|(known, _)| *known == name).expect("a check");
    let inputs = corpus(name);
    assert!(!inputs.is_empty());
    let mut random = SplitMix(variable("CAESURA_FUZZ_SEED").unwrap_or(1));
    let copies = variable("CAESURA_FUZZ_COPIES").unwrap_or(COPIES);
    for input in inputs {
        try_input(check, &input);
        for _ in 0..copies {
            let mut copy = input.clone();
            damage(&mut copy, &mut random);
            try_input(check, &copy);
        }
    }
}

macro_rules! corpora {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(stringify!($name));
            }
        )*

        #[test]
        fn every_check_has_a_test_and_a_program() {
            assert_eq!(fuzz::CHECKS.map(|(name, _)| name), [$(stringify!($name)),*]);
            let targets = include_str!("../targets/Cargo.toml");
            for (name, _) in fuzz::CHECKS {
                assert!(targets.contains(&format!("name = \"{name}\"")), "{name}");
            }
        }
    };
}

corpora!(commands entries epd fen games genfens moves network packets pgn tablebase uci);
