//! Games as structures, four bytes a ply: the payload of a block in version 1 of the format, which is read and no longer
//! written.

use bytemuck::{Pod, Zeroable};
use caesura::types::{MATE, Move};

use super::error::{Damage, GameError};
use crate::game::{Ending, Game, OpeningKind, Ply, Winner};
use crate::position::PackedPosition;

/// The header of a game, 48 bytes; its plies follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct GameHeader {
    /// The first position.
    start: PackedPosition,
    /// [`Game::index`].
    index: u32,
    /// The number of plies that follow.
    plies: u16,
    /// The discriminant of the [`Winner`].
    winner: u8,
    /// The discriminant of the [`Ending`].
    ending: u8,
    /// The discriminant of the [`OpeningKind`].
    opening: u8,
    /// Zero.
    reserved: [u8; 3],
}

/// An encoded [`Ply`], 4 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct PackedPly {
    /// [`Move::bits`].
    played: u16,
    /// [`Ply::score`].
    score: i16,
}

const _: () = assert!(size_of::<GameHeader>() == 48 && size_of::<PackedPly>() == 4);

/// Decodes the games of a payload, of which there are this many, with this many positions. The legality of the moves is
/// not checked: [`crate::game::Replay`] does that.
///
/// # Errors
/// If the payload holds something else.
pub fn decode(payload: &[u8], games: usize, positions: usize) -> Result<Vec<Game>, Damage> {
    let mut rest = payload;
    let mut decoded: Vec<Game> = Vec::new();
    while !rest.is_empty() {
        let number = decoded.len();
        decoded.push(decode_game(&mut rest).map_err(|source| Damage::Game { number, source })?);
    }
    let counted = decoded.iter().map(|game| game.plies.len()).sum::<usize>();
    if (decoded.len(), counted) == (games, positions) { Ok(decoded) } else { Err(Damage::Counts) }
}

/// Decodes a game from the front of a payload and advances the payload past it.
fn decode_game(payload: &mut &[u8]) -> Result<Game, GameError> {
    let (header, rest) = payload.split_at_checked(size_of::<GameHeader>()).ok_or(GameError::Short)?;
    let header: GameHeader = bytemuck::pod_read_unaligned(header);
    let length = usize::from(header.plies) * size_of::<PackedPly>();
    let (plies, rest) = rest.split_at_checked(length).ok_or(GameError::Short)?;
    let start = header.start.unpack()?;
    let winner = *Winner::ALL.get(usize::from(header.winner)).ok_or(GameError::Field("an unknown result"))?;
    let ending = *Ending::ALL.get(usize::from(header.ending)).ok_or(GameError::Field("an unknown ending"))?;
    let opening =
        *OpeningKind::ALL.get(usize::from(header.opening)).ok_or(GameError::Field("an unknown opening"))?;
    let plies = plies
        .chunks_exact(size_of::<PackedPly>())
        .map(|bytes| {
            let packed: PackedPly = bytemuck::pod_read_unaligned(bytes);
            let played =
                Move::from_bits(packed.played).ok_or(GameError::Field("a move that does not exist"))?;
            if i32::from(packed.score).abs() > MATE {
                return Err(GameError::Field("a score beyond that of mate"));
            }
            Ok(Ply { played, score: packed.score })
        })
        .collect::<Result<Vec<Ply>, GameError>>()?;
    *payload = rest;
    Ok(Game { index: header.index, start, opening, plies, winner, ending })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{BlockHeader, FileHeader};

    /// The first block of a file of version 1.
    fn block() -> (&'static [u8], usize, usize) {
        let file = include_bytes!("../../tests/files/version1.games");
        let (header, rest) = file[size_of::<FileHeader>()..].split_at(size_of::<BlockHeader>());
        let header: BlockHeader = bytemuck::pod_read_unaligned(header);
        (&rest[..header.payload as usize], header.games as usize, header.positions as usize)
    }

    #[test]
    fn wrong_counts_and_cut_payloads_are_refused() {
        let (payload, games, positions) = block();
        assert_eq!(decode(payload, games, positions).map(|games| games.len()), Ok(games));
        assert_eq!(decode(payload, games + 1, positions), Err(Damage::Counts));
        assert_eq!(decode(payload, games, positions - 1), Err(Damage::Counts));
        for at in 0..payload.len() {
            assert!(decode(&payload[..at], games, positions).is_err());
        }
    }

    #[test]
    fn no_byte_of_a_game_makes_it_panic() {
        let (payload, _, _) = block();
        let length = payload.len() - {
            let mut rest = payload;
            decode_game(&mut rest).unwrap();
            rest.len()
        };
        for at in 0..length {
            for value in [0, 1, 63, 64, 65, 127, 128, 200, 255] {
                let mut damaged = payload[..length].to_vec();
                damaged[at] = value;
                if let Ok(game) = decode_game(&mut &damaged[..]) {
                    let mut replay = game.replay();
                    while let Ok(Some(_)) = replay.next_position() {}
                }
            }
        }
    }
}
