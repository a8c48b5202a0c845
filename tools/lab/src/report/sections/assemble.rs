//! Puts the sections of the report together.

use std::fs;
use std::path::Path;

use datagen::FileError;

use crate::origin::Origin;
use crate::report::page::{Element, Page};
use crate::{LabError, match_play, nodes, scaling, store, tactics, zugzwang};

/// Marks a report on results of another signature; `tools/signature.sh` looks for it.
const OUTDATED: &str = "The program has changed since these results: its signature is another one.";

/// The report on the results in a directory. The text of `notes/SECTION.md` in that directory, paragraph by paragraph,
/// is appended to its section. Results of another signature than `today`'s are marked.
///
/// # Errors
/// If there are no results or they cannot be parsed.
pub fn page(directory: &Path, today: Option<&Origin>) -> Result<Page, LabError> {
    let mut origins = Vec::new();
    let mut sections = Vec::new();
    macro_rules! section {
        ($module:ident) => {
            if let Some(contents) = store::read::<$module::Record>(&directory.join($module::FILE))? {
                let records: Vec<$module::Record> =
                    contents.entries.into_iter().map(|(_, record)| record).collect();
                if !records.is_empty() {
                    sections.push(super::$module::section(&records));
                    if !origins.contains(&contents.origin) {
                        origins.push(contents.origin);
                    }
                }
            }
        };
    }
    section!(nodes);
    section!(tactics);
    section!(match_play);
    section!(zugzwang);
    section!(scaling);
    if sections.is_empty() {
        return Err(LabError::NoResults(directory.to_path_buf()));
    }
    for section in &mut sections {
        section.elements.extend(notes(directory, section.id)?);
    }
    let mut lead = vec![Element::Text(
        "What a null move is worth, and what it costs to be sure: the experiments of Omid David-Tabibi and Nathan S. \
         Netanyahu, \"Extended Null-Move Reductions\" (2008), repeated with Caesura. In every table our figure stands \
         beside the paper's. \"Full\" is the engine as it plays; \"plain\" is the same search without what the paper's \
         program did not have and what hides the effect of a null move."
            .into(),
    )];
    lead.extend(notes(directory, "lead")?);
    lead.extend(origins.iter().map(origin));
    if today.is_some_and(|today| origins.iter().any(|origin| origin.signature != today.signature)) {
        lead.push(Element::Text(OUTDATED.into()));
    }
    Ok(Page { title: "Null moves in Caesura".into(), lead, sections })
}

fn origin(origin: &Origin) -> Element {
    let Origin { version, signature, processor, threads, system } = origin;
    Element::Text(format!(
        "Caesura {version}, signature (nodes of bench) {signature}, on {processor}, {threads} threads, {system}."
    ))
}

fn notes(directory: &Path, id: &str) -> Result<Vec<Element>, LabError> {
    let path = directory.join("notes").join(format!("{id}.md"));
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).map_err(FileError::at(&path))?;
    let paragraphs =
        text.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    Ok(paragraphs.filter(|paragraph| !paragraph.is_empty()).map(Element::Text).collect())
}
