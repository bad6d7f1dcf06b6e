//! The parser: one loop over the bytes, no recursion and no stack.

use crate::error::place;
use crate::scan::{self, Miss};
use crate::tree::{BARE, DEAD, NONE, Node, OPEN, Tree};
use crate::{Collection, Encoding, Limit, ParseError, ParseOptions, RecordLimits, RecordPlace};

impl ParseOptions {
    /// Reads a file with exactly one game; other text before and after it is kept. O(bytes).
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse(&self, bytes: &[u8]) -> Result<Tree, ParseError> {
        let mut games = self.games(bytes, true)?;
        debug_assert_eq!(games.len(), 1);
        Ok(games.remove(0))
    }

    /// Reads a file with one or more games; the text between them is kept. O(bytes).
    ///
    /// # Errors
    /// As [`Tree::parse`], without [`ParseError::SecondGame`].
    pub fn parse_collection(&self, bytes: &[u8]) -> Result<Collection, ParseError> {
        Ok(Collection { games: self.games(bytes, false)? })
    }

    fn games(&self, bytes: &[u8], single: bool) -> Result<Vec<Tree>, ParseError> {
        let allowed = self.limits.bytes.min(RecordLimits::MAX.bytes - 2);
        if bytes.len() > allowed {
            let at = place(bytes, allowed, allowed);
            return Err(ParseError::Limit { what: Limit::Bytes, count: bytes.len(), allowed, at });
        }
        let decoded;
        let (text, latin1) = match (std::str::from_utf8(bytes), self.encoding) {
            (Ok(text), Encoding::Utf8 | Encoding::Detect) => (text, false),
            (Err(error), Encoding::Utf8) => {
                let at = error.valid_up_to();
                return Err(ParseError::NotUtf8 { at: place(bytes, at, at), byte: bytes[at] });
            }
            (_, Encoding::Latin1 | Encoding::Detect) => {
                decoded = bytes.iter().map(|&b| char::from(b)).collect::<String>();
                (decoded.as_str(), true)
            }
        };
        if text.len() > RecordLimits::MAX.bytes - 2 {
            // Latin-1 characters take up to two bytes in memory.
            let (count, allowed) = (text.len(), RecordLimits::MAX.bytes - 2);
            let at = place(bytes, bytes.len(), bytes.len());
            return Err(ParseError::Limit { what: Limit::Bytes, count, allowed, at });
        }
        Parser { text, bytes: text.as_bytes(), pos: 0, latin1, limits: self.limits, nodes_before: 0 }
            .file(single)
    }
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    latin1: bool,
    limits: RecordLimits,
    nodes_before: usize,
}

