//! Time to depth.

use caesura::bench::POSITIONS;
use caesura::board::Board;
use caesura::engine::{EngineError, Limits};
use caesura::types::Depth;
use cluster::lockstep::LockstepCluster;

use crate::sides::{Conditions, Side};

/// Searches that need fewer nodes say nothing.
const MIN_NODES: u64 = 5000;

/// The nodes of the first thread until it has reached a depth.
fn nodes(cluster: &mut LockstepCluster, board: &Board, depth: Depth) -> Result<f64, EngineError> {
    cluster.new_game(board)?;
    cluster.search(board, Limits::depth(depth))?;
    Ok(cluster.first_thread_nodes() as f64)
}

/// Prints a table of the nodes of the first machine, as a share of what it needs alone: geometric means over the positions
/// of the benchmark, with the standard errors of their logarithms.
pub fn run(conditions: &Conditions, depth: Depth, machines: &[usize]) -> Result<(), EngineError> {
    let boards: Vec<Board> = POSITIONS.iter().filter_map(|fen| fen.parse().ok()).collect();
    let (mut one, _) = conditions.start(Side::Separate, 1)?;
    let mut positions = Vec::new();
    for board in boards {
        let alone = nodes(&mut one, &board, depth)?;
        if alone >= MIN_NODES as f64 {
            positions.push((board, alone));
        }
    }
    println!("depth {depth}, {} positions, {conditions:?}", positions.len());
    println!("| machines | shared entries | one table | way to one table | entries of 1000 nodes |");
    println!("|---:|---:|---:|---:|---:|");
    for &machines in machines {
        let (mut shared, _) = conditions.start(Side::Shared, machines)?;
        let (mut table, _) = conditions.start(Side::OneTable, machines)?;
        let (mut by_shared, mut by_table, mut sent, mut searched) = (Vec::new(), Vec::new(), 0, 0.0);
        for (board, alone) in &positions {
            let needed = nodes(&mut shared, board, depth)?;
            by_shared.push((needed / alone).ln());
            by_table.push((nodes(&mut table, board, depth)? / alone).ln());
            sent += shared.counts().sent;
            searched += needed * machines as f64;
        }
        let way = 100.0 * mean(&by_shared).0 / mean(&by_table).0;
        let rate = 1000.0 * sent as f64 / searched;
        println!("| {machines} | {} | {} | {way:.0} % | {rate:.1} |", share(&by_shared), share(&by_table));
    }
    Ok(())
}

/// The mean of some numbers, and its standard error.
fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, (squares / (count * (count - 1.0).max(1.0))).sqrt())
}

/// A geometric mean with its standard error, of the logarithms.
fn share(logarithms: &[f64]) -> String {
    let (mean, error) = mean(logarithms);
    format!("{:.2} ± {:.2}", mean.exp(), mean.exp() * error)
}
