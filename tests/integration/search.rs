//! What the search finds: exact mates with whole lines, draws by rule, zugzwangs.

use std::ops::RangeInclusive;

use caesura::board::Board;
use caesura::board::notation::parse_uci;
use caesura::clock::Limits;
use caesura::search::null_move::SchemeName;
use caesura::types::{Value, mate_in, mated_in};

use crate::search_client::{board, engine, search};

/// The position after some moves.
fn after(fen: &str, moves: &str) -> Board {
    let mut board = board(fen);
    for text in moves.split_whitespace() {
        let m = parse_uci(&board, text).unwrap_or_else(|| panic!("{text} in {board}"));
        board.make_move(m, &mut ());
    }
    board
}

/// A search that ends when the mate is found, or it is clear that it is not. Several threads never search the
/// same tree twice: they get nodes enough for the unluckiest.
fn mate(moves: i32, threads: usize) -> Limits {
    let several = threads > 1;
    if moves > 0 {
        let limit = if several { 200_000_000 } else { 10_000_000 };
        Limits { mate: Some(moves.unsigned_abs()), ..Limits::nodes(limit) }
    } else {
        Limits::nodes(if several { 2_000_000 } else { 500_000 })
    }
}

/// Back-rank mate in one.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// Positions, and in how many moves the side to move mates; below zero, is mated.
const MATES: &[(&str, i32)] = &[
    (MATE_IN_ONE, 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", 2),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("2k5/2N5/1PKP4/2P5/8/8/8/8 w - - 0 1", 3),
    ("2q5/4B2p/7n/4p1pk/P2n1b2/R3P2P/2r3P1/1Q3R1K b - - 0 1", 3),
    ("2rB4/1b1n1pp1/pn4Rp/1Q2NB2/2pK1k1r/3RN1pr/4P3/8 w - - 0 1", 3),
    ("8/8/5pp1/6k1/6p1/6K1/8/7Q w - - 0 1", 4),
    ("8/2NNkBB1/8/4K3/8/8/8/8 w - - 0 1", 5),
    ("6K1/8/6kp/8/7B/6N1/5P2/8 w - - 0 1", 5),
    ("8/8/N1k5/KpN1P3/4P3/8/8/8 w - - 0 1", 5),
    ("k7/2K5/8/8/8/8/8/1R6 b - - 0 1", -1),
    ("5n2/KR2p3/2pp4/k2pB3/P7/pPpN3b/5pp1/5rq1 b - - 0 1", -2),
    ("1NR2B2/5p2/5p2/1p1kpp2/1P2rp2/2P1pB2/2P1P1K1/8 b - - 0 1", -2),
    ("k7/n1RN4/B7/8/K7/4n3/8/8 b - - 0 1", -3),
    ("Q7/8/5pp1/6k1/6p1/6K1/8/8 b - - 0 1", -3),
];

fn mate_score(moves: i32) -> Value {
    if moves > 0 { mate_in(2 * moves as usize - 1) } else { mated_in(2 * moves.unsigned_abs() as usize) }
}

fn find_mates(scheme: SchemeName, threads: usize, range: RangeInclusive<i32>) {
    let mut engine = engine(threads);
    engine.options_mut().null_move = scheme;
    for &(fen, moves) in MATES.iter().filter(|(_, moves)| range.contains(moves)) {
        engine.new_game().expect("idle");
        let board = board(fen);
        let report = search(&mut engine, &board, mate(moves, threads));
        let found: Vec<_> = report.lines.iter().map(|line| (line.depth, line.score, line.nodes)).collect();
        assert_eq!(report.last().score, mate_score(moves), "{fen} ({scheme:?}): {found:?}");
        assert_eq!(report.best, report.last().pv.first().copied(), "{fen}");
    }
}

#[test]
fn mates_are_exact_without_null_moves() {
    find_mates(SchemeName::Off, 1, -5..=5);
}

#[test]
fn mates_are_exact_with_extended_null_move_reductions() {
    find_mates(SchemeName::Extended, 1, -5..=5);
}

#[test]
#[ignore = "slow: every scheme searches every position"]
fn near_mates_are_exact_with_every_scheme() {
    for scheme in SchemeName::ALL {
        find_mates(scheme, 1, -1..=2);
    }
}

#[test]
fn mates_are_exact_in_several_threads() {
    find_mates(SchemeName::Extended, 3, -5..=5);
}

/// How many moves the side to move needs to mate, if that is at most `moves`: every move is tried.
fn brute_force_mate(board: &mut Board, moves: i32) -> Option<i32> {
    (1..=moves).find(|&moves| mates(board, moves))
}

fn mates(board: &mut Board, moves: i32) -> bool {
    board.legal_moves().into_iter().any(|m| {
        board.make_move(m, &mut ());
        let answers = board.legal_moves();
        let forced = if answers.is_empty() {
            board.in_check()
        } else {
            moves > 1
                && answers.into_iter().all(|answer| {
                    board.make_move(answer, &mut ());
                    let mated = mates(board, moves - 1);
                    board.unmake_move(answer, &mut ());
                    mated
                })
        };
        board.unmake_move(m, &mut ());
        forced
    })
}

#[test]
fn mates_agree_with_brute_force() {
    let mut engine = engine(1);
    let mut found = [0; 4];
    for index in 0..128 {
        // The weak king on its last rank, the strong one on the sixth, a rook or a queen below. What the table
        // holds of one position is there when the next is searched.
        let (weak, strong, heavy) = (56 + index % 4, 40 + index / 4 % 8, (index * 7 + index / 64) % 40);
        let mut letters = [b'1'; 64];
        letters[heavy] = if index < 64 { b'R' } else { b'Q' };
        letters[strong] = b'K';
        letters[weak] = b'k';
        let ranks: Vec<&str> =
            letters.chunks(8).rev().map(|rank| std::str::from_utf8(rank).expect("letters")).collect();
        let Ok(mut board) = format!("{} w - - 0 1", ranks.join("/")).parse::<Board>() else { continue };
        let Some(moves) = brute_force_mate(&mut board, 3) else { continue };
        found[moves as usize] += 1;
        let report = search(&mut engine, &board, mate(moves, 1));
        assert_eq!(report.last().score, mate_score(moves), "{board}");
    }
    assert!(found[1..].iter().all(|&mates| mates >= 10), "{found:?}");
}

#[test]
fn a_perpetual_check_saves_the_game() {
    // A rook and a queen down; the only way not to lose is to give check on e8 and h5 for ever.
    let board = board("6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1");
    for threads in [1, 3] {
        let mut engine = engine(threads);
        for scheme in SchemeName::ALL {
            engine.new_game().expect("idle");
            engine.options_mut().null_move = scheme;
            let report = search(&mut engine, &board, Limits::nodes(100_000));
            assert_eq!(report.last().score, 0, "{scheme:?}");
            assert_eq!(report.best, parse_uci(&board, "h5e8"), "{scheme:?}");
        }
    }
}

#[test]
fn the_game_before_the_root_counts() {
    let lost = "6k1/5ppp/8/8/8/6q1/8/7K b - - 0 1";
    // White, a queen down, can bring back a position that has stood twice: a draw at once.
    let shuffled = after(lost, "g3e5 h1g1 e5g3 g1h1 g3e5 h1g1 e5g3");
    let mut engine = engine(1);
    let report = search(&mut engine, &shuffled, Limits::depth(8));
    assert_eq!((report.last().score, report.best), (0, parse_uci(&shuffled, "g1h1")));
    // The same position without the game is lost.
    let fresh = board(&shuffled.to_string());
    engine.new_game().expect("idle");
    assert!(search(&mut engine, &fresh, Limits::depth(8)).last().score < -300);
}

#[test]
fn the_fifty_move_rule_is_kept() {
    let mut engine = engine(1);
    let mut score = |fen: &str| {
        engine.new_game().expect("idle");
        search(&mut engine, &board(fen), Limits::depth(8)).last().score
    };
    // A mate on the hundredth ply counts; a draw that comes before it does not let it happen.
    assert_eq!(score("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 80"), mate_in(1));
    assert_eq!(score("k7/8/2K5/8/8/8/8/1R6 w - - 97 80"), mate_in(3));
    assert_eq!(score("k7/8/2K5/8/8/8/8/1R6 w - - 98 80"), 0);
    assert_eq!(score("k7/2K5/8/8/8/8/8/1R6 b - - 98 80"), mated_in(2));
    assert_eq!(score("k7/2K5/8/8/8/8/8/1R6 b - - 99 80"), 0);
    // No mate in one, no capture, no pawn: the next move draws.
    assert_eq!(score("8/8/8/3k4/8/8/8/KQ6 w - - 99 80"), 0);
    // A pawn can still move: the win goes on.
    assert!(score("8/8/8/3k4/8/8/P7/KQ6 w - - 99 80") > 300);
    // At the root itself the rule no longer asks: a move is wanted.
    assert_eq!(score("8/8/8/3k4/8/8/8/KQ6 w - - 100 80"), 0);
    assert_eq!(score("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 100 80"), mate_in(1));
}

#[test]
fn a_dead_draw_is_a_draw() {
    let mut engine = engine(2);
    for fen in ["8/8/8/3k4/8/8/8/K7 w - - 0 1", "8/8/8/3k4/8/8/8/KB6 b - - 0 1"] {
        let report = search(&mut engine, &board(fen), Limits::depth(6));
        assert_eq!(report.last().score, 0, "{fen}");
        assert!(report.best.is_some());
    }
}

/// Searches a position that is won only because the other side may not pass.
fn solve_zugzwang(scheme: SchemeName, fen: &str, best: &str, score: Option<Value>, limit: u64) {
    let mut engine = engine(1);
    engine.set_hash(64).expect("fits");
    engine.options_mut().null_move = scheme;
    let board = board(fen);
    // With the mate found nothing is left to do.
    let mate = score.map(|score| (mate_in(0) - score).unsigned_abs().div_ceil(2));
    let report = search(&mut engine, &board, Limits { mate, ..Limits::nodes(limit) });
    let found: Vec<_> = report.lines.iter().map(|line| (line.depth, line.score, line.nodes)).collect();
    assert_eq!(report.best, parse_uci(&board, best), "{fen}: {found:?}");
    if let Some(score) = score {
        assert_eq!(report.last().score, score, "{fen}: {found:?}");
    }
}

#[test]
fn zugzwangs_are_won_although_null_moves_are_tried() {
    for scheme in [SchemeName::Off, SchemeName::Reduce, SchemeName::Extended] {
        solve_zugzwang(scheme, "6Q1/8/8/7k/8/8/3p1pp1/3Kbrrb w - - 0 1", "g8g7", Some(mate_in(7)), 8_000_000);
        solve_zugzwang(scheme, "8/8/8/4N3/8/7p/8/5K1k w - - 0 1", "e5g4", None, 400_000);
    }
}

/// The position of figure 3 in the paper (David and Netanyahu 2008).
#[test]
fn the_zugzwang_of_the_paper_is_solved() {
    let fen = "8/8/8/2p5/1pp5/brpp4/1pprp2P/qnkbK3 w - - 0 1";
    for scheme in [SchemeName::Extended, SchemeName::Tuned] {
        solve_zugzwang(scheme, fen, "h2h3", Some(mate_in(29)), 10_000_000);
    }
}
