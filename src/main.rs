//! The `caesura` program: UCI without arguments, the command line with some.

use std::io::{self, Write};
use std::process::ExitCode;

use caesura::uci::Output;

fn main() -> ExitCode {
    // First of all: the rest may use instructions that the processor does not have. On Linux this is done already.
    #[cfg(not(target_os = "linux"))]
    if !caesura::util::cpu::is_suitable() {
        return caesura::util::unsupported_cpu::unsupported_cpu();
    }
    run()
}

/// Checks the processor before the start of the standard library, which is compiled into `main` and may use instructions
/// that the processor does not have.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: the section is a list of functions that are called before `main`. They are given its arguments, which the calling
// convention lets this one ignore, and an `extern "C"` function cannot unwind.
#[unsafe(link_section = ".init_array")]
static CHECK_PROCESSOR: extern "C" fn() = caesura::util::unsupported_cpu::check_processor;

#[inline(never)]
fn run() -> ExitCode {
    if let Err(error) = caesura::engine::embedded_network() {
        // A GUI reads the standard output.
        if std::env::args_os().skip(1).all(|argument| argument == "--experiments") {
            Output::standard().info_string(format_args!("network: {error}"));
        } else {
            let _ = writeln!(io::stderr(), "caesura: network: {error}");
        }
        return ExitCode::from(2);
    }
    if std::env::args_os().len() > 1 {
        return caesura::cli::main();
    }
    caesura::cli::uci(false)
}
