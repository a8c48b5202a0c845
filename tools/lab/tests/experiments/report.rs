//! The report.

use std::fs;

use caesura::engine::SchemeName;
use lab::contender::parse_list;
use lab::experiment::CommonOptions;
use lab::limit::Limit;
use lab::mode::Mode;
use lab::origin::Origin;
use lab::{audit, helpers, match_play, nodes, report, scaling, tactics, worth, zugzwang};
use tempfile::TempDir;

use crate::options::*;

#[test]
fn the_report_holds_every_section_and_loads_nothing() {
    let directory = TempDir::new().unwrap();
    let out = directory.path();
    let write = || report::write(out, &out.join(report::MARKDOWN), Some(&Origin::with_signature(1)));
    assert!(write().is_err());
    nodes::run(&context(out), &nodes_options(2, 0)).unwrap();
    for mode in [Mode::Plain, Mode::Falcon] {
        nodes::run(&context(out), &nodes::Options { common: common(mode, 2), ..nodes_options(2, 0) })
            .unwrap();
    }
    let default = SchemeName::default().name();
    let contenders = parse_list(&[default, &format!("{default}:mate-threat")]);
    nodes::run(&context(out), &nodes::Options { contenders: contenders.clone(), ..nodes_options(2, 0) })
        .unwrap();
    let of_switch = tactics_options(Limit::Nodes(2000), Mode::Full);
    tactics::run(&context(out), &tactics::Options { contenders, ..of_switch }).unwrap();
    for mode in Mode::ALL {
        tactics::run(&context(out), &tactics_options(Limit::Nodes(2000), mode)).unwrap();
    }
    match_play::run(&context(out), &match_options(2, 4)).unwrap();
    worth::run(&context(out), &worth_options(2)).unwrap();
    zugzwang::run(&context(out), &zugzwang_options()).unwrap();
    let mut mixed = zugzwang_options();
    mixed.contenders = parse_list(&["fixed:r=3", "fixed+off:r=3"]);
    mixed.common.search_threads = 2;
    helpers::run(&context(out), &mixed).unwrap();
    scaling::run(&context(out), &scaling_options()).unwrap();
    audit::run(&context(out), &audit_options(2)).unwrap();
    fs::create_dir(out.join("notes")).unwrap();
    fs::write(out.join("notes/nodes.md"), "Why it\ndiffers: a < b.\n\nAnd more.\n").unwrap();
    write().unwrap();
    let html = fs::read_to_string(out.join(report::HTML)).unwrap();
    let markdown = fs::read_to_string(out.join(report::MARKDOWN)).unwrap();
    for id in [
        "schemes", "nodes", "tactics", "match", "worth", "zugzwang", "helpers", "scaling", "audit",
        "switches",
    ] {
        assert!(
            html.contains(&format!("<section id=\"{id}\">")) && html.contains(&format!("href=\"#{id}\"")),
            "{id}"
        );
    }
    assert!(
        html.contains("<p>Why it differs: a &lt; b.</p>")
            && markdown.contains("Why it differs: a < b.\n\nAnd more.")
    );
    assert_eq!((html.matches("<svg ").count(), html.matches("</svg>").count()), (10, 10));
    let plots: Vec<_> =
        markdown.lines().filter_map(|line| line.strip_prefix("![")?.split_once("](")).collect();
    assert_eq!(plots.len(), 10);
    for (title, link) in plots {
        let file = out.join(link.trim_end_matches(')'));
        assert!(fs::read_to_string(&file).unwrap().starts_with("<svg "), "{title}: {}", file.display());
    }
    assert_eq!(fs::read_dir(out.join(report::PLOTS)).unwrap().count(), 10);
    for loaded in ["src=", "url(", "@import", "<link", "<script"] {
        assert!(!html.contains(loaded), "{loaded}");
    }
    for text in [&html, &markdown] {
        assert!(
            text.contains("signature (nodes of bench) 1")
                && text.contains("+391.0 %")
                && !text.contains("NaN")
        );
    }
    for scheme in SchemeName::ALL {
        let row = format!("| {} | {} | {} |", scheme.name(), scheme.summary(), scheme.source());
        assert!(markdown.contains(&row), "{row}");
    }
    let switch =
        markdown.lines().find(|line| line.starts_with("| mate-threat | ")).expect("a row of its own");
    let cells: Vec<&str> = switch.split(" | ").collect();
    assert!(cells[1].contains(" to ") && cells[2].starts_with(['+', '\u{2212}']), "{switch}");
    assert!(!markdown.contains("The program has changed since"));
    // A tag would be invisible.
    assert!(markdown.contains("| \\<material> |") && html.contains("<td>&lt;material&gt;</td>"));
    report::write(out, &out.join(report::MARKDOWN), Some(&Origin::with_signature(2))).unwrap();
    let markdown = fs::read_to_string(out.join(report::MARKDOWN)).unwrap();
    assert!(markdown.contains("The program has changed since these results"));
    // Every row of a Markdown table is as long as its head.
    let mut cells = 0;
    for line in markdown.lines() {
        let here = line.matches(" | ").count();
        match line.strip_prefix('|') {
            Some(rule) if rule.starts_with("---") => {}
            Some(_) if cells > 0 => assert_eq!(here, cells, "{line}"),
            Some(_) => cells = here,
            None => cells = 0,
        }
    }
}

