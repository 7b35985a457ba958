//! A match that can be played ([`LiveMatch`]): its course, and the table once it has begun.

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::LINE_BYTES_MAX;
use edgehill_engine::chance::Outcome as Chance;
use edgehill_engine::game::{CONTRACT, Node};
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{LogEntry as TableEntry, Refusal};
use edgehill_engine::view::View;

use smallvec::SmallVec;

use super::adjournment::NotedAdjournment;
use super::answered::{Answered, Ask, CallOutcome};
use super::call::{Call, Wanted};
use super::clock::{ClocksAfter, EntryTime, SpentTimes};
use super::course::{Course, Phase};
use super::dice_secret::DiceSecret;
use super::draft_span::DraftSpan;
use super::encoder::Encoder;
use super::entry::{Drawn, EndedBy, Happened, JournalEntry, ResultNote};
use super::error::MatchError;
use super::log_room::{LogLimits, LogRoom, Purpose};
use super::news::NewsCounters;
use super::opening;
use super::published::{Published, Publishing};
use super::published_events::{Mark, PublishedEvents};
use super::referee::RefereeAct;
use crate::store::{Append, Party, Request};

/// The code of an action that is another seat's, in the engine's own contract.
const NOT_YOUR_TURN: &str = "NOT_YOUR_TURN";

/// The change that its driver has to make durable before anybody sees the outcome of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingChange {
    /// The append, conditional on the revision before it.
    pub append: Append,
    /// The entry in it, but for what was published: the match has that ([`LiveMatch::published`]).
    pub entry: JournalEntry,
}

/// A call on which a match has acted, now or before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The outcome of the call.
    pub outcome: CallOutcome,
    /// The change that has to become durable; `None`: it acted on it before.
    pub change: Option<PendingChange>,
}

/// A match in memory that can be played.
pub struct LiveMatch {
    pub(super) course: Course,
    pub(super) game: Arc<dyn AnyGame>,
    pub(super) setup: Setup,
    pub(super) dice_secret: DiceSecret,
    pub(super) table: Option<Box<dyn AnyTable>>,
    pub(super) answered: Answered,
    /// The events published since the match began.
    pub(super) published: PublishedEvents,
    /// The part of them that is in entries; `None`: no entry has the beginning yet.
    pub(super) marked: Option<Mark>,
    /// The part of the table's own log that is in entries.
    pub(super) logged: usize,
    /// Number of calls of each seat on which it has acted.
    pub(super) calls: Vec<u64>,
    pub(super) room: LogRoom,
    pub(super) span: DraftSpan,
    /// For each act of a referee the number of entries of the table's log before it.
    pub(super) acts_after: Vec<usize>,
    /// The adjournments, in order.
    pub(super) adjournments: Vec<NotedAdjournment>,
}

impl LiveMatch {
    /// A match as it was created. What it publishes is encoded by `encoder`.
    ///
    /// # Errors
    /// [`MatchError::Fault`] if the header is not one that this build accepts.
    pub fn new(
        course: Course,
        game: Arc<dyn AnyGame>,
        dice_secret: DiceSecret,
        limits: LogLimits,
        encoder: &'static dyn Encoder,
    ) -> Result<Self, MatchError> {
        let setup = opening::setup(&*game, course.header())?;
        let seats = course.seats().len();
        let published = PublishedEvents::new(course.id(), seats, encoder);
        let span = DraftSpan::after(course.revision(), None, 0);
        let mut live = Self {
            course,
            game,
            setup,
            dice_secret,
            table: None,
            answered: Answered::default(),
            published,
            marked: None,
            logged: 0,
            calls: vec![0; seats],
            room: LogRoom::new(limits, seats),
            span,
            acts_after: Vec::new(),
            adjournments: Vec::new(),
        };
        live.open_if_ready()?;
        if let Some(table) = &mut live.table {
            live.published.take_from(&mut **table);
        }
        let lengths = lengths(live.table.as_deref(), live.course.seats().len());
        live.course.set_lengths(lengths);
        Ok(live)
    }

