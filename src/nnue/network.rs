//! A network: weights that all threads share, read from a file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

use super::accumulator::{self, Accumulator};
use super::arch::{OUTPUT_BUCKETS, output_bucket};
use super::format::FILE_BYTES;
use super::forward;
use super::simd::Vector;
use super::weights::{Payload, Weights, WeightsError};
use crate::board::Board;
use crate::types::{Color, Value};
use crate::util::hex::hex;
use crate::util::huge::AllocError;
use crate::util::regular_file;

/// Why a file gives no network.
#[derive(Debug)]
pub enum NetworkError {
    /// The file cannot be read, or the path leads to a directory, a device or a pipe.
    Read(io::Error),
    /// The file does not hold a network of this program's architecture.
    Weights(WeightsError),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Read(error) => write!(f, "{error}"),
            NetworkError::Weights(error) => write!(f, "{error}"),
        }
    }
}

impl Error for NetworkError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            NetworkError::Read(error) => Some(error),
            NetworkError::Weights(error) => Some(error),
        }
    }
}

/// What a network says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkOutput {
    /// The value by each output bucket, in centipawns for the side to move.
    pub by_bucket: [Value; OUTPUT_BUCKETS],
    /// The output bucket that the number of pieces chooses.
    pub bucket: usize,
}

impl NetworkOutput {
    /// The value of the position for the side to move, in centipawns.
    pub fn value(&self) -> Value {
        self.by_bucket[self.bucket]
    }
}

/// A network: weights that all threads share.
#[derive(Debug)]
pub struct Network {
    weights: Weights,
}

impl Network {
    /// Reads a network from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not exactly a network of this program's architecture.
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        let (bytes, length) = regular_file::read_start(path, FILE_BYTES + 1).map_err(NetworkError::Read)?;
        Network::parse(&bytes)
            .map_err(|error| match error {
                // Reading stopped at the wanted length, so the true one is known to the file system alone.
                WeightsError::Length { wanted, .. } => WeightsError::Length { found: length, wanted },
                other => other,
            })
            .map_err(NetworkError::Weights)
    }

    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// If they are not exactly a network of this program's architecture, or there is no memory.
    pub fn parse(bytes: &[u8]) -> Result<Network, WeightsError> {
        Weights::parse(bytes, Payload::Unverified).map(|weights| Network { weights })
    }

    /// Reads a network from the bytes of a file whose payload is known to be undamaged.
    ///
    /// # Errors
    /// If they are not a network of this program's architecture, or there is no memory.
    pub(super) fn parse_verified(bytes: &[u8]) -> Result<Network, WeightsError> {
        Weights::parse(bytes, Payload::Verified).map(|weights| Network { weights })
    }

    /// A copy in memory of its own, which the calling thread touches first: on its NUMA node.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn duplicate(&self) -> Result<Network, AllocError> {
        Ok(Network { weights: self.weights.duplicate()? })
    }

    /// A short name: the first twelve hexadecimal digits of the SHA-256 of the weights.
    pub fn name(&self) -> String {
        hex(&self.weights.sha256()[..6])
    }

    /// The bytes of a network's file with these weights: those that they were read from.
    pub fn file(&self) -> Vec<u8> {
        self.weights.file()
    }

    /// The weights.
    #[inline]
    pub(super) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The value of a position for the side to move, in centipawns, computed from nothing but the board.
    pub fn evaluate<V: Vector>(&self, board: &Board) -> Value {
        let [white, black] = accumulator::from_scratch::<V>(board, &self.weights);
        self.value::<V>([&white, &black], board)
    }

    /// What every output bucket says of a position, computed from nothing but the board.
    pub fn output<V: Vector>(&self, board: &Board) -> NetworkOutput {
        let [white, black] = accumulator::from_scratch::<V>(board, &self.weights);
        let accumulators = match board.side_to_move() {
            Color::White => [&white, &black],
            Color::Black => [&black, &white],
        };
        NetworkOutput {
            by_bucket: std::array::from_fn(|bucket| {
                forward::output::<V>(accumulators, &self.weights, bucket)
            }),
            bucket: output_bucket(board.occupied().count()),
        }
    }

    /// The value of a position for the side to move, in centipawns, from the accumulators of White and Black.
    #[inline]
    pub(super) fn value<V: Vector>(&self, [white, black]: [&Accumulator; 2], board: &Board) -> Value {
        let accumulators = match board.side_to_move() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        forward::output::<V>(accumulators, &self.weights, output_bucket(board.occupied().count()))
    }
}
