//! The rules of chess beside two other libraries: node counts, and moves played and taken back.
//!
//! All three count in bulk: the moves of the last ply are counted and not played. Elements are leaves in the
//! first group and moves in the second.

use std::hint::black_box;
use std::time::Duration;

use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::perft::perft;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Name, position, depth and leaves.
const TREES: [(&str, &str, u32, u64); 4] = [
    ("start/5", START, 5, 4_865_609),
    ("start/6", START, 6, 119_060_324),
    ("kiwipete/4", KIWIPETE, 4, 4_085_603),
    ("kiwipete/5", KIWIPETE, 5, 193_690_690),
];

fn caesura_board(fen: &str) -> Board {
    fen.parse().expect("a legal position")
}

fn cozy_board(fen: &str) -> cozy_chess::Board {
    // Chess960 castling rights name the rooks' files.
    let shredder = cozy_chess::Board::from_fen(fen, true);
    shredder.or_else(|_| cozy_chess::Board::from_fen(fen, false)).expect("a legal position")
}

fn shakmaty_board(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a position");
    fen.into_position(CastlingMode::Chess960).expect("a legal position")
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for m in moves {
                let mut next = board.clone();
                next.play_unchecked(m);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn shakmaty_perft(board: &Chess, depth: u32) -> u64 {
    let moves = board.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for m in moves {
        let mut next = board.clone();
        next.play_unchecked(m);
        nodes += shakmaty_perft(&next, depth - 1);
    }
    nodes
}

fn perfts(criterion: &mut Criterion) {
    for (name, fen, depth, leaves) in TREES {
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group.throughput(Throughput::Elements(leaves)).sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
        let mut board = caesura_board(fen);
        group.bench_function("caesura", |bencher| {
            bencher.iter(|| assert_eq!(perft(black_box(&mut board), depth), leaves));
        });
        let board = cozy_board(fen);
        group.bench_function("cozy-chess", |bencher| {
            bencher.iter(|| assert_eq!(cozy_perft(black_box(&board), depth), leaves));
        });
        let board = shakmaty_board(fen);
        group.bench_function("shakmaty", |bencher| {
            bencher.iter(|| assert_eq!(shakmaty_perft(black_box(&board), depth), leaves));
        });
        group.finish();
    }
}

/// All legal moves of all bench positions, played and taken back; the two libraries that cannot take back copy
/// the board instead.
fn moves(criterion: &mut Criterion) {
    let mut ours: Vec<_> = POSITIONS
        .map(|fen| {
            let board = caesura_board(fen);
            let moves = board.legal_moves();
            (board, moves)
        })
        .into();
    let cozy = POSITIONS.map(|fen| {
        let board = cozy_board(fen);
        let mut moves = Vec::new();
        board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        (board, moves)
    });
    let shakmaty = POSITIONS.map(|fen| {
        let board = shakmaty_board(fen);
        let moves = board.legal_moves();
        (board, moves)
    });
    let count: usize = ours.iter().map(|(_, moves)| moves.len()).sum();
    assert_eq!(count, cozy.iter().map(|(_, moves)| moves.len()).sum::<usize>());
    assert_eq!(count, shakmaty.iter().map(|(_, moves)| moves.len()).sum::<usize>());

    let mut group = criterion.benchmark_group("make and unmake");
    group.throughput(Throughput::Elements(count as u64));
    group.bench_function(BenchmarkId::from_parameter("caesura"), |bencher| {
        bencher.iter(|| {
            for (board, moves) in &mut ours {
                for &m in moves.iter() {
                    board.make_move(m, &mut ());
                    black_box(&*board);
                    board.unmake_move(m, &mut ());
                }
            }
        });
    });
    group.bench_function(BenchmarkId::from_parameter("cozy-chess"), |bencher| {
        bencher.iter(|| {
            for (board, moves) in &cozy {
                for &m in moves {
                    let mut next = board.clone();
                    next.play_unchecked(m);
                    black_box(&next);
                }
            }
        });
    });
    group.bench_function(BenchmarkId::from_parameter("shakmaty"), |bencher| {
        bencher.iter(|| {
            for (board, moves) in &shakmaty {
                for &m in moves {
                    let mut next = board.clone();
                    next.play_unchecked(m);
                    black_box(&next);
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, perfts, moves);
criterion_main!(benches);
