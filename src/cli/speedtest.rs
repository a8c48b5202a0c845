//! `caesura speedtest`: measures speed and latency of the engine on this machine.

use std::process::ExitCode;
use std::time::Duration;

use crate::engine::{Pin, max_threads, this_machine};
use crate::speedtest::{
    ScalingRow, SpeedtestConfig, SpeedtestReport, clear_bandwidth, default_hash, latency, measure, plot,
    scaling, write_bandwidth,
};
use crate::uci::Output;

use super::arguments::SpeedtestArguments;
use super::error::CliError;
use super::inputs::{ResultFile, network, numa_policy};

pub(super) fn run(arguments: &SpeedtestArguments, output: &Output) -> Result<ExitCode, CliError> {
    let machine = this_machine();
    let parallelism = machine.parallelism(&machine.allowed);
    let threads =
        arguments.threads.or(arguments.threads_argument).unwrap_or_else(|| parallelism.min(max_threads()));
    let hash = arguments.hash.or(arguments.hash_argument).unwrap_or_else(|| default_hash(threads));
    let config = SpeedtestConfig {
        threads,
        policy: numa_policy(&arguments.options)?,
        pin: Pin::default(),
        hash,
        time: Duration::from_secs_f64(arguments.seconds_argument.unwrap_or(arguments.seconds)),
        network: network(&arguments.options)?,
    };
    let open =
        |path: &Option<_>| path.as_ref().map(|path: &std::path::PathBuf| ResultFile::open(path)).transpose();
    let (plot_file, json_file) = (open(&arguments.plot)?, open(&arguments.json)?);
    let rows = if arguments.scaling {
        let print = |row: &ScalingRow| {
            output.line(format_args!("{} threads: {} nodes/second", row.threads, row.rate));
        };
        scaling(&config, print)?
    } else {
        Vec::new()
    };
    let (mut engine, throughput) = measure(&config, &|| false)?;
    let latency = latency(&mut engine, arguments.rounds, &|| false)?;
    let clearing = clear_bandwidth(&mut engine)?;
    let writing = write_bandwidth(threads.min(parallelism), hash << 20);
    let words: Vec<_> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let bandwidths = [Some(clearing), writing];
    let report = SpeedtestReport::new(&words.join(" "), &config, &engine, &throughput, &latency, bandwidths)
        .with_scaling(rows.clone());
    // Before the files: the figures are printed even if a file cannot be written.
    output.line(&report);
    if let Some(file) = plot_file {
        file.write(&plot(&rows))?;
    }
    if let Some(file) = json_file {
        file.write(&report.json())?;
    }
    Ok(ExitCode::SUCCESS)
}
