//! The benchmark: searches of fixed positions to a fixed depth. With one thread their node count is the same on every
//! machine and changes with every change of the search: it is the signature of a version.

use std::fmt;
use std::time::Duration;

use crate::board::Board;
use crate::engine::{Engine, EngineError, Limits, NullCounts};
use crate::types::Depth;
use crate::util::rate::per_second;

/// The depth of every search where no other is set, in plies.
pub const DEFAULT_DEPTH: Depth = 12;

/// Openings, middlegames and endgames; quiet and sharp; check, promotion, en passant, Chess960; and near the
/// end two positions without a move.
pub const POSITIONS: [&str; 42] = [
    // The start, and well-known tests of move generators.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // Openings.
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq c6 0 5",
    "r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2N2N2/PP2BPPP/R1BQK2R w KQkq - 2 9",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    // Middlegames of well-known test suites (Bratko and Kopec 1982; Reinfeld 1945).
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1",
    // Endgames, some of them with zugzwang.
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/4k3/3n1n2/5P2/8/3BK3/8 b - - 12 80",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "4k3/8/8/8/8/8/3QK3/3q4 w - - 0 1",
    // Promotions and promotion checks.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/PPk5/8/8/8/8/4Kppp/8 w - - 0 1",
    // Mated, and in check.
    "r1bqkb1r/pppp1Qpp/2n2n2/8/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
    "rnbqk2r/pppp1ppp/5n2/4p3/1bB1P3/3P4/PPP2PPP/RNBQK1NR w KQkq - 1 4",
    // Chess960 and double Chess960.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RKNBBQNR w HAgb - 0 1",
    // Mate in two, and stalemate.
    "6k1/5ppp/8/8/8/8/1R3PPP/R5K1 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

/// The search of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionResult {
    /// Its place among the positions, from 1.
    pub number: usize,
    /// How many positions there are.
    pub count: usize,
    /// The nodes searched.
    pub nodes: u64,
    /// The time of the search.
    pub time: Duration,
}

impl fmt::Display for PositionResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = self.time.as_millis();
        write!(f, "{:2}/{} {:>10} nodes {milliseconds:>6} ms", self.number, self.count, self.nodes)
    }
}

/// The searches of all positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// The nodes of all positions: the signature.
    pub nodes: u64,
    /// The time of all searches.
    pub time: Duration,
    /// How many null moves were tried in all positions, and what they returned.
    pub null_counts: NullCounts,
    /// What the searches wanted to use and could not: see [`SearchResult::warnings`](crate::engine::SearchResult::warnings).
    pub warnings: Vec<String>,
}

impl fmt::Display for BenchResult {
    /// The last line of a run: `<nodes> nodes <nps> nps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, per_second(self.nodes, self.time))
    }
}

/// The positions of the benchmark.
pub fn boards() -> Vec<Board> {
    let boards: Vec<Board> = POSITIONS.iter().filter_map(|fen| fen.parse().ok()).collect();
    debug_assert_eq!(boards.len(), POSITIONS.len());
    boards
}

/// Searches every position of the benchmark to a depth in plies, each as a new game, and reports each as it is done.
///
/// # Errors
/// If the engine is searching.
pub fn run(
    engine: &mut Engine,
    depth: Depth,
    report: impl FnMut(PositionResult),
) -> Result<BenchResult, EngineError> {
    let limits = Limits::depth(depth.max(1));
    let boards = boards();
    run_positions(engine, (boards.len(), boards), &limits, &|| false, report)
}

