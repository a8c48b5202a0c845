//! Piece features: what an input stands for, before a perspective gives it an index.

use arrayvec::ArrayVec;

use super::threat_states::ThreatStates;
use crate::board::{Board, PieceSets, Threats};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// A piece on a square in a threat state, packed from the low bits on: square (6 bits), colour (1), kind (3), threat state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PieceFeature(u16);

impl PieceFeature {
    /// A piece on a square in a threat state below [`THREAT_STATES`](super::arch::THREAT_STATES).
    #[inline]
    pub const fn new(piece: Piece, threat_state: usize, square: Square) -> PieceFeature {
        PieceFeature((threat_state << 10 | piece.index() << 6 | square.index()) as u16)
    }

    /// The packed number.
    #[inline]
    pub(super) const fn bits(self) -> usize {
        self.0 as usize
    }

    /// The threat state.
    #[inline]
    pub const fn threat_state(self) -> usize {
        self.0 as usize >> 10
    }

    /// The index of the colour.
    #[inline]
    pub const fn color(self) -> usize {
        self.0 as usize >> 6 & 1
    }

    /// 64 times the index of the kind, plus the index of the square.
    #[inline]
    pub const fn kind_and_square(self) -> usize {
        (self.0 as usize >> 7 & 7) << 6 | self.0 as usize & 63
    }
}

/// The piece features that were added and removed between two positions.
#[derive(Clone, Debug, Default)]
pub struct FeatureDelta {
    /// The features of the later position that the earlier one does not have.
    pub added: ArrayVec<PieceFeature, 64>,
    /// The features of the earlier position that the later one does not have.
    pub removed: ArrayVec<PieceFeature, 64>,
}

/// The piece features of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceFeatures {
    mailbox: [Option<Piece>; 64],
    sets: PieceSets,
    /// What each colour attacks.
    threats: [Threats; 2],
    threat_states: ThreatStates,
}

impl PieceFeatures {
    /// The features of an empty board: none.
    pub const EMPTY: PieceFeatures = PieceFeatures {
        mailbox: [None; 64],
        sets: PieceSets::EMPTY,
        threats: [Threats::NONE; 2],
        threat_states: ThreatStates::EMPTY,
    };

    /// The features of a board.
    #[inline]
    pub fn of(board: &Board) -> PieceFeatures {
        let mut features = PieceFeatures::EMPTY;
        features.set(board);
        features
    }

    /// Makes these the features of a board, in their place.
    #[inline]
    pub(super) fn set(&mut self, board: &Board) {
        self.mailbox = *board.mailbox();
        self.sets = *board.piece_sets();
        self.threats = Color::ALL.map(|color| self.sets.threats(color));
        self.threat_states = ThreatStates::under(&self.sets, &self.threats);
    }

    /// The square of a king; of no board, a1.
    #[inline]
    pub(super) fn king(&self, color: Color) -> Square {
        self.sets.pieces_of(color, PieceType::King).first().unwrap_or(Square::A1)
    }

    /// What White and Black attack.
    #[inline]
    pub(super) fn threats(&self) -> &[Threats; 2] {
        &self.threats
    }

    /// The threat states of the pieces.
    #[inline]
    pub fn threat_states(&self) -> &ThreatStates {
        &self.threat_states
    }

    /// Writes to `delta` which features must be added to and removed from those of `earlier` to make these.
    #[inline]
    pub fn diff(&self, earlier: &PieceFeatures, delta: &mut FeatureDelta) {
        delta.added.clear();
        delta.removed.clear();
        // One set of all squares that differ in anything, found without a branch.
        let changed =
            self.sets.difference(&earlier.sets) | self.threat_states.difference(&earlier.threat_states);
        self.collect(changed & self.sets.occupied(), &mut delta.added);
        earlier.collect(changed & earlier.sets.occupied(), &mut delta.removed);
    }

    /// Appends the features of the pieces on these squares, one by one.
    #[cfg_attr(target_feature = "avx512vbmi2", cold, inline(never))]
    #[cfg_attr(not(target_feature = "avx512vbmi2"), inline)]
    fn collect_singly(&self, squares: Bitboard, features: &mut ArrayVec<PieceFeature, 64>) {
        for square in squares {
            if let Some(piece) = self.mailbox[square.index()] {
                // Never full: a list has room for all squares of a board.
                let _ = features.try_push(PieceFeature::new(piece, self.threat_states.at(square), square));
            }
        }
    }

