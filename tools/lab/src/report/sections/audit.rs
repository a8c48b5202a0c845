//! Null moves that failed high, and who was right.

use caesura::engine::GamePhase;
use toolkit::statistics::WeightedRate;

use super::formatting::{NO_VALUE, distinct, grouped, mode_and_hash, signed};
use crate::audit::{DEFAULT_PER_CLASS, DEFAULT_SEED, DEPTH_CLASSES, Decision, Position, Record, Verdict};
use crate::report::page::{Element, Section, Table, thousands};

pub(super) fn section(records: &[Record]) -> Section {
    let mut elements = vec![
        Element::Text(
            "Null moves that failed high in searches of positions from games, each judged twice: the node is searched \
             again without any null move, at its full depth; and where no move reaches beta, the null move is searched \
             at the full depth, too. If the null move still reaches beta, the fail-high was wrong because of zugzwang; \
             if not, because of the horizon of its shallow search. \"Four plies deeper\" is the share of those \
             that the judge judges alike with four plies more. \"Held\" means that the scheme did not notice: the \
             node was left with beta or more although no move reaches it. The rates stand for all fail-highs of the \
             searches, most of which are shallow; their errors are 95 % intervals over the positions. What came of overruled \
             fail-highs is counted over those that were judged, of which deep ones are many. In the row `off` \
             it is not null moves that failed high but moves, in nodes where a null move could have been tried: the \
             rate at which two searches of the same depth disagree with each other."
                .into(),
        ),
        Element::Command(
            "cargo run --release -p lab -- audit --book 8moves_v3_sample3000.epd --book \
             endgames_sample2000.epd --games N"
                .into(),
        ),
    ];
    let key = |record: &Record| {
        let Record { mode, hash, depth, per_class, seed, .. } = *record;
        (mode, hash, depth, per_class, seed, record.books.clone())
    };
    let books = distinct(records, |record| record.books.clone());
    for ((mode, hash, depth, per_class, seed, of_books), here) in grouped(records, key) {
        let mut search = mode_and_hash(mode, hash);
        if per_class != DEFAULT_PER_CLASS {
            search += &format!(", {per_class} a class");
        }
        if seed != DEFAULT_SEED {
            search += &format!(", seed {seed}");
        }
        if books.len() > 1 {
            search += &format!(", {}", of_books.join(" "));
        }
        let audits: Vec<Audit> = distinct(&here, |record| record.contender.clone())
            .into_iter()
            .map(|name| Audit::of(name, &here))
            .collect();
        let title = |what: &str| format!("{what}, depth {depth}, {search}");
        elements.push(Element::Table(verdicts(title("Fail-highs and who was right"), &audits)));
        elements
            .push(Element::Table(by_class(title("Wrong fail-highs by what the node is, per cent"), &audits)));
        elements.push(Element::Table(flips(
            title("One fail-high overruled: what becomes of the search"),
            &audits,
        )));
    }
    Section { id: "audit", title: "Audit".into(), elements }
}

/// All that was judged of a contender.
struct Audit<'a> {
    name: String,
    positions: Vec<&'a Position>,
}

impl<'a> Audit<'a> {
    fn of(name: String, records: &[&'a Record]) -> Audit<'a> {
        let mine = records.iter().filter(|record| record.contender == name);
        Audit { positions: mine.flat_map(|record| &record.positions).collect(), name }
    }

    fn decisions(&self) -> impl Iterator<Item = &'a Decision> {
        self.positions.iter().flat_map(|position| &position.decisions)
    }

    /// How often something is true of the decided fail-highs that are selected.
    fn rate(
        &self,
        selects: impl Fn(&Decision) -> bool,
        happened: impl Fn(&Decision) -> bool,
    ) -> WeightedRate {
        let mut rate = WeightedRate::default();
        for position in &self.positions {
            let decided = position.decisions.iter().filter(|one| one.verdict != Verdict::Undecided);
            rate.add_group(
                decided.filter(|one| selects(one)).map(|one| (position.weight(one), happened(one))),
            );
        }
        rate
    }
}

/// `2.31 ± 0.20`, in per cent.
fn per_cent(rate: &WeightedRate) -> String {
    match rate.rate() {
        Some(share) => format!("{:.2} ± {:.2}", 100.0 * share, 100.0 * rate.error()),
        None => NO_VALUE.into(),
    }
}

/// `37 of 120 (31 %)`.
fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        return NO_VALUE.into();
    }
    format!("{part} of {whole} ({:.0} %)", 100.0 * part as f64 / whole as f64)
}

fn verdicts(title: String, audits: &[Audit]) -> Table {
    let mut table = Table::new(
        title,
        &[
            "scheme",
            "positions",
            "judged",
            "wrong, %",
            "zugzwang, %",
            "horizon, %",
            "held, %",
            "wrong four plies deeper",
            "zugzwang four plies deeper",
            "undecided",
        ],
    );
    for audit in audits {
        let rate = |happened: fn(&Decision) -> bool| per_cent(&audit.rate(|_| true, happened));
        let deeper = |is_meant: fn(Verdict) -> bool| {
            let of = || audit.decisions().filter(|one| is_meant(one.verdict));
            share(of().filter(|one| one.deeper.is_some_and(is_meant)).count(), of().count())
        };
        let undecided = audit.decisions().filter(|one| one.verdict == Verdict::Undecided).count();
        table.rows.push(vec![
            audit.name.clone(),
            thousands(audit.positions.len() as u64),
            thousands(audit.decisions().count() as u64),
            rate(|one| one.verdict.is_wrong()),
            rate(|one| one.verdict == Verdict::Zugzwang),
            rate(|one| one.verdict == Verdict::Horizon),
            rate(|one| one.verdict.is_wrong() && one.held),
            deeper(Verdict::is_wrong),
            deeper(|verdict| verdict == Verdict::Zugzwang),
            undecided.to_string(),
        ]);
    }
    table
}

