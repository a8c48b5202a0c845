//! The numbers of a network, and the file they come from.
//!
//! A file is a header of 64 bytes (what it is, its shape, the SHA-256 of the rest) and then, little-endian and
//! without gaps: the weights of each feature, the biases of the hidden layer, for each output layer the weights
//! of the side to move's half and of the other, and the output biases. Nothing in a file is trusted: the shape
//! must be this program's, the length exact, the hash right, and no sum that can occur may overflow.
//!
//! In memory the weights of features take 8 bits each, so that the caches hold twice as many: those of a hidden number must
//! all be multiples of one step, 127 of them at most.

use std::fmt;

use bytemuck::{Pod, Zeroable, bytes_of, bytes_of_mut, cast_slice_mut};
use sha2::{Digest, Sha256};

use super::arch::{CHUNKS, HIDDEN_SIZE, INPUTS, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS, QA, QB};
use super::quantisation::WeightStatistics;
use super::simd::{I8x32, I16x32};
use crate::util::huge::{AllocError, HUGE_PAGE, HugeBox};

/// The hidden layer of one side, or as many weights.
pub type Accumulator = [I16x32; CHUNKS];

/// The weights of a feature, in steps of their hidden numbers.
pub type FeatureWeights = [I8x32; CHUNKS];

/// The first bytes of a file.
pub const MAGIC: [u8; 8] = *b"CAESNNUE";
/// The version of the format that is read.
pub const VERSION: u32 = 2;
/// The length of the header in bytes.
pub const HEADER_BYTES: usize = size_of::<Header>();
/// The length of a file in bytes.
pub const FILE_BYTES: usize = HEADER_BYTES + FILE_ROWS * size_of::<Accumulator>() + size_of::<OutputBias>();

/// Rows in a file: features, biases, and two for each output layer.
const FILE_ROWS: usize = INPUTS + 1 + 2 * OUTPUT_BUCKETS;

/// Pieces on a board at most.
const MAX_PIECES: usize = 32;

type OutputBias = [i32; OUTPUT_BUCKETS];

/// What a file begins with; the numbers are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: [u8; 8],
    /// [`VERSION`].
    pub version: u32,
    /// Inputs of one side.
    pub inputs: u32,
    /// Numbers in the hidden layer of one side.
    pub hidden: u32,
    /// [`OUTPUTS`].
    pub outputs: u32,
    /// [`QA`].
    pub qa: u32,
    /// [`QB`].
    pub qb: u32,
    /// The SHA-256 of all that follows.
    pub sha256: [u8; 32],
}

const _: () = assert!(size_of::<Header>() == 64);

/// What is wrong with the bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// They do not begin as a network does.
    Magic,
    /// The version is another one.
    Version(u32),
    /// The shape is another one.
    Shape {
        /// What differs.
        what: &'static str,
        /// What the file says.
        found: u32,
        /// What this program has.
        wanted: u32,
    },
    /// There are too few or too many bytes.
    Length {
        /// How many there are.
        found: u64,
        /// How many there should be.
        wanted: u64,
    },
    /// The bytes are not those that were written.
    Checksum,
    /// A hidden number could overflow.
    Overflow {
        /// Which one.
        unit: usize,
    },
    /// The weights of a hidden number are not multiples of one step, 127 of them at most.
    Scale {
        /// Which one.
        unit: usize,
    },
    /// An output weight is too great.
    OutputWeight(i16),
    /// There is no memory.
    Memory(AllocError),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Magic => write!(f, "not a network of Caesura"),
            WeightsError::Version(version) => write!(f, "version {version} instead of {VERSION}"),
            WeightsError::Shape { what, found, wanted } => write!(f, "{what} {found} instead of {wanted}"),
            WeightsError::Length { found, wanted } => write!(f, "{found} bytes instead of {wanted}"),
            WeightsError::Checksum => write!(f, "damaged: the checksum is wrong"),
            WeightsError::Overflow { unit } => write!(f, "hidden number {unit} can overflow"),
            WeightsError::Scale { unit } => {
                write!(f, "the weights of hidden number {unit} do not fit 8 bits")
            }
            WeightsError::OutputWeight(weight) => {
                write!(f, "output weight {weight} is not within {MAX_OUTPUT_WEIGHT} of zero")
            }
            WeightsError::Memory(error) => write!(f, "memory: {error}"),
        }
    }
}

