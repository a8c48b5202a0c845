//! `caesura perft`.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::board::fen::{self, FenError};
use crate::perft::{MAX_DEPTH, PerftTable, divide, root_move_line, total};
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

/// Why a line of a perft suite cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PerftLineError {
    /// The FEN at the start of the line cannot be read.
    Position(FenError),
    /// A count is given for a depth of more than [`MAX_DEPTH`] plies.
    Depth(u32),
    /// The count for this depth, in plies, is missing or not a number.
    Count(u32),
    /// There is no count at all.
    NoCounts,
}

impl fmt::Display for PerftLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PerftLineError::Position(error) => write!(f, "bad position: {error}"),
            PerftLineError::Depth(depth) => write!(f, "depth {depth} is more than {MAX_DEPTH}"),
            PerftLineError::Count(depth) => write!(f, "no count for depth {depth}"),
            PerftLineError::NoCounts => f.write_str("no counts (D1, D2, ...)"),
        }
    }
}

impl Error for PerftLineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PerftLineError::Position(error) => Some(error),
            _ => None,
        }
    }
}

/// Reads a line like `FEN ;D1 20 ;D2 400`. Operations of other names are passed over.
///
/// # Errors
/// [`PerftLineError`], if the position is bad, or a count is missing or not a number.
pub fn parse_perft_line(line: &str) -> Result<PerftLine, PerftLineError> {
    let record = epd::parse(line);
    let board = position(&record.fen).map_err(PerftLineError::Position)?;
    let mut counts = Vec::new();
    for (name, operands) in &record.operations {
        let is_number =
            |digits: &&str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        let Some(digits) = name.strip_prefix('D').filter(is_number) else { continue };
        let depth = digits.parse().unwrap_or(u32::MAX);
        let count = operands.first().and_then(|count| count.parse().ok());
        if depth > MAX_DEPTH {
            return Err(PerftLineError::Depth(depth));
        }
        counts.push((depth, count.ok_or(PerftLineError::Count(depth))?));
    }
    if counts.is_empty() {
        return Err(PerftLineError::NoCounts);
    }
    Ok(PerftLine { board, fen: record.fen, counts })
}

/// Counts, with what the machine gives.
struct PerftRunner {
    threads: usize,
    cache: Option<PerftTable>,
}

impl PerftRunner {
    fn divide(&self, board: &Board, depth: u32) -> Vec<(Move, u64)> {
        divide(board, depth, self.threads, self.cache.as_ref())
    }

    fn count(&self, board: &Board, depth: u32) -> u64 {
        if depth == 0 { 1 } else { total(&self.divide(board, depth)) }
    }
}

pub(super) fn run(arguments: &PerftArguments, output: &Output) -> Result<ExitCode, CliError> {
    let cache = match arguments.hash {
        None => None,
        Some(megabytes) => {
            Some(PerftTable::new(megabytes).map_err(|source| CliError::PerftTable { megabytes, source })?)
        }
    };
    let runner = PerftRunner { threads: arguments.threads, cache };
    match (&arguments.suite, arguments.depth) {
        (Some(path), _) => suite(path, arguments.max_nodes.unwrap_or(u64::MAX), &runner, output),
        (None, Some(depth)) => {
            let mut board = match arguments.fen.as_deref().map(str::trim) {
                None | Some("" | "startpos") => Board::start(),
                Some(fen) => position(fen).map_err(CliError::Fen)?,
            };
            board.set_chess960(arguments.chess960);
            one(&board, depth, arguments.divide, &runner, output);
            Ok(ExitCode::SUCCESS)
        }
        (None, None) => Err(CliError::Usage("a depth or a suite is needed")),
    }
}

fn one(board: &Board, depth: u32, divided: bool, runner: &PerftRunner, output: &Output) {
    let start = Instant::now();
    let nodes = if divided && depth > 0 {
        let counts = runner.divide(board, depth);
        for &(m, nodes) in &counts {
            output.line(root_move_line(board, m, nodes));
        }
        total(&counts)
    } else {
        runner.count(board, depth)
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
        // A count that has reached the greatest number may be of any size beyond.
        let least = if self.nodes == u64::MAX { "at least " } else { "" };
        write!(f, "{least}{} nodes {} ms {rate} nps", self.nodes, self.time.as_millis())
    }
}

/// Checks every count of a file that is at most `max_nodes`. A line that cannot be read is a failure too.
fn suite(path: &Path, max_nodes: u64, runner: &PerftRunner, output: &Output) -> Result<ExitCode, CliError> {
    let text = read_text(path)?;
    let (mut passed, mut failed, mut has_lines) = (0, 0, false);
    for (number, line) in epd::lines(&text) {
        has_lines = true;
        let line = match parse_perft_line(line) {
            Ok(line) => line,
            Err(error) => {
                failed += 1;
                output.line(format_args!("line {number}: {error}"));
                continue;
            }
        };
        for &(depth, expected) in line.counts.iter().filter(|(_, count)| *count <= max_nodes) {
            let found = runner.count(&line.board, depth);
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
    if passed + failed == 0 {
        let path = path.to_path_buf();
        return Err(if has_lines { CliError::NoCounts(path, max_nodes) } else { CliError::Empty(path) });
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
        assert!(matches!(parse_perft_line(""), Err(PerftLineError::Position(_))));
        for (counts, error) in [
            ("", PerftLineError::NoCounts),
            (";D1 x", PerftLineError::Count(1)),
            (";D3", PerftLineError::Count(3)),
            (";D65 1", PerftLineError::Depth(65)),
        ] {
            let line = format!("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1 {counts}");
            assert_eq!(parse_perft_line(&line).err(), Some(error), "{line}");
        }
    }
}
