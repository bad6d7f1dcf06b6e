//! Trees back to text: a walk without recursion or stack over the pieces of text.

use std::{fmt, io};

use crate::tree::{BARE, NONE, Node, NodeId, OPEN, Tree};
use crate::{EditError, Limit};

/// A step of the walk over a whole tree.
#[derive(Clone, Copy)]
enum Step {
    Enter(u32),
    Leave(u32),
}

impl Tree {
    /// The next step. The links of the nodes give it, so the walk needs neither recursion nor a stack.
    fn after(&self, step: Step) -> Option<Step> {
        match step {
            Step::Enter(at) => match self.nodes[at as usize].first_child {
                NONE => Some(Step::Leave(at)),
                child => Some(Step::Enter(child)),
            },
            Step::Leave(at) => {
                let node = &self.nodes[at as usize];
                match (node.next_sibling, node.parent) {
                    (NONE, NONE) => None,
                    (NONE, parent) => Some(Step::Leave(parent)),
                    (next, _) => Some(Step::Enter(next)),
                }
            }
        }
    }

    fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        std::iter::successors(Some(Step::Enter(0)), |&step| self.after(step))
    }

    /// Passes the tree's text to `give` in order, in as few pieces as the edits allow. O(nodes).
    pub(crate) fn pieces<E>(&self, mut give: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let (mut from, mut to) = (0, 0);
        let mut piece = |(start, end): (usize, usize)| {
            if start == to {
                to = end;
                return Ok(());
            }
            let done = (from, to);
            (from, to) = (start, end);
            give(&self.text[done.0..done.1])
        };
        for step in self.steps() {
            let (Step::Enter(at) | Step::Leave(at)) = step;
            let node = &self.nodes[at as usize];
            if matches!(step, Step::Enter(_)) {
                piece((node.lead as usize, node.end as usize))?;
            } else if node.close != BARE {
                piece((node.close as usize, self.close_end(node.close)))?;
            }
        }
        piece((self.tail.0 as usize, self.tail.1 as usize))?;
        give(&self.text[from..to])
    }

    /// The game as bytes in its [encoding](Self::encoding): the parsed bytes, except the text of edited nodes.
    /// O(bytes).
    ///
    /// ```
    /// let bytes = b"see ( ;W [a1] \n;Black[b1]\t)\nbye";
    /// assert_eq!(stonework_record::Tree::parse(bytes)?.to_bytes(), bytes);
    /// # Ok::<(), stonework_record::ParseError>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.text.len() - self.garbage);
        let done = self.write_to(&mut bytes);
        debug_assert!(done.is_ok(), "a vector takes everything");
        bytes
    }

    /// Writes the bytes of [`to_bytes`](Self::to_bytes), in few large pieces.
    ///
    /// # Errors
    /// The error of the writer.
    pub fn write_to(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.pieces(|text| {
            if self.latin1 { out.write_all(&to_latin1(text)) } else { out.write_all(text.as_bytes()) }
        })
    }

    /// Lays the whole game out anew, in a stable form: the root on a line of its own, ten moves to a line, each variation on new
    /// lines, parentheses only where a choice begins. Properties and the text before and after the game stay. O(nodes).
    ///
    /// ```
    /// let mut tree = stonework_record::Tree::parse(b"(;SZ[4];W[a1] (;B[b1]  (;W[c1]))(;B[c2]))")?;
    /// tree.lay_out()?;
    /// assert_eq!(tree.to_string(), "(;SZ[4]\n;W[a1]\n(;B[b1];W[c1])\n(;B[c2])\n)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError::Full`] if the text might then pass 4 GiB.
    pub fn lay_out(&mut self) -> Result<(), EditError> {
        /// Nodes on one line.
        const RUN: u32 = 10;
        // At most four bytes are added for a node: line break, `(`, line break, `)`.
        if self.text.len() + 4 * self.live > OPEN as usize {
            return Err(EditError::Full { what: Limit::Bytes });
        }
        let mut text = String::with_capacity(self.text.len() + self.text.len() / 8);
        text.push_str(self.text_before());
        let mut run = 0;
        let mut next = Some(Step::Enter(0));
        while let Some(step) = next {
            next = self.after(step);
            let (Step::Enter(at) | Step::Leave(at)) = step;
            let chosen = at == 0 || self.has_siblings(NodeId(at));
            let node = self.nodes[at as usize];
            match step {
                Step::Leave(_) if chosen => {
                    let close = text.len() as u32;
                    // After variations the parenthesis stands on a line of its own.
                    text.push_str(if text.ends_with(')') { "\n)" } else { ")" });
                    self.nodes[at as usize].close = close;
                }
                Step::Leave(_) => self.nodes[at as usize].close = BARE,
                Step::Enter(_) => {
                    let lead = if at == 0 { 0 } else { text.len() as u32 };
                    if at != 0 && (chosen || node.parent == 0 || run == RUN) {
                        text.push('\n');
                        run = 0;
                    }
                    text.push_str(if chosen { "(" } else { "" });
                    run += 1;
                    let body = text.len() as u32;
                    text.push_str(&self.text[node.body as usize..node.end as usize]);
                    self.nodes[at as usize] = Node { lead, body, end: text.len() as u32, ..node };
                }
            }
        }
        let tail = text.len() as u32;
        text.push_str(self.text_after());
        self.tail = (tail, text.len() as u32);
        self.text = text;
        self.garbage = 0;
        Ok(())
    }

    /// Drops the text to which no node points any more. O(text). Calls are so rare that an edit costs its own text
    /// only, on average.
    pub(crate) fn compact(&mut self) {
        let mut text = String::with_capacity(self.text.len() - self.garbage);
        let mut next = Some(Step::Enter(0));
        while let Some(step) = next {
            next = self.after(step);
            let (Step::Enter(at) | Step::Leave(at)) = step;
            let node = self.nodes[at as usize];
            let start = text.len() as u32;
            if matches!(step, Step::Enter(_)) {
                text.push_str(&self.text[node.lead as usize..node.end as usize]);
                let moved = |to: u32| to - node.lead + start;
                self.nodes[at as usize] =
                    Node { lead: start, body: moved(node.body), end: moved(node.end), ..node };
            } else if node.close != BARE {
                text.push_str(&self.text[node.close as usize..self.close_end(node.close)]);
                self.nodes[at as usize].close = start;
            }
        }
        let tail = text.len() as u32;
        text.push_str(self.text_after());
        self.tail = (tail, text.len() as u32);
        self.text = text;
        self.garbage = 0;
    }

    /// `true` if the node is not its parent's only child. O(1).
    pub(crate) fn has_siblings(&self, node: NodeId) -> bool {
        let n = self.node(node);
        n.next_sibling != NONE || (n.parent != NONE && self.nodes[n.parent as usize].first_child != node.0)
    }
}

/// The text of the game. For a tree in ISO 8859-1 these are its characters, not its bytes.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces(|text| f.write_str(text))
    }
}

/// The text with a byte per character; the parser and the edits refuse characters beyond ISO 8859-1.
fn to_latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect()
}
