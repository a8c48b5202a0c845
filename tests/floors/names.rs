//! Follows paths to what they name, through imports, aliases, globs and re-exports.

use std::collections::BTreeSet;

use crate::source::{FileId, ModuleId, Name, Path, World};

/// An item by the module that it stands in and its name there.
pub type Key = (ModuleId, String);

/// What a path leads to.
#[derive(Clone, Debug)]
pub struct Found {
    pub end: End,
    /// Modules whose re-exports the path went through.
    pub through: BTreeSet<ModuleId>,
    /// The first module of each crate, other than the root, that the path went into: how it is written.
    pub entered: Vec<ModuleId>,
}

/// The end of a path.
#[derive(Clone, Debug)]
pub enum End {
    Module(ModuleId),
    /// An item, and the names that follow it: a method, a variant, an associated constant.
    Item {
        key: Key,
        file: FileId,
        rest: Path,
    },
}

/// Longer chains of aliases are circles.
const MAX_ALIAS_CHAIN: usize = 24;

struct Walk<'a> {
    world: &'a World,
    found: Vec<Found>,
    through: BTreeSet<ModuleId>,
    entered: Vec<ModuleId>,
}

impl World {
    /// All that a path may mean where `from` is the module. Nothing if it leads out of the crates under test.
    ///
    /// Where conditional compilation or namespaces leave a choice, all choices are returned. A name that a known
    /// module does not show, since a macro defines it, is taken for an item of that module's file.
    pub fn resolve(&self, from: ModuleId, path: &[String]) -> Vec<Found> {
        let mut walk = Walk { world: self, found: Vec::new(), through: BTreeSet::new(), entered: Vec::new() };
        walk.start(from, path, 0);
        walk.found
    }

    /// True if a name of a module is known, be it of a crate outside.
    pub fn knows(&self, module: ModuleId, name: &str) -> bool {
        self.modules[module].names.contains_key(name)
    }

    /// Where a name stands: in the module itself, or in those that it imports whole.
    fn look_up<'a>(
        &'a self,
        module: ModuleId,
        name: &str,
        seen: &mut BTreeSet<ModuleId>,
    ) -> Vec<(ModuleId, &'a Name)> {
        if !seen.insert(module) {
            return Vec::new();
        }
        if let Some(names) = self.modules[module].names.get(name) {
            return names.iter().map(|entry| (module, entry)).collect();
        }
        let mut found = Vec::new();
        for glob in &self.modules[module].globs {
            // `use name::*` cannot be where `name` comes from.
            if glob.first().is_some_and(|first| first == name) {
                continue;
            }
            for target in self.resolve(module, glob) {
                if let End::Module(target) = target.end {
                    found.extend(self.look_up(target, name, seen));
                }
            }
        }
        found
    }

    /// The module and all that enclose it.
    pub fn ancestors(&self, module: ModuleId) -> Vec<ModuleId> {
        std::iter::successors(Some(module), |&module| self.modules[module].parent).collect()
    }
}

impl Walk<'_> {
    /// The first name of a path.
    fn start(&mut self, from: ModuleId, path: &[String], depth: usize) {
        let Some((first, rest)) = path.split_first() else { return };
        let root = self.world.modules[from].root;
        match first.as_str() {
            "crate" => self.go(root, rest, depth),
            "self" => self.go(from, rest, depth),
            "super" => self.go(self.world.modules[from].parent.unwrap_or(from), rest, depth),
            "::" => self.crate_path(root, rest, depth),
            name => {
                let places = self.world.look_up(from, name, &mut BTreeSet::new());
                if places.is_empty() {
                    self.crate_path(root, path, depth);
                }
                for (place, entry) in places {
                    self.take(from, place, entry, name, rest, depth);
                }
            }
        }
    }

    /// A path that begins with the name of a crate.
    fn crate_path(&mut self, root: ModuleId, path: &[String], depth: usize) {
        let Some((name, rest)) = path.split_first() else { return };
        if let Some(&root) = self.world.crates.get(&root).and_then(|crates| crates.get(name)) {
            self.go(root, rest, depth);
        }
    }

    /// The names that follow a module.
    fn go(&mut self, module: ModuleId, path: &[String], depth: usize) {
        let world = self.world;
        let Some((name, rest)) = path.split_first() else {
            self.end(End::Module(module));
            return;
        };
        match name.as_str() {
            "self" => self.go(module, rest, depth),
            "super" => self.go(world.modules[module].parent.unwrap_or(module), rest, depth),
            name => {
                let places = world.look_up(module, name, &mut BTreeSet::new());
                if places.is_empty() {
                    let file = world.modules[module].file;
                    self.end(End::Item { key: (module, name.to_string()), file, rest: rest.to_vec() });
                }
                for (place, entry) in places {
                    self.take(module, place, entry, name, rest, depth);
                }
            }
        }
    }

    /// Goes on with what a name stands for: `asked` is the module that was asked, `place` the one that has it.
    fn take(
        &mut self,
        asked: ModuleId,
        place: ModuleId,
        entry: &Name,
        name: &str,
        rest: &[String],
        depth: usize,
    ) {
        if depth > MAX_ALIAS_CHAIN {
            return;
        }
        let (through, entered) = (self.through.clone(), self.entered.clone());
        if asked != place {
            self.through.insert(asked);
        }
        match entry {
            &Name::Module(module) => {
                self.entered.push(module);
                self.go(module, rest, depth + 1);
            }
            &Name::Item(file) => {
                self.end(End::Item { key: (place, name.to_string()), file, rest: rest.to_vec() });
            }
            Name::Import { path, .. } => {
                self.through.insert(place);
                self.start(place, &[path.as_slice(), rest].concat(), depth + 1);
            }
            Name::TypeAlias(file, path) => {
                self.end(End::Item { key: (place, name.to_string()), file: *file, rest: rest.to_vec() });
                self.through.insert(place);
                self.start(place, &[path.as_slice(), rest].concat(), depth + 1);
            }
        }
        (self.through, self.entered) = (through, entered);
    }

    fn end(&mut self, end: End) {
        self.found.push(Found { end, through: self.through.clone(), entered: self.entered.clone() });
    }
}
