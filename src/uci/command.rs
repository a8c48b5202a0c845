//! Parses a line of UCI into a typed command.

use std::fmt;

use crate::perft::MAX_DEPTH;
use crate::util::quote::quote;

/// What a line from outside asks for. Words are still text where only a position can give them a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`: identify the engine and list its options; `uci experiments` also those of experiments.
    Uci {
        /// `experiments` follows.
        experiments: bool,
    },
    /// `isready`: answer once all earlier commands are done.
    IsReady,
    /// `ucinewgame`: empty the transposition table and the histories.
    NewGame,
    /// `position`: the board for the next search.
    Position {
        /// The FEN, or `None` for the start position.
        fen: Option<String>,
        /// The moves played from there.
        moves: Vec<&'a str>,
    },
    /// `go`: search.
    Go(Box<Go<'a>>),
    /// `setoption`: change an option.
    SetOption {
        /// The option's name, its words separated by single spaces.
        name: String,
        /// Its new value; a button has none.
        value: Option<&'a str>,
    },
    /// `stop`: end the search and answer.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`.
    Quit,
    /// `debug` and `register`, which change nothing here, and comments, which begin with `#`.
    Ignored,
    /// `wait`: read no further line before the search has ended.
    Wait,
    /// `help`: list the commands.
    Help,
    /// `license`: state under which licence the program may be used.
    License,
    /// `compiler`: describe how the program was built.
    Compiler,
    /// `flip`: exchange White and Black.
    Flip,
    /// `genfens N seed S book B`, by the words that follow: write openings.
    GenFens(&'a str),
    /// `params`: list the numbers of the search for a tuner.
    Params,
    /// `export_net [FILE]`: write the network to a file.
    ExportNetwork(Option<&'a str>),
    /// `d`: show the board.
    Display,
    /// `eval`: show the static evaluation.
    Eval,
    /// `perft N` or `go perft N`: count nodes.
    Perft(u32),
    /// `speedtest`, by the words that follow, and the numbers that they are: threads, megabytes, seconds.
    Speedtest(&'a str, [Option<u64>; 3]),
    /// `bench`, by the words that follow: search fixed positions.
    Bench(&'a str),
}

impl Command<'_> {
    /// True of commands that keep the session from reading its input for a while.
    pub fn takes_time(&self) -> bool {
        use Command::{Bench, GenFens, Perft, Speedtest, Wait};
        matches!(self, Perft(_) | Bench(_) | Speedtest(..) | GenFens(_) | Wait)
    }
}

/// The words after `go`. Times are in milliseconds.
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
    /// (as in Stockfish). Where nothing else limits the search of whichever side is to move, it is the least that can be
    /// searched.
    fn settle_zeros(&mut self) {
        let is_limited = self.infinite
            || self.clock.iter().all(Option::is_some)
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

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandError {
    /// The line is empty.
    Empty,
    /// The first word is no command.
    Unknown(String),
    /// A word that must follow is missing.
    Missing {
        /// The word that needs a successor.
        after: &'static str,
        /// What should stand there.
        what: &'static str,
    },
    /// A word is there, but not of the right kind.
    Malformed {
        /// The word before.
        after: &'static str,
        /// What should stand there.
        what: &'static str,
        /// What stands there.
        found: String,
    },
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Empty => write!(f, "empty line ignored"),
            CommandError::Unknown(word) => {
                write!(f, "unknown command {}; type help for a list of commands", quote(word))
            }
            CommandError::Missing { after, what } => write!(f, "'{after}' needs {what}"),
            CommandError::Malformed { after, what, found } => {
                write!(f, "'{after}' needs {what}, not {}", quote(found))
            }
        }
    }
}

impl std::error::Error for CommandError {}

const A_NUMBER: &str = "a number";

/// `word` as a number: digits with an optional sign. What does not fit into an `i64` saturates.
fn integer(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(word.parse().unwrap_or(if word.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// Takes the number after `after` from `words`; it saturates as [`integer`] does.
fn number<'a>(after: &'static str, words: &mut impl Iterator<Item = &'a str>) -> Result<i64, CommandError> {
    let word = words.next().ok_or(CommandError::Missing { after, what: A_NUMBER })?;
    integer(word).ok_or_else(|| CommandError::Malformed { after, what: A_NUMBER, found: word.to_string() })
}

/// A number that is at least `least`: smaller ones are raised to it.
fn at_least(number: i64, least: u64) -> u64 {
    u64::try_from(number).unwrap_or(0).max(least)
}

/// A number of at least zero that fits into 32 bits: others are brought to the nearer end.
fn limit(number: i64) -> u32 {
    u32::try_from(at_least(number, 0)).unwrap_or(u32::MAX)
}

fn perft_depth<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Command<'a>, CommandError> {
    let depth = number("perft", words)?;
    match u32::try_from(depth).ok().filter(|depth| (1..=MAX_DEPTH).contains(depth)) {
        Some(depth) => Ok(Command::Perft(depth)),
        None => Err(CommandError::Malformed {
            after: "perft",
            what: "a depth from 1 to 64",
            found: depth.to_string(),
        }),
    }
}

/// The command in a line.
///
/// # Errors
/// If the line is empty, its first word is no command, or a word that must follow is missing or malformed.
pub fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let mut words = line.split_ascii_whitespace();
    let first = words.next().ok_or(CommandError::Empty)?;
    Ok(match first {
        "uci" => Command::Uci { experiments: words.next() == Some("experiments") },
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => position(words)?,
        "go" => go(words)?,
        "setoption" => set_option(line)?,
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "debug" | "register" => Command::Ignored,
        comment if comment.starts_with('#') => Command::Ignored,
        "wait" => Command::Wait,
        "help" | "--help" => Command::Help,
        "license" | "licence" | "--license" => Command::License,
        "compiler" => Command::Compiler,
        "flip" => Command::Flip,
        "genfens" => Command::GenFens(after_first_word(line).unwrap_or_default()),
        "params" => Command::Params,
        "export_net" => Command::ExportNetwork(after_first_word(line)),
        "d" => Command::Display,
        "eval" => Command::Eval,
        "perft" => perft_depth(&mut words)?,
        "speedtest" => speedtest(line)?,
        "bench" => Command::Bench(after_first_word(line).unwrap_or_default()),
        other => return Err(CommandError::Unknown(other.to_string())),
    })
}

fn speedtest(line: &str) -> Result<Command<'_>, CommandError> {
    let rest = after_first_word(line).unwrap_or_default();
    let mut numbers = [None; 3];
    let mut words = rest.split_ascii_whitespace();
    for (slot, word) in numbers.iter_mut().zip(words.by_ref()) {
        *slot = integer(word).map(|number| at_least(number, 1));
        if slot.is_none() {
            let what = "numbers (threads, megabytes, seconds)";
            return Err(CommandError::Malformed { after: "speedtest", what, found: word.to_string() });
        }
    }
    Ok(Command::Speedtest(rest, numbers))
}

/// True if a line begins with the word of a command.
pub fn is_command(line: &str) -> bool {
    !matches!(parse(line), Err(CommandError::Empty | CommandError::Unknown(_)))
}

/// What follows the first word of a line, if anything does.
fn after_first_word(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_ascii().split_once(|c: char| c.is_ascii_whitespace())?;
    Some(rest.trim_ascii()).filter(|rest| !rest.is_empty())
}

fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, CommandError> {
    const WHAT: &str = "'startpos' or 'fen'";
    match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => Ok(Command::Position { fen: None, moves: words.collect() }),
            Some(word) => Err(CommandError::Malformed {
                after: "startpos",
                what: "'moves' or nothing",
                found: word.to_string(),
            }),
        },
        Some("fen") => match fen_and_moves(words) {
            (fen, _) if fen.is_empty() => Err(CommandError::Missing { after: "fen", what: "a position" }),
            (fen, moves) => Ok(Command::Position { fen: Some(fen), moves }),
        },
        Some(word) => Err(CommandError::Malformed { after: "position", what: WHAT, found: word.to_string() }),
        None => Err(CommandError::Missing { after: "position", what: WHAT }),
    }
}

