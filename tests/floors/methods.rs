//! Which file defines which method of which type, and what is known of types without inference.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::Visit;

use crate::names::{End, Key};
use crate::source::{FileId, ModuleId, World, is_test, names_of, plain};
use crate::tokens::{self, Seen};

/// Methods that the standard library has too: a call on a receiver of unknown type says nothing.
const COMMON: &[&str] = &[
    "abs",
    "add",
    "all",
    "and",
    "any",
    "append",
    "as_bytes",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "build",
    "bytes",
    "chars",
    "clear",
    "clone",
    "close",
    "cmp",
    "collect",
    "contains",
    "copied",
    "count",
    "default",
    "deref",
    "display",
    "div",
    "drain",
    "drop",
    "elapsed",
    "end",
    "entries",
    "entry",
    "eq",
    "exit",
    "extend",
    "fetch_add",
    "field",
    "fill",
    "filter",
    "find",
    "finish",
    "first",
    "flush",
    "fmt",
    "fold",
    "from",
    "get",
    "get_mut",
    "hash",
    "id",
    "index",
    "index_mut",
    "insert",
    "into",
    "into_iter",
    "is_empty",
    "is_none",
    "is_some",
    "iter",
    "iter_mut",
    "join",
    "kind",
    "last",
    "len",
    "lines",
    "load",
    "lock",
    "map",
    "max",
    "min",
    "mul",
    "name",
    "neg",
    "next",
    "new",
    "not",
    "ok",
    "open",
    "or",
    "parse",
    "path",
    "pop",
    "position",
    "push",
    "range",
    "read",
    "read_line",
    "recv",
    "remove",
    "replace",
    "reserve",
    "reset",
    "resize",
    "rev",
    "run",
    "send",
    "set",
    "shl",
    "shr",
    "size",
    "skip",
    "sort",
    "source",
    "spawn",
    "split",
    "start",
    "step_by",
    "stop",
    "store",
    "sub",
    "sum",
    "swap",
    "take",
    "then",
    "to_string",
    "trim",
    "truncate",
    "try_from",
    "unwrap",
    "update",
    "wait",
    "with",
    "write",
    "write_all",
    "zip",
];

/// Types of the language and of the standard prelude, none of which has methods in this repository.
const FOREIGN: &[&str] = &[
    "Option", "Result", "String", "Vec", "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128",
    "isize", "str", "u8", "u16", "u32", "u64", "u128", "usize",
];

/// Smart pointers: a method call on one goes to what it points to.
const POINTERS: &[&str] = &["Arc", "Box", "Rc"];

/// What is known of the type of an expression.
#[derive(Clone, Debug, Default)]
pub enum Known {
    /// One of these types, or what these aliases stand for.
    Ours(BTreeSet<Key>),
    /// A type from outside.
    Foreign,
    #[default]
    Unknown,
}

#[derive(Default)]
pub struct Methods {
    /// Type and method: the files that define it, be it inherent, of a trait, or a default.
    pub of_type: BTreeMap<(Key, String), BTreeSet<FileId>>,
    /// Root of a crate and method: the files of the crate that define one of this name.
    pub by_name: BTreeMap<(ModuleId, String), BTreeSet<FileId>>,
    /// Type and field: the type of the field.
    pub fields: BTreeMap<(Key, String), Known>,
}

impl Methods {
    pub fn read(world: &World) -> Methods {
        let mut methods = Methods::default();
        for unit in &world.units {
            let mut reader = Reader { world, methods: &mut methods, module: unit.module, file: unit.file };
            unit.items.iter().for_each(|item| reader.visit_item(item));
        }
        methods
    }

    /// The files that a call on a receiver leads to, in the crate of this root if the type is not known.
    pub fn called(&self, root: ModuleId, receiver: &Known, name: &str) -> BTreeSet<FileId> {
        match receiver {
            Known::Foreign => return BTreeSet::new(),
            Known::Ours(types) => {
                let files: BTreeSet<FileId> = types
                    .iter()
                    .filter_map(|key| self.of_type.get(&(key.clone(), name.to_string())))
                    .flatten()
                    .copied()
                    .collect();
                if !files.is_empty() {
                    return files;
                }
            }
            Known::Unknown => {}
        }
        match self.by_name.get(&(root, name.to_string())) {
            Some(files) if files.len() == 1 && !COMMON.contains(&name) => files.clone(),
            _ => BTreeSet::new(),
        }
    }

    /// The type of a field of something.
    pub fn field(&self, of: &Known, name: &str) -> Known {
        let Known::Ours(types) = of else { return Known::Unknown };
        let found = types.iter().find_map(|key| self.fields.get(&(key.clone(), name.to_string())));
        found.cloned().unwrap_or_default()
    }
}

/// The types that a path names in a module, aliases with what they stand for.
pub fn types(world: &World, module: ModuleId, path: &[String]) -> BTreeSet<Key> {
    let ends = world.resolve(module, path).into_iter().map(|found| found.end);
    ends.filter_map(|end| match end {
        End::Item { key, rest, .. } if rest.is_empty() => Some(key),
        _ => None,
    })
    .collect()
}

