//! What a position consists of.

use crate::attacks;
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, Piece, PieceType, Square};
use crate::zobrist;

/// What a position is made of, before keys and check masks are derived from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The pieces, by square index.
    pub pieces: [Option<Piece>; 64],
    /// Whose turn it is.
    pub side_to_move: Color,
    /// The rook's square of each castling right, by colour and [`CastlingSide`].
    pub castling: [[Option<Square>; 2]; 2],
    /// The square behind a pawn that has just gone two squares.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub rule50: u16,
    /// The number of the full move, from 1.
    pub fullmove: u32,
    /// How castling is written: as the king taking its rook.
    pub chess960: bool,
}

impl Setup {
    /// An empty board with this side to move, at the first move, without rights.
    pub const fn empty(side_to_move: Color) -> Setup {
        Setup {
            pieces: [None; 64],
            side_to_move,
            castling: [[None; 2]; 2],
            en_passant: None,
            rule50: 0,
            fullmove: 1,
            chess960: false,
        }
    }
}

/// Zobrist keys of the whole position and of parts of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Everything that decides which moves are possible: pieces, side to move, castling, en passant.
    pub position: u64,
    /// Pawns of both colours.
    pub pawn: u64,
    /// Pieces other than pawns, by colour (kings included).
    pub non_pawn: [u64; 2],
    /// Knights and bishops of both colours, and the kings.
    pub minor: u64,
    /// Rooks and queens of both colours, and the kings.
    pub major: u64,
}

/// For each piece, all ones in the keys that it is part of.
static KEYS_OF: [Keys; Piece::COUNT] = {
    let mut masks =
        [const { Keys { position: !0, pawn: 0, non_pawn: [0; 2], minor: 0, major: 0 } }; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::ALL[index];
        let keys = &mut masks[index];
        match piece.kind() {
            PieceType::Pawn => keys.pawn = !0,
            PieceType::Knight | PieceType::Bishop => keys.minor = !0,
            PieceType::Rook | PieceType::Queen => keys.major = !0,
            PieceType::King => (keys.minor, keys.major) = (!0, !0),
        }
        if !matches!(piece.kind(), PieceType::Pawn) {
            keys.non_pawn[piece.color().index()] = !0;
        }
        index += 1;
    }
    masks
};

impl Keys {
    /// A piece comes to a square or leaves it.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, square: Square) {
        self.combine(piece, zobrist::piece(piece, square));
    }

    /// A piece goes from one square to another.
    #[inline]
    pub(super) fn move_piece(&mut self, piece: Piece, from: Square, to: Square) {
        self.combine(piece, zobrist::piece(piece, from) ^ zobrist::piece(piece, to));
    }

    // Masks, as the kind of a piece is nothing that a branch could foresee.
    #[inline]
    fn combine(&mut self, piece: Piece, key: u64) {
        let mask = &KEYS_OF[piece.index()];
        self.position ^= key & mask.position;
        self.pawn ^= key & mask.pawn;
        self.non_pawn[0] ^= key & mask.non_pawn[0];
        self.non_pawn[1] ^= key & mask.non_pawn[1];
        self.minor ^= key & mask.minor;
        self.major ^= key & mask.major;
    }
}

/// The part of a position that a move cannot take back by itself: it is kept on a stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct StateInfo {
    pub keys: Keys,
    pub checkers: Bitboard,
    /// Pieces of the side to move that stand alone between their king and an enemy slider.
    pub pinned: Bitboard,
    pub castling: CastlingRights,
    pub en_passant: Option<Square>,
    /// The piece that the last move took.
    pub captured: Option<Piece>,
    pub rule50: u16,
    /// Plies since the last null move or the start of the game: repetitions do not reach further back.
    pub plies_from_null: u16,
}

/// A position and the way that led to it.
///
/// Always legal: both kings stand, and the side not to move is not in check. Positions come from
/// [`Board::from_setup`] (trusting) or from a FEN (checking), and change by [`Board::make_move`].
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) mailbox: [Option<Piece>; 64],
    pub(super) by_kind: [Bitboard; 6],
    pub(super) by_color: [Bitboard; 2],
    pub(super) side: Color,
    pub(super) chess960: bool,
    pub(super) ply: u32,
    pub(super) state: StateInfo,
    /// The rook of each castling right, as it stood at the start of the game.
    pub(super) castling_rooks: [[Option<Square>; 2]; 2],
    /// What must be empty for castling: the ways of king and rook, without the two themselves.
    pub(super) castling_paths: [[Bitboard; 2]; 2],
    /// The rights that end when a piece leaves or comes to a square.
    pub(super) castling_rights_masks: [CastlingRights; 64],
    pub(super) history: Vec<StateInfo>,
}

/// The squares that king and rook pass and come to when they castle, without those where they stand.
fn castling_path(color: Color, side: CastlingSide, king: Square, rook: Square) -> Bitboard {
    let (king_to, rook_to) = (side.king_target(color), side.rook_target(color));
    let ways = attacks::between(king, king_to) | attacks::between(rook, rook_to) | king_to | rook_to;
    ways.without(Bitboard::from(king) | rook)
}

