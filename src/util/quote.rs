//! Text from outside, made fit for a message.

/// Characters that are shown of a text.
const SHOWN: usize = 60;

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
    for c in text.chars().take(SHOWN) {
        match c {
            '\'' | '"' | '\\' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    (shown, if text.chars().nth(SHOWN).is_some() { "..." } else { "" })
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
    fn long_lists_are_cut() {
        assert_eq!(quote_all(&["a", "b"]), "'a', 'b'");
        assert_eq!(quote_all(&["x"; 1 << 20]), "'x', 'x', 'x', 'x', 'x' and 1048571 more");
        assert_eq!(excerpt("a\tb"), "a\\tb");
    }
}
