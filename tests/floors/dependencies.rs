//! What each file needs of which other file: a dependency for each import, path, macro and call.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use proc_macro2::TokenStream;
use syn::visit::Visit;

use crate::methods::{Known, Methods, known, own_trait, own_type};
use crate::names::{End, Found};
use crate::rules::is_registry;
use crate::source::{
    FileId, Import, ModuleId, Name, Path, Unit, World, attributes, imports, is_test, names_of, plain,
};
use crate::tokens::{self, MODULE_IN_MACRO, Seen};

/// One file needs another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dependency {
    pub from: String,
    pub to: String,
    /// The text that needs it.
    pub text: String,
    /// It is a call of a method: nothing at the head of the file shows it.
    pub call: bool,
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let does = if self.call { "calls" } else { "names" };
        write!(f, "{} {does} {} of {}", self.from, self.text, self.to)
    }
}

/// A top-level module of the library as another one, or a tool, writes it in a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleUse {
    pub from: String,
    /// The face or file of the top-level module.
    pub top_module: String,
    pub text: String,
}

/// What was found in all files.
#[derive(Default)]
pub struct Dependencies {
    pub dependencies: BTreeSet<Dependency>,
    pub uses: BTreeSet<ModuleUse>,
    pub hidden: BTreeSet<String>,
}

impl Dependencies {
    /// Reads all files of all crates.
    pub fn read(world: &World) -> Dependencies {
        let methods = Methods::read(world);
        let mut found = Dependencies { hidden: world.hidden.clone(), ..Dependencies::default() };
        for unit in &world.units {
            let mut reader = Reader::new(world, &methods, unit, &mut found);
            unit.items.iter().for_each(|item| reader.visit_item(item));
        }
        found
    }
}

struct Reader<'a> {
    world: &'a World,
    methods: &'a Methods,
    found: &'a mut Dependencies,
    module: ModuleId,
    file: FileId,
    own: Known,
    /// Variables of which a type is known.
    locals: BTreeMap<String, Known>,
}

