//! Bishops, rooks and queens, by the scheme that suits the target.

use crate::types::{Bitboard, Square};

cfg_select! {
    // SSE4a marks AMD, where bit extraction is slow before the generation that brought VAES (Zen 3).
    all(target_arch = "x86_64", target_feature = "bmi2", any(not(target_feature = "sse4a"), target_feature = "vaes")) => {
        use super::pext::{BISHOPS, ROOKS, TABLE};
    }
    _ => {
        use super::magics::{BISHOPS, ROOKS, TABLE};
    }
}

/// The squares that a bishop attacks, the blockers themselves among them.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE[BISHOPS[square.index()].index(occupied.0)]
}

/// The squares that a rook attacks, the blockers themselves among them.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    TABLE[ROOKS[square.index()].index(occupied.0)]
}

/// The squares that a queen attacks, the blockers themselves among them.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::rays::{DIAGONAL, STRAIGHT};
    use crate::attacks::{diagonals, magics, pext, straights};
    use crate::util::random::SplitMix;

    /// A walk in each direction up to the first occupied square.
    fn walk(from: Square, occupied: Bitboard, directions: [(i8, i8); 4]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for (files, ranks) in directions {
            let mut next = from.offset(files, ranks);
            while let Some(square) = next {
                seen |= square;
                next = if occupied.has(square) { None } else { square.offset(files, ranks) };
            }
        }
        seen
    }

    /// Calls `check` with every set of pieces that can block a slider.
    fn for_each_occupancy(mask: u64, mut check: impl FnMut(Bitboard)) {
        let mut occupied = 0u64;
        loop {
            check(Bitboard(occupied));
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
    }

    #[test]
    fn both_schemes_and_the_walk_agree_on_every_occupancy() {
        for square in Square::ALL {
            let i = square.index();
            for_each_occupancy(magics::BISHOPS[i].mask, |occupied| {
                let attacks = walk(square, occupied, DIAGONAL);
                assert_eq!(magics::TABLE[magics::BISHOPS[i].index(occupied.0)], attacks);
                assert_eq!(pext::TABLE[pext::BISHOPS[i].index(occupied.0)], attacks);
                assert_eq!(bishop(square, occupied), attacks);
            });
            for_each_occupancy(magics::ROOKS[i].mask, |occupied| {
                let attacks = walk(square, occupied, STRAIGHT);
                assert_eq!(magics::TABLE[magics::ROOKS[i].index(occupied.0)], attacks);
                assert_eq!(pext::TABLE[pext::ROOKS[i].index(occupied.0)], attacks);
                assert_eq!(rook(square, occupied), attacks);
            });
        }
    }

    #[test]
    fn an_empty_board_hides_nothing() {
        for square in Square::ALL {
            assert_eq!(diagonals(square), bishop(square, Bitboard::EMPTY), "{square}");
            assert_eq!(straights(square), rook(square, Bitboard::EMPTY), "{square}");
        }
    }

    #[test]
    fn pieces_off_the_mask_change_nothing_but_the_walk_agrees() {
        let mut random = SplitMix(1);
        for _ in 0..1_000 {
            let occupied = Bitboard(random.next());
            for square in Square::ALL {
                let diagonal = walk(square, occupied, DIAGONAL);
                let straight = walk(square, occupied, STRAIGHT);
                let i = square.index();
                assert_eq!(magics::TABLE[magics::BISHOPS[i].index(occupied.0)], diagonal);
                assert_eq!(magics::TABLE[magics::ROOKS[i].index(occupied.0)], straight);
                assert_eq!(pext::TABLE[pext::BISHOPS[i].index(occupied.0)], diagonal);
                assert_eq!(pext::TABLE[pext::ROOKS[i].index(occupied.0)], straight);
                assert_eq!(queen(square, occupied), diagonal | straight);
            }
        }
    }
}
