//! The weights of a network in memory, and the checks that they pass on their way from a file.
//!
//! Nothing in a file is trusted: the architecture must be this program's, the length exact, the hash right, and no sum
//! that can occur may overflow.
//!
//! A feature weight takes 8 bits, so that the caches hold twice as many: the weights of a hidden unit are multiples of one
//! scale, at most 127 times as great.

use std::error::Error;
use std::fmt;

use bytemuck::{Zeroable, bytes_of_mut, cast_slice, cast_slice_mut};
use sha2::{Digest, Sha256};

use super::arch::{
    CHUNKS, HIDDEN_SIZE, INPUTS, MAX_DENSE_BIAS, MAX_DENSE_WEIGHT, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS,
    OUTPUT_UNITS,
};
use super::features::{FEATURE_ROWS, row_of_input};
use super::format::{
    DenseLayers, FEATURE_BYTES, FILE_BYTES, HEADER_BYTES, Header, MAGIC, ROWS, VERSION, with_header,
};
use super::simd::{I8x64, I16x32, LANES};
use crate::util::huge::{AllocError, HugeBox};

/// A 16-bit number for each hidden unit of one perspective.
pub type HiddenVector = [I16x32; CHUNKS];

/// The weights of a feature, each in units of its hidden unit's quantisation scale.
pub type FeatureWeights = [I8x64; CHUNKS / 2];

/// The weights from the hidden units to an output unit: for the side to move's accumulator, and for the opponent's.
pub type OutputWeights = [HiddenVector; 2];

/// The most pieces on a board, each of which sets one input.
const MAX_PIECES: usize = 32;

/// Whether the payload of a file has been compared with the SHA-256 in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The payload may be damaged: it is compared now.
    Unverified,
    /// The build script has verified the hash, or the program made the payload: comparing it again would only take time at
    /// every start.
    Verified,
}

/// Why the bytes of a file are not the weights of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The file does not begin with [`MAGIC`].
    Magic,
    /// The file has this version of the format instead of [`VERSION`].
    Version(u32),
    /// The architecture is not this program's.
    Architecture {
        /// The property that differs.
        what: &'static str,
        /// Its value in the file.
        found: u32,
        /// Its value in this program.
        wanted: u32,
    },
    /// The file is too short or too long.
    Length {
        /// The length of the file in bytes.
        found: u64,
        /// [`FILE_BYTES`].
        wanted: u64,
    },
    /// The SHA-256 of the payload is not the one in the header.
    Checksum,
    /// The accumulator of a hidden unit could overflow 16 bits.
    Overflow {
        /// The hidden unit.
        unit: usize,
    },
    /// The quantisation scale of a hidden unit is not positive.
    Scale {
        /// The hidden unit.
        unit: usize,
    },
    /// A feature weight of a hidden unit is farther from zero than 127.
    FeatureWeight {
        /// The hidden unit.
        unit: usize,
    },
    /// An output weight is farther from zero than [`MAX_OUTPUT_WEIGHT`].
    OutputWeight(i16),
    /// A weight behind the first dense layer is farther from zero than [`MAX_DENSE_WEIGHT`].
    DenseWeight(i32),
    /// A bias of the second dense layer is farther from zero than [`MAX_DENSE_BIAS`].
    DenseBias(i32),
    /// There is no memory.
    Memory(AllocError),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Magic => write!(f, "not a network of Caesura"),
            WeightsError::Version(version) => write!(f, "version {version} instead of {VERSION}"),
            WeightsError::Architecture { what, found, wanted } => {
                write!(f, "{what} {found} instead of {wanted}")
            }
            WeightsError::Length { found, wanted } => write!(f, "{found} bytes instead of {wanted}"),
            WeightsError::Checksum => write!(f, "damaged: the checksum is wrong"),
            WeightsError::Overflow { unit } => write!(f, "hidden unit {unit} can overflow"),
            WeightsError::Scale { unit } => {
                write!(f, "the quantisation scale of hidden unit {unit} is not positive")
            }
            WeightsError::FeatureWeight { unit } => {
                write!(f, "a feature weight of hidden unit {unit} is not within 127 of zero")
            }
            WeightsError::OutputWeight(weight) => {
                write!(f, "output weight {weight} is not within {MAX_OUTPUT_WEIGHT} of zero")
            }
            WeightsError::DenseWeight(weight) => {
                write!(f, "weight {weight} of a dense layer is not within {MAX_DENSE_WEIGHT} of zero")
            }
            WeightsError::DenseBias(bias) => {
                write!(f, "bias {bias} of a dense layer is not within {MAX_DENSE_BIAS} of zero")
            }
            WeightsError::Memory(error) => write!(f, "memory: {error}"),
        }
    }
}

