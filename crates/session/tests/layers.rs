//! Layers of findings: what each game says about a position, in sentences, marks and messages.

use serde_json::{Value, json};
use stonework_game::example::Nim;
use stonework_game::{Game, below, rng};
use stonework_session::{
    AnyPosition, GameType, Layer, LayerBudget, Registry, Request, Response, Session, Start,
};

/// In `THREATENED`, White threatens a bridge from d1 to a4. In `WON`, one move of each side later, the links exist.
const THREATENED: &str = "4 b - ...w/..w../....../w..b.../...b../...../....";
const WON: &str = "4 b - ...w/b.w../.w..../w..b.../...b../...../....";

fn start(game: &str, position: &str) -> AnyPosition {
    let start = Start { position: Some(position.to_owned()), ..Start::default() };
    Registry::standard().game(game).unwrap().start(&start).unwrap()
}

fn layer(position: &AnyPosition, name: &str) -> Layer {
    position.layer(name, 0, &LayerBudget::default()).unwrap()
}

/// The sentences about a position.
fn sentences(text: &str, name: &str) -> Vec<String> {
    layer(&start("havannah", text), name).findings.into_iter().map(|finding| finding.text).collect()
}

#[test]
fn a_frame_that_wins_is_told_with_its_path_and_carrier() {
    let told = sentences(WON, "frames");
    assert_eq!(told[0], "Black has no frame and no half-frame.");
    assert_eq!(
        told[1],
        "White has a bridge frame a4–b3–c2–d1 with the carrier {a3, b2, b4, c1, c3, d2}; White wins in at most 3 moves \
         whatever Black plays."
    );
    assert_eq!(
        sentences(WON, "must-play"),
        [
            "Black has lost: White has a bridge frame a4–b3–c2–d1 with the carrier {a3, b2, b4, c1, c3, d2}; White wins in \
          at most 3 moves whatever Black plays."
        ]
    );
}

#[test]
fn a_race_is_told_with_its_line_and_an_open_one_is_an_estimate() {
    // Black threatens g7; White takes it, and its frame is faster than the rest.
    assert_eq!(
        sentences("4 w - ...w/..w../ww..../w....../....../...../bbb.", "race"),
        [
            "White wins the race: after g7 a bridge frame with the carrier {a3, b2, b4, c3} is first; White then wins in at \
          most 2 moves."
        ]
    );
    assert_eq!(
        sentences("4 w - ...w/..w../ww..../w....../.....b/...bb/bbb.", "race"),
        ["Black wins the race, whatever White plays: Black has two winning cells."]
    );
    let open = sentences(
        "8 w - ......../........./........../.....b...../............/............./....w........./.............../............../............./............/.........../........../........./........",
        "race",
    );
    assert_eq!(open, ["The race is open: no side has a frame or a half-frame."]);
}

#[test]
fn a_half_frame_is_not_called_a_win_and_says_where_the_other_side_must_play() {
    let told = sentences(THREATENED, "frames");
    assert!(told[1].ends_with("it needs at most 3 moves, and Black moves first."), "{told:?}");
    assert!(told.iter().all(|text| !text.contains("wins in")), "{told:?}");
    let told = sentences(THREATENED, "must-play");
    assert_eq!(told[0], "Black must play on one of a3, b2 and b4: a stone on any other cell loses.");
    assert_eq!(
        told.last().unwrap(),
        "After a stone on any other cell White's a1 makes a bridge frame a1–b3–a4 with the carrier {a1, a2, a3, b2, b4}; \
         White wins in at most 3 moves."
    );
}

#[test]
fn links_are_told_once_for_two_ends() {
    let told = sentences(WON, "links");
    let between = told.iter().filter(|text| text.contains("a4") && text.contains("b3 ")).count();
    assert!(told.contains(&"White keeps b3 connected to c2: carrier {b2, c3}.".to_owned()), "{told:?}");
    assert!(told.iter().any(|text| text.contains("connected to the edge a1–a4")), "{told:?}");
    assert_eq!(between, 1, "{told:?}");
}

