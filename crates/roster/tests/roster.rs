//! Tests that a roster makes the engines and players of its entries, refuses settings that an entry cannot use,
//! and reads players from texts.

use stonework_game::example::Nim;
use stonework_roster::{
    Agent, Clock, Decision, EngineAgent, PlayerConfig, PlayerSpec, Roster, RosterEntry, RosterError,
};
use stonework_search::{Engine, Limits, Mcts, Minimax, RandomPlayout};
use stonework_search::{MctsOptions, Report};

/// A player that always takes one stone.
struct One;

impl Agent<Nim> for One {
    fn new_game(&mut self) {}

    fn decide(&mut self, _: &Nim, _: &Clock) -> Option<Decision<u8>> {
        Some(Decision::Play(1))
    }
}

fn roster() -> Roster<Nim> {
    Roster::new()
        .with(RosterEntry::engine("minimax", "all of it", |_| Ok(Minimax::new(()))))
        .with(
            RosterEntry::engine("uct", "a tree", |config| {
                let settings = MctsOptions::uct().threads(config.threads).bytes(config.bytes());
                Ok(Mcts::new(RandomPlayout::new(100), settings)?)
            })
            .threads()
            .simulations(),
        )
        .with(RosterEntry::agent("one", "takes one", |_| Ok(One)))
        .with(RosterEntry::engine("broken", "cannot be made", |_| -> Result<Minimax<()>, _> {
            Err("no such luck".into())
        }))
}

fn text<T>(result: Result<T, RosterError>) -> String {
    result.err().expect("an error").to_string()
}

#[test]
fn every_engine_is_a_player_and_not_every_player_an_engine() {
    let (roster, config) = (roster(), PlayerConfig::default());
    let names: Vec<&str> = roster.entries().iter().map(RosterEntry::name).collect();
    assert_eq!(names, ["minimax", "uct", "one", "broken"]);
    for (name, engine) in [("minimax", true), ("uct", true), ("one", false)] {
        let entry = roster.entry(name).unwrap();
        assert_eq!((entry.is_engine(), roster.engine(name, &config).is_ok()), (engine, engine), "{name}");
        assert!(roster.agent(name, &config).is_ok(), "{name}");
    }
    let play = |name, left| roster.agent(name, &config).unwrap().decide(&Nim::new(left), &Clock::NONE);
    assert_eq!((play("minimax", 8), play("one", 8)), (Some(Decision::Play(2)), Some(Decision::Play(1))));
}

#[test]
fn an_entry_is_played_by_its_engine_or_by_a_player_of_its_own() {
    let config = PlayerConfig::default();
    let entry = RosterEntry::engine("minimax", "takes one all the same", |_| Ok(Minimax::new(())));
    let roster = roster().with(entry.played_by(|_| Ok(One)));
    assert_eq!(roster.entries().len(), 4, "an entry of the same name is replaced");
    let decision = roster.agent("minimax", &config).unwrap().decide(&Nim::new(8), &Clock::NONE);
    assert_eq!(decision, Some(Decision::Play(1)));
    let best = |report: Report<u8>| report.best;
    let mut engine = roster.engine("minimax", &config).unwrap();
    assert_eq!(best(engine.think(&Nim::new(8), &Limits::none())), Some(2));
}

#[test]
fn errors_name_the_entry_and_the_limit() {
    let (roster, config) = (roster(), PlayerConfig::default());
    assert_eq!(text(roster.engine("one", &config)), "no engine `one`; there is minimax, uct, broken");
    assert_eq!(text(roster.agent("two", &config)), "no player `two`; there is minimax, uct, one, broken");
    let threads = PlayerConfig { threads: 3, ..config.clone() };
    assert_eq!(text(roster.engine("minimax", &threads)), "3 threads: minimax has one");
    assert!(roster.engine("uct", &threads).is_ok());
    let simulations = PlayerConfig { limits: Limits::none().simulations(7), ..config.clone() };
    assert_eq!(
        text(roster.agent("one", &simulations)),
        "a limit of 7 simulations: one makes none",
        "the limit of a player"
    );
    assert!(roster.agent("uct", &simulations).is_ok());
    assert_eq!(text(roster.agent("broken", &config)), "no such luck");
    let without = roster.without("a table of endings");
    assert_eq!(text(without.engine("uct", &config)), "a table of endings: uct asks none");
}

#[test]
fn a_player_from_a_text_has_its_parameters() {
    let (roster, config) = (roster(), PlayerConfig::default());
    let spec: PlayerSpec = "minimax: nodes=50 , seconds = 2,".parse().unwrap();
    assert_eq!(spec.parameters, [("nodes".to_owned(), 50.0), ("seconds".to_owned(), 2.0)]);
    assert!(spec.is_limited() && !"uct".parse::<PlayerSpec>().unwrap().is_limited());
    let agent = spec.agent(&roster, &config).unwrap();
    let value = |name: &str| agent.parameters().iter().find(|p| p.name == name).map(|p| p.value);
    assert_eq!((value("nodes"), value("seconds")), (Some(50.0), Some(2.0)));
    let refused: PlayerSpec = "minimax:colour=1".parse().unwrap();
    let error = text(refused.agent(&roster, &config));
    let mut own = EngineAgent::new(Minimax::new(()), Limits::none(), 1);
    let source = Agent::<Nim>::set_parameter(&mut own, "colour", 1.0).unwrap_err();
    assert_eq!(error, format!("minimax: {source}"));
    for wrong in ["uct:fast", "uct:nodes=many", "uct:a=1,=,b"] {
        let error = wrong.parse::<PlayerSpec>().unwrap_err();
        assert!(error.to_string().starts_with(&format!("`{wrong}`: `")), "{error}");
    }
}
