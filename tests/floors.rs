//! The layering: a file imports only from its own floor or lower ones, and there are no import circles, neither
//! between modules nor between the files of a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, from the ground up.
const FLOORS: &[&[&str]] = &[
    &["types", "util", "params"],
    &["attacks", "zobrist", "tt", "clock", "topology"],
    &["board"],
    &["nnue", "perft"],
    &["search"],
    &["pool"],
    &["engine", "single_threaded"],
    &["bench", "speedtest", "suite"],
    &["uci", "cli"],
    &["lib", "main"],
];

fn floor(room: &str) -> usize {
    FLOORS
        .iter()
        .position(|rooms| rooms.contains(&room))
        .unwrap_or_else(|| panic!("'{room}' has no floor yet: give it one in tests/floors.rs"))
}

/// A file of the library: its path as a module (`["board", "make"]`), and its code.
struct Source {
    path: Vec<String>,
    code: String,
    /// It is a `mod.rs`, the face of its folder.
    face: bool,
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    files.sort();
    let mut sources = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&root).expect("inside").with_extension("");
        let mut path: Vec<String> =
            inside.iter().map(|part| part.to_str().expect("text").to_string()).collect();
        // Tests may look up.
        if path.last().is_some_and(|name| name == "tests") {
            continue;
        }
        let face = path.last().is_some_and(|name| name == "mod");
        if face {
            path.pop();
        }
        let text = fs::read_to_string(&file).expect("readable");
        sources.push(Source { path, code: code(&text), face });
    }
    sources
}

/// A text without comments, texts in quotation marks and inline test modules.
fn code(text: &str) -> String {
    let text = text.find("#[cfg(test)]\nmod tests {").map_or(text, |end| &text[..end]);
    let mut code = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let mut former = ' ';
        let mut characters = line.chars().peekable();
        while let Some(c) = characters.next() {
            if c == '"' && former != '\\' && former != '\'' {
                quoted = !quoted;
            } else if !quoted && c == '/' && characters.peek() == Some(&'/') {
                break;
            } else if !quoted {
                code.push(c);
            }
            former = c;
        }
        code.push('\n');
    }
    code
}

/// The paths that stand in a piece of code after `prefix::`, groups in braces spread out, each with its first
/// two names: `crate::a::{b, c::d}` gives `[a, b]` and `[a, c]`.
fn paths_after(code: &str, prefix: &str) -> Vec<Vec<String>> {
    let start = format!("{prefix}::");
    let mut found = Vec::new();
    for (place, _) in code.match_indices(&start) {
        let before = code[..place].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
            continue;
        }
        spread(&code[place + start.len()..], &[], &mut found);
    }
    found
}

/// Reads one path or group at the start of `text`, and returns what follows it.
fn spread<'a>(text: &'a str, before: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = spread(rest, before, found).trim_start();
            match rest.strip_prefix(',') {
                Some(next) if !next.trim_start().starts_with('}') => rest = next,
                Some(next) => rest = next.trim_start(),
                None => {}
            }
            if let Some(after) = rest.strip_prefix('}') {
                return after;
            }
            if rest.is_empty() {
                return rest;
            }
        }
    }
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '*')).unwrap_or(text.len());
    let mut path = before.to_vec();
    path.push(text[..end].to_string());
    let mut rest = &text[end..];
    if let Some(deeper) = rest.strip_prefix("::") {
        return spread(deeper, &path, found);
    }
    // `a as b`
    if let Some(renamed) = rest.trim_start().strip_prefix("as ") {
        let renamed = renamed.trim_start();
        let end = renamed.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(renamed.len());
        rest = &renamed[end..];
    }
    found.push(path);
    // Never stand still, whatever the text.
    if end == 0 { rest.get(1..).unwrap_or("") } else { rest }
}

/// All names of this crate that a file mentions, as paths from its root.
fn mentioned(source: &Source) -> BTreeSet<Vec<String>> {
    let mut paths: BTreeSet<Vec<String>> = paths_after(&source.code, "crate").into_iter().collect();
    let mut folder = source.path.clone();
    if source.face {
        folder.push(String::new());
    }
    let mut prefix = "super".to_string();
    while folder.pop().is_some() {
        paths.extend(
            paths_after(&source.code, &prefix).into_iter().map(|path| [folder.clone(), path].concat()),
        );
        prefix.push_str("::super");
        if folder.is_empty() {
            break;
        }
    }
    paths.retain(|path| path.iter().all(|name| name != "super"));
    paths
}

/// What the face of a folder hands on: the name, and the module it comes from.
fn handed_on(face: &Source) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (place, _) in face.code.match_indices("pub use ").chain(face.code.match_indices("pub(crate) use ")) {
        let path = face.code[place..].split_once("use ").map_or("", |(_, path)| path);
        let mut found = Vec::new();
        spread(path, &[], &mut found);
        for path in found {
            if let [module, .., name] = &path[..] {
                names.insert(name.clone(), module.clone());
            }
        }
    }
    names
}

