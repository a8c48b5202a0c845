//! The fit: logistic regression by Adam (Kingma and Ba 2014) over batches.

use caesura::eval::terms::COUNT;
use caesura::eval::weights::WEIGHTS;

use crate::samples::{SCALE, Samples, chance};

/// Middlegame and endgame numbers, in centipawns.
pub type Weights = [[f32; 2]; COUNT];

const BATCH: usize = 4096;
/// Every n-th batch is held out, to tell learning from remembering.
const HELD_OUT: usize = 20;

#[derive(Clone)]
struct Sums {
    gradient: Box<Weights>,
    loss: f64,
}

/// What a sample's counts are worth for White, in centipawns.
fn value(samples: &Samples, weights: &Weights, index: usize) -> f32 {
    let (head, counts) = samples.get(index);
    let (mut middle, mut end) = (0.0, 0.0);
    for &(term, count) in counts {
        let [m, e] = weights[usize::from(term)];
        middle += m * f32::from(count);
        end += e * f32::from(count);
    }
    middle * head.phase + end * head.winnable * (1.0 - head.phase)
}

fn batch(samples: &Samples, weights: &Weights, range: std::ops::Range<usize>) -> Sums {
    let mut sums = Sums { gradient: Box::new([[0.0; 2]; COUNT]), loss: 0.0 };
    for index in range {
        let (head, counts) = samples.get(index);
        let guess = chance(value(samples, weights, index));
        let error = guess - head.target;
        sums.loss += f64::from(error * error);
        let slope = error * guess * (1.0 - guess) / SCALE;
        let (middle, end) = (slope * head.phase, slope * head.winnable * (1.0 - head.phase));
        for &(term, count) in counts {
            let gradient = &mut sums.gradient[usize::from(term)];
            gradient[0] += middle * f32::from(count);
            gradient[1] += end * f32::from(count);
        }
    }
    sums
}

fn parallel(samples: &Samples, weights: &Weights, range: std::ops::Range<usize>, threads: usize) -> Sums {
    let share = range.len().div_ceil(threads);
    let parts: Vec<Sums> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let start = (range.start + thread * share).min(range.end);
                let end = (start + share).min(range.end);
                scope.spawn(move || batch(samples, weights, start..end))
            })
            .collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
    });
    let mut total = Sums { gradient: Box::new([[0.0; 2]; COUNT]), loss: 0.0 };
    for part in parts {
        total.loss += part.loss;
        for (sum, add) in total.gradient.iter_mut().zip(part.gradient.iter()) {
            sum[0] += add[0];
            sum[1] += add[1];
        }
    }
    total
}

/// Fits the weights, starting from those in use.
pub fn solve(samples: &Samples, epochs: usize, step: f32, threads: usize) -> Weights {
    let mut weights: Weights = WEIGHTS.map(|(middle, end)| [f32::from(middle), f32::from(end)]);
    let mut first = Box::new([[0.0f32; 2]; COUNT]);
    let mut second = Box::new([[0.0f32; 2]; COUNT]);
    let batches = samples.len() / BATCH + 1;
    let mut steps = 0;
    for epoch in 0..epochs {
        let rate = step * (1.0 - epoch as f32 / epochs as f32);
        let (mut loss, mut held, mut seen, mut held_seen) = (0.0, 0.0, 0usize, 0usize);
        for number in 0..batches {
            let range = number * BATCH..((number + 1) * BATCH).min(samples.len());
            let size = range.len();
            if size == 0 {
                continue;
            }
            let sums = parallel(samples, &weights, range, threads);
            if number % HELD_OUT == HELD_OUT - 1 {
                held += sums.loss;
                held_seen += size;
                continue;
            }
            loss += sums.loss;
            seen += size;
            steps += 1;
            let (warm_first, warm_second) = (1.0 - 0.9f32.powi(steps), 1.0 - 0.999f32.powi(steps));
            for term in 0..COUNT {
                for part in 0..2 {
                    let gradient = sums.gradient[term][part] / size as f32;
                    let (m, v) = (&mut first[term][part], &mut second[term][part]);
                    *m = 0.9 * *m + 0.1 * gradient;
                    *v = 0.999 * *v + 0.001 * gradient * gradient;
                    weights[term][part] -= rate * (*m / warm_first) / ((*v / warm_second).sqrt() + 1e-9);
                }
            }
        }
        eprintln!(
            "epoch {:3}  loss {:.6}  held out {:.6}",
            epoch + 1,
            loss / seen.max(1) as f64,
            held / held_seen.max(1) as f64
        );
    }
    weights
}
