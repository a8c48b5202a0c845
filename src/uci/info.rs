//! Reports of a search in the form of UCI.

use std::fmt::Write;

use crate::board::notation;
use crate::engine::{Engine, Info, shown_score, win_draw_loss};
use crate::types::{Bound, Move, Score, is_decisive};
use crate::util::rate::per_second;

/// How moves and scores are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Castling is written as the king taking its own rook (`UCI_Chess960`).
    pub chess960: bool,
    /// Scores come with the probabilities of win, draw and loss (`UCI_ShowWDL`).
    pub wdl: bool,
    /// What both sides have on the board that is searched, in pawns, by which scores are shown.
    pub material: i32,
}

/// A move as UCI writes it.
pub fn move_text(m: Move, chess960: bool) -> String {
    notation::to_uci(m, chess960).to_string()
}

/// The `info` line of a principal variation.
pub fn info_line(info: &Info, style: Style) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.multipv,
        Score::from(shown_score(info.score, style.material))
    );
    text.push_str(match info.bound {
        Bound::None | Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if style.wdl {
        // Writing to a string cannot fail.
        let _ = write!(text, " {}", wdl(info, style));
    }
    let _ = write!(
        text,
        " nodes {} nps {} hashfull {} tbhits {} time {}",
        info.nodes,
        per_second(info.nodes, info.time),
        info.hashfull,
        info.tb_hits,
        info.time.as_millis()
    );
    if !info.pv.is_empty() {
        text.push_str(" pv");
        for &m in &info.pv {
            text.push(' ');
            text.push_str(&move_text(m, style.chess960));
        }
    }
    text
}

/// How likely win, draw and loss are by a line, per mille.
fn wdl(info: &Info, style: Style) -> String {
    // Without a move to play the game is over, and a draw is certain.
    let is_draw = info.pv.is_empty() && !is_decisive(info.score);
    let [win, draw, loss] = if is_draw { [0, 1000, 0] } else { win_draw_loss(info.score, style.material) };
    format!("wdl {win} {draw} {loss}")
}

/// The comment for a game record on the line whose move is played.
pub fn pgn_comment(info: &Info, style: Style) -> String {
    format!("info string pgncomment {} hashfull {}", wdl(info, style), info.hashfull)
}

/// What searches, for the operator: the threads, the table, and the network that evaluates.
pub fn start_note(engine: &Engine) -> String {
    let (active, wanted) = (engine.active_threads(), engine.threads());
    let threads = match (active, wanted) {
        (1, 1) => "1 thread".to_string(),
        (0, _) => {
            return "no thread searches: the system refuses them; moves are guesses until Threads is set again".into();
        }
        (active, wanted) if active == wanted => format!("{active} threads"),
        (active, wanted) => format!("{active} of {wanted} threads (limited to the processors available)"),
    };
    let megabytes = engine.hash_megabytes();
    format!(
        "searching with {threads} and a hash table of {megabytes} MB, evaluating with network {}",
        engine.network().name()
    )
}

/// The `bestmove` line.
pub fn bestmove_line(best: Option<Move>, ponder: Option<Move>, chess960: bool) -> String {
    let mut text = String::from("bestmove ");
    match best {
        Some(m) => text.push_str(&move_text(m, chess960)),
        None => text.push_str("(none)"),
    }
    if let (Some(_), Some(m)) = (best, ponder) {
        text.push_str(" ponder ");
        text.push_str(&move_text(m, chess960));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::types::{MoveKind, Square};

    #[test]
    fn a_line_is_complete() {
        let m = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        let info = Info {
            depth: 7,
            seldepth: 12,
            multipv: 2,
            score: -31,
            bound: Bound::Upper,
            nodes: 5000,
            time: Duration::from_millis(20),
            hashfull: 3,
            tb_hits: 1,
            pv: vec![m],
        };
        let style = Style { chess960: false, wdl: false, material: 14 };
        assert_eq!(
            info_line(&info, style),
            "info depth 7 seldepth 12 multipv 2 score cp -18 upperbound nodes 5000 nps 250000 hashfull 3 \
             tbhits 1 time 20 pv e2e4"
        );
        assert!(info_line(&info, Style { wdl: true, ..style }).contains(" upperbound wdl "));
        let stalemate = Info { pv: vec![], score: 0, ..info };
        let line = info_line(&stalemate, Style { wdl: true, ..style });
        assert!(line.contains(" wdl 0 1000 0 "), "{line}");
        assert_eq!(pgn_comment(&stalemate, style), "info string pgncomment wdl 0 1000 0 hashfull 3");
        assert_eq!(bestmove_line(Some(m), None, false), "bestmove e2e4");
        assert_eq!(bestmove_line(Some(m), Some(m), false), "bestmove e2e4 ponder e2e4");
        assert_eq!(bestmove_line(None, None, false), "bestmove (none)");
    }
}
