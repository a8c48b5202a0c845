//! From games to prepared positions.

use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use caesura::engine::Tablebase;
use datagen::game_files;
use toolkit::cli::ErrorChain;
use toolkit::file;
use toolkit::ordered::{self, Control};

use crate::arch::SCALE;
use crate::calibrate::calibrate;
use crate::dataset::{Dataset, DatasetIndex, GameSource, INDEX, Shard, VERSION};
use crate::error::TrainerError;
use crate::extract::{BlockTask, ExtractedBlock, Lesson, PositionFilter, blocks, extract_block};
use crate::held::HeldOptions;
use crate::known_results;
use crate::record::PositionRecord;
use crate::td_lambda::ScoreTargets;

/// Positions of a file, about: 48 MB to be shuffled in memory.
pub const PART_RECORDS: u64 = 1_500_000;

/// The most files: all are open while games are read, and many a shell allows a program 256.
const MAX_PARTS: u64 = 200;

/// How games are prepared.
#[derive(Clone, Debug)]
pub struct PrepareOptions {
    /// What is left out.
    pub filter: PositionFilter,
    /// Threads that read.
    pub threads: usize,
    /// Positions of a file, about; see [`PART_RECORDS`].
    pub part_records: u64,
    /// The scores of each source are stretched so that the odds of its results grow by a factor e in this many
    /// centipawns; `None`: they are taken as they are.
    pub scale: Option<f64>,
    /// What the plies after a position weigh in its score; see `lambda` of the targets.
    pub lambda: f64,
    /// Centipawns of a logit of 1 where scores are averaged along a game, which the training should take them for, too;
    /// `None`: `scale`, or that of the network.
    pub lambda_scale: Option<f64>,
    /// What the search's fading towards the fifty-move rule has taken from the scores is given back.
    pub unfade: bool,
    /// A directory of Syzygy tables, whose results count for more than those of the games; see [`known_results`].
    ///
    /// [`known_results`]: crate::known_results::known_results
    pub tables: Option<PathBuf>,
    /// In the place of the positions themselves, some beyond them, with what a network says of them; scores, results and tables do
    /// not count then.
    pub held: Option<HeldOptions>,
}

