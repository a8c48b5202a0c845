//! Legal moves, set by set.

use arrayvec::ArrayVec;

use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Color, File, Move, MoveKind, PieceType, Rank, Square};

use super::Board;
use super::make_move::CastlingTargets;

/// A list of moves; no position has more than 218.
pub type MoveList = ArrayVec<Move, 256>;

/// Which moves to make.
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
    /// One piece (no pawn) goes from `from` to any of `quiets`, or takes on any of `captures`.
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
        self.extend(captures.into_iter().map(|to| Move::new(from, to, MoveKind::Capture)));
        self.extend(quiets.into_iter().map(|to| Move::new(from, to, MoveKind::Quiet)));
    }

    #[inline]
    fn add_pawn_moves(&mut self, targets: Bitboard, shift: i32, kind: MoveKind) {
        self.extend(targets.into_iter().map(|to| Move::new(origin(to, shift), to, kind)));
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

/// Counts moves without making them.
#[derive(Default)]
struct MoveCounter(u32);

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

const ALL: u8 = GenType::All as u8;
const NOISY: u8 = GenType::Noisy as u8;
const QUIET: u8 = GenType::Quiet as u8;

impl Board {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<ALL, _>(&mut list);
        list
    }

    /// How many legal moves there are.
    #[inline]
    pub fn count_legal_moves(&self) -> u32 {
        let mut counter = MoveCounter::default();
        self.generate::<ALL, _>(&mut counter);
        counter.0
    }

    /// Puts the legal moves of a kind into a sink.
    pub fn generate_into<S: MoveSink>(&self, kind: GenType, sink: &mut S) {
        match kind {
            GenType::All => self.generate::<ALL, _>(sink),
            GenType::Noisy => self.generate::<NOISY, _>(sink),
            GenType::Quiet => self.generate::<QUIET, _>(sink),
        }
    }

    // The side to move becomes a constant: shifts and ranks fold.
    #[inline]
    fn generate<const GEN: u8, S: MoveSink>(&self, sink: &mut S) {
        match self.side {
            Color::White => self.generate_for::<GEN, 0, S>(sink),
            Color::Black => self.generate_for::<GEN, 1, S>(sink),
        }
    }

    #[inline]
    fn generate_for<const GEN: u8, const SIDE: usize, S: MoveSink>(&self, sink: &mut S) {
        let us = Color::ALL[SIDE];
        let king = self.king(us);
        let ours = self.by_color(us);
        let theirs = self.by_color(!us);
        let occupied = ours | theirs;
        let checkers = self.checkers();

        self.king_moves::<GEN, S>(king, ours, theirs, occupied, us, sink);
        if checkers.more_than_one() {
            return;
        }
        // Where a move stops the check, if there is one.
        let check_mask = match checkers.first() {
            Some(checker) => attacks::between(king, checker) | checker,
            None => Bitboard::ALL,
        };
        let quiets = if GEN == NOISY { Bitboard::EMPTY } else { !occupied & check_mask };
        let captures = if GEN == QUIET { Bitboard::EMPTY } else { theirs & check_mask };
        let targets = quiets | captures;
        let pinned = self.pinned();

        self.pawn_moves::<GEN, SIDE, S>(king, check_mask, theirs, occupied, sink);

        // A pinned knight never moves.
        for from in self.pieces_of(us, PieceType::Knight).without(pinned) {
            let to = attacks::knight(from) & targets;
            sink.add_piece_moves(from, to & quiets, to & captures);
        }
        let queens = self.pieces(PieceType::Queen);
        let diagonal = (self.pieces(PieceType::Bishop) | queens) & ours;
        let straight = (self.pieces(PieceType::Rook) | queens) & ours;
        for from in diagonal.without(pinned) {
            let to = attacks::bishop(from, occupied) & targets;
            sink.add_piece_moves(from, to & quiets, to & captures);
        }
        for from in straight.without(pinned) {
            let to = attacks::rook(from, occupied) & targets;
            sink.add_piece_moves(from, to & quiets, to & captures);
        }
        if checkers.is_empty() {
            for from in diagonal & pinned {
                let to = attacks::bishop(from, occupied) & targets & attacks::line(king, from);
                sink.add_piece_moves(from, to & quiets, to & captures);
            }
            for from in straight & pinned {
                let to = attacks::rook(from, occupied) & targets & attacks::line(king, from);
                sink.add_piece_moves(from, to & quiets, to & captures);
            }
            if GEN != NOISY {
                for side in CastlingSide::ALL {
                    if let Some(rook) = self.castling_rook(us, side)
                        && self.can_castle(us, side)
                    {
                        sink.add_move(Move::new(king, rook, MoveKind::Castle));
                    }
                }
            }
        }
    }

    #[inline]
    fn king_moves<const GEN: u8, S: MoveSink>(
        &self,
        king: Square,
        ours: Bitboard,
        theirs: Bitboard,
        occupied: Bitboard,
        us: Color,
        sink: &mut S,
    ) {
        let mut to = attacks::king(king).without(ours);
        match GEN {
            NOISY => to &= theirs,
            QUIET => to = to.without(theirs),
            _ => {}
        }
        // Most squares fall to pawns and the other king at once.
        to = to.without(attacks::pawn_set(!us, self.pieces_of(!us, PieceType::Pawn)));
        to = to.without(attacks::king(self.king(!us)));
        let without_king = occupied ^ king;
        let mut safe = Bitboard::EMPTY;
        for square in to {
            if !self.is_attacked(square, !us, without_king) {
                safe |= square;
            }
        }
        sink.add_piece_moves(king, safe.without(theirs), safe & theirs);
    }

    #[inline]
    fn pawn_moves<const GEN: u8, const SIDE: usize, S: MoveSink>(
        &self,
        king: Square,
        check_mask: Bitboard,
        theirs: Bitboard,
        occupied: Bitboard,
        sink: &mut S,
    ) {
        let us = Color::ALL[SIDE];
        let (up, left, right) = if SIDE == 0 { (8, 7, 9) } else { (-8, -9, -7) };
        let last = Bitboard::from_rank(Rank::Eighth.relative(us));
        let third = Bitboard::from_rank(Rank::Third.relative(us));
        let pawns = self.pieces_of(us, PieceType::Pawn);
        let pinned = pawns & self.pinned();
        let free = pawns ^ pinned;
        let empty = !occupied;

        // A pinned pawn keeps to the line of its pin: straight ahead on the king's file, or along one diagonal.
        let (pinned_on_file, pinned_diagonally) = if pinned.is_empty() {
            (Bitboard::EMPTY, Bitboard::EMPTY)
        } else {
            (pinned & Bitboard::from_file(king.file()), pinned & attacks::bishop(king, Bitboard::EMPTY))
        };
        let mut push = (free | pinned_on_file).forward(us) & empty;
        let double = (push & third).forward(us) & empty & check_mask;
        push &= check_mask;
        let takes = theirs & check_mask;
        let takers = free | pinned_diagonally;
        let mut take_left = takers.west().forward(us) & takes;
        let mut take_right = takers.east().forward(us) & takes;
        // Both ways were allowed: keep the way that stays on the pinning diagonal.
        for from in pinned_diagonally {
            let off = !attacks::line(king, from);
            take_left = take_left.without(Bitboard::from(from).west().forward(us) & off);
            take_right = take_right.without(Bitboard::from(from).east().forward(us) & off);
        }

        let which = match GEN {
            NOISY => GenType::Noisy,
            QUIET => GenType::Quiet,
            _ => GenType::All,
        };
        if GEN != QUIET {
            sink.add_pawn_moves(take_left.without(last), left, MoveKind::Capture);
            sink.add_pawn_moves(take_right.without(last), right, MoveKind::Capture);
            sink.add_promotions(take_left & last, left, true, which);
            sink.add_promotions(take_right & last, right, true, which);
            if let Some(square) = self.en_passant() {
                for from in attacks::pawn(!us, square) & pawns {
                    if self.en_passant_is_safe(from, square) {
                        sink.add_move(Move::new(from, square, MoveKind::EnPassant));
                    }
                }
            }
        }
        sink.add_promotions(push & last, up, false, which);
        if GEN != NOISY {
            sink.add_pawn_moves(push.without(last), up, MoveKind::Quiet);
            sink.add_pawn_moves(double, 2 * up, MoveKind::DoublePush);
        }
    }

    /// True if the king may castle to this side; the right is held and the king is not in check.
    #[inline]
    pub(super) fn can_castle(&self, us: Color, side: CastlingSide) -> bool {
        (self.occupied() & self.castling_paths[us.index()][side.index()]).is_empty()
            && self.castling_rook(us, side).is_some_and(|rook| self.castling_is_safe(us, rook))
    }

    /// True if no square is attacked that the king passes or comes to when it castles with this rook.
    fn castling_is_safe(&self, us: Color, rook: Square) -> bool {
        let king = self.king(us);
        let path = CastlingTargets::of(us, king, rook);
        let occupied = self.occupied() ^ king;
        let way = attacks::between(king, path.king_to) | path.king_to;
        if way.into_iter().any(|square| self.is_attacked(square, !us, occupied)) {
            return false;
        }
        // The rook still shields the king while it walks; where it ends, the rook has moved on.
        let straight = self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen);
        let seen = attacks::rook(path.king_to, occupied ^ rook | path.rook_to);
        (seen & straight & self.by_color(!us)).is_empty()
    }

    /// True if every king and rook that may still castle stand where standard chess has them.
    pub(super) fn castles_as_standard(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            CastlingSide::ALL.into_iter().all(|side| {
                self.castling_rook(color, side).is_none_or(|rook| {
                    let file = if side == CastlingSide::King { File::H } else { File::A };
                    rook.file() == file && self.king(color).file() == File::E
                })
            })
        })
    }
}
