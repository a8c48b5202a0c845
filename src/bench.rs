//! Fixed positions, one number: the nodes of a search to a fixed depth are the signature of the program.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::board::Board;
use crate::clock::Limits;
use crate::engine::{Engine, EngineError};
use crate::nnue::{self, Network};
use crate::search::null_move::{NullCounts, NullMoveSettings, SchemeName};
use crate::topology::{self, NumaPolicy, Pin};
use crate::types::Depth;
use crate::util::rate::per_second;

/// The depth of a run that names none.
pub const DEFAULT_DEPTH: Depth = 12;
/// The threads of a run that names none. With more than one the count differs from run to run.
pub const DEFAULT_THREADS: usize = 1;
/// The table of a run that names none, in megabytes.
pub const DEFAULT_HASH: usize = 16;

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
    // In check, from one piece and from two.
    "r1bqkb1r/pppp1Qpp/2n2n2/8/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
    "rnbqk2r/pppp1ppp/5n2/4p3/1bB1P3/3P4/PPP2PPP/RNBQK1NR w KQkq - 1 4",
    // Chess960 and double Chess960.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RKNBBQNR w HAgb - 0 1",
    // Mate in two, and stalemate.
    "6k1/5ppp/8/8/8/8/1R3PPP/R5K1 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

/// How to run.
#[derive(Clone, Debug)]
pub struct BenchConfig {
    /// The depth of every search, in plies.
    pub depth: Depth,
    /// Search threads.
    pub threads: usize,
    /// The transposition table, in megabytes.
    pub hash: usize,
    /// The network to evaluate by.
    pub network: Arc<Network>,
    /// The null-move scheme.
    pub null_move: SchemeName,
    /// What else can be set about null moves.
    pub null_move_settings: NullMoveSettings,
}

impl Default for BenchConfig {
    fn default() -> BenchConfig {
        BenchConfig {
            depth: DEFAULT_DEPTH,
            threads: DEFAULT_THREADS,
            hash: DEFAULT_HASH,
            network: nnue::embedded(),
            null_move: SchemeName::default(),
            null_move_settings: NullMoveSettings::default(),
        }
    }
}

/// What the search of one position took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionResult {
    /// Its place in [`POSITIONS`], from 1.
    pub number: usize,
    /// The nodes searched.
    pub nodes: u64,
    /// The time that took.
    pub time: Duration,
}

impl fmt::Display for PositionResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = self.time.as_millis();
        write!(f, "{:2}/{} {:>10} nodes {milliseconds:>6} ms", self.number, POSITIONS.len(), self.nodes)
    }
}

/// What the whole run took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// The nodes of all positions: the signature.
    pub nodes: u64,
    /// The time of all searches.
    pub time: Duration,
    /// What became of the null moves of all positions.
    pub null_counts: NullCounts,
}

impl fmt::Display for BenchResult {
    /// The last line of a run: `<nodes> nodes <nps> nps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, per_second(self.nodes, self.time))
    }
}

/// What people should know of the places of the threads of such a run.
pub fn remarks(setup: &BenchConfig) -> Vec<String> {
    topology::place_threads(topology::this_machine(), &NumaPolicy::default(), setup.threads, Pin::default())
        .remarks
}

/// Searches every position, each as a new game, and reports each as it is done.
///
/// # Errors
/// If the machine has no memory or no threads for such an engine.
pub fn run(setup: &BenchConfig, mut report: impl FnMut(PositionResult)) -> Result<BenchResult, EngineError> {
    let mut engine = Engine::new(setup.threads, setup.hash)?;
    engine.set_network(setup.network.clone())?;
    engine.options_mut().null_move = setup.null_move;
    engine.options_mut().null_move_settings =
        NullMoveSettings { report_counts: false, ..setup.null_move_settings };
    let mut total = BenchResult::default();
    for (index, fen) in POSITIONS.iter().enumerate() {
        let Ok(board) = fen.parse::<Board>() else {
            debug_assert!(false, "{fen}");
            continue;
        };
        engine.new_game()?;
        engine.set_position(board);
        let limits = Limits { depth: Some(setup.depth.max(1)), ..Limits::default() };
        let outcome = engine.search(limits)?;
        total.nodes += outcome.nodes;
        total.time += outcome.time;
        total.null_counts += outcome.null_counts;
        report(PositionResult { number: index + 1, nodes: outcome.nodes, time: outcome.time });
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_count_is_the_same_again() {
        let setup = BenchConfig { depth: 4, ..BenchConfig::default() };
        let run = || {
            let mut each = Vec::new();
            let total = run(&setup, |position| each.push(position.nodes)).expect("runs");
            assert_eq!(each.iter().sum::<u64>(), total.nodes);
            each
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn every_scheme_searches_in_its_own_way() {
        let mut before = Vec::new();
        for null_move in SchemeName::ALL {
            let total =
                run(&BenchConfig { depth: 8, null_move, ..BenchConfig::default() }, |_| {}).expect("runs");
            let counts = total.null_counts;
            assert_eq!(
                counts.tried > 0,
                !matches!(null_move, SchemeName::Off | SchemeName::Fhr),
                "{null_move:?}"
            );
            assert_eq!(counts.doubles > 0, null_move == SchemeName::Double, "{null_move:?}");
            assert!(counts.fail_highs <= counts.tried && counts.overturned <= counts.reductions);
            before.push(total.nodes);
        }
        before.sort_unstable();
        before.dedup();
        // Only shallow searches may coincide, of schemes that differ in the depths.
        assert!(before.len() >= SchemeName::ALL.len() - 2, "{before:?}");
    }

    #[test]
    fn the_last_line_is_as_scripts_expect_it() {
        let total = BenchResult { nodes: 3000, time: Duration::from_millis(1500), ..BenchResult::default() };
        assert_eq!(total.to_string(), "3000 nodes 2000 nps");
    }
}
