//! The situation of a seat: the common part of answers about a match.

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1;
use v1::LegalDetail;

use super::state::status_of;
use crate::limits::Limits;
use crate::matches::LiveMatch;
use crate::wire::{self, Refused, TextMode};

/// The parts to send along.
#[derive(Copy, Clone, Debug)]
pub(super) struct ResponseOptions {
    view: bool,
    legal: LegalDetail,
    events: bool,
    words: bool,
}

impl ResponseOptions {
    /// Reads the field `want`.
    ///
    /// # Errors
    /// INVALID_FIELD for a detail that this server does not know.
    pub(super) fn read(given: Option<&v1::ResponseOptions>) -> Result<Self, Refused> {
        let given = given.copied().unwrap_or_default();
        let legal = wire::legal::detail(given.legal, LegalDetail::None, "want.legal")?;
        Ok(Self { view: given.view, legal, events: given.events, words: given.words })
    }
}

/// Returns the situation of `seat`; events after number `after`, if they are wanted.
pub(super) fn of(live: &LiveMatch, seat: Seat, want: ResponseOptions, after: u64, limits: &Limits) -> v1::SeatUpdate {
    let observer = Observer::Seat(seat);
    let mut situation = v1::SeatUpdate {
        seq: live.course().length(observer),
        status: status_of(live.course().phase()).into(),
        ..v1::SeatUpdate::default()
    };
    let Some(table) = live.table() else { return situation };
    situation.to_act = live.to_act().contains(seat);
    let words = TextMode::wanted(table.catalogue(), want.words);
    if want.events {
        situation.events = live.published().since(observer, after, words).take(limits.message_events).collect();
    }
    if want.view {
        situation.view = Some(wire::view::of(&table.view(observer), words));
    }
    if situation.to_act {
        situation.legal = match want.legal {
            LegalDetail::None => None,
            detail => wire::legal::of(table.catalogue(), &table.legal(seat), detail),
        };
    }
    situation
}
