//! The pieces of an endgame.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::board::Setup;
use crate::types::{Color, Piece, PieceType, Square};
use crate::util::quote::quote;

/// The most pieces, kings included: one more than any table has.
const MAX_PIECES: usize = 8;

/// The pieces of an endgame as the tables name them, White first: `KRvKP`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    name: String,
    pieces: Vec<Piece>,
}

/// The text does not name an endgame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialError(String);

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no endgame; write KRvKP", quote(&self.0))
    }
}

impl Error for MaterialError {}

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

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

impl Material {
    /// The pieces, in the order of the name.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The pieces on these squares, with White to move; `swapped`: those that the name has first are Black's. `None` if two
    /// are on one square, or there are too few squares. Whether that is a position, [`fen::check`](crate::board::fen::check) says.
    pub fn setup(&self, swapped: bool, squares: impl IntoIterator<Item = Square>) -> Option<Setup> {
        let mut setup = Setup::empty(Color::White);
        let mut placed = 0;
        for (&piece, square) in self.pieces.iter().zip(squares) {
            let color = if swapped { !piece.color() } else { piece.color() };
            let occupant = setup.pieces[square.index()].replace(Piece::new(color, piece.kind()));
            if occupant.is_some() {
                return None;
            }
            placed += 1;
        }
        (placed == self.pieces.len()).then_some(setup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, fen};

    #[test]
    fn endgames_are_read_and_anything_else_is_not() {
        let material: Material = "KRvKP".parse().expect("an endgame");
        assert_eq!((material.to_string().as_str(), material.pieces().len()), ("KRvKP", 4));
        for wrong in ["", "KR", "KRvP", "vK", "KvKK", "KXvK", "KrvK", "QKvK", "KQQQQvKQQQ", "KävK", "äK"] {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn pieces_are_placed_in_the_order_of_the_name() {
        let material: Material = "KRvKP".parse().expect("an endgame");
        let squares = [Square::A1, Square::B2, Square::H8, Square::C7];
        let text = |swapped| {
            let setup = material.setup(swapped, squares).expect("four squares");
            fen::check(&setup).expect("a position");
            Board::from_setup(&setup).to_string()
        };
        assert_eq!(text(false), "7k/2p5/8/8/8/8/1R6/K7 w - - 0 1");
        assert_eq!(text(true), "7K/2P5/8/8/8/8/1r6/k7 w - - 0 1");
        assert_eq!(material.setup(false, squares.into_iter().take(3)), None);
        assert_eq!(material.setup(false, [Square::A1; 4]), None);
        let on_the_edge = [Square::A1, Square::B2, Square::H8, Square::C8];
        assert!(fen::check(&material.setup(false, on_the_edge).expect("four squares")).is_err());
    }
}
