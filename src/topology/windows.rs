//! A machine as Windows describes it: records of variable length, one for each core, package, node and cache.
//!
//! Windows puts processors into groups of at most 64, and a thread runs in one group at a time. Here a processor's number is 64
//! times that of its group and its place in it. What of a NUMA node lies in one group counts as a node of its own, so that
//! threads that fill all nodes fill all groups.

use std::collections::{BTreeMap, BTreeSet};

use super::machine::{CoreKind, Machine, Processor};
use super::processors::Processors;
use crate::util::affinity::GROUP_SIZE;

/// Kinds of records (`LOGICAL_PROCESSOR_RELATIONSHIP`); both of the nodes have one layout.
const CORE: u32 = 0;
const NUMA_NODE: u32 = 1;
const CACHE: u32 = 2;
const PACKAGE: u32 = 3;
const NUMA_NODE_OF_SEVERAL_GROUPS: u32 = 6;

/// Bytes of a set of processors in a record (`GROUP_AFFINITY`): their bits, the number of the group, and six bytes of nothing.
const SET_BYTES: usize = 16;

/// This machine; `None` if Windows does not describe it.
#[cfg(all(windows, target_pointer_width = "64"))]
pub(super) fn this_machine() -> Option<Machine> {
    use crate::util::windows;

    let allowed =
        windows::process_mask().into_iter().flat_map(|(group, mask)| members(group, mask)).collect();
    described(&windows::processor_records()?, &allowed)
}

/// The numbers of the processors of a group, of which each has a bit.
fn members(group: u16, mask: u64) -> impl Iterator<Item = usize> {
    (0..GROUP_SIZE)
        .filter(move |bit| mask >> bit & 1 != 0)
        .map(move |bit| GROUP_SIZE * usize::from(group) + bit)
}

/// The machine that these records (`SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX`, of a system of 64 bits) describe, of which
/// the process may use the processors `allowed`; all, if there are none of these. `None` if no record describes a core.
pub(super) fn described(records: &[u8], allowed: &Processors) -> Option<Machine> {
    let mut found = Found::default();
    for record in Records(records) {
        found.add(&record);
    }
    let processors = found.processors();
    let all: Processors = processors.iter().map(|processor| processor.number).collect();
    let allowed = Some(allowed.intersection(&all)).filter(|allowed| !allowed.is_empty());
    (!all.is_empty()).then(|| Machine { processors, allowed: allowed.unwrap_or(all), quota: None })
}

/// The records of a description, one after the other, up to the first that is not whole.
struct Records<'a>(&'a [u8]);

/// A record: its kind, and its bytes from the start on.
struct Record<'a> {
    kind: u32,
    bytes: &'a [u8],
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let whole = Record { kind: 0, bytes: self.0 };
        let (kind, length) = (whole.u32(0)?, whole.u32(4)? as usize);
        // A length of less than the two numbers would lead nowhere.
        let (bytes, rest) = self.0.split_at_checked(length).filter(|_| length >= 8)?;
        self.0 = rest;
        Some(Record { kind, bytes })
    }
}

impl Record<'_> {
    fn u16(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?))
    }

    fn u32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?))
    }

    /// The processors of the sets that begin at `at`, whose number stands two bytes before: older systems leave it zero
    /// where there is one.
    fn processors(&self, at: usize) -> Vec<usize> {
        let sets = self.u16(at - 2).unwrap_or(0).max(1) as usize;
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let mut processors = Vec::new();
        for set in bytes.as_chunks::<SET_BYTES>().0.iter().take(sets) {
            let [a, b, c, d, e, f, g, h, low, high, ..] = *set;
            let mask = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            processors.extend(members(u16::from_le_bytes([low, high]), mask));
        }
        processors
    }
}

/// What the records say of each processor, by its number.
#[derive(Default)]
struct Found {
    /// The first processor of the core, and the class of efficiency: the higher, the faster.
    cores: BTreeMap<usize, (usize, u8)>,
    packages: BTreeMap<usize, usize>,
    numa_nodes: BTreeMap<usize, usize>,
    /// The level of the last cache, and the first of the processors that share it.
    caches: BTreeMap<usize, (u8, usize)>,
}

impl Found {
    fn add(&mut self, record: &Record) {
        match record.kind {
            CORE => {
                let class = record.bytes.get(9).copied().unwrap_or(0);
                let siblings = record.processors(32);
                self.cores.extend(siblings.iter().map(|&sibling| (sibling, (siblings[0], class))));
            }
            PACKAGE => {
                let number = self.packages.values().max().map_or(0, |last| last + 1);
                self.packages.extend(record.processors(32).into_iter().map(|member| (member, number)));
            }
            NUMA_NODE | NUMA_NODE_OF_SEVERAL_GROUPS => {
                let number = record.u32(8).unwrap_or(0) as usize;
                self.numa_nodes.extend(record.processors(32).into_iter().map(|member| (member, number)));
            }
            CACHE => {
                let level = record.bytes.get(8).copied().unwrap_or(0);
                let sharers = record.processors(40);
                for &sharer in &sharers {
                    let last = self.caches.entry(sharer).or_insert((level, sharers[0]));
                    if level >= last.0 {
                        *last = (level, sharers[0]);
                    }
                }
            }
            _ => {}
        }
    }

