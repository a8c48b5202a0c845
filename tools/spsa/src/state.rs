//! The state of a tuning run and its file.

use std::path::{Path, PathBuf};

use caesura::engine::SplitMix;
use serde::{Deserialize, Serialize};

use crate::experiment::Experiment;
use crate::perturbation::{self, GainSchedule, Perturbation, TunedParam, perturb};
use crate::{StateFault, TuneError, state_file};

/// The conditions of the games, which must stay the same when a run is continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchSetup {
    /// The engine.
    pub engine: PathBuf,
    /// The openings.
    pub book: PathBuf,
    /// The transposition table of each engine, in megabytes.
    pub hash: u32,
    /// The seed of the perturbations.
    pub seed: u64,
    /// The SHA-256 of the engine's file; missing in states of earlier versions.
    #[serde(default)]
    pub engine_sha256: Option<String>,
    /// The SHA-256 of the file of openings; missing in states of earlier versions.
    #[serde(default)]
    pub book_sha256: Option<String>,
}

impl MatchSetup {
    /// True if a run that was begun so may go on under other conditions: they are the same, but for hashes that its state
    /// does not have.
    pub fn may_go_on(&self, now: &MatchSetup) -> bool {
        let or_now = |kept: &Option<String>, now: &Option<String>| kept.clone().or_else(|| now.clone());
        let completed = MatchSetup {
            engine_sha256: or_now(&self.engine_sha256, &now.engine_sha256),
            book_sha256: or_now(&self.book_sha256, &now.book_sha256),
            ..self.clone()
        };
        completed == *now
    }

    /// True if the contents of both files are known.
    pub fn has_hashes(&self) -> bool {
        self.engine_sha256.is_some() && self.book_sha256.is_some()
    }
}

/// Everything that is needed to continue a run, as in the state file. The aliases are the names of earlier versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningState {
    /// The gain schedule.
    #[serde(alias = "pace")]
    pub schedule: GainSchedule,
    /// Nodes a move.
    pub nodes: u64,
    /// The conditions of the games; missing in states of earlier versions.
    #[serde(default, alias = "contest")]
    pub match_setup: Option<MatchSetup>,
    /// The number of pairs played.
    pub played: u64,
    /// The number of pairs that the averages are taken over.
    pub averaged: u64,
    /// The wins less the losses of the first players, and the number of decisive games.
    pub balance: (i64, u64),
    /// The state of the random number generator (SplitMix64).
    #[serde(alias = "dice")]
    pub random: u64,
    /// The tuned parameters.
    #[serde(alias = "coordinates")]
    pub params: Vec<TunedParam>,
}

impl TuningState {
    /// Loads the state in a directory, or returns `fresh` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or belongs to a run with other parameters or conditions.
    pub fn load_or(directory: &Path, fresh: TuningState) -> Result<TuningState, TuneError> {
        let Some(state) = state_file::load::<TuningState>(directory)? else { return Ok(fresh) };
        let fail = |source| state_file::fault(directory, source);
        let kinds = |state: &TuningState| -> Vec<(String, i32, i32, i32, i32)> {
            let kind = |c: &TunedParam| (c.name.clone(), c.default, c.min, c.max, c.step);
            state.params.iter().map(kind).collect()
        };
        if kinds(&state) != kinds(&fresh) {
            return Err(fail(StateFault::Parameters));
        }
        if (state.schedule, state.nodes) != (fresh.schedule, fresh.nodes) {
            return Err(fail(StateFault::Schedule));
        }
        let may_go_on = |kept: &MatchSetup| fresh.match_setup.as_ref().is_some_and(|now| kept.may_go_on(now));
        if !state.match_setup.as_ref().is_none_or(may_go_on) {
            return Err(fail(StateFault::Match));
        }
        let sound = |c: &TunedParam| (f64::from(c.min)..=f64::from(c.max)).contains(&c.value);
        if !state.params.iter().all(sound) {
            return Err(fail(StateFault::OutOfRange));
        }
        Ok(state)
    }

    /// Adds the result of a pair: the wins less the losses of the first player, and the number of decisive games.
    pub fn record_pair(&mut self, perturbation: &Perturbation, result: i32, decided: u64) {
        perturbation::update(&mut self.params, &self.schedule, self.played, perturbation, result);
        self.played += 1;
        self.balance.0 += i64::from(result);
        self.balance.1 += decided;
        if 2 * self.played > self.schedule.pairs {
            self.averaged += 1;
            self.params.iter_mut().for_each(|param| param.sum += param.value);
        }
    }

    /// The parameters that the run would change, one a line, in the syntax of `params.rs`.
    pub fn changed_values(&self) -> String {
        self.params
            .iter()
            .map(|c| (c, c.proposed(self.averaged)))
            .filter(|(c, now)| *now != c.default)
            .map(|(c, now)| {
                let (name, min, max, step, then) = (&c.name, c.min, c.max, c.step, c.default);
                format!("{name} = {now}, {min}..={max}, {step}; // was {then}\n")
            })
            .collect()
    }
}

impl Experiment for TuningState {
    type Draw = Perturbation;

