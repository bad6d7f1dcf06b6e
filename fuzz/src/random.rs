//! Looking for inputs without libFuzzer: seeds, random changes of them, and random bytes.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::process::ExitCode;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{LAWS, Law};

/// The longest input that is made up.
const LONGEST: usize = 1500;

/// A search for an input that breaks a law; the same one for the same number.
#[derive(Clone, Debug)]
pub struct Search {
    law: Law,
    seeds: Vec<Vec<u8>>,
    rng: Xoshiro256PlusPlus,
}

impl Search {
    /// A search that starts from the inputs in the law's folder below `seeds`.
    #[must_use]
    pub fn new(law: Law, seed: u64) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(law.name);
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        files.sort();
        let seeds = files.into_iter().filter_map(|file| std::fs::read(file).ok()).collect();
        Self { law, seeds, rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Tries every seed as it is, then so many inputs that are made up.
    ///
    /// # Panics
    /// If one of them breaks the law; it is written to standard error first, as a Rust literal.
    pub fn run(&mut self, runs: u64) {
        for seed in self.seeds.clone() {
            self.try_one(&seed);
        }
        for _ in 0..runs {
            let input = self.input();
            self.try_one(&input);
        }
    }

    fn try_one(&self, input: &[u8]) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.law.holds)(input))) {
            eprintln!("{} is broken by b\"{}\"", self.law.name, input.escape_ascii());
            resume_unwind(panic);
        }
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.rng.next_u64()) * n.max(1) as u128) >> 64) as usize
    }

    /// Made up: a seed with a few changes, or – always, if there is no seed – random bytes.
    pub fn input(&mut self) -> Vec<u8> {
        if self.seeds.is_empty() || self.below(16) == 0 {
            // Short ones as often as long ones.
            let longest = LONGEST >> self.below(10);
            let mut bytes = vec![0; self.below(longest + 1)];
            self.rng.fill_bytes(&mut bytes);
            return bytes;
        }
        let which = self.below(self.seeds.len());
        let mut bytes = self.seeds[which].clone();
        for _ in 0..=self.below(5) {
            self.change(&mut bytes);
        }
        bytes.truncate(2 * LONGEST);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let end = (at + self.below(12)).min(bytes.len());
        let kind = self.below(7);
        match (kind, bytes.get_mut(at), self.law.words) {
            (0, Some(byte), _) => *byte ^= 1 << self.below(8),
            (1, Some(byte), _) => *byte = self.rng.next_u32() as u8,
            (2, ..) => drop(bytes.drain(at..end)),
            (3, ..) => {
                let piece = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            (4, ..) => {
                let other = self.below(self.seeds.len());
                let from = self.below(self.seeds[other].len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&self.seeds[other][from..]);
            }
            (_, _, words) if !words.is_empty() => {
                let word = words[self.below(words.len())];
                bytes.splice(at..if kind == 5 { at } else { end }, word.bytes());
            }
            _ => bytes.insert(at, self.rng.next_u32() as u8),
        }
    }
}

/// The program of a target that is built without libFuzzer: `FILE…` tries these inputs, `--runs N` and
/// `--seed S` search.
#[must_use]
pub fn without_libfuzzer(name: &str) -> ExitCode {
    let Some(law) = LAWS.into_iter().find(|law| law.name == name) else {
        eprintln!("no law `{name}`");
        return ExitCode::from(2);
    };
    let (mut runs, mut seed, mut files) = (10_000, 1, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let number = match argument.as_str() {
            "--runs" => &mut runs,
            "--seed" => &mut seed,
            _ => {
                files.push(argument);
                continue;
            }
        };
        let Some(value) = arguments.next().and_then(|v| v.parse().ok()) else {
            eprintln!("{argument} needs a number");
            return ExitCode::from(2);
        };
        *number = value;
    }
    for file in &files {
        match std::fs::read(file) {
            Ok(bytes) => (law.holds)(&bytes),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if files.is_empty() {
        Search::new(law, seed).run(runs);
        println!("{name} holds for {runs} inputs from seed {seed}");
    } else {
        println!("{name} holds for {} files", files.len());
    }
    ExitCode::SUCCESS
}
