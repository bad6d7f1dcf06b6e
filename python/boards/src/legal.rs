//! [`each_legal`] and [`legal`]: the legal moves as numbers, without a list of moves between.

use stonework_game::Indexed;

/// Takes each item of an iterator, by the iterator's own loop.
struct Each<F>(F);

impl<M, F: FnMut(M)> Extend<M> for Each<F> {
    #[inline]
    fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
        moves.into_iter().for_each(&mut self.0);
    }
}

/// Gives the number of each legal move, in the order of the moves.
#[inline]
pub(crate) fn each_legal<G: Indexed>(game: &G, mut each: impl FnMut(usize)) {
    game.legal_moves(&mut Each(|mv| each(game.move_index(mv))));
}

/// The numbers of the legal moves, in their order.
pub(crate) fn legal<G: Indexed>(game: &G) -> Vec<u32> {
    // A game of one's own may have many more numbers than legal moves.
    let mut numbers = Vec::with_capacity(game.index_len().min(1 << 10));
    each_legal(game, |number| numbers.push(number as u32));
    numbers
}
