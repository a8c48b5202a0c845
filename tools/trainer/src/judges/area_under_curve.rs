//! How well values distinguish two kinds of positions.

/// The chance that a position of the upper kind has a greater value than one of the lower kind, equal values counting half
/// (the area under the curve of the receiver operating characteristic; Hanley and McNeil 1982, "The meaning and use of the
/// area under a receiver operating characteristic (ROC) curve"): 1 if the values separate all of them, 0.5 if they
/// separate none. `None` if there are no positions of one of the kinds.
pub fn area_under_curve(upper: &[i32], lower: &[i32]) -> Option<f64> {
    if upper.is_empty() || lower.is_empty() {
        return None;
    }
    let mut sorted = lower.to_vec();
    sorted.sort_unstable();
    let won: usize = upper
        .iter()
        .map(|value| {
            sorted.partition_point(|other| other < value) + sorted.partition_point(|other| other <= value)
        })
        .sum();
    Some(won as f64 / (2 * upper.len() * lower.len()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_the_share_of_pairs_in_the_right_order() {
        assert_eq!(area_under_curve(&[5, 7], &[1, 4, 4]), Some(1.0));
        assert_eq!(area_under_curve(&[1], &[5, 7]), Some(0.0));
        assert_eq!(area_under_curve(&[3, 3], &[3]), Some(0.5));
        assert_eq!(area_under_curve(&[2, 9], &[2, 5]), Some((0.5 + 0.0 + 2.0) / 4.0));
        assert_eq!(area_under_curve(&[], &[1]), None);
        assert_eq!(area_under_curve(&[1], &[]), None);
    }
}
