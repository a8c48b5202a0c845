//! The engine as its users see it.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use super::error::EngineError;
use super::resources::{Resources, ThreadConfig};
use super::result::{Collector, SearchResult};
use super::shared_search::SharedSearch;
use crate::board::Board;
use crate::clock::{Limits, NodeClock};
use crate::nnue::Network;
use crate::nnue::network::NetworkOutput;
use crate::nnue::simd::Native;
use crate::search::null_move::{NullBreakdown, NullCounts};
use crate::search::reports::Listener;
use crate::search::sharing::{EntryQueues, SearchObserver, Sharing};
use crate::search::{Job, NetworkReplicas, SearchOptions, SearchRequest};
use crate::tablebase::{Dtz, Tablebase, TablebaseError, Wdl};
use crate::topology::{self, Machine, NumaPolicy, Pin, Placement};
use crate::types::Value;
use crate::util::numa::BytesByNumaNode;
use crate::util::open_files;
use crate::util::pages::PageBacking;
use crate::util::sync::Instant;

/// How often a search asks whether it is cancelled.
const CANCEL_INTERVAL: Duration = Duration::from_millis(30);

/// A chess engine: a position, options, a transposition table, and threads that wait for work.
pub struct Engine {
    board: Board,
    options: SearchOptions,
    resources: Resources,
    /// Our clock if nodes count as time.
    node_clock: NodeClock,
    /// Called when a search that other machines share begins and ends; `None` without sharing.
    observer: Option<Arc<dyn SearchObserver>>,
    /// Those of the next search, and those of the present or last one.
    entry_queues: Option<[EntryQueues; 2]>,
}

impl Engine {
    /// An engine at the start position with this many threads and a transposition table of this many megabytes.
    ///
    /// No more threads search than there are processors, unless [`Engine::set_numa_policy`] sets another policy than
    /// [`NumaPolicy::Auto`].
    ///
    /// # Errors
    /// If there is no memory for the table, the number of threads is out of range or the system refuses to start them.
    pub fn new(threads: usize, hash_megabytes: usize) -> Result<Engine, EngineError> {
        let config = ThreadConfig { threads, numa_policy: NumaPolicy::default(), pin: Pin::default() };
        let resources = Resources::new(config)?;
        let (board, options) = (Board::start(), SearchOptions::default());
        let mut engine = Engine {
            board,
            options,
            resources,
            node_clock: NodeClock::default(),
            observer: None,
            entry_queues: None,
        };
        engine.set_hash(hash_megabytes)?;
        engine.replicate_network();
        Ok(engine)
    }

