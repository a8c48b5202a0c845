//! The web page that walks the trees.

/// The page, with a mark where the trees belong.
const PAGE: &str = include_str!("page.html");
/// The mark.
const MARK: &str = "/*TREES*/[]";

/// A tree for the page: its heading, and its nodes as objects of JSON.
pub(super) struct PageTree {
    /// The scheme.
    pub scheme: String,
    /// What the search found, in words.
    pub summary: String,
    /// The nodes.
    pub nodes: Vec<String>,
}

/// One file that loads nothing: the trees of one or two schemes side by side.
pub(super) fn render(fen: &str, trees: &[PageTree]) -> String {
    let text = super::json::text;
    let trees: Vec<String> = trees
        .iter()
        .map(|tree| {
            let PageTree { scheme, summary, nodes } = tree;
            let nodes = nodes.join(",\n");
            format!("{{\"scheme\":{},\"summary\":{},\"nodes\":[\n{nodes}]}}", text(scheme), text(summary))
        })
        .collect();
    PAGE.replace(MARK, &format!("[{}]", trees.join(","))).replace("{FEN}", fen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_holds_the_trees_and_loads_nothing() {
        assert_eq!((PAGE.matches(MARK).count(), PAGE.matches("{FEN}").count()), (1, 2));
        let tree = |scheme: &str| PageTree {
            scheme: scheme.into(),
            summary: "depth 1".into(),
            nodes: vec!["{\"id\":0}".into()],
        };
        let page = render("8/8/8/8/8/8/8/8 w - - 0 1", &[tree("one"), tree("two")]);
        assert!(page.contains("[{\"scheme\":\"one\"") && page.contains("{\"scheme\":\"two\""));
        assert!(!page.contains("{FEN}") && !page.contains(MARK));
        for loaded in ["src=", "url(", "@import", "<link", "http:", "https:"] {
            assert!(!page.contains(loaded), "{loaded}");
        }
    }
}
