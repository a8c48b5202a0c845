//! The file of a network.
//!
//! Little-endian: a [`Header`], then the feature weights (a row of 8-bit numbers for each input), the quantisation scales of
//! the hidden units, their biases, the weights to the output units (two rows for each unit of each output bucket, own half
//! first), all of 16 bits, and the [`DenseLayers`] of each output bucket, of 32 bits.
//!
//! Three former versions can be read. Version 3 has feature weights of 16 bits and no scales. Version 2 is like that and has
//! no dense layers: two rows and a bias of 32 bits for each output bucket. Version 1 has king buckets instead of threat states
//! besides.

use std::path::Path;

use bytemuck::Zeroable;
use caesura::nnue::format::{DenseLayers, Header, MAGIC, VERSION};
use caesura::util::hex::hex;
use caesura::util::regular_file;
use sha2::{Digest, Sha256};
use toolkit::file;

use crate::arch::{Architecture, ArchitectureError, OUTPUT_BUCKETS, OUTPUT_UNITS, PIECE_SQUARES, QA, QB};
use crate::error::TrainerError;
use crate::quantised::{QuantisedNet, nearest};

/// More than a network of any version takes.
const MAX_BYTES: usize = 1 << 26;
/// The version of files with king buckets instead of threat states, and without dense layers.
const KING_BUCKETS: u32 = 1;
/// The version of files without dense layers.
const DIRECT_OUTPUT: u32 = 2;
/// The version of files with feature weights of 16 bits.
const WIDE_FEATURES: u32 = 3;

/// Why the bytes of a file are not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFileError {
    /// The file is shorter than a header.
    #[error("shorter than a header")]
    Header,
    /// The file does not begin as a network does.
    #[error("not a network")]
    Magic,
    /// The file has another version of the format.
    #[error("version {0}, but only versions up to {VERSION} can be read")]
    Version(u32),
    /// The number of hidden units or threat states is not supported.
    #[error(transparent)]
    Unsupported(#[from] ArchitectureError),
    /// Inputs, output buckets, QA or QB are others.
    #[error("inputs, outputs and scales are {found:?}, but {wanted:?} are wanted")]
    Architecture {
        /// The numbers in the file.
        found: [u32; 4],
        /// The numbers that can be read.
        wanted: [u32; 4],
    },
    /// The file is too short or too long.
    #[error("{found} bytes follow the header, but {wanted} are wanted")]
    Length {
        /// The length of the payload in bytes.
        found: usize,
        /// The length that the header asks for.
        wanted: usize,
    },
    /// The SHA-256 is wrong.
    #[error("damaged: the hash is wrong")]
    Checksum,
}

/// The mean of `sets` sets of weights, which lie one after another.
fn mean(features: &[i16], sets: usize) -> Vec<i16> {
    let length = features.len() / sets;
    let sum = |place: usize| -> i32 { features[place..].iter().step_by(length).map(|&n| i32::from(n)).sum() };
    (0..length).map(|place| (f64::from(sum(place)) / sets as f64).round_ties_even() as i16).collect()
}

/// The parts of a payload, by its header.
struct Parts {
    shape: Architecture,
    /// Sets of feature weights.
    sets: usize,
    /// Whether feature weights have 8 bits, and scales follow them.
    scaled: bool,
    /// Whether there are dense layers.
    dense: bool,
}

impl Parts {
    fn of(header: &Header) -> Result<Parts, NetworkFileError> {
        if header.magic != MAGIC {
            return Err(NetworkFileError::Magic);
        }
        let version = u32::from_le(header.version);
        if ![KING_BUCKETS, DIRECT_OUTPUT, WIDE_FEATURES, VERSION].contains(&version) {
            return Err(NetworkFileError::Version(version));
        }
        let sets = u32::from_le(header.inputs) as usize / PIECE_SQUARES;
        let states = if version == KING_BUCKETS && sets > 0 { 1 } else { sets };
        let shape = Architecture::with_states(u32::from_le(header.hidden) as usize, states)?;
        let found = [header.inputs, header.outputs, header.qa, header.qb].map(u32::from_le);
        let wanted = [(PIECE_SQUARES * sets) as u32, OUTPUT_BUCKETS as u32, QA as u32, QB as u32];
        if found != wanted {
            return Err(NetworkFileError::Architecture { found, wanted });
        }
        Ok(Parts { shape, sets, scaled: version == VERSION, dense: version >= WIDE_FEATURES })
    }

    /// The bytes of the feature weights.
    fn feature_bytes(&self) -> usize {
        let bytes = if self.scaled { size_of::<i8>() } else { size_of::<i16>() };
        bytes * PIECE_SQUARES * self.sets * self.shape.hidden
    }

    /// The numbers of 16 bits behind the feature weights: scales, biases, and rows to output units.
    fn counts(&self) -> [usize; 3] {
        let units = if self.dense { OUTPUT_UNITS } else { 1 };
        let hidden = self.shape.hidden;
        [if self.scaled { hidden } else { 0 }, hidden, 2 * hidden * units * OUTPUT_BUCKETS]
    }

