//! What it is worth to share table entries: the nodes that the first of several machines searches itself until it has
//! reached a depth. Each machine is an engine with one thread and a small table in this process; they exchange entries over
//! a simulated network. Beside them, the two ends: machines that share nothing are each as fast as one alone, and threads
//! over one table share everything.
//!
//! The threads must come forward at the same speed, so fewer processors than machines will do, but they should have nothing
//! else to do. `cargo bench -p cluster --bench sharing -- [DEPTH]`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use caesura::engine::{Engine, Info, Limits, Listener, NullSearchObserver, NumaPolicy, SharedSearch};
use cluster::entry_exchange::EntryExchange;
use cluster::transport::{Faults, MemoryNetwork, MemoryTransport, Topic, Transport};
use cluster::wire::EntryPacket;

/// Megabytes of each table.
const HASH: usize = 4;
/// How long a packet is under way at most.
const DELAY: Duration = Duration::from_millis(2);
/// How often entries are sent.
const TICK: Duration = Duration::from_millis(5);
/// Bytes of entries a second.
const BANDWIDTH: u64 = 16 << 20;

const POSITIONS: [&str; 10] = [
    "r1bqkb1r/pp2pp1p/2np1np1/8/3NP3/2N1B3/PPP2PPP/R2QKB1R w KQkq - 0 7",
    "rnbqk2r/pp3ppp/4pn2/2pp4/1bPP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9",
    "r2q1rk1/1b2bppp/p1np1n2/1p2p3/4P3/1BN2N1P/PPP2PP1/R1BQR1K1 w - - 0 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Knows whether the search has ended.
#[derive(Default)]
struct End(AtomicBool);

impl Listener for End {
    fn line(&self, _info: &Info) {}

    fn best_move(&self, _best: Option<caesura::types::Move>, _ponder: Option<caesura::types::Move>) {
        self.0.store(true, Ordering::Release);
    }
}

fn engine(threads: usize, hash: usize, fen: &str) -> Engine {
    let mut engine = Engine::new(1, hash).expect("memory");
    // All of them search, however few processors there are.
    engine.set_numa_policy(NumaPolicy::Off).expect("idle");
    engine.set_threads(threads).expect("threads");
    engine.set_position(fen.parse().expect("a position"));
    engine
}

/// The nodes of the first thread of this many over one table.
fn one_table(threads: usize, fen: &str, depth: i32) -> f64 {
    let mut engine = engine(threads, HASH * threads, fen);
    engine.search(Limits { depth: Some(depth), ..Limits::default() }).expect("idle");
    engine.nodes_by_thread()[0] as f64
}

/// A machine that exchanges entries.
struct Machine {
    engine: Engine,
    search: SharedSearch,
    exchange: EntryExchange,
    transport: MemoryTransport,
}

/// The nodes of the first of this many machines that share entries, and how many entries each sent a second.
fn shared(machines: usize, fen: &str, depth: i32) -> (f64, f64) {
    let start = Instant::now();
    let faults = Faults { delay: DELAY, ..Faults::default() };
    let network = MemoryNetwork::new(1, faults, start);
    let machine = |number: usize| {
        let mut engine = engine(1, HASH, fen);
        let search = engine.share_searches(Arc::new(NullSearchObserver));
        let exchange = EntryExchange::new(number as u64, BANDWIDTH, start);
        Machine { engine, search, exchange, transport: network.join(&[Topic::Entries]) }
    };
    let mut all: Vec<Machine> = (0..machines).map(machine).collect();
    let end = Arc::new(End::default());
    for (number, machine) in all.iter_mut().enumerate().rev() {
        let limits = match number {
            0 => Limits { depth: Some(depth), ..Limits::default() },
            _ => Limits { infinite: true, ..Limits::default() },
        };
        let listener = if number == 0 { Arc::clone(&end) } else { Arc::default() };
        machine.engine.go(limits, listener).expect("idle");
    }
    let id = Some((0, 1));
    while !end.0.load(Ordering::Acquire) {
        thread::sleep(TICK);
        let now = Instant::now();
        for machine in &mut all {
            machine.exchange.send(&machine.search, id, &machine.transport, now);
        }
        network.advance(now);
        for machine in &mut all {
            for packet in machine.transport.packets().try_iter() {
                let packet = EntryPacket::read(&packet.bytes).expect("just packed");
                machine.exchange.receive(packet, &machine.search, id);
            }
        }
    }
    let nodes = all[0].engine.nodes() as f64;
    let sent: u64 = all.iter().map(|machine| machine.exchange.counts().sent).sum();
    (nodes, sent as f64 / machines as f64 / start.elapsed().as_secs_f64())
}

fn main() {
    let depth = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(15);
    println!("depth {depth}, tables of {HASH} MB; nodes of the first, as a share of those of one alone");
    println!("| machines | shared entries | one table | way to one table | entries a second |");
    println!("|---:|---:|---:|---:|---:|");
    for machines in [2, 4, 8] {
        let (mut entries, mut table, mut rate) = (0.0, 0.0, 0.0);
        for fen in POSITIONS {
            let alone = one_table(1, fen, depth);
            let (nodes, sent) = shared(machines, fen, depth);
            entries += (nodes / alone).ln();
            table += (one_table(machines, fen, depth) / alone).ln();
            rate += sent;
        }
        let count = POSITIONS.len() as f64;
        let way = 100.0 * entries / table;
        let (entries, table, rate) = ((entries / count).exp(), (table / count).exp(), rate / count);
        println!("| {machines} | {entries:.2} | {table:.2} | {way:.0} % | {rate:.0} |");
    }
}
