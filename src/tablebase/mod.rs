//! Syzygy endgame tablebases (Ronald de Man 2013): for every position of a few pieces whether it is won, drawn or lost,
//! and how long it is to the next capture or pawn move (DTZ, distance to zeroing).
//!
//! The library `shakmaty-syzygy` reads the tables. [`position`] translates a board for it, [`files`] is how it reads files,
//! [`header`] what must be known of a file before it may. [`Tablebase`] is what the engine holds: a set of tables of
//! several directories, which all threads share. [`material`] names the pieces of an endgame. [`ranking`] ranks the moves of
//! a position by the tables, and [`line`](mod@line) plays on to the end of the game.

pub mod error;
pub mod files;
pub mod header;
pub mod line;
pub mod material;
pub mod position;
pub mod ranking;
pub mod tables;

pub use error::TablebaseError;
pub use material::{Material, MaterialError};
pub use ranking::{RankedMove, Ranking};
pub use shakmaty_syzygy::{Dtz, Wdl};
pub use tables::{MAX_PIECES, Tablebase};
