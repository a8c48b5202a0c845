//! Every experiment at a tiny size.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use caesura::board::{Board, Setup};
use caesura::suite::TestPosition;
use lab::contender::parse_list;
use lab::experiment::{CommonOptions, RunContext};
use lab::limit::Limit;
use lab::mode::Mode;
use lab::origin::Origin;
use lab::positions::FixedDepthPosition;
use lab::{atlas, audit, match_play, nodes, scaling, tactics, worth, zugzwang};

const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"mate\";";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm #1; id \"mate in one\";";
const CAPTURE: &str = "4k3/8/8/3q4/8/4N3/8/4K3 w - - bm Nxd5; id \"capture\";";

/// Runs of an engine with signature 1, with results in this directory.
pub fn context(directory: &Path) -> RunContext {
    let directory = directory.to_path_buf();
    RunContext { directory, origin: Origin::with_signature(1), control: Arc::default() }
}

/// A table of one megabyte.
pub fn common(mode: Mode, threads: usize) -> CommonOptions {
    CommonOptions { mode, hash: 1, threads, search_threads: 1 }
}

pub fn positions() -> Vec<FixedDepthPosition> {
    [
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4",
        "8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1",
    ]
    .iter()
    .enumerate()
    .map(|(index, fen)| FixedDepthPosition { id: format!("p{index}"), fen: (*fen).into(), depth: 4 })
    .collect()
}

pub fn nodes_options(threads: usize, raise: i32) -> nodes::Options {
    let contenders = parse_list(&["extended", "fixed:r=1", "fixed:r=2", "verified"]);
    nodes::Options { contenders, positions: positions(), raise, common: common(Mode::Full, threads) }
}

pub fn tactics_options(limit: Limit, mode: Mode) -> tactics::Options {
    let perverse = MATE.replace("bm", "am").replace("mate", "perverse");
    tactics::Options {
        contenders: parse_list(&["off", "extended", "adaptive"]),
        suite: "tiny".into(),
        tasks: TestPosition::parse_all(&format!("{MATE}\n{CAPTURE}\n{perverse}\n{MATE_IN_ONE}")).unwrap(),
        limit,
        runs: 2,
        common: common(mode, 2),
    }
}

pub fn zugzwang_options() -> zugzwang::Options {
    let trebuchet = "8/8/8/3p1K2/1k1P4/8/8/8 b - - bm Kc3; id \"trebuchet\";";
    zugzwang::Options {
        contenders: parse_list(&["off", "fixed:r=3", "extended"]),
        suites: vec![("tiny".into(), TestPosition::parse_all(trebuchet).unwrap())],
        limit: Limit::Nodes(20_000),
        common: common(Mode::Plain, 2),
    }
}

/// Seventy-two openings with two queens and a rook against a bare king: each colour has them on each of three ranks in each of
/// twelve orders.
fn decided_openings() -> Vec<Setup> {
    let orders =
        ["QQR1", "QQ1R", "QRQ1", "QR1Q", "Q1QR", "Q1RQ", "RQQ1", "RQ1Q", "R1QQ", "1QQR", "1QRQ", "1RQQ"];
    let placed = |row: &str| {
        let white = [
            format!("4k3/8/8/8/8/8/8/{row}K3 w - - 0 1"),
            format!("4k3/8/8/8/8/8/{row}4/4K3 w - - 0 1"),
            format!("4k3/8/8/8/8/{row}4/8/4K3 w - - 0 1"),
        ];
        let row = row.to_lowercase();
        let black = [
            format!("{row}k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            format!("4k3/{row}4/8/8/8/8/8/4K3 w - - 0 1"),
            format!("4k3/8/{row}4/8/8/8/8/4K3 w - - 0 1"),
        ];
        white.into_iter().chain(black)
    };
    orders.into_iter().flat_map(placed).map(|fen| fen.parse::<Board>().unwrap().setup()).collect()
}

pub fn match_options(threads: usize, games: u32) -> match_play::Options {
    let contenders = parse_list(&["extended", "fixed:r=1"]);
    match_play::Options {
        first: contenders[0].clone(),
        second: contenders[1].clone(),
        book: decided_openings(),
        book_name: "tiny".into(),
        seed: 3,
        games,
        sprt: None,
        limit: Limit::Nodes(500),
        common: common(Mode::Full, threads),
    }
}

pub fn scaling_options() -> scaling::Options {
    let contenders = parse_list(&["extended", "guarded"]);
    scaling::Options {
        contenders,
        positions: positions(),
        depth: 9,
        nodes: 1_000_000,
        common: common(Mode::Full, 2),
    }
}

pub fn audit_options(threads: usize) -> audit::Options {
    let book = ["4k3/8/8/3p4/3P4/8/3RB3/4K3 w - - 0 1", "8/8/8/3p1K2/1k1P4/8/8/8 w - - 0 1"];
    audit::Options {
        contenders: parse_list(&["extended", "guarded", "off"]),
        books: vec![book.iter().map(|fen| fen.parse::<Board>().unwrap().setup()).collect()],
        book_names: vec!["tiny".into()],
        games: 3,
        depth: 6,
        per_class: 2,
        seed: 5,
        common: common(Mode::Full, threads),
    }
}

pub fn atlas_options(tables: &Path) -> atlas::Options {
    atlas::Options {
        tables: tables.to_path_buf(),
        contenders: parse_list(&["off", "fixed:r=3", "extended"]),
        depths: vec![4],
        placements: atlas::Placements { most: 20_000, seed: 1 },
        searched: 5,
        common: common(Mode::Plain, 2),
    }
}

pub fn worth_options(threads: usize) -> worth::Options {
    let games = match_options(threads, 4);
    let load = |name: &str| worth::Evaluation::load(&PathBuf::from(name)).unwrap();
    worth::Options {
        sides: [games.first, games.second],
        evaluations: ["<material>", "<embedded>"].map(load).into(),
        limits: vec![Limit::Nodes(200), Limit::Nodes(400)],
        book: games.book,
        book_name: games.book_name,
        seed: games.seed,
        games: games.games,
        common: games.common,
    }
}
