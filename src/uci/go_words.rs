//! Reads the words of `go`.

use super::words::{CommandError, at_least, integer, number, perft_depth};
use crate::types::Color;

/// The words after `go`, as they stand there. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go<'a> {
    /// The clocks of White and Black; negative times count as zero.
    pub clock: [Option<u64>; 2],
    /// The increments of White and Black.
    pub increment: [Option<u64>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// The greatest depth.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// The number of moves in which to find a mate.
    pub mate: Option<u32>,
    /// The time for this move.
    pub move_time: Option<u64>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time.
    pub ponder: bool,
    /// The only root moves to consider.
    pub search_moves: Vec<&'a str>,
    /// Words that are not part of the protocol; they are ignored.
    pub unknown: Vec<&'a str>,
}

impl Go<'_> {
    /// A depth, a number of nodes or moves, or a time of zero stands for none, as some interfaces send it with other limits
    /// (as in Stockfish). Where nothing else limits the search of the side to move, it is the least that can be searched.
    pub(super) fn settle_zeros(&mut self, side: Color) {
        let is_limited = self.infinite
            || self.clock[side.index()].is_some()
            || [self.nodes, self.move_time].iter().flatten().any(|&limit| limit > 0)
            || [self.depth, self.mate].iter().flatten().any(|&limit| limit > 0);
        let least = (!is_limited).then_some(1);
        for limit in [&mut self.depth, &mut self.mate] {
            *limit = if *limit == Some(0) { least } else { *limit };
        }
        if self.nodes == Some(0) {
            self.nodes = least.map(u64::from);
        }
        self.move_time.take_if(|time| is_limited && *time == 0);
    }
}

/// What a line that begins with `go` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GoLine<'a> {
    /// A search with these limits.
    Search(Box<Go<'a>>),
    /// `go perft N`: the nodes to this depth.
    Perft(u32),
}

/// A number of at least zero that fits into 32 bits: others are brought to the nearer end.
fn limit(number: i64) -> u32 {
    u32::try_from(at_least(number, 0)).unwrap_or(u32::MAX)
}

/// A number without its fraction, which interfaces leave that reckon in floating point: a clock of `59999.7` is one of 59,999,
/// and without a move the game would be lost.
fn without_fraction(word: &str) -> &str {
    match word.split_once('.') {
        Some((whole, fraction))
            if integer(whole).is_some() && fraction.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            whole
        }
        _ => word,
    }
}

