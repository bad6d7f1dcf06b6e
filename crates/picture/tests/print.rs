//! PDF and LaTeX, read again.

use std::collections::BTreeSet;
use std::io::Read;

use flate2::read::ZlibDecoder;
use stonework_board::{
    Board, CellClass, Diagonal, DiagonalDiagram, Diagram, Figure, Layout, Notation, Overlay, Part, Stone,
    Theme,
};
use stonework_picture::{
    Kit, KitStones, Paper, PictureError, PictureFormat, Shown, havannah_board, latex_document, pdf, tikz,
};

/// The objects of a PDF file by its table, each checked to begin where the table says.
fn objects(file: &[u8]) -> Vec<&[u8]> {
    let find =
        |from: usize, what: &[u8]| from + file[from..].windows(what.len()).position(|w| w == what).unwrap();
    assert!(file.starts_with(b"%PDF-1.") && file.trim_ascii_end().ends_with(b"%%EOF"));
    let tail = String::from_utf8_lossy(&file[file.len() - 40..]).into_owned();
    let table: usize =
        tail.split("startxref").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!(file[table..].starts_with(b"xref"));
    let text = String::from_utf8_lossy(&file[table..]).into_owned();
    let entries = text.lines().filter(|line| line.trim_end().ends_with(" n"));
    let starts: Vec<usize> = entries.map(|line| line[..10].parse().unwrap()).collect();
    let object = |(number, &start): (usize, &usize)| {
        let head = format!("{} 0 obj", number + 1);
        assert!(file[start..].starts_with(head.as_bytes()), "object {}", number + 1);
        &file[start..find(start, b"endobj")]
    };
    starts.iter().enumerate().map(object).collect()
}

/// The unpacked content of each page.
fn pages(file: &[u8]) -> Vec<String> {
    let objects = objects(file);
    let text = |object: &[u8]| String::from_utf8_lossy(object).into_owned();
    let is_page = |object: &&&[u8]| text(object).contains("/Type /Page\n");
    let content = |object: &&[u8]| {
        let text = text(object);
        let number: usize = text.split("/Contents ").nth(1)?.split(' ').next()?.parse().ok()?;
        let stream = objects[number - 1];
        let start = stream.windows(7).position(|w| w == b"stream\n")? + 7;
        let mut unpacked = Vec::new();
        ZlibDecoder::new(&stream[start..]).read_to_end(&mut unpacked).ok()?;
        Some(String::from_utf8_lossy(&unpacked).into_owned())
    };
    objects.iter().filter(is_page).filter_map(content).collect()
}

fn one_of_each() -> Diagram {
    let board = Board::hexagon(4).unwrap();
    let cells: Vec<_> = board.cells().take(4).collect();
    let diagram = Diagram::new(board).title("Ring & fork").stone(cells[0], Stone::Light);
    diagram
        .stone(cells[1], Stone::Dark)
        .overlay(Overlay::new().label(cells[1], "7").ghost(cells[3], Stone::Dark))
}

#[test]
fn a_pdf_has_a_page_for_each_drawing_with_its_stones_and_letters() {
    let drawing = one_of_each().drawing();
    let file = pdf(&vec![drawing.clone(); 3]).unwrap();
    assert_eq!(file, pdf(&vec![drawing.clone(); 3]).unwrap(), "the same bytes every time");
    let pages = pages(&file);
    assert_eq!(pages.len(), 3);
    let count = |operator: &str| pages[0].lines().filter(|line| line.ends_with(operator)).count();
    // A circle has four curves: two stones and a ghost. A text is shown for each coordinate, the title and the label.
    assert_eq!((count(" c"), count(" Tj")), (12, 14 + 2));
    let page = format!(
        "/MediaBox [0 0 {} {}]",
        0.75 * f64::from(drawing.width()),
        0.75 * f64::from(drawing.height())
    );
    assert_eq!(String::from_utf8_lossy(&file).matches(&page).count(), 3);
    assert_eq!(pdf(&[]), Err(PictureError::Frames { frames: 0 }));
    assert_eq!(pdf(&vec![drawing; 501]), Err(PictureError::Frames { frames: 501 }));
}