    /// Returns what is known of it without any rules.
    #[must_use]
    pub const fn course(&self) -> &Course {
        &self.course
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> &Arc<dyn AnyGame> {
        &self.game
    }

    /// The table, once it has begun.
    #[must_use]
    pub fn table(&self) -> Option<&dyn AnyTable> {
        self.table.as_deref()
    }

    /// The table.
    ///
    /// # Errors
    /// If it has not begun.
    pub fn begun(&self) -> Result<&dyn AnyTable, MatchError> {
        self.table.as_deref().ok_or_else(|| self.course.not_started())
    }

    /// Returns the events published since it began.
    #[must_use]
    pub const fn published(&self) -> &PublishedEvents {
        &self.published
    }

    /// Returns what `observer` saw when the match began, before anything was published.
    ///
    /// # Errors
    /// If it has not begun.
    pub fn first_view(&self, observer: Observer) -> Result<View, MatchError> {
        opening::first_view(self.begun()?, observer)
    }

    /// Returns the seats that are to act: none while it is adjourned.
    #[must_use]
    pub fn to_act(&self) -> SeatSet {
        if self.course.adjournment().is_some() { SeatSet::EMPTY } else { self.asked() }
    }

    /// The seats that are to act by the rules.
    pub(super) fn asked(&self) -> SeatSet {
        match (&self.table, self.course.phase()) {
            (Some(table), Phase::Running) => {
                table.node().to_act().iter().filter(|&seat| !table.committed(seat)).collect()
            }
            _ => SeatSet::EMPTY,
        }
    }

    /// The secret of its dice: for what is revealed when it is over, and for nothing else.
    pub(crate) const fn dice_secret(&self) -> &DiceSecret {
        &self.dice_secret
    }

    /// Returns the number of calls of `seat` on which it has acted so far.
    #[must_use]
    pub fn calls_of(&self, seat: Seat) -> u64 {
        self.calls.get(seat.index()).copied().unwrap_or(0)
    }

    /// Returns a number that is another one when `seat` is to be asked anew, if it is to act: it has made a call, or the match went on
    /// after an adjournment.
    #[must_use]
    pub fn prompt_of(&self, seat: Seat) -> u64 {
        self.calls_of(seat) + self.course.resumed()
    }

    /// Returns the numbers that tell each observer whether there is something new for them.
    #[must_use]
    pub fn news(&self) -> NewsCounters {
        let calls = |observer| if let Observer::Seat(seat) = observer { self.calls_of(seat) } else { 0 };
        NewsCounters::new(
            Observer::all(self.course.seats().len()).map(|observer| {
                (observer, self.course.turns() + self.course.length(observer) + calls(observer))
            }),
        )
    }

    /// Returns whether its log has no room to go on, so that it has to end ([`LiveMatch::end_full`]).
    #[must_use]
    pub fn is_log_full(&self) -> bool {
        self.course.phase() != Phase::Over && self.room.is_full()
    }

    /// Its log has no room to go on: it ends, and does not count.
    ///
    /// # Errors
    /// If it has room, or is over.
    pub fn end_full(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        if !self.is_log_full() {
            return Err(MatchError::LogNotFull);
        }
        self.happen(Happened::LogFull, None, at_ms)
    }

    /// Nothing has happened in it for long: it ends, and does not count.
    ///
    /// # Errors
    /// If it has not begun, or is over.
    pub fn end_idle(&mut self, at_ms: u64) -> Result<PendingChange, MatchError> {
        match self.course.phase() {
            Phase::Running => self.happen(Happened::Idle, None, at_ms),
            Phase::Over => Err(self.course.over_error()),
            Phase::Waiting | Phase::Revealing => Err(self.course.not_started()),
        }
    }

    /// Acts on a call of a seat. `expected` is the length of its sequence that the caller has seen; `ask` is absent for house bots.
    /// `spent` is the time that the seats have had their questions for, which the clock of this one is charged with if this answers it.
    ///
    /// # Errors
    /// If the request id was used for another call, the caller's sequence is not the last one, the match has not begun, is
    /// adjourned or over, or the rules refuse it.
    pub fn act(
        &mut self,
        seat: Seat,
        call: Call,
        ask: Option<Ask>,
        expected: Option<u64>,
        at_ms: u64,
        spent: SpentTimes,
    ) -> Result<Done, MatchError> {
        if let Some(ask) = &ask
            && let Some(done) = self.repeated(seat, ask)?
        {
            return Ok(done);
        }
        let before = self.course.length(Observer::Seat(seat));
        match expected {
            Some(expected) if expected < before => {
                return Err(MatchError::StaleSequence { expected, seq: before });
            }
            Some(expected) if expected > before => {
                return Err(MatchError::SequenceAhead { expected, seq: before });
            }
            _ => {}
        }
        if self.course.phase() == Phase::Over {
            return Err(self.course.over_error());
        }
        let Some(table) = self.table.as_mut() else { return Err(self.course.not_started()) };
        self.course.check_adjourning(seat, &call)?;
        self.course.check_withheld(&call)?;
        // Before anything is applied: what finds no room costs nothing.
        let purpose = Purpose::of(&**table, &self.course, seat, &call);
        self.room.check(purpose)?;
        let (actions, line) = apply(&mut **table, seat, &call)
            .map_err(|error| self.with_turn(seat, error))
            .map_err(|error| self.course.without_reasons(error))?;
        self.note_call(purpose);
        let outcome = CallOutcome { actions, line, before };
        let happened = Happened::Called { seat: seat.index() as u8, call, actions };
        let time = EntryTime { at_ms, clocks: ClocksAfter::Spent(spent) };
        let change = self.happen(happened, ask.map(|ask| (seat, ask, outcome.clone())), time)?;
        Ok(Done { outcome, change: Some(change) })
    }

    /// Notes a call that the table has applied; its entry follows.
    pub(super) fn note_call(&mut self, purpose: Purpose) {
        self.room.note(purpose);
        self.span.note(matches!(purpose, Purpose::Change(_)));
    }

    /// Adds to a refusal whose turn it is, if that is what stands against the call.
    fn with_turn(&self, seat: Seat, error: MatchError) -> MatchError {
        match error {
            MatchError::Refused(refusal) if is_of_another_turn(&refusal) => {
                MatchError::NotYourTurn { seat, to_act: self.to_act(), refusal }
            }
            other => other,
        }
    }

    /// Returns the outcome of a request on which it acted before.
    pub(super) fn repeated(&self, seat: Seat, ask: &Ask) -> Result<Option<Done>, MatchError> {
        let outcome = self.answered.look_up(seat.index() as u8, ask)?;
        Ok(outcome.map(|outcome| Done { outcome: outcome.clone(), change: None }))
    }

    /// Notes what happened: the table, if it was a call, has it already.
    pub(super) fn happen(
        &mut self,
        happened: Happened,
        answers: Option<(Seat, Ask, CallOutcome)>,
        time: impl Into<EntryTime>,
    ) -> Result<PendingChange, MatchError> {
        let EntryTime { at_ms, clocks } = time.into();
        let (expected, turns) = (self.course.revision(), self.course.turns());
        self.course.open_entry(&happened, at_ms);
        self.open_if_ready()?;
        let result = match &happened {
            Happened::Forfeited { seats } => {
                Some(opening::forfeited(self.course.seats().len(), seats, self.published.encoder()))
            }
            Happened::Aborted { .. } => Some(ResultNote::without_result(EndedBy::Abort)),
            Happened::Expired => Some(ResultNote::without_result(EndedBy::Expiry)),
            Happened::LogFull => Some(ResultNote::void(self.course.seats().len(), EndedBy::LogFull)),
            Happened::Idle => Some(ResultNote::void(self.course.seats().len(), EndedBy::Idle)),
            Happened::Refereed(note) if note.act == RefereeAct::Void => {
                Some(ResultNote::void(self.course.seats().len(), EndedBy::Voided))
            }
            Happened::GivenUp { seat } => {
                let (seats, seat) = (self.course.seats().len(), Seat::new(*seat));
                Some(ResultNote::given_up(seats, seat, self.published.encoder()))
            }
            Happened::TimedOut { seat, forfeits: true } => {
                let seat = Seat::new(*seat);
                self.ended().map(|lost| ResultNote::timed_out(lost, seat, self.published.encoder()))
            }
            Happened::ActedIllegally { seat, forfeits: true, .. } => {
                let seat = Seat::new(*seat);
                self.ended().map(|lost| ResultNote::acted_illegally(lost, seat, self.published.encoder()))
            }
            _ => self.ended(),
        };
        let adjourning = self.adjourning_after(&happened, at_ms, result.is_some());
        let clocks = match clocks {
            ClocksAfter::Logged(clocks) => clocks,
            ClocksAfter::Spent(spent) => {
                let after = adjourning.as_ref().unwrap_or(self.course.adjourning());
                let ends = (result.is_some(), after.adjournment.is_some());
                self.clocks_after(&happened, &spent, at_ms, ends)
            }
        };
        if let Some(adjourning) = &adjourning {
            self.note_adjournment(adjourning, at_ms);
        }
        // An entry with clocks stays, though nothing of it be final: a commit in a sealed node.
        let is_draft = self.is_draft(&happened) && result.is_none() && clocks.is_none();
        self.note_final();
        if matches!(happened, Happened::Refereed(_)) {
            self.acts_after.push(self.table.as_ref().map_or(0, |table| table.log().len()));
        }
        let entry = JournalEntry {
            drawn: self.drawn(),
            published: Published::default(),
            offers: self.table.as_ref().map_or(0, |table| bits(table.offers())),
            result,
            happened,
            at_ms,
            clocks,
            adjourning,
        };
        if let Some(error) = self.table.as_ref().and_then(|table| table.chance_source_error()) {
            return Err(MatchError::Fault(format!("the dice can't serve the rules: {error}")));
        }
        let bytes = entry.to_bytes_with(&self.publish());
        if let Happened::Called { seat, .. } | Happened::TimedOut { seat, .. } = &entry.happened
            && let Some(calls) = self.calls.get_mut(usize::from(*seat))
        {
            *calls += 1;
        }
        self.course.close_entry(&entry, lengths(self.table.as_deref(), self.course.seats().len()));
        let mut append = Append {
            id: self.course.id(),
            expected,
            entry: bytes,
            requests: Vec::new(),
            summary: self.course.summary(),
            overview: (self.course.turns() != turns).then(|| self.course.overview().to_bytes()),
            replaces: None,
        };
        self.room.set_bytes(self.room.bytes() + append.log_bytes());
        if !is_draft {
            self.span = DraftSpan::after(self.course.revision(), self.marked, self.room.bytes());
        }
        if let Some((seat, ask, outcome)) = answers {
            let request = Request { id: ask.id.clone(), body: ask.body, outcome: outcome.to_bytes() };
            self.note_request(seat, entry.happened.method(), ask, outcome, request.log_bytes());
            append.requests.push((Party::Seat(seat), request));
        }
        Ok(PendingChange { append, entry })
    }

    /// Notes a request that the last entry answers, and that takes so many bytes in it.
    pub(super) fn note_request(
        &mut self,
        seat: Seat,
        method: &'static str,
        ask: Ask,
        outcome: CallOutcome,
        bytes: u64,
    ) {
        self.room.set_bytes(self.room.bytes() + bytes);
        if self.span.after == self.course.revision() {
            // The entry is none about a draft: the drafts begin after it.
            self.span = DraftSpan::after(self.course.revision(), self.marked, self.room.bytes());
        } else {
            self.span.requests.push((seat, ask.id.clone()));
        }
        self.answered.note(seat.index() as u8, method, ask, outcome);
    }

    /// Returns whether what happened is about a draft, and nothing in it is final.
    fn is_draft(&self, happened: &Happened) -> bool {
        let drafts =
            matches!(happened, Happened::Called { call: Call::Apply { .. } | Call::Undo { .. }, .. });
        // The entry that has the beginning is none: it stays.
        let begun = self.marked.is_some();
        drafts && begun && self.table.as_ref().is_some_and(|table| table.log().len() == self.logged)
    }

    /// Notes the seats of which an action has become final.
    fn note_final(&mut self) {
        let Some(table) = &self.table else { return };
        for entry in &table.log()[self.logged..] {
            if let TableEntry::Commit { seat, .. } = entry {
                self.room.note_final(*seat);
            }
        }
    }

    /// Begins the match as soon as there is a seed: only then may anything be drawn.
    fn open_if_ready(&mut self) -> Result<(), MatchError> {
        if self.table.is_none() && self.course.phase() == Phase::Running {
            self.table = Some(opening::open(&*self.game, &self.setup, &self.course, &self.dice_secret)?);
        }
        Ok(())
    }

    fn ended(&self) -> Option<ResultNote> {
        let table = self.table.as_ref().filter(|_| self.course.phase() != Phase::Over)?;
        let result = if table.node() == Node::Over { table.result() } else { None }?;
        Some(ResultNote::of(&result, self.published.encoder()))
    }

    /// Returns the events published to each observer that no entry has yet, and once their views at the beginning.
    fn publish(&mut self) -> Publishing<'_> {
        let Some(table) = &mut self.table else { return Publishing::default() };
        self.published.take_from(&mut **table);
        let before = self.marked.replace(self.published.mark());
        let mut publishing = self.published.publishing(&before.unwrap_or_default());
        if before.is_none() {
            publishing.starts = opening::views(&**table, self.published.encoder());
        }
        publishing
    }

