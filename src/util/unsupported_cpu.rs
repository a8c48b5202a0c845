//! The check and the message for processors without the instructions that the program was compiled for.

use std::io::Write;
use std::process::ExitCode;

use super::cpu::{self, Feature};

/// Ends the process with a message and the exit code 2 where the processor lacks instructions that the program may use. A
/// program has it called before `main`, into which the start of the standard library is compiled: see `src/main.rs`.
#[cfg(target_os = "linux")]
pub extern "C" fn check_processor() {
    if !cpu::is_suitable() {
        let _ = unsupported_cpu();
        // Not by the standard library, whose end is compiled into the program as its start is.
        // SAFETY: it takes any number, touches no memory of the program, and does not return.
        unsafe { libc::_exit(2) }
    }
}

/// Says on the standard error output, in one line, that another build must be taken, and which.
///
/// As plain as can be, for the reason that it is called at all: the text is put together at compile time but for the
/// name of the build, and every part is written by the standard library, which is compiled for all processors.
#[inline(never)]
pub fn unsupported_cpu() -> ExitCode {
    let mut error = std::io::stderr();
    let parts = [
        "this program was compiled for instructions that this processor does not have; take the build for ",
        cpu::release_builds(Feature::is_present).next().unwrap_or(cpu::level_name(1)),
        "\n",
    ];
    for part in parts {
        // A closed standard error is no reason to fail.
        let _ = error.write_all(part.as_bytes());
    }
    ExitCode::from(2)
}
