//! A slice that owns its block of memory.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use super::error::AllocError;
use super::limits::check_available;
use super::mapping::{self, HUGE_PAGE, Pages};
use crate::util::pages::{self, PageBacking};

/// The alignment of blocks on the heap: a cache line.
const CACHE_LINE: usize = 64;

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
    /// Without any, each page lies on the NUMA node of the thread that touches it first.
    ///
    /// # Errors
    /// If the memory is not there; see [`AllocError`]. NUMA nodes that are not there are no error.
    pub fn on_numa_nodes(len: usize, numa_nodes: &[usize]) -> Result<HugeBox<T>, AllocError> {
        let layout = HugeBox::<T>::layout(len)?;
        // Preallocated pages do not count as available memory.
        if let Some((start, pages)) = mapping::map_preallocated(layout.size(), numa_nodes) {
            return Ok(HugeBox { start: start.cast(), len, pages });
        }
        check_available(layout.size())?;
        HugeBox::mapped(len, layout, numa_nodes)
            .or_else(|| HugeBox::on_heap(len, layout))
            .ok_or(AllocError::Refused { needed: layout.size() as u64 })
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

    /// On what pages the block lies; `None` if the system does not report it. Windows does not, but gives large pages for all of
    /// a block or none.
    pub fn backing(&self) -> Option<PageBacking> {
        let bytes = size_of_val(&**self) as u64;
        match self.pages {
            _ if !cfg!(windows) => pages::backing(self.addresses()),
            Pages::Huge => Some(PageBacking { huge: bytes, ..PageBacking::default() }),
            _ => Some(PageBacking { plain: bytes, ..PageBacking::default() }),
        }
    }

    fn layout(len: usize) -> Result<Layout, AllocError> {
        let () = HugeBox::<T>::CHECKED;
        let layout = Layout::array::<T>(len).and_then(|layout| layout.align_to(CACHE_LINE));
        layout.ok().filter(|layout| layout.size() > 0).ok_or(AllocError::Size)
    }

    fn mapped(len: usize, layout: Layout, numa_nodes: &[usize]) -> Option<HugeBox<T>> {
        if layout.size() < HUGE_PAGE {
            return None;
        }
        let (start, pages) = mapping::map(layout.size(), numa_nodes)?;
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
            // SAFETY: `mapping` returned `start` for this very size and these pages, and nothing borrows
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
            let mapped = block.pages() != Pages::Heap;
            let may = len >= HUGE_PAGE / 8 && cfg!(any(target_os = "linux", windows));
            // Windows gives no pages to a user who may not lock memory. Where pages are preallocated, a block that nearly fills
            // one lies on it.
            let is_exception = !mapped && cfg!(windows) || block.pages().are_preallocated();
            assert!(mapped == may || is_exception, "{len}");
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
}
