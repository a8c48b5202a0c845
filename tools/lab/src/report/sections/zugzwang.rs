//! Zugzwang.

use std::collections::{BTreeMap, HashSet};

use toolkit::statistics::SignTest;

use super::formatting::{NO_VALUE, distinct, grouped, mode_and_hash, p_value, short_name};
use crate::report::page::{Element, Section, Table, thousands};
use crate::searcher::SearchPoint;
use crate::{paper, zugzwang};

pub(super) fn section(records: &[zugzwang::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "Who finds what is won only because the other side must move (table 7). The paper's position: 1.h3 mates in \
             15, 1.h4 draws. \"Right since\" are the nodes from which on 1.h3 stayed the best move; depth, nodes and seconds \
             are those at which a mate in 15 or less was first announced. The paper's claim is that its scheme finds \
             this position and pruning does not."
                .into(),
        ),
        Element::Command(format!(
            "cargo run --release -p lab -- zugzwang --suite zugts.epd --suite cpw_nullmove_zugzwang.epd --limit {} \
             [--plain|--falcon]",
            records.first().map_or("2000000n", |record| &record.limit)
        )),
    ];
    let suites = distinct(records, |record| record.suite.clone());
    let key = |record: &zugzwang::Record| (record.mode, record.hash, record.limit.clone());
    for ((mode, hash, limit), here) in grouped(records, key) {
        let mode = mode_and_hash(mode, hash);
        let mut table = Table::new(
            format!("The paper's position, {limit}, {mode}"),
            &["scheme", "plays", "right since", "mate in", "depth", "nodes", "seconds"],
        );
        for record in here.iter().filter(|record| record.position == paper::ZUGZWANG_ID) {
            let when = |value: fn(SearchPoint) -> String| record.mate_since.map_or(NO_VALUE.into(), value);
            table.rows.push(vec![
                record.contender.clone(),
                record.best.clone(),
                record.since.map_or(NO_VALUE.into(), |since| thousands(since.nodes)),
                record.mate.map_or(NO_VALUE.into(), |moves| moves.to_string()),
                when(|since| since.depth.to_string()),
                when(|since| thousands(since.nodes)),
                when(|since| format!("{:.2}", since.milliseconds as f64 / 1000.0)),
            ]);
        }
        if !table.rows.is_empty() {
            blocks.push(Element::Table(table));
        }
        for suite in distinct(&here, |record| record.suite.clone()) {
            let rows: Vec<&&zugzwang::Record> = here
                .iter()
                .filter(|record| record.suite == suite && record.position != paper::ZUGZWANG_ID)
                .collect();
            if rows.is_empty() {
                continue;
            }
            let suite = short_name(&suite, &suites);
            blocks.push(Element::Table(suite_table(suite, &limit, &mode, &rows)));
        }
    }
    Section { id: "zugzwang", title: "Zugzwang".into(), elements: blocks }
}

fn suite_table(suite: &str, limit: &str, mode: &str, rows: &[&&zugzwang::Record]) -> Table {
    let mut solved: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for record in rows.iter().filter(|record| record.solved) {
        solved.entry(&record.contender).or_default().push(&record.position);
    }
    let off = solved.get("off").cloned().unwrap_or_default();
    // An interrupted run may lack some.
    let of_off: HashSet<&str> = rows
        .iter()
        .filter(|record| record.contender == "off")
        .map(|record| record.position.as_str())
        .collect();
    let mut table = Table::new(
        format!("{suite}, {limit} each, {mode}"),
        &["scheme", "solved", "of", "p against off", "nodes to solve", "missed that off solves"],
    );
    for name in distinct(rows, |record| record.contender.clone()) {
        let mine = || rows.iter().filter(|record| record.contender == name);
        let found = solved.get(name.as_str()).cloned().unwrap_or_default();
        let nodes: u64 = mine().filter(|record| record.solved).map(|record| record.nodes_to_solve()).sum();
        let share = |solved: &[&str], record: &&&&zugzwang::Record| {
            f64::from(u8::from(solved.contains(&record.position.as_str())))
        };
        let both = mine().filter(|record| of_off.contains(record.position.as_str()));
        let against_off = SignTest::new(both.map(|record| (share(&found, &record), share(&off, &record))));
        let searched: HashSet<&str> = mine().map(|record| record.position.as_str()).collect();
        let is_missed = |position: &&str| searched.contains(position) && !found.contains(position);
        let missed: Vec<&str> = off.iter().copied().filter(is_missed).collect();
        table.rows.push(vec![
            name.clone(),
            found.len().to_string(),
            mine().count().to_string(),
            if of_off.is_empty() || name == "off" { NO_VALUE.into() } else { p_value(against_off.p_value()) },
            thousands(nodes),
            if missed.is_empty() { NO_VALUE.into() } else { missed.join(", ") },
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode::Mode;

    fn record(contender: &str, position: u32, solved: bool) -> zugzwang::Record {
        zugzwang::Record {
            contender: contender.into(),
            mode: Mode::Full,
            hash: 16,
            search_threads: 1,
            suite: "suite.epd".into(),
            position: format!("position {position}"),
            limit: "2000n".into(),
            best: "Kd3".into(),
            solved,
            since: None,
            mate: None,
            mate_since: None,
            score: 0,
            depth: 5,
            nodes: 2000,
            milliseconds: 1,
        }
    }

    fn rows(records: &[zugzwang::Record]) -> Vec<Vec<String>> {
        suite_table("suite", "2000n", "full", &records.iter().collect::<Vec<_>>().iter().collect::<Vec<_>>())
            .rows
    }

    #[test]
    fn what_was_not_searched_is_not_missed() {
        let records = [record("off", 1, true), record("off", 2, true), record("extended", 1, false)];
        assert_eq!(rows(&records)[1][5], "position 1");
    }

    #[test]
    fn a_scheme_is_compared_with_an_off_that_solves_nothing() {
        let both = |position| [record("off", position, false), record("extended", position, true)];
        let records: Vec<_> = (0..8).flat_map(both).collect();
        let rows = rows(&records);
        assert_eq!((&rows[0][3][..], &rows[1][3][..]), (NO_VALUE, "0.008"));
        assert_eq!(
            self::rows(&records[1..2])[0][3],
            NO_VALUE,
            "without 'off' there is nothing to compare with"
        );
    }
}
