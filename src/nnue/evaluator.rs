//! What one search thread evaluates with: the shared network, and accumulators of its own.

use std::collections::TryReserveError;
use std::marker::PhantomData;
use std::sync::Arc;

use super::accumulator_stack::AccumulatorStack;
use super::network::Network;
use super::refresh_table::RefreshTable;
use super::simd::{Native, Vector};
use crate::board::{Board, Observer, Threats};
use crate::types::{Color, Value};

/// Evaluates the positions of one search thread, incrementally: it observes the moves made on one board.
#[derive(Clone, Debug)]
pub struct Evaluator<V = Native> {
    network: Arc<Network>,
    stack: AccumulatorStack,
    refresh_table: RefreshTable,
    vector: PhantomData<V>,
}

impl<V: Vector> Evaluator<V> {
    /// An evaluator at the beginning of a line, at any position.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(network: Arc<Network>) -> Result<Evaluator<V>, TryReserveError> {
        let (stack, refresh_table) = (AccumulatorStack::new()?, RefreshTable::new()?);
        Ok(Evaluator { network, stack, refresh_table, vector: PhantomData })
    }

    /// The network that it evaluates with.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Evaluates with this network from now on, and begins a new line at any position.
    pub fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            self.network = Arc::clone(network);
            self.refresh_table.clear();
        }
        self.reset();
    }

    /// Begins a new line at any position.
    pub fn reset(&mut self) {
        self.stack.reset();
    }

    /// Does the part of an evaluation that needs no weights, while something else is awaited from memory. `board` must be the
    /// board whose moves were observed, and stay as it is until [`Evaluator::evaluate`].
    #[inline]
    pub fn prepare(&mut self, board: &Board) {
        self.stack.prepare(board);
    }

    /// What a colour attacks in the current position, if it is known since [`Evaluator::prepare`] or [`Evaluator::evaluate`].
    #[inline]
    pub fn threats(&self, color: Color) -> Option<Threats> {
        self.stack.threats().map(|threats| threats[color.index()])
    }

    /// The value of the current position for the side to move, in centipawns. `board` must be the board whose moves were
    /// observed.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> Value {
        let accumulators = self.stack.current::<V>(board, self.network.weights(), &mut self.refresh_table);
        self.network.value::<V>(accumulators, board)
    }
}

impl<V: Vector> Evaluator<V> {
    /// True if the accumulators agree with the board: for assertions, since it evaluates the position from scratch.
    pub fn is_in_step_with(&mut self, board: &Board) -> bool {
        self.evaluate(board) == self.network.evaluate::<V>(board)
    }
}

impl<V: Vector> Observer for Evaluator<V> {
    #[inline]
    fn on_make_move(&mut self) {
        self.stack.push();
    }

    #[inline]
    fn on_unmake_move(&mut self) {
        self.stack.pop();
    }
}
