//! The pieces of an endgame, and where they can stand.

use std::fmt;
use std::str::FromStr;

use caesura::board::{Board, Setup, fen};
use caesura::types::{Color, Piece, PieceType, Square};

/// The pieces of an endgame as the tables name them, White first: `KRvKP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    name: String,
    pieces: Vec<Piece>,
}

/// The text does not name an endgame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no endgame; write KRvKP")]
pub struct MaterialError(String);

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let wrong = || MaterialError(text.into());
        let (white, black) = text.split_once('v').ok_or_else(wrong)?;
        let mut pieces = Vec::new();
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            if !side.starts_with('K') || side[1..].contains('K') {
                return Err(wrong());
            }
            for letter in side.chars() {
                let kind = PieceType::from_letter(letter).filter(|_| letter.is_ascii_uppercase());
                let kind = kind.ok_or_else(wrong)?;
                pieces.push(Piece::new(color, kind));
            }
        }
        if pieces.len() > MAX_PIECES {
            return Err(wrong());
        }
        Ok(Material { name: text.into(), pieces })
    }
}

/// So that placements can be counted.
const MAX_PIECES: usize = 8;

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

impl Material {
    /// The ways to put each piece on any square, whether or not that is a position.
    pub fn placements(&self) -> u64 {
        64_u64.pow(self.pieces.len() as u32)
    }

    /// The position that is a placement, by number, with this side to move; `None` if it is none: two pieces on a square,
    /// a pawn on the first or last rank, a king that could be taken. Of those in which equal pieces have
    /// changed places one is a position.
    pub fn position(&self, placement: u64, side_to_move: Color) -> Option<Board> {
        let mut setup = Setup::empty(side_to_move);
        let mut left = placement;
        for &piece in &self.pieces {
            let square = Square::from_index((left % 64) as usize);
            left /= 64;
            let on_edge = !(8..56).contains(&square.index());
            let is_swapped = setup.pieces[square.index()..].contains(&Some(piece));
            let is_taken = setup.pieces[square.index()].is_some();
            if is_taken || is_swapped || piece.kind() == PieceType::Pawn && on_edge {
                return None;
            }
            setup.pieces[square.index()] = Some(piece);
        }
        fen::check(&setup).ok()?;
        Some(Board::from_setup(&setup))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endgames_are_read_and_anything_else_is_not() {
        let material: Material = "KRvKP".parse().unwrap();
        assert_eq!((material.to_string().as_str(), material.placements()), ("KRvKP", 1 << 24));
        for wrong in ["", "KR", "KRvP", "vK", "KvKK", "KXvK", "KrvK", "QKvK", "KQQQQvKQQQ"] {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn placements_are_positions_or_nothing() {
        let material: Material = "KPvK".parse().unwrap();
        let count = |side| (0..material.placements()).filter_map(|at| material.position(at, side)).count();
        let (white, black) = (count(Color::White), count(Color::Black));
        assert!(
            (150_000..175_000).contains(&white) && (150_000..175_000).contains(&black),
            "{white} {black}"
        );
        assert!(material.position(0, Color::White).is_none());
        let two_rooks: Material = "KRRvK".parse().unwrap();
        let mut seen = std::collections::HashSet::new();
        // The last of the four pieces, Black's king, on one square.
        for at in 0..1 << 18 {
            if let Some(board) = two_rooks.position(at, Color::White) {
                assert!(seen.insert(board.to_string()), "{board}");
            }
        }
        assert!(seen.len() > 50_000, "{}", seen.len());
    }
}
