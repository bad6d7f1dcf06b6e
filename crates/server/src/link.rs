//! [`AnalysisLink`]: a whole analysis as the text of a link: a tree of moves with marks and values. Read and written here, and as SGF.
//!
//! ```text
//! 1/havannah/8s/e5.swap.h8(d4.e6)(d5).h9!e5$340~3
//! ```
//!
//! The parts are the version, the game, the first position, and the tree. The first position is the size, with `s` for the right to swap,
//! or `=` and the text of a position, with `_` for spaces and `:` for slashes. Points part moves. Parentheses have a branch that begins
//! after the move before. `!CELL` marks a cell, `$VALUE` is the value of the position after the move, and `~NUMBER` is the move on the
//! board: moves count from 1 in the order of the text. `'TEXT` is a comment: `_` is a space, and `=` with two hexadecimal digits is a byte
//! of UTF-8 other than a letter, a digit or `-`.

mod sgf;

use std::fmt;

use stonework_game::text::head;
use stonework_session::{Fault, Registry, Session, Start};

/// The greatest number of bytes of a link.
const MAX_LINK: usize = 64 << 10;

/// The greatest number of moves in a link, variations included.
const MAX_NODES: usize = 4000;

/// A move of a [`AnalysisLink`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkNode {
    /// The index of the move before; `None` for the root, which is no move.
    pub parent: Option<usize>,
    /// The move in the game's own notation; empty at the root.
    pub mv: String,
    /// The marked cells.
    pub marks: Vec<String>,
    /// The value after the move: thousandths of the first player's mean result, or `W13`, `L13` or `D` for a proven win or loss of the
    /// first player within 13 plies, or a proven draw. Empty if unknown.
    pub value: String,
    /// The comment of a person; empty if there is none.
    pub comment: String,
    /// The indices of the next moves, the main line first.
    pub children: Vec<usize>,
}

/// A whole analysis. Its text is the part of a link after `#`.
///
/// ```
/// use stonework_server::AnalysisLink;
/// let link: AnalysisLink = "1/havannah/4/a1.b2(c3.d4).c4!a1~2".parse()?;
/// assert_eq!((link.nodes.len(), link.shown, link.line().len()), (6, 2, 2));
/// assert_eq!(link.to_string(), "1/havannah/4/a1.b2(c3.d4).c4!a1~2");
/// # Ok::<(), stonework_session::Fault>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisLink {
    /// The name of the game.
    pub game: String,
    /// The first position.
    pub start: Start,
    /// The moves, the root first, parents before children.
    pub nodes: Vec<LinkNode>,
    /// The index of the move on the board.
    pub shown: usize,
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::new("link", message)
}

/// `true` for a character that has a meaning between moves.
const fn parts(c: char) -> bool {
    matches!(c, '.' | '(' | ')' | '!' | '$' | '~' | '\'')
}

/// A comment as the text of a link has it.
fn packed(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    for byte in comment.bytes() {
        match byte {
            b' ' => text.push('_'),
            b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => text.push(byte.into()),
            _ => text.extend(['=', hex(byte >> 4), hex(byte & 15)]),
        }
    }
    text
}

fn hex(digit: u8) -> char {
    char::from_digit(digit.into(), 16).unwrap_or('0')
}

