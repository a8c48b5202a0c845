//! Puts the sections of the report together.

use std::fs;
use std::path::Path;

use serde::de::DeserializeOwned;
use toolkit::FileError;

use crate::origin::Origin;
use crate::report::page::{Element, Page, Section};
use crate::{LabError, atlas, audit, helpers, match_play, nodes, scaling, store, tactics, worth, zugzwang};

/// Marks a report on results of another signature; `tools/signature.sh` looks for it.
const OUTDATED: &str = "The program has changed since these results: its signature is another one.";
/// Marks a report on results of the same signature, where a scheme that is not the default has changed.
const OTHER_SCHEME: &str = "A null-move scheme besides the default has changed since these results.";

/// The report on the results in a directory. The text of `notes/SECTION.md` in that directory, paragraph by paragraph,
/// is appended to its section. Results of another engine than `today`'s are marked.
///
/// # Errors
/// If there are no results or they cannot be parsed.
pub fn page(directory: &Path, today: Option<&Origin>) -> Result<Page, LabError> {
    let mut origins = Vec::new();
    let nodes: Vec<nodes::Record> = read(directory, nodes::FILE, &mut origins)?;
    let tactics: Vec<tactics::Record> = read(directory, tactics::FILE, &mut origins)?;
    let matches: Vec<match_play::Record> = read(directory, match_play::FILE, &mut origins)?;
    let zugzwang: Vec<zugzwang::Record> = read(directory, zugzwang::FILE, &mut origins)?;
    let helpers: Vec<zugzwang::Record> = read(directory, helpers::FILE, &mut origins)?;
    let scaling: Vec<scaling::Record> = read(directory, scaling::FILE, &mut origins)?;
    let worth: Vec<worth::Record> = read(directory, worth::FILE, &mut origins)?;
    let audits: Vec<audit::Record> = read(directory, audit::FILE, &mut origins)?;
    let atlas: Vec<atlas::Record> = read(directory, atlas::FILE, &mut origins)?;
    let sections = [
        (!nodes.is_empty()).then(|| super::nodes::section(&nodes)),
        (!tactics.is_empty()).then(|| super::tactics::section(&tactics)),
        (!matches.is_empty()).then(|| super::match_play::section(&matches)),
        (!worth.is_empty()).then(|| super::worth::section(&worth)),
        (!zugzwang.is_empty()).then(|| super::zugzwang::section(&zugzwang)),
        (!helpers.is_empty()).then(|| super::helpers::section(&helpers)),
        (!scaling.is_empty()).then(|| super::scaling::section(&scaling)),
        (!audits.is_empty()).then(|| super::audit::section(&audits)),
        (!atlas.is_empty()).then(|| super::atlas::section(&atlas)),
        super::switches::section(&nodes, &tactics, &matches),
    ];
    let mut sections: Vec<Section> = sections.into_iter().flatten().collect();
    if sections.is_empty() {
        return Err(LabError::NoResults(directory.to_path_buf()));
    }
    for section in &mut sections {
        section.elements.extend(notes(directory, section.id)?);
    }
    sections.insert(0, super::schemes::section());
    let mut lead = vec![Element::Text(
        "What a null move is worth, and what it costs to be sure: the experiments of Omid David-Tabibi and Nathan S. \
         Netanyahu, \"Extended Null-Move Reductions\" (2008), repeated with Caesura. Where the paper has a figure, it \
         stands beside ours. \"Full\" is the engine as it plays; \"plain\" is the same search without what the paper's \
         program did not have and what hides the effect of a null move; \"falcon\" is the plain search with what it \
         did have: multi-cut and extensions."
            .into(),
    )];
    lead.extend(notes(directory, "lead")?);
    lead.extend(origins.iter().map(origin));
    lead.extend(today.and_then(|today| change(&origins, today)).map(|text| Element::Text(text.into())));
    Ok(Page { title: "Null moves in Caesura".into(), lead, sections })
}

/// What to say of results of these origins, if they are not of today's engine.
fn change(origins: &[Origin], today: &Origin) -> Option<&'static str> {
    if origins.iter().any(|origin| origin.signature != today.signature) {
        return Some(OUTDATED);
    }
    origins.iter().any(|origin| !origin.is_same_engine(today)).then_some(OTHER_SCHEME)
}

/// The results of an experiment; none if there is no file.
fn read<R: DeserializeOwned>(
    directory: &Path,
    file: &str,
    origins: &mut Vec<Origin>,
) -> Result<Vec<R>, LabError> {
    let Some(contents) = store::read::<R>(&directory.join(file))? else { return Ok(Vec::new()) };
    if !contents.entries.is_empty() && !origins.contains(&contents.origin) {
        origins.push(contents.origin);
    }
    Ok(contents.entries.into_iter().map(|(_, record)| record).collect())
}

fn origin(origin: &Origin) -> Element {
    let Origin { version, signature, fingerprint, processor, threads, system } = origin;
    let schemes =
        if *fingerprint == 0 { String::new() } else { format!("; all schemes: {fingerprint:016x}") };
    Element::Text(format!(
        "Caesura {version}, signature (nodes of bench) {signature}, on {processor}, {threads} threads, {system}{schemes}."
    ))
}

fn notes(directory: &Path, id: &str) -> Result<Vec<Element>, LabError> {
    let path = directory.join("notes").join(format!("{id}.md"));
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).map_err(FileError::at(&path))?;
    Ok(paragraphs(&text).into_iter().map(Element::Text).collect())
}

/// The paragraphs of a text, each in one line; blank lines are between them.
fn paragraphs(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let paragraphs = lines.split(|line| line.is_empty()).filter(|paragraph| !paragraph.is_empty());
    paragraphs.map(|lines| lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_between_paragraphs() {
        for text in ["one\n two\n\n\nthree\n", "one\r\ntwo\r\n\r\nthree\r\n", "\none  two\n \t\nthree"] {
            assert_eq!(paragraphs(text), ["one two", "three"]);
        }
        assert!(paragraphs(" \n\n").is_empty());
    }

    #[test]
    fn a_change_of_a_scheme_is_none_of_the_signature() {
        let then = Origin::with_signature(1);
        let other_scheme = Origin { fingerprint: then.fingerprint + 1, ..then.clone() };
        assert_eq!(change(std::slice::from_ref(&then), &then), None);
        assert_eq!(change(std::slice::from_ref(&then), &other_scheme), Some(OTHER_SCHEME));
        assert_eq!(change(&[then, other_scheme], &Origin::with_signature(2)), Some(OUTDATED));
    }
}
