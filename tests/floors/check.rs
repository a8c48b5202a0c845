//! Holds a set of texts to all rules.

use std::collections::{BTreeMap, BTreeSet};

use crate::circles::{Circle, circles};
use crate::dependencies::{Dependencies, Dependency};
use crate::rules::{Rule, UNSAFE, floor, is_registry, may_import};
use crate::shape;
use crate::source::{Root, World};

/// What breaks which rule; plain data that all tests share.
pub struct Report {
    /// Rule, the name that an exception has, and the details.
    pub offences: Vec<(Rule, String, String)>,
    pub circles: Vec<Circle>,
}

impl Report {
    /// Analyses files by their paths from the top of the repository.
    pub fn of(texts: &BTreeMap<String, String>, roots: &[Root]) -> Report {
        let world = World::read(texts, roots);
        let found = Dependencies::read(&world);
        let library: Vec<Dependency> = found
            .dependencies
            .iter()
            .filter(|dependency| dependency.from.starts_with("src/"))
            .cloned()
            .collect();
        let circles = circles(&library);
        let mut report = Report { offences: Vec::new(), circles: Vec::new() };
        for circle in &circles {
            report.add(Rule::Circle, circle.name(), circle.dependencies.join("\n    "));
        }
        report.circles = circles;
        for dependency in &library {
            let [from, to] = [&dependency.from, &dependency.to].map(|file| top_module(file).and_then(floor));
            if from.is_none() || to.is_none() || from < to {
                report.add(
                    Rule::Upward,
                    format!("{} -> {}", dependency.from, dependency.to),
                    dependency.to_string(),
                );
            }
        }
        for entry in found.uses.iter().filter(|entry| !may_import(&entry.from, &entry.top_module)) {
            report.add(Rule::Import, format!("{} -> {}", entry.from, entry.top_module), entry.text.clone());
        }
        for hidden in found.hidden {
            report.add(Rule::Hidden, hidden, String::new());
        }
        report.shapes(texts);
        report
    }

    fn shapes(&mut self, texts: &BTreeMap<String, String>) {
        for (path, text) in texts {
            if let Some(top_module) = top_module(path)
                && floor(top_module).is_none()
            {
                self.add(Rule::Upward, format!("{path} has no floor"), String::new());
            }
            for what in shape::lengths(path, text) {
                self.add(Rule::Length, what, String::new());
            }
            if shape::is_face(path) {
                for what in shape::face(path, text) {
                    self.add(Rule::Face, what, String::new());
                }
            }
            let folder = format!("{}/", path.trim_end_matches(".rs"));
            if !is_registry(path) && texts.keys().any(|other| other.starts_with(&folder)) {
                self.add(Rule::Face, format!("{path}: the face of a folder is its mod.rs"), String::new());
            }
            if shape::is_unsafe(path, text) && !UNSAFE.contains(&path.as_str()) {
                self.add(Rule::Unsafe, path.clone(), String::new());
            }
        }
    }

    fn add(&mut self, rule: Rule, name: String, details: String) {
        self.offences.push((rule, name, details));
    }

    /// The names of what breaks a rule.
    pub fn names(&self, rule: Rule) -> BTreeSet<&str> {
        self.offences
            .iter()
            .filter(|(broken, ..)| *broken == rule)
            .map(|(_, name, _)| name.as_str())
            .collect()
    }

    /// Panics unless exactly the listed exceptions break the rule.
    pub fn hold(&self, rule: Rule, exceptions: &[(Rule, &str)]) {
        let known: BTreeSet<&str> =
            exceptions.iter().filter(|(broken, _)| *broken == rule).map(|(_, name)| *name).collect();
        let found = self.names(rule);
        let fresh: Vec<String> = self
            .offences
            .iter()
            .filter(|(broken, name, _)| *broken == rule && !known.contains(name.as_str()))
            .map(|(_, name, details)| format!("{name}\n    {details}"))
            .collect();
        assert!(fresh.is_empty(), "{rule:?} is broken:\n{}", fresh.join("\n"));
        let stale: Vec<&str> = known.difference(&found).copied().collect();
        assert!(stale.is_empty(), "exceptions to {rule:?} that are no longer needed:\n{}", stale.join("\n"));
    }
}

/// The top-level module of a file of the library.
fn top_module(file: &str) -> Option<&str> {
    Some(file.strip_prefix("src/")?.split('/').next()?.trim_end_matches(".rs"))
}
