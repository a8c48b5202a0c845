//! What a fail-high was worth, by searches that know better.

use caesura::board::Board;
use caesura::engine::{ExpectedKind, Limits, NodeQuery, SchemeName};
use caesura::single_threaded::SingleThreadedEngine;
use caesura::types::{Depth, Move, Value};

use super::record::{Action, Flip, Verdict};
use super::sampler::{Overruler, Sample};
use crate::contender::Contender;
use crate::mode::Mode;

/// The most nodes of one question to the judge.
const JUDGE_NODES: u64 = 1_000_000;
/// How many plies deeper a wrong fail-high is looked at once more.
const DEEPER: Depth = 4;

/// Searches nodes without null moves, each with a cleared table; a null move is judged with the table of its node.
pub struct Judge<'a> {
    /// The engine; its options are set here.
    pub engine: &'a mut SingleThreadedEngine,
    /// The position that was searched.
    pub root: &'a Board,
    /// The search mode of all contenders.
    pub mode: Mode,
}

impl Judge<'_> {
    /// What becomes of a fail-high at the full depth; of a wrong one also with more depth than that.
    pub fn verdicts(&mut self, sample: &Sample) -> (Verdict, Option<Verdict>) {
        let options = self.engine.options_mut();
        options.null_move = SchemeName::Off;
        options.null_move_settings = Default::default();
        self.mode.set(&mut options.null_move_settings.switches);
        let verdict = self.verdict(sample, sample.depth);
        (verdict, verdict.is_wrong().then(|| self.verdict(sample, sample.depth + DEEPER)))
    }

    fn verdict(&mut self, sample: &Sample, depth: Depth) -> Verdict {
        self.engine.new_game();
        let is_cut_node = sample.kind == ExpectedKind::Cut;
        match self.value(&sample.path, depth, sample.beta, is_cut_node) {
            None => return Verdict::Undecided,
            Some(value) if value >= sample.beta => return Verdict::Right,
            Some(_) if sample.action == Action::Moves => return Verdict::Wrong,
            Some(_) => {}
        }
        let mut path = sample.path.clone();
        path.push(None);
        match self.value(&path, depth - 1, 1 - sample.beta, !is_cut_node) {
            None => Verdict::Undecided,
            Some(answer) if -answer >= sample.beta => Verdict::Zugzwang,
            Some(_) => Verdict::Horizon,
        }
    }

    fn value(&mut self, path: &[Option<Move>], depth: Depth, beta: Value, cut_node: bool) -> Option<Value> {
        let query = NodeQuery { path, depth, beta, cut_node };
        self.engine.search_node(self.root, &query, JUDGE_NODES, &mut ())
    }

    /// The search of the whole position with this one fail-high overruled, compared with the search that had `best` and
    /// these limits. `None` if it took all its nodes.
    pub fn flip(
        &mut self,
        contender: &Contender,
        sample: &Sample,
        limits: &Limits,
        best: Option<Move>,
    ) -> Option<Flip> {
        contender.set_options(self.engine.options_mut(), self.mode);
        self.engine.new_game();
        let mut overruler = Overruler::new(sample.ordinal);
        let found = self.engine.search_observed(self.root, limits.clone(), &mut overruler);
        if limits.nodes.is_some_and(|most| found.nodes >= most) {
            return None;
        }
        let score = found.lines.first()?.score;
        Some(Flip { other_move: found.best != best, score, nodes: found.nodes })
    }
}

/// The position at the end of a path that was searched.
pub fn board_at(root: &Board, path: &[Option<Move>]) -> Board {
    let mut board = root.clone();
    for step in path {
        match step {
            Some(m) => board.make_move(*m, &mut ()),
            None => board.make_null_move(),
        }
    }
    board
}
