//! Refused allocations.

use std::fmt;

/// The bytes that are left to other processes, unless an eighth of what is available is less.
const RESERVED_BYTES: u64 = 64 << 20;

/// Why there is no block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocError {
    /// No elements, or more bytes than an address can count.
    Size,
    /// More bytes than the machine, or the limits set on this process, can back.
    DoesNotFit {
        /// Bytes asked for.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// The system refused the allocation.
    Refused {
        /// Bytes asked for.
        needed: u64,
    },
}

impl fmt::Display for AllocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AllocError::Size => write!(f, "not a possible size"),
            AllocError::DoesNotFit { needed, available } => {
                write!(f, "{} MB needed, {} MB available", needed >> 20, available >> 20)
            }
            AllocError::Refused { needed } => write!(f, "the system refused {} MB", needed >> 20),
        }
    }
}

impl std::error::Error for AllocError {}

/// An error if `bytes` and the reserve are more than is available. An unknown amount counts as enough.
pub(super) fn check_room(bytes: usize, available: Option<u64>) -> Result<(), AllocError> {
    let Some(available) = available else { return Ok(()) };
    let usable = available - RESERVED_BYTES.min(available / 8);
    if bytes as u64 <= usable {
        Ok(())
    } else {
        Err(AllocError::DoesNotFit { needed: bytes as u64, available: usable })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_is_checked() {
        assert_eq!(check_room(usize::MAX, None), Ok(()));
        assert_eq!(check_room(1 << 20, Some(2 << 20)), Ok(()));
        assert_eq!(check_room(936 << 20, Some(1000 << 20)), Ok(()));
        let error = AllocError::DoesNotFit { needed: 937 << 20, available: 936 << 20 };
        assert_eq!(check_room(937 << 20, Some(1000 << 20)), Err(error));
        assert_eq!(error.to_string(), "937 MB needed, 936 MB available");
    }
}
