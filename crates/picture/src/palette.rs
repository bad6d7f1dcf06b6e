//! [`Palette`]: at most 255 colours for all pixels of a picture.

use std::collections::HashMap;

use stonework_board::Rgb;

use crate::canvas::{Area, Canvas};

/// The most colours; GIF has room for one more, which stands for "as before".
const MOST: usize = 255;

/// The colours of pictures, counted.
#[derive(Default)]
pub(crate) struct Census(HashMap<Rgb, u64>);

impl Census {
    /// Counts the pixels of a rectangle.
    pub(crate) fn count(&mut self, canvas: &Canvas, area: Area) {
        for row in area.top..area.top + area.height {
            let start = row as usize * canvas.width as usize + area.left as usize;
            for run in canvas.pixels[start..start + area.width as usize].chunk_by(|a, b| a == b) {
                *self.0.entry(run[0]).or_default() += run.len() as u64;
            }
        }
    }

    /// The palette of the colours: all of them, if they are few. Otherwise the most frequent colours that are not too
    /// near each other, and for every other colour the nearest one. O(colours · 255).
    pub(crate) fn palette(self) -> Palette {
        let mut colours: Vec<(Rgb, u64)> = self.0.into_iter().collect();
        colours.sort_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
        let chosen = (0..).step_by(3).map(|apart| choose(&colours, apart * apart)).find(|c| c.len() <= MOST);
        let chosen = chosen.unwrap_or_default();
        let nearest = |colour: Rgb| {
            let place = (0..chosen.len()).min_by_key(|&place| distance(chosen[place], colour));
            place.unwrap_or(0) as u8
        };
        let index = colours.iter().map(|&(colour, _)| (colour, nearest(colour))).collect();
        Palette { colours: chosen, index }
    }
}

/// The most frequent colours whose squared distance is at least a number, one more than fit if there are more.
fn choose(colours: &[(Rgb, u64)], apart: u32) -> Vec<Rgb> {
    let mut chosen: Vec<Rgb> = Vec::new();
    for &(colour, _) in colours {
        if chosen.iter().all(|&other| distance(other, colour) >= apart) {
            chosen.push(colour);
        }
        if chosen.len() > MOST {
            break;
        }
    }
    chosen
}

/// The squared distance of two colours.
fn distance(a: Rgb, b: Rgb) -> u32 {
    let part = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    part(a.0, b.0) + part(a.1, b.1) + part(a.2, b.2)
}

/// At most 255 colours, and the place of each colour of a picture among them.
pub(crate) struct Palette {
    pub(crate) colours: Vec<Rgb>,
    index: HashMap<Rgb, u8>,
}

impl Palette {
    /// The colours as bytes: red, green, blue of each.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flat_map(|&Rgb(r, g, b)| [r, g, b]).collect()
    }

    /// The places of the colours of a rectangle, row by row.
    pub(crate) fn places(&self, canvas: &Canvas, area: Area) -> Vec<u8> {
        let mut places = Vec::with_capacity(area.pixels() as usize);
        for row in area.top..area.top + area.height {
            let start = row as usize * canvas.width as usize + area.left as usize;
            for run in canvas.pixels[start..start + area.width as usize].chunk_by(|a, b| a == b) {
                let place = self.index.get(&run[0]).copied().unwrap_or(0);
                places.extend(std::iter::repeat_n(place, run.len()));
            }
        }
        places
    }
}
