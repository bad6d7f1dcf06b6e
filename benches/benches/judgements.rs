//! Judgements of positions of Havannah by the networks of `champion`, without the memory of earlier ones that a search has.
//!
//! The positions are those of random games after a fifth of the cells have stones.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stonework_benches::Games;
use stonework_game::Game;
use stonework_havannah_players::{HavannahPlanes, shipped_lattice};
use stonework_learn::{LatticePlanes, LatticeScratch};

fn judgements(c: &mut Criterion) {
    let mut group = c.benchmark_group("judgements");
    for size in [5, 6, 8, 10] {
        let (net, games) = (shipped_lattice(size), Games::random(size, 10));
        let mut planes = HavannahPlanes::of(&net);
        let lattice = planes.lattice(&games.start);
        let marks = games.games.iter().map(|moves| {
            let (mut position, mut marks) = (games.start.clone(), Vec::new());
            for &mv in moves.iter().take(lattice.len() / 5) {
                position.play_unchecked(mv);
            }
            planes.marks(&position, &mut marks);
            marks
        });
        let marks: Vec<_> = marks.collect();
        let mut scratch = LatticeScratch::default();
        for marks in &marks {
            let judged = net.judge(&lattice, marks, &mut scratch);
            assert!(judged.value.abs() <= 1.0 && judged.scores.len() == lattice.len());
            assert_eq!(judged, net.judge(&lattice, marks, &mut LatticeScratch::default()));
        }
        group.throughput(Throughput::Elements(marks.len() as u64));
        group.bench_function(size.to_string(), |b| {
            b.iter(|| {
                for marks in black_box(&marks) {
                    black_box(net.judge(&lattice, marks, &mut scratch));
                }
            });
        });
    }
}

criterion_group!(benches, judgements);
criterion_main!(benches);
