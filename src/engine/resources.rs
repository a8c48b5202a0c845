//! What an engine searches with: threads on their processors, the transposition table, replicas of the network.

use std::io;
use std::sync::{Arc, OnceLock};

use super::error::EngineError;
use crate::nnue::Network;
use crate::pool::Pool;
use crate::search::NetworkReplicas;
use crate::topology::{self, NumaPolicy, Pin, Placement};
use crate::tt::{ResizeError, TranspositionTable};

/// Search threads of an engine for which no other number is set.
pub const DEFAULT_THREADS: usize = 1;
/// Size of the transposition table for which no other is set, in megabytes.
pub const DEFAULT_HASH: usize = 16;
/// The largest transposition table that can be set, in megabytes.
pub const MAX_HASH: usize = 1 << 25;
/// The most threads that an engine can have on a machine with up to a quarter of this many processors.
const MAX_THREADS_OF_SMALL_MACHINES: usize = 1024;

/// The most threads that an engine can have: 1,024, or four for each processor of the machine if that is more.
pub fn max_threads() -> usize {
    MAX_THREADS_OF_SMALL_MACHINES.max(4 * topology::this_machine().processors.len())
}

/// How many threads to start, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ThreadConfig {
    /// How many are asked for; the policy may start fewer.
    pub(super) threads: usize,
    /// The NUMA nodes that they are bound to.
    pub(super) numa_policy: NumaPolicy,
    /// When they are pinned to single processors.
    pub(super) pin: Pin,
}

/// The threads and the memory of an engine.
pub(super) struct Resources {
    config: ThreadConfig,
    placement: Placement,
    pool: Pool,
    table: Arc<TranspositionTable>,
}

impl Resources {
    /// Threads of this configuration, and a table without memory.
    pub(super) fn new(config: ThreadConfig) -> Result<Resources, EngineError> {
        let placement = place(&config)?;
        let mut pool = Pool::new().map_err(|cause| refused(&config, cause))?;
        pool.replace_threads(&placement).map_err(|cause| refused(&config, cause))?;
        let table = Arc::new(TranspositionTable::without_memory());
        Ok(Resources { config, placement, pool, table })
    }

    /// The threads that were asked for.
    pub(super) fn config(&self) -> &ThreadConfig {
        &self.config
    }

    /// Where the threads run.
    pub(super) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The threads.
    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The threads, to start a search.
    pub(super) fn pool_mut(&mut self) -> &mut Pool {
        &mut self.pool
    }

    /// The transposition table.
    pub(super) fn table(&self) -> &Arc<TranspositionTable> {
        &self.table
    }

    /// Waits until no thread is at work.
    ///
    /// # Errors
    /// If a search is running.
    pub(super) fn require_idle(&mut self) -> Result<(), EngineError> {
        if self.pool.is_searching() {
            return Err(EngineError::Searching);
        }
        self.pool.wait_until_idle();
        Ok(())
    }

    /// Replaces the threads. Replicas of the network have to be made anew.
    ///
    /// # Errors
    /// If the new threads cannot be started: then there are as many as before, with empty histories if they had to be started
    /// again. If the system has become so short of memory that not even these can be had, there is one, or none, and a search
    /// shows but one ply.
    pub(super) fn start_threads(&mut self, config: ThreadConfig) -> Result<(), EngineError> {
        let placement = place(&config)?;
        let cause = match self.pool.replace_threads(&placement) {
            Ok(()) => {
                (self.config, self.placement) = (config, placement);
                return Ok(());
            }
            Err(cause) => cause,
        };
        if !self.has_all_threads() && self.pool.replace_threads(&self.placement).is_err() {
            self.config.threads = 1;
            self.placement = place(&self.config)?;
            // The first error is the one to report.
            let _ = self.pool.replace_threads(&self.placement);
            return Err(EngineError::LoseThreads { requested: config.threads, left: self.pool.len(), cause });
        }
        Err(refused(&config, cause))
    }

    /// True unless the system has refused the threads of the configuration.
    pub(super) fn has_all_threads(&self) -> bool {
        self.pool.len() == self.placement.threads.len()
    }

    /// Gives the table another size in megabytes and empties it. The present size changes nothing.
    ///
    /// # Errors
    /// If a search is running, or the memory is not there: see [`TranspositionTable::resize`].
    pub(super) fn resize_table(&mut self, megabytes: usize) -> Result<(), EngineError> {
        let numa_nodes = self.placement.table_numa_nodes.clone();
        self.renew_table(|table| table.allocate(megabytes, &numa_nodes))
    }

