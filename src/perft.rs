//! Node counts of the move tree, the proof of the rules.
//!
//! Positions of any material can be counted ([`fen::parse_any_material`](crate::board::fen::parse_any_material)).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arrayvec::ArrayVec;

use crate::board::{Board, GenType};
use crate::types::Move;

/// More than any position of one king a side can have. Of a side with n pieces each of the other 64 - n squares is
/// reached by at most n of them, and by at most 16: one along each line and eight knights. That is no more than
/// 768 moves (n = 16); promotions count four times, which adds three for each of at most three pawns that come to
/// each of eight squares, 72 in all; and there are two castlings.
type Moves = ArrayVec<Move, { 768 + 72 + 2 }>;

fn moves(board: &Board) -> Moves {
    let mut moves = Moves::new();
    board.generate_into(GenType::All, &mut moves);
    moves
}

/// The greatest depth that can be asked for, in plies: far beyond what can be counted, and safe for the stack.
pub const MAX_DEPTH: u32 = 64;

/// How many leaves the tree of legal moves has at `depth`. The last ply is counted, not played.
pub fn perft(board: &mut Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(board.count_legal_moves()),
        _ => {
            let mut nodes = 0;
            for m in moves(board) {
                board.make_move(m, &mut ());
                nodes += perft(board, depth - 1);
                board.unmake_move(m, &mut ());
            }
            nodes
        }
    }
}

/// A table of counts of positions already walked, shared by all threads.
///
/// A slot holds the count and the key mixed with it, so that a slot written by two threads at once reads as
/// another position's (Hyatt and Mann 2002, "A lockless transposition table implementation").
pub struct PerftTable {
    slots: Vec<[AtomicU64; 2]>,
}

impl PerftTable {
    /// A table of at most `megabytes`; `None` if there is no memory for it.
    pub fn new(megabytes: usize) -> Option<PerftTable> {
        let count = (megabytes.checked_mul(1 << 20)? / size_of::<[AtomicU64; 2]>()).max(1);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize_with(count, Default::default);
        Some(PerftTable { slots })
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }

    fn get(&self, key: u64) -> Option<u64> {
        let [check, nodes] = self.slot(key);
        let nodes = nodes.load(Ordering::Relaxed);
        (check.load(Ordering::Relaxed) == key ^ nodes && nodes != 0).then_some(nodes)
    }

    fn set(&self, key: u64, count: u64) {
        let [check, nodes] = self.slot(key);
        check.store(key ^ count, Ordering::Relaxed);
        nodes.store(count, Ordering::Relaxed);
    }
}

fn perft_with_table(board: &mut Board, depth: u32, cache: &PerftTable) -> u64 {
    if depth < 2 {
        return perft(board, depth);
    }
    // One position at two depths must not share a key.
    let key = board.key() ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    if let Some(nodes) = cache.get(key) {
        return nodes;
    }
    let mut nodes = 0;
    for m in moves(board) {
        board.make_move(m, &mut ());
        nodes += perft_with_table(board, depth - 1, cache);
        board.unmake_move(m, &mut ());
    }
    cache.set(key, nodes);
    nodes
}

/// The count below each legal move, in the order of generation, on several threads.
pub fn divide(board: &Board, depth: u32, threads: usize, cache: Option<&PerftTable>) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = moves(board);
    let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut board = board.clone();
        while let Some((&m, count)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            moves.get(index).zip(counts.get(index))
        } {
            board.make_move(m, &mut ());
            let nodes = match cache {
                Some(cache) => perft_with_table(&mut board, depth - 1, cache),
                None => perft(&mut board, depth - 1),
            };
            board.unmake_move(m, &mut ());
            count.store(nodes, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, moves.len().max(1)) {
            // A thread that cannot be had leaves its share to the others.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    moves.iter().zip(counts).map(|(&m, count)| (m, count.into_inner())).collect()
}