/// A circle among the arrows, if there is one.
fn circle(arrows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn visit<'a>(
        node: &'a str,
        arrows: &'a BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<Vec<String>> {
        if let Some(start) = way.iter().position(|&before| before == node) {
            return Some(way[start..].iter().chain([&node]).map(|name| (*name).to_string()).collect());
        }
        if !done.contains(node) {
            way.push(node);
            for next in arrows.get(node).into_iter().flatten() {
                if let Some(found) = visit(next, arrows, way, done) {
                    return Some(found);
                }
            }
            way.pop();
            done.insert(node);
        }
        None
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|node| visit(node, arrows, &mut Vec::new(), &mut done))
}

fn rooms(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let known: BTreeSet<&String> = sources.iter().filter_map(|source| source.path.first()).collect();
    let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        let room = &source.path[0];
        let targets = arrows.entry(room.clone()).or_default();
        targets.extend(mentioned(source).into_iter().filter_map(|path| path.into_iter().next()));
        targets.retain(|target| target != room && known.contains(target));
    }
    arrows
}

#[test]
fn nothing_is_imported_from_a_higher_floor() {
    let mut upward = Vec::new();
    for source in sources() {
        let room = source.path[0].clone();
        for path in mentioned(&source) {
            let target = &path[0];
            let listed = FLOORS.iter().any(|rooms| rooms.contains(&target.as_str()));
            if listed && floor(target) > floor(&room) {
                upward.push(format!("{} imports {}", source.path.join("::"), path.join("::")));
            }
        }
    }
    assert!(upward.is_empty(), "arrows that go up:\n{}", upward.join("\n"));
}

#[test]
fn every_room_has_a_floor_and_no_circle_joins_them() {
    let sources = sources();
    for source in &sources {
        floor(&source.path[0]);
    }
    assert_eq!(circle(&rooms(&sources)), None);
}

#[test]
fn no_circle_joins_the_files_of_a_folder() {
    let sources = sources();
    let faces: BTreeMap<Vec<String>, BTreeMap<String, String>> = sources
        .iter()
        .filter(|source| source.face)
        .map(|source| (source.path.clone(), handed_on(source)))
        .collect();
    let files: BTreeSet<&Vec<String>> = sources.iter().map(|source| &source.path).collect();
    for (folder, names) in &faces {
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for source in sources.iter().filter(|source| !source.face && source.path.starts_with(folder)) {
            let own = &source.path[folder.len()];
            for path in mentioned(source).into_iter().filter(|path| path.starts_with(folder)) {
                let Some(name) = path.get(folder.len()) else { continue };
                let file = names.get(name).unwrap_or(name);
                if file != own && files.contains(&[folder.as_slice(), std::slice::from_ref(file)].concat()) {
                    arrows.entry(own.clone()).or_default().insert(file.clone());
                }
            }
        }
        assert_eq!(circle(&arrows), None, "in {}", folder.join("/"));
    }
}

#[test]
fn faces_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for source in sources().iter().filter(|source| source.face) {
        let path = source.path.iter().fold(root.clone(), |path, part| path.join(part)).join("mod.rs");
        let lines = fs::read_to_string(&path).expect("readable").lines().count();
        assert!(lines < 40, "{} has {lines} lines", path.display());
        assert!(!source.code.contains("fn "), "{} has logic", path.display());
    }
}

#[test]
fn the_reader_of_imports_reads_them() {
    let paths = |code: &str| {
        let mut paths: Vec<String> =
            paths_after(&self::code(code), "crate").into_iter().map(|path| path.join("::")).collect();
        paths.sort();
        paths
    };
    assert_eq!(paths("use crate::a;\nlet x = crate::b::c::D::new(crate::e);"), ["a", "b::c::D::new", "e"]);
    assert_eq!(paths("use crate::{a::{self, B}, c as d, e::*,};"), ["a::B", "a::self", "c", "e::*"]);
    assert_eq!(paths("// crate::a\n/// crate::b\nlet c = \"crate::d\"; $crate::e; x::crate::f;"), [""; 0]);
    assert_eq!(paths("use crate::a;\n#[cfg(test)]\nmod tests {\nuse crate::b;\n}"), ["a"]);
    let arrow = |to: &str| BTreeSet::from([to.to_string()]);
    let mut arrows = BTreeMap::from([("a".to_string(), arrow("b")), ("b".to_string(), arrow("c"))]);
    assert_eq!(circle(&arrows), None);
    arrows.insert("c".to_string(), arrow("b"));
    assert_eq!(circle(&arrows), Some(vec!["b".into(), "c".into(), "b".into()]));
}
