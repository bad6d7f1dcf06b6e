//! Game records of stone games: SGF and HGF trees that are written back byte for byte, and the
//! records of Havannah in them.
//!
//! **Read a file and walk it.** Comments, variations, unknown properties and white space are kept:
//!
//! ```
//! use stonework_record::Tree;
//! let file = b"(;FF[4]SZ[4]PW[Ann] ;W[d4]C[bold] (;B[a1];W[b2]) (;B[g7]))\n";
//! let tree = Tree::parse(file)?;
//! let line: Vec<_> = tree.main_line().collect();
//! assert_eq!(tree.comment(line[1]).as_deref(), Some("bold"));
//! assert_eq!(tree.property(line[2], "B").map(|p| p.value().raw()), Some("a1"));
//! assert_eq!(tree.children(line[1]).count(), 2);
//! # Ok::<(), stonework_record::ParseError>(())
//! ```
//!
//! **Edit it and write it.** Only edited nodes are written anew:
//!
//! ```
//! use stonework_record::Tree;
//! # let file = b"(;FF[4]SZ[4]PW[Ann] ;W[d4]C[bold] (;B[a1];W[b2]) (;B[g7]))\n";
//! let mut tree = Tree::parse(file)?;
//! assert_eq!(tree.to_bytes(), file);
//! tree.set_property(tree.root(), "PW", &["Ann [1]"])?;
//! let line: Vec<_> = tree.main_line().collect();
//! tree.remove_subtree(line[3])?;
//! assert_eq!(tree.to_string(), "(;FF[4]SZ[4]PW[Ann [1\\]] ;W[d4]C[bold] (;B[a1]) (;B[g7]))\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Read the game in it**, in any dialect, or convert it to another dialect:
//!
//! ```
//! use stonework_record::{Action, Colour, Dialect, Record, Tree, convert};
//! let tree = Tree::parse(b"(;FF[4]SZ[4]RE[W]SO[http://www.littlegolem.com];W[F3];B[swap];W[A1])")?;
//! let record = Record::read(&tree)?;
//! let f5 = record.board().parse("f5")?;
//! assert_eq!((record.size, record.moves.len()), (4, 3));
//! assert_eq!((record.moves[0].colour, record.moves[0].action), (Colour::White, Action::Place(f5)));
//! assert_eq!(
//!     record.quirks[0].to_string(),
//!     "RE says W, but Little Golem's records name the loser there: who won must come from the moves"
//! );
//! assert!(convert(&tree, Dialect::HAVANNAH_GUI)?.to_string().ends_with(";W[f5];B[swap];W[a1])"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! New records come from a [`Builder`], files of several games from a [`Collection`], files in
//! ISO 8859-1 and other limits from [`ParseOptions`].
//!
//! | type | content | from | to |
//! |---|---|---|---|
//! | [`Collection`] | the games of a file | bytes | bytes |
//! | [`Tree`] | one game: nodes, variations, properties | bytes, [`Builder`] | bytes, text |
//! | [`Property`], [`PropertyValue`] | a property of a node, and its value | [`Tree::properties`] | raw text, unescaped text |
//! | [`Record`] | a line of Havannah: size, moves, names, quirks | [`Tree`] | [`Builder`] |
//! | [`Dialect`] | the form of cells and sizes | signs in a file, or the caller | [`convert()`] |
//!
//! **Limits.** Reading, writing, walking and dropping use no stack in proportion to a tree's depth,
//! and memory of about 32 bytes for a node besides the text; [`RecordLimits`] bounds both.
//!
//! **What this crate does not do.** It judges neither whether a move is legal nor which side has won. It does not know which
//! properties SGF allows in which nodes, does not mend files, and reads no character encodings but UTF-8 and ISO 8859-1. Havannah
//! is the only game whose records it understands. It has no features.

mod builder;
mod collection;
mod convert;
mod dialect;
mod edit;
mod error;
mod game_record;
pub mod laws;
mod options;
mod parse;
mod scan;
mod tree;
mod value;
mod write;

pub use builder::Builder;
pub use collection::Collection;
pub use convert::{convert, convert_with};
pub use dialect::{Dialect, LetterCase, NOTATION_PROPERTY, Reading, SizeStyle};
pub use error::{EditError, ParseError, RecordPlace};
pub use game_record::{Action, Claim, Colour, Move, Quirk, Record, RecordError};
pub use options::{Encoding, Limit, ParseOptions, RecordLimits};
pub use tree::{NodeId, Tree};
pub use value::{Properties, Property, PropertyValue, Values, escape};
