//! How an evaluation listens to the board.

/// Told of every move that is made, and of every move taken back: what it knows of the positions on the way stays in order.
pub trait Observer {
    /// A move is being made.
    fn made(&mut self);
    /// The last move was taken back.
    fn undone(&mut self);
}

/// Nobody listens.
impl Observer for () {
    #[inline]
    fn made(&mut self) {}
    #[inline]
    fn undone(&mut self) {}
}
