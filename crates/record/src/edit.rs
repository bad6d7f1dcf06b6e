//! Edits of a tree. An edit appends new text for a node and leaves all other bytes as they are.

use std::ops::Range;

use crate::tree::{BARE, DEAD, NONE, Node, NodeId, Tree};
use crate::value::{Property, PropertyValue, escape};
use crate::{EditError, Limit, RecordLimits, scan};

impl Tree {
    /// Sets the values of a property to texts, which are escaped as needed. If the node has the property, the values of its
    /// first occurrence are replaced, and its name stays as it is written. Otherwise the property is added at the end of the
    /// node. O(text of the node).
    ///
    /// ```
    /// let mut tree = stonework_record::Tree::parse(b"( ;W[a1]\tC [old] N[x] ;B[a2])")?;
    /// tree.set_property(tree.root(), "C", &["new]"])?;
    /// assert_eq!(tree.to_string(), "( ;W[a1]\tC [new\\]] N[x] ;B[a2])");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An error for a name that is not made of capital letters, an empty list of values, a character beyond ISO 8859-1
    /// in a tree of that encoding, or text beyond 4 GiB.
    pub fn set_property(
        &mut self,
        node: NodeId,
        name: &str,
        values: &[impl AsRef<str>],
    ) -> Result<(), EditError> {
        let raw: Vec<_> = values.iter().map(|v| escape(v.as_ref())).collect();
        self.set_raw_property(node, name, &raw)
    }

