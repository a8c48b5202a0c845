//! A tuning run: pairs of games on several threads that share one state.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::util::random::splitmix;
use datagen::ordered::Control;
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use crate::TuneError;
use crate::pair::{self, Terms};
use crate::perturbation::{self, Perturbation};
use crate::state::TuningState;
use crate::uci_engine::UciEngine;

/// The time between two writes of the state.
const WRITE: Duration = Duration::from_secs(5);

/// The engines, openings and threads of a run.
pub struct TuningSetup<F> {
    /// Starts an engine, built with the feature `tune`.
    pub start_engine: F,
    /// The openings.
    pub book: Vec<Board>,
    /// The number of pairs played at the same time.
    pub threads: usize,
}

/// Plays until all pairs are played or the run is stopped, and writes the state to `directory`.
///
/// # Errors
/// If there are no openings, or an engine or a file fails. The results of earlier pairs are kept.
pub fn run<P>(
    state: TuningState,
    setting: &TuningSetup<P>,
    directory: &Path,
    control: &Control,
) -> Result<TuningState, TuneError>
where
    P: Fn() -> Result<UciEngine, TuneError> + Sync,
{
    if setting.book.is_empty() {
        return Err(TuneError::NoOpenings);
    }
    let bar = ProgressBar::new(state.pace.pairs).with_position(state.played);
    if let Ok(style) = ProgressStyle::with_template("[{bar:30}] {pos}/{len} pairs {msg} {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.reset_eta();
    let begun = state.played;
    let shared = Mutex::new(Shared { state, begun, written: Instant::now() });
    let outcomes: Vec<Result<(), TuneError>> = thread::scope(|scope| {
        let spawn = |_| {
            scope.spawn(|| {
                let outcome = play_pairs(&shared, setting, directory, control, &bar);
                if outcome.is_err() {
                    control.interrupt();
                }
                outcome
            })
        };
        let workers: Vec<_> = (0..setting.threads).map(spawn).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    bar.abandon();
    let state = shared.into_inner().state;
    state.store(directory)?;
    outcomes.into_iter().collect::<Result<(), _>>()?;
    Ok(state)
}

/// The data that the threads share.
struct Shared {
    state: TuningState,
    /// The number of pairs played or in progress.
    begun: u64,
    /// The time of the last write of the state.
    written: Instant,
}

/// Sets the values of all parameters of an engine.
fn set_values(player: &mut UciEngine, names: &[String], values: &[i32]) -> Result<(), TuneError> {
    for (name, &value) in names.iter().zip(values) {
        player.set_option(name, i64::from(value))?;
    }
    player.wait_until_ready()
}

fn play_pairs<P: Fn() -> Result<UciEngine, TuneError>>(
    shared: &Mutex<Shared>,
    setting: &TuningSetup<P>,
    directory: &Path,
    control: &Control,
    bar: &ProgressBar,
) -> Result<(), TuneError> {
    let mut players = [(setting.start_engine)()?, (setting.start_engine)()?];
    let names: Vec<String> = shared.lock().state.coordinates.iter().map(|c| c.name.clone()).collect();
    while !control.is_finishing() {
        let (trial, opening, nodes): (Perturbation, &Board, u64) = {
            let shared = &mut *shared.lock();
            let state = &mut shared.state;
            if shared.begun >= state.pace.pairs {
                break;
            }
            shared.begun += 1;
            let trial = perturbation::perturb(&state.coordinates, &state.pace, &mut state.dice);
            let opening = &setting.book[splitmix(&mut state.dice) as usize % setting.book.len()];
            (trial, opening, state.nodes)
        };
        set_values(&mut players[0], &names, &trial.plus)?;
        set_values(&mut players[1], &names, &trial.minus)?;
        let (result, decided) = pair::play(&mut players, opening, Terms { nodes })?;
        let Shared { state, written, .. } = &mut *shared.lock();
        state.record_pair(&trial, result, decided);
        if written.elapsed() >= WRITE {
            state.store(directory)?;
            *written = Instant::now();
        }
        bar.set_position(state.played);
    }
    Ok(())
}
