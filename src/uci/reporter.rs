//! The listener that writes the reports of a search to the output.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::engine::{Info, Listener};
use crate::types::{Bound, Depth, Move};
use crate::util::sync::{AtomicBool, Mutex};

use super::info::{self, Style};
use super::output::Output;
use super::strength::Handicap;

/// What of a search is reported.
#[derive(Clone, Debug)]
pub struct ReportSettings {
    /// How lines are written.
    pub style: Style,
    /// Only the last line of each rank.
    pub minimal: bool,
    /// A comment on the search before its best move, for game records.
    pub pgn_comment: bool,
    /// Lines of a higher rank are not reported.
    pub multi_pv: usize,
    /// How the move is chosen between the lines, below full strength.
    pub handicap: Option<Handicap>,
}

/// The lines of an engine of limited strength.
struct Choice {
    handicap: Handicap,
    /// The lines of the last iteration.
    lines: Vec<Info>,
    chosen: Option<Info>,
}

impl Choice {
    fn add_line(&mut self, info: &Info) {
        if info.multipv == 1 && info.depth > self.handicap.depth {
            self.choose();
        }
        info.put_into(&mut self.lines);
    }

    /// The line that is played, unless there is none. Once it is chosen it stays.
    fn choose(&mut self) -> Option<&Info> {
        if self.chosen.is_none() && !self.lines.is_empty() {
            let index = self.handicap.choose(&self.lines);
            self.chosen = Some(self.lines[index].clone());
        }
        self.chosen.as_ref()
    }
}

/// Writes the reports of one search.
pub struct Reporter {
    output: Arc<Output>,
    settings: ReportSettings,
    /// If only the last lines are wanted: those lines, by rank.
    kept: Option<Mutex<Vec<Option<String>>>>,
    /// The last line of the first rank, if there is to be a comment on it, or another may be played.
    last: Mutex<Option<Info>>,
    choice: Option<Mutex<Choice>>,
    done: AtomicBool,
}

impl Reporter {
    /// A reporter that writes to `output`.
    pub fn new(output: Arc<Output>, mut settings: ReportSettings) -> Reporter {
        let kept = settings.minimal.then(|| Mutex::new(Vec::new()));
        let handicap = settings.handicap.take();
        let choice = handicap.map(|handicap| Choice { handicap, lines: Vec::new(), chosen: None });
        Reporter {
            output,
            settings,
            kept,
            last: Mutex::new(None),
            choice: choice.map(Mutex::new),
            done: AtomicBool::new(false),
        }
    }

    /// True once the best move is being written. The engine may need a moment more until it is idle.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    /// The line that an engine of limited strength plays instead of that of the best move, if it does, with what the whole search
    /// took: that of the last line.
    fn weaker_line(&self, best: Option<Move>, last: Option<&Info>) -> Option<Info> {
        let mut choice = self.choice.as_ref()?.lock();
        let chosen = choice.choose()?;
        let is_other = chosen.pv.first().zip(best.as_ref()).is_some_and(|(chosen, best)| chosen != best);
        let &Info { nodes, time, hashfull, tb_hits, .. } = last.unwrap_or(chosen);
        is_other.then(|| Info { multipv: 1, nodes, time, hashfull, tb_hits, ..chosen.clone() })
    }
}

impl Listener for Reporter {
    fn line(&self, info: &Info) {
        if let Some(choice) =
            self.choice.as_ref().filter(|_| matches!(info.bound, Bound::None | Bound::Exact))
        {
            choice.lock().add_line(info);
        }
        if info.multipv > self.settings.multi_pv {
            return;
        }
        if (self.settings.pgn_comment || self.choice.is_some()) && info.multipv <= 1 {
            *self.last.lock() = Some(info.clone());
        }
        let text = info::info_line(info, self.settings.style);
        match &self.kept {
            None => self.output.line(text),
            Some(kept) => {
                let mut kept = kept.lock();
                let rank = info.multipv.max(1);
                if kept.len() < rank {
                    kept.resize(rank, None);
                }
                kept[rank - 1] = Some(text);
            }
        }
    }

    fn current_move(&self, depth: Depth, m: Move, number: usize) {
        if self.kept.is_none() {
            let m = info::move_text(m, self.settings.style.chess960);
            self.output.line(format_args!("info depth {depth} currmove {m} currmovenumber {number}"));
        }
    }

    fn note(&self, text: &str) {
        self.output.info_string(text);
    }

    fn warning(&self, text: &str) {
        self.output.info_string(text);
    }

