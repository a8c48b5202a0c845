//! Every SIMD backend of this build against the scalar one: its operations, and the values of a network.
//!
//! It has no test harness, because emulators that run it may have no threads.

mod net;

use std::sync::Arc;

use caesura::nnue::simd::{BackendVisitor, I8x64, I16x32, LANES, Native, Scalar, Vector, visit_backends};
use caesura::nnue::{Evaluator, Network};
use caesura::types::Value;
use caesura::util::random::SplitMix;
use net::{random_network, start};

fn main() {
    for (name, test) in [
        ("every backend's operations equal the scalar ones and exact arithmetic", operations as fn()),
        ("sums of products are exact", sums_of_products),
        ("every backend finds the same values along games", values_along_games),
    ] {
        test();
        println!("{name}: ok");
    }
}

/// Random numbers, every fourth one of them from a list.
fn numbers(random: &mut SplitMix, special: &[i16]) -> I16x32 {
    I16x32(std::array::from_fn(|_| {
        let bits = random.next();
        if bits >> 62 == 0 { *random.pick(special) } else { (bits >> 20) as i16 }
    }))
}

fn weights(random: &mut SplitMix) -> I16x32 {
    I16x32(numbers(random, &[8191, -8191]).0.map(|weight| weight % 8192))
}

/// Numbers that an activation can be.
fn activations(random: &mut SplitMix) -> I16x32 {
    I16x32(numbers(random, &[0, 1, 1023, 1024]).0.map(|value| value.rem_euclid(1025)))
}

const EDGES: [i16; 8] = [i16::MIN, i16::MIN + 1, -1, 0, 1, 1023, 1024, 1025];

/// What the operations that work lane by lane make of two inputs.
fn lanewise<V: Vector>(a: &I16x32, b: &I16x32) -> [I16x32; 5] {
    let (x, y) = (V::load(a), V::load(b));
    [x, x.add(y), x.sub(y), x.mul(y), x.screlu()].map(stored)
}

/// What the operations that work on two halves make of inputs of 16 and of 8 bits, number by number.
fn in_halves<V: Vector>(halves: [&I16x32; 2], a: &I8x64, b: &I8x64) -> [[i16; 2 * LANES]; 8] {
    let x = halves.map(V::load);
    let extended = V::load_extend(a);
    [
        extended,
        V::pair_sums(a, b),
        V::pair_differences(a, b),
        V::add_halves(x, extended),
        V::sub_halves(x, extended),
        V::add_both(x, a, b),
        V::sub_both(x, a, b),
        V::add_sub(x, a, b),
    ]
    .map(|halves| joined(halves.map(stored)))
}

fn joined(halves: [I16x32; 2]) -> [i16; 2 * LANES] {
    std::array::from_fn(|i| halves[i / LANES].0[i % LANES])
}

fn stored<V: Vector>(vector: V) -> I16x32 {
    let mut out = I16x32::ZERO;
    vector.store(&mut out);
    out
}

/// The squared clipped ReLU.
fn activation(value: i16) -> i16 {
    (i32::from(value.clamp(0, 1024)).pow(2) / 1024) as i16
}

/// Every pair of 8-bit weights, 64 pairs at a time.
fn all_pairs() -> impl Iterator<Item = [[i8; 2 * LANES]; 2]> {
    (-127..=127).flat_map(|added| {
        (-127..=127).step_by(2 * LANES).map(move |least: i8| {
            [[added; 2 * LANES], std::array::from_fn(|lane| least.saturating_add(lane as i8))]
        })
    })
}

/// Tries the operations that work on two halves.
fn check_halves<V: Vector>(halves: [&I16x32; 2], bytes: [[i8; 2 * LANES]; 2]) {
    let [a, b] = bytes.map(I8x64::new);
    assert_eq!([a.numbers(), b.numbers()], bytes);
    let found = in_halves::<V>(halves, &a, &b);
    assert_eq!(found, in_halves::<Scalar>(halves, &a, &b), "{}", V::NAME);
    let x = joined(halves.map(|&half| half));
    let [a, b] = bytes.map(|numbers| numbers.map(i16::from));
    let exact: [&dyn Fn(usize) -> i16; 8] = [
        &|i| a[i],
        &|i| a[i] + b[i],
        &|i| a[i] - b[i],
        &|i| x[i].wrapping_add(a[i]),
        &|i| x[i].wrapping_sub(a[i]),
        &|i| x[i].wrapping_add(a[i]).wrapping_add(b[i]),
        &|i| x[i].wrapping_sub(a[i]).wrapping_sub(b[i]),
        &|i| x[i].wrapping_add(a[i]).wrapping_sub(b[i]),
    ];
    assert_eq!(found, exact.map(std::array::from_fn), "{}", V::NAME);
}

