//! Laws that hold for any input whatever, and ways to look for an input that breaks one.
//!
//! A law is a function of bytes that panics if it is broken. There is one fuzz target for each:
//!
//! ```text
//! cargo test --manifest-path fuzz/Cargo.toml                       # every law, about a second each
//! cargo run --release --manifest-path fuzz/Cargo.toml --bin records -- --runs 100000 --seed 7
//! cargo run --release --manifest-path fuzz/Cargo.toml --bin records -- FILE…     # these inputs
//! RUSTC_BOOTSTRAP=1 cargo fuzz run -s none records fuzz/corpus/records fuzz/seeds/records   # led by coverage
//! ```
//!
//! The last needs `cargo-fuzz` and a C++ compiler; its findings are in `docs/lab/fuzz.md`. `-s none` leaves the address sanitizer
//! out, for two reasons. No crate here has `unsafe` code. The sanitizer's search for leaks reports the thread that reads ahead for a
//! session of the protocol, because no thread waits for it at the end. `.ci/run` builds the same programs without nightly and without
//! `cargo-fuzz`, by these flags:
//!
//! ```text
//! RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
//!   -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
//!   -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1" \
//!   cargo build --release --manifest-path fuzz/Cargo.toml --target x86_64-unknown-linux-gnu
//! ```
//!
//! An input that breaks a law becomes a test with a name, in the crate whose fault it was.

mod cachex;
mod cover;
mod farm;
mod files;
mod games;
mod gtp;
mod learned;
mod patterns;
mod random;
mod texts;

pub use cachex::cachex_text;
pub use cover::cover_text;
pub use farm::{farm_messages, lying_workers, proof_sets};
pub use files::{arena_logs, checkpoints, opening_books, proofs, tables};
pub use games::{fast_rules_are_the_slow_judge, undo_restores};
pub use gtp::gtp_lines;
pub use learned::{learned_files, self_play_games};
pub use patterns::pattern_text;
pub use random::{Search, without_libfuzzer};
pub use texts::{bounded_lines, cell_notation, oracle_lines, position_text, records};

/// A law with the name of its target.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// The name, also of the target and of the folder of seeds.
    pub name: &'static str,
    /// Panics if the law is broken.
    pub holds: fn(&[u8]),
    /// Words that inputs are made of.
    pub words: &'static [&'static str],
}

