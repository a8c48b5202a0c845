//! What a run of pairs of games is for: which values the players get, and what is learnt from the results.

use std::path::Path;

use crate::TuneError;

/// An experiment whose trials are pairs of games between two players with different parameters.
pub trait Experiment: Send {
    /// What is drawn for one pair.
    type Draw: Send;

    /// The parameters that the players' values belong to.
    fn names(&self) -> Vec<String>;

    /// Nodes a move.
    fn nodes(&self) -> u64;

    /// The pairs recorded.
    fn played(&self) -> u64;

    /// The pairs of the whole run.
    fn pairs(&self) -> u64;

    /// Draws the values of a pair, and the number of its opening, below `openings`; `None` if no opening is left.
    fn draw(&mut self, openings: usize) -> Option<(Self::Draw, usize)>;

    /// The values of both players, in the order of [`Experiment::names`].
    fn values(draw: &Self::Draw) -> [&[i32]; 2];

    /// Takes in the result of a pair: the wins less the losses of the first player, and the number of decisive games.
    fn record(&mut self, draw: &Self::Draw, result: i32, decided: u64);

    /// Writes what is needed to go on, and the results so far, into a directory.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn store(&self, directory: &Path) -> Result<(), TuneError>;
}
