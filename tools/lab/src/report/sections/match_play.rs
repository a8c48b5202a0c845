//! Matches.

use caesura::chart::{Bar, Bars};
use toolkit::elo::Pentanomial;

use super::formatting::{NO_VALUE, game_cells, grouped, mode_and_hash, openings_suffix, signed};
use crate::mode::Mode;
use crate::report::page::{Chart, Element, Section, Table};
use crate::{match_play, paper};

pub(super) fn section(records: &[match_play::Record]) -> Section {
    let (elo, error) = paper::MATCH;
    let mut blocks = vec![
        Element::Text(format!(
            "Games in pairs, each opening with both colours (table 6: extended against adaptive, {} ± {error:.0} Elo in \
             1,000 games). The error is that of a 95 % interval from the pairs; LOS is the likelihood that the first side \
             is the stronger one.",
            signed(elo, 0)
        )),
        Element::Command(
            "cargo run --release -p lab -- match --first extended --second adaptive --book \
             8moves_v3_sample3000.epd --games 1000 --limit 5000n [--plain|--falcon]"
                .into(),
        ),
    ];
    let key = |record: &match_play::Record| {
        let match_play::Record { first, second, mode, hash, search_threads, limit, book, seed, .. } =
            record.clone();
        (first, second, mode, hash, search_threads, limit, book, seed)
    };
    let mut table = Table::new(
        "Matches",
        &[
            "match",
            "search",
            "limit",
            "games",
            "won-drawn-lost",
            "pairs 0 to 2",
            "Elo",
            "LOS",
            "paper",
            "lost on time",
        ],
    );
    let openings = openings_suffix(records, |record| (record.book.clone(), record.seed));
    let mut bars = Vec::new();
    let groups = grouped(records, key);
    for (match_key, here) in &groups {
        let (first, second, mode, hash, threads, limit, book, seed) = match_key;
        let pairs: Pentanomial = here.iter().map(|record| record.half_points).collect();
        let estimate = pairs.estimate();
        let games = here.iter().flat_map(|record| &record.games);
        let forfeits = games.filter(|game| game.ending == "Time").count();
        let papers = if first == "extended" && second == "adaptive" {
            format!("{} ± {error:.0}", signed(elo, 0))
        } else {
            NO_VALUE.into()
        };
        let name = format!("{first} {NO_VALUE} {second}");
        let shown_mode = mode_and_hash(*mode, *hash);
        let threads = if *threads == 1 { String::new() } else { format!(", {threads} threads") };
        let search = shown_mode + &threads + &openings(book, *seed);
        let mut row = vec![name.clone(), search.clone(), limit.clone()];
        row.extend(game_cells(&pairs, here.iter().map(|record| &record.games)));
        row.extend([papers, forfeits.to_string()]);
        table.rows.push(row);
        let paper = (first == "extended" && second == "adaptive").then_some(elo);
        // Long labels are cut off: the limit stands only where it distinguishes two bars.
        let alike = groups
            .iter()
            .filter(|((one, other, its_mode, ..), _)| (one, other, its_mode) == (first, second, mode));
        let label = if alike.count() == 1 { name } else { format!("{name}, {limit}") };
        bars.push(Bar {
            label: if search == Mode::Full.name() { label } else { format!("{label}, {search}") },
            value: estimate.elo,
            error: estimate.error,
            reference: paper,
        });
    }
    blocks.push(Element::Table(table));
    blocks.push(Element::Chart(Chart::Bars(Bars {
        title: "Matches".into(),
        unit: "Elo of the first side, with its 95 % interval".into(),
        name: "Caesura".into(),
        reference: "the paper".into(),
        bars,
    })));
    Section { id: "match", title: "Matches".into(), elements: blocks }
}
