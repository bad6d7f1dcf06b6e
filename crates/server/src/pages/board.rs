//! The board of a page: our own picture, and above it the areas of the cells, which a person points at, walks through with the keyboard,
//! and hears from a screen reader.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use crate::analysis::usual_engine;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use stonework_board::{
    Board, Cell, CellClass, Diagonal, DiagonalDiagram, Diagram, Drawing, Overlay, Paint, Part, Rgb, Stone,
    StoneColours, StoneLook, Theme,
};
use stonework_game::{Game, Player};
use stonework_roster::RosterEntry;
use stonework_session::{
    AnyMove, AnyPosition, Fault, LayerBudget, MoveTable, Picture, PictureOptions, Registry, Session, Start,
};

/// The greatest number of moves of a game that a request may have.
pub(crate) const MAX_MOVES: usize = 4000;

/// The colours of pictures on a page: those of [`Theme::PAPER`], each role with a colour of its own, so that the style sheet can replace
/// one role and no other.
pub(crate) const WEB: Theme = Theme {
    name: "web",
    background: Rgb(254, 254, 254),
    ink: Rgb(0x25, 0x25, 0x25),
    white: StoneLook { fill: Rgb(255, 255, 255), rim: Rgb(0x23, 0x23, 0x23), label: Rgb(0x22, 0x22, 0x22) },
    black: StoneLook { fill: Rgb(0x24, 0x24, 0x24), rim: Rgb(0x26, 0x26, 0x26), label: Rgb(253, 253, 253) },
    red: StoneLook { label: Rgb(252, 252, 252), ..Theme::PAPER.red },
    blue: StoneLook { label: Rgb(251, 251, 251), ..Theme::PAPER.blue },
    ..Theme::PAPER
};

/// A game up to a position, as a request states it.
#[derive(Clone, PartialEq, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Place {
    /// The name of the game.
    pub(crate) game: String,
    /// The first position.
    #[serde(flatten)]
    pub(crate) start: Start,
    /// The moves to the position, in the game's own notation.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
    /// The notation of the answer; the usual notation unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) notation: Option<String>,
}

impl Place {
    /// The session after the moves, in the notation of the request.
    pub(crate) fn session(&self, registry: &Registry) -> Result<Session, Fault> {
        if self.moves.len() > MAX_MOVES {
            return Err(Fault::new("move", format!("{} moves: at most {MAX_MOVES}", self.moves.len())));
        }
        let mut session = Session::new(registry.clone(), &self.game, &self.start, None)?;
        session.play_all(&self.moves)?;
        match &self.notation {
            Some(name) => session.in_notation(name),
            None => Ok(session),
        }
    }
}

/// The marks of a picture.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Look {
    /// Highlighted cells.
    pub(crate) marks: Vec<String>,
    /// The layers of findings by name.
    pub(crate) layers: Vec<String>,
    /// The values of moves.
    pub(crate) heat: Option<MoveTable>,
    /// Moves to come, drawn as numbered ghosts of alternating sides.
    pub(crate) ghosts: Vec<String>,
    /// Moves of one side to come, drawn as numbered ghosts, such as a line of threats.
    pub(crate) threats: Vec<String>,
    /// The side of the threats; the side to move unless given.
    pub(crate) side: Option<String>,
    /// `true` for the numbers of the moves on the stones.
    pub(crate) numbers: bool,
    /// `true` for strokes between the stones of a chain.
    pub(crate) strokes: bool,
}

/// A cell that a legal move can begin or end with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct LegalMove {
    /// The move in the notation of the session.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// The cell to which the move brings a stone; none for a swap.
    pub(crate) cell: Option<String>,
    /// The cell from which the stone comes, in games of moving.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
}

/// The names of the cells, by the index of the cell.
pub(crate) fn cell_names(position: &AnyPosition, picture: &Picture, notation: usize) -> Vec<String> {
    use stonework_game::Indexed;
    if let Picture::Locations(diagram) = picture {
        let lattice = diagram.lattice();
        return lattice.cells().map(|cell| lattice.name(cell)).collect();
    }
    let mut names = Vec::new();
    for mv in (0..position.index_len()).filter_map(|index| position.move_at(index)) {
        let Some(cell) = position.target_cell(mv) else { continue };
        names.resize(names.len().max(cell.index() + 1), String::new());
        names[cell.index()] = position.move_text_in(mv, notation);
    }
    names
}

