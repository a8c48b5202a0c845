//! Machines of many shapes: from the files that their systems would show to the placements that they should get.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::read::with_affinity;
use super::*;
use crate::util::files::{InMemory, RootedAt};

fn write(files: &mut InMemory, file: &str, text: &str) {
    files.0.insert(file.into(), text.to_string());
}

/// What a test file expects: placements, and messages about bad policies.
#[derive(Default)]
struct Case {
    /// Policy, pin, threads, the placement as text, the remarks.
    placements: Vec<(String, Pin, usize, String, Vec<String>)>,
    /// A bad policy, and what is wrong with it.
    bad: Vec<(String, String)>,
}

fn sets(text: &str) -> Vec<Processors> {
    let set = |word: &str| if word == "-" { Ok(Processors::default()) } else { word.parse() };
    text.split(' ').map(|word| set(word).expect("a list")).collect()
}

/// Builds the files of a machine from its description.
fn case(text: &str) -> (Case, InMemory) {
    let mut files = InMemory::default();
    let mut case = Case::default();
    let mut online = Processors::default();
    let cpu = |number: usize, file: &str| format!("sys/devices/system/cpu/cpu{number}/{file}");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').expect("a word and more");
        match word {
            "online" => {
                online = rest.parse().expect("a list");
                write(&mut files, "sys/devices/system/cpu/online", rest);
                write(&mut files, "proc/self/status", &format!("Name:\tx\nCpus_allowed_list:\t{rest}"));
                for number in online.iter() {
                    write(&mut files, &cpu(number, "topology/thread_siblings_list"), &number.to_string());
                }
            }
            "packages" => {
                for (package, set) in sets(rest).iter().enumerate() {
                    set.iter().for_each(|number| {
                        write(&mut files, &cpu(number, "topology/physical_package_id"), &package.to_string());
                    });
                }
            }
            "nodes" => {
                for (node, set) in sets(rest).iter().enumerate() {
                    write(
                        &mut files,
                        &format!("sys/devices/system/node/node{node}/cpulist"),
                        &set.to_string(),
                    );
                }
            }
            "caches" => {
                for set in &sets(rest) {
                    for number in set.iter() {
                        write(&mut files, &cpu(number, "cache/index0/level"), "1");
                        write(&mut files, &cpu(number, "cache/index0/shared_cpu_list"), &number.to_string());
                        write(&mut files, &cpu(number, "cache/index1/level"), "3");
                        write(&mut files, &cpu(number, "cache/index1/shared_cpu_list"), &set.to_string());
                    }
                }
            }
            "siblings" => {
                let pairs: Vec<[usize; 2]> = match rest.strip_prefix("pairs ") {
                    Some(list) => {
                        let numbers: Vec<usize> =
                            list.parse::<Processors>().expect("a list").iter().collect();
                        numbers.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
                    }
                    None => {
                        let stride = rest.parse::<usize>().expect("a number");
                        (0..stride).map(|number| [number, number + stride]).collect()
                    }
                };
                for pair in pairs {
                    let text = Processors::from_iter(pair).to_string();
                    pair.iter().for_each(|&number| {
                        write(&mut files, &cpu(number, "topology/thread_siblings_list"), &text)
                    });
                }
            }
            "small" => {
                let lists: Vec<Processors> =
                    rest.split(" and ").map(|list| list.parse().expect("a list")).collect();
                let large = online.difference(&Processors::union(&lists));
                write(&mut files, "sys/devices/cpu_core/cpus", &large.to_string());
                for (kind, small) in ["cpu_atom", "cpu_lowpower"].iter().zip(&lists) {
                    write(&mut files, &format!("sys/devices/{kind}/cpus"), &small.to_string());
                }
            }
            "capacity" => {
                let (list, capacity) = rest.split_once(' ').expect("two words");
                for number in list.parse::<Processors>().expect("a list").iter() {
                    write(&mut files, &cpu(number, "cpu_capacity"), capacity);
                }
            }
            "mask" => write(&mut files, "proc/self/status", &format!("Name:\tx\nCpus_allowed_list:\t{rest}")),
            "limit" => {
                let (version, limit) = rest.split_once(' ').expect("two words");
                let (quota, period) = limit.split_once(' ').expect("two numbers");
                if version == "2" {
                    write(&mut files, "proc/self/cgroup", "0::/outer/inner");
                    write(&mut files, "sys/fs/cgroup/outer/cpu.max", limit);
                    write(&mut files, "sys/fs/cgroup/outer/inner/cpu.max", "max 100000");
                } else {
                    write(&mut files, "proc/self/cgroup", "5:memory:/x\n4:cpu,cpuacct:/inner\n0::/");
                    write(&mut files, "sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", quota);
                    write(&mut files, "sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", period);
                    write(&mut files, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
                    write(&mut files, "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", period);
                }
            }
            "placement" => {
                let (wanted, expected) = rest.split_once(" = ").expect("a placement");
                let words: Vec<&str> = wanted.split(' ').collect();
                let pin = Pin::parse(words[1]).expect("a pin");
                let threads = words[2].parse().expect("a number");
                case.placements.push((words[0].to_string(), pin, threads, expected.to_string(), Vec::new()));
            }
            "remark" => case.placements.last_mut().expect("a placement").4.push(rest.to_string()),
            "bad" => {
                let (policy, complaint) = rest.split_once(" = ").expect("a policy");
                case.bad.push((policy.to_string(), complaint.to_string()));
            }
            _ => panic!("what is '{word}'?"),
        }
    }
    (case, files)
}

