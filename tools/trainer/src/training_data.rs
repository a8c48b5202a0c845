//! What a training learns from: the prepared positions of one directory or more.
//!
//! An epoch goes through the files of all of them in random order, those of each directory spread evenly, and shuffles many
//! files together, so that a batch holds all kinds of positions: with batches of one kind after another, the network would
//! walk towards each kind in turn. What is read depends on the seed and the epoch alone.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use caesura::util::random::shuffle;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use toolkit::ordered::NoThread;

use crate::comparisons::{Comparison, Comparisons};
use crate::dataset::{Dataset, DatasetIndex, GameSource, Shard};
use crate::error::TrainerError;
use crate::record::PositionRecord;

/// Records that are shuffled together, about, unless a single file has more: 512 MB. As many are read meanwhile.
const MIXED_RECORDS: u64 = 1 << 24;

/// Directories of prepared positions. One that is there twice is seen twice in an epoch: so positions of one kind weigh
/// more than those of another, and each kind has the targets that it was prepared with.
#[derive(Clone, Debug)]
pub struct TrainingData {
    datasets: Vec<Dataset>,
    /// Comparisons that are learnt from beside the positions.
    comparisons: Arc<Comparisons>,
    /// Records that are shuffled together, about.
    mixed_records: u64,
}

impl From<Dataset> for TrainingData {
    fn from(dataset: Dataset) -> TrainingData {
        TrainingData::of(vec![dataset])
    }
}

impl TrainingData {
    fn of(datasets: Vec<Dataset>) -> TrainingData {
        TrainingData { datasets, comparisons: Arc::default(), mixed_records: MIXED_RECORDS }
    }

    /// Shuffles this many records together, about, in place of sixteen million: what memory allows.
    pub fn mixing(self, mixed_records: u64) -> TrainingData {
        TrainingData { mixed_records, ..self }
    }

    /// With these comparisons in the place of former ones.
    pub fn comparing(self, comparisons: Comparisons) -> TrainingData {
        TrainingData { comparisons: Arc::new(comparisons), ..self }
    }

    /// The comparisons that stand beside a batch: `number` of them, from where the batch before it has ended; fewer if there are
    /// no more before they begin again.
    pub fn comparisons_of(&self, batch: u64, number: usize) -> &[Comparison] {
        let all = &self.comparisons.training;
        let turns = all.len().div_ceil(number.max(1)).max(1) as u64;
        let from = (batch % turns) as usize * number;
        all.get(from..).map_or(&[], |rest| &rest[..rest.len().min(number)])
    }

    /// The comparisons; none if there are no files of them.
    pub fn comparisons(&self) -> &Comparisons {
        &self.comparisons
    }

    /// Opens directories.
    ///
    /// # Errors
    /// If one of them holds no prepared positions.
    pub fn open(directories: &[PathBuf]) -> Result<TrainingData, TrainerError> {
        directories
            .iter()
            .map(|directory| Dataset::open(directory))
            .collect::<Result<_, _>>()
            .map(TrainingData::of)
    }

    /// What is in each of the directories.
    pub fn indexes(&self) -> Vec<&DatasetIndex> {
        self.datasets.iter().map(|dataset| &dataset.index).collect()
    }

    /// The numbers of centipawns for a logit of 1 for which scores were stretched, averaged along their games or made of values, but
    /// for this one, each once, in tenths.
    pub fn other_scales(&self, scale: f32) -> Vec<f64> {
        let noted = |index: &DatasetIndex| {
            let is_used = index.lambda > 0.0 || index.held_by.is_some();
            let stretched = index.sources.iter().filter_map(GameSource::stretched_to);
            stretched.chain(index.lambda_scale.filter(|_| is_used)).collect::<Vec<f64>>()
        };
        let mut scales: Vec<f64> = self.indexes().into_iter().flat_map(noted).collect();
        // What a factor was made of and leads back to is not the same in its last digits.
        scales.retain(|noted| (noted / f64::from(scale) - 1.0).abs() > 1e-4);
        scales.iter_mut().for_each(|noted| *noted = (*noted * 10.0).round() / 10.0);
        scales.sort_by(f64::total_cmp);
        scales.dedup();
        scales
    }

