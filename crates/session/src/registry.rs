//! [`Registry`]: games by name. [`GameType`]: a game of a registry.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use stonework_game::text::head;
use stonework_record::Tree;
use stonework_roster::Roster;

use crate::described::{self, Described};
use crate::players::any_roster;
use crate::{AnyPosition, Description, Fault, RecordedGame, Start, State};

/// The part of a [`GameType`] that depends on the type of the game.
trait DynGame: Send + Sync {
    fn description(&self) -> Description;
    fn start(&self, start: &Start) -> Result<AnyPosition, Fault>;
    fn replay(&self, start: &Start, notation: Option<&str>, moves: &[String]) -> Result<State, Fault>;
    fn read_record(&self, tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault>;
}

/// The functions of the game `G`, as a [`DynGame`].
struct Rules<G>(PhantomData<fn() -> G>);

impl<G: Described> DynGame for Rules<G> {
    fn description(&self) -> Description {
        G::DESCRIPTION
    }

    fn start(&self, start: &Start) -> Result<AnyPosition, Fault> {
        G::start(start).map(AnyPosition::new)
    }

    fn replay(&self, start: &Start, notation: Option<&str>, moves: &[String]) -> Result<State, Fault> {
        described::replay::<G>(start, notation, moves)
    }

    fn read_record(&self, tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault> {
        G::read_record(tree, size)
    }
}

/// A game of a [`Registry`]: its constants, first positions, records and players. Cheap to clone.
#[derive(Clone)]
pub struct GameType {
    rules: Arc<dyn DynGame>,
    roster: Arc<Roster<AnyPosition>>,
    usual_player: Arc<str>,
    usual_solver: Arc<str>,
}

impl GameType {
    /// A game without players.
    #[must_use]
    pub fn new<G: Described>() -> Self {
        let (rules, roster) = (Arc::new(Rules::<G>(PhantomData)), Arc::new(Roster::new()));
        Self { rules, roster, usual_player: "".into(), usual_solver: "".into() }
    }

    /// A game with its players. The first entry is the usual player, and the first engine is the usual solver, until
    /// [`usual`](Self::usual) sets other names.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_search::Minimax;
    /// use stonework_roster::{Roster, RosterEntry};
    /// use stonework_session::GameType;
    /// let minimax = RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(())));
    /// let nim = GameType::with_players(&Roster::<Nim>::new().with(minimax));
    /// assert_eq!((nim.name(), nim.usual_player()), ("nim", "minimax"));
    /// ```
    #[must_use]
    pub fn with_players<G: Described>(roster: &Roster<G>) -> Self {
        Self::new::<G>().players(any_roster(roster))
    }

    /// The same game with other players. If the usual player is not among them, the first entry becomes the usual player.
    /// If the usual solver is not among them, the first engine becomes the usual solver.
    #[must_use]
    pub fn players(mut self, roster: Roster<AnyPosition>) -> Self {
        if roster.entry(&self.usual_player).is_none() {
            self.usual_player = roster.entries().first().map_or("", |entry| entry.name()).into();
        }
        if roster.entry(&self.usual_solver).is_none() {
            let engine = roster.entries().iter().find(|entry| entry.is_engine());
            self.usual_solver = engine.map_or("", |entry| entry.name()).into();
        }
        self.roster = Arc::new(roster);
        self
    }

    /// The same game with the names of the usual player and of the usual solver.
    #[must_use]
    pub fn usual(self, player: &str, solver: &str) -> Self {
        Self { usual_player: player.into(), usual_solver: solver.into(), ..self }
    }

    /// The players and engines by name.
    #[must_use]
    pub fn roster(&self) -> &Roster<AnyPosition> {
        &self.roster
    }

    /// The name of the usual player; empty if there are no players.
    #[must_use]
    pub fn usual_player(&self) -> &str {
        &self.usual_player
    }

    /// The name of the usual solver; empty if there is no engine.
    #[must_use]
    pub fn usual_solver(&self) -> &str {
        &self.usual_solver
    }

