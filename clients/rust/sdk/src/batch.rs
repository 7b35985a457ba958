//! Actions to be taken ([`Batch`]).

use edgehill_proto::v1::action_list::{Encoding, Ids, Notations, Structures};
use edgehill_proto::v1::{ActionBatch, ActionList, ActionStructure, ApplyMode, ResponseOptions};

/// Actions of a seat, taken as one: all of them or none.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    pub(crate) batch: ActionBatch,
    pub(crate) response_options: ResponseOptions,
    pub(crate) request_id: String,
}

impl Batch {
    /// By their ids in the game's action table.
    #[must_use]
    pub fn ids(ids: impl IntoIterator<Item = u32>) -> Self {
        Self::of(Encoding::Ids(Ids { values: ids.into_iter().collect() }))
    }

    /// By verbs and references.
    #[must_use]
    pub fn structures(structures: impl IntoIterator<Item = ActionStructure>) -> Self {
        Self::of(Encoding::Structures(Structures { values: structures.into_iter().collect() }))
    }

    /// By their notations, a word group each.
    #[must_use]
    pub fn notations<S: Into<String>>(notations: impl IntoIterator<Item = S>) -> Self {
        let notations = notations.into_iter().map(Into::into).collect();
        Self::of(Encoding::Notations(Notations { values: notations }))
    }

    /// By a line in the game's own grammar.
    #[must_use]
    pub fn line(line: impl Into<String>) -> Self {
        Self::of(Encoding::Line(line.into()))
    }

    /// Only if nothing was published to the seat after this number of its sequence.
    #[must_use]
    pub const fn expected_seq(mut self, seq: u64) -> Self {
        self.batch.expected_seq = Some(seq);
        self
    }

    /// After the first `keep` actions of the draft, the others being taken back first.
    #[must_use]
    pub const fn keep_draft_actions(mut self, keep: u32) -> Self {
        self.batch.keep_draft_actions = Some(keep);
        self
    }

    /// Up to the first point where something is revealed, in place of refusing a list that goes on after it.
    #[must_use]
    pub const fn until_reveal(mut self) -> Self {
        self.batch.mode = ApplyMode::UntilReveal as i32;
        self
    }

    /// Sets the parts to send along with the answer of a single call; a [`PlaySession`](crate::PlaySession) has no use for
    /// them.
    #[must_use]
    pub const fn response_options(mut self, options: ResponseOptions) -> Self {
        self.response_options = options;
        self
    }

    /// Under a request id of the caller's own. Without one the client makes it.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request_id = id.into();
        self
    }

    fn of(encoding: Encoding) -> Self {
        let actions = Some(ActionList { encoding: Some(encoding) });
        let batch = ActionBatch { actions, mode: ApplyMode::Atomic.into(), ..ActionBatch::default() };
        Self { batch, response_options: ResponseOptions::default(), request_id: String::new() }
    }
}
