//! The listener that writes the reports of a search to the output.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::engine::{Info, Listener};
use crate::types::{Depth, Move};

use super::info::{self, Style};
use super::output::Output;

/// Writes the reports of one search.
pub struct Reporter {
    output: Arc<Output>,
    style: Style,
    /// If only the last lines are wanted: those lines, by rank.
    kept: Option<Mutex<Vec<Option<String>>>>,
    done: AtomicBool,
}

impl Reporter {
    /// A reporter that writes all lines, or, if `minimal`, only the last of each rank.
    pub fn new(output: Arc<Output>, style: Style, minimal: bool) -> Reporter {
        let kept = minimal.then(|| Mutex::new(Vec::new()));
        Reporter { output, style, kept, done: AtomicBool::new(false) }
    }

    /// True once the best move is being written. The engine may need a moment more until it is idle.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }
}

impl Listener for Reporter {
    fn line(&self, info: &Info) {
        let text = info::info_line(info, self.style);
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
            let m = info::move_text(m, self.style.chess960);
            self.output.line(format_args!("info depth {depth} currmove {m} currmovenumber {number}"));
        }
    }

    fn note(&self, text: &str) {
        self.output.info_string(text);
    }

    fn best_move(&self, best: Option<Move>, ponder: Option<Move>) {
        let mut lines: Vec<String> =
            self.kept.as_ref().map_or_else(Vec::new, |kept| kept.lock().drain(..).flatten().collect());
        lines.push(info::bestmove_line(best, ponder, self.style.chess960));
        // Before the line is written: its reader may send the next command at once.
        self.done.store(true, Ordering::Release);
        self.output.line(lines.join("\n"));
    }
}
