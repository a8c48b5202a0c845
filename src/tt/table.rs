//! The table: memory, addressing, generations.

use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;

use super::cluster::{Cluster, SLOTS, clear};
use super::entry::{GENERATIONS, PackedEntry, TableEntry};
use crate::util::huge::{AllocError, HUGE_PAGE, HugeBox, Pages};
use crate::util::numa::{self, BytesByNumaNode};
use crate::util::pages::PageBacking;
use crate::util::prefetch::prefetch;

/// Clusters in a megabyte.
const CLUSTERS_PER_MB: usize = (1 << 20) / size_of::<Cluster>();
/// Clusters on the smallest page that a system may use.
const CLUSTERS_PER_PAGE: usize = 4096 / size_of::<Cluster>();
/// Clusters on a huge page, which no two threads should touch first.
const CLUSTERS_PER_HUGE_PAGE: usize = HUGE_PAGE / size_of::<Cluster>();
/// Below this much work a thread is not worth starting.
const CLUSTERS_PER_THREAD: usize = 4 * CLUSTERS_PER_MB;
/// Clusters that [`TranspositionTable::hashfull`] looks at.
const SAMPLE: usize = 1000;

/// Why a table did not get its size, and what there is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResizeError {
    /// The megabytes asked for.
    pub requested: usize,
    /// The megabytes there are now; with 0 the table works, but remembers nothing.
    pub current: usize,
    /// True if the old table is still there with all its entries.
    pub content_kept: bool,
    /// What went wrong.
    pub cause: AllocError,
}

impl fmt::Display for ResizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no transposition table of {} MB ({}); ", self.requested, self.cause)?;
        match (self.current, self.content_kept) {
            (0, _) => write!(f, "there is none"),
            (now, true) => write!(f, "keeping the one of {now} MB"),
            (now, false) => write!(f, "going on with an empty one of {now} MB"),
        }
    }
}

impl Error for ResizeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.cause)
    }
}

/// A transposition table. Probing and storing take `&self` from any number of threads at once.
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: HugeBox<Cluster>,
    generation: AtomicU8,
    /// The clusters are new, and no page of them is backed by memory yet.
    untouched: bool,
}