/// All cases by name, with the machine that was read.
fn cases() -> &'static [(String, Case, Machine)] {
    static CASES: OnceLock<Vec<(String, Case, Machine)>> = OnceLock::new();
    CASES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines");
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        let read = |file: PathBuf| {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            let (case, files) = case(&fs::read_to_string(file).expect("text"));
            let machine = read(&files);
            (name, case, machine)
        };
        files.into_iter().map(read).collect()
    })
}

#[test]
fn every_machine_gets_its_placements() {
    let cases = cases();
    assert!(cases.len() >= 8);
    for (name, case, machine) in cases {
        assert!(!case.placements.is_empty(), "{name}");
        for (policy, pin, threads, expected, remarks) in &case.placements {
            let policy = NumaPolicy::parse(policy, machine).expect("a policy");
            let placement = place_threads(machine, &policy, *threads, *pin);
            assert_eq!(placement.to_string(), *expected, "{name}: {policy} {} {threads}", pin.name());
            assert_eq!(placement.remarks, *remarks, "{name}: {policy} {} {threads}", pin.name());
        }
        for (policy, complaint) in &case.bad {
            let error = NumaPolicy::parse(policy, machine).expect_err(policy);
            assert_eq!(error.to_string(), *complaint, "{name}");
        }
    }
}

/// How many processors a policy may place threads on.
fn bounds_of(policy: &NumaPolicy, machine: &Machine) -> usize {
    match policy {
        NumaPolicy::Hardware => machine.all().len(),
        NumaPolicy::Sets(sets) => Processors::union(sets).len(),
        _ => machine.allowed.len(),
    }
}

/// Each group has a few threads, under one last-level cache if they are bound to one, and no more groups than needed.
fn assert_groups_are_sound(placement: &Placement, machine: &Machine) {
    let cache_of = |place: &ThreadPlacement| {
        let parts = machine.partition_by(place.processors.as_deref()?, |processor| processor.cache);
        <[Processors; 1]>::try_from(parts)
            .ok()
            .map(|[part]| machine.processor(part.first()?).map(|p| p.cache))
    };
    let mut sizes = vec![0; placement.cache_groups()];
    let mut homes = vec![None; placement.cache_groups()];
    let mut threads_of = std::collections::BTreeMap::new();
    for place in &placement.threads {
        let home = (place.numa_node, cache_of(place));
        sizes[place.cache_group] += 1;
        *threads_of.entry(home).or_insert(0_usize) += 1;
        assert_eq!(*homes[place.cache_group].get_or_insert(home), home);
    }
    assert!(sizes.iter().all(|size| (1..=MAX_GROUP_THREADS).contains(size)), "{sizes:?}");
    let needed: usize = threads_of.values().map(|threads| threads.div_ceil(MAX_GROUP_THREADS)).sum();
    assert_eq!(placement.cache_groups(), needed);
}

