//! The command line of the trainer.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use caesura::board::{Board, fen};
use clap::{Args, Parser, Subcommand};
use datagen::cli::{Threads, print_error};
use datagen::progress::thousands;

use trainer::adam::AdamSettings;
use trainer::arch::{Architecture, SCALE};
use trainer::dataset::Dataset;
use trainer::error::TrainerError;
use trainer::extract::PositionFilter;
use trainer::file;
use trainer::loss::Loss;
use trainer::prepare::{self, PART_RECORDS, PrepareOptions};
use trainer::progress::TrainingProgress;
use trainer::quantised::{QuantisedNet, Saturation};
use trainer::record::PositionRecord;
use trainer::report::{self, TrainingReport};
use trainer::settings::{Decay, Schedule, TrainingSettings};
use trainer::training::{Checkpoints, Training, TrainingEvent, TrainingOutcome};

/// Trains the network on the games of the engine.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Turn games into positions to learn from, once for several trainings.
    Prepare(PrepareArgs),
    /// Train a network.
    Train(Box<TrainArgs>),
    /// Say how far networks are from prepared positions that are kept apart: which of them has learnt most.
    Judge(JudgeArgs),
    /// Say what a network's file holds.
    Show {
        /// The file.
        file: PathBuf,
        /// Positions to evaluate, in FEN.
        #[arg(long)]
        fen: Vec<String>,
    },
}

#[derive(Debug, Args)]
struct FilterArgs {
    /// Leave out positions with greater scores, in centipawns.
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(i16).range(0..))]
    max_score: i16,
    /// Leave out so many plies at the start of each game.
    #[arg(long, default_value_t = 0)]
    skip_plies: usize,
    /// Keep positions in which the move played captures or promotes.
    #[arg(long)]
    keep_noisy: bool,
    /// Keep positions in check.
    #[arg(long)]
    keep_checks: bool,
    /// The share of the games to be judged by.
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    validation: f64,
}

impl FilterArgs {
    fn filter(&self) -> PositionFilter {
        PositionFilter {
            max_score: self.max_score,
            skip_plies: self.skip_plies,
            noisy: self.keep_noisy,
            checks: self.keep_checks,
            validation: self.validation,
        }
    }
}

#[derive(Debug, Args)]
struct ScoreArgs {
    /// Stretch the scores of each of DATA such that the odds of its results grow by e in so many centipawns; 0: take them
    /// as they are.
    #[arg(long, default_value_t = SCALE as f64, value_parser = stretch)]
    stretch_to: f64,
    /// How much of a position's target comes from the plies after it and the result that they lead to: each ply weighs
    /// this much less than the one before it (TD(λ)); 0: the position's own search alone.
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    lambda: f64,
}

impl ScoreArgs {
    fn scale(&self) -> Option<f64> {
        (self.stretch_to > 0.0).then_some(self.stretch_to)
    }
}

#[derive(Debug, Args)]
struct PrepareArgs {
    /// Files of games, or directories with such files.
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The new directory.
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    scores: ScoreArgs,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Debug, Args)]
struct JudgeArgs {
    /// A directory that `prepare` made.
    #[arg(long)]
    prepared: PathBuf,
    /// Networks.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    loss: LossArgs,
}

#[derive(Debug, Args)]
struct LossArgs {
    /// The share of the game's result in what is learned; the rest is the score's.
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    result: f64,
    /// Centipawns of a logit of 1 when scores become expectations.
    #[arg(long, default_value_t = SCALE as f32, value_parser = positive)]
    score_scale: f32,
    /// The power of the error in the loss.
    #[arg(long, default_value_t = 2.0, value_parser = power)]
    power: f32,
}

impl LossArgs {
    fn loss(&self) -> Loss {
        Loss { result: self.result as f32, scale: self.score_scale, power: self.power }
    }
}

