//! What is searched, and how: fixed before the threads begin, and read by all of them.

use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Duration;

use super::null_move::{NullMoveSettings, SchemeName};
use super::root_move::root_moves;
use super::tablebase_options::TablebaseOptions;
use super::turns::EngineTurns;
use crate::board::Board;
use crate::clock::{DEFAULT_MOVE_OVERHEAD, Limits, NodeRate, TimeBudget};
use crate::nnue::{self, Network};
use crate::tablebase::Ranking;
use crate::types::Move;
use crate::util::sync::Instant;

/// How to search, besides the position and its limits: what UCI options set.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many principal variations to find (MultiPV), 1 or more.
    pub multi_pv: usize,
    /// The time that a move costs on the clock beyond the search itself: the way from the clock to the engine and back.
    pub move_overhead: Duration,
    /// How many nodes count as a millisecond; `None`: time is measured.
    pub nodestime: Option<NodeRate>,
    /// How many nodes each thread searches while the others wait, so that a search by many threads can be repeated; `None`:
    /// all search at once.
    pub turn_nodes: Option<NonZeroU64>,
    /// Turns that the threads take together with those of other engines, instead of turns among themselves.
    pub shared_turns: Option<EngineTurns>,
    /// The null-move scheme.
    pub null_move: SchemeName,
    /// The null-move scheme of the helper threads, which have the same settings; `None`: that of the main thread.
    pub null_move_helpers: Option<SchemeName>,
    /// The network that evaluates positions.
    pub network: Arc<Network>,
    /// The settings of the null-move schemes.
    pub null_move_settings: NullMoveSettings,
    /// Replicas of the network for the NUMA nodes of the search threads.
    pub network_replicas: NetworkReplicas,
    /// The endgame tables.
    pub tablebases: TablebaseOptions,
}

impl SearchOptions {
    /// The null-move scheme that a thread searches with; the main thread has the number 0.
    pub fn null_move_of(&self, thread: usize) -> SchemeName {
        self.null_move_helpers.filter(|_| thread > 0).unwrap_or(self.null_move)
    }

    /// The network that a thread on a NUMA node evaluates by: the replica on that node, counted from 0 in the placement of
    /// threads, or the network itself if there is none.
    pub fn network_on(&self, numa_node: usize) -> &Arc<Network> {
        self.network_replicas.on(numa_node, &self.network)
    }
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            multi_pv: 1,
            move_overhead: DEFAULT_MOVE_OVERHEAD,
            nodestime: None,
            turn_nodes: None,
            shared_turns: None,
            null_move: SchemeName::default(),
            null_move_helpers: None,
            network: nnue::embedded(),
            null_move_settings: NullMoveSettings::default(),
            network_replicas: NetworkReplicas::default(),
            tablebases: TablebaseOptions::default(),
        }
    }
}

/// Copies of a network, one in the memory of each NUMA node that has search threads.
#[derive(Clone, Debug, Default)]
pub struct NetworkReplicas {
    original: Option<Arc<Network>>,
    by_numa_node: Vec<Arc<Network>>,
}

impl NetworkReplicas {
    /// Replicas of a network, by NUMA node, counted from 0 in the placement of threads.
    pub fn new(original: Arc<Network>, by_numa_node: Vec<Arc<Network>>) -> NetworkReplicas {
        NetworkReplicas { original: Some(original), by_numa_node }
    }

    /// How many replicas there are.
    pub fn len(&self) -> usize {
        self.by_numa_node.len()
    }

    /// True if there are no replicas: all threads evaluate by the original.
    pub fn is_empty(&self) -> bool {
        self.by_numa_node.is_empty()
    }

    /// The replica of `network` on a NUMA node; `network` itself if there is none, or the replicas are of another.
    pub fn on<'a>(&'a self, numa_node: usize, network: &'a Arc<Network>) -> &'a Arc<Network> {
        let current = self.original.as_ref().is_some_and(|original| Arc::ptr_eq(original, network));
        self.by_numa_node.get(numa_node).filter(|_| current).unwrap_or(network)
    }
}

/// One search as it was asked for. Nothing here changes while it runs.
#[derive(Clone)]
pub struct SearchRequest {
    /// The position, with the game that led to it.
    pub board: Board,
    /// When to end.
    pub limits: Limits,
    /// How to search.
    pub options: SearchOptions,
    /// The root moves to search, those that the endgame tables rank best first. None if the game is over.
    pub root_moves: Vec<Move>,
    /// What the endgame tables say of the root moves, in the same order; `None` if they do not know them all, or
    /// not soon enough.
    pub ranking: Option<Ranking>,
    /// How much of the clock to use.
    pub time_budget: TimeBudget,
    /// When the search was asked for: times are measured from here.
    pub started: Instant,
}