/// A session with the picture and the legal moves of its position.
pub(crate) struct Shown {
    pub(crate) session: Session,
    notation: usize,
    picture: Picture,
    names: Vec<String>,
    pub(crate) legal: Vec<LegalMove>,
    /// The sentences of the layers.
    pub(crate) findings: Vec<(String, String)>,
}

impl Shown {
    /// The present position of a session.
    pub(crate) fn new(session: Session, notation: Option<&str>, look: &Look) -> Result<Self, Fault> {
        let position = session.position();
        let notation = position.notation(notation)?;
        let (start, moves) = (session.start(), moves_of(&session));
        let options = PictureOptions {
            notation,
            theme: WEB,
            traces: true,
            numbers: look.numbers,
            highlight: look.marks.clone(),
            heat: look.heat.clone(),
            strokes: look.strokes && matches!(session.picture()?, Picture::Cells(_)),
            ..PictureOptions::default()
        };
        let film = options.film(start, &moves, moves.len()..=moves.len())?;
        let mut picture = film.into_iter().next().ok_or_else(|| Fault::new("picture", "no picture"))?;
        let mut findings = Vec::new();
        if !look.layers.is_empty() {
            // Each layer takes its time again, so that a name that is given a thousand times would take a place for an hour.
            let (given, most) = (look.layers.len(), position.layers().len().max(1));
            if given > most {
                return Err(Fault::new("layer", format!("{given} layers: the game has {most}")));
            }
            for layer in position.find_layers(&look.layers, notation, &LayerBudget::default())? {
                picture = picture.overlay(layer.overlay(position, notation));
                findings.extend(layer.findings.into_iter().map(|found| (layer.layer.clone(), found.text)));
            }
        }
        let sides = position.description();
        let side = look.side.as_deref().and_then(|side| sides.player(side)).unwrap_or(position.to_move());
        picture = picture.overlay(ghosts(position, notation, &look.ghosts, None));
        picture = picture.overlay(ghosts(position, notation, &look.threats, Some(side)));
        let names = cell_names(position, &picture, notation);
        let legal = legal(position, notation, &names);
        Ok(Self { session, notation, picture, names, legal, findings })
    }

    /// The same position with more marks.
    pub(crate) fn with(self, overlay: Overlay) -> Self {
        Self { picture: self.picture.overlay(overlay), ..self }
    }

    /// The picture as SVG, without names and areas. The page replaces it as a whole.
    pub(crate) fn picture(&self) -> String {
        let svg = self.picture.svg().unwrap_or_else(|| {
            let text = html! { pre { (self.picture.text()) } };
            text.into_string()
        });
        svg.replacen("<svg ", "<svg class=\"picture\" aria-hidden=\"true\" focusable=\"false\" ", 1)
    }

    /// The name of a cell.
    fn name(&self, cell: Cell) -> &str {
        self.names.get(cell.index()).map_or("", String::as_str)
    }

    /// The words of a screen reader for each cell: its name, its stone, and its part in the last move or in the win.
    fn labels(&self) -> HashMap<Cell, String> {
        let sides = self.session.game().description().sides;
        let state = self.session.state();
        let winning: Vec<String> = state.cells.unwrap_or_default().concat();
        let last = moves_of(&self.session).last().and_then(|&mv| {
            let mut before = self.session.fork();
            before.undo(1).ok()?;
            before.position().place_of(mv)
        });
        let label = |(cell, stone): (Cell, Option<Stone>)| {
            let stone = match stone {
                Some(Stone::Light) => sides[0],
                Some(Stone::Dark) => sides[1],
                None => "empty",
            };
            let mut label = format!("{}, {stone}", self.name(cell));
            if last == Some(cell) {
                label += ", last move";
            }
            if winning.iter().any(|name| name == self.name(cell)) {
                label += ", winning";
            }
            (cell, label)
        };
        self.picture.areas().into_iter().map(|area| label((area.cell, area.stone))).collect()
    }

