//! [`Dfpn::learn`]: what a proof shows, put into the table.

use std::io::Read;
use std::marker::PhantomData;

use stonework_game::{Finite, Keyed, Notation, Player};

use super::Dfpn;
use super::numbers::{Numbers, Question};
use super::store::{Known, Store, effort};
use crate::Limits;
use crate::proof::{Caps, Deed, Fault, Listener, Refused, Sight, Verified, verify_aloud};

impl<T> Dfpn<T> {
    /// Verifies a proof as [`verify`](crate::proof::verify()) does, and puts each position that it shows into the table, which
    /// `limits` size; what the table knows already stays, if it has that size. So one search builds on what others have
    /// proved, of positions below its root or beside it, and its own [proof](Dfpn::prove) takes their strategies up. For engines that
    /// [keep](Dfpn::keep) their tables.
    ///
    /// `searched` is a position of the rules as this engine searches it; what it returns `None` for is left out, as are
    /// positions whose keys leave out what decides them ([`Keyed::horizon`]). Time: that of verifying.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_game::Game;
    /// use stonework_search::proof::Claim;
    /// use stonework_search::{Dfpn, Engine, Flat, Limits};
    /// let (root, limits) = (Nim::new(40), Limits::none());
    /// let mut below = root;
    /// below.play(1)?;
    /// let (mut one, mut file) = (Dfpn::new(), Vec::new());
    /// let value = one.search(&below, &limits, 0, &mut |_| {}).proof.unwrap();
    /// one.prove(&below, Claim::of(value), &Flat, &limits)?.write("nim", &Flat, &mut file)?;
    /// let mut other = Dfpn::new().keep(true);
    /// let alone = Dfpn::new().search(&root, &limits, 0, &mut |_| {});
    /// other.learn("nim", &Flat, &limits, &file[..], |nim: &Nim| Some(*nim))?;
    /// let report = other.search(&root, &limits, 0, &mut |_| {});
    /// assert_eq!(report.proof, alone.proof);
    /// assert!(report.nodes < alone.nodes / 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`verify`](crate::proof::verify()); the table has then what was shown before the place that is refused, which holds.
    pub fn learn<R: Finite + Notation, S: Sight<R>, G: Finite + Keyed>(
        &mut self,
        game: &str,
        sight: &S,
        limits: &Limits,
        proof: impl Read,
        searched: impl Fn(&R) -> Option<G>,
    ) -> Result<Verified<R>, Refused> {
        self.prepare(limits, true);
        // Nothing is stored before the first question begins.
        self.store.grow_older();
        let mut pupil = Pupil {
            store: &self.store,
            searched,
            about: (Player::First, true),
            below: Vec::new(),
            of: PhantomData,
        };
        verify_aloud(game, sight, proof, &Caps::default(), &mut pupil)
    }
}

/// Puts into the table what is shown.
struct Pupil<'a, R, G, F: Fn(&R) -> Option<G>> {
    store: &'a Store,
    searched: F,
    /// Who is asked about, and whether that side wins.
    about: (Player, bool),
    /// Of each position that has begun, how many below it are shown.
    below: Vec<u64>,
    of: PhantomData<fn(&R) -> G>,
}

impl<R: Finite + Notation, G: Finite + Keyed, F: Fn(&R) -> Option<G>> Listener<R> for Pupil<'_, R, G, F> {
    fn strategy(&mut self, who: Player, wins: bool) {
        self.about = (who, wins);
    }

    fn begin(&mut self, _: &R, _: Deed, _: &[R::Move]) -> Result<(), Fault> {
        self.below.push(0);
        Ok(())
    }

    fn end(&mut self, game: &R, _: u32) {
        let shown = self.below.pop().unwrap_or(0) + 1;
        if let Some(below) = self.below.last_mut() {
            *below += shown;
        }
        let Some(game) = (self.searched)(game).filter(|game| game.horizon() == u32::MAX) else { return };
        let (who, wins) = self.about;
        let put = |who, answer| {
            let known = Known { numbers: Numbers::answer(answer), work: effort(shown), tag: 0 };
            self.store.put(Question::new(who).key(&game, 0), known);
        };
        put(who, wins);
        // Where one side wins, the other does not.
        if wins {
            put(who.other(), false);
        }
    }
}