    /// Replaces the table by an empty one of the same size on the NUMA nodes of the threads, which must be idle. If the memory
    /// is not there, a remark on the placement says what [`TranspositionTable::move_to`] has made of it.
    pub(super) fn move_table(&mut self) {
        let numa_nodes = self.placement.table_numa_nodes.clone();
        self.renew_table_or_remark(|table| table.move_to(&numa_nodes));
    }

    fn renew_table_or_remark(
        &mut self,
        renew: impl FnOnce(&mut TranspositionTable) -> Result<(), ResizeError>,
    ) {
        if let Err(error) = self.renew_table(renew) {
            // No reason to refuse the threads, which have their new places already.
            self.placement.remarks.push(error.to_string());
        }
    }

    /// Changes the memory of the table and has each thread touch its part of it: then the memory is soon there, and lies
    /// where the threads are unless the placement names NUMA nodes.
    fn renew_table(
        &mut self,
        renew: impl FnOnce(&mut TranspositionTable) -> Result<(), ResizeError>,
    ) -> Result<(), EngineError> {
        self.require_idle()?;
        let table = Arc::get_mut(&mut self.table).ok_or(EngineError::Searching)?;
        let result = renew(table);
        if table.take_untouched() {
            self.for_each_table_part(TranspositionTable::touch_part);
        }
        Ok(result?)
    }

    /// Empties the table.
    pub(super) fn clear_table(&mut self) {
        self.for_each_table_part(TranspositionTable::clear_part);
    }

    /// Has each thread do its part of a work on the table.
    fn for_each_table_part(&mut self, work: fn(&TranspositionTable, usize, usize)) {
        let (table, parts) = (Arc::clone(&self.table), self.pool.len());
        if parts == 0 {
            return work(&table, 0, 1);
        }
        self.pool.broadcast(move |part| work(&table, part, parts));
    }

    /// A replica of the network on each NUMA node that has threads, each made by a thread of that NUMA node. Where there is
    /// no memory for one, its threads use the original. No replicas if all threads are on one NUMA node.
    pub(super) fn replicate(&mut self, network: &Arc<Network>) -> NetworkReplicas {
        let numa_nodes = self.placement.numa_nodes;
        if numa_nodes == 1 {
            return NetworkReplicas::default();
        }
        let first_thread =
            |numa_node| self.placement.threads.iter().position(|place| place.numa_node == numa_node);
        let makers: Vec<Option<usize>> = (0..numa_nodes).map(first_thread).collect();
        let made: Arc<Vec<OnceLock<Network>>> = Arc::new(makers.iter().map(|_| OnceLock::new()).collect());
        let (original, slots) = (Arc::clone(network), Arc::clone(&made));
        self.pool.broadcast(move |thread| {
            if let Some(numa_node) = makers.iter().position(|&maker| maker == Some(thread))
                && let Ok(replica) = original.duplicate()
            {
                // No other thread fills this slot.
                let _ = slots[numa_node].set(replica);
            }
        });
        let made = Arc::into_inner(made).unwrap_or_default().into_iter();
        let by_numa_node =
            made.map(|slot| slot.into_inner().map_or_else(|| Arc::clone(network), Arc::new)).collect();
        NetworkReplicas::new(Arc::clone(network), by_numa_node)
    }
}

/// Where the threads of a configuration run.
fn place(config: &ThreadConfig) -> Result<Placement, EngineError> {
    let requested = config.threads;
    let max = max_threads();
    if !(1..=max).contains(&requested) {
        return Err(EngineError::ThreadCount { requested, max });
    }
    Ok(topology::place_threads(topology::this_machine(), &config.numa_policy, requested, config.pin))
}

fn refused(config: &ThreadConfig, cause: io::Error) -> EngineError {
    EngineError::StartThreads { requested: config.threads, cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_cannot_follow_the_threads_is_remarked_on() {
        let config = ThreadConfig { threads: 1, numa_policy: NumaPolicy::default(), pin: Pin::default() };
        let mut resources = Resources::new(config).expect("a thread");
        resources.resize_table(1).expect("memory");
        let before = resources.placement().remarks.len();
        resources.renew_table_or_remark(|table| table.move_to(&[]));
        assert_eq!(resources.placement().remarks.len(), before);
        let error = TranspositionTable::new(1 << 40).expect_err("too large");
        let expected = EngineError::from(error).to_string();
        resources.renew_table_or_remark(|_| Err(error));
        assert_eq!(resources.placement().remarks[before..], [expected]);
    }
}