    cfg_select! {
        // Without a loop nodes a second are 1.053 ± 0.005 times as many (Zen 5).
        all(target_arch = "x86_64", target_feature = "avx512vbmi2") => {
            /// Appends the features of the pieces on these squares, which are occupied.
            #[inline]
            fn collect(&self, squares: Bitboard, features: &mut ArrayVec<PieceFeature, 64>) {
                use crate::util::vbmi2::Bytes;

                let pieces = self.mailbox.map(|piece| piece.map_or(Piece::COUNT as u8, |piece| piece as u8));
                let [attacked, by_lower, defended, by_pawn] = self.threat_states.planes.map(|plane| plane.0);
                // A threat state above four bits for the piece, as in a feature.
                let codes = Bytes::load(&pieces)
                    .add_where(attacked, 3 << 4)
                    .add_where(by_lower, 3 << 4)
                    .add_where(defended, 1 << 4)
                    .add_where(by_pawn, 1 << 4);
                let packed = codes.select(squares.0).times_64() + Bytes::indices().select(squares.0);
                // SAFETY: a feature is a `u16`, and all bits are a feature to the compiler.
                if !unsafe { packed.append_to(features, squares.count() as usize) } {
                    self.collect_singly(squares, features);
                }
            }
        }
        _ => {
            /// Appends the features of the pieces on these squares, which are occupied.
            #[inline]
            fn collect(&self, squares: Bitboard, features: &mut ArrayVec<PieceFeature, 64>) {
                self.collect_singly(squares, features);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arch::THREAT_STATES;
    use super::*;
    use crate::board::test_positions::boards;
    use crate::util::random::SplitMix;

    #[test]
    fn packing_loses_nothing() {
        for piece in Piece::ALL {
            for state in 0..THREAT_STATES {
                for square in Square::ALL {
                    let feature = PieceFeature::new(piece, state, square);
                    assert_eq!((feature.threat_state(), feature.color()), (state, piece.color().index()));
                    assert_eq!(feature.kind_and_square(), 64 * piece.kind().index() + square.index());
                }
            }
        }
    }

    #[test]
    fn features_come_in_the_order_of_their_squares_however_they_are_collected() {
        let mut random = SplitMix(3);
        for board in boards() {
            let features = PieceFeatures::of(&board);
            for sparse in [false, true] {
                let mask = if sparse { random.next() & random.next() } else { u64::MAX };
                let squares = board.occupied() & Bitboard(mask);
                let [mut one, mut other] = [(); 2].map(|()| ArrayVec::new());
                features.collect(squares, &mut one);
                features.collect_singly(squares, &mut other);
                let ordered = Square::ALL.into_iter().filter(|&square| squares.has(square));
                let feature = |square| {
                    let piece = board.piece_on(square).expect("an occupied square");
                    PieceFeature::new(piece, features.threat_states.at(square), square)
                };
                let expected: Vec<PieceFeature> = ordered.map(feature).collect();
                assert_eq!([&one[..], &other[..]], [&expected[..]; 2], "{board}");
            }
        }
    }

    #[test]
    fn a_delta_leads_from_one_position_to_the_other() {
        let all = |features: &PieceFeatures| {
            let mut delta = FeatureDelta::default();
            features.diff(&PieceFeatures::EMPTY, &mut delta);
            assert!(delta.removed.is_empty());
            delta.added.to_vec()
        };
        let positions: Vec<PieceFeatures> = boards().iter().map(PieceFeatures::of).collect();
        let mut delta = FeatureDelta::default();
        for before in &positions {
            for after in &positions {
                after.diff(before, &mut delta);
                let mut found = all(before);
                found.retain(|feature| !delta.removed.contains(feature));
                assert!(delta.added.iter().all(|feature| !found.contains(feature)));
                found.extend(delta.added.iter().copied());
                let mut expected = all(after);
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
            before.diff(before, &mut delta);
            assert!(delta.added.is_empty() && delta.removed.is_empty());
        }
    }
}
