//! How many files the process may have open, and errors that say that there are too many.

use std::io;

/// Allows the process as many open files as the system lets it have: raises the limit to the hard one (`ulimit -Hn`). Where
/// the system refuses, and on other systems than Linux, the limit stays as it is.
pub fn raise_limit() {
    #[cfg(target_os = "linux")]
    {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the system writes one `rlimit`, which is there to be written, and keeps no pointer to it.
        let known = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0;
        if known && limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max;
            // SAFETY: the system reads one `rlimit`, which has been written, and keeps no pointer to it.
            let _ = unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
        }
    }
}

/// True if a file could not be opened for a reason that passes: the process or the system has too many open, or a signal
/// came. Nothing is wrong with the file then.
pub fn is_passing(error: &io::Error) -> bool {
    // EMFILE and ENFILE on every Unix; ERROR_TOO_MANY_OPEN_FILES.
    let too_many: &[i32] = if cfg!(windows) { &[4] } else { &[24, 23] };
    error.kind() == io::ErrorKind::Interrupted
        || error.raw_os_error().is_some_and(|code| too_many.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn too_many_open_files_and_signals_pass() {
        for code in [libc::EMFILE, libc::ENFILE, libc::EINTR] {
            assert!(is_passing(&io::Error::from_raw_os_error(code)));
        }
        for code in [libc::ENOENT, libc::EACCES, libc::EIO] {
            assert!(!is_passing(&io::Error::from_raw_os_error(code)));
        }
        assert!(!is_passing(&io::ErrorKind::InvalidData.into()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_limit_is_the_hard_one() {
        raise_limit();
        let limits = std::fs::read_to_string("/proc/self/limits").expect("Linux");
        let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).expect("listed");
        let mut words = line.split_ascii_whitespace();
        assert!(words.next().is_some_and(|soft| Some(soft) == words.next()), "{line}");
    }
}
