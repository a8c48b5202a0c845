//! What the switches of null moves are worth: nodes, tactics and games in one table.

use caesura::engine::{NullMoveSwitch, SchemeName};
use toolkit::elo::Pentanomial;
use toolkit::statistics::{LogRatio, SignTest};

use super::formatting::{NO_VALUE, difference, grouped, signed};
use super::tactics::Group;
use crate::mode::Mode;
use crate::report::page::{Element, Section, Table};
use crate::{match_play, nodes, tactics};

/// The section, if there are results of a switch with the default scheme in the search as it plays.
pub(super) fn section(
    nodes: &[nodes::Record],
    tactics: &[tactics::Record],
    matches: &[match_play::Record],
) -> Option<Section> {
    let default = SchemeName::default().name();
    let mut table = Table::new(
        format!("Switches, each with {default} and against {default} without it"),
        &["switch", "nodes, ratio", "solved", "Elo", "games"],
    );
    for switch in NullMoveSwitch::ALL {
        let with = format!("{default}:{}", switch.name);
        let ratio = nodes_ratio(nodes, &with, default);
        let solved = tactics_difference(tactics, &with, default);
        let pairs = most_games(matches, &with, default);
        if ratio.is_none() && solved.is_none() && pairs.pairs() == 0 {
            continue;
        }
        let estimate = pairs.estimate();
        let played = pairs.pairs() > 0;
        let elo = format!("{} ± {:.1}", signed(estimate.elo, 1), estimate.error);
        table.rows.push(vec![
            switch.name.to_string(),
            ratio.map_or(NO_VALUE.into(), |ratio| {
                let (low, high) = ratio.interval();
                format!("{:.2} ({low:.2} to {high:.2})", ratio.factor())
            }),
            solved.map_or(NO_VALUE.into(), |test| difference(&test, 1)),
            if played { elo } else { NO_VALUE.into() },
            (2 * pairs.pairs()).to_string(),
        ]);
    }
    if table.rows.is_empty() {
        return None;
    }
    let text = "Uses of a null move that work with every scheme and are off by default. Nodes to a fixed depth, as a \
                factor with its 95 % interval; positions solved more; and games, in Elo.";
    Some(Section {
        id: "switches",
        title: "Switches".into(),
        elements: vec![Element::Text(text.into()), Element::Table(table)],
    })
}

/// The games of the kind of which there are most.
fn most_games(records: &[match_play::Record], with: &str, without: &str) -> Pentanomial {
    let played = records
        .iter()
        .filter(|record| record.first == with && record.second == without && record.mode == Mode::Full);
    let key = |record: &match_play::Record| {
        let match_play::Record { hash, search_threads, limit, book, seed, .. } = record.clone();
        (hash, search_threads, limit, book, seed)
    };
    let most = grouped(played, key).into_iter().map(|(_, games)| games).max_by_key(Vec::len);
    most.unwrap_or_default().iter().map(|record| record.half_points).collect()
}

/// The nodes with the switch as a multiple of those without, at the depths at which most positions were searched by both.
fn nodes_ratio(records: &[nodes::Record], with: &str, without: &str) -> Option<LogRatio> {
    let full = records.iter().filter(|record| record.mode == Mode::Full);
    let groups = grouped(full, |record| (record.raise, record.hash)).into_iter().map(|(_, here)| {
        let of = |name: &str, position: &str| {
            let found = here.iter().find(|record| record.contender == name && record.position == position);
            found.map(|record| record.nodes as f64)
        };
        let mine = here.iter().filter(|record| record.contender == with);
        let pairs = mine.filter_map(|record| Some((record.nodes as f64, of(without, &record.position)?)));
        pairs.collect::<Vec<_>>()
    });
    groups.max_by_key(Vec::len).and_then(LogRatio::new)
}

/// How many more are solved with the switch, by the limit at which most were searched.
fn tactics_difference(records: &[tactics::Record], with: &str, without: &str) -> Option<SignTest> {
    let names = [with.to_string(), without.to_string()];
    let both: Vec<&tactics::Record> = records
        .iter()
        .filter(|record| record.mode == Mode::Full && names.contains(&record.contender))
        .collect();
    let key = |record: &tactics::Record| (record.suite.clone(), record.limit.clone(), record.hash);
    let compared = |here: &[&tactics::Record]| Group::of(names.to_vec(), here).compare(with, without);
    let tests = grouped(both, key).into_iter().map(|(_, here)| compared(&here));
    tests.filter(|test| test.pairs > 0).max_by_key(|test| test.pairs)
}
