//! The subcommands: what they read, write and print.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use caesura::board::{Board, fen};
use caesura::engine::load_network;
use tempfile::TempDir;
use toolkit::cli::{print_error, print_line, print_message, stop_or_exit};
use toolkit::progress::thousands;
use toolkit::{FileError, file};

use trainer::adam::AdamSettings;
use trainer::arch::Architecture;
use trainer::comparisons::{self, CompareOptions, Comparisons};
use trainer::dataset::Dataset;
use trainer::error::TrainerError;
use trainer::extract::PositionFilter;
use trainer::held::HeldOptions;
use trainer::prepare::{self, PART_RECORDS, PrepareOptions};
use trainer::progress::TrainingProgress;
use trainer::quantised::{QuantisedNet, Saturation};
use trainer::record::{MAX_PIECES, PositionRecord};
use trainer::report::{self, TrainingReport};
use trainer::settings::{Schedule, TrainingSettings};
use trainer::training::{Checkpoints, Training, TrainingEvent, TrainingOutcome};
use trainer::training_data::TrainingData;

use crate::arguments::{
    AverageArgs, CompareArgs, FilterArgs, HoldArgs, NewDatasetArgs, PrepareArgs, ScaleArgs, ScoreArgs,
    TrainArgs,
};

/// Why a command failed.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// What a first signal to end has to say.
pub(crate) const STOPPING: &str = "stopping; press Ctrl-C again to end at once";

fn options(filter: &FilterArgs, scores: &ScoreArgs, threads: usize) -> PrepareOptions {
    PrepareOptions {
        filter: filter.filter(),
        threads,
        part_records: PART_RECORDS,
        scale: scores.scale(),
        lambda: scores.lambda,
        lambda_scale: scores.lambda_scale.map(f64::from),
        unfade: scores.unfade,
        tables: scores.tables.clone(),
        held: None,
    }
}

pub(crate) fn hold(args: &HoldArgs) -> Result<(), Failure> {
    let filter = PositionFilter {
        max_score: args.max_score,
        min_pieces: 2,
        max_pieces: MAX_PIECES as u8,
        skip_plies: 0,
        noisy: true,
        checks: true,
        validation: args.validation,
    };
    let options = PrepareOptions {
        filter,
        threads: args.dataset.threads.count(),
        part_records: PART_RECORDS,
        scale: None,
        lambda: 0.0,
        lambda_scale: Some(args.score_scale.into()),
        unfade: false,
        tables: None,
        held: Some(HeldOptions { network: load_network(&args.eval_file)?, share: args.share }),
    };
    make_dataset(&args.dataset, &options)
}

pub(crate) fn prepare(args: &PrepareArgs) -> Result<(), Failure> {
    make_dataset(&args.dataset, &options(&args.filter, &args.scores, args.dataset.threads.count()))
}

/// Makes prepared positions until a signal ends it.
fn make_dataset(args: &NewDatasetArgs, options: &PrepareOptions) -> Result<(), Failure> {
    let control = stop_or_exit(STOPPING, || {})?;
    prepare_games(&args.data, &args.out, options, &control.finish).map(|_| ())
}

/// Does what reads games: it gets where its warnings go, and the number of positions read and of all.
fn reading_games<T>(
    work: impl FnOnce(&mut dyn FnMut(String), &mut dyn FnMut(u64, u64)) -> Result<T, TrainerError>,
) -> Result<T, Failure> {
    let mut progress: Option<TrainingProgress> = None;
    let done = work(&mut |fault| print_message(format_args!("warning: {fault}")), &mut |done, expected| {
        progress.get_or_insert_with(|| TrainingProgress::new(expected, 0)).set(done, None);
    })?;
    if let Some(progress) = progress {
        progress.finish();
    }
    Ok(done)
}

