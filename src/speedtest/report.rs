//! The results of a speed test as text and as JSON.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use crate::engine::Engine;
use crate::util::cpu;

use super::latency::{Latency, Percentiles};
use super::measure::{SpeedtestConfig, Throughput};
use super::scaling::{ScalingRow, scaling_table};

/// The results of a speed test. The first fields have the names that Stockfish's `speedtest` uses, so that results can be
/// compared.
#[derive(Clone, Debug)]
pub struct SpeedtestReport {
    fields: Vec<(String, Value)>,
    rows: Vec<ScalingRow>,
}

fn milliseconds(times: &Percentiles) -> Value {
    let number = |time: Duration| time.as_secs_f64() * 1e3;
    json!({
        "count": times.count,
        "median": number(times.median),
        "p99": number(times.p99),
        "max": number(times.max),
    })
}

impl SpeedtestReport {
    /// The report of a run: the user's command, the configuration that it came to, the engine after the run, and the
    /// results. `bandwidths` are those of clearing the table and of plain writing with as many threads, in bytes a second,
    /// if they are known.
    pub fn new(
        invocation: &str,
        setup: &SpeedtestConfig,
        engine: &Engine,
        speed: &Throughput,
        latency: &Latency,
        bandwidths: [Option<f64>; 2],
    ) -> SpeedtestReport {
        let placement = engine.placement();
        let (_, backing) = engine.hash();
        let filled = format!("speedtest {} {} {}", setup.threads, setup.hash, setup.time.as_secs_f64());
        let large = backing.is_some_and(|backing| backing.giant + backing.huge + backing.transparent > 0);
        let binding = if placement.is_bound() { placement.to_string() } else { "none".to_string() };
        let mut nodes = vec![0; placement.numa_nodes];
        for (place, count) in placement.threads.iter().zip(&speed.by_thread) {
            nodes[place.numa_node] += count;
        }
        let seconds = speed.time.as_secs_f64();
        let per_node: Vec<u64> =
            nodes.iter().map(|&count| (count as f64 / seconds.max(1e-9)) as u64).collect();
        let gigabytes = |bytes: f64| (bytes / 1e8).round() / 10.0;
        let field = |name: &str, value: Value| (name.to_string(), value);
        let fields = vec![
            field("Version", json!(format!("Caesura {}", env!("CARGO_PKG_VERSION")))),
            field("Compilation architecture", json!(cpu::compiled_set())),
            field(
                "Compilation settings",
                json!(cpu::names(|feature| feature.compiled, "none beyond the base")),
            ),
            field("Large pages", json!(if large { "yes" } else { "no" })),
            field("User invocation", json!(invocation)),
            field("Filled invocation", json!(filled)),
            field("Available processors", json!(engine.machine().allowed.to_string())),
            field("Thread count", json!(setup.threads)),
            field("Threads that search", json!(engine.active_threads())),
            field("Thread binding", json!(binding)),
            field("TT size [MiB]", json!(setup.hash)),
            field("Hash max, avg [per mille]", json!(speed.hashfull)),
            field("Total nodes searched", json!(speed.nodes)),
            field("Total search time [s]", json!((seconds * 1e3).round() / 1e3)),
            field("Nodes/second", json!(speed.rate())),
            field("Nodes/second of threads: min, median, max", json!(speed.thread_spread())),
            field("Nodes/second of NUMA nodes", json!(per_node)),
            field(
                "Table pages",
                json!(backing.map_or_else(|| "unknown".to_string(), |found| found.to_string())),
            ),
            field(
                "Table by NUMA node",
                json!(
                    engine
                        .hash_by_numa_node()
                        .map_or_else(|| "unknown".to_string(), |found| found.to_string())
                ),
            ),
            field("Memory per thread [MiB]", json!(speed.memory_per_thread.map(|bytes| bytes >> 20))),
            field(
                "Table clearing, plain writing [GB/s]",
                json!(bandwidths.map(|bytes| bytes.map(gigabytes))),
            ),
            field("go to first thread [ms]", milliseconds(&latency.first)),
            field("go to all threads [ms]", milliseconds(&latency.start)),
            field("stop to bestmove [ms]", milliseconds(&latency.stop)),
            field("Beyond the time of a move [ms]", milliseconds(&speed.lateness)),
            field("Remarks", json!(placement.remarks)),
        ];
        SpeedtestReport { fields, rows: Vec::new() }
    }

