//! Maps and unmaps pages of memory. Linux maps any, Windows large ones where the user may lock memory, and others none.

#[cfg(target_os = "linux")]
pub(super) use linux::{has_address_space, map, map_preallocated, unmap};

/// The size of a huge page, and the alignment of mapped blocks.
pub const HUGE_PAGE: usize = 2 << 20;

/// Where a block lies, and which pages were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Mapped on preallocated pages of 1 GiB.
    PreallocatedGiant,
    /// Mapped on preallocated pages of 2 MiB.
    PreallocatedHuge,
    /// Mapped, and the system took the request for huge pages. Linux grants them as it can, Windows all.
    Huge,
    /// Mapped, but the system knows no huge pages.
    Plain,
    /// On the heap: small, or the mapping was refused, or the system maps none.
    Heap,
}

impl Pages {
    /// True of pages that the operator of the machine has set aside for such blocks.
    pub const fn are_preallocated(self) -> bool {
        matches!(self, Pages::PreallocatedGiant | Pages::PreallocatedHuge)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::num::NonZeroUsize;
    use std::ptr::{NonNull, null_mut};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
    use std::thread;

    use crossbeam::sync::WaitGroup;

    use super::{HUGE_PAGE, Pages};
    use crate::util::numa;

    /// The size of the largest pages.
    const GIANT_PAGE: usize = 1 << 30;
    /// At most one in this many bytes is wasted for larger pages.
    const WASTE_DIVISOR: usize = 8;
    /// How many bytes are backed at a time, if pages are smaller.
    const PIECE: usize = 64 << 20;
    /// With this many pages for each node their shares are about even.
    const EVEN: usize = 4;

    /// A zeroed mapping of `bytes`, aligned to huge pages; `None` if the system refuses.
    pub(in crate::util::huge) fn map(bytes: usize, on: &[usize]) -> Option<(NonNull<u8>, Pages)> {
        let size = bytes.checked_next_multiple_of(HUGE_PAGE)?;
        let padded = size.checked_add(HUGE_PAGE)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a fresh anonymous mapping, placed by the kernel, touches no memory that is in use.
        let raw = unsafe { libc::mmap(null_mut(), padded, protection, flags, -1, 0) };
        if raw == libc::MAP_FAILED {
            return None;
        }
        let raw: NonNull<u8> = NonNull::new(raw)?.cast();
        let head = raw.align_offset(HUGE_PAGE);
        // SAFETY: `head < HUGE_PAGE`, and the mapping is `HUGE_PAGE` longer than `size`.
        let start = unsafe { raw.add(head) };
        // SAFETY: `head + size <= padded`, so the end stays within the mapping, or just behind it.
        let end = unsafe { start.add(size) };
        // SAFETY: the first `head` bytes of the mapping, which nothing refers to.
        unsafe { trim(raw, head) };
        // SAFETY: the bytes of the mapping behind `size`, which nothing refers to.
        unsafe { trim(end, HUGE_PAGE - head) };
        // SAFETY: `start` begins `size` bytes of the mapping, in whole pages.
        unsafe { numa::set_page_policy(start, size, on) };
        // SAFETY: `start` begins `size` bytes of the mapping, both multiples of the page size.
        let advice = unsafe { libc::madvise(start.as_ptr().cast(), size, libc::MADV_HUGEPAGE) };
        Some((start, if advice == 0 { Pages::Huge } else { Pages::Plain }))
    }

    /// A zeroed mapping of `bytes` on the largest preallocated pages, all backed by memory of these nodes as far
    /// as they have such pages; `None` if there are not enough, or too much of them would be wasted.
    pub(in crate::util::huge) fn map_preallocated(
        bytes: usize,
        on: &[usize],
    ) -> Option<(NonNull<u8>, Pages)> {
        let giant = (Pages::PreallocatedGiant, GIANT_PAGE, libc::MAP_HUGE_1GB);
        let huge = (Pages::PreallocatedHuge, HUGE_PAGE, libc::MAP_HUGE_2MB);
        // Few large pages would lie on some nodes and not on others: small ones first.
        let uneven = on.len() > 1 && bytes / GIANT_PAGE < EVEN * on.len();
        let kinds = if uneven { [huge, giant] } else { [giant, huge] };
        kinds.into_iter().find_map(|(pages, page, flag)| {
            let size =
                bytes.checked_next_multiple_of(page).filter(|&size| size - bytes <= bytes / WASTE_DIVISOR)?;
            backed(size, (page, flag), on).map(|start| (start, pages))
        })
    }

    /// A mapping of `size` bytes on pages of this size, which `flag` encodes for the kernel.
    fn backed(size: usize, (page, flag): (usize, libc::c_int), on: &[usize]) -> Option<NonNull<u8>> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_HUGETLB | flag;
        // SAFETY: a fresh anonymous mapping, placed by the kernel, touches no memory that is in use.
        let raw = unsafe { libc::mmap(null_mut(), size, protection, flags, -1, 0) };
        if raw == libc::MAP_FAILED {
            return None;
        }
        let start: NonNull<u8> = NonNull::new(raw)?.cast();
        // SAFETY: the whole mapping, in whole pages.
        unsafe { numa::set_page_policy(start, size, on) };
        // If a control group refuses such a page later, the process dies; so they are backed now.
        if !populate(start, size, page.max(PIECE)) {
            // SAFETY: the whole mapping, which nothing refers to.
            unsafe { trim(start, size) };
            return None;
        }
        Some(start)
    }

