//! A line of EPD: a position and operations.

/// A line taken apart: text only, no chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdRecord {
    /// The position as a FEN of six fields. Counters that the line lacks are those of the operations `hmvc` and `fmvn` (Edwards
    /// 1994), or `0 1`.
    pub fen: String,
    /// The operations, each a name and its operands without quotation marks.
    pub operations: Vec<(String, Vec<String>)>,
}

impl EpdRecord {
    /// The operands of the first operation of this name.
    pub fn operands(&self, name: &str) -> Option<&[String]> {
        self.operations.iter().find(|(opcode, _)| opcode == name).map(|(_, operands)| operands.as_slice())
    }
}

/// The lines of a file that hold a position, with their numbers from 1. Empty lines and those that begin with
/// `#` do not.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.trim_start_matches('\u{FEFF}').lines().enumerate();
    numbered
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Takes a line apart. Counters may follow the four fields of the position, as in a FEN; operations end with a
/// semicolon, which may also stand before them, as perft suites have it.
pub fn parse(line: &str) -> EpdRecord {
    let mut rest = line.trim_start();
    let mut field = |wanted: &dyn Fn(&str) -> bool| {
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(rest.len());
        let word = &rest[..end];
        if word.is_empty() || !wanted(word) {
            return None;
        }
        rest = rest[end..].trim_start();
        Some(word)
    };
    let mut fields: Vec<&str> = (0..4).map_while(|_| field(&|_| true)).collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let counters = [field(&is_number), field(&is_number)];
    let operations: Vec<(String, Vec<String>)> = statements(rest)
        .into_iter()
        .filter_map(|words| {
            let mut words = words.into_iter();
            Some((words.next()?, words.collect()))
        })
        .collect();
    for (counter, (opcode, least)) in counters.into_iter().zip([("hmvc", "0"), ("fmvn", "1")]) {
        let operation = operations.iter().find(|(name, _)| name == opcode);
        let operand = operation.and_then(|(_, operands)| operands.first()).map(String::as_str);
        fields.push(counter.or(operand.filter(|&word| is_number(word))).unwrap_or(least));
    }
    EpdRecord { fen: fields.join(" "), operations }
}

/// The words of each statement. Between quotation marks, spaces and semicolons are like letters; a mark that is
/// not closed reaches to the end of the line.
fn statements(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            _ if quoted => word.get_or_insert_default().push(c),
            ';' => {
                words.extend(word.take());
                all.push(std::mem::take(&mut words));
            }
            _ if c.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    all.push(words);
    all.retain(|words| !words.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_and_quotation_marks() {
        let record = parse("8/8/8/8/8/8/8/8 w - - bm Rd6 Re1+; c0 \"a; b  c\"; id \"\";");
        assert_eq!(record.fen, "8/8/8/8/8/8/8/8 w - - 0 1");
        assert_eq!(record.operands("bm"), Some(&["Rd6".to_string(), "Re1+".to_string()][..]));
        assert_eq!(record.operands("c0"), Some(&["a; b  c".to_string()][..]));
        assert_eq!(record.operands("id"), Some(&[String::new()][..]));
        assert_eq!(record.operands("am"), None);
    }

    #[test]
    fn perft_lines() {
        let record = parse("8/8 b KQkq e3 3 17 ;D1 20 ;D2 400");
        assert_eq!(record.fen, "8/8 b KQkq e3 3 17");
        assert_eq!(record.operands("D2"), Some(&["400".to_string()][..]));
        assert_eq!(parse("8/8 w - -;D1 20").operands("D1"), Some(&["20".to_string()][..]));
    }

    #[test]
    fn counters_may_be_operations() {
        for (line, fen) in [
            ("8/8 b - - hmvc 98; fmvn 80; bm Rd6;", "8/8 b - - 98 80"),
            ("8/8 b - - fmvn 80; hmvc 98;", "8/8 b - - 98 80"),
            ("8/8 b - - 7 9 hmvc 98; fmvn 80;", "8/8 b - - 7 9"),
            ("8/8 b - - hmvc; fmvn x;", "8/8 b - - 0 1"),
            ("8/8 b - - hmvc \"\"; fmvn 3;", "8/8 b - - 0 3"),
        ] {
            assert_eq!(parse(line).fen, fen, "{line}");
        }
    }

    #[test]
    fn broken_lines_stay_broken_fens() {
        for (line, fen) in
            [("", "0 1"), ("x", "x 0 1"), ("\"", "\" 0 1"), ("a b c d 7", "a b c d 7 1"), (";;", "0 1")]
        {
            assert_eq!(parse(line).fen, fen);
        }
        assert_eq!(parse("a b c d bm \"unclosed; x").operands("bm"), Some(&["unclosed; x".to_string()][..]));
    }

    #[test]
    fn comments_and_empty_lines_are_no_positions() {
        let found: Vec<_> = lines("\u{FEFF}# x\n\n a b\r\nc").collect();
        assert_eq!(found, [(3, "a b"), (4, "c")]);
    }
}
