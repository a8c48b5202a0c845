//! The layering: a file needs only files of its own floor or lower ones, nothing calls back into what calls it, and
//! interfaces and tools stay before the facade.
//!
//! The code is parsed, so that every way to name another file counts: imports and paths through aliases, globs and
//! re-exports, tokens in macros, and calls of methods that another file defines. Tests may look up. Types are not
//! inferred: a call counts if the type of its receiver is written (`self`, a parameter, a field), or if one file alone
//! defines a method of that name.
//!
//! `rules` holds the rules as data and the known exceptions. `evasions` is the test of the test: each way round it, as a
//! small text. To print every circle with what makes it: `FLOORS_CIRCLES=1 cargo test --test floors circle -- --nocapture`.

mod check;
mod circles;
mod dependencies;
mod evasions;
mod methods;
mod names;
mod rules;
mod shape;
mod source;
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use check::Report;
use rules::{EXCEPTIONS, MAY_IMPORT, Rule, UNSAFE};
use source::Root;

/// All Rust files below a folder, by their paths from the top of the repository.
fn texts(folders: &[&str]) -> BTreeMap<String, String> {
    fn walk(top: &Path, folder: &str, texts: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(top.join(folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = format!("{folder}/{}", entry.file_name().to_str().expect("a name in UTF-8"));
            if entry.path().is_dir() {
                walk(top, &path, texts);
            } else if path.ends_with(".rs") {
                texts.insert(path, fs::read_to_string(entry.path()).expect("readable"));
            }
        }
    }
    let mut texts = BTreeMap::new();
    folders.iter().for_each(|folder| walk(Path::new(env!("CARGO_MANIFEST_DIR")), folder, &mut texts));
    texts
}

static HOUSE: LazyLock<Report> = LazyLock::new(|| {
    // The folders of packages beside the engine, and their names.
    let outside = || MAY_IMPORT.iter().map(|(start, _)| *start).filter(|start| !start.starts_with("src/"));
    let folders: Vec<&str> = outside().filter_map(|start| start.strip_suffix('/')).collect();
    let tools: Vec<&str> =
        outside().filter_map(|start| start.strip_suffix("/src/")?.rsplit('/').next()).collect();
    assert_eq!(folders.len(), tools.len(), "a folder of a package ends with /src/");
    let texts = texts(&["src"].into_iter().chain(folders.iter().copied()).collect::<Vec<_>>());
    let mut roots = vec![
        Root { name: "caesura", file: "src/lib.rs".to_string(), sees: Vec::new() },
        Root { name: "", file: "src/main.rs".to_string(), sees: vec!["caesura"] },
    ];
    for (&tool, folder) in tools.iter().zip(&folders) {
        for (name, file) in [(tool, "lib.rs"), ("", "main.rs")] {
            let file = format!("{folder}/{file}");
            if texts.contains_key(&file) {
                roots.push(Root {
                    name,
                    file,
                    sees: ["caesura"].into_iter().chain(tools.iter().copied()).collect(),
                });
            }
        }
    }
    Report::of(&texts, &roots)
});

#[test]
fn nothing_needs_a_higher_floor() {
    HOUSE.hold(Rule::Upward, EXCEPTIONS);
}

#[test]
fn no_circle_joins_modules_or_files_of_a_folder() {
    if std::env::var_os("FLOORS_CIRCLES").is_some() {
        for circle in &HOUSE.circles {
            println!("{}\n    {}", circle.name(), circle.dependencies.join("\n    "));
        }
    }
    HOUSE.hold(Rule::Circle, EXCEPTIONS);
}

#[test]
fn interfaces_and_tools_import_the_facade() {
    HOUSE.hold(Rule::Import, EXCEPTIONS);
}

#[test]
fn faces_are_faces() {
    HOUSE.hold(Rule::Face, EXCEPTIONS);
}

#[test]
fn files_and_functions_are_short() {
    HOUSE.hold(Rule::Length, EXCEPTIONS);
}

#[test]
fn all_text_can_be_followed() {
    HOUSE.hold(Rule::Hidden, EXCEPTIONS);
}

#[test]
fn unsafe_code_stands_in_the_listed_files() {
    HOUSE.hold(Rule::Unsafe, EXCEPTIONS);
    let mut texts = texts(&["src", "cluster", "tools", "tests", "benches", "perft", "examples"]);
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
    texts.insert("build.rs".to_string(), fs::read_to_string(build).expect("readable"));
    let found: Vec<&str> = texts
        .iter()
        .filter(|(path, text)| shape::is_unsafe(path, text))
        .map(|(path, _)| path.as_str())
        .collect();
    assert_eq!(found, UNSAFE, "the list names exactly the files that hold it");
}

#[test]
fn every_tool_is_in_the_table_and_names_the_library_as_it_is() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools");
    for entry in fs::read_dir(tools).expect("a folder") {
        let path = entry.expect("an entry").path();
        let Ok(manifest) = fs::read_to_string(path.join("Cargo.toml")) else { continue };
        let tool = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        let start = format!("tools/{tool}/src/");
        assert!(MAY_IMPORT.iter().any(|(listed, _)| *listed == start), "{start} is in no table");
        assert!(!manifest.contains("package = \"caesura\""), "{tool} gives the library another name");
    }
}

#[test]
fn no_test_stands_where_none_is_run() {
    let texts = texts(&["src", "cluster/src", "tools"]);
    // The libraries are built with `doctest = false`, and these programs with `test = false`.
    let is_example = |line: &&str| {
        let text = line.trim_start().strip_prefix("//").and_then(|text| text.strip_prefix(['/', '!']));
        text.is_some_and(|text| text.trim_start().starts_with("```"))
    };
    for (path, text) in &texts {
        for opening in text.lines().filter(is_example).step_by(2) {
            assert!(opening.ends_with("```text"), "{path}: {opening}");
        }
    }
    for program in ["src", "tools/datagen/src", "tools/lab/src", "tools/sprt/src", "tools/spsa/src"] {
        let text = &texts[&format!("{program}/main.rs")];
        assert!(!text.contains("#[test]") && !text.contains("\nmod "), "{program}/main.rs");
    }
}