impl Board {
    /// The board of a setup, which is trusted to be a legal position. An en passant square that no pawn can
    /// legally use is dropped: it does not change the position.
    pub fn from_setup(setup: &Setup) -> Board {
        let mut board = Board {
            mailbox: [None; 64],
            by_kind: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            side: setup.side_to_move,
            chess960: setup.chess960,
            ply: 2 * setup.fullmove.clamp(1, u32::MAX / 4) - 2 + setup.side_to_move.index() as u32,
            state: StateInfo {
                keys: Keys::default(),
                checkers: Bitboard::EMPTY,
                pinned: Bitboard::EMPTY,
                castling: CastlingRights::NONE,
                en_passant: None,
                captured: None,
                rule50: setup.rule50,
                plies_from_null: 0,
            },
            castling_rooks: setup.castling,
            castling_paths: [[Bitboard::EMPTY; 2]; 2],
            castling_rights_masks: [CastlingRights::NONE; 64],
            history: Vec::with_capacity(256),
        };
        for square in Square::ALL {
            if let Some(piece) = setup.pieces[square.index()] {
                board.put_piece(piece, square);
                board.state.keys.toggle(piece, square);
            }
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if let Some(rook) = setup.castling[color.index()][side.index()] {
                    let right = CastlingRights::one(color, side);
                    let king = board.king(color);
                    board.state.castling = board.state.castling.with(right);
                    board.castling_paths[color.index()][side.index()] =
                        castling_path(color, side, king, rook);
                    board.castling_rights_masks[rook.index()] =
                        board.castling_rights_masks[rook.index()].with(right);
                    board.castling_rights_masks[king.index()] =
                        board.castling_rights_masks[king.index()].with(right);
                }
            }
        }
        board.state.keys.position ^= zobrist::castling(board.state.castling);
        if board.side == Color::Black {
            board.state.keys.position ^= zobrist::side();
        }
        (board.state.checkers, board.state.pinned) = board.checkers_and_pinned();
        if let Some(square) = setup.en_passant.filter(|&square| board.can_take_en_passant(square)) {
            board.state.en_passant = Some(square);
            board.state.keys.position ^= zobrist::en_passant(square.file());
        }
        board
    }

    /// The start position of standard chess.
    pub fn start() -> Board {
        const BACK: [PieceType; 8] = [
            PieceType::Rook,
            PieceType::Knight,
            PieceType::Bishop,
            PieceType::Queen,
            PieceType::King,
            PieceType::Bishop,
            PieceType::Knight,
            PieceType::Rook,
        ];
        let mut pieces = [None; 64];
        for (file, kind) in BACK.into_iter().enumerate() {
            pieces[file] = Some(Piece::new(Color::White, kind));
            pieces[8 + file] = Some(Piece::WhitePawn);
            pieces[48 + file] = Some(Piece::BlackPawn);
            pieces[56 + file] = Some(Piece::new(Color::Black, kind));
        }
        Board::from_setup(&Setup {
            pieces,
            side_to_move: Color::White,
            castling: [[Some(Square::H1), Some(Square::A1)], [Some(Square::H8), Some(Square::A8)]],
            en_passant: None,
            rule50: 0,
            fullmove: 1,
            chess960: false,
        })
    }

    /// The setup of this position.
    pub fn setup(&self) -> Setup {
        Setup {
            pieces: self.mailbox,
            side_to_move: self.side,
            castling: Color::ALL.map(|color| CastlingSide::ALL.map(|side| self.castling_rook(color, side))),
            en_passant: self.state.en_passant,
            rule50: self.state.rule50,
            fullmove: self.fullmove(),
            chess960: self.chess960,
        }
    }

    /// The pieces by square.
    #[inline]
    pub fn mailbox(&self) -> &[Option<Piece>; 64] {
        &self.mailbox
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    /// All pieces of a kind.
    #[inline]
    pub fn pieces(&self, kind: PieceType) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// All pieces of a colour.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The pieces of a colour and a kind.
    #[inline]
    pub fn pieces_of(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by_color[color.index()] & self.by_kind[kind.index()]
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The square of a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // A board has both kings, so the set is never empty.
        Square::from_index(self.pieces_of(color, PieceType::King).0.trailing_zeros() as usize)
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// True if the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.state.pinned
    }

    /// Who may still castle.
    #[inline]
    pub fn castling(&self) -> CastlingRights {
        self.state.castling
    }

    /// The square of the rook with which a side may still castle.
    #[inline]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        if self.state.castling.has(color, side) {
            self.castling_rooks[color.index()][side.index()]
        } else {
            None
        }
    }

    /// The square on which a pawn can be taken en passant now.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn rule50(&self) -> u16 {
        self.state.rule50
    }

    /// The number of the full move, from 1.
    #[inline]
    pub fn fullmove(&self) -> u32 {
        self.ply / 2 + 1
    }

    /// Plies since the start of the game, as the move number has it.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// True if castling is written as the king taking its rook.
    #[inline]
    pub fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// Writes castling as the king taking its rook, or as the king's two squares.
    pub fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    /// All keys.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.state.keys
    }

    /// The key of the whole position.
    #[inline]
    pub fn key(&self) -> u64 {
        self.state.keys.position
    }

    /// The piece that the last move took.
    #[inline]
    pub fn captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// True if a side has something besides its pawns and king.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        (self.non_pawn_pieces() & self.by_color(color)).any()
    }

    /// The pieces of both sides besides pawns and kings.
    #[inline]
    pub fn non_pawn_pieces(&self) -> Bitboard {
        self.occupied() & !(self.pieces(PieceType::Pawn) | self.pieces(PieceType::King))
    }

    /// Pieces of both colours that attack a square when `occupied` is occupied.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let diagonal = self.by_kind[PieceType::Bishop.index()] | self.by_kind[PieceType::Queen.index()];
        let straight = self.by_kind[PieceType::Rook.index()] | self.by_kind[PieceType::Queen.index()];
        attacks::pawn(Color::White, square) & self.pieces_of(Color::Black, PieceType::Pawn)
            | attacks::pawn(Color::Black, square) & self.pieces_of(Color::White, PieceType::Pawn)
            | attacks::knight(square) & self.by_kind[PieceType::Knight.index()]
            | attacks::king(square) & self.by_kind[PieceType::King.index()]
            | attacks::bishop(square, occupied) & diagonal
            | attacks::rook(square, occupied) & straight
    }

    /// True if `by` attacks a square when `occupied` is occupied.
    #[inline]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let them = self.by_color[by.index()];
        let steps = attacks::pawn(!by, square) & self.by_kind[PieceType::Pawn.index()]
            | attacks::knight(square) & self.by_kind[PieceType::Knight.index()]
            | attacks::king(square) & self.by_kind[PieceType::King.index()];
        if (steps & them).any() {
            return true;
        }
        let queens = self.by_kind[PieceType::Queen.index()];
        (attacks::bishop(square, occupied) & (self.by_kind[PieceType::Bishop.index()] | queens) & them).any()
            || (attacks::rook(square, occupied) & (self.by_kind[PieceType::Rook.index()] | queens) & them)
                .any()
    }

    #[inline]
    pub(super) fn put_piece(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = Some(piece);
        self.by_kind[piece.kind().index()] |= square;
        self.by_color[piece.color().index()] |= square;
    }

    #[inline]
    pub(super) fn remove_piece(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = None;
        self.by_kind[piece.kind().index()] ^= square;
        self.by_color[piece.color().index()] ^= square;
    }

    #[inline]
    pub(super) fn move_piece(&mut self, piece: Piece, from: Square, to: Square) {
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
        let both = Bitboard::from(from) | to;
        self.by_kind[piece.kind().index()] ^= both;
        self.by_color[piece.color().index()] ^= both;
    }

    /// What checks the side to move, and its pieces that are pinned.
    #[inline]
    pub(super) fn checkers_and_pinned(&self) -> (Bitboard, Bitboard) {
        let us = self.side;
        let king = self.king(us);
        let them = self.by_color(!us);
        let queens = self.by_kind[PieceType::Queen.index()];
        let diagonal = (self.by_kind[PieceType::Bishop.index()] | queens) & them;
        let straight = (self.by_kind[PieceType::Rook.index()] | queens) & them;
        let mut checkers = attacks::pawn(us, king) & self.pieces_of(!us, PieceType::Pawn)
            | attacks::knight(king) & self.pieces_of(!us, PieceType::Knight);
        let mut pinned = Bitboard::EMPTY;
        // Sliders that would see the king if only their own side stood in the way.
        let snipers = attacks::bishop(king, them) & diagonal | attacks::rook(king, them) & straight;
        let ours = self.by_color(us);
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & ours;
            if blockers.is_empty() {
                checkers |= sniper;
            } else if !blockers.more_than_one() {
                pinned |= blockers;
            }
        }
        (checkers, pinned)
    }

    /// True if a pawn of the side to move can legally take on `square` the pawn that has just passed it.
    pub(super) fn can_take_en_passant(&self, square: Square) -> bool {
        let pawns = attacks::pawn(!self.side, square) & self.pieces_of(self.side, PieceType::Pawn);
        pawns.into_iter().any(|from| self.en_passant_is_safe(from, square))
    }

    /// True if taking en passant from `from` on `square` leaves the own king out of check.
    pub(super) fn en_passant_is_safe(&self, from: Square, square: Square) -> bool {
        let us = self.side;
        let victim = Bitboard::from(square.forward(!us));
        let king = self.king(us);
        let them = self.by_color(!us).without(victim);
        let occupied = (self.occupied() ^ from).without(victim) | square;
        let queens = self.by_kind[PieceType::Queen.index()];
        (attacks::knight(king) & self.pieces(PieceType::Knight) & them).is_empty()
            && (attacks::pawn(us, king) & self.pieces(PieceType::Pawn) & them).is_empty()
            && (attacks::bishop(king, occupied) & (self.pieces(PieceType::Bishop) | queens) & them).is_empty()
            && (attacks::rook(king, occupied) & (self.pieces(PieceType::Rook) | queens) & them).is_empty()
    }
}
