//! Every instruction set of this build against exact arithmetic, and the network on each against the scalar one.
//!
//! A program of its own, without the test harness: under emulation there may be no threads.

mod net;

use std::sync::Arc;

use caesura::nnue::simd::{BackendVisitor, I8x32, I16x32, LANES, Native, Scalar, Vector, visit_backends};
use caesura::nnue::{Evaluator, Network};
use caesura::types::Value;
use net::{Random, random_network, start};

fn main() {
    for (name, test) in [
        (
            "numbers are loaded, widened, added, subtracted, multiplied and stored",
            numbers_are_loaded_combined_and_stored as fn(),
        ),
        ("sums of products are exact", sums_of_products_are_exact),
        ("every instruction set finds the same values", every_instruction_set_finds_the_same_values),
    ] {
        test();
        println!("{name}: ok");
    }
}

/// A block of numbers, every fourth one of them from a list.
fn block(random: &mut Random, special: &[i16]) -> I16x32 {
    I16x32(std::array::from_fn(|_| {
        let bits = random.next();
        if bits >> 62 == 0 { *random.pick(special) } else { (bits >> 20) as i16 }
    }))
}

fn weights(random: &mut Random) -> I16x32 {
    I16x32(block(random, &[8191, -8191]).0.map(|weight| weight % 8192))
}

const EDGES: [i16; 8] = [i16::MIN, i16::MIN + 1, -1, 0, 1, 1023, 1024, 1025];

struct Elementwise(Vec<&'static str>);

impl BackendVisitor for Elementwise {
    fn visit<V: Vector>(&mut self) {
        let mut random = Random(1);
        for _ in 0..20_000 {
            let (a, b) = (block(&mut random, &EDGES), block(&mut random, &EDGES));
            let mut out = I16x32::ZERO;
            V::load(&a).store(&mut out);
            assert_eq!(out, a, "{}", V::NAME);
            V::load(&a).add(V::load(&b)).store(&mut out);
            assert_eq!(out.0, std::array::from_fn(|i| a.0[i].wrapping_add(b.0[i])), "{}", V::NAME);
            V::load(&a).mul(V::load(&b)).store(&mut out);
            assert_eq!(out.0, std::array::from_fn(|i| a.0[i].wrapping_mul(b.0[i])), "{}", V::NAME);
            let narrow = |block: &I16x32| block.0.map(|number| number as i8);
            V::load_extend(&I8x32::new(narrow(&a))).store(&mut out);
            assert_eq!(out.0, narrow(&a).map(i16::from), "{}", V::NAME);
            // What is exchanged is never as low as -128.
            let [added, removed] = [&a, &b].map(|block| narrow(block).map(|number| number.max(-127)));
            let bytes = [added, removed].map(I8x32::new);
            assert_eq!(bytes.map(|bytes| bytes.numbers()), [added, removed]);
            let changed = |i: usize| a.0[i].wrapping_add(added[i].into()).wrapping_sub(removed[i].into());
            V::load(&a).add_sub(&bytes[0], &bytes[1]).store(&mut out);
            assert_eq!(out.0, std::array::from_fn(changed), "{}", V::NAME);
            V::load(&a).sub(V::load(&b)).store(&mut out);
            assert_eq!(out.0, std::array::from_fn(|i| a.0[i].wrapping_sub(b.0[i])), "{}", V::NAME);
        }
        self.0.push(V::NAME);
    }
}

fn numbers_are_loaded_combined_and_stored() {
    let mut seen = Elementwise(Vec::new());
    visit_backends(&mut seen);
    assert_eq!(seen.0[0], Scalar::NAME);
    assert!(seen.0.contains(&Native::NAME), "{:?}", seen.0);
    println!("instruction sets: {}", seen.0.join(", "));
}

fn exact(values: &[I16x32], weights: &[I16x32]) -> i64 {
    let pairs = values.iter().zip(weights).flat_map(|(v, w)| v.0.into_iter().zip(w.0));
    pairs.map(|(value, weight)| i64::from(value.clamp(0, 1024)).pow(2) / 1024 * i64::from(weight)).sum()
}

struct Products;

impl BackendVisitor for Products {
    fn visit<V: Vector>(&mut self) {
        let sum = |values: &[I16x32], weights: &[I16x32]| {
            let add = |sum, (v, w)| V::screlu_madd(sum, V::load(v), V::load(w));
            V::horizontal_sum(values.iter().zip(weights).fold(V::zero_sum(), add))
        };
        let mut random = Random(2);
        for length in (0..=32).cycle().take(3000) {
            let values: Vec<I16x32> = (0..length).map(|_| block(&mut random, &EDGES)).collect();
            let weights: Vec<I16x32> = (0..length).map(|_| weights(&mut random)).collect();
            assert_eq!(sum(&values, &weights), exact(&values, &weights), "{}", V::NAME);
        }
        // As much as a sum must hold.
        for weight in [8191, -8191] {
            let (values, weights) = ([I16x32([i16::MAX; LANES]); 32], [I16x32([weight; LANES]); 32]);
            assert_eq!(sum(&values, &weights), exact(&values, &weights), "{}", V::NAME);
        }
    }
}

fn sums_of_products_are_exact() {
    visit_backends(&mut Products);
}

/// The values of many positions of random games, each from the one before.
struct Walk {
    network: Arc<Network>,
    positions: usize,
    values: Vec<Vec<Value>>,
}

impl BackendVisitor for Walk {
    fn visit<V: Vector>(&mut self) {
        let mut random = Random(6);
        let mut values = Vec::with_capacity(self.positions);
        while values.len() < self.positions {
            let mut board = start(&mut random);
            let mut evaluator: Evaluator<V> = Evaluator::new(Arc::clone(&self.network));
            for _ in 0..200 {
                values.push(evaluator.evaluate(&board));
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.make(*random.pick(&moves), &mut evaluator);
            }
        }
        self.values.push(values);
    }
}

fn every_instruction_set_finds_the_same_values() {
    let network = Arc::new(random_network(7));
    let mut walk = Walk { network, positions: 100_000, values: Vec::new() };
    visit_backends(&mut walk);
    let (scalar, others) = walk.values.split_first().expect("the scalar one");
    for values in others {
        assert!(values == scalar);
    }
}
