//! Text from outside, made fit for a message.

use std::path::Path;

/// Characters that are shown of a text.
const SHOWN: usize = 60;

/// Characters that are shown of a path.
const SHOWN_OF_PATH: usize = 200;

/// Texts of a list that are shown.
const LISTED: usize = 5;

/// `text` between quotation marks, fit for a message of one line: see [`excerpt`].
pub fn quote(text: &str) -> String {
    let (shown, more) = escaped(text);
    format!("'{shown}{more}'")
}

/// `text` fit for a line: at most 60 of its characters, and control characters and others that cannot be seen as escapes.
/// The text may be megabytes long.
pub fn excerpt(text: &str) -> String {
    let (shown, more) = escaped(text);
    shown + more
}

/// A path fit for a line: of a long one its last 200 characters, since the name stands at the end; characters that cannot
/// be seen as escapes.
pub fn path_excerpt(path: &Path) -> String {
    let text = path.to_string_lossy();
    let hidden = text.chars().count().saturating_sub(SHOWN_OF_PATH);
    let mut shown = if hidden > 0 { "...".to_string() } else { String::new() };
    text.chars().skip(hidden).for_each(|c| escape(c, &mut shown));
    shown
}

/// A path between quotation marks, fit for a message of one line: see [`path_excerpt`].
pub fn quote_path(path: &Path) -> String {
    format!("'{}'", path_excerpt(path))
}

/// The first five of some texts, quoted, and how many more there are. There may be any number.
pub fn quote_all(texts: &[&str]) -> String {
    let shown: Vec<String> = texts.iter().take(LISTED).map(|text| quote(text)).collect();
    match texts.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The characters that are shown of a text, and what stands for the others.
fn escaped(text: &str) -> (String, &'static str) {
    let mut shown = String::new();
    text.chars().take(SHOWN).for_each(|c| escape(c, &mut shown));
    (shown, if text.chars().nth(SHOWN).is_some() { "..." } else { "" })
}

/// Adds a character as it can be seen.
fn escape(c: char, shown: &mut String) {
    match c {
        '\'' | '"' | '\\' => shown.push(c),
        _ => shown.extend(c.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_and_control_characters_escaped() {
        assert_eq!(quote("C:\\a \"b\" é"), "'C:\\a \"b\" é'");
        assert_eq!(quote("a\n\u{7}\u{1b}[2J"), "'a\\n\\u{7}\\u{1b}[2J'");
        assert_eq!(quote(&"x".repeat(60)), format!("'{}'", "x".repeat(60)));
        assert_eq!(quote(&"é".repeat(1 << 20)), format!("'{}...'", "é".repeat(60)));
    }

    #[test]
    fn a_path_shows_its_end() {
        assert_eq!(path_excerpt(Path::new("/a b/KQvK.rtbw")), "/a b/KQvK.rtbw");
        assert_eq!(path_excerpt(Path::new("a\u{1b}[2J")), "a\\u{1b}[2J");
        let long = "x".repeat(1 << 20) + "/name";
        assert_eq!(path_excerpt(Path::new(&long)), format!("...{}/name", "x".repeat(195)));
        assert_eq!(quote_path(Path::new("/a b")), "'/a b'");
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(quote_all(&["a", "b"]), "'a', 'b'");
        assert_eq!(quote_all(&["x"; 1 << 20]), "'x', 'x', 'x', 'x', 'x' and 1048571 more");
        assert_eq!(excerpt("a\tb"), "a\\tb");
    }
}
