//! The list of all checks.

use crate::{commands, entries, epd, fen, games, genfens, moves, network, packets, pgn, tablebase, uci};

/// Takes any bytes, and panics if what it states does not hold for them.
pub type Check = fn(&[u8]);

/// All checks by the names of their programs and corpora.
pub const CHECKS: [(&str, Check); 12] = [
    ("commands", commands::check),
    ("entries", entries::check),
    ("epd", epd::check),
    ("fen", fen::check),
    ("games", games::check),
    ("genfens", genfens::check),
    ("moves", moves::check),
    ("network", network::check),
    ("packets", packets::check),
    ("pgn", pgn::check),
    ("tablebase", tablebase::check),
    ("uci", uci::check),
];
