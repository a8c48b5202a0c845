//! Plays a line of moves on to the end of the game.

use super::ranking::Ranking;
use super::tables::Tablebase;
use crate::board::Board;
use crate::types::{Move, is_win};

/// The longest line, in plies.
const MAX_LINE: usize = 1000;

/// Extends a line that leads to a position which the tables decide: with moves that keep the win and come nearest to the
/// next capture or pawn move, and the longest defence, until the game ends or `stop`
/// says so, which is given the number of positions looked up so far. Moves of the line that give the win away, once the
/// tables know it, are cut off first, but not the first move.
///
/// `root` is the position before the line; `wins`, that the side to move there wins. Positions of more than `max_pieces`
/// pieces are not looked up. Returns how many were.
pub fn extend(
    tables: &Tablebase,
    root: &Board,
    wins: bool,
    line: &mut Vec<Move>,
    (max_pieces, fifty_move_rule): (u32, bool),
    mut stop: impl FnMut(u64) -> bool,
) -> u64 {
    let mut board = root.clone();
    let mut hits = 0;
    let moves = line.clone();
    for (index, &m) in moves.iter().enumerate() {
        board.make_move(m, &mut ());
        if board.occupied().count() > max_pieces {
            continue;
        }
        if stop(hits) {
            return hits;
        }
        hits += 1;
        let Some(dtz) = tables.probe_dtz(&board) else { return hits };
        let in_time = !fifty_move_rule || dtz.0.abs() + i32::from(board.rule50()) <= 100;
        let winner_is_to_move = wins == (index % 2 == 1);
        let kept = in_time && dtz.0.signum() == if winner_is_to_move { 1 } else { -1 };
        if !kept {
            line.truncate(index.max(1));
            if index == 0 {
                return hits;
            }
            board.unmake_move(m, &mut ());
            break;
        }
    }
    while line.len() < MAX_LINE
        && board.occupied().count() <= max_pieces
        && !board.is_draw_under(0, fifty_move_rule)
        && !stop(hits)
    {
        let Some(ranking) = Ranking::of(tables, &board, &board.legal_moves(), fifty_move_rule) else { break };
        hits += ranking.hits;
        let Some(best) = ranking.moves.first().filter(|best| is_win(best.value.abs())) else { break };
        if !ranking.by_distance {
            break;
        }
        line.push(best.m);
        board.make_move(best.m, &mut ());
    }
    hits
}