#[test]
fn distances_are_exact_and_two_distances_are_called_an_estimate() {
    assert_eq!(
        sentences(WON, "distance")[1],
        "If Black passes, White needs 3 stones for a bridge, 4 for a ring around b4 and 4 for a fork."
    );
    assert!(
        sentences(WON, "two-distance").iter().all(|text| text.starts_with("By two-distance, an estimate, "))
    );
    // Every empty cell has a number in the picture.
    let marks = layer(&start("havannah", WON), "distance").marks;
    assert_eq!(marks.len(), 37 - 7);
    assert!(marks.iter().all(|mark| mark.label.is_some()));
}

/// The example of a dead cell among three stones of each side, with the rings of six blocked.
#[test]
fn dead_cells_are_told_and_marked() {
    let position = start("havannah", "3 w - .../.wb./bw.bw/.wb./...");
    let dead = layer(&position, "dead");
    assert!(dead.findings[0].text.starts_with("c3 "), "{dead:?}");
    assert!(
        dead.findings[0].text.ends_with("dead: a stone there, of either side, changes no winner."),
        "{dead:?}"
    );
    assert!(dead.marks.iter().any(|mark| mark.cell == "c3" && mark.label.as_deref() == Some("x")));
    let empty = start("havannah", "4 w - ..../...../....../......./....../...../....");
    assert_eq!(layer(&empty, "dead").text(), "No cell is known to be dead.");
}

#[test]
fn every_game_has_threats() {
    let nim = GameType::new::<Nim>().start(&Start::of_size(2)).unwrap();
    assert_eq!(layer(&nim, "threats").text(), "First wins at once by 2.");
    for (game, size) in [("havannah", 4), ("cachex", 3), ("cover", 1)] {
        let position = Registry::standard().game(game).unwrap().start(&Start::of_size(size)).unwrap();
        let [threats] = &position.find_layers(&["threats"], 0, &LayerBudget::default()).unwrap()[..] else {
            panic!("{game}");
        };
        assert_eq!(threats.layer, "threats");
        let all = position.find_layers::<&str>(&[], 0, &LayerBudget::default()).unwrap();
        let names: Vec<&str> = position.layers().iter().map(|layer| layer.name).collect();
        assert_eq!(all.iter().map(|layer| layer.layer.as_str()).collect::<Vec<_>>(), names);
    }
}

#[test]
fn cells_are_named_in_the_notation_that_was_asked_for() {
    let position = start("havannah", WON);
    let grid = position.notation(Some("grid")).unwrap();
    let links = position.layer("links", grid, &LayerBudget::default()).unwrap();
    let names = |cells: &[String]| cells.iter().all(|cell| position.read_move(cell, grid).is_ok());
    assert!(links.findings.iter().all(|finding| names(&finding.cells)));
    let picture = position.picture(&[], grid).unwrap().overlay(links.overlay(&position, grid)).text();
    assert_eq!(picture.matches('w').count(), links.marks.len());
}

#[test]
fn what_has_no_answer_is_refused_with_a_reason() {
    let position = start("havannah", WON);
    let refused = |name: &str, budget: LayerBudget| position.layer(name, 0, &budget).unwrap_err();
    let fault = refused("dreams", LayerBudget::default());
    assert_eq!(
        (fault.kind.as_str(), fault.message.as_str()),
        (
            "layer",
            "no layer `dreams` of havannah: links, frames, threats, must-play, race, dead, distance, two-distance"
        )
    );
    for (budget, text) in [
        (
            LayerBudget { carrier: 0, ..LayerBudget::default() },
            "carrier: a budget of 0 cells; the least is 1",
        ),
        (
            LayerBudget { combinations: 0, ..LayerBudget::default() },
            "combinations: a budget of 0 pairs of links; the least is 1",
        ),
        (
            LayerBudget { findings: 0, ..LayerBudget::default() },
            "findings: a budget of 0 sentences; the least is 1",
        ),
    ] {
        let fault = refused("threats", budget);
        assert_eq!((fault.kind.as_str(), fault.message.as_str()), ("budget", text));
    }
    let over = start("havannah", "2 b - ww/.b./b.");
    assert_eq!(over.layer("threats", 0, &LayerBudget::default()).unwrap_err().kind, "over");
    let swap = Start { swap: true, ..Start::of_size(4) };
    let swap = Registry::standard().game("havannah").unwrap().start(&swap).unwrap();
    assert_eq!(swap.layer("must-play", 0, &LayerBudget::default()).unwrap_err().kind, "swap");
}