    /// The length of the payload.
    fn bytes(&self) -> usize {
        let bucket = if self.dense { size_of::<DenseLayers>() } else { size_of::<i32>() };
        self.feature_bytes() + 2 * self.counts().iter().sum::<usize>() + bucket * OUTPUT_BUCKETS
    }

    /// Reads a payload of the right length.
    fn read(self, payload: &[u8]) -> QuantisedNet {
        let numbers_of = |bytes: &[u8]| -> Vec<i16> {
            bytes.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()
        };
        let (features, mut rest) = payload.split_at(self.feature_bytes());
        let [scales, bias, output] = self.counts().map(|count| {
            let (numbers, after) = rest.split_at(2 * count);
            rest = after;
            numbers_of(numbers)
        });
        let features = if self.scaled {
            let weights = features.iter().zip(scales.iter().cycle());
            weights.map(|(&weight, &scale)| i16::from(weight as i8).wrapping_mul(scale)).collect()
        } else {
            numbers_of(features)
        };
        let numbers = rest.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes));
        let mut dense = [DenseLayers::zeroed(); OUTPUT_BUCKETS];
        let output = if self.dense {
            let places = bytemuck::cast_slice_mut::<DenseLayers, i32>(&mut dense);
            places.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
            output
        } else {
            dense.iter_mut().zip(numbers).for_each(|(dense, bias)| dense.bias = bias);
            with_zeros(&output, self.shape.hidden)
        };
        let features = if self.sets == self.shape.states { features } else { mean(&features, self.sets) };
        QuantisedNet { shape: self.shape, features, bias, output, dense }
    }
}

/// The rows to the output units, from those to the direct output alone.
fn with_zeros(direct: &[i16], hidden: usize) -> Vec<i16> {
    let mut output = Vec::with_capacity(OUTPUT_UNITS * direct.len());
    for rows in direct.chunks_exact(2 * hidden) {
        output.extend(rows);
        output.resize(output.len() + 2 * hidden * (OUTPUT_UNITS - 1), 0);
    }
    output
}

impl QuantisedNet {
    /// The hash in the file's header, in hexadecimal.
    pub fn sha256(&self) -> String {
        hex(&Sha256::digest(self.payload()))
    }

    /// The name by which the engine shows it: the first twelve digits of the hash.
    pub fn name(&self) -> String {
        let mut name = self.sha256();
        name.truncate(12);
        name
    }

    fn payload(&self) -> Vec<u8> {
        let scales = self.scales();
        let weights = self.features.iter().zip(scales.iter().cycle());
        let quantised = weights.map(|(&weight, &scale)| nearest(f32::from(weight) / f32::from(scale)) as i8);
        let mut payload: Vec<u8> = quantised.map(|weight| weight as u8).collect();
        payload.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
        for numbers in [&self.bias, &self.output] {
            payload.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let dense = bytemuck::cast_slice::<DenseLayers, i32>(&self.dense);
        payload.extend(dense.iter().flat_map(|number| number.to_le_bytes()));
        payload
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let payload = self.payload();
        let (inputs, hidden) = (self.shape.inputs() as u32, self.shape.hidden as u32);
        let header = Header::new(inputs, hidden, Sha256::digest(&payload).into());
        let mut bytes = bytemuck::bytes_of(&header).to_vec();
        bytes.extend(payload);
        bytes
    }

    /// Reads a file's bytes. A network of the first two [versions](self) has no dense layers: theirs are zeros. One of version 1
    /// had sets of weights by the square of the king, in the place of threat states: their mean is taken.
    ///
    /// # Errors
    /// If they are not a whole network.
    pub fn from_bytes(bytes: &[u8]) -> Result<QuantisedNet, NetworkFileError> {
        let Some((header, payload)) = bytes.split_first_chunk::<{ size_of::<Header>() }>() else {
            return Err(NetworkFileError::Header);
        };
        let header: Header = bytemuck::pod_read_unaligned(header);
        let parts = Parts::of(&header)?;
        if payload.len() != parts.bytes() {
            return Err(NetworkFileError::Length { found: payload.len(), wanted: parts.bytes() });
        }
        if Sha256::digest(payload)[..] != header.sha256 {
            return Err(NetworkFileError::Checksum);
        }
        Ok(parts.read(payload))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the system cannot do it.
    pub fn write(&self, path: &Path) -> Result<(), TrainerError> {
        Ok(file::replace(path, &[&self.to_bytes()])?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a whole network.
    pub fn read(path: &Path) -> Result<QuantisedNet, TrainerError> {
        let bytes = regular_file::read(path, MAX_BYTES).map_err(TrainerError::io(path))?;
        QuantisedNet::from_bytes(&bytes)
            .map_err(|source| TrainerError::Network { path: path.to_path_buf(), source })
    }
}
