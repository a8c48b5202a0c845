//! Exact truth: does a static evaluation distinguish won from drawn endings, as the endgame tables know them?

use std::path::Path;

use caesura::board::{Board, fen};
use caesura::engine::{Material, Tablebase, TablebaseError};
use caesura::types::{Color, Square};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::area_under_curve::area_under_curve;
use crate::error::TrainerError;
use crate::known_results;
use crate::record::PositionRecord;

/// With fewer positions of a result than this, its pairs with another one have no figure.
const MIN_POSITIONS: usize = 20;

/// The positions of one ending, such as `KRPvKR`, by what the side to move can reach.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// The pieces of the two sides.
    pub name: String,
    /// Won positions.
    pub won: Vec<PositionRecord>,
    /// Drawn positions, those among them that only the fifty-move rule draws.
    pub drawn: Vec<PositionRecord>,
    /// Lost positions.
    pub lost: Vec<PositionRecord>,
}

impl Ending {
    /// How well a static evaluation (centipawns for the side to move) distinguishes the results of this ending: the area
    /// under the curve over the pairs of a won and a drawn position and over those of a drawn and a lost one, or over one of these
    /// kinds where there are too few of the other. `None` if there are too few of both.
    pub fn area(&self, value: impl Fn(&PositionRecord) -> i32) -> Option<f64> {
        area([self].into_iter(), value)
    }
}

