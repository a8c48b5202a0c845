#![doc = include_str!("../README.md")]

pub mod book;
pub mod build;
mod error;
pub mod fastchess;
pub mod options;
pub mod report;
pub mod shown;

pub use error::SprtError;
