//! What the results say, section by section.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::page::{Bar, Block, Chart, Curve, Page, Section, Table, thousands};
use crate::machine::Origin;
use crate::nodes::mode;
use crate::searcher::Counts;
use crate::{LabError, duel, nodes, paper, scaling, store, tactics, zugzwang};

const MINUS: &str = "−";
const NONE: &str = "–";

/// The report of the results in a directory. What `notes/SECTION.md` says there, paragraph by paragraph, stands at the
/// end of its section: the explanations, which no program can give.
///
/// # Errors
/// If there are no results or they make no sense.
pub fn page(directory: &Path) -> Result<Page, LabError> {
    let mut origins = Vec::new();
    let mut sections = Vec::new();
    macro_rules! section {
        ($module:ident, $write:expr) => {
            if let Some(contents) = store::read::<$module::Record>(&directory.join($module::FILE))? {
                let records: Vec<$module::Record> =
                    contents.lines.into_iter().map(|(_, record)| record).collect();
                if !records.is_empty() {
                    sections.push($write(&records));
                    if !origins.contains(&contents.origin) {
                        origins.push(contents.origin);
                    }
                }
            }
        };
    }
    section!(nodes, nodes_section);
    section!(tactics, tactics_section);
    section!(duel, match_section);
    section!(zugzwang, zugzwang_section);
    section!(scaling, scaling_section);
    if sections.is_empty() {
        return Err(LabError::Argument(format!("{}: no results yet", directory.display())));
    }
    for section in &mut sections {
        section.blocks.extend(notes(directory, section.id)?);
    }
    let mut lead = vec![Block::Text(
        "What a null move is worth, and what it costs to be sure: the experiments of Omid David-Tabibi and Nathan S. \
         Netanyahu, \"Extended Null-Move Reductions\" (2008), repeated with Caesura. In every table our figure stands \
         beside the paper's. \"Full\" is the engine as it plays; \"plain\" is the same search without what the paper's \
         program did not have and what hides the effect of a null move."
            .into(),
    )];
    lead.extend(notes(directory, "lead")?);
    lead.extend(origins.iter().map(origin));
    Ok(Page { title: "Null moves in Caesura".into(), lead, sections })
}

fn origin(origin: &Origin) -> Block {
    let Origin { version, signature, processor, threads, system } = origin;
    Block::Text(format!(
        "Caesura {version}, signature (nodes of bench) {signature}, on {processor}, {threads} threads, {system}."
    ))
}

fn notes(directory: &Path, id: &str) -> Result<Vec<Block>, LabError> {
    let path = directory.join("notes").join(format!("{id}.md"));
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).map_err(LabError::file(&path))?;
    let paragraphs =
        text.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(paragraphs.filter(|paragraph| !paragraph.is_empty()).map(Block::Text).collect())
}

