//! The options of a view ([`ViewOptions`]).

use edgehill_proto::v1::{GetViewRequest, Observer};

/// The options of a view. The default is the caller's own view, now, without text.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ViewOptions {
    /// The observer whose view it is; `None`: the caller's own.
    pub observer: Option<Observer>,
    /// The moment, as a number of the observer's sequence; `None`: now. 0: the beginning. Others are refused.
    pub at_seq: Option<u64>,
    /// Sends phrases in words, too.
    pub include_text: bool,
}

impl ViewOptions {
    pub(crate) fn request(self, match_id: &str) -> GetViewRequest {
        GetViewRequest {
            match_id: match_id.to_owned(),
            observer: self.observer,
            at_seq: self.at_seq,
            include_text: self.include_text,
        }
    }
}
