//! The passes against the network's formula, written down plainly in double precision.

mod common;

use common::some_records;
use trainer::arch::{Architecture, OUTPUT_BUCKETS};
use trainer::backprop::Backprop;
use trainer::float_net::{FloatNet, SliceLayout};
use trainer::loss::Loss;
use trainer::record::PositionRecord;
use trainer::rows::LANES;

const LOSS: Loss = Loss { result: 0.3, scale: 400.0, power: 2.0 };

/// Positions of a group, so few that the tests have several.
const GROUP: usize = 256;

/// The numbers of a network in the order of the formula.
#[derive(Clone)]
struct Plain {
    shape: Architecture,
    features: Vec<Vec<f64>>,
    bias: Vec<f64>,
    output: Vec<Vec<f64>>,
    output_bias: Vec<f64>,
}

impl Plain {
    fn new(shape: &Architecture, net: &FloatNet) -> Plain {
        let layout = net.layout;
        let row = |row: usize| -> Vec<f64> {
            net.slices.iter().flat_map(|slice| slice[row].numbers().map(f64::from)).collect()
        };
        Plain {
            shape: shape.clone(),
            features: (0..layout.inputs).map(row).collect(),
            bias: row(layout.bias()),
            output: (0..OUTPUT_BUCKETS)
                .map(|bucket| [row(layout.output(bucket)), row(layout.output(bucket) + 1)].concat())
                .collect(),
            output_bias: net.output_bias.map(f64::from).to_vec(),
        }
    }

    fn output(&self, record: &PositionRecord) -> f64 {
        let mut sums = [self.bias.clone(), self.bias.clone()];
        record.features(self.shape.states, |_, own, other| {
            for (sums, feature) in sums.iter_mut().zip([own, other]) {
                for (sum, weight) in sums.iter_mut().zip(&self.features[feature]) {
                    *sum += weight;
                }
            }
        });
        let bucket = record.bucket();
        let products = sums.iter().flatten().zip(&self.output[bucket]);
        products.map(|(sum, weight)| sum.clamp(0.0, 1.0).powi(2) * weight).sum::<f64>()
            + self.output_bias[bucket]
    }

    fn loss(&self, records: &[PositionRecord]) -> f64 {
        let lost = |record: &PositionRecord| {
            let expected = 1.0 / (1.0 + (-self.output(record)).exp());
            (expected - f64::from(LOSS.target(record))).abs().powf(f64::from(LOSS.power))
        };
        records.iter().map(lost).sum()
    }

    /// The derivative of the loss by one number, measured.
    fn slope(&self, records: &[PositionRecord], number: impl Fn(&mut Plain) -> &mut f64) -> f64 {
        const WIDTH: f64 = 1e-6;
        let [above, below] = [WIDTH, -WIDTH].map(|change| {
            let mut plain = self.clone();
            *number(&mut plain) += change;
            plain.loss(records)
        });
        (above - below) / (2.0 * WIDTH)
    }
}

/// A network whose sums reach below zero and above one.
fn some_net(shape: &Architecture) -> FloatNet {
    let mut net = FloatNet::random(SliceLayout::new(shape), 5);
    let layout = net.layout;
    for (index, slice) in net.slices.iter_mut().enumerate() {
        for (lane, bias) in slice[layout.bias()].numbers_mut().iter_mut().enumerate() {
            *bias = ((index * LANES + lane) % 11) as f32 * 0.1 - 0.1;
        }
    }
    for (bucket, bias) in net.output_bias.iter_mut().enumerate() {
        *bias = bucket as f32 * 0.05 - 0.1;
    }
    net
}

fn shapes() -> [Architecture; 2] {
    [Architecture::new(64).unwrap(), Architecture::with_states(32, 1).unwrap()]
}

#[test]
fn outputs_are_those_of_the_formula() {
    let records = some_records(6);
    assert!(records.len() > 2 * GROUP, "several groups and a part of one");
    for shape in shapes() {
        let net = some_net(&shape);
        let plain = Plain::new(&shape, &net);
        let outputs = Backprop::with_groups(&shape, GROUP).outputs(&net, &LOSS, &records);
        for (record, output) in records.iter().zip(outputs) {
            let expected = plain.output(record);
            assert!((f64::from(output) - expected).abs() < 1e-4, "{output} {expected}");
        }
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let records = some_records(5);
    // A part of the records, so that all output buckets and a group that is not full are seen.
    let records: Vec<PositionRecord> = records.into_iter().step_by(2).take(GROUP + 20).collect();
    for shape in shapes() {
        let net = some_net(&shape);
        let plain = Plain::new(&shape, &net);
        let mut pass = Backprop::with_groups(&shape, GROUP);
        let lost = pass.train(&net, &LOSS, &records);
        assert!((lost - plain.loss(&records)).abs() < 1e-3 * lost);
        let gradient = Plain::new(&shape, &pass.gradient);
        let check = |name: &str, found: f64, measured: f64| {
            assert!((found - measured).abs() < 2e-4 + 2e-3 * measured.abs(), "{name}: {found} {measured}");
        };
        let mut seen = 0;
        for feature in (0..shape.inputs()).step_by(7) {
            let hidden = feature % shape.hidden;
            let measured = plain.slope(&records, |plain| &mut plain.features[feature][hidden]);
            seen += usize::from(measured.abs() > 1e-3);
            check("feature", gradient.features[feature][hidden], measured);
        }
        assert!(seen > 20, "{seen}");
        for hidden in 0..shape.hidden {
            check("bias", gradient.bias[hidden], plain.slope(&records, |plain| &mut plain.bias[hidden]));
        }
        for bucket in 0..OUTPUT_BUCKETS {
            for place in (0..2 * shape.hidden).step_by(5) {
                let measured = plain.slope(&records, |plain| &mut plain.output[bucket][place]);
                check("output", gradient.output[bucket][place], measured);
            }
            let measured = plain.slope(&records, |plain| &mut plain.output_bias[bucket]);
            check("output bias", gradient.output_bias[bucket], measured);
        }
    }
}
