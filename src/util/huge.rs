//! Large zeroed blocks of memory, on huge pages where the system grants them.
//!
//! A table of gigabytes on pages of 4 KiB misses the translation cache at nearly every probe; on pages of 2 MiB
//! far less often. On Linux a block is mapped on pages of 1 GiB or 2 MiB if enough of them are preallocated
//! (`hugetlbfs`); else anonymously, aligned to 2 MiB, and the kernel is told that huge pages are welcome. Small
//! blocks, refused mappings and other systems use the heap. A block that the machine could not back is refused before
//! it is made (see [`super::memory`]).
//!
//! Where several memory nodes use a block, its pages are interleaved over them (see [`super::numa`]).

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use super::memory;

/// The size of a huge page, and the alignment of mapped blocks.
pub const HUGE_PAGE: usize = 2 << 20;

/// The alignment of blocks on the heap: a cache line.
const CACHE_LINE: usize = 64;

/// The bytes that are left to other processes, unless an eighth of what is available is less.
const RESERVE: u64 = 64 << 20;

/// Where a block lies, and which pages were asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Mapped on preallocated pages of 1 GiB.
    PreallocatedGiant,
    /// Mapped on preallocated pages of 2 MiB.
    PreallocatedHuge,
    /// Mapped, and the system took the request for huge pages. It grants them as it can.
    Huge,
    /// Mapped, but the system knows no huge pages.
    Plain,
    /// On the heap: small, or the mapping was refused, or this is not Linux.
    Heap,
}

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

/// A slice that owns its zero-initialised block. Elements are never dropped one by one.
pub struct HugeBox<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
    pages: Pages,
}

// SAFETY: the block is owned by this value alone, as a `Box<[T]>` owns its own.
unsafe impl<T: Zeroable + Send> Send for HugeBox<T> {}
// SAFETY: a shared box gives out nothing but `&[T]`.
unsafe impl<T: Zeroable + Sync> Sync for HugeBox<T> {}

impl<T: Zeroable> HugeBox<T> {
    const CHECKED: () = {
        assert!(size_of::<T>() > 0, "elements must take space");
        assert!(align_of::<T>() <= CACHE_LINE, "elements must be aligned to a cache line at most");
        assert!(!std::mem::needs_drop::<T>(), "elements are not dropped");
    };

    /// A box of `len` zeroed elements. The pages are not touched yet if they are mapped.
    ///
    /// # Errors
    /// If the memory is not there; see [`AllocError`].
    pub fn new(len: usize) -> Result<HugeBox<T>, AllocError> {
        HugeBox::on_numa_nodes(len, &[])
    }

    /// A box of `len` zeroed elements whose pages are interleaved over the NUMA nodes of these numbers in the system.
    /// Without any, each page lies on the node of the thread that touches it first.
    ///
    /// # Errors
    /// If the memory is not there; see [`AllocError`]. Nodes that are not there are no error.
    pub fn on_numa_nodes(len: usize, nodes: &[usize]) -> Result<HugeBox<T>, AllocError> {
        let layout = HugeBox::<T>::layout(len)?;
        // Preallocated pages do not count as available memory.
        if let Some((start, pages)) = mapping::map_preallocated(layout.size(), nodes) {
            return Ok(HugeBox { start: start.cast(), len, pages });
        }
        check_room(layout.size(), memory::available())?;
        HugeBox::mapped(len, layout, nodes)
            .or_else(|| HugeBox::on_heap(len, layout))
            .ok_or(refused(layout.size()))
    }

    /// A box of no elements, which owns no memory.
    pub const fn empty() -> HugeBox<T> {
        let () = HugeBox::<T>::CHECKED;
        HugeBox { start: NonNull::dangling(), len: 0, pages: Pages::Heap }
    }

    /// Where the block lies, and which pages were asked for.
    pub const fn pages(&self) -> Pages {
        self.pages
    }

    /// The addresses of the block.
    pub fn addresses(&self) -> Range<usize> {
        let start = self.start.as_ptr() as usize;
        start..start + size_of_val(&**self)
    }