    /// The table's chance events that no entry has yet.
    fn drawn(&mut self) -> Vec<Drawn> {
        let Some(table) = &self.table else { return Vec::new() };
        let log = table.log();
        let catalogue = table.catalogue();
        let drawn = |entry: &TableEntry| match entry {
            TableEntry::Chance { chance_ref, outcome } => {
                let outcome = match outcome {
                    Chance::Roll(faces) => faces.iter().map(u8::to_string).collect::<Vec<_>>().join(","),
                    Chance::Pick(what) => catalogue.id_of(*what),
                };
                Some(Drawn { stream: chance_ref.stream, n: chance_ref.n, outcome })
            }
            _ => None,
        };
        let drawn = log[self.logged..].iter().filter_map(drawn).collect();
        self.logged = log.len();
        drawn
    }
}

impl std::fmt::Debug for LiveMatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveMatch").field("id", &self.course.id()).finish_non_exhaustive()
    }
}

/// Returns the number of events published to each observer of a table of so many seats.
pub(super) fn lengths(table: Option<&dyn AnyTable>, seats: usize) -> impl Iterator<Item = u64> {
    Observer::all(seats).map(move |observer| table.map_or(0, |table| table.published_count(observer) as u64))
}

/// Returns whether an action is refused since another seat is to act: by the engine's contract, and no rule of the game.
fn is_of_another_turn(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Action { rule_violations, .. }
        if rule_violations.first().is_some_and(|first| first.rule == CONTRACT && first.code == NOT_YOUR_TURN))
}

