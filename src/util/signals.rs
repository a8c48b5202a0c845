//! Signals that should not end the process: that of a terminal that is closed, which `nohup` has ignored by what it starts, and
//! that of a file that may grow no further.

/// Calls `install`, which sets handlers for the signals that ask a process to end, and has SIGHUP ignored again if it was
/// before. One that comes between the two is handled. SIGINT is handled even where a script had it ignored by what it starts
/// in the background: otherwise `kill -INT` and `timeout -s INT` could not end that work.
#[cfg(unix)]
pub fn keep_hang_ups_ignored<R>(install: impl FnOnce() -> R) -> R {
    let was_ignored = is_ignored(libc::SIGHUP);
    let installed = install();
    if was_ignored {
        // SAFETY: SIG_IGN is no function, so that nothing is called that must be safe in a signal handler.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    }
    installed
}

/// Calls `install`: there are no such signals here.
#[cfg(not(unix))]
pub fn keep_hang_ups_ignored<R>(install: impl FnOnce() -> R) -> R {
    install()
}

/// From now on, a write beyond the greatest size that the system allows a file (`ulimit -f`) is an error, as one on a full disk is,
/// and does not end the process.
pub fn ignore_file_size_limits() {
    // SAFETY: SIG_IGN is no function, so that nothing is called that must be safe in a signal handler.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN)
    };
}

/// Whether this process ignores a signal; false if the system does not say.
#[cfg(unix)]
fn is_ignored(signal: libc::c_int) -> bool {
    // SAFETY: the structure holds integers and a function pointer that may be absent, for which zeros are valid.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action the call changes nothing, and `action` has room for the present one.
    let result = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut action) };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}
