//! Searches and writes what was seen.

use std::process::ExitCode;
use std::thread;

use crate::board::{Board, notation};
use crate::engine::{EngineError, Limits, NullMoveSettings, NullMoveSwitch, SchemeName};
use crate::single_threaded::{STACK_SIZE, SingleThreadedEngine};
use crate::types::Score;
use crate::uci::Output;

use super::super::arguments::ExplainArguments;
use super::super::error::{CliError, print_remarks};
use super::super::inputs::{ResultFile, board};
use super::json;
use super::page::{self, PageTree};
use super::trace::{Trace, TraceLimits};

/// The most nodes of a search: a deeper one has a tree too large to walk.
const MAX_NODES: u64 = 5_000_000;

pub(in crate::cli) fn run(arguments: &ExplainArguments, output: &Output) -> Result<ExitCode, CliError> {
    let board = board(&arguments.fen, arguments.chess960)?;
    if let Some(end) = end_of_game(&board) {
        print_remarks(&[format!("the game is over: {end}, and nothing is searched")]);
    }
    let mut schemes = arguments.schemes.clone();
    if schemes.len() > 2 {
        return Err(CliError::Usage("a page has room for two schemes"));
    }
    if schemes.is_empty() {
        schemes.push(SchemeName::default());
    }
    let settings = arguments.options.engine()?.options().null_move_settings;
    let html = arguments.html.as_deref().map(ResultFile::open).transpose()?;
    let trees = schemes
        .iter()
        .map(|&scheme| in_a_thread(|| explain(arguments, &board, (scheme, settings))))
        .collect::<Result<Vec<PageTree>, CliError>>()?;
    match html {
        Some(file) => file.write(&page::render(&board.to_string(), &trees))?,
        None => trees.iter().flat_map(|tree| &tree.nodes).for_each(|node| output.line(node)),
    }
    Ok(ExitCode::SUCCESS)
}

/// How a game has ended that has no move left; `None` if there is one.
fn end_of_game(board: &Board) -> Option<&'static str> {
    match (board.legal_moves().is_empty(), board.in_check()) {
        (false, _) => None,
        (true, true) => Some("checkmate"),
        (true, false) => Some("stalemate"),
    }
}

/// Runs a search in a thread with the stack that it needs.
fn in_a_thread<T: Send>(work: impl FnOnce() -> Result<T, CliError> + Send) -> Result<T, CliError> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK_SIZE);
        let thread = builder
            .spawn_scoped(scope, work)
            .map_err(|cause| CliError::Engine(EngineError::StartThreads { requested: 1, cause }))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Searches with one scheme and these settings.
fn explain(
    arguments: &ExplainArguments,
    board: &Board,
    (scheme, settings): (SchemeName, NullMoveSettings),
) -> Result<PageTree, CliError> {
    let mut engine = SingleThreadedEngine::new(arguments.hash)?;
    engine.options_mut().null_move = scheme;
    engine.options_mut().null_move_settings = settings;
    let mut trace = Trace::new(TraceLimits { plies: arguments.plies, nodes: arguments.max_nodes });
    let limits = Limits { depth: Some(arguments.depth), nodes: Some(MAX_NODES), ..Limits::default() };
    let found = engine.search_observed(board, limits, &mut trace);
    let (name, kept) = (scheme.name(), trace.nodes.len());
    let mut remarks = Vec::new();
    if found.nodes >= MAX_NODES {
        remarks.push(format!(
            "{name}: the search took all of its {MAX_NODES} nodes before it reached depth {}, and the tree is that of an \
             iteration that was not finished: take a smaller --depth",
            arguments.depth
        ));
    }
    if trace.is_cut_short {
        remarks.push(format!(
            "{name}: only the first {kept} nodes are shown: take a smaller --depth or --plies, or a greater --max-nodes"
        ));
    }
    print_remarks(&remarks);
    let chess960 = board.is_chess960();
    let best = found.best.map_or_else(|| "no move".into(), |m| notation::to_uci(m, chess960).to_string());
    let score = found.lines.first().map_or_else(String::new, |line| format!(", {}", Score::from(line.score)));
    let entered = trace.nodes.first().map_or(0, |root| root.below + 1);
    let switches = NullMoveSwitch::ALL.iter().filter(|switch| switch.get(settings.switches));
    let switches: String = switches.map(|switch| format!(", {}", switch.name)).collect();
    let summary = format!(
        "{best}{score} at depth {}{switches}; {} nodes searched, {entered} entered in the last iteration, {kept} shown",
        found.lines.first().map_or(0, |line| line.depth),
        found.nodes
    );
    let nodes = trace.nodes.iter().enumerate();
    let nodes = nodes.map(|(number, node)| json::node(name, number, node, chess960)).collect();
    Ok(PageTree { scheme: name.to_string(), summary, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_over_without_a_legal_move() {
        for (fen, expected) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some("stalemate")),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some("checkmate")),
            ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", None),
        ] {
            assert_eq!(end_of_game(&fen.parse().expect("a position")), expected, "{fen}");
        }
    }
}
