//! Which threads share what many of them write all the time: few, and under one last-level cache where they are bound to one.
//!
//! A line of memory that one thread has written comes to the next reader from the writer's cache. Between cores under one
//! last-level cache that takes some twenty nanoseconds, between two such caches several times as much, and the more threads
//! write to a table, the more of what a thread reads there has been written by others since.

use std::collections::BTreeMap;

use super::machine::Machine;
use super::processors::Processors;

/// The most threads in a group.
pub const MAX_GROUP_THREADS: usize = 8;

/// The group of each thread, counted from 0, given the NUMA nodes and the processors of all (`None`: any): threads under
/// one last-level cache, at most [`MAX_GROUP_THREADS`], in groups as equal as can be. Threads that may move from one such
/// cache to another have groups of their own on each NUMA node.
pub(super) fn cache_groups<'a>(
    machine: &Machine,
    threads: impl IntoIterator<Item = (usize, Option<&'a Processors>)>,
) -> Vec<usize> {
    let mut neighbours: BTreeMap<(usize, Option<usize>), Vec<usize>> = BTreeMap::new();
    let mut count = 0;
    for (id, (numa_node, processors)) in threads.into_iter().enumerate() {
        let cache = processors.and_then(|processors| common_cache(machine, processors));
        neighbours.entry((numa_node, cache)).or_default().push(id);
        count = id + 1;
    }
    let mut groups = vec![0; count];
    let mut first = 0;
    for ids in neighbours.values() {
        let parts = ids.len().div_ceil(MAX_GROUP_THREADS);
        for (index, &id) in ids.iter().enumerate() {
            groups[id] = first + index * parts / ids.len();
        }
        first += parts;
    }
    groups
}

/// The last-level cache that all of these processors share, if there is one.
fn common_cache(machine: &Machine, processors: &Processors) -> Option<usize> {
    let mut caches = processors.iter().map(|number| machine.processor(number).map(|found| found.cache));
    let first = caches.next()??;
    caches.all(|cache| cache == Some(first)).then_some(first)
}
