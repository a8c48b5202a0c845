//! The network in whole numbers, as the engine computes it, and its file.
//!
//! Little-endian: a [`Header`], then the feature weights (a row for each input), the features' biases, the output
//! weights (a row for each output, own half first), all of 16 bits, and the outputs' biases of 32 bits.

use std::fs;
use std::path::Path;

use caesura::nnue::arch::MAX_OUTPUT_WEIGHT;
use caesura::nnue::format::{Header, MAGIC, VERSION};
use caesura::nnue::quantisation::{MAX_QUANTISED, WeightStatistics};
use datagen::file;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::arch::{
    Architecture, ArchitectureError, FEATURE_BOUND, OUTPUT_BOUND, OUTPUT_BUCKETS, PIECE_SQUARES, QA, QB,
    SCALE,
};
use crate::error::TrainerError;
use crate::float_net::{FloatNet, SliceLayout};
use crate::loss::Loss;
use crate::record::PositionRecord;
use crate::rows::{LANES, SliceRow};

/// The former version of the file.
const KING_BUCKETS: u32 = 1;

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
    #[error("version {0}, but only version {VERSION} can be read")]
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

/// A network in integers, as the engine computes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantisedNet {
    /// Its shape.
    pub shape: Architecture,
    /// A row for each input.
    pub features: Vec<i16>,
    /// The features' biases.
    pub bias: Vec<i16>,
    /// A row for each output, own half first.
    pub output: Vec<i16>,
    /// The outputs' biases.
    pub output_bias: [i32; OUTPUT_BUCKETS],
}

/// The quantisation scale of each unit of a slice, in units of the quantised weights.
fn scales(rows: &[SliceRow]) -> [i32; LANES] {
    std::array::from_fn(|lane| {
        let mut column = WeightStatistics::default();
        for row in rows {
            column.add((row.numbers()[lane].abs() * QA as f32).round() as u16);
        }
        // What was rounded once stays as it is.
        i32::from(column.scale().unwrap_or(column.max_abs.div_ceil(MAX_QUANTISED)))
    })
}

/// The mean of `sets` sets of weights, which lie one after another.
fn mean(features: &[i16], sets: usize) -> Vec<i16> {
    let length = features.len() / sets;
    let sum = |place: usize| -> i32 { features[place..].iter().step_by(length).map(|&n| i32::from(n)).sum() };
    (0..length).map(|place| (f64::from(sum(place)) / sets as f64).round() as i16).collect()
}

/// The shares of weights that lie at their bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Saturation {
    /// Of feature weights.
    pub features: f64,
    /// Of output weights.
    pub output: f64,
}

impl Saturation {
    /// Counts.
    pub fn of(net: &FloatNet) -> Saturation {
        let layout = net.layout;
        let share = |rows: std::ops::Range<usize>, bound: f32| {
            let numbers =
                net.slices.iter().flat_map(|slice| &slice[rows.clone()]).flat_map(|row| row.numbers());
            let at_bound = numbers.filter(|number| number.abs() >= bound).count();
            at_bound as f64 / (rows.len() * net.slices.len() * LANES) as f64
        };
        Saturation {
            features: share(0..layout.inputs, FEATURE_BOUND),
            output: share(layout.output(0)..layout.factoriser(), OUTPUT_BOUND),
        }
    }
}

impl QuantisedNet {
    /// Rounds a network. The engine keeps feature weights in 8 bits: those of a unit are rounded to multiples of its
    /// quantisation scale, as great as the greatest of them asks for.
    pub fn new(shape: &Architecture, net: &FloatNet) -> QuantisedNet {
        let layout = net.layout;
        const MAX: i32 = MAX_QUANTISED as i32;
        let scales: Vec<i32> = net.slices.iter().flat_map(|slice| scales(&slice[..layout.inputs])).collect();
        let feature = |input: usize| {
            let numbers = net.slices.iter().flat_map(move |slice| slice[input].numbers());
            numbers.zip(&scales).map(|(number, &scale)| {
                let count = (number * QA as f32 / scale as f32).round() as i32;
                (count.clamp(-MAX, MAX) * scale) as i16
            })
        };
        let row = |row: usize, scale: i32| {
            let numbers = net.slices.iter().flat_map(move |slice| slice[row].numbers());
            numbers.map(move |number| (number * scale as f32).round() as i16)
        };
        QuantisedNet {
            shape: shape.clone(),
            features: (0..layout.inputs).flat_map(feature).collect(),
            bias: row(layout.bias(), QA).collect(),
            output: (layout.output(0)..layout.factoriser()).flat_map(|output| row(output, QB)).collect(),
            output_bias: net.output_bias.map(|bias| (bias * (QA * QB) as f32).round() as i32),
        }
    }

