//! News for a seat ([`News`]), against the updates that it was sent ([`Notified`]).

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1::{self, LegalDetail};
use prost::Message;

use crate::api::{clock, state};
use crate::host::{Content, Host};
use crate::matches::{LiveMatch, MatchError, Phase};
use crate::wire;

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
    pub(super) seq: u64,
    /// True if the view of the beginning is still to be sent.
    view_due: bool,
    /// The prompt that was sent last, by its number ([`LiveMatch::prompt_of`]). It is outstanding until there is another one: until a
    /// call of the seat was executed, wherever it came from, or an adjournment has ended.
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

/// News for a seat, as far as one message has it.
#[derive(Debug)]
pub(super) struct News {
    update: v1::SeatUpdate,
    /// True if there are more events than go into it: what they lead to is sent with the last of them.
    more: bool,
    is_due: bool,
    /// [`LiveMatch::prompt_of`] of the seat.
    prompt: u64,
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
        let status = state::status_of(live.course()).into();
        let state = now.filter(|now| notified.state.as_ref() != Some(now));
        let mut update = v1::SeatUpdate { seq: notified.seq, status, ..v1::SeatUpdate::default() };
        let prompt = live.prompt_of(wanted.seat);
        let (begun, to_act) = (live.table().is_some(), live.to_act().contains(wanted.seat));
        let prompts = begun && to_act && (answers || notified.prompted != Some(prompt));
        let is_due = prompts || state.is_some();
        if let Some(table) = live.table() {
            let text = TextMode::wanted(table.catalogue(), wanted.text);
            if wanted.events && !notified.view_due {
                let mut events = live.published().since(observer, notified.seq);
                let sent = events.by_ref().take(wanted.batch);
                update.events = sent.map(|one| wire::encoder::event(&one, text)).collect();
                if events.next().is_some() {
                    update.seq = update.events.last().map_or(notified.seq, |event| event.seq);
                    return Self { update, more: true, is_due, prompt, turns, begun, over };
                }
            }
            update.seq = live.course().length(observer);
            update.to_act = to_act;
            if to_act {
                update.time_left = clock::time_left(host, live.course(), wanted.seat);
            }
            if prompts {
                let detail = match live.course().withheld().legal_actions {
                    true => LegalDetail::None,
                    false => wanted.legal,
                };
                let legal = messages::legal::of(table.catalogue(), &table.legal(wanted.seat), detail);
                update.legal_actions = Some(legal.unwrap_or_default());
            }
            if notified.view_due || (wanted.view && update.legal_actions.is_some()) {
                update.view = Some(messages::view::of(&table.view(observer), text));
            }
        }
        update.state = state;
        Self { update, more: false, is_due, prompt, turns, begun, over }
    }

    /// Returns whether it is to be sent without having been asked for.
    pub(super) const fn is_due(&self) -> bool {
        self.is_due
    }

    /// Returns whether it is all that there is to send.
    pub(super) const fn is_all(&self) -> bool {
        !self.more
    }

    /// Bytes of the message that has it.
    pub(super) fn bytes(&self) -> usize {
        self.update.encoded_len()
    }

    /// The message that has it, which `notified` counts as sent.
    pub(super) fn sent(self, notified: &mut Notified) -> v1::SeatUpdate {
        let Self { update, more, prompt, turns, begun, over, .. } = self;
        notified.seq = update.seq;
        if more {
            return update;
        }
        if update.legal_actions.is_some() {
            notified.prompted = Some(prompt);
        }
        notified.view_due &= !begun;
        notified.over = over;
        notified.turns = Some(turns);
        if let Some(state) = &update.state {
            notified.state = Some(state.clone());
        }
        update
    }
}