#[test]
fn a_small_budget_leaves_findings_out_and_says_so() {
    let position = start("havannah", WON);
    let one = LayerBudget { findings: 1, ..LayerBudget::default() };
    let links = position.layer("links", 0, &one).unwrap();
    assert!(
        links.text().contains("\nWhite has ") && links.text().ends_with(" more links."),
        "{}",
        links.text()
    );
    let few = LayerBudget { combinations: 1, ..LayerBudget::default() };
    let links = position.layer("links", 0, &few).unwrap();
    assert!(!links.complete && links.text().contains("which the budget has left out"), "{}", links.text());
}

#[test]
fn layers_by_message() {
    let request = |value: Value| serde_json::from_value::<Request>(value).unwrap();
    let new = request(json!({"op": "new", "game": "havannah", "position": THREATENED}));
    let mut session = Session::open(Registry::standard(), &new).unwrap();
    let asked = request(json!({"op": "layers", "layers": ["must-play"], "carrier": 5}));
    assert_eq!(request(serde_json::to_value(&asked).unwrap()), asked);
    let response = session.handle(&asked);
    let value = serde_json::to_value(&response).unwrap();
    assert_eq!(serde_json::from_value::<Response>(value.clone()).unwrap(), response);
    assert_eq!(value["kind"], "layers");
    assert_eq!(value["layers"][0]["findings"][0]["cells"], json!(["a3", "b2", "b4"]));
    assert_eq!(value["layers"][0]["marks"][0], json!({"cell": "a3"}));
    let all = serde_json::to_value(session.handle(&request(json!({"op": "layers"})))).unwrap();
    assert_eq!(all["layers"].as_array().unwrap().len(), 8);
    let picture = session.handle(&request(json!({"op": "draw", "layers": ["must-play"]})));
    let Response::Picture { picture } = picture else { panic!("{picture:?}") };
    assert_eq!(picture.matches(".*").count(), 3, "{picture}");
    let refused = session.handle(&request(json!({"op": "layers", "layers": ["dead ends"]})));
    assert!(matches!(refused, Response::Error { error } if error.kind == "layer"));
}

/// In random games every layer answers in every position, and names only cells that are on the board.
#[test]
fn every_position_of_a_game_has_every_layer() {
    let budget = LayerBudget { carrier: 5, combinations: 20_000, findings: 3 };
    let mut rng = rng(22);
    for size in [2, 3, 4, 5] {
        for _ in 0..3 {
            let mut game =
                Registry::standard().game("havannah").unwrap().start(&Start::of_size(size)).unwrap();
            while game.outcome().is_none() {
                for layer in game.find_layers::<&str>(&[], 0, &budget).unwrap() {
                    assert!(!layer.findings.is_empty());
                    let told = layer.findings.iter().flat_map(|finding| &finding.cells);
                    for cell in told.chain(layer.marks.iter().map(|mark| &mark.cell)) {
                        let mv = game.read_move(cell, 0).unwrap();
                        assert!(game.check(mv).is_ok(), "{}: {cell} in {game:?}", layer.layer);
                    }
                    for finding in &layer.findings {
                        assert!(
                            finding.text.ends_with('.') && !finding.text.contains("  "),
                            "{}",
                            finding.text
                        );
                    }
                }
                let moves = game.moves();
                game.play(moves[below(&mut rng, moves.len())]).unwrap();
            }
        }
    }
}
