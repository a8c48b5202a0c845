//! Arguments that are UCI commands: `caesura "go depth 10"`, or `caesura go depth 10`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::CommandFactory;

use crate::uci::command::{is_command, needs_words};
use crate::uci::{Output, Session};

use super::arguments::Arguments;

/// The UCI commands that the arguments of the process are, if they are any: each argument one, or, if only the first
/// begins with the word of a command, or is no more than that of one that needs further words, and none holds a space, all
/// together one. Where a single word can be a subcommand of the command line, it is that.
pub(super) fn of_arguments(arguments: impl IntoIterator<Item = OsString>) -> Option<Vec<String>> {
    let arguments: Vec<String> =
        arguments.into_iter().map(|argument| argument.into_string().ok()).collect::<Option<_>>()?;
    let first = arguments.first()?;
    let is_line = |argument: &String| argument.trim_ascii().contains(' ');
    let is_command = |argument: &String| !argument.starts_with('-') && is_command(argument);
    let is_one = needs_words(first) && !arguments.iter().any(is_line);
    if !is_one && arguments.iter().all(is_command) && (arguments.len() > 1 || is_line(first)) {
        return Some(arguments);
    }
    let known = Arguments::command().find_subcommand(first).is_some();
    if !is_command(first) || known && !is_line(first) {
        return None;
    }
    if arguments.iter().any(is_line) { Some(arguments) } else { Some(vec![arguments.join(" ")]) }
}

/// Executes UCI commands, each after the search of the one before, and ends. The exit code is 2 if there is no memory.
pub(super) fn run(lines: &[String]) -> ExitCode {
    match Session::new(Arc::new(Output::standard())) {
        Ok(mut session) => {
            session.run_lines(lines.iter().map(String::as_str));
            ExitCode::SUCCESS
        }
        Err(error) => {
            // A closed standard error is no reason to fail.
            let _ = writeln!(io::stderr(), "caesura: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_lines_or_words_of_one_or_a_subcommand() {
        let lines = |arguments: &[&str]| of_arguments(arguments.iter().map(OsString::from));
        for (arguments, expected) in [
            (&["go depth 10"][..], Some(&["go depth 10"][..])),
            (&["go", "depth", "10"], Some(&["go depth 10"])),
            (&["go", "perft", "3"], Some(&["go perft 3"])),
            (&["go", "perft"], Some(&["go perft"])),
            (&["go"], Some(&["go"])),
            (&["export_net", "eval"], Some(&["export_net eval"])),
            (&["go perft 3", "perft 3"], Some(&["go perft 3", "perft 3"])),
            (
                &["position startpos", "go depth 3", "quit"],
                Some(&["position startpos", "go depth 3", "quit"]),
            ),
            (&["uci", "quit"], Some(&["uci", "quit"])),
            (&["bench 3 1", "quit"], Some(&["bench 3 1", "quit"])),
            (&["compiler"], Some(&["compiler"])),
            (&["bench"], None),
            (&["bench", "--depth", "3"], None),
            (&["perft", "3"], None),
            (&["eval", "8/8/8/8/8/8/8/8 w - - 0 1"], None),
            (&["bench", "--help"], None),
            (&["--help"], None),
            (&["nonsense"], None),
            (&[], None),
        ] {
            assert_eq!(
                lines(arguments).as_deref(),
                expected.map(|lines| lines.iter().map(ToString::to_string).collect::<Vec<_>>()).as_deref(),
                "{arguments:?}"
            );
        }
    }
}
