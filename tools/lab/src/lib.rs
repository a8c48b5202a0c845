#![doc = include_str!("../README.md")]

pub mod contender;
mod error;
pub mod fingerprint;
pub mod limit;
pub mod mode;
pub mod origin;
pub mod paper;
pub mod positions;

pub mod store;

pub mod experiment;
pub mod runner;
pub mod searcher;

pub mod game;

pub mod atlas;
pub mod audit;
pub mod helpers;
pub mod match_play;
pub mod nodes;
pub mod scaling;
pub mod tactics;
pub mod worth;
pub mod zugzwang;

pub mod plan;

pub mod all;

pub mod report;

// Where there is no doc comment, clap would show it as the help of a subcommand.
#[allow(missing_docs)]
pub mod cli;

pub use error::LabError;
