//! Positions that the searches of a game evaluate on their way: what the network is asked for, which the moves of games hardly
//! show.

use std::mem;

use caesura::board::{Board, Setup};
use caesura::engine::NullMoveObserver;
use toolkit::reservoir::Reservoir;

use crate::opening::GameRng;

/// Draws the same number of positions from each search, each of those that it evaluates with the same probability.
#[derive(Debug)]
pub struct EvaluatedPositions {
    /// The number of positions of a search.
    each: usize,
    rng: GameRng,
    /// Those of the search that is under way.
    search: Reservoir<Setup>,
    /// Those of the searches before it.
    drawn: Vec<Setup>,
}

impl EvaluatedPositions {
    /// Draws `each` positions from each search, by chance that begins with `rng`.
    pub fn new(each: usize, rng: GameRng) -> EvaluatedPositions {
        EvaluatedPositions { each, rng, search: Reservoir::new(each), drawn: Vec::new() }
    }

    /// Ends a search: the next one has a draw of its own.
    pub fn end_search(&mut self) {
        self.drawn.extend(mem::replace(&mut self.search, Reservoir::new(self.each)).into_items());
    }

    /// The positions of all searches that have ended.
    pub fn into_drawn(self) -> Vec<Setup> {
        self.drawn
    }
}

impl NullMoveObserver for EvaluatedPositions {
    fn evaluate(&mut self, board: &Board) {
        let rng = &mut self.rng;
        self.search.offer(|end| rng.below(end), || board.setup());
    }
}
