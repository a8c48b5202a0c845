//! The program `caesura` of a release for x86-64: it is compiled for every such processor, looks which level of the
//! instruction set this one has, and becomes the fastest of the programs beside it that the processor can run.
//!
//! The engine's own list of instructions decides, by which each of these programs also checks its processor. Arguments and
//! standard streams are handed over. If there is nothing to run, the exit code is 2.

mod hand_over;
mod programs;

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use caesura::util::cpu::Feature;

use crate::hand_over::hand_over;
use crate::programs::programs;

fn main() -> ExitCode {
    let launcher = match env::current_exe() {
        Ok(path) => path,
        Err(error) => {
            print_error(&format!("cannot find the folder of this program: {error}"));
            return ExitCode::from(2);
        }
    };
    let folder = launcher.parent().unwrap_or(Path::new("."));
    let candidates = programs(folder, Feature::is_present);
    for program in &candidates {
        let error = hand_over(program);
        // A release need not have all of them.
        if error.kind() != io::ErrorKind::NotFound {
            print_error(&format!("cannot run {}: {error}", program.display()));
        }
    }
    print_error(&nothing_to_run(folder, &candidates));
    ExitCode::from(2)
}

/// Says that none of the programs that were looked for could be run.
fn nothing_to_run(folder: &Path, candidates: &[PathBuf]) -> String {
    let names: Vec<_> =
        candidates.iter().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy()).collect();
    format!("no program for this processor in {}: looked for {}", folder.display(), names.join(", "))
}

/// Writes a line to the standard error output.
fn print_error(text: &str) {
    // A closed standard error is no reason to fail.
    let _ = writeln!(io::stderr(), "caesura: {text}");
}