    /// The constants of the game.
    #[must_use]
    pub fn description(&self) -> Description {
        self.rules.description()
    }

    /// The name of the game.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.description().name
    }

    /// The first position of a game.
    ///
    /// # Errors
    /// The faults of [`Described::start`].
    pub fn start(&self, start: &Start) -> Result<AnyPosition, Fault> {
        self.rules.start(start)
    }

    /// Plays the moves of a list and returns the facts about the last position. The moves are played on the game's own
    /// type, which is faster than an [`AnyPosition`].
    ///
    /// # Errors
    /// The faults of [`replay`](described::replay).
    ///
    /// ```
    /// use stonework_session::{Registry, Start};
    /// let moves = ["a1", "b1", "a1"].map(str::to_owned);
    /// let fault = Registry::standard().game("havannah")?.replay(&Start::of_size(3), None, &moves).unwrap_err();
    /// assert_eq!((fault.at, fault.kind.as_str()), (Some(2), "occupied"));
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    pub fn replay(&self, start: &Start, notation: Option<&str>, moves: &[String]) -> Result<State, Fault> {
        self.rules.replay(start, notation, moves)
    }

    /// Reads a game from the main line of an SGF record. `size` replaces the size of the record.
    ///
    /// # Errors
    /// The faults of [`Described::read_record`].
    pub fn read_record(&self, tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault> {
        self.rules.read_record(tree, size)
    }
}

impl fmt::Debug for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GameType").field(&self.name()).finish()
    }
}

/// Games by name. Cheap to clone.
///
/// ```
/// use stonework_session::Registry;
/// let registry = Registry::standard();
/// assert_eq!(registry.names(), ["havannah", "cachex", "cover"]);
/// let refused = registry.game("chess").unwrap_err();
/// assert_eq!(refused.to_string(), "no game `chess`: there is havannah, cachex, cover");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    games: Vec<GameType>,
}

impl Registry {
    /// A registry without games.
    #[must_use]
    pub const fn new() -> Self {
        Self { games: Vec::new() }
    }

    /// Havannah, Cachex and Cover, in this order. With the feature `players`, the games have their players.
    #[must_use]
    #[cfg(not(feature = "players"))]
    pub fn standard() -> Self {
        Self::new()
            .with(GameType::new::<stonework_havannah::Position>())
            .with(GameType::new::<stonework_cachex::Position>())
            .with(GameType::new::<stonework_cover::Position>())
    }

    /// Havannah, Cachex and Cover, in this order. With the feature `players`, the games have their players.
    #[must_use]
    #[cfg(feature = "players")]
    pub fn standard() -> Self {
        Self::new()
            .with(GameType::with_players(&stonework_havannah_players::roster(None)).usual("champion", "dfpn"))
            .with(GameType::with_players(&stonework_cachex_players::roster()).usual("cachex", "alphabeta"))
            .with(GameType::with_players(&stonework_cover_players::roster(None)).usual("cover", "alphabeta"))
    }

    /// The registry with one more game. The game replaces a game of the same name, in its place.
    #[must_use]
    pub fn with(mut self, game: GameType) -> Self {
        match self.games.iter_mut().find(|known| known.name() == game.name()) {
            Some(known) => *known = game,
            None => self.games.push(game),
        }
        self
    }

    /// The games in the order in which they were added.
    #[must_use]
    pub fn games(&self) -> &[GameType] {
        &self.games
    }

    /// The names of the games, in the order of [`games`](Self::games).
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.games.iter().map(GameType::name).collect()
    }

    /// The game of a name.
    ///
    /// # Errors
    /// The fault `game` if no game has the name. The fault lists the names of the games.
    pub fn game(&self, name: &str) -> Result<&GameType, Fault> {
        let found = self.games.iter().find(|game| game.name() == name);
        found.ok_or_else(|| {
            let known = self.names().join(", ");
            Fault::new("game", format!("no game `{}`: there is {known}", head(name)))
        })
    }
}
