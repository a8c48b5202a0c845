//! On which processors a thread runs.
//!
//! A set may name any processors: the fixed masks of libraries end at number 1023, and larger machines exist.

/// Numbers of processors lie below this on every Linux.
pub const MAX_PROCESSORS: usize = 1 << 16;
/// How many processors a group of Windows has room for.
#[cfg(any(windows, test))]
pub const GROUP_SIZE: usize = 64;

/// Binds the calling thread to the processors of these numbers. False if the system refuses or knows no such thing:
/// then the thread runs where it did.
#[cfg(target_os = "linux")]
pub fn bind(processors: impl IntoIterator<Item = usize>) -> bool {
    let Some(mask) = mask(processors) else {
        return false;
    };
    let bytes = size_of_val(&mask[..]);
    // SAFETY: the system reads `bytes` bytes, which the vector has, and keeps no pointer to them.
    unsafe { libc::syscall(libc::SYS_sched_setaffinity, THIS_THREAD, bytes, mask.as_ptr()) == 0 }
}

/// A bit for each number; `None` if there is a number that no Linux has.
#[cfg(target_os = "linux")]
pub(super) fn mask(numbers: impl IntoIterator<Item = usize>) -> Option<Vec<libc::c_ulong>> {
    const BITS: usize = libc::c_ulong::BITS as usize;
    let mut mask = Vec::new();
    for number in numbers {
        if number >= MAX_PROCESSORS {
            return None;
        }
        if mask.len() <= number / BITS {
            mask.resize(number / BITS + 1, 0);
        }
        mask[number / BITS] |= 1 << (number % BITS);
    }
    Some(mask)
}

/// Binds the calling thread to the processors of these numbers (64 times that of its group and the place in that), of which
/// those in the group that has most of them count. False if there are none or the system refuses: then the thread runs
/// where it did.
#[cfg(windows)]
pub fn bind(processors: impl IntoIterator<Item = usize>) -> bool {
    use super::windows;

    let mut masks = std::collections::BTreeMap::<u16, u64>::new();
    for number in processors {
        let Ok(group) = u16::try_from(number / GROUP_SIZE) else { return false };
        *masks.entry(group).or_default() |= 1 << (number % GROUP_SIZE);
    }
    let fullest = masks.into_iter().max_by_key(|&(_, mask)| mask.count_ones());
    fullest.is_some_and(|(group, mask)| windows::bind(group, mask))
}

/// Elsewhere threads cannot be bound to sets.
#[cfg(not(any(target_os = "linux", windows)))]
pub fn bind(_processors: impl IntoIterator<Item = usize>) -> bool {
    false
}

#[cfg(target_os = "linux")]
const THIS_THREAD: libc::pid_t = 0;

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn allowed() -> String {
        let status = std::fs::read_to_string("/proc/thread-self/status").expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        line.expect("listed").trim().to_string()
    }

    #[test]
    fn numbers_are_bits() {
        assert_eq!(mask([]), Some(vec![]));
        assert_eq!(mask([3, 0]), Some(vec![0b1001]));
        let bits = libc::c_ulong::BITS as usize;
        assert_eq!(mask([bits + 1, 1]), Some(vec![0b10, 0b10]));
        assert_eq!(mask([MAX_PROCESSORS]), None);
    }

    #[test]
    fn a_thread_is_bound_and_what_is_refused_changes_nothing() {
        std::thread::spawn(|| {
            let before = allowed();
            assert!(!bind([]) && !bind([usize::MAX]) && !bind([MAX_PROCESSORS - 1]));
            assert_eq!(allowed(), before);
            let first: usize =
                before.split([',', '-']).next().and_then(|word| word.parse().ok()).expect("one");
            // Processors that are not there are left out.
            assert!(bind([first, MAX_PROCESSORS - 1]));
            assert_eq!(allowed(), first.to_string());
        })
        .join()
        .expect("ends");
    }
}