/// The fields of a FEN, separated by single spaces, and the moves behind them, before which `moves` stands.
pub(super) fn fen_and_moves<'a>(mut words: impl Iterator<Item = &'a str>) -> (String, Vec<&'a str>) {
    let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    (fields.join(" "), words.collect())
}

/// What follows a word of `go`, and what it means.
enum GoWord {
    /// A number, handed to the function.
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

fn go<'a>(words: impl Iterator<Item = &'a str>) -> Result<Command<'a>, CommandError> {
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
            GoWord::Number(set) => set(&mut go, number(name, &mut words)?),
            GoWord::Flag(set) => set(&mut go),
            GoWord::Perft => return perft_depth(&mut words),
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
    go.settle_zeros();
    match go.unknown.first() {
        Some(word) if !understood => Err(CommandError::Malformed {
            after: "go",
            what: "limits or nothing",
            found: (*word).to_string(),
        }),
        _ => Ok(Command::Go(Box::new(go))),
    }
}

/// What stands before and after the first `word` that stands alone.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).map(|(start, _)| (&text[..start], &text[start + word.len()..])).find(
        |(before, after)| {
            before.chars().next_back().is_none_or(|c| c.is_ascii_whitespace())
                && after.chars().next().is_none_or(|c| c.is_ascii_whitespace())
        },
    )
}

