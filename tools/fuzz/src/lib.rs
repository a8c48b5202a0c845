#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod bytes;

pub mod commands;
pub mod entries;
pub mod epd;
pub mod fen;
pub mod games;
pub mod genfens;
pub mod moves;
pub mod network;
pub mod packets;
pub mod tablebase;
pub mod uci;

/// Takes any bytes, and panics if what it states does not hold for them.
pub type Check = fn(&[u8]);

/// All checks by the names of their programs and corpora.
pub const CHECKS: [(&str, Check); 11] = [
    ("commands", commands::check),
    ("entries", entries::check),
    ("epd", epd::check),
    ("fen", fen::check),
    ("games", games::check),
    ("genfens", genfens::check),
    ("moves", moves::check),
    ("network", network::check),
    ("packets", packets::check),
    ("tablebase", tablebase::check),
    ("uci", uci::check),
];
