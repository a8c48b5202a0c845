//! Every instruction set against exact arithmetic.

use super::vector::{Block, LANES, Vector};
use super::{Scalar, Visitor, visit_all};

/// Pseudo-random numbers (Sebastiano Vigna 2015, SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A block of numbers, every fourth one of them from a list.
    fn block(&mut self, special: &[i16]) -> Block {
        Block(std::array::from_fn(|_| {
            let bits = self.next();
            if bits >> 62 == 0 { special[bits as usize % special.len()] } else { (bits >> 20) as i16 }
        }))
    }

    fn weights(&mut self) -> Block {
        Block(self.block(&[127, -127]).0.map(|weight| (weight % 128).clamp(-127, 127)))
    }
}

const EDGES: [i16; 8] = [i16::MIN, i16::MIN + 1, -1, 0, 1, 254, 255, 256];

struct Elementwise(Vec<&'static str>);

impl Visitor for Elementwise {
    fn visit<V: Vector>(&mut self) {
        let mut random = Random(1);
        for _ in 0..20_000 {
            let (a, b) = (random.block(&EDGES), random.block(&EDGES));
            let mut out = Block::ZERO;
            V::load(&a).store(&mut out);
            assert_eq!(out, a, "{}", V::NAME);
            V::load(&a).add(V::load(&b)).store(&mut out);
            assert_eq!(out.0, std::array::from_fn(|i| a.0[i].wrapping_add(b.0[i])), "{}", V::NAME);
            V::load(&a).sub(V::load(&b)).store(&mut out);
            assert_eq!(out.0, std::array::from_fn(|i| a.0[i].wrapping_sub(b.0[i])), "{}", V::NAME);
        }
        self.0.push(V::NAME);
    }
}

#[test]
fn numbers_are_loaded_added_subtracted_and_stored() {
    let mut seen = Elementwise(Vec::new());
    visit_all(&mut seen);
    assert_eq!(seen.0[0], Scalar::NAME);
    assert!(seen.0.contains(&super::Native::NAME), "{:?}", seen.0);
}

fn exact(values: &[Block], weights: &[Block]) -> i64 {
    let pairs = values.iter().zip(weights).flat_map(|(v, w)| v.0.into_iter().zip(w.0));
    pairs.map(|(value, weight)| i64::from(value.clamp(0, 255)).pow(2) * i64::from(weight)).sum()
}

struct Products;

impl Visitor for Products {
    fn visit<V: Vector>(&mut self) {
        let sum = |values: &[Block], weights: &[Block]| {
            let add = |sum, (v, w)| V::accumulate::<255>(sum, V::load(v), V::load(w));
            V::total(values.iter().zip(weights).fold(V::zero(), add))
        };
        let mut random = Random(2);
        for length in (0..=32).cycle().take(3000) {
            let values: Vec<Block> = (0..length).map(|_| random.block(&EDGES)).collect();
            let weights: Vec<Block> = (0..length).map(|_| random.weights()).collect();
            assert_eq!(sum(&values, &weights), exact(&values, &weights), "{}", V::NAME);
        }
        // As much as a sum must hold.
        for weight in [127, -127] {
            let (values, weights) = ([Block([i16::MAX; LANES]); 128], [Block([weight; LANES]); 128]);
            assert_eq!(sum(&values, &weights), exact(&values, &weights), "{}", V::NAME);
        }
    }
}

#[test]
fn sums_of_products_are_exact() {
    visit_all(&mut Products);
}
