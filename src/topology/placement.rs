//! From a machine and a policy to a place for every thread.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::cache_groups::cache_groups;
use super::machine::{CoreKind, Machine};
use super::policy::{NumaPolicy, Pin};
use super::processors::{Processors, ranges};

/// With fewer threads than this for each NUMA node, or each last-level cache, binding them costs more than it brings: the
/// system finds free cores better.
const MIN_THREADS_PER_PART: usize = 4;

/// Where one search thread runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadPlacement {
    /// The NUMA node, counted from 0 in the placement, that its memory and its replica of the network belong to.
    pub numa_node: usize,
    /// The group of threads, counted from 0 in the placement, with which it shares what all of them write often: no more
    /// than [`MAX_GROUP_THREADS`](super::MAX_GROUP_THREADS), under one last-level cache if they are bound to one.
    pub cache_group: usize,
    /// The processors that it runs on; `None` for any.
    pub processors: Option<Arc<Processors>>,
}

/// Where all search threads run.
///
/// The state of a thread lies on the NUMA node of the thread, which touches it first. The pages of the transposition table
/// are interleaved over the nodes of the threads. A few threads that are not bound may all be on one node, which the system
/// selects: their table lies where they touch it first.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The place of each thread.
    pub threads: Vec<ThreadPlacement>,
    /// How many more threads were asked for, but are not started: they would only take time from the others.
    pub not_started: usize,
    /// True if there are more threads than can run at once, so that they take turns.
    pub oversubscribed: bool,
    /// How many NUMA nodes have threads, and so how many replicas of the network there are.
    pub numa_nodes: usize,
    /// The NUMA nodes that the transposition table is interleaved over, by their numbers in the system, ascending: those of
    /// threads that are bound, or too many for one node. None if the machine has one node only.
    pub table_numa_nodes: Vec<usize>,
    /// Remarks for the user: affinity masks and limits from outside, too many threads.
    pub remarks: Vec<String>,
}