    /// The network in floating point. With several threat states, what they share is the mean of their rows.
    pub fn to_net(&self) -> FloatNet {
        let layout = SliceLayout::new(&self.shape);
        let hidden = self.shape.hidden;
        let mut net = FloatNet::zeros(layout);
        let row = |numbers: &[i16], slice: usize, scale: i32| {
            SliceRow::new(std::array::from_fn(|lane| f32::from(numbers[slice * LANES + lane]) / scale as f32))
        };
        for (index, slice) in net.slices.iter_mut().enumerate() {
            for (input, numbers) in self.features.chunks_exact(hidden).enumerate() {
                slice[input] = row(numbers, index, QA);
            }
            slice[layout.bias()] = row(&self.bias, index, QA);
            for (place, numbers) in self.output.chunks_exact(hidden).enumerate() {
                slice[layout.output(0) + place] = row(numbers, index, QB);
            }
            for shared in 0..layout.shared {
                let mut sum = SliceRow::ZERO;
                (shared..layout.inputs).step_by(layout.shared).for_each(|input| sum.add(&slice[input]));
                let share = layout.shared as f32 / layout.inputs as f32;
                slice[layout.factoriser() + shared] =
                    SliceRow::new(sum.numbers().map(|number| number * share));
            }
        }
        net.output_bias = self.output_bias.map(|bias| bias as f32 / (QA * QB) as f32);
        net
    }

    /// The network in floating point and in another shape, with equal outputs: it may be wider, by random
    /// units whose output weights are zero, and may have several threat states instead of one, whose weights are then
    /// equal.
    ///
    /// # Errors
    /// If the shape is narrower, or has one threat state where the network has several.
    pub fn grown(&self, shape: &Architecture, seed: u64) -> Result<FloatNet, ArchitectureError> {
        let net = self.to_net();
        if shape.hidden < self.shape.hidden {
            return Err(ArchitectureError::Narrower { from: self.shape.hidden, to: shape.hidden });
        }
        if shape.states < self.shape.states {
            return Err(ArchitectureError::FewerThreatStates);
        }
        let (layout, before) = (SliceLayout::new(shape), net.layout);
        let mut grown = FloatNet::random(layout, seed);
        for slice in &mut grown.slices {
            slice[layout.output(0)..layout.factoriser()].fill(SliceRow::ZERO);
        }
        for (slice, known) in grown.slices.iter_mut().zip(&net.slices) {
            for bucket in slice[..layout.inputs].chunks_exact_mut(before.inputs) {
                bucket.copy_from_slice(&known[..before.inputs]);
            }
            slice[layout.bias()..layout.factoriser()]
                .copy_from_slice(&known[before.bias()..before.factoriser()]);
            let shared =
                if before.shared > 0 { &known[before.factoriser()..] } else { &known[..layout.shared] };
            slice[layout.factoriser()..].copy_from_slice(shared);
        }
        grown.output_bias = net.output_bias;
        Ok(grown)
    }

    /// The value of a position for the side to move, in centipawns, as the engine computes it.
    pub fn value(&self, record: &PositionRecord) -> i32 {
        let hidden = self.shape.hidden;
        let mut sums = [self.bias.clone(), self.bias.clone()];
        record.features(self.shape.states, |_, own, other| {
            for (sums, feature) in sums.iter_mut().zip([own, other]) {
                for (sum, weight) in sums.iter_mut().zip(&self.features[feature * hidden..]) {
                    *sum = sum.wrapping_add(*weight);
                }
            }
        });
        let bucket = record.bucket();
        let weights = &self.output[2 * hidden * bucket..2 * hidden * (bucket + 1)];
        let mut total = 0i64;
        for (&sum, &weight) in sums.iter().flatten().zip(weights) {
            let active = i64::from(sum).clamp(0, i64::from(QA));
            total += active * active / i64::from(QA) * i64::from(weight);
        }
        ((total + i64::from(self.output_bias[bucket])) * i64::from(SCALE) / i64::from(QA * QB)) as i32
    }

    /// The network whose values are `factor` times as great, but for rounding: where one that has learnt from other scores
    /// says more or less than the last, the margins of the search keep their meaning. `None` if the engine would refuse a
    /// weight, or it would not fit.
    pub fn scaled(&self, factor: f64) -> Option<QuantisedNet> {
        let times = |weight: i32| (f64::from(weight) * factor).round();
        let output = self.output.iter().map(|&weight| {
            let weight = times(weight.into());
            (weight.abs() <= f64::from(MAX_OUTPUT_WEIGHT)).then_some(weight as i16)
        });
        let output = output.collect::<Option<Vec<i16>>>()?;
        let output_bias = self.output_bias.map(times);
        output_bias.iter().all(|bias| bias.abs() <= f64::from(i32::MAX)).then(|| QuantisedNet {
            output,
            output_bias: output_bias.map(|bias| bias as i32),
            ..self.clone()
        })
    }