    fn names(&self) -> Vec<String> {
        self.params.iter().map(|param| param.name.clone()).collect()
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn played(&self) -> u64 {
        self.played
    }

    fn pairs(&self) -> u64 {
        self.schedule.pairs
    }

    fn draw(&mut self, openings: usize) -> Option<(Perturbation, usize)> {
        let mut random = SplitMix(self.random);
        let perturbation = perturb(&self.params, &self.schedule, &mut random);
        let opening = random.below(openings);
        self.random = random.0;
        Some((perturbation, opening))
    }

    fn values(draw: &Perturbation) -> [&[i32]; 2] {
        [&draw.plus, &draw.minus]
    }

    fn record(&mut self, draw: &Perturbation, result: i32, decided: u64) {
        self.record_pair(draw, result, decided);
    }

    /// Writes the state, and the changed values in the syntax of `params.rs`.
    fn store(&self, directory: &Path) -> Result<(), TuneError> {
        state_file::store(directory, self, "values.txt", &self.changed_values())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::state_file::path as file;
    use caesura::engine::Param;

    fn setup() -> MatchSetup {
        let [engine_sha256, book_sha256] = ["12", "34"].map(|hash| Some(hash.to_string()));
        MatchSetup { engine: "a".into(), book: "b".into(), hash: 4, seed: 1, engine_sha256, book_sha256 }
    }

    fn state() -> TuningState {
        let param = Param { name: "number", default: 5, min: 0, max: 10, step: 1 };
        let other = Param { name: "other", default: -3, min: -10, max: 10, step: 1 };
        TuningState {
            schedule: GainSchedule { spread: 1.0, rate: 0.01, pairs: 10 },
            nodes: 100,
            match_setup: Some(setup()),
            played: 3,
            averaged: 0,
            balance: (1, 4),
            random: 9,
            params: vec![TunedParam::of(&param), TunedParam::of(&other)],
        }
    }

    #[test]
    fn a_state_comes_back_as_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("a/b");
        let mut kept = state();
        assert_eq!(TuningState::load_or(&out, kept.clone()).unwrap(), kept);
        kept.params[0].value = 7.3;
        kept.played = 4;
        kept.store(&out).unwrap();
        assert_eq!(TuningState::load_or(&out, state()).unwrap(), kept);
        let values = fs::read_to_string(out.join("values.txt")).unwrap();
        assert_eq!(values, "number = 7, 0..=10, 1; // was 5\n");
    }

    #[test]
    fn a_state_of_an_earlier_version_can_be_continued() {
        let directory = tempfile::tempdir().unwrap();
        state().store(directory.path()).unwrap();
        let path = file(directory.path());
        let mut text = fs::read_to_string(&path).unwrap();
        for (now, before) in
            [("schedule", "pace"), ("match_setup", "contest"), ("random", "dice"), ("params", "coordinates")]
        {
            assert!(text.contains(&format!("\"{now}\":")));
            text = text.replace(&format!("\"{now}\":"), &format!("\"{before}\":"));
        }
        fs::write(&path, text).unwrap();
        assert_eq!(TuningState::load_or(directory.path(), state()).unwrap(), state());
        let without = MatchSetup { engine_sha256: None, book_sha256: None, ..setup() };
        let earlier = TuningState { match_setup: Some(without), ..state() };
        earlier.store(directory.path()).unwrap();
        assert_eq!(TuningState::load_or(directory.path(), state()).unwrap(), earlier);
    }

    #[test]
    fn the_second_half_of_a_run_is_averaged() {
        let mut state = state();
        let perturbation = Perturbation { plus: vec![6, -2], minus: vec![4, -4], signs: vec![1.0, -1.0] };
        let mut sum = 0.0;
        for played in 4..=10_u64 {
            state.record_pair(&perturbation, 2, 2);
            assert_eq!((state.played, state.averaged), (played, played.saturating_sub(5)));
            sum += if played > 5 { state.params[0].value } else { 0.0 };
        }
        assert!((state.params[0].sum - sum).abs() < 1e-9 && state.params[0].value > 5.0);
        assert_eq!(state.balance, (15, 18));
        // A number that had stood elsewhere most of the time is proposed where it stood.
        state.params[0].value = 9.0;
        assert_eq!(state.params[0].proposed(state.averaged), 5);
        assert_eq!(state.params[0].proposed(0), 9);
    }

    #[test]
    fn another_runs_state_and_a_damaged_one_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path();
        state().store(out).unwrap();
        let mut other = state();
        other.nodes = 101;
        assert!(matches!(TuningState::load_or(out, other), Err(TuneError::State { .. })));
        let mut other = state();
        other.match_setup = Some(MatchSetup { engine: "c".into(), ..setup() });
        assert!(matches!(TuningState::load_or(out, other), Err(TuneError::State { .. })));
        // The program or the book has been replaced.
        for hashes in [("56", "34"), ("12", "56")].map(|(a, b)| (Some(a.to_string()), Some(b.to_string()))) {
            let (engine_sha256, book_sha256) = hashes;
            let other = MatchSetup { engine_sha256, book_sha256, ..setup() };
            let other = TuningState { match_setup: Some(other), ..state() };
            assert!(matches!(TuningState::load_or(out, other), Err(TuneError::State { .. })));
        }
        let mut other = state();
        other.params[1].step = 2;
        assert!(matches!(TuningState::load_or(out, other), Err(TuneError::State { .. })));
        let mut wild = state();
        wild.params[0].value = 11.0;
        wild.store(out).unwrap();
        assert!(matches!(TuningState::load_or(out, state()), Err(TuneError::State { .. })));
        fs::write(file(out), "{").unwrap();
        assert!(matches!(TuningState::load_or(out, state()), Err(TuneError::State { .. })));
    }
}
