//! A checker of Havannah proofs, written from the page `docs/formats.md`. From the libraries it uses only the
//! geometry of the board and the formations of the slow judge, and no part that writes, reads or verifies proofs. The
//! checker is slow and recursive, so it suits small boards.

use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use stonework_board::Cell;

use crate::proof_place::{BLACK, Move, Place, WHITE};

/// Reads a number in decimal digits without leading zeros or signs.
pub(crate) fn number<T: std::str::FromStr + ToString>(text: &str) -> Result<T, String> {
    let found = text.parse().ok().filter(|n: &T| n.to_string() == text);
    found.ok_or_else(|| format!("number `{text}`"))
}

/// The counts of `verify`, under their JSON names. `longest` is the length of the longest game that the loser can
/// reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) nodes: u64,
    pub(crate) records: u64,
    pub(crate) shared: u64,
    pub(crate) plies: u64,
    pub(crate) longest: u64,
    pub(crate) references: u64,
    pub(crate) moves: u64,
    pub(crate) all: u64,
    pub(crate) lines: u64,
    pub(crate) answers: u64,
    pub(crate) never: u64,
}

/// A checked claim.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) root: String,
    pub(crate) place: Place,
    pub(crate) claim: String,
    pub(crate) counts: Counts,
    pub(crate) records: Vec<Record>,
}

/// A position with its own record: the proved result, and the number of plies.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) place: Place,
    pub(crate) claim: &'static str,
    pub(crate) plies: u64,
}

/// The claims about one side: the text, with the side and `true` if the side wins.
const CLAIMS: [(&str, (usize, bool)); 4] = [
    ("first wins", (WHITE, true)),
    ("second wins", (BLACK, true)),
    ("first does not win", (WHITE, false)),
    ("second does not win", (BLACK, false)),
];

/// The header and the numbers of a file.
struct File {
    claims: Vec<(String, String)>,
    numbers: std::vec::IntoIter<u64>,
    records: u64,
    shared: u64,
}

fn unpack(file: &[u8]) -> Result<File, String> {
    let (mut at, mut lines) = (0, Vec::new());
    let mut line = |word: &str| {
        let end = file[at..].iter().position(|&b| b == b'\n').ok_or("cut")? + at;
        let text = std::str::from_utf8(&file[at..end]).map_err(|e| e.to_string())?.to_owned();
        let begun = at;
        at = end + 1;
        lines.push((begun, at));
        text.strip_prefix(word).map(str::to_owned).ok_or(format!("`{text}`, not `{word}`"))
    };
    if !line("stonework proof 2")?.is_empty() || line("game ")? != "havannah" {
        return Err("another file".to_owned());
    }
    let count: usize = number(&line("claims ")?)?;
    let claims: Result<Vec<_>, String> = (0..count).map(|_| Ok((line("root ")?, line("claim ")?))).collect();
    let (claims, check) = (claims?, line("check ")?);
    let (header, rest) = (&file[..lines[lines.len() - 1].0], &file[at..]);
    let crc = |parts: &[&[u8]]| {
        let mut crc = Crc::new();
        for part in parts {
            crc.update(part);
        }
        crc.sum()
    };
    let mut before = crc(&[header]);
    if check != format!("{before:08x}") || !(1..=4096).contains(&count) {
        return Err("header".to_owned());
    }
    let (mut rest, mut bytes) = (rest, Vec::new());
    loop {
        let (lengths, more) = rest.split_at_checked(12).ok_or("cut")?;
        let word = |i: usize| u32::from_le_bytes(lengths[i..i + 4].try_into().unwrap());
        let (payload, more) = more.split_at_checked(word(4) as usize).ok_or("cut")?;
        if crc(&[&before.to_le_bytes(), &lengths[..8], payload]) != word(8) || word(0) > 65536 {
            return Err("block".to_owned());
        }
        (before, rest) = (word(8), more);
        if word(0) == 0 {
            let count = |i: usize| u64::from_le_bytes(payload[i..i + 8].try_into().unwrap());
            let (records, shared) = (count(0), count(8));
            let numbers = leb128(&bytes)?.into_iter();
            return if rest.is_empty() && payload.len() == 16 {
                Ok(File { claims, numbers, records, shared })
            } else {
                Err("more".to_owned())
            };
        }
        let (begun, mut stream) = (bytes.len(), DeflateDecoder::new(payload));
        stream.read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if stream.total_in() != payload.len() as u64 || bytes.len() - begun != word(0) as usize {
            return Err("payload".to_owned());
        }
        // A number must not continue in the next block.
        leb128(&bytes[begun..])?;
    }
}