    /// As [`set_property`](Self::set_property) with values that are already in SGF's escaped form, as composed values
    /// (`a1:label`) must be.
    ///
    /// # Errors
    /// As [`set_property`](Self::set_property), and [`EditError::Unescaped`] for a `]` without a backslash or a
    /// backslash at the end.
    pub fn set_raw_property(
        &mut self,
        node: NodeId,
        name: &str,
        values: &[impl AsRef<str>],
    ) -> Result<(), EditError> {
        let mut text = String::new();
        for value in values {
            check_raw(value.as_ref())?;
            text.push('[');
            text.push_str(value.as_ref());
            text.push(']');
        }
        if text.is_empty() {
            return Err(EditError::NoValue { name: name.to_owned() });
        }
        if let Some((found, _)) = self.find(node, name) {
            return self.splice(node, found.values..found.end, &text);
        }
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(EditError::Name { name: name.to_owned() });
        }
        let end = self.body(node).len();
        self.splice(node, end..end, &format!("{name}{text}"))
    }

    /// Removes every property with this name from the node, with the white space before it. Returns `true` if there was
    /// such a property. O(text of the node).
    ///
    /// # Errors
    /// [`EditError::Full`] for text beyond 4 GiB.
    pub fn remove_property(&mut self, node: NodeId, name: &str) -> Result<bool, EditError> {
        let body = self.body(node);
        let (mut new, mut kept) = (String::new(), 0);
        let mut properties = self.properties(node);
        while let Some((found, property)) = properties.next_found() {
            if property.is(name) {
                new.push_str(body[kept..found.name].trim_end());
                kept = found.end;
            }
        }
        self.replace_start(node, kept, &new)
    }

    /// Sets the comment (`C`); an empty text removes it. O(text of the node).
    ///
    /// # Errors
    /// As [`set_property`](Self::set_property).
    pub fn set_comment(&mut self, node: NodeId, text: &str) -> Result<(), EditError> {
        if text.is_empty() {
            self.remove_property(node, "C").map(drop)
        } else {
            self.set_property(node, "C", &[text])
        }
    }

    /// Replaces raw values in place. `edit` receives every value of the node in order, and returns the new raw text, or
    /// `None` to leave the value. The bytes between the values stay. Returns `true` if any value changed. O(text of the
    /// node).
    ///
    /// # Errors
    /// As [`set_raw_property`](Self::set_raw_property), and the first error of `edit`, which ends the walk. After an
    /// error the node is unchanged.
    pub fn map_values<E: From<EditError>>(
        &mut self,
        node: NodeId,
        mut edit: impl FnMut(&Property<'_>, PropertyValue<'_>) -> Result<Option<String>, E>,
    ) -> Result<bool, E> {
        let body = self.body(node);
        let (mut new, mut kept) = (String::new(), 0);
        let mut properties = self.properties(node);
        while let Some((found, property)) = properties.next_found() {
            let mut at = found.values;
            for value in property.values() {
                at = if found.bare { at } else { scan::skip_space(body.as_bytes(), at) + 1 };
                let end = at + value.raw().len();
                if let Some(raw) = edit(&property, value)?.filter(|raw| raw != value.raw()) {
                    check_raw(&raw)?;
                    new.push_str(&body[kept..at]);
                    // A value without brackets can have digits only.
                    let bracket = found.bare && (raw.is_empty() || raw.bytes().any(|b| !b.is_ascii_digit()));
                    new.push_str(if bracket { "[" } else { "" });
                    new.push_str(&raw);
                    new.push_str(if bracket { "]" } else { "" });
                    kept = end;
                }
                at = end + usize::from(!found.bare);
            }
        }
        Ok(self.replace_start(node, kept, &new)?)
    }

    /// Adds an empty node as the last child of `parent`. An only child follows its parent without parentheses; the second
    /// child puts both into parentheses. O(text of the first child).
    ///
    /// ```
    /// let mut tree = stonework_record::Tree::parse(b"(;SZ[4]\n;W[a1]\n)")?;
    /// let variation = tree.add_child(tree.root())?;
    /// tree.set_property(variation, "W", &["d4"])?;
    /// assert_eq!(tree.to_string(), "(;SZ[4]\n(;W[a1])(;W[d4])\n)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EditError::Full`] beyond 2³² nodes or 4 GiB of text.
    pub fn add_child(&mut self, parent: NodeId) -> Result<NodeId, EditError> {
        let Node { first_child: first, last_child: last, .. } = *self.node(parent);
        let id = self.nodes.len() as u32;
        if self.nodes.len() >= RecordLimits::MAX.nodes - 2 {
            return Err(EditError::Full { what: Limit::Nodes });
        }
        let alone = first != NONE && first == last && self.nodes[first as usize].close == BARE;
        let moved = if alone { self.span(first).len() + 2 } else { 0 };
        self.make_room(3 + moved)?;
        if alone {
            self.enclose(first);
        }
        let start = self.text.len() as u32;
        let (text, body, close) =
            if first == NONE { (";", start, BARE) } else { ("(;)", start + 1, start + 2) };
        self.text.push_str(text);
        self.nodes.push(Node {
            lead: start,
            body,
            end: body + 1,
            close,
            parent: parent.0,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        });
        self.live += 1;
        let above = &mut self.nodes[parent.index()];
        above.last_child = id;
        match last {
            NONE => above.first_child = id,
            last => self.nodes[last as usize].next_sibling = id,
        }
        Ok(NodeId(id))
    }

    /// Removes a node with everything below it and the white space before it; parentheses of its siblings stay. Returns the
    /// number of removed nodes. O(nodes removed + siblings before it).
    ///
    /// # Errors
    /// [`EditError::Root`] for the root.
    pub fn remove_subtree(&mut self, node: NodeId) -> Result<usize, EditError> {
        let Node { parent, next_sibling: next, .. } = *self.node(node);
        if parent == NONE {
            return Err(EditError::Root);
        }
        let before = self.children(NodeId(parent)).take_while(|&n| n != node).last();
        match before {
            None => self.nodes[parent as usize].first_child = next,
            Some(before) => self.nodes[before.index()].next_sibling = next,
        }
        if next == NONE {
            self.nodes[parent as usize].last_child = before.map_or(NONE, |n| n.0);
        }
        let gone: Vec<_> = self.descendants(node).collect();
        for &NodeId(at) in &gone {
            let Node { close, .. } = self.nodes[at as usize];
            self.garbage += self.span(at).len();
            self.garbage += if close == BARE { 0 } else { self.close_end(close) - close as usize };
            self.nodes[at as usize].parent = DEAD;
        }
        self.live -= gone.len();
        Ok(gone.len())
    }

    /// Replaces the text after the game's `)`. The text is kept as it is: a text with a `(` and a `;` would be read as another
    /// game.
    pub(crate) fn set_text_after(&mut self, text: &str) -> Result<(), EditError> {
        self.make_room(text.len())?;
        self.garbage += (self.tail.1 - self.tail.0) as usize;
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.tail = (start, self.text.len() as u32);
        Ok(())
    }

    /// The first property with this name, and its place in the node's text.
    fn find(&self, node: NodeId, name: &str) -> Option<(scan::Found, Property<'_>)> {
        let mut properties = self.properties(node);
        std::iter::from_fn(|| properties.next_found()).find(|(_, p)| p.is(name))
    }

    /// Replaces the first `kept` bytes of a node's text; with `kept` = 0, the node stays as it is. Returns `true` if it is
    /// replaced.
    fn replace_start(&mut self, node: NodeId, kept: usize, with: &str) -> Result<bool, EditError> {
        if kept > 0 {
            self.splice(node, 0..kept, with)?;
        }
        Ok(kept > 0)
    }

    /// Replaces a range of a node's text from its `;` on.
    pub(crate) fn splice(&mut self, node: NodeId, range: Range<usize>, with: &str) -> Result<(), EditError> {
        if self.latin1
            && let Some(found) = with.chars().find(|&c| c > '\u{FF}')
        {
            return Err(EditError::Latin1 { found });
        }
        self.make_room(self.span(node.0).len() + with.len())?;
        let Node { lead, body, .. } = *self.node(node);
        let old = self.span(node.0);
        let start = self.text.len() as u32;
        let cut = body as usize + range.start;
        self.text.extend_from_within(lead as usize..cut);
        self.text.push_str(with);
        self.text.extend_from_within(body as usize + range.end..old.end);
        let end = self.text.len() as u32;
        self.garbage += old.len();
        let node = &mut self.nodes[node.index()];
        (node.lead, node.body, node.end) = (start, start + (body - lead), end);
        Ok(())
    }

    /// Puts parentheses around a node that has none; the caller has made room.
    fn enclose(&mut self, node: u32) {
        let Node { lead, body, end, .. } = self.nodes[node as usize];
        let start = self.text.len() as u32;
        self.text.extend_from_within(lead as usize..body as usize);
        self.text.push('(');
        let new_body = self.text.len() as u32;
        self.text.extend_from_within(body as usize..end as usize);
        let new_end = self.text.len() as u32;
        self.text.push(')');
        self.garbage += (end - lead) as usize;
        let node = &mut self.nodes[node as usize];
        (node.lead, node.body, node.end, node.close) = (start, new_body, new_end, new_end);
    }

    /// The text of a node with its lead.
    fn span(&self, node: u32) -> Range<usize> {
        let n = &self.nodes[node as usize];
        n.lead as usize..n.end as usize
    }

    /// Makes room for `more` bytes; drops dead text if there is much of it.
    fn make_room(&mut self, more: usize) -> Result<(), EditError> {
        let full = |tree: &Self| tree.text.len() + more > RecordLimits::MAX.bytes - 2;
        if self.garbage > self.text.len() / 2 + 4096 || (full(self) && self.garbage > 0) {
            self.compact();
        }
        if full(self) { Err(EditError::Full { what: Limit::Bytes }) } else { Ok(()) }
    }
}

/// Refuses a raw value that would close its brackets early or leave them open.
fn check_raw(value: &str) -> Result<(), EditError> {
    let bytes = value.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if at + 1 < bytes.len() => at += 2,
            b']' | b'\\' => return Err(EditError::Unescaped { value: value.to_owned(), at }),
            _ => at += 1,
        }
    }
    Ok(())
}
