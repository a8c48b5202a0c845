//! Which pieces stand where, and in what danger: the inputs of the network before a side looks at them.

use arrayvec::ArrayVec;

use super::arch::THREAT_STATES;
use crate::board::{Board, Threats};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// A piece on a square in a threat state: from the low bits on six for the square, three for the kind, one for the colour,
/// and the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PieceFeature(u16);

impl PieceFeature {
    /// A man in a state below [`STATES`].
    #[inline]
    pub const fn new(piece: Piece, state: usize, square: Square) -> PieceFeature {
        let (color, kind) = (piece.color().index(), piece.kind().index());
        PieceFeature((state << 10 | color << 9 | kind << 6 | square.index()) as u16)
    }

    /// The threat state.
    #[inline]
    pub const fn threat_state(self) -> usize {
        self.0 as usize >> 10
    }

    /// The colour, as an index.
    #[inline]
    pub const fn color(self) -> usize {
        self.0 as usize >> 9 & 1
    }

    /// Sixty-four times the kind, plus the square.
    #[inline]
    pub const fn piece_square(self) -> usize {
        self.0 as usize & 511
    }
}

/// The men that differ between two positions.
#[derive(Clone, Debug, Default)]
pub struct FeatureDelta {
    /// Those of the later one.
    pub added: ArrayVec<PieceFeature, 64>,
    /// Those of the earlier one.
    pub removed: ArrayVec<PieceFeature, 64>,
}

/// The threat states of the pieces of a position: how each is attacked by the other side and defended by its own.
///
/// A state is three times 0 if the piece is not attacked, 1 if it is attacked by pieces that are not worth less, 2 if by one
/// that is; plus 0 if it is not defended, 1 if it is defended by pieces, 2 if by a pawn. Knights and bishops are worth the
/// same here, and nothing is cheap for a king.
///
/// What hangs, and what holds what, is hard to learn from pieces and squares alone: it would need a unit for every pair of
/// an attacker's and a victim's square. (Attacks as inputs of such networks: the engines of the field since 2024; as bits
/// of a piece's own state: Monty, 2024.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatStates {
    /// Attacked, attacked by something cheaper, defended, defended by a pawn.
    planes: [Bitboard; 4],
}

impl ThreatStates {
    /// Those of an empty board.
    const NONE: ThreatStates = ThreatStates { planes: [Bitboard::EMPTY; _] };

    /// Those of pieces in index order that together stand on these squares.
    #[inline]
    pub fn of(occupied: Bitboard, pieces: &[Bitboard; Piece::COUNT]) -> ThreatStates {
        let of = |color, kind| pieces[Piece::new(color, kind).index()];
        let threats = Color::ALL.map(|color| Threats::of(color, occupied, |kind| of(color, kind)));
        let [mut attacked, mut cheaper, mut defended, mut by_pawn] = [Bitboard::EMPTY; 4];
        for color in Color::ALL {
            let (ours, theirs) = (&threats[color.index()], &threats[(!color).index()]);
            let minor = of(color, PieceType::Knight) | of(color, PieceType::Bishop);
            let (rook, queen) = (of(color, PieceType::Rook), of(color, PieceType::Queen));
            let men = of(color, PieceType::Pawn) | minor | rook | queen | of(color, PieceType::King);
            attacked |= men & theirs.all;
            cheaper |= minor & theirs.by_pawn | rook & theirs.by_minor | queen & theirs.by_rook;
            defended |= men & ours.all;
            by_pawn |= men & ours.by_pawn;
        }
        ThreatStates { planes: [attacked, cheaper, defended, by_pawn] }
    }

    /// The state of the piece on a square.
    #[inline]
    pub fn at(&self, square: Square) -> usize {
        let [attacked, cheaper, defended, by_pawn] = self.planes.map(|plane| usize::from(plane.has(square)));
        3 * (attacked + cheaper) + defended + by_pawn
    }
}

/// The pieces of a position, each in its threat state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceFeatures {
    mailbox: [Option<Piece>; 64],
    pieces: [Bitboard; Piece::COUNT],
    threat_states: ThreatStates,
}

const _: () = assert!(THREAT_STATES == 9);

impl PieceFeatures {
    /// An empty board.
    pub const EMPTY: PieceFeatures = PieceFeatures {
        mailbox: [None; 64],
        pieces: [Bitboard::EMPTY; _],
        threat_states: ThreatStates::NONE,
    };

    /// The pieces on a board.
    #[inline]
    pub fn of(board: &Board) -> PieceFeatures {
        let pieces = Piece::ALL.map(|piece| board.colored(piece.color(), piece.kind()));
        let states = ThreatStates::of(board.occupied(), &pieces);
        PieceFeatures { mailbox: *board.mailbox(), pieces, threat_states: states }
    }

    /// In what states the pieces are.
    #[inline]
    pub fn threat_states(&self) -> &ThreatStates {
        &self.threat_states
    }