impl std::error::Error for WeightsError {}

/// The numbers of a network.
#[derive(Debug)]
pub struct Weights {
    /// The weights of the features; more of them than there are, so that they lie on a huge page.
    features: HugeBox<FeatureWeights>,
    /// What the hidden numbers' steps are worth, then what follows the features in the file.
    rows: HugeBox<Accumulator>,
    output_bias: OutputBias,
    sha256: [u8; 32],
}

impl Weights {
    /// The same weights in memory of their own, near the processor of the calling thread.
    ///
    /// # Errors
    /// If there is no memory.
    pub(super) fn duplicate(&self) -> Result<Weights, AllocError> {
        let mut features = HugeBox::new(self.features.len())?;
        features.copy_from_slice(&self.features);
        let mut rows = HugeBox::new(self.rows.len())?;
        rows.copy_from_slice(&self.rows);
        Ok(Weights { features, rows, output_bias: self.output_bias, sha256: self.sha256 })
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// If they are not exactly a network of this shape, or there is no memory.
    pub fn parse(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let length = WeightsError::Length { found: bytes.len() as u64, wanted: FILE_BYTES as u64 };
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if start.is_empty() || !MAGIC.starts_with(start) {
            return Err(WeightsError::Magic);
        }
        let (header, payload) = bytes.split_at_checked(HEADER_BYTES).ok_or(length)?;
        let sha256 = check_header(header)?;
        if bytes.len() != FILE_BYTES {
            return Err(length);
        }
        if Sha256::digest(payload)[..] != sha256 {
            return Err(WeightsError::Checksum);
        }
        let (row_bytes, bias_bytes) = payload.split_at(FILE_ROWS * size_of::<Accumulator>());
        let numbers = || row_bytes.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
        let columns = unit_statistics(numbers().take(INPUTS * HIDDEN_SIZE));
        check_ranges(numbers, &columns)?;
        let room = INPUTS.max(HUGE_PAGE / size_of::<FeatureWeights>());
        let mut features = HugeBox::<FeatureWeights>::new(room).map_err(WeightsError::Memory)?;
        let mut rows = HugeBox::<Accumulator>::new(1 + FILE_ROWS - INPUTS).map_err(WeightsError::Memory)?;
        let mut output_bias = [0; OUTPUT_BUCKETS];
        bytes_of_mut(&mut output_bias).copy_from_slice(bias_bytes);
        let (steps, others) = cast_slice_mut::<Accumulator, i16>(&mut rows).split_at_mut(HIDDEN_SIZE);
        for (unit, (step, column)) in steps.iter_mut().zip(&columns).enumerate() {
            // Overflow is ruled out, so that the divisor of any weight but zero fits.
            *step = column.scale().ok_or(WeightsError::Scale { unit })? as i16;
        }
        let mut in_steps = numbers().zip(steps.iter().cycle()).map(|(weight, step)| (weight / step) as i8);
        for bytes in features[..INPUTS].as_flattened_mut() {
            *bytes = I8x32::new(std::array::from_fn(|_| in_steps.next().unwrap_or(0)));
        }
        for (other, number) in others.iter_mut().zip(numbers().skip(INPUTS * HIDDEN_SIZE)) {
            *other = number;
        }
        Ok(Weights { features, rows, output_bias: output_bias.map(i32::from_le), sha256 })
    }

    /// The weights of a feature.
    #[inline]
    pub fn feature(&self, index: usize) -> &FeatureWeights {
        &self.features[..INPUTS][index]
    }

    /// What a step is worth in each hidden number.
    #[inline]
    pub fn scales(&self) -> &Accumulator {
        &self.rows[0]
    }

    /// The biases of the hidden layer.
    #[inline]
    pub fn bias(&self) -> &Accumulator {
        &self.rows[1]
    }

    /// The weights of an output layer: the side to move's half, and the other.
    #[inline]
    pub fn output(&self, bucket: usize) -> [&Accumulator; 2] {
        let outputs = &self.rows[2..2 + 2 * OUTPUT_BUCKETS];
        [&outputs[2 * bucket], &outputs[2 * bucket + 1]]
    }

    /// The bias of an output layer.
    #[inline]
    pub fn output_bias(&self, bucket: usize) -> i32 {
        self.output_bias[bucket]
    }

    /// The SHA-256 of the file without its header.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.sha256
    }
}

