//! A panic in the rules of one game.

use crate::common::{Folder, config, server_of};
use axum::http::StatusCode;
use stonework_server::ServerApp;

/// The game is void, its moves are kept, and the server goes on.
#[tokio::test]
async fn a_panic_in_the_rules_voids_one_game_and_keeps_it() {
    let folder = Folder::new();
    let registry =
        stonework_session::Registry::standard().with(stonework_session::GameType::new::<broken::Broken>());
    let app = ServerApp::with_games(config(&folder), registry.clone()).await.unwrap();
    let settings = |game: &str, size| stonework_server::GameSettings {
        game: game.to_owned(),
        size,
        swap: false,
        clock: stonework_server::ClockSettings::default(),
    };
    let begin = async |game: &str, size| {
        let first = Some(stonework_game::Player::First);
        let id = app
            .open_game("ann", settings(game, size), first, stonework_server::Opponent::Friend)
            .await
            .unwrap();
        app.accept(&id, "bob").await.unwrap()
    };
    let (other, bad) = (begin("havannah", 4).await, begin("broken", 9).await);
    let play = |mv: &str| stonework_server::Order::Play { mv: mv.to_owned(), ply: None };
    bad.order(stonework_game::Player::First, play("1")).await.unwrap();
    let fault = bad.order(stonework_game::Player::Second, play("2")).await.unwrap_err();
    assert_eq!(fault.kind, "void");
    let view = app.view(bad.id()).await.unwrap().unwrap();
    assert_eq!(
        (view.session.moves(), view.end.unwrap().how),
        (vec!["1".to_owned()], vec!["void".to_owned()])
    );
    other.order(stonework_game::Player::First, play("a1")).await.unwrap();
}

/// A handler that panics answers with the status 500, the panic is counted, and games that go on notice nothing.
#[tokio::test]
async fn a_panic_in_a_handler_is_an_answer_and_no_end() {
    let folder = Folder::new();
    let registry =
        stonework_session::Registry::standard().with(stonework_session::GameType::new::<broken::Broken>());
    let app = ServerApp::with_games(config(&folder), registry).await.unwrap();
    let server = crate::common::Tested::over(app.clone(), stonework_server::router(app));
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], serde_json::json!({})).await;
    let body = serde_json::json!({ "game": "broken", "size": 13 });
    let answer = server.with_key("POST", "/api/games", &keys[0], &body).await;
    assert_eq!(answer.status, axum::http::StatusCode::INTERNAL_SERVER_ERROR, "{}", answer.text());
    assert_eq!(answer.json()["error"]["kind"], "panic");
    assert!(server.get("/metrics").await.text().contains("stonework_panics_total 1\n"));
    assert_eq!(server.play(&keys[0], &id, "a1").await.status, axum::http::StatusCode::OK);
}

/// A damaged row of the database ends its own game, and keeps the server from nothing.
#[tokio::test]
async fn an_event_that_cannot_be_read_ends_its_game_alone() {
    let folder = Folder::new();
    let server = server_of(config(&folder)).await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let keys = [&*keys[0], &*keys[1]];
    let (damaged, other) =
        (server.game(keys, serde_json::json!({})).await, server.game(keys, serde_json::json!({})).await);
    for id in [&damaged, &other] {
        assert_eq!(server.play(keys[0], id, "a1").await.status, StatusCode::OK);
    }
    let id = damaged.clone();
    let damage = server.app.store().write(move |connection| {
        connection.execute("UPDATE event SET body = '{' WHERE game_id = ?1 AND number = 2", [id])
    });
    assert_eq!(damage.await.unwrap(), 1);
    drop(server);
    let server = server_of(config(&folder)).await;
    assert_eq!(server.play(keys[1], &other, "b2").await.status, StatusCode::OK);
    let list = server.get("/api/records?how=void").await.json();
    assert_eq!(list["games"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!((&list["games"][0]["id"], &list["games"][0]["over"]), (&damaged.into(), &true.into()));
}

/// Nim whose rules panic when two are taken, and which has no start of size 13.
mod broken {
    use std::fmt;

    use stonework_game::example::Nim;
    use stonework_game::{Game, Indexed, Keyed, Outcome, ParseError, Player, Sym, Textual};
    use stonework_session::{Described, Description, Fault, Start};

    #[derive(Clone, PartialEq, Eq, Debug)]
    pub(crate) struct Broken(Nim);

    impl Game for Broken {
        type Move = <Nim as Game>::Move;
        type Undo = <Nim as Game>::Undo;
        type Illegal = <Nim as Game>::Illegal;
        fn to_move(&self) -> Player {
            self.0.to_move()
        }
        fn outcome(&self) -> Option<Outcome> {
            self.0.outcome()
        }
        fn legal_moves(&self, out: &mut impl Extend<Self::Move>) {
            self.0.legal_moves(out);
        }
        fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal> {
            self.0.check(mv)
        }
        fn play_unchecked(&mut self, mv: Self::Move) -> Self::Undo {
            assert_ne!(self.0.move_text(mv), "2", "the rules are broken");
            self.0.play_unchecked(mv)
        }
        fn undo(&mut self, undo: Self::Undo) {
            self.0.undo(undo);
        }
    }

    impl Keyed for Broken {
        fn key(&self) -> u64 {
            self.0.key()
        }
        fn canonical(&self) -> (u64, Sym) {
            self.0.canonical()
        }
        fn map_move(&self, to: Sym, mv: Self::Move) -> Self::Move {
            self.0.map_move(to, mv)
        }
        fn unmap_move(&self, to: Sym, mv: Self::Move) -> Self::Move {
            self.0.unmap_move(to, mv)
        }
    }

    impl Indexed for Broken {
        fn index_len(&self) -> usize {
            self.0.index_len()
        }
        fn move_index(&self, mv: Self::Move) -> usize {
            self.0.move_index(mv)
        }
        fn move_at(&self, index: usize) -> Option<Self::Move> {
            self.0.move_at(index)
        }
    }

    impl Textual for Broken {
        fn write_move(&self, mv: Self::Move, w: &mut dyn fmt::Write) -> fmt::Result {
            self.0.write_move(mv, w)
        }
        fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError> {
            self.0.parse_move(text)
        }
        fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
            self.0.write_position(w)
        }
    }

    impl Described for Broken {
        const DESCRIPTION: Description =
            Description { sizes: (1, 99), ..Description::new("broken", ["first", "second"]) };
        fn start(start: &Start) -> Result<Self, Fault> {
            assert_ne!(start.size, Some(13), "the rules are broken");
            Ok(Self(Nim::new(start.size_in(&Self::DESCRIPTION)?.unwrap_or(7))))
        }
        fn size(&self) -> u8 {
            9
        }
    }
}
