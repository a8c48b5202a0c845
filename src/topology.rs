//! Cores, and which thread is pinned where.

use core_affinity::CoreId;

/// When to pin search threads to cores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pin {
    /// Only when there are as many threads as cores: then each thread has a core to itself, and moving it
    /// would only cost. With fewer threads, two engines on one machine would fight for the same cores.
    #[default]
    Auto,
    /// Always, round and round.
    On,
    /// Never.
    Off,
}

impl Pin {
    /// All values.
    pub const ALL: [Pin; 3] = [Pin::Auto, Pin::On, Pin::Off];

    /// The name, as options have it.
    pub const fn name(self) -> &'static str {
        match self {
            Pin::Auto => "auto",
            Pin::On => "on",
            Pin::Off => "off",
        }
    }

    /// The value of this name, in any case.
    pub fn parse(name: &str) -> Option<Pin> {
        Pin::ALL.into_iter().find(|pin| pin.name().eq_ignore_ascii_case(name))
    }
}

/// The core of each of `threads` threads, or `None` where it may run anywhere.
pub fn plan<C: Copy>(pin: Pin, threads: usize, cores: &[C]) -> Vec<Option<C>> {
    let pinned = match pin {
        Pin::Auto => threads == cores.len() && threads > 1,
        Pin::On => !cores.is_empty(),
        Pin::Off => false,
    };
    (0..threads).map(|thread| pinned.then(|| cores[thread % cores.len()])).collect()
}

/// The cores that this process may use.
pub fn cores() -> Vec<CoreId> {
    core_affinity::get_core_ids().unwrap_or_default()
}

/// Binds the calling thread to a core; false if the system refuses.
pub fn bind(core: CoreId) -> bool {
    core_affinity::set_for_current(core)
}

/// How many threads can run at once.
pub fn parallelism() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_pins_only_a_full_machine() {
        let cores = [0, 1, 2, 3];
        assert_eq!(plan(Pin::Auto, 4, &cores), [Some(0), Some(1), Some(2), Some(3)]);
        for threads in [1, 2, 3, 5, 64] {
            assert!(plan(Pin::Auto, threads, &cores).iter().all(Option::is_none));
        }
        assert_eq!(plan(Pin::Auto, 1, &[7]), [None]);
    }

    #[test]
    fn on_goes_round_and_off_never_pins() {
        assert_eq!(plan(Pin::On, 5, &[3, 9]), [Some(3), Some(9), Some(3), Some(9), Some(3)]);
        assert_eq!(plan::<u8>(Pin::On, 2, &[]), [None, None]);
        assert_eq!(plan(Pin::Off, 2, &[0, 1]), [None, None]);
    }
}
