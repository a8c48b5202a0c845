//! Zugzwang by material, and what schemes do there.

use super::formatting::{NO_VALUE, distinct, grouped, mode_and_hash};
use crate::atlas::{Placements, Record, SchemeCount, Searches, Zugzwangs};
use crate::report::page::{Element, Section, Table, thousands};

pub(super) fn section(records: &[Record]) -> Section {
    let drawn = records.iter().filter(|record| !record.exhaustive).count();
    let placements = match (drawn, records.len()) {
        (0, _) => "All placements of the pieces were looked at.".to_string(),
        (drawn, all) if drawn == all => "The placements of the pieces were drawn at random.".to_string(),
        (drawn, all) => format!(
            "Of {} of the {all} materials and sides to move all placements of the pieces were looked at, of the others \
             some that were drawn at random.",
            all - drawn
        ),
    };
    let mut elements = vec![
        Element::Text(format!(
            "How often passing would beat every move, by endgame tables: the side to move is not in check and has a legal \
             move, a win that the fifty-move rule spoils counts as a draw, and a material is counted with either side \
             to move. {placements} Such a zugzwang is always one for both sides: the side that passes leaves the move to the other, who \
             then has the worse of it."
        )),
        Element::Command("cargo run --release -p lab -- atlas --tables SYZYGY-DIRECTORY".into()),
    ];
    let placed = grouped(records, |record| record.placements);
    for (placements, here) in &placed {
        elements.push(Element::Table(by_material(here, &of_placements(*placements, placed.len()))));
    }
    elements.push(Element::Text(
        "What searches make of such positions, some of each material: each is searched as a node that should fail high, \
         with the window at what a pass would reach and no move does, by iterative deepening and with no tables. \
         \"Wrong\" are searches that failed high. Some of them prune the position by reverse futility, a null move \
         without a search; some are cut by the null move, or reduced by it and fail high all the same; the others \
         are wrong because of what lies below the position, or because the depth does not show what the moves \
         give away. The row `off` has only these."
            .into(),
    ));
    for ((placements, searches), here) in grouped(records, |record| (record.placements, record.searches)) {
        let Searches { most, mode, hash } = searches;
        let what = format!(
            ", at most {most} of each material and side to move, {}{}",
            mode_and_hash(mode, hash),
            of_placements(placements, placed.len())
        );
        elements.push(Element::Table(by_scheme(&here, &what)));
    }
    Section { id: "atlas", title: "Zugzwang atlas".into(), elements }
}

/// What a caption says of the placements where there are results of several kinds.
fn of_placements(placements: Placements, kinds: usize) -> String {
    let Placements { most, seed } = placements;
    if kinds > 1 { format!(", at most {} placements, seed {seed}", thousands(most)) } else { String::new() }
}

/// The counts of these placements. A material that was searched in several ways is counted once.
fn by_material(records: &[&Record], what: &str) -> Table {
    let mut table = Table::new(
        format!("Positions in which passing beats every move{what}"),
        &["material", "positions", "zugzwang", "in 100,000", "draw lost", "win drawn", "win lost"],
    );
    let row = |name: &str, positions: u64, zugzwangs: Zugzwangs| {
        vec![
            name.to_string(),
            thousands(positions),
            thousands(zugzwangs.all()),
            if positions == 0 {
                NO_VALUE.into()
            } else {
                format!("{:.2}", 1e5 * zugzwangs.all() as f64 / positions as f64)
            },
            thousands(zugzwangs.draw_lost),
            thousands(zugzwangs.win_drawn),
            thousands(zugzwangs.win_lost),
        ]
    };
    let (mut all, mut all_positions, mut without) = (Zugzwangs::default(), 0, Vec::new());
    for material in distinct(records, |record| record.material.clone()) {
        let (mut sum, mut positions) = (Zugzwangs::default(), 0);
        let mine = records.iter().filter(|record| record.material == material);
        for (_, same) in grouped(mine, |record| record.white_to_move) {
            sum.add(&same[0].zugzwangs);
            positions += same[0].positions;
        }
        all.add(&sum);
        all_positions += positions;
        if sum.all() == 0 {
            without.push(material);
        } else {
            table.rows.push(row(&material, positions, sum));
        }
    }
    table.rows.push(row("all", all_positions, all));
    if !without.is_empty() {
        table.caption += &format!("; none in {}", without.join(", "));
    }
    table
}

