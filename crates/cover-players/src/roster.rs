//! The roster of Cover.

use stonework_cover::Position;
use stonework_roster::{Roster, RosterEntry};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Dfpn, DfpnOptions, Mcts, MctsOptions, Minimax, Pn, RandomPlayout,
};

use crate::{
    Bos, DeepeningSolver, Endings, ImmediateThreats, Shots, StepOrder, Tabled, ThreatSequences,
    WeightedSearch, WeightedTerms,
};

/// The most plies of a playout for each stone of a side. Most random games never end.
const PLIES_PER_STONE: u32 = 40;
/// The most plies of a playout: Cover-10 has ten stones a side.
pub(crate) const PLAYOUT: u32 = 10 * PLIES_PER_STONE;

/// The engines of Cover by name; each of them can play whole games. If a table of endings is given, the entries that can look
/// positions up use the table; the other entries are [refused](stonework_roster::RosterError::Unused).
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
    // An entry whose engine cannot use the table of endings.
    let without_endings = |entry: RosterEntry<Position>| match &resource {
        Some(resource) => entry.without(resource),
        None => entry,
    };
    let (cover, bos, alphabeta) = (endings.clone(), endings.clone(), endings.clone());
    let (dfpn, pns, threats) = (endings.clone(), endings.clone(), endings);
    Roster::new()
        .with(
            RosterEntry::engine(
                "cover",
                "alpha-beta with all aids that gain strength, and weights of our own",
                move |config| {
                    let search = WeightedTerms::search(config.bytes(), config.threads)?;
                    Ok(WeightedSearch::new(with_endings(search, cover.as_ref())))
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
                    Ok(WeightedSearch::new(with_endings(search, bos.as_ref())))
                },
            )
            .threads(),
        )
        .with(
            RosterEntry::engine(
                "alphabeta",
                "alpha-beta without evaluation: forced outcomes only",
                move |config| {
                    let options = AlphaBetaOptions::new().bytes(config.bytes()).threads(config.threads);
                    let search = AlphaBeta::new(Tabled::new(()).sharing(false), options)?;
                    Ok(with_endings(search.order(StepOrder).noisy_moves(Shots), alphabeta.as_ref()))
                },
            )
            .threads(),
        )
        .with(
            RosterEntry::engine(
                "dfpn",
                "proof numbers and threats, in games of more and more plies: wins only",
                move |config| {
                    let search = Dfpn::new(DfpnOptions::new().bytes(config.bytes()).threads(config.threads))?
                        .tactics(ImmediateThreats);
                    Ok(DeepeningSolver::new(search, dfpn.clone()))
                },
            )
            .threads(),
        )
        .with(RosterEntry::engine("pns", "the same with the tree in memory", move |_| {
            Ok(DeepeningSolver::new(Pn::default().tactics(ImmediateThreats), pns.clone()))
        }))
        .with(RosterEntry::engine("threats", "threat sequences: wins only", move |config| {
            Ok(ThreatSequences::new(config.bytes(), threats.clone()))
        }))
        .with(without_endings(RosterEntry::engine("minimax", "the complete game tree to a depth", |_| {
            Ok(Minimax::new(()))
        })))
        .with(without_endings(
            RosterEntry::engine("uct", "plain Monte-Carlo tree: the base line", |config| {
                let options = MctsOptions::uct().threads(config.threads).bytes(config.bytes()).keep(true);
                Ok(Mcts::new(RandomPlayout::new(PLAYOUT), options)?)
            })
            .threads()
            .simulations(),
        ))
}

/// The search, with the table of endings for its evaluator if there is a table.
fn with_endings<E, O, Q, P>(
    mut search: AlphaBeta<Tabled<E>, O, Q, P>,
    endings: Option<&Endings>,
) -> AlphaBeta<Tabled<E>, O, Q, P> {
    if let Some(endings) = endings {
        search.evaluator_mut().give(endings.clone());
    }
    search
}
