//! Trees that are legal by construction: each list of steps gives a tree.

use proptest::collection::vec;
use proptest::prelude::*;

/// A piece of a generated file: the values of a property, or other text.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Other(String),
    Values { node: usize, name: String, text: String },
}

/// A generated file with one game, in pieces, and the parent of each node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) parents: Vec<Option<usize>>,
}

impl Sample {
    pub(crate) fn text(&self) -> String {
        let text = |p: &Piece| match p {
            Piece::Other(text) | Piece::Values { text, .. } => text.clone(),
        };
        self.pieces.iter().map(text).collect()
    }

    fn other(&mut self, text: &str) {
        self.pieces.push(Piece::Other(text.to_owned()));
    }
}

/// The next piece of a file, as far as the grammar allows it at this place.
#[derive(Clone, Debug)]
struct Step {
    kind: u8,
    space: String,
    properties: Vec<(String, Vec<String>, String)>,
}

fn space() -> impl Strategy<Value = String> {
    prop_oneof![4 => Just(String::new()), 1 => "[ \t\r\n]{1,3}"]
}

fn raw_value() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[a-g][1-7]", 1 => r"([^\\\]]|\\[^\n]){0,8}"]
}

fn step() -> impl Strategy<Value = Step> {
    let property = (r"[A-RT-Z][A-Za-z]{0,2}", vec(raw_value(), 1..3), space());
    (any::<u8>(), space(), vec(property, 0..4)).prop_map(|(kind, space, properties)| Step {
        kind,
        space,
        properties,
    })
}

/// A text that cannot begin a game.
fn outside() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-zäß \n]{0,9}", Just("mail (of) today \n".to_owned())]
}

/// A file with one game; property names are different within a node.
pub(crate) fn sample() -> impl Strategy<Value = Sample> {
    (outside(), vec(step(), 1..40), "[ \n]?[a-zé ]{0,5}").prop_map(|(before, steps, after)| {
        let mut out = Sample::default();
        out.other(&before);
        // For each open parenthesis the node above it.
        let mut open: Vec<Option<usize>> = Vec::new();
        let (mut current, mut closed) = (None, false);
        for step in &steps {
            if step.kind % 5 == 0 && open.len() > 1 {
                out.other(&format!("{})", step.space));
                current = open.pop().unwrap();
                closed = true;
                continue;
            }
            if open.is_empty() || closed || step.kind % 5 == 1 {
                out.other(&format!("{}(", step.space));
                open.push(current);
            }
            closed = false;
            out.other(&format!("{};", step.space));
            let node = out.parents.len();
            out.parents.push(current);
            current = Some(node);
            write_properties(&mut out, node, &step.properties);
        }
        while open.pop().is_some() {
            out.other(")");
        }
        out.other(&after);
        out
    })
}

fn write_properties(out: &mut Sample, node: usize, properties: &[(String, Vec<String>, String)]) {
    let mut names: Vec<String> = Vec::new();
    for (name, values, space) in properties {
        let plain: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        if names.contains(&plain) {
            continue;
        }
        names.push(plain.clone());
        out.other(&format!("{space}{name}{space}"));
        let values: Vec<_> = values.iter().map(|v| format!("[{v}]")).collect();
        out.pieces.push(Piece::Values { node, name: plain, text: values.join(space) });
    }
}
