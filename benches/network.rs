//! The network: evaluations per second on every instruction set of this build, from scratch and along games, and
//! nodes per second of a search that uses it beside one that does not.

#[path = "../tests/net/mod.rs"]
mod net;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use caesura::bench::{POSITIONS, Setup, Total, run};
use caesura::board::Board;
use caesura::nnue::simd::{Vector, Visitor, visit_all};
use caesura::nnue::{Evaluator, Network};
use caesura::types::Move;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use net::{Random, material_file, random_network, shuffled_start};

/// Plies of a game.
const PLIES: usize = 80;
/// The depth of every search.
const DEPTH: i32 = 9;
/// Nodes that times are scaled to.
const NODES: u64 = 1_000_000;

fn positions() -> Vec<Board> {
    POSITIONS.iter().map(|fen| fen.parse().expect("a position")).collect()
}

/// Random games: where they begin, and their moves.
fn games() -> Vec<(Board, Vec<Move>)> {
    let mut random = Random(1);
    let mut game = || {
        let start = shuffled_start(&mut random, false);
        let (mut board, mut moves) = (start.clone(), Vec::new());
        while moves.len() < PLIES && !board.legal_moves().is_empty() {
            let m = *random.pick(&board.legal_moves());
            board.make(m, &mut ());
            moves.push(m);
        }
        (start, moves)
    };
    (0..50).map(|_| game()).collect()
}

struct Evaluations<'a> {
    criterion: &'a mut Criterion,
    network: Arc<Network>,
}

impl Visitor for Evaluations<'_> {
    fn visit<V: Vector>(&mut self) {
        let mut group = self.criterion.benchmark_group("network");
        group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
        let (positions, games) = (positions(), games());

        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(BenchmarkId::new("from scratch", V::NAME), |bencher| {
            bencher.iter(|| positions.iter().map(|board| self.network.evaluate::<V>(board)).sum::<i32>());
        });

        // Moves are made and taken back in both: the difference is the network's.
        let plies = games.iter().map(|(_, moves)| moves.len() as u64).sum();
        group.throughput(Throughput::Elements(plies));
        let mut evaluators: Vec<Evaluator<V>> =
            games.iter().map(|(start, _)| Evaluator::new(Arc::clone(&self.network), start)).collect();
        group.bench_function(BenchmarkId::new("along games", V::NAME), |bencher| {
            bencher.iter(|| {
                let mut sum = 0;
                for ((start, moves), evaluator) in games.iter().zip(&mut evaluators) {
                    let mut board = start.clone();
                    for &m in moves {
                        board.make(m, evaluator);
                        sum += evaluator.evaluate(&board);
                    }
                    for &m in moves.iter().rev() {
                        board.undo(m, evaluator);
                    }
                }
                sum
            });
        });
    }
}

fn evaluations(criterion: &mut Criterion) {
    let network = Arc::new(random_network(2));
    visit_all(&mut Evaluations { criterion, network });
    let games = games();
    let mut group = criterion.benchmark_group("network");
    group.throughput(Throughput::Elements(games.iter().map(|(_, moves)| moves.len() as u64).sum()));
    group.bench_function("along games/moves alone", |bencher| {
        bencher.iter(|| {
            for (start, moves) in &games {
                let mut board = start.clone();
                moves.iter().for_each(|&m| board.make(m, &mut ()));
                moves.iter().rev().for_each(|&m| board.undo(m, &mut ()));
                black_box(&board);
            }
        });
    });
}

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search by");
    group.throughput(Throughput::Elements(NODES)).sampling_mode(SamplingMode::Flat).sample_size(10);
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(10));
    let material = Network::parse(&material_file(2)).expect("a network");
    for (name, network) in [("hand-written", None), ("network", Some(Arc::new(material)))] {
        let setup = Setup { depth: DEPTH, network, ..Setup::default() };
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                let mut all = Total::default();
                for _ in 0..rounds {
                    let total = run(&setup, |_| {}).expect("memory and threads");
                    all.nodes += total.nodes;
                    all.time += total.time;
                }
                all.time.mul_f64((rounds * NODES) as f64 / all.nodes as f64)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, evaluations, searches);
criterion_main!(benches);