/// What searches came to. A contender that was asked for several times is counted once.
fn by_scheme(records: &[&Record], what: &str) -> Table {
    let mut table = Table::new(
        format!("Searches of zugzwangs{what}"),
        &[
            "scheme",
            "depth",
            "positions",
            "wrong, %",
            "reverse futility, %",
            "null move tried, %",
            "failed high, %",
            "cut, %",
            "reduced and held, %",
            "reduced and refuted, %",
        ],
    );
    let all: Vec<(&Record, &SchemeCount)> =
        records.iter().flat_map(|&record| record.schemes.iter().map(move |count| (record, count))).collect();
    for ((contender, depth), here) in grouped(&all, |(_, count)| (count.contender.clone(), count.depth)) {
        let mut sum = SchemeCount::default();
        for (_, same) in grouped(here, |(record, _)| (record.material.clone(), record.white_to_move)) {
            sum.add(same[0].1);
        }
        let share = |part: u64| match sum.positions {
            0 => NO_VALUE.to_string(),
            positions => format!("{:.1}", 100.0 * part as f64 / positions as f64),
        };
        table.rows.push(vec![
            contender,
            depth.to_string(),
            thousands(sum.positions),
            share(sum.wrong),
            share(sum.reverse_futility),
            share(sum.tried),
            share(sum.fail_highs),
            share(sum.cuts),
            share(sum.held),
            share(sum.reductions.saturating_sub(sum.held)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode::Mode;

    #[test]
    fn both_sides_of_a_material_are_a_row_and_schemes_are_summed() {
        let record = |material: &str, white_to_move, zugzwangs| Record {
            placements: Placements::default(),
            searches: Searches::default(),
            material: material.into(),
            white_to_move,
            exhaustive: white_to_move,
            positions: 50_000,
            zugzwangs,
            schemes: vec![SchemeCount {
                contender: "off".into(),
                depth: 4,
                positions: 2,
                wrong: 1,
                ..SchemeCount::default()
            }],
        };
        let drawn = Zugzwangs { win_drawn: 3, ..Zugzwangs::default() };
        let lost = Zugzwangs { draw_lost: 2, ..Zugzwangs::default() };
        let records = [
            record("KPvK", true, drawn),
            record("KPvK", false, lost),
            record("KQvK", true, Zugzwangs::default()),
            record("KQvK", false, Zugzwangs::default()),
        ];
        let all: Vec<&Record> = records.iter().collect();
        let table = by_material(&all, "");
        assert_eq!(table.caption, "Positions in which passing beats every move; none in KQvK");
        assert_eq!(table.rows[0], ["KPvK", "100,000", "5", "5.00", "2", "3", "0"]);
        assert_eq!(table.rows[1], ["all", "200,000", "5", "2.50", "2", "3", "0"]);
        let table = by_scheme(&all, "");
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0][..4], ["off", "4", "8", "50.0"]);
        // The same material again, by a run with other contenders.
        let twice: Vec<&Record> = records.iter().chain(&records).collect();
        assert_eq!(by_material(&twice, "").rows, by_material(&all, "").rows);
        assert_eq!(by_scheme(&twice, "").rows, by_scheme(&all, "").rows);
    }

    #[test]
    fn searches_of_another_kind_have_a_table_of_their_own() {
        let record = |mode, seed| Record {
            placements: Placements { seed, ..Placements::default() },
            searches: Searches { mode, ..Searches::default() },
            material: "KPvK".into(),
            white_to_move: true,
            exhaustive: true,
            positions: 1,
            zugzwangs: Zugzwangs::default(),
            schemes: Vec::new(),
        };
        let captions = |records: &[Record]| -> Vec<String> {
            let tables = section(records).elements.into_iter();
            tables
                .filter_map(|one| if let Element::Table(table) = one { Some(table.caption) } else { None })
                .collect()
        };
        assert_eq!(captions(&[record(Mode::Full, 1), record(Mode::Plain, 1)]).len(), 3);
        let found = captions(&[record(Mode::Full, 1), record(Mode::Full, 2)]);
        assert_eq!((found.len(), found.iter().filter(|one| one.contains("seed 2")).count()), (4, 2));
    }
}