    /// The areas of the cells as SVG: a grid for the keyboard and for screen readers.
    pub(crate) fn areas(&self) -> String {
        let Some(drawing) = self.picture.drawing() else { return String::new() };
        let (game, size) = (self.session.game().name(), self.session.position().size());
        let mut svg =
            open_areas(&drawing, &format!("role=\"grid\" aria-label=\"{game} board of size {size}\""));
        let mut rows: BTreeMap<i32, Vec<_>> = BTreeMap::new();
        for area in self.picture.areas() {
            rows.entry(area.centre().y).or_default().push(area);
        }
        let labels = self.labels();
        let mut first = true;
        for row in rows.into_values() {
            svg += "<g role=\"row\">";
            for area in row {
                let name = self.name(area.cell);
                let legal = self.legal.iter().any(|legal| legal.cell.as_deref() == Some(name));
                let begins = self.legal.iter().any(|legal| legal.from.as_deref() == Some(name));
                let class = if legal || begins { " class=\"legal\"" } else { "" };
                let tab = if std::mem::take(&mut first) { 0 } else { -1 };
                let _ = write!(
                    svg,
                    "<polygon role=\"gridcell\" tabindex=\"{tab}\" data-cell=\"{name}\"{class} \
                     aria-label=\"{}\" points=\"{}\"/>",
                    labels[&area.cell],
                    area.points()
                );
            }
            svg += "</g>";
        }
        svg + "</svg>"
    }

    /// The areas of the cells as links: a page without JavaScript. `address` gives the address behind a cell.
    pub(crate) fn links(&self, address: impl Fn(&str) -> Option<String>) -> Markup {
        let Some(drawing) = self.picture.drawing() else { return html! {} };
        let mut svg = open_areas(&drawing, "role=\"group\" aria-label=\"legal moves on the board\"");
        for area in self.picture.areas() {
            let Some(address) = address(self.name(area.cell)) else { continue };
            let (name, address) = (self.name(area.cell), html! { (address) }.into_string());
            let _ = write!(
                svg,
                "<a href=\"{address}\" aria-label=\"{name}\"><polygon class=\"legal\" points=\"{}\"/></a>",
                area.points()
            );
        }
        PreEscaped(svg + "</svg>")
    }