    /// Adds the table of speeds by number of threads.
    pub fn with_scaling(self, rows: Vec<ScalingRow>) -> SpeedtestReport {
        SpeedtestReport { rows, ..self }
    }

    /// The report as JSON.
    pub fn json(&self) -> String {
        let mut object: serde_json::Map<String, Value> = self.fields.iter().cloned().collect();
        if !self.rows.is_empty() {
            let rows: Vec<Value> = self
                .rows
                .iter()
                .map(|row| {
                    json!({
                        "threads": row.threads,
                        "nodes_per_second": row.rate,
                        "efficiency": row.efficiency,
                        "depth": row.depth,
                        "time_to_depth": row.time_to_depth.as_secs_f64(),
                        "main_thread_nodes_to_depth": row.nodes_to_depth,
                    })
                })
                .collect();
            object.insert("Scaling".to_string(), Value::Array(rows));
        }
        format!("{:#}\n", Value::Object(object))
    }
}

impl fmt::Display for SpeedtestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.fields {
            write!(f, "{name:<27}: ")?;
            match value {
                Value::String(text) => writeln!(f, "{text}")?,
                Value::Array(parts) => {
                    let texts: Vec<String> = parts
                        .iter()
                        .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_string))
                        .collect();
                    writeln!(f, "{}", if texts.is_empty() { "none".to_string() } else { texts.join(", ") })?;
                }
                Value::Object(times) => {
                    let number = |name: &str| times.get(name).and_then(Value::as_f64).unwrap_or(0.0);
                    let [median, p99, max] = ["median", "p99", "max"].map(number);
                    let count = number("count");
                    writeln!(f, "median {median:.3}, p99 {p99:.3}, max {max:.3} ({count} times)")?;
                }
                Value::Null => writeln!(f, "unknown")?,
                other => writeln!(f, "{other}")?,
            }
        }
        if !self.rows.is_empty() {
            write!(f, "\n{}", scaling_table(&self.rows))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::engine::{MATERIAL_NETWORK, NumaPolicy, Pin, load_network};
    use crate::speedtest::{latency, measure};

    #[test]
    fn a_run_is_reported_in_words_and_as_json() {
        let setup = SpeedtestConfig {
            threads: 2,
            policy: NumaPolicy::Off,
            pin: Pin::Off,
            hash: 2,
            time: Duration::from_millis(200),
            network: load_network(Path::new(MATERIAL_NETWORK)).expect("memory"),
        };
        let (mut engine, speed) = measure(&setup, &|| false).expect("memory");
        assert_eq!(speed.by_thread.iter().sum::<u64>(), speed.nodes);
        assert_eq!((engine.pin(), engine.numa_policy()), (Pin::Off, &NumaPolicy::Off));
        let latency = latency(&mut engine, 3, &|| false).expect("idle");
        let row = |threads| ScalingRow {
            threads,
            rate: 7,
            efficiency: 1.0,
            depth: 6,
            time_to_depth: Duration::from_secs(1),
            nodes_to_depth: 7,
        };
        let report = SpeedtestReport::new(
            "speedtest --threads 2",
            &setup,
            &engine,
            &speed,
            &latency,
            [Some(1e9), None],
        )
        .with_scaling(vec![row(1), row(2)]);
        let value: Value = serde_json::from_str(&report.json()).expect("JSON");
        assert_eq!((&value["Thread count"], &value["Threads that search"]), (&json!(2), &json!(2)));
        assert_eq!(value["Filled invocation"], "speedtest 2 2 0.2");
        assert!(value["Nodes/second"].as_u64().is_some_and(|rate| rate > 0));
        assert_eq!(value["stop to bestmove [ms]"]["count"], 3);
        assert_eq!(value["Table clearing, plain writing [GB/s]"], json!([1.0, null]));
        assert_eq!(value["Scaling"].as_array().map(Vec::len), Some(2));
        let text = report.to_string();
        assert!(
            text.contains("\nTT size [MiB]              : 2\n") && text.contains("\nthreads  nodes/second")
        );
    }
}
