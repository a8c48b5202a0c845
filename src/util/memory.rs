//! How much memory this process may still take.
//!
//! Linux grants more than it has and kills whoever uses it, so a large block is asked about first: what the
//! machine has available (`/proc/meminfo`) and what the control groups above this process (version 1 or 2)
//! leave. Elsewhere the files are missing, and the answer is that nobody knows.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Bytes that can be taken now without swapping or being killed; `None` if the system does not say.
pub fn available() -> Option<u64> {
    available_below(Path::new("/"))
}

fn available_below(root: &Path) -> Option<u64> {
    let machine = fs::read_to_string(root.join("proc/meminfo"))
        .ok()
        .and_then(|text| field(&text, "MemAvailable:"))
        .map(|kilobytes| kilobytes.saturating_mul(1024));
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    groups.lines().flat_map(|line| left_in_groups(root, line)).chain(machine).min()
}

/// What the groups of one line of `/proc/self/cgroup` (`number:controllers:path`) and all their ancestors
/// leave. Inside a container the path may name groups that are not visible; those are passed over.
fn left_in_groups(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let (mounts, files): (&[&str], _) = if controllers.is_empty() {
        (&["sys/fs/cgroup", "sys/fs/cgroup/unified"], ["memory.max", "memory.current", "inactive_file"])
    } else if controllers.split(',').any(|name| name == "memory") {
        let files = ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"];
        (&["sys/fs/cgroup/memory"], files)
    } else {
        return Vec::new();
    };
    let plain = |part: &Component| matches!(part, Component::Normal(_));
    let path: PathBuf = Path::new(path).components().filter(plain).collect();
    let groups =
        mounts.iter().flat_map(|mount| path.ancestors().map(move |group| root.join(mount).join(group)));
    groups.filter_map(|group| left_in_group(&group, files)).collect()
}

/// The limit of one group less what it uses, page cache that can be dropped not counted; `None` without a limit.
fn left_in_group(group: &Path, [limit, usage, cache]: [&str; 3]) -> Option<u64> {
    let number = |file| fs::read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let cache = fs::read_to_string(group.join("memory.stat")).ok().and_then(|text| field(&text, cache));
    Some(limit.saturating_sub(number(usage)?.saturating_sub(cache.unwrap_or(0))))
}

/// The number that follows `name` at the start of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_ascii_whitespace);
    lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up root directory, removed at the end.
    struct Root(PathBuf);

    impl Root {
        fn new(name: &str, files: &[(&str, &str)]) -> Root {
            let root = std::env::temp_dir().join(format!("caesura-memory-{}-{name}", std::process::id()));
            for (file, text) in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Root(root)
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    1000 kB\n");

    #[test]
    fn the_machine_alone() {
        let root = Root::new("machine", &[MEMINFO, ("proc/self/cgroup", "0::/a\nnonsense\n3:cpu:/\n")]);
        assert_eq!(available_below(&root.0), Some(1_024_000));
        assert_eq!(available_below(&root.0.join("nowhere")), None);
    }

    #[test]
    fn the_tightest_group_counts() {
        let root = Root::new(
            "two",
            &[
                MEMINFO,
                ("proc/self/cgroup", "0::/a/b\n"),
                ("sys/fs/cgroup/a/b/memory.max", "max\n"),
                ("sys/fs/cgroup/a/memory.max", "500000\n"),
                ("sys/fs/cgroup/a/memory.current", "400000\n"),
                ("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 50000\n"),
            ],
        );
        assert_eq!(available_below(&root.0), Some(150_000));
    }

    #[test]
    fn version_one_and_hidden_paths() {
        let root = Root::new(
            "one",
            &[
                MEMINFO,
                ("proc/self/cgroup", "4:hugetlb,memory:/hidden/../group\n0::/\n"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "400000"),
            ],
        );
        assert_eq!(available_below(&root.0), Some(0));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_says_something() {
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
    }
}
