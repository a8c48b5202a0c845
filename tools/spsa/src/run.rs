//! Pairs of games on several threads, one descent for all.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::util::random::splitmix;
use datagen::ordered::Control;
use indicatif::{ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use crate::TuneError;
use crate::descent::{self, Trial};
use crate::pair::{self, Terms};
use crate::player::Player;
use crate::state::State;

/// How often the state is written.
const WRITE: Duration = Duration::from_secs(5);

/// What a run needs besides its state.
pub struct Setting<P> {
    /// Starts an engine, built with the feature `tune`.
    pub player: P,
    /// The openings.
    pub book: Vec<Board>,
    /// Pairs played at the same time.
    pub threads: usize,
}

/// Plays until all pairs are played or it is told to end; the state is in `directory` then.
///
/// # Errors
/// If an engine or a file fails. What was learnt before is kept.
pub fn run<P>(
    state: State,
    setting: &Setting<P>,
    directory: &Path,
    control: &Control,
) -> Result<State, TuneError>
where
    P: Fn() -> Result<Player, TuneError> + Sync,
{
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
                let outcome = work(&shared, setting, directory, control, &bar);
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

/// What the threads share.
struct Shared {
    state: State,
    /// The pairs played and those being played.
    begun: u64,
    /// When the state was written last.
    written: Instant,
}

/// Tells a player its numbers.
fn instruct(player: &mut Player, names: &[String], values: &[i32]) -> Result<(), TuneError> {
    for (name, &value) in names.iter().zip(values) {
        player.set(name, i64::from(value))?;
    }
    player.ready()
}

fn work<P: Fn() -> Result<Player, TuneError>>(
    shared: &Mutex<Shared>,
    setting: &Setting<P>,
    directory: &Path,
    control: &Control,
    bar: &ProgressBar,
) -> Result<(), TuneError> {
    let mut players = [(setting.player)()?, (setting.player)()?];
    let names: Vec<String> = shared.lock().state.coordinates.iter().map(|c| c.name.clone()).collect();
    while !control.is_finishing() {
        let (trial, opening, nodes): (Trial, &Board, u64) = {
            let shared = &mut *shared.lock();
            let state = &mut shared.state;
            if shared.begun >= state.pace.pairs {
                break;
            }
            shared.begun += 1;
            let trial = descent::trial(&state.coordinates, &state.pace, &mut state.dice);
            let opening = &setting.book[splitmix(&mut state.dice) as usize % setting.book.len()];
            (trial, opening, state.nodes)
        };
        instruct(&mut players[0], &names, &trial.plus)?;
        instruct(&mut players[1], &names, &trial.minus)?;
        let (result, decided) = pair::play(&mut players, opening, Terms { nodes })?;
        let Shared { state, written, .. } = &mut *shared.lock();
        state.learn(&trial, result, decided);
        if written.elapsed() >= WRITE {
            state.store(directory)?;
            *written = Instant::now();
        }
        bar.set_position(state.played);
    }
    Ok(())
}