fn kit(count: usize) -> Kit {
    let lattice = Diagonal::of(4).unwrap();
    let diagram = DiagonalDiagram::new(lattice);
    let stones = |side: &str, stone| KitStones { side: side.to_owned(), stone: diagram.piece(stone), count };
    Kit {
        title: "Cover-4".to_owned(),
        board: diagram.drawing(),
        stones: vec![stones("blue", Stone::Light), stones("red", Stone::Dark)],
        rules: vec!["A stone moves, and shoots if it can. ".repeat(90), "The end.".to_owned()],
    }
}

#[test]
fn a_kit_has_board_stones_and_rules_at_one_scale() {
    for (paper, size) in [(Paper::A4, "[0 0 595.27563 841.8898]"), (Paper::Letter, "[0 0 612 792]")] {
        let file = kit(12).pdf(paper).unwrap();
        assert!(String::from_utf8_lossy(&file).contains(size), "{paper:?}");
        let pages = pages(&file);
        assert_eq!(pages.len(), 3);
        let scales: BTreeSet<&str> = pages[..2]
            .iter()
            .flat_map(|page| page.lines())
            .filter(|line| line.ends_with(" cm"))
            .map(|line| line.split(' ').next().unwrap())
            .collect();
        // The board and the stones have one scale; the line of 50 mm has its own.
        assert_eq!(scales.len(), 2, "{scales:?}");
        assert_eq!(pages[1].lines().filter(|line| line.ends_with(" cm")).count(), 24);
        assert!(pages[2].lines().filter(|line| line.ends_with(" Tj")).count() > 20);
    }
    assert!(pages(&kit(1000).pdf(Paper::A4).unwrap()).len() > 5);
    let error = kit(1001).pdf(Paper::A4).unwrap_err();
    assert_eq!(error.to_string(), "1001 stones of blue: a kit has at most 1000 of each side");
}

/// Figures of T. Ewalds, *Playing and solving Havannah*, 2012, as the thesis prints them, with its labels in mathematical letters
/// as plain letters.
const FIGURES: [&str; 7] = [
    r"\begin{HavannahBoard}[board size=6,coordinate style=classical]
\HStoneGroup[color=black,label=F]{e10,f10,g10,g9,h9,h8,i8,j8,h7,h6,h5,i5,i4,k8}
\HStoneGroup[color=white,label=B]{a1,a2,b3,c3,d4,e4,e3,e2,f2,f1}
\end{HavannahBoard}",
    r"\begin{HavannahBoard}[board size=3,coordinate style=classical,show coordinates=false]
\HStoneGroup[color=black]{d2,d3,c4,b4}
\HStoneGroup[color=white]{b1,c2,a2,b3}
\HGame{c3,a1,d4}
\end{HavannahBoard}",
    r"\begin{HavannahBoard}[board size=3,coordinate style=classical,show coordinates=false]
\HStoneGroup[color=black]{d3,c4,b2, e3,c5,a1}
\HStoneGroup[color=white]{d4}
\HGame{c3,c2,b3}
\end{HavannahBoard}",
    r"\begin{HavannahBoard}[board size=4,coordinate style=classical,show coordinates=false]
\HStoneGroup[color=white]{d1,e3,g4}
\HStoneGroup[color=black]{a4,c5,d7}
\end{HavannahBoard}",
    r"\begin{HavannahBoard}[board size=4,coordinate style=classical,show coordinates=false]
\HStoneGroup[color=white]{b5,c5,c4,b3,c2}
\HStoneGroup[color=black]{f6,f5,e3,f7}
\HGame[first player=black]{g6,a3,a4,b2,f4,c1}
\end{HavannahBoard}",
    r"\begin{HavannahBoard}[board size=2,coordinate style=classical,show coordinates=false]
\HStoneGroup[color=black]{a2,b3}
\HStoneGroup[color=white]{b1,c2}
\end{HavannahBoard}",
    r"\begin{HavannahBoard}[board size=4,coordinate style=classical]
\HGame{g7,a1,f5,g4,e3,d2,e2,d1,c2,d3,c3,f7,d6,b4,a4,b5,a3,e5,c4,b3, a2,c1,b1,f6,e4,d4,g6,e7,d7,b2,c5, f3,f4,g5,d5,e6,c6}
\end{HavannahBoard}",
];

