//! Searches the positions of whole games, with times as in play.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::{Engine, EngineError, Limits, Network, NumaPolicy, Pin};
use crate::util::memory;
use crate::util::rate::per_second;

use super::games::games;
use super::latency::Percentiles;

/// How to measure.
#[derive(Clone, Debug)]
pub struct SpeedtestConfig {
    /// Threads to request.
    pub threads: usize,
    /// How threads are bound to NUMA nodes, and whether more may search than there are processors.
    pub policy: NumaPolicy,
    /// When threads are bound to single processors.
    pub pin: Pin,
    /// The transposition table, in megabytes.
    pub hash: usize,
    /// How long to search in all.
    pub time: Duration,
    /// The network to evaluate by.
    pub network: Arc<Network>,
}

/// How fast the searches were.
#[derive(Clone, Debug, Default)]
pub struct Throughput {
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
    /// Nodes of each thread that searched.
    pub by_thread: Vec<u64>,
    /// How full the table was after a search, counting entries of that search, in thousandths: maximum and mean.
    pub hashfull: [u32; 2],
    /// By how much searches exceeded their time.
    pub lateness: Percentiles,
    /// Memory for each thread, in bytes: its share of what the process allocated for all; `None` if the system does not
    /// report it.
    pub memory_per_thread: Option<u64>,
}

impl Throughput {
    /// Nodes a second.
    pub fn rate(&self) -> u64 {
        per_second(self.nodes, self.time)
    }

    /// Nodes a second of the slowest thread, the median, and those of the fastest thread.
    pub fn thread_spread(&self) -> [u64; 3] {
        let mut rates: Vec<u64> = self.by_thread.iter().map(|&nodes| per_second(nodes, self.time)).collect();
        rates.sort_unstable();
        let at = |place: usize| rates.get(place).copied().unwrap_or(0);
        let last = rates.len().saturating_sub(1);
        [at(0), at(last / 2).midpoint(at(rates.len() / 2)), at(last)]
    }
}

/// Shorter searches would measure little but their start.
const MIN_MOVE_TIME: Duration = Duration::from_millis(20);

/// Runs an engine through the games, until `is_cancelled` returns true at the latest.
///
/// The time of a move is proportional to 1 / (plies played + 15), so that it falls as in a game. If there is not enough
/// time for every position, some are left out at equal distances.
///
/// # Errors
/// If there is no memory for the table or no room for the threads.
pub fn measure(
    setup: &SpeedtestConfig,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(Engine, Throughput), EngineError> {
    let before = memory::resident();
    let mut engine = Engine::new(setup.threads, setup.hash)?;
    engine.set_numa_policy(setup.policy.clone())?;
    engine.set_pin(setup.pin)?;
    engine.set_network(setup.network.clone())?;
    engine.options_mut().move_overhead = Duration::ZERO;
    let games = games();
    let all: usize = games.iter().map(Vec::len).sum();
    let room = (setup.time.as_millis() / MIN_MOVE_TIME.as_millis()).clamp(1, all as u128) as usize;
    let step = all.div_ceil(room);
    let weight = |ply: u32| 1.0 / f64::from(ply + 15);
    let chosen = || games.iter().map(move |game| game.iter().step_by(step));
    let weights: f64 = chosen().flatten().map(|board| weight(board.ply())).sum();

    let mut speed = Throughput { by_thread: vec![0; engine.active_threads()], ..Throughput::default() };
    let (mut late, mut fill, mut searches) = (Vec::new(), 0, 0);
    for game in chosen() {
        engine.new_game()?;
        for board in game.take_while(|_| !is_cancelled()) {
            let time = setup.time.mul_f64(weight(board.ply()) / weights).max(Duration::from_millis(1));
            engine.set_position(board.clone());
            let result =
                engine.search_until(Limits { move_time: Some(time), ..Limits::default() }, is_cancelled)?;
            speed.time += result.time;
            late.push(result.time.saturating_sub(time));
            let full = result.lines.first().map_or(0, |line| line.hashfull);
            speed.hashfull[0] = speed.hashfull[0].max(full);
            (fill, searches) = (fill + full, searches + 1);
            for (sum, nodes) in speed.by_thread.iter_mut().zip(engine.nodes_by_thread()) {
                *sum += nodes;
            }
        }
    }
    speed.nodes = speed.by_thread.iter().sum();
    speed.hashfull[1] = fill / searches.max(1);
    speed.lateness = Percentiles::of(late);
    let table = engine.hash().1.map_or((setup.hash as u64) << 20, |pages| pages.transparent + pages.plain);
    speed.memory_per_thread = before.zip(memory::resident()).map(|(before, after)| {
        after.saturating_sub(before).saturating_sub(table) / engine.active_threads() as u64
    });
    Ok((engine, speed))
}

/// Megabytes of transposition table for each thread, where no size is given.
const HASH_PER_THREAD: usize = 128;
/// The divisor of the available memory that gives the largest such table.
const HASH_SHARE: u64 = 4;

/// The size of the transposition table where none is given, in megabytes: 128 for each thread, up to a quarter of the
/// available memory.
pub fn default_hash(threads: usize) -> usize {
    let room = memory::available().map_or(usize::MAX, |bytes| ((bytes / HASH_SHARE) >> 20) as usize);
    (HASH_PER_THREAD * threads).min(room).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_threads_lies_in_the_middle() {
        let spread = |by_thread: &[u64]| {
            let time = Duration::from_secs(1);
            Throughput { by_thread: by_thread.to_vec(), time, ..Throughput::default() }.thread_spread()
        };
        assert_eq!(spread(&[]), [0; 3]);
        assert_eq!(spread(&[7]), [7; 3]);
        assert_eq!(spread(&[40, 10]), [10, 25, 40]);
        assert_eq!(spread(&[3, 1, 9]), [1, 3, 9]);
        assert_eq!(spread(&[8, 4, 1, 100]), [1, 6, 100]);
    }
}