impl Placement {
    /// This many threads that run on any processor.
    pub fn unbound(threads: usize) -> Placement {
        let place = ThreadPlacement { numa_node: 0, cache_group: 0, processors: None };
        let mut threads = vec![place; threads];
        assign_cache_groups(&Machine::uniform(1), &mut threads);
        Placement {
            threads,
            not_started: 0,
            oversubscribed: false,
            numa_nodes: 1,
            table_numa_nodes: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// How many groups of threads there are that share what they write often.
    pub fn cache_groups(&self) -> usize {
        self.threads.iter().map(|place| place.cache_group + 1).max().unwrap_or(0)
    }

    /// True if threads are bound to processors.
    pub fn is_bound(&self) -> bool {
        self.threads.iter().any(|place| place.processors.is_some())
    }
}

impl fmt::Display for Placement {
    /// In one line: `2 networks: threads 0-7 bound to 0-15; threads 8-15 bound by last-level cache to 16-31`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} network{}: ", self.numa_nodes, if self.numa_nodes == 1 { "" } else { "s" })?;
        if !self.is_bound() {
            return write!(f, "threads {} unbound", ranges(0..self.threads.len()));
        }
        let single =
            |place: &ThreadPlacement| place.processors.as_ref().filter(|set| set.len() == 1)?.first();
        let alike = |a: &ThreadPlacement, b: &ThreadPlacement| {
            a.numa_node == b.numa_node && single(a).is_some() == single(b).is_some()
        };
        let mut first = 0;
        for group in self.threads.chunk_by(alike) {
            let between = if first == 0 { "" } else { "; " };
            write!(f, "{between}threads {} ", ranges(first..first + group.len()))?;
            first += group.len();
            let sets = || group.iter().filter_map(|place| place.processors.as_deref());
            match &group[0].processors {
                None => write!(f, "unbound")?,
                Some(set) if set.len() == 1 => {
                    write!(f, "pinned one each to {}", ranges(group.iter().filter_map(single)))?
                }
                Some(set) if sets().all(|other| *other == **set) => write!(f, "bound to {set}")?,
                Some(_) => write!(f, "bound by last-level cache to {}", Processors::union(sets()))?,
            }
        }
        Ok(())
    }
}

/// The sets of processors to which threads are bound under a policy, if they are bound.
fn processor_sets(machine: &Machine, policy: &NumaPolicy) -> Vec<Processors> {
    match policy {
        NumaPolicy::Off => vec![machine.allowed.clone()],
        NumaPolicy::Auto | NumaPolicy::System => {
            machine.partition_by(&machine.allowed, |processor| processor.numa_node)
        }
        NumaPolicy::Hardware => machine.partition_by(&machine.all(), |processor| processor.numa_node),
        NumaPolicy::Sets(sets) => sets.clone(),
    }
}

/// How many threads can run at once on the processors that a policy uses.
pub fn parallelism_under(machine: &Machine, policy: &NumaPolicy) -> usize {
    machine.parallelism(&Processors::union(&processor_sets(machine, policy)))
}

/// Places this many threads on a machine.
///
/// Under [`NumaPolicy::Auto`] no more threads search than can run at once: those beyond would not add nodes, but take turns
/// with the others, whose search they repeat in part, and the clock would wait for threads that have lost their processor.
/// Four threads on two processors lost 61 ± 36 Elo against two (200 games at 1+0.01). The other policies are explicit, and
/// start all threads.
///
/// Under [`NumaPolicy::Auto`], too, where there are threads enough for each last-level cache and none has small cores only, they
/// are bound to these: what the threads of a group share then stays in one cache.
pub fn place_threads(machine: &Machine, policy: &NumaPolicy, wanted: usize, pin: Pin) -> Placement {
    let all = machine.all();
    let mut numa_nodes = processor_sets(machine, policy);
    let usable = Processors::union(&numa_nodes);
    let parallelism = machine.parallelism(&usable);
    let threads = if *policy == NumaPolicy::Auto { wanted.min(parallelism) } else { wanted };
    let (not_started, oversubscribed) = (wanted - threads, threads > parallelism);
    let bound = match policy {
        NumaPolicy::Off => false,
        NumaPolicy::Auto => {
            is_filled(threads, numa_nodes.len()) || is_filled(threads, caches_of(machine, &usable).len())
        }
        NumaPolicy::System => numa_nodes.len() > 1,
        NumaPolicy::Hardware => numa_nodes.len() > 1 || usable != machine.allowed,
        NumaPolicy::Sets(_) => true,
    };
    let pinned = match pin {
        Pin::Off => false,
        Pin::On => true,
        Pin::Auto => {
            *policy != NumaPolicy::Off
                && threads > 1
                && threads == usable.len()
                && !machine.is_throttled(&usable)
        }
    };
    let remarks = remarks(machine, policy, [wanted, threads], &usable);
    // Where the table belongs, given who uses it.
    let memory = |used: &Processors| match machine.numa_nodes_of(&all).len() {
        1 => Vec::new(),
        _ => machine.numa_nodes_of(used),
    };
    if !bound && !pinned {
        let parts = machine.partition_by(&machine.allowed, |processor| processor.numa_node);
        let one_will_do = parts.iter().any(|part| threads <= part.len());
        let memory = if one_will_do { Vec::new() } else { memory(&machine.allowed) };
        return Placement {
            not_started,
            oversubscribed,
            table_numa_nodes: memory,
            remarks,
            ..Placement::unbound(threads)
        };
    }
    let counts = shares(threads, &numa_nodes);
    numa_nodes =
        numa_nodes.into_iter().zip(&counts).filter(|&(_, &count)| count > 0).map(|(node, _)| node).collect();
    let mut places = Vec::with_capacity(threads);
    for (numa_node, (processors, count)) in
        numa_nodes.iter().zip(counts.into_iter().filter(|&count| count > 0)).enumerate()
    {
        let place = |set: &Arc<Processors>| ThreadPlacement {
            numa_node,
            cache_group: 0,
            processors: Some(Arc::clone(set)),
        };
        if pinned {
            let singles: Vec<_> = ranked(machine, processors)
                .into_iter()
                .map(|number| Arc::new(Processors::from_iter([number])))
                .collect();
            places.extend(singles.iter().cycle().take(count).map(place));
            continue;
        }
        let caches = caches_of(machine, processors);
        let by_cache = *policy == NumaPolicy::Auto && is_filled(count, caches.len());
        let parts = if by_cache { caches } else { vec![processors.clone()] };
        for (count, part) in shares(count, &parts).into_iter().zip(parts) {
            let set = Arc::new(part);
            places.extend((0..count).map(|_| place(&set)));
        }
    }
    assign_cache_groups(machine, &mut places);
    let mut used: Vec<&Processors> = places.iter().filter_map(|place| place.processors.as_deref()).collect();
    used.dedup();
    let memory = memory(&Processors::union(used));
    Placement {
        threads: places,
        not_started,
        oversubscribed,
        numa_nodes: numa_nodes.len(),
        table_numa_nodes: memory,
        remarks,
    }
}

/// Puts each thread into its group.
fn assign_cache_groups(machine: &Machine, threads: &mut [ThreadPlacement]) {
    let groups =
        cache_groups(machine, threads.iter().map(|place| (place.numa_node, place.processors.as_deref())));
    for (place, group) in threads.iter_mut().zip(groups) {
        place.cache_group = group;
    }
}

/// True if there are threads enough to bind them to one of these many parts of the machine each.
fn is_filled(threads: usize, parts: usize) -> bool {
    parts > 1 && threads >= MIN_THREADS_PER_PART * parts
}

/// The processors by last-level cache and NUMA node, of which several may share a cache. They are one part where some caches have
/// small cores only: threads that are bound to those would be left behind.
fn caches_of(machine: &Machine, processors: &Processors) -> Vec<Processors> {
    let parts = machine.partition_by(processors, |processor| (processor.numa_node, processor.cache));
    let is_large =
        |number| machine.processor(number).is_none_or(|processor| processor.kind == CoreKind::Performance);
    let large = parts.iter().filter(|part| part.iter().any(is_large)).count();
    if (1..parts.len()).contains(&large) { vec![processors.clone()] } else { parts }
}

/// How many threads each part of the machine gets: in proportion to its processors, after Victor D'Hondt.
fn shares(threads: usize, parts: &[Processors]) -> Vec<usize> {
    let mut counts = vec![0; parts.len()];
    for _ in 0..threads {
        // The fullest one would be the least full if it got another: compare (count + 1) / size crosswise.
        let next = (0..parts.len())
            .min_by(|&a, &b| ((counts[a] + 1) * parts[b].len()).cmp(&((counts[b] + 1) * parts[a].len())));
        if let Some(next) = next {
            counts[next] += 1;
        }
    }
    counts
}

/// Processors in the order in which they are given out: large cores, small cores, then second threads of cores.
fn ranked(machine: &Machine, processors: &Processors) -> Vec<usize> {
    let mut taken = BTreeSet::new();
    let mut ranked: Vec<(bool, CoreKind, usize)> = Vec::new();
    for number in processors.iter() {
        let (core, kind) = machine
            .processor(number)
            .map_or((number, CoreKind::Performance), |found| (found.core, found.kind));
        let second = !taken.insert(core);
        ranked.push((second, kind, number));
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, _, number)| number).collect()
}

