//! The grammar of one node, for the parser and for the readers of a parsed node.

/// White space of SGF, vertical tab included.
pub(crate) const fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

/// The first byte from `at` on that is no white space, or the end.
pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && is_space(text[at]) {
        at += 1;
    }
    at
}

/// The end of the value that opens with the `[` at `open`: the index after its `]`.
pub(crate) fn value_end(text: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    while at < text.len() {
        match text[at] {
            b']' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

/// A property found in a text: `text[name..name_end]` is its name; its values lie in
/// `text[values..end]`, brackets included. `bare` marks the digits of `SZ9`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) name: usize,
    pub(crate) name_end: usize,
    pub(crate) values: usize,
    pub(crate) end: usize,
    pub(crate) bare: bool,
}

/// The reason why there is no property.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Miss {
    /// A character other than a letter: the node ends before it.
    Node,
    /// No `[` at this index after a name.
    Bracket(usize),
    /// The `[` at this index is not closed.
    Open(usize),
}

/// The property that begins at `at`, which must not be white space.
pub(crate) fn property(text: &[u8], at: usize) -> Result<Found, Miss> {
    if at >= text.len() || !text[at].is_ascii_alphabetic() {
        return Err(Miss::Node);
    }
    let mut name_end = at + 1;
    while name_end < text.len() && text[name_end].is_ascii_alphabetic() {
        name_end += 1;
    }
    if let Some(end) = bare_size(text, at, name_end) {
        return Ok(Found { name: at, name_end, values: name_end, end, bare: true });
    }
    while name_end < text.len() && text[name_end].is_ascii_alphanumeric() {
        name_end += 1;
    }
    let values = skip_space(text, name_end);
    if values >= text.len() || text[values] != b'[' {
        return Err(Miss::Bracket(values));
    }
    let (mut open, mut end) = (values, values);
    while open < text.len() && text[open] == b'[' {
        end = value_end(text, open).ok_or(Miss::Open(open))?;
        open = skip_space(text, end);
    }
    Ok(Found { name: at, name_end, values, end, bare: false })
}

/// The end of the digits of a `SZ9` without brackets, the only such slip in old records.
fn bare_size(text: &[u8], name: usize, name_end: usize) -> Option<usize> {
    if &text[name..name_end] != b"SZ" {
        return None;
    }
    let mut end = name_end;
    while end < text.len() && text[end].is_ascii_digit() {
        end += 1;
    }
    (end > name_end).then_some(end)
}
