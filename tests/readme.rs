//! README.md describes the options and the subcommands as the program has them, and the example that is run.

// A tuning build has an option for every number of the search: README does not list them.
#![cfg(not(feature = "tune"))]

mod client;

use std::collections::BTreeSet;
use std::process::Command;

use caesura::engine::SchemeName;
use caesura::uci::options::table::NULL_MOVE;
use caesura::uci::options::{self, OptionType, UciOption};
use client::Client;

const README: &str = include_str!("../README.md");

/// The rows of the table with this line of headings.
fn table(headings: &str) -> Vec<&'static str> {
    let rows = README.lines().skip_while(|line| *line != headings).skip(2);
    rows.take_while(|line| line.starts_with('|')).collect()
}

/// The row of README for an option.
fn row(option: &UciOption) -> String {
    let default = match option.option_type.default_text() {
        Some(default) if default.starts_with('<') => format!("`{default}`"),
        Some(default) => default,
        None => String::new(),
    };
    let values = match &option.option_type {
        OptionType::Check { .. } => "true, false".to_string(),
        // More on a machine with more processors.
        OptionType::Spin { .. } if option.name == "Threads" => "1 to 1024 or more".to_string(),
        OptionType::Spin { min, max, .. } => format!("{min} to {max}"),
        OptionType::Combo { .. } if option.name == NULL_MOVE => "a [scheme](#null-moves)".to_string(),
        OptionType::Combo { choices, .. } if option.name == "NullMoveHelpers" => {
            format!("{} or a [scheme](#null-moves)", choices[0])
        }
        OptionType::Combo { choices, .. } => choices.join(", "),
        OptionType::String { values, .. } | OptionType::File { values, .. } => (*values).to_string(),
        OptionType::Button => "button".to_string(),
    };
    let flag = option.flag.map_or_else(String::new, |flag| format!("`--{}`", flag.name));
    let row = format!("| `{}` | {flag} | {default} | {values} | {} |", option.name, option.doc);
    row.replace("|  |", "| |").replace("|  |", "| |")
}

#[test]
fn the_example_is_the_one_that_runs() {
    let example = include_str!("../examples/library.rs");
    assert!(README.contains(&format!("```rust\n{example}```\n")), "README should have:\n{example}");
}

#[test]
fn the_table_of_options_is_that_of_the_program() {
    let expected: Vec<String> = options::all().iter().map(row).collect();
    let found = table("| option | flag | default | values | what it does |");
    assert!(found == expected, "README should have these rows:\n{}", expected.join("\n"));
}

#[test]
fn the_program_lists_the_options_of_the_table() {
    let mut client = Client::start();
    for (uci, experiments) in [("uci", false), ("uci experiments", true)] {
        client.send(uci);
        let lines = client.until("uciok");
        let listed: Vec<&String> = lines.iter().filter(|line| line.starts_with("option ")).collect();
        let shown = options::all().iter().filter(|option| experiments || !option.is_experiment());
        let expected: Vec<String> = shown.map(ToString::to_string).collect();
        assert_eq!(listed, expected.iter().collect::<Vec<_>>());
        assert_eq!(lines.iter().any(|line| line.contains("NullMoveR")), experiments);
    }
}

/// The help of a subcommand.
fn help(command: &str) -> String {
    let program = env!("CARGO_BIN_EXE_caesura");
    let output = Command::new(program).args([command, "--help"]).output().expect("the program runs");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_help_that_the_readme_names_describes_every_null_move_scheme() {
    assert!(README.contains("`caesura search --help`"));
    let help = help("search").split_whitespace().collect::<Vec<_>>().join(" ");
    for scheme in SchemeName::ALL {
        let row = format!("- {}: {} ({})", scheme.name(), scheme.summary(), scheme.source());
        assert!(help.contains(&row), "{row}\n{help}");
    }
}

/// The flags that are written in a text.
fn flags(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| word.starts_with("--") && word.len() > 2).collect()
}

#[test]
fn the_subcommands_have_the_flags_of_the_table() {
    let null_moves: BTreeSet<String> = options::all()
        .iter()
        .filter(|option| option.null_move)
        .filter_map(|option| Some(format!("--{}", option.flag?.name)))
        .collect();
    let rows = table("| command | what it does |");
    for command in ["bench", "perft", "search", "explain", "suite", "eval", "speedtest", "doctor"] {
        let help = help(command);
        let accepted: BTreeSet<&str> =
            help.lines().flat_map(|line| flags(line.trim_start()).into_iter()).collect();
        let described: BTreeSet<&str> = rows
            .iter()
            .filter(|row| row.starts_with(&format!("| `caesura {command} ")))
            .flat_map(|row| flags(row))
            .collect();
        let accepted: BTreeSet<&str> = accepted
            .into_iter()
            .filter(|flag| !matches!(*flag, "--help" | "--version") && !null_moves.contains(*flag))
            .collect();
        assert_eq!(described, accepted, "{command}");
    }
}
