//! An [`AnalysisLink`] as SGF, and SGF as an [`AnalysisLink`].

use std::fmt;

use stonework_game::{Game, Textual as _};
use stonework_record::{Action, Claim, NodeId, POSITION_PROPERTY, Reading, Record, Tree};
use stonework_session::{AnyPosition, Fault, Registry, Session, Start, havannah_start};

use super::{AnalysisLink, MAX_LINK, MAX_NODES, fault, parts};

/// The greatest number of nodes of a record, those without a move included. The line to each leaf is read from the first node, which takes
/// time by the square of this number.
const MAX_RECORD_NODES: usize = 4 * MAX_NODES;

/// The properties of values in SGF: the estimate as other programs read it, and the text of the link.
const VALUES: (&str, &str) = ("V", "SWV");

impl AnalysisLink {
    /// The analysis as SGF: marks are `MA`, comments `C`, estimates `V`, and `SWV` has the values of the link.
    ///
    /// # Errors
    /// A fault for a move that is not legal.
    pub fn sgf(&self, registry: &Registry) -> Result<String, Fault> {
        let mut checked = self.clone();
        checked.check(registry)?;
        let session = Session::new(registry.clone(), &self.game, &self.start, None)?;
        let description = session.game().description();
        let letters = description.sides.map(|side| side[..1].to_uppercase());
        let mut tree = Tree::new();
        let root = tree.root();
        let head = [("FF", "4".to_owned())].into_iter().chain(session.position().record_head());
        for (name, value) in head {
            set(&mut tree, root, name, &[value])?;
        }
        if self.start.swap {
            set(&mut tree, root, "SWAP", &["1".to_owned()])?;
        }
        if self.start.position.is_some() {
            set(&mut tree, root, POSITION_PROPERTY, &[session.position().position_text()])?;
        }
        let mut session = session;
        let mut open = vec![(0_usize, root, 0_usize)];
        while let Some((at, parent, depth)) = open.pop() {
            let own = &checked.nodes[at];
            let mut node = parent;
            if at != 0 {
                session.undo(session.plies() + 1 - depth)?;
                let mover = session.position().to_move().index();
                node = tree.add_child(parent).map_err(|error| fault(error.to_string()))?;
                set(&mut tree, node, &letters[mover], std::slice::from_ref(&own.mv))?;
                session.play(&own.mv)?;
            }
            if !own.marks.is_empty() {
                set(&mut tree, node, "MA", &own.marks)?;
            }
            if !own.comment.is_empty() {
                tree.set_comment(node, &own.comment).map_err(|error| fault(error.to_string()))?;
            }
            if !own.value.is_empty() {
                if let Ok(thousandths) = own.value.parse::<i32>() {
                    let value = format!("{:.3}", f64::from(thousandths) / 1000.0);
                    set(&mut tree, node, VALUES.0, &[value])?;
                }
                set(&mut tree, node, VALUES.1, std::slice::from_ref(&own.value))?;
            }
            open.extend(own.children.iter().rev().map(|&child| (child, node, depth + 1)));
        }
        tree.lay_out().map_err(|error| fault(error.to_string()))?;
        Ok(format!("{tree}\n"))
    }

    /// Reads SGF with its variations. A record of Havannah may be in any dialect. The second value tells what the link leaves out.
    ///
    /// # Errors
    /// A fault for a text that is no record or has more than 16 000 nodes, and for a move that is not legal.
    pub fn from_sgf(registry: &Registry, text: &str) -> Result<(Self, Vec<String>), Fault> {
        let tree = Tree::parse(text.as_bytes()).map_err(|error| Fault::new("record", error.to_string()))?;
        if tree.len() > MAX_RECORD_NODES {
            let what = format!("a record of {} nodes: at most {MAX_RECORD_NODES}", tree.len());
            return Err(Fault::new("record", what));
        }
        let property = |node, name: &str| tree.simple_text(node, name).map(|text| text.trim().to_owned());
        let named = property(tree.root(), "GM").unwrap_or_default().to_lowercase();
        let game = registry.names().into_iter().find(|&name| name == named).unwrap_or("havannah");
        let mut notes = Vec::new();
        let mut link = match game {
            "havannah" => havannah(registry, &tree, &mut notes)?,
            _ => lettered(registry, game, &tree)?,
        };
        if let Some(text) = property(tree.root(), POSITION_PROPERTY) {
            link.start = Start { position: Some(text), ..Start::default() };
        }
        link.check(registry)?;
        link.shown = link.end();
        let length = link.to_string().len();
        if length > MAX_LINK {
            link.nodes.iter_mut().for_each(|node| node.comment.clear());
            notes.push(format!(
                "Comments of the file are left out: with them the link has {length} bytes, and at most {MAX_LINK} are read."
            ));
        }
        Ok((link, notes))
    }
}

