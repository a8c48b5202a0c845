//! What is stored of a material.

use caesura::types::Depth;
use serde::{Deserialize, Serialize};

use crate::experiment::default_hash;
use crate::mode::Mode;

/// Positions in which passing would beat every move, by what the moves and the pass lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Zugzwangs {
    /// The pass draws, every move loses.
    pub draw_lost: u64,
    /// The pass wins, no move does more than draw.
    pub win_drawn: u64,
    /// The pass wins, every move loses.
    pub win_lost: u64,
}

impl Zugzwangs {
    /// How many zugzwangs there are of all kinds.
    pub const fn all(&self) -> u64 {
        self.draw_lost + self.win_drawn + self.win_lost
    }

    /// Adds the zugzwangs of other positions.
    pub fn add(&mut self, other: &Zugzwangs) {
        self.draw_lost += other.draw_lost;
        self.win_drawn += other.win_drawn;
        self.win_lost += other.win_lost;
    }
}

/// What searches of positions in zugzwang came to, at one depth. A search fails high if it takes the position for as good
/// as it would be with a pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemeCount {
    /// Who searched.
    pub contender: String,
    /// The depth, in plies.
    pub depth: Depth,
    /// The positions searched.
    pub positions: u64,
    /// Searches that failed high, whatever the reason.
    pub wrong: u64,
    /// Positions pruned by reverse futility, which is a null move without a search: among the wrong ones.
    pub reverse_futility: u64,
    /// Positions in which a null move was tried.
    pub tried: u64,
    /// Positions in which the null move failed high.
    pub fail_highs: u64,
    /// Positions that the null move cut: among the wrong ones.
    pub cuts: u64,
    /// Positions that the null move reduced.
    pub reductions: u64,
    /// Positions that the null move reduced and that then failed high all the same.
    pub held: u64,
}

impl SchemeCount {
    /// Adds what another material came to.
    pub fn add(&mut self, other: &SchemeCount) {
        self.positions += other.positions;
        self.wrong += other.wrong;
        self.reverse_futility += other.reverse_futility;
        self.tried += other.tried;
        self.fail_highs += other.fail_highs;
        self.cuts += other.cuts;
        self.reductions += other.reductions;
        self.held += other.held;
    }
}

/// Which placements of the pieces were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placements {
    /// How many, at most, for each material and side to move.
    pub most: u64,
    /// What they were drawn by, where there are more.
    pub seed: u64,
}

impl Default for Placements {
    fn default() -> Placements {
        Placements { most: 300_000, seed: 1 }
    }
}

/// How zugzwangs were searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searches {
    /// How many zugzwangs of each material and side to move, at most.
    pub most: usize,
    /// The search mode of all contenders.
    pub mode: Mode,
    /// The transposition table of each search, in megabytes.
    pub hash: usize,
}

impl Default for Searches {
    fn default() -> Searches {
        Searches { most: 50, mode: Mode::default(), hash: default_hash() }
    }
}

/// A material, with one side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Which placements were looked at.
    #[serde(default)]
    pub placements: Placements,
    /// How their zugzwangs were searched.
    #[serde(default)]
    pub searches: Searches,
    /// The pieces as the tables name them, White first: `KRvKP`.
    pub material: String,
    /// White is to move.
    pub white_to_move: bool,
    /// All placements of the pieces were looked at, and not only some that were drawn at random.
    pub exhaustive: bool,
    /// The positions among them: legal, the side to move has a move and is not in check.
    pub positions: u64,
    /// The positions in which passing beats every move.
    pub zugzwangs: Zugzwangs,
    /// What searches made of some of the zugzwangs.
    pub schemes: Vec<SchemeCount>,
}