fn leb128(mut bytes: &[u8]) -> Result<Vec<u64>, String> {
    let mut numbers = Vec::new();
    while !bytes.is_empty() {
        let len = bytes.iter().position(|b| b & 128 == 0).ok_or("number that is cut")? + 1;
        let value = bytes[..len].iter().rev().fold(0_u128, |n, b| n << 7 | u128::from(b & 127));
        if len > 10 || len > 1 && bytes[len - 1] == 0 {
            return Err("number too long".to_owned());
        }
        numbers.push(u64::try_from(value).map_err(|e| e.to_string())?);
        bytes = &bytes[len..];
    }
    Ok(numbers)
}

/// A strategy for `side`, which shows that `who` wins, or that `who` does not win.
struct Strategy<'a> {
    file: &'a mut File,
    counts: &'a mut Counts,
    records: &'a mut Vec<Record>,
    claim: &'static str,
    side: usize,
    who: usize,
    wins: bool,
    /// The shared positions. Each has the number of plies to its result, once all positions below it are checked.
    shared: Vec<(Place, Option<u64>)>,
}

/// The largest number of plies to the result, and the largest number of walked plies.
type Depth = (u64, u64);

impl Strategy<'_> {
    fn next(&mut self) -> Result<u64, String> {
        self.file.numbers.next().ok_or_else(|| "records end too early".to_owned())
    }

    fn meet(&mut self, place: &Place) -> Result<Depth, String> {
        self.counts.nodes += 1;
        if place.over() {
            return if (place.winner == Some(self.who)) == self.wins {
                Ok((0, 0))
            } else {
                Err("wrong end".into())
            };
        }
        let mine = place.mover == self.side;
        if !place.winning(place.mover).is_empty() {
            return if mine { Ok((1, 0)) } else { Err("the other side wins at once".into()) };
        }
        match *place.winning(1 - place.mover) {
            [] => self.record(place),
            [only] => {
                let (below, walked) = self.meet(&place.after(Move::Stone(only)))?;
                let others = if mine || place.moves().len() == 1 { 0 } else { 2 };
                Ok((others.max(1 + below), 1 + walked))
            }
            _ if mine => Err("the other side wins".into()),
            _ => Ok((2, 0)),
        }
    }

    fn record(&mut self, place: &Place) -> Result<Depth, String> {
        self.counts.records += 1;
        let (record, mine) = (self.next()?, place.mover == self.side);
        if record == 0 {
            self.counts.references += 1;
            let n = self.next()? as usize;
            let (other, plies) = self.shared.get(n).ok_or("reference to nothing")?;
            let plies = plies.ok_or("reference to what is not shown yet")?;
            return if place.is_image_of(other) { Ok((plies, 0)) } else { Err("another position".into()) };
        }
        let (number, is_line, is_shared) = ((record - 1) / 4, (record - 1) & 2 != 0, (record - 1) & 1 != 0);
        let mut line = Vec::new();
        for _ in 0..if is_line { number } else { 0 } {
            let number = usize::try_from(self.next()?).map_err(|_| "no move")?;
            let cell = Cell::new(number).filter(|&cell| place.board.contains(cell));
            // The number after the numbers of the cells stands for the swap.
            line.push(if number == place.board.len() { None } else { Some(cell.ok_or("no cell")?) });
        }
        let id = self.shared.len();
        if is_shared {
            self.counts.shared += 1;
            self.shared.push((place.clone(), None));
        }
        let depth = if is_line && number == 0 {
            self.counts.never += 1;
            if self.wins || !place.never(self.who) {
                return Err("this side may still win".into());
            }
            (0, 0)
        } else if is_line && mine {
            self.counts.lines += 1;
            (self.line(place, &line).ok_or("the line does not win")?, 0)
        } else if mine {
            self.counts.moves += 1;
            let mv = *place.moves().get(number as usize).ok_or("no such move")?;
            self.after_all(place, &[mv], &[])?
        } else if is_line || number == 0 {
            *(if is_line { &mut self.counts.answers } else { &mut self.counts.all }) += 1;
            self.after_all(place, &place.moves(), &line)?
        } else {
            return Err("a move where all are played".into());
        };
        if is_shared {
            self.shared[id].1 = Some(depth.0);
        }
        self.records.push(Record { place: place.clone(), claim: self.claim, plies: depth.0 });
        Ok(depth)
    }

    /// Plays each of these moves. Where the line of threats does not win after a move, the check goes on below the
    /// move.
    fn after_all(&mut self, place: &Place, moves: &[Move], line: &[Option<Cell>]) -> Result<Depth, String> {
        let (mut longest, mut walked) = (0, 0);
        for &mv in moves {
            let next = place.after(mv);
            let below = if next.over() { None } else { self.line(&next, line) };
            let (plies, far) = if let Some(plies) = below {
                (plies, 0)
            } else {
                let (plies, far) = self.meet(&next)?;
                (plies, far + 1)
            };
            (longest, walked) = (longest.max(1 + plies), walked.max(far));
        }
        Ok((longest, walked))
    }

    /// The number of plies within which a line of threats wins against every answer; `None` if the line does not win.
    fn line(&self, place: &Place, line: &[Option<Cell>]) -> Option<u64> {
        let (&first, rest) = line.split_first()?;
        if !place.winning(self.side).is_empty() {
            return Some(1);
        }
        let cell = first?;
        let theirs = place.winning(1 - self.side);
        let stands = theirs.is_empty() || theirs == [cell];
        if !stands || place.mover != self.side || !place.moves().contains(&Move::Stone(cell)) {
            return None;
        }
        let next = place.after(Move::Stone(cell));
        if next.over() {
            return (next.winner == Some(self.side)).then_some(1);
        }
        let threats = next.winning(self.side);
        if threats.is_empty() || !next.winning(1 - self.side).is_empty() {
            return None;
        }
        // If an answer leaves a threat, the side wins with its next stone.
        let mut longest = 0;
        for answer in next.moves() {
            let after = next.after(answer);
            longest = longest.max(if after.winning(self.side).is_empty() {
                1 + self.line(&after, rest)?
            } else {
                2
            });
        }
        Some(1 + longest)
    }
}

