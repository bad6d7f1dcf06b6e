//! [`SessionHost`]: any game of a registry, with its players, as a [`Host`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_game::{ByPlayer, Player, Textual};
use stonework_roster::{Agent, PlayerConfig, PlayerSpec, Roster, RosterEntry};
use stonework_search::{Limits, Report, SearchContext};
use stonework_session::{AnyMove, AnyPosition, Fault, GameType, LayerBudget, Start};

use crate::gogui;
use crate::host::{Host, LiveEngine, Named, Square};

/// The time of a move for which neither a clock nor a limit is set.
const MOVE_TIME: Duration = Duration::from_secs(5);

/// The time of a solver for which no time is set.
const SOLVE_TIME: Duration = Duration::from_secs(60);

/// The options of a [`SessionHost`].
///
/// ```
/// use stonework_gtp::SessionHostOptions;
/// let options = SessionHostOptions { size: Some(4), swap: Some(false), ..SessionHostOptions::default() };
/// assert!(!options.gogui && options.roster.is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct SessionHostOptions {
    /// The size of the first board; `None` is the usual size of the game. The command `boardsize` sets another.
    pub size: Option<u64>,
    /// `true` if games have the right to swap; `None` is the custom of the game
    /// ([`Description::swaps`](stonework_session::Description::swaps)), and no right to swap with `gogui`.
    pub swap: Option<bool>,
    /// The number of the notation that moves have until a command `NAMEcoords` sets another: its place in
    /// [`Description::notations`](stonework_session::Description::notations). 0 is the usual notation of the game.
    pub notation: usize,
    /// `true` for the conventions of the tools of `GoGui`: the first side is called black, a size is the number of
    /// rows, a move is a column without the letter i and a row from below, and there is no swap. `notation` has no
    /// effect then.
    pub gogui: bool,
    /// The players and solvers; `None` is the roster of the game.
    pub roster: Option<Roster<AnyPosition>>,
    /// The limits, the threads and the seed for players and solvers. The seed of a player is the seed of the
    /// [`Server`](crate::Server).
    pub config: PlayerConfig,
}

/// A game of a [`Registry`](stonework_session::Registry) with its players, as a [`Server`](crate::Server) serves it.
///
/// Names of sides, moves and notations, pictures and records come from the game's
/// [`Described`](stonework_session::Described). The players are the entries of a roster, and its engines are the solvers.
/// Without a clock and without a limit of time, nodes, simulations or depth, a move takes at most 5 seconds; `solve` without
/// a limit of time takes at most 60 seconds. The flag [`Limits::cancel`] of the configuration, or else one of the host's
/// own, ends a search when the controller interrupts it.
///
/// ```
/// use stonework_gtp::{Server, SessionHost, SessionHostOptions};
/// use stonework_session::Registry;
/// let options = SessionHostOptions { size: Some(4), ..SessionHostOptions::default() };
/// let host = SessionHost::new(Registry::standard().game("havannah")?, options)?;
/// let mut server = Server::new(host, "mcts", 1)?;
/// let mut say = |line: &str| server.line(line).map(|reply| reply.to_string()).unwrap_or_default();
/// assert_eq!(say("play white a1"), "=\n\n");
/// assert_eq!(say("play black swap"), "=\n\n");
/// assert_eq!(say("gridcoords"), "=\n\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SessionHost {
    game: GameType,
    winner_command: String,
    size: u64,
    swap: bool,
    gogui: bool,
    /// The numbers of the notations, the notation of the options first. Empty where the game has only one notation.
    notations: Vec<usize>,
    roster: Roster<AnyPosition>,
    config: PlayerConfig,
}

