//! [`Tree`]: one game as nodes in one array over one text.

use std::borrow::Cow;
use std::fmt;

use crate::value::{Properties, Property};
use crate::{Encoding, ParseError, ParseOptions, scan};

/// A node of a [`Tree`].
///
/// The number stays the same through edits, and the number of a removed node is never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// A dense number: parsed nodes count from 0, the root, in the order of the file.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// No node, in links.
pub(crate) const NONE: u32 = u32::MAX;
/// `close` of a node that stands without parentheses of its own.
pub(crate) const BARE: u32 = u32::MAX;
/// `close` of a node whose `)` has not been read yet.
pub(crate) const OPEN: u32 = u32::MAX - 1;
/// `parent` of a removed node.
pub(crate) const DEAD: u32 = u32::MAX - 1;

/// The place of a node in the tree's text, and its links.
///
/// ```text
///   … ]  ( ;W[a1] C[x]   …   )
///      ^^ ^           ^    ^^^
///   lead  body      end    close: up to its `)`, if the node has parentheses
/// ```
///
/// Every byte of a parsed game lies in exactly one lead, body, closing or in the tail, so writing
/// them in order gives the input. An edit appends to the text and points the node there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) lead: u32,
    pub(crate) body: u32,
    pub(crate) end: u32,
    pub(crate) close: u32,
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) next_sibling: u32,
}

/// One game: a tree of nodes with properties, and every byte of the text that it came from.
///
/// A tree is an array of nodes over one text. Nodes that were not edited are written back byte for byte. The array has 32 bytes for
/// each node.
///
/// Methods with a [`NodeId`] panic if it is not a node of this tree or was removed; [`contains`](Self::contains) checks
/// this. Methods are O(1) unless stated otherwise; a search for a property is O(text of the node).
#[derive(Clone)]
pub struct Tree {
    pub(crate) text: String,
    pub(crate) nodes: Vec<Node>,
    /// The text after the last `)`.
    pub(crate) tail: (u32, u32),
    pub(crate) live: usize,
    /// The number of bytes of `text` to which no node points any more.
    pub(crate) garbage: usize,
    pub(crate) latin1: bool,
}

impl Tree {
    /// A game with an empty root: `(;)`.
    ///
    /// ```
    /// assert_eq!(stonework_record::Tree::new().to_string(), "(;)");
    /// ```
    #[must_use]
    pub fn new() -> Self {
        let root = Node {
            lead: 0,
            body: 1,
            end: 2,
            close: 2,
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        };
        Self { text: "(;)".to_owned(), nodes: vec![root], tail: (3, 3), live: 1, garbage: 0, latin1: false }
    }

