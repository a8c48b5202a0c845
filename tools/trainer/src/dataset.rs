//! Prepared positions: a directory with files of training records, and `data.json`, which says what they are.
//!
//! Each position is in a file drawn at random, and files are small enough to be shuffled in memory.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::TrainerError;
use crate::extract::PositionFilter;
use crate::record::PositionRecord;

/// The file that says what the others are. It is written last.
pub const INDEX: &str = "data.json";
/// The version of the directory's format.
pub const VERSION: u32 = 1;

/// A file of records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its name in the directory.
    pub name: String,
    /// How many there are.
    pub records: u64,
    /// CRC-32 of the bytes.
    pub checksum: u32,
}

/// A file of games, or a directory of such files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameSource {
    /// Its path, as it was given.
    pub path: PathBuf,
    /// The centipawns in which the odds of its results grow by e; `None` if that was not measured.
    pub scale: Option<f64>,
    /// By what its scores were multiplied.
    pub factor: f32,
}

impl GameSource {
    /// The centipawns in which the odds of its results grow by e as its scores were stretched; `None` if they were taken as they are.
    pub fn stretched_to(&self) -> Option<f64> {
        self.scale.map(|scale| scale * f64::from(self.factor))
    }
}

/// What `data.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatasetIndex {
    /// [`VERSION`].
    pub version: u32,
    /// What was left out.
    pub filter: PositionFilter,
    /// What the plies after a position weigh in its score.
    #[serde(default)]
    pub lambda: f64,
    /// Centipawns of a logit of 1 where scores were averaged along a game; `None` if it was not noted.
    #[serde(default)]
    pub lambda_scale: Option<f64>,
    /// What the search's fading towards the fifty-move rule had taken from the scores was given back.
    #[serde(default)]
    pub unfaded: bool,
    /// The most pieces of a position whose result was taken from endgame tables; 0 without tables.
    #[serde(default)]
    pub table_pieces: u32,
    /// The name of the network whose values are the targets of positions beyond those of the games; `None`: those of the games.
    #[serde(default)]
    pub held_by: Option<String>,
    /// Where the games came from.
    #[serde(default)]
    pub sources: Vec<GameSource>,
    /// Games read.
    pub games: u64,
    /// Positions of these games.
    pub positions: u64,
    /// The shards of training positions.
    pub training: Vec<Shard>,
    /// The validation positions.
    pub validation: Shard,
}

impl DatasetIndex {
    /// The number of training positions.
    pub fn training_records(&self) -> u64 {
        self.training.iter().map(|part| part.records).sum()
    }
}

/// A directory of prepared positions.
#[derive(Clone, Debug)]
pub struct Dataset {
    directory: PathBuf,
    /// What is in it.
    pub index: DatasetIndex,
}

impl Dataset {
    /// Opens a directory.
    ///
    /// # Errors
    /// If it holds no prepared positions.
    pub fn open(directory: &Path) -> Result<Dataset, TrainerError> {
        let path = directory.join(INDEX);
        let text = fs::read(&path).map_err(TrainerError::io(&path))?;
        let index: DatasetIndex = serde_json::from_slice(&text)
            .map_err(|source| TrainerError::Description { path: path.clone(), source })?;
        if index.version != VERSION {
            let reason = format!("version {}, but only version {VERSION} can be read", index.version);
            return Err(TrainerError::file(&path, reason));
        }
        Ok(Dataset { directory: directory.to_path_buf(), index })
    }

    /// Reads the validation positions.
    ///
    /// # Errors
    /// If the file is not as it was written.
    pub fn validation(&self) -> Result<Vec<PositionRecord>, TrainerError> {
        self.read(&self.index.validation)
    }

    /// Reads one of the files.
    ///
    /// # Errors
    /// If it is not as it was written.
    pub fn read(&self, part: &Shard) -> Result<Vec<PositionRecord>, TrainerError> {
        let path = self.directory.join(&part.name);
        let bytes = fs::read(&path).map_err(TrainerError::io(&path))?;
        if bytes.len() as u64 != part.records.saturating_mul(size_of::<PositionRecord>() as u64) {
            return Err(TrainerError::file(&path, "not as long as it was"));
        }
        if crc32fast::hash(&bytes) != part.checksum {
            return Err(TrainerError::file(&path, "damaged: the checksum is wrong"));
        }
        let records: Vec<PositionRecord> = bytemuck::pod_collect_to_vec(&bytes);
        if !records.iter().all(PositionRecord::is_valid) {
            return Err(TrainerError::file(&path, "a record is no position"));
        }
        Ok(records)
    }
}
