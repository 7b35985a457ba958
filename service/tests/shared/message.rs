//! Short forms of messages for tests: what an answer says of its match, batches of actions, records from their parts.

use edgehill_proto::v1;
use tonic::{Response, Status, Streaming};

/// An answer with a match in it.
pub(crate) trait HasMatch {
    /// The match.
    fn whole(&self) -> &v1::Match;

    /// The match's config.
    fn config(&self) -> v1::MatchConfig {
        self.whole().config.clone().expect("a config")
    }

    /// The match's id.
    fn id(&self) -> String {
        self.config().match_id
    }

    /// The match's state.
    fn state(&self) -> v1::MatchState {
        self.whole().state.clone().expect("a state")
    }

    /// The last number of the caller's sequence.
    fn seq(&self) -> u64 {
        self.whole().seq
    }
}

macro_rules! has_match {
    ($($answer:ident),+) => {
        $(impl HasMatch for v1::$answer {
            fn whole(&self) -> &v1::Match {
                self.r#match.as_ref().expect("a match")
            }
        })+
    };
}

has_match!(
    CreateMatchResponse,
    GetMatchResponse,
    GetViewResponse,
    JoinMatchResponse,
    LeaveMatchResponse,
    AbortMatchResponse,
    RevealEntropyResponse,
    RematchMatchResponse,
    PairedSeat,
    OfferDrawResponse,
    DeclineDrawResponse,
    OfferAdjournmentResponse,
    AcceptAdjournmentResponse,
    DeclineAdjournmentResponse,
    ResumeMatchResponse,
    AddMatchTimeResponse,
    ReplaceMatchPlayerResponse,
    VoidMatchResponse,
    CorrectMatchResultResponse,
    AdjournMatchResponse,
    EndAdjournmentResponse
);

impl HasMatch for v1::Match {
    fn whole(&self) -> &v1::Match {
        self
    }
}

impl HasMatch for v1::play_seats_response::Opened {
    fn whole(&self) -> &v1::Match {
        self.r#match.as_ref().expect("a match")
    }
}

/// An answer to a call that takes actions, or takes them back.
pub(crate) trait HasResult {
    /// The result.
    fn result(&self) -> &v1::ApplyResult;
}

impl HasResult for v1::SeatUpdate {
    fn result(&self) -> &v1::ApplyResult {
        self.apply_result.as_ref().expect("a result")
    }
}

impl HasResult for v1::ApplyActionsResponse {
    fn result(&self) -> &v1::ApplyResult {
        self.update.as_ref().expect("an update").result()
    }
}

impl HasResult for v1::UndoActionsResponse {
    fn result(&self) -> &v1::ApplyResult {
        self.update.as_ref().expect("an update").result()
    }
}

/// A request whose batch of actions is changed.
pub(crate) trait HasBatch: Sized {
    /// The same with this batch.
    fn with(self, change: impl FnOnce(&mut v1::ActionBatch)) -> Self;

    /// The same at this number of the seat's sequence.
    fn expecting(self, seq: u64) -> Self {
        self.with(|batch| batch.expected_seq = Some(seq))
    }

    /// The same after so many actions of the draft.
    fn keeping(self, actions: u32) -> Self {
        self.with(|batch| batch.keep_draft_actions = Some(actions))
    }

    /// The same up to where something is revealed.
    fn until_reveal(self) -> Self {
        self.with(|batch| batch.mode = v1::ApplyMode::UntilReveal.into())
    }
}

impl HasBatch for v1::ActionBatch {
    fn with(mut self, change: impl FnOnce(&mut v1::ActionBatch)) -> Self {
        change(&mut self);
        self
    }
}

impl HasBatch for v1::ApplyActionsRequest {
    fn with(mut self, change: impl FnOnce(&mut v1::ActionBatch)) -> Self {
        change(self.batch.get_or_insert_default());
        self
    }
}

/// A list of actions in an encoding.
fn list(encoding: v1::action_list::Encoding) -> v1::ActionList {
    v1::ActionList { encoding: Some(encoding) }
}

/// Actions by notation.
pub(crate) fn notations(notations: &[&str]) -> v1::ActionList {
    let notations = notations.iter().map(|&action| action.to_owned()).collect();
    list(v1::action_list::Encoding::Notations(v1::action_list::Notations { values: notations }))
}

/// Actions by id.
pub(crate) fn ids(ids: &[u32]) -> v1::ActionList {
    list(v1::action_list::Encoding::Ids(v1::action_list::Ids { values: ids.to_vec() }))
}

/// Actions by verb and references.
pub(crate) fn structures(structures: Vec<v1::ActionStructure>) -> v1::ActionList {
    list(v1::action_list::Encoding::Structures(v1::action_list::Structures { values: structures }))
}

/// Actions as a line.
pub(crate) fn line(line: &str) -> v1::ActionList {
    list(v1::action_list::Encoding::Line(line.to_owned()))
}

/// A batch of these actions.
pub(crate) fn batch(actions: v1::ActionList) -> v1::ActionBatch {
    v1::ActionBatch { actions: Some(actions), ..v1::ActionBatch::default() }
}

/// A record, joined from the parts in which it is sent.
pub(crate) async fn exported(
    answer: Result<Response<Streaming<v1::ExportRecordResponse>>, Status>,
) -> Result<v1::ExportRecordResponse, Status> {
    let mut parts = answer?.into_inner();
    let mut record = v1::ExportRecordResponse::default();
    while let Some(part) = parts.message().await? {
        record.text += &part.text;
        record.complete = part.complete;
    }
    Ok(record)
}
