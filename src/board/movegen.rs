//! Legal moves, set by set.

use arrayvec::ArrayVec;

use crate::attacks;
use crate::types::{Bitboard, CastlingSide, Color, File, Move, MoveKind, PieceType, Rank, Square};

use super::Board;
use super::make::CastlingPath;

/// A list of moves; no position has more than 218.
pub type MoveList = ArrayVec<Move, 256>;

/// Which moves to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All legal moves.
    All,
    /// Captures, and promotions to a queen.
    Noisy,
    /// The rest.
    Quiet,
}

/// Where moves go, as sets for as long as possible: a counter needs no single move.
pub trait Sink {
    /// One piece (no pawn) goes from `from` to any of `quiets`, or takes on any of `captures`.
    fn piece(&mut self, from: Square, quiets: Bitboard, captures: Bitboard);
    /// Pawns come to `targets`, each from `shift` squares (by index) further back; none promotes.
    fn pawns(&mut self, targets: Bitboard, shift: i32, kind: MoveKind);
    /// Pawns promote on `targets`, each from `shift` squares further back.
    fn promotions(&mut self, targets: Bitboard, shift: i32, capture: bool, which: Kind);
    /// A single move.
    fn one(&mut self, m: Move);
}

#[inline]
fn origin(target: Square, shift: i32) -> Square {
    Square::from_index((target.index() as i32 - shift) as usize)
}

impl<const N: usize> Sink for ArrayVec<Move, N> {
    #[inline]
    fn piece(&mut self, from: Square, quiets: Bitboard, captures: Bitboard) {
        self.extend(captures.into_iter().map(|to| Move::new(from, to, MoveKind::Capture)));
        self.extend(quiets.into_iter().map(|to| Move::new(from, to, MoveKind::Quiet)));
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, shift: i32, kind: MoveKind) {
        self.extend(targets.into_iter().map(|to| Move::new(origin(to, shift), to, kind)));
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, shift: i32, capture: bool, which: Kind) {
        for to in targets {
            let from = origin(to, shift);
            if capture || which != Kind::Quiet {
                self.push(Move::promotion(from, to, PieceType::Queen, capture));
            }
            if capture || which != Kind::Noisy {
                for piece in [PieceType::Knight, PieceType::Rook, PieceType::Bishop] {
                    self.push(Move::promotion(from, to, piece, capture));
                }
            }
        }
    }

    #[inline]
    fn one(&mut self, m: Move) {
        self.push(m);
    }
}

/// Counts moves without making them.
#[derive(Default)]
struct Counter(u32);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _from: Square, quiets: Bitboard, captures: Bitboard) {
        self.0 += (quiets | captures).count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _shift: i32, _kind: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _shift: i32, _capture: bool, _which: Kind) {
        self.0 += 4 * targets.count();
    }

    #[inline]
    fn one(&mut self, _m: Move) {
        self.0 += 1;
    }
}

