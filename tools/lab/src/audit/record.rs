//! What is stored of an audit.

use caesura::types::{Depth, Value};
use serde::{Deserialize, Serialize};

use crate::experiment::default_hash;
use crate::mode::Mode;

/// The least depth of each class of nodes, in plies. From every class as many decisions are judged, although shallow
/// ones are far more frequent.
pub const DEPTH_CLASSES: [Depth; 4] = [1, 3, 5, 8];

/// How many fail-highs of a search are judged from each class of depth if nothing else is said.
pub const DEFAULT_PER_CLASS: usize = 2;
/// The seed if nothing else is said.
pub const DEFAULT_SEED: u64 = 1;

const fn default_per_class() -> usize {
    DEFAULT_PER_CLASS
}

const fn default_seed() -> u64 {
    DEFAULT_SEED
}

/// The class of a depth: an index into [`DEPTH_CLASSES`].
pub fn depth_class(depth: Depth) -> usize {
    DEPTH_CLASSES.iter().rposition(|&least| depth >= least).unwrap_or(0)
}

/// What a fail-high is about to lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The node is cut.
    Cut,
    /// The node is searched shallower.
    Reduce,
    /// The node is cut if a search of its moves agrees.
    Verify,
    /// Nothing: it was the moves that failed high.
    Moves,
}

/// What the judge says of a fail-high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// At the full depth a move reaches beta, too.
    Right,
    /// No move reaches beta, but the null move does also at the full depth: it is the duty to move that hurts.
    Zugzwang,
    /// No move reaches beta, and neither does the null move at the full depth: its search was too shallow.
    Horizon,
    /// No move reaches beta, and the null move was not asked, since it was the moves that had failed high.
    Wrong,
    /// The judge ran out of nodes.
    Undecided,
}

impl Verdict {
    /// True if a move had to reach beta and none does.
    pub const fn is_wrong(self) -> bool {
        matches!(self, Verdict::Zugzwang | Verdict::Horizon | Verdict::Wrong)
    }
}

/// What became of the search of the whole position when one fail-high was overruled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flip {
    /// Another move is best.
    pub other_move: bool,
    /// The score, in centipawns for the side to move.
    pub score: Value,
    /// The nodes searched.
    pub nodes: u64,
}

/// One fail-high and what was found about it. Values are in centipawns for the side to move at the node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The fail-highs of the search before it.
    pub ordinal: u64,
    /// The moves from the root in UCI notation, `0000` for a null move.
    pub path: String,
    /// The depth of the node, in plies.
    pub depth: Depth,
    /// The pieces of both sides besides pawns and kings.
    pub pieces: u32,
    /// What the node was expected to be: `PV node`, `cut node` or `all node`.
    pub kind: String,
    /// The static evaluation less beta.
    pub margin: Value,
    /// The value that failed high, less beta.
    pub lead: Value,
    /// What it led to.
    pub action: Action,
    /// The node was left with a value that reaches beta.
    pub held: bool,
    /// What the judge says.
    pub verdict: Verdict,
    /// What the judge says of a wrong one with more depth.
    pub deeper: Option<Verdict>,
    /// What became of the search without it; `None` if it made no difference there, or the search grew too large.
    pub flip: Option<Flip>,
}

/// A position that was searched, and the fail-highs of its search that were judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The position.
    pub fen: String,
    /// The nodes of the search.
    pub nodes: u64,
    /// Its best move, in UCI notation.
    pub best: String,
    /// Its score, in centipawns for the side to move.
    pub score: Value,
    /// The fail-highs of the search, by class of depth.
    pub seen: [u64; DEPTH_CLASSES.len()],
    /// The fail-highs that were judged.
    pub decisions: Vec<Decision>,
}

impl Position {
    /// For how many fail-highs of the search a judged one stands: for those of its class of depth, shared among the
    /// judged ones of the class.
    pub fn weight(&self, decision: &Decision) -> f64 {
        let class = depth_class(decision.depth);
        let judged = self.decisions.iter().filter(|other| depth_class(other.depth) == class).count();
        self.seen[class] as f64 / judged.max(1) as f64
    }
}

/// The positions of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Who searched.
    pub contender: String,
    /// The search mode of all contenders.
    #[serde(alias = "plain")]
    pub mode: Mode,
    /// The transposition table of each search, in megabytes.
    #[serde(default = "default_hash")]
    pub hash: usize,
    /// The names of the books that openings were taken from.
    #[serde(default)]
    pub books: Vec<String>,
    /// The number of the game.
    pub game: u32,
    /// The depth of the searches, in plies.
    pub depth: Depth,
    /// How many fail-highs of a search were judged, at most, from each class of depth.
    #[serde(default = "default_per_class")]
    pub per_class: usize,
    /// What openings, positions and fail-highs were chosen by.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// The positions.
    pub positions: Vec<Position>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_stands_for_its_share_of_its_class() {
        let decision = |depth| Decision {
            ordinal: 0,
            path: String::new(),
            depth,
            pieces: 4,
            kind: "cut node".into(),
            margin: 0,
            lead: 0,
            action: Action::Cut,
            held: true,
            verdict: Verdict::Right,
            deeper: None,
            flip: None,
        };
        let position = Position {
            fen: String::new(),
            nodes: 0,
            best: String::new(),
            score: 0,
            seen: [100, 1, 0, 7],
            decisions: [1, 2, 4, 30].map(decision).into(),
        };
        let weights: Vec<f64> = position.decisions.iter().map(|decision| position.weight(decision)).collect();
        assert_eq!(weights, [50.0, 50.0, 1.0, 7.0]);
        assert_eq!([1, 2, 3, 7, 8, 99].map(depth_class), [0, 0, 1, 2, 3, 3]);
    }
}
