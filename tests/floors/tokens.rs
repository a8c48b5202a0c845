//! Reads what the parser leaves as tokens: the bodies of macros and what is passed to them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source::Path;

/// Why a macro that declares modules cannot be followed, unless it is a registry.
pub const MODULE_IN_MACRO: &str = "declares the file of a module inside a macro";

/// Something of interest among tokens.
#[derive(Debug, PartialEq)]
pub enum Seen {
    /// A path of two names or more.
    Path(Path),
    /// `path::*`
    Glob(Path),
    /// `receiver.name(...)`; the receiver if it is one plain name.
    Method(Option<String>, String),
    /// `name!`
    Macro(String),
    /// `fn name`
    Function(String),
    /// What cannot be followed from here, and why.
    Hidden(&'static str),
}

/// Everything of interest, groups within groups included.
pub fn scan(tokens: TokenStream) -> Vec<Seen> {
    let mut seen = Vec::new();
    scan_into(tokens, &mut seen);
    seen
}

/// True if the word stands anywhere outside of comments and texts.
pub fn contains(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == word,
        TokenTree::Group(group) => contains(group.stream(), word),
        _ => false,
    })
}

fn scan_into(tokens: TokenStream, seen: &mut Vec<Seen>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let punct =
        |at: usize, mark: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == mark);
    let ident = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(name)) => Some(name.to_string().trim_start_matches("r#").to_string()),
        _ => None,
    };
    let colons = |at: usize| punct(at, ':') && punct(at + 1, ':');
    let before = |at: usize, mark: char| at > 0 && punct(at - 1, mark);
    let mut at = 0;
    while at < tokens.len() {
        if let TokenTree::Group(group) = &tokens[at] {
            scan_into(group.stream(), seen);
            at += 1;
            continue;
        }
        let Some(name) = ident(at) else {
            at += 1;
            continue;
        };
        if before(at, '\'') {
            at += 1;
            continue;
        }
        // A range `a..b` is no field.
        if before(at, '.') && !(at > 1 && punct(at - 2, '.')) {
            let mut call = at + 1;
            if colons(call) {
                // `.name::<T>(...)`: to the end of the type arguments.
                let mut open = 0;
                call += 2;
                while call < tokens.len() {
                    open += i32::from(punct(call, '<')) - i32::from(punct(call, '>'));
                    call += 1;
                    if open == 0 {
                        break;
                    }
                }
            }
            if matches!(tokens.get(call), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
            {
                let alone = at < 3 || !punct(at - 3, '.') || punct(at.wrapping_sub(4), '.');
                let receiver = if at >= 2 && alone { ident(at - 2) } else { None };
                seen.push(Seen::Method(receiver, name));
            }
            at += 1;
            continue;
        }
        match name.as_str() {
            "fn" => {
                if let Some(name) = ident(at + 1) {
                    seen.push(Seen::Function(name));
                    at += 1;
                }
                at += 1;
                continue;
            }
            "include" if punct(at + 1, '!') => {
                seen.push(Seen::Hidden("includes a file inside a macro or an expression"))
            }
            "extern" if ident(at + 1).is_some_and(|next| next == "crate") => {
                seen.push(Seen::Hidden("names a crate inside a macro"));
            }
            "mod" if (1..4).any(|gap| punct(at + gap, ';')) => {
                seen.push(Seen::Hidden(MODULE_IN_MACRO));
            }
            _ => {}
        }
        if punct(at + 1, '!') && !punct(at + 2, '=') {
            seen.push(Seen::Macro(name));
            at += 2;
            continue;
        }
        let mut path = Path::new();
        if at >= 2 && colons(at - 2) {
            path.push("::".to_string());
        } else if before(at, '$') && name != "crate" {
            // A fragment of a macro: what it stands for is read where the macro is called.
            path.push("$".to_string());
        }
        path.push(name);
        at += 1;
        at = follow(&tokens, at, path, seen);
    }
}

/// Reads `::name`, `::*` and `::{...}` after the start of a path, and returns where the path ends.
fn follow(tokens: &[TokenTree], mut at: usize, mut path: Path, seen: &mut Vec<Seen>) -> usize {
    let punct =
        |at: usize, mark: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == mark);
    let unknown = path[0] == "$";
    while punct(at, ':') && punct(at + 1, ':') {
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(name)) => {
                path.push(name.to_string().trim_start_matches("r#").to_string());
                at += 3;
            }
            Some(TokenTree::Punct(mark)) if mark.as_char() == '*' => {
                if !unknown {
                    seen.push(Seen::Glob(path));
                }
                return at + 3;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                if !unknown {
                    spread(group.stream(), &path, seen);
                }
                return at + 3;
            }
            _ => break,
        }
    }
    if path.len() > 1 && !unknown {
        seen.push(Seen::Path(path));
    }
    at
}

/// The paths of a group in braces.
fn spread(tokens: TokenStream, before: &Path, seen: &mut Vec<Seen>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for part in tokens.split(|token| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',')) {
        let mut path = before.clone();
        match part.first() {
            Some(TokenTree::Ident(name)) => {
                if name != "self" {
                    path.push(name.to_string());
                }
                follow(part, 1, path, seen);
            }
            Some(TokenTree::Punct(mark)) if mark.as_char() == '*' => seen.push(Seen::Glob(path)),
            _ => {}
        }
    }
}
