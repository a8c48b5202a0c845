//! `caesura speedtest`: measures speed and latency of the engine on this machine.

use std::process::ExitCode;
use std::time::Duration;

use crate::engine::Pin;
use crate::speedtest::{self, ScalingRow, SpeedtestConfig, default_hash, default_threads, plot, scaling};
use crate::uci::Output;

use super::arguments::SpeedtestArguments;
use super::error::CliError;
use super::inputs::{ResultFile, network, numa_policy};

pub(super) fn run(arguments: &SpeedtestArguments, output: &Output) -> Result<ExitCode, CliError> {
    let policy = numa_policy(&arguments.options)?;
    let threads =
        arguments.threads.or(arguments.threads_argument).unwrap_or_else(|| default_threads(&policy));
    let hash = arguments.hash.or(arguments.hash_argument).unwrap_or_else(|| default_hash(threads));
    let config = SpeedtestConfig {
        threads,
        policy,
        pin: Pin::default(),
        hash,
        time: Duration::from_secs_f64(arguments.seconds_argument.unwrap_or(arguments.seconds)),
        network: network(&arguments.options)?,
    };
    let open =
        |path: &Option<_>| path.as_ref().map(|path: &std::path::PathBuf| ResultFile::open(path)).transpose();
    if arguments.plot.is_some() && arguments.plot == arguments.json {
        return Err(CliError::Usage("--plot and --json name one file"));
    }
    let (plot_file, json_file) = (open(&arguments.plot)?, open(&arguments.json)?);
    let words: Vec<_> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // First: memory that an engine before it has used and left would not count as its own.
    let report = speedtest::run(&words.join(" "), &config, arguments.rounds, &|| false)?;
    let rows = if arguments.scaling {
        let print = |row: &ScalingRow| {
            output.line(format_args!("{} threads: {} nodes/second", row.threads, row.rate));
        };
        scaling(&config, print)
    } else {
        Ok(Vec::new())
    };
    let report = report.with_scaling(rows.as_deref().unwrap_or_default().to_vec());
    // First of all: the figures are printed even if the other measurement has failed or a file cannot be written.
    output.line(&report);
    let rows = rows?;
    if let Some(file) = plot_file {
        file.write(&plot(&rows))?;
    }
    if let Some(file) = json_file {
        file.write(&report.json())?;
    }
    Ok(ExitCode::SUCCESS)
}
