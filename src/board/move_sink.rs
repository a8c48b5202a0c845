//! Where generated moves go: into a list, or only into a count.

use arrayvec::ArrayVec;

use crate::types::{Bitboard, Move, MoveKind, PieceType, Square};

/// Which moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenType {
    /// All legal moves.
    All,
    /// Captures, and promotions to a queen.
    Noisy,
    /// The rest.
    Quiet,
}

/// Where moves go, as sets for as long as possible: a counter needs no single move.
pub trait MoveSink {
    /// One piece (no pawn) goes from `from` to any of `quiets`, or takes on any of `captures`. It is on none of these.
    fn add_piece_moves(&mut self, from: Square, quiets: Bitboard, captures: Bitboard);
    /// Pawns come to `targets`, each from `shift` squares (by index) further back; none promotes.
    fn add_pawn_moves(&mut self, targets: Bitboard, shift: i32, kind: MoveKind);
    /// Pawns promote on `targets`, each from `shift` squares further back.
    fn add_promotions(&mut self, targets: Bitboard, shift: i32, capture: bool, which: GenType);
    /// A single move.
    fn add_move(&mut self, m: Move);
}

#[inline]
fn origin(target: Square, shift: i32) -> Square {
    Square::from_index((target.index() as i32 - shift) as usize)
}

impl<const N: usize> MoveSink for ArrayVec<Move, N> {
    #[inline]
    fn add_piece_moves(&mut self, from: Square, quiets: Bitboard, captures: Bitboard) {
        debug_assert!(!(quiets | captures).has(from));
        append_piece_moves(self, from, captures, MoveKind::Capture);
        append_piece_moves(self, from, quiets, MoveKind::Quiet);
    }

    #[inline]
    fn add_pawn_moves(&mut self, targets: Bitboard, shift: i32, kind: MoveKind) {
        append_pawn_moves(self, targets, shift, kind);
    }

    #[inline]
    fn add_promotions(&mut self, targets: Bitboard, shift: i32, capture: bool, which: GenType) {
        for to in targets {
            let from = origin(to, shift);
            if capture || which != GenType::Quiet {
                self.push(Move::promotion(from, to, PieceType::Queen, capture));
            }
            if capture || which != GenType::Noisy {
                for piece in [PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                    self.push(Move::promotion(from, to, piece, capture));
                }
            }
        }
    }

