//! `caesura suite`: solves the test positions of an EPD file.

use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

use crate::board::notation;
use crate::engine::{NullCounts, shown_score};
use crate::suite::{self, TestPosition};
use crate::types::Score;
use crate::uci::Output;
use crate::util::quote::excerpt;

use super::arguments::SuiteArguments;
use super::error::{CliError, print_remarks};
use super::inputs::read_text;
use super::search::limits;

pub(super) fn run(arguments: &SuiteArguments, output: &Output) -> Result<ExitCode, CliError> {
    let tasks = TestPosition::parse_all(&read_text(&arguments.file)?)
        .map_err(|source| CliError::Suite { path: arguments.file.clone(), source })?;
    if tasks.is_empty() {
        return Err(CliError::Empty(arguments.file.clone()));
    }
    let mut engine = arguments.options.engine()?;

    // Hidden where the standard error is no terminal.
    let bar = ProgressBar::new(tasks.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta}") {
        bar.set_style(style);
    }
    let mut solved = 0;
    let mut scores = Vec::with_capacity(tasks.len());
    let mut null_counts = NullCounts::default();
    let report = suite::run(&mut engine, &tasks, &limits(&arguments.limit), |task, result, verdict| {
        solved += usize::from(verdict.solved);
        null_counts += result.null_counts;
        if !verdict.solved {
            let shown = |score| Score::from(shown_score(score, task.board.material()));
            scores.push(result.lines.first().map(|line| shown(line.score)));
        }
        bar.suspend(|| print_remarks(&result.warnings));
        bar.set_message(format!("solved {solved}"));
        bar.inc(1);
    })?;
    bar.finish_and_clear();

    for (missed, score) in report.unsolved.iter().zip(scores) {
        let task = missed.task;
        let found = missed.found.map_or_else(|| "no move".to_string(), |m| notation::to_san(&task.board, m));
        let score = score.map_or_else(String::new, |score| format!(" ({score})"));
        let points = match task.max_points() {
            0 => String::new(),
            most => format!(", {} of {most} points", missed.points),
        };
        output.line(format_args!(
            "missed {}: {}, found {found}{score}{points}",
            excerpt(&task.id),
            task.wanted
        ));
    }
    if engine.options().null_move_settings.report_counts {
        output.line(null_counts);
    }
    output.line(report);
    Ok(ExitCode::SUCCESS)
}
