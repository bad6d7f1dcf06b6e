//! The slow way to match patterns, and random surroundings.

use rand_core::RngCore;
use stonework_board::{Axial, Board, Cell, NEIGHBOURHOOD, Symmetry};
use stonework_pattern::{Code, Pattern, Patterns, Reach, State};

use crate::common::below;

/// For each cell the states that it may have, as bits.
type Wanted = Vec<u8>;

/// The index of the image of one of the thirty cells under a symmetry, from the coordinates alone.
fn image_of(symmetry: Symmetry, i: usize) -> usize {
    let to: Axial = symmetry.apply(NEIGHBOURHOOD[i]);
    NEIGHBOURHOOD.iter().position(|&at| at == to).unwrap()
}

/// The states that each cell may have, from the text alone.
fn wanted(text: &str) -> Wanted {
    let bit = |letter: char| 1 << ".xo#".find(letter).unwrap();
    let mut cells = Vec::new();
    let mut letters = text.chars().filter(|&c| c != '/');
    while let Some(letter) = letters.next() {
        cells.push(match letter {
            '?' => 15,
            '!' => 15 ^ bit(letters.next().unwrap()),
            _ => bit(letter),
        });
    }
    cells
}

/// A pattern under all symmetries: the states of the cells, the exceptions, and the cells of the answer.
pub(crate) struct Naive {
    images: Vec<(Wanted, Vec<Wanted>, u32)>,
    number: usize,
    chance: u8,
}

impl Naive {
    /// All patterns, the longest first.
    pub(crate) fn all(patterns: &Patterns) -> Vec<Self> {
        let mut all: Vec<Self> =
            patterns.list().iter().enumerate().map(|(number, p)| Self::new(number, p)).collect();
        all.sort_by_key(|naive| std::cmp::Reverse(naive.images[0].0.len()));
        all
    }

    fn new(number: usize, pattern: &Pattern) -> Self {
        let turned = |cells: &Wanted, symmetry| {
            let mut image = vec![0; cells.len()];
            for (i, &cell) in cells.iter().enumerate() {
                image[image_of(symmetry, i)] = cell;
            }
            image
        };
        let cells = wanted(&pattern.cells().to_string());
        let exceptions: Vec<_> = pattern.exceptions().map(|e| wanted(&e.to_string())).collect();
        let image = |&symmetry: &Symmetry| {
            let answer = (0..30).filter(|i| pattern.answer() >> i & 1 != 0);
            let answer = answer.map(|i| 1 << image_of(symmetry, i)).sum();
            let exceptions = exceptions.iter().map(|e| turned(e, symmetry)).collect();
            (turned(&cells, symmetry), exceptions, answer)
        };
        let images = Symmetry::ALL.iter().map(image).collect();
        Self { images, number, chance: pattern.chance() }
    }

    /// The answer of the first pattern that matches.
    pub(crate) fn find(all: &[Self], code: Code) -> Option<(usize, u32, u8)> {
        let mut states = [0; 30];
        let count = code.reach().cells();
        for (i, state) in states[..count].iter_mut().enumerate() {
            *state = 1 << code.state(i).unwrap() as u8;
        }
        let fits = |cells: &Wanted| {
            cells.len() <= count && cells.iter().zip(&states).all(|(cell, state)| cell & state != 0)
        };
        all.iter().find_map(|naive| {
            let matching = naive
                .images
                .iter()
                .filter(|(cells, exceptions, _)| fits(cells) && !exceptions.iter().any(fits));
            let answer = matching.fold(0, |all, (_, _, answer)| all | answer);
            (answer != 0).then_some((naive.number, answer, naive.chance))
        })
    }
}

/// Surroundings of a random cell of a random board, some of them nearly empty and some full.
pub(crate) fn surroundings(reach: Reach, rng: &mut impl RngCore) -> Code {
    let board = Board::hexagon(2 + below(8, rng) as u8).unwrap();
    let centre = Cell::new(below(board.len(), rng)).unwrap();
    let density = 1 + below(8, rng);
    Code::at(board, centre, reach, |_| match below(8, rng) {
        n if n >= density => State::Empty,
        n if n % 2 == 0 => State::Mover,
        _ => State::Other,
    })
}
