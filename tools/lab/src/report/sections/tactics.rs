//! Positions solved.

use std::collections::HashMap;

use caesura::chart::{Bar, Bars};
use toolkit::statistics::{Ranking, SignTest};

use super::formatting::{
    NO_VALUE, common, contenders, difference, distinct, grouped, mode_and_hash, p_value, ranking, short_name,
};
use crate::mode::Mode;
use crate::report::page::{Chart, Element, Section, Table};
use crate::{paper, tactics};

/// What all others are compared with, if it takes part.
const BASE: &str = "extended";
/// The suite of the paper.
const PAPER_SUITE: &str = "ecm879";

pub(super) fn section(records: &[tactics::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "Positions of a tactical suite that are solved within a limit (tables 3 to 5), as the mean of the runs. The \
             schemes meet the same positions, and so only those that one solves and the other does not tell them apart: \
             the error is half the 95 % interval of the difference to extended, and p that of the sign test on these \
             positions, which is McNemar's test (1947). The paper's figures are for 5 seconds a position."
                .into(),
        ),
        Element::Command(format!(
            "cargo run --release -p lab -- tactics --suite ecm879.epd --limit {} [--plain|--falcon]",
            records.first().map_or("50000n", |record| &record.limit)
        )),
    ];
    type Key = (Mode, usize, String, String);
    let key = |record: &tactics::Record| -> Key {
        (record.mode, record.hash, record.suite.clone(), record.limit.clone())
    };
    let suites = distinct(records, |record| record.suite.clone());
    for ((mode, hash, suite, limit), here) in grouped(records, key) {
        write_group(
            &mut blocks,
            &Group::new(&here),
            (short_name(&suite, &suites), &limit, &mode_and_hash(mode, hash)),
        );
    }
    Section { id: "tactics", title: "Tactics".into(), elements: blocks }
}

/// The searches of one kind, on the positions that every contender has searched.
pub(super) struct Group<'a> {
    records: Vec<&'a tactics::Record>,
    names: Vec<String>,
    positions: Vec<String>,
    /// The share of the runs that solved a position, by contender.
    solved: HashMap<String, Vec<f64>>,
}

impl Group<'_> {
    fn new<'a>(records: &[&'a tactics::Record]) -> Group<'a> {
        Group::of(contenders(records, |record| record.contender.clone()), records)
    }

    /// The searches of these contenders.
    pub(super) fn of<'a>(names: Vec<String>, records: &[&'a tactics::Record]) -> Group<'a> {
        let positions = common(records, &names, |record| (record.contender.clone(), record.position.clone()));
        let mut counts: HashMap<(&str, &str), (f64, f64)> = HashMap::new();
        for record in records {
            let (solved, runs) = counts.entry((&record.contender, &record.position)).or_default();
            *solved += f64::from(u8::from(record.solved));
            *runs += 1.0;
        }
        let shares = |name: &String| {
            let share = |position: &String| {
                counts.get(&(name.as_str(), position.as_str())).map_or(0.0, |(solved, runs)| solved / runs)
            };
            (name.clone(), positions.iter().map(share).collect())
        };
        let solved = names.iter().map(shares).collect();
        Group { records: records.to_vec(), names, positions, solved }
    }

    fn solved(&self, name: &str) -> f64 {
        self.solved.get(name).map_or(0.0, |shares| shares.iter().sum())
    }

    /// The positions that one of two contenders solves more often.
    pub(super) fn compare(&self, first: &str, second: &str) -> SignTest {
        match (self.solved.get(first), self.solved.get(second)) {
            (Some(first), Some(second)) => SignTest::new(first.iter().copied().zip(second.iter().copied())),
            _ => SignTest::default(),
        }
    }
}

fn write_group(blocks: &mut Vec<Element>, group: &Group<'_>, (suite, limit, mode): (&str, &str, &str)) {
    let of_paper = suite == PAPER_SUITE;
    let mut names = group.names.clone();
    names.sort_by(|a, b| group.solved(b).total_cmp(&group.solved(a)));
    let has_base = names.iter().any(|name| name == BASE);
    let mut table = Table::new(
        format!("Positions of {suite} solved, {limit} each, {mode}"),
        &[
            "scheme",
            "solved",
            "of",
            "against extended",
            "only it",
            "only extended",
            "p",
            "paper (of 879)",
            "mean depth",
        ],
    );
    let mut bars = Vec::new();
    for name in &names {
        let mine: Vec<f64> = group
            .records
            .iter()
            .filter(|record| &record.contender == name && group.positions.contains(&record.position))
            .map(|record| f64::from(record.depth))
            .collect();
        let depth = mine.iter().sum::<f64>() / mine.len().max(1) as f64;
        let paper = if of_paper { paper::find(&paper::TACTICS, name) } else { None };
        let compared = (has_base && name != BASE).then(|| group.compare(name, BASE));
        let cell = |text: &dyn Fn(&SignTest) -> String| compared.as_ref().map_or(NO_VALUE.into(), text);
        table.rows.push(vec![
            name.clone(),
            format!("{:.1}", group.solved(name)),
            group.positions.len().to_string(),
            cell(&|test| difference(test, 1)),
            cell(&|test| test.better.to_string()),
            cell(&|test| test.worse.to_string()),
            cell(&|test| p_value(test.p_value())),
            paper.map_or(NO_VALUE.into(), |paper| paper.to_string()),
            format!("{depth:.1}"),
        ]);
        let share = group.positions.len() as f64 / f64::from(paper::TACTICS_POSITIONS);
        bars.push(Bar {
            label: name.clone(),
            value: group.solved(name),
            error: compared.map_or(0.0, |test| test.error()),
            reference: paper.map(|paper| f64::from(paper) * share),
        });
    }
    let ours: Vec<(String, f64)> = bars.iter().map(|bar| (bar.label.clone(), bar.value)).collect();
    blocks.push(Element::Table(table));
    blocks.push(Element::Chart(Chart::Bars(Bars {
        title: format!("Positions of {suite} solved, {limit} each, {mode}"),
        unit: "positions solved; the error is that of the difference to extended".into(),
        name: "Caesura".into(),
        reference: "the paper, in proportion".into(),
        bars,
    })));
    if !of_paper {
        return;
    }
    let papers = paper::TACTICS.map(|(name, solved)| (name, f64::from(solved)));
    let p = |first: &str, second: &str| group.compare(first, second).p_value();
    if let Some(found) = Ranking::new(&ours, &papers, false, p) {
        blocks.push(ranking(&format!("By positions solved ({limit}, {mode})"), &found));
    }
}
