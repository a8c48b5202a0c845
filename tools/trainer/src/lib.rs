#![doc = include_str!("../README.md")]

pub mod arch;
pub mod error;
pub mod record;
pub mod rows;
pub mod weight_scale;

pub mod td_lambda;

pub mod held;

pub mod extract;

pub mod comparisons;

pub mod dataset;
pub mod training_data;

mod calibrate;
pub mod prepare;

pub mod dead_units;
pub mod dense;
pub mod float_net;
pub mod known_results;
pub mod loss;

pub mod adam;
pub mod backprop;
pub mod network_file;
pub mod quantised;

pub mod judges;

pub mod log;
pub mod settings;

pub mod checkpoint;

pub mod training;

pub mod progress;
pub mod report;