/// All laws.
pub const LAWS: [Law; 21] = [
    Law { name: "fast_rules_are_the_slow_judge", holds: fast_rules_are_the_slow_judge, words: &[] },
    Law { name: "undo_restores", holds: undo_restores, words: &[] },
    Law { name: "position_text", holds: position_text, words: &["/", ".", "w", "b", " ", "-", "s", "20"] },
    Law { name: "cell_notation", holds: cell_notation, words: &["a", "oo", "1", "0", "aa", "hgui", "web"] },
    Law {
        name: "records",
        holds: records,
        words: &["(;", ")", "]", "[", "\\", ";W[", ";B[", "SZ[", "C[", "AW[", "a1", "swap", "\u{e9}", "\r\n"],
    },
    Law {
        name: "oracle_lines",
        holds: oracle_lines,
        words: &[
            "{",
            "}",
            "[",
            "]",
            "\"",
            ",",
            ":",
            "\"id\":",
            "\"game\":",
            "\"havannah\"",
            "\"size\":",
            "\"moves\":",
            "\"swap\":",
            "true",
            "null",
            "\"position\":",
            "\"to_move\":",
            "\"notation\":",
            "\"a1\"",
            "1e400",
            "-1",
        ],
    },
    Law {
        name: "cachex_text",
        holds: cachex_text,
        words: &["/", ".", "r", "b", " ", "0", "1", "343", "1/7", "15"],
    },
    Law {
        name: "cover_text",
        holds: cover_text,
        words: &["[", "]x[", "]", ",", "A07", "-", "x", " b ", "four", "any", "+voluntary", "10"],
    },
    Law {
        name: "proofs",
        holds: proofs,
        words: &["first", "second", " wins", "draw", "claims ", "root ", "check "],
    },
    Law {
        name: "checkpoints",
        holds: checkpoints,
        words: &["game ", "keys ", "nodes ", "entries ", "check "],
    },
    Law {
        name: "arena_logs",
        holds: arena_logs,
        words: &["{\"", "\":", "}", "\n", "\"check\":\"", "null", "1e400", "[", "]"],
    },
    Law { name: "tables", holds: tables, words: &["cover", "cachex", "four", "\0\0\0\0", "\u{1}\0"] },
    Law {
        name: "opening_books",
        holds: opening_books,
        words: &["\n", "#", ",", " ", "a1", "b2", "swap", "steal", "1,1", "A03-B04", "\u{20ac}"],
    },
    Law { name: "bounded_lines", holds: bounded_lines, words: &["\n", "\r\n", "\r", "\u{20ac}"] },
    Law {
        name: "gtp_lines",
        holds: gtp_lines,
        words: &[
            "\n",
            "play w ",
            "play b ",
            "genmove w\n",
            "genmove b\n",
            "undo\n",
            "swap\n",
            "boardsize ",
            "clear_board\n",
            "playgame\n",
            "showboard\n",
            "havannah_winner\n",
            "time_settings ",
            "time_left w ",
            "analyze\n",
            "tree_sgf\n",
            "tree_json\n",
            "printsgf\n",
            "help\n",
            "a1",
            "d4",
            "pass",
            "0",
            "4",
            "1e400",
            "-1",
            "# interrupt\n",
            "\t",
            "\r\n",
            "\u{20ac}",
        ],
    },
    Law { name: "lying_workers", holds: lying_workers, words: &[] },
    Law {
        name: "farm_messages",
        holds: farm_messages,
        words: &[
            "{\"farm\":1,",
            "\"kind\":\"prove\"",
            "\"version\":",
            "\"body\":",
            "\"job\":\"*\"",
            "\"worker\":\"",
            "\"done\":",
            "\"blobs\":[",
            "\"here\":true",
            "\"failed\":\"",
            "}\n",
            "\n",
            "18446744073709551615",
        ],
    },
    Law {
        name: "proof_sets",
        holds: proof_sets,
        words: &[
            "stonework proof set 1\n",
            "\n",
            "game ",
            "root ",
            "claim draw",
            "files ",
            "proof ",
            "top ",
            " 1 ",
            "..",
            "/",
        ],
    },
    Law {
        name: "learned_files",
        holds: learned_files,
        words: &["\u{7f}", "\0\0\0\u{7f}", "F32", "I16", "[0,32]"],
    },
    Law {
        name: "self_play_games",
        holds: self_play_games,
        words: &[
            "{\"game\":",
            "\"moves\":[",
            "\"a1\"",
            "\"visits\":[[",
            "\"value\":",
            "1e400",
            "null",
            "\n",
            "}",
            "]",
        ],
    },
    Law {
        name: "pattern_text",
        holds: pattern_text,
        words: &[
            "{\"",
            "\", \"",
            "\", ",
            "}",
            "......",
            "/",
            "!",
            "?",
            "x",
            "o",
            "#",
            ".",
            "8",
            "\n",
            "//",
            "except \"",
            "weight ",
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// In debug builds about a second each.
    fn search(name: &str, runs: u64) {
        let law = LAWS.into_iter().find(|law| law.name == name).unwrap();
        Search::new(law, 1).run(runs);
    }

    #[test]
    fn any_game_is_the_same_to_the_fast_rules_and_the_judge() {
        search("fast_rules_are_the_slow_judge", 60);
    }

    #[test]
    fn any_moves_are_taken_back_without_a_trace() {
        search("undo_restores", 60);
    }

    #[test]
    fn any_text_is_a_position_or_an_error() {
        search("position_text", 20_000);
    }

    #[test]
    fn any_text_is_a_cell_or_an_error() {
        search("cell_notation", 50_000);
    }

    #[test]
    fn any_bytes_are_a_record_or_an_error() {
        search("records", 3_000);
    }

    #[test]
    fn any_line_has_an_answer() {
        search("oracle_lines", 10_000);
    }

    #[test]
    fn any_text_is_a_cachex_position_or_an_error() {
        search("cachex_text", 20_000);
    }

    #[test]
    fn any_bytes_are_lines() {
        search("bounded_lines", 20_000);
    }

    #[test]
    fn any_line_of_the_protocol_has_a_reply() {
        search("gtp_lines", 4_000);
    }

    #[test]
    fn any_text_is_patterns_or_faults() {
        search("pattern_text", 3_000);
    }

    #[test]
    fn any_bytes_are_a_true_proof_or_refused() {
        search("proofs", 3_000);
    }

    #[test]
    fn any_bytes_are_a_saved_search_or_refused() {
        search("checkpoints", 500);
    }

    #[test]
    fn any_bytes_are_a_log_or_refused() {
        search("arena_logs", 5_000);
    }

    #[test]
    fn any_bytes_are_a_table_or_refused() {
        search("tables", 2_000);
    }

    #[test]
    fn any_text_is_a_book_of_openings_or_an_error() {
        search("opening_books", 5_000);
    }

    #[test]
    fn any_text_is_a_cover_position_or_an_error() {
        search("cover_text", 5_000);
    }

    #[test]
    fn any_answers_of_workers_leave_the_value_true() {
        search("lying_workers", 300);
    }

    #[test]
    fn any_bytes_are_a_message_of_a_farm_or_refused() {
        search("farm_messages", 10_000);
    }

    #[test]
    fn any_text_is_a_list_of_proofs_or_refused() {
        search("proof_sets", 10_000);
    }

    #[test]
    fn any_changes_of_a_learned_file_give_values_or_are_refused() {
        search("learned_files", 2_000);
    }

    #[test]
    fn any_text_is_a_list_of_games_or_refused() {
        search("self_play_games", 5_000);
    }

    #[test]
    fn every_law_is_searched_by_a_test_and_has_a_target() {
        let (tests, targets) = (include_str!("lib.rs"), include_str!("../Cargo.toml"));
        for law in LAWS {
            assert!(tests.contains(&format!("search(\"{}\", ", law.name)), "no test searches {}", law.name);
            assert!(targets.contains(&format!("fuzz_targets/{}.rs", law.name)), "no target {}", law.name);
        }
    }

    #[test]
    fn a_search_repeats_itself() {
        let some = |seed| {
            let mut search = Search::new(LAWS[4], seed);
            (0..50).map(|_| search.input()).collect::<Vec<_>>()
        };
        assert_eq!(some(3), some(3));
        assert_ne!(some(3), some(4));
    }
}
