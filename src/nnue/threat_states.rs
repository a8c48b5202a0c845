//! Threat states: how each piece of a position is attacked and defended.

use super::arch::THREAT_STATES;
use crate::board::{PieceSets, Threats};
use crate::types::{Bitboard, Color, PieceType, Square};

/// The threat states of all pieces of a position: how each is attacked by the enemy and defended by its own side.
///
/// A state is `3 * attack + defence`. `attack` is 0 if the piece is not attacked, 1 if it is attacked, 2 if it is attacked
/// by a piece of lower value; `defence` is 0 if the piece is not defended, 1 if it is defended by pieces, 2 if by a pawn.
/// Knights and bishops have the same value here, and a pawn or a king is never attacked by a piece of lower value.
///
/// A network of pieces and squares alone can hardly learn what hangs and what defends what: it would need a hidden unit for
/// every pair of an attacker's and a victim's square. (Attacks as inputs of such networks: several engines since 2024; as
/// bits of a piece's own state: Monty, 2024.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatStates {
    /// Bit planes: attacked, attacked by a piece of lower value, defended, defended by a pawn.
    pub(super) planes: [Bitboard; 4],
}

const _: () = assert!(THREAT_STATES == 9);

impl ThreatStates {
    /// The threat states of an empty board.
    pub(super) const EMPTY: ThreatStates = ThreatStates { planes: [Bitboard::EMPTY; _] };

    /// The threat states of pieces.
    #[inline]
    pub fn of(sets: &PieceSets) -> ThreatStates {
        ThreatStates::under(sets, &Color::ALL.map(|color| sets.threats(color)))
    }

    /// The threat states of pieces, where White and Black attack this.
    #[inline]
    pub(super) fn under(sets: &PieceSets, threats: &[Threats; 2]) -> ThreatStates {
        let minor_pieces = sets.pieces(PieceType::Knight) | sets.pieces(PieceType::Bishop);
        let [mut attacked, mut by_lower, mut defended, mut by_pawn] = [Bitboard::EMPTY; 4];
        for color in Color::ALL {
            let (ours, theirs) = (&threats[color.index()], &threats[(!color).index()]);
            let all = sets.by_color(color);
            attacked |= all & theirs.all;
            by_lower |= all
                & (minor_pieces & theirs.by_pawn
                    | sets.pieces(PieceType::Rook) & theirs.by_minor
                    | sets.pieces(PieceType::Queen) & theirs.by_rook);
            defended |= all & ours.all;
            by_pawn |= all & ours.by_pawn;
        }
        ThreatStates { planes: [attacked, by_lower, defended, by_pawn] }
    }

    /// The squares with another threat state.
    #[inline]
    pub(super) fn difference(&self, other: &ThreatStates) -> Bitboard {
        let planes = self.planes.iter().zip(&other.planes);
        planes.fold(Bitboard::EMPTY, |squares, (&plane, &other)| squares | plane ^ other)
    }

    /// The threat state of the piece on a square, below [`THREAT_STATES`].
    #[inline]
    pub fn at(&self, square: Square) -> usize {
        let [attacked, by_lower, defended, by_pawn] = self.planes.map(|plane| usize::from(plane.has(square)));
        3 * (attacked + by_lower) + defended + by_pawn
    }
}

#[cfg(test)]
mod tests {
    use super::super::piece_features::PieceFeatures;
    use super::*;
    use crate::board::test_positions::boards;

    #[test]
    fn states_equal_those_found_square_by_square() {
        let mut seen = [0; THREAT_STATES];
        for board in boards() {
            let states = *PieceFeatures::of(&board).threat_states();
            for square in board.occupied() {
                let piece = board.piece_on(square).expect("a piece");
                let [ours, theirs] = [piece.color(), !piece.color()].map(|color| board.threats(color));
                let by_lower = match piece.kind() {
                    PieceType::Pawn | PieceType::King => false,
                    PieceType::Knight | PieceType::Bishop => theirs.by_pawn.has(square),
                    PieceType::Rook => theirs.by_minor.has(square),
                    PieceType::Queen => theirs.by_rook.has(square),
                };
                let attack = match (theirs.all.has(square), by_lower) {
                    (false, _) => 0,
                    (true, false) => 1,
                    (true, true) => 2,
                };
                let defence = match (ours.all.has(square), ours.by_pawn.has(square)) {
                    (false, _) => 0,
                    (true, false) => 1,
                    (true, true) => 2,
                };
                let state = 3 * attack + defence;
                assert_eq!(states.at(square), state, "{square}: {board}");
                seen[state] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
    }

    #[test]
    fn known_states() {
        let states = |fen: &str, squares: &[Square]| -> Vec<usize> {
            let features = PieceFeatures::of(&fen.parse().expect(fen));
            squares.iter().map(|&square| features.threat_states().at(square)).collect()
        };
        // A pawn that is neither attacked nor defended, one defended by a pawn, a rook defended by a piece.
        let fen = "4k3/8/8/8/8/3P4/2P5/4KR2 w - - 0 1";
        assert_eq!(states(fen, &[Square::C2, Square::D3, Square::F1]), [0, 2, 1]);
        // A rook attacked by a pawn that it does not attack.
        let fen = "4k3/8/8/4p3/3R4/8/8/7K w - - 0 1";
        assert_eq!(states(fen, &[Square::D4, Square::E5]), [6, 0]);
        // A queen attacked by a rook and defended by a pawn, a rook attacked by a queen and not defended.
        let fen = "8/7k/8/8/r2Q4/4P3/8/7K w - - 0 1";
        assert_eq!(states(fen, &[Square::D4, Square::A4]), [8, 3]);
        // Knights and bishops have the same value.
        let fen = "7k/8/8/4b3/2N5/8/8/7K w - - 0 1";
        assert_eq!(states(fen, &[Square::C4, Square::E5]), [0, 3]);
    }
}
