//! README.md says of the options what the program says of them.

// A tuning build has an option for every number of the search: README does not list them.
#![cfg(not(feature = "tune"))]

mod client;

use caesura::engine::SchemeName;
use client::Client;

const README: &str = include_str!("../README.md");

/// The cells of the table with these headings, row by row, without the marks of code.
fn table(headings: &str) -> Vec<Vec<String>> {
    let rows = README.lines().skip_while(|line| *line != headings).skip(2);
    let cells = |row: &str| {
        let row = row.trim_start_matches('|').trim_end_matches('|');
        row.split('|').map(|cell| cell.trim().replace('`', "")).collect()
    };
    rows.take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// The names of the null-move schemes, in the order of their table.
fn schemes() -> Vec<String> {
    table("| `NullMove` | what it does | source |").into_iter().map(|row| row[0].clone()).collect()
}

/// What the first three cells should be for a line that answers `uci`; of an option that takes any text, what values
/// there are is for README to say.
fn row(line: &str) -> [Option<String>; 3] {
    let (name, rest) =
        line.strip_prefix("option name ").and_then(|line| line.split_once(" type ")).expect(line);
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let rest = rest.strip_prefix("default ").unwrap_or(rest);
    let (default, values) = match kind {
        "button" => ("", Some("button".to_string())),
        "check" => (rest, Some("true, false".to_string())),
        "spin" => {
            let (default, range) = rest.split_once(" min ").expect(line);
            (default, Some(range.replace(" max ", " to ")))
        }
        "combo" => {
            let mut choices = rest.split(" var ");
            let default = choices.next().expect(line);
            let choices: Vec<&str> = choices.collect();
            (default, Some(if choices == schemes() { "a scheme".to_string() } else { choices.join(", ") }))
        }
        _ => (rest, None),
    };
    [Some(name.to_string()), Some(default.to_string()), values]
}

#[test]
fn every_null_move_scheme_has_its_row() {
    let expected: Vec<[String; 3]> = SchemeName::ALL
        .map(|scheme| [scheme.name(), scheme.summary(), scheme.source()].map(|cell| cell.replace('`', "")))
        .to_vec();
    assert_eq!(table("| `NullMove` | what it does | source |"), expected);
}

#[test]
fn every_option_is_in_the_table_with_its_default_and_its_values() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    let announced: Vec<_> =
        lines.iter().filter(|line| line.starts_with("option ")).map(|line| row(line)).collect();
    let told = table("| option | default | values | what it does |");
    let names: Vec<_> = told.iter().map(|cells| Some(cells[0].clone())).collect();
    let expected: Vec<_> = announced.iter().map(|cells| cells[0].clone()).collect();
    assert_eq!(names, expected);
    for (cells, expected) in told.iter().zip(&announced) {
        assert_eq!(cells.len(), 4, "{cells:?}");
        for (cell, expected) in cells.iter().zip(expected) {
            assert!(expected.as_ref().is_none_or(|expected| expected == cell), "{cells:?}: {expected:?}");
        }
        assert!(!cells[2].is_empty() && !cells[3].is_empty(), "{cells:?}");
    }
}
