//! [`Request`] and [`Response`]: the messages of a session, for any means of transport.

use serde::{Deserialize, Serialize};
use stonework_roster::RosterEntry;

use crate::{
    Analysis, AnyPosition, Description, Fault, Layer, LayerBudget, Registry, Search, Session, Start, State,
};

/// A request to a [`Session`]. As JSON, an object with the name of the operation in `op`:
///
/// | request | response |
/// |---|---|
/// | `{"op":"games"}` | `games`: every game of the registry |
/// | `{"op":"new","game":"havannah","size":4,"swap":true,"notation":"grid"}` | `state` |
/// | `{"op":"load","game":"havannah","record":"(;SZ[4];W[a1])"}` | `state` |
/// | `{"op":"play","moves":["a1","b2"]}` | `state` |
/// | `{"op":"undo","count":2}` | `state` |
/// | `{"op":"state"}` | `state` |
/// | `{"op":"legal"}` | `moves`: the legal moves |
/// | `{"op":"threats","side":"white"}` | `moves`: the moves with which the side would win at once |
/// | `{"op":"layers","layers":["links"],"carrier":5}` | `layers`: findings about the position |
/// | `{"op":"draw","svg":true,"layers":["links"]}` | `picture` |
/// | `{"op":"record","players":["Ann","Bob"]}` | `record`: SGF |
/// | `{"op":"players"}` | `players`: the players and engines of the game |
/// | `{"op":"search","engine":"mcts:rave=500","simulations":1000}` | `analysis` |
///
/// A refused request has the response `error`, and changes nothing.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Request {
    /// The games of the registry.
    Games,
    /// Begins a game.
    New {
        /// The name of the game.
        game: String,
        /// The first position.
        #[serde(flatten)]
        start: Start,
        /// The notation of moves and cells; the usual notation unless given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        notation: Option<String>,
    },
    /// Begins a game with the moves of an SGF record, in the usual notation.
    Load {
        /// The name of the game.
        game: String,
        /// The text of the record.
        record: String,
    },
    /// Plays moves, all of them or none.
    Play {
        /// The moves in order.
        moves: Vec<String>,
    },
    /// Takes moves back.
    Undo {
        /// The number of moves; 1 unless given.
        #[serde(default = "one")]
        count: usize,
    },
    /// The facts about the present position.
    State,
    /// The legal moves.
    Legal,
    /// The moves with which a side would win at once if it were to move.
    Threats {
        /// The side.
        side: String,
    },
    /// Findings about the present position.
    Layers {
        /// The names of the layers; an empty list stands for all layers of the game.
        #[serde(default)]
        layers: Vec<String>,
        /// The limits of the cost.
        #[serde(flatten)]
        budget: LayerBudget,
    },
    /// A picture of the present position.
    Draw {
        /// `true` for a picture in SVG; otherwise the picture is text.
        #[serde(default)]
        svg: bool,
        /// The names of the layers with the marked cells; none unless given.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        layers: Vec<String>,
    },
    /// The game as an SGF record.
    Record {
        /// The names of the players, the first player's first; an empty name is left out.
        #[serde(default)]
        players: [String; 2],
    },
    /// The players and engines of the game.
    Players,
    /// Searches the present position.
    Search(Search),
}

const fn one() -> usize {
    1
}

/// The response to a [`Request`]. As JSON, an object with the name of the variant in `kind`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Response {
    /// The games of the registry.
    Games {
        /// One entry for each game.
        games: Vec<GameInfo>,
    },
    /// The present position.
    State {
        /// The name of the game.
        game: String,
        /// The moves played.
        moves: Vec<String>,
        /// The facts about the position.
        state: Box<State>,
    },
    /// Moves of the present position.
    Moves {
        /// The moves; null if the rules of the game cannot list them.
        moves: Option<Vec<String>>,
    },
    /// Findings about the present position.
    Layers {
        /// The requested layers, in the order of the request.
        layers: Vec<Layer>,
    },
    /// A picture.
    Picture {
        /// Lines of text, or an SVG document.
        picture: String,
    },
    /// A record.
    Record {
        /// The text of the SGF file.
        record: String,
    },
    /// The players and engines of the game.
    Players {
        /// One entry for each player or engine. The first is the usual player unless `usual` has another name.
        players: Vec<PlayerInfo>,
        /// The name of the player for a search without a name; empty if there are no players.
        usual: String,
    },
    /// The findings of a search, also during the search.
    Analysis {
        /// The findings.
        analysis: Box<Analysis>,
    },
    /// The request is refused.
    Error {
        /// The reason.
        error: Fault,
    },
}

/// The constants of a game, as a client reads them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameInfo {
    /// The name of the game.
    pub name: String,
    /// The names of the sides, the first player's first.
    pub sides: [String; 2],
    /// The least and the greatest size of a board.
    pub sizes: (u8, u8),
    /// The size of a board for which no size is given.
    pub usual_size: u8,
    /// The names of the notations, the usual notation first; empty for a game with a single notation.
    pub notations: Vec<String>,
    /// `true` if games against a person have the right to swap unless the options refuse it.
    pub swaps: bool,
}

