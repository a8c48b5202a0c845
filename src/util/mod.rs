//! Tools that know nothing of chess.
