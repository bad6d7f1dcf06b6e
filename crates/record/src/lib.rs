//! Game records of stone games: trees of SGF files and of HGF files, the SGF of Havannah programs, which are written back byte for
//! byte; and the games of Havannah in such trees.
//!
//! **Read a file and walk its tree.** Comments, variations, unknown properties and white space are kept:
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
//! **Edit a tree and write it.** Only edited nodes are written anew:
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
//! **Read a Havannah game from a tree** in any dialect, or convert the tree to another dialect:
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
//! A [`Builder`] makes new records. A [`Collection`] holds a file of several games. [`ParseOptions`] set the character encoding, UTF-8
//! or ISO 8859-1, and the limits.
//!
//! | type | content | from | to |
//! |---|---|---|---|
//! | [`Collection`] | the games of a file | bytes | bytes |
//! | [`Tree`] | one game: nodes, variations, properties | bytes, [`Builder`] | bytes, text |
//! | [`Property`], [`PropertyValue`] | a property of a node, and its value | [`Tree::properties`] | text with and without escapes |
//! | [`Record`] | one line of moves of Havannah: size, moves, names of players, quirks | [`Tree`] | [`Builder`] |
//! | [`Dialect`] | the form in which a file writes cells and sizes | the content of the file, or the caller | [`convert()`] |
//!
//! **Limits.** A tree takes about 32 bytes of memory for each node, and the text. [`RecordLimits`] bounds the text, the nodes and their nesting.
//! Reading, writing, walking and dropping a tree use no recursion, so a deep tree does not overflow the stack.
//!
//! **What this crate does not do.** It judges neither whether a move is legal nor which side has won. It does not know which
//! properties SGF allows in which nodes, does not mend files, and reads no character encodings but UTF-8 and ISO 8859-1. Havannah
//! is the only game whose moves it reads. It has no Cargo features.

mod builder;
mod clock;
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
pub use dialect::{Dialect, LetterCase, NOTATION_PROPERTY, POSITION_PROPERTY, Reading, SizeStyle};
pub use error::{EditError, ParseError, RecordPlace};
pub use game_record::{Action, Claim, Colour, Move, Quirk, Record, RecordError};
pub use options::{Encoding, Limit, ParseOptions, RecordLimits};
pub use tree::{NodeId, Tree};
pub use value::{Properties, Property, PropertyValue, Values, escape};
