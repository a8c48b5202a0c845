//! What the results say, section by section.
//!
//! `whole` puts the report together; `nodes`, `tactics`, `duel`, `zugzwang` and `scaling` write a section each,
//! in the `words` that they share.

mod duel;
mod nodes;
mod scaling;
mod tactics;
mod whole;
mod words;
mod zugzwang;

pub use whole::page;
