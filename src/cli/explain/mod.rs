//! `caesura explain`: what became of the null moves of one search, node by node.
//!
//! `trace` watches the search and keeps the upper part of its tree, `json` writes a node as a line, `page` writes a web
//! page that walks the trees of one or two schemes, `command` does what the arguments say.

mod command;
mod json;
mod page;
mod trace;

pub(super) use command::run;