/// The comment that [`packed`] wrote.
fn unpacked(text: &str) -> Result<String, Fault> {
    let wrong = || fault(format!("`'{}` is no comment", head(text)));
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        bytes.push(match first {
            b'_' => b' ',
            b'=' => {
                let (digits, after) = rest.split_at_checked(2).ok_or_else(wrong)?;
                rest = after;
                let value = |digit: u8| char::from(digit).to_digit(16).ok_or_else(wrong);
                u8::try_from(value(digits[0])? * 16 + value(digits[1])?).map_err(|_| wrong())?
            }
            _ => first,
        });
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

impl AnalysisLink {
    /// A link without moves.
    #[must_use]
    pub fn new(game: &str, start: Start) -> Self {
        Self { game: game.to_owned(), start, nodes: vec![LinkNode::default()], shown: 0 }
    }

    /// The move after another one; a new move becomes the last of its variations.
    ///
    /// # Errors
    /// A fault for more than 4000 moves.
    pub fn add(&mut self, parent: usize, mv: &str) -> Result<usize, Fault> {
        if let Some(&known) = self.nodes[parent].children.iter().find(|&&child| self.nodes[child].mv == mv) {
            return Ok(known);
        }
        if self.nodes.len() > MAX_NODES {
            return Err(fault(format!("more than {MAX_NODES} moves")));
        }
        let node = self.nodes.len();
        self.nodes.push(LinkNode { parent: Some(parent), mv: mv.to_owned(), ..LinkNode::default() });
        self.nodes[parent].children.push(node);
        Ok(node)
    }

    /// The moves from the root to a node.
    #[must_use]
    pub fn line_to(&self, node: usize) -> Vec<String> {
        let mut line: Vec<String> = std::iter::successors(Some(node), |&at| self.nodes[at].parent)
            .map(|at| self.nodes[at].mv.clone())
            .filter(|mv| !mv.is_empty())
            .collect();
        line.reverse();
        line
    }

    /// The moves to the position on the board.
    #[must_use]
    pub fn line(&self) -> Vec<String> {
        self.line_to(self.shown)
    }

    /// The last node of the main line.
    #[must_use]
    pub fn end(&self) -> usize {
        let first = |&at: &usize| self.nodes[at].children.first().copied();
        std::iter::successors(Some(0), first).last().unwrap_or(0)
    }

    /// The nodes in the order of the text: a branch before the line that goes on.
    fn order(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut open = vec![Step::Node(0)];
        while let Some(step) = open.pop() {
            if let Step::Node(at) = step
                && let Some((&main, branches)) = self.nodes[at].children.split_first()
            {
                open.push(Step::Node(main));
                for &branch in branches.iter().rev() {
                    open.extend([Step::Close, Step::Node(branch), Step::Open]);
                }
            }
            steps.push(step);
        }
        steps
    }

    /// A session after the moves of a line.
    ///
    /// # Errors
    /// The fault of the game, of the start or of a move.
    pub fn session(&self, registry: Registry, node: usize) -> Result<Session, Fault> {
        let mut session = Session::new(registry, &self.game, &self.start, None)?;
        session.play_all(&self.line_to(node))?;
        Ok(session)
    }

    /// Checks that every move is legal, and writes every move in the game's own form.
    ///
    /// # Errors
    /// The fault of the first move that is not legal.
    pub fn check(&mut self, registry: &Registry) -> Result<(), Fault> {
        let mut session = Session::new(registry.clone(), &self.game, &self.start, None)?;
        let mut open = vec![(0, 0)];
        while let Some((at, depth)) = open.pop() {
            if at != 0 {
                session.undo(session.plies() + 1 - depth)?;
                let mv = &mut self.nodes[at].mv;
                let own = session.position().read_move(mv, 0).map(|own| session.text_of(own));
                session.play(mv).map_err(|f| f.at(depth - 1))?;
                *mv = own?;
            }
            open.extend(self.nodes[at].children.iter().rev().map(|&child| (child, depth + 1)));
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Step {
    Node(usize),
    Open,
    Close,
}

impl fmt::Display for AnalysisLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1/{}/", self.game)?;
        match (&self.start.position, self.start.size) {
            (Some(position), _) => write!(f, "={}", position.replace(' ', "_").replace('/', ":"))?,
            (None, size) => {
                let swap = if self.start.swap { "s" } else { "" };
                write!(f, "{}{swap}", size.unwrap_or_default())?;
            }
        }
        f.write_str("/")?;
        let (mut number, mut shown, mut parted) = (0, 0, true);
        for step in self.order() {
            match step {
                Step::Open => {
                    f.write_str("(")?;
                    parted = true;
                }
                Step::Close => {
                    f.write_str(")")?;
                    parted = false;
                }
                Step::Node(at) => {
                    if at == self.shown {
                        shown = number;
                    }
                    number += 1;
                    let LinkNode { mv, marks, value, comment, .. } = &self.nodes[at];
                    if at != 0 {
                        write!(f, "{}{mv}", if parted { "" } else { "." })?;
                        parted = false;
                    }
                    marks.iter().try_for_each(|mark| write!(f, "!{mark}"))?;
                    if !value.is_empty() {
                        write!(f, "${value}")?;
                    }
                    if !comment.is_empty() {
                        write!(f, "'{}", packed(comment))?;
                    }
                    parted &= marks.is_empty() && value.is_empty() && comment.is_empty();
                }
            }
        }
        if self.shown == self.end() { Ok(()) } else { write!(f, "~{shown}") }
    }
}

impl std::str::FromStr for AnalysisLink {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        if text.len() > MAX_LINK {
            return Err(fault(format!("a link of {} bytes: at most {MAX_LINK}", text.len())));
        }
        let mut parts_of = text.splitn(4, '/');
        let mut part = || parts_of.next().unwrap_or_default();
        let (version, game, start, tree) = (part(), part(), part(), part());
        if version != "1" {
            return Err(fault(format!(
                "a link of version `{}`: this program reads version 1",
                head(version)
            )));
        }
        let start = if let Some(position) = start.strip_prefix('=') {
            let position = position.replace('_', " ").replace(':', "/");
            Start { position: Some(position), ..Start::default() }
        } else {
            let digits = start.strip_suffix('s').unwrap_or(start);
            let size =
                digits.parse().map_err(|_| fault(format!("`{}` is no size of a board", head(start))))?;
            Start { swap: start.ends_with('s'), ..Start::of_size(size) }
        };
        let mut link = Self::new(game, start);
        let (mut at, mut open, mut shown, mut rest) = (0, Vec::new(), None, tree);
        // A move right after `(` begins a branch; any other move goes on with the main line.
        let mut branch = false;
        while let Some(first) = rest.chars().next() {
            let body = rest.strip_prefix(parts).unwrap_or(rest);
            let word = body.split(parts).next().unwrap_or_default();
            match first {
                '(' => {
                    open.push(at);
                    branch = true;
                }
                ')' => at = open.pop().ok_or_else(|| fault("a `)` without a `(`"))?,
                '!' if !word.is_empty() => link.nodes[at].marks.push(word.to_owned()),
                '$' if !word.is_empty() => word.clone_into(&mut link.nodes[at].value),
                '\'' if !word.is_empty() => link.nodes[at].comment = unpacked(word)?,
                '~' => {
                    let number: usize = word.parse().map_err(|_| fault(format!("`~{}`", head(word))))?;
                    shown = Some(number);
                }
                '!' | '$' | '\'' => return Err(fault(format!("nothing after `{first}`"))),
                _ => {}
            }
            if matches!(first, '!' | '$' | '\'' | '~') {
                rest = &body[word.len()..];
                continue;
            }
            if first == ')' || word.is_empty() {
                if first == '.' {
                    return Err(fault("a point without a move after it"));
                }
                rest = body;
                continue;
            }
            let parent = at;
            let count = link.nodes.len();
            at = link.add(parent, word)?;
            if link.nodes.len() > count && !std::mem::take(&mut branch) {
                let siblings = &mut link.nodes[parent].children;
                siblings.rotate_right(1);
            }
            rest = &body[word.len()..];
        }
        if !open.is_empty() {
            return Err(fault("a `(` without a `)`"));
        }
        link.shown = match shown {
            None => link.end(),
            Some(number) if number < link.nodes.len() => number,
            Some(number) => {
                return Err(fault(format!("move {number} on the board, of {} moves", link.nodes.len() - 1)));
            }
        };
        Ok(link)
    }
}

/// Reads anything that a person pastes: a link, SGF, a link of the form of `HexWorld`, or moves in any notation. `game` and `start` are those of
/// the board on the page. The second value has sentences for the person.
///
/// # Errors
/// A fault with the first word that is no legal move.
pub fn read_anything(
    registry: &Registry,
    game: &str,
    start: &Start,
    text: &str,
) -> Result<(AnalysisLink, Vec<String>), Fault> {
    let text = text.trim();
    if text.starts_with('(') {
        return AnalysisLink::from_sgf(registry, text);
    }
    if let Some((_, fragment)) = text.split_once('#').filter(|(_, fragment)| !fragment.starts_with("1/")) {
        return hexworld(registry, fragment);
    }
    let own = text.split_once('#').map_or(text, |(_, fragment)| fragment);
    if own.starts_with("1/") {
        let mut link: AnalysisLink = own.parse()?;
        link.check(registry)?;
        return Ok((link, Vec::new()));
    }
    moves(registry, game, start, text)
}

/// Reads moves in the first notation in which all of them are legal.
fn moves(
    registry: &Registry,
    game: &str,
    start: &Start,
    text: &str,
) -> Result<(AnalysisLink, Vec<String>), Fault> {
    let description = registry.game(game)?.description();
    // Numbers of moves, as in `1. e5 h8`, are no moves.
    let numbered = |word: &&str| {
        let digits = word.trim_end_matches(['.', ':', ')']);
        digits.len() == word.len() || !digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words: Vec<&str> = description.words(text).filter(numbered).collect();
    if words.is_empty() {
        return Err(fault("the text has no moves"));
    }
    if words.len() > MAX_NODES {
        return Err(fault(format!("{} moves: at most {MAX_NODES}", words.len())));
    }
    let names: &[&str] = if description.notations.is_empty() { &[""] } else { description.notations };
    let (mut read, mut also, mut refused) = (None, Vec::new(), None);
    for &name in names {
        let notation = Some(name).filter(|name| !name.is_empty());
        let mut session = match Session::new(registry.clone(), game, start, notation) {
            Ok(session) => session,
            Err(fault) => {
                refused = refused.or(Some(fault));
                continue;
            }
        };
        match session.play_all(&words) {
            Ok(()) if read.is_none() => {
                let own = notation.map_or(Ok(session.fork()), |_| session.in_notation(names[0]))?;
                read = Some((name, own.moves()));
            }
            Ok(()) => also.push(name),
            Err(fault) => refused = refused.or(Some(fault)),
        }
    }
    let Some((name, line)) = read else {
        return Err(refused.unwrap_or_else(|| fault("no moves")));
    };
    let mut link = AnalysisLink::new(game, start.clone());
    let end = line.iter().try_fold(0, |at, mv| link.add(at, mv))?;
    link.shown = end;
    let mut notes = Vec::new();
    if !also.is_empty() && !line.is_empty() {
        notes.push(format!("The moves were read as {name}; they are also legal as {}.", also.join(", ")));
    }
    Ok((link, notes))
}

/// Reads `11c1,a1b2:s`: the size, settings, and moves without separators, with cells in the notation that counts columns by letters.
fn hexworld(registry: &Registry, fragment: &str) -> Result<(AnalysisLink, Vec<String>), Fault> {
    let (settings, moves) = fragment.split_once(',').unwrap_or((fragment, ""));
    let digits: String = settings.chars().take_while(char::is_ascii_digit).collect();
    let size: u64 =
        digits.parse().map_err(|_| fault(format!("`{}` is no size of a board", head(settings))))?;
    let mut link = AnalysisLink::new("havannah", Start { swap: true, ..Start::of_size(size) });
    registry.game("havannah")?.start(&link.start)?;
    let (mut at, mut rest, mut notes) = (0, moves, Vec::new());
    while let Some(first) = rest.chars().next() {
        let word = if first == ':' {
            let end = rest[1..].find(|c: char| !c.is_ascii_lowercase()).map_or(rest.len(), |end| end + 1);
            // After `:s` and `:p` a cell may follow at once.
            let end = if rest.starts_with(":s") || rest.starts_with(":p") { 2 } else { end };
            &rest[..end]
        } else {
            let letters = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
            let digits = rest[letters..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - letters);
            &rest[..letters + digits]
        };
        match word {
            ":s" => at = link.add(at, "swap")?,
            ":rb" | ":rw" => notes.push("The resignation at the end is left out.".to_owned()),
            "" | ":p" => return Err(fault(format!("`{}` is no move of Havannah", head(rest)))),
            cell => at = link.add(at, cell)?,
        }
        rest = &rest[word.len()..];
    }
    link.check(registry)?;
    link.shown = link.end();
    notes.push("The cells were read in the notation hgui.".to_owned());
    Ok((link, notes))
}
