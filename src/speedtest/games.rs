//! Whole games, move by move.

use crate::board::Board;
use crate::board::notation::parse_san;

/// Games that the engine has played against itself: the first position, and on the next line the moves.
const GAMES: &str = include_str!("games.txt");

/// The positions of each game in which a move was to be found, in their order, with the game behind them.
pub(super) fn games() -> Vec<Vec<Board>> {
    let lines: Vec<&str> = GAMES.lines().filter(|line| !line.is_empty()).collect();
    lines.chunks(2).map(game).collect()
}

/// A game; it ends where a line cannot be read, which a test excludes.
fn game(lines: &[&str]) -> Vec<Board> {
    let Some(Ok(mut board)) = lines.first().map(|fen| fen.parse::<Board>()) else { return Vec::new() };
    let mut boards = Vec::new();
    for word in lines.get(1).into_iter().flat_map(|moves| moves.split(' ')) {
        let Ok(m) = parse_san(&board, word) else { break };
        boards.push(board.clone());
        board.make_move(m, &mut ());
    }
    boards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_read_to_its_end() {
        let games = games();
        let lines: Vec<&str> = GAMES.lines().filter(|line| !line.is_empty()).collect();
        assert!(games.len() >= 4 && lines.len() == 2 * games.len());
        for (game, lines) in games.iter().zip(lines.chunks(2)) {
            assert_eq!(game.len(), lines[1].split(' ').count());
            assert!(game.len() >= 100);
        }
    }
}