#[derive(Debug, Args)]
struct TrainArgs {
    /// Files of games, or directories with such files.
    #[arg(long, required_unless_present = "prepared", conflicts_with = "prepared", num_args = 1..)]
    data: Vec<PathBuf>,
    /// A directory that `prepare` made, in the place of games; what concerns games and their scores was settled there.
    #[arg(long, conflicts_with_all = ["FilterArgs", "ScoreArgs"])]
    prepared: Option<PathBuf>,
    /// Where there is room for prepared positions, 32 bytes each, while the training runs; the system's place for
    /// temporary files if not given.
    #[arg(long)]
    scratch: Option<PathBuf>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    scores: ScoreArgs,
    /// The network's file. The log and the page with the curves are written beside it, with .json and .html.
    #[arg(long)]
    out: PathBuf,
    /// Hidden units a side: a multiple of 32 up to 1024; 512 or those of the network to begin with if not given.
    #[arg(long)]
    hidden: Option<usize>,
    /// Begin with this network in the place of random weights. It may be narrower than the new one, and without its
    /// threat states.
    #[arg(long)]
    start: Option<PathBuf>,
    /// How often each position is seen.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    epochs: u64,
    /// Positions of a batch.
    #[arg(long, default_value_t = 16384, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    batch: u32,
    /// The greatest learning rate.
    #[arg(long, default_value_t = 0.001, value_parser = positive)]
    lr: f32,
    /// The learning rate at the end.
    #[arg(long, default_value_t = 0.000005, value_parser = positive)]
    final_lr: f32,
    /// Batches in which the rate grows.
    #[arg(long, default_value_t = 200)]
    warm_up: u64,
    /// How the rate goes down.
    #[arg(long, value_enum, default_value = "cosine")]
    decay: Decay,
    /// The share of its distance from zero, or from its value in the network to begin with, that a weight loses a step, in
    /// units of the rate.
    #[arg(long, default_value_t = 0.01, value_parser = positive)]
    weight_decay: f32,
    #[command(flatten)]
    loss: LossArgs,
    /// What the first weights and the order of the positions depend on.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Where to write checkpoints: after each epoch, every some minutes, and at Ctrl-C. A new training does not take the
    /// place of a checkpoint that is there.
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// The minutes between checkpoints.
    #[arg(long, default_value_t = 10)]
    checkpoint_minutes: u64,
    /// Go on from the checkpoint.
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

fn share(text: &str) -> Result<f64, String> {
    within(text, 0.0, 1.0)
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| *number >= 0.0 && number.is_finite());
    number.ok_or("a number from 0 on is wanted".into())
}

fn stretch(text: &str) -> Result<f64, String> {
    within(text, 0.0, 10_000.0)
}

fn power(text: &str) -> Result<f32, String> {
    within(text, 1.5, 4.0)
}

fn within<T: FromStr + PartialOrd + Display>(text: &str, min: T, max: T) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (&min..=&max).contains(&number));
    number.ok_or_else(|| format!("a number from {min} to {max} is wanted"))
}

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Prepare(args) => {
            let prepare = |stop: Arc<AtomicBool>| {
                let options = options(&args.filter, &args.scores, args.threads.count());
                prepare(&args.data, &args.out, &options, &stop)
            };
            interruptible().and_then(prepare).map(|_| ())
        }
        Command::Train(args) => train(&args),
        Command::Judge(args) => judge(&args),
        Command::Show { file, fen } => show(&file, &fen),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error("error", &*error);
            ExitCode::FAILURE
        }
    }
}

/// A flag that Ctrl-C and the system's polite wish to end set; a second one ends the program.
fn interruptible() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if handler.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

fn options(filter: &FilterArgs, scores: &ScoreArgs, threads: usize) -> PrepareOptions {
    PrepareOptions {
        filter: filter.filter(),
        threads,
        part_records: PART_RECORDS,
        scale: scores.scale(),
        lambda: scores.lambda,
    }
}

