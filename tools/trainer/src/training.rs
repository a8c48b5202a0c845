//! The training loop.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::adam::Adam;
use crate::arch::DENSE_BUCKETS;
use crate::backprop::Backprop;
use crate::checkpoint::{self, TrainingState};
use crate::dead_units;
use crate::error::TrainerError;
use crate::float_net::{FloatNet, SliceLayout};
use crate::log::{EpochLog, LossPoint, TrainingLog};
use crate::quantised::QuantisedNet;
use crate::record::PositionRecord;
use crate::settings::{ComparisonSettings, TrainingSettings};
use crate::training_data::TrainingData;

/// Positions over which dense units are compared.
const REVIVED_BY: usize = 1 << 16;
/// How many points the curve of the training loss has, about.
const POINTS: u64 = 400;

/// Where checkpoints go, and how often.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The file.
    pub path: PathBuf,
    /// Time between two; there is one after each epoch besides.
    pub every: Duration,
}

/// Progress of a training, reported while it runs.
#[derive(Clone, Copy, Debug)]
pub enum TrainingEvent<'a> {
    /// A batch is done.
    Batch {
        /// Its number in the whole training, from 1.
        batch: u64,
        /// The positions of it.
        positions: usize,
        /// The mean loss.
        loss: f64,
    },
    /// An epoch is done.
    Epoch(&'a EpochLog),
    /// A checkpoint could not be written, and the training goes on.
    NotSaved(&'a TrainerError),
}

/// How a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingOutcome {
    /// All epochs are done.
    Finished,
    /// It was interrupted before that.
    Interrupted,
}

/// A training in progress.
#[derive(Debug)]
pub struct Training {
    data: TrainingData,
    validation: Vec<PositionRecord>,
    state: TrainingState,
    net: FloatNet,
    adam: Adam,
    passes: Vec<Backprop>,
    pool: ThreadPool,
    revived: [usize; DENSE_BUCKETS],
}

impl Training {
    /// A training at its beginning, with random weights.
    ///
    /// # Errors
    /// If the validation positions cannot be read, or there are no threads.
    pub fn new(data: TrainingData, settings: TrainingSettings) -> Result<Training, TrainerError> {
        let net = FloatNet::random(SliceLayout::new(&settings.shape), settings.seed);
        let origin = FloatNet::zeros(net.layout);
        Training::begin(data, TrainingSettings { start: None, ..settings }, net, origin)
    }

    /// A training that begins with a network; see [`QuantisedNet::grown`] for what it may become.
    ///
    /// # Errors
    /// If the network cannot take the shape, the validation positions cannot be read, or there are no threads.
    pub fn from_network(
        data: TrainingData,
        settings: TrainingSettings,
        start: &QuantisedNet,
    ) -> Result<Training, TrainerError> {
        let net = start.grown(&settings.shape, settings.seed)?;
        let settings = TrainingSettings { start: Some(start.sha256()), ..settings };
        let origin = net.clone();
        Training::begin(data, settings, net, origin)
    }

    fn begin(
        data: TrainingData,
        settings: TrainingSettings,
        net: FloatNet,
        origin: FloatNet,
    ) -> Result<Training, TrainerError> {
        let state = TrainingState {
            data: data.fingerprint(),
            settings,
            epoch: 0,
            batch: 0,
            steps: 0,
            epoch_loss: (0.0, 0),
            point_loss: (0.0, 0),
            seconds: 0.0,
            log: TrainingLog::default(),
        };
        let mut training = Training::with(data, state, net, Adam::new(origin))?;
        training.revive()?;
        Ok(training)
    }

