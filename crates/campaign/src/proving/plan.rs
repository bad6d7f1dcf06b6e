//! [`ProofPlan`]: a tree of jobs as the plan of a farm.

use std::collections::HashMap;

use serde_json::{Value, json};
use stonework_farm::{Digest, FarmJob, FarmJobId, FarmPlan};
use stonework_game::text::line_names;
use stonework_game::{Finite, Indexed, Keyed, Outcome, Player, Textual};
use stonework_proof::ImmediateRules;
use stonework_search::{
    ChildFinding, JobChild, JobFinding, JobReport, JobTree, JobTreeOptions, OptionsError, ProofTactics,
    TopError, TopProof,
};

use super::body::{AnswerBody, JobBody, encode, number, numbers};
use super::set::ProofsOfJobs;
use super::{KIND, VERSION};

/// The question of a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofQuestion {
    /// The value of the position: the question if the side to move wins, and after a no the question if its opponent
    /// wins.
    Value,
    /// The value, with the question about this side first, and after a no the question about the other side. The side that is likelier to win
    /// should come first: a first yes ends the campaign without a job or a proof of the other question.
    ValueFrom(Player),
    /// Only the question if this side wins.
    Wins(Player),
}

impl ProofQuestion {
    const fn is_value(self) -> bool {
        matches!(self, Self::Value | Self::ValueFrom(_))
    }
}

/// The answer to "does this side win?", with the proofs that jobs have made for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The side.
    pub who: Player,
    /// The answer.
    pub yes: bool,
}

/// The plan of proving a position. `G` is the form of the game that the tree searches, whose texts are the texts of the
/// game by its rules.
///
/// A position that the tree has dropped, because other moves decided without it, may be met again on another line. It is given
/// out again then, with the same budget as the same job, and each of its decisions counts.
#[derive(Debug)]
pub struct ProofPlan<G: Finite + Keyed, T> {
    game: String,
    root: G,
    pub(super) question: ProofQuestion,
    tactics: T,
    options: JobTreeOptions,
    /// See [`glance`](ProofPlan::glance).
    glance: u64,
    /// See [`share`](ProofPlan::share).
    share: u64,
    /// See [`marked`](ProofPlan::marked).
    mark: u64,
    tree: JobTree<G, T>,
    answered: Vec<Answered>,
    /// The running jobs by their names in the tree.
    running: HashMap<u64, FarmJobId>,
    /// The proofs of each job of the present tree.
    proofs: ProofsOfJobs,
}

impl<G: Finite + Keyed + Textual, T: ProofTactics<G> + Clone> ProofPlan<G, T> {
    /// A plan without an answer.
    ///
    /// # Arguments
    /// * `game` – the name of the game, as proof files have it.
    /// * `tactics` – the tactics of the workers' searches.
    ///
    /// # Errors
    /// An error if an option of the tree is out of its range.
    pub fn new(
        game: impl Into<String>,
        root: G,
        question: ProofQuestion,
        tactics: T,
        options: JobTreeOptions,
    ) -> Result<Self, OptionsError> {
        let who = match question {
            ProofQuestion::Value => root.to_move(),
            ProofQuestion::ValueFrom(player) | ProofQuestion::Wins(player) => player,
        };
        let tree = JobTree::new(root.clone(), who, tactics.clone(), options)?;
        let (answered, running, proofs) = (Vec::new(), HashMap::new(), HashMap::new());
        let (glance, share) = (100, 100);
        let game = game.into();
        let mark = 0;
        Ok(Self {
            game,
            root,
            question,
            tactics,
            options,
            glance,
            share,
            mark,
            tree,
            answered,
            running,
            proofs,
        })
    }

    /// Sets the nodes with which a worker looks at each move of a position that stays open; 0 for no looks. 100 unless set.
    /// Without the looks the moves that the search has not reached have estimates, and get whole jobs in vain.
    #[must_use]
    pub const fn glance(mut self, nodes: u64) -> Self {
        self.glance = nodes;
        self
    }

    /// Sets the least nodes below a position whose numbers the workers tell each other; 0 for none. 100 unless set, which
    /// is 7 entries of 16 bytes for 1000 nodes; a larger farm wants a larger number.
    #[must_use]
    pub const fn share(mut self, nodes: u64) -> Self {
        self.share = nodes;
        self
    }

    /// Sets a number by which the jobs of this plan differ from the jobs of another plan about the same position; 0 unless
    /// set.
    pub(super) const fn marked(mut self, mark: u64) -> Self {
        self.mark = mark;
        self
    }

    /// The answers so far.
    #[must_use]
    pub fn answers(&self) -> &[Answered] {
        &self.answered
    }

    /// The value of the position, once it follows from the answers.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match &self.answered[..] {
            [Answered { who, yes: true }] | [_, Answered { who, yes: true }] => Some(Outcome::Win(*who)),
            [Answered { yes: false, .. }, Answered { yes: false, .. }] => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// The proof of the last answer above the positions that jobs have shown, and for each of these positions the
    /// digests of its job's proofs, one of which is about the position.
    ///
    /// # Errors
    /// See [`JobTree::top`].
    pub fn top<R: ImmediateRules<G>>(
        &mut self,
        rules: &R,
    ) -> Result<(TopProof<G>, Vec<Vec<Digest>>), TopError>
    where
        G: Indexed,
    {
        let top = self.tree.top(rules)?;
        // The file that is about the position itself, or else all files of the job: the position may have another frame.
        let of = |leaf: &stonework_search::ShownLeaf<G>| -> Vec<Digest> {
            let proofs = self.proofs.get(&leaf.job.0).map_or(&[][..], Vec::as_slice);
            let key = leaf.position.key();
            let own = proofs.iter().filter(|(of, _)| *of == key).map(|(_, digest)| *digest).next_back();
            own.map_or_else(|| proofs.iter().map(|(_, digest)| *digest).collect(), |digest| vec![digest])
        };
        let digests = top.leaves.iter().map(of).collect();
        Ok((top, digests))
    }