fn prepare(
    data: &[PathBuf],
    out: &Path,
    options: &PrepareOptions,
    stop: &AtomicBool,
) -> Result<Dataset, Failure> {
    let mut progress: Option<TrainingProgress> = None;
    let warn = |fault: String| eprintln!("warning: {fault}");
    let dataset = prepare::prepare(data, out, options, stop, warn, |done, expected| {
        progress.get_or_insert_with(|| TrainingProgress::new(expected, 0)).set(done, None);
    })?;
    if let Some(progress) = progress {
        progress.finish();
    }
    let index = &dataset.index;
    for source in &index.sources {
        if let Some(scale) = source.scale {
            let path = source.path.display();
            say(&format!(
                "{path}: odds grow by e in {scale:.0} centipawns, scores times {:.3}",
                source.factor
            ))?;
        }
    }
    say(&format!(
        "{} games, {} positions: {} to learn from, {} to be judged by",
        thousands(index.games),
        thousands(index.positions),
        thousands(index.training_records()),
        thousands(index.validation.records)
    ))?;
    Ok(dataset)
}

fn settings(args: &TrainArgs, start: Option<&QuantisedNet>) -> Result<TrainingSettings, Failure> {
    Ok(TrainingSettings {
        shape: Architecture::new(
            args.hidden.unwrap_or_else(|| start.map_or(512, |start| start.shape.hidden)),
        )?,
        start: start.map(QuantisedNet::sha256),
        epochs: args.epochs,
        batch: args.batch as usize,
        schedule: Schedule {
            rate: args.lr,
            final_rate: args.final_lr.min(args.lr),
            warm_up: args.warm_up,
            decay: args.decay,
        },
        adam: AdamSettings { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: args.weight_decay },
        loss: args.loss.loss(),
        seed: args.seed,
        threads: args.threads.count(),
    })
}

fn train(args: &TrainArgs) -> Result<(), Failure> {
    let start = args.start.as_ref().map(|path| QuantisedNet::read(path)).transpose()?;
    let settings = settings(args, start.as_ref())?;
    outputs(args)?;
    let stop = interruptible()?;
    // Kept until the end: what was prepared for this training goes when it does.
    let mut _scratch = None;
    let dataset = if let Some(directory) = &args.prepared {
        Dataset::open(directory)?
    } else {
        let place = args.scratch.clone().unwrap_or_else(std::env::temp_dir);
        let scratch = tempfile::Builder::new()
            .prefix("trainer-")
            .tempdir_in(&place)
            .map_err(TrainerError::io(&place))?;
        let options = options(&args.filter, &args.scores, settings.threads);
        let dataset = prepare(&args.data, scratch.path(), &options, &stop)?;
        _scratch = Some(scratch);
        dataset
    };
    let checkpoints = args.checkpoint.as_ref().map(|path| Checkpoints {
        path: path.clone(),
        every: Duration::from_secs(60 * args.checkpoint_minutes),
    });
    let mut training = match &checkpoints {
        Some(checkpoints) if args.resume => Training::resume(dataset, &settings, &checkpoints.path)?,
        _ => match &start {
            Some(start) => Training::from_network(dataset, settings, start)?,
            None => Training::new(dataset, settings)?,
        },
    };
    let records = training.dataset().index.training_records();
    let (epochs, batches) = (training.settings().epochs, training.batches());
    let per_epoch = (batches / epochs).max(1);
    let mut done = training.batches_done() / per_epoch * records
        + (training.batches_done() % per_epoch) * training.settings().batch as u64;
    let mut progress = TrainingProgress::new(records * epochs, done);
    let mut epoch = training.log().epochs.len();
    let outcome = training.run(checkpoints.as_ref(), &stop, |event| match event {
        TrainingEvent::Batch { positions, loss, .. } => {
            done += positions as u64;
            progress.set(done, Some(loss));
        }
        TrainingEvent::Epoch(entry) => {
            epoch += 1;
            let validation = entry.validation.map_or("none".into(), |loss| format!("{loss:.6}"));
            progress.line(&format!(
                "epoch {epoch} of {epochs}: training {:.6}, validation {validation}, {} positions/s",
                entry.training,
                thousands(entry.speed as u64)
            ));
        }
    })?;
    progress.finish();
    if outcome == TrainingOutcome::Interrupted {
        return Err(match &checkpoints {
            Some(checkpoints) => {
                format!("interrupted; go on with --resume from {}", checkpoints.path.display())
            }
            None => "interrupted, and no checkpoint was wanted".into(),
        }
        .into());
    }
    export(&training, &args.out)
}

