//! Games and the positions by themselves that belong to them, read from many files.

use std::fmt;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::slice;

use toolkit::progress::thousands;

use crate::game::Game;
use crate::reader::{GameReader, ReadError};

/// How many records are whole games and how many are [positions by themselves](Game::is_lone_position).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordCounts {
    /// Whole games.
    pub games: u64,
    /// Positions by themselves.
    pub lone_positions: u64,
}

impl RecordCounts {
    /// All records.
    pub fn all(&self) -> u64 {
        self.games + self.lone_positions
    }

    /// Counts records.
    pub fn add(&mut self, records: &[Game]) {
        let lone = records.iter().filter(|record| record.is_lone_position()).count();
        self.lone_positions += lone as u64;
        self.games += (records.len() - lone) as u64;
    }
}

impl AddAssign for RecordCounts {
    fn add_assign(&mut self, others: RecordCounts) {
        self.games += others.games;
        self.lone_positions += others.lone_positions;
    }
}

impl fmt::Display for RecordCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games", thousands(self.games))?;
        if self.lone_positions > 0 {
            write!(f, " and {} positions by themselves", thousands(self.lone_positions))?;
        }
        Ok(())
    }
}

/// Iterates over the games of all files, one file after the other, each game with the positions by themselves behind it that
/// have its number. A position whose game is not before it, as behind damage, comes alone. Errors go to `damaged`; what can
/// be read behind them follows.
pub fn game_groups<F: FnMut(ReadError)>(files: &[PathBuf], damaged: F) -> GameGroups<'_, F> {
    GameGroups { files: files.iter(), reader: None, next: None, damaged }
}

/// The iterator that [`game_groups`] returns.
#[derive(Debug)]
pub struct GameGroups<'a, F> {
    files: slice::Iter<'a, PathBuf>,
    reader: Option<GameReader>,
    /// The first record of the next group, if it has been read.
    next: Option<Game>,
    damaged: F,
}

impl<F: FnMut(ReadError)> Iterator for GameGroups<'_, F> {
    type Item = Vec<Game>;

    fn next(&mut self) -> Option<Vec<Game>> {
        let mut group = Vec::from_iter(self.next.take());
        loop {
            match self.reader.as_mut().and_then(Iterator::next) {
                Some(Ok(record)) => match group.first() {
                    Some(game) if !stands_behind(game, &record) => {
                        self.next = Some(record);
                        return Some(group);
                    }
                    _ => group.push(record),
                },
                // What is behind damage or in another file may be of another game with the number of this one.
                Some(Err(error)) => {
                    (self.damaged)(error);
                    if !group.is_empty() {
                        return Some(group);
                    }
                }
                None => {
                    self.reader = None;
                    if !group.is_empty() {
                        return Some(group);
                    }
                    match GameReader::open(self.files.next()?) {
                        Ok(reader) => self.reader = Some(reader),
                        Err(error) => (self.damaged)(error),
                    }
                }
            }
        }
    }
}

/// True if a record is a position by itself of this game.
fn stands_behind(game: &Game, record: &Game) -> bool {
    record.is_lone_position() && !game.is_lone_position() && record.index == game.index
}
