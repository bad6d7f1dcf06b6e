//! Proof files of trees, books, sets and plies, held against slow readings; and the list of files that a verifier trusts.

mod noughts;
mod proof_books;
mod proof_files;
mod proof_plies;
mod proof_sets;
mod set_cancel;
mod tree;
mod trusted;
