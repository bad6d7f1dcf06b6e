//! Files of tables: a written table comes back, and a damaged one is an error.

use std::io::{Read, Write};

use crate::graph::{Nodes, random_graph, solve_all_ways};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_endgame::example::Heaps;
use stonework_endgame::{StateSpace, Statistics, StoreError, Stored, Table, Value};
use stonework_files::{BlockError, BlockFault};

fn file(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write("some game", "size 3", &mut bytes).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<Table, StoreError> {
    Stored::open(bytes.to_vec())?.table()
}

fn nodes(count: u32) -> (Nodes, Table) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let space = Nodes::new(random_graph(count, 15, &mut rng));
    let table = solve_all_ways(&space).unwrap().table;
    (space, table)
}

#[test]
fn tables_come_back() {
    for count in [0, 1, 2047, 2048, 2049, 100_000] {
        let (space, table) = nodes(count);
        let bytes = file(&table);
        assert_eq!(read(&bytes).unwrap(), table);
        let stored = Stored::open(bytes).unwrap();
        assert_eq!((stored.game(), stored.parameters()), ("some game", "size 3"));
        assert_eq!((stored.len(), stored.is_empty()), (u64::from(count), count == 0));
        // Near and far numbers, so that blocks are kept, dropped and read again.
        for rank in (0..u64::from(count)).flat_map(|i| [i, i * 7919 % u64::from(count)]).step_by(37) {
            assert_eq!(stored.value(rank).unwrap(), table.value(rank), "{rank}");
            let state = space.unrank(rank).unwrap();
            assert_eq!(stored.probe(&space, &state).unwrap(), table.probe(&space, &state));
        }
        assert_eq!(stored.value(u64::from(count)).unwrap(), None);
        assert_eq!(stored.value(u64::MAX).unwrap(), None);
    }
}

/// The layout that the documentation gives, byte by byte.
#[test]
fn the_layout_is_as_documented() {
    let table = solve_all_ways(&Heaps(3)).unwrap().table;
    let bytes = file(&table);
    let expected = [
        &b"stonework endgame 2\n"[..],
        &4u64.to_le_bytes(),
        &9u32.to_le_bytes(),
        &6u32.to_le_bytes(),
        b"some gamesize 3",
    ]
    .concat();
    assert_eq!(bytes[..expected.len()], expected);
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (index, body) = (expected.len(), expected.len() + 12);
    assert_eq!(word(index) as usize, bytes.len() - body);
    assert_eq!(bytes[index + 4..body], [sum(&bytes[body..]), sum(&bytes[..index + 8])].concat());
    let mut raw = Vec::new();
    DeflateDecoder::new(&bytes[body..]).read_to_end(&mut raw).unwrap();
    // No state; win in 1, win in 1, loss in 2.
    assert_eq!(raw, [255, 3, 3, 6, 255, 0, 0, 0]);
}

#[test]
fn every_edit_of_a_byte_is_refused() {
    let table = solve_all_ways(&Heaps(20)).unwrap().table;
    let good = file(&table);
    for at in 0..good.len() {
        for flip in 1..=255 {
            let mut bytes = good.clone();
            bytes[at] ^= flip;
            assert!(read(&bytes).is_err(), "byte {at} of {} changed by {flip}", good.len());
        }
    }
    for len in 0..good.len() {
        assert!(read(&good[..len]).is_err(), "cut to {len} of {}", good.len());
    }
    assert!(matches!(read(&[&good[..], b"x"].concat()), Err(StoreError::Length { .. })));
    assert!(matches!(
        read(b"GIF89a, which is something else altogether"),
        Err(StoreError::File(BlockError { fault: BlockFault::Title { .. }, .. }))
    ));
}

#[test]
fn a_damaged_block_is_named_and_the_others_can_be_read() {
    let (_, table) = nodes(5_000);
    let mut bytes = file(&table);
    // Three blocks; these are the lengths of the index.
    let index = 36 + 15;
    let len = |block: usize| {
        let at = index + 8 * block;
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    };
    let second = index + 24 + 4 + len(0);
    let middle = second + len(1) / 2;
    bytes[middle] ^= 16;
    let stored = Stored::open(bytes).unwrap();
    assert_eq!(stored.value(2047).unwrap(), table.value(2047));
    let error = stored.value(2048).unwrap_err();
    assert!(error.to_string().starts_with("block 1 (numbers from 2048) is damaged: edited"), "{error}");
    assert_eq!(stored.value(4096).unwrap(), table.value(4096));
    assert!(matches!(stored.table(), Err(StoreError::Block { block: 1, fault: BlockFault::Check { .. } })));
}