impl<'a> Reader<'a> {
    fn new(world: &'a World, methods: &'a Methods, unit: &Unit, found: &'a mut Dependencies) -> Reader<'a> {
        Reader {
            world,
            methods,
            found,
            module: unit.module,
            file: unit.file,
            own: Known::Unknown,
            locals: BTreeMap::new(),
        }
    }

    fn dependency(&mut self, to: FileId, text: &str, call: bool) {
        let [from, to] = [self.file, to].map(|file| self.world.files[file].clone());
        // A face that encloses this file stands for the folder, not for code.
        let encloses = to
            .strip_suffix("mod.rs")
            .or_else(|| to.strip_suffix("lib.rs"))
            .is_some_and(|folder| from.starts_with(folder));
        if from != to && !encloses {
            self.found.dependencies.insert(Dependency { from, to, text: text.to_string(), call });
        }
    }

    /// Dependencies to all that a path goes through and to what it ends in.
    fn path(&mut self, path: &[String]) {
        let text = path.join("::").replace("::::", "::");
        if path[0] == "Self" {
            if let Some(name) = path.get(1) {
                self.call(&self.own.clone(), name, &text);
            }
            return;
        }
        for found in self.world.resolve(self.module, path) {
            self.entry(&found, &text);
            for &module in &found.through {
                self.dependency(self.world.modules[module].file, &text, false);
            }
            match &found.end {
                End::Module(module) => self.dependency(self.world.modules[*module].file, &text, false),
                End::Item { key, file, rest } => {
                    self.dependency(*file, &text, false);
                    if let Some(name) = rest.first() {
                        self.member(&Known::Ours(BTreeSet::from([key.clone()])), name, &text);
                    }
                }
            }
        }
    }

    /// Notes the first top-level module outside of its own that a path goes into.
    fn entry(&mut self, found: &Found, text: &str) {
        let own = self.world.files[self.file].clone();
        let top_module = |file: &str| {
            let inside = file.strip_prefix("src/")?;
            Some(inside.split('/').next()?.trim_end_matches(".rs").to_string())
        };
        for &module in &found.entered {
            let file = &self.world.files[self.world.modules[module].file];
            if let Some(entered) = top_module(file)
                && top_module(&own).as_ref() != Some(&entered)
            {
                self.found.uses.insert(ModuleUse { from: own, top_module: entered, text: text.to_string() });
                return;
            }
        }
    }

    /// Dependencies of `path::*`: to the module and to all that it re-exports.
    fn glob(&mut self, path: &[String]) {
        self.path(path);
        let text = format!("{}::*", path.join("::"));
        for found in self.world.resolve(self.module, path) {
            let End::Module(target) = found.end else { continue };
            let encloses = self.world.ancestors(self.module).contains(&target);
            let handed_on: Vec<Path> = self.world.modules[target]
                .names
                .values()
                .flatten()
                .filter_map(|name| match name {
                    Name::Import { path, public } if *public || encloses => Some(path.clone()),
                    _ => None,
                })
                .collect();
            for glob in &self.world.modules[target].globs {
                for found in self.world.resolve(target, glob) {
                    if let End::Module(module) = found.end {
                        self.dependency(self.world.modules[module].file, &text, false);
                    }
                }
            }
            for path in handed_on {
                for found in self.world.resolve(target, &path) {
                    let file = match found.end {
                        End::Module(module) => self.world.modules[module].file,
                        End::Item { file, .. } => file,
                    };
                    self.dependency(file, &text, false);
                }
            }
        }
    }

    /// A call on a receiver of which something may be known.
    fn call(&mut self, receiver: &Known, name: &str, text: &str) {
        let root = self.world.modules[self.module].root;
        for file in self.methods.called(root, receiver, name) {
            self.dependency(file, text, true);
        }
    }

    /// `Type::name`: only what the type is known to have.
    fn member(&mut self, of: &Known, name: &str, text: &str) {
        let Known::Ours(types) = of else { return };
        for key in types {
            for &file in self.methods.of_type.get(&(key.clone(), name.to_string())).into_iter().flatten() {
                self.dependency(file, text, true);
            }
        }
    }

    /// `name!`
    fn macro_named(&mut self, name: &str) {
        if let Some(files) = self.world.macros.get(name)
            && files.len() == 1
        {
            files.clone().into_iter().for_each(|file| self.dependency(file, &format!("{name}!"), false));
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for seen in tokens::scan(tokens) {
            match seen {
                Seen::Path(path) => self.path(&path),
                Seen::Glob(path) => self.glob(&path),
                Seen::Macro(name) => self.macro_named(&name),
                Seen::Method(receiver, name) => {
                    let known = receiver.as_ref().map_or(Known::Unknown, |receiver| self.variable(receiver));
                    self.call(&known, &name, &format!("{}.{name}()", receiver.unwrap_or_default()));
                }
                Seen::Hidden(MODULE_IN_MACRO) if is_registry(&self.world.files[self.file]) => {}
                Seen::Hidden(what) => {
                    self.found.hidden.insert(format!("{}: {what}", self.world.files[self.file]));
                }
                Seen::Function(_) => {}
            }
        }
    }

    fn variable(&self, name: &str) -> Known {
        if name == "self" { self.own.clone() } else { self.locals.get(name).cloned().unwrap_or_default() }
    }

    fn known(&self, ty: &syn::Type) -> Known {
        known(self.world, self.module, &self.own, ty)
    }

    /// What is known of an expression: variables, fields, and struct literals.
    fn value(&self, value: &syn::Expr) -> Known {
        match value {
            syn::Expr::Path(path) => {
                path.path.get_ident().map_or(Known::Unknown, |name| self.variable(&plain(name)))
            }
            syn::Expr::Reference(value) => self.value(&value.expr),
            syn::Expr::Paren(value) => self.value(&value.expr),
            syn::Expr::Group(value) => self.value(&value.expr),
            syn::Expr::Unary(value) => self.value(&value.expr),
            syn::Expr::Field(value) => {
                let name = match &value.member {
                    syn::Member::Named(name) => plain(name),
                    syn::Member::Unnamed(number) => number.index.to_string(),
                };
                self.methods.field(&self.value(&value.base), &name)
            }
            syn::Expr::Lit(_) | syn::Expr::Array(_) | syn::Expr::Tuple(_) | syn::Expr::Range(_) => {
                Known::Foreign
            }
            _ => Known::Unknown,
        }
    }

    /// Visits with the variables of an inner scope.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let locals = self.locals.clone();
        visit(self);
        self.locals = locals;
    }

    fn within_type(&mut self, own: Known, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.own, own);
        self.within(visit);
        self.own = before;
    }

