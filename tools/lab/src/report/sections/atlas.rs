//! Zugzwang by material, and what schemes do there.

use super::formatting::{NO_VALUE, distinct};
use crate::atlas::{Record, SchemeCount, Zugzwangs};
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
    let elements = vec![
        Element::Text(format!(
            "How often passing would beat every move, by endgame tables: the side to move is not in check and has a legal \
             move, a win that the fifty-move rule spoils counts as a draw, and a material is counted with either side \
             to move. {placements} Such a zugzwang is always one for both sides: the side that passes leaves the move to the other, who \
             then has the worse of it."
        )),
        Element::Command("cargo run --release -p lab -- atlas --tables SYZYGY-DIRECTORY".into()),
        Element::Table(by_material(records)),
        Element::Text(
            "What searches make of such positions, some of each material: each is searched as a node that should fail high, \
             with the window at what a pass would reach and no move does, by iterative deepening and with no tables. \
             \"Wrong\" are searches that failed high. Some of them prune the position by reverse futility, a null move \
             without a search; some are cut by the null move, or reduced by it and fail high all the same; the others \
             are wrong because of what lies below the position, or because the depth does not show what the moves \
             give away. The row `off` has only these."
                .into(),
        ),
        Element::Table(by_scheme(records)),
    ];
    Section { id: "atlas", title: "Zugzwang atlas".into(), elements }
}

fn by_material(records: &[Record]) -> Table {
    let mut table = Table::new(
        "Positions in which passing beats every move",
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
        for record in records.iter().filter(|record| record.material == material) {
            sum.add(&record.zugzwangs);
            positions += record.positions;
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

fn by_scheme(records: &[Record]) -> Table {
    let mut table = Table::new(
        "Searches of zugzwangs",
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
    let all: Vec<&SchemeCount> = records.iter().flat_map(|record| &record.schemes).collect();
    for (contender, depth) in distinct(&all, |count| (count.contender.clone(), count.depth)) {
        let mut sum = SchemeCount::default();
        let here = all.iter().filter(|count| (&count.contender, count.depth) == (&contender, depth));
        here.for_each(|count| sum.add(count));
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
            share(sum.reductions - sum.held),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_a_material_are_a_row_and_schemes_are_summed() {
        let record = |material: &str, white_to_move, zugzwangs| Record {
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
        let table = by_material(&records);
        assert_eq!(table.caption, "Positions in which passing beats every move; none in KQvK");
        assert_eq!(table.rows[0], ["KPvK", "100,000", "5", "5.00", "2", "3", "0"]);
        assert_eq!(table.rows[1], ["all", "200,000", "5", "2.50", "2", "3", "0"]);
        let table = by_scheme(&records);
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0][..4], ["off", "4", "8", "50.0"]);
    }
}