    /// Lists the men that are here and were not in an earlier placement, and those that were there and are not here.
    #[inline]
    pub fn diff(&self, before: &PieceFeatures, changes: &mut FeatureDelta) {
        changes.added.clear();
        changes.removed.clear();
        // One loop over all that differs, with no branch for what does not.
        let mut stale = Bitboard::EMPTY;
        let (mut here, mut there) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (&now, &then) in self.pieces.iter().zip(&before.pieces) {
            stale |= now ^ then;
            here |= now;
            there |= then;
        }
        for (&now, &then) in self.threat_states.planes.iter().zip(&before.threat_states.planes) {
            stale |= now ^ then;
        }
        self.list(stale & here, &mut changes.added);
        before.list(stale & there, &mut changes.removed);
    }

    /// Appends the men on these squares.
    #[inline]
    fn list(&self, squares: Bitboard, men: &mut ArrayVec<PieceFeature, 64>) {
        for square in squares {
            if let Some(piece) = self.mailbox[square.index()] {
                // A board has no more squares than a list has room.
                let _ = men.try_push(PieceFeature::new(piece, self.threat_states.at(square), square));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::samples::boards;

    #[test]
    fn men_hold_what_they_are_made_of() {
        for piece in Piece::ALL {
            for state in 0..THREAT_STATES {
                for square in Square::ALL {
                    let man = PieceFeature::new(piece, state, square);
                    assert_eq!((man.threat_state(), man.color()), (state, piece.color().index()));
                    assert_eq!(man.piece_square(), 64 * piece.kind().index() + square.index());
                }
            }
        }
    }

    #[test]
    fn pieces_are_in_the_states_that_they_are_in() {
        let mut seen = [0; THREAT_STATES];
        for board in boards() {
            let states = PieceFeatures::of(&board).threat_states;
            for square in board.occupied() {
                let piece = board.piece_on(square).expect("a piece");
                let [ours, theirs] = [piece.color(), !piece.color()].map(|color| board.threats(color));
                let cheaper = match piece.kind() {
                    PieceType::Pawn | PieceType::King => false,
                    PieceType::Knight | PieceType::Bishop => theirs.by_pawn.has(square),
                    PieceType::Rook => theirs.by_minor.has(square),
                    PieceType::Queen => theirs.by_rook.has(square),
                };
                let attacked = match (theirs.all.has(square), cheaper) {
                    (false, _) => 0,
                    (true, false) => 1,
                    (true, true) => 2,
                };
                let defended = match (ours.all.has(square), ours.by_pawn.has(square)) {
                    (false, _) => 0,
                    (true, false) => 1,
                    (true, true) => 2,
                };
                let state = 3 * attacked + defended;
                assert_eq!(states.at(square), state, "{square}: {board}");
                seen[state] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
    }

    #[test]
    fn states_are_known_where_they_are_plain() {
        let state = |fen: &str, square| PieceFeatures::of(&fen.parse().expect(fen)).threat_states.at(square);
        // A pawn that nothing touches, one that a pawn defends, one that a piece does.
        let fen = "4k3/8/8/8/8/3P4/2P5/4KR2 w - - 0 1";
        assert_eq!([Square::C2, Square::D3, Square::F1].map(|square| state(fen, square)), [0, 2, 1]);
        // A rook attacked by a pawn, a pawn attacked by the rook; a king looks at neither.
        let fen = "4k3/8/8/4p3/3R4/8/8/7K w - - 0 1";
        assert_eq!([Square::D4, Square::E5].map(|square| state(fen, square)), [6, 0]);
        // A queen attacked by a rook and defended by a pawn, a rook attacked by a queen and defended by nothing.
        let fen = "8/7k/8/8/r2Q4/4P3/8/7K w - - 0 1";
        assert_eq!([Square::D4, Square::A4].map(|square| state(fen, square)), [8, 3]);
        // Knights and bishops are worth the same.
        let fen = "7k/8/8/4b3/2N5/8/8/7K w - - 0 1";
        assert_eq!([Square::C4, Square::E5].map(|square| state(fen, square)), [0, 3]);
    }

    #[test]
    fn changes_lead_from_one_placement_to_the_other() {
        let men = |placement: &PieceFeatures| {
            let mut changes = FeatureDelta::default();
            placement.diff(&PieceFeatures::EMPTY, &mut changes);
            assert!(changes.removed.is_empty());
            changes.added.to_vec()
        };
        let placements: Vec<PieceFeatures> = boards().iter().map(PieceFeatures::of).collect();
        let mut changes = FeatureDelta::default();
        for before in &placements {
            for after in &placements {
                after.diff(before, &mut changes);
                let mut men_after = men(before);
                men_after.retain(|man| !changes.removed.contains(man));
                assert!(changes.added.iter().all(|man| !men_after.contains(man)));
                men_after.extend(changes.added.iter().copied());
                let mut expected = men(after);
                men_after.sort_unstable();
                expected.sort_unstable();
                assert_eq!(men_after, expected);
            }
            before.diff(before, &mut changes);
            assert!(changes.added.is_empty() && changes.removed.is_empty());
        }
    }
}
