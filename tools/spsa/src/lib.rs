#![doc = include_str!("../README.md")]

pub mod cli;
mod error;
pub mod experiment;
pub mod factorial;
pub mod perturbation;
pub mod state_file;
pub mod uci_engine;

pub mod factorial_run;
pub mod pair;
pub mod run;
pub mod state;

pub use error::{EngineFault, FactorError, StateFault, TuneError};
