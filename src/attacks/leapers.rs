//! Pawns, knights and kings: what they attack does not depend on other pieces.

use crate::types::{Bitboard, Color, Square};

static PAWNS: [[Bitboard; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
static KNIGHTS: [Bitboard; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KINGS: [Bitboard; 64] = leaps(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

/// The squares that a pawn attacks (not those it moves to).
#[inline]
pub const fn pawn(color: Color, square: Square) -> Bitboard {
    PAWNS[color.index()][square.index()]
}

/// The squares that any pawn of a set attacks.
#[inline]
pub const fn pawn_set(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.west().or(ahead.east())
}

/// The squares that a knight attacks.
#[inline]
pub const fn knight(square: Square) -> Bitboard {
    KNIGHTS[square.index()]
}

/// The squares that a king attacks; castling is not an attack.
#[inline]
pub const fn king(square: Square) -> Bitboard {
    KINGS[square.index()]
}

/// For each square, the squares at these (file, rank) distances that are on the board.
const fn leaps(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = Square::from_index(from).offset(steps[step].0, steps[step].1) {
                table[from] = table[from].or(Bitboard::from_square(to));
            }
            step += 1;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distances(a: Square, b: Square) -> (i32, i32) {
        (b.file() as i32 - a.file() as i32, b.rank() as i32 - a.rank() as i32)
    }

    #[test]
    fn attacks_are_all_squares_at_the_right_distance() {
        for from in Square::ALL {
            for to in Square::ALL {
                let (files, ranks) = distances(from, to);
                assert_eq!(knight(from).has(to), files.abs() * ranks.abs() == 2, "{from} {to}");
                assert_eq!(king(from).has(to), files.abs().max(ranks.abs()) == 1, "{from} {to}");
                assert_eq!(pawn(Color::White, from).has(to), files.abs() == 1 && ranks == 1, "{from} {to}");
                assert_eq!(pawn(Color::Black, from).has(to), files.abs() == 1 && ranks == -1, "{from} {to}");
            }
        }
    }

    #[test]
    fn a_set_of_pawns_attacks_what_its_pawns_attack() {
        for color in Color::ALL {
            let mut all = Bitboard::EMPTY;
            let mut pawns = Bitboard::EMPTY;
            for square in Square::ALL {
                assert_eq!(pawn_set(color, square.into()), pawn(color, square));
                all |= pawn(color, square);
                pawns |= square;
                assert_eq!(pawn_set(color, pawns), all);
            }
        }
    }
}
