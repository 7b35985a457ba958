//! The news for a seat ([`Update`]), against what it was notified of ([`Told`]).

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1::{self, LegalDetail};

use crate::api::state;
use crate::host::{Content, Host};
use crate::matches::{LiveMatch, MatchError, Phase};
use crate::wire::{self, TextMode};

/// The news that a client wants.
#[derive(Copy, Clone, Debug)]
pub(super) struct Wanted {
    pub(super) seat: Seat,
    pub(super) legal: LegalDetail,
    pub(super) views: bool,
    pub(super) events: bool,
    pub(super) words: bool,
    /// The most events of a message.
    pub(super) batch: usize,
}

/// The state of which a client was notified.
#[derive(Default, Debug)]
pub(super) struct Told {
    /// The number of the last event that it has.
    seq: u64,
    /// The view of the beginning is owed to it.
    view_due: bool,
    /// The prompt that was sent last: how many calls of the seat had been carried out then. It is outstanding until there
    /// is one more, wherever it came from.
    prompted: Option<u64>,
    /// That the match is over.
    pub(super) over: bool,
    state: Option<v1::MatchState>,
    /// [`crate::matches::Course::turns`] when the state was looked at last.
    turns: Option<u64>,
}

impl Told {
    /// A client that has all up to `seq`. `view_due`: and no view to fold what follows over.
    pub(super) fn new(seq: u64, view_due: bool) -> Self {
        Self { seq, view_due, ..Self::default() }
    }
}

/// The news for a seat.
#[derive(Debug)]
pub(super) struct Update {
    seq: u64,
    events: Vec<v1::Event>,
    prompt: Option<v1::Prompt>,
    /// Number of the seat's calls that have been carried out.
    calls: u64,
    state: Option<v1::MatchState>,
    turns: u64,
    view: Option<v1::View>,
    begun: bool,
    over: bool,
}

impl Update {
    /// Returns the news. `answers`: to a call that was accepted, and a prompt goes with the answer, if the
    /// seat is to act.
    ///
    /// # Errors
    /// If the match can't be played.
    pub(super) fn of(
        host: &Host,
        content: &Content,
        wanted: Wanted,
        told: &Told,
        answers: bool,
    ) -> Result<Self, MatchError> {
        Ok(Self::of_live(host, content.live()?, wanted, told, answers))
    }

    /// The same, of a match that can be played.
    pub(super) fn of_live(host: &Host, live: &LiveMatch, wanted: Wanted, told: &Told, answers: bool) -> Self {
        let (turns, over) = (live.course().turns(), live.course().phase() == Phase::Over);
        // The secrets revealed of a match that is over depends on its group, too.
        let looked_at = told.turns == Some(turns) && !over;
        let now = (!looked_at).then(|| state::of_live(host, live));
        let observer = Observer::Seat(wanted.seat);
        let mut update = Self {
            seq: told.seq,
            events: Vec::new(),
            prompt: None,
            calls: live.calls_of(wanted.seat),
            state: now.filter(|now| told.state.as_ref() != Some(now)),
            turns,
            view: None,
            begun: false,
            over,
        };
        let Some(table) = live.table() else { return update };
        update.begun = true;
        update.seq = live.course().length(observer);
        let words = TextMode::wanted(table.catalogue(), wanted.words);
        if live.to_act().contains(wanted.seat) && (answers || told.prompted != Some(update.calls)) {
            let legal = wire::legal::of(table.catalogue(), &table.legal(wanted.seat), wanted.legal);
            update.prompt = Some(v1::Prompt { legal });
        }
        if told.view_due || (wanted.views && update.prompt.is_some()) {
            update.view = Some(wire::view::of(&table.view(observer), words));
        }
        if wanted.events && !told.view_due {
            update.events = live.published().since(observer, told.seq, words).collect();
        }
        update
    }

    /// Returns whether it is to be sent without having been asked for.
    pub(super) fn is_due(&self) -> bool {
        self.prompt.is_some() || self.state.is_some()
    }

    /// The messages that tell it; what `told` holds is then so. What does not fit into the last comes first.
    pub(super) fn messages(
        self,
        accepted: Option<v1::Accepted>,
        batch: usize,
        told: &mut Told,
    ) -> Vec<v1::Update> {
        if self.prompt.is_some() {
            told.prompted = Some(self.calls);
        }
        told.view_due &= !self.begun;
        told.over = self.over;
        told.seq = self.seq;
        told.turns = Some(self.turns);
        if let Some(state) = &self.state {
            told.state = Some(state.clone());
        }
        let mut events = self.events;
        let mut messages = Vec::new();
        while events.len() > batch {
            let rest = events.split_off(batch);
            let seq = events.last().map_or(self.seq, |event| event.seq);
            messages.push(v1::Update { seq, events, ..v1::Update::default() });
            events = rest;
        }
        messages.push(v1::Update {
            seq: self.seq,
            events,
            accepted,
            prompt: self.prompt,
            state: self.state,
            view: self.view,
        });
        messages
    }
}
