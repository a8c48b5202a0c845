//! Reads the machine from the files of Linux, or asks Windows. Elsewhere, the number of processors must do.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use super::limit;
use super::machine::{CoreKind, Machine, Processor};
use super::processors::Processors;
use crate::util::files::{Files, RootedAt};

/// A core with less than this share of the greatest capacity is an efficiency core.
const SMALL: f64 = 0.75;

/// The machine that this process runs on, as it was when first asked for.
pub fn this_machine() -> &'static Machine {
    static HERE: OnceLock<Machine> = OnceLock::new();
    HERE.get_or_init(|| reported().unwrap_or_else(|| with_affinity(read(&RootedAt("/".into())), affinity())))
}

/// The processors on which the system lets this process run; none if it does not say.
fn affinity() -> Processors {
    core_affinity::get_core_ids().into_iter().flatten().map(|core| core.id).collect()
}

/// The machine, or, where this process may run on processors that it does not have, one of those alone: without `/sys`, and in
/// containers with a made-up one, the system numbers processors otherwise than it binds threads to them.
pub fn with_affinity(machine: Machine, affinity: Processors) -> Machine {
    if affinity.difference(&machine.all()).is_empty() {
        return machine;
    }
    Machine { quota: machine.quota, ..Machine::equal(affinity) }
}

/// The machine as the system describes it when it is asked.
fn reported() -> Option<Machine> {
    cfg_select! {
        all(windows, target_pointer_width = "64") => super::windows::this_machine(),
        _ => None,
    }
}

/// The machine that these files describe; without them, as many equal processors as can run
/// threads at once.
pub fn read(files: &dyn Files) -> Machine {
    let counted = || {
        let machine = Machine::uniform(std::thread::available_parallelism().map_or(1, usize::from));
        Machine { quota: limit::quota(files), ..machine }
    };
    described(files).unwrap_or_else(counted)
}

fn described(files: &dyn Files) -> Option<Machine> {
    let folder = Path::new("sys/devices/system/cpu");
    let online = list(files, &folder.join("online")).filter(|online| !online.is_empty())?;
    let numa_nodes = numa_nodes(files, &online);
    let node_of = |number: usize| numa_nodes.get(&number).copied().unwrap_or(0);
    let small = small(files, folder, &online);
    let mut found: BTreeMap<usize, Processor> = BTreeMap::new();
    let mut caches: BTreeMap<usize, usize> = BTreeMap::new();
    let mut unknown: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for number in online.iter() {
        if found.contains_key(&number) {
            // A sibling of one before it.
            continue;
        }
        let own = folder.join(format!("cpu{number}"));
        let package = files
            .text(&own.join("topology/physical_package_id"))
            .and_then(|text| text.parse().ok())
            .unwrap_or(0);
        let siblings = ["core_cpus_list", "thread_siblings_list"]
            .iter()
            .find_map(|file| list(files, &own.join("topology").join(file)))
            .map_or_else(|| Processors::from_iter([number]), |siblings| siblings.intersection(&online));
        if !caches.contains_key(&number) {
            let (sharing, name) = match last_cache(files, &own).map(|all| all.intersection(&online)) {
                Some(sharing) => {
                    let first = sharing.first().unwrap_or(number);
                    (sharing, first.min(number))
                }
                // Taken for that of the NUMA node: if each core had its own, threads would share nothing.
                None => (siblings.clone(), *unknown.entry((package, node_of(number))).or_insert(number)),
            };
            caches.extend(sharing.iter().chain([number]).map(|sharer| (sharer, name)));
        }
        let core = siblings.first().unwrap_or(number).min(number);
        for sibling in siblings.iter().chain([number]) {
            let processor = Processor {
                number: sibling,
                package,
                numa_node: node_of(sibling),
                cache: caches.get(&sibling).copied().unwrap_or(core),
                core,
                kind: if small.contains(sibling) { CoreKind::Efficiency } else { CoreKind::Performance },
            };
            found.entry(sibling).or_insert(processor);
        }
    }
    let allowed = allowed(files).map(|mask| mask.intersection(&online)).filter(|mask| !mask.is_empty());
    Some(Machine {
        processors: found.into_values().collect(),
        allowed: allowed.unwrap_or(online),
        quota: limit::quota(files),
    })
}

/// The NUMA node of each processor. NUMA nodes without processors are left out.
fn numa_nodes(files: &dyn Files, online: &Processors) -> BTreeMap<usize, usize> {
    let mut numa_nodes = BTreeMap::new();
    let folder = Path::new("sys/devices/system/node");
    for name in files.names(folder) {
        let number = name.strip_prefix("node").and_then(|number| number.parse::<usize>().ok());
        if let (Some(number), Some(processors)) = (number, list(files, &folder.join(&name).join("cpulist"))) {
            numa_nodes.extend(processors.intersection(online).iter().map(|processor| (processor, number)));
        }
    }
    numa_nodes
}

/// The processors on efficiency cores: for hybrid Intel processors all that the kernel does not list as large (`cpu_core`),
/// whatever kinds of small ones there are, else by capacity.
fn small(files: &dyn Files, folder: &Path, online: &Processors) -> Processors {
    let devices = Path::new("sys/devices");
    if let Some(large) = list(files, &devices.join("cpu_core/cpus")) {
        return online.difference(&large);
    }
    let capacity = |number: usize| -> Option<(usize, f64)> {
        Some((number, files.text(&folder.join(format!("cpu{number}/cpu_capacity")))?.parse().ok()?))
    };
    // Where the first one does not say, none does.
    if online.first().and_then(capacity).is_none() {
        return Processors::default();
    }
    let capacities: Vec<(usize, f64)> = online.iter().filter_map(capacity).collect();
    let most = capacities.iter().map(|&(_, capacity)| capacity).fold(0.0, f64::max);
    capacities
        .into_iter()
        .filter(|&(_, capacity)| capacity < SMALL * most)
        .map(|(number, _)| number)
        .collect()
}

/// The processors that share the cache of the highest level.
fn last_cache(files: &dyn Files, processor: &Path) -> Option<Processors> {
    let mut last = None;
    for index in 0.. {
        let cache = processor.join(format!("cache/index{index}"));
        let Some(level) = files.text(&cache.join("level")).and_then(|text| text.parse::<u32>().ok()) else {
            break;
        };
        if last.as_ref().is_none_or(|&(highest, _)| level >= highest) {
            last = Some((level, cache));
        }
    }
    list(files, &last?.1.join("shared_cpu_list"))
}

/// The affinity mask of this process.
fn allowed(files: &dyn Files) -> Option<Processors> {
    let status = files.text(Path::new("proc/self/status"))?;
    status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.parse().ok()
}

fn list(files: &dyn Files, file: &Path) -> Option<Processors> {
    files.text(file)?.parse().ok()
}
