//! The layers of Havannah: the answers of `stonework-havannah-analysis` in sentences and marks.

use std::collections::BTreeSet;

use stonework_board::{Cell, CellSet, Notation};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position, WinKind, colour};
use stonework_havannah_analysis::{
    AnalysisError, Distances, Frame, FrameBudget, Frames, InferiorCells, Link, LinkBudget, LinkEnd, LinkSet,
    MustPlay, Need, Potential, Race, RaceBudget, TwoDistances,
};

use crate::layers::{joined, sides, subject, threats};
use crate::{Fault, Layer, LayerBudget, LayerInfo, Mark};

/// The layers, with the constants of each.
pub(super) const LAYERS: &[LayerInfo] = &[
    LayerInfo { name: "links", about: "chains that a side keeps connected, whatever the other side plays" },
    LayerInfo { name: "frames", about: "links that together complete a win, and whether the win is proven" },
    LayerInfo::THREATS,
    LayerInfo { name: "must-play", about: "the cells outside of which the side to move loses" },
    LayerInfo { name: "race", about: "the side that completes a win first, by threats and frames" },
    LayerInfo { name: "dead", about: "the cells that are dead, captured, or dominated for the side to move" },
    LayerInfo {
        name: "distance",
        about: "the stones that each side needs for each kind of win without answers",
    },
    LayerInfo { name: "two-distance", about: "an estimate of these stones when the other side answers" },
];

/// The findings of a layer.
pub(super) fn layer(
    position: &Position,
    name: &str,
    notation: Notation,
    number: usize,
    budget: &LayerBudget,
) -> Result<Layer, Fault> {
    let mut teller = Teller { position, notation, budget, layer: Layer::new(name) };
    match name {
        "links" => teller.links()?,
        "frames" => teller.frames()?,
        "must-play" => teller.must_play()?,
        "race" => teller.race()?,
        "dead" => teller.inferior()?,
        "distance" => teller.distances(),
        "two-distance" => teller.two_distances(),
        _ => return Ok(threats(position, number)),
    }
    Ok(teller.layer)
}

fn fault(error: AnalysisError) -> Fault {
    let kind = match error {
        AnalysisError::Over { .. } => "over",
        AnalysisError::Swap => "swap",
        AnalysisError::Budget { .. } => "budget",
        _ => "layer",
    };
    Fault::new(kind, error.to_string())
}

/// A layer in progress.
struct Teller<'a> {
    position: &'a Position,
    notation: Notation,
    budget: &'a LayerBudget,
    layer: Layer,
}

/// The number of moves of a frame in words.
fn wins(count: u16) -> String {
    if count == 1 { "wins at once".to_owned() } else { format!("wins in at most {count} moves") }
}

fn moves(count: u16) -> String {
    if count == 1 { "1 move".to_owned() } else { format!("at most {count} moves") }
}

fn stones(count: u16) -> String {
    if count == 1 { "1 stone".to_owned() } else { format!("{count} stones") }
}