#[test]
fn every_placement_of_every_machine_is_sound() {
    for (name, _, machine) in cases() {
        let explicit = NumaPolicy::Sets(machine.partition_by(&machine.all(), |processor| processor.cache));
        for policy in [NumaPolicy::Auto, NumaPolicy::System, NumaPolicy::Hardware, NumaPolicy::Off, explicit]
        {
            for pin in Pin::ALL {
                for threads in [1, 2, 5, 16, machine.allowed.len(), machine.processors.len(), 1024] {
                    let placement = place_threads(machine, &policy, threads, pin);
                    assert_eq!(placement.threads.len() + placement.not_started, threads);
                    assert!(
                        placement.not_started == 0 || policy == NumaPolicy::Auto && !placement.oversubscribed,
                        "{name} {policy}"
                    );
                    let mut nodes: Vec<usize> =
                        placement.threads.iter().map(|place| place.numa_node).collect();
                    assert!(nodes.is_sorted());
                    nodes.dedup();
                    assert!(nodes.into_iter().eq(0..placement.numa_nodes), "{name} {policy} {threads}");
                    let mut sets: Vec<&Processors> =
                        placement.threads.iter().filter_map(|place| place.processors.as_deref()).collect();
                    sets.dedup();
                    let used = Processors::union(sets);
                    let bounds = match policy {
                        NumaPolicy::Hardware | NumaPolicy::Sets(_) => machine.all(),
                        _ => machine.allowed.clone(),
                    };
                    assert!(used.difference(&bounds).is_empty(), "{name} {policy} {threads}");
                    assert!(placement.table_numa_nodes.is_sorted());
                    let mut near =
                        machine.processors.iter().filter(|processor| used.contains(processor.number));
                    assert!(
                        !placement.is_bound()
                            || placement.table_numa_nodes.is_empty()
                            || near.all(|p| placement.table_numa_nodes.contains(&p.numa_node))
                    );
                    assert!(
                        placement
                            .threads
                            .iter()
                            .all(|place| place.processors.as_ref().is_none_or(|set| !set.is_empty()))
                    );
                    assert_groups_are_sound(&placement, machine);
                    if pin == Pin::On {
                        // One processor a thread, each used once before any is used twice.
                        let usable = bounds_of(&policy, machine);
                        assert_eq!(
                            used.len(),
                            placement.threads.len().min(usable),
                            "{name} {policy} {threads}"
                        );
                    }
                }
            }
            assert_eq!(NumaPolicy::parse(&policy.to_string(), machine), Ok(policy));
        }
    }
}

#[test]
fn the_table_belongs_to_the_nodes_of_the_threads() {
    let memory = |name: &str, policy: &str, pin, threads| {
        let machine = &cases().iter().find(|(other, ..)| other == name).expect("described").2;
        let policy = NumaPolicy::parse(policy, machine).expect("a policy");
        place_threads(machine, &policy, threads, pin).table_numa_nodes
    };
    assert!(memory("two-sockets-64", "auto", Pin::Auto, 1).is_empty());
    assert_eq!(memory("two-sockets-64", "auto", Pin::Auto, 128), [0, 1]);
    assert_eq!(memory("two-sockets-64", "system", Pin::Auto, 1), [0]);
    assert_eq!(memory("two-sockets-64", "64-79", Pin::Auto, 16), [1]);
    assert_eq!(memory("two-sockets-64", "none", Pin::On, 2), [0]);
    assert_eq!(memory("two-sockets-64", "none", Pin::Auto, 129), [0, 1]);
    assert!(memory("two-sockets-64", "none", Pin::Auto, 128).is_empty());
    // A node with memory but without processors gets nothing.
    assert_eq!(memory("memory-only-node", "auto", Pin::Auto, 32), [0, 1, 2, 3]);
    assert!(memory("desktop", "auto", Pin::On, 4).is_empty());
}

