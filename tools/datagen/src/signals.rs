//! Signals that were ignored before a program began: `nohup` has SIGHUP ignored, and a shell's script SIGINT in what it
//! starts in the background.

/// Calls `install`, which sets handlers for the signals that ask a process to end, and has those ignored again that were
/// before. A signal between the two is handled.
#[cfg(unix)]
pub(crate) fn keep_ignored<R>(install: impl FnOnce() -> R) -> R {
    let mut signals = vec![libc::SIGHUP, libc::SIGINT, libc::SIGTERM];
    signals.retain(|&signal| is_ignored(signal));
    let installed = install();
    for signal in signals {
        // SAFETY: SIG_IGN is no function, so that nothing is called that must be safe in a signal handler.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
    installed
}

/// Calls `install`: no signals can be ignored here.
#[cfg(not(unix))]
pub(crate) fn keep_ignored<R>(install: impl FnOnce() -> R) -> R {
    install()
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