/// A player, as a client reads it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerInfo {
    /// The name.
    pub name: String,
    /// A line about the player.
    pub about: String,
    /// `true` if the player is an engine, which the request `search` accepts.
    pub engine: bool,
}

impl From<Description> for GameInfo {
    fn from(game: Description) -> Self {
        Self {
            name: game.name.to_owned(),
            sides: game.sides.map(str::to_owned),
            sizes: game.sizes,
            usual_size: game.usual_size,
            notations: game.notations.iter().map(|&name| name.to_owned()).collect(),
            swaps: game.swaps,
        }
    }
}

impl Session {
    /// Begins a session with a request, which must be [`Request::New`] or [`Request::Load`].
    ///
    /// # Errors
    /// The fault of the game, its start or its record; the fault `game` for another request.
    pub fn open(registry: Registry, request: &Request) -> Result<Self, Fault> {
        match request {
            Request::New { game, start, notation } => Self::new(registry, game, start, notation.as_deref()),
            Request::Load { game, record } => Self::from_record(registry, game, record),
            _ => Err(Fault::new("game", "no game has begun: `new` or `load` begins one")),
        }
    }

    /// Carries a request out. Every fault is a response; the call never panics.
    ///
    /// ```
    /// use stonework_session::{Registry, Request, Session, Start};
    /// let read = |text: &str| serde_json::from_str::<Request>(text);
    /// let new = read(r#"{"op":"new","game":"cover","size":1}"#)?;
    /// let mut session = Session::open(Registry::standard(), &new)?;
    /// let legal = session.handle(&read(r#"{"op":"legal"}"#)?);
    /// assert_eq!(serde_json::to_value(&legal)?["moves"][0], session.legal()[0]);
    /// let refused = session.handle(&read(r#"{"op":"play","moves":["E05-F06"]}"#)?);
    /// assert_eq!(serde_json::to_value(&refused)?["kind"], "error");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn handle(&mut self, request: &Request) -> Response {
        self.handle_live(request, &mut |_| {})
    }

    /// Carries a request out as [`handle`](Self::handle). During a search, `watch` receives the findings as
    /// responses.
    pub fn handle_live(&mut self, request: &Request, watch: &mut dyn FnMut(Response)) -> Response {
        self.carry_out(request, watch).unwrap_or_else(|error| Response::Error { error })
    }

    fn carry_out(&mut self, request: &Request, watch: &mut dyn FnMut(Response)) -> Result<Response, Fault> {
        match request {
            Request::Games => {
                let games = self.registry().games().iter().map(|game| game.description().into()).collect();
                return Ok(Response::Games { games });
            }
            Request::New { .. } | Request::Load { .. } => {
                let other = Self::open(self.registry().clone(), request)?;
                self.replace(other);
            }
            Request::Play { moves } => self.play_all(moves)?,
            Request::Undo { count } => self.undo(*count)?,
            Request::State => {}
            Request::Legal => return Ok(Response::Moves { moves: Some(self.legal()) }),
            Request::Threats { side } => return Ok(Response::Moves { moves: self.threats(side)? }),
            Request::Layers { layers, budget } => {
                return Ok(Response::Layers { layers: self.layers(layers, budget)? });
            }
            Request::Draw { svg, layers } => {
                let mut picture = self.picture()?;
                if !layers.is_empty() {
                    for layer in self.layers(layers, &LayerBudget::default())? {
                        picture = picture.overlay(layer.overlay(self.position(), self.notation()));
                    }
                }
                let text = if *svg { picture.svg() } else { Some(picture.text()) };
                let none = || Fault::new("draw", format!("no SVG pictures of {}", self.game().name()));
                return Ok(Response::Picture { picture: text.ok_or_else(none)? });
            }
            Request::Record { players } => {
                let record = self.record(players.each_ref().map(String::as_str))?;
                return Ok(Response::Record { record });
            }
            Request::Players => {
                let info = |entry: &RosterEntry<AnyPosition>| PlayerInfo {
                    name: entry.name().to_owned(),
                    about: entry.about().to_owned(),
                    engine: entry.is_engine(),
                };
                let players = self.game().roster().entries().iter().map(info).collect();
                return Ok(Response::Players { players, usual: self.game().usual_player().to_owned() });
            }
            Request::Search(search) => {
                let respond =
                    |analysis: &Analysis| Response::Analysis { analysis: Box::new(analysis.clone()) };
                let analysis = self.search(search, &mut |analysis| watch(respond(analysis)))?;
                return Ok(Response::Analysis { analysis: Box::new(analysis) });
            }
        }
        let (game, moves) = (self.game().name().to_owned(), self.moves());
        Ok(Response::State { game, moves, state: Box::new(self.state()) })
    }
}
