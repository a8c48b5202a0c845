//! Openings of random moves.

use crate::board::Board;

/// The position after this many random legal moves, as a game begins with it: without the moves that led to it, which no reader
/// of a FEN knows. `draw` is given the number of legal moves and chooses one, from 0. `None` if the game has ended by then.
pub fn after_random_moves(
    mut board: Board,
    plies: usize,
    mut draw: impl FnMut(usize) -> usize,
) -> Option<Board> {
    for _ in 0..plies {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        board.make_move(moves[draw(moves.len())], &mut ());
    }
    let board = Board::from_setup(&board.setup());
    let goes_on = !board.legal_moves().is_empty() && !board.is_draw(0);
    goes_on.then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_without_history_in_which_the_game_goes_on() {
        let first = after_random_moves(Board::start(), 8, |_| 0).expect("a position");
        assert_eq!(first.key(), Board::from_setup(&first.setup()).key());
        assert_eq!(first.setup().fullmove, 5);
        let mate_in_one: Board = "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1".parse().expect("a position");
        let moves = mate_in_one.legal_moves();
        let outcomes: Vec<bool> = (0..moves.len())
            .map(|chosen| after_random_moves(mate_in_one.clone(), 1, |_| chosen).is_some())
            .collect();
        let ends = |chosen: usize| {
            let mut board = mate_in_one.clone();
            board.make_move(moves[chosen], &mut ());
            board.count_legal_moves() == 0
        };
        assert!(outcomes.iter().enumerate().all(|(chosen, &goes_on)| goes_on != ends(chosen)));
        assert!(outcomes.contains(&true) && outcomes.contains(&false));
        // A capture leaves two kings.
        let bare: Board = "7k/8/8/8/8/8/1p6/K7 w - - 0 1".parse().expect("a position");
        let capture = bare.legal_moves().iter().position(|m| m.is_capture()).expect("a capture");
        assert!(after_random_moves(bare.clone(), 1, |_| capture).is_none());
        assert!(after_random_moves(mate_in_one, 500, |count| count - 1).is_none(), "it ends some day");
    }
}
