//! Proofs on the board: exact values from certificates, with their length, their reason and their source, and the check of a proof.
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/proofs` | the certificates of the configuration, and whether they hold |
//! | `POST /api/values` | the value of each legal move of a position, with the reason |
//! | `POST /api/verify` | a certificate is checked again from its file, by the rules alone, with counts |
//!
//! A certificate is a file of the configuration. A request names it, and never a path.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stonework_board::{Cell, CellClass, Overlay};
use stonework_game::{ByPlayer, Game, Outcome, Player};
use stonework_havannah::{Move, Position, colour};
use stonework_havannah_solver::{Explorer, HavannahBook, HavannahRules, KnownValue, open_book};
use stonework_proof::{BookEntry, RecordCounts, VerifyLimits, value_of, verify};
use stonework_search::Limits;
use stonework_session::{Fault, Session};

use crate::ServerApp;
use crate::analysis::{LineSender, Refused, Running, run_apart, stream};
use crate::pages::board::{Look, Place, Shown, moves_of};

/// The greatest number of bytes of a certificate in memory.
const BYTES: usize = 1 << 30;

/// The nodes of the solver for positions that a proof does not have, for all moves of a position together.
const NODES: u64 = 200_000;

/// A certificate of the configuration.
#[derive(Clone, Debug)]
struct Certificate {
    name: String,
    path: PathBuf,
    state: CertificateState,
}

#[derive(Clone, Debug)]
enum CertificateState {
    /// The file is being checked.
    Loading,
    /// The file was checked and is in memory.
    Ready(Arc<HavannahBook>),
    /// The file proves nothing.
    Refused(String),
}

/// The certificates of a server. A thread checks them one after the other; until then a certificate has no values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proofs(Arc<Mutex<Vec<Certificate>>>);

impl Proofs {
    /// Begins to check the files.
    pub(crate) fn open(paths: &[PathBuf]) -> Self {
        let name = |path: &Path| {
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        let certificate = |path: &PathBuf| Certificate {
            name: name(path),
            path: path.clone(),
            state: CertificateState::Loading,
        };
        let proofs = Self(Arc::new(Mutex::new(paths.iter().map(certificate).collect())));
        let (checked, paths) = (proofs.clone(), paths.to_vec());
        let work = move || {
            for (number, path) in paths.iter().enumerate() {
                let state = match open_book(path, BYTES) {
                    Ok(book) => CertificateState::Ready(Arc::new(book)),
                    Err(why) => {
                        eprintln!("stonework-server: the certificate {} is refused: {why}", path.display());
                        CertificateState::Refused(why.to_string())
                    }
                };
                checked.0.lock().unwrap_or_else(PoisonError::into_inner)[number].state = state;
            }
        };
        // Without a thread, the certificates stay unchecked, and say so.
        let _ = std::thread::Builder::new().name("proofs".to_owned()).spawn(work);
        proofs
    }

    fn all(&self) -> Vec<Certificate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The certificates about boards of a size.
    fn about(&self, size: u8) -> Vec<(String, Arc<HavannahBook>)> {
        let of_size = |certificate: Certificate| match certificate.state {
            CertificateState::Ready(book) => {
                let fits =
                    book.verified().claims.first().is_some_and(|(root, _)| root.board().size() == size);
                fits.then_some((certificate.name, book))
            }
            _ => None,
        };
        self.all().into_iter().filter_map(of_size).collect()
    }
}

pub(crate) fn routes() -> Router<ServerApp> {
    Router::new()
        .route("/api/proofs", get(list))
        .route("/api/values", post(values))
        .route("/api/verify", post(check))
}

async fn list(State(app): State<ServerApp>) -> Json<Value> {
    let told = |certificate: Certificate| match certificate.state {
        CertificateState::Loading => json!({ "name": certificate.name, "state": "being checked" }),
        CertificateState::Refused(why) => json!({ "name": certificate.name, "state": "refused", "why": why }),
        CertificateState::Ready(book) => {
            let claims = &book.verified().claims;
            json!({
                "name": certificate.name,
                "state": "holds",
                "size": claims.first().map(|(root, _)| root.board().size()),
                "claims": claims.len(),
                "positions": book.positions(),
            })
        }
    };
    Json(app.proofs().all().into_iter().map(told).collect())
}

/// A walk through a certificate to the present position of a session, from the first position that the certificate can have.
fn explorer<'a>(book: &'a HavannahBook, session: &Session) -> Option<Explorer<'a>> {
    let moves = moves_of(session);
    let mut at = session.start().clone();
    for done in 0..=moves.len() {
        let position = at.downcast_ref::<Position>()?;
        let limits = Limits::none().nodes(NODES);
        if let Ok(mut explorer) = Explorer::new(book, position.clone(), limits, 1) {
            for &mv in &moves[done..] {
                explorer.walk_mut().play(at.place_of(mv)?).ok()?;
            }
            return Some(explorer);
        }
        at.play(*moves.get(done)?).ok()?;
    }
    None
}

/// The exact value of a position by a certificate.
pub(crate) struct ExactValue {
    pub(crate) outcome: Outcome,
    pub(crate) plies: Option<u32>,
    pub(crate) best: Option<String>,
    pub(crate) sentence: String,
}

/// The names of the sides of Havannah.
const fn players() -> ByPlayer<&'static str> {
    ByPlayer::new(colour(Player::First), colour(Player::Second))
}

/// The exact value of the present position of a session, by the certificates of the server.
pub(crate) fn value(app: &ServerApp, session: &Session) -> Option<ExactValue> {
    let books = app.proofs().about(session.position().size());
    for (name, book) in &books {
        let Some(mut explorer) = explorer(book, session) else { continue };
        let entries = explorer.walk_mut().entries();
        let Some(known) = KnownValue::from_proof(&entries) else { continue };
        let Some(outcome) = known.value else { continue };
        let best = explorer.walk_mut().choice();
        let board = explorer.start().board();
        let said: Vec<String> = entries
            .iter()
            .map(|entry| entry.named(&players(), |&cell| board.name(cell)).to_string())
            .collect();
        return Some(ExactValue {
            outcome,
            plies: known.plies,
            best: best.map(|cell| board.name(cell)),
            sentence: format!("{}: {name}", said.join("; ")),
        });
    }
    None
}

/// The value of a move on a page.
#[derive(Clone, Debug, Serialize)]
struct MoveValue {
    #[serde(rename = "move")]
    mv: String,
    /// The side that wins, `draw` or `unknown`.
    outcome: &'static str,
    /// `+`, `-`, `=` for the side to move, or `?`.
    sign: char,
    plies: Option<u32>,
    source: &'static str,
    /// The reason in words.
    why: String,
    /// The moves of the reason, all of one side.
    line: Vec<String>,
    side: Option<&'static str>,
}

fn move_value(
    entries: &[BookEntry<Cell>],
    known: &KnownValue,
    mover: Player,
    mv: String,
    name: &impl Fn(Cell) -> String,
) -> MoveValue {
    let (outcome, sign) = match known.value {
        Some(Outcome::Win(winner)) => (colour(winner), if winner == mover { '+' } else { '-' }),
        Some(Outcome::Draw) => ("draw", '='),
        None => ("unknown", '?'),
    };
    let main = entries.iter().find(|entry| !entry.why.moves().is_empty()).or_else(|| entries.first());
    let side = known.value.and_then(Outcome::winner).map(colour);
    let why: Vec<String> =
        entries.iter().map(|entry| entry.named(&players(), |&cell| name(cell)).to_string()).collect();
    MoveValue {
        mv,
        outcome,
        sign,
        plies: known.plies,
        source: known.source.name(),
        why: if why.is_empty() { format!("{outcome} ({})", known.source.name()) } else { why.join("; ") },
        line: main
            .map(|entry| entry.why.moves().iter().map(|&cell| name(cell)).collect())
            .unwrap_or_default(),
        side,
    }
}

async fn values(State(app): State<ServerApp>, Json(place): Json<Place>) -> Result<Response, Refused> {
    let running = match Running::start(&app).await {
        Ok(running) => running,
        Err(busy) => return Ok(busy.into_response()),
    };
    let found = run_apart(move || {
        let _running = running;
        values_of(&app, &place)
    });
    Ok(Json(found.await?).into_response())
}

/// The values of all moves of a position, with the picture that has them.
fn values_of(app: &ServerApp, place: &Place) -> Result<Value, Fault> {
    let session = place.session(app.registry())?;
    let size = session.position().size();
    let none = |why: String| Fault::new("proof", why);
    if session.game().name() != "havannah" {
        return Err(none(format!("there are proofs about Havannah, none about {}", session.game().name())));
    }
    let books = app.proofs().about(size);
    if books.is_empty() {
        let loading = app.proofs().all().iter().any(|one| matches!(one.state, CertificateState::Loading));
        let why = if loading { "; a certificate is still being checked" } else { "" };
        return Err(none(format!("no certificate about boards of size {size} is loaded{why}")));
    }
    let notation = session.position().notation(place.notation.as_deref())?;
    let mover = session.position().to_move();
    for (proof, book) in &books {
        let Some(mut explorer) = explorer(book, &session) else { continue };
        let name = |cell: Cell| {
            let position = session.position().downcast_ref::<Position>();
            let text = position.map(|position| {
                stonework_session::Described::move_text_in(position, Move::Place(cell), notation)
            });
            text.unwrap_or_default()
        };
        let entries = explorer.walk_mut().entries();
        let replies = explorer.walk_mut().replies();
        let solved = replies.iter().any(|(_, entries)| value_of(entries).is_none());
        let known: Vec<(Cell, KnownValue)> = if solved {
            explorer.values()
        } else {
            replies
                .iter()
                .filter_map(|(cell, entries)| Some((*cell, KnownValue::from_proof(entries)?)))
                .collect()
        };
        let moves: Vec<(Cell, MoveValue)> = replies
            .iter()
            .zip(&known)
            .map(|((cell, entries), (_, known))| {
                (*cell, move_value(entries, known, mover, name(*cell), &name))
            })
            .collect();
        let mut overlay = Overlay::new();
        for (cell, value) in &moves {
            let class = match value.outcome {
                "white" => CellClass::Light,
                "black" => CellClass::Dark,
                "draw" => CellClass::Shared,
                _ => continue,
            };
            let plies = value.plies.map_or(String::new(), |plies| plies.to_string());
            overlay = overlay.class([*cell], class).label(*cell, format!("{}{plies}", value.sign));
        }
        let said: Vec<String> =
            entries.iter().map(|entry| entry.named(&players(), |&cell| name(cell)).to_string()).collect();
        let value = value_of(&entries).map(|value| match value {
            Outcome::Win(winner) => colour(winner),
            Outcome::Draw => "draw",
        });
        let shown = Shown::new(session, place.notation.as_deref(), &Look::default())?.with(overlay);
        let moves: Vec<MoveValue> = moves.into_iter().map(|(_, value)| value).collect();
        return Ok(json!({
            "proof": proof,
            "value": value,
            "entries": said,
            "moves": moves,
            "picture": shown.picture(),
        }));
    }
    Err(none(
        "the certificates do not reach this position: with the right to swap, play the first two moves"
            .to_owned(),
    ))
}

/// A file that is read as long as somebody waits for the answer.
struct WhileAsked<'a> {
    file: File,
    told: &'a LineSender,
}

impl Read for WhileAsked<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.told.is_gone() {
            return Err(io::Error::other("nobody waits for the answer"));
        }
        self.file.read(into)
    }
}

/// The name of a certificate.
#[derive(Deserialize)]
struct Named {
    name: String,
}

async fn check(State(app): State<ServerApp>, Json(named): Json<Named>) -> Result<Response, Refused> {
    let known = app.proofs().all().into_iter().find(|certificate| certificate.name == named.name);
    let Some(certificate) = known else {
        let head = stonework_game::text::head(&named.name).to_string();
        return Err(Fault::new("proof", format!("no certificate `{head}`")).into());
    };
    // The answer begins at once: the check of a large proof takes longer than a request may wait.
    Ok(stream(&app, Arc::default(), move |told, _| {
        let begun = Instant::now();
        let refused =
            |why: &dyn std::fmt::Display| Fault::new("proof", format!("the proof does not hold: {why}"));
        let file = File::open(&certificate.path).map_err(|error| refused(&error))?;
        // A check that nobody waits for gives its place back.
        let input = BufReader::with_capacity(1 << 16, WhileAsked { file, told });
        let proof = verify::<Position, _>("havannah", &HavannahRules, input, &VerifyLimits::default())
            .map_err(|error| refused(&error))?;
        let RecordCounts { references, moves, all, lines, answers, never } = proof.kinds;
        let counts = json!({
            "name": certificate.name,
            "holds": true,
            "claims": proof.claims.len(),
            "positions": proof.positions,
            "records": proof.records,
            "shared": proof.shared,
            "plies": proof.plies,
            "kinds": { "references": references, "moves": moves, "all": all, "lines": lines,
                       "answers": answers, "never": never },
            "seconds": begun.elapsed().as_secs_f64(),
        });
        told.send(&counts, true);
        Ok(())
    })
    .await)
}
