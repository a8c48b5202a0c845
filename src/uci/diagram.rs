//! A board for people to look at.

use crate::board::Board;
use crate::types::{File, Rank, Square};

/// The board, White below, with the names of files and ranks.
pub fn diagram(board: &Board) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(char::from(b'1' + rank.index() as u8));
        text.push_str(" |");
        for file in File::ALL {
            text.push(' ');
            text.push(board.piece_on(Square::new(file, rank)).map_or('.', |piece| piece.letter()));
        }
        text.push('\n');
    }
    text.push_str("  +----------------\n   ");
    for file in File::ALL {
        text.push(' ');
        text.push(file.letter());
    }
    text
}
