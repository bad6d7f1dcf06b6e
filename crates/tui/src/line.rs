//! [`Line`]: the moves of a game with a comment and a value for each position.

use std::time::Duration;

use stonework_game::Player;

use crate::app::Ending;

/// The facts about the position after a number of moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Entry {
    /// The move that leads to the position, in the notation of the session; empty for the first position.
    pub(crate) mv: String,
    /// The side of the move.
    pub(crate) mover: Option<Player>,
    /// The comment.
    pub(crate) comment: String,
    /// The value for the first player, from −1 to 1, if a search has found one.
    pub(crate) value: Option<f64>,
    /// The time left of both sides, if a clock runs.
    pub(crate) left: Option<[Duration; 2]>,
}

/// A game from its first position, with the position that is on the board.
///
/// A move from an earlier position begins a variation. The first line is kept beside the variation.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Line {
    /// The entries; entry n is the position after n moves.
    entries: Vec<Entry>,
    /// The number of moves on the board.
    ply: usize,
    /// The end of the line other than by the rules.
    pub(crate) ended: Option<Ending>,
    other: Option<Other>,
}

/// The other line.
#[derive(Clone, PartialEq, Debug)]
struct Other {
    /// The number of moves that both lines have.
    shared: usize,
    /// The entries after these moves.
    rest: Vec<Entry>,
    ended: Option<Ending>,
}

impl Default for Line {
    fn default() -> Self {
        Self { entries: vec![Entry::default()], ply: 0, ended: None, other: None }
    }
}

impl Line {
    /// The number of moves on the board.
    pub(crate) const fn ply(&self) -> usize {
        self.ply
    }

    /// The number of moves of the line.
    pub(crate) const fn len(&self) -> usize {
        self.entries.len() - 1
    }

    /// `true` if the position on the board is the last one.
    pub(crate) const fn at_end(&self) -> bool {
        self.ply == self.len()
    }

    /// The entries, the first position first.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The moves of the line.
    pub(crate) fn moves(&self) -> impl Iterator<Item = &str> {
        self.entries[1..].iter().map(|entry| entry.mv.as_str())
    }

    /// The entry of the position on the board.
    pub(crate) fn present(&self) -> &Entry {
        &self.entries[self.ply]
    }

    /// The entry of the position on the board, to change it.
    pub(crate) fn present_mut(&mut self) -> &mut Entry {
        &mut self.entries[self.ply]
    }

    /// The entry of the position after a number of moves, to change it; `None` beyond the end.
    pub(crate) fn entry_mut(&mut self, ply: usize) -> Option<&mut Entry> {
        self.entries.get_mut(ply)
    }

    /// Goes to a position; a number beyond the last goes to the last.
    pub(crate) fn go(&mut self, ply: usize) {
        self.ply = ply.min(self.len());
    }

    /// Adds a move after the position on the board. The move of the line itself only goes on, and the answer is `false`. Another
    /// move begins a variation.
    pub(crate) fn play(&mut self, mv: &str, mover: Player) -> bool {
        if self.entries.get(self.ply + 1).is_some_and(|entry| entry.mv == mv) {
            self.ply += 1;
            return false;
        }
        let (rest, ended) = (self.entries.split_off(self.ply + 1), self.ended.take());
        self.keep(rest, ended);
        self.entries.push(Entry { mv: mv.to_owned(), mover: Some(mover), ..Entry::default() });
        self.ply += 1;
        true
    }

    /// Removes the moves after the position on the board for good.
    pub(crate) fn cut(&mut self) {
        self.entries.truncate(self.ply + 1);
        self.ended = None;
        if self.other.as_ref().is_some_and(|other| other.shared > self.ply) {
            self.other = None;
        }
    }

    /// Keeps the rest of the line beside the variation that begins, unless the line is a variation itself.
    fn keep(&mut self, rest: Vec<Entry>, ended: Option<Ending>) {
        match &mut self.other {
            _ if rest.is_empty() => {}
            None => self.other = Some(Other { shared: self.ply, rest, ended }),
            // The variation begins earlier now: the moves between belong to the kept line.
            Some(other) if other.shared > self.ply => {
                let between = rest.into_iter().take(other.shared - self.ply);
                other.rest = between.chain(other.rest.drain(..)).collect();
                other.shared = self.ply;
            }
            Some(_) => {}
        }
    }

    /// Changes to the other line, at its first move that the present line does not have; `false` if there is none.
    pub(crate) fn exchange(&mut self) -> bool {
        let Some(Other { shared, rest: kept, ended }) = self.other.take() else { return false };
        let rest = self.entries.split_off(shared + 1);
        self.entries.extend(kept);
        let left = Other { shared, rest, ended: std::mem::replace(&mut self.ended, ended) };
        self.other = Some(left).filter(|left| !left.rest.is_empty() || left.ended.is_some());
        self.ply = (shared + 1).min(self.len());
        true
    }

    /// `true` if there is another line.
    pub(crate) const fn has_other(&self) -> bool {
        self.other.is_some()
    }

    /// Replaces the text of every move, for another notation. The other line goes.
    pub(crate) fn rename(&mut self, names: &[String]) {
        for (entry, name) in self.entries[1..].iter_mut().zip(names) {
            entry.mv.clone_from(name);
        }
        self.other = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &str) -> Line {
        let mut line = Line::default();
        moves.split_whitespace().for_each(|mv| assert!(line.play(mv, Player::First)));
        line
    }

    fn moves(line: &Line) -> String {
        line.moves().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_variation_keeps_the_first_line_and_exchanges_with_it() {
        let mut game = line("a b c d");
        game.go(2);
        game.play("x", Player::First);
        assert_eq!((moves(&game).as_str(), game.ply(), game.has_other()), ("a b x", 3, true));
        // A second variation, earlier: the first line stays whole.
        game.go(1);
        game.play("y", Player::Second);
        assert_eq!(moves(&game), "a y");
        assert!(game.exchange());
        assert_eq!((moves(&game).as_str(), game.ply()), ("a b c d", 2));
        assert!(game.exchange());
        assert_eq!(moves(&game), "a y");
    }

    #[test]
    fn the_move_of_the_line_goes_on_without_a_variation() {
        let mut game = line("a b");
        game.go(0);
        assert!(!game.play("a", Player::First));
        assert_eq!((moves(&game).as_str(), game.ply(), game.has_other()), ("a b", 1, false));
        game.cut();
        assert_eq!((moves(&game).as_str(), game.at_end()), ("a", true));
        game.go(99);
        assert_eq!(game.ply(), 1);
    }
}
