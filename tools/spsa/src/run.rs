//! A tuning run: pairs of games on several threads that share one state.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::engine::SplitMix;
use datagen::ordered::Control;
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use crate::TuneError;
use crate::pair;
use crate::perturbation::{Perturbation, perturb};
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
    setup: &TuningSetup<P>,
    directory: &Path,
    control: &Control,
) -> Result<TuningState, TuneError>
where
    P: Fn() -> Result<UciEngine, TuneError> + Sync,
{
    if setup.book.is_empty() {
        return Err(TuneError::NoOpenings);
    }
    let bar = ProgressBar::new(state.schedule.pairs).with_position(state.played);
    if let Ok(style) = ProgressStyle::with_template("[{bar:30}] {pos}/{len} pairs {msg} {eta}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.reset_eta();
    let begun = state.played;
    let shared = Mutex::new(Shared { state, begun, written: Instant::now() });
    let outcomes: Vec<Result<(), TuneError>> = thread::scope(|scope| {
        let spawn = |_| {
            scope.spawn(|| {
                let outcome = play_pairs(&shared, setup, directory, control, &bar);
                if outcome.is_err() {
                    control.interrupt();
                }
                outcome
            })
        };
        let workers: Vec<_> = (0..setup.threads).map(spawn).collect();
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
    setup: &TuningSetup<P>,
    directory: &Path,
    control: &Control,
    bar: &ProgressBar,
) -> Result<(), TuneError> {
    let mut players = [(setup.start_engine)()?, (setup.start_engine)()?];
    let names: Vec<String> = shared.lock().state.params.iter().map(|c| c.name.clone()).collect();
    while !control.is_finishing() {
        let (perturbation, opening, nodes): (Perturbation, &Board, u64) = {
            let shared = &mut *shared.lock();
            let state = &mut shared.state;
            if shared.begun >= state.schedule.pairs {
                break;
            }
            shared.begun += 1;
            let mut random = SplitMix(state.random);
            let perturbation = perturb(&state.params, &state.schedule, &mut random);
            let opening = &setup.book[random.below(setup.book.len())];
            state.random = random.0;
            (perturbation, opening, state.nodes)
        };
        set_values(&mut players[0], &names, &perturbation.plus)?;
        set_values(&mut players[1], &names, &perturbation.minus)?;
        let (result, decided) = pair::play(&mut players, opening, nodes)?;
        let Shared { state, written, .. } = &mut *shared.lock();
        state.record_pair(&perturbation, result, decided);
        if written.elapsed() >= WRITE {
            state.store(directory)?;
            *written = Instant::now();
        }
        bar.set_position(state.played);
    }
    Ok(())
}
