//! Where kings and rooks stand and go when they castle, in standard chess, Chess960 and double Chess960.

use crate::attacks;
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, File, Square};
use crate::zobrist;

/// Where king and rook go when a move is castling.
pub(super) struct CastlingTargets {
    pub king_to: Square,
    pub rook_to: Square,
}

impl CastlingTargets {
    #[inline]
    pub(super) fn of(color: Color, king: Square, rook: Square) -> CastlingTargets {
        let side = CastlingSide::of(king, rook);
        CastlingTargets { king_to: side.king_target(color), rook_to: side.rook_target(color) }
    }
}

/// True if king and rook stand on files from which standard chess castles.
pub(super) fn stands_as_standard(king: Square, rook: Square) -> bool {
    king.file() == File::E && matches!(rook.file(), File::A | File::H)
}

/// One right to castle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castling {
    pub rook: Square,
    /// What must be empty: the paths of king and rook, without the two themselves.
    pub path: Bitboard,
    /// Where the king must not be attacked, besides where it stands.
    pub king_path: Bitboard,
}

/// All that castling depends on and that stays the same during a game.
#[derive(Clone, Debug)]
pub(super) struct CastlingSetup {
    castlings: [[Option<Castling>; 2]; 2],
    /// The rights that end when a piece leaves or comes to a square.
    rights_masks: [CastlingRights; 64],
    /// The key of each set of rights.
    keys: [u64; 16],
}

impl CastlingSetup {
    /// The setup with these kings, by colour, and the rook of each right, by colour and side.
    pub(super) fn new(kings: [Square; 2], rooks: [[Option<Square>; 2]; 2]) -> CastlingSetup {
        let mut setup = CastlingSetup {
            castlings: [[None; 2]; 2],
            rights_masks: [CastlingRights::NONE; 64],
            keys: CastlingRights::SETS.map(zobrist::castling),
        };
        for color in Color::ALL {
            let king = kings[color.index()];
            for side in CastlingSide::ALL {
                let Some(rook) = rooks[color.index()][side.index()] else { continue };
                let (king_to, rook_to) = (side.king_target(color), side.rook_target(color));
                let king_path = attacks::between(king, king_to) | king_to;
                let rook_path = attacks::between(rook, rook_to) | rook_to;
                let path = (king_path | rook_path).without(Bitboard::from(king) | rook);
                setup.castlings[color.index()][side.index()] = Some(Castling { rook, path, king_path });
                let right = CastlingRights::one(color, side);
                for set in CastlingRights::SETS.into_iter().filter(|set| set.any_of(right)) {
                    setup.keys[set.index()] ^= zobrist::castling_rook(color, side, rook.file());
                }
                for square in [king, rook] {
                    let mask = &mut setup.rights_masks[square.index()];
                    *mask = mask.with(right);
                }
            }
        }
        setup
    }

    /// What castling to a side takes, if the right was there at the start of the game.
    #[inline]
    pub(super) fn castling(&self, color: Color, side: CastlingSide) -> Option<&Castling> {
        self.castlings[color.index()][side.index()].as_ref()
    }

    /// The Zobrist key of a set of rights in this game.
    #[inline]
    pub(super) fn key(&self, rights: CastlingRights) -> u64 {
        self.keys[rights.index()]
    }

    /// The rights that end when a piece goes from one square to another.
    #[inline]
    pub(super) fn rights_lost(&self, from: Square, to: Square) -> CastlingRights {
        self.rights_masks[from.index()].with(self.rights_masks[to.index()])
    }
}
