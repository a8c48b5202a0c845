//! Words and numbers that all sections write alike.

use std::collections::HashSet;

use caesura::engine::NullMoveSwitch;
use toolkit::elo::Pentanomial;
use toolkit::file_identity::without_hash;
use toolkit::statistics::{LogRatio, Ranking, SignTest};

use crate::experiment::DEFAULT_HASH;
use crate::game::GameRecord;
use crate::mode::Mode;
use crate::report::page::Element;

pub(super) const MINUS: &str = "−";
pub(super) const NO_VALUE: &str = "–";

/// The values of a key, each once, in the order in which they come.
pub(super) fn distinct<T, K: PartialEq>(records: &[T], key: impl Fn(&T) -> K) -> Vec<K> {
    let mut keys = Vec::new();
    for record in records {
        let key = key(record);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// Records by a key: each value of it once, in the order in which they come, with its records.
pub(super) fn grouped<'a, T, K: PartialEq>(
    records: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&T) -> K,
) -> Vec<(K, Vec<&'a T>)> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    for record in records {
        let key = key(record);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.push(record),
            None => groups.push((key, vec![record])),
        }
    }
    groups
}

/// The search mode of all contenders, and the transposition table of this many megabytes unless it is the usual one.
pub(super) fn mode_and_hash(mode: Mode, hash: usize) -> String {
    if hash == DEFAULT_HASH { mode.to_string() } else { format!("{mode}, {hash} MB") }
}

/// What a caption says of the openings of games, each of which has a book and the seed of its order: nothing unless there
/// are several of them among the records.
pub(super) fn openings_suffix<T>(
    records: &[T],
    openings: impl Fn(&T) -> (String, u64),
) -> impl Fn(&str, u64) -> String {
    let has_books = distinct(records, |record| openings(record).0).len() > 1;
    let has_seeds = distinct(records, |record| openings(record).1).len() > 1;
    move |book, seed| {
        let mut suffix = if has_books { format!(", {book}") } else { String::new() };
        if has_seeds {
            suffix += &format!(", seed {seed}");
        }
        suffix
    }
}

/// What to call a suite: without its hash, if there is no other of its name.
pub(super) fn short_name<'a>(identity: &'a str, all: &[String]) -> &'a str {
    let name = without_hash(identity);
    if all.iter().any(|other| other != identity && without_hash(other) == name) { identity } else { name }
}

/// The cells that a row about games in pairs has: how many games, won-drawn-lost of the first side, how many pairs by
/// score, Elo, likelihood that the first side is the stronger one.
pub(super) fn game_cells<'a>(
    pairs: &Pentanomial,
    games: impl IntoIterator<Item = &'a [GameRecord; 2]>,
) -> [String; 5] {
    let estimate = pairs.estimate();
    let mut points = [0; 3];
    for [white, black] in games {
        // A damaged result may say more than a win is worth.
        points[white.white.min(2)] += 1;
        points[2 - black.white.min(2)] += 1;
    }
    let counts: Vec<String> = pairs.0.iter().map(u64::to_string).collect();
    [
        (2 * pairs.pairs()).to_string(),
        format!("{}-{}-{}", points[2], points[1], points[0]),
        counts.join(" "),
        format!("{} ± {:.1}", signed(estimate.elo, 1), estimate.error),
        format!("{:.1} %", 100.0 * estimate.los),
    ]
}

/// The positions that every contender has searched, in the order in which they come. `key` gives a record's contender and
/// position.
pub(super) fn common<T>(
    records: &[T],
    names: &[String],
    key: impl Fn(&T) -> (String, String),
) -> Vec<String> {
    let searched: HashSet<(String, String)> = records.iter().map(&key).collect();
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    for record in records {
        let position = key(record).1;
        if seen.insert(position.clone())
            && names.iter().all(|name| searched.contains(&(name.clone(), position.clone())))
        {
            positions.push(position);
        }
    }
    positions
}

/// The contenders of a table: those without a switch, which have a table of their own, that have searched at least half as
/// many positions as any. Others were cut short, and would leave few positions that all have in common.
pub(super) fn contenders<T>(records: &[T], name: impl Fn(&T) -> String) -> Vec<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for record in records {
        let name = name(record);
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let has_switch = |name: &str| name.split([':', ',']).any(|word| NullMoveSwitch::find(word).is_some());
    counts.retain(|(name, _)| !has_switch(name));
    let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
    counts.into_iter().filter(|&(_, count)| 2 * count >= most).map(|(name, _)| name).collect()
}

pub(super) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    if value < 0.0 && text.chars().any(|c| ('1'..='9').contains(&c)) {
        format!("{MINUS}{text}")
    } else {
        format!("+{text}")
    }
}

pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { NO_VALUE.into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// Two cells of a ratio, its interval in the first and its p-value in the second.
pub(super) fn ratio_cells(ratio: Option<LogRatio>) -> [String; 2] {
    ratio.map_or([NO_VALUE.into(), NO_VALUE.into()], |ratio| {
        let (low, high) = ratio.interval();
        [format!("{:.2} ({low:.2} to {high:.2})", ratio.factor()), p_value(ratio.p_value())]
    })
}

/// How many more the first solved, with half the 95 % interval; without one where no position distinguishes the two, and
/// nothing is known of the error.
pub(super) fn difference(test: &SignTest, digits: usize) -> String {
    let difference = signed(test.difference(), digits);
    if test.better + test.worse == 0 { difference } else { format!("{difference} ± {:.1}", test.error()) }
}

/// A p-value: `0.031`, or `< 0.001`.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") }
}

/// Says in words what our results have in common with the paper's order.
pub(super) fn ranking(what: &str, ranking: &Ranking) -> Element {
    let order: Vec<String> = ranking.order.iter().map(|tied| tied.join(" = ")).collect();
    let list = |pairs: &[(String, String)]| match pairs {
        [] => "none".to_string(),
        _ => {
            let pairs: Vec<String> =
                pairs.iter().map(|(front, back)| format!("{front} before {back}")).collect();
            format!("{} ({})", pairs.len(), pairs.join(", "))
        }
    };
    Element::Text(format!(
        "{what}, the best first: {}. Of the {} pairs that the paper orders, {} stand in its order here beyond the error, \
         in the opposite order {}, and within the error {}.",
        order.join(", "),
        ranking.pairs(),
        ranking.confirmed.len(),
        list(&ranking.contradicted),
        list(&ranking.open)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_for_the_first_side_and_damaged_results_too() {
        let game = |white| GameRecord { white, ending: String::new(), plies: 0 };
        let games = [[game(2), game(0)], [game(1), game(1)], [game(0), game(1)], [game(9), game(9)]];
        let pairs: Pentanomial = [4, 2, 1, 9].into_iter().collect();
        assert_eq!(pairs.0, [0, 1, 1, 0, 2]);
        let [number, results, by_score, ..] = game_cells(&pairs, &games);
        assert_eq!([number, results, by_score], ["8", "3-3-2", "0 1 1 0 2"]);
    }

    #[test]
    fn a_ranking_names_the_pairs_that_differ_from_the_paper() {
        let pair = |front: &str, back: &str| (front.to_string(), back.to_string());
        let found = Ranking {
            order: vec![vec!["a".into(), "b".into()], vec!["c".into()]],
            confirmed: vec![pair("a", "c")],
            contradicted: vec![],
            open: vec![pair("a", "b"), pair("b", "c")],
        };
        let Element::Text(text) = ranking("By nodes", &found) else { panic!("a text") };
        assert_eq!(
            text,
            "By nodes, the best first: a = b, c. Of the 3 pairs that the paper orders, 1 stand in its order here beyond \
             the error, in the opposite order none, and within the error 2 (a before b, b before c)."
        );
    }

    #[test]
    fn contenders_that_were_cut_short_or_have_a_switch_are_left_out() {
        let records =
            ["a", "a", "a", "a", "b", "b", "c", "d:mate-threat", "d:mate-threat", "fixed:r=2", "fixed:r=2"];
        assert_eq!(contenders(&records, |name| (*name).to_string()), ["a", "b", "fixed:r=2"]);
        let pairs = [("a", "1"), ("b", "1"), ("a", "2"), ("a", "3"), ("b", "3")];
        let names = ["a".to_string(), "b".to_string()];
        assert_eq!(
            common(&pairs, &names, |(name, position)| ((*name).into(), (*position).into())),
            ["1", "3"]
        );
    }

    #[test]
    fn openings_are_named_where_there_are_several() {
        let suffix = |records: &[(&str, u64)]| {
            openings_suffix(records, |(book, seed)| ((*book).to_string(), *seed))("a", 2)
        };
        assert_eq!(suffix(&[("a", 2), ("a", 2)]), "");
        assert_eq!(suffix(&[("a", 2), ("b", 2)]), ", a");
        assert_eq!(suffix(&[("a", 2), ("b", 3)]), ", a, seed 2");
    }

    #[test]
    fn a_difference_has_an_error_where_something_differs() {
        let test = |results: &[(f64, f64)]| SignTest::new(results.iter().copied());
        assert_eq!(difference(&test(&[(1.0, 1.0), (0.0, 0.0)]), 1), "+0.0");
        assert_eq!(difference(&test(&[(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]), 0), "+0 ± 3.4");
    }

    #[test]
    fn numbers_carry_their_signs() {
        assert_eq!([signed(3.0, 0), signed(-3.25, 1), signed(-0.01, 1)], ["+3", "−3.2", "+0.0"]);
        assert_eq!([p_value(0.03125), p_value(1e-9), p_value(1.0)], ["0.031", "< 0.001", "1.000"]);
        assert_eq!((percent(1, 3), percent(0, 0)), ("33.3 %".to_string(), NO_VALUE.to_string()));
    }
}
