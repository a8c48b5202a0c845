//! `caesura perft`.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::board::fen::{self, FenError};
use crate::board::{Board, notation};
use crate::perft::{MAX_DEPTH, PerftTable, divide};
use crate::suite::epd;
use crate::types::Move;
use crate::uci::Output;
use crate::util::rate::per_second;

use super::arguments::PerftArguments;
use super::error::CliError;
use super::inputs::read_text;

/// A line of a perft suite.
#[derive(Clone, Debug)]
pub struct PerftLine {
    /// The position.
    pub board: Board,
    /// The position's FEN, as the line has it.
    pub fen: String,
    /// Depths in plies, and how many leaves the tree has there.
    pub counts: Vec<(u32, u64)>,
}

/// A position of any material.
fn position(fen: &str) -> Result<Board, FenError> {
    fen::parse_any_material(fen).map(|setup| Board::from_setup(&setup))
}

/// Reads a line like `FEN ;D1 20 ;D2 400`. Operations of other names are passed over.
///
/// # Errors
/// If the position is bad, or there is no count or one that is no number: what is wrong, in words.
pub fn parse_perft_line(line: &str) -> Result<PerftLine, String> {
    let record = epd::parse(line);
    let board = position(&record.fen).map_err(|error| format!("bad position: {error}"))?;
    let mut counts = Vec::new();
    for (name, operands) in &record.operations {
        let Some(depth) = name.strip_prefix('D').and_then(|depth| depth.parse().ok()) else {
            continue;
        };
        let count = operands.first().and_then(|count| count.parse().ok());
        if depth > MAX_DEPTH {
            return Err(format!("depth {depth} is more than {MAX_DEPTH}"));
        }
        counts.push((depth, count.ok_or_else(|| format!("no count for depth {depth}"))?));
    }
    if counts.is_empty() {
        return Err("no counts (D1, D2, ...)".to_string());
    }
    Ok(PerftLine { board, fen: record.fen, counts })
}

/// Counts, with what the machine gives.
struct Counter {
    threads: usize,
    cache: Option<PerftTable>,
}

impl Counter {
    fn divide(&self, board: &Board, depth: u32) -> Vec<(Move, u64)> {
        divide(board, depth, self.threads, self.cache.as_ref())
    }

    fn count(&self, board: &Board, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.divide(board, depth).iter().map(|(_, nodes)| nodes).sum() }
    }
}

pub(super) fn run(arguments: &PerftArguments, output: &Output) -> Result<ExitCode, CliError> {
    let cache = match arguments.hash {
        None => None,
        Some(megabytes) => Some(PerftTable::new(megabytes).ok_or(CliError::NoMemory(megabytes))?),
    };
    let counter = Counter { threads: arguments.threads, cache };
    match (&arguments.suite, arguments.depth) {
        (Some(path), _) => suite(path, arguments.max_nodes.unwrap_or(u64::MAX), &counter, output),
        (None, Some(depth)) => {
            let mut board = match arguments.fen.as_deref().map(str::trim) {
                None | Some("" | "startpos") => Board::start(),
                Some(fen) => position(fen).map_err(CliError::Fen)?,
            };
            board.set_chess960(arguments.chess960 || !board.castles_as_standard());
            one(&board, depth, arguments.divide, &counter, output);
            Ok(ExitCode::SUCCESS)
        }
        (None, None) => Err(CliError::Usage("a depth or a suite is needed")),
    }
}

fn one(board: &Board, depth: u32, divided: bool, counter: &Counter, output: &Output) {
    let start = Instant::now();
    let nodes = if divided && depth > 0 {
        let counts = counter.divide(board, depth);
        for &(m, nodes) in &counts {
            output.line(format_args!("{}: {nodes}", notation::to_uci(m, board.is_chess960())));
        }
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        counter.count(board, depth)
    };
    output.line(Speed { nodes, time: start.elapsed() });
}

/// A count, and how fast it was made.
struct Speed {
    nodes: u64,
    time: Duration,
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = per_second(self.nodes, self.time);
        write!(f, "{} nodes {} ms {rate} nps", self.nodes, self.time.as_millis())
    }
}

/// Checks every count of a file that is at most `max_nodes`. A line that cannot be read is a failure too.
fn suite(path: &Path, max_nodes: u64, counter: &Counter, output: &Output) -> Result<ExitCode, CliError> {
    let text = read_text(path)?;
    let (mut passed, mut failed) = (0, 0);
    for (number, line) in epd::lines(&text) {
        let line = match parse_perft_line(line) {
            Ok(line) => line,
            Err(error) => {
                failed += 1;
                output.line(format_args!("line {number}: {error}"));
                continue;
            }
        };
        for &(depth, expected) in line.counts.iter().filter(|(_, count)| *count <= max_nodes) {
            let found = counter.count(&line.board, depth);
            if found == expected {
                passed += 1;
            } else {
                failed += 1;
                output.line(format_args!(
                    "line {number}: {}: depth {depth}: {found} instead of {expected}",
                    line.fen
                ));
            }
        }
    }
    output.line(format_args!("{passed} passed, {failed} failed"));
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let line =
            parse_perft_line("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1 ;D2 5 ;D6 1015133;id x").expect("reads");
        assert_eq!(line.counts, [(2, 5), (6, 1_015_133)]);
        for broken in ["", "8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", "8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1 ;D1 x"] {
            assert!(parse_perft_line(broken).is_err(), "{broken}");
        }
    }
}
