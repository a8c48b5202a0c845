//! The command line: subcommands, options and their defaults.

use std::path::PathBuf;

use caesura::engine::EMBEDDED_NETWORK;
use caesura::nnue::arch::HIDDEN_SIZE;
use clap::{Args, Parser, Subcommand};
use toolkit::cli::{NumberError, Threads, parse_number, parse_share};
use trainer::arch::SCALE;
use trainer::extract::PositionFilter;
use trainer::loss::{ComparisonLoss, Loss};
use trainer::settings::{ComparisonSettings, Decay};

/// Trains the network on the games of the engine.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Turn games into training positions, once for several trainings.
    Prepare(PrepareArgs),
    /// Turn games into positions beyond theirs whose target is what a network says of them, to hold another to it.
    Hold(HoldArgs),
    /// Turn games into comparisons of the moves that were played with others, for `train --comparisons`.
    Compare(CompareArgs),
    /// Train a network.
    Train(Box<TrainArgs>),
    /// Print the validation loss of networks on prepared positions.
    Judge(JudgeArgs),
    /// Print how well networks distinguish won from drawn and lost endings, as endgame tables know them.
    JudgeEndings(JudgeEndingsArgs),
    /// Print how far the expected scores of networks are from those that a strong engine found by deep searches.
    JudgeScores(JudgeScoresArgs),
    /// Multiply the values of a network, so that they mean to the search what those of another did.
    Scale(ScaleArgs),
    /// Make the network whose weights are the mean of those of others, trained from the same beginning.
    Average(AverageArgs),
    /// Print the architecture of a network and its values of positions.
    Show {
        /// The file.
        file: PathBuf,
        /// Positions to evaluate, in FEN.
        #[arg(long)]
        fen: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FilterArgs {
    /// Leave out positions with greater scores, in centipawns.
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(i16).range(0..))]
    pub(crate) max_score: i16,
    /// Leave out positions with fewer pieces, kings and pawns included.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=32))]
    pub(crate) min_pieces: u8,
    /// Leave out positions with more pieces, kings and pawns included.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u8).range(2..=32))]
    pub(crate) max_pieces: u8,
    /// Leave out this many plies at the start of each game.
    #[arg(long, default_value_t = 0)]
    pub(crate) skip_plies: usize,
    /// Keep positions in which the move played captures or promotes.
    #[arg(long)]
    pub(crate) keep_noisy: bool,
    /// Keep positions in check.
    #[arg(long)]
    pub(crate) keep_checks: bool,
    /// The share of the games that is kept for validation.
    #[arg(long, default_value_t = 0.02, value_parser = parse_share)]
    pub(crate) validation: f64,
}

