//! `draw` into files of pictures, and `kit`.

use std::fs;

use gif::{ColorOutput, DecodeOptions};
use stonework_oracle::printed;

use crate::common::{Ran, feed, file, run};

/// Runs a command, adds `-o FILE`, and returns the content of the file.
fn drawn(name: &str, args: &[&str]) -> Vec<u8> {
    let path = file(name, b"");
    let ran = run(&[args, &["-o", &path]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    fs::read(path).unwrap()
}

fn refused(args: &[&str], why: &str) {
    let Ran { code, err, .. } = run(args);
    assert_eq!((code, err.lines().next()), (Some(2), Some(format!("error: {why}").as_str())), "{args:?}");
}

/// The width of a GIF file, and for each frame the time in hundredths of a second and the number of pixels.
fn frames(file: &[u8]) -> (u16, Vec<(u16, usize)>) {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(file).unwrap();
    let (width, mut all) = (decoder.width(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        all.push((frame.delay, frame.buffer.len()));
    }
    (width, all)
}

#[test]
fn the_printed_game_of_rogers_is_a_small_film() {
    let game = &printed()[0].game;
    let moves = game.moves.join(" ");
    let film = ["draw", "--size", "10", "--moves", &moves, "--animate", "--width", "824"];
    let bytes = drawn("rogers.gif", &film);
    assert_eq!(bytes, drawn("again.gif", &film), "the same bytes every time");
    assert!(bytes.len() <= 300_000, "{} bytes", bytes.len());
    let (width, all) = frames(&bytes);
    assert_eq!((width, all.len(), game.moves.len()), (824, 86, 85));
    assert!(all[..85].iter().all(|&(delay, _)| delay == 80) && all[85].0 == 240);
    let changed: usize = all[1..].iter().map(|&(_, pixels)| pixels).sum();
    assert!(changed < 85 * all[0].1 / 3, "{changed} pixels after the first frame");
    // The winning chain is drawn in the last frame, which so changes more than a stone.
    assert!(all[85].1 > all[0].1 / 20, "{all:?}");
    let still = ["draw", "--size", "10", "--moves", &moves, "--width", "824", "--theme", "dark"];
    assert!(drawn("rogers.png", &still).len() <= 100_000);
    let part = ["draw", "--size", "10", "--moves", &moves, "--animate", "--from", "80", "--to", "82"];
    assert_eq!(frames(&drawn("part.gif", &part)).1.len(), 3);
}

#[test]
fn every_game_is_drawn_in_every_format() {
    let games: [&[&str]; 3] = [
        &["draw", "--size", "20", "--moves", "a1 b2"],
        &["draw", "--game", "cachex", "--size", "15", "--moves", "1,1 2,1 4,4 2,0 3,0"],
        &["draw", "--game", "cover", "--size", "10", "--moves", "A19-B20"],
    ];
    for game in games {
        let game = [game, &["--traces", "--numbers"]].concat();
        for (extension, start) in [
            ("svg", &b"<svg "[..]),
            ("png", b"\x89PNG"),
            ("gif", b"GIF89a"),
            ("pdf", b"%PDF-1."),
            ("tex", b"\\documentclass"),
        ] {
            let bytes = drawn(&format!("board.{extension}"), &game);
            assert!(bytes.starts_with(start), "{game:?} {extension}");
        }
        let text = run(&game).out;
        assert_eq!(drawn("board.txt", &game), text.as_bytes());
        let film = drawn("film.txt", &[&game[..], &["--animate"]].concat());
        assert!(String::from_utf8(film).unwrap().ends_with(&text));
    }
}

#[test]
fn a_move_that_captures_leaves_ghosts_and_a_shot_its_line() {
    let capture = ["draw", "--game", "cachex", "--size", "5", "--moves", "1,1 2,1 4,4 2,0 3,0"];
    assert!(!run(&capture).out.contains('?'));
    assert_eq!(run(&[&capture[..], &["--traces"]].concat()).out.matches("b?").count(), 2);
    let board = ["draw", "--game", "cover", "--position", "4 b four [A07,E07]x[E10,K02] -"];
    let shot = [&board[..], &["--moves", "A07-B08xE10", "--svg"]].concat();
    let dashed = |args: &[&str]| run(args).out.matches("stroke-dasharray").count();
    assert_eq!((dashed(&shot), dashed(&[&shot[..], &["--traces"]].concat())), (0, 2));
}

#[test]
fn records_of_all_games_become_films() {
    let cover = file("cover.sgf", b"(;FF[4]GM[Cover]SZ[4];B[A07-B08];R[K05-J04])");
    assert_eq!(frames(&drawn("cover.gif", &["draw", "--game", "cover", &cover, "--animate"])).1.len(), 3);
    let havannah = file("havannah.sgf", b"(;SZ[3];W[a1];B[c3];W[a2];B[c4])");
    assert_eq!(
        frames(&drawn("havannah.gif", &["draw", &havannah, "--animate", "--delay", "100"])).1[1].0,
        10
    );
    let pages = drawn("havannah.pdf", &["draw", &havannah, "--animate"]);
    assert_eq!(pages.windows(11).filter(|part| part == b"/Type /Page").count(), 5 + 1);
}

#[test]
fn a_film_goes_by_the_clocks_of_a_record() {
    let clocks = b"(;SZ[3]TM[60];W[a1]WL[58];B[c3]BL[59.5];W[a2]WL[18];B[c4]BL[61])";
    let record = file("clocks.sgf", clocks);
    let film = drawn("clocks.gif", &["draw", &record, "--animate", "--delay", "clock"]);
    let delays: Vec<u16> = frames(&film).1.into_iter().map(|(delay, _)| delay).collect();
    // Two seconds, half a second, ten for forty, the usual 0.8 where a clock went up, and three times as long at the end.
    assert_eq!(delays, [200, 50, 1000, 80, 240]);
    let part = ["draw", &record, "--animate", "--delay", "clock", "--from", "2"];
    assert_eq!(frames(&drawn("clocks.gif", &part)).1[0].0, 1000);
    let without = ["draw", "--size", "3", "--moves", "a1", "--animate", "--delay", "clock", "-o", "a.gif"];
    refused(&without, "--delay clock: the game has no clocks");
}

#[test]
fn reports_become_heat() {
    let search = ["search", "--json", "--size", "3", "--engine", "mcts:lines=50", "--nodes", "2000"];
    let report = run(&search).out;
    let heat = file("heat.json", report.as_bytes());
    let text = run(&["draw", "--size", "3", "--heat", &heat]).out;
    let percents: u32 = text
        .lines()
        .skip(1)
        .flat_map(|line| line.split_whitespace().skip(1))
        .filter_map(|w| w.parse::<u32>().ok().filter(|&n| n > 9))
        .sum();
    assert!((20..=110).contains(&percents), "{text}");
    let map = run(&["solve", "--map", "--json", "--size", "2"]).out;
    let values = file("map.json", map.as_bytes());
    let svg = run(&["draw", "--size", "2", "--heat", &values, "--svg"]).out;
    assert!(svg.contains(">3</text>"), "{svg}");
    // A walk through a proof: the values of the replies to the first move.
    let proof = file("heat.proof", b"");
    fs::remove_file(&proof).unwrap();
    assert_eq!(run(&["solve", "--size", "2", "--proof", &proof]).code, Some(0));
    let walk = feed(&["solve", "--explore", &proof, "--json"], b"a1\nmoves\n").out;
    let values = file("walk.json", walk.as_bytes());
    let svg = run(&["draw", "--size", "2", "--moves", "a1", "--heat", &values, "--svg"]).out;
    assert!(svg.contains(">1</text>") || svg.contains(">2</text>"), "{svg}");
    let bad = file("bad.json", b"no report\n{}\n");
    refused(
        &["draw", "--size", "2", "--heat", &bad],
        &format!("--heat {bad}: no line with a list of moves, such as `search --json` writes"),
    );
}

#[test]
fn kits_have_board_stones_and_rules() {
    for (game, size) in [("havannah", "8"), ("cachex", "8"), ("cover", "4")] {
        for paper in ["a4", "letter"] {
            let kit = drawn("kit.pdf", &["kit", "--game", game, "--size", size, "--paper", paper]);
            assert!(kit.starts_with(b"%PDF-1."));
            assert_eq!(kit.windows(11).filter(|part| part == b"/Type /Page").count(), 3 + 1, "{game}");
        }
    }
}

/// `draw game.txt -o game.txt` put the picture in the place of the record.
#[test]
fn a_picture_does_not_replace_what_it_is_drawn_from() {
    let record = "(;SZ[3];W[a1];B[c3])";
    let path = file("drawn-from.txt", record.as_bytes());
    let folder = std::path::Path::new(&path).parent().unwrap();
    let otherwise = folder.join("..").join(folder.file_name().unwrap()).join("drawn-from.txt");
    for output in [&path, otherwise.to_str().unwrap()] {
        refused(&["draw", &path, "-o", output], &format!("-o {output}: it is the record"));
        let heat = ["draw", "--size", "3", "--heat", &path, "-o", output];
        refused(&heat, &format!("-o {output}: it is the file of --heat"));
        assert_eq!(fs::read_to_string(&path).unwrap(), record);
    }
}

/// All frames were drawn before they were counted: a record of 180 KB took 400 MB.
#[cfg(target_os = "linux")]
#[test]
fn a_film_of_too_many_frames_is_refused_before_they_are_drawn() {
    let round = [";B[C05-D06]", ";R[I07-H06]", ";B[D06-D05]", ";R[H06-H07]", ";B[D05-C05]", ";R[H07-I07]"];
    let path = file("rounds.sgf", format!("(;GM[Cover]SZ[4]{})", round.concat().repeat(2000)).as_bytes());
    for output in ["film.gif", "film.pdf", "film.tex"] {
        let output = file(output, b"");
        let program = env!("CARGO_BIN_EXE_stonework");
        let script = "ulimit -v 250000; exec \"$0\" draw --game cover \"$1\" --animate -o \"$2\"";
        let ran =
            std::process::Command::new("sh").args(["-c", script, program, &path, &output]).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(
            (ran.status.code(), said.as_str()),
            (Some(2), "error: 12001 frames: a file has 1 to 500\n")
        );
    }
    // As text a film may be longer. It took 4 KB of memory for each move of a record of 12 bytes a move.
    let long =
        file("long-rounds.sgf", format!("(;GM[Cover]SZ[4]{})", round.concat().repeat(5000)).as_bytes());
    refused(
        &["draw", "--game", "cover", &long, "--animate"],
        "30001 pictures as text: a file has at most 20000",
    );
    let part = ["draw", "--game", "cover", &long, "--animate", "--from", "29000"];
    assert_eq!(crate::common::run(&part).out.matches("\n\n").count(), 1000);
}

#[test]
fn limits_of_pictures_are_named() {
    for width in ["0", "4097", "1000000000", "NaN", "-1", "1e3"] {
        let why = format!("invalid value '{width}' for '--width <PX>': a number of pixels from 1 to 4096");
        refused(&["draw", "--size", "3", "-o", "a.png", "--width", width], &why);
    }
    for delay in ["0", "60001", "NaN"] {
        let why = format!(
            "invalid value '{delay}' for '--delay <MS>': a number of milliseconds from 20 to 60000, or clock"
        );
        refused(&["draw", "--size", "3", "--animate", "-o", "a.gif", "--delay", delay], &why);
    }
    let names = "there are txt, svg, png, gif, pdf and tex";
    let why =
        format!("invalid value 'a.jpg' for '--output <FILE>': no pictures in files called `.jpg`: {names}");
    refused(&["draw", "--size", "3", "-o", "a.jpg"], &why);
    let three = ["draw", "--size", "3", "--moves", "a1 b1", "--animate"];
    refused(
        &[&three[..], &["-o", "a.svg"]].concat(),
        "3 pictures in one file of format svg: gif, pdf, tex and txt have several",
    );
    // The pictures are counted before the first one is made, which has no such cell.
    refused(
        &[&three[..], &["--svg", "--highlight", "z9"]].concat(),
        "3 pictures in one file of format svg: gif, pdf, tex and txt have several",
    );
    refused(&[&three[..], &["--from", "2", "--to", "1"]].concat(), "--from 2: beyond --to 1");
    refused(
        &["draw", "--size", "3", "--svg", "-o", "no.png"],
        "--svg: -o no.png has another format by its name",
    );
    refused(&["draw", "--size", "3", "--width", "9"], "--width: only PNG and GIF have pixels");
}

#[test]
fn a_picture_of_a_record_says_what_it_leaves_out() {
    let path = file("several.sgf", b"(;SZ[3];W[a1](;B[b1])(;B[c3]))(;SZ[4];W[d4])(;SZ[4])");
    let ran = run(&["draw", &path]);
    let said = [
        format!("{path}: games that are left out: 2; the first is drawn\n"),
        format!("{path}: variations that are left out: 1; the main line is drawn\n"),
    ];
    assert_eq!((ran.code, ran.err), (Some(0), said.concat()));
    let cachex = file("notation-cachex.sgf", b"(;GM[Cachex]SZ[3];R[0,0])");
    let none = "no notation `grid`: cells of Cachex are `r,q`";
    refused(&["draw", "--game", "cachex", &cachex, "--notation", "grid"], none);
    let one = run(&["draw", &file("one.sgf", b"(;SZ[3];W[a1];B[b1])")]);
    assert_eq!((one.code, one.err.as_str()), (Some(0), ""));
}

/// Layers refuse a game that is over, and with it the whole film was refused.
#[test]
fn a_film_with_layers_shows_the_end_of_the_game() {
    let won = ["draw", "--size", "3", "--moves", "b1 d4 b2 c4 e5 d3 b3 c3 b4 c2 a2", "--layers", "threats"];
    let film = drawn("layers.txt", &[&won[..], &["--animate"]].concat());
    let film = String::from_utf8(film).unwrap();
    assert_eq!(film.matches('1').count(), 12, "{film}");
    assert!(film.trim_end().ends_with('O') && film.contains('*'), "{film}");
    refused(&won, "the game is over: white has won");
}
