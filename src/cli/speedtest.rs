//! `caesura speedtest`: how fast the engine is on this machine.

use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use crate::engine::MAX_THREADS;
use crate::speedtest::{
    SpeedtestReport, Throughput, clear_bandwidth, latency, measure, plot, scaling, write_bandwidth,
};
use crate::topology;
use crate::uci::Output;
use crate::util::memory;

use super::arguments::SpeedtestArguments;
use super::inputs::{CliError, network, policy};

/// Megabytes of table for each thread, where nothing else is asked for.
const HASH_PER_THREAD: usize = 128;
/// Bytes of one.
const MEGABYTE: u64 = 1 << 20;
/// One part in so many of what is available, at most, becomes the table then.
const HASH_SHARE: u64 = 4;

pub(super) fn run(arguments: &SpeedtestArguments, output: &Output) -> Result<ExitCode, CliError> {
    let machine = topology::this_machine();
    let threads = arguments.threads.unwrap_or_else(|| machine.parallelism(&machine.allowed).min(MAX_THREADS));
    let hash = arguments.hash.unwrap_or_else(|| {
        let room = memory::available().map_or(usize::MAX, |bytes| (bytes / HASH_SHARE / MEGABYTE) as usize);
        (HASH_PER_THREAD * threads).min(room).max(1)
    });
    let setup = Throughput {
        threads,
        policy: policy(&arguments.numa_policy)?,
        hash,
        time: Duration::from_secs_f64(arguments.seconds),
        network: network(&arguments.network.eval_file)?,
    };
    let rows = if arguments.scaling {
        let tell = |row: &crate::speedtest::ScalingRow| {
            output.line(format_args!("{} threads: {} nodes/second", row.threads, row.rate));
        };
        scaling(&setup, tell)?
    } else {
        Vec::new()
    };
    let (mut engine, speed) = measure(&setup)?;
    let latency = latency(&mut engine, arguments.rounds)?;
    let clearing = clear_bandwidth(&mut engine)?;
    let writing = write_bandwidth(threads.min(machine.parallelism(&machine.allowed)), hash << 20);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let report =
        SpeedtestReport::new(&words.join(" "), &setup, &engine, &speed, &latency, [Some(clearing), writing]);
    if let Some(file) = &arguments.plot {
        write(file, &plot(&rows))?;
    }
    let report = report.with_scaling(rows);
    if let Some(file) = &arguments.json {
        write(file, &report.json())?;
    }
    output.line(report);
    Ok(ExitCode::SUCCESS)
}

fn write(file: &std::path::Path, text: &str) -> Result<(), CliError> {
    fs::write(file, text).map_err(|error| CliError(format!("{}: {error}", file.display())))
}
