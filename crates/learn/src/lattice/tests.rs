use std::sync::Arc;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use safetensors::SafeTensors;

use super::kernel::{CHANNELS, LANES, Row, place};
use super::net::{Judging, Weights, add, exp};
use super::samples::Sample;
use super::train::Gradients;
use super::vectors::{Vectorised, Vectors, by_all_kinds};
use super::*;
use crate::Options;
use crate::file::{floats, read_floats};

/// A rhombus of cells with the six neighbours of a hexagonal lattice.
fn rhombus(side: i32) -> Lattice {
    let at = |x: i32, y: i32| {
        let inside = (0..side).contains(&x) && (0..side).contains(&y);
        inside.then_some((y * side + x) as u16)
    };
    let ways = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
    let cells = (0..side * side).map(|cell| (cell % side, cell / side));
    let around: Vec<_> = cells.map(|(x, y)| ways.map(|(dx, dy)| at(x + dx, y + dy))).collect();
    Lattice::new(&around).unwrap()
}

fn marks(rng: &mut Xoshiro256PlusPlus, cells: usize, planes: usize) -> Vec<PlaneMark> {
    let all = (0..cells as u16).flat_map(|cell| (0..planes as u16).map(move |plane| (cell, plane)));
    all.filter(|_| rng.next_u32().is_multiple_of(3)).collect()
}

/// A layer by its definition.
fn slow_layer(weights: &[f32], bias: &[f32], near: &[[u16; 7]], rows: &[Row], out: &mut [Row]) {
    for (cell, out) in near.iter().zip(out) {
        for (output, out) in out.iter_mut().enumerate() {
            *out = bias[output];
            for (direction, &from) in cell.iter().enumerate() {
                for input in 0..CHANNELS {
                    *out += rows[usize::from(from)][input] * weights[place(direction, input, output)];
                }
            }
        }
    }
}

/// A judgement by the definitions of layers, pools and heads, from the tensors of the file.
fn slow_judge(net: &LatticeNet, lattice: &Lattice, marks: &[PlaneMark]) -> (f32, Vec<f32>) {
    let (Weights { shape, numbers }, near) = (net.weights(), lattice.near());
    let cells = near.len();
    let zero = || vec![[0.0; CHANNELS]; cells + 1];
    let relu = |rows: &mut Vec<Row>| rows.iter_mut().flatten().for_each(|number| *number = number.max(0.0));
    let mut trunk = zero();
    for cell in 0..cells {
        for output in 0..CHANNELS {
            trunk[cell][output] = numbers[shape.first_bias.start + output];
            for (direction, &from) in near[cell].iter().enumerate() {
                for plane in 0..shape.planes {
                    if marks.contains(&(from, plane as u16)) {
                        // The weight of a direction belongs to the way from the mark to the cell.
                        let way = if direction == 0 { 0 } else { (direction + 2) % 6 + 1 };
                        let at = (way * shape.planes + plane) * CHANNELS + output;
                        trunk[cell][output] += numbers[shape.first.start + at];
                    }
                }
            }
        }
    }
    relu(&mut trunk);
    let pool = |rows: &[Vec<f32>]| {
        let means =
            (0..rows[0].len()).map(|at| rows.iter().map(|row| row[at]).sum::<f32>() / rows.len() as f32);
        let most = (0..rows[0].len()).map(|at| rows.iter().map(|row| row[at]).fold(0.0, f32::max));
        means.chain(most).collect::<Vec<f32>>()
    };
    let dense = |weights: usize, bias: usize, inputs: &[f32], outputs: usize| {
        let sum = |output| {
            let weighted =
                inputs.iter().enumerate().map(|(at, input)| input * numbers[weights + at * outputs + output]);
            weighted.sum::<f32>() + numbers[bias + output]
        };
        (0..outputs).map(sum).collect::<Vec<f32>>()
    };
    for block in &shape.blocks {
        let (mut inner, mut sums) = (zero(), zero());
        slow_layer(
            &numbers[block.first.clone()],
            &numbers[block.first_bias.clone()],
            near,
            &trunk,
            &mut inner,
        );
        relu(&mut inner);
        let pooled = pool(&inner[..cells].iter().map(|row| row.to_vec()).collect::<Vec<_>>());
        let more = dense(block.pool.start, block.pool_bias.start, &pooled, CHANNELS);
        inner[..cells].iter_mut().for_each(|row| add(row, &std::array::from_fn(|at| more[at])));
        slow_layer(
            &numbers[block.second.clone()],
            &numbers[block.second_bias.clone()],
            near,
            &inner,
            &mut sums,
        );
        trunk.iter_mut().zip(&sums).for_each(|(row, sum)| add(row, sum));
        relu(&mut trunk);
    }
    let lanes = |weights: usize, bias: usize| -> Vec<Vec<f32>> {
        let lanes = trunk[..cells].iter().map(|row| dense(weights, bias, row, LANES));
        lanes.map(|row| row.into_iter().map(|number| number.max(0.0)).collect()).collect()
    };
    let chance = lanes(shape.chance.start, shape.chance_bias.start);
    let scores =
        chance.iter().map(|row| dense(shape.chance_out.start, shape.chance_out_bias.start, row, 1)[0]);
    let pooled = pool(&lanes(shape.value.start, shape.value_bias.start));
    let hidden = dense(shape.hidden.start, shape.hidden_bias.start, &pooled, net::HIDDEN);
    let hidden: Vec<f32> = hidden.into_iter().map(|number| number.max(0.0)).collect();
    let out = dense(shape.out.start, shape.out_bias.start, &hidden, 1)[0];
    (2.0 / (1.0 + (-out).exp()) - 1.0, scores.collect())
}