/// Sets a property of a record.
fn set(tree: &mut Tree, node: NodeId, name: &str, values: &[String]) -> Result<(), Fault> {
    tree.set_property(node, name, values).map_err(|error| fault(error.to_string()))
}

/// The marks, the comment and the value of a node of a record. The comments of nodes of one position are joined.
fn notes_of(tree: &Tree, node: NodeId, link: &mut AnalysisLink, at: usize) {
    if let Some(marks) = tree.property(node, "MA") {
        let marks = marks.values().map(|value| value.simple_text().trim().to_owned());
        link.nodes[at].marks = marks.filter(|mark| !mark.is_empty() && !mark.contains(parts)).collect();
    }
    if let Some(comment) = tree.comment(node).filter(|comment| !comment.is_empty()) {
        let own = &mut link.nodes[at].comment;
        if !own.is_empty() {
            own.push('\n');
        }
        own.push_str(&comment);
    }
    if let Some(value) = tree.simple_text(node, VALUES.1).filter(|value| !value.contains(parts)) {
        value.trim().clone_into(&mut link.nodes[at].value);
    }
}

/// The nodes of a record without children.
fn leaves(tree: &Tree) -> Vec<NodeId> {
    std::iter::once(tree.root())
        .chain(tree.descendants(tree.root()))
        .filter(|&node| tree.first_child(node).is_none())
        .collect()
}

/// Reads a record of Havannah: the readers of `record` read the line to each leaf.
fn havannah(registry: &Registry, tree: &Tree, notes: &mut Vec<String>) -> Result<AnalysisLink, Fault> {
    let wrong = |error: &dyn fmt::Display| Fault::new("record", error.to_string());
    let first = Record::read(tree).map_err(|error| wrong(&error))?;
    let begins = havannah_start(tree, &first, true)?;
    let usual = Start { swap: true, ..Start::of_size(first.size.into()) };
    let is_usual = registry.game("havannah")?.start(&usual)? == AnyPosition::new(begins.clone());
    let set_up = || Start { position: Some(begins.position_text()), ..Start::default() };
    let start = if is_usual { usual } else { set_up() };
    let mut link = AnalysisLink::new("havannah", start);
    let mut known = vec![None; tree.len()];
    known[tree.root().index()] = Some(0);
    notes_of(tree, tree.root(), &mut link, 0);
    for leaf in leaves(tree) {
        let line = Record::read_line(tree, leaf, Reading::default()).map_err(|error| wrong(&error))?;
        let mut at = 0;
        for mv in &line.moves {
            let text = match mv.action {
                Action::Place(cell) => line.board().name(cell),
                Action::Swap => "swap".to_owned(),
                Action::Resign => break,
                Action::Pass => return Err(wrong(&"Havannah has no pass")),
            };
            if let Some(node) = known[mv.node.index()] {
                at = node;
            } else {
                at = link.add(at, &text)?;
                known[mv.node.index()] = Some(at);
                notes_of(tree, mv.node, &mut link, at);
            }
        }
    }
    let unread = tree.descendants(tree.root()).filter(|&node| known[node.index()].is_none());
    let lost = unread.filter(|&node| tree.comment(node).is_some()).count();
    if lost > 0 {
        notes.push(format!("{lost} comments at nodes without a move are left out."));
    }
    if let Some(claim) =
        first.result.as_ref().filter(|claim| claim.winner().is_some() || **claim == Claim::Draw)
    {
        notes.push(format!("The file says that the result is {claim}."));
    }
    Ok(link)
}

/// Reads a record of a game whose moves are the values of the letters of the sides.
fn lettered(registry: &Registry, game: &str, tree: &Tree) -> Result<AnalysisLink, Fault> {
    let game = registry.game(game)?;
    let description = game.description();
    let letters = description.sides.map(|side| side[..1].to_uppercase());
    let start = if let Some(text) = tree.simple_text(tree.root(), POSITION_PROPERTY) {
        Start { position: Some(text.into_owned()), ..Start::default() }
    } else {
        let swap = tree.property(tree.root(), "SWAP").is_some();
        Start { swap, ..Start::of_size(game.read_record(tree, None)?.size) }
    };
    let mut link = AnalysisLink::new(description.name, start);
    let mut at = vec![0; tree.len()];
    notes_of(tree, tree.root(), &mut link, 0);
    for node in tree.descendants(tree.root()) {
        let parent = tree.parent(node).map_or(0, |parent| at[parent.index()]);
        let mv = letters.iter().find_map(|letter| tree.simple_text(node, letter));
        at[node.index()] = match mv {
            Some(mv) => link.add(parent, mv.trim())?,
            None => parent,
        };
        notes_of(tree, node, &mut link, at[node.index()]);
    }
    Ok(link)
}
