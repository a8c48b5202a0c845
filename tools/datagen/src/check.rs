//! Checks game files: replays every game by the rules of chess.

use std::path::{Path, PathBuf};
use std::slice;

use crate::game::{Ending, Game, ReplayError, Winner};
use crate::game_groups::RecordCounts;
use crate::reader::{GameReader, ReadError};

/// What is wrong with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFault {
    /// A move is illegal.
    #[error(transparent)]
    Illegal(#[from] ReplayError),
    /// The game continues after its end.
    #[error("game {0} continues after its end at ply {1}")]
    ContinuesAfterEnd(u32, usize),
    /// The game does not end as its record says.
    #[error("game {0} did not end as recorded ({1:?}, {2:?})")]
    WrongEnding(u32, Ending, Winner),
}

/// Replays a game and checks that every move is legal and that the game ends where and how its record says.
///
/// # Errors
/// The first fault.
pub fn game(game: &Game) -> Result<(), GameFault> {
    let mut replay = game.replay();
    while let Some(position) = replay.next_position()? {
        if Ending::by_rule(position.board).is_some() {
            return Err(GameFault::ContinuesAfterEnd(game.index, position.ply));
        }
    }
    let expected = game.ending.is_by_rule().then_some((game.ending, game.winner));
    let drawn = matches!(game.ending, Ending::DrawByScore | Ending::TooLong);
    let judged = game.ending.is_by_rule() || drawn == (game.winner == Winner::Draw);
    if Ending::by_rule(replay.board()) != expected || !judged {
        return Err(GameFault::WrongEnding(game.index, game.ending, game.winner));
    }
    Ok(())
}

/// The result of checking a file.
#[derive(Debug)]
pub struct FileReport {
    /// The file.
    pub path: PathBuf,
    /// What was read.
    pub records: RecordCounts,
    /// The number of its positions, those of games included.
    pub positions: u64,
    /// Games that break the rules.
    pub faults: Vec<GameFault>,
    /// What of the file could not be read.
    pub damage: Vec<ReadError>,
}

impl FileReport {
    /// True if nothing is wrong and nothing is missing, not even of the last block.
    pub fn passed(&self) -> bool {
        self.faults.is_empty() && self.damage.is_empty()
    }
}

/// Checks a file.
pub fn file(path: &Path) -> FileReport {
    let mut report = FileReport {
        path: path.to_path_buf(),
        records: RecordCounts::default(),
        positions: 0,
        faults: Vec::new(),
        damage: Vec::new(),
    };
    let games = match GameReader::open(path) {
        Ok(games) => games,
        Err(error) => {
            report.damage.push(error);
            return report;
        }
    };
    for item in games {
        match item {
            Ok(read) => {
                report.records.add(slice::from_ref(&read));
                report.positions += read.plies.len() as u64;
                report.faults.extend(game(&read).err());
            }
            Err(error) => report.damage.push(error),
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::some_game;

    #[test]
    fn sound_games_pass_and_false_ones_do_not() {
        let sound = some_game(1, 40);
        assert_eq!(game(&sound), Ok(()));
        let claims = Game { ending: Ending::Stalemate, ..sound.clone() };
        assert_eq!(game(&claims), Err(GameFault::WrongEnding(1, Ending::Stalemate, Winner::Draw)));
        let won = Game { winner: Winner::White, ..sound.clone() };
        assert_eq!(game(&won), Err(GameFault::WrongEnding(1, Ending::TooLong, Winner::White)));
        let mut illegal = sound;
        illegal.plies.swap(6, 7);
        assert!(matches!(game(&illegal), Err(GameFault::Illegal(_))));
    }
}