    fn qualified(&mut self, qself: &syn::QSelf, path: &syn::Path) {
        let of = self.known(&qself.ty);
        if let Some(last) = path.segments.last() {
            self.member(&of, &plain(&last.ident), &format!("<_>::{}", last.ident));
        }
        self.visit_type(&qself.ty);
        if qself.position > 0 {
            self.visit_path(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if attributes(item).iter().any(is_test) {
            return;
        }
        if let syn::Item::Verbatim(tokens) = item {
            self.tokens(tokens.clone());
        }
        syn::visit::visit_item(self, item);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for import in imports(item) {
            match import {
                Import::Name(_, path) => self.path(&path),
                Import::Glob(path) => self.glob(&path),
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let own = own_type(self.world, self.module, &item.self_ty);
        self.within_type(own, |reader| syn::visit::visit_item_impl(reader, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.within_type(own_trait(self.module, item), |reader| syn::visit::visit_item_trait(reader, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !item.attrs.iter().any(is_test) {
            self.within(|reader| syn::visit::visit_impl_item_fn(reader, item));
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.within(|reader| syn::visit::visit_item_fn(reader, item));
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.within(|reader| syn::visit::visit_block(reader, block));
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.within(|reader| syn::visit::visit_arm(reader, arm));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.within(|reader| syn::visit::visit_expr_closure(reader, closure));
    }

    fn visit_expr_for_loop(&mut self, item: &'ast syn::ExprForLoop) {
        self.within(|reader| syn::visit::visit_expr_for_loop(reader, item));
    }

    fn visit_expr_if(&mut self, item: &'ast syn::ExprIf) {
        self.within(|reader| syn::visit::visit_expr_if(reader, item));
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.locals.remove(&plain(&pattern.ident));
        syn::visit::visit_pat_ident(self, pattern);
    }

    fn visit_pat_type(&mut self, pattern: &'ast syn::PatType) {
        syn::visit::visit_pat_type(self, pattern);
        if let syn::Pat::Ident(name) = &*pattern.pat {
            self.locals.insert(plain(&name.ident), self.known(&pattern.ty));
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let value = local.init.as_ref().map_or(Known::Unknown, |init| self.value(&init.expr));
        if let Some(init) = &local.init {
            self.visit_expr(&init.expr);
            if let Some((_, other)) = &init.diverge {
                self.visit_expr(other);
            }
        }
        self.visit_pat(&local.pat);
        if let syn::Pat::Ident(name) = &local.pat {
            self.locals.insert(plain(&name.ident), value);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = names_of(path);
        if names.len() > 1 {
            self.path(&names);
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_expr_path(&mut self, item: &'ast syn::ExprPath) {
        match &item.qself {
            Some(qself) => self.qualified(qself, &item.path),
            None => self.visit_path(&item.path),
        }
    }

    fn visit_type_path(&mut self, item: &'ast syn::TypePath) {
        match &item.qself {
            Some(qself) => self.qualified(qself, &item.path),
            None => self.visit_path(&item.path),
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let receiver = self.value(&call.receiver);
        let own = matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"));
        let name = plain(&call.method);
        self.call(&receiver, &name, &format!("{}.{name}()", if own { "self" } else { "" }));
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        let names = names_of(&item.path);
        match &names[..] {
            [name] if name == "include" => {
                let text = format!("{}: includes a file inside an expression", self.world.files[self.file]);
                self.found.hidden.insert(text);
            }
            [name] => self.macro_named(name),
            path => self.path(path),
        }
        self.tokens(item.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }

    fn visit_expr(&mut self, value: &'ast syn::Expr) {
        if let syn::Expr::Verbatim(tokens) = value {
            self.tokens(tokens.clone());
        }
        syn::visit::visit_expr(self, value);
    }
}