fn prepare_games(
    data: &[PathBuf],
    out: &Path,
    options: &PrepareOptions,
    stop: &AtomicBool,
) -> Result<Dataset, Failure> {
    let dataset = reading_games(|warn, progress| prepare::prepare(data, out, options, stop, warn, progress))?;
    let index = &dataset.index;
    for source in &index.sources {
        let path = source.path.display();
        if let Some(scale) = source.scale {
            print_line(format_args!(
                "{path}: odds grow by e in {scale:.0} centipawns, scores times {:.3}",
                source.factor
            ))?;
        } else if options.scale.is_some() {
            print_line(format_args!(
                "{path}: scores as they are, for too few positions have a result or scores do not predict it"
            ))?;
        }
    }
    print_line(format_args!(
        "{} games, {} positions: {} for training, {} for validation",
        thousands(index.games),
        thousands(index.positions),
        thousands(index.training_records()),
        thousands(index.validation.records)
    ))?;
    Ok(dataset)
}

fn settings(args: &TrainArgs, start: Option<&QuantisedNet>) -> Result<TrainingSettings, Failure> {
    Ok(TrainingSettings {
        shape: Architecture::of_engine(args.hidden)?,
        start: start.map(QuantisedNet::sha256),
        epochs: args.epochs,
        batch: args.batch as usize,
        schedule: Schedule {
            rate: args.lr,
            final_rate: args.final_lr.min(args.lr),
            warm_up: args.warm_up,
            decay: args.decay,
        },
        adam: AdamSettings {
            beta1: 0.9,
            beta2: 0.999,
            epsilon: args.epsilon,
            decay: args.weight_decay,
            feature_rate: args.feature_rate,
        },
        loss: args.loss.loss(),
        comparisons: args.comparisons.settings(),
        seed: args.seed,
        threads: args.threads.count(),
    })
}

/// Warns where scores were prepared for another scale than the training takes them for: then they are those of other expected
/// scores.
fn warn_of_other_scale(data: &TrainingData, scale: f32) {
    for noted in data.other_scales(scale) {
        print_message(format_args!(
            "warning: scores were prepared with {noted} centipawns for a logit of 1, and are taken for {scale}; see \
             prepare --stretch-to and --lambda-scale, and hold --score-scale"
        ));
    }
}

/// Warns where positions are held by another network than the one that the training begins with: values of another scale would
/// pull all values to it.
fn warn_of_other_holder(data: &TrainingData, start: Option<&QuantisedNet>) {
    let start = start.map(QuantisedNet::name);
    for name in data.indexes().into_iter().filter_map(|index| index.held_by.as_ref()) {
        if start.as_ref() != Some(name) {
            let begins = start.as_deref().unwrap_or("none");
            print_message(format_args!(
                "warning: positions are held by the network {name}, and the training begins with {begins}"
            ));
        }
    }
}

