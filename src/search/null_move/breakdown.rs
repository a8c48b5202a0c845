//! Counts of null moves by depth, phase of the game and kind of node, and the nodes that they saved.

use std::fmt;
use std::ops::AddAssign;

use crate::types::Depth;
use crate::util::rate::percent;

/// The phase of the game, by the pieces of both sides besides kings and pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePhase {
    /// More than six pieces.
    Middlegame,
    /// One to six pieces.
    Endgame,
    /// None.
    PawnEnding,
}

/// What a node is expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedKind {
    /// The window is open.
    Pv,
    /// The node is expected to fail high.
    Cut,
    /// The node is expected to fail low.
    All,
}

impl GamePhase {
    /// All phases.
    pub const ALL: [GamePhase; 3] = [GamePhase::Middlegame, GamePhase::Endgame, GamePhase::PawnEnding];

    /// The phase with this many pieces.
    pub const fn of_pieces(pieces: u32) -> GamePhase {
        match pieces {
            0 => GamePhase::PawnEnding,
            1..=6 => GamePhase::Endgame,
            _ => GamePhase::Middlegame,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            GamePhase::Middlegame => "middlegame",
            GamePhase::Endgame => "endgame",
            GamePhase::PawnEnding => "pawn ending",
        }
    }
}

impl ExpectedKind {
    /// All kinds.
    pub const ALL: [ExpectedKind; 3] = [ExpectedKind::Pv, ExpectedKind::Cut, ExpectedKind::All];

    /// What a node with an open window or not is expected to be.
    pub const fn of(pv: bool, cut_node: bool) -> ExpectedKind {
        match (pv, cut_node) {
            (true, _) => ExpectedKind::Pv,
            (false, true) => ExpectedKind::Cut,
            (false, false) => ExpectedKind::All,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            ExpectedKind::Pv => "PV node",
            ExpectedKind::Cut => "cut node",
            ExpectedKind::All => "all node",
        }
    }
}

/// The deepest class of nodes: it holds all that are deeper, too.
pub const MAX_COUNTED_DEPTH: usize = 24;

/// The class of a node in a [`NullBreakdown`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeClass {
    /// The phase of the game.
    pub phase: GamePhase,
    /// What the node is expected to be.
    pub kind: ExpectedKind,
    /// Its depth, hindsight included, before a null move or anything else reduced it, in plies.
    pub depth: Depth,
}

impl NodeClass {
    fn index(self) -> usize {
        let depth = (self.depth.max(1) as usize).min(MAX_COUNTED_DEPTH) - 1;
        (self.phase as usize * ExpectedKind::ALL.len() + self.kind as usize) * MAX_COUNTED_DEPTH + depth
    }
}

/// Counts of the null moves at the nodes of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NullCell {
    /// Null moves that were searched.
    pub tried: u64,
    /// Null moves that failed high. A fail-high by evaluation alone does not count.
    pub fail_highs: u64,
    /// Nodes that a null move cut.
    pub cuts: u64,
    /// Nodes whose moves were searched at a reduced depth, or that the reduction left no move to search.
    pub reductions: u64,
    /// Reduced nodes that failed low.
    pub reduced_fail_lows: u64,
    /// Nodes searched below null moves.
    pub null_nodes: u64,
    /// Reduced nodes that failed low and were searched again at their full depth: nothing was saved there.
    pub second_searches: u64,
    /// Nodes searched to verify fail-highs, and in second searches at the full depth.
    pub verification_nodes: u64,
    /// Nodes searched below nodes that a null move had reduced, without a second search at full depth.
    pub reduced_nodes: u64,
    /// Nodes whose moves were searched without a fail-high of a null move, and failed high themselves.
    pub unreduced_fail_highs: u64,
    /// Nodes searched below those.
    pub unreduced_nodes: u64,
}

impl NullCell {
    /// The nodes that null moves saved, by estimate: a node that was cut or reduced is taken to have as many nodes below
    /// it, had its moves been searched at full depth, as a node of its class that was searched so and failed high. All
    /// nodes below null moves, in verifications, below reduced nodes and in second searches are subtracted. Null moves below
    /// null moves count by themselves, so that what the outer one saved or spent holds the inner ones' share, too. Negative
    /// where null moves cost more than they saved; 0 where no node of the class is there to compare with.
    pub fn saved(&self) -> i64 {
        if self.unreduced_fail_highs == 0 {
            return 0;
        }
        let shortened = (self.cuts + self.reductions).saturating_sub(self.second_searches) as f64;
        let unspent = shortened * self.unreduced_nodes as f64 / self.unreduced_fail_highs as f64;
        unspent as i64 - (self.null_nodes + self.verification_nodes + self.reduced_nodes) as i64
    }
}

impl AddAssign for NullCell {
    fn add_assign(&mut self, other: NullCell) {
        self.tried += other.tried;
        self.fail_highs += other.fail_highs;
        self.cuts += other.cuts;
        self.reductions += other.reductions;
        self.reduced_fail_lows += other.reduced_fail_lows;
        self.null_nodes += other.null_nodes;
        self.second_searches += other.second_searches;
        self.verification_nodes += other.verification_nodes;
        self.reduced_nodes += other.reduced_nodes;
        self.unreduced_fail_highs += other.unreduced_fail_highs;
        self.unreduced_nodes += other.unreduced_nodes;
    }
}

/// Counts of the null moves of a search by the class of their nodes. A search keeps it only where that is asked for.
/// Null moves of null-move quiescence are not among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NullBreakdown(Box<[NullCell]>);

impl Default for NullBreakdown {
    fn default() -> NullBreakdown {
        let classes = GamePhase::ALL.len() * ExpectedKind::ALL.len() * MAX_COUNTED_DEPTH;
        NullBreakdown(vec![NullCell::default(); classes].into_boxed_slice())
    }
}

