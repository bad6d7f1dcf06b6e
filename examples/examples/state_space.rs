//! The number of positions of Havannah and the size of its game tree: the tables of Ewalds (2012) and of Rogers (2004),
//! computed exactly and checked.
//!
//! T₀ = 3ⁿ counts all fillings of n cells. T₁ counts the fillings in which White has as many stones as Black or one more.
//! T₂ = T₁ / 12 takes the twelve symmetries into account. Ewalds prints T₂ to one digit; all eight figures are the exact
//! figures, rounded. (9.8·10¹²⁶ to one digit is 1·10¹²⁷.) For Hex, with T₁ / 2, the table has the power of ten without its
//! digit. (For an even number of cells the printed formula leaves out the full boards, which changes no digit.)
//!
//! Rogers, Table 6.1, has one level for each cell, and (n + 1) / 2 choices on average if each move fills one of n cells.
//! The 7 for Connect 4 is not this average but the number of columns.
//!
//! ```text
//! $ cargo run -p stonework-examples --example state_space
//! size cells      T0      T1      T2  printed
//!    3    19   1.2e9   2.5e8   2.1e7      2e7
//!    4    37  4.5e17  7.1e16  5.9e15     6e15
//!    5    61  1.3e29  1.6e28  1.3e27     1e27
//!    6    91  2.6e43  2.7e42  2.2e41     2e41
//!    7   127  3.9e60  3.4e59  2.8e58     3e58
//!    8   169  4.3e80  3.2e79  2.7e78     3e78
//!    9   217 3.4e103 2.3e102 1.9e101    2e101
//!   10   271 2.0e129 1.2e128 9.8e126    1e127
//! Hex 8x8: T1/2 = 2.1e29, printed 1e29
//! Hex 11x11: T1/2 = 2.4e56, printed 1e56
//!
//! game          levels branching
//! Tic Tac Toe        9         5
//! Connect 4         42         7
//! Havannah (2)       7         4
//! Havannah (3)      19        10
//! Havannah (5)      61        31
//! Havannah (8)     169        85
//! Havannah (10)    271       136
//! ```

use num_bigint::BigUint;
use stonework_board::Board;

/// T₂ for sizes 3 to 10 as Ewalds prints it: a digit and a power of ten.
const PRINTED: [&str; 8] = ["2e7", "6e15", "1e27", "2e41", "3e58", "3e78", "2e101", "1e127"];

/// The sum over i of C(n,i)·C(n−i,i) + C(n,i+1)·C(n−i−1,i), for i from 0 to (n−1)/2. The second term is the first term times
/// (n−2i)/(i+1), and the first term of the next i is the second term times (n−2i−1)/(i+1).
fn t1(n: u32) -> BigUint {
    let (mut even, mut sum) = (BigUint::from(1_u8), BigUint::ZERO);
    for i in 0..=(n - 1) / 2 {
        let odd = &even * (n - 2 * i) / (i + 1);
        sum += &even + &odd;
        even = odd * (n - 2 * i - 1) / (i + 1);
    }
    sum
}

/// The number rounded to one digit, or to two with a point between them.
fn rounded(number: &BigUint, digits: usize) -> String {
    let power = number.to_string().len() - digits;
    let unit = BigUint::from(10_u8).pow(power as u32);
    let head = ((number + &unit / 2_u8) / unit).to_string();
    // Rounding may add a digit: 9.96 becomes 10.0.
    let power = power + head.len() - 1;
    let point = if digits > 1 { "." } else { "" };
    format!("{}{point}{}e{power}", &head[..1], &head[1..digits])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("size cells      T0      T1      T2  printed");
    for (size, printed) in (3..).zip(PRINTED) {
        let n = Board::hexagon(size)?.len() as u32;
        let (t0, t1) = (BigUint::from(3_u8).pow(n), t1(n));
        let t2 = &t1 / 12_u8;
        assert_eq!(rounded(&t2, 1), printed);
        let [t0, t1, t2] = [t0, t1, t2].map(|t| rounded(&t, 2));
        println!("{size:4}{n:6}{t0:>8}{t1:>8}{t2:>8}{printed:>9}");
    }
    for (size, power) in [(8_u8, "e29"), (11, "e56")] {
        let halved = rounded(&(t1(Board::rhombus(size)?.len() as u32) / 2_u8), 2);
        assert!(halved.ends_with(power), "{halved}");
        println!("Hex {size}x{size}: T1/2 = {halved}, printed 1{power}");
    }

    println!("\ngame          levels branching");
    let filling = |name: &str, cells: u32| (name.to_owned(), cells, (1..=cells).sum::<u32>() / cells);
    let connect_4 = ("Connect 4".to_owned(), 7 * 6, 7);
    let mut rows = vec![(filling("Tic Tac Toe", 3 * 3), (9, 5)), (connect_4, (42, 7))];
    for (size, printed) in [(2, (7, 4)), (3, (19, 10)), (5, (61, 31)), (8, (169, 85)), (10, (271, 136))] {
        rows.push((filling(&format!("Havannah ({size})"), Board::hexagon(size)?.len() as u32), printed));
    }
    for ((name, levels, branching), printed) in rows {
        assert_eq!((levels, branching), printed, "{name}");
        println!("{name:13}{levels:7}{branching:10}");
    }
    Ok(())
}