impl Error for WeightsError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WeightsError::Memory(error) => Some(error),
            _ => None,
        }
    }
}

/// The weights of a network.
#[derive(Debug)]
pub struct Weights {
    /// The weights of the features, each in its [row](row_of_input).
    features: HugeBox<FeatureWeights>,
    /// The rows that follow the features in the file: the quantisation scales of the hidden units, their biases, and two rows
    /// of weights for each output unit of each output bucket.
    rows: HugeBox<HiddenVector>,
    /// The dense layers of each output bucket.
    dense: [DenseLayers; OUTPUT_BUCKETS],
    /// Of which output buckets the dense layers add nothing to the output.
    is_direct_alone: [bool; OUTPUT_BUCKETS],
    sha256: [u8; 32],
}

impl Weights {
    /// A copy in memory of its own, which the calling thread touches first: on its NUMA node.
    ///
    /// # Errors
    /// If there is no memory.
    pub(super) fn duplicate(&self) -> Result<Weights, AllocError> {
        let mut features = HugeBox::new(self.features.len())?;
        features.copy_from_slice(&self.features);
        let mut rows = HugeBox::new(self.rows.len())?;
        rows.copy_from_slice(&self.rows);
        Ok(Weights {
            features,
            rows,
            dense: self.dense,
            is_direct_alone: self.is_direct_alone,
            sha256: self.sha256,
        })
    }

    /// Reads the weights from the bytes of a file. Its ranges are checked in any case.
    ///
    /// # Errors
    /// If they are not exactly a network of this program's architecture, or there is no memory.
    pub fn parse(bytes: &[u8], payload_state: Payload) -> Result<Weights, WeightsError> {
        let length = WeightsError::Length { found: bytes.len() as u64, wanted: FILE_BYTES as u64 };
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if start.is_empty() || !MAGIC.starts_with(start) {
            return Err(WeightsError::Magic);
        }
        let (header, payload) = bytes.split_first_chunk().ok_or(length)?;
        let sha256 = check_header(header)?;
        if bytes.len() != FILE_BYTES {
            return Err(length);
        }
        if payload_state == Payload::Unverified && Sha256::digest(payload)[..] != sha256 {
            return Err(WeightsError::Checksum);
        }
        let (feature_bytes, rest) = payload.split_at(FEATURE_BYTES);
        let (row_bytes, dense_bytes) = rest.split_at(ROWS * size_of::<HiddenVector>());
        let mut rows = HugeBox::<HiddenVector>::new(ROWS).map_err(WeightsError::Memory)?;
        let numbers = row_bytes.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
        for (place, number) in cast_slice_mut::<HiddenVector, i16>(&mut rows).iter_mut().zip(numbers) {
            *place = number;
        }
        check_ranges(cast_slice(feature_bytes), cast_slice(&rows))?;
        let dense = dense_layers(dense_bytes)?;
        let mut features = HugeBox::<FeatureWeights>::new(FEATURE_ROWS).map_err(WeightsError::Memory)?;
        let inputs = cast_slice::<u8, i8>(feature_bytes).as_chunks::<HIDDEN_SIZE>().0;
        for (input, numbers) in inputs.iter().enumerate() {
            let row = &mut features[row_of_input(input)];
            for (place, &numbers) in row.iter_mut().zip(numbers.as_chunks::<{ 2 * LANES }>().0) {
                *place = I8x64::new(numbers);
            }
        }
        let is_direct_alone = dense.map(|layers| layers.weights_3.iter().all(|&weight| weight == 0));
        Ok(Weights { features, rows, dense, is_direct_alone, sha256 })
    }