pub(super) fn bits(seats: SeatSet) -> u8 {
    seats.iter().fold(0, |bits, seat| bits | 1 << seat.index())
}

/// Lets the table apply a call: how many actions were taken, or taken back, and those of a line as the game writes them.
pub(super) fn apply(table: &mut dyn AnyTable, seat: Seat, call: &Call) -> Result<(u32, String), MatchError> {
    let plain = |actions: usize| (u32::try_from(actions).unwrap_or(u32::MAX), String::new());
    match call {
        Call::Apply { keep, actions: Wanted::Ids(ids), until_reveal } => {
            let ids: SmallVec<[ActionId; 8]> = ids.iter().copied().map(ActionId).collect();
            let mode = Call::mode(*until_reveal);
            let applied = match keep {
                None => table.apply(seat, &ids, mode)?,
                Some(keep) => table.revise(seat, *keep as usize, &ids, mode)?,
            };
            Ok(plain(applied.actions))
        }
        Call::Apply { keep, actions: Wanted::Line(line), until_reveal } => {
            if line.len() > LINE_BYTES_MAX {
                return Err(MatchError::LineTooLong { given: line.len(), max: LINE_BYTES_MAX });
            }
            if table.node() == Node::Over {
                return Err(Refusal::MatchFinished.into());
            }
            let mode = Call::mode(*until_reveal);
            // A line after a revision is read against the state that it goes on from.
            let mut before = table.clone_box();
            if let Some(keep) =
                keep.map(|keep| keep as usize).filter(|&keep| keep != before.draft(seat).len())
            {
                before.undo(seat, keep)?;
            }
            let ids = before.parse_line(seat, line).map_err(Refusal::from)?;
            let applied = match keep {
                None => table.apply(seat, &ids, mode)?,
                Some(keep) => table.revise(seat, *keep as usize, &ids, mode)?,
            };
            let actions = u32::try_from(applied.actions).unwrap_or(u32::MAX);
            Ok((actions, before.print_line(seat, ids.get(..applied.actions).unwrap_or(&ids))))
        }
        Call::Undo { keep } => {
            let draft = table.draft(seat).len();
            let keep = keep.map_or(draft.saturating_sub(1), |keep| keep as usize);
            table.undo(seat, keep)?;
            Ok(plain(draft - keep))
        }
        Call::Stand(passes) => {
            table.stand(seat, passes.iter().map(Into::into).collect())?;
            Ok(plain(0))
        }
        Call::Resign => {
            table.resign(seat)?;
            Ok(plain(0))
        }
        Call::OfferDraw => {
            table.offer_draw(seat)?;
            Ok(plain(0))
        }
        Call::AcceptDraw => {
            table.accept_draw(seat)?;
            Ok(plain(0))
        }
        Call::DeclineDraw => {
            table.decline_draw(seat)?;
            Ok(plain(0))
        }
        // It is nothing to the table.
        Call::OfferAdjournment { .. }
        | Call::AcceptAdjournment { .. }
        | Call::DeclineAdjournment
        | Call::ResumeMatch => Ok(plain(0)),
    }
}
