//! The `caesura` program: UCI without arguments, the command line with some.

use std::process::ExitCode;
use std::sync::Arc;

use caesura::uci::help::BANNER;
use caesura::uci::{Output, Session};
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
    let output = Arc::new(Output::standard());
    output.line(BANNER);
    match Session::new(Arc::clone(&output)) {
        Ok(mut session) => session.run(std::io::stdin().lock()),
        Err(error) => {
            output.line(format_args!("info string {error}"));
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