    /// The weights of a feature, by its [row](row_of_input).
    #[inline]
    pub fn feature(&self, row: usize) -> &FeatureWeights {
        &self.features[row]
    }

    /// The quantisation scales of the hidden units.
    #[inline]
    pub fn scales(&self) -> &HiddenVector {
        &self.rows[0]
    }

    /// The biases of the hidden units.
    #[inline]
    pub fn bias(&self) -> &HiddenVector {
        &self.rows[1]
    }

    /// The weights from the hidden units to the output units of an output bucket.
    #[inline]
    pub fn output(&self, bucket: usize) -> &[OutputWeights; OUTPUT_UNITS] {
        let units = self.rows[2..].as_chunks::<2>().0;
        &units.as_chunks::<OUTPUT_UNITS>().0[bucket]
    }

    /// The dense layers of an output bucket.
    #[inline]
    pub fn dense(&self, bucket: usize) -> &DenseLayers {
        &self.dense[bucket]
    }

    /// True if the dense layers of an output bucket add nothing to the output, because all of their last weights are zero.
    #[inline]
    pub fn is_direct_alone(&self, bucket: usize) -> bool {
        self.is_direct_alone[bucket]
    }

    /// The bytes of the file that these weights come from, header included.
    pub(super) fn file(&self) -> Vec<u8> {
        let mut payload = Vec::with_capacity(FILE_BYTES - HEADER_BYTES);
        for weights in (0..INPUTS).flat_map(|input| &self.features[row_of_input(input)]) {
            payload.extend_from_slice(cast_slice(&weights.numbers()));
        }
        let numbers = cast_slice::<HiddenVector, i16>(&self.rows);
        payload.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        payload.extend(
            cast_slice::<DenseLayers, i32>(&self.dense).iter().flat_map(|number| number.to_le_bytes()),
        );
        with_header(&payload)
    }

    /// The SHA-256 of the file's payload.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.sha256
    }
}

/// The SHA-256 in a header, if it is the header of a network of this program's architecture.
fn check_header(bytes: &[u8; HEADER_BYTES]) -> Result<[u8; 32], WeightsError> {
    let header: Header = bytemuck::pod_read_unaligned(bytes);
    if header.magic != MAGIC {
        return Err(WeightsError::Magic);
    }
    if u32::from_le(header.version) != VERSION {
        return Err(WeightsError::Version(u32::from_le(header.version)));
    }
    let expected = Header::new(INPUTS as u32, HIDDEN_SIZE as u32, header.sha256);
    for (what, found, wanted) in [
        ("inputs", header.inputs, expected.inputs),
        ("hidden units", header.hidden, expected.hidden),
        ("output buckets", header.outputs, expected.outputs),
        ("QA", header.qa, expected.qa),
        ("QB", header.qb, expected.qb),
    ] {
        if found != wanted {
            return Err(WeightsError::Architecture {
                what,
                found: u32::from_le(found),
                wanted: u32::from_le(wanted),
            });
        }
    }
    Ok(header.sha256)
}