    fn best_move(&self, mut best: Option<Move>, mut ponder: Option<Move>) {
        let mut lines: Vec<String> =
            self.kept.as_ref().map_or_else(Vec::new, |kept| kept.lock().drain(..).flatten().collect());
        let mut last = self.last.lock().take();
        if let Some(weaker) = self.weaker_line(best, last.as_ref()) {
            // What is played comes last, so that the score in a game record is that of its move.
            lines.push(info::info_line(&weaker, self.settings.style));
            (best, ponder) = (weaker.pv.first().copied(), weaker.pv.get(1).copied());
            last = Some(weaker);
        }
        last = last.filter(|_| self.settings.pgn_comment);
        lines.extend(last.as_ref().map(|last| info::pgn_comment(last, self.settings.style)));
        lines.push(info::bestmove_line(best, ponder, self.settings.style.chess960));
        // Before the line is written: its reader may send the next command at once.
        self.done.store(true, Ordering::Release);
        self.output.line(lines.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::engine::shown_score;
    use crate::uci::screen::Screen;
    use crate::util::random::SplitMix;

    const STYLE: Style = Style { chess960: false, wdl: false, material: 78 };

    /// The answer to iterations 1 to 3 with two lines each, of which the second is a little worse.
    fn answer(settings: ReportSettings) -> Vec<String> {
        let screen = Screen::default();
        let reporter = Reporter::new(Arc::new(Output::new(screen.clone(), |_| ())), settings);
        let moves = Board::start().legal_moves();
        for depth in 1..=3 {
            for rank in 1..=2 {
                let pv = vec![moves[2 * depth as usize + rank], moves[0]];
                let score = -100 * (rank as i32);
                let nodes = 100 * depth as u64;
                reporter.line(&Info { depth, multipv: rank, score, pv, nodes, ..Info::default() });
            }
        }
        reporter.best_move(Some(moves[7]), Some(moves[0]));
        assert!(reporter.is_done());
        let text = screen.text();
        text.lines().map(str::to_string).collect()
    }

    fn settings(handicap: Option<Handicap>) -> ReportSettings {
        ReportSettings { style: STYLE, minimal: false, pgn_comment: false, multi_pv: 1, handicap }
    }

    fn limited(level: f64, seed: u64) -> ReportSettings {
        settings(Some(Handicap::of_level(level, SplitMix(seed))))
    }

    #[test]
    fn a_limited_engine_chooses_between_the_lines_of_its_depth() {
        let moves = Board::start().legal_moves();
        let text = |index: usize| info::move_text(moves[index], false);
        let mut found = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let lines = answer(limited(0.0, seed));
            assert_eq!(answer(limited(0.0, seed)), lines);
            assert!(lines.iter().all(|line| !line.contains("multipv 2")));
            found.insert(lines.last().expect("a line").clone());
        }
        let ponder = text(0);
        let expected = [3, 4].map(|index| format!("bestmove {} ponder {ponder}", text(index)));
        assert_eq!(found, expected.into());
        // What is played comes last, with the nodes of the whole search.
        for seed in 0..40 {
            let lines = answer(limited(0.0, seed));
            assert!(lines[lines.len() - 2].contains(" nodes 300 "), "{lines:?}");
        }
        // At level 2 the lines of iteration 3 are the last.
        let lines = answer(limited(2.0, 0));
        let last = lines.last().expect("a line");
        assert!([7, 8].iter().any(|&index| last.contains(&text(index))), "{last}");
    }

    #[test]
    fn a_comment_is_on_the_line_that_is_played() {
        let comment = |score| {
            let pv = vec![Board::start().legal_moves()[0]];
            info::pgn_comment(&Info { score, pv, ..Info::default() }, STYLE)
        };
        let mut played = [0; 2];
        for seed in 0..40 {
            let lines = answer(ReportSettings { pgn_comment: true, ..limited(2.0, seed) });
            let [.., line, found, _] = &lines[..] else { panic!("{lines:?}") };
            let is_second = line.contains(&format!(" score cp {} ", shown_score(-200, 78)));
            assert_eq!(*found, comment(if is_second { -200 } else { -100 }), "{lines:?}");
            played[usize::from(is_second)] += 1;
        }
        assert!(played.iter().all(|&count| count > 0), "{played:?}");
    }

    #[test]
    fn full_strength_plays_the_best_move_and_comments_if_asked_to() {
        let moves = Board::start().legal_moves();
        let lines = answer(ReportSettings { pgn_comment: true, ..settings(None) });
        assert!(lines[3].starts_with("info string pgncomment wdl "), "{lines:?}");
        assert!(lines[4].starts_with(&format!("bestmove {}", info::move_text(moves[7], false))));
        assert_eq!(lines.len(), 5);
    }
}
