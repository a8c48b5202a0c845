//! The experiment.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use caesura::board::{Board, Setup, notation};
use caesura::engine::{Limits, SchemeName, SplitMix};
use caesura::single_threaded::SingleThreadedEngine;
use caesura::types::{Depth, Move};

use super::judge::{Judge, board_at};
use super::record::{Action, Decision, Position, Record};
use super::roots;
use super::sampler::{Sample, Sampler, Source};
use crate::LabError;
use crate::contender::Contender;
use crate::experiment::{CommonOptions, RunContext};
use crate::runner::{self, Summary};

/// The file of results.
pub const FILE: &str = "audit.jsonl";
/// The contenders if none are named.
pub const CONTENDERS: [&str; 5] = ["tuned", "guarded", "modern", "extended", "off"];
/// The most nodes of a search; one that takes more is left out.
const MAX_NODES: u64 = 1_000_000;
/// The positions of a game.
const POSITIONS: usize = 4;

/// What to judge.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whose null moves are judged.
    pub contenders: Vec<Contender>,
    /// The openings of the games that positions are taken from, by book; the books take turns.
    pub books: Vec<Vec<Setup>>,
    /// The names of the books.
    pub book_names: Vec<String>,
    /// How many games.
    pub games: u32,
    /// The depth of the searches, in plies.
    pub depth: Depth,
    /// How many fail-highs of a search are judged, at most, from each class of depth.
    pub per_class: usize,
    /// What openings, positions and fail-highs are chosen by.
    pub seed: u64,
    /// Options of every experiment; the table is that of all searches.
    pub common: CommonOptions,
}

/// One game for one contender.
struct AuditGame<'a> {
    contender: &'a Contender,
    game: u32,
}

/// Does the games that are not stored yet, each for all contenders before the next.
///
/// # Errors
/// If the engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    if options.books.iter().all(Vec::is_empty) {
        return Err(LabError::NoOpenings);
    }
    let mut store = context.store::<Record>(FILE)?;
    let Options { depth, per_class, seed, common, .. } = options;
    let (mode, hash) = (common.mode, common.hash);
    let books = options.book_names.join(" ");
    let mut tasks = Vec::new();
    for game in 0..options.games {
        for contender in &options.contenders {
            let key = format!(
                "{contender} {mode} {books} game {game} depth {depth} {per_class} a class seed {seed} hash {hash}"
            );
            tasks.push((key, AuditGame { contender, game }));
        }
    }
    let worker = || {
        let mut engine = SingleThreadedEngine::new(hash)?;
        Ok(move |task: &AuditGame<'_>| Ok(audit_game(&mut engine, options, task, &context.control.abandon)))
    };
    runner::run(&mut store, tasks, common.threads, &context.control, worker, |records| {
        let here = records.iter().filter(|record| {
            record.books == options.book_names
                && (record.mode, record.hash, record.depth) == (mode, hash, *depth)
                && (record.per_class, record.seed) == (*per_class, *seed)
        });
        let judged = here.flat_map(|record| &record.positions).map(|position| position.decisions.len());
        (ControlFlow::Continue(()), format!("{} judged", judged.sum::<usize>()))
    })
}

/// `None` if it was abandoned.
fn audit_game(
    engine: &mut SingleThreadedEngine,
    options: &Options,
    task: &AuditGame<'_>,
    abandon: &AtomicBool,
) -> Option<Record> {
    // All contenders search the same positions.
    let mut random = SplitMix(options.seed ^ (u64::from(task.game) << 32));
    let books: Vec<&Vec<Setup>> = options.books.iter().filter(|book| !book.is_empty()).collect();
    let book = books[task.game as usize % books.len()];
    let opening = Board::from_setup(&book[random.below(book.len())]);
    *engine.options_mut() = Default::default();
    let roots = roots::positions(engine, &opening, POSITIONS, &mut random);
    let mut record = Record {
        contender: task.contender.to_string(),
        mode: options.common.mode,
        hash: options.common.hash,
        books: options.book_names.clone(),
        game: task.game,
        depth: options.depth,
        per_class: options.per_class,
        seed: options.seed,
        positions: Vec::new(),
    };
    for root in &roots {
        let seed = random.next();
        record.positions.extend(audit_position(engine, options, task.contender, (root, seed), abandon)?);
    }
    Some(record)
}

/// `None` if it was abandoned; otherwise a position, or none if its search took all its nodes.
fn audit_position(
    engine: &mut SingleThreadedEngine,
    options: &Options,
    contender: &Contender,
    (root, seed): (&Board, u64),
    abandon: &AtomicBool,
) -> Option<Option<Position>> {
    let mode = options.common.mode;
    let limits = Limits { depth: Some(options.depth), nodes: Some(MAX_NODES), ..Limits::default() };
    let source = if contender.scheme == SchemeName::Off { Source::Moves } else { Source::NullMoves };
    let mut sampler = Sampler::new(source, options.per_class, seed);
    contender.set_options(engine.options_mut(), mode);
    engine.new_game();
    let found = engine.search_observed(root, limits.clone(), &mut sampler);
    let (seen, samples) = (sampler.seen(), sampler.into_samples());
    let Some(line) = found.lines.first().filter(|_| found.nodes < MAX_NODES) else { return Some(None) };
    let mut decisions = Vec::new();
    let mut judge = Judge { engine, root, mode };
    for sample in &samples {
        if abandon.load(Ordering::Relaxed) {
            return None;
        }
        let (verdict, deeper) = judge.verdicts(sample);
        let held = sample.outcome >= sample.beta;
        // A fail-high that was verified and refused was not acted upon.
        let has_effect = match sample.action {
            Action::Cut | Action::Reduce => true,
            Action::Verify => held,
            Action::Moves => false,
        };
        let flip = if has_effect { judge.flip(contender, sample, &limits, found.best) } else { None };
        decisions.push(Decision {
            ordinal: sample.ordinal,
            path: path_text(root, sample),
            depth: sample.depth,
            pieces: board_at(root, &sample.path).non_pawn_pieces().count(),
            kind: sample.kind.name().into(),
            margin: sample.static_eval - sample.beta,
            lead: sample.value - sample.beta,
            action: sample.action,
            held,
            verdict,
            deeper,
            flip,
        });
    }
    Some(Some(Position {
        fen: root.to_string(),
        nodes: found.nodes,
        best: move_text(root, found.best),
        score: line.score,
        seen,
        decisions,
    }))
}

fn path_text(root: &Board, sample: &Sample) -> String {
    sample.path.iter().map(|&step| move_text(root, step)).collect::<Vec<_>>().join(" ")
}

/// A move of a game from this position in UCI notation, `0000` for none and for a null move.
fn move_text(root: &Board, m: Option<Move>) -> String {
    m.map_or_else(|| "0000".into(), |m| notation::to_uci(m, root.is_chess960()).to_string())
}
