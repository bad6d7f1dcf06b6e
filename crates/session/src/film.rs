//! [`PictureOptions`]: pictures of the positions of a game.

use std::ops::RangeInclusive;

use stonework_board::{Layout, Overlay, Theme};
use stonework_game::Game;
use stonework_game::text::head;

use crate::{AnyMove, AnyPosition, Fault, LayerBudget, MoveTable, Picture};

/// The look and the marks of pictures of a game.
///
/// ```
/// use stonework_board::Theme;
/// use stonework_session::{PictureOptions, Registry, Start};
/// let start = Registry::standard().game("cachex")?.start(&Start::of_size(5))?;
/// let mut position = start.clone();
/// let moves = ["1,1", "2,1", "4,4", "2,0", "3,0"].map(|text| position.play_text(text, 0).map(|(mv, _)| mv));
/// let moves: Vec<_> = moves.into_iter().collect::<Result<_, _>>()?;
/// let options = PictureOptions { theme: Theme::WOOD, traces: true, ..PictureOptions::default() };
/// let film = options.film(&start, &moves, 0..=moves.len())?;
/// assert_eq!(film.len(), 6);
/// // Red's last stone has captured two blue stones.
/// assert_eq!(film[5].text().matches("b?").count(), 2);
/// # Ok::<(), stonework_session::Fault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PictureOptions {
    /// The number of the notation of cells.
    pub notation: usize,
    /// The colours.
    pub theme: Theme,
    /// A title above each picture.
    pub title: Option<String>,
    /// `true` to number the stones in the order of play.
    pub numbers: bool,
    /// `true` to show what the last move did: captured stones, the step of a stone, a shot.
    pub traces: bool,
    /// The names of cells to highlight.
    pub highlight: Vec<String>,
    /// The names of the layers of findings to mark.
    pub layers: Vec<String>,
    /// The values of moves, as heat and labels.
    pub heat: Option<MoveTable>,
    /// `true` for strokes between neighbouring stones of one side; only boards of cells have them.
    pub strokes: bool,
    /// The direction of a board of cells; `None` is the direction of the notation.
    pub layout: Option<Layout>,
}

impl PictureOptions {
    /// The pictures of a game after each number of moves in a range, at most after all of them. A picture of the end of the game behind
    /// others has no layers.
    ///
    /// # Errors
    /// The fault of an illegal move, of a name that is no cell, of a layer, or of a notation that does not fit the board; the
    /// fault `picture` for an option that pictures of the game do not have.
    pub fn film(
        &self,
        start: &AnyPosition,
        moves: &[AnyMove],
        plies: RangeInclusive<usize>,
    ) -> Result<Vec<Picture>, Fault> {
        let (mut position, mut traces) = (start.clone(), Overlay::new());
        let (mut film, plain) = (Vec::new(), Self { layers: Vec::new(), ..self.clone() });
        for ply in 0..=moves.len().min(*plies.end()) {
            if let Some(&mv) = ply.checked_sub(1).and_then(|last| moves.get(last)) {
                traces = position.traces(mv);
                position.play(mv)?;
            }
            if plies.contains(&ply) {
                // A game that is over has no layers; the film shows its end all the same.
                let is_end = !film.is_empty() && position.outcome().is_some();
                let look = if is_end { &plain } else { self };
                let picture = look.picture(&position, &moves[..ply])?;
                let shown = if self.traces { traces.clone() } else { Overlay::new() };
                film.push(picture.overlay(shown));
            }
        }
        Ok(film)
    }

    /// The picture of a position and the moves that led to it, without the traces of the last move.
    ///
    /// # Errors
    /// As [`PictureOptions::film`].
    pub fn picture(&self, position: &AnyPosition, moves: &[AnyMove]) -> Result<Picture, Fault> {
        let picture = position.picture(moves, self.notation)?;
        self.check(position, &picture)?;
        let mut overlay = Overlay::new();
        for name in &self.highlight {
            let cell = position.read_cell(name, self.notation);
            let wrong = |fault: Fault| Fault::new("highlight", format!("{}: {}", head(name), fault.message));
            overlay = overlay.highlight([cell.map_err(wrong)?]);
        }
        if self.numbers {
            let numbered = position.numbered(moves).into_iter();
            overlay =
                numbered.fold(overlay, |overlay, (cell, number)| overlay.label(cell, number.to_string()));
        }
        if !self.layers.is_empty() {
            for layer in position.find_layers(&self.layers, self.notation, &LayerBudget::default())? {
                overlay = overlay.and(layer.overlay(position, self.notation));
            }
        }
        if let Some(table) = &self.heat {
            overlay = overlay.and(table.overlay(position, self.notation)?);
        }
        let picture = picture.overlay(overlay).theme(self.theme).on_cells(|diagram| {
            let diagram = diagram.strokes(self.strokes);
            match self.layout {
                Some(layout) => diagram.layout(layout),
                None => diagram,
            }
        });
        Ok(match &self.title {
            Some(title) => picture.title(title),
            None => picture,
        })
    }

    /// Refuses options that the pictures of a game do not have.
    fn check(&self, position: &AnyPosition, picture: &Picture) -> Result<(), Fault> {
        let cells = matches!(picture, Picture::Cells(_));
        let drawn = cells || matches!(picture, Picture::Locations(_));
        let asked = [
            ("strokes", self.strokes, cells),
            ("layout", self.layout.is_some(), cells),
            ("numbers", self.numbers, drawn),
            ("highlight", !self.highlight.is_empty(), drawn),
            ("layers", !self.layers.is_empty(), drawn),
            ("heat", self.heat.is_some(), drawn),
        ];
        match asked.into_iter().find(|&(_, given, there)| given && !there) {
            Some((option, ..)) => {
                let game = position.description().name;
                Err(Fault::new("picture", format!("{option}: pictures of {game} have no such thing")))
            }
            None => Ok(()),
        }
    }
}
