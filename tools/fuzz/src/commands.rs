//! Single lines of UCI, and the words behind commands.

use std::io::BufReader;

use caesura::board::Board;
use caesura::types::Color;
use caesura::uci::bench_command::BenchCommand;
use caesura::uci::command::{self, Command};
use caesura::uci::input::{Input, read_line};
use caesura::uci::options::{self, OptionType};
use caesura::uci::{genfens, go_command, position_command};

/// The longest message about a line, in bytes.
const MESSAGE: usize = 1000;

/// Lines are the same however they arrive. What they mean can be written and read again; what they do not is a short
/// message without control characters.
pub fn check(data: &[u8]) {
    let lines = lines(data, 4096);
    assert_eq!(lines, self::lines(data, 1));
    lines.iter().flatten().for_each(|line| understand(line));
}

/// The lines of an input that arrives in pieces of this many bytes; `None` for those that are no text.
fn lines(data: &[u8], capacity: usize) -> Vec<Option<String>> {
    let mut reader = BufReader::with_capacity(capacity, data);
    let mut buffer = Vec::new();
    let mut lines = Vec::new();
    loop {
        lines.push(match read_line(&mut reader, &mut buffer).expect("memory can be read") {
            Input::Text(text) => Some(text.to_string()),
            Input::NotText | Input::TooLong => None,
            Input::End => return lines,
        });
    }
}

fn understand(line: &str) {
    let command = match command::parse(line) {
        Ok(command) => command,
        Err(error) => return is_message(&error),
    };
    match command {
        Command::Position { fen, moves } => {
            for chess960 in [false, true] {
                match position_command::board_after(fen.as_deref(), &moves, chess960) {
                    Err(error) => is_message(&error),
                    Ok(board) => {
                        let again: Board =
                            board.to_string().parse().expect("what a board writes can be read");
                        assert_eq!(again.key(), board.key(), "{line:?}");
                        assert_eq!(again.legal_moves().len(), board.legal_moves().len(), "{line:?}");
                    }
                }
            }
        }
        Command::Go(go) => {
            let (moves, refused) = go_command::search_moves(&go.search_moves, &Board::start());
            assert_eq!(moves.len() + refused.len(), go.search_moves.len(), "{line:?}");
            for color in Color::ALL {
                let limits = go_command::limits(&go, color, moves.clone());
                assert!(!(go.infinite && limits.has_end()), "{line:?}");
            }
        }
        Command::SetOption { name, value } => set_option(&name, value),
        Command::GenFens(words) => genfens::Request::parse(words).err().iter().for_each(is_message),
        Command::Bench(words) => BenchCommand::parse(words).err().iter().for_each(is_message),
        _ => {}
    }
}

fn set_option(name: &str, value: Option<&str>) {
    let Some(option) = options::find(name) else { return };
    match option.parse(value) {
        Err(error) => is_message(&error),
        Ok(value) => {
            let text = match option.option_type {
                OptionType::Check { .. } => value.is_on().to_string(),
                OptionType::Spin { .. } => value.number().to_string(),
                OptionType::Combo { .. } => value.text().to_string(),
                _ => return,
            };
            assert_eq!(option.parse(Some(&text)).ok(), Some(value), "{name}");
        }
    }
}

fn is_message(error: &impl std::fmt::Display) {
    let text = error.to_string();
    assert!(text.len() <= MESSAGE && !text.contains(char::is_control), "{text:?}");
}