/// The remarks on a placement that starts `started` of the `wanted` threads.
fn remarks(
    machine: &Machine,
    policy: &NumaPolicy,
    [wanted, started]: [usize; 2],
    usable: &Processors,
) -> Vec<String> {
    let mut remarks = Vec::new();
    let all = machine.all();
    if machine.allowed != all {
        let overruled = matches!(policy, NumaPolicy::Hardware | NumaPolicy::Sets(_))
            && !usable.difference(&machine.allowed).is_empty();
        remarks.push(format!(
            "affinity mask: {} of {} processors ({}){}",
            machine.allowed.len(),
            all.len(),
            machine.allowed,
            if overruled { ", overruled by NumaPolicy" } else { "" }
        ));
    }
    if machine.is_throttled(usable)
        && let Some(quota) = machine.quota
    {
        remarks.push(format!("control group: the time of {quota:.1} processors"));
    }
    let parallelism = machine.parallelism(usable);
    let plural = if parallelism == 1 { "" } else { "s" };
    if started < wanted {
        let verb = if started == 1 { "searches" } else { "search" };
        remarks.push(format!(
            "{wanted} threads, but {parallelism} processor{plural}: {started} {verb}; NumaPolicy none lets all search"
        ));
    } else if started > parallelism {
        remarks.push(format!("{started} threads will take turns on {parallelism} processor{plural}"));
    }
    remarks
}