/// A network whose numbers are all random, biases too.
fn noisy(planes: usize, blocks: usize, seed: u64) -> LatticeNet {
    let mut net = LatticeNet::random(planes, blocks, seed).into_weights();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed + 1);
    net.numbers
        .iter_mut()
        .for_each(|number| *number += (rng.next_u32() as f32 / u32::MAX as f32 - 0.5) * 0.1);
    net.into()
}

#[test]
fn judgements_are_those_of_the_definitions() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut scratch = LatticeScratch::default();
    for (side, planes, blocks) in [(1, 2, 1), (2, 3, 0), (5, 4, 2), (7, 5, 3)] {
        let (lattice, net) = (rhombus(side), noisy(planes, blocks, side as u64));
        for _ in 0..3 {
            let marks = marks(&mut rng, lattice.len(), planes);
            let LatticeJudgement { value, scores } = net.judge(&lattice, &marks, &mut scratch);
            let (slow_value, slow_scores) = slow_judge(&net, &lattice, &marks);
            assert!((value - slow_value).abs() < 1e-4, "{value} {slow_value}");
            assert!(
                scores.iter().zip(&slow_scores).all(|(a, b)| (a - b).abs() < 1e-3),
                "{scores:?} {slow_scores:?}"
            );
        }
    }
}

/// A position on a rhombus of nine cells.
fn sample(planes: usize) -> Sample {
    let lattice = Arc::new(rhombus(3));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    Sample {
        marks: marks(&mut rng, lattice.len(), planes),
        lattice,
        legal: vec![0, 2, 3, 5, 8],
        chances: vec![(2, 0.75), (5, 0.25)],
        value: 0.3,
    }
}

/// The judgement of a position and the gradients of another one.
struct Numbers<'a>(&'a LatticeNet, &'a Lattice, &'a [PlaneMark]);

impl Vectorised for Numbers<'_> {
    type Output = (LatticeJudgement, [f32; 2], Vec<f32>);

    fn run(self, vectors: impl Vectors) -> Self::Output {
        let Self(net, lattice, marks) = self;
        let judging = Judging { net, lattice, marks, scratch: &mut LatticeScratch::default() };
        let (judgement, sample) = (judging.run(vectors), sample(net.planes()));
        let mut trainer = LatticeTrainer::new(net.clone());
        let losses = Gradients { trainer: &mut trainer, sample: &sample }.run(vectors);
        (judgement, losses, std::mem::take(trainer.parts().1))
    }
}

