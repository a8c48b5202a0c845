//! Reads the files of a crate as the compiler would: from its root, along `mod`, `#[path]` and `include!`.

use std::collections::{BTreeMap, BTreeSet};

use syn::punctuated::Punctuated;
use syn::visit::Visit;

use crate::rules::REGISTRIES;

/// Number of a file in [`World::files`].
pub type FileId = usize;
/// Number of a module in [`World::modules`].
pub type ModuleId = usize;
/// The names of a path in order. The first may be `crate`, `self`, `super`, or `::` for the name of a crate.
pub type Path = Vec<String>;

/// What a name in a module stands for.
#[derive(Clone, Debug)]
pub enum Name {
    /// A module below this one.
    Module(ModuleId),
    /// An item written in this file.
    Item(FileId),
    /// `use path as name`, and whether other modules see it.
    Import { path: Path, public: bool },
    /// `type name = path`.
    TypeAlias(FileId, Path),
}

/// A module: a file, a `mod name { ... }` inside one, or a file that a test alone compiles.
pub struct Module {
    pub parent: Option<ModuleId>,
    pub root: ModuleId,
    pub file: FileId,
    pub names: BTreeMap<String, Vec<Name>>,
    pub globs: Vec<Path>,
}

/// The items of a module that stand in one file.
pub struct Unit {
    pub module: ModuleId,
    pub file: FileId,
    pub items: Vec<syn::Item>,
}

/// A crate: the file it starts from and the names of the crates that it can see.
pub struct Root {
    pub name: &'static str,
    pub file: String,
    pub sees: Vec<&'static str>,
}

/// All crates under test.
#[derive(Default)]
pub struct World {
    /// Paths from the top of the repository.
    pub files: Vec<String>,
    pub modules: Vec<Module>,
    pub units: Vec<Unit>,
    /// Names of crates that the modules of a root see.
    pub crates: BTreeMap<ModuleId, BTreeMap<String, ModuleId>>,
    /// Macros by their name: the files that define one.
    pub macros: BTreeMap<String, BTreeSet<FileId>>,
    /// Text that this analysis cannot follow, with the reason.
    pub hidden: BTreeSet<String>,
    /// Files that belong to some module, tests included.
    pub reached: BTreeSet<String>,
}

impl World {
    /// Reads crates from `texts`, which holds each file by its path from the top of the repository.
    pub fn read(texts: &BTreeMap<String, String>, roots: &[Root]) -> World {
        let mut world = World::default();
        let mut by_name: BTreeMap<&str, ModuleId> = BTreeMap::new();
        for root in roots {
            let mut reader = Reader { world: &mut world, texts };
            let id = reader.module(None, &root.file);
            reader.file(id, &root.file, folder_of(&root.file), false);
            // A binary shares its library's name; the library comes first.
            by_name.entry(root.name).or_insert(id);
            for name in &root.sees {
                if let Some(&seen) = by_name.get(name) {
                    world.crates.entry(id).or_default().insert((*name).to_string(), seen);
                }
            }
        }
        for path in texts.keys() {
            if !world.reached.contains(path) {
                world.hidden.insert(format!("{path}: no module declares this file"));
            }
        }
        world
    }

    /// The number of a file.
    pub fn file(&mut self, path: &str) -> FileId {
        self.files.iter().position(|file| file == path).unwrap_or_else(|| {
            self.files.push(path.to_string());
            self.files.len() - 1
        })
    }

    /// Notes text that cannot be followed.
    pub fn hide(&mut self, file: FileId, what: &str) {
        let text = format!("{}: {what}", self.files[file]);
        self.hidden.insert(text);
    }
}

struct Reader<'a> {
    world: &'a mut World,
    texts: &'a BTreeMap<String, String>,
}

