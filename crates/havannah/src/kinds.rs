//! The three kinds of win.

use std::fmt;

/// A kind of win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum WinKind {
    /// A chain around at least one cell, whatever is on it.
    Ring,
    /// A chain with two of the six corner cells.
    Bridge,
    /// A chain that touches three of the six edges; a corner cell is on no edge.
    Fork,
}

impl WinKind {
    /// All three kinds: ring, bridge, fork.
    pub const ALL: [Self; 3] = [Self::Ring, Self::Bridge, Self::Fork];

    /// The name: `ring`, `bridge` or `fork`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Bridge => "bridge",
            Self::Fork => "fork",
        }
    }
}

impl fmt::Display for WinKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of kinds of win; one move may complete several.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WinKinds(u8);

impl WinKinds {
    /// The empty set: the game goes on.
    pub const NONE: Self = Self(0);
    /// A ring alone.
    pub const RING: Self = Self(1);
    /// A bridge alone.
    pub const BRIDGE: Self = Self(2);
    /// A fork alone.
    pub const FORK: Self = Self(4);

    /// `true` if the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of kinds, 0 to 3.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// `true` if a kind is in the set.
    #[must_use]
    pub const fn contains(self, kind: WinKind) -> bool {
        self.0 >> kind as u8 & 1 != 0
    }

    /// The kinds of either set.
    #[must_use]
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kinds in the order ring, bridge, fork.
    pub fn iter(self) -> impl Iterator<Item = WinKind> {
        WinKind::ALL.into_iter().filter(move |&k| self.contains(k))
    }
}

/// The serde form is a list of kinds.
#[cfg(feature = "serde")]
mod serial {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{WinKind, WinKinds};

    impl Serialize for WinKinds {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.iter())
        }
    }

    impl<'de> Deserialize<'de> for WinKinds {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Vec::<WinKind>::deserialize(deserializer).map(Self::from_iter)
        }
    }
}

impl From<WinKind> for WinKinds {
    fn from(kind: WinKind) -> Self {
        Self(1 << kind as u8)
    }
}

impl FromIterator<WinKind> for WinKinds {
    fn from_iter<I: IntoIterator<Item = WinKind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::NONE, |all, kind| all.with(kind.into()))
    }
}

impl fmt::Debug for WinKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The text is like `ring and fork`; `nothing` for the empty set.
impl fmt::Display for WinKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing");
        }
        for (i, kind) in self.iter().enumerate() {
            write!(f, "{}{kind}", if i > 0 { " and " } else { "" })?;
        }
        Ok(())
    }
}