    /// Reads a file with exactly one game, in UTF-8, with the default limits.
    /// Other text before and after the game is kept. O(bytes).
    ///
    /// ```
    /// let tree = stonework_record::Tree::parse(b"(;FF[4]SZ[4] ;W[a1];B[b1](;W[a2])(;W[a3]))")?;
    /// assert_eq!(tree.len(), 5);
    /// assert_eq!(tree.main_line().count(), 4);
    /// # Ok::<(), stonework_record::ParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseError`] with the place and a description of a valid text; [`ParseError::SecondGame`] for a file of
    /// several games, which [`Collection`](crate::Collection) reads.
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        ParseOptions::default().parse(bytes)
    }

    /// As [`parse`](Self::parse) for text.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_str(text: &str) -> Result<Self, ParseError> {
        ParseOptions::default().parse(text.as_bytes())
    }

    /// The first node, with the properties of the whole game.
    #[must_use]
    pub const fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The number of nodes, at least one.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a tree always has its root")]
    pub const fn len(&self) -> usize {
        self.live
    }

    /// `true` if the node belongs to this tree and was not removed.
    #[must_use]
    pub fn contains(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|n| n.parent != DEAD)
    }

    /// The encoding of [`to_bytes`](Self::to_bytes): UTF-8 or ISO 8859-1.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        if self.latin1 { Encoding::Latin1 } else { Encoding::Utf8 }
    }

    /// The node's parent; `None` for the root.
    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        link(self.node(node).parent)
    }

    /// The node's first child, with which the main line goes on.
    #[must_use]
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        link(self.node(node).first_child)
    }

    /// The next child of the same parent.
    #[must_use]
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        link(self.node(node).next_sibling)
    }

    /// The node's children in order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&n| self.next_sibling(n))
    }

    /// The main line: the root, its first child, the first child of this node, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(self.root()), |&n| self.first_child(n))
    }

    /// The number of lines beside the main line: the ends of lines, less one. O(nodes).
    ///
    /// ```
    /// let tree = stonework_record::Tree::parse(b"(;SZ[4];W[a1](;B[b1](;W[a2])(;W[a3]))(;B[c1]))")?;
    /// assert_eq!(tree.variations(), 2);
    /// # Ok::<(), stonework_record::ParseError>(())
    /// ```
    #[must_use]
    pub fn variations(&self) -> usize {
        self.descendants(self.root()).filter(|&node| self.first_child(node).is_none()).count() - 1
    }

    /// The nodes from the root to `node`, both included. O(depth).
    #[must_use]
    pub fn line_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut line: Vec<_> = std::iter::successors(Some(node), |&n| self.parent(n)).collect();
        line.reverse();
        line
    }

    /// `node` and all nodes below it, every node before its children, first children first. O(1) memory, O(nodes) for
    /// the whole walk.
    pub fn descendants(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), move |&at| self.next_below(at, node))
    }

    /// The node after `at` in the walk over the nodes below `top`.
    fn next_below(&self, at: NodeId, top: NodeId) -> Option<NodeId> {
        if let Some(child) = self.first_child(at) {
            return Some(child);
        }
        let mut at = at;
        while at != top {
            if let Some(next) = self.next_sibling(at) {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// The node's properties in order. The iterator reads them from the node's text step by step.
    #[must_use]
    pub fn properties(&self, node: NodeId) -> Properties<'_> {
        Properties::new(self.body(node))
    }

    /// The first property with this name. Small letters in the file's names do not count: `W` also finds `White[…]`.
    #[must_use]
    pub fn property(&self, node: NodeId, name: &str) -> Option<Property<'_>> {
        self.properties(node).find(|p| p.is(name))
    }

    /// The first value of the first property with this name, as SGF `SimpleText`.
    #[must_use]
    pub fn simple_text(&self, node: NodeId, name: &str) -> Option<Cow<'_, str>> {
        Some(self.property(node, name)?.value().simple_text())
    }

    /// The comment (`C`), unescaped.
    #[must_use]
    pub fn comment(&self, node: NodeId) -> Option<Cow<'_, str>> {
        Some(self.property(node, "C")?.value().text())
    }

    /// The text before the game's `(` in its file.
    #[must_use]
    pub fn text_before(&self) -> &str {
        let root = self.nodes[0];
        let lead = &self.text[root.lead as usize..root.body as usize];
        &lead[..lead.rfind('(').unwrap_or(0)]
    }

    /// The text after the game's `)` in its file; in a collection only the last game has such a text.
    #[must_use]
    pub fn text_after(&self) -> &str {
        &self.text[self.tail.0 as usize..self.tail.1 as usize]
    }

    /// The text of a node from its `;` to its last property.
    pub(crate) fn body(&self, node: NodeId) -> &str {
        let n = self.node(node);
        &self.text[n.body as usize..n.end as usize]
    }

    pub(crate) fn node(&self, node: NodeId) -> &Node {
        let n = &self.nodes[node.index()];
        assert!(n.parent != DEAD, "node {} was removed", node.0);
        n
    }

    /// One past the `)` of a closing that begins at `close`.
    pub(crate) fn close_end(&self, close: u32) -> usize {
        scan::skip_space(self.text.as_bytes(), close as usize) + 1
    }
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

/// The size only. [`Display`](fmt::Display) writes the text.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.text.len() - self.garbage;
        f.debug_struct("Tree").field("nodes", &self.live).field("bytes", &bytes).finish_non_exhaustive()
    }
}

impl std::str::FromStr for Tree {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse_str(text)
    }
}

pub(crate) fn link(n: u32) -> Option<NodeId> {
    (n != NONE).then_some(NodeId(n))
}
