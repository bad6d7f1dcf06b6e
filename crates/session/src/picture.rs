//! [`Picture`]: a position on either lattice, as text or as a drawing.

use stonework_board::{CellArea, DiagonalDiagram, Diagram, Drawing, Overlay, Theme};

/// A picture of a position.
#[derive(Clone, Debug)]
pub enum Picture {
    /// A board of hexagonal cells.
    Cells(Diagram),
    /// The diagonal lattice.
    Locations(DiagonalDiagram),
    /// Text alone, for a game without pictures.
    Text(String),
}

impl Picture {
    /// The picture with a change to a board of cells; another picture does not change.
    #[must_use]
    pub fn on_cells(self, change: impl FnOnce(Diagram) -> Diagram) -> Self {
        match self {
            Self::Cells(diagram) => Self::Cells(change(diagram)),
            other => other,
        }
    }

    /// The picture with a line above.
    #[must_use]
    pub fn title(self, title: &str) -> Self {
        match self {
            Self::Cells(diagram) => Self::Cells(diagram.title(title)),
            Self::Locations(diagram) => Self::Locations(diagram.title(title)),
            Self::Text(text) => Self::Text(format!("{title}\n{text}")),
        }
    }

    /// The picture with more marks. Text alone has none.
    #[must_use]
    pub fn overlay(self, overlay: Overlay) -> Self {
        match self {
            Self::Cells(diagram) => Self::Cells(diagram.overlay(overlay)),
            Self::Locations(diagram) => Self::Locations(diagram.overlay(overlay)),
            other @ Self::Text(_) => other,
        }
    }

    /// The picture in the colours of a theme.
    #[must_use]
    pub fn theme(self, theme: Theme) -> Self {
        match self {
            Self::Cells(diagram) => Self::Cells(diagram.theme(theme)),
            Self::Locations(diagram) => Self::Locations(diagram.theme(theme)),
            other @ Self::Text(_) => other,
        }
    }

    /// The lines of text, without a final line break.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Cells(diagram) => diagram.text(),
            Self::Locations(diagram) => diagram.text(),
            Self::Text(text) => text.clone(),
        }
    }

    /// The figures on a page; `None` for text alone.
    #[must_use]
    pub fn drawing(&self) -> Option<Drawing> {
        match self {
            Self::Cells(diagram) => Some(diagram.drawing()),
            Self::Locations(diagram) => Some(diagram.drawing()),
            Self::Text(_) => None,
        }
    }

    /// The place of each cell in the [`drawing`](Self::drawing); none for text alone.
    ///
    /// ```
    /// use stonework_session::{Registry, Session, Start};
    /// let session = Session::new(Registry::standard(), "cover", &Start::of_size(2), None)?;
    /// assert_eq!(session.picture()?.areas().len(), 49);
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    #[must_use]
    pub fn areas(&self) -> Vec<CellArea> {
        match self {
            Self::Cells(diagram) => diagram.areas(),
            Self::Locations(diagram) => diagram.areas(),
            Self::Text(_) => Vec::new(),
        }
    }

    /// The SVG document; `None` for text alone.
    #[must_use]
    pub fn svg(&self) -> Option<String> {
        Some(self.drawing()?.svg())
    }
}
