//! The one place that turns a null-move scheme's name into code.

use super::context::Search;
use super::null_move::adaptive::Adaptive;
use super::null_move::adaptive34::Adaptive34;
use super::null_move::double::Double;
use super::null_move::extended::Extended;
use super::null_move::fhr::Fhr;
use super::null_move::fixed::Fixed;
use super::null_move::formula::Formula;
use super::null_move::fruit::Fruit;
use super::null_move::guarded::Guarded;
use super::null_move::off::Off;
use super::null_move::once::Once;
use super::null_move::reduce::Reduce;
use super::null_move::switched::Switched;
use super::null_move::tuned::Tuned;
use super::null_move::variable::Variable;
use super::null_move::verified::Verified;
use super::null_move::{Scheme, SchemeName};
use super::shared::Job;
use super::worker::Worker;

/// Lets a worker search a job to its end. From here on the scheme is a type.
pub fn run(worker: &mut Worker, job: &Job) {
    let settings = job.options.null_move_settings;
    let (r, dr) = (settings.r, settings.dr);
    let switched = settings.switches.any();
    let tuned = Tuned(settings.tuning.unwrap_or_default());
    match job.options.null_move {
        SchemeName::Off => run_with(worker, job, Off),
        SchemeName::Once => run_with(worker, job, Once { r }),
        SchemeName::Fixed => run_with(worker, job, Fixed { r }),
        SchemeName::Fruit => run_with(worker, job, Fruit),
        SchemeName::Adaptive => run_with(worker, job, Adaptive),
        SchemeName::Adaptive34 => run_with(worker, job, Adaptive34),
        SchemeName::Formula => run_with(worker, job, Formula),
        SchemeName::Verified => run_with(worker, job, Verified),
        SchemeName::Double => run_with(worker, job, Double { r }),
        SchemeName::Variable => run_with(worker, job, Variable { r }),
        SchemeName::Fhr => run_with(worker, job, Fhr),
        SchemeName::Guarded => run_with(worker, job, Guarded),
        SchemeName::Reduce => run_with(worker, job, Reduce { r, dr }),
        SchemeName::Extended if switched => run_with(worker, job, Switched(Extended)),
        SchemeName::Extended => run_with(worker, job, Extended),
        SchemeName::Tuned if switched => run_with(worker, job, Switched(tuned)),
        SchemeName::Tuned => run_with(worker, job, tuned),
    }
}

fn run_with<S: Scheme>(worker: &mut Worker, job: &Job, scheme: S) {
    Search { worker, job, scheme }.deepen();
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::board::Board;
    use crate::clock::{Limits, TimeBudget};
    use crate::search::SearchOptions;
    use crate::search::history::Correction;
    use crate::search::reports::NullListener;
    use crate::tt::TranspositionTable;
    use crate::util::sync::Instant;

    #[test]
    fn a_worker_ends_at_the_deadline_though_nobody_else_looks_at_the_clock() {
        for time in [0, 5].map(Duration::from_millis) {
            let board = Board::start();
            let moves = board.legal_moves().to_vec();
            let table = Arc::new(TranspositionTable::new(1).expect("memory"));
            // More than can be searched in the time.
            let limits = Limits { nodes: Some(5_000_000), ..Limits::default() };
            let budget = TimeBudget { soft: None, hard: Some(time) };
            let options = SearchOptions::default();
            let listener = Arc::new(NullListener);
            let job = Job::new(board, limits, options, moves, budget, Instant::now(), table, 1, listener);
            let mut worker = Worker::new(0, 0, Arc::new(Correction::new(1)));
            run(&mut worker, &job);
            assert!(job.is_stopped() && worker.completed > 0);
            assert!(worker.nodes < 5_000_000 && !worker.exhausted);
        }
    }
}
