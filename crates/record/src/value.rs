//! Properties and their values as they stand in a node, and the escapes of SGF.

use std::borrow::Cow;

use crate::scan;

/// A property of a node: a name and one or more values, as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property<'a> {
    name: &'a str,
    values: &'a str,
    bare: bool,
}

impl<'a> Property<'a> {
    /// The name as it is written, such as `W` or, in old files, `White`.
    #[must_use]
    pub const fn written_name(&self) -> &'a str {
        self.name
    }

    /// The name without the small letters, which old formats allow as decoration: `White` is `W`.
    /// A name of small letters only is kept as it is. O(name).
    #[must_use]
    pub fn name(&self) -> Cow<'a, str> {
        if !has_decoration(self.name) {
            return Cow::Borrowed(self.name);
        }
        Cow::Owned(self.name.chars().filter(|c| !c.is_ascii_lowercase()).collect())
    }

    /// `true` if [`name`](Self::name) is `name`, without allocation.
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        if !has_decoration(self.name) {
            return self.name == name;
        }
        self.name.bytes().filter(|b| !b.is_ascii_lowercase()).eq(name.bytes())
    }

    /// The values in order; there is at least one.
    #[must_use]
    pub const fn values(&self) -> Values<'a> {
        Values { rest: self.values, bare: self.bare }
    }

    /// The first value.
    #[must_use]
    pub fn value(&self) -> PropertyValue<'a> {
        self.values().next().unwrap_or(PropertyValue { raw: "" })
    }

    /// `true` if the value stands without brackets. Only `SZ` followed by digits can: a slip of some old Havannah
    /// records.
    #[must_use]
    pub const fn is_bare(&self) -> bool {
        self.bare
    }
}

/// `true` if the name has both capital and small letters.
fn has_decoration(name: &str) -> bool {
    name.bytes().any(|b| b.is_ascii_lowercase()) && name.bytes().any(|b| b.is_ascii_uppercase())
}

/// The properties of a node in order; see [`Tree::properties`](crate::Tree::properties).
#[derive(Clone, Debug)]
pub struct Properties<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Properties<'a> {
    /// The properties in a node's text, which begins with `;`.
    pub(crate) const fn new(body: &'a str) -> Self {
        Self { text: body, at: 1 }
    }

    /// As [`Iterator::next`], with the place in the node's text.
    pub(crate) fn next_found(&mut self) -> Option<(scan::Found, Property<'a>)> {
        let at = scan::skip_space(self.text.as_bytes(), self.at);
        let found = scan::property(self.text.as_bytes(), at).ok()?;
        self.at = found.end;
        let name = &self.text[found.name..found.name_end];
        let values = &self.text[found.values..found.end];
        Some((found, Property { name, values, bare: found.bare }))
    }
}

impl<'a> Iterator for Properties<'a> {
    type Item = Property<'a>;

    fn next(&mut self) -> Option<Property<'a>> {
        Some(self.next_found()?.1)
    }
}

/// The values of a [`Property`] in order.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    rest: &'a str,
    bare: bool,
}

impl<'a> Iterator for Values<'a> {
    type Item = PropertyValue<'a>;

    fn next(&mut self) -> Option<PropertyValue<'a>> {
        if self.bare {
            self.bare = false;
            return Some(PropertyValue { raw: std::mem::take(&mut self.rest) });
        }
        let open = scan::skip_space(self.rest.as_bytes(), 0);
        if open >= self.rest.len() {
            return None;
        }
        let end = scan::value_end(self.rest.as_bytes(), open)?;
        let raw = &self.rest[open + 1..end - 1];
        self.rest = &self.rest[end..];
        Some(PropertyValue { raw })
    }
}

/// One value of a property, the text between its brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyValue<'a> {
    raw: &'a str,
}

impl<'a> PropertyValue<'a> {
    /// The value as it is written, escapes included.
    #[must_use]
    pub const fn raw(&self) -> &'a str {
        self.raw
    }

    /// The value as SGF `Text`: `\` takes the next character literally, and `\` before a line break vanishes with it;
    /// every other line break (LF, CR, CR LF or LF CR) becomes `\n`; other white space becomes a space. O(value);
    /// allocates only if the text changes.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        unescape(self.raw, '\n')
    }

    /// The value as SGF `SimpleText`: as [`text`](Self::text), with a space for every line break.
    #[must_use]
    pub fn simple_text(&self) -> Cow<'a, str> {
        unescape(self.raw, ' ')
    }

    /// The two parts of a composed value such as `a1:label`, split at the first `:` that is not
    /// escaped.
    #[must_use]
    pub fn composed(&self) -> Option<(Self, Self)> {
        let bytes = self.raw.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b':' => {
                    return Some((
                        PropertyValue { raw: &self.raw[..at] },
                        PropertyValue { raw: &self.raw[at + 1..] },
                    ));
                }
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        None
    }
}

/// Text with the escapes that make it the raw value of a `Text` or `SimpleText` property: a
/// backslash before `]` and `\`. O(text).
///
/// A `:` inside one part of a composed value needs a backslash too. The caller adds this backslash, as only the caller
/// knows which colons separate parts.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains([']', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    Cow::Owned(out)
}

fn unescape(raw: &str, line_break: char) -> Cow<'_, str> {
    let changes =
        |b: u8| matches!(b, b'\\' | b'\t' | b'\r' | 0x0B | 0x0C) || (b == b'\n' && line_break != '\n');
    if !raw.bytes().any(changes) {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(first) = chars.next() {
        let escaped = first == '\\';
        let c = if escaped { chars.next().unwrap_or('\\') } else { first };
        match c {
            '\n' | '\r' => {
                let other = if c == '\n' { '\r' } else { '\n' };
                chars.next_if_eq(&other);
                if !escaped {
                    out.push(line_break);
                }
            }
            '\t' | '\u{B}' | '\u{C}' => out.push(' '),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(raw: &str) -> PropertyValue<'_> {
        PropertyValue { raw }
    }

    #[test]
    fn escapes_follow_the_rules_of_text_and_simple_text() {
        let raw = "a\\]b\\\\c\\:d\te\\\nf\ng\r\nh\\\r\ni\\j";
        assert_eq!(value(raw).text(), "a]b\\c:d ef\ng\nhij");
        assert_eq!(value(raw).simple_text(), "a]b\\c:d ef g hij");
        assert!(matches!(value("plain\ntext").text(), Cow::Borrowed(_)));
    }

    #[test]
    fn escaped_text_comes_back() {
        for text in ["", "]", "\\", "a]\\b", "x:y\nz"] {
            assert_eq!(value(&escape(text)).text(), text);
        }
    }

    #[test]
    fn composed_values_split_at_the_first_bare_colon() {
        let (a, b) = value("a\\:1:b:c").composed().unwrap();
        assert_eq!((a.raw(), b.raw()), ("a\\:1", "b:c"));
        assert_eq!(value("a\\:1").composed(), None);
    }

    #[test]
    fn small_letters_in_names_are_decoration() {
        let mut all = Properties::new(";White[a1]foo[x]SZ9PB[y]");
        let p = all.next().unwrap();
        assert!(p.is("W") && !p.is("White") && p.name() == "W" && p.written_name() == "White");
        let p = all.next().unwrap();
        assert!(p.is("foo") && p.name() == "foo");
        let p = all.next().unwrap();
        assert!(p.is("SZ") && p.is_bare() && p.value().raw() == "9" && p.values().count() == 1);
        assert!(all.next().unwrap().is("PB") && all.next().is_none());
    }
}
