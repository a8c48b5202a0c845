//! The one place that turns a null-move scheme's name into code.

use super::context::Search;
use super::null_move::{Extended, Off, Scheme, SchemeName};
use super::shared::Job;
use super::worker::Worker;

/// Lets a worker search a job to its end. From here on the scheme is a type.
pub fn run(worker: &mut Worker, job: &Job) {
    match job.options.null_move {
        SchemeName::Off => run_with(worker, job, Off),
        SchemeName::Extended => run_with(worker, job, Extended),
    }
}

fn run_with<S: Scheme>(worker: &mut Worker, job: &Job, scheme: S) {
    Search { worker, job, scheme }.deepen();
}
