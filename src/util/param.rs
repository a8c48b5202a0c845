//! Numbers that a tuner may change.

use std::error::Error;
use std::fmt;

/// A number of the search, as a tuner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The name, as in `params.rs`.
    pub name: &'static str,
    /// The value in a normal build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// How far a tuner should move at a time.
    pub step: i32,
}

/// Why a number cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamError {
    /// There is no number of this name.
    Unknown,
    /// The value is not within the range of the number.
    OutOfRange(i32),
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamError::Unknown => write!(f, "there is no such number"),
            ParamError::OutOfRange(value) => write!(f, "{value} is out of range"),
        }
    }
}

impl Error for ParamError {}

/// Declares numbers, one line each: a name, a value, a range and a step. Each is a function of its name, a constant unless
/// the program is built with the feature `tune`; `ALL` lists them, and `set` changes one in a tuning build.
macro_rules! params {
    ($($(#[$meta:meta])* $name:ident = $value:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        /// All numbers, in the order of this file.
        pub const ALL: &[$crate::util::param::Param] = &[$($crate::util::param::Param {
            name: stringify!($name), default: $value, min: $min, max: $max, step: $step,
        }),*];

        $(const _: () = assert!($min <= $value && $value <= $max && $step > 0, stringify!($name));)*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod cells {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($value);)*
        }

        $(
            $(#[$meta])*
            #[inline(always)]
            pub fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return cells::$name.load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                $value
            }
        )*

        /// Sets a number in a tuning build.
        ///
        /// # Errors
        /// If there is none of this name, or the value is out of its range.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> Result<(), $crate::util::param::ParamError> {
            let cell = match name {
                $(stringify!($name) if ($min..=$max).contains(&value) => &cells::$name,
                stringify!($name) => return Err($crate::util::param::ParamError::OutOfRange(value)),)*
                _ => return Err($crate::util::param::ParamError::Unknown),
            };
            cell.store(value, std::sync::atomic::Ordering::Relaxed);
            Ok(())
        }
    };
}

pub(crate) use params;
