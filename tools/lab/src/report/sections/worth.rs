//! What a null move is worth by the evaluation and the limit.

use caesura::chart::{Curve, Curves, Scale};
use toolkit::elo::{Estimate, Pentanomial};

use super::formatting::{game_cells, grouped, mode_and_hash, openings_suffix};
use crate::limit::Limit;
use crate::report::page::{Chart, Element, Section, Table};
use crate::worth;

pub(super) fn section(records: &[worth::Record]) -> Section {
    let mut blocks = vec![
        Element::Text(
            "What a null move is still worth: games of a scheme against the same program without null moves, by what both \
             evaluate by and by the limit of a move. A null move is judged by the evaluation, and saves the more the deeper \
             the search; with both, what it is worth may change. The error is that of a 95 % interval from the pairs; \
             LOS is the likelihood that the first side is the stronger one."
                .into(),
        ),
        Element::Command(
            "cargo run --release -p lab -- worth --book 8moves_v3_sample3000.epd --eval-file '<material>' \
             --eval-file '<embedded>' --limit 500n --limit 2000n --limit 8000n --games N [--plain|--falcon]"
                .into(),
        ),
    ];
    let key = |record: &worth::Record| {
        let worth::Record { first, second, mode, hash, book, seed, .. } = record.clone();
        (first, second, mode, hash, book, seed)
    };
    let openings = openings_suffix(records, |record| (record.book.clone(), record.seed));
    for ((first, second, mode, hash, book, seed), here) in grouped(records, key) {
        let search = mode_and_hash(mode, hash) + &openings(&book, seed);
        let what = format!("{first} against {second}, {search}");
        write_group(&mut blocks, &here, &what);
    }
    Section { id: "worth", title: "What a null move is worth".into(), elements: blocks }
}

/// The results at one limit, and the limit in nodes.
struct Point {
    nodes: Option<u64>,
    estimate: Estimate,
}

fn write_group(blocks: &mut Vec<Element>, records: &[&worth::Record], what: &str) {
    let mut table = Table::new(
        format!("Games, {what}"),
        &["evaluation", "limit", "games", "won-drawn-lost", "pairs 0 to 2", "Elo", "LOS"],
    );
    let mut curves = Vec::new();
    for (evaluation, mine) in grouped(records.iter().copied(), |record| record.evaluation.clone()) {
        let mut points = Vec::new();
        for (limit, games) in grouped(mine, |record| record.limit.clone()) {
            let (row, estimate) = row(&evaluation, &limit, &games);
            table.rows.push(row);
            let nodes = match limit.parse() {
                Ok(Limit::Nodes(nodes)) => Some(nodes),
                _ => None,
            };
            points.push(Point { nodes, estimate });
        }
        curves.push(curve(evaluation, points));
    }
    blocks.push(Element::Table(table));
    curves.retain(|curve| !curve.points.is_empty());
    if !curves.is_empty() {
        blocks.push(Element::Chart(Chart::Curves(Curves {
            title: format!("Elo by nodes, {what}"),
            across: "nodes a move".into(),
            upwards: "Elo of the first side, with its 95 % interval".into(),
            scale_across: Scale::Logarithmic,
            curves,
            ..Curves::default()
        })));
    }
}

fn row(evaluation: &str, limit: &str, games: &[&worth::Record]) -> (Vec<String>, Estimate) {
    let pairs: Pentanomial = games.iter().map(|record| record.half_points).collect();
    let mut row = vec![evaluation.to_string(), limit.to_string()];
    row.extend(game_cells(&pairs, games.iter().map(|record| &record.games)));
    (row, pairs.estimate())
}

/// The curve of an evaluation, of the limits that are in nodes, the least first.
fn curve(name: String, mut points: Vec<Point>) -> Curve {
    points.retain(|point| point.nodes.is_some());
    points.sort_by_key(|point| point.nodes);
    let place = |point: &Point| (point.nodes.unwrap_or(0) as f64, point.estimate.elo);
    Curve {
        name,
        points: points.iter().map(place).collect(),
        errors: points.iter().map(|point| point.estimate.error).collect(),
        ..Curve::default()
    }
}
