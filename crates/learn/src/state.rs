//! The state of a training as a file, and back.

use std::io::{self, Read, Write};

use stonework_files::{BlockError, ByteReader, ByteWriter};

use crate::run::{Learner, Numbers, Run};
use crate::train::Options;

/// The first line of a checkpoint.
const TITLE: &str = "stonework learning 1";
/// The names of the header lines that tell one training from another, each with the words of a refusal.
const MARKS: [(&str, &str); 4] = [
    ("program", "another version of the program"),
    ("learns", "other features or another beginning"),
    ("options", "other options"),
    ("samples", "other games"),
];
/// The names of all header lines.
const FIELDS: [&str; 7] = ["program", "learns", "options", "samples", "epoch", "place", "next"];

/// The values of the header lines that tell one training from another, in the order of [`MARKS`].
pub(crate) struct Marks([String; 4]);

impl Marks {
    pub(crate) fn new<L: Learner>(run: &Run<L>, samples: &L::Samples, options: &Options) -> Self {
        let Options { epochs, step, held_out, seed } = options;
        Self([
            env!("CARGO_PKG_VERSION").to_owned(),
            run.learns(),
            format!("epochs {epochs}, step {step}, held out {held_out}, seed {seed}"),
            format!("{} {:016x}", L::len(samples), L::digest(samples)),
        ])
    }
}

/// `true` if all numbers can be read again: they are finite, and the squares are above 0.
pub(crate) fn is_sound<L: Learner>(run: &mut Run<L>) -> bool {
    run.visit(&mut Sound).is_ok()
}

/// The training of a checkpoint, beside the one that reads it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// The same training.
    Same,
    /// A training that has ended, and whose result is the beginning of this one. All else of the two is the same.
    Before,
}

/// Writes the state.
///
/// # Errors
/// The error of the output.
pub(crate) fn write<L: Learner>(run: &mut Run<L>, marks: &Marks, out: &mut dyn Write) -> io::Result<()> {
    let [program, learns, options, samples] = &marks.0;
    let (epoch, place) = (run.epoch().to_string(), run.place().to_string());
    let next = format!("{:016x}", run.mark());
    let values = [program, learns, options, samples, &epoch, &place, &next];
    let fields: Vec<(&str, &str)> = FIELDS.into_iter().zip(values.map(String::as_str)).collect();
    let mut writer = Writer(ByteWriter::new(out, TITLE, &fields)?);
    run.visit(&mut writer)?;
    writer.0.finish().map(drop)
}

/// Reads the state into a training at its beginning. It takes the memory of two blocks, whatever the file claims.
///
/// # Errors
/// The reason to refuse the file; the training is then in no useful state. So it is after [`Found::Before`].
pub(crate) fn read<L: Learner>(
    run: &mut Run<L>,
    marks: &Marks,
    options: &Options,
    input: impl Read,
) -> Result<Found, String> {
    let (reader, values) = ByteReader::new(input, TITLE, &FIELDS).map_err(|error| error.to_string())?;
    let [program, learns, chosen, samples, epoch, place, next] = &values[..] else {
        return Err("its header has other lines".to_owned());
    };
    let mut other_beginning = None;
    for ((found, expected), (_, other)) in
        [program, learns, chosen, samples].into_iter().zip(&marks.0).zip(MARKS)
    {
        if found != expected {
            let refusal =
                format!("it is of a training with {other}: `{found}`, and this one has `{expected}`");
            if beginning(found).is_none() || beginning(found) != beginning(expected) {
                return Err(refusal);
            }
            other_beginning = Some(refusal);
        }
    }
    let read = read_numbers(run, [epoch, place, next], options, reader);
    let Some(refusal) = other_beginning else { return read.map(|()| Found::Same) };
    if read.is_ok() && run.has_ended_where_it_began(options) { Ok(Found::Before) } else { Err(refusal) }
}

/// The words before the digest of the beginning, in the words of [`Learner::learns`]; `None` without a digest.
fn beginning(learns: &str) -> Option<&str> {
    learns.split_once(" from ").map(|(numbers, _)| numbers)
}