    /// Has a fresh mapping of preallocated pages backed by memory, `piece` bytes at a time; false if that fails anywhere.
    /// Zeroing is what takes time, so there is a thread for each gigabyte, if that many can run. All begin together, for
    /// while one of them is at it, the kernel lets no other thread be made.
    fn populate(start: NonNull<u8>, size: usize, piece: usize) -> bool {
        let most = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = size.div_ceil(GIANT_PAGE).min(most);
        let address = start.as_ptr() as usize;
        let (next, whole) = (AtomicUsize::new(0), AtomicBool::new(true));
        let work = || {
            while whole.load(Relaxed) {
                let offset = next.fetch_add(piece, Relaxed);
                if offset >= size {
                    break;
                }
                let (start, length) = ((address + offset) as *mut libc::c_void, piece.min(size - offset));
                // SAFETY: `offset < size`, so `length` bytes of the mapping, whole pages; zeros are put where zeros are
                // read. Kernels that do not know the advice refuse it.
                if unsafe { libc::madvise(start, length, libc::MADV_POPULATE_WRITE) } != 0 {
                    whole.store(false, Relaxed);
                }
            }
        };
        let ready = WaitGroup::new();
        thread::scope(|scope| {
            for _ in 1..threads {
                let ready = ready.clone();
                let begin = || {
                    ready.wait();
                    work();
                };
                // If the system refuses another thread, the others do its part.
                let _ = thread::Builder::new().spawn_scoped(scope, begin);
            }
            ready.wait();
            work();
        });
        whole.into_inner()
    }

    /// True if this many bytes of addresses can be mapped.
    pub(in crate::util::huge) fn has_address_space(bytes: usize) -> bool {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh anonymous mapping without access, placed by the kernel, touches no memory that is in use.
        let start = unsafe { libc::mmap(null_mut(), bytes.max(1), libc::PROT_NONE, flags, -1, 0) };
        // SAFETY: the whole mapping that has just been made, to which nothing refers.
        start != libc::MAP_FAILED && unsafe { libc::munmap(start, bytes.max(1)) == 0 }
    }

    /// Gives back what `map(bytes)` or `map_preallocated(bytes)` returned.
    ///
    /// # Safety
    /// `start` and `pages` were returned by one of them, are given back once, and are not used afterwards.
    pub(in crate::util::huge) unsafe fn unmap(start: NonNull<u8>, bytes: usize, pages: Pages) {
        let page = if pages == Pages::PreallocatedGiant { GIANT_PAGE } else { HUGE_PAGE };
        // SAFETY: exactly this many bytes are mapped there; the caller vouches for the rest.
        unsafe { trim(start, bytes.next_multiple_of(page)) };
    }

    /// # Safety
    /// `start` begins `bytes` mapped bytes, in whole pages, that are no longer used.
    unsafe fn trim(start: NonNull<u8>, bytes: usize) {
        if bytes > 0 {
            // SAFETY: the caller's promise.
            let result = unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
            debug_assert_eq!(result, 0, "unmapping failed");
        }
    }
}

#[cfg(windows)]
pub(super) use on_windows::{map, unmap};
#[cfg(not(target_os = "linux"))]
pub(super) use unsupported::{has_address_space, map_preallocated};
#[cfg(not(any(target_os = "linux", windows)))]
pub(super) use unsupported::{map, unmap};

#[cfg(windows)]
mod on_windows {
    use std::ptr::NonNull;

    use super::Pages;
    use crate::util::windows;

    /// A zeroed block of `bytes` on large pages; `None` if the system refuses.
    pub(in crate::util::huge) fn map(bytes: usize, _nodes: &[usize]) -> Option<(NonNull<u8>, Pages)> {
        Some((windows::large_pages(bytes)?, Pages::Huge))
    }

    /// Gives back what `map` returned.
    ///
    /// # Safety
    /// `start` was returned by it, is given back once, and is not used afterwards.
    pub(in crate::util::huge) unsafe fn unmap(start: NonNull<u8>, _bytes: usize, _pages: Pages) {
        // SAFETY: the caller's promise.
        unsafe { windows::free_large_pages(start) };
    }
}

#[cfg(not(target_os = "linux"))]
mod unsupported {
    use std::ptr::NonNull;

    use super::Pages;

    pub(in crate::util::huge) fn map_preallocated(
        _bytes: usize,
        _nodes: &[usize],
    ) -> Option<(NonNull<u8>, Pages)> {
        None
    }

    pub(in crate::util::huge) fn has_address_space(_bytes: usize) -> bool {
        true
    }

    #[cfg(not(windows))]
    pub(in crate::util::huge) fn map(_bytes: usize, _nodes: &[usize]) -> Option<(NonNull<u8>, Pages)> {
        None
    }

    /// # Safety
    /// Nothing is ever mapped here, so there is nothing to give back.
    #[cfg(not(windows))]
    pub(in crate::util::huge) unsafe fn unmap(_start: NonNull<u8>, _bytes: usize, _pages: Pages) {}
}
