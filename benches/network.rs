//! The network: evaluations per second on every instruction set of this build, from scratch and along a tree.

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

/// Answers to a move that are tried.
const ANSWERS: usize = 4;

fn positions() -> Vec<Board> {
    POSITIONS.iter().map(|fen| fen.parse().expect("a position")).collect()
}

/// Visits the positions as a search does: every move, and a few answers to each. Returns how many that were.
fn visit_tree<O: Observer>(
    board: &mut Board,
    observer: &mut O,
    visit: &mut impl FnMut(&Board, &mut O),
) -> u64 {
    let mut visited = 0;
    for m in board.legal_moves() {
        board.make(m, observer);
        visit(board, observer);
        let answers = board.legal_moves();
        for &answer in answers.iter().take(ANSWERS) {
            board.make(answer, observer);
            visit(board, observer);
            board.undo(answer, observer);
        }
        board.undo(m, observer);
        visited += 1 + answers.len().min(ANSWERS) as u64;
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
            let mut evaluator: Evaluator<V> = Evaluator::new(Arc::clone(&self.network));
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
    // What the trees cost without a network.
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
