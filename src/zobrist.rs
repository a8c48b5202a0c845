//! Zobrist keys of positions: one random number for each property in which positions differ, combined by exclusive or
//! (Albert Zobrist, "A new hashing method with application for game playing", 1970).
//!
//! The numbers come from a fixed seed at compile time, so a key means the same position in every build. From them
//! comes a second table, with the keys of all reversible moves: two positions of a game that differ by one such
//! move are recognised without making it (Marcel van Kervinck's detection of upcoming repetitions, 2013).

use crate::attacks::{king, knight, line};
use crate::types::{CastlingRights, CastlingSide, Color, File, Piece, PieceType, Square};
use crate::util::random::splitmix;

/// The key of a piece on a square.
#[inline]
pub const fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

/// The key of a set of castling rights: the keys of its rights, combined.
#[inline]
pub const fn castling(rights: CastlingRights) -> u64 {
    KEYS.castling[rights.index()]
}

/// What a castling right of a rook on this file adds to the key of the right: nothing for the rook in the corner, as in
/// standard chess. With several rooks on one side, positions may differ by that file alone.
#[inline]
pub const fn castling_rook(color: Color, side: CastlingSide, file: File) -> u64 {
    KEYS.castling_rooks[color.index()][side.index()][file.index()]
}

/// The key of a possible en passant capture on this file.
#[inline]
pub const fn en_passant(file: File) -> u64 {
    KEYS.en_passant[file.index()]
}

/// The key of Black's turn.
#[inline]
pub const fn side() -> u64 {
    KEYS.side
}

/// The two squares of the reversible move whose key is `key_difference`, the lower one first.
///
/// The key of a move is the difference that it makes: its piece on the first square, its piece on the second, and the
/// side to move. It is the same in both directions. Pawn moves and castling are never reversible. As with all keys, a
/// difference that comes from no single move may match one by chance. The caller must test whether the squares between
/// the two are empty.
#[inline]
pub fn reversible_move(key_difference: u64) -> Option<(Square, Square)> {
    let [first, second] = cuckoo_slots(key_difference);
    if REVERSIBLE.keys[first] == key_difference {
        REVERSIBLE.moves[first]
    } else if REVERSIBLE.keys[second] == key_difference {
        REVERSIBLE.moves[second]
    } else {
        None
    }
}

struct KeyTable {
    pieces: [[u64; 64]; Piece::COUNT],
    castling: [u64; 16],
    castling_rooks: [[[u64; File::COUNT]; 2]; 2],
    en_passant: [u64; File::COUNT],
    side: u64,
}

static KEYS: KeyTable = KeyTable::from_seed(0x00CA_E5B8_A000_2006);

impl KeyTable {
    const fn from_seed(seed: u64) -> KeyTable {
        let mut keys = KeyTable {
            pieces: [[0; 64]; Piece::COUNT],
            castling: [0; 16],
            castling_rooks: [[[0; File::COUNT]; 2]; 2],
            en_passant: [0; 8],
            side: 0,
        };
        let mut state = seed;
        let mut i = 0;
        while i < Piece::COUNT * 64 {
            keys.pieces[i / 64][i % 64] = splitmix(&mut state);
            i += 1;
        }
        let rights = [splitmix(&mut state), splitmix(&mut state), splitmix(&mut state), splitmix(&mut state)];
        let mut set = 0;
        while set < 16 {
            let mut right = 0;
            while right < 4 {
                if set >> right & 1 != 0 {
                    keys.castling[set] ^= rights[right];
                }
                right += 1;
            }
            set += 1;
        }
        let mut file = 0;
        while file < File::COUNT {
            keys.en_passant[file] = splitmix(&mut state);
            file += 1;
        }
        keys.side = splitmix(&mut state);
        let corners = [File::H.index(), File::A.index()];
        let mut rook = 0;
        while rook < 4 * File::COUNT {
            let (right, file) = (rook / File::COUNT, rook % File::COUNT);
            if file != corners[right % 2] {
                keys.castling_rooks[right / 2][right % 2][file] = splitmix(&mut state);
            }
            rook += 1;
        }
        keys
    }
}

const SLOTS: usize = 8192;
const REVERSIBLE_MOVES: usize = 3668;

/// A cuckoo hash table: an entry is in one of its two slots, or not in the table (Rasmus Pagh and Flemming Friche
/// Rodler, "Cuckoo hashing", 2001).
struct CuckooTable {
    keys: [u64; SLOTS],
    moves: [Option<(Square, Square)>; SLOTS],
}

static REVERSIBLE: CuckooTable = {
    let (table, count) = CuckooTable::build();
    assert!(count == REVERSIBLE_MOVES);
    table
};

/// The two places where a key may be.
#[inline]
const fn cuckoo_slots(key: u64) -> [usize; 2] {
    [key as usize % SLOTS, (key >> 32) as usize % SLOTS]
}

