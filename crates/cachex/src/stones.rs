//! [`Stones`]: the stones on the board, and their connections to the sides.
//!
//! A disjoint-set forest cannot decide the game: a capture removes stones from the middle of chains, and a forest can join
//! but not split. So each player has two sets instead, one for each of its two sides of the board: the stones that are
//! connected to the side. A chain in both sets wins.
//!
//! - A new stone enters a set if it touches the side or a stone of the set. Then a flood from the stone adds the own
//!   stones around it that are not in the set. Without captures, each stone enters a set once in a game.
//! - A capture of stones that are in no set changes no set. Otherwise the set that lost a stone is flooded again from its
//!   side. Only the enemy's sets can shrink, and only the mover's can grow.
//! - The sets of both players have 160 bytes. The undo token has the sets before the move, so taking back is a copy.
//!
//! With the two sets, six neighbours decide whether a stone would win, and a few operations on whole rows give all winning
//! cells of a board.

use stonework_game::Player;

use crate::capture::taken;
use crate::plane::{At, Plane, STEPS};
use crate::tables::{Hashes, SYMMETRIES, Tables};

/// One player's stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Side {
    pub(crate) stones: Plane,
    /// The stones that are connected to the low side of the board, and the stones that are connected to the high side.
    reach: [Plane; 2],
}

/// Both players' stones, and the board's hash words under each symmetry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stones {
    sides: [Side; 2],
    pub(crate) hashes: Hashes,
}

impl Stones {
    pub(crate) const EMPTY: Self =
        Self { sides: [Side { stones: Plane::EMPTY, reach: [Plane::EMPTY; 2] }; 2], hashes: [0; SYMMETRIES] };

    /// The position of the given stones; the two planes have no cell in common.
    pub(crate) fn set_up(tables: &Tables, stones: [Plane; 2]) -> Self {
        let mut all = Self::EMPTY;
        for player in Player::BOTH {
            for at in stones[player.index()].iter() {
                all.toggle(tables, player, at);
            }
            all.sides[player.index()].connect(&tables.edges[player.index()]);
        }
        all
    }

    #[inline]
    pub(crate) const fn of(&self, player: Player) -> &Plane {
        &self.sides[player.index()].stones
    }

    pub(crate) fn owner(&self, at: At) -> Option<Player> {
        Player::BOTH.into_iter().find(|&player| self.of(player).has(at))
    }

    /// The stones that a stone on an empty cell would capture, as a pattern.
    #[inline]
    pub(crate) fn captures(&self, player: Player, at: At) -> u8 {
        taken(self.of(player), self.of(player.other()), at)
    }

    /// Puts a stone on an empty cell and removes the captured stones. Returns the pattern of the captured stones.
    #[inline]
    pub(crate) fn place(&mut self, tables: &Tables, player: Player, at: At) -> u8 {
        let captured = self.captures(player, at);
        self.toggle(tables, player, at);
        let (own, enemy) = (player.index(), player.other());
        for (reach, edge) in self.sides[own].reach.iter_mut().zip(&tables.edges[own]) {
            if edge.has(at) || reach.around(at) != 0 {
                let open = self.sides[own].stones.minus(reach);
                if open.around(at) == 0 {
                    reach.add(at);
                } else {
                    *reach = reach.or(&Plane::one(at).flood(&open));
                }
            }
        }
        if captured != 0 {
            self.remove(tables, enemy, at, captured);
        }
        captured
    }

    fn remove(&mut self, tables: &Tables, player: Player, centre: At, pattern: u8) {
        for at in neighbours(centre, pattern) {
            self.toggle(tables, player, at);
        }
        let side = &mut self.sides[player.index()];
        for (reach, edge) in side.reach.iter_mut().zip(&tables.edges[player.index()]) {
            if reach.around(centre) & pattern != 0 {
                *reach = edge.flood(&side.stones);
            }
        }
    }

    /// Gives the only stone of `from` to the other player, on the cell across the diagonal. Returns its old cell.
    pub(crate) fn steal(&mut self, tables: &Tables, from: Player) -> At {
        let stone = self.of(from).iter().next().unwrap_or(At { r: 0, q: 0 });
        let mut stones = [Plane::EMPTY; 2];
        stones[from.other().index()].add(stone.across());
        *self = Self::set_up(tables, stones);
        stone
    }

    #[inline]
    fn toggle(&mut self, tables: &Tables, player: Player, at: At) {
        self.sides[player.index()].stones.toggle(at);
        for (hash, word) in self.hashes.iter_mut().zip(tables.stone(at, player)) {
            *hash ^= word;
        }
    }

    /// `true` if a stone that is on the board is connected to both of its player's sides.
    #[inline]
    pub(crate) fn joins(&self, player: Player, at: At) -> bool {
        self.sides[player.index()].reach.iter().all(|reach| reach.has(at))
    }

    /// `true` if a chain of the player is connected to both sides.
    pub(crate) fn joined(&self, player: Player) -> bool {
        let [low, high] = &self.sides[player.index()].reach;
        !low.and(high).is_empty()
    }

    /// `true` if a stone on an empty cell would be connected to both of its player's sides.
    #[inline]
    pub(crate) fn would_join(&self, tables: &Tables, player: Player, at: At) -> bool {
        let reach = self.sides[player.index()].reach.iter().zip(&tables.edges[player.index()]);
        reach.into_iter().all(|(reach, edge)| edge.has(at) || reach.around(at) != 0)
    }

    /// The empty cells on which a stone would be connected to both of its player's sides.
    #[inline]
    pub(crate) fn joining(&self, tables: &Tables, player: Player) -> Plane {
        let mut cells = self.empty(tables);
        for (reach, edge) in self.sides[player.index()].reach.iter().zip(&tables.edges[player.index()]) {
            cells = reach.beside(&cells).or(&edge.and(&cells));
        }
        cells
    }

    #[inline]
    pub(crate) fn empty(&self, tables: &Tables) -> Plane {
        tables.full.minus(self.of(Player::First)).minus(self.of(Player::Second))
    }
}

impl Side {
    fn connect(&mut self, edges: &[Plane; 2]) {
        self.reach = [edges[0].flood(&self.stones), edges[1].flood(&self.stones)];
    }
}

/// The neighbours in a pattern.
pub(crate) fn neighbours(centre: At, pattern: u8) -> impl Iterator<Item = At> {
    STEPS.into_iter().enumerate().filter(move |(i, _)| pattern >> i & 1 != 0).map(move |(_, (dr, dq))| At {
        r: centre.r.wrapping_add_signed(dr),
        q: centre.q.wrapping_add_signed(dq),
    })
}