    /// The machine that the threads run on.
    pub fn machine(&self) -> &'static Machine {
        topology::this_machine()
    }

    /// How many threads were asked for.
    pub fn threads(&self) -> usize {
        self.resources.config().threads
    }

    /// How many threads search: under [`NumaPolicy::Auto`] no more than there are processors, else as many as were asked
    /// for.
    pub fn active_threads(&self) -> usize {
        self.resources.pool().len()
    }

    /// Where the threads run.
    pub fn placement(&self) -> &Placement {
        self.resources.placement()
    }

    /// Sets the number of threads. If there is no memory for the whole table on the NUMA nodes of the new threads, the table is
    /// smaller, and the remarks of the placement say so.
    ///
    /// # Errors
    /// If a search is running or the number is out of range: then nothing changes. If the system refuses: then there are as
    /// many threads as before, with empty histories if they had to be started again, or, if not even these can be had, one,
    /// or none, with which a search shows but one ply.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), EngineError> {
        let config = self.resources.config().clone();
        self.configure_threads(ThreadConfig { threads, ..config })
    }

    /// To which NUMA nodes threads are bound, and whether more may search than there are processors.
    pub fn numa_policy(&self) -> &NumaPolicy {
        &self.resources.config().numa_policy
    }

    /// Sets to which NUMA nodes threads are bound, and whether more may search than there are processors.
    ///
    /// # Errors
    /// If a search is running: then nothing changes. If the system refuses threads or memory: see [`Engine::set_threads`].
    pub fn set_numa_policy(&mut self, numa_policy: NumaPolicy) -> Result<(), EngineError> {
        let config = self.resources.config().clone();
        self.configure_threads(ThreadConfig { numa_policy, ..config })
    }

    /// When threads are pinned to single processors.
    pub fn pin(&self) -> Pin {
        self.resources.config().pin
    }

    /// Sets when threads are pinned to single processors.
    ///
    /// # Errors
    /// If a search is running: then nothing changes. If the system refuses threads or memory: see [`Engine::set_threads`].
    pub fn set_pin(&mut self, pin: Pin) -> Result<(), EngineError> {
        let config = self.resources.config().clone();
        self.configure_threads(ThreadConfig { pin, ..config })
    }

    /// Sets the size of the transposition table in megabytes; its entries are lost if the size changes.
    ///
    /// # Errors
    /// If a search is running: then nothing changes. If there is no memory: then the table is the old one, or an empty one of
    /// that size or less; see [`TranspositionTable::resize`](crate::tt::TranspositionTable::resize).
    pub fn set_hash(&mut self, megabytes: usize) -> Result<(), EngineError> {
        self.become_idle()?;
        self.resources.resize_table(megabytes)
    }

    /// The size of the table in megabytes.
    pub fn hash_megabytes(&self) -> usize {
        self.resources.table().megabytes()
    }

    /// The size of the table in megabytes, and on which pages it lies, if the system reports it. Asking takes the system a
    /// moment, a long one if a great table lies on small pages.
    pub fn hash(&self) -> (usize, Option<PageBacking>) {
        let table = self.resources.table();
        (table.megabytes(), table.backing())
    }

    /// On which NUMA nodes the table lies, if the system reports it.
    pub fn hash_by_numa_node(&self) -> Option<BytesByNumaNode> {
        self.resources.table().bytes_by_numa_node()
    }

    /// Empties the transposition table.
    ///
    /// # Errors
    /// If a search is running.
    pub fn clear_hash(&mut self) -> Result<(), EngineError> {
        self.become_idle()?;
        self.resources.clear_table();
        Ok(())
    }

    /// Empties the transposition table and all histories; a clock that counts nodes begins anew.
    ///
    /// # Errors
    /// If a search is running.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.clear_hash()?;
        self.node_clock = NodeClock::default();
        self.resources.pool_mut().new_game();
        // Before a clock runs.
        self.prepare_entry_queues();
        Ok(())
    }

    /// Sets the network that evaluates positions. If it is another than before, a new game begins.
    ///
    /// # Errors
    /// If a search is running: then the old network stays.
    pub fn set_network(&mut self, network: Arc<Network>) -> Result<(), EngineError> {
        self.become_idle()?;
        if !Arc::ptr_eq(&network, &self.options.network) {
            self.new_game()?;
            self.options.network = network;
            self.replicate_network();
        }
        Ok(())
    }

    /// The network that evaluates positions.
    pub fn network(&self) -> &Arc<Network> {
        &self.options.network
    }

    /// Uses the endgame tables of a list of directories from the next search on: see [`Tablebase::open`]. None if the list
    /// is empty. Returns what could not be used. On Linux the limit of files that the process may have open is raised as far as
    /// the system allows, since each table is a file.
    ///
    /// # Errors
    /// If directories are named and none can be listed, the reason for the first: then the former tables stay.
    pub fn set_tablebases(&mut self, directories: &OsStr) -> Result<Vec<TablebaseError>, TablebaseError> {
        if !directories.is_empty() {
            open_files::raise_limit();
        }
        let (tables, mut errors) = Tablebase::open(directories);
        if tables.directories() == 0 && !errors.is_empty() {
            return Err(errors.swap_remove(0));
        }
        self.options.tablebases.tables = (!directories.is_empty()).then(|| Arc::new(tables));
        Ok(errors)
    }

    /// The endgame tables in words; `None` if no directory was named.
    pub fn tablebases(&self) -> Option<String> {
        self.options.tablebases.tables.as_ref().map(|tables| tables.to_string())
    }

    /// What the endgame tables say of the position: the result for the side to move, and the plies to the next capture or
    /// pawn move. `None` for what they do not know.
    pub fn probe_tablebases(&self) -> (Option<Wdl>, Option<Dtz>) {
        let options = &self.options.tablebases;
        match &options.tables {
            Some(tables) if self.board.occupied().count() <= options.max_pieces() => {
                (tables.probe_wdl(&self.board), tables.probe_dtz(&self.board))
            }
            _ => (None, None),
        }
    }

    /// The endgame tables that have been found damaged since the last search ended or this was asked, each once.
    pub fn take_tablebase_failures(&self) -> Vec<TablebaseError> {
        self.options.tablebases.tables.as_ref().map_or_else(Vec::new, |tables| tables.take_failures())
    }

    /// The search options; changes count from the next search on.
    pub fn options_mut(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// The search options.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// The static evaluation of the position, in centipawns for the side to move, without a search.
    pub fn evaluate(&self) -> Value {
        self.options.network.evaluate::<Native>(&self.board)
    }

    /// What each output bucket of the network says of any position, in centipawns for its side to move.
    pub fn network_output(&self, board: &Board) -> NetworkOutput {
        self.options.network.output::<Native>(board)
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Sets the position, with the game that led to it. A running search is not affected.
    pub fn set_position(&mut self, board: Board) {
        self.board = board;
    }

    /// Starts a search of the position and returns. The listener is called from another thread.
    ///
    /// # Errors
    /// If a search is running.
    pub fn go(&mut self, limits: Limits, listener: Arc<dyn Listener>) -> Result<(), EngineError> {
        self.go_since(Instant::now(), limits, listener)
    }

    /// As [`Engine::go`], with clocks that run since `started`.
    ///
    /// # Errors
    /// If a search is running.
    pub fn go_since(
        &mut self,
        started: Instant,
        limits: Limits,
        listener: Arc<dyn Listener>,
    ) -> Result<(), EngineError> {
        self.charge_node_clock()?;
        let limits = match self.options.nodestime {
            Some(rate) => self.node_clock.start(limits, self.board.side_to_move(), rate),
            None => {
                self.node_clock = NodeClock::default();
                limits
            }
        };
        let request = SearchRequest::new(self.board.clone(), limits, self.options.clone(), started);
        let table = Arc::clone(self.resources.table());
        table.new_search();
        self.prepare_entry_queues();
        let shared = self.observer.as_ref().zip(self.entry_queues.as_mut());
        let sharing = shared.map(|(observer, queues)| {
            // Threads on their way out of the last search still queue its entries; the clock does not wait for them.
            queues.swap(0, 1);
            Sharing::new(queues[1].clone(), Arc::clone(observer))
        });
        let job = Job { sharing, ..Job::new(request, table, self.active_threads(), listener) };
        self.resources.pool_mut().start(Arc::new(job));
        Ok(())
    }

    /// Shares all searches from the next one on with other machines, by what is returned; the observer is
    /// notified when one begins and ends.
    pub fn share_searches(&mut self, observer: Arc<dyn SearchObserver>) -> SharedSearch {
        self.observer = Some(observer);
        self.prepare_entry_queues();
        SharedSearch::new(self.resources.pool().current_job().clone())
    }

    /// Makes the queues of the next searches that are shared, unless those of the last ones will do.
    fn prepare_entry_queues(&mut self) {
        let threads = self.active_threads();
        if self.observer.is_some()
            && self.entry_queues.as_ref().is_none_or(|[next, _]| next.threads() != threads)
        {
            self.entry_queues = Some([EntryQueues::new(threads), EntryQueues::new(threads)]);
        }
    }

    /// Ends a running search: its best move follows at once.
    pub fn stop(&self) {
        if let Some(job) = self.resources.pool().job() {
            job.signals.request_stop();
        }
    }

    /// The opponent has played the expected move: the clock of a search that ponders runs from now on.
    pub fn ponder_hit(&self) {
        if let Some(job) = self.resources.pool().job() {
            job.signals.ponder_hit();
        }
    }

    /// True until the best move is being announced.
    pub fn is_searching(&self) -> bool {
        self.resources.pool().is_searching()
    }

    /// Waits until the best move has been announced.
    pub fn wait(&self) {
        self.resources.pool().wait();
    }

    /// Waits until the best move has been announced, and stops the search when `is_cancelled` returns true. It is called
    /// every few hundredths of a second.
    pub fn wait_until(&self, is_cancelled: impl Fn() -> bool) {
        while !self.resources.pool().wait_for(CANCEL_INTERVAL) {
            if is_cancelled() {
                self.stop();
            }
        }
    }

    /// Searches the position and waits for the end. `infinite` and `ponder` are ignored: they need a `stop` or a
    /// `ponder_hit` from another thread, which has no access meanwhile.
    ///
    /// # Errors
    /// If a search is running.
    pub fn search(&mut self, limits: Limits) -> Result<SearchResult, EngineError> {
        self.search_until(limits, || false)
    }

    /// [`Engine::search`], but stops when `is_cancelled` returns true. It is called every few hundredths of a second.
    ///
    /// # Errors
    /// If a search is running.
    pub fn search_until(
        &mut self,
        limits: Limits,
        is_cancelled: impl Fn() -> bool,
    ) -> Result<SearchResult, EngineError> {
        let collector = Arc::new(Collector::default());
        let started = Instant::now();
        let limits = Limits { infinite: false, ponder: false, ..limits };
        self.go(limits, Arc::clone(&collector) as Arc<dyn Listener>)?;
        self.wait_until(is_cancelled);
        let (nodes, null_counts, time) = (self.nodes(), self.null_counts(), started.elapsed());
        Ok(SearchResult { nodes, null_counts, time, ..collector.take() })
    }

    /// The nodes of all threads in the last search, or in the present one so far.
    pub fn nodes(&self) -> u64 {
        self.resources.pool().job().map_or(0, |job| job.results.nodes())
    }

    /// The nodes of each active thread in the last search, or in the present one so far.
    pub fn nodes_by_thread(&self) -> Vec<u64> {
        self.resources.pool().job().map_or_else(Vec::new, |job| job.results.nodes_by_thread())
    }

    /// Null-move statistics of the last search, as far as its threads have published them.
    pub fn null_counts(&self) -> NullCounts {
        self.resources.pool().job().map_or_else(NullCounts::default, |job| job.results.null_counts())
    }

    /// Null-move statistics of the last search by depth, phase and kind of node, as far as its threads have published them;
    /// `None` unless [`NullMoveSettings::report_counts`](super::NullMoveSettings) was on.
    pub fn null_breakdown(&self) -> Option<NullBreakdown> {
        self.resources.pool().job()?.results.null_breakdown()
    }

    /// How long after `go` each active thread began to search; `None` for those that have not yet.
    pub fn thread_start_times(&self) -> Vec<Option<Duration>> {
        self.resources.pool().job().map_or_else(Vec::new, |job| job.results.start_times())
    }

    /// Waits until no thread is at work. The count of nodes ends with that, so that a clock that counts them is charged.
    fn become_idle(&mut self) -> Result<(), EngineError> {
        self.charge_node_clock()?;
        self.resources.require_idle()
    }

    /// Charges a clock that counts nodes with the last search.
    fn charge_node_clock(&mut self) -> Result<(), EngineError> {
        if self.is_searching() {
            return Err(EngineError::Searching);
        }
        self.wait();
        self.node_clock.charge(self.nodes());
        Ok(())
    }

    /// Replaces the threads, and the memory that depends on their NUMA nodes, if the configuration changes or the system had
    /// refused them.
    fn configure_threads(&mut self, config: ThreadConfig) -> Result<(), EngineError> {
        self.become_idle()?;
        if config == *self.resources.config() && self.resources.has_all_threads() {
            return Ok(());
        }
        let former = self.resources.placement().table_numa_nodes.clone();
        let result = self.resources.start_threads(config);
        // Also where threads were refused: those that are left may be elsewhere.
        self.replicate_network();
        if former != self.resources.placement().table_numa_nodes {
            self.resources.move_table();
        }
        result
    }

    fn replicate_network(&mut self) {
        // The old replicas are freed before new ones are made, but for those that threads hold until their next search.
        self.options.network_replicas = NetworkReplicas::default();
        self.options.network_replicas = self.resources.replicate(&self.options.network);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::reports::NullListener;
    use crate::search::sharing::NoSearchObserver;
    use crate::tt::TableEntry;
    use crate::types::{Bound, MAX_SEARCH_DEPTH};

    #[test]
    fn what_a_thread_still_queues_is_none_of_the_next_search() {
        let mut engine = Engine::new(1, 1).expect("memory and a thread");
        let shared = engine.share_searches(Arc::new(NoSearchObserver));
        let search = |engine: &mut Engine| {
            engine.go(Limits::depth(1), Arc::new(NullListener)).expect("idle");
            engine.wait();
            engine.entry_queues.as_ref().expect("shared")[1].clone()
        };
        let late = Sharing::new(search(&mut engine), Arc::new(NoSearchObserver));
        search(&mut engine);
        late.offer(0, 1, 0, &TableEntry::sample(Bound::Exact, 0, MAX_SEARCH_DEPTH));
        assert_eq!(shared.take_entries(usize::MAX).len(), 0);
        assert_eq!(late.take_entries(usize::MAX).len(), 1);
    }
}
