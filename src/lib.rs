#![doc = include_str!("../README.md")]

pub mod params;
pub mod types;
pub mod util;

pub mod attacks;
pub mod clock;
pub mod topology;
pub mod tt;
pub mod zobrist;

pub mod board;

pub mod nnue;
pub mod perft;
pub mod tablebase;

pub mod search;

pub mod pool;

pub mod engine;
pub mod single_threaded;

pub mod bench;
pub mod chart;
pub mod speedtest;
pub mod suite;

pub mod cli;
pub mod uci;
