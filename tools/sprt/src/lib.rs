#![doc = include_str!("../README.md")]

pub mod build;
mod error;
pub mod fastchess;
pub mod report;

pub use error::SprtError;
