//! The network as the rest of the engine uses it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use super::accumulator_stack::AccumulatorStack;
use super::arch::output_bucket;
use super::forward;
use super::refresh_table::{self, RefreshTable};
use super::simd::{Native, Vector};
use super::weights::{FILE_BYTES, Weights, WeightsError};
use crate::board::{Board, Observer};
use crate::types::{Color, Value};
use crate::util::huge::AllocError;

/// Why there is no network.
#[derive(Debug)]
pub enum NetworkError {
    /// The file cannot be read.
    Read(io::Error),
    /// It is a directory, a device or a pipe.
    NotAFile,
    /// It does not hold a network of this program.
    Weights(WeightsError),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Read(error) => write!(f, "{error}"),
            NetworkError::NotAFile => write!(f, "not a file"),
            NetworkError::Weights(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// A network: weights that all threads share.
#[derive(Debug)]
pub struct Network {
    weights: Weights,
}

impl Network {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not exactly a network of this program's shape.
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        // Before it is opened: opening a pipe would wait for a writer.
        let data = path.metadata().map_err(NetworkError::Read)?;
        if !data.is_file() {
            return Err(NetworkError::NotAFile);
        }
        let mut bytes = Vec::with_capacity(FILE_BYTES + 1);
        File::open(path)
            .and_then(|file| file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
            .map_err(NetworkError::Read)?;
        Network::parse(&bytes)
            .map_err(|error| match error {
                WeightsError::Length { wanted, .. } => WeightsError::Length { found: data.len(), wanted },
                other => other,
            })
            .map_err(NetworkError::Weights)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are not exactly a network of this program's shape.
    pub fn parse(bytes: &[u8]) -> Result<Network, WeightsError> {
        Weights::parse(bytes).map(|weights| Network { weights })
    }

    /// The same network in memory of its own, near the processor of the calling thread.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn duplicate(&self) -> Result<Network, AllocError> {
        Ok(Network { weights: self.weights.duplicate()? })
    }

    /// A short name: the first digits of the weights' SHA-256.
    pub fn name(&self) -> String {
        self.weights.sha256().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The value of a position for the side to move, in centipawns, from nothing but the board.
    pub fn evaluate<V: Vector>(&self, board: &Board) -> Value {
        let [white, black] = refresh_table::from_scratch::<V>(board, &self.weights);
        self.value::<V>([&white, &black], board)
    }

    #[inline]
    fn value<V: Vector>(&self, [white, black]: [&super::weights::Accumulator; 2], board: &Board) -> Value {
        let layers = match board.side_to_move() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        forward::forward::<V>(layers, &self.weights, output_bucket(board.occupied().count()))
    }
}

/// Evaluates the positions of one search thread.
#[derive(Clone, Debug)]
pub struct Evaluator<V = Native> {
    network: Arc<Network>,
    stack: AccumulatorStack,
    refresh_table: RefreshTable,
    vector: PhantomData<V>,
}

impl<V: Vector> Evaluator<V> {
    /// An evaluator at any position.
    pub fn new(network: Arc<Network>) -> Evaluator<V> {
        Evaluator {
            stack: AccumulatorStack::new(),
            refresh_table: RefreshTable::new(),
            network,
            vector: PhantomData,
        }
    }

    /// The network that it uses.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Evaluates by this network from now on, at another position, whatever led to it.
    pub fn set_network(&mut self, network: &Arc<Network>) {
        if Arc::ptr_eq(&self.network, network) {
            self.reset();
        } else {
            *self = Evaluator::new(Arc::clone(network));
        }
    }

    /// Goes to another position, whatever led to it.
    pub fn reset(&mut self) {
        self.stack.reset();
    }

    /// The value of the position for the side to move, in centipawns. `board` must be the one listened to.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> Value {
        let layers = self.stack.current::<V>(board, &self.network.weights, &mut self.refresh_table);
        self.network.value::<V>(layers, board)
    }
}

impl<V: Vector> Observer for Evaluator<V> {
    #[inline]
    fn made(&mut self) {
        self.stack.push();
    }

    #[inline]
    fn undone(&mut self) {
        self.stack.pop();
    }
}