impl FilterArgs {
    pub(crate) fn filter(&self) -> PositionFilter {
        PositionFilter {
            max_score: self.max_score,
            min_pieces: self.min_pieces,
            max_pieces: self.max_pieces,
            skip_plies: self.skip_plies,
            noisy: self.keep_noisy,
            checks: self.keep_checks,
            validation: self.validation,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    /// Stretch the scores of each of DATA such that the odds of its results grow by the factor e in this many centipawns;
    /// 0: take them as they are.
    #[arg(long, default_value_t = SCALE as f64, value_parser = stretch)]
    pub(crate) stretch_to: f64,
    /// How much of a position's target comes from the plies after it and the result that they lead to: each ply weighs
    /// this much less than the one before it (TD(λ)); 0: the position's own search alone.
    #[arg(long, default_value_t = 0.0, value_parser = parse_share)]
    pub(crate) lambda: f64,
    /// Centipawns of a logit of 1 where scores are averaged along a game: what `train --score-scale` will be. By default `train`
    /// takes that, and `prepare` that of --stretch-to, or of the network.
    #[arg(long, value_parser = above_zero)]
    pub(crate) lambda_scale: Option<f32>,
    /// Give back to the scores what the search takes from them as the fifty-move rule comes nearer, which the network cannot
    /// see.
    #[arg(long)]
    pub(crate) unfade: bool,
    /// A directory with Syzygy tables: what they know counts for more than the results and scores of the games.
    #[arg(long)]
    pub(crate) tables: Option<PathBuf>,
}

impl ScoreArgs {
    pub(crate) fn scale(&self) -> Option<f64> {
        (self.stretch_to > 0.0).then_some(self.stretch_to)
    }
}

/// Prepared positions that are made of games.
#[derive(Debug, Args)]
pub(crate) struct NewDatasetArgs {
    /// Files of games, or directories with such files.
    #[arg(long, required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// The new directory.
    #[arg(long)]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Debug, Args)]
pub(crate) struct PrepareArgs {
    #[command(flatten)]
    pub(crate) dataset: NewDatasetArgs,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) scores: ScoreArgs,
}

#[derive(Debug, Args)]
pub(crate) struct HoldArgs {
    #[command(flatten)]
    pub(crate) dataset: NewDatasetArgs,
    /// The network whose values are the targets: the one that `train --start` will begin with, on whose scale they are.
    #[arg(long, value_name = "FILE.nnue")]
    pub(crate) eval_file: PathBuf,
    /// Centipawns of a logit of 1: what `train --score-scale` will be.
    #[arg(long, default_value_t = SCALE as f32, value_parser = above_zero)]
    pub(crate) score_scale: f32,
    /// The share of the positions of games beyond which there is one.
    #[arg(long, default_value_t = 0.4, value_parser = parse_share)]
    pub(crate) share: f64,
    /// Leave out what is beyond positions with greater scores, in centipawns.
    #[arg(long, default_value_t = 3000, value_parser = clap::value_parser!(i16).range(0..))]
    pub(crate) max_score: i16,
    /// The share of the games that is kept for validation.
    #[arg(long, default_value_t = 0.02, value_parser = parse_share)]
    pub(crate) validation: f64,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Files of games, or directories with such files. Moves that many nodes have chosen teach most.
    #[arg(long, required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// The new file: 264 bytes a comparison, and as much memory while it is made.
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Overwrite a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
    /// The network whose values choose the positions that are compared; `<material>` counts material only.
    #[arg(long, value_name = "FILE.nnue", default_value = EMBEDDED_NETWORK)]
    pub(crate) eval_file: PathBuf,
    /// The share of the positions that is taken.
    #[arg(long, default_value_t = 1.0, value_parser = parse_share)]
    pub(crate) share: f64,
    /// Leave out positions with greater scores, in centipawns.
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(i16).range(0..))]
    pub(crate) max_score: i16,
    /// The share of the games that is kept for validation.
    #[arg(long, default_value_t = 0.02, value_parser = parse_share)]
    pub(crate) validation: f64,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

#[derive(Debug, Args)]
pub(crate) struct ComparisonArgs {
    /// Files that `compare` made: the network also learns to value what follows the move that was played above what follows others.
    #[arg(long, num_args = 1..)]
    pub(crate) comparisons: Vec<PathBuf>,
    /// What a comparison weighs in the loss beside a position.
    #[arg(long, default_value_t = 0.3, value_parser = comparison_weight, requires = "comparisons")]
    pub(crate) comparison_weight: f32,
    /// The difference of values that makes a move e times as likely, in logits.
    #[arg(long, default_value_t = 0.4, value_parser = comparison_temperature, requires = "comparisons")]
    pub(crate) comparison_temperature: f32,
    /// Comparisons beside the positions of a batch.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1 << 20), requires = "comparisons")]
    pub(crate) comparisons_per_batch: u32,
}

impl ComparisonArgs {
    pub(crate) fn settings(&self) -> Option<ComparisonSettings> {
        let loss =
            ComparisonLoss { weight: self.comparison_weight, temperature: self.comparison_temperature };
        let settings = ComparisonSettings { loss, per_batch: self.comparisons_per_batch as usize };
        (!self.comparisons.is_empty()).then_some(settings)
    }
}

#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    /// A directory that `prepare` made.
    #[arg(long)]
    pub(crate) prepared: PathBuf,
    /// Networks.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) loss: LossArgs,
}