/// The dense layers in the last bytes of a file, if no sum in them can overflow.
fn dense_layers(bytes: &[u8]) -> Result<[DenseLayers; OUTPUT_BUCKETS], WeightsError> {
    let mut dense = [DenseLayers::zeroed(); OUTPUT_BUCKETS];
    bytes_of_mut(&mut dense).copy_from_slice(bytes);
    cast_slice_mut::<DenseLayers, i32>(&mut dense)
        .iter_mut()
        .for_each(|number| *number = i32::from_le(*number));
    for layers in &dense {
        let is_beyond = |number: i32, bound: i32| number.unsigned_abs() > bound.unsigned_abs();
        let mut weights = layers.weights_2.as_flattened().iter().chain(&layers.weights_3);
        if let Some(&weight) = weights.find(|&&weight| is_beyond(weight, MAX_DENSE_WEIGHT)) {
            return Err(WeightsError::DenseWeight(weight));
        }
        if let Some(&bias) = layers.bias_2.iter().find(|&&bias| is_beyond(bias, MAX_DENSE_BIAS)) {
            return Err(WeightsError::DenseBias(bias));
        }
    }
    Ok(dense)
}

/// Proves that nothing can overflow: neither an accumulator with the greatest weights that all pieces can have, nor the
/// product of an activation with an output weight. `features` and `rows` are those of a file.
fn check_ranges(features: &[i8], rows: &[i16]) -> Result<(), WeightsError> {
    let mut greatest = [0; HIDDEN_SIZE];
    for row in features.as_chunks::<HIDDEN_SIZE>().0 {
        for (greatest, weight) in greatest.iter_mut().zip(row) {
            *greatest = weight.unsigned_abs().max(*greatest);
        }
    }
    let (scales, rest) = rows.split_at(HIDDEN_SIZE);
    let (biases, outputs) = rest.split_at(HIDDEN_SIZE);
    for (unit, ((&greatest, &scale), bias)) in greatest.iter().zip(scales).zip(biases).enumerate() {
        if scale <= 0 {
            return Err(WeightsError::Scale { unit });
        }
        if greatest > i8::MAX.unsigned_abs() {
            return Err(WeightsError::FeatureWeight { unit });
        }
        let room = (i16::MAX as u64).checked_sub(u64::from(bias.unsigned_abs()));
        let room = room.ok_or(WeightsError::Overflow { unit })? / u64::from(scale.unsigned_abs());
        // The simple bound suffices for nearly all units; the sum of the greatest weights decides for the others.
        if MAX_PIECES as u64 * u64::from(greatest) > room && greatest_sum(features, unit) > room {
            return Err(WeightsError::Overflow { unit });
        }
    }
    let limit = MAX_OUTPUT_WEIGHT.unsigned_abs();
    match outputs.iter().find(|weight| weight.unsigned_abs() > limit) {
        Some(&weight) => Err(WeightsError::OutputWeight(weight)),
        None => Ok(()),
    }
}

/// The sum of the [`MAX_PIECES`] greatest absolute feature weights of a hidden unit, in units of its scale.
fn greatest_sum(features: &[i8], unit: usize) -> u64 {
    let mut sizes: Vec<u8> =
        features.iter().skip(unit).step_by(HIDDEN_SIZE).map(|weight| weight.unsigned_abs()).collect();
    let (greatest, last, _) = sizes.select_nth_unstable_by(MAX_PIECES - 1, |a, b| b.cmp(a));
    greatest.iter().chain([&*last]).map(|&size| u64::from(size)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::material;

    #[test]
    fn a_verified_payload_is_spared_the_hash_and_nothing_else() {
        let file = material::network_file();
        let parse = |bytes: &[u8], payload| Weights::parse(bytes, payload).map(|weights| *weights.sha256());
        assert_eq!(parse(&file, Payload::Unverified), parse(&file, Payload::Verified));
        // Another weight behind the dense layers, in range, so that only the hash differs.
        let mut other = file.clone();
        let last_weight = other.len() - size_of::<i32>();
        other[last_weight] ^= 1;
        assert_eq!(parse(&other, Payload::Unverified), Err(WeightsError::Checksum));
        assert!(parse(&other, Payload::Verified).is_ok());
        let mut out_of_range = file.clone();
        out_of_range[HEADER_BYTES] = i8::MIN as u8;
        let error = Err(WeightsError::FeatureWeight { unit: 0 });
        assert_eq!(parse(&out_of_range, Payload::Verified), error);
    }
}