/// What follows a word of `go`, and what it means.
enum GoWord {
    /// A number, a fraction left out, handed to the function.
    Number(fn(&mut Go<'_>, i64)),
    /// Nothing: the word stands alone.
    Flag(fn(&mut Go<'_>)),
    /// Moves, up to the next word of `go`.
    Moves,
    /// A depth; `go perft` is a command of its own.
    Perft,
}

/// All words of `go`.
const GO_WORDS: [(&str, GoWord); 13] = [
    ("wtime", GoWord::Number(|go, n| go.clock[0] = Some(at_least(n, 0)))),
    ("btime", GoWord::Number(|go, n| go.clock[1] = Some(at_least(n, 0)))),
    ("winc", GoWord::Number(|go, n| go.increment[0] = Some(at_least(n, 0)))),
    ("binc", GoWord::Number(|go, n| go.increment[1] = Some(at_least(n, 0)))),
    // Some interfaces send 0 for "until the end of the game".
    ("movestogo", GoWord::Number(|go, n| go.moves_to_go = Some(n).filter(|&n| n > 0).map(limit))),
    ("depth", GoWord::Number(|go, n| go.depth = Some(limit(n)))),
    ("nodes", GoWord::Number(|go, n| go.nodes = Some(at_least(n, 0)))),
    ("mate", GoWord::Number(|go, n| go.mate = Some(limit(n)))),
    ("movetime", GoWord::Number(|go, n| go.move_time = Some(at_least(n, 0)))),
    ("perft", GoWord::Perft),
    ("infinite", GoWord::Flag(|go| go.infinite = true)),
    ("ponder", GoWord::Flag(|go| go.ponder = true)),
    ("searchmoves", GoWord::Moves),
];

/// The entry of a word in the table of `go`.
fn go_word(word: &str) -> Option<&'static (&'static str, GoWord)> {
    GO_WORDS.iter().find(|(name, _)| *name == word)
}

/// Reads what follows `go`.
///
/// # Errors
/// If a number is missing or malformed, or no word is one of `go`.
pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Result<GoLine<'a>, CommandError> {
    let mut words = words.peekable();
    let mut go = Go::default();
    let mut understood = words.peek().is_none();
    while let Some(word) = words.next() {
        let Some((name, meaning)) = go_word(word) else {
            go.unknown.push(word);
            continue;
        };
        understood = true;
        match meaning {
            GoWord::Number(set) => set(&mut go, number(name, &mut words.by_ref().map(without_fraction))?),
            GoWord::Flag(set) => set(&mut go),
            GoWord::Perft => return Ok(GoLine::Perft(perft_depth(&mut words)?)),
            GoWord::Moves => {
                while let Some(m) = words.next_if(|word| go_word(word).is_none()) {
                    go.search_moves.push(m);
                }
                if go.search_moves.is_empty() {
                    go.unknown.push(name);
                }
            }
        }
    }
    match go.unknown.first() {
        Some(word) if !understood => Err(CommandError::Malformed {
            after: "go",
            what: "limits or nothing",
            found: (*word).to_string(),
        }),
        _ => Ok(GoLine::Search(Box::new(go))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a line that begins with `go` asks for.
    fn read(line: &str) -> Result<GoLine<'_>, CommandError> {
        parse(line.split_ascii_whitespace().skip(1))
    }

    fn go_of(line: &str) -> Go<'_> {
        match read(line) {
            Ok(GoLine::Search(go)) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn go_reads_every_limit() {
        let go = go_of(
            "go wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 infinite ponder \
             searchmoves e2e4 d2d4",
        );
        assert_eq!(
            go,
            Go {
                clock: [Some(1), Some(2)],
                increment: [Some(3), Some(4)],
                moves_to_go: Some(5),
                depth: Some(6),
                nodes: Some(7),
                mate: Some(8),
                move_time: Some(9),
                infinite: true,
                ponder: true,
                search_moves: vec!["e2e4", "d2d4"],
                unknown: vec![],
            }
        );
        assert_eq!(go_of("go"), Go::default());
        assert_eq!(go_of("go searchmoves e2e4 depth 3").depth, Some(3));
        assert_eq!(go_of("go foo depth 3 bar").unknown, ["foo", "bar"]);
    }

    #[test]
    fn numbers_are_held_in_range() {
        assert_eq!(go_of("go wtime -50 btime 99999999999999999999").clock, [Some(0), Some(i64::MAX as u64)]);
        assert_eq!(go_of("go movestogo 0").moves_to_go, None);
        assert_eq!(go_of("go depth 0").depth, Some(0));
        assert_eq!(go_of("go depth -3").depth, Some(0));
        assert_eq!(go_of("go depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(go_of("go nodes -99999999999999999999").nodes, Some(0));
        assert_eq!(read("go perft 3"), Ok(GoLine::Perft(3)));
    }

    #[test]
    fn fractions_are_left_out() {
        let go = go_of(
            "go wtime 59999.7 btime -0.3 winc 100. movestogo 0.5 depth 7.0 nodes 99999999999999999999.9",
        );
        assert_eq!(go.clock, [Some(59_999), Some(0)]);
        assert_eq!((go.increment, go.moves_to_go), ([Some(100), None], None));
        assert_eq!((go.depth, go.nodes), (Some(7), Some(i64::MAX as u64)));
    }

    #[test]
    fn a_zero_is_no_limit_beside_others() {
        fn settled(line: &str, side: Color) -> Go<'_> {
            let mut go = go_of(line);
            go.settle_zeros(side);
            go
        }
        for side in [Color::White, Color::Black] {
            for others in
                ["wtime 60000 btime 60000", "wtime 0 btime 0", "infinite", "depth 9", "nodes 9", "movetime 9"]
            {
                let alone = format!("go {others}");
                let alone = settled(&alone, side);
                let zeros =
                    ["depth 0", "nodes 0", "mate 0", "movetime 0", "depth -1 movetime 0 nodes 0 mate 0"];
                for zero in zeros {
                    // A word of both counts as it is written last.
                    assert_eq!(settled(&format!("go {zero} {others}"), side), alone, "{zero} {others}");
                }
            }
            let all = settled("go depth 0 nodes 0 mate 0 movetime 0", side);
            let least = (Some(1), Some(1), Some(1), Some(0));
            assert_eq!((all.depth, all.nodes, all.mate, all.move_time), least);
            for line in ["go depth -3", "go depth 0 ponder", "go depth 0 winc 1000 binc 1000"] {
                assert_eq!(settled(line, side).depth, Some(1), "{line}");
            }
        }
        // The opponent's clock limits nothing.
        for (side, nodes) in [(Color::White, None), (Color::Black, Some(1))] {
            assert_eq!(settled("go wtime 60000 nodes 0", side).nodes, nodes, "{side:?}");
        }
    }

    #[test]
    fn without_moves_to_search_all_are_searched() {
        for line in ["go searchmoves", "go searchmoves depth 3", "go depth 3 searchmoves"] {
            let go = go_of(line);
            assert!(go.search_moves.is_empty(), "{line}");
            assert_eq!(go.unknown, ["searchmoves"], "{line}");
        }
    }

    #[test]
    fn go_without_its_number_is_refused() {
        let is_number = |meaning: &GoWord| matches!(meaning, GoWord::Number(_) | GoWord::Perft);
        for (word, _) in GO_WORDS.iter().filter(|(_, meaning)| is_number(meaning)) {
            assert!(matches!(read(&format!("go {word}")), Err(CommandError::Missing { .. })), "{word}");
        }
        for line in [
            "go depth x",
            "go wtime .5",
            "go wtime 1.5.2",
            "go wtime 1.x",
            "go nodes --1",
            "go nodes 1e5",
            "go wtime depth 3",
            "go foo",
            "go perft 30000",
            "go perft 3.0",
        ] {
            assert!(matches!(read(line), Err(CommandError::Malformed { .. })), "{line}");
        }
        for word in ["x.5", "-.5", ".5", "1.x"] {
            let error = read(&format!("go wtime {word}")).unwrap_err();
            assert_eq!(error.to_string(), format!("'wtime' needs a number, not '{word}'"));
        }
    }
}
