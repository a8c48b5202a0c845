//! A factorial experiment that plays its pairs of games, with its file.

use std::fmt::Write;
use std::path::Path;

use caesura::board::Setup;
use caesura::engine::SplitMix;
use caesura::util::random::shuffle;
use serde::{Deserialize, Serialize};

use crate::experiment::Experiment;
use crate::factorial::{Effect, Factorial, Treatment};
use crate::state::MatchSetup;
use crate::{StateFault, TuneError, state_file};

/// Everything that is needed to continue a factorial experiment, as in the state file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactorialRun {
    /// Nodes a move.
    pub nodes: u64,
    /// The pairs of the whole run; a run that goes on may have more.
    pub pairs: u64,
    /// The conditions of the games.
    pub match_setup: MatchSetup,
    /// The state of the random number generator (SplitMix64).
    pub random: u64,
    /// The openings that pairs were begun with, from the first of the [`shuffled`] book; 0 in states of earlier versions, which
    /// drew them at random.
    #[serde(default)]
    pub openings_used: usize,
    /// The factors and what is known of them.
    pub factorial: Factorial,
}

/// The openings of a book in the random order in which a run of this seed plays them.
pub fn shuffled(mut book: Vec<Setup>, seed: u64) -> Vec<Setup> {
    let mut random = SplitMix(seed);
    shuffle(&mut book, |end| random.below(end));
    book
}

impl FactorialRun {
    /// Loads the state in a directory, or returns `fresh` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or belongs to a run with other factors or conditions.
    pub fn load_or(directory: &Path, fresh: FactorialRun) -> Result<FactorialRun, TuneError> {
        let Some(kept) = state_file::load::<FactorialRun>(directory)? else { return Ok(fresh) };
        if !kept.factorial.is_same_as(&fresh.factorial) {
            return Err(state_file::fault(directory, StateFault::Parameters));
        }
        if !kept.factorial.has_sound_sums() {
            return Err(state_file::fault(directory, StateFault::Sums));
        }
        if kept.nodes != fresh.nodes || !kept.match_setup.may_go_on(&fresh.match_setup) {
            return Err(state_file::fault(directory, StateFault::Match));
        }
        Ok(FactorialRun { pairs: fresh.pairs, ..kept })
    }

    /// The effects as a table, the best first.
    pub fn table(&self) -> String {
        let effects = self.factorial.effects();
        let width = effects.iter().map(|effect| effect.name.chars().count()).max().unwrap_or(0);
        let mut text = format!("{} games\n", 2 * self.factorial.pairs());
        for Effect { name, elo, error } in effects {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:width$} {elo:+6.1} ± {error:.1} Elo");
        }
        text
    }
}

impl Experiment for FactorialRun {
    type Draw = Treatment;

    fn names(&self) -> Vec<String> {
        self.factorial.names()
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn played(&self) -> u64 {
        self.factorial.pairs()
    }

    fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The openings come in the order of the book, each once: with the same factors one that came again would be the same pair
    /// of games again, and no evidence.
    fn draw(&mut self, openings: usize) -> Option<(Treatment, usize)> {
        let opening = self.openings_used;
        if opening >= openings {
            return None;
        }
        self.openings_used += 1;
        let mut random = SplitMix(self.random);
        let treatment = self.factorial.draw(&mut random);
        self.random = random.0;
        Some((treatment, opening))
    }

    fn values(draw: &Treatment) -> [&[i32]; 2] {
        draw.values.each_ref().map(Vec::as_slice)
    }

    fn record(&mut self, draw: &Treatment, result: i32, _decided: u64) {
        self.factorial.record(draw, result);
    }

    fn store(&self, directory: &Path) -> Result<(), TuneError> {
        state_file::store(directory, self, "effects.txt", &self.table())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caesura::board::Board;
    use caesura::engine::TUNABLE_PARAMS;

    fn fresh(value: i32) -> FactorialRun {
        let factor = format!("up:{}={value}", TUNABLE_PARAMS[0].name);
        FactorialRun {
            nodes: 100,
            pairs: 50,
            match_setup: MatchSetup {
                engine: "a".into(),
                book: "b".into(),
                hash: 4,
                seed: 1,
                engine_sha256: None,
                book_sha256: None,
            },
            random: 1,
            openings_used: 0,
            factorial: Factorial::new(vec![factor.parse().unwrap()], TUNABLE_PARAMS).unwrap(),
        }
    }

    #[test]
    fn a_run_comes_back_as_it_was_and_another_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let max = TUNABLE_PARAMS[0].max;
        let mut run = fresh(max);
        for number in 0..20 {
            let (draw, opening) = run.draw(20).unwrap();
            assert_eq!(opening, number);
            let result = if draw.signs[0] > 0.0 { 1 } else { -1 };
            run.record(&draw, result, 1);
        }
        assert_eq!(run.draw(20), None);
        run.store(directory.path()).unwrap();
        assert_eq!(FactorialRun::load_or(directory.path(), fresh(max)).unwrap(), run);
        let longer = FactorialRun { pairs: 90, ..fresh(max) };
        assert_eq!(FactorialRun::load_or(directory.path(), longer).unwrap().pairs, 90);
        for other in [fresh(max - 1), FactorialRun { nodes: 101, ..fresh(max) }] {
            let refused = FactorialRun::load_or(directory.path(), other);
            assert!(matches!(refused, Err(TuneError::State { .. })), "{refused:?}");
        }
        let path = state_file::path(directory.path());
        let whole = std::fs::read_to_string(&path).unwrap();
        for wrong in [r#""products": []"#, r#""products": [[]]"#, r#""products": [[1e999]]"#] {
            let (before, rest) = whole.split_once(r#""products": "#).unwrap();
            let (_, after) = rest.split_once(r#""moments": "#).unwrap();
            std::fs::write(&path, format!(r#"{before}{wrong}, "moments": {after}"#)).unwrap();
            let refused = FactorialRun::load_or(directory.path(), fresh(max));
            assert!(matches!(refused, Err(TuneError::State { .. })), "{wrong}: {refused:?}");
        }
        let text = std::fs::read_to_string(directory.path().join("effects.txt")).unwrap();
        assert_eq!(text, "40 games\nup +173.7 ± 0.0 Elo\n");
    }

    #[test]
    fn a_book_is_shuffled_by_the_seed_and_keeps_every_opening() {
        let mut boards: Vec<Setup> = Vec::new();
        for m in Board::start().legal_moves() {
            let mut board = Board::start();
            board.make_move(m, &mut ());
            boards.push(board.setup());
        }
        let keys =
            |book: &[Setup]| book.iter().map(|setup| Board::from_setup(setup).key()).collect::<Vec<_>>();
        let [one, again, two] = [1, 1, 2].map(|seed| keys(&shuffled(boards.clone(), seed)));
        assert!(one == again && one != two && one != keys(&boards));
        let sorted = |mut keys: Vec<u64>| {
            keys.sort_unstable();
            keys
        };
        assert_eq!(sorted(one), sorted(keys(&boards)));
        assert!(shuffled(Vec::new(), 1).is_empty());
    }
}