impl Parser<'_> {
    fn file(mut self, single: bool) -> Result<Vec<Tree>, ParseError> {
        let mut games: Vec<Tree> = Vec::new();
        let mut start =
            self.find_game(0).ok_or(ParseError::NoGame { bytes: self.offset(self.bytes.len()) })?;
        let mut base = 0;
        loop {
            let mut game = self.game(base, start)?;
            self.nodes_before += game.live;
            let after = scan::skip_space(self.bytes, self.pos);
            if let Some(b';' | b')') = self.bytes.get(after) {
                return Err(self.unexpected(after, "nothing or another game: all parentheses are closed"));
            }
            if let Some(next) = self.find_game(self.pos) {
                if single {
                    return Err(ParseError::SecondGame { at: self.place(next) });
                }
                base = self.pos;
                start = next;
                games.push(game);
            } else {
                let tail = game.text.len() as u32;
                game.text.push_str(&self.text[self.pos..]);
                game.tail = (tail, game.text.len() as u32);
                games.push(game);
                return Ok(games);
            }
        }
    }

    /// The index of the next `(` with only white space between it and a `;`.
    fn find_game(&self, mut at: usize) -> Option<usize> {
        loop {
            at += self.bytes[at..].iter().position(|&b| b == b'(')?;
            let next = scan::skip_space(self.bytes, at + 1);
            if self.bytes.get(next) == Some(&b';') {
                return Some(at);
            }
            at = next;
        }
    }

    /// The game whose `(` is at `start`; its tree's text begins at `base`.
    fn game(&mut self, base: usize, start: usize) -> Result<Tree, ParseError> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut depth = 0_usize;
        // The node at which the text goes on, and the beginning of the next piece of text.
        let (mut current, mut tile) = (NONE, base);
        self.pos = start;
        loop {
            let at = scan::skip_space(self.bytes, self.pos);
            match self.bytes.get(at) {
                Some(b'(') => {
                    depth += 1;
                    self.limit(Limit::Nesting, depth, self.limits.nesting, at)?;
                    self.pos = scan::skip_space(self.bytes, at + 1);
                    match self.bytes.get(self.pos) {
                        Some(b';') => current = self.node(&mut nodes, base, tile, current, OPEN)?,
                        Some(_) => return Err(self.unexpected(self.pos, "`;` after `(`")),
                        None => return Err(self.truncated('(', at)),
                    }
                }
                Some(b';') => {
                    if nodes[current as usize].first_child != NONE {
                        return Err(self.unexpected(at, "`(` or `)`: no node may follow variations"));
                    }
                    self.pos = at;
                    current = self.node(&mut nodes, base, tile, current, BARE)?;
                }
                Some(b')') => {
                    let own = innermost(&nodes, current);
                    nodes[own as usize].close = (tile - base) as u32;
                    current = nodes[own as usize].parent;
                    depth -= 1;
                    self.pos = at + 1;
                    if current == NONE {
                        let text = self.text[base..self.pos].to_owned();
                        let tail = text.len() as u32;
                        let live = nodes.len();
                        let latin1 = self.latin1;
                        return Ok(Tree { text, nodes, tail: (tail, tail), live, garbage: 0, latin1 });
                    }
                }
                Some(_) => {
                    let fresh = nodes[current as usize].first_child == NONE;
                    let expected = if fresh { "a property, `;`, `(` or `)`" } else { "`(` or `)`" };
                    return Err(self.unexpected(at, expected));
                }
                None => return Err(self.truncated_game(&nodes, base, current)),
            }
            tile = self.pos;
        }
    }

    /// Reads the node whose `;` is at `self.pos`, hangs it below `parent` and returns its number.
    fn node(
        &mut self,
        nodes: &mut Vec<Node>,
        base: usize,
        lead: usize,
        parent: u32,
        close: u32,
    ) -> Result<u32, ParseError> {
        let body = self.pos;
        let allowed = self.limits.nodes.min(DEAD as usize);
        self.limit(Limit::Nodes, self.nodes_before + nodes.len() + 1, allowed, body)?;
        let mut end = body + 1;
        loop {
            let at = scan::skip_space(self.bytes, end);
            match scan::property(self.bytes, at) {
                Ok(found) => end = found.end,
                Err(Miss::Node) => break,
                Err(Miss::Open(open)) => return Err(self.truncated('[', open)),
                Err(Miss::Bracket(found)) if found < self.bytes.len() => {
                    return Err(self.unexpected(found, "`[` after a property name"));
                }
                Err(Miss::Bracket(_)) => {
                    return Err(match close {
                        OPEN => self.truncated('(', self.parenthesis(lead, body)),
                        _ => self.truncated_game(nodes, base, parent),
                    });
                }
            }
        }
        self.pos = end;
        let id = nodes.len() as u32;
        let to = |at: usize| (at - base) as u32;
        nodes.push(Node {
            lead: to(lead),
            body: to(body),
            end: to(end),
            close,
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        });
        if parent != NONE {
            let older = std::mem::replace(&mut nodes[parent as usize].last_child, id);
            match older {
                NONE => nodes[parent as usize].first_child = id,
                older => nodes[older as usize].next_sibling = id,
            }
        }
        Ok(id)
    }

    /// The last `(` in a lead.
    fn parenthesis(&self, lead: usize, body: usize) -> usize {
        self.bytes[lead..body].iter().rposition(|&b| b == b'(').map_or(lead, |i| lead + i)
    }

    fn truncated_game(&self, nodes: &[Node], base: usize, current: u32) -> ParseError {
        let open = nodes[innermost(nodes, current) as usize];
        self.truncated('(', self.parenthesis(base + open.lead as usize, base + open.body as usize))
    }

    fn truncated(&self, bracket: char, open: usize) -> ParseError {
        let bytes = self.offset(self.bytes.len());
        ParseError::Truncated { bytes, bracket, opened: self.place(open) }
    }

    fn unexpected(&self, at: usize, expected: &'static str) -> ParseError {
        let found = self.text[at..].chars().next().unwrap_or('\0');
        ParseError::Unexpected { at: self.place(at), found, expected }
    }

    fn limit(&self, what: Limit, count: usize, allowed: usize, at: usize) -> Result<(), ParseError> {
        if count > allowed {
            Err(ParseError::Limit { what, count, allowed, at: self.place(at) })
        } else {
            Ok(())
        }
    }

    fn place(&self, at: usize) -> RecordPlace {
        place(self.bytes, at, self.offset(at))
    }

    /// The offset in the file of an index into the decoded text.
    fn offset(&self, at: usize) -> usize {
        if self.latin1 { self.text[..at].chars().count() } else { at }
    }
}

/// The node that opened the innermost parenthesis still open at `current`. The walk passes a node once for each `)` and
/// goes on above it: O(nodes) for a whole game.
fn innermost(nodes: &[Node], current: u32) -> u32 {
    let mut own = current;
    while nodes[own as usize].close != OPEN {
        own = nodes[own as usize].parent;
    }
    own
}
