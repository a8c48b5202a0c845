//! Parses a line of UCI into a typed command.

use super::go_words::{self, Go, GoLine};
use super::words::{
    CommandError, after_first_word, at_least, fen_and_moves, integer, perft_depth, split_at_word,
};

/// What a line from outside asks for. Words are still text where only a position can give them a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command<'a> {
    /// `uci`: identify the engine and list its options; `uci experiments` also those of experiments.
    Uci {
        /// `experiments` follows.
        experiments: bool,
    },
    /// `isready`: answer once all earlier commands are done; during a search at once.
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
        "go" => match go_words::parse(words)? {
            GoLine::Search(go) => Command::Go(go),
            GoLine::Perft(depth) => Command::Perft(depth),
        },
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
        "perft" => Command::Perft(perft_depth(&mut words)?),
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
    if let Some(word) = words.next() {
        let what = "three numbers and nothing behind them";
        return Err(CommandError::Malformed { after: "speedtest", what, found: word.to_string() });
    }
    Ok(Command::Speedtest(rest, numbers))
}

/// True if a line begins with the word of a command.
pub fn is_command(line: &str) -> bool {
    !matches!(parse(line), Err(CommandError::Empty | CommandError::Unknown(_)))
}

/// True if a line is the word of a command that says little without the words behind it.
pub fn needs_words(line: &str) -> bool {
    matches!(line.trim_ascii(), "go" | "position" | "setoption" | "genfens" | "export_net")
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
    fn what_is_no_number_in_range_is_refused() {
        for line in [
            "go depth x",
            "go perft 30000",
            "go perft 1 e2e4",
            "perft -",
            "perft 65",
            "perft 1 quit",
            "speedtest 1 x",
            "speedtest 1 1 1 default",
        ] {
            assert!(matches!(parse(line), Err(CommandError::Malformed { .. })), "{line}");
        }
        assert_eq!(parse("go perft 3"), Ok(Command::Perft(3)));
        assert_eq!(parse("perft 3"), Ok(Command::Perft(3)));
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
