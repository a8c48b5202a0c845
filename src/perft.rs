//! Perft: counts of the leaves of the tree of legal moves, by which the rules are tested against published counts.
//!
//! Positions of any material can be counted ([`fen::parse_any_material`](crate::board::fen::parse_any_material)).

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arrayvec::ArrayVec;

use crate::board::notation::to_uci;
use crate::board::{Board, GenType};
use crate::types::Move;
use crate::util::huge::{AllocError, HugeBox};
use crate::util::random::GOLDEN_RATIO;

/// The legal moves of a position, of more than any position with one king a side can have. Of a side with n pieces each of
/// the other 64 - n squares is reached by at most n of them, and by at most 16: one along each line and eight knights. That
/// is no more than 768 moves (n = 16); promotions count four times, which adds three for each of at most three pawns that
/// come to each of eight squares, 72 in all; and there are two castlings.
type Moves = ArrayVec<Move, { 768 + 72 + 2 }>;

fn moves(board: &Board) -> Moves {
    let mut moves = Moves::new();
    board.generate_into(GenType::All, &mut moves);
    moves
}

/// The greatest depth that can be asked for, in plies: the recursion does not overflow the stack. With a table, endings can be
/// counted to depths at which the leaves are more than a `u64` holds; then the count is `u64::MAX`.
pub const MAX_DEPTH: u32 = 64;

/// How many leaves the tree of legal moves has at `depth`. The last ply is counted, not played.
pub fn perft(board: &mut Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(board.count_legal_moves()),
        2 => moves(board).iter().map(|&m| u64::from(board.count_legal_moves_after(m))).sum(),
        _ => {
            let mut nodes = 0;
            for &m in &moves(board) {
                nodes += perft_after(board, m, depth - 1, None);
            }
            nodes
        }
    }
}

/// How many leaves the tree of legal moves has `depth` plies after the legal move `m`. Counts are kept in the table, if
/// there is one.
pub fn perft_after(board: &mut Board, m: Move, depth: u32, table: Option<&PerftTable>) -> u64 {
    board.make_move(m, &mut ());
    let nodes = match table {
        Some(table) => perft_with_table(board, depth, table),
        None => perft(board, depth),
    };
    board.unmake_move(m, &mut ());
    nodes
}

/// Leaves are counted at once up to this depth; beyond it, [`perft_until`] asks whether to go on.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// How many leaves the tree of legal moves has at `depth`; `None` as soon as `is_cancelled` returns true. It is called
/// every few milliseconds.
pub fn perft_until(board: &mut Board, depth: u32, is_cancelled: &dyn Fn() -> bool) -> Option<u64> {
    if depth <= UNINTERRUPTED_DEPTH {
        return (!is_cancelled()).then(|| perft(board, depth));
    }
    divide_until(board, depth, is_cancelled, |_, _| ())
}

/// [`perft_until`] at a depth of 1 or more, and `report` gets the leaves below each move as soon as they are counted.
pub fn divide_until(
    board: &mut Board,
    depth: u32,
    is_cancelled: &dyn Fn() -> bool,
    mut report: impl FnMut(Move, u64),
) -> Option<u64> {
    let mut nodes = 0;
    for &m in &moves(board) {
        board.make_move(m, &mut ());
        let below = perft_until(board, depth.saturating_sub(1), is_cancelled);
        board.unmake_move(m, &mut ());
        report(m, below?);
        nodes += below?;
    }
    Some(nodes)
}

/// The count of a root move as UCI engines write it: `e2e4: 20`.
pub fn root_move_line(board: &Board, root_move: Move, nodes: u64) -> String {
    format!("{}: {nodes}", to_uci(root_move, board.is_chess960()))
}

/// A table of counts of positions already walked, shared by all threads.
///
/// A slot holds the count and the key mixed with it, so that a slot written by two threads at once is
/// taken for another position's (Hyatt and Mann 2002, "A lockless transposition table implementation").
pub struct PerftTable {
    slots: HugeBox<[AtomicU64; 2]>,
}

impl PerftTable {
    /// A table of this many megabytes.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(megabytes: usize) -> Result<PerftTable, AllocError> {
        let bytes = megabytes.checked_mul(1 << 20).ok_or(AllocError::Size)?;
        Ok(PerftTable { slots: HugeBox::new(bytes / size_of::<[AtomicU64; 2]>())? })
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

fn perft_with_table(board: &mut Board, depth: u32, table: &PerftTable) -> u64 {
    if depth < 2 {
        return perft(board, depth);
    }
    // One position at two depths must not share a key.
    let key = board.key() ^ u64::from(depth).wrapping_mul(GOLDEN_RATIO);
    if let Some(nodes) = table.get(key) {
        return nodes;
    }
    let mut nodes: u64 = 0;
    for &m in &moves(board) {
        nodes = nodes.saturating_add(perft_after(board, m, depth - 1, Some(table)));
    }
    table.set(key, nodes);
    nodes
}

/// How many leaves the tree of legal moves has at `depth` below each root move, in the order of generation, counted by
/// several threads. At depth 0 there are no root moves.
pub fn divide(board: &Board, depth: u32, threads: usize, table: Option<&PerftTable>) -> Vec<(Move, u64)> {
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
            count.store(perft_after(&mut board, m, depth - 1, table), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, moves.len().max(1)) {
            // If a thread cannot be started, the others do its share.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    moves.iter().zip(counts).map(|(&m, count)| (m, count.into_inner())).collect()
}

/// The leaves below all root moves together: `u64::MAX` if they are as many or more.
pub fn total(divided: &[(Move, u64)]) -> u64 {
    divided.iter().fold(0, |sum, (_, nodes)| sum.saturating_add(*nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_tells_castling_rooks_of_one_side_apart() {
        let table = PerftTable::new(4).expect("memory");
        for rook in ["G", "H", "G"] {
            let fen = format!("4k3/8/8/8/8/8/P7/4K1RR w {rook} - 0 1");
            let mut board: Board = fen.parse().expect("a position");
            let counted = perft_with_table(&mut board, 3, &table);
            assert_eq!(counted, perft(&mut board, 3), "{fen}");
        }
    }

    #[test]
    fn more_leaves_than_a_number_holds_stay_the_greatest_number() {
        let table = PerftTable::new(16).expect("memory");
        let board: Board = "8/8/8/4k3/8/8/8/K7 w - - 0 1".parse().expect("a position");
        let counts: Vec<u64> =
            (18..=28).map(|depth| total(&divide(&board, depth, 1, Some(&table)))).collect();
        assert!(counts.is_sorted(), "{counts:?}");
        assert!(counts[0] < u64::MAX && counts.last() == Some(&u64::MAX), "{counts:?}");
    }
}
