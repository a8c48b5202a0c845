//! Writes the files of a report.

use std::fs;
use std::path::Path;

use datagen::FileError;

use super::page::{Element, Page};
use super::{html, markdown, sections};
use crate::LabError;
use crate::origin::Origin;

/// The file name of the web page.
pub const HTML: &str = "null-move.html";
/// The file name of the Markdown version, unless another is given.
pub const MARKDOWN: &str = "null-move.md";
/// The folder of the drawings that the Markdown version shows.
pub const PLOTS: &str = "plots";

/// Writes the report on the results in `directory`: the web page and the drawings there, the Markdown version to
/// `markdown`. With the program of today given, results of another signature are marked.
///
/// # Errors
/// If there are no results, they cannot be parsed, or the report cannot be written.
pub fn write(directory: &Path, markdown_path: &Path, today: Option<&Origin>) -> Result<(), LabError> {
    let page = sections::page(directory, today)?;
    let plots = directory.join(PLOTS);
    write_plots(&plots, &page)?;
    let seen_from = markdown_path.parent().unwrap_or(Path::new(""));
    let plots = plots.strip_prefix(seen_from).unwrap_or(&plots);
    // Links have slashes on every system.
    let link: String = plots.iter().map(|part| format!("{}/", part.to_string_lossy())).collect();
    write_file(&directory.join(HTML), &html::render(&page))?;
    write_file(markdown_path, &markdown::render(&page, &link))
}

/// Writes a file for each drawing, in place of those of an earlier report.
fn write_plots(folder: &Path, page: &Page) -> Result<(), LabError> {
    let fail = FileError::at(folder);
    fs::create_dir_all(folder).map_err(&fail)?;
    for entry in fs::read_dir(folder).map_err(&fail)? {
        let path = entry.map_err(&fail)?.path();
        if path.extension().is_some_and(|extension| extension == "svg") {
            fs::remove_file(&path).map_err(FileError::at(&path))?;
        }
    }
    let elements = page.sections.iter().flat_map(|section| &section.elements);
    for element in elements {
        if let Element::Chart(chart) = element {
            write_file(&folder.join(chart.file_name()), &chart.to_svg())?;
        }
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> Result<(), LabError> {
    Ok(fs::write(path, text).map_err(FileError::at(path))?)
}
