//! On which processors a thread runs, and on which memory node the pages that it touches first lie.
//!
//! A set may name any processors: the fixed masks of libraries end at number 1023, and larger machines exist.

/// Binds the calling thread to the processors of these numbers. False if the system refuses or knows no such thing:
/// then the thread runs where it did.
#[cfg(target_os = "linux")]
pub fn bind(processors: impl IntoIterator<Item = usize>) -> bool {
    const BITS: usize = u64::BITS as usize;
    let mut mask: Vec<u64> = Vec::new();
    for number in processors {
        if number >= MOST {
            return false;
        }
        if mask.len() <= number / BITS {
            mask.resize(number / BITS + 1, 0);
        }
        mask[number / BITS] |= 1 << (number % BITS);
    }
    let bytes = size_of_val(&mask[..]);
    // SAFETY: the system reads `bytes` bytes, which the vector has, and keeps no pointer to them.
    unsafe { libc::syscall(libc::SYS_sched_setaffinity, THIS_THREAD, bytes, mask.as_ptr()) == 0 }
}

/// Has the system put the pages that the calling thread touches first on its own memory node, and leave them there. That
/// is where they would go anyway; but unless it is said, the kernel has pages fault now and then to learn who uses them,
/// at the price of an interruption of all processors, and a thread that is bound gains nothing from it. With 16 threads
/// on four nodes 29,000 pages did so in 20 seconds. False if the system refuses or knows no such thing.
#[cfg(target_os = "linux")]
pub fn keep_memory_near() -> bool {
    let no_nodes: *const libc::c_ulong = std::ptr::null();
    // SAFETY: the system reads no bits of a mask, and the policy of this thread is not memory.
    unsafe { libc::syscall(libc::SYS_set_mempolicy, libc::MPOL_LOCAL, no_nodes, 0) == 0 }
}

/// Elsewhere nothing can be asked for.
#[cfg(not(target_os = "linux"))]
pub fn keep_memory_near() -> bool {
    false
}

/// Elsewhere threads cannot be bound to sets.
#[cfg(not(target_os = "linux"))]
pub fn bind(_processors: impl IntoIterator<Item = usize>) -> bool {
    false
}

/// No Linux has as many processors.
#[cfg(target_os = "linux")]
const MOST: usize = 1 << 16;
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
    fn a_thread_is_bound_and_what_is_refused_changes_nothing() {
        std::thread::spawn(|| {
            let before = allowed();
            assert!(!bind([]) && !bind([usize::MAX]) && !bind([MOST - 1]));
            assert_eq!(allowed(), before);
            let first: usize =
                before.split([',', '-']).next().and_then(|word| word.parse().ok()).expect("one");
            // Processors that are not there are left out.
            assert!(bind([first, MOST - 1]));
            assert_eq!(allowed(), first.to_string());
            // Containers may forbid it; if they do not, pages are there as ever.
            let _ = keep_memory_near();
            assert!(vec![1_u8; 1 << 20].iter().all(|&byte| byte == 1));
        })
        .join()
        .expect("ends");
    }
}
