//! The conformance kit and the lists of games and claims, held against the rules and against records.

mod claims;
mod conform;
mod corpora;
mod cover_asked;
mod external;
mod filed;
mod twin;