pub(crate) fn train(args: &TrainArgs) -> Result<(), Failure> {
    let start = args.start.as_ref().map(|path| QuantisedNet::read(path)).transpose()?;
    let settings = settings(args, start.as_ref())?;
    check_outputs(args)?;
    // Kept until the end: what is prepared for this training goes when it does.
    let scratch = if args.prepared.is_empty() { Some(scratch_directory(args)?) } else { None };
    let left_behind = scratch.as_ref().map(|scratch| scratch.path().to_path_buf());
    let control = stop_or_exit(STOPPING, move || {
        if let Some(path) = &left_behind {
            // What cannot be removed stays: the process is about to end.
            let _ = fs::remove_dir_all(path);
        }
    })?;
    let stop = &control.finish;
    let data = match &scratch {
        Some(scratch) => {
            let mut options = options(&args.filter, &args.scores, settings.threads);
            options.lambda_scale.get_or_insert(args.loss.score_scale.into());
            prepare_games(&args.data, scratch.path(), &options, stop)?.into()
        }
        None => TrainingData::open(&args.prepared)?,
    };
    warn_of_other_scale(&data, args.loss.score_scale);
    warn_of_other_holder(&data, start.as_ref());
    let data = data.comparing(Comparisons::read(&args.comparisons.comparisons, args.seed)?);
    let checkpoints = args.checkpoint.as_ref().map(|path| Checkpoints {
        path: path.clone(),
        every: Duration::from_secs(60 * args.checkpoint_minutes),
    });
    let mut training = match &checkpoints {
        Some(checkpoints) if args.resume => Training::resume(data, &settings, &checkpoints.path)?,
        _ => match &start {
            Some(start) => Training::from_network(data, settings, start)?,
            None => Training::new(data, settings)?,
        },
    };
    if training.revived().iter().any(|&units| units > 0) {
        let units = training.revived().map(|units| units.to_string()).join(", ");
        print_message(format_args!("dense units that said nothing, drawn anew, by output bucket: {units}"));
    }
    if let Some(comparisons) = &training.settings().comparisons {
        let all = training.data().comparisons().training.len();
        let seen = training.batches().saturating_mul(comparisons.per_batch as u64).min(all as u64);
        print_message(format_args!(
            "{} of {} comparisons will be seen",
            thousands(seen),
            thousands(all as u64)
        ));
    }
    let records = training.data().training_records();
    let (epochs, batches) = (training.settings().epochs, training.batches());
    let per_epoch = (batches / epochs).max(1);
    let mut done = training.batches_done() / per_epoch * records
        + (training.batches_done() % per_epoch) * training.settings().batch as u64;
    let mut progress = TrainingProgress::new(records * epochs, done);
    let mut epoch = training.log().epochs.len();
    let outcome = training.run(checkpoints.as_ref(), stop, |event| match event {
        TrainingEvent::Batch { positions, loss, .. } => {
            done += positions as u64;
            progress.set(done, Some(loss));
        }
        TrainingEvent::Epoch(entry) => {
            epoch += 1;
            let validation = entry.validation.map_or("none".into(), |loss| format!("{loss:.6}"));
            let compared = entry.comparisons.map_or(String::new(), |loss| format!(", comparisons {loss:.4}"));
            progress.line(&format!(
                "epoch {epoch} of {epochs}: training {:.6}, validation {validation}{compared}, {} positions/s",
                entry.training,
                thousands(entry.speed as u64)
            ));
        }
        TrainingEvent::NotSaved(error) => print_error("warning", error),
    })?;
    progress.finish();
    if outcome == TrainingOutcome::Interrupted {
        return Err(match &checkpoints {
            Some(checkpoints) => {
                format!("interrupted; resume with --resume from {}", checkpoints.path.display())
            }
            None => "interrupted without a checkpoint".into(),
        }
        .into());
    }
    export(&training, &args.out)
}

/// A new directory for prepared positions, removed when it is dropped.
fn scratch_directory(args: &TrainArgs) -> Result<TempDir, TrainerError> {
    let place = args.scratch.clone().unwrap_or_else(std::env::temp_dir);
    tempfile::Builder::new().prefix("trainer-").tempdir_in(&place).map_err(TrainerError::io(&place))
}

/// Checks before the work that a file can be written, and that none is overwritten unasked.
fn check_output(path: &Path, force: bool) -> Result<(), Failure> {
    if !force && path.try_exists().map_err(FileError::at(path))? {
        return Err(
            format!("{} exists: choose another path, or overwrite it with --force", path.display()).into()
        );
    }
    Ok(file::writable(path)?)
}

/// Checks before the training that its files can be written and that none is overwritten unasked, a checkpoint in no case.
fn check_outputs(args: &TrainArgs) -> Result<(), Failure> {
    let [json, html] = [beside(&args.out, "json"), beside(&args.out, "html")];
    if args.out.extension().is_some_and(|extension| extension == "json" || extension == "html") {
        return Err(format!("{}: the log and the report have such names", args.out.display()).into());
    }
    for path in [&args.out, &json, &html] {
        check_output(path, args.force)?;
    }
    let Some(path) = &args.checkpoint else { return Ok(()) };
    if [&args.out, &json, &html].iter().any(|other| is_same_file(path, other)) {
        return Err(format!("{}: the network, its log or its report has this name", path.display()).into());
    }
    if !args.resume && path.exists() {
        let text = format!("{} exists: resume from it with --resume, or choose another path", path.display());
        return Err(text.into());
    }
    Ok(file::writable(path)?)
}

