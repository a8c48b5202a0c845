//! The passes against the network's formula, written down plainly in double precision.

mod common;

use common::some_records;
use trainer::arch::{Architecture, DENSE_1, DENSE_2, DENSE_BUCKETS, OUTPUT_BUCKETS, OUTPUT_UNITS};
use trainer::backprop::Backprop;
use trainer::float_net::{FloatNet, SliceLayout};
use trainer::loss::Loss;
use trainer::record::PositionRecord;
use trainer::rows::LANES;

const LOSS: Loss = Loss { result: 0.3, endings_result: 0.3, scale: 400.0, power: 2.0 };

/// Positions of a group, so few that the tests have several.
const GROUP: usize = 256;

/// Where the weights from the first dense layer begin among the numbers of the dense layers, behind the output's bias and
/// those of the first layer.
const WEIGHTS_2: usize = 1 + DENSE_1;
/// Where the biases of the second dense layer begin.
const BIAS_2: usize = WEIGHTS_2 + DENSE_1 * DENSE_2;
/// Where the weights behind the second dense layer begin.
const WEIGHTS_3: usize = BIAS_2 + DENSE_2;

/// The numbers of a network in the order of the formula.
#[derive(Clone)]
struct Plain {
    shape: Architecture,
    features: Vec<Vec<f64>>,
    bias: Vec<f64>,
    /// Weights from both halves of the hidden units to each output unit of each bucket.
    units: Vec<Vec<f64>>,
    dense: Vec<Vec<f64>>,
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
            units: (layout.output(0)..layout.factoriser())
                .step_by(2)
                .map(|first| [row(first), row(first + 1)].concat())
                .collect(),
            dense: net
                .dense
                .iter()
                .map(|dense| dense.numbers().iter().map(|&n| n.into()).collect())
                .collect(),
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
        let active: Vec<f64> = sums.iter().flatten().map(|sum| sum.clamp(0.0, 1.0).powi(2)).collect();
        let (units, dense) = (&self.units[OUTPUT_UNITS * record.bucket()..], &self.dense[record.bucket()]);
        let sum = |unit: usize| active.iter().zip(&units[unit]).map(|(x, weight)| x * weight).sum::<f64>();
        let first = |unit: usize| (sum(1 + unit) + dense[1 + unit]).clamp(0.0, 1.0);
        let first: Vec<f64> = (0..DENSE_1).map(first).collect();
        let second = |unit: usize| {
            let weights = dense[WEIGHTS_2 + unit..].iter().step_by(DENSE_2);
            let sum = first.iter().zip(weights).map(|(x, weight)| x * weight).sum::<f64>();
            (sum + dense[BIAS_2 + unit]).clamp(0.0, 1.0)
        };
        let behind: f64 = (0..DENSE_2).map(|unit| second(unit) * dense[WEIGHTS_3 + unit]).sum();
        sum(0) + dense[0] + behind
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
        // So narrow that hardly a unit passes an end of its range in between, where the slope jumps.
        const WIDTH: f64 = 1e-8;
        let [above, below] = [WIDTH, -WIDTH].map(|change| {
            let mut plain = self.clone();
            *number(&mut plain) += change;
            plain.loss(records)
        });
        (above - below) / (2.0 * WIDTH)
    }
}

/// A network whose sums reach below zero and above one, in its dense layers too.
fn some_net(shape: &Architecture) -> FloatNet {
    let mut net = FloatNet::random(SliceLayout::new(shape), 5);
    let layout = net.layout;
    for (index, slice) in net.slices.iter_mut().enumerate() {
        for (lane, bias) in slice[layout.bias()].numbers_mut().iter_mut().enumerate() {
            *bias = ((index * LANES + lane) % 11) as f32 * 0.1 - 0.1;
        }
    }
    // Those output buckets that no training gives dense layers have some here.
    net.dense.copy_within(..OUTPUT_BUCKETS - DENSE_BUCKETS, DENSE_BUCKETS);
    for (bucket, dense) in net.dense.iter_mut().enumerate() {
        dense.bias = bucket as f32 * 0.05 - 0.1;
        dense.weights_3 = std::array::from_fn(|unit| ((unit * 7 + bucket) % 13) as f32 * 0.05 - 0.3);
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
        let (mut seen, mut dense_seen) = (0, 0);
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
            let own: Vec<PositionRecord> =
                records.iter().filter(|record| record.bucket() == bucket).copied().collect();
            for unit in OUTPUT_UNITS * bucket..OUTPUT_UNITS * (bucket + 1) {
                for place in (unit % 23..2 * shape.hidden).step_by(23) {
                    let measured = plain.slope(&own, |plain| &mut plain.units[unit][place]);
                    check("output unit", gradient.units[unit][place], measured);
                }
            }
            for place in 0..plain.dense[bucket].len() {
                let measured = plain.slope(&own, |plain| &mut plain.dense[bucket][place]);
                dense_seen += usize::from(measured.abs() > 1e-3);
                check("dense layers", gradient.dense[bucket][place], measured);
            }
        }
        assert!(dense_seen > 500, "{dense_seen}");
    }
}