fn set_option(line: &str) -> Result<Command<'_>, CommandError> {
    const AFTER: &str = "setoption";
    let mut words = line.split_ascii_whitespace().skip(1);
    match words.next() {
        Some("name") => {}
        Some(word) => {
            return Err(CommandError::Malformed { after: AFTER, what: "'name'", found: word.to_string() });
        }
        None => return Err(CommandError::Missing { after: AFTER, what: "'name'" }),
    }
    let rest = split_at_word(line, "name").map_or("", |(_, rest)| rest);
    let (name, value) = match split_at_word(rest, "value") {
        Some((name, value)) => (name, Some(value.trim_ascii())),
        None => (rest, None),
    };
    let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(CommandError::Missing { after: "name", what: "an option" });
    }
    Ok(Command::SetOption { name, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go_of(line: &str) -> Go<'_> {
        match parse(line) {
            Ok(Command::Go(go)) => *go,
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
        assert_eq!(go_of("go depth 0").depth, Some(1));
        assert_eq!(go_of("go depth -3").depth, Some(1));
        assert_eq!(go_of("go depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(go_of("go nodes -99999999999999999999").nodes, Some(1));
        assert_eq!(parse("go perft 3"), Ok(Command::Perft(3)));
    }

    #[test]
    fn a_zero_is_no_limit_beside_others() {
        for others in
            ["wtime 60000 btime 60000", "wtime 0 btime 0", "infinite", "depth 9", "nodes 9", "movetime 9"]
        {
            let alone = format!("go {others}");
            for zero in ["depth 0", "nodes 0", "mate 0", "movetime 0", "depth -1 movetime 0 nodes 0 mate 0"] {
                // A word of both counts as it is written last.
                assert_eq!(go_of(&format!("go {zero} {others}")), go_of(&alone), "{zero} {others}");
            }
        }
        let all = go_of("go depth 0 nodes 0 mate 0 movetime 0");
        assert_eq!((all.depth, all.nodes, all.mate, all.move_time), (Some(1), Some(1), Some(1), Some(0)));
        // A clock that the side to move may not have limits nothing.
        for others in ["ponder", "wtime 60000", "winc 1000 binc 1000"] {
            assert_eq!(go_of(&format!("go nodes 0 {others}")).nodes, Some(1), "{others}");
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
            assert!(matches!(parse(&format!("go {word}")), Err(CommandError::Missing { .. })), "{word}");
        }
        for line in [
            "go depth x",
            "go wtime 1.5",
            "go nodes --1",
            "go wtime depth 3",
            "go foo",
            "perft -",
            "perft 65",
            "go perft 30000",
            "speedtest 1 x",
        ] {
            assert!(matches!(parse(line), Err(CommandError::Malformed { .. })), "{line}");
        }
    }

    #[test]
    fn positions_part_fen_and_moves() {
        assert_eq!(parse("position startpos"), Ok(Command::Position { fen: None, moves: vec![] }));
        assert_eq!(
            parse("position  startpos\tmoves e2e4 e7e5 "),
            Ok(Command::Position { fen: None, moves: vec!["e2e4", "e7e5"] })
        );
        assert_eq!(
            parse("position fen 8/8 w - - moves a1a2"),
            Ok(Command::Position { fen: Some("8/8 w - -".into()), moves: vec!["a1a2"] })
        );
        for line in
            ["position", "position fen", "position fen moves e2e4", "position foo", "position startpos e2e4"]
        {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn option_names_and_values_may_hold_spaces() {
        let option = |name: &str, value| Ok(Command::SetOption { name: name.into(), value });
        assert_eq!(parse("setoption name Hash value 64"), option("Hash", Some("64")));
        assert_eq!(parse(" setoption  name Clear  Hash "), option("Clear Hash", None));
        assert_eq!(parse("setoption name File value /a b/c  d"), option("File", Some("/a b/c  d")));
        assert_eq!(parse("setoption name Valued value"), option("Valued", Some("")));
        for line in ["setoption", "setoption name", "setoption Hash 3", "setoption name value 3"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn words_of_people_are_commands() {
        assert_eq!(parse("# go depth 3"), Ok(Command::Ignored));
        assert_eq!(parse("#"), Ok(Command::Ignored));
        assert_eq!(parse("export_net "), Ok(Command::ExportNetwork(None)));
        assert_eq!(parse("\texport_net\ta net.nnue "), Ok(Command::ExportNetwork(Some("a net.nnue"))));
        assert!(is_command("go depth") && is_command("position") && !is_command("search") && !is_command(""));
    }

    #[test]
    fn nonsense_is_named() {
        assert_eq!(parse(" \t"), Err(CommandError::Empty));
        assert_eq!(
            parse("xyzzy go").unwrap_err().to_string(),
            "unknown command 'xyzzy'; type help for a list of commands"
        );
        assert_eq!(parse("go depth").unwrap_err().to_string(), "'depth' needs a number");
    }
}
