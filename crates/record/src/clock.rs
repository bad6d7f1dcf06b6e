//! The times that moves took, by the clocks of a record.

use std::time::Duration;

use crate::{NodeId, Tree};

impl Tree {
    /// The time that each move of the main line took, by the clocks of the players. The moves are in the order of the file, also
    /// in a node with a move of each side. `sides` has the properties of the two sides' moves, such as `W` and `B`; the property
    /// with an `L` behind it (`WL`, `BL`) is the time that the side has left after its move, in seconds. The clocks begin with
    /// the property `TM` of the root.
    ///
    /// `None` for a move without a clock, and for a clock that has gone up, as by an increment. O(nodes).
    ///
    /// ```
    /// use std::time::Duration;
    /// use stonework_record::Tree;
    /// let tree = Tree::parse(b"(;TM[60];W[d4]WL[58];B[d5]BL[50.5];W[e5];B[a1]BL[53])")?;
    /// let [two, nine] = [2.0, 9.5].map(Duration::from_secs_f64);
    /// assert_eq!(tree.move_times(["W", "B"]), [Some(two), Some(nine), None, None]);
    /// # Ok::<(), stonework_record::ParseError>(())
    /// ```
    #[must_use]
    pub fn move_times(&self, sides: [&str; 2]) -> Vec<Option<Duration>> {
        let seconds = |node: NodeId, name: &str| {
            let seconds: f64 = self.simple_text(node, name)?.trim().parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        };
        let mut left = [seconds(self.root(), "TM"); 2];
        let mut times = Vec::new();
        for node in self.main_line() {
            // A node may have a move of each side, in the order of its properties.
            for property in self.properties(node) {
                let Some(number) = sides.iter().position(|side| property.is(side)) else { continue };
                let now = seconds(node, &format!("{}L", sides[number]));
                let before = left[number];
                times.push(before.zip(now).and_then(|(before, now)| before.checked_sub(now)));
                left[number] = now.or(before);
            }
        }
        times
    }
}