    fn layout(len: usize) -> Result<Layout, AllocError> {
        let () = HugeBox::<T>::CHECKED;
        let layout = Layout::array::<T>(len).and_then(|layout| layout.align_to(CACHE_LINE));
        layout.ok().filter(|layout| layout.size() > 0).ok_or(AllocError::Size)
    }

    fn mapped(len: usize, layout: Layout, nodes: &[usize]) -> Option<HugeBox<T>> {
        if layout.size() < HUGE_PAGE {
            return None;
        }
        let (start, pages) = mapping::map(layout.size(), nodes)?;
        Some(HugeBox { start: start.cast(), len, pages })
    }

    fn on_heap(len: usize, layout: Layout) -> Option<HugeBox<T>> {
        // SAFETY: `layout` refuses sizes of zero.
        let start = unsafe { alloc_zeroed(layout) };
        NonNull::new(start).map(|start| HugeBox { start: start.cast(), len, pages: Pages::Heap })
    }
}

impl<T: Zeroable> Drop for HugeBox<T> {
    fn drop(&mut self) {
        let Ok(layout) = HugeBox::<T>::layout(self.len) else { return };
        match self.pages {
            // SAFETY: the box is not empty, so `on_heap` allocated `start` with this very layout.
            Pages::Heap => unsafe { dealloc(self.start.as_ptr().cast(), layout) },
            // SAFETY: `mapped` or `set_aside` got `start` for this very size and these pages, and nothing borrows
            // from the box any more.
            pages => unsafe { mapping::unmap(self.start.cast(), layout.size(), pages) },
        }
    }
}