const ALL: u8 = Kind::All as u8;
const NOISY: u8 = Kind::Noisy as u8;
const QUIET: u8 = Kind::Quiet as u8;

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
        let mut counter = Counter::default();
        self.generate::<ALL, _>(&mut counter);
        counter.0
    }

    /// Puts the legal moves of a kind into a sink.
    pub fn generate_into<S: Sink>(&self, kind: Kind, sink: &mut S) {
        match kind {
            Kind::All => self.generate::<ALL, _>(sink),
            Kind::Noisy => self.generate::<NOISY, _>(sink),
            Kind::Quiet => self.generate::<QUIET, _>(sink),
        }
    }

    // The side to move becomes a constant: shifts and ranks fold.
    #[inline]
    fn generate<const KIND: u8, S: Sink>(&self, sink: &mut S) {
        match self.side {
            Color::White => self.generate_for::<KIND, 0, S>(sink),
            Color::Black => self.generate_for::<KIND, 1, S>(sink),
        }
    }

    #[inline]
    fn generate_for<const KIND: u8, const SIDE: usize, S: Sink>(&self, sink: &mut S) {
        let us = Color::ALL[SIDE];
        let king = self.king(us);
        let ours = self.color(us);
        let theirs = self.color(!us);
        let occupied = ours | theirs;
        let checkers = self.checkers();

        self.king_steps::<KIND, S>(king, ours, theirs, occupied, us, sink);
        if checkers.more_than_one() {
            return;
        }
        // Where a move stops the check, if there is one.
        let useful = match checkers.first() {
            Some(checker) => attacks::between(king, checker) | checker,
            None => Bitboard::ALL,
        };
        let quiets = if KIND == NOISY { Bitboard::EMPTY } else { !occupied & useful };
        let captures = if KIND == QUIET { Bitboard::EMPTY } else { theirs & useful };
        let targets = quiets | captures;
        let pinned = self.pinned();

        self.pawn_moves::<KIND, SIDE, S>(king, useful, theirs, occupied, sink);

        // A pinned knight never moves.
        for from in self.colored(us, PieceType::Knight).without(pinned) {
            let to = attacks::knight(from) & targets;
            sink.piece(from, to & quiets, to & captures);
        }
        let queens = self.pieces(PieceType::Queen);
        let diagonal = (self.pieces(PieceType::Bishop) | queens) & ours;
        let straight = (self.pieces(PieceType::Rook) | queens) & ours;
        for from in diagonal.without(pinned) {
            let to = attacks::bishop(from, occupied) & targets;
            sink.piece(from, to & quiets, to & captures);
        }
        for from in straight.without(pinned) {
            let to = attacks::rook(from, occupied) & targets;
            sink.piece(from, to & quiets, to & captures);
        }
        if checkers.is_empty() {
            for from in diagonal & pinned {
                let to = attacks::bishop(from, occupied) & targets & attacks::line(king, from);
                sink.piece(from, to & quiets, to & captures);
            }
            for from in straight & pinned {
                let to = attacks::rook(from, occupied) & targets & attacks::line(king, from);
                sink.piece(from, to & quiets, to & captures);
            }
            if KIND != NOISY {
                for side in CastlingSide::ALL {
                    if let Some(rook) = self.castling_rook(us, side)
                        && self.may_castle(us, side)
                    {
                        sink.one(Move::new(king, rook, MoveKind::Castle));
                    }
                }
            }
        }
    }

    #[inline]
    fn king_steps<const KIND: u8, S: Sink>(
        &self,
        king: Square,
        ours: Bitboard,
        theirs: Bitboard,
        occupied: Bitboard,
        us: Color,
        sink: &mut S,
    ) {
        let mut to = attacks::king(king).without(ours);
        match KIND {
            NOISY => to &= theirs,
            QUIET => to = to.without(theirs),
            _ => {}
        }
        // Most squares fall to pawns and the other king at once.
        to = to.without(attacks::pawn_set(!us, self.colored(!us, PieceType::Pawn)));
        to = to.without(attacks::king(self.king(!us)));
        let without_king = occupied ^ king;
        let mut safe = Bitboard::EMPTY;
        for square in to {
            if !self.is_attacked(square, !us, without_king) {
                safe |= square;
            }
        }
        sink.piece(king, safe.without(theirs), safe & theirs);
    }

    #[inline]
    fn pawn_moves<const KIND: u8, const SIDE: usize, S: Sink>(
        &self,
        king: Square,
        useful: Bitboard,
        theirs: Bitboard,
        occupied: Bitboard,
        sink: &mut S,
    ) {
        let us = Color::ALL[SIDE];
        let (up, left, right) = if SIDE == 0 { (8, 7, 9) } else { (-8, -9, -7) };
        let last = Bitboard::from_rank(Rank::Eighth.relative(us));
        let third = Bitboard::from_rank(Rank::Third.relative(us));
        let pawns = self.colored(us, PieceType::Pawn);
        let pinned = pawns & self.pinned();
        let free = pawns ^ pinned;
        let empty = !occupied;

        // A pinned pawn keeps to the line of its pin: ahead on the king's file, or along one diagonal.
        let (ahead, slanted) = if pinned.is_empty() {
            (Bitboard::EMPTY, Bitboard::EMPTY)
        } else {
            (pinned & Bitboard::from_file(king.file()), pinned & attacks::bishop(king, Bitboard::EMPTY))
        };
        let mut push = (free | ahead).forward(us) & empty;
        let double = (push & third).forward(us) & empty & useful;
        push &= useful;
        let takes = theirs & useful;
        let takers = free | slanted;
        let mut take_left = takers.west().forward(us) & takes;
        let mut take_right = takers.east().forward(us) & takes;
        // Both ways were allowed: keep the way that stays on the pinning diagonal.
        for from in slanted {
            let off = !attacks::line(king, from);
            take_left = take_left.without(Bitboard::from(from).west().forward(us) & off);
            take_right = take_right.without(Bitboard::from(from).east().forward(us) & off);
        }

        let which = match KIND {
            NOISY => Kind::Noisy,
            QUIET => Kind::Quiet,
            _ => Kind::All,
        };
        if KIND != QUIET {
            sink.pawns(take_left.without(last), left, MoveKind::Capture);
            sink.pawns(take_right.without(last), right, MoveKind::Capture);
            sink.promotions(take_left & last, left, true, which);
            sink.promotions(take_right & last, right, true, which);
            if let Some(square) = self.en_passant() {
                for from in attacks::pawn(!us, square) & pawns {
                    if self.en_passant_is_safe(from, square) {
                        sink.one(Move::new(from, square, MoveKind::EnPassant));
                    }
                }
            }
        }
        sink.promotions(push & last, up, false, which);
        if KIND != NOISY {
            sink.pawns(push.without(last), up, MoveKind::Quiet);
            sink.pawns(double, 2 * up, MoveKind::DoublePush);
        }
    }

    /// True if the king may castle to this side; the right is held and the king is not in check.
    #[inline]
    pub(super) fn may_castle(&self, us: Color, side: CastlingSide) -> bool {
        (self.occupied() & self.castling_ways[us.index()][side.index()]).is_empty()
            && self.castling_rook(us, side).is_some_and(|rook| self.castling_is_safe(us, rook))
    }

    /// True if no square is attacked that the king passes or comes to when it castles with this rook.
    fn castling_is_safe(&self, us: Color, rook: Square) -> bool {
        let king = self.king(us);
        let path = CastlingPath::of(us, king, rook);
        let occupied = self.occupied() ^ king;
        let way = attacks::between(king, path.king_to) | path.king_to;
        if way.into_iter().any(|square| self.is_attacked(square, !us, occupied)) {
            return false;
        }
        // The rook still shields the king while it walks; where it ends, the rook has moved on.
        let straight = self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen);
        let seen = attacks::rook(path.king_to, occupied ^ rook | path.rook_to);
        (seen & straight & self.color(!us)).is_empty()
    }

    /// True if the king and a rook stand where standard chess has them.
    pub fn castles_as_standard(&self) -> bool {
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
