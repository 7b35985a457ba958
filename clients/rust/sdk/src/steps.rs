//! Steps to be taken ([`Steps`]).

use edgehill_proto::v1::{self, ListMode, StepStructure, Want};

/// Steps of a seat, taken as one: all of them or none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Steps {
    pub(crate) steps: v1::Steps,
    pub(crate) expected_seq: Option<u64>,
    pub(crate) keep: Option<u32>,
    pub(crate) mode: ListMode,
    pub(crate) want: Want,
    pub(crate) request_id: String,
}

impl Steps {
    /// By their ids in the game's step table.
    #[must_use]
    pub fn ids(ids: impl IntoIterator<Item = u32>) -> Self {
        let steps = v1::Steps { ids: ids.into_iter().collect(), ..v1::Steps::default() };
        Self { steps, ..Self::default() }
    }

    /// By verbs and references.
    #[must_use]
    pub fn structures(structures: impl IntoIterator<Item = StepStructure>) -> Self {
        let steps = v1::Steps { structures: structures.into_iter().collect(), ..v1::Steps::default() };
        Self { steps, ..Self::default() }
    }

    /// By their notations, a word group each.
    #[must_use]
    pub fn notations<S: Into<String>>(notations: impl IntoIterator<Item = S>) -> Self {
        let notations = notations.into_iter().map(Into::into).collect();
        Self { steps: v1::Steps { notations, ..v1::Steps::default() }, ..Self::default() }
    }

    /// By a line in the game's own grammar.
    #[must_use]
    pub fn line(line: impl Into<String>) -> Self {
        Self { steps: v1::Steps { line: line.into(), ..v1::Steps::default() }, ..Self::default() }
    }

    /// Only if the seat has heard nothing after this number of its sequence.
    #[must_use]
    pub const fn expected_seq(mut self, seq: u64) -> Self {
        self.expected_seq = Some(seq);
        self
    }

    /// After the first `keep` steps of the draft, the others being taken back first.
    #[must_use]
    pub const fn keep(mut self, keep: u32) -> Self {
        self.keep = Some(keep);
        self
    }

    /// Up to the first point where something is learnt, in place of refusing a list that goes on after it.
    #[must_use]
    pub const fn until_reveal(mut self) -> Self {
        self.mode = ListMode::UntilReveal;
        self
    }

    /// What to send along with the answer of a single call; a [`Play`](crate::Play) session has no use for it.
    #[must_use]
    pub const fn want(mut self, want: Want) -> Self {
        self.want = want;
        self
    }

    /// Under a request id of the caller's own. Without one the client makes it.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request_id = id.into();
        self
    }
}
