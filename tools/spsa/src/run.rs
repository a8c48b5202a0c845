//! A run of an experiment: pairs of games on several threads that share one state.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use caesura::board::{Board, Setup};
use parking_lot::Mutex;
use toolkit::ordered::Control;
use toolkit::progress::StepProgress;

use crate::TuneError;
use crate::experiment::Experiment;
use crate::pair;
use crate::uci_engine::UciEngine;

/// The time between two writes of the state.
const WRITE: Duration = Duration::from_secs(5);

/// The engines, openings and threads of a run.
pub struct TuningSetup<F> {
    /// Starts an engine, built with the feature `tune`.
    pub start_engine: F,
    /// The openings.
    pub book: Vec<Setup>,
    /// The number of pairs played at the same time.
    pub threads: usize,
}

/// Plays until all pairs are played, no opening is left or the run is stopped, and writes the state to `directory` once a pair was played.
///
/// # Errors
/// If there are no openings, or an engine or a file fails. The results of earlier pairs are kept.
pub fn run<E, P>(
    experiment: E,
    setup: &TuningSetup<P>,
    directory: &Path,
    control: &Control,
) -> Result<E, TuneError>
where
    E: Experiment,
    P: Fn() -> Result<UciEngine, TuneError> + Sync,
{
    if setup.book.is_empty() {
        return Err(TuneError::NoOpenings);
    }
    let begun = experiment.played();
    let progress = StepProgress::new("pairs", experiment.pairs(), begun);
    let shared = Mutex::new(Shared { experiment, begun, written: Instant::now(), progress });
    let outcomes: Vec<Result<(), TuneError>> = thread::scope(|scope| {
        let spawn = |_| {
            scope.spawn(|| {
                let outcome = play_pairs(&shared, setup, directory, control);
                if outcome.is_err() {
                    control.finish.store(true, Ordering::Relaxed);
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
    let Shared { experiment, progress, .. } = shared.into_inner();
    progress.finish();
    // A first attempt at which no engine plays leaves the directory to the next one, whatever that asks for.
    if experiment.played() > 0 {
        experiment.store(directory)?;
    }
    outcomes.into_iter().collect::<Result<(), _>>()?;
    Ok(experiment)
}

/// The data that the threads share.
struct Shared<E> {
    experiment: E,
    /// The number of pairs played or in progress.
    begun: u64,
    /// The time of the last write of the state.
    written: Instant,
    progress: StepProgress,
}

/// Sets the values of all parameters of an engine.
fn set_values(player: &mut UciEngine, names: &[String], values: &[i32]) -> Result<(), TuneError> {
    for (name, &value) in names.iter().zip(values) {
        player.set_option(name, i64::from(value))?;
    }
    player.wait_until_ready()
}

fn play_pairs<E: Experiment, P: Fn() -> Result<UciEngine, TuneError>>(
    shared: &Mutex<Shared<E>>,
    setup: &TuningSetup<P>,
    directory: &Path,
    control: &Control,
) -> Result<(), TuneError> {
    let mut players = [(setup.start_engine)()?, (setup.start_engine)()?];
    let names = shared.lock().experiment.names();
    while !control.is_finishing() {
        let (draw, opening, nodes): (E::Draw, &Setup, u64) = {
            let Shared { experiment, begun, .. } = &mut *shared.lock();
            if *begun >= experiment.pairs() {
                break;
            }
            let Some((draw, opening)) = experiment.draw(setup.book.len()) else { break };
            *begun += 1;
            (draw, &setup.book[opening], experiment.nodes())
        };
        for (player, values) in players.iter_mut().zip(E::values(&draw)) {
            set_values(player, &names, values)?;
        }
        let Some((result, decided)) =
            pair::play(&mut players, &Board::from_setup(opening), nodes, &control.abandon)?
        else {
            break;
        };
        let Shared { experiment, written, progress, .. } = &mut *shared.lock();
        experiment.record(&draw, result, decided);
        if written.elapsed() >= WRITE {
            experiment.store(directory)?;
            *written = Instant::now();
        }
        progress.show(experiment.played(), "");
    }
    Ok(())
}
