//! Positions solved.

use super::formatting::{NO_VALUE, distinct, ranking};
use crate::report::page::{Bar, Chart, Element, Section, Table};
use crate::searcher::mode_name;
use crate::{paper, tactics};

pub(super) fn section(records: &[tactics::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "Positions of a tactical suite that are solved within a limit (tables 3, 4 and 5), as the mean of the runs. The \
             error is that of a count: two standard deviations of a binomial distribution; two schemes on the same \
             positions differ by less chance than that."
                .into(),
        ),
        Element::Command(
            "cargo run --release -p lab -- tactics --suite ../shared/suites/ecm879.epd --limit 50000n [--plain]"
                .into(),
        ),
    ];
    type Group = (bool, String, String);
    let group =
        |record: &tactics::Record| -> Group { (record.plain, record.suite.clone(), record.limit.clone()) };
    for (plain, suite, limit) in distinct(records, group) {
        let here: Vec<&tactics::Record> =
            records.iter().filter(|record| group(record) == (plain, suite.clone(), limit.clone())).collect();
        let mut rows = Vec::new();
        for name in distinct(&here, |record| record.contender.clone()) {
            let mine: Vec<&&tactics::Record> =
                here.iter().filter(|record| record.contender == name).collect();
            let runs = distinct(&mine, |record| record.run);
            let each: Vec<u64> = runs
                .iter()
                .map(|run| mine.iter().filter(|record| record.run == *run && record.solved).count() as u64)
                .collect();
            let searched = mine.len() as f64 / runs.len().max(1) as f64;
            let mean = each.iter().sum::<u64>() as f64 / each.len().max(1) as f64;
            let share = mean / searched.max(1.0);
            let error = 2.0 * (searched * share * (1.0 - share) / runs.len().max(1) as f64).sqrt();
            let depth =
                mine.iter().map(|record| f64::from(record.depth)).sum::<f64>() / mine.len().max(1) as f64;
            rows.push((name, mean, error, each, searched, depth));
        }
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut table = Table::new(
            format!("Positions of {suite} solved, {limit} each, {}", mode_name(plain)),
            &["scheme", "solved", "error", "of", "paper (of 879)", "runs", "mean depth"],
        );
        let (mut bars, mut ours) = (Vec::new(), Vec::new());
        for (name, mean, error, each, searched, depth) in rows {
            let paper = paper::find(&paper::TACTICS, &name);
            let each: Vec<String> = each.iter().map(u64::to_string).collect();
            table.rows.push(vec![
                name.clone(),
                format!("{mean:.1}"),
                format!("± {error:.1}"),
                format!("{searched:.0}"),
                paper.map_or(NO_VALUE.into(), |paper| paper.to_string()),
                each.join(", "),
                format!("{depth:.1}"),
            ]);
            let scaled = paper.map(|paper| f64::from(paper) * searched / f64::from(paper::TACTICS_POSITIONS));
            bars.push(Bar { label: name.clone(), ours: mean, error, paper: scaled });
            ours.push((name, mean));
        }
        blocks.push(Element::Table(table));
        let title = format!("Solved, {limit}, {}; grey: the paper, in proportion", mode_name(plain));
        blocks.push(Element::Chart(Chart::Bars { title, bars }));
        let papers: Vec<(&str, f64)> =
            paper::TACTICS.iter().map(|&(name, solved)| (name, f64::from(solved))).collect();
        blocks.extend(ranking(
            &format!("by positions solved ({limit}, {})", mode_name(plain)),
            &ours,
            &papers,
            true,
        ));
    }
    Section { id: "tactics", title: "Tactics".into(), elements: blocks }
}