/// What is known of a type as written; `own` is `Self`.
pub fn known(world: &World, module: ModuleId, own: &Known, ty: &syn::Type) -> Known {
    let again = |ty| known(world, module, own, ty);
    let bound = |bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>| {
        let keys: BTreeSet<Key> = bounds
            .iter()
            .filter_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => Some(types(world, module, &names_of(&bound.path))),
                _ => None,
            })
            .flatten()
            .collect();
        if keys.is_empty() { Known::Unknown } else { Known::Ours(keys) }
    };
    match ty {
        syn::Type::Reference(ty) => again(&ty.elem),
        syn::Type::Ptr(ty) => again(&ty.elem),
        syn::Type::Paren(ty) => again(&ty.elem),
        syn::Type::Group(ty) => again(&ty.elem),
        syn::Type::Array(_) | syn::Type::Slice(_) | syn::Type::Tuple(_) => Known::Foreign,
        syn::Type::TraitObject(ty) => bound(&ty.bounds),
        syn::Type::ImplTrait(ty) => bound(&ty.bounds),
        syn::Type::Path(ty) if ty.qself.is_none() => {
            let names = names_of(&ty.path);
            let Some(last) = ty.path.segments.last() else { return Known::Unknown };
            if names == ["Self"] {
                return own.clone();
            }
            if POINTERS.contains(&plain(&last.ident).as_str())
                && let syn::PathArguments::AngleBracketed(arguments) = &last.arguments
                && let Some(syn::GenericArgument::Type(inner)) = arguments.args.first()
            {
                return again(inner);
            }
            let keys = types(world, module, &names);
            let outside = |first: &str| {
                matches!(first, "std" | "core" | "alloc")
                    || world.knows(module, first)
                    || names.len() == 1 && FOREIGN.contains(&first)
            };
            match names.first() {
                _ if !keys.is_empty() => Known::Ours(keys),
                Some(first) if outside(first) => Known::Foreign,
                _ => Known::Unknown,
            }
        }
        _ => Known::Unknown,
    }
}

/// What `Self` is in an `impl`.
pub fn own_type(world: &World, module: ModuleId, ty: &syn::Type) -> Known {
    match known(world, module, &Known::Unknown, ty) {
        Known::Ours(keys) => Known::Ours(keys),
        // A type that a macro defines here, or one from outside.
        _ => match ty {
            syn::Type::Path(path) if path.path.segments.len() == 1 => {
                Known::Ours(BTreeSet::from([(module, plain(&path.path.segments[0].ident))]))
            }
            _ => Known::Unknown,
        },
    }
}

/// What `Self` is in a trait.
pub fn own_trait(module: ModuleId, item: &syn::ItemTrait) -> Known {
    Known::Ours(BTreeSet::from([(module, plain(&item.ident))]))
}

struct Reader<'a> {
    world: &'a World,
    methods: &'a mut Methods,
    module: ModuleId,
    file: FileId,
}

impl Reader<'_> {
    fn add(&mut self, own: &Known, name: String, method: bool) {
        if let Known::Ours(keys) = own {
            for key in keys {
                self.methods.of_type.entry((key.clone(), name.clone())).or_default().insert(self.file);
            }
        }
        if method {
            let root = self.world.modules[self.module].root;
            self.methods.by_name.entry((root, name)).or_default().insert(self.file);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if item.attrs.iter().any(is_test) {
            return;
        }
        let own = own_type(self.world, self.module, &item.self_ty);
        for part in &item.items {
            match part {
                syn::ImplItem::Fn(part) if !part.attrs.iter().any(is_test) => {
                    self.add(&own, plain(&part.sig.ident), true);
                }
                syn::ImplItem::Const(part) => self.add(&own, plain(&part.ident), false),
                syn::ImplItem::Type(part) => self.add(&own, plain(&part.ident), false),
                _ => {}
            }
        }
        syn::visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        if item.attrs.iter().any(is_test) {
            return;
        }
        let own = own_trait(self.module, item);
        for part in &item.items {
            match part {
                syn::TraitItem::Fn(part) => self.add(&own, plain(&part.sig.ident), true),
                syn::TraitItem::Const(part) => self.add(&own, plain(&part.ident), false),
                syn::TraitItem::Type(part) => self.add(&own, plain(&part.ident), false),
                _ => {}
            }
        }
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let key = (self.module, plain(&item.ident));
        let own = Known::Ours(BTreeSet::from([key.clone()]));
        for (number, field) in item.fields.iter().enumerate() {
            let name = field.ident.as_ref().map_or(number.to_string(), plain);
            let known = known(self.world, self.module, &own, &field.ty);
            self.methods.fields.insert((key.clone(), name), known);
        }
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        for seen in tokens::scan(item.tokens.clone()) {
            if let Seen::Function(name) = seen {
                self.add(&Known::Unknown, name, true);
            }
        }
    }
}
