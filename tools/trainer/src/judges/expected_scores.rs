//! Judgement by a strong engine: how far is the chance to win by static evaluation from that of deep searches?

use std::fs::File;
use std::path::Path;

use caesura::board::{Board, fen};
use caesura::suite::epd;
use caesura::util::regular_file::read_text;

use crate::error::TrainerError;
use crate::quantised::QuantisedNet;
use crate::record::PositionRecord;
use crate::td_lambda::logistic;

/// A position, and the score that a strong engine expects for the side to move: 1 won, 0.5 drawn, 0 lost.
#[derive(Clone, Copy, Debug)]
pub struct JudgedPosition {
    /// The position.
    pub record: PositionRecord,
    /// The expected score.
    pub expected: f64,
}

/// What a network's values are worth.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// The centipawns of a logit of 1 that fit best.
    pub scale: f64,
    /// The root mean square error of the expected score.
    pub error: f64,
}

/// Reads positions, one a line: `FEN;expected score of the side to move`. Empty lines and lines that begin with `#` are
/// skipped.
///
/// # Errors
/// If the file cannot be read, or a line is something else.
pub fn read(path: &Path) -> Result<Vec<JudgedPosition>, TrainerError> {
    let text = File::open(path).and_then(read_text).map_err(TrainerError::io(path))?;
    let positions = epd::lines(&text).map(|(number, line)| {
        parse(line)
            .ok_or_else(|| TrainerError::file(path, format!("line {number} is not FEN;expected score")))
    });
    positions.collect()
}

fn parse(line: &str) -> Option<JudgedPosition> {
    let (text, expected) = line.rsplit_once(';')?;
    let board = Board::from_setup(&fen::parse(text).ok()?);
    let expected: f64 = expected.trim().parse().ok()?;
    let record = PositionRecord::of(&board)?;
    (0.0..=1.0).contains(&expected).then_some(JudgedPosition { record, expected })
}

/// What a network says of a position that has been judged.
#[derive(Clone, Copy, Debug)]
pub struct Valued {
    /// The network's value, in centipawns for the side to move.
    pub value: f64,
    /// The expected score of the side to move by deep searches.
    pub expected: f64,
    /// The pieces on the board, kings and pawns included.
    pub pieces: u32,
}

/// The network's values of these positions.
pub fn values(net: &QuantisedNet, positions: &[JudgedPosition]) -> Vec<Valued> {
    let valued = |position: &JudgedPosition| Valued {
        value: f64::from(net.value(&position.record)),
        expected: position.expected,
        pieces: position.record.occupied.count_ones(),
    };
    positions.iter().map(valued).collect()
}

/// The root mean square error of the expected scores with a given scale, in centipawns; not a number if there are no
/// positions.
pub fn error<'a>(positions: impl Iterator<Item = &'a Valued>, scale: f64) -> f64 {
    mean_of_errors(positions, scale, |error| error * error).sqrt()
}

/// The mean error of the expected scores with a given scale, in centipawns: above zero where the side to move is valued too highly;
/// not a number if there are no positions.
pub fn bias<'a>(positions: impl Iterator<Item = &'a Valued>, scale: f64) -> f64 {
    mean_of_errors(positions, scale, |error| error)
}

fn mean_of_errors<'a>(
    positions: impl Iterator<Item = &'a Valued>,
    scale: f64,
    of: impl Fn(f64) -> f64,
) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for position in positions {
        sum += of(logistic(position.value / scale) - position.expected);
        count += 1.0;
    }
    sum / count
}

/// The one scale from centipawns to expected scores with the least error, by ever finer steps. `None` if there are no
/// positions.
pub fn fit(positions: &[Valued]) -> Option<Judgement> {
    if positions.is_empty() {
        return None;
    }
    let judge = |scale| Judgement { scale, error: error(positions.iter(), scale) };
    let mut best = judge(200.0);
    let mut step: f64 = 2.0;
    while step > 1.000_1 {
        let tries = [best.scale / step, best.scale * step].map(judge);
        match tries
            .into_iter()
            .filter(|other| other.error < best.error)
            .min_by(|a, b| a.error.total_cmp(&b.error))
        {
            Some(other) if (1.0..100_000.0).contains(&other.scale) => best = other,
            _ => step = step.sqrt(),
        }
    }
    Some(best)
}

/// Spearman's rank correlation of the network's values with the expected scores (Spearman 1904, "The proof and measurement
/// of association between two things"); `None` if there are fewer than two positions or all are alike.
pub fn rank_correlation(positions: &[Valued]) -> Option<f64> {
    let values: Vec<f64> = positions.iter().map(|position| position.value).collect();
    let expected: Vec<f64> = positions.iter().map(|position| position.expected).collect();
    correlation(&ranks(&values), &ranks(&expected))
}

/// The rank of each number; equal numbers share the mean of their ranks.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = |number: &f64| {
        let below = sorted.partition_point(|other| other < number);
        let up_to = sorted.partition_point(|other| other <= number);
        (below + up_to) as f64 / 2.0
    };
    numbers.iter().map(rank).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let count = a.len() as f64;
    let (mean_a, mean_b) = (a.iter().sum::<f64>() / count, b.iter().sum::<f64>() / count);
    let (mut product, mut square_a, mut square_b) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        product += (x - mean_a) * (y - mean_b);
        square_a += (x - mean_a).powi(2);
        square_b += (y - mean_b).powi(2);
    }
    (square_a > 0.0 && square_b > 0.0).then(|| product / (square_a * square_b).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_positions_with_expected_scores() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(parse(&format!("{fen};0.75")).expect("a position").expected, 0.75);
        for line in [fen, "x;0.5", &format!("{fen};1.5"), &format!("{fen};NaN"), ""] {
            assert!(parse(line).is_none(), "{line}");
        }
    }

    #[test]
    fn the_scale_that_made_the_scores_is_found() {
        for scale in [37.0, 210.0, 900.0] {
            let valued =
                |value: f64| Valued { value, expected: 1.0 / (1.0 + (-value / scale).exp()), pieces: 3 };
            let positions: Vec<Valued> = (-20..=20).map(|n| valued(40.0 * f64::from(n))).collect();
            let judgement = fit(&positions).expect("positions");
            assert!((judgement.scale / scale - 1.0).abs() < 0.01 && judgement.error < 0.002, "{judgement:?}");
            assert!(bias(positions.iter(), scale).abs() < 1e-12);
            let higher =
                positions.iter().map(|&position| Valued { value: position.value + 40.0, ..position });
            assert!(bias(higher.collect::<Vec<_>>().iter(), scale) > 0.0);
        }
        assert!(fit(&[]).is_none());
    }

    #[test]
    fn ranks_correlate_where_the_order_is_the_same() {
        let rank_correlation = |a: &[f64], b: &[f64]| correlation(&ranks(a), &ranks(b));
        assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[0.1, 0.2, 0.3]), Some(1.0));
        assert_eq!(rank_correlation(&[1.0, 2.0, 9.0], &[0.3, 0.2, 0.1]), Some(-1.0));
        assert_eq!(rank_correlation(&[1.0, 1.0, 1.0], &[0.3, 0.2, 0.1]), None);
        assert_eq!(ranks(&[5.0, 5.0, 1.0]), [2.0, 2.0, 0.5]);
    }
}
