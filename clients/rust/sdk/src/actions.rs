//! Actions to be taken ([`Actions`]).

use edgehill_proto::v1::{self, ApplyMode, ActionStructure, ResponseOptions};

/// Actions of a seat, taken as one: all of them or none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Actions {
    pub(crate) actions: v1::Actions,
    pub(crate) expected_seq: Option<u64>,
    pub(crate) keep: Option<u32>,
    pub(crate) mode: ApplyMode,
    pub(crate) want: ResponseOptions,
    pub(crate) request_id: String,
}

impl Actions {
    /// By their ids in the game's action table.
    #[must_use]
    pub fn ids(ids: impl IntoIterator<Item = u32>) -> Self {
        let actions = v1::Actions { ids: ids.into_iter().collect(), ..v1::Actions::default() };
        Self { actions, ..Self::default() }
    }

    /// By verbs and references.
    #[must_use]
    pub fn structures(structures: impl IntoIterator<Item = ActionStructure>) -> Self {
        let actions = v1::Actions { structures: structures.into_iter().collect(), ..v1::Actions::default() };
        Self { actions, ..Self::default() }
    }

    /// By their notations, a word group each.
    #[must_use]
    pub fn notations<S: Into<String>>(notations: impl IntoIterator<Item = S>) -> Self {
        let notations = notations.into_iter().map(Into::into).collect();
        Self { actions: v1::Actions { notations, ..v1::Actions::default() }, ..Self::default() }
    }

    /// By a line in the game's own grammar.
    #[must_use]
    pub fn line(line: impl Into<String>) -> Self {
        Self { actions: v1::Actions { line: line.into(), ..v1::Actions::default() }, ..Self::default() }
    }

    /// Only if the seat has heard nothing after this number of its sequence.
    #[must_use]
    pub const fn expected_seq(mut self, seq: u64) -> Self {
        self.expected_seq = Some(seq);
        self
    }

    /// After the first `keep` actions of the draft, the others being taken back first.
    #[must_use]
    pub const fn keep(mut self, keep: u32) -> Self {
        self.keep = Some(keep);
        self
    }

    /// Up to the first point where something is learnt, in place of refusing a list that goes on after it.
    #[must_use]
    pub const fn until_reveal(mut self) -> Self {
        self.mode = ApplyMode::UntilReveal;
        self
    }

    /// Sets what to send along with the answer of a single call; a [`Play`](crate::Play) session has no use for it.
    #[must_use]
    pub const fn want(mut self, want: ResponseOptions) -> Self {
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
