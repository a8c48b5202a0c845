//! How often threads read what others have written, counted in lockstep: many of them on any machine, the same each time.

use std::num::NonZeroU64;
use std::sync::Arc;

use parking_lot::Mutex;

use super::Pool;
use crate::board::Board;
use crate::clock::Limits;
use crate::search::history::line_directory::LineDirectory;
use crate::search::reports::NullListener;
use crate::search::{Job, SearchOptions, SearchRequest};
use crate::topology::{Machine, NumaPolicy, Pin, Placement, Processor, place_threads};
use crate::tt::TranspositionTable;
use crate::util::sync::Instant;

/// Cores, each with a thread.
const THREADS: usize = 128;
/// Cores under one last-level cache.
const CACHE_CORES: usize = 8;
/// Nodes that each thread searches, and nodes of a turn.
const NODES: u64 = 1200;
const TURN: u64 = 1;

/// A socket of many cores on one NUMA node.
fn machine() -> Machine {
    let uniform = Machine::uniform(THREADS);
    let with_cache = |p: &Processor| Processor { cache: p.number / CACHE_CORES * CACHE_CORES, ..*p };
    Machine { processors: uniform.processors.iter().map(with_cache).collect(), ..uniform }
}

/// Near and far transfers of lines of shared histories for each node of a search by these threads.
fn transfers_per_node(placement: &Placement) -> [f64; 2] {
    let caches = (0..THREADS).map(|thread| thread / CACHE_CORES).collect();
    let directory = Arc::new(Mutex::new(LineDirectory::new(caches)));
    let mut pool = Pool::new().expect("a coordinator");
    pool.replace_threads(placement).expect("threads");
    let for_threads = Arc::clone(&directory);
    pool.broadcast(move |thread| LineDirectory::attend(&for_threads, thread));
    let limits = Limits::nodes(NODES * THREADS as u64);
    let options = SearchOptions { turn_nodes: NonZeroU64::new(TURN), ..SearchOptions::default() };
    let request = SearchRequest::new(Board::start(), limits, options, Instant::now());
    let table = Arc::new(TranspositionTable::new(16).expect("memory"));
    let job = Arc::new(Job::new(request, table, THREADS, Arc::new(NullListener)));
    pool.start(Arc::clone(&job));
    pool.wait_until_idle();
    let nodes = job.results.nodes() as f64;
    let directory = directory.lock();
    [directory.near_transfers, directory.far_transfers].map(|count| count as f64 / nodes)
}

#[test]
fn shared_histories_stay_under_a_last_level_cache() {
    let mut placement = place_threads(&machine(), &NumaPolicy::Auto, THREADS, Pin::Auto);
    assert_eq!(placement.cache_groups(), THREADS / CACHE_CORES);
    let [near, far] = transfers_per_node(&placement);
    println!("near {near:.3}, far {far:.3} a node");
    assert!(far <= 0.05 && near > 0.0, "near {near}, far {far}");
    // One table for all is what it would be otherwise.
    placement.threads.iter_mut().for_each(|place| place.cache_group = 0);
    let [near, far] = transfers_per_node(&placement);
    println!("near {near:.3}, far {far:.3} a node with one table");
    assert!(far > 0.3, "near {near}, far {far}");
}
