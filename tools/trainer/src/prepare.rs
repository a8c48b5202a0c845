//! From games to prepared positions.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Zeroable;
use caesura::types::MATE_IN_MAX;
use datagen::ordered::{self, Control};
use datagen::position::PackedPosition;
use datagen::reader::BlockReader;
use datagen::{Game, Position, ReadError, game_files};
use serde::{Deserialize, Serialize};

use crate::calibrate::calibrate;
use crate::dataset::{Dataset, INDEX, Index, Part, VERSION};
use crate::error::Error;
use crate::file;
use crate::record::Record;

/// Positions of a file, about: 48 MB to be shuffled in memory.
pub const PART_RECORDS: u64 = 1_500_000;

/// Greater scores are not stretched further, in centipawns.
const MAX_SCORE: f32 = 30_000.0;

/// The most files: all are open while games are read.
const MAX_PARTS: u64 = 500;

/// How games are prepared.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is left out.
    pub filter: Filter,
    /// Threads that read.
    pub threads: usize,
    /// Positions of a file, about; see [`PART_RECORDS`].
    pub part_records: u64,
    /// The scores of each source are stretched such that the odds of its results grow by e in so many
    /// centipawns; `None`: they are taken as they are.
    pub scale: Option<f64>,
}

/// Which positions are left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    /// Positions with greater scores, in centipawns. Mates are always left out.
    pub max_score: i16,
    /// So many plies at the start of each record.
    pub skip_plies: usize,
    /// Whether positions are kept in which the best move captures or promotes.
    pub noisy: bool,
    /// Whether positions in check are kept.
    pub checks: bool,
    /// The share of the games that is kept for validation, by the hash of the first position.
    pub validation: f64,
}

impl Filter {
    /// True if a position is to be learned from.
    pub fn keeps(&self, position: &Position<'_>) -> bool {
        let score = i32::from(position.score).abs();
        let quiet = position.played.is_quiet() && !position.played.is_promotion();
        position.ply >= self.skip_plies
            && score <= i32::from(self.max_score)
            && score < MATE_IN_MAX
            && (self.noisy || quiet)
            && (self.checks || !position.board.in_check())
    }
}

/// A block of games in a file.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The number of the path that was given for it.
    pub(crate) source: usize,
    path: PathBuf,
    offset: u64,
}

/// What a block gave.
#[derive(Debug, Default)]
pub(crate) struct Harvest {
    games: u64,
    positions: u64,
    /// With the number of the file, the last for validation.
    pub(crate) records: Vec<(u32, Record)>,
    fault: Option<String>,
}

/// Reads all games and writes their positions to files in `directory`. Damaged blocks are passed over and reported to
/// `warn`; `progress` is told how many positions were read, and how many there are.
///
/// # Errors
/// If files cannot be read or written, if there is nothing to learn from, if the directory holds prepared positions
/// already, or if `stop` was set meanwhile.
pub fn prepare(
    data: &[PathBuf],
    directory: &Path,
    options: &Options,
    stop: &AtomicBool,
    mut warn: impl FnMut(String),
    mut progress: impl FnMut(u64, u64),
) -> Result<Dataset, Error> {
    let Options { filter, threads, part_records, scale } = options;
    let mut tasks = Vec::new();
    let mut expected = 0;
    for (source, path) in data.iter().enumerate() {
        for path in game_files(std::slice::from_ref(path))? {
            match blocks(source, &path, &mut tasks) {
                Ok(positions) => expected += positions,
                Err((positions, error)) => {
                    expected += positions;
                    warn(error.to_string());
                }
            }
        }
    }
    fs::create_dir_all(directory).map_err(Error::io(directory))?;
    if directory.join(INDEX).exists() {
        return Err(Error::file(directory, "holds prepared positions already"));
    }
    let parts = expected.div_ceil(*part_records).clamp(1, MAX_PARTS) as u32;
    let mut writers = (0..parts)
        .map(|part| PartWriter::create(directory, format!("training-{part:04}.records")))
        .chain([PartWriter::create(directory, "validation.records".into())])
        .collect::<Result<Vec<PartWriter>, Error>>()?;
    let sources = calibrate(data, &tasks, *scale, filter, *threads, stop)?;
    let factors: Vec<f32> = sources.iter().map(|source| source.factor).collect();
    let (mut games, mut positions) = (0, 0);
    let control = Control::default();
    let read: Result<(), Error> = ordered::run(
        *threads,
        tasks.into_iter(),
        &control,
        || Ok(|task: Task| Ok(Some(harvest(&task, filter, parts, factors[task.source])))),
        |harvest: Option<Harvest>| {
            if stop.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let Some(harvest) = harvest else { return Ok(ControlFlow::Continue(())) };
            games += harvest.games;
            positions += harvest.positions;
            if let Some(fault) = harvest.fault {
                warn(fault);
            }
            for (part, record) in &harvest.records {
                writers[*part as usize].write(record)?;
            }
            progress(positions, expected);
            Ok(ControlFlow::Continue(()))
        },
    );
    read?;
    let mut training = writers.into_iter().map(PartWriter::finish).collect::<Result<Vec<Part>, Error>>()?;
    let validation = training.pop().expect("one more than there are parts");
    let index = Index { version: VERSION, filter: *filter, sources, games, positions, training, validation };
    if index.training_records() == 0 {
        return Err(Error::Settings("there is no position to learn from".into()));
    }
    let text = serde_json::to_vec_pretty(&index).expect("plain data");
    file::replace(&directory.join(INDEX), &[&text])?;
    Dataset::open(directory)
}

