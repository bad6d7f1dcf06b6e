//! The choice of the child that a simulation goes to.
//!
//! A comparison of all children at every step would be most of a simulation's time, so [`Caches`] save most
//! comparisons. Each cache uses the result of the last full comparison for a while:
//!
//! 1. *Favourite*: the best child is taken again, without a comparison, for a share of its visits
//!    ([`MctsOptions::revisit`](super::MctsOptions::revisit)). With one thread it is stored in the node; with
//!    several threads, each thread has its own favourite; otherwise all threads would take the same path.
//! 2. *Short list*: of a node with [`MANY`] children or more, the [`LISTED`] best are compared, [`USES`] times,
//!    and with them the highest score that is not listed. Scores of plain UCT on a tree depend only on the child's
//!    own visits (`lasting`), so that only the child that was last taken is read again.
//! 3. *Untried*: where untried children come last and have the same or falling scores (`ordered`), the comparison
//!    ends at the first untried child.
//!
//! A short list belongs to the first child's slot (`link`), so lists are dropped when nodes move.

use super::Shared;
use super::node::{Meta, Node};
use super::options::{Lists, Rave};
use crate::outcomes::Outcomes;

/// The layout of a favourite: the high 16 bits are the remaining uses, the low 16 bits the index of the child.
const ONCE: u32 = 1 << 16;
/// The most uses of a favourite, so that the highest bit of the word stays free for [`Node::value`].
const MOST_USES: u32 = 0x7fff;
/// The least number of children for which a short list saves more than it costs.
const MANY: usize = 16;
/// The number of children on a short list.
const LISTED: usize = 8;
/// The number of uses of a short list between two full comparisons: scores that are not on the list change little.
const USES: u8 = 12;
/// The most short lists of a thread.
const LISTS: usize = 1024;

/// The best children of a node at the last full comparison. A simulation changes the score of the child that it
/// went to and hardly any other, so for a while only these children need to be compared.
#[derive(Clone, Copy)]
struct ShortList {
    /// The slot of the first child, by which the node is recognised.
    link: u32,
    /// The highest score that is not listed.
    floor: f32,
    picks: [u16; LISTED],
    /// The first parts of the picks' scores, as last read.
    bases: [f32; LISTED],
    narrows: [f32; LISTED],
    /// The place of the pick that was last taken; [`LISTED`] if nothing was read yet.
    last: u8,
    left: u8,
}

impl ShortList {
    const EMPTY: Self = Self {
        link: 0,
        floor: 0.0,
        picks: [0; LISTED],
        bases: [0.0; LISTED],
        narrows: [0.0; LISTED],
        last: LISTED as u8,
        left: 0,
    };

    /// The best pick; `None` if a child that is not listed may be better.
    #[inline]
    fn pick(&mut self, among: &Comparison<'_>, score: &impl Score) -> Option<usize> {
        self.left -= 1;
        let last = usize::from(self.last);
        let stale = if among.lasting && last < LISTED { last..last + 1 } else { 0..LISTED };
        for at in stale {
            let Some(kid) = among.kids.get(usize::from(self.picks[at])) else { continue };
            let Parts { base, narrow } = score.parts(kid);
            (self.bases[at], self.narrows[at]) = (base, narrow);
        }
        let mut scores = [0.0; LISTED];
        for (score, (&base, &narrow)) in scores.iter_mut().zip(self.bases.iter().zip(&self.narrows)) {
            *score = Parts { base, narrow }.score(among.spread);
        }
        loop {
            let (mut best, mut highest) = (LISTED, self.floor);
            for (at, &score) in scores.iter().enumerate() {
                if score >= highest {
                    (best, highest) = (at, score);
                }
            }
            let pick = usize::from(*self.picks.get(best)?);
            if among.kids.get(pick).is_some_and(|kid| kid.meta().set().meets(among.want)) {
                self.last = best as u8;
                return Some(pick);
            }
            // A NaN is not at least as high as any score.
            scores[best] = f32::NAN;
        }
    }
}