#[test]
fn all_kinds_of_vectors_find_the_same_numbers() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for (side, blocks) in [(1, 1), (3, 0), (4, 3), (7, 2)] {
        let (lattice, net) = (rhombus(side), noisy(5, blocks, side as u64));
        let marks = marks(&mut rng, lattice.len(), 5);
        let found = by_all_kinds(|| Numbers(&net, &lattice, &marks));
        assert!(found.len() > 1 && found.iter().all(|numbers| *numbers == found[0]), "{found:?}");
        assert_eq!(found[0].0, net.judge(&lattice, &marks, &mut LatticeScratch::default()));
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let planes = 3;
    let sample = sample(planes);
    let mut trainer = LatticeTrainer::new(noisy(planes, 2, 9));
    let loss = |trainer: &mut LatticeTrainer| -> f64 {
        let [value, chance] = trainer.add_gradients(&sample);
        trainer.parts().1.fill(0.0);
        f64::from(value) + f64::from(chance)
    };
    trainer.add_gradients(&sample);
    let gradients = std::mem::take(trainer.parts().1);
    *trainer.parts().1 = vec![0.0; gradients.len()];
    let step = 1e-2;
    let (mut checked, mut wrong) = (0, Vec::new());
    for at in (0..gradients.len()).step_by(37) {
        let was = trainer.parts().0.numbers[at];
        let [above, below] = [step, -step].map(|step| {
            trainer.parts().0.numbers[at] = was + step;
            trainer.changed();
            loss(&mut trainer)
        });
        trainer.parts().0.numbers[at] = was;
        let slope = ((above - below) / f64::from(2.0 * step)) as f32;
        checked += 1;
        if (slope - gradients[at]).abs() > 2e-2 * (1.0 + slope.abs()) {
            wrong.push((at, slope, gradients[at]));
        }
    }
    // A step may cross the corner of a rectified number.
    assert!(wrong.len() * 100 < checked, "{checked}: {wrong:?}");
    assert!(gradients.iter().filter(|gradient| gradient.abs() > 1e-3).count() > 500);
}

#[test]
fn a_file_gives_the_network_back_and_a_wrong_one_is_refused() {
    let net = noisy(4, 2, 11);
    let bytes = net.to_bytes(&[("command", "learn lattice")]);
    let read = LatticeNet::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(&[("command", "learn lattice")]), bytes);
    for (number, rounded) in net.weights().numbers.iter().zip(&read.weights().numbers) {
        // Half of the last of eleven bits; below 2⁻¹⁴ the steps no longer become smaller.
        assert!((number - rounded).abs() <= (number.abs() / 2048.0).max(3e-8), "{number} {rounded}");
    }
    // The same numbers as floats of 32 bits, as files had them before.
    let halves = SafeTensors::deserialize(&bytes).unwrap();
    let longer = halves
        .iter()
        .map(|(name, tensor)| (name, floats(tensor.shape(), read_floats(&tensor, "a tensor").unwrap())));
    let longer = safetensors::serialize(longer, None).unwrap();
    assert!(longer.len() > bytes.len() * 19 / 10);
    assert_eq!(LatticeNet::from_bytes(&longer).unwrap(), read);
    assert!(LatticeNet::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    assert!(LatticeNet::from_bytes(&crate::MoveWeights::zero(3).to_bytes(&[])).is_err());
    let with = |number: f32| {
        let mut weights = net.weights().clone();
        weights.numbers[17] = number;
        LatticeNet::from_bytes(&LatticeNet::from(weights).to_bytes(&[]))
    };
    assert_eq!(with(-1e9).unwrap().weights().numbers[17].to_bits(), (-65504.0_f32).to_bits());
    let error = with(f32::INFINITY).unwrap_err();
    assert_eq!(error.to_string(), "the tensor `planes` has the number inf at place 17");
}

