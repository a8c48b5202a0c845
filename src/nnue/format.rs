//! The format of a network's file.
//!
//! A header of 64 bytes (what it is, its architecture, the SHA-256 of the rest) and then the payload, little-endian and
//! without gaps: the weights of each feature (8 bits, [`HIDDEN_SIZE`] to a row, in units of their hidden unit's quantisation
//! scale), then in 16 bits the quantisation scales of the hidden units, their biases, and for each output bucket and each of
//! its [`OUTPUT_UNITS`] the weights of the side to move's half and of the opponent's, and the [`DenseLayers`] of each output
//! bucket (32 bits).

use bytemuck::{Pod, Zeroable, bytes_of};
use sha2::{Digest, Sha256};

use super::arch::{DENSE_1, DENSE_2, HIDDEN_SIZE, INPUTS, OUTPUT_BUCKETS, OUTPUT_UNITS, QA, QB};

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"CAESNNUE";
/// The version of the format.
pub const VERSION: u32 = 4;
/// The length of the header in bytes.
pub const HEADER_BYTES: usize = size_of::<Header>();
/// The length of a file in bytes.
pub const FILE_BYTES: usize = HEADER_BYTES
    + FEATURE_BYTES
    + ROWS * HIDDEN_SIZE * size_of::<i16>()
    + OUTPUT_BUCKETS * size_of::<DenseLayers>();

/// The bytes of the feature weights in a file.
pub const FEATURE_BYTES: usize = INPUTS * HIDDEN_SIZE;
/// Rows of [`HIDDEN_SIZE`] 16-bit numbers in a file: scales, biases, and two for each output unit of each output bucket.
pub const ROWS: usize = 2 + 2 * OUTPUT_UNITS * OUTPUT_BUCKETS;

/// What lies behind the sums over the hidden units of an output bucket, little-endian in a file. Weights are in units of
/// 1/[`QB`], biases in units of 1/([`QA`] · [`QB`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct DenseLayers {
    /// The bias of the output.
    pub bias: i32,
    /// The biases of the first dense layer.
    pub bias_1: [i32; DENSE_1],
    /// The weights from each unit of the first dense layer to those of the second.
    pub weights_2: [[i32; DENSE_2]; DENSE_1],
    /// The biases of the second dense layer.
    pub bias_2: [i32; DENSE_2],
    /// The weights from the second dense layer to the output.
    pub weights_3: [i32; DENSE_2],
}

/// The header of a file; its numbers are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// Inputs of one perspective.
    pub inputs: u32,
    /// Hidden units of one perspective.
    pub hidden: u32,
    /// Output buckets.
    pub outputs: u32,
    /// Quantisation of the feature weights: 1.0 as an integer.
    pub qa: u32,
    /// Quantisation of the output weights: 1.0 as an integer.
    pub qb: u32,
    /// The SHA-256 of the payload.
    pub sha256: [u8; 32],
}

const _: () = assert!(size_of::<Header>() == 64);

impl Header {
    /// The header of a network with these numbers of inputs and hidden units, whose payload has this SHA-256.
    pub fn new(inputs: u32, hidden: u32, sha256: [u8; 32]) -> Header {
        Header {
            magic: MAGIC,
            version: VERSION.to_le(),
            inputs: inputs.to_le(),
            hidden: hidden.to_le(),
            outputs: (OUTPUT_BUCKETS as u32).to_le(),
            qa: (QA as u32).to_le(),
            qb: (QB as u32).to_le(),
            sha256,
        }
    }
}

/// The bytes of a file: a payload of this program's architecture with its header before it. The payload is not checked.
pub fn with_header(payload: &[u8]) -> Vec<u8> {
    let header = Header::new(INPUTS as u32, HIDDEN_SIZE as u32, Sha256::digest(payload).into());
    [bytes_of(&header), payload].concat()
}
