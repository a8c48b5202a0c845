//! The sides that are compared.

use std::time::Duration;

use caesura::engine::EngineError;
use clap::{Args, ValueEnum};
use cluster::entry_exchange::TICK;
use cluster::lockstep::{LockstepCluster, Simulation};

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Machines that share entries, and vote.
    Shared,
    /// As many threads over one table of the memory of all.
    OneTable,
    /// Machines that share nothing, and vote.
    Separate,
}

/// What all machines have in common.
#[derive(Args, Clone, Copy, Debug)]
pub struct Conditions {
    /// Megabytes of the table of each machine
    #[arg(long, default_value_t = 4)]
    hash: usize,
    /// Nodes of a turn
    #[arg(long, default_value_t = 50)]
    turn_nodes: u64,
    /// Nodes that a machine searches a second
    #[arg(long, default_value_t = 20_000)]
    speed: u64,
    /// Milliseconds after which entries are sent and stored again
    #[arg(long, default_value_t = TICK.as_millis() as u64)]
    tick: u64,
    /// Milliseconds that a packet is under way at most
    #[arg(long, default_value_t = 2)]
    delay: u64,
    /// Megabytes of entries that a machine sends a second to each other one
    #[arg(long, default_value_t = 16)]
    bandwidth: u64,
    /// The results of the other machines have no votes
    #[arg(long)]
    no_votes: bool,
}

impl Conditions {
    /// A side of this many machines with a thread each, and how many times the nodes of a machine its first one may search.
    pub fn start(&self, side: Side, machines: usize) -> Result<(LockstepCluster, u64), EngineError> {
        let simulation = Simulation {
            machines,
            threads: 1,
            hash: self.hash,
            turn_nodes: self.turn_nodes,
            nodes_per_second: self.speed,
            tick: Duration::from_millis(self.tick),
            delay: Duration::from_millis(self.delay),
            bytes_per_second: (side == Side::Shared).then_some(self.bandwidth << 20),
            votes: !self.no_votes,
        };
        let simulation = match side {
            Side::OneTable => {
                Simulation { machines: 1, threads: machines, hash: self.hash * machines, ..simulation }
            }
            Side::Shared | Side::Separate => simulation,
        };
        Ok((LockstepCluster::new(simulation)?, simulation.threads as u64))
    }
}
