//! `caesura search`: searches a position and prints a table of the iterations.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::board::{Board, notation};
use crate::engine::Limits;
use crate::engine::{Info, Listener, shown_score};
use crate::types::{Bound, Color, Move, Score};
use crate::uci::Output;
use crate::util::rate::per_second;

use super::arguments::{LimitArguments, SearchArguments};
use super::error::{CliError, print_remarks};
use super::inputs::board;

/// The limits of a search; a second if the command line sets none.
pub(super) fn limits(limit: &LimitArguments) -> Limits {
    let mut limits = Limits { depth: limit.depth, nodes: limit.nodes, ..Limits::default() };
    limits.move_time = limit.movetime.map(Duration::from_millis);
    if limit.depth.is_none() && limit.nodes.is_none() {
        limits.move_time = limits.move_time.or(Some(Duration::from_secs(1)));
    }
    limits
}

pub(super) fn run(arguments: &SearchArguments, output: &Output) -> Result<ExitCode, CliError> {
    let board = board(&arguments.fen, arguments.options.value("chess960").is_some())?;
    let mut engine = arguments.options.engine()?;
    engine.set_position(board.clone());
    output.line(board.to_string());
    output.line("depth  sel   score      time      nodes     Mnps hash  line");
    // A listener must own what it writes to.
    let table = Arc::new(SearchTable { board, output: Output::standard() });
    engine.go(limits(&arguments.limit), table)?;
    engine.wait();
    Ok(ExitCode::SUCCESS)
}

/// Writes each reported line as a row of the table.
struct SearchTable {
    board: Board,
    output: Output,
}

impl Listener for SearchTable {
    fn line(&self, info: &Info) {
        let rate = per_second(info.nodes, info.time) as f64 / 1e6;
        self.output.line(format_args!(
            "{:5} {:4} {:>8} {:>9} {:>10} {rate:>8.2} {:>3}%  {}",
            info.depth,
            info.seldepth,
            score(info, self.board.material()),
            format!("{:.3}s", info.time.as_secs_f64()),
            info.nodes,
            info.hashfull / 10,
            san_line(&self.board, &info.pv),
        ));
    }

    fn note(&self, text: &str) {
        self.output.line(text);
    }

    fn warning(&self, text: &str) {
        print_remarks(&[text.to_string()]);
    }

    fn best_move(&self, best: Option<Move>, _ponder: Option<Move>) {
        let best = best.map_or_else(|| "none".to_string(), |m| notation::to_san(&self.board, m));
        self.output.line(format_args!("best move {best}"));
    }
}

/// A score in pawns as it is shown with this material, or `#3` for mate in three.
fn score(info: &Info, material: i32) -> String {
    let bound = match info.bound {
        Bound::None | Bound::Exact => "",
        Bound::Lower => ">",
        Bound::Upper => "<",
    };
    match Score::from(shown_score(info.score, material)) {
        Score::Mate(moves) => format!("{bound}#{moves}"),
        Score::Centipawns(value) => format!("{bound}{:+.2}", f64::from(value) / 100.0),
    }
}

/// A line of moves in SAN with move numbers, up to the first move that is not legal.
fn san_line(board: &Board, moves: &[Move]) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for (index, &m) in moves.iter().enumerate() {
        if !board.is_legal(m) {
            break;
        }
        match (board.side_to_move(), index) {
            (Color::White, _) => words.push(format!("{}.", board.fullmove())),
            (Color::Black, 0) => words.push(format!("{}...", board.fullmove())),
            (Color::Black, _) => {}
        }
        words.push(notation::to_san(&board, m));
        board.make_move(m, &mut ());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::mate_in;

    #[test]
    fn lines_are_numbered() {
        let line = |fen: &str, moves: &[&str]| {
            let start: Board = fen.parse().expect("a position");
            let mut board = start.clone();
            let mut line = Vec::new();
            for text in moves {
                let m = notation::parse_uci(&board, text).expect("legal");
                board.make_move(m, &mut ());
                line.push(m);
            }
            san_line(&start, &line)
        };
        assert_eq!(line(&Board::start().to_string(), &["e2e4", "e7e5", "g1f3"]), "1. e4 e5 2. Nf3");
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(line(fen, &["e7e5", "g1f3"]), "1... e5 2. Nf3");
    }

    #[test]
    fn scores() {
        let info = |score, bound| Info { score, bound, ..Info::default() };
        assert_eq!(score(&info(-202, Bound::Upper), 78), "<-2.00");
        assert_eq!(score(&info(mate_in(5), Bound::Exact), 78), "#3");
    }
}
