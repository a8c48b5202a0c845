//! A training in a file, to go on from.
//!
//! A magic word, the version, the length of a JSON text, that text, all numbers of the network and the optimiser, and
//! SHA-256 of all before; little-endian.

use std::path::Path;

use caesura::util::regular_file;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toolkit::file;

use crate::adam::Adam;
use crate::arch::{Architecture, ArchitectureError, OUTPUT_BUCKETS};
use crate::dense::DenseNet;
use crate::error::TrainerError;
use crate::float_net::{FloatNet, SliceLayout};
use crate::log::TrainingLog;
use crate::rows::SliceRow;
use crate::settings::TrainingSettings;

const MAGIC: [u8; 8] = *b"CAESCKPT";
const VERSION: u32 = 3;
const HASH: usize = 32;
/// More than a checkpoint of the widest network takes.
const MAX_BYTES: usize = 1 << 30;
/// Bytes before the text.
const HEAD: usize = 16;

/// Why the bytes of a file are not a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file does not begin as a checkpoint does.
    #[error("not a checkpoint")]
    Magic,
    /// The file has another version of the format.
    #[error("checkpoint of version {0}, but only version {VERSION} can be read")]
    Version(u32),
    /// The SHA-256 is wrong.
    #[error("the checkpoint is damaged or not whole: the hash is wrong")]
    Checksum,
    /// The JSON text would end behind the file.
    #[error("the checkpoint's text is longer than the file")]
    Length,
    /// The JSON text cannot be read.
    #[error("the checkpoint's text cannot be read")]
    Text(#[from] serde_json::Error),
    /// The architecture is not supported.
    #[error("the checkpoint's network is not supported")]
    Architecture(#[from] ArchitectureError),
    /// There are too few or too many numbers.
    #[error("the checkpoint holds {found} bytes of numbers, but {wanted} are wanted")]
    Numbers {
        /// Bytes in the file.
        found: usize,
        /// Bytes that the architecture needs.
        wanted: usize,
    },
}

/// The progress of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingState {
    /// What it depends on.
    pub settings: TrainingSettings,
    /// The fingerprint of the data.
    pub data: u32,
    /// Epochs done.
    pub epoch: u64,
    /// Batches done of the epoch in work.
    pub batch: u64,
    /// Steps of the optimiser.
    pub steps: u64,
    /// The sum of the losses in the epoch, and of how many positions.
    pub epoch_loss: (f64, u64),
    /// The sum of the losses since the last point of the curve, and of how many positions.
    pub point_loss: (f64, u64),
    /// Time spent on the epoch.
    pub seconds: f64,
    /// What was written down.
    pub log: TrainingLog,
}

fn numbers(net: &FloatNet) -> impl Iterator<Item = &[u8]> {
    let slices = net.slices.iter().map(|slice| bytemuck::cast_slice(slice));
    slices.chain([bytemuck::bytes_of(&net.dense)])
}

/// Writes a checkpoint in the place of the former one, which stays until the new one is whole.
///
/// # Errors
/// If the system cannot do it.
pub fn write(path: &Path, state: &TrainingState, net: &FloatNet, adam: &Adam) -> Result<(), TrainerError> {
    let text = serde_json::to_vec(state).expect("plain data");
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text);
    for net in [net, &adam.first, &adam.second, &adam.origin] {
        for part in numbers(net) {
            bytes.extend(part);
        }
    }
    let hash = Sha256::digest(&bytes);
    Ok(file::replace(path, &[&bytes, &hash])?)
}

/// Reads a checkpoint.
///
/// # Errors
/// If it is not whole.
pub fn read(path: &Path) -> Result<(TrainingState, FloatNet, Adam), TrainerError> {
    let bytes = regular_file::read(path, MAX_BYTES).map_err(TrainerError::io(path))?;
    parse(&bytes).map_err(|source| TrainerError::Checkpoint { path: path.to_path_buf(), source })
}

fn parse(bytes: &[u8]) -> Result<(TrainingState, FloatNet, Adam), CheckpointError> {
    if bytes.len() < HEAD + HASH || bytes[..8] != MAGIC {
        return Err(CheckpointError::Magic);
    }
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    if number(8) != VERSION {
        return Err(CheckpointError::Version(number(8)));
    }
    let (content, hash) = bytes.split_at(bytes.len() - HASH);
    if Sha256::digest(content)[..] != *hash {
        return Err(CheckpointError::Checksum);
    }
    let length = number(12) as usize;
    let Some((text, mut rest)) = content[HEAD..].split_at_checked(length) else {
        return Err(CheckpointError::Length);
    };
    let state: TrainingState = serde_json::from_slice(text)?;
    Architecture::with_states(state.settings.shape.hidden, state.settings.shape.states)?;
    let layout = SliceLayout::new(&state.settings.shape);
    let slices = layout.slices * layout.rows() * size_of::<SliceRow>();
    let expected = 4 * (slices + OUTPUT_BUCKETS * size_of::<DenseNet>());
    if rest.len() != expected {
        return Err(CheckpointError::Numbers { found: rest.len(), wanted: expected });
    }
    let mut net = || {
        let mut net = FloatNet::zeros(layout);
        for slice in &mut net.slices {
            let bytes = bytemuck::cast_slice_mut::<SliceRow, u8>(slice);
            let (own, after) = rest.split_at(bytes.len());
            bytes.copy_from_slice(own);
            rest = after;
        }
        let bytes = bytemuck::bytes_of_mut(&mut net.dense);
        let (own, after) = rest.split_at(bytes.len());
        bytes.copy_from_slice(own);
        rest = after;
        net
    };
    let (weights, first, second, origin) = (net(), net(), net(), net());
    let adam = Adam { first, second, origin, steps: state.steps };
    Ok((state, weights, adam))
}
