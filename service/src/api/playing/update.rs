//! News for a seat ([`News`]), against the updates that it was sent ([`Notified`]).

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1::{self, LegalDetail};

use crate::api::state;
use crate::host::{Content, Host};
use crate::matches::{LiveMatch, MatchError, Phase};
use crate::wire::{self, TextMode};

/// The parts that a client wants in its updates.
#[derive(Copy, Clone, Debug)]
pub(super) struct Wanted {
    pub(super) seat: Seat,
    pub(super) legal: LegalDetail,
    /// The view with each prompt.
    pub(super) view: bool,
    pub(super) events: bool,
    pub(super) text: bool,
    /// The most events of a message.
    pub(super) batch: usize,
}

/// All that a client was sent.
#[derive(Default, Debug)]
pub(super) struct Notified {
    /// The number of the last event that it has.
    seq: u64,
    /// True if the view of the beginning is still to be sent.
    view_due: bool,
    /// The prompt that was sent last, as the number of calls of the seat that had been carried out then. It is outstanding
    /// until there is one more, wherever it came from.
    prompted: Option<u64>,
    /// True if the match is over.
    pub(super) over: bool,
    state: Option<v1::MatchState>,
    /// [`crate::matches::Course::turns`] when the state was looked at last.
    turns: Option<u64>,
}

impl Notified {
    /// A client that has all up to `seq`. `view_due`: and no view to fold later events over.
    pub(super) fn new(seq: u64, view_due: bool) -> Self {
        Self { seq, view_due, ..Self::default() }
    }
}

/// News for a seat.
#[derive(Debug)]
pub(super) struct News {
    /// All of it, with all of the events.
    update: v1::SeatUpdate,
    /// Number of calls of the seat that have been carried out.
    calls: u64,
    turns: u64,
    begun: bool,
    over: bool,
}

impl News {
    /// The news. `answers`: to a call that was accepted, and a prompt goes with the answer, if the seat is to act.
    ///
    /// # Errors
    /// If the match can't be played.
    pub(super) fn of(
        host: &Host,
        content: &Content,
        wanted: Wanted,
        notified: &Notified,
        answers: bool,
    ) -> Result<Self, MatchError> {
        Ok(Self::of_live(host, content.live()?, wanted, notified, answers))
    }

    /// The same, of a match that can be played.
    pub(super) fn of_live(
        host: &Host,
        live: &LiveMatch,
        wanted: Wanted,
        notified: &Notified,
        answers: bool,
    ) -> Self {
        let (turns, over) = (live.course().turns(), live.course().phase() == Phase::Over);
        // The secrets of a match that is over depend on its group, too.
        let looked_at = notified.turns == Some(turns) && !over;
        let now = (!looked_at).then(|| state::of_live(host, live));
        let observer = Observer::Seat(wanted.seat);
        let mut update = v1::SeatUpdate {
            seq: notified.seq,
            status: state::status_of(live.course()).into(),
            state: now.filter(|now| notified.state.as_ref() != Some(now)),
            ..v1::SeatUpdate::default()
        };
        let calls = live.calls_of(wanted.seat);
        let begun = live.table().is_some();
        if let Some(table) = live.table() {
            update.seq = live.course().length(observer);
            update.to_act = live.to_act().contains(wanted.seat);
            let text = TextMode::wanted(table.catalogue(), wanted.text);
            if update.to_act && (answers || notified.prompted != Some(calls)) {
                let legal = wire::legal::of(table.catalogue(), &table.legal(wanted.seat), wanted.legal);
                update.legal_actions = Some(legal.unwrap_or_default());
            }
            if notified.view_due || (wanted.view && update.legal_actions.is_some()) {
                update.view = Some(wire::view::of(&table.view(observer), text));
            }
            if wanted.events && !notified.view_due {
                update.events = live.published().since(observer, notified.seq, text).collect();
            }
        }
        Self { update, calls, turns, begun, over }
    }

    /// Returns whether it is to be sent without having been asked for.
    pub(super) const fn is_due(&self) -> bool {
        self.update.legal_actions.is_some() || self.update.state.is_some()
    }

    /// The messages that tell it, which `notified` counts as sent. What does not fit into the last comes first.
    pub(super) fn messages(
        self,
        apply_result: Option<v1::ApplyResult>,
        batch: usize,
        notified: &mut Notified,
    ) -> Vec<v1::SeatUpdate> {
        let Self { mut update, calls, turns, begun, over } = self;
        if update.legal_actions.is_some() {
            notified.prompted = Some(calls);
        }
        notified.view_due &= !begun;
        notified.over = over;
        notified.seq = update.seq;
        notified.turns = Some(turns);
        if let Some(state) = &update.state {
            notified.state = Some(state.clone());
        }
        let mut messages = Vec::new();
        while update.events.len() > batch {
            let rest = update.events.split_off(batch);
            let events = std::mem::replace(&mut update.events, rest);
            let seq = events.last().map_or(update.seq, |event| event.seq);
            messages.push(v1::SeatUpdate { seq, status: update.status, events, ..v1::SeatUpdate::default() });
        }
        messages.push(v1::SeatUpdate { apply_result, ..update });
        messages
    }
}