impl Teller<'_> {
    fn name(&self, cell: Cell) -> String {
        self.notation.name_of(self.position.board(), cell).unwrap_or_default()
    }

    fn names(&self, cells: &CellSet) -> Vec<String> {
        cells.iter().map(|cell| self.name(cell)).collect()
    }

    fn set(&self, cells: &CellSet) -> String {
        format!("{{{}}}", self.names(cells).join(", "))
    }

    fn corner(&self, number: u8) -> String {
        let cell = self.position.board().corner_cells().nth(usize::from(number) % 6);
        cell.map_or_else(String::new, |cell| self.name(cell))
    }

    /// An end of a link: a cell, or an edge by its two corners.
    fn end(&self, end: LinkEnd) -> String {
        match end {
            LinkEnd::Chain(cell) | LinkEnd::Empty(cell) => self.name(cell),
            LinkEnd::Edge(number) => format!("the edge {}–{}", self.corner(number), self.corner(number + 1)),
            LinkEnd::Corner(number) => self.corner(number),
        }
    }

    fn tell(&mut self, player: Player, text: String, cells: Vec<String>) {
        self.layer.tell(Some(colour(player)), text, cells);
    }

    /// Adds a sentence with the number of findings that are left out, and a sentence if the budget has ended the
    /// search.
    fn tell_rest(&mut self, player: Player, what: &str, left: usize, complete: bool) {
        let side = subject::<Position>(player);
        let text = match (left, complete) {
            (0, true) => return,
            (0, false) => format!("{side} may have more {what}, which the budget has left out."),
            (left, true) => format!("{side} has {left} more {what}."),
            (left, false) => {
                format!("{side} has {left} more {what}, and perhaps others, which the budget has left out.")
            }
        };
        self.layer.complete &= complete;
        self.tell(player, text, Vec::new());
    }

    /// Writes the letter of a side on cells. A cell of both sides has both letters.
    fn letter(&mut self, player: Player, cells: impl IntoIterator<Item = Cell>) {
        for cell in cells {
            let (cell, letter) = (self.name(cell), &colour(player)[..1]);
            match self.layer.marks.iter_mut().find(|mark| mark.cell == cell && mark.label.is_some()) {
                Some(mark) => {
                    let label = mark.label.get_or_insert_default();
                    if !label.contains(letter) {
                        label.push_str(letter);
                    }
                }
                None => self.layer.marks.push(Mark { cell, label: Some(letter.to_owned()) }),
            }
        }
    }

    fn links(&mut self) -> Result<(), Fault> {
        let budget = LinkBudget {
            carrier: self.budget.carrier,
            combinations: self.budget.combinations,
            ..LinkBudget::default()
        };
        for player in sides(self.position) {
            let set = LinkSet::of(self.position, player, &budget).map_err(fault)?;
            // Of the links between the same two ends, the list has the link with the smallest carrier, which comes
            // first. A corner with a stone has the name of the stone.
            let mut links: Vec<(BTreeSet<String>, Link)> = Vec::new();
            let there = |end: LinkEnd| !matches!(end, LinkEnd::Empty(_));
            for link in set.iter().filter(|link| link.is_full() && !link.carrier.is_empty()) {
                let ends: BTreeSet<String> = link.ends.into_iter().map(|end| self.end(end)).collect();
                if link.ends.into_iter().all(there) && links.iter().all(|(other, _)| *other != ends) {
                    links.push((ends, link));
                }
            }
            if links.is_empty() {
                let text =
                    format!("{} has no link between chains, edges and corners.", subject::<Position>(player));
                self.tell(player, text, Vec::new());
            }
            let told = links.len().min(self.budget.findings);
            for (_, link) in &links[..told] {
                let [a, b] = link.ends.map(|end| self.end(end));
                let side = subject::<Position>(player);
                let text = format!("{side} keeps {a} connected to {b}: carrier {}.", self.set(&link.carrier));
                let cells = self.names(&link.carrier);
                self.tell(player, text, cells);
                self.letter(player, link.carrier.iter());
            }
            self.tell_rest(player, "links", links.len() - told, set.is_complete());
        }
        Ok(())
    }

    /// Dead cells get a cross, captured ones the letter of their side; dominated cells are highlighted.
    fn inferior(&mut self) -> Result<(), Fault> {
        let cells = InferiorCells::of(self.position).map_err(fault)?;
        let are = |set: &CellSet| if set.len() == 1 { "is" } else { "are" };
        let dead = cells.dead();
        let names = self.names(&dead);
        let text = if dead.is_empty() {
            "No cell is known to be dead.".to_owned()
        } else {
            let names = joined(&names, "and");
            format!("{names} {} dead: a stone there, of either side, changes no winner.", are(&dead))
        };
        self.layer
            .marks
            .extend(names.iter().map(|cell| Mark { cell: cell.clone(), label: Some("x".to_owned()) }));
        self.layer.tell(None, text, names);
        for player in sides(self.position) {
            let captured = cells.captured(player);
            let names = self.names(&captured);
            if !names.is_empty() {
                let side = subject::<Position>(player);
                let text = format!(
                    "{side} captures {}: as good as {}'s stones, without a move.",
                    joined(&names, "and"),
                    colour(player)
                );
                self.letter(player, captured.iter());
                self.tell(player, text, names);
            }
        }
        let (player, dominated) = (cells.player(), cells.dominated());
        for (told, cell) in dominated.iter().enumerate() {
            if told == self.budget.findings {
                let text = match dominated.len() - told {
                    1 => "1 cell more is dominated.".to_owned(),
                    more => format!("{more} cells more are dominated."),
                };
                self.tell(player, text, Vec::new());
                break;
            }
            let Some(better) = cells.dominator(cell) else { continue };
            let [worse, better] = [cell, better].map(|cell| self.name(cell));
            let text = format!(
                "{} plays {better} rather than {worse}, which {better} makes dead.",
                subject::<Position>(player)
            );
            self.layer.highlight([worse.clone()]);
            self.tell(player, text, vec![worse, better]);
        }
        Ok(())
    }

    fn frame_budget(&self) -> FrameBudget {
        let LayerBudget { carrier, combinations, .. } = *self.budget;
        let links = LinkBudget { carrier, combinations, ..LinkBudget::default() };
        FrameBudget { links, combinations, ..FrameBudget::default() }
    }

    /// The names of the chains on the way of a link, of the key and of the far end. A chain is on the way if one of
    /// its stones is beside two or more cells of the carrier. The result is the far end alone, unless full links with
    /// disjoint parts of the carrier join each chain to the next.
    fn path(&self, hub: LinkEnd, far: LinkEnd, link: &Link, set: &LinkSet) -> Vec<String> {
        let board = self.position.board();
        let (LinkEnd::Chain(from) | LinkEnd::Empty(from)) = hub else { return vec![self.end(far)] };
        let beside = |&cell: &Cell| board.neighbours(cell).filter(|&n| link.carrier.contains(n)).count() > 1;
        let stones = self.position.stones(set.owner());
        let mut between: Vec<LinkEnd> = Vec::new();
        let mut near: Vec<Cell> = stones.iter().filter(beside).chain(link.key).collect();
        near.sort_by_key(|&cell| board.distance(from, cell));
        for end in near.into_iter().filter_map(|cell| set.end(cell).ok()) {
            let corner = self.end(end) == self.end(far);
            if end != hub && end != far && !corner && !between.contains(&end) {
                between.push(end);
            }
        }
        between.push(far);
        let (mut last, mut left) = (hub, link.carrier);
        let joined = between.iter().all(|&next| {
            let part = set
                .full_between(last, next)
                .ok()
                .and_then(|mut links| links.find(|part| part.carrier.iter().all(|cell| left.contains(cell))));
            part.iter().flat_map(|part| &part.carrier).for_each(|cell| {
                left.remove(cell);
            });
            last = next;
            part.is_some()
        });
        let shown = if joined { &between[..] } else { &[far] };
        shown.iter().map(|&end| self.end(end)).collect()
    }

    /// A frame without its owner: `a bridge frame d1–b3–a4 with the carrier {a3, b2}`.
    fn frame(&self, frame: &Frame, set: &LinkSet) -> String {
        if frame.carrier.len() == 1 && frame.moves == 1 {
            return format!("a {}", frame.kind.name());
        }
        let hub = self.end(frame.hub);
        let far = |link: &Link| link.ends.into_iter().find(|&end| end != frame.hub).unwrap_or(frame.hub);
        let ends: Vec<String> = frame.links.iter().map(|link| self.end(far(link))).collect();
        let shape = match (frame.kind, &ends[..]) {
            (WinKind::Bridge, [_, _]) => {
                let [a, b] =
                    [0, 1].map(|side| self.path(frame.hub, far(&frame.links[side]), &frame.links[side], set));
                let mut path: Vec<String> = a.into_iter().rev().chain([hub]).chain(b).collect();
                path.dedup();
                format!(" {}", path.join("–"))
            }
            (WinKind::Fork, ends) if !ends.is_empty() => {
                let edges: Vec<String> = ends.iter().map(|end| end.replacen("the edge ", "", 1)).collect();
                format!(" from {hub} to the edges {}", joined(&edges, "and"))
            }
            (WinKind::Ring, [a, ..]) => {
                format!(" from {hub} to {a} on two ways around {}", self.inside(frame))
            }
            (WinKind::Ring, []) => format!(" around {}", self.inside(frame)),
            _ => String::new(),
        };
        format!("a {} frame{shape} with the carrier {}", frame.kind.name(), self.set(&frame.carrier))
    }

    fn inside(&self, frame: &Frame) -> String {
        let cells = self.names(&frame.enclosed);
        if cells.is_empty() { "own stones".to_owned() } else { joined(&cells, "and") }
    }

    /// A sentence about a frame and its owner: the owner has the frame, or makes it by the key.
    fn claim(&self, frames: &Frames, frame: &Frame) -> String {
        let (side, shape) = (subject::<Position>(frames.owner()), self.frame(frame, frames.links()));
        match frame.key {
            None => format!("{side} has {shape}"),
            Some(key) => format!("{side}'s {} makes {shape}", self.name(key)),
        }
    }

    fn frames(&mut self) -> Result<(), Fault> {
        let budget = self.frame_budget();
        for owner in sides(self.position) {
            let frames = Frames::of(self.position, owner, &budget).map_err(fault)?;
            let proven: Vec<&Frame> = frames.proven().collect();
            let unproven = |frame: &&Frame| !proven.contains(frame);
            let (full, half): (Vec<&Frame>, Vec<&Frame>) =
                frames.all().iter().filter(unproven).partition(|frame| frame.is_full());
            if frames.all().is_empty() {
                let text = format!("{} has no frame and no half-frame.", subject::<Position>(owner));
                self.tell(owner, text, Vec::new());
            }
            let mut list = proven.iter().map(|&frame| (frame, true)).collect::<Vec<_>>();
            list.extend(full.into_iter().map(|frame| (frame, false)));
            // A half-frame does not matter beside a frame that wins.
            if proven.is_empty() {
                list.extend(half.into_iter().map(|frame| (frame, false)));
            }
            // Of the frames with one key between the same ends, the list has the frame with the smallest carrier,
            // which comes first.
            let mut shapes: Vec<(WinKind, Option<Cell>, BTreeSet<LinkEnd>)> = Vec::new();
            list.retain(|(frame, _)| {
                let ends = frame.links.iter().flat_map(|link| link.ends);
                let shape = (frame.kind, frame.key, ends.collect());
                let new = !shapes.contains(&shape);
                shapes.extend(new.then_some(shape));
                new
            });
            let told = list.len().min(self.budget.findings);
            for &(frame, proven) in &list[..told] {
                let end = self.consequence(&frames, frame, proven);
                let text = format!("{}; {end}.", self.claim(&frames, frame));
                let cells = self.names(&frame.carrier);
                self.tell(owner, text, cells);
            }
            if let Some(&(first, _)) = list.first() {
                self.letter(owner, first.carrier.iter());
                let key = first.key.map(|key| self.name(key));
                self.layer.highlight(key);
            }
            self.tell_rest(owner, "frames and half-frames", frames.all().len() - told, frames.is_complete());
        }
        Ok(())
    }

    /// The consequence of a frame in words.
    fn consequence(&self, frames: &Frames, frame: &Frame, proven: bool) -> String {
        let (owner, other) = (frames.owner(), frames.owner().other());
        let (side, opponent) = (subject::<Position>(owner), subject::<Position>(other));
        if proven {
            return format!("{side} {} whatever {opponent} plays", wins(frame.moves));
        }
        if frame.key.is_some() && self.position.to_move() != owner {
            return format!("it needs {}, and {opponent} moves first", moves(frame.moves));
        }
        let needs =
            frames.opponent().map_or_else(String::new, |need| format!(" with {}", stones(need.stones)));
        format!("it needs {} and is unproven: {opponent} may win{needs}", moves(frame.moves))
    }

    fn must_play(&mut self) -> Result<(), Fault> {
        let must = MustPlay::of(self.position, &self.frame_budget()).map_err(fault)?;
        let (player, owner) = (must.player(), must.player().other());
        let (side, opponent) = (subject::<Position>(player), subject::<Position>(owner));
        let (cells, empty) = (must.cells(), self.position.empty_cells().count());
        let names = self.names(&cells);
        let frame = must.frames().proven().find(|frame| frame.is_full()).filter(|_| must.is_lost());
        if let Some(frame) = frame {
            let (claim, win) = (self.claim(must.frames(), frame), wins(frame.moves));
            let text = format!("{side} has lost: {claim}; {opponent} {win} whatever {side} plays.");
            let cells = self.names(&frame.carrier);
            self.tell(player, text, cells);
            return Ok(());
        }
        let text = if must.is_lost() {
            format!("{side} has lost: after a stone on any cell {opponent} wins by a frame.")
        } else if names.len() == empty {
            format!("{side} may play on any cell: no cell is shown to lose.")
        } else if names.len() == 1 {
            format!("{side} must play on {}: a stone on any other cell loses.", names[0])
        } else if 2 * names.len() <= empty {
            format!("{side} must play on one of {}: a stone on any other cell loses.", joined(&names, "and"))
        } else {
            let lost: CellSet = self.position.empty_cells().filter(|&c| !cells.contains(c)).collect();
            format!("{side} must not play on {}: a stone there loses.", joined(&self.names(&lost), "or"))
        };
        if names.len() < empty {
            self.layer.highlight(names.clone());
        }
        self.tell(player, text, names);
        // The frames that make cells lose, each with its cells.
        let mut reasons: Vec<(&Frame, CellSet)> = Vec::new();
        for cell in self.position.empty_cells() {
            let Some(frame) = must.reason(cell) else { continue };
            match reasons.iter_mut().find(|(other, _)| std::ptr::eq(*other, frame)) {
                Some((_, cells)) => {
                    cells.insert(cell);
                }
                None => reasons.push((frame, [cell].into_iter().collect())),
            }
        }
        reasons.sort_by_key(|(_, cells)| std::cmp::Reverse(cells.len()));
        let told = reasons.len().min(self.budget.findings);
        for (at, (frame, lost)) in reasons[..told].iter().enumerate().rev() {
            let here = match lost.len() {
                count if count <= 6 => joined(&self.names(lost), "or"),
                _ if at == 0 && told == reasons.len() => "any other cell".to_owned(),
                count => format!("{count} cells"),
            };
            let (claim, win) = (self.claim(must.frames(), frame), wins(frame.moves));
            let text = format!("After a stone on {here} {claim}; {opponent} {win}.");
            let cells = self.names(lost);
            self.tell(player, text, cells);
        }
        if reasons.len() > told {
            let left: usize = reasons[told..].iter().map(|(_, cells)| cells.len()).sum();
            let cells = if left == 1 { "cell loses".to_owned() } else { format!("{left} cells lose") };
            self.tell(player, format!("The other {cells} by other frames of {opponent}."), Vec::new());
        }
        self.layer.complete &= must.frames().is_complete();
        Ok(())
    }

    fn race(&mut self) -> Result<(), Fault> {
        let frames = self.frame_budget();
        let usual = RaceBudget::default();
        let links = LinkBudget {
            carrier: frames.links.carrier.min(usual.frames.links.carrier),
            per_pair: usual.frames.links.per_pair,
            ..frames.links
        };
        let budget = RaceBudget { frames: FrameBudget { links, ..frames }, ..usual };
        let race = Race::of(self.position, &budget).map_err(fault)?;
        self.layer.complete &= race.is_complete();
        let Some(winner) = race.winner() else {
            self.open_race(&race);
            return Ok(());
        };
        let side = subject::<Position>(winner);
        let names: Vec<String> = race.line().iter().map(|&cell| self.name(cell)).collect();
        let line = if names.is_empty() { String::new() } else { format!(" after {}", joined(&names, "and")) };
        let mut end = self.position.clone();
        let won =
            race.line().iter().all(|&cell| end.play(Move::Place(cell)).is_ok()) && end.outcome().is_some();
        let end = match race.frame() {
            Some(frame) => {
                let (kind, carrier) = (frame.kind.name(), self.set(&frame.carrier));
                format!(
                    "a {kind} frame with the carrier {carrier} is first; {side} then {}",
                    wins(frame.moves)
                )
            }
            None if won => "the win is on the board".to_owned(),
            None if end.winning_count(winner) > 1 => format!("{side} has two winning cells"),
            None => format!("frames of {side} refute every move"),
        };
        let lost = if winner == race.player() {
            ""
        } else {
            &format!(", whatever {} plays", subject::<Position>(race.player()))
        };
        let text = format!("{side} wins the race{lost}:{line} {end}.");
        self.layer.highlight(names.first().cloned());
        self.tell(winner, text, names);
        Ok(())
    }

    /// The estimate of a race that is not decided.
    fn open_race(&mut self, race: &Race) {
        let count = |player| {
            let side = subject::<Position>(player);
            race.moves(player).map_or_else(
                || format!("{side} has no frame"),
                |count| format!("{side} needs {}", moves(count)),
            )
        };
        let counts = sides(self.position).map(count).join(", ");
        let text = match race.estimate() {
            Some(first) => {
                format!("The race is open. By an estimate {} is first: {counts}.", subject::<Position>(first))
            }
            None => "The race is open: no side has a frame or a half-frame.".to_owned(),
        };
        self.layer.tell(race.estimate().map(colour), text, Vec::new());
    }

    fn distances(&mut self) {
        let mover = self.position.to_move();
        for player in sides(self.position) {
            let mut distances = Distances::of(self.position, player);
            let mut needs: Vec<Need> =
                WinKind::ALL.into_iter().filter_map(|kind| distances.need(kind)).collect();
            needs.sort_by_key(|need| need.stones);
            let (side, opponent) = (subject::<Position>(player), subject::<Position>(player.other()));
            let kind = |need: &Need| {
                let around = need.around.map(|cell| format!(" around {}", self.name(cell)));
                format!("{} for a {}{}", need.stones, need.kind.name(), around.unwrap_or_default())
            };
            let mut text = match &needs[..] {
                [] => format!("{side} cannot win any more"),
                [first, rest @ ..] => {
                    let first = kind(first).replacen(&first.stones.to_string(), &stones(first.stones), 1);
                    let words: Vec<String> = [first].into_iter().chain(rest.iter().map(kind)).collect();
                    format!("If {opponent} passes, {side} needs {}", joined(&words, "and"))
                }
            };
            let gone = WinKind::ALL.into_iter().filter(|kind| needs.iter().all(|need| need.kind != *kind));
            let gone: Vec<String> = gone.map(|kind| format!("no {}", kind.name())).collect();
            if !needs.is_empty() && !gone.is_empty() {
                text = format!("{text}; {} is possible", joined(&gone, "and"));
            }
            let cells = needs.first().map_or_else(Vec::new, |need| self.names(&need.cells));
            self.tell(player, text + ".", cells);
            if player == mover {
                let map: Vec<(Cell, u16)> = distances.win_map().iter().collect();
                let open = map.into_iter().filter(|&(cell, _)| self.position.stone(cell).is_none());
                let label = |(cell, stones): (Cell, u16)| Mark {
                    cell: self.name(cell),
                    label: Some(stones.to_string()),
                };
                let marks: Vec<Mark> = open.map(label).collect();
                self.layer.marks.extend(marks);
            }
        }
    }

    fn two_distances(&mut self) {
        let mover = self.position.to_move();
        for player in sides(self.position) {
            let mut two = TwoDistances::of(self.position, player);
            let kinds = [("bridge", two.bridge()), ("fork", two.fork()), ("ring", two.ring())];
            let mut known: Vec<(&str, Potential)> =
                kinds.into_iter().filter_map(|(kind, found)| Some((kind, found?))).collect();
            known.sort_by_key(|(_, found)| found.stones);
            let (side, opponent) = (subject::<Position>(player), subject::<Position>(player.other()));
            let words: Vec<String> =
                known.iter().map(|(kind, found)| format!("{} from a {kind}", found.stones)).collect();
            let text = if words.is_empty() {
                format!("By two-distance, an estimate, {opponent} stops every win of {side} with one stone.")
            } else {
                format!("By two-distance, an estimate, {side} is {}.", joined(&words, "and"))
            };
            let best = known.first().map_or_else(Vec::new, |(_, found)| self.names(&found.cells));
            if player == mover {
                self.layer.highlight(best.clone());
            }
            self.tell(player, text, best);
        }
    }
}
