//! The scores that UCI engines show.

use caesura::types::{MAX_PLY, TB_WIN, Value, mate_in, mated_in};

/// The score in an engine's `info` line, for the side to move: centipawns as the engine shows them, for Caesura not on the scale of
/// its search, at most those of a win; a mate as the search counts it, those beyond its depth as the farthest. `None` if the line
/// has none.
pub fn shown_score(info: &str) -> Option<Value> {
    let mut words = info.split_ascii_whitespace().skip_while(|&word| word != "score").skip(1);
    let (kind, number) = (words.next()?, words.next()?.parse::<Value>().ok()?);
    let plies = |moves: u32| 2 * (moves as usize).min(MAX_PLY / 2 - 1);
    match kind {
        "cp" => Some(number.clamp(-TB_WIN, TB_WIN)),
        "mate" if number > 0 => Some(mate_in(plies(number.unsigned_abs()) - 1)),
        "mate" => Some(mated_in(plies(number.unsigned_abs()))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caesura::types::is_mate;

    #[test]
    fn scores_are_read() {
        assert_eq!(shown_score("info depth 3 score cp -17 nodes 5"), Some(-17));
        assert_eq!(shown_score("info depth 3 score mate 3 nodes 5"), Some(mate_in(5)));
        assert_eq!(shown_score("depth 3 score mate -2"), Some(mated_in(4)));
        assert_eq!(shown_score("score mate 0"), Some(mated_in(0)));
        for other in ["depth 3", "score", "score cp", "score cp x", "score wdl 1 2 3", "string score of all"]
        {
            assert_eq!(shown_score(other), None, "{other}");
        }
    }

    #[test]
    fn no_number_of_centipawns_is_a_mate() {
        for score in [i32::MIN, -31_990, 31_990, i32::MAX] {
            let shown = shown_score(&format!("score cp {score}")).expect("a score");
            assert!(!is_mate(shown) && (shown > 0) == (score > 0), "{score}: {shown}");
        }
    }

    #[test]
    fn any_number_of_moves_is_a_mate() {
        for moves in [i32::MIN, -1000, 1000, i32::MAX] {
            let score = shown_score(&format!("score mate {moves}")).expect("a score");
            assert!(is_mate(score) && (score > 0) == (moves > 0), "{moves}: {score}");
        }
    }
}