/// Reads all games and writes their positions to files in `directory`. Damaged blocks are passed over and reported to
/// `warn`; `progress` gets the number of positions read and the number of all.
///
/// # Errors
/// If files cannot be read or written, if there is nothing to learn from, if the directory holds prepared positions
/// already, or files of a preparation that was not finished, or if `stop` was set meanwhile.
pub fn prepare(
    data: &[PathBuf],
    directory: &Path,
    options: &PrepareOptions,
    stop: &AtomicBool,
    mut warn: impl FnMut(String),
    mut progress: impl FnMut(u64, u64),
) -> Result<Dataset, TrainerError> {
    let PrepareOptions { filter, threads, part_records, scale, lambda, lambda_scale, unfade, tables, held } =
        options;
    let lambda_scale = lambda_scale.or(*scale).unwrap_or(f64::from(SCALE));
    let tables = tables.as_deref().map(known_results::open).transpose()?;
    let mut tasks = Vec::new();
    let mut expected = 0;
    for (source, path) in data.iter().enumerate() {
        for path in game_files(std::slice::from_ref(path))? {
            expected += blocks(source, &path, &mut tasks, |error| warn(ErrorChain(&error).to_string()));
        }
    }
    fs::create_dir_all(directory).map_err(TrainerError::io(directory))?;
    if directory.join(INDEX).exists() {
        return Err(TrainerError::file(directory, "holds prepared positions already"));
    }
    let parts = expected.div_ceil(*part_records).clamp(1, MAX_PARTS) as u32;
    let mut unfinished = Unfinished(Vec::new());
    let mut writers = (0..parts)
        .map(|part| format!("training-{part:04}.records"))
        .chain(["validation.records".into()])
        .map(|name| PartWriter::create(directory, name))
        .inspect(|writer| unfinished.0.extend(writer.as_ref().ok().map(|writer| writer.path.clone())))
        .collect::<Result<Vec<PartWriter>, TrainerError>>()?;
    let sources = calibrate(data, &tasks, *scale, *unfade, filter, *threads, stop)?;
    let lesson = |source: &GameSource| match held {
        Some(held) => Lesson::Held(held, lambda_scale),
        None => Lesson::Played(
            ScoreTargets {
                factor: f64::from(source.factor),
                scale: lambda_scale,
                lambda: *lambda,
                unfade: *unfade,
            },
            tables.as_ref(),
        ),
    };
    let lessons: Vec<Lesson<'_>> = sources.iter().map(lesson).collect();
    let (mut games, mut positions) = (0, 0);
    let control = Control::default();
    let read: Result<(), TrainerError> = ordered::run(
        *threads,
        tasks.into_iter(),
        &control,
        || Ok(|task: BlockTask| Ok(Some(extract_block(&task, filter, parts, &lessons[task.source])))),
        |extracted: Option<ExtractedBlock>| {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainerError::Interrupted);
            }
            let Some(extracted) = extracted else { return Ok(ControlFlow::Continue(())) };
            games += extracted.games;
            positions += extracted.positions;
            if let Some(fault) = extracted.fault {
                warn(ErrorChain(&fault).to_string());
            }
            for (part, record) in &extracted.records {
                writers[*part as usize].write(record)?;
            }
            progress(positions, expected);
            Ok(ControlFlow::Continue(()))
        },
    );
    read?;
    for failure in tables.iter().flat_map(Tablebase::take_failures) {
        warn(ErrorChain(&failure).to_string());
    }
    let mut training =
        writers.into_iter().map(PartWriter::finish).collect::<Result<Vec<Shard>, TrainerError>>()?;
    let validation = training.pop().expect("one more than there are parts");
    let index = DatasetIndex {
        version: VERSION,
        filter: *filter,
        lambda: *lambda,
        lambda_scale: Some(lambda_scale),
        unfaded: *unfade,
        table_pieces: tables.as_ref().map_or(0, Tablebase::max_pieces),
        held_by: held.as_ref().map(|held| held.network.name()),
        sources,
        games,
        positions,
        training,
        validation,
    };
    if index.training_records() == 0 {
        return Err(TrainerError::Settings("there is no position to learn from".into()));
    }
    let text = serde_json::to_vec_pretty(&index).expect("plain data");
    file::replace(&directory.join(INDEX), &[&text])?;
    unfinished.0.clear();
    Dataset::open(directory)
}

/// Files of records that nothing leads to yet: they are removed with it.
struct Unfinished(Vec<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        for path in &self.0 {
            // The error that led here says more than one that follows it.
            let _ = fs::remove_file(path);
        }
    }
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
    fn create(directory: &Path, name: String) -> Result<PartWriter, TrainerError> {
        let path = directory.join(&name);
        // Never over another's: two may prepare the same directory at once, and what fails is removed.
        let file =
            File::options().write(true).create_new(true).open(&path).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => {
                    TrainerError::file(&path, "is there: of a preparation that was killed, or still goes on")
                }
                _ => TrainerError::io(&path)(error),
            })?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok(PartWriter { path, name, file, records: 0, checksum: crc32fast::Hasher::new() })
    }

    fn write(&mut self, record: &PositionRecord) -> Result<(), TrainerError> {
        let bytes = bytemuck::bytes_of(record);
        self.checksum.update(bytes);
        self.records += 1;
        self.file.write_all(bytes).map_err(TrainerError::io(&self.path))
    }

    fn finish(mut self) -> Result<Shard, TrainerError> {
        self.file.flush().map_err(TrainerError::io(&self.path))?;
        Ok(Shard { name: self.name, records: self.records, checksum: self.checksum.finalize() })
    }
}