/// The caches of one thread, for the nodes that the thread has visited last: short lists and, if several threads
/// search, the favourites of these nodes. A favourite that threads share would lead all threads to the same nodes,
/// where they would wait for each other's cache lines.
pub(super) struct Caches {
    lists: Vec<ShortList>,
    /// The first child's slot and a favourite, in the layout of a [`Node`].
    favourites: Vec<(u32, u32)>,
}

impl Caches {
    /// Short lists whose memory is small beside a tree of this many nodes.
    pub(super) fn new(nodes: usize) -> Self {
        let lists = (nodes / 256).clamp(1, LISTS);
        Self { lists: vec![ShortList::EMPTY; lists], favourites: vec![(0, 0); lists] }
    }

    /// Empties the caches, since nodes have moved.
    pub(super) fn clear(&mut self) {
        self.lists.iter_mut().for_each(|list| list.left = 0);
        self.favourites.fill((0, 0));
    }

    /// The child to try next, after `visits` visits of the position; `None` if no child can improve on the proven bound.
    #[inline]
    pub(super) fn select(
        &mut self,
        shared: &Shared<'_>,
        node: &Node,
        meta: Meta,
        visits: u32,
        kids: &[Node],
    ) -> Option<usize> {
        // The outcomes that would improve on the proven bound: a child must still be able to reach one of them.
        let want = meta.set().improvements(meta.side());
        if let [kid] = kids {
            return kid.meta().set().meets(want).then_some(0);
        }
        let favourite = self.favourite(node, shared.threaded);
        if favourite >= ONCE {
            let index = (favourite & (ONCE - 1)) as usize;
            if kids.get(index).is_some_and(|kid| kid.meta().set().meets(want)) {
                self.set_favourite(node, favourite - ONCE, shared.threaded);
                return Some(index);
            }
        }
        self.elect(shared, node, visits, want, kids)
    }

    /// Compares the children and notes the best one as the favourite.
    #[inline(never)]
    fn elect(
        &mut self,
        shared: &Shared<'_>,
        node: &Node,
        visits: u32,
        want: Outcomes,
        kids: &[Node],
    ) -> Option<usize> {
        let best = self.compare(shared, node, visits, want, kids)?;
        let visits = kids[best].tally().visits();
        let times = (shared.options.revisit * visits as f32) as u32;
        if times > 0 {
            self.set_favourite(node, times.min(MOST_USES) * ONCE + best as u32, shared.threaded);
        }
        Some(best)
    }

    /// The child with the highest score among the children that can still reach a wanted outcome.
    #[inline]
    fn compare(
        &mut self,
        shared: &Shared<'_>,
        node: &Node,
        visits: u32,
        want: Outcomes,
        kids: &[Node],
    ) -> Option<usize> {
        let options = shared.options;
        let width = match options.widening {
            None => u32::MAX,
            Some(w) => w.start.saturating_add((w.factor * (visits as f32).powf(w.power)) as u32),
        };
        if options.puct > 0.0 {
            return puct(options.puct, options.unvisited_loss, visits, want, width, kids);
        }
        let parts = shared.lists;
        let spread = parts.spread(visits);
        let (first_play, bias) = (options.first_play, options.bias);
        let plain = options.rave.is_none();
        let lasting = plain && shared.arena.heads() == 0;
        // With a negative bias the scores of untried children rise from the first one to the last one.
        let ordered = plain && bias >= 0.0;
        let comparison = Comparison { kids, link: node.link(), want, width, ordered, lasting, spread };
        let scores = Scores { parts, first_play, bias };
        match options.rave {
            None => {
                // If no score can be as high as that of an untried move, take the first untried one.
                if first_play > 1.0 + spread
                    && bias == 0.0
                    && width == u32::MAX
                    && let Some(next) = untried(node, kids)
                    && kids[next].meta().set().meets(want)
                {
                    return Some(next);
                }
                self.best(&comparison, &UctScore(scores))
            }
            Some(Rave::Schedule(_)) => {
                let share = |n: u32, _: u32| parts.amaf(n);
                self.best(&comparison, &RaveScore { scores, share })
            }
            Some(Rave::LeastError(b)) => {
                let share = |n: u32, m: u32| {
                    let (n, m) = (n as f32, m as f32);
                    m / (n + m + 4.0 * n * m * b * b)
                };
                self.best(&comparison, &RaveScore { scores, share })
            }
        }
    }

