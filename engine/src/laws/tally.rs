//! Counts of what was checked: a law that was never put to the test has not been kept ([`Tally`]).

use std::fmt;

use crate::view::TurnState;

use super::{Law, Laws, NodesByTurn};

/// Counts of what was checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Runs that were finished.
    pub runs: u64,
    /// Those of them that came to the end of the match.
    pub over: u64,
    /// Calls made.
    pub calls: u64,
    /// Nodes looked at.
    pub nodes: u64,
    /// The greatest number of actions and outcomes of a match.
    pub longest: u64,
    /// Nodes looked at by the turn, in runs of which it is known what counts their turns.
    pub turns: NodesByTurn,
    /// The names of the procedures that were under way where most were, outermost first.
    pub deepest: Vec<&'static str>,
    /// The most things that were owed at once.
    pub owed: usize,
    checked: [u64; Law::ALL.len()],
}

impl Tally {
    /// Returns how often `law` was put to the test. For laws about pairs of states: pairs of different ones.
    #[must_use]
    pub const fn of(&self, law: Law) -> u64 {
        self.checked[law as usize]
    }

    /// Those of `laws` that were never put to the test.
    pub fn untried(&self, laws: Laws) -> impl Iterator<Item = Law> {
        laws.iter().filter(|&law| self.of(law) == 0)
    }

    pub(super) const fn count(&mut self, law: Law, times: u64) {
        self.checked[law as usize] += times;
    }

    /// Notes how deep the procedures of a node nest, and how much is owed there.
    pub(super) fn look_at(&mut self, node: &TurnState) {
        if node.procedures.len() > self.deepest.len() {
            self.deepest = node.procedures.iter().map(|procedure| procedure.frame).collect();
        }
        self.owed = self.owed.max(node.entitlements.len());
    }

    /// Adds what another run checked.
    pub fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.over += other.over;
        self.calls += other.calls;
        self.nodes += other.nodes;
        self.longest = self.longest.max(other.longest);
        self.turns.add(&other.turns);
        if other.deepest.len() > self.deepest.len() {
            self.deepest.clone_from(&other.deepest);
        }
        self.owed = self.owed.max(other.owed);
        for (mine, theirs) in self.checked.iter_mut().zip(&other.checked) {
            *mine += theirs;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, over, calls, nodes, longest, deepest, owed, .. } = self;
        write!(f, "{runs} runs ({over} to the end), {calls} calls, {nodes} nodes, longest match {longest}")?;
        write!(f, ", deepest {} ({}), at most {owed} owed", deepest.len(), deepest.join(" > "))?;
        for law in Law::ALL.into_iter().filter(|&law| self.of(law) > 0) {
            write!(f, "; {law} {}", self.of(law))?;
        }
        Ok(())
    }
}
