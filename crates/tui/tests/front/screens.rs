//! Whole games on a screen in memory: each screen equals its file in `tests/screens`.
//!
//! With the environment variable `STONEWORK_SCREENS=write` the tests write the files.

use crate::common::{Table, untimed, writes};
use stonework_session::{Registry, Search, Start};
use stonework_tui::TuiOptions;

fn options(game: &str, size: u64) -> TuiOptions {
    let mut options = TuiOptions::new(Registry::standard(), game);
    options.start = Start::of_size(size);
    options.plain = true;
    options
}

#[test]
fn a_whole_game_of_havannah_by_keys() {
    let mut options = options("havannah", 4);
    options.start.swap = true;
    let mut table = Table::new(options);
    table.compare("havannah-start");
    table.keys(":a1<Enter>s");
    assert_eq!(table.app.game().moves(), ["a1", "swap"]);
    table.keys(":c3 a4 c4 g7 d5 g4 e5 f6 e4 b1<Enter>");
    table.compare("havannah-middle");
    table.keys(":d3<Enter>");
    assert_eq!(table.app.game().state().outcome.as_deref(), Some("white"), "{:?}", table.app.game().legal());
    table.compare("havannah-end");
    table.keys("?");
    table.compare("help");
    table.keys("?<Home><Right><Right><Right>c");
    table.keys("the first stone of the ring<Enter>5");
    table.compare("havannah-notes");
}

#[test]
fn a_whole_game_of_cachex_by_the_mouse() {
    let mut table = Table::new(options("cachex", 4));
    for cell in ["1,1", "2,2", "2,1", "0,2", "0,1", "3,3", "3,1"] {
        table.click(cell);
    }
    assert_eq!(table.app.game().moves().len(), 7, "{}", table.screen());
    table.compare("cachex-end");
}

#[test]
fn a_whole_game_of_cover_by_the_cursor_and_the_mouse() {
    let mut table = Table::new(options("cover", 2));
    table.compare("cover-start");
    for (ply, mv) in COVER.split(' ').enumerate() {
        let mut cells = mv.split(['-', 'x']);
        for cell in cells.by_ref().take(2) {
            table.click(cell);
        }
        assert_eq!(table.app.game().moves().len(), ply + 1, "{mv}: {}", table.screen());
    }
    assert!(table.app.game().state().outcome.is_some());
    table.compare("cover-end");
}

/// The screen in the book: a game against a player whose thoughts are shown.
#[test]
fn the_page_in_the_terminal_shows_a_screen() {
    let mut options = options("havannah", 8);
    options.search = Search { simulations: Some(2000), bytes: Some(16 << 20), ..Search::default() };
    options.moves = "h8 e5 e8 f10 h5 j8".split(' ').map(str::to_owned).collect();
    let mut table = Table::new(options);
    table.keys("a");
    for _ in 0..6 {
        table.keys("<Left>a");
    }
    table.keys("<End>a");
    let screen = untimed(&table.screen());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/terminal.md");
    let page = std::fs::read_to_string(path).unwrap();
    // The second block of the page.
    let mut parts: Vec<&str> = page.splitn(5, "```").collect();
    let block = format!("text\n{screen}");
    if writes() {
        parts[3] = &block;
        std::fs::write(path, parts.join("```")).unwrap();
    } else {
        assert_eq!(parts[3], block, "docs/terminal.md");
    }
}

/// A game of Cover-2 of the player `cover` against itself, 300 nodes a move.
const COVER: &str = "\
A03-B03 E07-E06 B03-C03 E06-E05 C01-D02 G05-F04 C03-B04 E05-D04 B04-B05 D04-D05 D02-C03 D05-D06 \
B05-B06 F04-E03 B06-B07 E03-E02 C03-B02 E02-D01 B02-B01 D06-E07 B07-C07 D01-C02 C07-B06 C02-C03 \
B01-C01 C03-B02 C01-D02 B02-A01";
