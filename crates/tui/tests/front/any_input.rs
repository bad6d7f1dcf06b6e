//! No key, no click, no paste and no size of the terminal makes the front end panic.

use std::time::Duration;

use crate::common::Table;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, MouseButton, MouseEventKind};
use stonework_session::{Registry, Search, Start};
use stonework_tui::{Input, TuiOptions};

#[derive(Clone, Debug)]
enum Act {
    Key(KeyCode),
    Control(char),
    Click(u16, u16),
    Wheel(bool, u16, u16),
    Paste(String),
    Size(u16, u16),
    Wait(u64),
}

fn act() -> impl Strategy<Value = Act> {
    let letters = "hjklsuRgxpPat12345[]cvnzwoN?q:y01 ";
    let letter = (0..letters.len()).prop_map(move |at| KeyCode::Char(letters.as_bytes()[at].into()));
    let named = prop::sample::select(vec![
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::F(5),
    ]);
    prop_oneof![
        8 => letter.prop_map(Act::Key),
        4 => named.prop_map(Act::Key),
        1 => any::<char>().prop_map(|c| Act::Key(KeyCode::Char(c))),
        1 => prop::sample::select(vec!['u', 'z', 'a']).prop_map(Act::Control),
        6 => (0..200_u16, 0..60_u16).prop_map(|(x, y)| Act::Click(x, y)),
        4 => (0..60_u16, 0..22_u16).prop_map(|(x, y)| Act::Click(x, y)),
        1 => (any::<bool>(), 0..200_u16, 0..60_u16).prop_map(|(up, x, y)| Act::Wheel(up, x, y)),
        1 => "\\PC{0,20}".prop_map(Act::Paste),
        2 => (1..=200_u16, 1..=60_u16).prop_map(|(width, height)| Act::Size(width, height)),
        1 => (0..40_000_u64).prop_map(Act::Wait),
    ]
}

fn perform(table: &mut Table, act: Act) {
    match act {
        Act::Key(code) => table.key(code),
        Act::Control(letter) => table.control(letter),
        Act::Click(x, y) => table.mouse(MouseEventKind::Down(MouseButton::Left), x, y),
        Act::Wheel(true, x, y) => table.mouse(MouseEventKind::ScrollUp, x, y),
        Act::Wheel(false, x, y) => table.mouse(MouseEventKind::ScrollDown, x, y),
        Act::Paste(text) => table.input(Input::Terminal(Event::Paste(text))),
        Act::Size(width, height) => {
            table.terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            table.input(Input::Terminal(Event::Resize(width, height)));
        }
        Act::Wait(ms) => table.wait(Duration::from_millis(ms)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_input_at_any_size_is_no_panic(
        game in 0..3_usize,
        size in 3..5_u64,
        plain: bool,
        players in (any::<bool>(), any::<bool>()),
        clock: bool,
        (width, height) in (1..=200_u16, 1..=60_u16),
        acts in prop::collection::vec(act(), 1..80),
    ) {
        let (game, player) = [("havannah", "mcts"), ("cachex", "distance"), ("cover", "cover")][game];
        let mut options = TuiOptions::new(Registry::standard(), game);
        options.start = Start { swap: game == "havannah", ..Start::of_size(size) };
        options.players = [players.0, players.0 && players.1].map(|sits| sits.then(|| player.to_owned()));
        options.clock = clock.then(|| "60+1".parse().unwrap());
        options.search = Search { nodes: Some(40), bytes: Some(1 << 20), ..Search::default() };
        options.plain = plain;
        let mut table = Table::of_size(options, width, height);
        for act in acts {
            perform(&mut table, act);
        }
        // The session and the line agree: the record of the game can be written and read.
        let moves = table.app.game().moves();
        let game = table.app.game();
        let mut again = game.fork();
        again.undo(moves.len()).unwrap();
        again.play_all(&moves).unwrap();
        prop_assert_eq!(again.position(), game.position());
    }
}

/// Every size of the terminal shows the help and each page.
#[test]
fn every_size_is_drawn() {
    for (width, height) in
        (1..=200).step_by(9).flat_map(|width| (1..=60).step_by(4).map(move |height| (width, height)))
    {
        let mut options = TuiOptions::new(Registry::standard(), "havannah");
        options.start = Start::of_size(4);
        options.moves = ["d4", "c3"].map(str::to_owned).to_vec();
        let mut table = Table::of_size(options, width, height);
        table.keys("2345?");
    }
}
