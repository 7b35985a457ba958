//! How things stand for a seat: the common part of answers about a match.

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1;
use v1::LegalDetail;

use super::state::status_of;
use crate::limits::Limits;
use crate::matches::LiveMatch;
use crate::wire::{self, Refused, Words};

/// What to send along.
#[derive(Copy, Clone, Debug)]
pub(super) struct Want {
    view: bool,
    legal: LegalDetail,
    events: bool,
    words: bool,
}

impl Want {
    /// Reads the field `want`.
    ///
    /// # Errors
    /// INVALID_FIELD for a detail that this server does not know.
    pub(super) fn read(given: Option<&v1::Want>) -> Result<Self, Refused> {
        let given = given.copied().unwrap_or_default();
        let legal = wire::legal::detail(given.legal, LegalDetail::None, "want.legal")?;
        Ok(Self { view: given.view, legal, events: given.events, words: given.words })
    }
}

/// How things stand for `seat`; events after number `after`, if they are wanted.
pub(super) fn of(live: &LiveMatch, seat: Seat, want: Want, after: u64, limits: &Limits) -> v1::Situation {
    let observer = Observer::Seat(seat);
    let mut situation = v1::Situation {
        seq: live.course().length(observer),
        status: status_of(live.course().phase()).into(),
        ..v1::Situation::default()
    };
    let Some(table) = live.table() else { return situation };
    situation.owing = live.owing().contains(seat);
    let words = Words::wanted(table.catalogue(), want.words);
    if want.events {
        situation.events = live.heard().since(observer, after, words).take(limits.message_events).collect();
    }
    if want.view {
        situation.view = Some(wire::view::of(&table.view(observer), words));
    }
    if situation.owing {
        situation.legal = match want.legal {
            LegalDetail::None => None,
            detail => wire::legal::of(table.catalogue(), &table.legal(seat), detail),
        };
    }
    situation
}
