//! Numbers in rows of a fixed length, aligned to cache lines.

use bytemuck::{Pod, Zeroable};
use wide::f32x16;

/// The number of vectors in a row: few enough that all rows of the inputs for a slice of the network stay in the
/// second-level cache, and enough that finding a row costs less than adding it.
pub const VECTORS: usize = 2;
/// The numbers of a row.
pub const LANES: usize = 16 * VECTORS;

/// What belongs to [`LANES`] neighbouring hidden units.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct SliceRow(pub [f32x16; VECTORS]);

impl SliceRow {
    /// All zeros.
    pub const ZERO: SliceRow = SliceRow([f32x16::new([0.0; 16]); VECTORS]);

    /// A row of these numbers.
    pub fn new(numbers: [f32; LANES]) -> SliceRow {
        bytemuck::cast(numbers)
    }

    /// The numbers.
    pub fn numbers(&self) -> &[f32; LANES] {
        bytemuck::cast_ref(self)
    }

    /// The numbers, to be changed.
    pub fn numbers_mut(&mut self) -> &mut [f32; LANES] {
        bytemuck::cast_mut(self)
    }

    /// Adds another row.
    #[inline(always)]
    pub fn add(&mut self, other: &SliceRow) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }

    /// The sum of its numbers.
    #[inline]
    pub fn sum(&self) -> f32 {
        let [mut sum, rest @ ..] = self.0;
        for vector in rest {
            sum += vector;
        }
        sum.reduce_add()
    }
}
