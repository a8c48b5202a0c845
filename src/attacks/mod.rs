//! Where pieces attack, and which squares lie on a line.
//!
//! Pawns, knights and kings read one table entry a square. Bishops and rooks look along lines that other pieces
//! block: the pieces that matter are hashed to an entry of one table in which every answer is stored. Two ways to
//! hash are kept, magic bitboards (`magics`) and the bit-extract instruction (`pext`); `sliders` takes the one that
//! suits the target, and both are tested against a walk along the board.
//!
//! Every table is computed by the compiler, which also proves that no two answers share an entry: there is
//! nothing to initialise and nothing that could be asked too early.

mod hashing;
mod leapers;
#[allow(dead_code, reason = "of the two schemes, the target's is used; the other stays proved and tested")]
mod magics;
#[allow(dead_code, reason = "of the two schemes, the target's is used; the other stays proved and tested")]
mod pext;
mod rays;
mod sliders;

pub use leapers::{king, knight, pawn, pawn_set};
pub use rays::{between, diagonals, line, straights};
pub use sliders::{bishop, queen, rook};