/// A class of nodes: its name, and what belongs to it.
type Class = (String, Box<dyn Fn(&Decision) -> bool>);

fn classes() -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for (index, &least) in DEPTH_CLASSES.iter().enumerate() {
        let next = DEPTH_CLASSES.get(index + 1).copied();
        let name = match next {
            Some(next) => format!("depth {least} to {}", next - 1),
            None => format!("depth {least} and more"),
        };
        classes.push((
            name,
            Box::new(move |one| one.depth >= least && next.is_none_or(|next| one.depth < next)),
        ));
    }
    for phase in GamePhase::ALL {
        classes.push((phase.name().into(), Box::new(move |one| GamePhase::of_pieces(one.pieces) == phase)));
    }
    for kind in ["PV node", "cut node", "all node"] {
        classes.push((kind.into(), Box::new(move |one| one.kind == kind)));
    }
    let margins = [i32::MIN, 0, 50, 150, i32::MAX];
    for (name, ends) in ["below beta", "0 to 49 cp above beta", "50 to 149 cp", "150 cp and more"]
        .into_iter()
        .zip(margins.windows(2).map(|ends| (ends[0], ends[1])))
    {
        classes.push((
            format!("static evaluation {name}"),
            Box::new(move |one| (ends.0..ends.1).contains(&one.margin)),
        ));
    }
    classes
}

fn by_class(title: String, audits: &[Audit]) -> Table {
    let mut head = vec!["nodes".to_string()];
    head.extend(audits.iter().flat_map(|audit| [audit.name.clone(), "judged".into()]));
    let mut table = Table { caption: title, head, ..Table::default() };
    for (name, belongs) in classes() {
        let rates = audits.iter().map(|audit| audit.rate(&belongs, |one| one.verdict.is_wrong()));
        let rates: Vec<WeightedRate> = rates.collect();
        if rates.iter().all(|rate| rate.observations == 0) {
            continue;
        }
        let mut row = vec![name];
        row.extend(rates.iter().flat_map(|rate| [per_cent(rate), thousands(rate.observations)]));
        table.rows.push(row);
    }
    table
}

fn flips(title: String, audits: &[Audit]) -> Table {
    let mut table = Table::new(
        title,
        &[
            "scheme",
            "fail-high",
            "overruled",
            "other move, %",
            "score, mean change",
            "other score, %",
            "nodes, mean change, %",
        ],
    );
    for audit in audits {
        for (name, verdict) in
            [("right", Verdict::Right), ("zugzwang", Verdict::Zugzwang), ("horizon", Verdict::Horizon)]
        {
            table.rows.extend(flip_row(audit, name, verdict));
        }
    }
    table
}

/// What became of the searches without the fail-highs of this verdict; `None` if there are none.
fn flip_row(audit: &Audit, name: &str, verdict: Verdict) -> Option<Vec<String>> {
    let is_flipped = |one: &Decision| one.verdict == verdict && one.flip.is_some();
    let mut moves = WeightedRate::default();
    let (mut count, mut other_score, mut change, mut nodes) = (0, 0, 0.0, 0.0);
    for position in &audit.positions {
        let flipped = || position.decisions.iter().filter(|one| is_flipped(one)).filter_map(|one| one.flip);
        moves.add_group(flipped().map(|flip| (1.0, flip.other_move)));
        for flip in flipped() {
            count += 1;
            other_score += usize::from(flip.score != position.score);
            change += f64::from((flip.score - position.score).abs().min(MAX_CHANGE));
            nodes += flip.nodes as f64 / position.nodes.max(1) as f64 - 1.0;
        }
    }
    if count == 0 {
        return None;
    }
    let mean = |sum: f64| sum / count as f64;
    Some(vec![
        audit.name.clone(),
        name.to_string(),
        thousands(count as u64),
        per_cent(&moves),
        format!("{:.1} cp", mean(change)),
        format!("{:.0}", 100.0 * mean(other_score as f64)),
        signed(100.0 * mean(nodes), 1),
    ])
}

/// A greater change of the score counts as this much, in centipawns: a mate that is found or lost is no measure.
const MAX_CHANGE: i32 = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_belongs_to_one_class_of_each_sort() {
        let text = r#"{"ordinal":0,"path":"","depth":4,"pieces":0,"kind":"all node","margin":-3,"lead":0,
            "action":"reduce","held":false,"verdict":"zugzwang","deeper":"right","flip":null}"#;
        let decision: Decision = serde_json::from_str(text).unwrap();
        let names: Vec<String> =
            classes().into_iter().filter(|(_, belongs)| belongs(&decision)).map(|(name, _)| name).collect();
        assert_eq!(names, ["depth 3 to 4", "pawn ending", "all node", "static evaluation below beta"]);
    }
}