/// A figure as its commands: the name with the options, and the cells – as a set, unless they are moves.
fn commands(figure: &str) -> BTreeSet<(String, Vec<String>)> {
    let command = |line: &str| {
        let (head, rest) = line.split_once(']').map_or_else(
            || line.split_at(line.rfind('{').unwrap()),
            |(head, rest)| (&line[..=head.len()], rest),
        );
        let head = head.replace("label={F}", "label=F").replace("label={B}", "label=B");
        let mut cells: Vec<String> =
            rest.trim_matches(['{', '}']).split(',').map(|cell| cell.trim().to_owned()).collect();
        if !head.contains("HGame") {
            cells.sort_unstable();
        }
        (head, cells)
    };
    figure.lines().filter(|line| !line.starts_with("\\end")).map(command).collect()
}

/// The diagram of a figure.
fn diagram(figure: &str) -> Diagram {
    let size = figure.split("board size=").nth(1).unwrap().split([',', ']']).next().unwrap();
    let board = Board::hexagon(size.parse().unwrap()).unwrap();
    let mut diagram = Diagram::new(board).coordinates(!figure.contains("show coordinates=false"));
    for (head, cells) in commands(figure).into_iter().filter(|(head, _)| !head.starts_with("\\begin")) {
        let black_first = head.contains("=black");
        for (at, cell) in cells.iter().enumerate() {
            let cell = board.parse(cell).unwrap();
            let dark = black_first != (head.contains("HGame") && at % 2 == 1);
            diagram = diagram.stone(cell, if dark { Stone::Dark } else { Stone::Light });
            if head.contains("HGame") {
                diagram = diagram.label(cell, (at + 1).to_string());
            } else if let Some(label) = head.split("label=").nth(1) {
                diagram = diagram.label(cell, label.trim_end_matches(']'));
            }
        }
    }
    diagram
}

#[test]
fn the_figures_of_ewalds_come_out_again() {
    for figure in FIGURES {
        let again = havannah_board(&diagram(figure)).unwrap();
        assert_eq!(commands(&again), commands(figure), "{again}");
    }
}

/// Labels that are read as numbers: the greatest number had no next one, and the text of `+7` was lost.
#[test]
fn labels_of_latex_that_are_no_numbers_of_moves_stay_texts() {
    let board = Board::hexagon(3).unwrap();
    let cell = |name| board.parse(name).unwrap();
    let two = Diagram::new(board).stone(cell("a1"), Stone::Light).stone(cell("a2"), Stone::Dark);
    let labels = |one: &str, other: &str| {
        havannah_board(&two.clone().label(cell("a1"), one).label(cell("a2"), other)).unwrap()
    };
    let most = "4294967295";
    let text = labels(most, most);
    assert!(text.contains(&format!("\\HStoneGroup[color=white,label={{{most}}}]{{a1}}")), "{text}");
    let text = labels("4294967294", most);
    assert!(text.contains("\\HGame[first move label=4294967294]{a1,a2}"), "{text}");
    for other in ["+7", "007"] {
        let text = labels(other, "8");
        assert!(text.contains(&format!("\\HStoneGroup[color=white,label={{{other}}}]{{a1}}")), "{text}");
    }
}

