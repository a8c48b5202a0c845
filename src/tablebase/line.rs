//! Plays a line of moves on to the end of the game.

use super::ranking::Ranking;
use super::tables::Tablebase;
use crate::board::Board;
use crate::types::{Move, is_win};

/// The longest line, in plies.
const MAX_LINE: usize = 1000;

/// Extends a line that leads to a position which the tables decide: with moves that keep the win and come nearest to the
/// next capture or pawn move, and the longest defence, until the game ends or `stop` says so, which is asked before each
/// position is looked up and given the number of those before it. Moves of the line that give the win away, once the tables
/// know it, are cut off first, but not the first move.
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
    {
        let stop = || {
            let stops = stop(hits);
            hits += u64::from(!stops);
            stops
        };
        let ranking = Ranking::of_until(tables, &board, &board.legal_moves(), fifty_move_rule, stop);
        let Some(ranking) = ranking else { break };
        let Some(best) = ranking.moves.first().filter(|best| is_win(best.value.abs())) else { break };
        if !ranking.by_distance {
            break;
        }
        line.push(best.m);
        board.make_move(best.m, &mut ());
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_position_is_looked_up_once_the_line_is_to_stop() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/fuzz/tables");
        let (tables, errors) = Tablebase::open(folder.as_ref());
        assert!(errors.is_empty() && !tables.is_empty(), "{errors:?}");
        let board: Board = "8/8/8/3k4/8/8/1Q6/1K6 w - - 0 1".parse().expect("a position");
        let extended = |most| {
            let (mut line, mut asked) = (Vec::new(), Vec::new());
            let looked_up = extend(&tables, &board, true, &mut line, (3, true), |hits| {
                asked.push(hits);
                hits >= most
            });
            assert!(asked.windows(2).all(|pair| pair[1] == pair[0] + 1), "{asked:?}");
            (line.len(), looked_up)
        };
        // The queen and the king have more than ten moves.
        assert_eq!(extended(10), (0, 10));
        let (plies, looked_up) = extended(u64::MAX);
        assert!(plies > 10 && looked_up > plies as u64, "{plies} plies, {looked_up} positions");
    }
}