#[derive(Debug, Args)]
pub(crate) struct JudgeEndingsArgs {
    /// A directory with Syzygy tables.
    #[arg(long)]
    pub(crate) tables: PathBuf,
    /// Random positions of each ending.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) positions: u32,
    /// The seed of the positions.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print a line for each ending, too.
    #[arg(long)]
    pub(crate) each: bool,
    /// Networks.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct JudgeScoresArgs {
    /// A file of positions, one a line: FEN;expected score of the side to move, from 0 to 1.
    #[arg(long)]
    pub(crate) positions: PathBuf,
    /// Networks.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ScaleArgs {
    /// The network.
    pub(crate) file: PathBuf,
    /// What its values are multiplied by.
    #[arg(long, value_parser = above_zero)]
    pub(crate) factor: f32,
    /// The file of the new network.
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Overwrite a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AverageArgs {
    /// The networks.
    #[arg(required = true, num_args = 2..)]
    pub(crate) files: Vec<PathBuf>,
    /// The file of the new network.
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Overwrite a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LossArgs {
    /// The share of the game's result in the target; the rest is the score's.
    #[arg(long, default_value_t = 0.3, value_parser = parse_share)]
    pub(crate) result: f64,
    /// Its share in positions of at most 12 pieces, kings included; up to 24 it changes evenly to that of `--result`, which
    /// is the default.
    #[arg(long, value_parser = parse_share)]
    pub(crate) endings_result: Option<f64>,
    /// Centipawns of a logit of 1 when scores are turned into expected results.
    #[arg(long, default_value_t = SCALE as f32, value_parser = above_zero)]
    pub(crate) score_scale: f32,
    /// The power of the error in the loss.
    #[arg(long, default_value_t = 2.0, value_parser = power)]
    pub(crate) power: f32,
}

impl LossArgs {
    pub(crate) fn loss(&self) -> Loss {
        let endings = self.endings_result.unwrap_or(self.result);
        Loss {
            result: self.result as f32,
            endings_result: endings as f32,
            scale: self.score_scale,
            power: self.power,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// Files of games, or directories with such files.
    #[arg(long, required_unless_present = "prepared", conflicts_with = "prepared", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// Directories that `prepare` made, instead of games; the options for games and scores were applied there. One that is
    /// named twice is seen twice in an epoch.
    #[arg(long, conflicts_with_all = ["FilterArgs", "ScoreArgs"], num_args = 1..)]
    pub(crate) prepared: Vec<PathBuf>,
    /// The directory for prepared positions, 32 bytes each, while the training runs; by default the system's directory
    /// for temporary files.
    #[arg(long)]
    pub(crate) scratch: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) scores: ScoreArgs,
    /// The network's file. The log and the page with the curves are written beside it, with .json and .html.
    #[arg(long)]
    pub(crate) out: PathBuf,
    /// Overwrite these files where they are there; never a checkpoint.
    #[arg(long)]
    pub(crate) force: bool,
    /// Hidden units of one perspective. The engine is compiled for one number of them, and no other is accepted.
    #[arg(long, default_value_t = HIDDEN_SIZE)]
    pub(crate) hidden: usize,
    /// Begin with this network instead of random weights. It may have fewer hidden units, and no threat states.
    #[arg(long)]
    pub(crate) start: Option<PathBuf>,
    /// Epochs: how often each position is seen.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) epochs: u64,
    /// Positions in a batch.
    #[arg(long, default_value_t = 16384, value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub(crate) batch: u32,
    /// The greatest learning rate.
    #[arg(long, default_value_t = 0.001, value_parser = not_negative)]
    pub(crate) lr: f32,
    /// The learning rate at the end.
    #[arg(long, default_value_t = 0.000005, value_parser = not_negative)]
    pub(crate) final_lr: f32,
    /// The learning rate of the features' weights, in units of that of the others. With --start, a small one keeps what they
    /// know while the few weights behind them adapt.
    #[arg(long, default_value_t = 1.0, value_parser = not_negative)]
    pub(crate) feature_rate: f32,
    /// Batches in which the learning rate rises.
    #[arg(long, default_value_t = 200)]
    pub(crate) warm_up: u64,
    /// How the learning rate falls after that.
    #[arg(long, value_enum, default_value = "cosine")]
    pub(crate) decay: Decay,
    /// The share of its distance from zero, or from its value in the network to begin with, that a weight loses a step, in
    /// units of the rate; the dense layers have a decay of their own.
    #[arg(long, default_value_t = 0.01, value_parser = not_negative)]
    pub(crate) weight_decay: f32,
    /// What Adam adds to the divisor of a step. A greater one keeps a weight whose input is seen once in a while from
    /// jumping at the first sight of it.
    #[arg(long, default_value_t = 1e-8, value_parser = above_zero)]
    pub(crate) epsilon: f32,
    #[command(flatten)]
    pub(crate) loss: LossArgs,
    #[command(flatten)]
    pub(crate) comparisons: ComparisonArgs,
    /// The seed of the random weights and of the order of the positions.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Where to write checkpoints: after each epoch, every some minutes, and at Ctrl-C. A new training does not overwrite
    /// an existing checkpoint.
    #[arg(long)]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The minutes between checkpoints.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pub(crate) checkpoint_minutes: u64,
    /// Go on from the checkpoint.
    #[arg(long, requires = "checkpoint")]
    pub(crate) resume: bool,
}

/// A word that is not a number above 0.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected a number above 0")]
struct NotAboveZero;

fn not_negative(text: &str) -> Result<f32, NumberError> {
    parse_number(text, 0.0..=f32::MAX)
}

fn above_zero(text: &str) -> Result<f32, NotAboveZero> {
    parse_number(text, f32::MIN_POSITIVE..=f32::MAX).map_err(|_| NotAboveZero)
}

fn stretch(text: &str) -> Result<f64, NumberError> {
    parse_number(text, 0.0..=10_000.0)
}

fn power(text: &str) -> Result<f32, NumberError> {
    parse_number(text, 1.5..=4.0)
}

fn comparison_weight(text: &str) -> Result<f32, NumberError> {
    parse_number(text, 0.0..=1000.0)
}

fn comparison_temperature(text: &str) -> Result<f32, NumberError> {
    parse_number(text, 0.001..=1000.0)
}