    /// The best child, from the short list of the node or by a full comparison.
    #[inline]
    fn best(&mut self, comparison: &Comparison<'_>, score: &impl Score) -> Option<usize> {
        if comparison.kids.len() < MANY {
            let (mut best, mut highest) = (None, f32::NEG_INFINITY);
            comparison.scan(score, |index, score| {
                if score > highest || best.is_none() {
                    (best, highest) = (Some(index), score);
                }
            });
            return best;
        }
        let (link, index) = (comparison.link, self.index(comparison.link));
        let list = &mut self.lists[index];
        if list.link == link
            && list.left > 0
            && let Some(best) = list.pick(comparison, score)
        {
            return Some(best);
        }
        let mut top = [(f32::NEG_INFINITY, 0_u16); LISTED + 1];
        let (mut counted, mut first) = (0, None);
        comparison.scan(score, |index, score| {
            counted += 1;
            first = first.or(Some(index));
            if score > top[LISTED].0 {
                let mut at = LISTED;
                while at > 0 && top[at - 1].0 < score {
                    top[at] = top[at - 1];
                    at -= 1;
                }
                top[at] = (score, index as u16);
            }
        });
        *list = ShortList { link, floor: top[LISTED].0, ..ShortList::EMPTY };
        list.left = if counted > LISTED { USES } else { 0 };
        for (pick, (_, index)) in list.picks.iter_mut().zip(top) {
            *pick = index;
        }
        // Scores that are no numbers, or not above −∞, are not among the top ones.
        if top[0].0 > f32::NEG_INFINITY { Some(top[0].1.into()) } else { first }
    }

    #[inline]
    fn index(&self, link: u32) -> usize {
        let scattered = u64::from(link.wrapping_mul(0x9e37_79b9));
        ((scattered * self.lists.len() as u64) >> 32) as usize
    }

    #[inline]
    fn favourite(&self, node: &Node, threaded: bool) -> u32 {
        if !threaded {
            return node.favourite();
        }
        let link = node.link();
        let (owner, favourite) = self.favourites[self.index(link)];
        if owner == link { favourite } else { 0 }
    }

    #[inline]
    fn set_favourite(&mut self, node: &Node, to: u32, threaded: bool) {
        if threaded {
            let index = self.index(node.link());
            self.favourites[index] = (node.link(), to);
        } else {
            node.set_favourite(to);
        }
    }
}

/// The child with the highest score by PUCT among the children that can still reach a wanted outcome:
/// [`puct`](super::MctsOptions::puct), [`unvisited_loss`](super::MctsOptions::unvisited_loss). All children are compared at each visit, as
/// this search is one whose evaluator takes longer than that.
fn puct(weight: f32, loss: f32, visits: u32, want: Outcomes, width: u32, kids: &[Node]) -> Option<usize> {
    let (mut tried, mut sum, mut known) = (0, 0.0, 0.0);
    for kid in kids {
        let tally = kid.tally();
        if tally.visits() > 0 {
            (tried, sum) = (tried + tally.visits(), sum + tally.sum());
            known += kid.meta().chance();
        }
    }
    let mean = if tried == 0 { 0.5 } else { sum / tried as f32 };
    let first = mean - loss * known.sqrt();
    let weight = weight * (visits.max(1) as f32).sqrt();
    let (mut best, mut highest) = (None, f32::NEG_INFINITY);
    let open = kids.iter().enumerate().filter(|(_, kid)| kid.meta().set().meets(want));
    for (index, kid) in open.take(width as usize) {
        let (tally, chance) = (kid.tally(), kid.meta().chance());
        let n = tally.visits();
        let base = if n == 0 { first } else { tally.sum() / n as f32 };
        let score = base + weight * chance / (n as f32 + 1.0);
        if score > highest || best.is_none() {
            (best, highest) = (Some(index), score);
        }
    }
    best
}