impl Reader<'_> {
    fn module(&mut self, parent: Option<ModuleId>, path: &str) -> ModuleId {
        let id = self.world.modules.len();
        let file = self.world.file(path);
        let root = parent.map_or(id, |parent| self.world.modules[parent].root);
        self.world.modules.push(Module { parent, root, file, names: BTreeMap::new(), globs: Vec::new() });
        id
    }

    /// Reads a file as (a part of) a module whose child modules lie in `children`.
    fn file(&mut self, module: ModuleId, path: &str, children: String, test: bool) {
        if !self.world.reached.insert(path.to_string()) && test {
            return;
        }
        let Some(text) = self.texts.get(path) else {
            if test {
                return;
            }
            self.world.hidden.insert(format!("{path}: a module declares this file and it is not there"));
            return;
        };
        let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let test = test || parsed.attrs.iter().any(is_test);
        let file = self.world.file(path);
        self.items(module, file, parsed.items, &children, &folder_of(path), test);
    }

    /// Reads items; `children` is where modules lie, `beside` is what a `#[path]` starts from.
    fn items(
        &mut self,
        module: ModuleId,
        file: FileId,
        items: Vec<syn::Item>,
        children: &str,
        beside: &str,
        test: bool,
    ) {
        let mut kept = Vec::new();
        for item in items {
            let test = test || attributes(&item).iter().any(is_test);
            match item {
                syn::Item::Mod(item) => self.declared(module, file, item, children, beside, test),
                syn::Item::Macro(item) if item.mac.path.is_ident("include") => {
                    match item.mac.parse_body::<syn::LitStr>() {
                        Ok(name) => {
                            let path = join(&folder_of(&self.world.files[file]), &name.value());
                            self.file(module, &path, children.to_string(), test);
                        }
                        Err(_) => self.world.hide(file, "includes a file whose name is computed"),
                    }
                }
                syn::Item::Macro(item) if is_call_of_registry(&self.world.files[file], &item) => {
                    for line in registered(&item) {
                        let declared = syn::parse_str(&format!("mod {};", line[0])).expect("a module");
                        self.declared(module, file, declared, children, beside, test);
                        let import =
                            syn::parse_str(&format!("pub use {};", line.join("::"))).expect("a path");
                        self.define(module, file, &import);
                        kept.push(import);
                    }
                }
                _ if test => {}
                item => {
                    self.define(module, file, &item);
                    kept.push(item);
                }
            }
        }
        if !test {
            self.world.units.push(Unit { module, file, items: kept });
        }
    }

    fn declared(
        &mut self,
        module: ModuleId,
        file: FileId,
        item: syn::ItemMod,
        children: &str,
        beside: &str,
        test: bool,
    ) {
        let name = item.ident.to_string();
        let name = name.trim_start_matches("r#").to_string();
        if item.attrs.iter().any(|attribute| {
            attribute.path().is_ident("cfg_attr")
                && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string().contains("path"))
        }) {
            self.world.hide(file, "has a module at a path under a condition");
        }
        let path = item.attrs.iter().find_map(path_attribute);
        let inside = format!("{children}/{name}");
        let id;
        if let Some((_, content)) = item.content {
            id = self.module(Some(module), &self.world.files[file].clone());
            let folder = path.map_or(inside, |path| join(beside, &path));
            self.items(id, file, content, &folder, &folder, test);
        } else {
            let (path, children) = match path {
                Some(path) => {
                    let path = join(beside, &path);
                    let folder = folder_of(&path);
                    (path, folder)
                }
                None if self.texts.contains_key(&format!("{inside}/mod.rs")) => {
                    (format!("{inside}/mod.rs"), inside)
                }
                None => (format!("{inside}.rs"), inside),
            };
            id = self.module(Some(module), &path);
            self.file(id, &path, children, test);
        }
        if !test {
            self.world.modules[module].names.entry(name).or_default().push(Name::Module(id));
        }
    }

    /// Enters the names of an item, and those that stand inside functions, into the module.
    fn define(&mut self, module: ModuleId, file: FileId, item: &syn::Item) {
        let mut names =
            Names { entries: Vec::new(), globs: Vec::new(), exported: Vec::new(), file, modules: 0 };
        names.visit_item(item);
        if names.modules > 0 {
            self.world.hide(file, "has a module inside a function");
        }
        let root = self.world.modules[module].root;
        for (name, entry) in names.exported {
            self.world.macros.entry(name.clone()).or_default().insert(file);
            if let Some(entry) = entry {
                self.world.modules[root].names.entry(name).or_default().push(entry);
            }
        }
        for (name, entry) in names.entries {
            let itself = matches!(&entry, Name::Import { path, .. } if path[..] == ["crate"]);
            if itself && matches!(item, syn::Item::ExternCrate(_)) && module == root {
                self.world.crates.entry(root).or_default().insert(name.clone(), root);
            }
            self.world.modules[module].names.entry(name).or_default().push(entry);
        }
        self.world.modules[module].globs.extend(names.globs);
    }
}

fn is_call_of_registry(file: &str, item: &syn::ItemMacro) -> bool {
    item.ident.is_none()
        && REGISTRIES.iter().any(|&(registry, name)| registry == file && item.mac.path.is_ident(name))
}

/// The lines `module::Type` of the call of a registry.
fn registered(item: &syn::ItemMacro) -> Vec<Vec<String>> {
    let paths = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
    let lines = item.mac.parse_body_with(paths).expect("a registry lists paths");
    lines.iter().map(names_of).collect()
}

/// Collects what names an item gives.
struct Names {
    entries: Vec<(String, Name)>,
    globs: Vec<Path>,
    /// Macros, with an entry for the crate's root if they are exported.
    exported: Vec<(String, Option<Name>)>,
    file: FileId,
    modules: usize,
}