/// Adds the blocks of a file, and says how many positions they hold.
fn blocks(source: usize, path: &Path, tasks: &mut Vec<Task>) -> Result<u64, (u64, ReadError)> {
    let mut positions = 0;
    let mut reader = BlockReader::open(path).map_err(|error| (0, error))?;
    loop {
        match reader.skip() {
            Ok(None) => return Ok(positions),
            Ok(Some((offset, header))) => {
                positions += u64::from(header.positions);
                tasks.push(Task { source, path: path.to_path_buf(), offset });
            }
            Err(error) => return Err((positions, error)),
        }
    }
}

/// Reads a block. Its scores are multiplied by `factor`.
pub(crate) fn harvest(task: &Task, filter: &Filter, parts: u32, factor: f32) -> Harvest {
    let mut harvest = Harvest::default();
    let mut read = || -> Result<(), String> {
        let mut reader = BlockReader::open(&task.path).map_err(|error| error.to_string())?;
        reader.seek(task.offset).map_err(|error| error.to_string())?;
        let Some(block) = reader.read().map_err(|error| error.to_string())? else { return Ok(()) };
        let fault = |reason: String| format!("{}: block at {}: {reason}", task.path.display(), task.offset);
        for game in block.games().map_err(fault)? {
            harvest.games += 1;
            harvest.positions += game.plies.len() as u64;
            positions(&game, filter, parts, &mut harvest.records).map_err(fault)?;
        }
        Ok(())
    };
    harvest.fault = read().err();
    for (_, record) in &mut harvest.records {
        let score = (f32::from(record.score) * factor).round();
        record.score = score.clamp(-MAX_SCORE, MAX_SCORE) as i16;
    }
    harvest
}

/// The positions of a game that are kept, each with its file: one for all if the game is for validation, otherwise
/// drawn at random.
fn positions(
    game: &Game,
    filter: &Filter,
    parts: u32,
    records: &mut Vec<(u32, Record)>,
) -> Result<(), String> {
    let start = PackedPosition::pack(&game.start).unwrap_or_else(|_| PackedPosition::zeroed());
    let opening = hash(bytemuck::bytes_of(&start));
    let is_validation = ((opening >> 11) as f64) < filter.validation * (1u64 << 53) as f64;
    let mut replay = game.replay();
    while let Some(position) = replay.advance().map_err(|error| error.to_string())? {
        if !filter.keeps(&position) {
            continue;
        }
        let Some(record) = Record::pack(&position) else { continue };
        let part = if is_validation {
            parts
        } else {
            let place = mix(opening ^ mix(u64::from(game.index) << 32 | position.ply as u64));
            ((u128::from(place) * u128::from(parts)) >> 64) as u32
        };
        records.push((part, record));
    }
    Ok(())
}

/// Spreads a number over all 64 bits. (The finaliser of SplitMix64: Guy Steele, Doug Lea, Christine Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014.)
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, &byte| mix(sum ^ u64::from(byte)))
}

/// A file of records being written.
#[derive(Debug)]
struct PartWriter {
    path: PathBuf,
    name: String,
    file: BufWriter<File>,
    records: u64,
    checksum: crc32fast::Hasher,
}

impl PartWriter {
    fn create(directory: &Path, name: String) -> Result<PartWriter, Error> {
        let path = directory.join(&name);
        let file = BufWriter::with_capacity(1 << 16, File::create(&path).map_err(Error::io(&path))?);
        Ok(PartWriter { path, name, file, records: 0, checksum: crc32fast::Hasher::new() })
    }

    fn write(&mut self, record: &Record) -> Result<(), Error> {
        let bytes = bytemuck::bytes_of(record);
        self.checksum.update(bytes);
        self.records += 1;
        self.file.write_all(bytes).map_err(Error::io(&self.path))
    }

    fn finish(mut self) -> Result<Part, Error> {
        self.file.flush().map_err(Error::io(&self.path))?;
        Ok(Part { name: self.name, records: self.records, checksum: self.checksum.finalize() })
    }
}
