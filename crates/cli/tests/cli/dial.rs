//! `dial` against a port of the test: the lines that a server would send, and those that the player answers.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;

/// Serves one game of Havannah of size 4 that White, the player that dials, may win at once. Returns the player's lines.
fn serve(listener: &TcpListener) -> Vec<String> {
    let (mut stream, _) = listener.accept().unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut heard = Vec::new();
    let mut hear = |heard: &mut Vec<String>| {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        heard.push(line.trim_end().to_owned());
        heard.last().unwrap().clone()
    };
    stream.write_all(b"stonework 1 havannah size 4 swap clock 60000+1000 notation rogers\n").unwrap();
    hear(&mut heard);
    stream.write_all(b"welcome tester\nwait\ngame abcdefgh white other resume 6\n").unwrap();
    // White has A1, B1 and C1; D1 is the bridge.
    for (at, mv) in ["A1", "B2", "B1", "C3", "C1", "E5"].iter().enumerate() {
        writeln!(stream, "move {} Put {mv} 60000 60000", at + 1).unwrap();
    }
    stream.write_all(b"turn 7 60000 60000\n").unwrap();
    let put = hear(&mut heard);
    writeln!(
        stream,
        "ok 7 {put}\nover white bridge A1 B1 C1 D1\nrecord http://127.0.0.1/records/abcdefgh.txt"
    )
    .unwrap();
    hear(&mut heard);
    heard
}

#[test]
fn a_player_dials_plays_on_and_quits() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || serve(&listener));
    let output = Command::new(env!("CARGO_BIN_EXE_stonework"))
        .args(["dial", &address, "--engine", "mcts:simulations=200", "--name", "tester"])
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(server.join().unwrap(), ["player tester", "Put D1", "quit"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("game abcdefgh: white against other\nover white bridge"), "{said}");
}

/// The line of a steal was read as a move of this name, which Cachex does not have.
#[test]
fn a_player_of_cachex_follows_a_steal() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut hear = || {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        stream.write_all(b"stonework 1 cachex size 3 notation own\n").unwrap();
        hear();
        stream.write_all(b"welcome tester\ngame abcdefgh red other resume 2\n").unwrap();
        stream.write_all(b"move 1 Put 0,1 - -\nmove 2 Swap - -\nturn 3 - -\n").unwrap();
        let put = hear();
        writeln!(stream, "ok 3 {put}\nover red resign\nrecord http://127.0.0.1/records/abcdefgh.txt")
            .unwrap();
        (put, hear())
    });
    let dial = ["dial", &address, "--engine", "uct:simulations=50", "--name", "tester"];
    let output = Command::new(env!("CARGO_BIN_EXE_stonework")).args(dial).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (put, quit) = server.join().unwrap();
    // Blue's stone is on the image of the first cell now.
    assert!(put.starts_with("Put ") && put != "Put 1,0" && quit == "quit", "{put}, {quit}");
}

#[test]
fn a_port_that_is_none_and_a_player_that_is_none_are_refused() {
    for (greeting, why) in [
        ("SSH-2.0-OpenSSH\n", "is not the first line of a port"),
        ("stonework 1 chess size 8 notation own\n", "chess"),
        ("stonework 1 cover size 2 notation own\n", "no player"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(greeting.as_bytes()).unwrap();
            let _ = BufReader::new(stream).read_line(&mut String::new());
        });
        let dial = Command::new(env!("CARGO_BIN_EXE_stonework"))
            .args(["dial", &address, "--engine", "leipzig"])
            .output();
        let output = dial.unwrap();
        server.join().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{greeting}: {said}");
    }
}

/// Dials a port that sends one greeting, with more arguments. Returns the exit code, the error and the line that the port heard.
fn dialled(greeting: Vec<u8>, more: &[&str]) -> (Option<i32>, String, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return String::new() };
        let _ = stream.write_all(&greeting);
        let mut heard = String::new();
        let _ = BufReader::new(stream).read_line(&mut heard);
        heard
    });
    let mut dial = Command::new(env!("CARGO_BIN_EXE_stonework"));
    let output = dial.args(["dial", &address, "--engine", "mcts"]).args(more).output().unwrap();
    // A command that has not dialled leaves the server waiting.
    drop(std::net::TcpStream::connect(&address));
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), server.join().unwrap())
}

#[test]
fn a_name_or_a_key_of_several_words_is_refused_before_the_port_hears_of_it() {
    let port = b"stonework 1 havannah size 4 clock 60000+1000 notation rogers\n";
    for name in ["ann key", "ann\nquit", "ann\tkey", ""] {
        let (code, said, heard) = dialled(port.to_vec(), &["--name", name]);
        assert_eq!((code, &heard[..]), (Some(2), ""), "{name:?}: {said}");
        assert!(said.contains(&format!("--name {name:?} is not one word")), "{name:?}: {said}");
    }
    let key = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("dial.key");
    std::fs::write(&key, "one\nResign\n").unwrap();
    let (code, said, heard) = dialled(port.to_vec(), &["--name", "ann", "--key-file", key.to_str().unwrap()]);
    assert_eq!((code, &heard[..]), (Some(2), ""), "{said}");
    assert!(said.contains("dial.key: the key is not one word"), "{said}");
}

#[test]
fn a_line_of_a_server_is_refused_by_its_length_and_its_bytes() {
    for (line, why) in [
        (vec![b'x'; (16 << 10) + 1], "a line of the server is longer than 16384 bytes"),
        (b"stonework \xff\n".to_vec(), "a line of the server: invalid utf-8"),
        (b"stonework 1".to_vec(), "the server has closed the connection"),
    ] {
        let is_cut = why.contains("closed");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(&line).unwrap();
            if !is_cut {
                let _ = BufReader::new(stream).read_line(&mut String::new());
            }
        });
        let mut dial = Command::new(env!("CARGO_BIN_EXE_stonework"));
        let output = dial.args(["dial", &address, "--engine", "mcts"]).output().unwrap();
        server.join().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{why}: {said}");
    }
}

/// `--loop` tried such an address again and again.
#[test]
fn a_text_that_is_no_address_is_refused_with_loop_too() {
    for (address, why) in
        [("nowhere", "nowhere: invalid socket address"), ("host:99999", "host:99999: invalid port value")]
    {
        let mut dial = Command::new(env!("CARGO_BIN_EXE_stonework"));
        let output = dial.args(["dial", address, "--engine", "mcts", "--loop"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{said}");
        assert!(said.contains(why) && said.contains("HOST:PORT"), "{said}");
    }
}
