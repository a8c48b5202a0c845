//! What the results say, section by section.
//!
//! `whole` puts the report together; `nodes`, `tactics`, `duel`, `zugzwang` and `scaling` write a section each,
//! in the `words` that they share.

mod assemble;
mod formatting;
mod match_play;
mod nodes;
mod scaling;
mod tactics;
mod zugzwang;

pub use assemble::page;
