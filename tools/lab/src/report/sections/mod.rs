//! What the results say, section by section.
//!
//! `assemble` puts the report together; each other file writes a section, with the words and numbers of `formatting`.

mod assemble;
mod atlas;
mod audit;
mod formatting;
mod helpers;
mod match_play;
mod nodes;
mod scaling;
mod schemes;
mod switches;
mod tactics;
mod worth;
mod zugzwang;

pub use assemble::page;