struct Operations(Vec<&'static str>);

impl BackendVisitor for Operations {
    fn visit<V: Vector>(&mut self) {
        let mut random = SplitMix(1);
        for _ in 0..20_000 {
            let (a, b) = (numbers(&mut random, &EDGES), numbers(&mut random, &EDGES));
            let found = lanewise::<V>(&a, &b);
            assert_eq!(found, lanewise::<Scalar>(&a, &b), "{}", V::NAME);
            let exact: [&dyn Fn(usize) -> i16; 5] = [
                &|i| a.0[i],
                &|i| a.0[i].wrapping_add(b.0[i]),
                &|i| a.0[i].wrapping_sub(b.0[i]),
                &|i| a.0[i].wrapping_mul(b.0[i]),
                &|i| activation(a.0[i]),
            ];
            assert_eq!(found, exact.map(|lane| I16x32(std::array::from_fn(lane))), "{}", V::NAME);
            let bytes = [(); 2]
                .map(|()| std::array::from_fn(|_| (random.next() >> 56) as i8).map(|n: i8| n.max(-127)));
            check_halves::<V>([&a, &b], bytes);
        }
        for bytes in all_pairs() {
            check_halves::<V>([&I16x32::ZERO; 2], bytes);
        }
        for least in (i16::MIN..=i16::MAX).step_by(LANES) {
            let values = std::array::from_fn(|lane| least + lane as i16);
            let found = stored(V::load(&I16x32(values)).screlu());
            assert_eq!(found.0, values.map(activation), "{}", V::NAME);
        }
        // -128 may be extended and added, though no difference is made with it.
        let least = I8x64::new([i8::MIN; 2 * LANES]);
        assert_eq!(V::load_extend(&least).map(stored), [I16x32([-128; LANES]); 2], "{}", V::NAME);
        let sums = V::add_both([V::load(&I16x32::ZERO); 2], &least, &least);
        assert_eq!(sums.map(stored), [I16x32([-256; LANES]); 2], "{}", V::NAME);
        assert_eq!(V::horizontal_sum(V::zero_sum()), 0, "{}", V::NAME);
        self.0.push(V::NAME);
    }
}

fn operations() {
    let mut seen = Operations(Vec::new());
    visit_backends(&mut seen);
    assert_eq!(seen.0[0], Scalar::NAME);
    assert!(seen.0.contains(&Native::NAME), "{:?}", seen.0);
    println!("backends: {}", seen.0.join(", "));
}

fn exact_sum(values: &[I16x32], weights: &[I16x32]) -> i64 {
    let pairs = values.iter().zip(weights).flat_map(|(v, w)| v.0.into_iter().zip(w.0));
    pairs.map(|(value, weight)| i64::from(value) * i64::from(weight)).sum()
}

fn sum<V: Vector>(values: &[I16x32], weights: &[I16x32]) -> i64 {
    let add = |sum, (v, w)| V::load(v).madd(V::load(w), sum);
    V::horizontal_sum(values.iter().zip(weights).fold(V::zero_sum(), add))
}

struct Products;

impl BackendVisitor for Products {
    fn visit<V: Vector>(&mut self) {
        let check = |values: &[I16x32], weights: &[I16x32]| {
            let found = sum::<V>(values, weights);
            assert_eq!(found, sum::<Scalar>(values, weights), "{}", V::NAME);
            assert_eq!(found, exact_sum(values, weights), "{}", V::NAME);
        };
        let mut random = SplitMix(2);
        for length in (0..=32).cycle().take(3000) {
            let values: Vec<I16x32> = (0..length).map(|_| activations(&mut random)).collect();
            let weights: Vec<I16x32> = (0..length).map(|_| weights(&mut random)).collect();
            check(&values, &weights);
        }
        // The greatest sums that must fit.
        for weight in [8191, -8191] {
            check(&[I16x32([1024; LANES]); 32], &[I16x32([weight; LANES]); 32]);
        }
    }
}

fn sums_of_products() {
    visit_backends(&mut Products);
}

/// The values of many positions of random games, updated from one position to the next.
struct Walk {
    network: Arc<Network>,
    positions: usize,
    values: Vec<Vec<Value>>,
}

impl BackendVisitor for Walk {
    fn visit<V: Vector>(&mut self) {
        let mut random = SplitMix(6);
        let mut values = Vec::with_capacity(self.positions);
        while values.len() < self.positions {
            let mut board = start(&mut random);
            let mut evaluator: Evaluator<V> = Evaluator::new(Arc::clone(&self.network)).expect("memory");
            for _ in 0..200 {
                values.push(evaluator.evaluate(&board));
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                board.make_move(*random.pick(&moves), &mut evaluator);
            }
        }
        self.values.push(values);
    }
}

fn values_along_games() {
    let network = Arc::new(random_network(7));
    let mut walk = Walk { network, positions: 100_000, values: Vec::new() };
    visit_backends(&mut walk);
    let (scalar, others) = walk.values.split_first().expect("the scalar backend");
    for values in others {
        assert!(values == scalar);
    }
}
