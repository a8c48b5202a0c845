//! What it is worth to share table entries between machines: simulated machines, whose searches repeat, against one
//! machine, in time to depth and in games. The two ends are machines that share nothing but their votes, and as many
//! threads over one table of the memory of all.
//!
//! `cargo bench -p cluster --bench sharing -- depth`, and `... -- games BOOK`; `--help` has the rest.

mod depth;
mod games;
mod sides;

use std::error::Error;
use std::path::PathBuf;

use caesura::types::Depth;
use clap::{Parser, Subcommand};
use datagen::opening::read_positions;

use sides::{Conditions, Side};

/// What it is worth to share table entries between machines.
#[derive(Parser)]
struct Arguments {
    /// Cargo says so.
    #[arg(long, hide = true, global = true)]
    bench: bool,
    #[command(flatten)]
    conditions: Conditions,
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    /// Nodes of the first machine until it reaches a depth, as a share of what it needs alone.
    Depth {
        /// The depth, in plies.
        #[arg(long, default_value_t = 13)]
        depth: Depth,
        /// How many machines; may be given several times.
        #[arg(long = "machines", default_values_t = [2, 4, 8])]
        machines: Vec<usize>,
    },
    /// Games of a side against one machine, two for each opening.
    Games {
        /// Openings, one FEN or EPD a line.
        book: PathBuf,
        /// Which side.
        #[arg(long, value_enum, default_value_t = Side::Shared)]
        side: Side,
        /// How many machines the side has.
        #[arg(long, default_value_t = 4)]
        machines: usize,
        /// Nodes that each machine searches for a move.
        #[arg(long, default_value_t = 2000)]
        nodes: u64,
        /// How many games.
        #[arg(long, default_value_t = 400)]
        games: usize,
    },
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { conditions, experiment, .. } = Arguments::parse();
    match experiment {
        Experiment::Depth { depth, machines } => depth::run(&conditions, depth, &machines)?,
        Experiment::Games { book, side, machines, nodes, games } => {
            let openings = read_positions(&book)?;
            games::run(&conditions, (side, machines), nodes, &openings[..openings.len().min(games / 2)])?;
        }
    }
    Ok(())
}
