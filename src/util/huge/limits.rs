//! What may still be allocated.

use super::error::{AllocError, check_room};
use super::mapping;
use crate::util::memory;

/// Asks whether the machine, and the limits set on this process, can back this many bytes more.
///
/// # Errors
/// [`AllocError::DoesNotFit`], if they cannot. An unknown amount counts as enough.
pub fn check_available(bytes: usize) -> Result<(), AllocError> {
    check_room(bytes, memory::available())
}

/// Asks whether this many bytes of addresses can still be mapped: whether the limit of the address space (`ulimit -v`)
/// leaves them. Says nothing about memory. Other systems than Linux are taken to have no such limit.
///
/// # Errors
/// [`AllocError::Refused`], if they cannot.
pub fn check_address_space(bytes: usize) -> Result<(), AllocError> {
    let needed = bytes as u64;
    if mapping::has_address_space(bytes) { Ok(()) } else { Err(AllocError::Refused { needed }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_space_is_checked() {
        assert!(check_address_space(0).is_ok() && check_address_space(1 << 20).is_ok());
        assert_eq!(check_address_space(1 << 62).is_err(), cfg!(target_os = "linux"));
    }
}