impl SessionHost {
    /// A host of a game. O(cells of the board).
    ///
    /// # Errors
    /// The fault `size` or `swap` for a size or a right to swap that the game does not have. The fault `notation` for
    /// a number without a notation, and for a notation that does not fit the board. The fault `gogui` for a board
    /// that `GoGui` cannot show, and for a right to swap with `GoGui`.
    ///
    /// ```
    /// use stonework_gtp::{SessionHost, SessionHostOptions};
    /// use stonework_session::Registry;
    /// let registry = Registry::standard();
    /// let options = SessionHostOptions { gogui: true, ..SessionHostOptions::default() };
    /// let refused = SessionHost::new(registry.game("cover")?, options).unwrap_err();
    /// assert_eq!(refused.kind, "gogui");
    /// assert_eq!(refused.message, "GoGui plays stones on places, and a move of cover is more than a place");
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    pub fn new(game: &GameType, options: SessionHostOptions) -> Result<Self, Fault> {
        let SessionHostOptions { size, swap, notation, gogui, roster, mut config } = options;
        let standard = game.description();
        let known = standard.notations.len();
        if notation >= known.max(1) {
            let what = format!("no notation number {notation}: {} has {}", standard.name, known.max(1));
            return Err(Fault::new("notation", what));
        }
        if gogui && swap == Some(true) {
            return Err(Fault::new("gogui", "GoGui knows no right to swap"));
        }
        // `GoGui` names every move by a place of the square.
        let mut notations: Vec<usize> = if gogui { Vec::new() } else { (0..known).collect() };
        notations.sort_by_key(|&other| other != notation);
        config.limits.cancel.get_or_insert_default();
        let host = Self {
            game: game.clone(),
            winner_command: format!("{}_winner", standard.name),
            size: size.unwrap_or(standard.usual_size.into()),
            swap: swap.unwrap_or(standard.swaps && !gogui),
            gogui,
            notations,
            roster: roster.unwrap_or_else(|| game.roster().clone()),
            config,
        };
        let start = host.first(host.size)?;
        host.fit(&start, 0)?;
        if gogui {
            gogui::fit(&start).map_err(|why| Fault::new("gogui", why))?;
        }
        Ok(host)
    }

    /// The first position of a game of a size.
    fn first(&self, size: u64) -> Result<AnyPosition, Fault> {
        self.game.start(&Start { swap: self.swap, ..Start::of_size(size) })
    }

    /// The number of the notation of a style.
    fn notation(&self, style: usize) -> usize {
        self.notations.get(style).copied().unwrap_or(0)
    }

    fn fit(&self, game: &AnyPosition, style: usize) -> Result<(), Fault> {
        let name = game.description().notations.get(self.notation(style)).copied();
        game.notation(name).map(|_| ())
    }
}

fn named(entry: &RosterEntry<AnyPosition>) -> Named {
    (entry.name().to_owned(), entry.about().to_owned())
}

impl Host for SessionHost {
    type Game = AnyPosition;

    fn name(&self) -> &'static str {
        "Stonework"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn start(&self, size: Option<u32>) -> Result<AnyPosition, String> {
        match size {
            Some(rows) if self.gogui => {
                let start = self.first(u64::from(rows).div_ceil(2)).map_err(|fault| fault.message)?;
                gogui::fit(&start)?;
                let fits = start.places().is_some_and(|places| places.len() == rows as usize);
                if fits { Ok(start) } else { Err(format!("no board has {rows} rows: odd numbers only")) }
            }
            size => self.first(size.map_or(self.size, u64::from)).map_err(|fault| fault.message),
        }
    }

    fn agents(&self) -> Vec<Named> {
        self.roster.entries().iter().map(named).collect()
    }

    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<AnyPosition>>, String> {
        let config = PlayerConfig { seed, ..self.config.clone() };
        self.roster.agent(name, &config).map_err(|error| error.to_string())
    }

    /// Refuses a depth as the only limit of a player whose search has no depth. The options of the player may have limits.
    fn check_limits(&self, player: &PlayerSpec) -> Result<(), String> {
        // A value that is no limit is refused by the player itself.
        let Ok((_, limits)) = player.limited(&self.config.limits) else { return Ok(()) };
        let endless = |entry: &RosterEntry<AnyPosition>| !entry.ends(&limits);
        match limits.depth {
            Some(depth) if self.roster.entry(&player.name).is_some_and(endless) => Err(format!(
                "depth {depth}: {} looks to no fixed depth and would never end; give it seconds, nodes or simulations",
                player.name
            )),
            _ => Ok(()),
        }
    }

    fn colours(&self) -> ByPlayer<&str> {
        let [first, second] = if self.gogui { ["black", "white"] } else { self.game.description().sides };
        ByPlayer { first, second }
    }

    fn styles(&self) -> Vec<String> {
        let names = self.game.description().notations;
        self.notations.iter().map(|&notation| names[notation].to_owned()).collect()
    }

    fn fits(&self, game: &AnyPosition, style: usize) -> Result<(), String> {
        self.fit(game, style).map_err(|fault| fault.message)
    }

    fn write_move(&self, game: &AnyPosition, mv: AnyMove, style: usize) -> String {
        if self.gogui { gogui::name(game, mv) } else { game.move_text_in(mv, self.notation(style)) }
    }