    /// Goes on to the next question when one is answered.
    fn settle(&mut self) {
        let Some(yes) = self.tree.value() else { return };
        let who = self.tree.who();
        if self.answered.last().is_some_and(|last| last.who == who) {
            return;
        }
        self.answered.push(Answered { who, yes });
        if self.question.is_value() && !yes && self.answered.len() == 1 {
            let next = JobTree::new(self.root.clone(), who.other(), self.tactics.clone(), self.options);
            // The options were in their range before.
            if let Ok(mut next) = next {
                next.follow(&self.tree);
                self.tree = next;
                self.running.clear();
                self.proofs.clear();
                self.settle();
            }
        }
    }

    /// The game, as proof files name it.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The position.
    #[must_use]
    pub const fn root(&self) -> &G {
        &self.root
    }

    /// An answer in the words of the tree. Its proofs are kept by name.
    fn finding(&mut self, job: &JobBody, answer: AnswerBody) -> Option<JobFinding<G::Move>> {
        let position = G::parse_position(&job.position).ok()?;
        let mut proofs = Vec::new();
        let finding = match answer {
            AnswerBody::Shown { yes, proof, .. } => {
                proofs.push((position.key(), proof));
                JobFinding::Shown(yes)
            }
            AnswerBody::Open { numbers: own, moves, .. } => {
                let mut children = Vec::new();
                for body in moves {
                    let Ok(mv) = position.parse_move(&body.mv) else { continue };
                    let decided = numbers(body.numbers).decided();
                    let finding = match (decided, body.proof) {
                        (Some(yes), Some(proof)) => {
                            let mut after = position.clone();
                            if after.play(mv).is_ok() {
                                proofs.push((after.key(), proof));
                            }
                            ChildFinding::Shown(yes)
                        }
                        _ => ChildFinding::Numbers(numbers(body.numbers)),
                    };
                    children.push(JobChild { mv, finding });
                }
                JobFinding::Open { numbers: numbers(own), children }
            }
        };
        if !proofs.is_empty() {
            self.proofs.entry(job.tree ^ self.mark).or_default().extend(proofs);
        }
        Some(finding)
    }
}

impl<G: Finite + Keyed + Textual, T: ProofTactics<G> + Clone> FarmPlan for ProofPlan<G, T> {
    fn identity(&self) -> String {
        let Self { game, root, question, options, glance, share, .. } = self;
        let root = root.position_text();
        format!(
            "{KIND} {VERSION}: {game}, {question:?} of {root}, {options:?}, looks {glance}, entries {share}"
        )
    }

    fn next(&mut self) -> Option<FarmJob> {
        self.settle();
        if self.is_over() {
            return None;
        }
        let job = self.tree.next()?;
        let body = JobBody {
            game: self.game.clone(),
            position: job.position.position_text(),
            who: number(job.who),
            nodes: job.nodes,
            moves: job.wants_moves,
            glance: self.glance,
            share: self.share,
            tree: job.id.0 ^ self.mark,
        };
        let offered = FarmJob::new(KIND, VERSION, encode(&body)).ok()?;
        self.running.insert(job.id.0, offered.id());
        Some(offered)
    }

    fn take(&mut self, job: &FarmJob, answer: &[u8]) -> Vec<FarmJobId> {
        let (Ok(body), Ok(answer)) =
            (serde_json::from_slice::<JobBody>(job.body()), serde_json::from_slice::<AnswerBody>(answer))
        else {
            return Vec::new();
        };
        let id = body.tree ^ self.mark;
        if self.running.get(&id) != Some(&job.id()) {
            return Vec::new();
        }
        self.running.remove(&id);
        let nodes = answer.spent(&body);
        let finding = self.finding(&body, answer).unwrap_or(JobFinding::Failed);
        let report = JobReport { nodes, finding };
        let needless = self.tree.report(stonework_search::TreeJobId(id), report);
        let mut ids: Vec<FarmJobId> = needless.iter().filter_map(|id| self.running.remove(&id.0)).collect();
        if self.tree.value().is_some() {
            ids.extend(self.running.drain().map(|(_, id)| id));
        }
        self.settle();
        ids
    }

    fn is_over(&self) -> bool {
        match self.question {
            ProofQuestion::Value | ProofQuestion::ValueFrom(_) => self.outcome().is_some(),
            ProofQuestion::Wins(_) => self.tree.value().is_some(),
        }
    }

    fn progress(&self) -> Value {
        let numbers = self.tree.numbers();
        let counts = self.tree.counts();
        let mut line = self.tree.line();
        line.truncate(12);
        let line = line_names(&self.root, &line, G::move_text);
        json!({
            "question": format!("does {} win", if self.tree.who() == Player::First { "first" } else { "second" }),
            "proof": numbers.proof,
            "disproof": numbers.disproof,
            "line": line,
            "positions": counts.positions,
            "shown": counts.shown,
            "tree_bytes": counts.bytes,
            "answers": self.answered.iter().map(|answer| json!({"who": number(answer.who), "yes": answer.yes})).collect::<Vec<_>>(),
        })
    }
}