#[test]
fn the_files_are_read_as_they_are_meant() {
    let shape = |name: &str| {
        let machine = &cases().iter().find(|(other, ..)| other == name).expect("described").2;
        let all = machine.all();
        let count = |property: fn(&Processor) -> usize| machine.partition_by(&all, property).len();
        let small =
            machine.processors.iter().filter(|processor| processor.kind == CoreKind::Efficiency).count();
        let parts = [count(|p| p.package), count(|p| p.numa_node), count(|p| p.cache), count(|p| p.core)];
        (all.len(), parts, small, machine.quota)
    };
    assert_eq!(shape("desktop"), (32, [1, 1, 2, 16], 0, None));
    assert_eq!(shape("hybrid"), (32, [1, 1, 1, 24], 16, None));
    assert_eq!(shape("hybrid-laptop"), (22, [1, 1, 2, 16], 10, None));
    assert_eq!(shape("cache-of-two-nodes"), (64, [2, 4, 2, 32], 0, None));
    assert_eq!(shape("two-sockets-64"), (256, [2, 2, 24, 128], 0, None));
    assert_eq!(shape("two-sockets-128"), (512, [2, 2, 32, 256], 0, None));
    assert_eq!(shape("four-sockets-70"), (280, [4, 4, 4, 280], 0, None));
    assert_eq!(shape("cloud-16"), (16, [1, 2, 1, 16], 0, None));
    assert_eq!(shape("sixteen-sockets-1536"), (1536, [16, 16, 16, 768], 0, None));
    assert_eq!(shape("one-core"), (1, [1, 1, 1, 1], 0, None));
    assert_eq!(shape("container"), (8, [1, 1, 1, 8], 0, Some(1.0)));
    assert_eq!(shape("container-of-old"), (16, [2, 2, 2, 16], 0, Some(2.5)));
    assert_eq!(shape("phone"), (6, [1, 1, 1, 6], 4, None));
    assert_eq!(shape("memory-only-node"), (32, [1, 4, 4, 32], 0, None));
    assert_eq!(shape("silent-about-caches"), (32, [2, 2, 2, 16], 0, None));
}

#[test]
fn a_system_that_says_nothing_has_its_processors_counted() {
    let machine = read(&RootedAt("no/such/folder".into()));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(machine, Machine::uniform(count));
    // Files that make no sense are as good as none.
    let mut files = InMemory::default();
    write(&mut files, "sys/devices/system/cpu/online", "x-y");
    assert_eq!(read(&files), Machine::uniform(count));
    write(&mut files, "sys/devices/system/cpu/online", "0-1");
    write(&mut files, "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "7-9");
    write(&mut files, "sys/devices/system/cpu/cpu0/cache/index0/level", "three");
    write(&mut files, "sys/devices/system/node/node0/cpulist", "5");
    write(&mut files, "proc/self/status", "Cpus_allowed_list:\t64");
    let machine = read(&files);
    let cores = machine.processors.iter().map(|processor| (processor.core, processor.numa_node));
    assert!(cores.eq([(0, 0), (1, 0)]) && machine.allowed == machine.all());
}

#[test]
fn processors_that_the_system_binds_threads_to_are_the_ones_that_are_used() {
    let made_up = Machine { quota: Some(2.0), ..Machine::uniform(4) };
    let affinity = |text: &str| text.parse::<Processors>().expect("a list");
    // Without /sys, bound to others; the limit stays.
    let machine = with_affinity(made_up.clone(), affinity("8-11"));
    assert_eq!(
        (machine.allowed.clone(), machine.all(), machine.quota),
        (affinity("8-11"), affinity("8-11"), Some(2.0))
    );
    let placement = place_threads(&machine, &NumaPolicy::Auto, 4, Pin::Auto);
    assert_eq!(placement.threads.len(), 2);
    // A system that says the same, or nothing.
    for list in [affinity("0-3"), affinity("1-2"), Processors::default()] {
        assert_eq!(with_affinity(made_up.clone(), list), made_up);
    }
}

#[test]
fn this_machine_is_known_and_threads_can_be_bound_on_it() {
    let machine = this_machine();
    assert!(!machine.allowed.is_empty() && machine.allowed.difference(&machine.all()).is_empty());
    std::thread::spawn(|| {
        let machine = this_machine();
        for policy in
            [NumaPolicy::Hardware, NumaPolicy::Sets(vec![machine.allowed.clone()]), NumaPolicy::Auto]
        {
            for place in place_threads(machine, &policy, machine.allowed.len(), Pin::Auto).threads {
                let taken = bind(&place);
                // A cpuset may hold none of the processors of a NUMA node. Windows takes none outside the mask.
                let may = place.processors.as_ref().is_none_or(|set| {
                    let within = set.intersection(&machine.allowed);
                    if cfg!(windows) { within == **set } else { !within.is_empty() }
                });
                assert!(taken || !may || !cfg!(any(target_os = "linux", windows)));
            }
        }
    })
    .join()
    .expect("ends");
}