/// Checks a file. Returns the proved claims, or the fault of the file.
pub(crate) fn check(file: &[u8]) -> Result<Vec<Shown>, String> {
    let mut file = unpack(file)?;
    let mut all = Vec::new();
    for (root, claim) in file.claims.clone() {
        let place = Place::read(&root)?;
        if place.text() != root {
            return Err(format!("root `{root}`"));
        }
        let mut counts = Counts::default();
        let mut records = Vec::new();
        let is_part = |name: &str| name == claim || claim == "draw" && name.contains("not");
        let parts: Vec<_> = CLAIMS.into_iter().filter(|(name, _)| is_part(name)).collect();
        if parts.is_empty() {
            return Err(format!("claim `{claim}`"));
        }
        for (claim, (who, wins)) in parts {
            let side = if wins { who } else { 1 - who };
            let (file, counts) = (&mut file, &mut counts);
            let shared = Vec::new();
            let mut strategy =
                Strategy { file, counts, records: &mut records, claim, side, who, wins, shared };
            let (longest, plies) = strategy.meet(&place)?;
            counts.longest = counts.longest.max(longest);
            counts.plies = counts.plies.max(plies);
        }
        all.push(Shown { root, place, claim, counts, records });
    }
    let sum = |of: fn(&Counts) -> u64| all.iter().map(|shown| of(&shown.counts)).sum::<u64>();
    let right = (sum(|c| c.records), sum(|c| c.shared)) == (file.records, file.shared);
    if right && file.numbers.next().is_none() { Ok(all) } else { Err("counts".to_owned()) }
}
