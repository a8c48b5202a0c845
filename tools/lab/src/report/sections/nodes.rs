//! Nodes of searches to fixed depths.

use caesura::engine::NullCounts;

use super::formatting::{NO_VALUE, distinct, percent, ranking, signed};
use crate::report::page::{Bar, Chart, Element, Section, Table, thousands};
use crate::searcher::mode_name;
use crate::{nodes, paper};

pub(super) fn section(records: &[nodes::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "Nodes of searches to fixed depths on six positions (Bratko and Kopec 1982), summed, and the difference to \
             extended null-move reductions (the paper's table 2)."
                .into(),
        ),
        Element::Command("cargo run --release -p lab -- nodes --raise N [--plain]".into()),
    ];
    for (plain, raise) in distinct(records, |record| (record.plain, record.raise)) {
        let here: Vec<&nodes::Record> =
            records.iter().filter(|record| (record.plain, record.raise) == (plain, raise)).collect();
        let total = |name: &str| -> u64 {
            here.iter().filter(|record| record.contender == name).map(|record| record.nodes).sum()
        };
        let names = distinct(&here, |record| record.contender.clone());
        let base = total("extended");
        let more = |name: &str| 100.0 * (total(name) as f64 / base.max(1) as f64 - 1.0);
        let mut table = Table::new(
            format!("Nodes, {}, the paper's depths {}", mode_name(plain), signed(f64::from(raise), 0)),
            &[
                "scheme",
                "nodes",
                "against extended",
                "paper",
                "null moves",
                "fail high",
                "cut",
                "overturned",
                "seconds",
            ],
        );
        let (mut bars, mut ours) = (Vec::new(), Vec::new());
        for name in &names {
            let paper = paper::find(&paper::NODES, name);
            let mine = || here.iter().filter(|record| &record.contender == name);
            let counts: NullCounts = mine().map(|record| record.counts).sum();
            let seconds = mine().map(|record| record.milliseconds).sum::<u64>() as f64 / 1000.0;
            table.rows.push(vec![
                name.clone(),
                thousands(total(name)),
                if base > 0 { format!("{} %", signed(more(name), 1)) } else { NO_VALUE.into() },
                paper.map_or(NO_VALUE.into(), |paper| format!("{} %", signed(paper, 0))),
                thousands(counts.tried),
                percent(counts.fail_highs, counts.tried),
                percent(counts.cuts, counts.tried),
                percent(counts.overturned, counts.reductions),
                format!("{seconds:.1}"),
            ]);
            if base > 0 {
                bars.push(Bar { label: name.clone(), ours: more(name), error: 0.0, paper });
                ours.push((name.clone(), more(name)));
            }
        }
        blocks.push(Element::Table(table));
        if !bars.is_empty() {
            let title =
                format!("Nodes more than extended, in per cent, {}; grey: the paper", mode_name(plain));
            blocks.push(Element::Chart(Chart::Bars { title, bars }));
        }
        blocks.extend(ranking(&format!("by nodes ({})", mode_name(plain)), &ours, &paper::NODES, false));
    }
    Section { id: "nodes", title: "Nodes at fixed depth".into(), elements: blocks }
}
