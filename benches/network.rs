//! The network: evaluations per second with every backend of this build, from scratch and along a tree.

#[path = "../tests/net/mod.rs"]
mod net;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use caesura::bench::POSITIONS;
use caesura::board::{Board, Observer};
use caesura::nnue::simd::{BackendVisitor, Vector, visit_backends};
use caesura::nnue::{Evaluator, Network};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use net::random_network;

/// Replies to each move that are visited.
const REPLIES: usize = 4;

fn positions() -> Vec<Board> {
    POSITIONS.iter().map(|fen| fen.parse().expect("a position")).collect()
}

/// Visits the positions as a search does: every move, and a few replies to each. Returns the number of positions.
fn visit_tree<O: Observer>(
    board: &mut Board,
    observer: &mut O,
    visit: &mut impl FnMut(&Board, &mut O),
) -> u64 {
    let mut visited = 0;
    for m in board.legal_moves() {
        board.make_move(m, observer);
        visit(board, observer);
        let replies = board.legal_moves();
        for &reply in replies.iter().take(REPLIES) {
            board.make_move(reply, observer);
            visit(board, observer);
            board.unmake_move(reply, observer);
        }
        board.unmake_move(m, observer);
        visited += 1 + replies.len().min(REPLIES) as u64;
    }
    visited
}

struct Evaluations<'a> {
    criterion: &'a mut Criterion,
    network: Arc<Network>,
}

impl BackendVisitor for Evaluations<'_> {
    fn visit<V: Vector>(&mut self) {
        let mut group = self.criterion.benchmark_group("network");
        group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
        let positions = positions();

        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(BenchmarkId::new("from scratch", V::NAME), |bencher| {
            bencher.iter(|| positions.iter().map(|board| self.network.evaluate::<V>(board)).sum::<i32>());
        });

        group.throughput(Throughput::Elements(tree_size()));
        group.bench_function(BenchmarkId::new("in trees", V::NAME), |bencher| {
            let mut boards = positions.clone();
            let mut evaluator: Evaluator<V> = Evaluator::new(Arc::clone(&self.network)).expect("memory");
            bencher.iter(|| {
                let mut sum = 0;
                for board in &mut boards {
                    evaluator.reset();
                    visit_tree(board, &mut evaluator, &mut |board, evaluator| {
                        sum += evaluator.evaluate(board)
                    });
                }
                sum
            });
        });
    }
}

fn tree_size() -> u64 {
    positions().iter_mut().map(|board| visit_tree(board, &mut (), &mut |_, ()| ())).sum()
}

fn evaluations(criterion: &mut Criterion) {
    let network = Arc::new(random_network(2));
    visit_backends(&mut Evaluations { criterion, network });
    // The cost of the moves alone.
    let mut group = criterion.benchmark_group("network");
    group.throughput(Throughput::Elements(tree_size()));
    group.bench_function("in trees/moves alone", |bencher| {
        let mut boards = positions();
        bencher.iter(|| {
            for board in &mut boards {
                visit_tree(board, &mut (), &mut |board, ()| {
                    black_box(board);
                });
            }
        });
    });
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