impl Names {
    fn item(&mut self, name: &syn::Ident) {
        self.entries.push((plain(name), Name::Item(self.file)));
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if attributes(item).iter().any(is_test) {
            return;
        }
        match item {
            syn::Item::Use(item) => {
                let public = !matches!(item.vis, syn::Visibility::Inherited);
                for import in imports(item) {
                    match import {
                        Import::Glob(path) => self.globs.push(path),
                        Import::Name(name, path) => self.entries.push((name, Name::Import { path, public })),
                    }
                }
            }
            syn::Item::ExternCrate(item) => {
                let of = plain(&item.ident);
                let name = item.rename.as_ref().map_or(of.clone(), |(_, name)| plain(name));
                let path = if of == "self" { vec!["crate".into()] } else { vec!["::".into(), of] };
                let public = !matches!(item.vis, syn::Visibility::Inherited);
                self.entries.push((name, Name::Import { path, public }));
            }
            syn::Item::Type(item) => {
                let name = plain(&item.ident);
                match &*item.ty {
                    syn::Type::Path(path) if path.qself.is_none() => {
                        self.entries.push((name, Name::TypeAlias(self.file, names_of(&path.path))));
                    }
                    _ => self.item(&item.ident),
                }
            }
            syn::Item::Macro(item) => {
                if let Some(name) = &item.ident {
                    self.item(name);
                    let exported =
                        item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
                    self.exported.push((plain(name), exported.then_some(Name::Item(self.file))));
                }
            }
            syn::Item::Fn(item) => self.item(&item.sig.ident),
            syn::Item::Struct(item) => self.item(&item.ident),
            syn::Item::Enum(item) => self.item(&item.ident),
            syn::Item::Union(item) => self.item(&item.ident),
            syn::Item::Trait(item) => self.item(&item.ident),
            syn::Item::Const(item) => self.item(&item.ident),
            syn::Item::Static(item) => self.item(&item.ident),
            syn::Item::Mod(_) => self.modules += 1,
            _ => {}
        }
        syn::visit::visit_item(self, item);
    }
}

/// One name that a `use` brings.
pub enum Import {
    Name(String, Path),
    Glob(Path),
}

/// What a `use` brings, groups spread out.
pub fn imports(item: &syn::ItemUse) -> Vec<Import> {
    fn spread(tree: &syn::UseTree, before: &Path, found: &mut Vec<Import>) {
        let with = |name: &syn::Ident| {
            let mut path = before.clone();
            if name != "self" || path.is_empty() {
                path.push(plain(name));
            }
            path
        };
        match tree {
            syn::UseTree::Path(tree) => spread(&tree.tree, &with(&tree.ident), found),
            syn::UseTree::Group(tree) => tree.items.iter().for_each(|tree| spread(tree, before, found)),
            syn::UseTree::Glob(_) => found.push(Import::Glob(before.clone())),
            syn::UseTree::Name(tree) => {
                let path = with(&tree.ident);
                found.push(Import::Name(path.last().cloned().unwrap_or_default(), path));
            }
            syn::UseTree::Rename(tree) => found.push(Import::Name(plain(&tree.rename), with(&tree.ident))),
        }
    }
    let before = if item.leading_colon.is_some() { vec!["::".to_string()] } else { Vec::new() };
    let mut found = Vec::new();
    spread(&item.tree, &before, &mut found);
    found
}

/// The names of a path, without its type arguments.
pub fn names_of(path: &syn::Path) -> Path {
    let start = path.leading_colon.as_ref().map(|_| "::".to_string());
    start.into_iter().chain(path.segments.iter().map(|segment| plain(&segment.ident))).collect()
}

/// A name without the `r#` of raw identifiers.
pub fn plain(name: &syn::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_string()
}

/// `#[test]`, and a `#[cfg]` that holds in tests alone. A name such as `tests` says nothing.
pub fn is_test(attribute: &syn::Attribute) -> bool {
    fn holds_in_tests_alone(meta: &syn::Meta) -> bool {
        match meta {
            syn::Meta::Path(path) => path.is_ident("test"),
            syn::Meta::List(list) if list.path.is_ident("all") => list
                .parse_args_with(syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated)
                .is_ok_and(|all| all.iter().any(holds_in_tests_alone)),
            _ => false,
        }
    }
    match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            list.parse_args::<syn::Meta>().is_ok_and(|meta| holds_in_tests_alone(&meta))
        }
        _ => false,
    }
}

/// The attributes of an item.
pub fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::ExternCrate(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::ForeignMod(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Union(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn path_attribute(attribute: &syn::Attribute) -> Option<String> {
    match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

fn folder_of(path: &str) -> String {
    path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_string())
}

/// A path relative to a folder, `..` resolved.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
