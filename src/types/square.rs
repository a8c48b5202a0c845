//! Squares, files and ranks.

use std::fmt;

use super::Color;

macro_rules! small_enum {
    ($(#[$meta:meta])* $name:ident, $count:literal, $mask:literal, [$($variant:ident = $value:literal),* $(,)?]) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name { $($variant = $value),* }

        impl $name {
            /// How many there are.
            pub const COUNT: usize = $count;

            /// All of them, in index order.
            pub const ALL: [$name; $count] = [$($name::$variant),*];

            /// The index, from 0.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The one with this index; higher bits are ignored.
            #[inline]
            pub const fn from_index(index: usize) -> $name {
                match index & $mask {
                    $($value => $name::$variant,)*
                    _ => unreachable!(),
                }
            }
        }
    };
}

small_enum!(
    /// A file (column), `A` to `H`.
    File, 8, 7, [A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7]
);

small_enum!(
    /// A rank (row), `First` to `Eighth`, from White's side.
    Rank, 8, 7,
    [First = 0, Second = 1, Third = 2, Fourth = 3, Fifth = 4, Sixth = 5, Seventh = 6, Eighth = 7]
);

small_enum!(
    /// A square, a1 = 0, b1 = 1, ... h8 = 63.
    Square, 64, 63,
    [
        A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
        A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
        A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
        A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
        A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
        A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
        A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
        A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
    ]
);

impl File {
    /// The lower-case letter.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file that a lower-case letter names.
    pub fn from_letter(letter: char) -> Option<File> {
        File::ALL.into_iter().find(|file| file.letter() == letter)
    }
}

impl Rank {
    /// This rank as `color` counts it: Black's first rank is the eighth.
    #[inline]
    pub const fn relative(self, color: Color) -> Rank {
        Rank::from_index(self as usize ^ (7 * color.index()))
    }
}

impl Square {
    /// The square where a file and a rank cross.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square::from_index(rank as usize * 8 + file as usize)
    }

    /// Its file.
    #[inline]
    pub const fn file(self) -> File {
        File::from_index(self as usize)
    }

    /// Its rank.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self as usize >> 3)
    }

    /// The square as `color` sees it: for Black the board is mirrored top to bottom.
    #[inline]
    pub const fn relative(self, color: Color) -> Square {
        Square::from_index(self as usize ^ (56 * color.index()))
    }

    /// The square mirrored top to bottom (a1 becomes a8).
    #[inline]
    pub const fn flip_rank(self) -> Square {
        Square::from_index(self as usize ^ 56)
    }

    /// The square mirrored left to right (a1 becomes h1).
    #[inline]
    pub const fn flip_file(self) -> Square {
        Square::from_index(self as usize ^ 7)
    }

    /// The square one step ahead for `color`; wraps round at the last rank.
    #[inline]
    pub const fn forward(self, color: Color) -> Square {
        match color {
            Color::White => Square::from_index((self as usize).wrapping_add(8)),
            Color::Black => Square::from_index((self as usize).wrapping_sub(8)),
        }
    }

    /// The square that is `files` to the right and `ranks` up, if it is on the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
            Some(Square::from_index((rank * 8 + file) as usize))
        } else {
            None
        }
    }

    /// The square that a name like `e4` means.
    pub fn parse(name: &str) -> Option<Square> {
        let mut letters = name.chars();
        let file = File::from_letter(letters.next()?)?;
        let rank = letters.next()?.to_digit(10).filter(|rank| (1..=8).contains(rank))?;
        letters.next().is_none().then(|| Square::new(file, Rank::from_index(rank as usize - 1)))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().index() + 1)
    }
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_coordinates_agree() {
        for square in Square::ALL {
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(square.relative(Color::White), square);
            assert_eq!(square.relative(Color::Black), square.flip_rank());
        }
        for name in ["", "e", "e9", "i1", "e44", "E4", "é4"] {
            assert_eq!(Square::parse(name), None, "{name}");
        }
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        assert_eq!(Square::H1.offset(1, 0), None);
        assert_eq!(Square::A1.offset(0, -1), None);
        assert_eq!(Square::E4.offset(-1, 2), Some(Square::D6));
        assert_eq!(Square::E2.forward(Color::White), Square::E3);
        assert_eq!(Square::E7.forward(Color::Black), Square::E6);
    }
}
