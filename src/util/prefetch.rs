//! Prefetching into the cache.

/// Fetches the cache line in which a place begins, to be read soon. Does nothing on processors other than x86-64 and ARM of 64
/// bits.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program could see, and the address is a reference's.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch changes nothing that the program could see, and does nothing where an address is invalid.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{}]",
            in(reg) std::ptr::from_ref(place).cast::<u8>(),
            options(nostack, preserves_flags, readonly)
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = place;
}