#[test]
fn the_exponential_is_within_a_hundred_thousandth() {
    for step in -8000..=8000 {
        let x = step as f32 / 100.0;
        let (found, known) = (f64::from(exp(x)), f64::from(x).exp());
        assert!((found / known - 1.0).abs() < 1e-5, "{x}: {found} {known}");
    }
    assert!(exp(-1000.0) > 0.0 && exp(f32::INFINITY).is_finite());
}

/// Positions of marks in two planes. The side to move wins if plane 0 has more marks, and plays where plane 1 has its only mark.
fn samples(count: usize) -> LatticeSamples {
    let (mut rng, mut samples) = (Xoshiro256PlusPlus::seed_from_u64(8), LatticeSamples::new());
    let lattice = Arc::new(rhombus(4));
    // The rotation by half a turn.
    let half = PlaneImage { cells: (0..16).rev().collect(), planes: vec![0, 1] };
    let board = samples.board(Arc::clone(&lattice), vec![half]);
    let legal: Vec<u16> = (0..16).collect();
    for _ in 0..count {
        let wins = rng.next_u32().is_multiple_of(2);
        let stones = if wins { 10 } else { 4 };
        let first = rng.next_u32() as u16 % 16;
        let mut marks: Vec<PlaneMark> = (0..stones).map(|at| ((first + at) % 16, 0)).collect();
        let target = rng.next_u32() as u16 % 16;
        marks.push((target, 1));
        samples.push(board, (&marks, &legal, &[(target, 3.0)]), if wins { 1.0 } else { 0.0 });
    }
    samples
}

#[test]
fn a_network_learns_a_count_and_a_place() {
    let options = Options { epochs: 4, step: 0.004, held_out: 0.1, seed: 3 };
    let samples = samples(3000);
    let mut fits = Vec::new();
    let net = train_lattice(LatticeNet::random(2, 1, 3), &samples, &options, &mut |_, fit| fits.push(fit));
    let fit = net.fit(&samples, 2700..3000);
    assert!(fit.first > 0.97 && fit.right > 0.97, "{fits:?}");
    assert!(fits.contains(&fit), "the best epoch: {fit:?} of {fits:?}");
}

#[test]
fn new_blocks_change_nothing_before_they_learn() {
    let (options, samples) = (Options { epochs: 1, step: 0.004, held_out: 0.0, seed: 3 }, samples(600));
    let net = LatticeNet::random(2, 1, 3);
    let deep = net.clone().deepened(3, 9);
    assert!(deep.fit(&samples, 0..600) == net.fit(&samples, 0..600) && deep.blocks() == 3);
    assert!(net.clone().deepened(1, 9) == net && net.clone().deepened(3, 8) != deep);
    let learned = train_lattice(deep.clone(), &samples, &options, &mut |_, _| ());
    for (block, of) in deep.weights().shape.blocks.iter().enumerate() {
        for places in [&of.first, &of.second, &of.pool] {
            let of = |net: &LatticeNet| net.weights().numbers[places.clone()].to_vec();
            assert_ne!(of(&learned), of(&deep), "block {block}");
        }
    }
}

#[test]
fn positions_that_fill_no_step_are_learned_from() {
    let options = Options { epochs: 30, step: 0.004, held_out: 0.0, seed: 3 };
    let (start, samples) = (LatticeNet::random(2, 1, 3), samples(200));
    let net = train_lattice(start.clone(), &samples, &options, &mut |_, _| ());
    let [before, after] = [start, net].map(|net| net.fit(&samples, 0..200));
    assert!(after.value_loss < 0.9 * before.value_loss && after.first > before.first, "{before:?} {after:?}");
}

