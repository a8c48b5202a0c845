//! One search: all that its threads share.

use std::sync::Arc;

use crossbeam::utils::CachePadded;

use super::null_move::NullBreakdown;
use super::reports::{Info, Listener, ReportQueue};
use super::request::SearchRequest;
use super::results::Results;
use super::sharing::Sharing;
use super::signals::{Signals, Wakeup};
use super::turns::{EngineTurns, Turns};
use crate::tt::TranspositionTable;
use crate::types::{Depth, Move};

/// The stack size that a thread needs to search, in bytes: the deepest path takes about a third of it.
pub const STACK_SIZE: usize = 8 << 20;

/// One search, shared by its threads: the request, which does not change, and what they communicate by.
pub struct Job {
    /// What is searched, and how.
    pub request: SearchRequest,
    /// The transposition table.
    pub table: Arc<TranspositionTable>,
    /// Stop, deadline, ponder hit and node budget.
    pub signals: Signals,
    /// What each thread has found so far.
    pub results: Results,
    /// The turns in which the threads search; `None` if they search at once.
    pub turns: Option<EngineTurns>,
    /// The reports on their way to the listener. Apart from the rest, which every node reads.
    pub reports: CachePadded<ReportQueue>,
    /// The exchange with other machines, if there are any.
    pub sharing: Option<Sharing>,
}

impl Job {
    /// A search by this many threads that has not begun and shares nothing.
    pub fn new(
        request: SearchRequest,
        table: Arc<TranspositionTable>,
        threads: usize,
        listener: Arc<dyn Listener>,
    ) -> Job {
        Job {
            signals: Signals::new(&request),
            turns: request.options.shared_turns.clone().or_else(|| own_turns(&request, threads)),
            results: Results::new(threads),
            reports: CachePadded::new(ReportQueue::new(listener)),
            request,
            table,
            sharing: None,
        }
    }

    /// The nodes of all threads on all machines, as far as they are known here.
    pub fn total_nodes(&self) -> u64 {
        self.results.nodes().saturating_add(self.sharing.as_ref().map_or(0, |sharing| sharing.counts().0))
    }

    /// How many positions all threads on all machines have found in endgame tables, as far as that is known here.
    pub fn total_tb_hits(&self) -> u64 {
        self.results.tb_hits().saturating_add(self.sharing.as_ref().map_or(0, |sharing| sharing.counts().1))
    }

    /// Has the coordinator report which root move is being searched, the `number`th from 1.
    pub fn report_current_move(&self, depth: Depth, m: Move, number: usize) {
        self.reports.queue_current_move(depth, m, number);
        self.signals.reports_queued();
    }

    /// Has the coordinator report principal variations, best first.
    pub fn report_lines(&self, lines: &[Info]) {
        self.reports.queue_lines(lines);
        self.signals.reports_queued();
    }

    /// Waits until the search has to end, delivers reports meanwhile, then stops the threads and waits a moment for a
    /// searched move. For the coordinator.
    pub fn wait_for_end(&self) {
        while self.signals.wait() == Wakeup::Reports {
            self.reports.deliver(self.table.hashfull());
        }
        self.signals.stop_threads();
        self.signals.wait_for_first_iteration();
    }

    /// Announces the best move and the move to ponder on, after the lines that they come from unless these have been
    /// reported. Nothing is reported after it. For the coordinator.
    pub fn announce(&self, lines: &[Info], best: Option<Move>, ponder: Option<Move>) {
        let options = &self.request.options;
        let mut notes = Vec::new();
        if options.null_move_settings.report_counts {
            notes.push(self.results.null_counts().to_string());
            notes.extend(self.results.null_breakdown().iter().flat_map(NullBreakdown::lines));
        }
        let failures = options.tablebases.tables.iter().flat_map(|tables| tables.take_failures());
        let warnings: Vec<String> = failures.map(|failure| failure.to_string()).collect();
        self.reports.announce(lines, self.table.hashfull(), (&notes, &warnings), (best, ponder));
    }
}

/// Turns of the threads of one search among themselves.
fn own_turns(request: &SearchRequest, threads: usize) -> Option<EngineTurns> {
    let nodes = request.options.turn_nodes?;
    Some(EngineTurns::new(Arc::new(Turns::new(nodes.get(), threads)), 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::clock::Limits;
    use crate::search::SearchOptions;
    use crate::search::reports::NullListener;
    use crate::search::sharing::{EntryQueues, NoSearchObserver, Others};
    use crate::util::sync::Instant;

    #[test]
    fn counts_of_other_machines_do_not_overflow() {
        let (limits, options) = (Limits::default(), SearchOptions::default());
        let request = SearchRequest::new(Board::start(), limits, options, Instant::now());
        let table = Arc::new(TranspositionTable::without_memory());
        let sharing = Sharing::new(EntryQueues::new(1), Arc::new(NoSearchObserver));
        sharing.set_others(Others { nodes: u64::MAX, tb_hits: u64::MAX, results: Vec::new() });
        let job = Job { sharing: Some(sharing), ..Job::new(request, table, 1, Arc::new(NullListener)) };
        job.results.set_nodes(0, 7);
        job.results.set_tb_hits(0, 7);
        assert_eq!((job.total_nodes(), job.total_tb_hits()), (u64::MAX, u64::MAX));
    }
}
