//! A search of one ply, for when no search thread has found anything in time: one that has not begun among many more
//! threads than processors, or quiescence that does not end with many queens on the board.

use std::cmp::Reverse;

use super::job::Job;
use super::reports::Info;
use crate::board::{Board, GenType, MoveList};
use crate::nnue::Network;
use crate::nnue::simd::Native;
use crate::types::{Bound, DRAW, MAX_EVAL, Move, Value, is_decisive, mate_in};

/// The line of the best root move of a job as far as one ply shows it: what the transposition table knows of the root
/// position, else the move after which the static evaluation is best when the opponent has made the capture that wins
/// most. `None` if there is no root move.
///
/// Takes some microseconds for each root move.
pub fn search_one_ply(job: &Job) -> Option<Info> {
    let request = &job.request;
    let moves = request.best_ranked_moves();
    let known = job.table.probe(request.board.key(), 0).and_then(|entry| {
        let value = entry.value.filter(|&value| entry.bound == Bound::Exact && !is_decisive(value))?;
        Some((entry.best_move.filter(|m| moves.contains(m))?, value))
    });
    let network = &request.options.network;
    let searched = || {
        let values = moves.iter().map(|&m| (m, value_after(&request.board, m, network)));
        // Of equal moves the first.
        values.min_by_key(|&(_, value)| Reverse(value))
    };
    let (m, score) = known.or_else(searched)?;
    let score = request.ranking.as_ref().map_or(score, |ranking| ranking.moves[0].value);
    let (nodes, time) = (job.results.nodes(), request.started.elapsed());
    Some(Info { depth: 1, seldepth: 1, multipv: 1, score, nodes, time, pv: vec![m], ..Info::default() })
}

/// The lines that a search has found or, if it has found none, the one of [`search_one_ply`].
pub fn lines_or_one_ply(job: &Job, lines: Vec<Info>) -> Vec<Info> {
    if lines.is_empty() { search_one_ply(job).into_iter().collect() } else { lines }
}

/// The value of a position after the legal move `m`, in centipawns for the side that makes it.
fn value_after(board: &Board, m: Move, network: &Network) -> Value {
    let mut board = board.clone();
    board.make_move(m, &mut ());
    if board.count_legal_moves() == 0 {
        return if board.in_check() { mate_in(1) } else { DRAW };
    }
    if board.is_draw(1) {
        return DRAW;
    }
    (-network.evaluate::<Native>(&board) - best_exchange(&board)).clamp(-MAX_EVAL, MAX_EVAL)
}

/// What the side to move wins at least by its best capture or promotion, in centipawns; 0 if it wins nothing.
fn best_exchange(board: &Board) -> Value {
    let mut moves = MoveList::new();
    board.generate_into(GenType::Noisy, &mut moves);
    moves.iter().fold(0, |best, &m| {
        let gain = board.gain(m);
        if gain <= best || !board.see_ge(m, best + 1) {
            best
        } else if board.see_ge(m, gain) {
            gain
        } else {
            best + 1
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::to_uci;
    use crate::clock::Limits;
    use crate::search::tests::material_request;
    use crate::tt::TableEntry;

    fn job(fen: &str, search_moves: impl Fn(&Board) -> Vec<Move>) -> Job {
        let board: Board = fen.parse().expect(fen);
        let limits = Limits { search_moves: search_moves(&board), ..Limits::default() };
        crate::search::tests::job(material_request(board, limits))
    }

    fn best(job: &Job) -> Option<(String, Value)> {
        let line = search_one_ply(job)?;
        Some((to_uci(line.pv[0], false).to_string(), line.score))
    }

    #[test]
    fn mates_and_captures_that_win_are_found_and_stalemates_and_losses_left_alone() {
        for (fen, found) in [
            ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
            // The pawn on d5 is defended, the one on a5 is not.
            ("4k3/8/4p3/p2p4/8/8/8/Q2RK3 w - - 0 1", "a1a5"),
            // One move of the queen mates, another stalemates.
            ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f8"),
        ] {
            assert_eq!(best(&job(fen, |_| vec![])).map(|(m, _)| m).as_deref(), Some(found), "{fen}");
        }
        assert_eq!(best(&job("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", |_| vec![])), None);
    }

    #[test]
    fn only_root_moves_count_and_what_the_table_knows_comes_first() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
        let job = job(fen, |board| board.legal_moves()[..2].to_vec());
        let moves = job.request.root_moves.clone();
        assert!(search_one_ply(&job).is_some_and(|line| moves.contains(&line.pv[0])));
        let mut entry = TableEntry {
            best_move: Some(moves[1]),
            value: Some(123),
            depth: 5,
            bound: Bound::Exact,
            ..TableEntry::of_static_eval(7)
        };
        job.table.store(job.request.board.key(), 0, &entry);
        let line = search_one_ply(&job).expect("a move");
        assert_eq!((line.pv[0], line.score), (moves[1], 123));
        entry.best_move = job.request.board.legal_moves().into_iter().find(|m| !moves.contains(m));
        job.table.store(job.request.board.key(), 0, &TableEntry { depth: 9, ..entry });
        assert!(search_one_ply(&job).is_some_and(|line| moves.contains(&line.pv[0]) && line.score != 123));
    }
}
