//! How fast the engine is on this machine, and how well it uses many threads.
//!
//! `games` holds the positions: whole games, so that the table is used as in play. `measure` searches them at the
//! times of a game, `latency` times how searches start and stop, `scaling` compares numbers of threads, `bandwidth`
//! measures bandwidth, `whole` does all of it. `report` formats the results as text and as JSON, `plot` draws them.

mod bandwidth;
mod games;
mod latency;
mod measure;
mod plot;
mod report;
mod scaling;
mod whole;

pub use latency::{Latency, Percentiles, latency};
pub use measure::{SpeedtestConfig, Throughput, default_hash, measure};
pub use plot::plot;
pub use report::SpeedtestReport;
pub use scaling::{ScalingRow, scaling, scaling_table, thread_counts};
pub use whole::{DEFAULT_ROUNDS, DEFAULT_SECONDS, SECONDS, default_threads, run};
