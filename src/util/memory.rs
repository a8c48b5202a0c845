//! How much memory this process may still take.
//!
//! Linux grants more than it has and kills the process that uses it, so a large block is asked about first: what the
//! machine has available (`/proc/meminfo`) and what the control groups above this process (version 1 or 2)
//! leave. Windows grants no more than it has, and says how much that is. On other systems the amount is unknown.

use std::collections::TryReserveError;
use std::path::Path;

use super::cgroup;
use super::files::{Files, RootedAt};

/// Bytes that can be taken now without being killed and, but on Windows, without swapping; `None` if the system does not say:
/// callers take that for enough.
pub fn available() -> Option<u64> {
    reported().or_else(|| available_by(&RootedAt("/".into())))
}

/// What the system says when it is asked.
fn reported() -> Option<u64> {
    cfg_select! {
        windows => super::windows::available_memory(),
        _ => None,
    }
}

fn available_by(files: &dyn Files) -> Option<u64> {
    let machine = files
        .text(Path::new("proc/meminfo"))
        .and_then(|text| field(&text, "MemAvailable:"))
        .map(|kilobytes| kilobytes.saturating_mul(1024));
    let groups = cgroup::groups(files, "memory");
    let first = groups.v1.iter().filter_map(|group| left_in_group(files, group, &V1));
    let second = groups.v2.iter().filter_map(|group| left_in_group(files, group, &V2));
    first.chain(second).chain(machine).min()
}

/// Bytes of memory of its own that this process has in use, neither files nor preallocated huge pages; `None` if the
/// system does not report it.
pub fn resident() -> Option<u64> {
    let status = RootedAt("/".into()).text(Path::new("proc/self/status"))?;
    field(&status, "RssAnon:").map(|kilobytes| kilobytes << 10)
}

/// A slice of `len` copies of a value, on the heap.
///
/// # Errors
/// If the memory is refused, where `vec!` would end the process.
pub fn boxed_slice<T: Clone>(value: T, len: usize) -> Result<Box<[T]>, TryReserveError> {
    boxed_slice_with(|| value.clone(), len)
}

/// A slice of `len` values, each made anew, on the heap.
///
/// # Errors
/// If the memory is refused.
pub fn boxed_slice_with<T>(make: impl FnMut() -> T, len: usize) -> Result<Box<[T]>, TryReserveError> {
    let mut slice = Vec::new();
    slice.try_reserve_exact(len)?;
    slice.extend(std::iter::repeat_with(make).take(len));
    Ok(slice.into_boxed_slice())
}

/// An array of `N` copies of a value, on the heap.
///
/// # Errors
/// If the memory is refused.
pub fn boxed_array<T: Clone, const N: usize>(value: T) -> Result<Box<[T; N]>, TryReserveError> {
    boxed_array_with(|| value.clone())
}

/// An array of `N` values, each made anew, on the heap.
///
/// # Errors
/// If the memory is refused.
pub fn boxed_array_with<T, const N: usize>(make: impl FnMut() -> T) -> Result<Box<[T; N]>, TryReserveError> {
    match boxed_slice_with(make, N)?.try_into() {
        Ok(array) => Ok(array),
        Err(_) => unreachable!("the slice has N elements"),
    }
}

/// Where a version of control groups says what a group may use, and what it uses.
struct GroupFiles {
    /// Files with a limit each, or another word where there is none.
    limits: &'static [&'static str],
    /// The file with the bytes in use.
    usage: &'static str,
    /// The lines of `memory.stat` with bytes of page cache, which is dropped before the group is refused memory.
    cache: [&'static str; 2],
}

const V1: GroupFiles = GroupFiles {
    limits: &["memory.limit_in_bytes"],
    usage: "memory.usage_in_bytes",
    cache: ["total_inactive_file", "total_active_file"],
};

// A group above `memory.high` is not killed, but slowed down until it hardly runs.
const V2: GroupFiles = GroupFiles {
    limits: &["memory.max", "memory.high"],
    usage: "memory.current",
    cache: ["inactive_file", "active_file"],
};

/// The lowest limit of one group less what it uses, page cache not counted; `None` without a limit.
fn left_in_group(files: &dyn Files, group: &Path, names: &GroupFiles) -> Option<u64> {
    let number = |file| files.text(&group.join(file))?.parse::<u64>().ok();
    let limit = names.limits.iter().copied().filter_map(number).min()?;
    let stat = files.text(&group.join("memory.stat")).unwrap_or_default();
    let cache: u64 = names.cache.iter().filter_map(|name| field(&stat, name)).fold(0, u64::saturating_add);
    Some(limit.saturating_sub(number(names.usage)?.saturating_sub(cache)))
}

/// The number that follows `name` at the start of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_ascii_whitespace);
    lines.find_map(|mut words| (words.next() == Some(name)).then(|| words.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::files::InMemory;

    fn files(files: &[(&str, &str)]) -> InMemory {
        InMemory(files.iter().map(|&(file, text)| (file.into(), text.to_string())).collect())
    }

    const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    1000 kB\n");

    #[test]
    fn the_machine_alone() {
        let files = files(&[MEMINFO, ("proc/self/cgroup", "0::/a\nnonsense\n3:cpu:/\n")]);
        assert_eq!(available_by(&files), Some(1_024_000));
        assert_eq!(available_by(&InMemory::default()), None);
    }

    #[test]
    fn the_tightest_group_counts() {
        let files = files(&[
            MEMINFO,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/memory.max", "500000\n"),
            ("sys/fs/cgroup/a/memory.current", "400000\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 50000\nactive_file 20000\n"),
        ]);
        assert_eq!(available_by(&files), Some(170_000));
    }

    #[test]
    fn a_group_is_slowed_down_before_it_is_refused_memory() {
        let left = |high| {
            available_by(&files(&[
                ("proc/self/cgroup", "0::/a\n"),
                ("sys/fs/cgroup/a/memory.max", "500000\n"),
                ("sys/fs/cgroup/a/memory.high", high),
                ("sys/fs/cgroup/a/memory.current", "100000\n"),
            ]))
        };
        assert_eq!(["300000\n", "900000\n", "max\n"].map(left), [200_000, 400_000, 400_000].map(Some));
    }

    #[test]
    fn version_one_and_hidden_paths() {
        let files = files(&[
            MEMINFO,
            ("proc/self/cgroup", "4:hugetlb,memory:/hidden/../group\n0::/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "400000"),
            (
                "sys/fs/cgroup/memory/memory.stat",
                "active_file 9\ntotal_inactive_file 60000\ntotal_active_file 50000",
            ),
        ]);
        assert_eq!(available_by(&files), Some(10_000));
    }

    #[test]
    fn an_array_is_filled() {
        assert_eq!(*boxed_array::<_, 3>(7).expect("memory"), [7; 3]);
    }

    // The address sanitizer's own allocator ends the program.
    #[test]
    #[cfg(not(address_sanitizer))]
    fn impossible_sizes_are_refused() {
        assert!(boxed_slice(0_u64, usize::MAX / 4).is_err() && boxed_slice(0_u64, 1 << 59).is_err());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_says_something() {
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
        // Other tests may have none in use.
        let block = vec![1_u8; 4 << 20];
        assert!(resident().is_some_and(|bytes| bytes > 1 << 20));
        assert!(block.iter().all(|&byte| byte == 1));
    }
}