    /// The number of positions in an epoch.
    pub fn training_records(&self) -> u64 {
        self.datasets.iter().map(|dataset| dataset.index.training_records()).sum()
    }

    /// A number that differs if any position does.
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for DatasetIndex { training, validation, .. } in self.indexes() {
            for part in training.iter().chain([validation]) {
                hasher.update(&part.records.to_le_bytes());
                hasher.update(&part.checksum.to_le_bytes());
            }
        }
        if *self.comparisons != Comparisons::default() {
            hasher.update(&self.comparisons.fingerprint().to_le_bytes());
        }
        hasher.finalize()
    }

    /// Reads the validation positions of all directories, each as often as its directory is there.
    ///
    /// # Errors
    /// If a file is not as it was written.
    pub fn validation(&self) -> Result<Vec<PositionRecord>, TrainerError> {
        let mut records = Vec::new();
        for dataset in &self.datasets {
            records.extend(dataset.validation()?);
        }
        Ok(records)
    }

    /// The batches of an epoch from the `skip`-th on. The next files are read and shuffled while some are in use.
    ///
    /// # Errors
    /// If the system refuses the thread that reads.
    pub fn batches(&self, seed: u64, epoch: u64, batch: usize, skip: u64) -> Result<Batches, TrainerError> {
        let (sender, receiver) = sync_channel(0);
        let data = self.clone();
        let mut skipped = skip.saturating_mul(batch as u64);
        let read = move || {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(epoch);
            for parts in
                groups(&data.in_random_order(&mut random), data.mixed_records, |(_, part)| part.records)
            {
                // Each group has its own random numbers, so that groups can be passed over unread.
                let inner = ChaCha8Rng::seed_from_u64(random.next_u64());
                let count = parts.iter().map(|(_, part)| part.records).sum();
                if skipped >= count {
                    skipped -= count;
                    continue;
                }
                let records = read_all(parts).map(|mut records| {
                    let mut inner = inner;
                    shuffle(&mut records, |end| below(&mut inner, end));
                    records.drain(..std::mem::take(&mut skipped) as usize);
                    Portion::Records(records)
                });
                let failed = records.is_err();
                if sender.send(records).is_err() || failed {
                    return;
                }
            }
            // The receiver may be gone.
            let _ = sender.send(Ok(Portion::End));
        };
        thread::Builder::new().spawn(read).map_err(NoThread)?;
        Ok(Batches::new(receiver, batch))
    }

    /// All files with their directories, in random order, those of each directory spread evenly.
    fn in_random_order(&self, random: &mut ChaCha8Rng) -> Vec<(&Dataset, &Shard)> {
        let mut files = Vec::new();
        for dataset in &self.datasets {
            files.push(dataset.index.training.iter().map(|part| (dataset, part)).collect());
        }
        spread(files, random)
    }
}

/// Brings items of several kinds into one random order in which each kind is spread as evenly as chance allows: the i-th of n
/// lies somewhere in the i-th of n equal parts.
fn spread<T>(kinds: Vec<Vec<T>>, random: &mut ChaCha8Rng) -> Vec<T> {
    let mut placed = Vec::new();
    for mut items in kinds {
        shuffle(&mut items, |end| below(random, end));
        let count = items.len() as f64;
        for (index, item) in items.into_iter().enumerate() {
            let place = (index as f64 + f64::from(random.next_u32()) / 2f64.powi(32)) / count;
            placed.push((place, item));
        }
    }
    placed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    placed.into_iter().map(|(_, item)| item).collect()
}

/// Cuts items into groups whose sizes add up to at most `most`, or of one item.
fn groups<T>(items: &[T], most: u64, size: impl Fn(&T) -> u64) -> impl Iterator<Item = &[T]> {
    let mut rest = items;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = |item: &&T| {
            sum += size(item);
            sum <= most
        };
        let length = rest.iter().take_while(fits).count().max(1);
        let (group, others) = rest.split_at_checked(length)?;
        rest = others;
        Some(group)
    })
}

