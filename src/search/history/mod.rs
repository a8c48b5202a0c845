//! What the search remembers of moves that did well or badly, independent of the position.
//!
//! All tables follow one law ([`Entry`]): a bonus moves an entry towards its bound, the less the nearer it is.
//! Each worker owns its tables, but for [`Correction`], which the workers of a memory node share.

mod butterfly;
mod capture;
mod continuation;
mod correction;
mod entry;
mod pawn;
mod row;

pub use butterfly::Butterfly;
pub use capture::CaptureHistory;
pub use continuation::{Continuation, ContinuationRow};
pub use correction::Correction;
pub use entry::Entry;
pub use pawn::{PawnHistory, PawnRow};
pub use row::{NO_MOVE, Row, row};
