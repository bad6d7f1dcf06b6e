//! The search for a neighbourhood that one pattern matches and certain others do not.

use std::collections::HashSet;

use crate::cells::Cells;
use crate::code::Code;

/// The cells of an image of a pattern, or of an exception to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) cells: Cells,
    /// The number of the image.
    pub(crate) image: u32,
    pub(crate) is_exception: bool,
}

/// The number of items that all [searches](Gap::search) of a compilation may visit together.
pub(crate) const MAX_STEPS: usize = 1 << 26;

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// A neighbourhood in the region that no image matches.
    At(Code),
    /// The images match every neighbourhood in the region that some board has.
    None,
    /// Unknown: no steps are left.
    Unknown,
}

impl Gap {
    /// Searches a region for a neighbourhood that no image matches. An image matches if its cells do, and the cells of its
    /// exceptions do not.
    ///
    /// The search splits the region at a cell with a condition until each part is matched, or free of all patterns. Its depth
    /// is at most the number of cells; its time is exponential in the worst case, so `steps` limits the number of items that
    /// it may still visit.
    pub(crate) fn search(region: Cells, items: &[Item], steps: &mut usize) -> Self {
        let mut open = vec![(region, items.to_vec())];
        while let Some((region, mut items)) = open.pop() {
            let Some(example) = region.example() else { continue };
            *steps = steps.saturating_sub(items.len() + 1);
            if *steps == 0 {
                return Self::Unknown;
            }
            items.retain(|item| region.both(&item.cells).is_some());
            // An exception that holds in the whole region removes its image.
            let exceptions = items.iter().filter(|item| item.is_exception);
            let (sure, unsure): (Vec<&Item>, Vec<&Item>) = exceptions.partition(|e| e.cells.include(&region));
            let images = |of: Vec<&Item>| of.into_iter().map(|e| e.image).collect::<HashSet<u32>>();
            let (gone, exempt) = (images(sure), images(unsure));
            items.retain(|item| !gone.contains(&item.image));
            let matches = |item: &Item| {
                !item.is_exception && item.cells.include(&region) && !exempt.contains(&item.image)
            };
            if items.iter().any(matches) {
                continue;
            }
            let split = items.iter().find_map(|item| {
                let loose = item.cells.cared() & !region.single();
                (!item.is_exception && loose != 0).then_some(loose)
            });
            // An image that matches in the whole region, with exceptions that do not.
            let split = split.or_else(|| {
                let owner = items.iter().find(|item| !item.is_exception)?;
                let own = items.iter().filter(|e| e.is_exception && e.image == owner.image);
                let mut own = own.map(|e| e.cells.cared() & !region.single());
                own.find(|&loose| loose != 0)
            });
            let Some(loose) = split else { return Self::At(example) };
            let cell = loose.trailing_zeros();
            for state in 0..4 {
                let planes = [(state & 1) << cell, (state >> 1) << cell];
                if region.states(cell as usize) >> state & 1 != 0 {
                    open.push((region.fixed(1 << cell, planes), items.clone()));
                }
            }
        }
        Self::None
    }
}
