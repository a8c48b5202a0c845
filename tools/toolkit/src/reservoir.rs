//! A fair sample of items whose number is not known before the last.

/// A uniform sample of at most `size` of the items that were offered, in arbitrary order (Waterman's algorithm R, in Knuth
/// 1981, "The Art of Computer Programming", volume 2).
#[derive(Clone, Debug)]
pub struct Reservoir<T> {
    size: usize,
    seen: usize,
    items: Vec<T>,
}

impl<T> Reservoir<T> {
    /// An empty sample with room for this many items.
    pub const fn new(size: usize) -> Reservoir<T> {
        Reservoir { size, seen: 0, items: Vec::new() }
    }

    /// Offers an item, which is made only if it is kept for now. `below` draws a number below another, each with the same
    /// probability; it is asked once the sample is full. Returns whether the item is kept.
    pub fn offer(&mut self, below: impl FnOnce(usize) -> usize, item: impl FnOnce() -> T) -> bool {
        self.seen += 1;
        if self.items.len() < self.size {
            self.items.push(item());
            return true;
        }
        let place = self.items.get_mut(below(self.seen));
        place.map(|place| *place = item()).is_some()
    }

    /// How many items were offered.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// The items of the sample so far.
    pub fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The sample.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}