/// Looks at the weights of each hidden number.
fn unit_statistics(weights: impl Iterator<Item = i16>) -> [WeightStatistics; HIDDEN_SIZE] {
    let mut columns = [WeightStatistics::default(); HIDDEN_SIZE];
    for (place, weight) in weights.enumerate() {
        columns[place % HIDDEN_SIZE].add(weight.unsigned_abs());
    }
    columns
}

/// Proves that nothing overflows: a hidden number with the greatest weights that all pieces can have, and the
/// product of a clamped hidden number with an output weight.
fn check_ranges<I: Iterator<Item = i16>>(
    numbers: impl Fn() -> I,
    columns: &[WeightStatistics; HIDDEN_SIZE],
) -> Result<(), WeightsError> {
    let biases = numbers().skip(INPUTS * HIDDEN_SIZE).take(HIDDEN_SIZE);
    for (unit, (column, bias)) in columns.iter().zip(biases).enumerate() {
        let room = (i16::MAX as u64).checked_sub(u64::from(bias.unsigned_abs()));
        let room = room.ok_or(WeightsError::Overflow { unit })?;
        // The few that fail the first question are looked at more closely.
        if MAX_PIECES as u64 * u64::from(column.max_abs) > room && greatest_sum(numbers(), unit) > room {
            return Err(WeightsError::Overflow { unit });
        }
    }
    let limit = MAX_OUTPUT_WEIGHT.unsigned_abs();
    match numbers().skip((INPUTS + 1) * HIDDEN_SIZE).find(|weight| weight.unsigned_abs() > limit) {
        Some(weight) => Err(WeightsError::OutputWeight(weight)),
        None => Ok(()),
    }
}

/// The sum of the greatest weights of a hidden number, as many as there can be pieces.
fn greatest_sum(numbers: impl Iterator<Item = i16>, unit: usize) -> u64 {
    let weights = numbers.take(INPUTS * HIDDEN_SIZE).skip(unit).step_by(HIDDEN_SIZE);
    let mut sizes: Vec<u16> = weights.map(i16::unsigned_abs).collect();
    let (greatest, last, _) = sizes.select_nth_unstable_by(MAX_PIECES - 1, |a, b| b.cmp(a));
    greatest.iter().chain([&*last]).map(|&size| u64::from(size)).sum()
}

/// The hash that a header names, if it is one of a network of this shape.
fn check_header(bytes: &[u8]) -> Result<[u8; 32], WeightsError> {
    let header: Header = bytemuck::try_pod_read_unaligned(bytes).map_err(|_| WeightsError::Magic)?;
    if header.magic != MAGIC {
        return Err(WeightsError::Magic);
    }
    if u32::from_le(header.version) != VERSION {
        return Err(WeightsError::Version(u32::from_le(header.version)));
    }
    let expected = Header::new(INPUTS as u32, HIDDEN_SIZE as u32, header.sha256);
    for (what, found, wanted) in [
        ("inputs", header.inputs, expected.inputs),
        ("hidden numbers", header.hidden, expected.hidden),
        ("output layers", header.outputs, expected.outputs),
        ("hidden quantum", header.qa, expected.qa),
        ("output quantum", header.qb, expected.qb),
    ] {
        if found != wanted {
            return Err(WeightsError::Shape {
                what,
                found: u32::from_le(found),
                wanted: u32::from_le(wanted),
            });
        }
    }
    Ok(header.sha256)
}

impl Header {
    /// The header of a network with so many inputs and hidden numbers a side, its payload of this hash.
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

/// The file of a payload in this program's shape: the payload with a header before it. Nothing is checked.
pub fn with_header(payload: &[u8]) -> Vec<u8> {
    let header = Header::new(INPUTS as u32, HIDDEN_SIZE as u32, Sha256::digest(payload).into());
    [bytes_of(&header), payload].concat()
}