/// The values of a key, each once, in the order in which they come.
fn distinct<T, K: PartialEq>(records: &[T], key: impl Fn(&T) -> K) -> Vec<K> {
    let mut keys = Vec::new();
    for record in records {
        let key = key(record);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn signed(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    if value < 0.0 && text.chars().any(|c| ('1'..='9').contains(&c)) {
        format!("{MINUS}{text}")
    } else {
        format!("+{text}")
    }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { NONE.into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

fn sum(counts: impl Iterator<Item = Counts>) -> Counts {
    counts.fold(Counts::default(), |sum, one| Counts {
        tried: sum.tried + one.tried,
        fail_highs: sum.fail_highs + one.fail_highs,
        cuts: sum.cuts + one.cuts,
        reductions: sum.reductions + one.reductions,
        overturned: sum.overturned + one.overturned,
        verifications: sum.verifications + one.verifications,
        doubles: sum.doubles + one.doubles,
    })
}

/// Do two rankings agree? Says it in a sentence.
fn ranking(what: &str, ours: &[(String, f64)], papers: &[(&str, f64)], best_first: bool) -> Option<Block> {
    let mut common: Vec<(&str, f64, f64)> = papers
        .iter()
        .filter_map(|&(name, paper)| Some((name, ours.iter().find(|(ours, _)| ours == name)?.1, paper)))
        .collect();
    if common.len() < 2 {
        return None;
    }
    let sign = if best_first { -1.0 } else { 1.0 };
    let order = |common: &mut Vec<(&str, f64, f64)>, value: fn(&(&str, f64, f64)) -> f64| {
        common.sort_by(|a, b| (sign * value(a)).total_cmp(&(sign * value(b))));
        common.iter().map(|(name, ..)| (*name).to_string()).collect::<Vec<_>>()
    };
    let (ours, papers) = (order(&mut common, |entry| entry.1), order(&mut common, |entry| entry.2));
    Some(Block::Text(if ours == papers {
        format!("The order {what} is the paper's: {}.", ours.join(", "))
    } else {
        format!("The order {what} is {}; the paper's is {}.", ours.join(", "), papers.join(", "))
    }))
}

fn nodes_section(records: &[nodes::Record]) -> Section {
    let mut blocks = vec![
        Block::Text(
            "Nodes of searches to fixed depths on six positions (Bratko and Kopec 1982), summed, and the difference to \
             extended null-move reductions (the paper's table 2)."
                .into(),
        ),
        Block::Command("cargo run --release -p lab -- nodes --raise N [--plain]".into()),
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
            format!("Nodes, {}, the paper's depths {}", mode(plain), signed(f64::from(raise), 0)),
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
            let counts = sum(mine().map(|record| record.counts));
            let seconds = mine().map(|record| record.milliseconds).sum::<u64>() as f64 / 1000.0;
            table.rows.push(vec![
                name.clone(),
                thousands(total(name)),
                if base > 0 { format!("{} %", signed(more(name), 1)) } else { NONE.into() },
                paper.map_or(NONE.into(), |paper| format!("{} %", signed(paper, 0))),
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
        blocks.push(Block::Table(table));
        if !bars.is_empty() {
            let title = format!("Nodes more than extended, in per cent, {}; grey: the paper", mode(plain));
            blocks.push(Block::Chart(Chart::Bars { title, bars }));
        }
        blocks.extend(ranking(&format!("by nodes ({})", mode(plain)), &ours, &paper::NODES, false));
    }
    Section { id: "nodes", title: "Nodes at fixed depth".into(), blocks }
}

fn tactics_section(records: &[tactics::Record]) -> Section {
    let mut blocks = vec![
        Block::Text(
            "Positions of a tactical suite that are solved within a limit (tables 3, 4 and 5), as the mean of the runs. The \
             error is that of a count: two standard deviations of a binomial distribution; two schemes on the same \
             positions differ by less chance than that."
                .into(),
        ),
        Block::Command(
            "cargo run --release -p lab -- tactics --suite ../shared/suites/ecm879.epd --limit 100ms --runs 2 [--plain]"
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
            format!("Positions of {suite} solved, {limit} each, {}", mode(plain)),
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
                paper.map_or(NONE.into(), |paper| paper.to_string()),
                each.join(", "),
                format!("{depth:.1}"),
            ]);
            let scaled = paper.map(|paper| f64::from(paper) * searched / f64::from(paper::TACTICS_POSITIONS));
            bars.push(Bar { label: name.clone(), ours: mean, error, paper: scaled });
            ours.push((name, mean));
        }
        blocks.push(Block::Table(table));
        let title = format!("Solved, {limit}, {}; grey: the paper, in proportion", mode(plain));
        blocks.push(Block::Chart(Chart::Bars { title, bars }));
        let papers: Vec<(&str, f64)> =
            paper::TACTICS.iter().map(|&(name, solved)| (name, f64::from(solved))).collect();
        blocks.extend(ranking(
            &format!("by positions solved ({limit}, {})", mode(plain)),
            &ours,
            &papers,
            true,
        ));
    }
    Section { id: "tactics", title: "Tactics".into(), blocks }
}

fn match_section(records: &[duel::Record]) -> Section {
    let (elo, error) = paper::MATCH;
    let mut blocks = vec![
        Block::Text(format!(
            "Games in pairs, each opening with both colours (table 6: extended against adaptive, {} ± {error:.0} Elo in \
             1,000 games). The error is that of a 95 % interval from the pairs; LOS is the likelihood that the first side \
             is the stronger one.",
            signed(elo, 0)
        )),
        Block::Command(
            "cargo run --release -p lab -- match --first extended --second adaptive --book \
             ../shared/books/8moves_v3_sample3000.epd --games 1000 --limit 8000+80ms [--plain]"
                .into(),
        ),
    ];
    let key = |record: &duel::Record| {
        let duel::Record { first, second, plain, limit, book, seed, .. } = record.clone();
        (first, second, plain, limit, book, seed)
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
    let mut bars = Vec::new();
    for match_key in distinct(records, key) {
        let here: Vec<&duel::Record> = records.iter().filter(|record| key(record) == match_key).collect();
        let (first, second, plain, limit, ..) = &match_key;
        let pairs = duel::count(here.iter().copied());
        let estimate = pairs.estimate();
        let mut points = [0; 3];
        let mut forfeits = 0;
        for record in &here {
            let [white, black] = &record.games;
            points[white.white] += 1;
            points[2 - black.white] += 1;
            forfeits += record.games.iter().filter(|game| game.ending == "Time").count();
        }
        let papers = if first == "extended" && second == "adaptive" {
            format!("{} ± {error:.0}", signed(elo, 0))
        } else {
            NONE.into()
        };
        let counts: Vec<String> = pairs.0.iter().map(u64::to_string).collect();
        let name = format!("{first} {NONE} {second}");
        table.rows.push(vec![
            name.clone(),
            mode(*plain).into(),
            limit.clone(),
            (2 * pairs.pairs()).to_string(),
            format!("{}-{}-{}", points[2], points[1], points[0]),
            counts.join(" "),
            format!("{} ± {:.1}", signed(estimate.elo, 1), estimate.error),
            format!("{:.1} %", 100.0 * estimate.los),
            papers,
            forfeits.to_string(),
        ]);
        let paper = (first == "extended" && second == "adaptive").then_some(elo);
        bars.push(Bar {
            label: format!("{name} {}", if *plain { "(plain)" } else { "" }).trim().to_string(),
            ours: estimate.elo,
            error: estimate.error,
            paper,
        });
    }
    blocks.push(Block::Table(table));
    blocks.push(Block::Chart(Chart::Bars { title: "Elo of the first side; grey: the paper".into(), bars }));
    Section { id: "match", title: "Matches".into(), blocks }
}

fn zugzwang_section(records: &[zugzwang::Record]) -> Section {
    let mut blocks = vec![
        Block::Text(
            "Who finds what is won only because the other side must move (table 7). The paper's position: 1.h3 mates in \
             15, 1.h4 draws. \"Since\" is the depth, the nodes and the time from which the right move stayed the best."
                .into(),
        ),
        Block::Command(
            "cargo run --release -p lab -- zugzwang --suite ../shared/suites/zugts.epd --suite \
             ../shared/suites/cpw_nullmove_zugzwang.epd --limit 10000ms [--plain]"
                .into(),
        ),
    ];
    for (plain, limit) in distinct(records, |record| (record.plain, record.limit.clone())) {
        let here: Vec<&zugzwang::Record> =
            records.iter().filter(|record| (record.plain, &record.limit) == (plain, &limit)).collect();
        let mut table = Table::new(
            format!("The paper's position, {limit}, {}", mode(plain)),
            &["scheme", "plays", "mate in", "depth", "nodes", "seconds"],
        );
        for record in here.iter().filter(|record| record.position == zugzwang::PAPER) {
            let since = record.mate_since.or(record.since);
            let when = |value: fn(zugzwang::Since) -> String| since.map_or(NONE.into(), value);
            table.rows.push(vec![
                record.contender.clone(),
                record.best.clone(),
                record.mate.map_or(NONE.into(), |moves| moves.to_string()),
                when(|since| since.depth.to_string()),
                when(|since| thousands(since.nodes)),
                when(|since| format!("{:.2}", since.milliseconds as f64 / 1000.0)),
            ]);
        }
        if !table.rows.is_empty() {
            blocks.push(Block::Table(table));
        }
        for suite in distinct(&here, |record| record.suite.clone()) {
            let rows: Vec<&&zugzwang::Record> = here
                .iter()
                .filter(|record| record.suite == suite && record.position != zugzwang::PAPER)
                .collect();
            if rows.is_empty() {
                continue;
            }
            blocks.push(Block::Table(suite_table(&suite, &limit, plain, &rows)));
        }
    }
    Section { id: "zugzwang", title: "Zugzwang".into(), blocks }
}

fn suite_table(suite: &str, limit: &str, plain: bool, rows: &[&&zugzwang::Record]) -> Table {
    let mut solved: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for record in rows.iter().filter(|record| record.solved) {
        solved.entry(&record.contender).or_default().push(&record.position);
    }
    let off = solved.get("off").cloned().unwrap_or_default();
    let mut table = Table::new(
        format!("{suite}, {limit} each, {}", mode(plain)),
        &["scheme", "solved", "of", "nodes to solve", "missed that off solves"],
    );
    for name in distinct(rows, |record| record.contender.clone()) {
        let mine = || rows.iter().filter(|record| record.contender == name);
        let found = solved.get(name.as_str()).cloned().unwrap_or_default();
        let nodes: u64 = mine().filter_map(|record| record.since).map(|since| since.nodes).sum();
        let missed: Vec<&str> = off.iter().copied().filter(|position| !found.contains(position)).collect();
        table.rows.push(vec![
            name.clone(),
            found.len().to_string(),
            mine().count().to_string(),
            thousands(nodes),
            if missed.is_empty() { NONE.into() } else { missed.join(", ") },
        ]);
    }
    table
}

fn scaling_section(records: &[scaling::Record]) -> Section {
    let mut blocks = vec![
        Block::Text(
            "What it takes to complete each depth, summed over the positions on which all schemes completed it. Who reduces \
             instead of cutting pays for the search of the moves; the ratio shows how that price grows with depth. \
             \"Overturned\" are reduced nodes whose moves then failed low: where a cut would have been wrong."
                .into(),
        ),
        Block::Command("cargo run --release -p lab -- scaling --depth 24 [--plain]".into()),
    ];
    for plain in distinct(records, |record| record.plain) {
        let here: Vec<&scaling::Record> = records.iter().filter(|record| record.plain == plain).collect();
        let names = distinct(&here, |record| record.contender.clone());
        let positions = distinct(&here, |record| record.position.clone());
        let at = |name: &str, position: &str, depth: i32| -> Option<scaling::Step> {
            let record =
                here.iter().find(|record| record.contender == name && record.position == position)?;
            record.steps.iter().find(|step| step.depth == depth).copied()
        };
        let deepest = here.iter().map(|record| record.depth).max().unwrap_or(0);
        let mut head: Vec<String> = vec!["depth".into(), "positions".into()];
        head.extend(names.iter().flat_map(|name| [format!("{name}, nodes"), format!("{name}, s")]));
        head.extend(names.iter().skip(1).map(|name| format!("{} / {name}", names[0])));
        let mut table =
            Table { caption: format!("Nodes and time to depth, {}", mode(plain)), head, rows: Vec::new() };
        let mut curves: Vec<Curve> =
            names.iter().map(|name| Curve { name: name.clone(), points: Vec::new() }).collect();
        let mut ratios: Vec<Curve> = names
            .iter()
            .skip(1)
            .map(|name| Curve { name: format!("{} / {name}", names[0]), points: Vec::new() })
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
        blocks.push(Block::Table(table));
        let across = "depth in plies".to_string();
        blocks.push(Block::Chart(Chart::Curves {
            title: format!("Nodes to depth, {}", mode(plain)),
            across: across.clone(),
            logarithmic: true,
            curves,
        }));
        if ratios.iter().any(|ratio| ratio.points.len() > 1) {
            blocks.push(Block::Chart(Chart::Curves {
                title: format!("Nodes of {} as a multiple, {}", names[0], mode(plain)),
                across,
                logarithmic: false,
                curves: ratios,
            }));
        }
        let mut table = Table::new(
            format!("Null moves, {}", mode(plain)),
            &["scheme", "tried", "fail high", "cut", "reduced", "overturned", "verified"],
        );
        for name in &names {
            let mine = here.iter().filter(|record| &record.contender == name);
            let counts = sum(mine.map(|record| record.counts));
            table.rows.push(vec![
                name.clone(),
                thousands(counts.tried),
                percent(counts.fail_highs, counts.tried),
                percent(counts.cuts, counts.tried),
                percent(counts.reductions, counts.tried),
                percent(counts.overturned, counts.reductions),
                thousands(counts.verifications),
            ]);
        }
        blocks.push(Block::Table(table));
    }
    Section { id: "scaling", title: "Scaling".into(), blocks }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_compared_on_what_both_have() {
        let papers = [("a", 1.0), ("b", 2.0), ("c", 3.0)];
        let ours = |values: [f64; 3]| -> Vec<(String, f64)> {
            ["b", "a", "x"].iter().zip(values).map(|(name, value)| ((*name).to_string(), value)).collect()
        };
        let said = |ours: Vec<(String, f64)>| ranking("here", &ours, &papers, false);
        assert_eq!(
            said(ours([9.0, 8.0, 7.0])),
            Some(Block::Text("The order here is the paper's: a, b.".into()))
        );
        assert_eq!(
            said(ours([8.0, 9.0, 7.0])),
            Some(Block::Text("The order here is b, a; the paper's is a, b.".into()))
        );
        assert_eq!(said(vec![("a".into(), 1.0)]), None);
    }

    #[test]
    fn numbers_carry_their_signs() {
        assert_eq!([signed(3.0, 0), signed(-3.25, 1), signed(-0.01, 1)], ["+3", "−3.2", "+0.0"]);
        assert_eq!((percent(1, 3), percent(0, 0)), ("33.3 %".to_string(), NONE.to_string()));
    }
}