impl SearchRequest {
    /// The search of a position that was asked for at `started`, with the root moves and the share of the clock that its
    /// limits allow.
    pub fn new(board: Board, limits: Limits, options: SearchOptions, started: Instant) -> SearchRequest {
        let mut root_moves = root_moves(&board, &limits.search_moves);
        let time_budget = TimeBudget::new(&limits, board.side_to_move(), options.move_overhead, board.ply());
        // Tables on a slow disk must not take the time of the move: the search looks into them, too.
        let ranking_time = time_budget.hard.filter(|_| options.nodestime.is_none()).map(|hard| hard / 2);
        let is_late = || ranking_time.is_some_and(|time| started.elapsed() >= time);
        let ranking = options.tablebases.rank(&board, &root_moves, is_late);
        if let Some(ranking) = &ranking {
            root_moves = ranking.moves.iter().map(|ranked| ranked.m).collect();
        }
        SearchRequest { board, limits, options, root_moves, ranking, time_budget, started }
    }

    /// The root moves that the endgame tables rank best; all if the tables do not know them.
    pub fn best_ranked_moves(&self) -> &[Move] {
        let equal = self.ranking.as_ref().map_or(self.root_moves.len(), |ranking| {
            ranking.moves.iter().take_while(|ranked| ranked.rank == ranking.moves[0].rank).count()
        });
        &self.root_moves[..equal]
    }

    /// True if legal moves are left out at the root: then its value is not that of the position.
    pub fn leaves_moves_out(&self) -> bool {
        self.root_moves.len() < self.board.count_legal_moves() as usize
    }

    /// The hard limit in nodes, counted from `go`, if nodes count as time.
    pub fn hard_nodes(&self) -> Option<u64> {
        self.options.nodestime.zip(self.time_budget.hard).map(|(rate, hard)| rate.nodes(hard))
    }

    /// The most nodes that all threads together may search.
    pub fn node_limit(&self) -> Option<u64> {
        self.limits.nodes.into_iter().chain(self.hard_nodes()).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Under a model checker no time has passed.
    #[cfg(not(feature = "model"))]
    #[test]
    fn moves_are_not_ranked_once_half_of_the_time_is_over() {
        use crate::tablebase::Tablebase;

        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/fuzz/tables");
        let tables = Some(Arc::new(Tablebase::open(folder.as_ref()).0));
        let board: Board = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1".parse().expect("a position");
        let request = |limits: Limits, nodestime| {
            let tablebases = TablebaseOptions { tables: tables.clone(), ..TablebaseOptions::default() };
            let options = SearchOptions { tablebases, nodestime, ..SearchOptions::default() };
            let started = Instant::now().checked_sub(Duration::from_secs(1)).expect("a second ago");
            SearchRequest::new(board.clone(), limits, options, started)
        };
        let time = |milliseconds| Limits {
            move_time: Some(Duration::from_millis(milliseconds)),
            ..Limits::default()
        };
        let late = request(time(1_500), None);
        assert!(late.ranking.is_none() && late.root_moves == board.legal_moves().to_vec());
        for limits in [time(3_600_000), Limits::default()] {
            assert!(request(limits, None).ranking.is_some());
        }
        // Where nodes are the time, none has passed.
        assert!(request(time(1_500), NodeRate::new(1000)).ranking.is_some());
    }

    #[test]
    fn replicas_serve_their_own_network_only() {
        let [network, replica] = [(); 2].map(|()| Arc::new(nnue::embedded().duplicate().expect("memory")));
        let mut options = SearchOptions { network: Arc::clone(&network), ..SearchOptions::default() };
        assert!(Arc::ptr_eq(options.network_on(0), &network));
        options.network_replicas = NetworkReplicas::new(Arc::clone(&network), vec![Arc::clone(&replica)]);
        assert!(Arc::ptr_eq(options.network_on(0), &replica));
        assert!(Arc::ptr_eq(options.network_on(1), &network));
        let other = nnue::embedded();
        options.network = Arc::clone(&other);
        assert!(Arc::ptr_eq(options.network_on(0), &other));
    }
}