    /// The board of a page with JavaScript.
    pub(crate) fn board(&self) -> Markup {
        html! { div #board .board { (PreEscaped(self.picture())) (PreEscaped(self.areas())) } }
    }

    /// The board of a page without JavaScript.
    pub(crate) fn board_of_links(&self, address: impl Fn(&str) -> Option<String>) -> Markup {
        html! { div .board { (PreEscaped(self.picture())) (self.links(address)) } }
    }

    /// The answer to a page that asks for a position.
    pub(crate) fn json(&self) -> serde_json::Value {
        let (session, position) = (&self.session, self.session.position());
        let (description, state) = (session.game().description(), session.state());
        let ended = state.outcome.is_some();
        let own: Vec<String> = {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.into_iter().map(|mv| stonework_game::Textual::move_text(position, mv)).collect()
        };
        let stones: Vec<(&str, &str)> = self
            .picture
            .areas()
            .iter()
            .filter_map(|area| {
                let side = match area.stone? {
                    Stone::Light => "first",
                    Stone::Dark => "second",
                };
                Some((self.name(area.cell), side))
            })
            .collect();
        let engines = session.game().roster().entries().iter().filter(|entry| entry.is_engine());
        let engines: Vec<&str> = engines.map(RosterEntry::name).collect();
        serde_json::json!({
            "own": own,
            "size": position.size(),
            "stones": stones,
            "engines": engines,
            "engine": usual_engine(session),
            "picture": self.picture(),
            "areas": self.areas(),
            "moves": session.moves(),
            "legal": self.legal,
            "to_move": state.to_move,
            "outcome": state.outcome,
            "how": state.how,
            "cells": state.cells,
            "standing": position.standing(),
            "sentence": ended.then(|| sentence(session)),
            "sides": description.sides,
            "notations": fitting(position, description.notations),
            "layers": position.layers(),
            "findings": self.findings.iter().map(|(layer, text)| serde_json::json!({ "layer": layer, "text": text })).collect::<Vec<_>>(),
            "position": stonework_game::Textual::position_text(position),
            "canonical": format!("{:016x}", stonework_game::Keyed::canonical(position).0),
            "notation": description.notations.get(self.notation),
        })
    }
}

/// The notations that can name the cells of a board.
fn fitting(position: &AnyPosition, names: &[&'static str]) -> Vec<&'static str> {
    names.iter().copied().filter(|name| position.notation(Some(name)).is_ok()).collect()
}

/// The start of the SVG of the areas over a picture.
fn open_areas(drawing: &Drawing, attributes: &str) -> String {
    let (width, height) = (drawing.width(), drawing.height());
    format!("<svg class=\"areas\" viewBox=\"0 0 {width} {height}\" {attributes}>")
}

/// The moves of a session by number.
pub(crate) fn moves_of(session: &Session) -> Vec<AnyMove> {
    let mut replay = session.fork();
    let texts = session.moves();
    let mut moves = Vec::with_capacity(texts.len());
    if replay.undo(texts.len()).is_ok() {
        for text in texts {
            if replay.play(&text).is_err() {
                break;
            }
            moves.extend(replay.last_move());
        }
    }
    moves
}

/// The decision of a finished game in a sentence: the kinds of win with their cells.
pub(crate) fn sentence(session: &Session) -> String {
    let (standing, state) = (session.position().standing(), session.state());
    let (how, cells) = (state.how.unwrap_or_default(), state.cells.unwrap_or_default());
    let mut text = super::shell::capital(&standing);
    for (kind, cells) in how.iter().zip(cells).filter(|(_, cells)| !cells.is_empty()) {
        let _ = write!(text, "; {kind}: {}", cells.join(" "));
    }
    text + "."
}

/// The legal moves with their cells.
fn legal(position: &AnyPosition, notation: usize, names: &[String]) -> Vec<LegalMove> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let placing = |mv| position.target_cell(mv).is_some();
    moves
        .into_iter()
        .map(|mv| {
            let text = position.move_text_in(mv, notation);
            let cell = position.place_of(mv).and_then(|cell| names.get(cell.index()).cloned());
            let from = (!placing(mv) && cell.is_some())
                .then(|| text.split_once('-').map(|(from, _)| from.to_owned()))
                .flatten();
            LegalMove { mv: text, cell, from }
        })
        .collect()
}

/// Moves to come as numbered ghosts; the first move that is not legal ends the line.
fn ghosts(position: &AnyPosition, notation: usize, line: &[String], side: Option<Player>) -> Overlay {
    let (mut after, mut overlay) = (position.clone(), Overlay::new());
    for (number, text) in line.iter().enumerate() {
        let Ok(mv) = after.read_move(text, notation) else { break };
        let Some(cell) = after.place_of(mv) else { break };
        let mover = side.unwrap_or(after.to_move());
        let stone = if mover.index() == 0 { Stone::Light } else { Stone::Dark };
        overlay = overlay.ghost(cell, stone).label(cell, (number + 1).to_string());
        if side.is_none() && after.play(mv).is_err() {
            break;
        }
    }
    overlay
}

/// The colours of a part.
fn colours(paint: &Paint) -> impl Iterator<Item = Rgb> {
    paint.fill.into_iter().chain(paint.stroke)
}

/// Drawings in a theme that have all roles of colours.
fn samples(theme: Theme) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    let mut hexagon = Vec::new();
    for colours in [StoneColours::WhiteBlack, StoneColours::RedBlue, StoneColours::BlueRed] {
        let Ok(board) = Board::hexagon(5) else { continue };
        let cells: Vec<Cell> = board.cells().collect();
        let mut overlay = Overlay::new();
        for (shade, &cell) in cells[..25].iter().enumerate() {
            overlay = overlay.heat(cell, shade as f64 / 24.0);
        }
        for (class, &cell) in
            [CellClass::Light, CellClass::Dark, CellClass::Shared, CellClass::Dead].iter().zip(&cells[25..])
        {
            overlay = overlay.class([cell], *class);
        }
        overlay = overlay
            .ghost(cells[30], Stone::Light)
            .ghost(cells[31], Stone::Dark)
            .label(cells[32], "1")
            .label(cells[33], "2")
            .label(cells[34], "3")
            .highlight([cells[36]])
            .arrow(cells[37], cells[38])
            .shot(cells[38], cells[39]);
        let diagram = Diagram::new(board)
            .colours(colours)
            .theme(theme)
            .title("title")
            .strokes(true)
            .stones([cells[32], cells[40], cells[41]], Stone::Light)
            .stones([cells[33], cells[42], cells[43]], Stone::Dark)
            .overlay(overlay)
            .last(cells[40]);
        hexagon.push(diagram.drawing());
    }
    drawings.append(&mut hexagon);
    if let Ok(lattice) = Diagonal::of(2) {
        let cells: Vec<Cell> = lattice.cells().collect();
        let overlay = Overlay::new().label(cells[3], "1").ghost(cells[5], Stone::Dark);
        drawings.push(DiagonalDiagram::new(lattice).theme(theme).overlay(overlay).last(cells[8]).drawing());
    }
    drawings
}

/// The colours of the pictures of a page, each with the colour of the same role in another theme.
fn colour_map(theme: Theme) -> BTreeMap<Rgb, Rgb> {
    let mut map = BTreeMap::new();
    for (from, to) in samples(WEB).iter().zip(samples(theme)) {
        map.insert(from.background(), to.background());
        let pairs =
            |(from, to): (&Part, &Part)| colours(&from.paint).zip(colours(&to.paint)).collect::<Vec<_>>();
        map.extend(from.parts().iter().zip(to.parts()).flat_map(pairs));
    }
    map
}

/// The style sheet that shows the pictures of a page in the other themes of `board`: by the choice of the person, and the dark theme also
/// by the choice of the machine.
pub(crate) fn theme_css() -> String {
    let mut css = String::new();
    for theme in Theme::ALL.into_iter().filter(|theme| theme.name != Theme::PAPER.name) {
        let rules = |root: &str| {
            let mut rules = String::new();
            for (from, to) in colour_map(theme).into_iter().filter(|(from, to)| from != to) {
                for property in ["fill", "stroke"] {
                    let _ = writeln!(rules, "{root} .board [{property}=\"{from}\"]{{{property}:{to}}}");
                }
            }
            rules
        };
        css += &rules(&format!("[data-theme={}]", theme.name));
        if theme.name == Theme::DARK.name {
            let _ =
                write!(css, "@media (prefers-color-scheme:dark){{\n{}}}\n", rules(":root:not([data-theme])"));
        }
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_of_a_page_has_one_role() {
        for theme in Theme::ALL {
            let mut map: BTreeMap<Rgb, Rgb> = BTreeMap::new();
            for (from, to) in samples(WEB).iter().zip(samples(theme)) {
                assert_eq!(from.parts().len(), to.parts().len());
                for (a, b) in from.parts().iter().zip(to.parts()) {
                    for (a, b) in colours(&a.paint).zip(colours(&b.paint)) {
                        assert_eq!(*map.entry(a).or_insert(b), b, "{a} of {}", theme.name);
                    }
                }
            }
            assert!(map.len() > 50, "{} colours", map.len());
        }
    }

    #[test]
    fn the_style_sheet_knows_every_colour_of_a_game() {
        let map = colour_map(Theme::DARK);
        for (game, size, moves) in [
            ("havannah", 4, "a1 b1 a2 b2 a3 b3 a4"),
            ("cachex", 5, "1,1 2,1 4,4 2,0 3,0"),
            ("cover", 2, "B03-C04"),
        ] {
            let mut session = Session::new(Registry::standard(), game, &Start::of_size(size), None).unwrap();
            for mv in moves.split(' ') {
                if session.play(mv).is_err() {
                    let first = session.legal().swap_remove(0);
                    session.play(&first).unwrap();
                }
            }
            let heat = MoveTable::default();
            let look = Look { heat: Some(heat), numbers: true, strokes: true, ..Look::default() };
            let shown = Shown::new(session, None, &look).unwrap();
            for part in shown.picture.drawing().unwrap().parts() {
                for colour in colours(&part.paint) {
                    assert!(map.contains_key(&colour), "{game}: {colour}");
                }
            }
        }
    }
}
