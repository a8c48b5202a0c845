//! How an evaluation follows the moves that a board makes.

/// Called for every move that is made or unmade, so that what it keeps for each ply stays in step with the board.
pub trait Observer {
    /// A move is being made.
    fn on_make_move(&mut self);
    /// The last move is unmade.
    fn on_unmake_move(&mut self);
}

/// An observer that does nothing.
impl Observer for () {
    #[inline]
    fn on_make_move(&mut self) {}
    #[inline]
    fn on_unmake_move(&mut self) {}
}