    /// Draws the dense units anew that say nothing of [`REVIVED_BY`] positions of the training. Where decay leads to a
    /// network to begin with, that has what these units said in the biases of the outputs, too.
    fn revive(&mut self) -> Result<(), TrainerError> {
        let Training { state, net, adam, passes, data, .. } = self;
        let TrainingSettings { loss, start, .. } = &state.settings;
        let mut records = Vec::new();
        // The same ones, whatever the seed: trainings from one network differ by what they learn alone.
        data.batches(0, 0, REVIVED_BY, 0)?.next(&mut records)?;
        let before = net.dense.map(|dense| dense.bias);
        self.revived = dead_units::revive(net, &mut passes[0], loss, &records);
        if start.is_some() {
            for ((origin, dense), before) in adam.origin.dense.iter_mut().zip(&net.dense).zip(before) {
                origin.bias += dense.bias - before;
            }
        }
        Ok(())
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// If there is none, or it is of another training.
    pub fn resume(
        data: TrainingData,
        settings: &TrainingSettings,
        path: &std::path::Path,
    ) -> Result<Training, TrainerError> {
        let (state, net, adam) = checkpoint::read(path)?;
        let differences = settings.differences(&state.settings);
        if !differences.is_empty() {
            return Err(TrainerError::file(path, format!("other settings: {}", differences.join("; "))));
        }
        if state.data != data.fingerprint() {
            let reason = "other data; prepare data that grows once, and train on what was prepared";
            return Err(TrainerError::file(path, reason));
        }
        Training::with(data, state, net, adam)
    }

    fn with(
        data: TrainingData,
        state: TrainingState,
        net: FloatNet,
        adam: Adam,
    ) -> Result<Training, TrainerError> {
        let validation = data.validation()?;
        let settings = &state.settings;
        if settings.batch == 0 || settings.threads == 0 {
            return Err(TrainerError::Settings("batches and threads are needed".into()));
        }
        let passes = (0..settings.threads).map(|_| Backprop::new(&settings.shape)).collect();
        let pool = ThreadPoolBuilder::new().num_threads(settings.threads).build()?;
        Ok(Training { data, validation, state, net, adam, passes, pool, revived: [0; DENSE_BUCKETS] })
    }

    /// Its settings.
    pub fn settings(&self) -> &TrainingSettings {
        &self.state.settings
    }

    /// How many [dead units](dead_units) of each output bucket it drew anew at its beginning; none where it was resumed.
    pub fn revived(&self) -> [usize; DENSE_BUCKETS] {
        self.revived
    }

    /// Its log.
    pub fn log(&self) -> &TrainingLog {
        &self.state.log
    }

    /// The network in its present state.
    pub fn net(&self) -> &FloatNet {
        &self.net
    }

    /// The data.
    pub fn data(&self) -> &TrainingData {
        &self.data
    }

    /// Batches done.
    pub fn batches_done(&self) -> u64 {
        self.state.steps
    }

    /// All batches.
    pub fn batches(&self) -> u64 {
        let records = self.data.training_records();
        records.div_ceil(self.settings().batch as u64) * self.settings().epochs
    }

    /// Trains to the end, or until `stop` is set; then a checkpoint is written if there is a place for it.
    ///
    /// # Errors
    /// If data cannot be read, the checkpoint of a training that was stopped cannot be written, the system refuses a thread,
    /// or the loss is not a number any more.
    pub fn run(
        &mut self,
        checkpoints: Option<&Checkpoints>,
        stop: &AtomicBool,
        mut report: impl FnMut(TrainingEvent<'_>),
    ) -> Result<TrainingOutcome, TrainerError> {
        let total = self.batches();
        let spacing = (total / POINTS).max(1);
        let mut records = Vec::new();
        let mut saved = Instant::now();
        let (seed, batch, epochs) = (self.settings().seed, self.settings().batch, self.settings().epochs);
        while self.state.epoch < epochs {
            let mut batches = self.data.batches(seed, self.state.epoch, batch, self.state.batch)?;
            let mut started = Instant::now();
            loop {
                batches.next(&mut records)?;
                if records.is_empty() {
                    break;
                }
                let rate = self.settings().schedule.at(self.state.steps, total);
                let lost = self.step(&records, rate);
                if !lost.is_finite() {
                    return Err(TrainerError::Settings(
                        "the loss is not a number any more: a lower rate may help".into(),
                    ));
                }
                let state = &mut self.state;
                state.batch += 1;
                state.steps = self.adam.steps;
                for (sum, count) in [&mut state.epoch_loss, &mut state.point_loss] {
                    *sum += lost;
                    *count += records.len() as u64;
                }
                if state.steps.is_multiple_of(spacing) {
                    let (sum, count) = std::mem::take(&mut state.point_loss);
                    state.log.points.push(LossPoint { batch: state.steps, loss: sum / count as f64, rate });
                }
                let loss = lost / records.len() as f64;
                report(TrainingEvent::Batch { batch: state.steps, positions: records.len(), loss });
                let interrupted = stop.load(Ordering::Relaxed);
                let due = checkpoints.is_some_and(|checkpoints| saved.elapsed() >= checkpoints.every);
                if interrupted || due {
                    self.state.seconds += started.elapsed().as_secs_f64();
                    let result = self.save(checkpoints);
                    (saved, started) = (Instant::now(), Instant::now());
                    if interrupted {
                        return result.map(|()| TrainingOutcome::Interrupted);
                    }
                    result.unwrap_or_else(|error| report(TrainingEvent::NotSaved(&error)));
                }
            }
            self.state.seconds += started.elapsed().as_secs_f64();
            let (validation, comparisons) = (self.validate(), self.validate_comparisons());
            let state = &mut self.state;
            let (sum, count) = std::mem::take(&mut state.epoch_loss);
            let seconds = std::mem::take(&mut state.seconds);
            let training = sum / count as f64;
            let speed = count as f64 / seconds.max(1e-9);
            let epoch = EpochLog { batch: state.steps, training, validation, comparisons, seconds, speed };
            state.log.epochs.push(epoch);
            state.epoch += 1;
            state.batch = 0;
            self.save(checkpoints).unwrap_or_else(|error| report(TrainingEvent::NotSaved(&error)));
            saved = Instant::now();
            report(TrainingEvent::Epoch(&epoch));
        }
        Ok(TrainingOutcome::Finished)
    }

    fn save(&self, checkpoints: Option<&Checkpoints>) -> Result<(), TrainerError> {
        match checkpoints {
            Some(checkpoints) => checkpoint::write(&checkpoints.path, &self.state, &self.net, &self.adam),
            None => Ok(()),
        }
    }

    /// One batch: the sum of the losses of its positions; no number if that of its comparisons is none.
    fn step(&mut self, records: &[PositionRecord], rate: f32) -> f64 {
        let share = records.len().div_ceil(self.passes.len());
        let Training { data, state, net, adam, passes, pool, .. } = self;
        let settings = &state.settings;
        pool.install(|| {
            let shares = records.par_chunks(share);
            let work = passes.par_iter_mut().zip(shares).with_max_len(1);
            let mut lost: Vec<f64> =
                work.map(|(pass, share)| pass.train(net, &settings.loss, share)).collect();
            if let Some(ComparisonSettings { loss, per_batch }) = &settings.comparisons {
                let comparisons = data.comparisons_of(state.steps, *per_batch);
                // The last batch of an epoch may be short.
                let most = (per_batch * records.len()).div_ceil(settings.batch);
                let comparisons = &comparisons[..comparisons.len().min(most)];
                let shares = comparisons.par_chunks(comparisons.len().div_ceil(passes.len()).max(1));
                let work = passes.par_iter_mut().zip(shares).with_max_len(1);
                let compared: f64 = work.map(|(pass, share)| pass.compare(net, loss, share)).sum();
                if !compared.is_finite() {
                    lost.push(compared);
                }
            }
            adam.step(net, passes, &settings.adam, rate, records.len());
            lost.iter().sum()
        })
    }

    /// The mean loss on the validation positions, if there are any.
    pub fn validate(&mut self) -> Option<f64> {
        let share = self.validation.len().div_ceil(self.passes.len());
        let Training { state, net, passes, pool, validation, .. } = self;
        if validation.is_empty() {
            return None;
        }
        let lost: Vec<f64> = pool.install(|| {
            let work = passes.par_iter_mut().zip(validation.par_chunks(share)).with_max_len(1);
            work.map(|(pass, share)| pass.evaluate(net, &state.settings.loss, share)).collect()
        });
        Some(lost.iter().sum::<f64>() / validation.len() as f64)
    }

    /// The mean loss of the comparisons for validation, if there are any.
    fn validate_comparisons(&mut self) -> Option<f64> {
        let Training { data, state, net, passes, pool, .. } = self;
        let (comparisons, settings) = (&data.comparisons().validation, state.settings.comparisons.as_ref()?);
        let shares = comparisons.par_chunks(comparisons.len().div_ceil(passes.len()).max(1));
        let lost: Vec<f64> = pool.install(|| {
            let work = passes.par_iter_mut().zip(shares).with_max_len(1);
            work.map(|(pass, share)| pass.evaluate_comparisons(net, &settings.loss, share)).collect()
        });
        (!comparisons.is_empty()).then(|| lost.iter().sum::<f64>() / comparisons.len() as f64)
    }

    /// The mean loss of a quantised network on the validation positions, if there are any.
    pub fn validate_quantised(&self, net: &QuantisedNet) -> Option<f64> {
        self.pool.install(|| net.loss(&self.settings().loss, &self.validation))
    }
}
