//! What the search remembers of moves that did well or badly, independent of the position.
//!
//! All tables follow one law, [`HistoryEntry`]: a bonus moves an entry towards its bound, the less the nearer it is. Each
//! search thread has its [`Histories`]; a few threads share [`SharedHistories`]. [`update`] says what the tables learn from
//! a node.

mod butterfly;
mod capture;
mod continuation;
mod correction;
mod histories;
mod history_entry;
#[cfg(test)]
pub mod line_directory;
mod low_ply;
mod pawn;
mod piece_to_table;
mod shared_histories;
mod tt_move;
pub mod update;

pub use butterfly::{Butterfly, SideButterfly};
pub use capture::{CaptureHistory, victim};
pub use continuation::{Continuation, ContinuationTable};
pub use correction::{Correction, LastMoves};
pub use histories::Histories;
pub use history_entry::HistoryEntry;
pub use low_ply::{LOW_PLIES, LowPlyHistory};
pub use pawn::{PawnHistory, PawnTable};
pub use shared_histories::SharedHistories;
pub use tt_move::TtMoveHistory;