#[test]
fn hostile_headers_neither_panic_nor_take_memory() {
    let good = file(&solve_all_ways(&Heaps(20)).unwrap().table);
    for (at, word) in
        [(20, [255; 8]), (20, [0, 0, 0, 0, 0, 0, 0, 16]), (28, [255; 8]), (28, [0, 0, 1, 0, 0, 0, 1, 0])]
    {
        let mut bytes = good.clone();
        bytes[at..at + 8].copy_from_slice(&word);
        let error = read(&bytes).unwrap_err();
        assert!(
            matches!(
                error,
                StoreError::File(BlockError { fault: BlockFault::Cut, .. }) | StoreError::Text { .. }
            ),
            "{error}"
        );
    }
}

fn sum(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// A file with right checks, whatever its content.
fn assembled(entries: u64, texts: [usize; 2], text: &[u8], block: &[u8]) -> Vec<u8> {
    let mut bytes = [&b"stonework endgame 2\n"[..], &entries.to_le_bytes()].concat();
    for len in texts {
        bytes.extend((len as u32).to_le_bytes());
    }
    bytes.extend(text);
    bytes.extend((block.len() as u32).to_le_bytes());
    bytes.extend(sum(block));
    bytes.extend(sum(&bytes));
    bytes.extend(block);
    bytes
}

#[test]
fn right_checks_do_not_make_a_table() {
    let pack = |raw: &[u8]| {
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(raw).unwrap();
        packer.finish().unwrap()
    };
    let table = read(&assembled(2, [1, 1], b"gp", &pack(&[1, 0, 0, 0]))).unwrap();
    assert_eq!((table.value(0), table.value(1)), (Some(Value::Win(0)), Some(Value::Draw)));
    for block in [pack(&[1, 0, 0]), pack(&[0; 5]), vec![255; 40], vec![0; 4900], Vec::new()] {
        let error = read(&assembled(2, [1, 1], b"gp", &block)).unwrap_err();
        assert!(matches!(error, StoreError::Block { block: 0, .. }), "{error}");
    }
    for text in ["é".as_bytes(), &[b'a', 255]] {
        let error = read(&assembled(2, [1, 1], text, &pack(&[0; 4]))).unwrap_err();
        assert!(matches!(error, StoreError::File(BlockError { fault: BlockFault::Encoding, .. })), "{error}");
    }
}

#[test]
fn a_table_of_another_space_is_refused() {
    let table = solve_all_ways(&Heaps(20)).unwrap().table;
    let stored = Stored::open(file(&table)).unwrap();
    let state = Heaps(19).unrank(3).unwrap();
    let error = stored.probe(&Heaps(19), &state).unwrap_err();
    assert_eq!(error.to_string(), "a table of 21 numbers for a space of 20");
    let long = "x".repeat(65_537);
    assert!(matches!(table.write(&long, "", &mut Vec::new()), Err(StoreError::Text { len: 65_537 })));
}

/// One table for many threads, with a cache for all blocks and with a cache for one.
#[test]
fn threads_share_a_table() {
    let (_, table) = nodes(50_000);
    for cache in [usize::MAX, 0] {
        let stored = Stored::with_cache(file(&table), cache).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (stored, table) = (&stored, &table);
                scope.spawn(move || {
                    for i in 0..2_000_u64 {
                        let rank = (i * 7919 + thread * 31_337) % 50_000;
                        assert_eq!(stored.value(rank).unwrap(), table.value(rank), "{rank}");
                    }
                });
            }
        });
    }
}

#[test]
fn parts_are_counted() {
    let (_, table) = nodes(10_000);
    let (whole, parts) =
        (table.statistics(), [0..4_000, 4_000..10_000].map(|part| table.statistics_of(part)));
    assert_eq!(whole.won, parts[0].won + parts[1].won);
    assert_eq!(whole.drawn + whole.lost, parts.iter().map(|part| part.drawn + part.lost).sum());
    assert_eq!(whole.longest_win.map(|(most, _)| most), parts.iter().map(|p| p.longest_win.unwrap().0).max());
    assert_eq!(table.statistics_of(10_000..u64::MAX), Statistics::default());
}
