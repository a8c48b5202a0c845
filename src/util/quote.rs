//! Text from outside, made fit for a message.

/// Characters that are shown of a text.
const SHOWN: usize = 60;

/// `text` between quotation marks, fit for a message of one line: at most 60 of its characters, and control characters
/// and others that cannot be seen as escapes. The text may be megabytes long.
pub fn quote(text: &str) -> String {
    let mut shown = String::from("'");
    for c in text.chars().take(SHOWN) {
        match c {
            '\'' | '"' | '\\' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    let more = text.chars().nth(SHOWN).is_some();
    shown.push_str(if more { "...'" } else { "'" });
    shown
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
}