/// The records of these files.
fn read_all(parts: &[(&Dataset, &Shard)]) -> Result<Vec<PositionRecord>, TrainerError> {
    let mut records = Vec::new();
    for (dataset, part) in parts {
        records.extend(dataset.read(part)?);
    }
    Ok(records)
}

/// What the thread that reads hands over.
#[derive(Debug)]
enum Portion {
    /// Some records.
    Records(Vec<PositionRecord>),
    /// There are no more. Without this word the thread has ended too early.
    End,
}

/// Batches of records, all full but the last.
#[derive(Debug)]
pub struct Batches {
    receiver: Receiver<Result<Portion, TrainerError>>,
    batch: usize,
    current: Vec<PositionRecord>,
    used: usize,
    is_at_end: bool,
}

impl Batches {
    fn new(receiver: Receiver<Result<Portion, TrainerError>>, batch: usize) -> Batches {
        Batches { receiver, batch, current: Vec::new(), used: 0, is_at_end: false }
    }

    /// Fills `records` with the next batch; it is empty at the end.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn next(&mut self, records: &mut Vec<PositionRecord>) -> Result<(), TrainerError> {
        records.clear();
        while records.len() < self.batch && !self.is_at_end {
            if self.used == self.current.len() {
                match self.receiver.recv().map_err(|_| TrainerError::ReaderEnded)?? {
                    Portion::Records(next) => (self.current, self.used) = (next, 0),
                    Portion::End => self.is_at_end = true,
                }
            }
            let end = (self.used + self.batch - records.len()).min(self.current.len());
            records.extend_from_slice(&self.current[self.used..end]);
            self.used = end;
        }
        Ok(())
    }
}

/// A random number less than `bound`, which must not be 0.
fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    let bound = bound as u64;
    if bound <= 1 << 32 {
        ((u64::from(random.next_u32()) * bound) >> 32) as usize
    } else {
        ((u128::from(random.next_u64()) * u128::from(bound)) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of these portions, batch by batch, until the end or an error.
    fn lengths(portions: Vec<Portion>) -> Result<Vec<usize>, TrainerError> {
        let (sender, receiver) = sync_channel(portions.len());
        for portion in portions {
            sender.send(Ok(portion)).expect("the receiver is there");
        }
        drop(sender);
        let mut batches = Batches::new(receiver, 4);
        let (mut records, mut lengths) = (Vec::new(), Vec::new());
        while lengths.last() != Some(&0) {
            batches.next(&mut records)?;
            lengths.push(records.len());
        }
        batches.next(&mut records)?;
        assert!(records.is_empty(), "the end is the end");
        Ok(lengths)
    }

    #[test]
    fn kinds_are_spread_evenly() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let kinds = vec![vec!['a'; 100], vec!['b'; 10], vec![], vec!['c']];
        let spread = spread(kinds, &mut random);
        for kind in ['a', 'b', 'c'] {
            let places: Vec<usize> = (0..111).filter(|&place| spread[place] == kind).collect();
            let count = places.len();
            for (index, place) in places.into_iter().enumerate() {
                let (from, to) = (111 * index / count, 111 * (index + 1) / count);
                assert!((from.saturating_sub(6)..to + 6).contains(&place), "{kind} {index}: {place}");
            }
        }
    }

    #[test]
    fn groups_hold_as_much_as_they_may() {
        let sizes = [3, 4, 3, 11, 1, 9, 0, 1];
        let found: Vec<&[u64]> = groups(&sizes, 10, |&size| size).collect();
        let expected: [&[u64]; 4] = [&[3, 4, 3], &[11], &[1, 9, 0], &[1]];
        assert_eq!(found, expected);
        assert_eq!(groups(&[], 10, |&size| size).count(), 0);
    }

    #[test]
    fn a_reader_that_ends_early_is_no_end_of_the_data() {
        let records = |count| Portion::Records(vec![PositionRecord::start(); count]);
        assert_eq!(
            lengths(vec![records(3), records(0), records(6), Portion::End]).expect("whole"),
            [4, 4, 1, 0]
        );
        for portions in [vec![], vec![records(3)], vec![records(8)]] {
            assert!(matches!(lengths(portions), Err(TrainerError::ReaderEnded)));
        }
    }
}
