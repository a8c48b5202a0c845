//! Words and numbers that all sections write alike.

use crate::report::page::Element;

pub(super) const MINUS: &str = "−";
pub(super) const NO_VALUE: &str = "–";

/// The values of a key, each once, in the order in which they come.
pub(super) fn distinct<T, K: PartialEq>(records: &[T], key: impl Fn(&T) -> K) -> Vec<K> {
    let mut keys = Vec::new();
    for record in records {
        let key = key(record);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

pub(super) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    if value < 0.0 && text.chars().any(|c| ('1'..='9').contains(&c)) {
        format!("{MINUS}{text}")
    } else {
        format!("+{text}")
    }
}

pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { NO_VALUE.into() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// Do two rankings agree? Says it in a sentence.
pub(super) fn ranking(
    what: &str,
    ours: &[(String, f64)],
    papers: &[(&str, f64)],
    best_first: bool,
) -> Option<Element> {
    let mut common: Vec<(&str, f64, f64)> = papers
        .iter()
        .filter_map(|&(name, paper)| Some((name, ours.iter().find(|(ours, _)| ours == name)?.1, paper)))
        .collect();
    if common.len() < 2 {
        return None;
    }
    let sign = if best_first { -1.0 } else { 1.0 };
    let order = |common: &mut Vec<(&str, f64, f64)>, value: fn(&(&str, f64, f64)) -> f64| {
        common.sort_by(|a, b| (sign * value(a)).total_cmp(&(sign * value(b))));
        common.iter().map(|(name, ..)| (*name).to_string()).collect::<Vec<_>>()
    };
    let (ours, papers) = (order(&mut common, |entry| entry.1), order(&mut common, |entry| entry.2));
    Some(Element::Text(if ours == papers {
        format!("The order {what} is the paper's: {}.", ours.join(", "))
    } else {
        format!("The order {what} is {}; the paper's is {}.", ours.join(", "), papers.join(", "))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_compared_on_what_both_have() {
        let papers = [("a", 1.0), ("b", 2.0), ("c", 3.0)];
        let ours = |values: [f64; 3]| -> Vec<(String, f64)> {
            ["b", "a", "x"].iter().zip(values).map(|(name, value)| ((*name).to_string(), value)).collect()
        };
        let said = |ours: Vec<(String, f64)>| ranking("here", &ours, &papers, false);
        assert_eq!(
            said(ours([9.0, 8.0, 7.0])),
            Some(Element::Text("The order here is the paper's: a, b.".into()))
        );
        assert_eq!(
            said(ours([8.0, 9.0, 7.0])),
            Some(Element::Text("The order here is b, a; the paper's is a, b.".into()))
        );
        assert_eq!(said(vec![("a".into(), 1.0)]), None);
    }

    #[test]
    fn numbers_carry_their_signs() {
        assert_eq!([signed(3.0, 0), signed(-3.25, 1), signed(-0.01, 1)], ["+3", "−3.2", "+0.0"]);
        assert_eq!((percent(1, 3), percent(0, 0)), ("33.3 %".to_string(), NO_VALUE.to_string()));
    }
}