/// Makes sure, before hours go by, that what comes out has a place and takes no other's.
fn outputs(args: &TrainArgs) -> Result<(), Failure> {
    let [json, html] = [beside(&args.out, "json"), beside(&args.out, "html")];
    if args.out.extension().is_some_and(|extension| extension == "json" || extension == "html") {
        return Err(format!("{}: the log and the page have such names", args.out.display()).into());
    }
    for path in [&args.out, &json, &html].into_iter().chain(&args.checkpoint) {
        file::writable(path)?;
    }
    match &args.checkpoint {
        Some(path) if !args.resume && path.exists() => {
            Err(format!("{} is there already: go on with --resume, or name another", path.display()).into())
        }
        _ => Ok(()),
    }
}

/// The path of something that belongs to a network's file: `net.nnue` has its log in `net.json`, `net.2` in `net.2.json`.
fn beside(out: &Path, extension: &str) -> PathBuf {
    if out.extension().is_some_and(|own| own == "nnue") {
        return out.with_extension(extension);
    }
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// The share of feature weights that may lie at their bound, which is there to be reached: 0.0006 do in a good network.
const BOUNDED: f64 = 0.005;

/// Writes the network, the log and the page.
fn export(training: &Training, out: &Path) -> Result<(), Failure> {
    let saturation = Saturation::of(training.net());
    for (what, share, harmless) in
        [("feature", saturation.features, BOUNDED), ("output", saturation.output, 0.0)]
    {
        if share > harmless {
            eprintln!("warning: {:.4} % of the {what} weights are at their bound", 100.0 * share);
        }
    }
    let net = QuantisedNet::new(&training.settings().shape, training.net());
    net.write(out)?;
    let quantised = training.validate_quantised(&net);
    let report = TrainingReport {
        settings: training.settings(),
        data: &training.dataset().index,
        training_positions: training.dataset().index.training_records(),
        log: training.log(),
        quantised_validation: quantised,
        saturated_features: saturation.features,
        saturated_output: saturation.output,
        sha256: net.sha256(),
    };
    let json = serde_json::to_vec_pretty(&report)?;
    file::replace(&beside(out, "json"), &[&json])?;
    let title = out.file_name().unwrap_or_default().to_string_lossy();
    file::replace(&beside(out, "html"), &[report::html(&title, &report).as_bytes()])?;
    let float = training.log().epochs.last().and_then(|epoch| epoch.validation);
    if let (Some(float), Some(quantised)) = (float, quantised) {
        say(&format!("validation loss: {float:.6}, quantised {quantised:.6}"))?;
    }
    say(&format!("{}: sha256 {}", out.display(), report.sha256))?;
    Ok(())
}

fn judge(args: &JudgeArgs) -> Result<(), Failure> {
    let dataset = Dataset::open(&args.prepared)?;
    let records = dataset.read(&dataset.index.validation)?;
    for path in &args.files {
        let net = QuantisedNet::read(path)?;
        let loss = net.loss(&args.loss.loss(), &records).ok_or("no positions are kept apart")?;
        say(&format!("{}: {loss:.6}", path.display()))?;
    }
    Ok(())
}

fn show(path: &Path, positions: &[String]) -> Result<(), Failure> {
    let net = QuantisedNet::read(path)?;
    say(&format!(
        "{}: {} inputs, {} hidden units a side, {} outputs, sha256 {}",
        path.display(),
        net.shape.inputs(),
        net.shape.hidden,
        net.output_bias.len(),
        net.sha256()
    ))?;
    for text in positions {
        let board = Board::from_setup(&fen::parse(text)?);
        if let Some(record) = PositionRecord::of(&board) {
            say(&format!("{} centipawns for the side to move: {text}", net.value(&record)))?;
        }
    }
    Ok(())
}