impl CuckooTable {
    const fn build() -> (CuckooTable, usize) {
        let mut table = CuckooTable { keys: [0; SLOTS], moves: [None; SLOTS] };
        let mut count = 0;
        let mut pair = 0;
        while pair < 64 * 64 {
            let (a, b) = (Square::from_index(pair / 64), Square::from_index(pair % 64));
            let mut kind = 0;
            while kind < PieceType::COUNT && pair / 64 < pair % 64 {
                if reaches(PieceType::ALL[kind], a, b) {
                    table.insert(Piece::new(Color::White, PieceType::ALL[kind]), a, b);
                    table.insert(Piece::new(Color::Black, PieceType::ALL[kind]), a, b);
                    count += 2;
                }
                kind += 1;
            }
            pair += 1;
        }
        (table, count)
    }

    /// Puts a move into its first slot; an entry that was there moves to its other slot, and so on. An endless circle,
    /// which other keys could cause, is a compile error.
    const fn insert(&mut self, moved: Piece, from: Square, to: Square) {
        let mut key = piece(moved, from) ^ piece(moved, to) ^ side();
        let mut entry = Some((from, to));
        let mut slot = cuckoo_slots(key)[0];
        let mut evictions = 0;
        while entry.is_some() {
            assert!(evictions < SLOTS, "the keys do not fit a cuckoo table");
            (key, self.keys[slot]) = (self.keys[slot], key);
            (entry, self.moves[slot]) = (self.moves[slot], entry);
            slot ^= cuckoo_slots(key)[0] ^ cuckoo_slots(key)[1];
            evictions += 1;
        }
    }
}

/// True if a piece of this kind goes from `a` to `b` on an empty board, and back again.
const fn reaches(kind: PieceType, a: Square, b: Square) -> bool {
    let aligned = line(a, b).any();
    let straight = a.file() as u8 == b.file() as u8 || a.rank() as u8 == b.rank() as u8;
    match kind {
        PieceType::Pawn => false,
        PieceType::Knight => knight(a).has(b),
        PieceType::Bishop => aligned && !straight,
        PieceType::Rook => aligned && straight,
        PieceType::Queen => aligned,
        PieceType::King => king(a).has(b),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::attacks::{bishop, queen, rook};
    use crate::types::Bitboard;

    fn single_keys() -> Vec<u64> {
        let mut keys = vec![side()];
        keys.extend(Piece::ALL.iter().flat_map(|&kind| Square::ALL.map(|square| piece(kind, square))));
        keys.extend(File::ALL.map(en_passant));
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                keys.push(castling(CastlingRights::one(color, side)));
                let rooks = File::ALL.map(|file| castling_rook(color, side, file));
                keys.extend(rooks.into_iter().filter(|&key| key != 0));
            }
        }
        keys
    }

    #[test]
    fn keys_and_their_pairs_are_unique() {
        let keys = single_keys();
        assert_eq!(keys.len(), 781 + 4 * 7);
        let mut seen = HashSet::from([0]);
        for (i, &first) in keys.iter().enumerate() {
            assert!(seen.insert(first));
            for &second in &keys[..i] {
                assert!(seen.insert(first ^ second));
            }
        }
    }

    #[test]
    fn castling_keys_add_up_right_by_right() {
        assert_eq!(castling(CastlingRights::NONE), 0);
        let mut held = CastlingRights::NONE;
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let right = CastlingRights::one(color, side);
                assert_eq!(castling(held.with(right)), castling(held) ^ castling(right));
                held = held.with(right);
            }
        }
        assert_eq!(castling(CastlingRights::ALL), castling(held));
    }

    #[test]
    fn reversible_moves_are_found_from_their_keys_and_nothing_else_is() {
        let mut found = 0;
        for moved in Piece::ALL {
            for from in Square::ALL {
                let targets = match moved.kind() {
                    PieceType::Pawn => Bitboard::EMPTY,
                    PieceType::Knight => knight(from),
                    PieceType::Bishop => bishop(from, Bitboard::EMPTY),
                    PieceType::Rook => rook(from, Bitboard::EMPTY),
                    PieceType::Queen => queen(from, Bitboard::EMPTY),
                    PieceType::King => king(from),
                };
                for to in Square::ALL {
                    let key = piece(moved, from) ^ piece(moved, to) ^ side();
                    let expected = targets.has(to).then_some((from.min(to), from.max(to)));
                    assert_eq!(reversible_move(key), expected, "{moved:?} {from} {to}");
                    assert_eq!(reversible_move(key ^ side()), None);
                    found += usize::from(expected.is_some());
                }
            }
        }
        assert_eq!(found, 2 * REVERSIBLE_MOVES);
        assert_eq!(REVERSIBLE.moves.iter().flatten().count(), REVERSIBLE_MOVES);
    }

    #[test]
    fn random_keys_are_no_moves() {
        assert_eq!(reversible_move(0), None);
        assert!(single_keys().into_iter().all(|key| reversible_move(key).is_none()));
        let mut state = 1;
        assert!((0..1_000_000).all(|_| reversible_move(splitmix(&mut state)).is_none()));
    }
}