    #[inline]
    fn add_move(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves without listing them.
#[derive(Default)]
pub(super) struct MoveCounter(pub u32);

impl MoveSink for MoveCounter {
    #[inline]
    fn add_piece_moves(&mut self, _from: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).count();
    }

    #[inline]
    fn add_pawn_moves(&mut self, targets: Bitboard, _shift: i32, _kind: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn add_promotions(&mut self, targets: Bitboard, _shift: i32, _capture: bool, _which: GenType) {
        self.0 += 4 * targets.count();
    }

    #[inline]
    fn add_move(&mut self, _m: Move) {
        self.0 += 1;
    }
}

cfg_select! {
    // Nearly all lists of a search come from these two: without a loop nodes a second are 1.018 ± 0.006 times as many (Zen 5).
    // (Lists of moves by AVX-512: Stockfish, 2025.)
    all(target_arch = "x86_64", target_feature = "avx512vbmi2") => {
        use crate::util::vbmi2::{Bytes, Words};

        #[inline]
        fn append_piece_moves<const N: usize>(
            list: &mut ArrayVec<Move, N>,
            from: Square,
            targets: Bitboard,
            kind: MoveKind,
        ) {
            // No move stays where it is, whatever the caller asks for.
            let targets = targets.without(Bitboard::from(from));
            let start = (kind as u16) << 12 | from.index() as u16;
            let moves = Bytes::indices().select(targets.0).times_64() + Words::splat(start);
            // SAFETY: a move is two bytes, of which zero alone is none. Each of these numbers has `from` in its low six bits and
            // a target in the next six; the two differ, so that one of them is not zero.
            if !unsafe { moves.append_to(list, targets.count() as usize) } {
                append_piece_moves_singly(list, from, targets, kind);
            }
        }

        #[inline]
        fn append_pawn_moves<const N: usize>(
            list: &mut ArrayVec<Move, N>,
            targets: Bitboard,
            shift: i32,
            kind: MoveKind,
        ) {
            if !matches!(shift.abs(), 7 | 8 | 9 | 16) {
                return append_pawn_moves_singly(list, targets, shift, kind);
            }
            let to = Bytes::indices().select(targets.0);
            let start = ((kind as u16) << 12).wrapping_sub(shift as u16);
            let moves = to.times_64() + to + Words::splat(start);
            // SAFETY: a move is two bytes, of which zero alone is none. Each of these numbers is 65 times a target below 64, less a
            // shift of 7, 8, 9 or 16 of either sign, plus a multiple of 4,096: never a multiple of 65,536.
            if !unsafe { moves.append_to(list, targets.count() as usize) } {
                append_pawn_moves_singly(list, targets, shift, kind);
            }
        }
    }
    _ => {
        use append_pawn_moves_singly as append_pawn_moves;
        use append_piece_moves_singly as append_piece_moves;
    }
}

#[cfg_attr(target_feature = "avx512vbmi2", cold, inline(never))]
#[cfg_attr(not(target_feature = "avx512vbmi2"), inline)]
fn append_piece_moves_singly<const N: usize>(
    list: &mut ArrayVec<Move, N>,
    from: Square,
    targets: Bitboard,
    kind: MoveKind,
) {
    list.extend(targets.into_iter().map(|to| Move::new(from, to, kind)));
}

#[cfg_attr(target_feature = "avx512vbmi2", cold, inline(never))]
#[cfg_attr(not(target_feature = "avx512vbmi2"), inline)]
fn append_pawn_moves_singly<const N: usize>(
    list: &mut ArrayVec<Move, N>,
    targets: Bitboard,
    shift: i32,
    kind: MoveKind,
) {
    list.extend(targets.into_iter().map(|to| Move::new(origin(to, shift), to, kind)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::random::SplitMix;

    type Append<'a, const N: usize> = &'a dyn Fn(&mut ArrayVec<Move, N>);

    /// Asserts that each function appends these moves to a list that begins with `before` others.
    fn assert_appended<const N: usize>(
        before: usize,
        expected: impl Iterator<Item = Move>,
        functions: [Append<'_, N>; 2],
    ) {
        let first = Move::new(Square::A1, Square::A2, MoveKind::Quiet);
        let list: ArrayVec<Move, N> = std::iter::repeat_n(first, before).collect();
        let expected: Vec<Move> = list.iter().copied().chain(expected).collect();
        for append in functions {
            let mut list = list.clone();
            append(&mut list);
            assert_eq!(list[..], expected);
        }
    }

    #[test]
    fn moves_come_in_the_order_of_their_targets_however_they_are_appended() {
        let mut random = SplitMix(7);
        for from in Square::ALL {
            for round in 0..64 {
                let dense = random.next();
                let targets = Bitboard(if round % 2 == 0 { dense & random.next() } else { dense });
                let targets = targets.without(Bitboard::from(from));
                for kind in [MoveKind::Quiet, MoveKind::Capture] {
                    let ordered = Square::ALL.into_iter().filter(|&to| targets.has(to));
                    assert_appended::<100>(
                        round % 40,
                        ordered.map(|to| Move::new(from, to, kind)),
                        [&|list| append_piece_moves(list, from, targets, kind), &|list| {
                            append_piece_moves_singly(list, from, targets, kind)
                        }],
                    );
                }
            }
        }
    }

    #[test]
    fn pawns_come_from_the_square_behind_however_they_are_appended() {
        let mut random = SplitMix(8);
        for (shift, kind) in [(8, MoveKind::Quiet), (16, MoveKind::DoublePush), (7, MoveKind::Capture)] {
            for sign in [1, -1] {
                for _ in 0..200 {
                    // Targets from which a step back stays on the board.
                    let targets = Bitboard(random.next() >> 16 << 32 >> 16);
                    let shift = sign * shift;
                    let ordered = Square::ALL.into_iter().filter(|&to| targets.has(to));
                    let behind = |to: Square| Square::ALL[(to.index() as i32 - shift) as usize];
                    assert_appended::<256>(
                        0,
                        ordered.map(|to| Move::new(behind(to), to, kind)),
                        [&|list| append_pawn_moves(list, targets, shift, kind), &|list| {
                            append_pawn_moves_singly(list, targets, shift, kind)
                        }],
                    );
                }
            }
        }
    }
}
