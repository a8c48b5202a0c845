//! How an evaluation listens to the board.

/// Told of every move that is made, and of every move taken back: what it knows of the positions on the way stays in order.
pub trait Observer {
    /// A move is being made.
    fn on_make_move(&mut self);
    /// The last move was taken back.
    fn on_unmake_move(&mut self);
}

/// Nobody listens.
impl Observer for () {
    #[inline]
    fn on_make_move(&mut self) {}
    #[inline]
    fn on_unmake_move(&mut self) {}
}
