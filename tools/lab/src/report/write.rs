//! Writes the files of a report.

use std::path::Path;
use std::{fs, io};

use toolkit::FileError;

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
    let link = link_between(seen_from, &plots).map_err(FileError::at(markdown_path))?;
    write_file(&directory.join(HTML), &html::render(&page))?;
    write_file(markdown_path, &markdown::render(&page, &link))
}

/// The folder `to` as a link from a page in the folder `from`, with a slash at its end. Links have slashes on every system.
///
/// # Errors
/// If one of them is not there.
fn link_between(from: &Path, to: &Path) -> io::Result<String> {
    // An empty path is the working directory.
    let (from, to) = (Path::new(".").join(from).canonicalize()?, Path::new(".").join(to).canonicalize()?);
    let common = from.iter().zip(to.iter()).take_while(|(one, other)| one == other).count();
    let up = from.iter().skip(common).map(|_| "../".to_string());
    let down = to.iter().skip(common).map(|part| format!("{}/", part.to_string_lossy()));
    Ok(up.chain(down).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_page_to_the_drawings() {
        let directory = tempfile::tempdir().unwrap();
        let folder = |name: &str| directory.path().join(name);
        for name in ["docs/null-move/plots", "plots", "lab-results/plots", "a/b"] {
            fs::create_dir_all(folder(name)).unwrap();
        }
        for (from, to, link) in [
            ("docs", "docs/null-move/plots", "null-move/plots/"),
            ("./docs", "docs/null-move/plots", "null-move/plots/"),
            ("docs", "./docs/null-move/plots", "null-move/plots/"),
            ("", "plots", "plots/"),
            ("docs", "lab-results/plots", "../lab-results/plots/"),
            ("a/b", "plots", "../../plots/"),
            ("a/..", "plots", "plots/"),
            ("a/b", "a/../plots", "../../plots/"),
        ] {
            assert_eq!(link_between(&folder(from), &folder(to)).unwrap(), link, "{from} {to}");
        }
        assert!(link_between(&folder("no"), &folder("plots")).is_err());
        assert!(link_between(Path::new(""), Path::new("src")).unwrap().starts_with("src"));
    }
}
