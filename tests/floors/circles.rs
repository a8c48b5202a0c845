//! Circles among modules and among the files of a folder.

use std::collections::{BTreeMap, BTreeSet};

use crate::dependencies::Dependency;

/// Files or folders of one folder that need each other.
pub struct Circle {
    pub folder: String,
    pub members: Vec<String>,
    /// The dependencies that make the circle.
    pub dependencies: Vec<String>,
}

impl Circle {
    /// The folder and its members, which the list of exceptions names.
    pub fn name(&self) -> String {
        format!("{}: {}", self.folder, self.members.join(", "))
    }
}

/// The entry of a folder under which a file lies. A face belongs to its folder as a whole, and so to no entry.
fn entry<'a>(folder: &str, file: &'a str) -> Option<&'a str> {
    let inside = file.strip_prefix(folder)?.strip_prefix('/')?;
    let name = inside.split('/').next()?.trim_end_matches(".rs");
    (!matches!(inside, "mod.rs" | "lib.rs")).then_some(name)
}

/// All circles, folder by folder from the outermost.
pub fn circles(dependencies: &[Dependency]) -> Vec<Circle> {
    let folders: BTreeSet<&str> = dependencies
        .iter()
        .flat_map(|dependency| [dependency.from.as_str(), dependency.to.as_str()])
        .flat_map(|file| file.match_indices('/').map(|(end, _)| &file[..end]))
        .collect();
    folders.into_iter().flat_map(|folder| circles_of(folder, dependencies)).collect()
}

fn circles_of(folder: &str, dependencies: &[Dependency]) -> Vec<Circle> {
    let mut graph: BTreeMap<&str, BTreeMap<&str, Vec<&Dependency>>> = BTreeMap::new();
    for dependency in dependencies {
        if let (Some(from), Some(to)) = (entry(folder, &dependency.from), entry(folder, &dependency.to))
            && from != to
        {
            graph.entry(from).or_default().entry(to).or_default().push(dependency);
        }
    }
    let reach = |start| {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for &next in graph.get(node).into_iter().flat_map(BTreeMap::keys) {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&str, BTreeSet<&str>> = graph.keys().map(|&node| (node, reach(node))).collect();
    let mut done = BTreeSet::new();
    let mut circles = Vec::new();
    for (&node, far) in &reached {
        if !far.contains(node) || !done.insert(node) {
            continue;
        }
        let members: Vec<&str> = far
            .iter()
            .copied()
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(node)))
            .collect();
        done.extend(&members);
        let mut lines = Vec::new();
        for from in &members {
            for (to, dependencies) in &graph[from] {
                if members.contains(to) {
                    lines.push(format!("{from} -> {to}"));
                    lines.extend(dependencies.iter().map(|dependency| format!("    {dependency}")));
                }
            }
        }
        circles.push(Circle {
            folder: folder.to_string(),
            members: members.into_iter().map(str::to_string).collect(),
            dependencies: lines,
        });
    }
    circles
}
