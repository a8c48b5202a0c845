//! Helper threads with another scheme.

use toolkit::statistics::{LogRatio, SignTest};

use super::formatting::{NO_VALUE, difference, distinct, grouped, mode_and_hash, p_value, ratio_cells};
use crate::contender::without_helpers;
use crate::report::page::{Element, Section, Table, thousands};
use crate::{paper, zugzwang};

pub(super) fn section(records: &[zugzwang::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "Helper threads that search with another scheme than the main thread, over one transposition table, on the \
             positions of zugzwang: `tuned+off` is a main thread with tuned and helpers without null moves. Each is compared \
             with the contender whose helpers search as its main thread does. \"More solved\" is the difference with half \
             its 95 % interval, and p that of the sign test; the nodes are those of all threads from which on the right \
             move stayed the best, or all that were searched where it was not found, and their ratio is the geometric mean \
             over the positions that one of the two solves, with its 95 % interval. The paper's position is one of `zugts` and \
             counts once. With a limit in nodes threads take \
             turns of 1,024 nodes, so that the results repeat."
                .into(),
        ),
        Element::Command(format!(
            "cargo run --release -p lab -- helpers --suite zugts.epd --suite cpw_nullmove_zugzwang.epd --limit {} \
             [--search-threads 2] [--plain|--falcon]",
            records.first().map_or("1000000n", |record| &record.limit)
        )),
    ];
    let key =
        |record: &zugzwang::Record| (record.mode, record.hash, record.limit.clone(), record.search_threads);
    let has_suite = records.iter().any(|record| record.position != paper::ZUGZWANG_ID);
    let counted = records.iter().filter(|record| !has_suite || record.position != paper::ZUGZWANG_ID);
    for ((mode, hash, limit, threads), here) in grouped(counted, key) {
        let mode = mode_and_hash(mode, hash);
        let mut table = Table::new(
            format!("{threads} threads, {limit} each, {mode}"),
            &["main + helpers", "solved", "of", "more solved", "p", "nodes to solution", "ratio", "p"],
        );
        for name in distinct(&here, |record| record.contender.clone()) {
            table.rows.push(row(&here, &name));
        }
        blocks.push(Element::Table(table));
    }
    Section { id: "helpers", title: "Mixed schemes".into(), elements: blocks }
}

fn row(records: &[&zugzwang::Record], name: &str) -> Vec<String> {
    let of = |name: &str| -> Vec<&zugzwang::Record> {
        records.iter().filter(|record| record.contender == name).copied().collect()
    };
    let (mine, alone) = (of(name), without_helpers(name));
    let others = if alone == name { Vec::new() } else { of(&alone) };
    let same = |record: &zugzwang::Record| {
        let at =
            |other: &&&zugzwang::Record| (&other.suite, &other.position) == (&record.suite, &record.position);
        others.iter().find(at).copied()
    };
    let pairs: Vec<(&zugzwang::Record, &zugzwang::Record)> =
        mine.iter().filter_map(|&record| Some((record, same(record)?))).collect();
    let share = |record: &zugzwang::Record| f64::from(u8::from(record.solved));
    let solved = SignTest::new(pairs.iter().map(|(first, second)| (share(first), share(second))));
    let either = pairs.iter().filter(|(first, second)| first.solved || second.solved);
    let ratio = LogRatio::new(
        either.map(|(first, second)| (first.nodes_to_solve() as f64, second.nodes_to_solve() as f64)),
    );
    let compared = |text: String| if pairs.is_empty() { NO_VALUE.into() } else { text };
    let [interval, p] = ratio_cells(ratio);
    vec![
        name.to_string(),
        mine.iter().filter(|record| record.solved).count().to_string(),
        mine.len().to_string(),
        compared(difference(&solved, 0)),
        compared(p_value(solved.p_value())),
        thousands(mine.iter().map(|record| record.nodes_to_solve()).sum()),
        interval,
        p,
    ]
}
