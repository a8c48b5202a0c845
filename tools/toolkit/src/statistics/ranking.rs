//! What our results have in common with a published order.

use super::confidence::SIGNIFICANCE;

/// All pairs of a published order beside our results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// Our contenders, the best first, those with the same value together.
    pub order: Vec<Vec<String>>,
    /// Pairs, the one that the publication has in front first, which our results order in the same way beyond the error.
    pub confirmed: Vec<(String, String)>,
    /// Pairs that our results order the other way round beyond the error.
    pub contradicted: Vec<(String, String)>,
    /// Pairs that differ by less than the error here.
    pub open: Vec<(String, String)>,
}

impl Ranking {
    /// Compares our values with published ones, of contenders that both have; contenders that are equal there say
    /// nothing. `less_is_better` is the order of both, and `p_value` tests whether two of our contenders differ. The
    /// p-values are corrected for the number of pairs (Holm 1979, "A simple sequentially rejective multiple test
    /// procedure").
    ///
    /// `None` if fewer than two contenders are common.
    pub fn new(
        ours: &[(String, f64)],
        published: &[(&str, f64)],
        less_is_better: bool,
        p_value: impl Fn(&str, &str) -> f64,
    ) -> Option<Ranking> {
        let sign = if less_is_better { 1.0 } else { -1.0 };
        let mut common: Vec<(&str, f64, f64)> = ours
            .iter()
            .filter_map(|(name, value)| {
                let there = published.iter().find(|(there, _)| there == name)?.1;
                Some((name.as_str(), sign * value, sign * there))
            })
            .collect();
        if common.len() < 2 {
            return None;
        }
        common.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut ranking = Ranking::default();
        for tied in common.chunk_by(|a, b| a.1 == b.1) {
            ranking.order.push(tied.iter().map(|one| one.0.to_string()).collect());
        }
        let mut pairs = Vec::new();
        for (index, first) in common.iter().enumerate() {
            for second in &common[index + 1..] {
                // `first` is not behind here; there it may be.
                if first.2 != second.2 {
                    let same_way = first.2 < second.2;
                    let (front, back) = if same_way { (first, second) } else { (second, first) };
                    let p = if first.1 == second.1 { 1.0 } else { p_value(first.0, second.0) };
                    pairs.push(((front.0.to_string(), back.0.to_string()), same_way, p));
                }
            }
        }
        pairs.sort_by(|a, b| a.2.total_cmp(&b.2));
        let (count, mut rejects) = (pairs.len(), true);
        for (index, (pair, same_way, p)) in pairs.into_iter().enumerate() {
            rejects &= p * (count - index) as f64 <= SIGNIFICANCE;
            let place = match (rejects, same_way) {
                (false, _) => &mut ranking.open,
                (true, true) => &mut ranking.confirmed,
                (true, false) => &mut ranking.contradicted,
            };
            place.push(pair);
        }
        Some(ranking)
    }

    /// How many pairs the publication orders.
    pub const fn pairs(&self) -> usize {
        self.confirmed.len() + self.contradicted.len() + self.open.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: [(&str, f64); 4] = [("a", 1.0), ("b", 2.0), ("c", 3.0), ("elsewhere", 9.0)];

    fn ours(values: [f64; 3]) -> Vec<(String, f64)> {
        ["a", "b", "c"].iter().zip(values).map(|(name, value)| ((*name).to_string(), value)).collect()
    }

    fn names(pairs: &[(String, String)]) -> Vec<String> {
        let mut names: Vec<String> = pairs.iter().map(|(front, back)| format!("{front}{back}")).collect();
        names.sort();
        names
    }

    #[test]
    fn ties_stay_ties_whatever_the_paper_says() {
        let ranking = Ranking::new(&ours([5.0, 5.0, 4.0]), &PAPER, true, |_, _| 0.0).unwrap();
        assert_eq!(ranking.order, [vec!["c".to_string()], vec!["a".into(), "b".into()]]);
        assert_eq!(names(&ranking.open), ["ab"]);
        assert_eq!(names(&ranking.contradicted), ["ac", "bc"]);
        assert_eq!((ranking.pairs(), ranking.confirmed.len()), (3, 0));
    }

    #[test]
    fn small_differences_are_open_and_large_ones_confirm() {
        let compare = |first: &str, second: &str| match (first, second) {
            ("a", "b") | ("b", "a") => 1.0,
            _ => 0.001,
        };
        let ranking = Ranking::new(&ours([1.0, 0.9, 8.0]), &PAPER, true, compare).unwrap();
        assert_eq!(
            (names(&ranking.confirmed), names(&ranking.open)),
            (vec!["ac".into(), "bc".into()], vec!["ab".into()])
        );
        let reversed = Ranking::new(&ours([1.0, 0.9, 8.0]), &PAPER, false, compare).unwrap();
        assert_eq!(reversed.order[0], ["c"]);
        assert_eq!(names(&reversed.confirmed), ["ca", "cb"]);
    }

    #[test]
    fn p_values_are_corrected_for_the_number_of_pairs() {
        let ranking = |p| Ranking::new(&ours([1.0, 2.0, 3.0]), &PAPER, true, |_, _| p).unwrap();
        assert_eq!(ranking(0.04).open.len(), 3, "0.04 three times is no sign");
        assert_eq!(ranking(0.01).confirmed.len(), 3);
        let falling = |first: &str, second: &str| match (first, second) {
            ("a", "b") => 0.016,
            ("a", "c") => 0.024,
            _ => 0.06,
        };
        let holm = Ranking::new(&ours([1.0, 2.0, 3.0]), &PAPER, true, falling).unwrap();
        assert_eq!(
            (names(&holm.confirmed), names(&holm.open)),
            (vec!["ab".into(), "ac".into()], vec!["bc".into()])
        );
    }

    #[test]
    fn one_common_contender_is_no_order() {
        assert_eq!(Ranking::new(&ours([1.0; 3])[..1], &PAPER, true, |_, _| 1.0), None);
        let equal = [("a", 1.0), ("b", 1.0)];
        let ranking = Ranking::new(&ours([1.0, 2.0, 3.0]), &equal, true, |_, _| 0.0).unwrap();
        assert_eq!(ranking.pairs(), 0);
    }
}
