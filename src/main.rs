//! The `caesura` program.

use caesura::{board::Board, perft};

fn main() {
    let depth = std::env::args().nth(1).and_then(|d| d.parse().ok()).unwrap_or(6);
    let t = std::time::Instant::now();
    let n = perft::perft(&mut Board::start(), depth);
    println!("{n} {:?} {} Mnps", t.elapsed(), n as f64 / t.elapsed().as_secs_f64() / 1e6);
}