/// Reads the lines of the place and all numbers.
fn read_numbers<L: Learner>(
    run: &mut Run<L>,
    [epoch, place, next]: [&String; 3],
    options: &Options,
    reader: ByteReader<impl Read>,
) -> Result<(), String> {
    let wrong = |name: &str, value: &str| format!("its line `{name} {value}` means nothing");
    let epoch = number(epoch)
        .and_then(|epoch| u32::try_from(epoch).ok())
        .filter(|&epoch| epoch > 0 && epoch - 1 <= options.epochs)
        .ok_or_else(|| wrong("epoch", epoch))?;
    let most = if epoch > options.epochs { 0 } else { run.positions() };
    let place = number(place)
        .and_then(|place| usize::try_from(place).ok())
        .filter(|&place| place <= most)
        .ok_or_else(|| wrong("place", place))?;
    run.skip_to(epoch, place);
    if *next != format!("{:016x}", run.mark()) {
        return Err(wrong("next", next));
    }
    let mut reader = Reader { bytes: reader, at: 0 };
    run.visit(&mut reader)?;
    reader.bytes.finish().map_err(|error| error.to_string())
}

/// A number in the form of the header: without sign or leading zeros.
fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// A check of numbers.
struct Sound;

/// A number that is not finite, or a square that is not above 0.
struct Unsound;

impl Sound {
    fn check(holds: bool) -> Result<(), Unsound> {
        if holds { Ok(()) } else { Err(Unsound) }
    }
}

impl Numbers for Sound {
    type Error = Unsound;

    fn float(&mut self, number: &mut f32) -> Result<(), Unsound> {
        Self::check(number.is_finite())
    }

    fn square(&mut self, number: &mut f32) -> Result<(), Unsound> {
        Self::check(number.is_finite() && *number > 0.0)
    }

    fn short(&mut self, _: &mut i16) -> Result<(), Unsound> {
        Ok(())
    }

    fn loss(&mut self, number: &mut f64) -> Result<(), Unsound> {
        Self::check(*number >= 0.0)
    }
}

/// A writer of numbers, little-endian.
struct Writer<W>(ByteWriter<W>);

impl<W: Write> Numbers for Writer<W> {
    type Error = io::Error;

    fn float(&mut self, number: &mut f32) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    fn square(&mut self, number: &mut f32) -> io::Result<()> {
        self.float(number)
    }

    fn short(&mut self, number: &mut i16) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    fn loss(&mut self, number: &mut f64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }
}

/// A reader of numbers, which checks each one.
struct Reader<R> {
    bytes: ByteReader<R>,
    /// The number of numbers read so far.
    at: u64,
}

impl<R: Read> Reader<R> {
    fn next<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut bytes = [0; N];
        let read = self.bytes.read_exact(&mut bytes);
        read.map_err(|error| -> BlockError { self.bytes.reason(error) })
            .map_err(|error| error.to_string())?;
        self.at += 1;
        Ok(bytes)
    }

    fn checked<T: std::fmt::Display>(&self, holds: Result<(), Unsound>, number: T) -> Result<(), String> {
        holds.map_err(|Unsound| format!("its number {} is {number}", self.at))
    }
}

impl<R: Read> Numbers for Reader<R> {
    type Error = String;

    fn float(&mut self, number: &mut f32) -> Result<(), String> {
        *number = f32::from_le_bytes(self.next()?);
        self.checked(Sound.float(number), *number)
    }

    fn square(&mut self, number: &mut f32) -> Result<(), String> {
        *number = f32::from_le_bytes(self.next()?);
        self.checked(Sound.square(number), *number)
    }

    fn short(&mut self, number: &mut i16) -> Result<(), String> {
        *number = i16::from_le_bytes(self.next()?);
        Ok(())
    }

    fn loss(&mut self, number: &mut f64) -> Result<(), String> {
        *number = f64::from_le_bytes(self.next()?);
        self.checked(Sound.loss(number), *number)
    }
}
