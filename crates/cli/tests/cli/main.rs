//! Tests of the program as a process: arguments, input, output and exit codes.

mod analyse;
mod arena;
mod arena_farm;
mod arena_files;
mod bad_input;
mod cachex;
mod commands;
mod common;
#[cfg(unix)]
mod conform;
mod cover;
mod dial;
mod explore;
mod farm;
mod games;
mod gtp;
mod learn;
mod options;
mod oracle;
mod patterns;
mod pictures;
mod proof_checker;
mod proof_place;
mod proofs;
mod referee;
mod replay;
mod review;
mod search;
mod self_play;
mod signals;
mod table;
mod terminal;
