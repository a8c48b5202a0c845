//! Which pieces stand where, and in what danger: the inputs of the network before a side looks at them.

use arrayvec::ArrayVec;

use super::arch::STATES;
use crate::board::{Board, Threats};
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// A piece on a square in a threat state: from the low bits on six for the square, three for the kind, one for the colour,
/// and the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Man(u16);

impl Man {
    /// A man in a state below [`STATES`].
    #[inline]
    pub const fn new(piece: Piece, state: usize, square: Square) -> Man {
        let (color, kind) = (piece.color().index(), piece.kind().index());
        Man((state << 10 | color << 9 | kind << 6 | square.index()) as u16)
    }

    /// The threat state.
    #[inline]
    pub const fn state(self) -> usize {
        self.0 as usize >> 10
    }

    /// The colour, as an index.
    #[inline]
    pub const fn color(self) -> usize {
        self.0 as usize >> 9 & 1
    }

    /// Sixty-four times the kind, plus the square.
    #[inline]
    pub const fn place(self) -> usize {
        self.0 as usize & 511
    }
}

/// The men that differ between two positions.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Those of the later one.
    pub added: ArrayVec<Man, 64>,
    /// Those of the earlier one.
    pub removed: ArrayVec<Man, 64>,
}

/// The threat state of a piece, by what its own side and the other attack: three times 0 if it is not attacked, 1 if it is
/// attacked by pieces that are not worth less, 2 if by one that is; plus 0 if it is not defended, 1 if it is defended by
/// pieces, 2 if by a pawn. Knights and bishops are worth the same here, and nothing is cheap for a king.
///
/// What hangs, and what holds what, is hard to learn from pieces and squares alone: it would need a unit for every pair of
/// an attacker's and a victim's square. (Attacks as inputs of such networks: the engines of the field since 2024; as bits
/// of a piece's own state: Monty, 2024.)
#[inline]
pub fn threat_state(kind: PieceType, square: Square, ours: &Threats, theirs: &Threats) -> usize {
    let cheaper = match kind {
        PieceType::Pawn | PieceType::King => false,
        PieceType::Knight | PieceType::Bishop => theirs.by_pawn.has(square),
        PieceType::Rook => theirs.by_minor.has(square),
        PieceType::Queen => theirs.by_rook.has(square),
    };
    let (attacked, defended) = (theirs.all.has(square), ours.all.has(square));
    3 * (usize::from(attacked) + usize::from(cheaper))
        + usize::from(defended)
        + usize::from(ours.by_pawn.has(square))
}

/// The pieces of a position, each in its [`threat_state`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    mailbox: [Option<Piece>; 64],
    pieces: [Bitboard; Piece::COUNT],
    /// Attacked, attacked by something cheaper, defended, defended by a pawn.
    planes: [Bitboard; 4],
}

const _: () = assert!(STATES == 9);

impl Placement {
    /// An empty board.
    pub const EMPTY: Placement =
        Placement { mailbox: [None; 64], pieces: [Bitboard::EMPTY; _], planes: [Bitboard::EMPTY; _] };

    /// The pieces on a board.
    #[inline]
    pub fn of(board: &Board) -> Placement {
        let mut placement = Placement {
            mailbox: *board.mailbox(),
            pieces: Piece::ALL.map(|piece| board.colored(piece.color(), piece.kind())),
            planes: [Bitboard::EMPTY; _],
        };
        let threats = Color::ALL.map(|color| board.threats(color));
        for color in Color::ALL {
            let (ours, theirs) = (&threats[color.index()], &threats[(!color).index()]);
            let men = board.color(color);
            let of = |kind| board.colored(color, kind);
            let minor = of(PieceType::Knight) | of(PieceType::Bishop);
            let cheaper = minor & theirs.by_pawn
                | of(PieceType::Rook) & theirs.by_minor
                | of(PieceType::Queen) & theirs.by_rook;
            placement.planes[0] |= men & theirs.all;
            placement.planes[1] |= cheaper;
            placement.planes[2] |= men & ours.all;
            placement.planes[3] |= men & ours.by_pawn;
        }
        placement
    }

    #[inline]
    fn state(&self, square: Square) -> usize {
        let [attacked, cheaper, defended, by_pawn] = self.planes.map(|plane| usize::from(plane.has(square)));
        3 * (attacked + cheaper) + defended + by_pawn
    }

    /// Lists the men that are here and were not in an earlier placement, and those that were there and are not here.
    #[inline]
    pub fn changes(&self, before: &Placement, changes: &mut Changes) {
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
        for (&now, &then) in self.planes.iter().zip(&before.planes) {
            stale |= now ^ then;
        }
        self.list(stale & here, &mut changes.added);
        before.list(stale & there, &mut changes.removed);
    }

    /// Appends the men on these squares.
    #[inline]
    fn list(&self, squares: Bitboard, men: &mut ArrayVec<Man, 64>) {
        for square in squares {
            if let Some(piece) = self.mailbox[square.index()] {
                // A board has no more squares than a list has room.
                let _ = men.try_push(Man::new(piece, self.state(square), square));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "4k3/8/8/1q1r1n2/2P1P3/8/8/4K3 w - - 0 1",
    ];

    fn boards() -> impl Iterator<Item = Board> {
        POSITIONS.iter().map(|fen| fen.parse().expect(fen))
    }

    #[test]
    fn men_hold_what_they_are_made_of() {
        for piece in Piece::ALL {
            for state in 0..STATES {
                for square in Square::ALL {
                    let man = Man::new(piece, state, square);
                    assert_eq!((man.state(), man.color()), (state, piece.color().index()));
                    assert_eq!(man.place(), 64 * piece.kind().index() + square.index());
                }
            }
        }
    }

    #[test]
    fn pieces_are_in_the_states_that_they_are_in() {
        let mut seen = [0; STATES];
        for board in boards() {
            let placement = Placement::of(&board);
            for square in board.occupied() {
                let piece = board.piece_on(square).expect("a piece");
                let [ours, theirs] = [piece.color(), !piece.color()].map(|color| board.threats(color));
                let state = threat_state(piece.kind(), square, &ours, &theirs);
                assert_eq!(placement.state(square), state, "{square}: {board}");
                seen[state] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
    }

    #[test]
    fn states_are_known_where_they_are_plain() {
        let state = |fen: &str, square| Placement::of(&fen.parse().expect(fen)).state(square);
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
        let men = |placement: &Placement| {
            let mut changes = Changes::default();
            placement.changes(&Placement::EMPTY, &mut changes);
            assert!(changes.removed.is_empty());
            changes.added.to_vec()
        };
        let placements: Vec<Placement> = boards().map(|board| Placement::of(&board)).collect();
        let mut changes = Changes::default();
        for before in &placements {
            for after in &placements {
                after.changes(before, &mut changes);
                let mut men_after = men(before);
                men_after.retain(|man| !changes.removed.contains(man));
                assert!(changes.added.iter().all(|man| !men_after.contains(man)));
                men_after.extend(changes.added.iter().copied());
                let mut expected = men(after);
                men_after.sort_unstable();
                expected.sort_unstable();
                assert_eq!(men_after, expected);
            }
            before.changes(before, &mut changes);
            assert!(changes.added.is_empty() && changes.removed.is_empty());
        }
    }
}