#[test]
fn latex_has_every_mark_and_refuses_other_boards() {
    let board = Board::hexagon(3).unwrap();
    let cell = |name: &str| board.parse(name).unwrap();
    let diagram = Diagram::new(board).stone(cell("a1"), Stone::Light).label(cell("a1"), "50 %");
    let text = havannah_board(&diagram.highlight([cell("a1"), cell("b2")])).unwrap();
    assert!(text.contains("\\HHexGroup{a1,b2}") && text.contains("label={50 \\%}"), "{text}");
    // Numbers that do not alternate are labels.
    let twice = Diagram::new(board).stones([cell("a1"), cell("a2")], Stone::Dark);
    let text = havannah_board(&twice.label(cell("a1"), "1").label(cell("a2"), "2")).unwrap();
    assert_eq!((text.matches("HStoneGroup").count(), text.matches("HGame").count()), (2, 0));
    let error = havannah_board(&Diagram::new(Board::rhombus(5).unwrap())).unwrap_err();
    assert_eq!(error.to_string(), "havannah.sty draws hexagons of size 2 to 13, not Rhombus(5)");
    assert!(havannah_board(&Diagram::new(Board::hexagon(14).unwrap())).is_err());

    let cover = kit(1).board;
    let text = tikz(&cover);
    let letters = |part: &&Part| matches!(part.figure, Figure::Text { .. });
    assert_eq!(text.matches("\\node").count(), cover.parts().iter().filter(letters).count());
    assert_eq!(text.matches("cycle").count(), Diagonal::of(4).unwrap().len());
    assert_eq!(text.matches('{').count(), text.matches('}').count());
}

/// A file for LaTeX loses no mark: a diagram that the package has no words for is drawn.
#[test]
fn latex_with_other_marks_is_drawn() {
    let board = Board::hexagon(3).unwrap();
    let cell = |name: &str| board.parse(name).unwrap();
    let plain = Diagram::new(board).stone(cell("a1"), Stone::Light).label(cell("a1"), "1").last(cell("a1"));
    let tex = |diagram: &Diagram| {
        String::from_utf8(PictureFormat::Tex.file(&[(Shown::Cells(diagram.clone()), 1)], None).unwrap())
            .unwrap()
    };
    assert!(tex(&plain).contains("\\HGame{a1}"));
    let mark = |overlay: Overlay| plain.clone().overlay(overlay);
    for diagram in [
        plain.clone().title("Only here"),
        plain.clone().theme(Theme::DARK),
        plain.clone().notation(Notation::Grid).unwrap(),
        plain.clone().layout(Layout::Columns),
        plain.clone().strokes(true),
        mark(Overlay::new().label(cell("b2"), "x")),
        mark(Overlay::new().heat(cell("b2"), 0.5)),
        mark(Overlay::new().ghost(cell("b2"), Stone::Dark)),
        mark(Overlay::new().class([cell("b2")], CellClass::Dead)),
        mark(Overlay::new().arrow(cell("a1"), cell("b2"))),
        mark(Overlay::new().shot(cell("a1"), cell("b2"))),
    ] {
        assert!(!diagram.is_plain());
        let text = tex(&diagram);
        assert!(text.contains("{tikzpicture}") && !text.contains("HavannahBoard"), "{text}");
    }
    let text = tex(&mark(Overlay::new().label(cell("b2"), "here")).title("Only here"));
    assert!(text.contains("{Only here}") && text.contains("{here}"), "{text}");
    // In the usual encoding of fonts, the plain signs are printed as three others.
    let text = tex(&plain.title("1 < 2 > 0 | x"));
    assert!(text.contains("{1 \\textless{} 2 \\textgreater{} 0 \\textbar{} x}"), "{text}");
}

#[test]
#[ignore = "needs pdflatex with the package havannah (texlive-games): cargo test -p stonework-picture --test print -- --ignored latex (docs/lab/README.md)"]
fn latex_compiles() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("latex");
    std::fs::create_dir_all(&folder).unwrap();
    let mut figures: Vec<String> =
        FIGURES.iter().map(|figure| havannah_board(&diagram(figure)).unwrap()).collect();
    figures
        .push(havannah_board(&one_of_each().highlight(Board::hexagon(4).unwrap().cells().take(3))).unwrap());
    let hexagons = latex_document(&figures);
    let plain = [kit(1).board, one_of_each().drawing()].map(|drawing| tikz(&drawing));
    for (name, text) in [("hexagons", hexagons), ("plain", latex_document(&plain))] {
        std::fs::write(folder.join(format!("{name}.tex")), text).unwrap();
        let mut latex = std::process::Command::new("pdflatex");
        let output =
            latex.args(["-halt-on-error", "-interaction=nonstopmode", name]).current_dir(&folder).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
