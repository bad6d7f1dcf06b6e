//! A panic in front of a real terminal: the terminal is as before, and the message can be read.
//!
//! The program of this test runs itself in a pseudo-terminal, as the program that panics. So it has no test harness.

#[cfg(unix)]
fn main() {
    if std::env::args().any(|word| word == PANIC) {
        panics();
    } else if !std::env::args().any(|word| word == "--list") {
        a_panic_gives_the_terminal_back();
    }
}

#[cfg(not(unix))]
fn main() {}

/// The argument of the program that panics.
#[cfg(unix)]
const PANIC: &str = "panic-in-the-terminal";

#[cfg(unix)]
fn panics() {
    let _ = stonework_tui::with_terminal(|screen| {
        screen.draw(|frame| frame.render_widget("the board", frame.area()))?;
        // A panic of another thread neither prints nor gives the terminal back.
        let other = std::thread::spawn(|| panic!("not on the screen")).join();
        assert!(other.is_err());
        screen.draw(|frame| frame.render_widget("still the board", frame.area()))?;
        let nobody: Option<u8> = std::hint::black_box(None);
        nobody.expect("a fault of the program");
        Ok(())
    });
}

#[cfg(unix)]
fn a_panic_gives_the_terminal_back() {
    use std::io::Read as _;
    let (mut terminal, side) = pty_process::blocking::open().unwrap();
    terminal.resize(pty_process::Size::new(24, 80)).unwrap();
    let settings = || format!("{:?}", rustix::termios::tcgetattr(&side).unwrap());
    let before = settings();
    let command = pty_process::blocking::Command::new(std::env::current_exe().unwrap());
    let mut child = command.arg(PANIC).env("TERM", "xterm-256color").spawn_borrowed(&side).unwrap();
    let output = std::thread::spawn(move || {
        let (mut all, mut part) = (Vec::new(), [0; 4096]);
        // At the end of the terminal there is an error on Linux, and nothing to read elsewhere.
        while let Ok(1..) = terminal.read(&mut part).inspect(|&count| all.extend(&part[..count])) {}
        String::from_utf8_lossy(&all).into_owned()
    });
    let status = child.wait().unwrap();
    assert_eq!(settings(), before);
    drop(side);
    let output = output.join().unwrap();
    assert!(!status.success(), "{output:?}");
    let (screen, rest) = output.split_once("\u{1b}[?1049l").expect("the screen of the program is left");
    assert!(screen.contains("\u{1b}[?1049h") && screen.contains("still"), "{screen:?}");
    assert!(rest.contains("a fault of the program"), "{rest:?}");
    assert!(!output.contains("not on the screen"), "{output:?}");
    println!("a panic gives the terminal back: ok");
}