/// The first untried child, for children that are tried in order. The index to look at is noted in the node's word
/// for the favourite, which is not in use yet: a binary search would wait for memory at each of its steps.
#[inline]
fn untried(node: &Node, kids: &[Node]) -> Option<usize> {
    let fresh = |index: &usize| kids.get(*index).is_some_and(|kid| kid.tally().visits() == 0);
    let noted = (node.favourite() & (ONCE - 1)) as usize;
    let next = if fresh(&noted) {
        noted
    } else if fresh(&(kids.len() - 1)) {
        (noted..kids.len()).find(fresh)?
    } else {
        return None;
    };
    node.set_favourite(next as u32 + 1);
    Some(next)
}

/// A comparison of children by their scores.
struct Comparison<'a> {
    kids: &'a [Node],
    /// The first child's slot.
    link: u32,
    /// The outcomes of which a child must still be able to reach one.
    want: Outcomes,
    /// The most children that are compared.
    width: u32,
    /// `true` if untried children come last and have the same or falling scores.
    ordered: bool,
    /// `true` if scores depend only on the child's own visits (plain UCT on a tree), so that cached parts stay
    /// valid until the next full comparison.
    lasting: bool,
    /// √(ln N) times the exploration constant.
    spread: f32,
}

impl Comparison<'_> {
    /// Calls `each` with index and score of every child that is compared.
    #[inline]
    fn scan(&self, score: &impl Score, mut each: impl FnMut(usize, f32)) {
        let mut left = self.width;
        for (index, kid) in self.kids.iter().enumerate() {
            if !kid.meta().set().meets(self.want) {
                continue;
            }
            each(index, score.parts(kid).score(self.spread));
            left -= 1;
            if left == 0 || self.ordered && kid.tally().visits() == 0 {
                break;
            }
        }
    }
}

/// The parts of the score of a child.
struct Parts {
    /// The mean result, mixed with RAVE and priors.
    base: f32,
    /// The factor of the exploration bonus.
    narrow: f32,
}

impl Parts {
    #[inline]
    fn score(&self, spread: f32) -> f32 {
        self.base + spread * self.narrow
    }
}

/// A formula of the score of a child.
trait Score {
    fn parts(&self, kid: &Node) -> Parts;
}

/// UCT: the score by the visits of the child.
struct UctScore<'a>(Scores<'a>);

#[expect(clippy::inline_always, reason = "for each child: a call would cost as much as the work")]
impl Score for UctScore<'_> {
    #[inline(always)]
    fn parts(&self, kid: &Node) -> Parts {
        let tried = kid.tally();
        let n = tried.visits();
        let (base, narrow) =
            if n == 0 { (self.0.first_play, 0.0) } else { (tried.sum() / n as f32, self.0.parts.narrow(n)) };
        Parts { base: base + self.0.prior(kid, n), narrow }
    }
}

/// RAVE: the score by the visits of the child and by its AMAF results, whose share depends on both counts.
struct RaveScore<'a, Share> {
    scores: Scores<'a>,
    share: Share,
}

#[expect(clippy::inline_always, reason = "for each child: a call would cost as much as the work")]
impl<Share: Fn(u32, u32) -> f32> Score for RaveScore<'_, Share> {
    #[inline(always)]
    fn parts(&self, kid: &Node) -> Parts {
        let (tried, amaf) = (kid.tally(), kid.amaf());
        let (n, m) = (tried.visits(), amaf.visits());
        let base = match (n, m) {
            (0, 0) => self.scores.first_play,
            (0, _) => amaf.sum() / m as f32,
            (_, 0) => tried.sum() / n as f32,
            _ => {
                let (tried, amaf) = (tried.sum() / n as f32, amaf.sum() / m as f32);
                tried + (self.share)(n, m) * (amaf - tried)
            }
        };
        Parts { base: base + self.scores.prior(kid, n), narrow: self.scores.parts.narrow(n) }
    }
}

/// The constants of all scores.
struct Scores<'a> {
    parts: &'a Lists,
    first_play: f32,
    /// The weight of priors.
    bias: f32,
}

impl Scores<'_> {
    /// The score that the prior adds. The prior is read only if it counts.
    #[inline]
    fn prior(&self, kid: &Node, visits: u32) -> f32 {
        if self.bias == 0.0 { 0.0 } else { self.bias * kid.meta().prior() / (visits as f32 + 1.0) }
    }
}