/// How well a static evaluation distinguishes the results of several endings at once ([`Ending::area`]): the value of a
/// position is compared with those of other endings, too.
pub fn area<'a>(
    endings: impl Iterator<Item = &'a Ending>,
    value: impl Fn(&PositionRecord) -> i32,
) -> Option<f64> {
    let values = |records: &[PositionRecord]| -> Vec<i32> { records.iter().map(&value).collect() };
    let (mut won, mut drawn, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for ending in endings {
        won.extend(values(&ending.won));
        drawn.extend(values(&ending.drawn));
        lost.extend(values(&ending.lost));
    }
    let pairs = [(&won, &drawn), (&drawn, &lost)];
    let areas = pairs.map(|(upper, lower)| {
        let enough = upper.len().min(lower.len()) >= MIN_POSITIONS;
        area_under_curve(upper, lower).filter(|_| enough)
    });
    let known: Vec<f64> = areas.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// Random quiet positions of every ending for which the directory has a Syzygy table, `count` of each: legal, no check, and
/// no capture or promotion at once. The seed determines them.
///
/// # Errors
/// If the directory has no tables, or one of them is damaged or cannot be read.
pub fn sample(tables: &Path, count: usize, seed: u64) -> Result<Vec<Ending>, TrainerError> {
    let directory = tables;
    let tables = known_results::open(directory)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let endings = tables.materials().iter().filter_map(|name| name.parse().ok());
    endings
        .map(|material: Material| sample_ending(&tables, &material, count, &mut random))
        .collect::<Result<_, _>>()
        .map_err(|source| TrainerError::Table { directory: directory.to_path_buf(), source })
}

fn sample_ending(
    tables: &Tablebase,
    material: &Material,
    count: usize,
    random: &mut ChaCha8Rng,
) -> Result<Ending, TablebaseError> {
    let mut ending = Ending { name: material.to_string(), ..Ending::default() };
    let mut found = 0;
    // Most placements are legal, but few of some endings are quiet.
    for _ in 0..200 * count {
        if found == count {
            break;
        }
        let Some(board) = random_board(material, random).filter(is_quiet) else {
            continue;
        };
        let Some(record) = PositionRecord::of(&board) else {
            continue;
        };
        match tables.probe_result(&board) {
            Some(1) => ending.won.push(record),
            Some(-1) => ending.lost.push(record),
            Some(_) => ending.drawn.push(record),
            None => match tables.take_failures().into_iter().next() {
                Some(failure) => return Err(failure),
                None => continue,
            },
        }
        found += 1;
    }
    Ok(ending)
}

/// The mean of the areas of single endings; `None` if none of them has enough positions for one.
pub fn mean(areas: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = areas.len();
    (count > 0).then(|| areas.sum::<f64>() / count as f64)
}

fn is_quiet(board: &Board) -> bool {
    !board.in_check() && board.legal_moves().iter().all(|m| m.is_quiet() && !m.is_promotion())
}

/// The pieces of an ending on random squares, either side to move and either side of either colour; `None` if that is not a
/// legal position.
fn random_board(material: &Material, random: &mut ChaCha8Rng) -> Option<Board> {
    let swapped = random.next_u32() & 1 == 1;
    let squares = std::iter::repeat_with(|| Square::from_index(random.next_u32() as usize % 64));
    let mut setup = material.setup(swapped, squares)?;
    setup.side_to_move = Color::ALL[(random.next_u32() & 1) as usize];
    fen::check(&setup).ok().map(|()| Board::from_setup(&setup))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_boards_have_the_pieces_of_the_ending() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let material: Material = "KQPvKR".parse().expect("an ending");
        let boards: Vec<Board> = (0..200).filter_map(|_| random_board(&material, &mut random)).collect();
        assert!(boards.len() > 20);
        for board in &boards {
            let text = board.to_string();
            let placement = text.split(' ').next().expect("a placement");
            let mut pieces: Vec<char> = placement.chars().filter(char::is_ascii_alphabetic).collect();
            pieces.sort_unstable();
            let found: String = pieces.into_iter().collect();
            assert!(["KPQkr", "KRkpq"].contains(&found.as_str()), "{text}");
        }
        let both = |expected: &str| boards.iter().any(|board| board.to_string().contains(expected));
        assert!(both(" w ") && both(" b "));
    }

    #[test]
    fn a_directory_without_tables_is_refused() {
        let directory = std::env::temp_dir().join(format!("caesura-endings-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("created");
        let empty = sample(&directory, 10, 1);
        std::fs::remove_dir(&directory).expect("removed");
        assert!(matches!(empty, Err(TrainerError::File { .. })), "no tables");
    }

    #[test]
    fn a_damaged_table_is_an_error_and_not_left_out() {
        let directory = tempfile::tempdir().expect("a directory");
        // A length that tables can have, and nothing of theirs in it.
        std::fs::write(directory.path().join("KQvK.rtbw"), [0; 80]).expect("written");
        let error = sample(directory.path(), 10, 1).expect_err("damaged");
        let TrainerError::Table { source, .. } = &error else { panic!("{error}") };
        assert!(source.to_string().contains("KQvK"), "{source}");
    }

    #[test]
    fn the_area_compares_won_with_drawn_and_drawn_with_lost_positions() {
        let records = |score: i16| vec![PositionRecord { score, ..PositionRecord::start() }; MIN_POSITIONS];
        let ending = Ending { name: String::new(), won: records(3), drawn: records(2), lost: records(1) };
        assert_eq!(ending.area(|record| i32::from(record.score)), Some(1.0));
        assert_eq!(ending.area(|record| -i32::from(record.score)), Some(0.0));
        assert_eq!(ending.area(|_| 7), Some(0.5));
        // Blind for lost positions.
        assert_eq!(ending.area(|record| i32::from(record.score.max(2))), Some(0.75));
        let won = Ending { drawn: records(2)[1..].to_vec(), ..ending.clone() };
        assert_eq!(won.area(|record| i32::from(record.score)), None, "too few drawn positions");
        let areas = |endings: &[&Ending]| -> Vec<f64> {
            endings.iter().filter_map(|ending| ending.area(|record| i32::from(record.score.max(2)))).collect()
        };
        assert_eq!(mean(areas(&[&won]).into_iter()), None);
        assert_eq!(mean(areas(&[&won, &ending, &ending]).into_iter()), Some(0.75));
        let both = [won, ending];
        assert_eq!(area(both.iter(), |record| i32::from(record.score)), Some(1.0));
    }
}
