//! The text files in which Linux describes the machine (`/proc`, `/sys`), or files in memory that tests put in their place.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A tree of small text files. Paths are relative to its root.
pub trait Files {
    /// The text of a file, without white space around it; `None` if it cannot be read.
    fn text(&self, file: &Path) -> Option<String>;

    /// The names in a folder, in no order; none if it cannot be read.
    fn names(&self, folder: &Path) -> Vec<String>;
}

/// The files of a tree that is rooted at a folder.
#[derive(Clone, Debug)]
pub struct RootedAt(pub PathBuf);

impl Files for RootedAt {
    fn text(&self, file: &Path) -> Option<String> {
        Some(fs::read_to_string(self.0.join(file)).ok()?.trim().to_string())
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }
}

/// Files that exist in memory alone: path and text.
#[derive(Clone, Debug, Default)]
pub struct InMemory(pub BTreeMap<PathBuf, String>);

impl Files for InMemory {
    fn text(&self, file: &Path) -> Option<String> {
        self.0.get(file).map(|text| text.trim().to_string())
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let inside = self.0.keys().filter_map(|file| file.strip_prefix(folder).ok()?.components().next());
        let mut names: Vec<String> =
            inside.map(|name| name.as_os_str().to_string_lossy().into_owned()).collect();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_answer_alike() {
        let root = std::env::temp_dir().join(format!("caesura-files-{}", std::process::id()));
        fs::create_dir_all(root.join("a/b")).expect("a folder");
        fs::write(root.join("a/b/c"), " text\n").expect("a file");
        let memory = InMemory(BTreeMap::from([(PathBuf::from("a/b/c"), " text\n".to_string())]));
        let folder = RootedAt(root.clone());
        for files in [&memory as &dyn Files, &folder] {
            assert_eq!(files.text(Path::new("a/b/c")).as_deref(), Some("text"));
            assert_eq!((files.text(Path::new("a/b")), files.text(Path::new("d"))), (None, None));
            assert_eq!(files.names(Path::new("a")), ["b"]);
            assert_eq!(files.names(Path::new("a/x")), [""; 0]);
        }
        fs::remove_dir_all(root).expect("gone");
    }
}