/// True if both paths are of one file, which need not exist.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let whole = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(whole).unwrap_or_else(|| path.to_path_buf())
    };
    place(one) == place(other)
}

/// The path of a file that is written beside a network: `net.nnue` has its log in `net.json`, `net.2` in `net.2.json`.
fn beside(out: &Path, extension: &str) -> PathBuf {
    if out.extension().is_some_and(|own| own == "nnue") {
        return out.with_extension(extension);
    }
    let mut name = out.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// The share of feature weights at their bound above which a warning is printed: in a good network it is 0.0006.
const BOUNDED: f64 = 0.005;

/// Writes the network, the log and the report.
fn export(training: &Training, out: &Path) -> Result<(), Failure> {
    let net = QuantisedNet::new(&training.settings().shape, training.net());
    net.write(out)?;
    let saturation = Saturation::of(training.net());
    for (what, share, harmless) in
        [("feature", saturation.features, BOUNDED), ("output", saturation.output, 0.0)]
    {
        if share > harmless {
            let share = 100.0 * share;
            print_message(format_args!("warning: {share:.4} % of the {what} weights are at their bound"));
        }
    }
    let quantised = training.validate_quantised(&net);
    let report = TrainingReport {
        settings: training.settings(),
        data: training.data().indexes(),
        training_positions: training.data().training_records(),
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
        print_line(format_args!("validation loss: {float:.6}, quantised {quantised:.6}"))?;
    }
    print_line(format_args!("{}: sha256 {}", out.display(), report.sha256))?;
    Ok(())
}

pub(crate) fn compare(args: &CompareArgs) -> Result<(), Failure> {
    check_output(&args.out, args.force)?;
    let options = CompareOptions {
        network: load_network(&args.eval_file)?,
        threads: args.threads.count(),
        share: args.share,
        max_score: args.max_score,
        validation: args.validation,
    };
    let control = stop_or_exit(STOPPING, || {})?;
    let stop = &control.finish;
    let compared =
        reading_games(|warn, progress| comparisons::compare(&args.data, &options, stop, warn, progress))?;
    if compared.training.is_empty() {
        return Err("there is no position in which a move can be compared with others".into());
    }
    compared.write(&args.out)?;
    print_line(format_args!(
        "{} comparisons for training, {} for validation",
        thousands(compared.training.len() as u64),
        thousands(compared.validation.len() as u64)
    ))?;
    Ok(())
}

pub(crate) fn show(path: &Path, positions: &[String]) -> Result<(), Failure> {
    let net = QuantisedNet::read(path)?;
    print_line(format_args!(
        "{}: {} inputs, {} hidden units a side, {} outputs, sha256 {}",
        path.display(),
        net.shape.inputs(),
        net.shape.hidden,
        net.dense.len(),
        net.sha256()
    ))?;
    for text in positions {
        let board = Board::from_setup(&fen::parse(text)?);
        if let Some(record) = PositionRecord::of(&board) {
            print_line(format_args!("{} centipawns for the side to move: {text}", net.value(&record)))?;
        }
    }
    Ok(())
}

pub(crate) fn scale(args: &ScaleArgs) -> Result<(), Failure> {
    check_output(&args.out, args.force)?;
    let net = QuantisedNet::read(&args.file)?;
    let scaled = net.scaled(f64::from(args.factor)).ok_or("the weights would not fit")?;
    write_network(&scaled, &args.out)
}

pub(crate) fn average(args: &AverageArgs) -> Result<(), Failure> {
    check_output(&args.out, args.force)?;
    let nets = args.files.iter().map(|path| QuantisedNet::read(path)).collect::<Result<Vec<_>, _>>()?;
    let average = QuantisedNet::average(&nets).ok_or("the networks are not of one shape")?;
    write_network(&average, &args.out)
}

/// Writes a network and prints its hash.
fn write_network(net: &QuantisedNet, out: &Path) -> Result<(), Failure> {
    net.write(out)?;
    print_line(format_args!("{}: sha256 {}", out.display(), net.sha256()))?;
    Ok(())
}
