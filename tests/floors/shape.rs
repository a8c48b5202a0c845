//! What one file shows by itself: lengths, faces, and `unsafe`.

use proc_macro2::TokenStream;
use syn::visit::Visit;

use crate::rules::{FACE_LINES, FILE_LINES, FUNCTION_LINES, TABLES};
use crate::source::is_test;
use crate::tokens;

/// What is wrong with the length of a file and of its functions.
pub fn lengths(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if text.lines().count() >= FILE_LINES {
        found.push(path.to_string());
    }
    let mut functions = Functions { path, found: &mut found };
    functions.visit_file(&parse(path, text));
    found
}

/// True if a file is the face of a folder or of a library, in the engine as in each tool.
pub fn is_face(path: &str) -> bool {
    ["/mod.rs", "/lib.rs"].iter().any(|name| path.ends_with(name))
}

/// What is wrong with a face.
pub fn face(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let file = parse(path, text);
    if text.lines().count() >= FACE_LINES {
        found.push(format!("{path}: long"));
    }
    if !file.attrs.iter().any(|attribute| attribute.path().is_ident("doc")) {
        found.push(format!("{path}: no prose"));
    }
    for item in &file.items {
        let allowed = match item {
            syn::Item::Mod(item) => item.content.is_none(),
            syn::Item::Use(item) => !matches!(item.vis, syn::Visibility::Inherited),
            // The name by which helpers of integration tests call the library.
            syn::Item::ExternCrate(item) => item.attrs.iter().any(is_test),
            _ => false,
        };
        if !allowed {
            found.push(format!("{path}: an item that is no module and no re-export"));
        }
    }
    found
}

/// True if `unsafe` stands anywhere in a file, tests and macros included.
pub fn is_unsafe(path: &str, text: &str) -> bool {
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
    tokens::contains(tokens, "unsafe")
}

fn parse(path: &str, text: &str) -> syn::File {
    syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

struct Functions<'a> {
    path: &'a str,
    found: &'a mut Vec<String>,
}

impl Functions<'_> {
    fn measure(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let first = signature.fn_token.span.start().line;
        let last = block.brace_token.span.close().end().line;
        let name = format!("{} fn {}", self.path, signature.ident);
        if last - first + 1 > FUNCTION_LINES && !TABLES.contains(&name.as_str()) {
            self.found.push(name);
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.measure(&item.sig, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.measure(&item.sig, &item.block);
        syn::visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.measure(&item.sig, block);
        }
        syn::visit::visit_trait_item_fn(self, item);
    }
}