impl TranspositionTable {
    /// An empty table of this many megabytes (1 or more), every page of it backed by memory.
    ///
    /// # Errors
    /// If the memory is not there.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, ResizeError> {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut table = TranspositionTable::without_memory();
        table.resize(megabytes, threads).map(|()| table)
    }

    /// A table of no size, which remembers nothing.
    pub const fn without_memory() -> TranspositionTable {
        TranspositionTable { clusters: HugeBox::empty(), generation: AtomicU8::new(0), untouched: false }
    }

    /// Gives the table another size in megabytes and empties it, with this many threads. The present size changes nothing.
    ///
    /// # Errors
    /// If the memory is not there. The old table stays if the new one does not fit even in its place; if it
    /// seemed to and then did not, the table is empty and of the old size, or the largest that could be had.
    pub fn resize(&mut self, megabytes: usize, threads: usize) -> Result<(), ResizeError> {
        let result = self.allocate(megabytes, &[]);
        if self.take_untouched() {
            self.in_parallel(threads, touch);
        }
        result
    }

    /// [`TranspositionTable::resize`], but leaves it to [`TranspositionTable::touch_part`] to have new pages backed by
    /// memory: on the NUMA nodes of these numbers, or without any on that of the thread that touches them.
    ///
    /// # Errors
    /// If the memory is not there: see [`TranspositionTable::resize`].
    pub fn allocate(&mut self, megabytes: usize, numa_nodes: &[usize]) -> Result<(), ResizeError> {
        self.resize_with(megabytes, |clusters, _| HugeBox::on_numa_nodes(clusters, numa_nodes))
    }

    /// True, once, if there are new pages to be touched.
    pub fn take_untouched(&mut self) -> bool {
        std::mem::take(&mut self.untouched)
    }

    /// Has one of `parts` equal parts of a new table backed by memory: near the processor of the calling thread, unless
    /// the table was given NUMA nodes, or lies on preallocated pages, which are backed when they are mapped.
    pub fn touch_part(&self, part: usize, parts: usize) {
        touch(self.part(part, parts));
    }

    /// Empties one of `parts` equal parts.
    pub fn clear_part(&self, part: usize, parts: usize) {
        self.generation.store(0, Relaxed);
        clear(self.part(part, parts));
    }

    /// One of `parts` equal parts, in whole huge pages; the last ones may be smaller or empty.
    fn part(&self, part: usize, parts: usize) -> &[Cluster] {
        let size = self.clusters.len().div_ceil(parts.max(1)).next_multiple_of(CLUSTERS_PER_HUGE_PAGE);
        self.clusters.chunks(size.max(1)).nth(part).unwrap_or_default()
    }

    /// [`TranspositionTable::resize`] with the allocator given: called with the clusters wanted and those still held.
    pub(super) fn resize_with(
        &mut self,
        megabytes: usize,
        mut allocate: impl FnMut(usize, usize) -> Result<HugeBox<Cluster>, AllocError>,
    ) -> Result<(), ResizeError> {
        let held = self.clusters.len();
        let failed = |now: usize, content_kept, cause| {
            Err(ResizeError { requested: megabytes, current: now / CLUSTERS_PER_MB, content_kept, cause })
        };
        let wanted = match megabytes.checked_mul(CLUSTERS_PER_MB) {
            None | Some(0) => return failed(held, held > 0, AllocError::Size),
            Some(wanted) if wanted == held => return Ok(()),
            Some(wanted) => wanted,
        };
        match allocate(wanted, held) {
            // Of pages that were set aside for the new one, the old one may lie on some.
            Ok(new) if may_lie_better_alone(self.clusters.pages(), new.pages()) => drop(new),
            Ok(new) => {
                self.replace(new);
                return Ok(());
            }
            // Both at once do not fit. The new one alone would if what it needs on top of the old one is there.
            Err(cause) if held == 0 || wanted > held && allocate(wanted - held, held).is_err() => {
                return failed(held, held > 0, cause);
            }
            Err(_) => {}
        }
        self.start_over(wanted, held, allocate)
    }

    /// A new, empty table of the same size in the place of the old one, on other NUMA nodes: see
    /// [`TranspositionTable::allocate`].
    ///
    /// # Errors
    /// If the memory is not there any more: then the table is the largest that could be had.
    pub fn move_to(&mut self, numa_nodes: &[usize]) -> Result<(), ResizeError> {
        match self.clusters.len() {
            0 => Ok(()),
            held => self.start_over(held, held, |clusters, _| HugeBox::on_numa_nodes(clusters, numa_nodes)),
        }
    }

    /// Gives the old table up for one of `wanted` clusters, or, if that cannot be had, of as many as were held, or the half
    /// and so on.
    fn start_over(
        &mut self,
        wanted: usize,
        held: usize,
        mut allocate: impl FnMut(usize, usize) -> Result<HugeBox<Cluster>, AllocError>,
    ) -> Result<(), ResizeError> {
        self.clusters = HugeBox::empty();
        let Err(cause) = allocate(wanted, 0).map(|clusters| self.replace(clusters)) else { return Ok(()) };
        let sizes =
            std::iter::successors(Some(held), |size| Some(size / 2 / CLUSTERS_PER_MB * CLUSTERS_PER_MB));
        let mut sizes = sizes.take_while(|&size| size > 0);
        if let Some(clusters) = sizes.find_map(|size| allocate(size, 0).ok()) {
            self.replace(clusters);
        }
        let (asked, now) = (wanted / CLUSTERS_PER_MB, self.clusters.len() / CLUSTERS_PER_MB);
        Err(ResizeError { requested: asked, current: now, content_kept: false, cause })
    }

    fn replace(&mut self, clusters: HugeBox<Cluster>) {
        self.clusters = clusters;
        self.generation = AtomicU8::new(0);
        self.untouched = true;
    }

    /// Empties the table with this many threads. Searches that go on meanwhile are not disturbed, and what they
    /// store may survive.
    pub fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        self.in_parallel(threads, clear);
    }

    /// Has `threads` threads do `work` on equal parts, the calling thread on the first.
    fn in_parallel(&self, threads: usize, work: impl Fn(&[Cluster]) + Sync) {
        let threads = threads.min(self.clusters.len() / CLUSTERS_PER_THREAD).max(1);
        thread::scope(|scope| {
            for part in (1..threads).map(|part| self.part(part, threads)) {
                // A system that refuses another thread is no reason to fail.
                if thread::Builder::new().spawn_scoped(scope, || work(part)).is_err() {
                    work(part);
                }
            }
            work(self.part(0, threads));
        });
    }

    /// What the table knows about a position that the search reached `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        self.cluster(key)?.probe(key).map(|word| word.unpack(ply))
    }

    /// Stores what a search found about a position that it reached `ply` plies from the root.
    ///
    /// If the table already has an entry of the position, a missing move or static evaluation is taken from it. The old value
    /// stays where the new entry has none (`Bound::None`), and, unless the new one is exact, where it is of the same search and
    /// much deeper. The depth is clamped to -7..=247 plies.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, entry: &TableEntry) {
        if let Some(cluster) = self.cluster(key) {
            cluster.store(key, PackedEntry::pack(entry, ply, self.generation.load(Relaxed)));
        }
    }

    /// Fetches the cluster of a position into the cache, to be probed soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        if let Some(cluster) = self.cluster(key) {
            prefetch(cluster);
        }
    }

    /// Begins a new search: entries of earlier ones age, and give way sooner.
    pub fn new_search(&self) {
        let generation = self.generation.load(Relaxed);
        self.generation.store((generation + 1) % GENERATIONS, Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters[..SAMPLE.min(self.clusters.len())];
        let used: usize = sample.iter().map(|cluster| cluster.count(generation)).sum();
        (used * 1000 / (sample.len() * SLOTS).max(1)) as u32
    }

    /// The size in megabytes.
    pub fn megabytes(&self) -> usize {
        self.clusters.len() / CLUSTERS_PER_MB
    }

    /// On what pages the table lies, if the system says.
    pub fn backing(&self) -> Option<PageBacking> {
        self.clusters.backing()
    }

    /// On which NUMA nodes the table lies, if the system says.
    pub fn bytes_by_numa_node(&self) -> Option<BytesByNumaNode> {
        numa::bytes_by_numa_node(self.clusters.addresses())
    }

    /// The index of a position's cluster: the high half of key times size, uniform over any size (Daniel
    /// Lemire, "Fast random integer generation in an interval", 2019). Uses the high bits of the key, so that
    /// the low ones identify the entry within its cluster.
    #[inline]
    pub(super) fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    #[inline]
    fn cluster(&self, key: u64) -> Option<&Cluster> {
        self.clusters.get(self.index(key))
    }
}

/// Was a new block denied preallocated pages that a block which is held, and which it would replace, lies on?
pub(super) const fn may_lie_better_alone(held: Pages, new: Pages) -> bool {
    held.are_preallocated() && !new.are_preallocated()
}

/// Has every page of a part backed by memory.
fn touch(part: &[Cluster]) {
    part.iter().step_by(CLUSTERS_PER_PAGE).for_each(Cluster::touch);
}