impl NullBreakdown {
    /// The counts of a class.
    pub fn at(&mut self, class: NodeClass) -> &mut NullCell {
        &mut self.0[class.index()]
    }

    /// The sum of the counts of all classes that a condition selects, and of the nodes that each of them saved.
    pub fn sum(&self, selects: impl Fn(NodeClass) -> bool) -> (NullCell, i64) {
        let (mut sum, mut saved) = (NullCell::default(), 0);
        for phase in GamePhase::ALL {
            for kind in ExpectedKind::ALL {
                for depth in 1..=MAX_COUNTED_DEPTH as Depth {
                    let class = NodeClass { phase, kind, depth };
                    if selects(class) {
                        let cell = self.0[class.index()];
                        sum += cell;
                        saved += cell.saved();
                    }
                }
            }
        }
        (sum, saved)
    }

    /// Adds the counts of another search or thread.
    pub fn add(&mut self, other: &NullBreakdown) {
        for (cell, &other) in self.0.iter_mut().zip(&other.0) {
            *cell += other;
        }
    }

    /// A table as lines of text: all nodes, then by kind of node, by phase, and by depth; rows without a null move are left
    /// out.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{:<14} {:>10} {:>6} {:>10} {:>10} {:>6} {:>12} {:>12}",
            "null moves", "tried", "high %", "cuts", "reductions", "low %", "null nodes", "nodes saved"
        )];
        let mut row = |name: String, selects: &dyn Fn(NodeClass) -> bool| {
            let (cell, saved) = self.sum(selects);
            if cell.tried + cell.reductions > 0 {
                lines.push(BreakdownRow { name, cell, saved }.to_string());
            }
        };
        row("all".to_string(), &|_| true);
        for kind in ExpectedKind::ALL {
            row(kind.name().to_string(), &|class| class.kind == kind);
        }
        for phase in GamePhase::ALL {
            row(phase.name().to_string(), &|class| class.phase == phase);
        }
        for depth in 1..=MAX_COUNTED_DEPTH as Depth {
            let more = if depth as usize == MAX_COUNTED_DEPTH { "+" } else { "" };
            row(format!("depth {depth}{more}"), &|class| class.depth == depth);
        }
        lines
    }
}

/// A row of the table that [`NullBreakdown::lines`] writes.
struct BreakdownRow {
    name: String,
    cell: NullCell,
    saved: i64,
}

impl fmt::Display for BreakdownRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = &self.cell;
        write!(
            f,
            "{:<14} {:>10} {:>6.1} {:>10} {:>10} {:>6.1} {:>12} {:>12}",
            self.name,
            cell.tried,
            percent(cell.fail_highs, cell.tried),
            cell.cuts,
            cell.reductions,
            percent(cell.reduced_fail_lows, cell.reductions),
            cell.null_nodes,
            self.saved,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_own_cell_and_the_deepest_holds_the_rest() {
        let mut breakdown = NullBreakdown::default();
        for phase in GamePhase::ALL {
            for kind in ExpectedKind::ALL {
                for depth in 1..=MAX_COUNTED_DEPTH as Depth {
                    breakdown.at(NodeClass { phase, kind, depth }).tried += 1;
                }
            }
        }
        assert!(breakdown.0.iter().all(|cell| cell.tried == 1));
        let deepest = NodeClass { phase: GamePhase::Endgame, kind: ExpectedKind::Cut, depth: 200 };
        breakdown.at(deepest).tried += 1;
        let last = NodeClass { depth: MAX_COUNTED_DEPTH as Depth, ..deepest };
        assert_eq!(breakdown.at(last).tried, 2);
        let (sum, _) = breakdown.sum(|class| class.kind == ExpectedKind::Cut);
        assert_eq!(sum.tried, 3 * MAX_COUNTED_DEPTH as u64 + 1);
    }

    #[test]
    fn what_was_saved_is_what_full_searches_cost_less_what_was_spent() {
        let cell = NullCell {
            cuts: 3,
            reductions: 1,
            unreduced_fail_highs: 10,
            unreduced_nodes: 1000,
            null_nodes: 50,
            verification_nodes: 20,
            reduced_nodes: 30,
            ..NullCell::default()
        };
        assert_eq!(cell.saved(), 4 * 100 - 100);
        assert_eq!(NullCell { second_searches: 1, ..cell }.saved(), 3 * 100 - 100);
        assert_eq!(NullCell { cuts: 0, reductions: 0, ..cell }.saved(), -100);
        assert_eq!(NullCell { unreduced_fail_highs: 0, unreduced_nodes: 0, ..cell }.saved(), 0);
    }

    #[test]
    fn phases_go_by_pieces() {
        let phases = [0, 1, 6, 7, 14].map(GamePhase::of_pieces);
        let (endgame, middlegame) = (GamePhase::Endgame, GamePhase::Middlegame);
        assert_eq!(phases, [GamePhase::PawnEnding, endgame, endgame, middlegame, middlegame]);
    }

    #[test]
    fn the_table_has_a_row_for_what_happened() {
        let mut one = NullBreakdown::default();
        let class = NodeClass { phase: GamePhase::PawnEnding, kind: ExpectedKind::All, depth: 7 };
        *one.at(class) = NullCell { tried: 4, fail_highs: 1, cuts: 1, ..NullCell::default() };
        let mut both = one.clone();
        both.add(&one);
        let lines = both.lines();
        let names: Vec<&str> = lines[1..].iter().map(|line| line[..14].trim_end()).collect();
        assert_eq!(names, ["all", "all node", "pawn ending", "depth 7"]);
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!(words[..4], ["all", "8", "25.0", "2"]);
    }
}