    fn parse_move(&self, game: &AnyPosition, text: &str, style: usize) -> Result<AnyMove, String> {
        if self.gogui {
            return gogui::parse(game, text);
        }
        game.read_move(text, self.notation(style)).map_err(|fault| fault.message)
    }

    fn draw(&self, game: &AnyPosition, moves: &[AnyMove], style: usize) -> String {
        if self.gogui {
            return gogui::draw(game);
        }
        let picture = game.picture(moves, self.notation(style));
        let text = picture.map_or_else(|_| game.position_text(), |picture| picture.text());
        format!("{text}\n{}", game.standing())
    }

    fn svg(&self, game: &AnyPosition, marks: &[(AnyMove, String)], style: usize) -> Option<String> {
        let mut picture = game.picture(&[], self.notation(style)).ok()?;
        for (place, (mv, text)) in marks.iter().enumerate() {
            let Some(cell) = game.target_cell(*mv) else { continue };
            picture = picture.on_cells(|diagram| {
                let diagram = diagram.label(cell, text);
                if place == 0 { diagram.highlight([cell]) } else { diagram }
            });
        }
        picture.svg()
    }

    fn square(&self, game: &AnyPosition) -> Option<Square> {
        let places = game.places().filter(|_| self.gogui)?;
        let stone = |place: Option<(AnyMove, Option<Player>)>| place.and_then(|(_, stone)| stone);
        let rows = places.into_iter().map(|row| row.into_iter().map(stone).collect()).collect();
        Some(Square { game: self.game.name().to_owned(), rows })
    }

    /// Empty for `GoGui`, because the sentences of a layer name cells by a notation.
    fn layers(&self) -> Vec<Named> {
        let start = self.first(self.size).ok().filter(|_| !self.gogui);
        let layers = start.map_or_else(Default::default, |start| start.layers());
        layers.iter().map(|layer| (layer.name.to_owned(), layer.about.to_owned())).collect()
    }

    fn layer(&self, name: &str, game: &AnyPosition, style: usize) -> Result<String, String> {
        let layer = game.layer(name, self.notation(style), &LayerBudget::default());
        layer.map(|layer| layer.text()).map_err(|fault| fault.message)
    }

    fn winner_command(&self) -> &str {
        &self.winner_command
    }

    fn swap(&self) -> Option<AnyMove> {
        let start = self.first(self.size).ok()?;
        start.swap_move().filter(|_| !self.gogui)
    }

    fn record(&self, game: &AnyPosition) -> Vec<(&'static str, String)> {
        game.record_head()
    }

    fn solvers(&self) -> Vec<Named> {
        self.roster.entries().iter().filter(|entry| entry.is_engine()).map(named).collect()
    }

    fn solve(
        &self,
        name: &str,
        game: &AnyPosition,
        time: Option<Duration>,
    ) -> Result<Report<AnyMove>, String> {
        // A limit of simulations is a limit for players, not for solvers.
        let own = Limits { simulations: None, ..self.config.limits.clone() };
        let limits = Limits { time: time.or(own.time).or(Some(SOLVE_TIME)), ..own };
        let config = PlayerConfig { limits: limits.clone(), ..self.config.clone() };
        let mut engine = self.roster.engine(name, &config).map_err(|error| error.to_string())?;
        Ok(engine.search(game, &limits, SearchContext::seed(self.config.seed)))
    }

    fn live_engine(&self, name: &str) -> Result<LiveEngine<AnyPosition>, String> {
        if self.roster.entry(name).is_some_and(|entry| !entry.is_engine()) {
            let engines: Vec<String> = self.solvers().into_iter().map(|(name, _)| name).collect();
            return Err(format!(
                "{name} does not report while it searches; these do: {}",
                engines.join(", ")
            ));
        }
        let limits = Limits { bytes: self.config.limits.bytes, ..Limits::none() };
        let config = PlayerConfig { limits: limits.clone(), ..self.config.clone() };
        let engine = self.roster.engine(name, &config).map_err(|error| error.to_string())?;
        Ok((engine, limits))
    }

    fn move_time(&self) -> Option<Duration> {
        let Limits { time, nodes, simulations, depth, .. } = &self.config.limits;
        let limited = time.is_some() || nodes.is_some() || simulations.is_some() || depth.is_some();
        (!limited).then_some(MOVE_TIME)
    }

    fn cancel(&self) -> Option<Arc<AtomicBool>> {
        self.config.limits.cancel.clone()
    }
}
