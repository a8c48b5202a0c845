//! Nodes and time to each depth.

use caesura::chart::{Curve, Curves, Scale};
use caesura::engine::NullCounts;

use super::formatting::{distinct, grouped, mode_and_hash, percent};
use crate::report::page::{Chart, Element, Section, Table, thousands};
use crate::scaling;
use crate::searcher::SearchPoint;

pub(super) fn section(records: &[scaling::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "What it takes to complete each depth, summed over the positions on which all schemes completed it. Who reduces \
             instead of cutting pays for the search of the moves; the ratio shows how that price grows with depth. \
             \"Failed low\" are reduced nodes whose moves then failed low: where a cut would have been wrong."
                .into(),
        ),
        Element::Command("cargo run --release -p lab -- scaling --depth N [--plain|--falcon]".into()),
    ];
    let key = |record: &scaling::Record| (record.mode, record.hash, record.depth, record.nodes);
    let groups = grouped(records, key);
    for ((mode, hash, deepest, nodes), here) in &groups {
        let (here, deepest) = (here.as_slice(), *deepest);
        let is_alone =
            groups.iter().filter(|((other, size, ..), _)| (other, size) == (mode, hash)).count() == 1;
        let mut mode = mode_and_hash(*mode, *hash);
        if !is_alone {
            mode += &format!(", at most {deepest} plies");
            if *nodes > 0 {
                mode += &format!(" and {} nodes", thousands(*nodes));
            }
        }
        let names = distinct(here, |record| record.contender.clone());
        let positions = distinct(here, |record| record.position.clone());
        let at = |name: &str, position: &str, depth: i32| -> Option<SearchPoint> {
            let record =
                here.iter().find(|record| record.contender == name && record.position == position)?;
            record.steps.iter().find(|step| step.depth == depth).copied()
        };
        let mut head: Vec<String> = vec!["depth".into(), "positions".into()];
        head.extend(names.iter().flat_map(|name| [format!("{name}, nodes"), format!("{name}, s")]));
        head.extend(names.iter().skip(1).map(|name| format!("{} / {name}", names[0])));
        let mut table =
            Table { caption: format!("Nodes and time to depth, {mode}"), head, ..Table::default() };
        let mut curves: Vec<Curve> =
            names.iter().map(|name| Curve { name: name.clone(), ..Curve::default() }).collect();
        let mut ratios: Vec<Curve> = names
            .iter()
            .skip(1)
            .map(|name| Curve { name: format!("{} / {name}", names[0]), ..Curve::default() })
            .collect();
        for depth in 8.min(deepest)..=deepest {
            let common: Vec<&String> = positions
                .iter()
                .filter(|position| names.iter().all(|name| at(name, position, depth).is_some()))
                .collect();
            if common.is_empty() {
                continue;
            }
            let totals: Vec<(u64, u64)> = names
                .iter()
                .map(|name| {
                    let steps = common.iter().filter_map(|position| at(name, position, depth));
                    steps.fold((0, 0), |(nodes, time), step| (nodes + step.nodes, time + step.milliseconds))
                })
                .collect();
            let mut row = vec![depth.to_string(), common.len().to_string()];
            for (index, (nodes, time)) in totals.iter().enumerate() {
                row.push(thousands(*nodes));
                row.push(format!("{:.2}", *time as f64 / 1000.0));
                // A curve must not jump because a position has dropped out.
                if common.len() == positions.len() {
                    curves[index].points.push((f64::from(depth), *nodes as f64));
                }
            }
            for (index, (nodes, _)) in totals.iter().enumerate().skip(1) {
                let ratio = totals[0].0 as f64 / (*nodes).max(1) as f64;
                row.push(format!("{ratio:.2}"));
                ratios[index - 1].points.push((f64::from(depth), ratio));
            }
            table.rows.push(row);
        }
        blocks.push(Element::Table(table));
        let across = "depth in plies".to_string();
        blocks.push(Element::Chart(Chart::Curves(Curves {
            title: format!("Nodes to depth, {mode}"),
            across: across.clone(),
            upwards: "nodes".into(),
            scale_upwards: Scale::Logarithmic,
            curves,
            ..Curves::default()
        })));
        if ratios.iter().any(|ratio| ratio.points.len() > 1) {
            blocks.push(Element::Chart(Chart::Curves(Curves {
                title: format!("Nodes of {} as a multiple, {mode}", names[0]),
                across,
                upwards: "ratio of nodes".into(),
                curves: ratios,
                ..Curves::default()
            })));
        }
        blocks.push(Element::Table(null_moves(&mode, &names, here)));
    }
    Section { id: "scaling", title: "Scaling".into(), elements: blocks }
}

/// What became of the null moves of each scheme in one mode.
fn null_moves(mode: &str, names: &[String], records: &[&scaling::Record]) -> Table {
    let mut table = Table::new(
        format!("Null moves, {mode}"),
        &["scheme", "tried", "fail high", "cut", "reduced", "failed low", "verified"],
    );
    for name in names {
        let mine = records.iter().filter(|record| &record.contender == name);
        let counts: NullCounts = mine.map(|record| record.counts).sum();
        table.rows.push(vec![
            name.clone(),
            thousands(counts.tried),
            percent(counts.fail_highs, counts.tried),
            percent(counts.cuts, counts.tried),
            percent(counts.reductions, counts.tried),
            percent(counts.reduced_fail_lows, counts.reductions),
            thousands(counts.verifications),
        ]);
    }
    table
}
