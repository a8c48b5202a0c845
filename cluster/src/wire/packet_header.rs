//! What each packet begins with, and why bytes are no packet.

use std::error::Error;
use std::fmt;

/// The first bytes of each packet: a mark, and the number of the format.
pub const MARK: [u8; 4] = *b"CAE\x05";

/// The longest packet that is read, in bytes: the longest game that the rules allow, of 17,697 plies, fits.
pub const MAX_PACKET_BYTES: usize = 1 << 17;

/// The longest packet that a leader reads, in bytes: the line of a report is no longer than a search looks ahead.
pub const MAX_REPORT_BYTES: usize = 1 << 14;

/// Why bytes are no packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireError {
    /// They do not begin with the mark: another program sent them.
    Mark,
    /// The format has another number.
    Format(u8),
    /// There are more than [`MAX_PACKET_BYTES`].
    Length(usize),
    /// What follows the mark is no message.
    Message(postcard::Error),
    /// What follows the mark is no whole number of entries, or more than a packet holds.
    Entries,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::Mark => write!(f, "not from a program of this kind"),
            WireError::Format(number) => write!(f, "format {number} instead of {}", MARK[3]),
            WireError::Length(bytes) => write!(f, "{bytes} bytes"),
            WireError::Message(cause) => write!(f, "no message: {cause}"),
            WireError::Entries => write!(f, "no whole number of entries, or too many"),
        }
    }
}

impl Error for WireError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WireError::Message(cause) => Some(cause),
            _ => None,
        }
    }
}

/// What follows the mark of a packet.
pub(super) fn body(packet: &[u8]) -> Result<&[u8], WireError> {
    if packet.len() > MAX_PACKET_BYTES {
        return Err(WireError::Length(packet.len()));
    }
    let (mark, body) = packet.split_first_chunk::<4>().ok_or(WireError::Mark)?;
    match mark {
        [b'C', b'A', b'E', format] if *format != MARK[3] => Err(WireError::Format(*format)),
        mark if *mark == MARK => Ok(body),
        _ => Err(WireError::Mark),
    }
}
