//! The report: what all files of results say, as one web page and as Markdown.
//!
//! [`page`] is what a report is made of, [`sections`] fills it from the results, [`html`] and [`markdown`] write it, [`svg`]
//! draws.

pub mod html;
pub mod markdown;
pub mod page;
pub mod sections;
pub mod svg;

use std::fs;
use std::path::Path;

use crate::LabError;

/// The web page's name.
pub const HTML: &str = "null-move.html";
/// The Markdown twin's name.
pub const MARKDOWN: &str = "null-move.md";

/// Writes both reports of the results in a directory, there.
///
/// # Errors
/// If there are no results, they make no sense, or nothing can be written.
pub fn write(directory: &Path) -> Result<(), LabError> {
    let page = sections::page(directory)?;
    for (name, text) in [(HTML, html::render(&page)), (MARKDOWN, markdown::render(&page))] {
        let path = directory.join(name);
        fs::write(&path, text).map_err(LabError::file(&path))?;
    }
    Ok(())
}
