//! Straight lines between and through squares.

use crate::types::{Bitboard, Square};

/// The four directions of a bishop as (file, rank) steps, opposite directions two apart.
pub(super) const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
/// The four directions of a rook as (file, rank) steps, opposite directions two apart.
pub(super) const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// [`between`] and [`line`] of all pairs of squares.
struct LineTables {
    between: [[Bitboard; 64]; 64],
    lines: [[Bitboard; 64]; 64],
}

static PAIRS: LineTables = LineTables::build();

/// The squares strictly between two squares; none if they do not share a rank, file or diagonal.
#[inline]
pub const fn between(a: Square, b: Square) -> Bitboard {
    PAIRS.between[a.index()][b.index()]
}

/// The rank, file or diagonal through two squares, from edge to edge and with both in it; none if they share none
/// or are the same square.
#[inline]
pub const fn line(a: Square, b: Square) -> Bitboard {
    PAIRS.lines[a.index()][b.index()]
}

/// For each square, what the walks from it in these directions meet.
const fn rays(directions: &[(i8, i8); 4]) -> [Bitboard; 64] {
    let mut sets = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 4 {
            sets[square] = sets[square].or(ray(Square::from_index(square), directions[direction]));
            direction += 1;
        }
        square += 1;
    }
    sets
}

static DIAGONALS: [Bitboard; 64] = rays(&DIAGONAL);
static STRAIGHTS: [Bitboard; 64] = rays(&STRAIGHT);

/// The squares that a bishop attacks on an empty board.
#[inline]
pub const fn diagonals(square: Square) -> Bitboard {
    DIAGONALS[square.index()]
}

/// The squares that a rook attacks on an empty board.
#[inline]
pub const fn straights(square: Square) -> Bitboard {
    STRAIGHTS[square.index()]
}

/// The squares that a walk from `from` meets, `from` left out.
pub(super) const fn ray(from: Square, (files, ranks): (i8, i8)) -> Bitboard {
    let mut met = Bitboard::EMPTY;
    let mut next = from.offset(files, ranks);
    while let Some(square) = next {
        met = met.or(Bitboard::from_square(square));
        next = square.offset(files, ranks);
    }
    met
}

impl LineTables {
    const fn build() -> LineTables {
        let mut pairs =
            LineTables { between: [[Bitboard::EMPTY; 64]; 64], lines: [[Bitboard::EMPTY; 64]; 64] };
        let mut from = 0;
        while from < 64 {
            let a = Square::from_index(from);
            let mut direction = 0;
            while direction < 8 {
                let directions = if direction < 4 { &STRAIGHT } else { &DIAGONAL };
                let (files, ranks) = directions[direction % 4];
                let line = ray(a, (files, ranks)).or(ray(a, (-files, -ranks))).or(Bitboard::from_square(a));
                let mut passed = Bitboard::EMPTY;
                let mut next = a.offset(files, ranks);
                while let Some(b) = next {
                    pairs.between[from][b.index()] = passed;
                    pairs.lines[from][b.index()] = line;
                    passed = passed.or(Bitboard::from_square(b));
                    next = b.offset(files, ranks);
                }
                direction += 1;
            }
            from += 1;
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cross product of the ways from `a` to `b` and from `a` to `c`: zero if the three are on one line.
    fn turn(a: Square, b: Square, c: Square) -> i32 {
        let way = |to: Square| (to.file() as i32 - a.file() as i32, to.rank() as i32 - a.rank() as i32);
        way(b).0 * way(c).1 - way(b).1 * way(c).0
    }

    #[test]
    fn lines_hold_exactly_the_aligned_squares() {
        for a in Square::ALL {
            for b in Square::ALL {
                let files = (b.file() as i32 - a.file() as i32).abs();
                let ranks = (b.rank() as i32 - a.rank() as i32).abs();
                let aligned = a != b && (files == 0 || ranks == 0 || files == ranks);
                for c in Square::ALL {
                    let on_line = aligned && turn(a, b, c) == 0;
                    let from = |d: Square| {
                        let files = (c.file() as i32 - d.file() as i32).abs();
                        files.max((c.rank() as i32 - d.rank() as i32).abs())
                    };
                    let inside = on_line && c != a && c != b && from(a) + from(b) == files.max(ranks);
                    assert_eq!(line(a, b).has(c), on_line, "{a} {b} {c}");
                    assert_eq!(between(a, b).has(c), inside, "{a} {b} {c}");
                }
            }
        }
    }
}
