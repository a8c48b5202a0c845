//! The report on all files of results, as one web page and as Markdown.
//!
//! [`page`] has the parts of a report, [`sections`] fills it from the results, [`html`] and [`markdown`] write it, [`svg`]
//! draws.

pub mod html;
pub mod markdown;
pub mod page;
pub mod sections;
pub mod svg;

use std::fs;
use std::path::Path;

use datagen::FileError;

use crate::LabError;

/// The file name of the web page.
pub const HTML: &str = "null-move.html";
/// The file name of the Markdown version.
pub const MARKDOWN: &str = "null-move.md";

/// Writes both versions of the report into the directory of the results.
///
/// # Errors
/// If there are no results, they cannot be parsed, or the report cannot be written.
pub fn write(directory: &Path) -> Result<(), LabError> {
    let page = sections::page(directory)?;
    for (name, text) in [(HTML, html::render(&page)), (MARKDOWN, markdown::render(&page))] {
        let path = directory.join(name);
        fs::write(&path, text).map_err(FileError::at(&path))?;
    }
    Ok(())
}
