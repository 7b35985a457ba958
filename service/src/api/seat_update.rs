//! The update of a seat: the common part of answers about a match.

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1;
use v1::LegalDetail;

use super::clock;
use super::state::{self, status_of};
use crate::host::{Content, Host};
use crate::matches::LiveMatch;
use crate::wire::{self, Refused};

/// The parts to send along.
#[derive(Copy, Clone, Debug)]
pub(super) struct ResponseOptions {
    view: bool,
    legal: LegalDetail,
    events: bool,
    text: bool,
}

impl ResponseOptions {
    /// Reads the field `response_options`.
    ///
    /// # Errors
    /// INVALID_FIELD for a detail that this server does not know.
    pub(super) fn read(given: Option<&v1::ResponseOptions>) -> Result<Self, Refused> {
        let given = given.copied().unwrap_or_default();
        let legal = wire::legal::detail(given.legal, LegalDetail::None, "response_options.legal")?;
        let (view, events, text) = (given.include_view, given.include_events, given.include_text);
        Ok(Self { view, legal, events, text })
    }
}

/// Returns the update of `seat`, also of a match that can only be read; events after number `after`, if they are wanted.
pub(super) fn of_any(
    content: &Content,
    seat: Seat,
    options: ResponseOptions,
    after: u64,
    host: &Host,
) -> v1::SeatUpdate {
    let observer = Observer::Seat(seat);
    match content {
        Content::Live(live) => of(live, seat, options, after, host),
        Content::Closed(closed) => {
            let events = closed.published().since(observer, after).take(host.limits().message_events);
            let events = events.map(|one| wire::encoder::event(&one, TextMode::OFF));
            v1::SeatUpdate {
                seq: closed.course().length(observer),
                status: state::of(host, content, observer).status,
                events: if options.events { events.collect() } else { Vec::new() },
                view: options.view.then(|| wire::encoder::view_at(closed, observer, u64::MAX)).flatten(),
                ..v1::SeatUpdate::default()
            }
        }
    }
}

/// Returns the update of `seat`; events after number `after`, if they are wanted.
pub(super) fn of(
    live: &LiveMatch,
    seat: Seat,
    options: ResponseOptions,
    after: u64,
    host: &Host,
) -> v1::SeatUpdate {
    let observer = Observer::Seat(seat);
    let mut update = v1::SeatUpdate {
        seq: live.course().length(observer),
        status: status_of(live.course()).into(),
        ..v1::SeatUpdate::default()
    };
    let Some(table) = live.table() else { return update };
    update.to_act = live.to_act().contains(seat);
    let text = TextMode::wanted(table.catalogue(), options.text);
    if options.events {
        let events = live.published().since(observer, after).take(host.limits().message_events);
        update.events = events.map(|one| wire::encoder::event(&one, text)).collect();
    }
    if options.view {
        update.view = Some(messages::view::of(&table.view(observer), text));
    }
    if update.to_act {
        update.time_left = clock::time_left(host, live.course(), seat);
        update.legal_actions = match options.legal {
            LegalDetail::None => None,
            _ if live.course().withheld().legal_actions => None,
            detail => messages::legal::of(table.catalogue(), &table.legal(seat), detail),
        };
    }
    update
}