    /// The network whose weights are the mean of those of others, rounded anew: trainings that begin with the same network
    /// and end at different places each learn something by heart that the others do not, and their mean less of it
    /// (Wortsman et al. 2022, "Model soups"). `None` if there are none, or if their shapes differ.
    pub fn average(nets: &[QuantisedNet]) -> Option<QuantisedNet> {
        let shape = &nets.first()?.shape;
        if nets.iter().any(|net| net.shape != *shape) {
            return None;
        }
        let share = 1.0 / nets.len() as f32;
        let mut mean = FloatNet::zeros(SliceLayout::new(shape));
        for net in nets.iter().map(QuantisedNet::to_net) {
            for (row, other) in mean.slices.iter_mut().flatten().zip(net.slices.iter().flatten()) {
                row.add(&SliceRow::new(other.numbers().map(|number| number * share)));
            }
            for (bias, other) in mean.output_bias.iter_mut().zip(net.output_bias) {
                *bias += other * share;
            }
        }
        Some(QuantisedNet::new(shape, &mean))
    }

    /// The mean loss on these positions, on the threads of the pool it is called in; none if there are none.
    pub fn loss(&self, loss: &Loss, records: &[PositionRecord]) -> Option<f64> {
        let of = |record: &PositionRecord| {
            let output = self.value(record) as f32 / SCALE as f32;
            f64::from(loss.at(output, loss.target(record)).0)
        };
        let shares: Vec<f64> = records.par_chunks(4096).map(|share| share.iter().map(of).sum()).collect();
        (!records.is_empty()).then(|| shares.iter().sum::<f64>() / records.len() as f64)
    }

    /// The hash in the file's header, in hexadecimal.
    pub fn sha256(&self) -> String {
        Sha256::digest(self.payload()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn payload(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        for numbers in [&self.features, &self.bias, &self.output] {
            payload.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        payload.extend(self.output_bias.iter().flat_map(|number| number.to_le_bytes()));
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

    /// Reads a file's bytes. A network of the former version had sets of weights by the square of the king, in the place of
    /// threat states: their mean is taken.
    ///
    /// # Errors
    /// If they are not a whole network.
    pub fn from_bytes(bytes: &[u8]) -> Result<QuantisedNet, NetworkFileError> {
        let Some((header, payload)) = bytes.split_first_chunk::<{ size_of::<Header>() }>() else {
            return Err(NetworkFileError::Header);
        };
        let header: Header = bytemuck::pod_read_unaligned(header);
        if header.magic != MAGIC {
            return Err(NetworkFileError::Magic);
        }
        let version = u32::from_le(header.version);
        if version != VERSION && version != KING_BUCKETS {
            return Err(NetworkFileError::Version(version));
        }
        let sets = u32::from_le(header.inputs) as usize / PIECE_SQUARES;
        let states = if version == KING_BUCKETS && sets > 0 { 1 } else { sets };
        let shape = Architecture::with_states(u32::from_le(header.hidden) as usize, states)?;
        let found = [header.inputs, header.outputs, header.qa, header.qb].map(u32::from_le);
        let expected = [(PIECE_SQUARES * sets) as u32, OUTPUT_BUCKETS as u32, QA as u32, QB as u32];
        if found != expected {
            return Err(NetworkFileError::Architecture { found, wanted: expected });
        }
        let hidden = shape.hidden;
        let counts = [PIECE_SQUARES * sets * hidden, hidden, 2 * hidden * OUTPUT_BUCKETS];
        let length = 2 * counts.iter().sum::<usize>() + 4 * OUTPUT_BUCKETS;
        if payload.len() != length {
            return Err(NetworkFileError::Length { found: payload.len(), wanted: length });
        }
        if Sha256::digest(payload)[..] != header.sha256 {
            return Err(NetworkFileError::Checksum);
        }
        let mut rest = payload;
        let [features, bias, output]: [Vec<i16>; 3] = counts.map(|count| {
            let (numbers, after) = rest.split_at(2 * count);
            rest = after;
            numbers.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()
        });
        let mut output_bias = [0; OUTPUT_BUCKETS];
        for (number, &bytes) in output_bias.iter_mut().zip(rest.as_chunks().0) {
            *number = i32::from_le_bytes(bytes);
        }
        let features = if sets == shape.states { features } else { mean(&features, sets) };
        Ok(QuantisedNet { shape, features, bias, output, output_bias })
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
        let bytes = fs::read(path).map_err(TrainerError::io(path))?;
        QuantisedNet::from_bytes(&bytes)
            .map_err(|source| TrainerError::Network { path: path.to_path_buf(), source })
    }
}
