//! What a machine is made of.

use std::collections::{BTreeMap, BTreeSet};

use super::processors::Processors;

/// What a core is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CoreKind {
    /// Speed: all cores of most machines.
    Performance,
    /// Efficiency: the small cores of a hybrid processor.
    Efficiency,
}

/// A logical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processor {
    /// Its number in the system.
    pub number: usize,
    /// The package (socket) that it is on.
    pub package: usize,
    /// The NUMA node that is nearest.
    pub numa_node: usize,
    /// The processors that share its last-level cache, by the least number among them. Where the system does not say, those
    /// of its NUMA node on its package.
    pub cache: usize,
    /// The processors that share its core, by the least number among them.
    pub core: usize,
    /// What its core is built for.
    pub kind: CoreKind,
}

/// A machine, and what of it this process may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The processors that are switched on, by number.
    pub processors: Vec<Processor>,
    /// The processors on which this process may run: its affinity mask, which reflects the limits of a container too.
    pub allowed: Processors,
    /// How many processors' worth of time the control groups grant, if they limit it.
    pub quota: Option<f64>,
}

impl Machine {
    /// A machine of `count` equal processors on one node, each a core, all allowed.
    pub fn uniform(count: usize) -> Machine {
        Machine::equal((0..count.max(1)).collect())
    }

    /// A machine of these processors, equal, on one node, each a core, all allowed.
    pub fn equal(processors: Processors) -> Machine {
        let cache = processors.first().unwrap_or(0);
        let processor = |number| Processor {
            number,
            package: 0,
            numa_node: 0,
            cache,
            core: number,
            kind: CoreKind::Performance,
        };
        Machine { processors: processors.iter().map(processor).collect(), allowed: processors, quota: None }
    }

    /// All processors that are switched on.
    pub fn all(&self) -> Processors {
        self.processors.iter().map(|processor| processor.number).collect()
    }

    /// The processor of this number.
    pub fn processor(&self, number: usize) -> Option<&Processor> {
        let place = self.processors.binary_search_by_key(&number, |processor| processor.number).ok()?;
        Some(&self.processors[place])
    }

    /// The processors of `within`, grouped by a property, in the order of its values.
    pub fn partition_by<K: Ord>(
        &self,
        within: &Processors,
        property: impl Fn(&Processor) -> K,
    ) -> Vec<Processors> {
        let mut parts: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for processor in self.processors.iter().filter(|processor| within.contains(processor.number)) {
            parts.entry(property(processor)).or_default().push(processor.number);
        }
        parts.into_values().map(Processors::from_iter).collect()
    }

    /// The numbers of the NUMA nodes nearest to these processors, in order.
    pub fn numa_nodes_of(&self, processors: &Processors) -> Vec<usize> {
        let near = self.processors.iter().filter(|processor| processors.contains(processor.number));
        near.map(|processor| processor.numa_node).collect::<BTreeSet<usize>>().into_iter().collect()
    }

    /// How many threads can run at once on these processors: as many as there are, or fewer under a limit.
    pub fn parallelism(&self, on: &Processors) -> usize {
        let granted = self.quota.map_or(usize::MAX, |quota| quota.ceil().max(1.0) as usize);
        on.len().min(granted).max(1)
    }

    /// True if a limit grants less than these processors could do.
    pub fn is_throttled(&self, on: &Processors) -> bool {
        self.quota.is_some_and(|quota| quota < on.len() as f64)
    }
}