#[test]
fn the_report_keeps_results_of_other_settings_apart() {
    let directory = TempDir::new().unwrap();
    let out = directory.path();
    for hash in [1, 2] {
        let with_hash = |common: CommonOptions| CommonOptions { hash, ..common };
        let mut options = nodes_options(2, 0);
        options.common = with_hash(options.common);
        nodes::run(&context(out), &options).unwrap();
        let mut options = tactics_options(Limit::Nodes(500), Mode::Full);
        options.common = with_hash(options.common);
        tactics::run(&context(out), &options).unwrap();
        let mut options = match_options(2, 2);
        options.common = with_hash(options.common);
        match_play::run(&context(out), &options).unwrap();
        let mut options = worth_options(2);
        options.games = 2;
        options.common = with_hash(options.common);
        worth::run(&context(out), &options).unwrap();
        let mut options = zugzwang_options();
        options.common = with_hash(options.common);
        zugzwang::run(&context(out), &options).unwrap();
        helpers::run(&context(out), &options).unwrap();
        let mut options = scaling_options();
        options.depth = 4;
        options.common = with_hash(options.common);
        scaling::run(&context(out), &options).unwrap();
        for (per_class, seed) in [(2, 1), (1, 1), (2, 5)] {
            let common = with_hash(common(Mode::Full, 2));
            let options = audit::Options { games: 1, per_class, seed, depth: 4, common, ..audit_options(2) };
            audit::run(&context(out), &options).unwrap();
        }
    }
    report::write(out, &out.join(report::MARKDOWN), None).unwrap();
    let markdown = fs::read_to_string(out.join(report::MARKDOWN)).unwrap();
    for hash in ["1 MB", "2 MB"] {
        for caption in [
            "Nodes, full, HASH, the paper's depths +0, 2 positions:",
            "Positions of tiny solved, 500n each, full, HASH:",
            "| extended – fixed:r=1 | full, HASH | 500n | 2 |",
            "Games, extended against fixed:r=1, full, HASH:",
            "The paper's position, 20000n, plain, HASH:",
            "tiny, 20000n each, plain, HASH:",
            "1 threads, 20000n each, plain, HASH:",
            "Nodes and time to depth, full, HASH:",
            "Fail-highs and who was right, depth 4, full, HASH:",
            "Fail-highs and who was right, depth 4, full, HASH, 1 a class:",
            "Fail-highs and who was right, depth 4, full, HASH, seed 5:",
        ] {
            let caption = caption.replace("HASH", hash);
            assert_eq!(markdown.matches(&caption).count(), 1, "{caption}\n{markdown}");
        }
    }
}

#[test]
fn the_report_keeps_files_of_one_name_apart() {
    let directory = TempDir::new().unwrap();
    let out = directory.path();
    for suite in ["tiny@0123456789ab", "tiny@0123456789ac"] {
        let mut options = tactics_options(Limit::Nodes(500), Mode::Full);
        options.suite = suite.into();
        assert_eq!(tactics::run(&context(out), &options).unwrap().before, 0);
        let mut options = zugzwang_options();
        options.suites[0].0 = suite.into();
        zugzwang::run(&context(out), &options).unwrap();
        let options = audit::Options { games: 1, book_names: vec![suite.into()], ..audit_options(2) };
        assert_eq!(audit::run(&context(out), &options).unwrap().before, 0);
    }
    report::write(out, &out.join(report::MARKDOWN), None).unwrap();
    let markdown = fs::read_to_string(out.join(report::MARKDOWN)).unwrap();
    for suite in ["tiny@0123456789ab", "tiny@0123456789ac"] {
        for caption in [
            "Positions of SUITE solved, 500n each, full, 1 MB:",
            "SUITE, 20000n each, plain, 1 MB:",
            "Fail-highs and who was right, depth 6, full, 1 MB, seed 5, SUITE:",
        ] {
            let caption = caption.replace("SUITE", suite);
            assert_eq!(markdown.matches(&caption).count(), 1, "{caption}\n{markdown}");
        }
    }
}