#[test]
fn a_training_that_is_broken_off_goes_on_to_the_same_network() {
    use std::ops::ControlFlow;
    use std::time::Duration;
    use stonework_files::{Disk, Simulated};
    let options = Options { epochs: 2, step: 0.004, held_out: 0.1, seed: 4 };
    let (start, samples) = (LatticeNet::random(2, 1, 4), samples(900));
    let whole = train_lattice(start.clone(), &samples, &options, &mut |_, _| ());
    let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
    for breaks in 0.. {
        let file = crate::TrainingFile::open("net", &disk).unwrap().every(Duration::ZERO);
        if breaks == 1 {
            let other = LatticeNet::random(2, 1, 5);
            let error = file.train_lattice(other, &samples, &options, &mut |_| ControlFlow::Continue(()));
            assert!(error.unwrap_err().to_string().contains("another beginning"));
        }
        // Each try is stopped after its second event: one tells where it begins, one chunk is learned.
        let mut events = 0;
        let tried = file.train_lattice(start.clone(), &samples, &options, &mut |_| {
            events += 1;
            if events < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if let Ok(net) = tried {
            assert!(net == whole && breaks > 2, "{breaks}");
            break;
        }
    }
}

/// A network that goes on into its own file: a run that is killed at any operation is finished by the next one, once.
#[test]
fn a_network_that_learns_in_place_learns_once_however_it_is_killed() {
    use crate::{TrainingError, TrainingFile};
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::time::Duration;
    use stonework_files::{Disk, DiskFault, Kept, Simulated};
    let (path, checkpoint) = (Path::new("net"), Path::new("net.checkpoint"));
    let options = Options { epochs: 1, step: 0.004, held_out: 0.1, seed: 4 };
    let (old, samples) = (LatticeNet::random(2, 1, 4).to_bytes(&[]), samples(300));
    let start = LatticeNet::from_bytes(&old).unwrap();
    let whole = train_lattice(start, &samples, &options, &mut |_, _| ()).to_bytes(&[]);
    let learn = |disk: &Simulated| {
        let stored = disk.content(path).unwrap();
        let shared: Arc<dyn Disk> = Arc::new(disk.clone());
        let file = TrainingFile::open("net", &shared)?.every(Duration::ZERO);
        let start = LatticeNet::from_bytes(&stored).unwrap();
        match file.train_lattice(start, &samples, &options, &mut |_| ControlFlow::Continue(())) {
            Err(TrainingError::Ended { path }) => {
                assert_eq!(path, checkpoint);
                file.store(&stored)
            }
            learned => file.store(&learned?.to_bytes(&[])),
        }
    };
    let fresh = || {
        let disk = Simulated::new();
        disk.put(path, &old);
        disk
    };
    let disk = fresh();
    learn(&disk).unwrap();
    let mut between = 0;
    for at in 0..disk.operations() {
        let disk = fresh();
        disk.fail_at(at, DiskFault::Kill);
        if learn(&disk).is_ok() {
            continue;
        }
        let after = disk.restarted(Kept::Synced);
        if after.content(path).unwrap() == whole {
            if after.content(checkpoint).is_none() {
                continue;
            }
            between += 1;
        }
        learn(&after).unwrap_or_else(|error| panic!("killed at {at}: {error}"));
        assert!(after.content(path).unwrap() == whole, "killed at {at}: other bytes");
        assert_eq!(after.paths(), [path], "killed at {at}");
    }
    assert!(between > 0, "no kill between the two steps");
}

/// The loss of such positions was no number, so that no epoch was better than the beginning: nothing was learned.
#[test]
fn a_chance_of_0_adds_nothing_to_the_loss() {
    let (mut samples, legal) = (LatticeSamples::new(), [0_u16, 1, 2]);
    let board = samples.board(Arc::new(rhombus(2)), Vec::new());
    for _ in 0..40 {
        samples.push(board, (&[(1, 0)], &legal, &[(1, 1.0), (2, 0.0)]), 1.0);
    }
    let start = LatticeNet::random(1, 1, 3);
    let before = start.fit(&samples, 0..40);
    assert!(before.chance_loss > 0.0 && before.chance_loss.is_finite(), "{before:?}");
    let options = Options { epochs: 2, held_out: 0.1, ..Options::default() };
    let after = train_lattice(start, &samples, &options, &mut |_, _| ()).fit(&samples, 0..40);
    assert!(after.chance_loss < before.chance_loss, "{after:?}, {before:?}");
}
