//! The roster of Cover.

use stonework_cover::Position;
use stonework_roster::{Roster, RosterEntry};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Dfpn, DfpnOptions, Mcts, MctsOptions, Minimax, Pn, RandomPlayout,
};

use crate::{AtOnce, Bos, Endings, Kinds, Proofs, Sequences, Shots, Tabled, Weighed, WeightedTerms};

/// Plies of a random game, for each stone of a side: most go on for ever.
const PLIES: u32 = 40;

/// The engines of Cover by name; all of them play. With a table of endings, the entries that look positions up in such a
/// table use it, and the others [refuse](stonework_roster::RosterError::Unused) to be made.
///
/// ```
/// use stonework_cover::Position;
/// use stonework_game::Game;
/// use stonework_roster::PlayerConfig;
/// use stonework_roster::{Clock, Decision};
/// use stonework_search::Limits;
/// let config = PlayerConfig { limits: Limits::none().nodes(1000), ..PlayerConfig::default() };
/// let mut player = stonework_cover_players::roster(None).agent("bos", &config)?;
/// let position = Position::new(4)?;
/// let Some(Decision::Play(mv)) = player.decide(&position, &Clock::NONE) else { panic!("a move") };
/// assert!(position.check(mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn roster(endings: Option<Endings>) -> Roster<Position> {
    let resource = endings.as_ref().map(ToString::to_string);
    let unused = |entry: RosterEntry<Position>| match &resource {
        Some(resource) => entry.without(resource),
        None => entry,
    };
    let (cover, bos, alphabeta) = (endings.clone(), endings.clone(), endings.clone());
    let (dfpn, pns, threats) = (endings.clone(), endings.clone(), endings);
    Roster::new()
        .with(
            RosterEntry::engine(
                "cover",
                "alpha-beta with all that helps, and weights of our own",
                move |config| {
                    let search = WeightedTerms::search(config.bytes(), config.threads)?;
                    Ok(Weighed::new(with_endings(search, cover.as_ref())))
                },
            )
            .threads(),
        )
        .with(
            RosterEntry::engine(
                "bos",
                "the player of the 1995 thesis, with its published weights",
                move |config| {
                    let search = Bos::search(config.threads)?;
                    Ok(Weighed::new(with_endings(search, bos.as_ref())))
                },
            )
            .threads(),
        )
        .with(
            RosterEntry::engine("alphabeta", "alpha-beta, which sees only what is forced", move |config| {
                let options = AlphaBetaOptions::new().bytes(config.bytes()).threads(config.threads);
                let search = AlphaBeta::new(Tabled::new(()).sharing(false), options)?;
                Ok(with_endings(search.order(Kinds).noisy_moves(Shots), alphabeta.as_ref()))
            })
            .threads(),
        )
        .with(
            RosterEntry::engine(
                "dfpn",
                "proof numbers and threats, for more and more plies: only wins",
                move |config| {
                    let search = Dfpn::new(DfpnOptions::new().bytes(config.bytes()).threads(config.threads))?
                        .tactics(AtOnce);
                    Ok(Proofs::new(search, dfpn.clone()))
                },
            )
            .threads(),
        )
        .with(RosterEntry::engine("pns", "the same with the tree in memory", move |_| {
            Ok(Proofs::new(Pn::default().tactics(AtOnce), pns.clone()))
        }))
        .with(RosterEntry::engine(
            "threats",
            "sequences of threats that leave no good answer: only wins",
            move |config| Ok(Sequences::new(config.bytes(), threats.clone())),
        ))
        .with(unused(RosterEntry::engine("minimax", "the complete game tree to a depth", |_| {
            Ok(Minimax::new(()))
        })))
        .with(unused(
            RosterEntry::engine("uct", "plain Monte-Carlo tree: the base line", |config| {
                let settings = MctsOptions::uct().threads(config.threads).bytes(config.bytes()).keep(true);
                Ok(Mcts::new(RandomPlayout::new(10 * PLIES), settings)?)
            })
            .threads()
            .simulations(),
        ))
}

/// The search, whose evaluation looks positions up in the table if there is one.
fn with_endings<E, O, Q, P>(
    mut search: AlphaBeta<Tabled<E>, O, Q, P>,
    endings: Option<&Endings>,
) -> AlphaBeta<Tabled<E>, O, Q, P> {
    if let Some(endings) = endings {
        search.evaluator_mut().give(endings.clone());
    }
    search
}
