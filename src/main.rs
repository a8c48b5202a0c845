//! The `caesura` program: UCI without arguments, the command line with some.

use std::process::ExitCode;

use caesura::uci::Output;
use caesura::util::cpu;

fn main() -> ExitCode {
    // First of all: the rest may use instructions that the processor does not have.
    if !cpu::is_suitable() {
        return caesura::cli::unsupported_cpu();
    }
    run()
}

#[inline(never)]
fn run() -> ExitCode {
    if let Err(error) = caesura::engine::embedded_network() {
        Output::standard().line(format_args!("info string network: {error}"));
        return ExitCode::from(2);
    }
    if std::env::args_os().len() > 1 {
        return caesura::cli::main();
    }
    caesura::cli::uci(false)
}
