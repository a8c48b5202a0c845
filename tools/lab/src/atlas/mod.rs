//! The zugzwang atlas: where passing would beat every move, by material, and what null-move schemes do there.
//!
//! `placements` says where the pieces of an endgame can stand. `count` asks the tables how often passing
//! beats every move. `decisions` searches such positions and looks what the null move of the position itself leads to.
//! [`record`] is what is stored of a material.

mod count;
mod decisions;
mod placements;
pub mod record;
mod run;

pub use record::{Placements, Record, SchemeCount, Searches, Zugzwangs};
pub use run::{CONTENDERS, DEPTHS, FILE, Options, run};
