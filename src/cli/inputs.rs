//! What is given from outside, and what is said when it is no good.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::board::Board;
use crate::engine::Engine;
use crate::nnue::{self, Network};
use crate::topology::{self, NumaPolicy};

use super::arguments::{EngineArguments, NullMoveArguments};

/// What went wrong, in words for people.
#[derive(Debug)]
pub(super) struct CliError(pub String);

impl<E: fmt::Display> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError(error.to_string())
    }
}

/// The position of a FEN that may be spread over several arguments; of none, the start.
pub(super) fn board(fen: &[String], chess960: bool) -> Result<Board, CliError> {
    let fen = fen.join(" ");
    let mut board = match fen.trim() {
        "" | "startpos" => Board::start(),
        fen => fen.parse().map_err(|error| CliError(format!("bad FEN: {error}")))?,
    };
    board.set_chess960(chess960 || !board.castles_as_standard());
    Ok(board)
}

/// The network of a name.
pub(super) fn network(name: &Path) -> Result<Arc<Network>, CliError> {
    nnue::load(name).map_err(|error| CliError(format!("{}: {error}", name.display())))
}

/// The policy of a name, on this machine.
pub(super) fn policy(name: &str) -> Result<NumaPolicy, CliError> {
    NumaPolicy::parse(name, topology::this_machine())
        .map_err(|error| CliError(format!("--numa-policy {name}: {error}")))
}

/// Says what people should know of a plan, where it does not disturb what programs read.
pub(super) fn print_remarks(remarks: &[String]) {
    for remark in remarks {
        // Where nobody reads, nobody misses it.
        let _ = writeln!(std::io::stderr(), "caesura: {remark}");
    }
}

/// The engine that the command line asks for. Nobody's clock is running.
pub(super) fn engine(machine: &EngineArguments, null_move: &NullMoveArguments) -> Result<Engine, CliError> {
    let mut engine = Engine::new(machine.threads, machine.hash)?;
    print_remarks(&engine.placement().remarks);
    engine.set_network(network(&machine.network.eval_file)?)?;
    let options = engine.options_mut();
    options.move_overhead = Duration::ZERO;
    (options.null_move, options.null_move_settings) = null_move.settings();
    Ok(engine)
}

/// The text of a file; bytes that are not UTF-8 are marked.
pub(super) fn read_text(path: &Path) -> Result<String, CliError> {
    let bytes = fs::read(path).map_err(|error| CliError(format!("{}: {error}", path.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