    /// The processors that have a core, by number.
    fn processors(&self) -> Vec<Processor> {
        // A processor that no node has is on that of its package.
        let package = |number| self.packages.get(&number).copied().unwrap_or(0);
        let node = |number| {
            let own = self.numa_nodes.get(&number);
            let near = || self.numa_nodes.iter().find(|&(&other, _)| package(other) == package(number));
            own.or_else(|| near().map(|(_, node)| node)).copied().unwrap_or(0)
        };
        let part = |number| (node(number), number / GROUP_SIZE);
        let parts: BTreeSet<_> = self.cores.keys().map(|&number| part(number)).collect();
        let parts: BTreeMap<_, _> = parts.into_iter().zip(0..).collect();
        let fastest = self.cores.values().map(|&(_, class)| class).max();
        let mut unknown: BTreeMap<_, usize> = BTreeMap::new();
        let processor = |(&number, &(core, class))| Processor {
            number,
            package: package(number),
            numa_node: parts[&part(number)],
            cache: match self.caches.get(&number) {
                Some(&(_, cache)) => cache,
                None => *unknown.entry((package(number), part(number))).or_insert(number),
            },
            core,
            kind: if Some(class) < fastest { CoreKind::Efficiency } else { CoreKind::Performance },
        };
        self.cores.iter().map(processor).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{NumaPolicy, Pin, place_threads};

    /// A record of this kind: bytes at places counted from its start, and sets of processors (bits, group) from `at` on.
    fn record(kind: u32, fields: &[(usize, u8)], at: usize, sets: &[(u64, u16)]) -> Vec<u8> {
        let mut bytes = vec![0; at];
        for &(place, byte) in fields {
            bytes[place] = byte;
        }
        bytes[at - 2] = sets.len() as u8;
        for (mask, group) in sets {
            bytes.extend(mask.to_le_bytes());
            bytes.extend(group.to_le_bytes());
            bytes.extend([0; 6]);
        }
        let length = bytes.len() as u32;
        bytes[..4].copy_from_slice(&kind.to_le_bytes());
        bytes[4..8].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    fn core(class: u8, mask: u64, group: u16) -> Vec<u8> {
        record(CORE, &[(9, class)], 32, &[(mask, group)])
    }

    /// 64 cores of two threads in two groups, a last-level cache for every eight processors, on one node.
    fn two_groups() -> Vec<u8> {
        let mut records = Vec::new();
        for group in 0..2 {
            for core_of_group in 0..32 {
                records.extend(core(0, 3 << (2 * core_of_group), group));
                records.extend(record(CACHE, &[(8, 1)], 40, &[(3 << (2 * core_of_group), group)]));
            }
            for cache in 0..8 {
                records.extend(record(CACHE, &[(8, 3)], 40, &[(0xff << (8 * cache), group)]));
            }
        }
        records.extend(record(PACKAGE, &[], 32, &[(!0, 0), (!0, 1)]));
        // Some systems name the first group alone.
        records.extend(record(NUMA_NODE, &[(8, 0)], 32, &[(!0, 0)]));
        records
    }

    fn all(records: &[u8]) -> Machine {
        described(records, &Processors::default()).expect("cores")
    }

    #[test]
    fn a_group_counts_as_a_node_of_its_own() {
        let machine = all(&two_groups());
        assert_eq!(machine.processors.len(), 128);
        for (number, processor) in machine.processors.iter().enumerate() {
            let expected = Processor {
                number,
                package: 0,
                numa_node: number / 64,
                cache: number / 8 * 8,
                core: number / 2 * 2,
                kind: CoreKind::Performance,
            };
            assert_eq!(*processor, expected);
        }
        let placement = place_threads(&machine, &NumaPolicy::Auto, 128, Pin::Off);
        assert_eq!(placement.numa_nodes, 2);
        for place in &placement.threads {
            let set = place.processors.as_ref().expect("bound");
            assert!(set.iter().all(|number| number / 64 == place.numa_node), "{place:?}");
        }
    }

    #[test]
    fn cores_of_a_lower_class_are_for_efficiency() {
        let mut records = [core(1, 0b11, 0), core(0, 0b100, 0), core(0, 0b1000, 0)].concat();
        let cache = record(CACHE, &[(8, 2)], 40, &[(0b1100, 0)]);
        records.extend(&cache);
        let machine = all(&records);
        let kinds: Vec<_> = machine.processors.iter().map(|processor| processor.kind).collect();
        let (fast, small) = (CoreKind::Performance, CoreKind::Efficiency);
        assert_eq!(kinds, [fast, fast, small, small]);
        let caches: Vec<_> = machine.processors.iter().map(|processor| processor.cache).collect();
        assert_eq!(caches, [0, 0, 2, 2]);
        // A system before the number of sets was recorded.
        let mut old = records.clone();
        let start = records.len() - cache.len();
        old[start + 38] = 0;
        assert_eq!(all(&old), machine);
    }

    #[test]
    fn the_mask_of_the_process_limits_what_is_allowed() {
        let records = two_groups();
        let mask = Processors::from_iter([64, 70, 500]);
        let machine = described(&records, &mask).expect("cores");
        assert_eq!(machine.allowed, Processors::from_iter([64, 70]));
        let nowhere = described(&records, &Processors::from_iter([500])).expect("cores");
        assert_eq!(nowhere.allowed.len(), 128);
    }

    #[test]
    fn records_that_end_early_or_never_are_left() {
        let records = two_groups();
        for length in 0..records.len() {
            let cut = described(&records[..length], &Processors::default());
            assert!(cut.is_none_or(|machine| machine.processors.len() <= 128));
        }
        assert_eq!(described(&[0; 64], &Processors::default()), None);
        assert_eq!(described(&[0xff; 64], &Processors::default()), None);
    }
}
