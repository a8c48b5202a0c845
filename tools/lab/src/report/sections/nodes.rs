//! Nodes of searches to fixed depths.

use caesura::chart::{Bar, Bars};
use caesura::engine::NullCounts;
use caesura::types::Depth;
use toolkit::statistics::{LogRatio, Ranking};

use super::formatting::{
    NO_VALUE, common, contenders, grouped, mode_and_hash, percent, ranking, ratio_cells, signed,
};
use crate::report::page::{Chart, Element, Section, Table, thousands};
use crate::{nodes, paper};

/// What all others are compared with.
const BASE: &str = "extended";

pub(super) fn section(records: &[nodes::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "Nodes of searches to fixed depths on six positions (Bratko and Kopec 1982), summed, and the difference to \
             extended null-move reductions (the paper's table 2). The ratio is the geometric mean of the ratios of the \
             positions, with its 95 % interval; p is the probability of a ratio as far from 1 as this one if both needed \
             the same (paired t-test on logarithms). Six positions show only large differences."
                .into(),
        ),
        Element::Command("cargo run --release -p lab -- nodes --raise N [--plain|--falcon]".into()),
    ];
    let key = |record: &nodes::Record| (record.mode, record.hash, record.raise);
    for ((mode, hash, raise), here) in grouped(records, key) {
        write_group(&mut blocks, &Group::new(&here), &mode_and_hash(mode, hash), raise);
    }
    Section { id: "nodes", title: "Nodes at fixed depth".into(), elements: blocks }
}

/// The searches of one kind, on the positions that every contender has searched.
struct Group<'a> {
    records: Vec<&'a nodes::Record>,
    names: Vec<String>,
    positions: Vec<String>,
}

impl Group<'_> {
    fn new<'a>(records: &[&'a nodes::Record]) -> Group<'a> {
        let names = contenders(records, |record| record.contender.clone());
        let positions = common(records, &names, |record| (record.contender.clone(), record.position.clone()));
        let records = records.iter().filter(|record| positions.contains(&record.position)).copied().collect();
        Group { records, names, positions }
    }

    fn of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s nodes::Record> {
        self.records.iter().filter(move |record| record.contender == name).copied()
    }

    fn total(&self, name: &str) -> u64 {
        self.of(name).map(|record| record.nodes).sum()
    }

    /// How many nodes more than the base, in per cent.
    fn more(&self, name: &str) -> Option<f64> {
        let base = self.total(BASE);
        (base > 0).then(|| 100.0 * (self.total(name) as f64 / base as f64 - 1.0))
    }

    fn ratio(&self, first: &str, second: &str) -> Option<LogRatio> {
        let nodes = |name: &str, position: &str| {
            self.of(name).find(|record| record.position == position).map(|record| record.nodes as f64)
        };
        LogRatio::new(
            self.positions
                .iter()
                .filter_map(|position| Some((nodes(first, position)?, nodes(second, position)?))),
        )
    }
}

fn write_group(blocks: &mut Vec<Element>, group: &Group<'_>, mode: &str, raise: Depth) {
    let mut table = Table::new(
        format!(
            "Nodes, {mode}, the paper's depths {}, {} positions",
            signed(f64::from(raise), 0),
            group.positions.len()
        ),
        &[
            "scheme",
            "nodes",
            "against extended",
            "paper",
            "ratio",
            "p",
            "null moves",
            "fail high",
            "cut",
            "failed low",
            "seconds",
        ],
    );
    let mut bars = Vec::new();
    for name in &group.names {
        let paper = paper::find(&paper::NODES, name);
        let counts: NullCounts = group.of(name).map(|record| record.counts).sum();
        let seconds = group.of(name).map(|record| record.milliseconds).sum::<u64>() as f64 / 1000.0;
        let more = group.more(name);
        let ratio = if name == BASE { None } else { group.ratio(name, BASE) };
        let [interval, p] = ratio_cells(ratio);
        table.rows.push(vec![
            name.clone(),
            thousands(group.total(name)),
            more.map_or(NO_VALUE.into(), |more| format!("{} %", signed(more, 1))),
            paper.map_or(NO_VALUE.into(), |paper| format!("{} %", signed(paper, 1))),
            interval,
            p,
            thousands(counts.tried),
            percent(counts.fail_highs, counts.tried),
            percent(counts.cuts, counts.tried),
            percent(counts.reduced_fail_lows, counts.reductions),
            format!("{seconds:.1}"),
        ]);
        if let Some(value) = more {
            bars.push(Bar { label: name.clone(), value, error: 0.0, reference: paper });
        }
    }
    blocks.push(Element::Table(table));
    if bars.is_empty() {
        return;
    }
    // The order is that of the ratios, which the p-values are about; a sum is mostly its largest position.
    let factor = |name: &String| group.ratio(name, BASE).map(|ratio| (name.clone(), ratio.factor()));
    let ours: Vec<(String, f64)> = group.names.iter().filter_map(factor).collect();
    blocks.push(Element::Chart(Chart::Bars(Bars {
        title: format!("Nodes against extended, {mode}, the paper's depths {}", signed(f64::from(raise), 0)),
        unit: "nodes more than extended, per cent".into(),
        name: "Caesura".into(),
        reference: "the paper".into(),
        bars,
    })));
    let p = |first: &str, second: &str| group.ratio(first, second).map_or(1.0, |ratio| ratio.p_value());
    if let Some(found) = Ranking::new(&ours, &paper::NODES, true, p) {
        blocks.push(ranking(&format!("By the ratio of nodes ({mode})"), &found));
    }
}