/// Searches positions, of which there are `count`, within limits, each as a new game, and reports each as it is done. The
/// search ends, uncounted, and no further position is searched, once `is_cancelled` returns true; it is called every few
/// hundredths of a second.
///
/// # Errors
/// If the engine is searching.
pub fn run_positions(
    engine: &mut Engine,
    (count, boards): (usize, impl IntoIterator<Item = Board>),
    limits: &Limits,
    is_cancelled: &dyn Fn() -> bool,
    mut report: impl FnMut(PositionResult),
) -> Result<BenchResult, EngineError> {
    let mut total = BenchResult::default();
    for (number, board) in (1..).zip(boards) {
        if is_cancelled() {
            break;
        }
        engine.new_game()?;
        engine.set_position(board);
        let result = engine.search_until(limits.clone(), is_cancelled)?;
        if is_cancelled() {
            // What was found so far would look like the count of a whole search.
            break;
        }
        total.nodes += result.nodes;
        total.time += result.time;
        total.null_counts += result.null_counts;
        total.warnings.extend(result.warnings);
        let (nodes, time) = (result.nodes, result.time);
        report(PositionResult { number, count, nodes, time });
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::engine::{MATERIAL_NETWORK, SchemeName, load_network};
    use crate::search::null_move::abilities::Abilities;

    #[test]
    fn every_position_can_be_set_up_and_none_stands_twice() {
        let mut keys = Vec::new();
        for fen in POSITIONS {
            let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            keys.push(board.key());
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), POSITIONS.len());
    }

    /// An engine that needs no embedded network.
    fn engine() -> Engine {
        let mut engine = Engine::new(1, 16).expect("memory");
        let network = load_network(Path::new(MATERIAL_NETWORK)).expect("a network");
        engine.set_network(network).expect("idle");
        engine
    }

    #[test]
    fn node_counts_repeat() {
        let run = || {
            let mut each = Vec::new();
            let total = run(&mut engine(), 4, |position| each.push(position.nodes)).expect("idle");
            assert_eq!(each.iter().sum::<u64>(), total.nodes);
            each
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn every_scheme_makes_the_null_moves_that_it_should_and_searches_its_own_tree() {
        let mut nodes = Vec::new();
        for scheme in SchemeName::ALL {
            let mut engine = engine();
            engine.options_mut().null_move = scheme;
            let result = run(&mut engine, 8, |_| {}).expect("idle");
            let counts = result.null_counts;
            nodes.push((result.nodes, scheme.name()));
            let can = Abilities::of(scheme);
            assert_eq!(counts.tried > 0, can.tries, "{scheme:?}");
            assert_eq!(counts.fail_highs > 0, can.tries, "{scheme:?}");
            assert_eq!(counts.double_null_moves > 0, can.tries_twice, "{scheme:?}");
            assert_eq!(counts.cuts > 0, can.cuts || can.verifies, "{scheme:?}");
            assert_eq!(counts.reductions > 0, can.reduces, "{scheme:?}");
            // A reduced node that fails low is searched again at most once.
            let again = if can.researches { counts.reduced_fail_lows } else { 0 };
            assert!(can.verifies || counts.verifications <= again, "{scheme:?}");
            assert!(can.cuts || counts.cuts <= counts.verifications, "{scheme:?}");
            assert!(counts.cuts <= counts.fail_highs && counts.fail_highs <= counts.tried, "{scheme:?}");
            assert!(counts.reduced_fail_lows < counts.reductions.max(1), "{scheme:?}");
        }
        nodes.sort_unstable();
        assert!(nodes.windows(2).all(|pair| pair[0].0 != pair[1].0), "{nodes:?}");
    }

    #[test]
    fn null_moves_are_searched_where_their_reduction_leaves_depth() {
        for scheme in SchemeName::ALL {
            let mut engine = engine();
            engine.options_mut().null_move = scheme;
            engine.options_mut().null_move_settings.report_counts = true;
            engine.set_position(POSITIONS[1].parse().expect("a position"));
            engine.search(Limits::depth(8)).expect("idle");
            let (sum, _) = engine.null_breakdown().expect("counted").sum(|_| true);
            let can = Abilities::of(scheme);
            assert!(sum.null_nodes > 0 || !can.searches, "{scheme:?}");
            assert!(sum.null_nodes == 0 || can.tries, "{scheme:?}");
        }
    }

    #[test]
    fn a_damaged_table_is_warned_of_once() {
        let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/fuzz/tables/KQvK.rtbw");
        let mut bytes = fs::read(table).expect("a table");
        bytes[5..40].fill(0xff);
        let folder = std::env::temp_dir().join(format!("caesura-bench-tables-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("KQvK.rtbw"), bytes).expect("written");
        let mut engine = engine();
        engine.set_tablebases(folder.as_os_str()).expect("a folder");
        let boards = ["8/8/8/3k4/8/8/1Q6/1K6 w - - 0 1", "8/8/8/3k4/8/2Q5/8/1K6 w - - 0 1"]
            .map(|fen| fen.parse().expect("a position"));
        let total =
            run_positions(&mut engine, (2, boards), &Limits::depth(2), &|| false, |_| {}).expect("idle");
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(total.warnings, ["tablebase KQvK.rtbw is damaged or cannot be read"]);
    }

    #[test]
    fn the_last_line_is_as_scripts_expect_it() {
        let total = BenchResult { nodes: 3000, time: Duration::from_millis(1500), ..BenchResult::default() };
        assert_eq!(total.to_string(), "3000 nodes 2000 nps");
    }
}