impl<T: Zeroable> Deref for HugeBox<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` is aligned (dangling if `len` is 0) and begins a block of `len` elements, which were
        // zeroed, a valid pattern for `T: Zeroable`, and which live as long as the box.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> DerefMut for HugeBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the borrow of the box makes the slice the only one.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Zeroable> fmt::Debug for HugeBox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HugeBox").field("len", &self.len).field("pages", &self.pages).finish()
    }
}

fn refused(bytes: usize) -> AllocError {
    AllocError::Refused { needed: bytes as u64 }
}

/// An error if `bytes` and the reserve are more than is available. An unknown amount counts as enough.
fn check_room(bytes: usize, available: Option<u64>) -> Result<(), AllocError> {
    let Some(available) = available else { return Ok(()) };
    let usable = available - RESERVE.min(available / 8);
    if bytes as u64 <= usable {
        Ok(())
    } else {
        Err(AllocError::DoesNotFit { needed: bytes as u64, available: usable })
    }
}

#[cfg(target_os = "linux")]
mod mapping {
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
    const WASTE: usize = 8;
    /// How many bytes are backed at a time, if pages are smaller.
    const PIECE: usize = 64 << 20;
    /// With this many pages for each node their shares are about even.
    const EVEN: usize = 4;

    /// A zeroed mapping of `bytes`, aligned to huge pages; `None` if the system refuses.
    pub(super) fn map(bytes: usize, on: &[usize]) -> Option<(NonNull<u8>, Pages)> {
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
    pub(super) fn map_preallocated(bytes: usize, on: &[usize]) -> Option<(NonNull<u8>, Pages)> {
        let giant = (Pages::PreallocatedGiant, GIANT_PAGE, libc::MAP_HUGE_1GB);
        let huge = (Pages::PreallocatedHuge, HUGE_PAGE, libc::MAP_HUGE_2MB);
        // Few large pages would lie on some nodes and not on others: small ones first.
        let uneven = on.len() > 1 && bytes / GIANT_PAGE < EVEN * on.len();
        let kinds = if uneven { [huge, giant] } else { [giant, huge] };
        kinds.into_iter().find_map(|(pages, page, flag)| {
            let size = bytes.checked_next_multiple_of(page).filter(|&size| size - bytes <= bytes / WASTE)?;
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

    /// Gives back what `map(bytes)` or `set_aside(bytes)` returned.
    ///
    /// # Safety
    /// `start` and `pages` were returned by one of them, are given back once, and are not used afterwards.
    pub(super) unsafe fn unmap(start: NonNull<u8>, bytes: usize, pages: Pages) {
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

#[cfg(not(target_os = "linux"))]
mod mapping {
    use std::ptr::NonNull;

    use super::Pages;

    pub(super) fn map(_bytes: usize, _nodes: &[usize]) -> Option<(NonNull<u8>, Pages)> {
        None
    }

    pub(super) fn set_aside(_bytes: usize, _nodes: &[usize]) -> Option<(NonNull<u8>, Pages)> {
        None
    }

    /// # Safety
    /// Nothing is ever mapped here, so there is nothing to give back.
    pub(super) unsafe fn unmap(_start: NonNull<u8>, _bytes: usize, _pages: Pages) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_os = "linux")]
    use crate::util::numa;

    fn check(mut block: HugeBox<u64>, len: usize) {
        assert_eq!(block.len(), len);
        assert!(block.iter().all(|&word| word == 0));
        for (index, word) in block.iter_mut().enumerate() {
            *word = index as u64;
        }
        assert!(block.iter().enumerate().all(|(index, &word)| word == index as u64));
    }

    #[test]
    fn blocks_are_zeroed_aligned_and_writable() {
        for len in [1, 7, 4096, HUGE_PAGE / 8 - 1, HUGE_PAGE / 8, HUGE_PAGE / 8 + 1, HUGE_PAGE] {
            let block = HugeBox::<u64>::new(len).unwrap();
            let mapped = cfg!(target_os = "linux") && len >= HUGE_PAGE / 8;
            assert_eq!(block.pages() != Pages::Heap, mapped);
            let alignment = if mapped { HUGE_PAGE } else { CACHE_LINE };
            assert!((block.as_ptr() as usize).is_multiple_of(alignment));
            check(block, len);
        }
    }

    #[test]
    fn the_heap_serves_any_size() {
        for len in [1, HUGE_PAGE / 8 + 5] {
            let layout = HugeBox::<u64>::layout(len).unwrap();
            let block = HugeBox::<u64>::on_heap(len, layout).unwrap();
            assert!((block.as_ptr() as usize).is_multiple_of(CACHE_LINE));
            check(block, len);
        }
    }

    #[test]
    fn impossible_sizes_are_errors() {
        assert_eq!(HugeBox::<u64>::new(0).err(), Some(AllocError::Size));
        assert_eq!(HugeBox::<u64>::new(usize::MAX).err(), Some(AllocError::Size));
        assert_eq!(HugeBox::<u64>::new(usize::MAX / 8).err(), Some(AllocError::Size));
        assert!(HugeBox::<u64>::new(1 << 57).is_err());
        assert!(HugeBox::<u64>::mapped(1 << 57, HugeBox::<u64>::layout(1 << 57).unwrap(), &[]).is_none());
        assert!(HugeBox::<u64>::empty().is_empty());
    }

    /// The policy of the mapping that a block lies in, as the kernel reports it; `None` if it does not.
    #[cfg(target_os = "linux")]
    fn policy(block: &HugeBox<u64>) -> Option<String> {
        let text = std::fs::read_to_string("/proc/self/numa_maps").ok()?;
        let start = block.addresses().start;
        let mappings = text.lines().filter_map(|line| {
            let (address, rest) = line.split_once(' ')?;
            Some((usize::from_str_radix(address, 16).ok()?, rest))
        });
        let (_, rest) = mappings.rev().find(|&(address, _)| address <= start)?;
        rest.split(' ').next().map(str::to_string)
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_kernel_knows_where_a_block_belongs() {
        for (on, expected) in [(&[0][..], "prefer:"), (&[0, 1], "interleave:")] {
            // Containers may forbid it: then it fails with any mapping.
            let other = HugeBox::<u64>::new(HUGE_PAGE / 8).unwrap();
            let start = NonNull::new(other.as_ptr().cast_mut().cast()).unwrap();
            // SAFETY: the mapping of the block, a huge page.
            let permitted = unsafe { numa::set_page_policy(start, HUGE_PAGE, on) };
            let block = HugeBox::<u64>::on_numa_nodes(HUGE_PAGE / 8, on).unwrap();
            if permitted && let Some(found) = policy(&block) {
                assert!(found.starts_with(expected), "{found}");
            }
            check(block, HUGE_PAGE / 8);
        }
    }

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
