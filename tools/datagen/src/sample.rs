//! Random samples of game files: games to a new file, or positions as EPD.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use caesura::types::Color;
use toolkit::FileError;
use toolkit::reservoir::Reservoir;

use crate::game::{Ending, Game};
use crate::game_groups::{RecordCounts, game_groups};
use crate::merge::{MergeError, merged_header};
use crate::opening::GameRng;
use crate::reader::ReadError;
use crate::writer::GameWriter;

/// A uniform sample of `size` of the items, in arbitrary order.
fn reservoir_sample<T>(items: impl Iterator<Item = T>, size: usize, rng: &mut GameRng) -> Vec<T> {
    let mut sample = Reservoir::new(size);
    for item in items {
        sample.offer(|bound| rng.below(bound), || item);
    }
    sample.into_items()
}

/// Writes a random sample of the games to a new file, each with the positions by themselves behind it, and returns what was
/// written. Positions whose game is not before them are left out.
///
/// # Errors
/// If no input file can be opened, or the new file exists or cannot be written.
pub fn games(
    files: &[PathBuf],
    out: &Path,
    size: usize,
    seed: u64,
    damaged: impl FnMut(ReadError),
) -> Result<RecordCounts, MergeError> {
    let write = FileError::at(out);
    let mut writer = GameWriter::create_with_part_file(out, &merged_header(files)?).map_err(&write)?;
    let groups = game_groups(files, damaged).filter(|group| !group[0].is_lone_position());
    let mut written = RecordCounts::default();
    for group in reservoir_sample(groups, size, &mut GameRng::new(seed, 0)) {
        writer.write_together(&group).map_err(&write)?;
        written.add(&group);
    }
    writer.finish().map_err(&write)?;
    Ok(written)
}

/// A random sample of positions as EPD lines: the position, the move played (`pm`, in coordinates), the score for
/// the side to move (`ce`), and the result for White (`c0`), unless its length ended the game.
///
/// # Errors
/// If no input file can be opened.
pub fn positions(
    files: &[PathBuf],
    size: usize,
    seed: u64,
    damaged: impl FnMut(ReadError),
) -> Result<Vec<String>, MergeError> {
    // Refuses files of which none can be opened, as for a sample of games.
    merged_header(files)?;
    let mut rng = GameRng::new(seed, 0);
    let places = game_groups(files, damaged).flatten().flat_map(|game| {
        let game = std::rc::Rc::new(game);
        (0..game.plies.len()).map(move |ply| (std::rc::Rc::clone(&game), ply))
    });
    let sample = reservoir_sample(places, size, &mut rng);
    Ok(sample.iter().filter_map(|(game, ply)| epd_line(game, *ply)).collect())
}

fn epd_line(game: &Game, ply: usize) -> Option<String> {
    let mut replay = game.replay();
    loop {
        let position = replay.next_position().ok()??;
        if position.ply == ply {
            let fen = position.board.to_string();
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            let m = caesura::board::notation::to_uci(position.played, position.board.is_chess960());
            let mut line = format!("{} pm {m}; ce {};", fields.join(" "), position.score);
            // The result of a game that was ended by its length is not known.
            if game.ending != Ending::TooLong {
                let _ = write!(line, " c0 \"{}\";", position.winner.points(Color::White));
            }
            return Some(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::some_game;

    #[test]
    fn a_game_that_its_length_ended_has_no_result() {
        for (ending, has_result) in [(Ending::TooLong, false), (Ending::DrawByScore, true)] {
            let line = epd_line(&Game { ending, ..some_game(1, 50) }, 3).unwrap();
            assert_eq!(line.contains(" c0 \""), has_result, "{line}");
            assert!(line.contains(" pm ") && line.contains("; ce ") && line.ends_with(';'), "{line}");
        }
    }

    #[test]
    fn all_items_are_equally_likely() {
        let mut counts = [0; 10];
        for seed in 0..5000 {
            for item in reservoir_sample(0..10usize, 3, &mut GameRng::new(seed, 0)) {
                counts[item] += 1;
            }
        }
        assert!(counts.iter().all(|count| (1350..1650).contains(count)), "{counts:?}");
        assert_eq!(reservoir_sample(0..2, 3, &mut GameRng::new(0, 0)), [0, 1]);
    }
}
