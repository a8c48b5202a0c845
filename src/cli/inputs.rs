//! What the command line names: positions, networks, files.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::board::Board;
use crate::engine::{self, EMBEDDED_NETWORK, Network, NumaPolicy};
use crate::uci::options::OptionValue;
use crate::uci::position_command::{PositionError, board_after};
use crate::uci::words::fen_and_moves;
use crate::util::regular_file;

use super::error::CliError;
use super::option_arguments::OptionArguments;

/// The position of a FEN whose fields may be separate arguments, or the start position, with the moves behind the word
/// `moves`, as in the command `position`.
pub(super) fn board(fen: &[String], chess960: bool) -> Result<Board, CliError> {
    let text = fen.join(" ");
    let (fen, moves) = fen_and_moves(text.split_ascii_whitespace());
    let fen = Some(&*fen).filter(|fen| !["", "startpos"].contains(fen));
    board_after(fen, &moves, chess960).map_err(|error| match error {
        PositionError::Fen(error) => CliError::Fen(error),
        PositionError::Move(..) => CliError::Moves(error),
    })
}

/// The network of `--eval-file`, by default the embedded one.
pub(super) fn network<S>(options: &OptionArguments<S>) -> Result<Arc<Network>, CliError> {
    let path = match options.value("eval-file") {
        Some(OptionValue::File(path)) => path.as_path(),
        _ => Path::new(EMBEDDED_NETWORK),
    };
    engine::load_network(path).map_err(|error| CliError::Flag {
        flag: "eval-file",
        value: OptionValue::File(path.to_path_buf()),
        source: error.into(),
    })
}

/// The policy of `--numa-policy`, by default `auto`.
pub(super) fn numa_policy<S>(options: &OptionArguments<S>) -> Result<NumaPolicy, CliError> {
    let Some(value) = options.value("numa-policy") else { return Ok(NumaPolicy::default()) };
    NumaPolicy::parse(value.text(), engine::this_machine()).map_err(|error| CliError::Flag {
        flag: "numa-policy",
        value: value.clone(),
        source: error.into(),
    })
}

/// The text of a file or a pipe; bytes that are not UTF-8 become replacement characters.
pub(super) fn read_text(path: &Path) -> Result<String, CliError> {
    let text = File::open(path).and_then(regular_file::read_text);
    text.map_err(|source| CliError::File { path: path.to_path_buf(), source })
}

/// A file that results are going to be written to. It is opened before they are measured, so that a path that cannot be
/// written is known at once; what is in the file stays until then.
pub(super) struct ResultFile {
    path: PathBuf,
    file: File,
}

impl ResultFile {
    /// Opens a file for writing, and makes it if there is none.
    pub(super) fn open(path: &Path) -> Result<ResultFile, CliError> {
        let opened = File::options().write(true).create(true).truncate(false).open(path);
        let file = opened.map_err(|source| CliError::File { path: path.to_path_buf(), source })?;
        Ok(ResultFile { path: path.to_path_buf(), file })
    }

    /// Replaces the content of the file.
    pub(super) fn write(self, text: &str) -> Result<(), CliError> {
        let ResultFile { path, mut file } = self;
        let mut replace = || {
            if is_standard_output(&file) {
                // What was printed stays.
                file.seek(SeekFrom::End(0))?;
            } else if file.metadata()?.is_file() {
                // Devices and pipes cannot be cut, and need not.
                file.set_len(0)?;
            }
            file.write_all(text.as_bytes())
        };
        replace().map_err(|source| CliError::File { path, source })
    }
}

/// True if it is the file to which the standard output goes, as `/dev/stdout` is.
#[cfg(unix)]
fn is_standard_output(file: &File) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    let place = |file: &File| file.metadata().map(|data| (data.is_file(), data.dev(), data.ino()));
    let standard = std::io::stdout().as_fd().try_clone_to_owned().map(File::from);
    match (place(file), standard.and_then(|standard| place(&standard))) {
        (Ok(file), Ok(standard)) => file.0 && file == standard,
        _ => false,
    }
}

/// Other systems have no name for the file to which the standard output goes.
#[cfg(not(unix))]
fn is_standard_output(_: &File) -> bool {
    false
}
