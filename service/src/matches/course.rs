//! The course of a match ([`Course`]): all that is known of it without any rules.

mod overview;

pub use overview::Overview;

use edgehill_engine::seat::{Observer, Seat, SeatSet};
use serde::{Deserialize, Serialize};

use super::adjournment::Adjourning;
use super::archive;
use super::clock::SeatClock;
use super::conduct::IllegalActions;
use super::entry::{EndedBy, Grown, Happened, JournalEntry, Left, ResultNote};
use super::error::MatchError;
use super::header::{EntropyMode, MatchHeader, SeatConfig};
use super::referee::{RefereeAct, RefereeActDone};
use super::seats::{Join, SeatEntry};
use super::spectator_delay::ShownSince;
use super::stored::StoredError;
use crate::identity::ANONYMOUS_ID;
use crate::store::{MatchId, StoredRecord, StoredStatus, Summary};

/// The phase that a match is in.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Phase {
    /// Seats are to be filled, or other matches of its group are.
    Waiting,
    /// All have joined, and not all have revealed their entropy.
    Revealing,
    /// It is played.
    Running,
    /// It is over.
    Over,
}

/// The knowledge of a match that needs no rules: its terms, its seats, its phase.
#[derive(Clone, Debug)]
pub struct Course {
    id: MatchId,
    header: MatchHeader,
    seats: Vec<SeatEntry>,
    phase: Phase,
    revision: u64,
    /// The length of each observer's sequence: the seats in order, then the spectators.
    lengths: Vec<u64>,
    offers: SeatSet,
    /// Counts what changed seats, phase, offers or the ending.
    turns: u64,
    result: Option<Box<ResultNote>>,
    ended_ms: u64,
    /// When the last seat joined.
    full_ms: u64,
    /// The entropies of a group that has begun.
    group_entropies: Option<Vec<[u8; 32]>>,
    /// The clocks of the seats; none without.
    clocks: Vec<SeatClock>,
    /// In a group's first match: the places that the others have.
    grown: Vec<Grown>,
    /// The seats that were given back, in order.
    left: Vec<Left>,
    /// The id of the request that took the match back.
    aborted: Option<Vec<u8>>,
    /// The acts of referees, in order.
    referee_acts: Vec<RefereeActDone>,
    /// The seats that were taken from their players, and that nobody has taken since.
    vacant: SeatSet,
    given_up: Option<Seat>,
    adjourning: Adjourning,
    /// Number of adjournments that have ended.
    resumed: u64,
    /// How the spectators' sequence grew; none without a delay.
    spectator_lengths: Vec<ShownSince>,
    /// By seat.
    illegal_actions: Vec<IllegalActions>,
}

impl Course {
    /// The course of a match that was just created. `bots` are the commitments of house bots, where the match asks for them.
    #[must_use]
    pub fn new(id: MatchId, header: MatchHeader, bots: &[Option<[u8; 32]>]) -> Self {
        let seat = |(index, plan): (usize, &SeatConfig)| match plan {
            SeatConfig::Bot(name) => SeatEntry {
                bot: Some(name.clone()),
                bot_commitment: bots.get(index).copied().flatten(),
                ..SeatEntry::default()
            },
            SeatConfig::Open | SeatConfig::Invited | SeatConfig::Account(_) => SeatEntry::default(),
        };
        let seats: Vec<SeatEntry> = header.seats.iter().enumerate().map(seat).collect();
        let lengths = vec![0; seats.len() + 1];
        let full_ms = header.created_ms;
        let illegal_actions = vec![IllegalActions::default(); seats.len()];
        let clocks = header.clock.map_or(Vec::new(), |terms| vec![terms.start(); seats.len()]);
        let mut course = Self {
            id,
            header,
            seats,
            phase: Phase::Waiting,
            revision: 0,
            lengths,
            offers: SeatSet::EMPTY,
            turns: 0,
            result: None,
            ended_ms: 0,
            full_ms,
            group_entropies: None,
            clocks,
            grown: Vec::new(),
            left: Vec::new(),
            aborted: None,
            referee_acts: Vec::new(),
            vacant: SeatSet::EMPTY,
            given_up: None,
            adjourning: Adjourning::default(),
            resumed: 0,
            spectator_lengths: Vec::new(),
            illegal_actions,
        };
        course.go_on();
        course
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> MatchId {
        self.id
    }

    /// Returns the terms settled when it was created.
    #[must_use]
    pub const fn header(&self) -> &MatchHeader {
        &self.header
    }

    /// The seats, in order.
    #[must_use]
    pub fn seats(&self) -> &[SeatEntry] {
        &self.seats
    }

    /// Returns the phase that it is in.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the revision of the last entry of its log.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the seats that offer a draw.
    #[must_use]
    pub const fn offers(&self) -> SeatSet {
        self.offers
    }

    /// The adjournment of the match, and the offers to adjourn it.
    #[must_use]
    pub const fn adjourning(&self) -> &Adjourning {
        &self.adjourning
    }

    /// Number of adjournments that have ended.
    pub(super) const fn resumed(&self) -> u64 {
        self.resumed
    }

    /// Counts the entries that changed what everybody sees of it beside the game: seats, phase, offers, the ending. It never
    /// goes down.
    #[must_use]
    pub const fn turns(&self) -> u64 {
        self.turns
    }

    /// Returns the result, and its time in milliseconds since 1970.
    #[must_use]
    pub fn result(&self) -> Option<(&ResultNote, u64)> {
        self.result.as_deref().map(|result| (result, self.ended_ms))
    }

    /// When the last seat joined, in milliseconds since 1970; only if all have.
    #[must_use]
    pub fn full_ms(&self) -> Option<u64> {
        self.is_full().then_some(self.full_ms)
    }

    /// The clocks of the seats, in order; none if it has no clocks.
    #[must_use]
    pub fn clocks(&self) -> &[SeatClock] {
        &self.clocks
    }

    /// Returns whether it was ever played: then dice were drawn for it. One that ended without is one that nobody could begin.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        let ended_by = self.result.as_ref().map(|result| result.ended_by);
        let before = matches!(ended_by, Some(EndedBy::Absence | EndedBy::Abort | EndedBy::Expiry));
        self.phase == Phase::Running || (self.phase == Phase::Over && !before)
    }

    /// Returns whether all seats are taken.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.seats.iter().all(SeatEntry::is_taken)
    }

    /// The places in its group that other matches have: only in the log of a group's first match.
    #[must_use]
    pub fn grown(&self) -> &[Grown] {
        &self.grown
    }

    /// The seats that were given back, in order.
    #[must_use]
    pub fn left(&self) -> &[Left] {
        &self.left
    }

    /// Number of times that a seat was given back: its tokens differ by it.
    #[must_use]
    pub fn times_left(&self, seat: Seat) -> usize {
        self.left.iter().filter(|left| usize::from(left.seat) == seat.index()).count()
    }

    /// The id of the request that took the match back, if one did.
    #[must_use]
    pub fn aborted(&self) -> Option<&[u8]> {
        self.aborted.as_deref()
    }

    /// The acts of referees, in order.
    #[must_use]
    pub fn referee_acts(&self) -> &[RefereeActDone] {
        &self.referee_acts
    }

    /// The seat that gave up what its server could not play.
    #[must_use]
    pub const fn given_up(&self) -> Option<Seat> {
        self.given_up
    }

    /// The seats that were taken from their players, and that nobody has taken since.
    #[must_use]
    pub const fn vacant(&self) -> SeatSet {
        self.vacant
    }

    /// The reason for which a match that is over takes no call.
    #[must_use]
    pub fn over_error(&self) -> MatchError {
        match self.result.as_ref().map(|result| result.ended_by) {
            Some(EndedBy::Abort) => MatchError::Aborted,
            Some(EndedBy::Expiry) => MatchError::Expired,
            _ => edgehill_engine::table::Refusal::MatchFinished.into(),
        }
    }

    /// The reason for which a match that has no table takes no call of a seat.
    #[must_use]
    pub fn not_started(&self) -> MatchError {
        let seats = |seats: Vec<usize>| match &seats[..] {
            [seat] => format!("seat {seat} is"),
            [seats @ .., last] => {
                let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
                format!("seats {} and {last} are", seats.join(", "))
            }
            [] => "nobody is".to_owned(),
        };
        let waits_for = match (self.phase, self.result.as_ref().map(|result| result.ended_by)) {
            (_, Some(EndedBy::Abort | EndedBy::Expiry)) => return self.over_error(),
            (Phase::Waiting, _) if self.is_full() => {
                "other matches of its seed group are not full".to_owned()
            }
            (Phase::Waiting, _) => {
                format!("{} free", seats(self.free_seats().iter().map(Seat::index).collect()))
            }
            (Phase::Revealing, _) => {
                let owing = self.owing_reveal().into_iter().map(usize::from);
                format!("{} to reveal entropy", seats(owing.collect()))
            }
            (Phase::Running | Phase::Over, _) => "it was over before".to_owned(),
        };
        MatchError::NotStarted { waits_for }
    }

    /// The seats that somebody can still take.
    #[must_use]
    pub fn free_seats(&self) -> SeatSet {
        let free = |(index, seat): (usize, &SeatEntry)| (!seat.is_taken()).then(|| Seat::new(index as u8));
        self.seats.iter().enumerate().filter_map(free).collect()
    }

    /// The seats that are open to anyone.
    #[must_use]
    pub fn open_seats(&self) -> SeatSet {
        let open = |seat: &Seat| matches!(self.header.seats.get(seat.index()), Some(SeatConfig::Open));
        self.free_seats().iter().filter(open).collect()
    }

    /// The seats that house bots have.
    #[must_use]
    pub fn bot_seats(&self) -> SeatSet {
        let bot = |(index, seat): (usize, &SeatEntry)| seat.bot.as_ref().map(|_| Seat::new(index as u8));
        self.seats.iter().enumerate().filter_map(bot).collect()
    }

    /// The seats that have not revealed what they committed to. House bots have, as soon as all are bound: what they commit
    /// to is known.
    #[must_use]
    pub fn owing_reveal(&self) -> Vec<u8> {
        let owes = |seat: &SeatEntry| seat.bot.is_none() && seat.revealed.is_none();
        let to_act = |(index, seat): (usize, &SeatEntry)| owes(seat).then_some(index as u8);
        self.seats.iter().enumerate().filter_map(to_act).collect()
    }

    /// The seat of this number.
    ///
    /// # Errors
    /// If there is none.
    pub fn seat(&self, given: u32) -> Result<Seat, MatchError> {
        let seats = self.seats.len();
        match u8::try_from(given) {
            Ok(index) if usize::from(index) < seats => Ok(Seat::new(index)),
            _ => Err(MatchError::UnknownSeat { given, seats }),
        }
    }

    /// The length of an observer's sequence now.
    #[must_use]
    pub fn length(&self, observer: Observer) -> u64 {
        self.lengths.get(observer.index(self.seats.len())).copied().unwrap_or(0)
    }

    /// The entropies that its seed comes from, in seat order or in the group's; zeros where none was given.
    #[must_use]
    pub fn entropies(&self) -> Vec<[u8; 32]> {
        match &self.group_entropies {
            Some(entropies) => entropies.clone(),
            None => self.seats.iter().map(|seat| seat.entropy().unwrap_or([0; 32])).collect(),
        }
    }

    /// Number of entropies of its group that it keeps.
    pub(super) fn entropies_kept(&self) -> usize {
        self.group_entropies.as_ref().map_or(0, Vec::len)
    }

    /// Returns the id that its seed and its commitments are bound to: its group's id, or its own.
    #[must_use]
    pub fn dice_id(&self) -> String {
        self.header.group().map_or_else(|| self.id.to_string(), |group| group.id.clone())
    }

    /// Returns its summary for lists.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let status = match self.phase {
            Phase::Waiting | Phase::Revealing => StoredStatus::Open,
            Phase::Running => StoredStatus::Running,
            Phase::Over if self.result.as_ref().is_some_and(|result| !result.ended_by.has_result()) => {
                StoredStatus::Abandoned
            }
            Phase::Over => StoredStatus::Over,
        };
        Summary { status, open_seats: self.open_seats(), lengths: self.lengths.clone() }
    }

    /// Takes the rules that its log says that it is played by, before anything of it is played again.
    ///
    /// # Errors
    /// [`MatchError::Unreplayable`] if an archive in it can't be read.
    pub fn take_rules_of(&mut self, log: &[StoredRecord]) -> Result<(), MatchError> {
        let revision = log.last().map_or(0, |record| record.at.revision);
        let unreadable = |error: StoredError| MatchError::Unreplayable { revision, why: error.to_string() };
        let records = archive::unpacked(log).map_err(unreadable)?;
        let last = records.iter().rev().find_map(|record| JournalEntry::repinned_by(&record.entry));
        self.header.repinned = last.or(self.header.repinned);
        Ok(())
    }

    /// Sets the revision that it stands at, where a log has some no more.
    pub(super) const fn set_revision(&mut self, revision: u64) {
        self.revision = revision;
    }

    /// Sets the lengths of the sequences: of a match that begins with its creation, then.
    pub(crate) fn set_lengths(&mut self, lengths: impl IntoIterator<Item = u64>) {
        self.lengths.clear();
        self.lengths.extend(lengths);
    }

    /// Takes what an entry says of seats; the table, if there is one, comes after it. `lengths` and the rest follow with
    /// [`Course::close_entry`].
    pub(super) fn open_entry(&mut self, happened: &Happened, at_ms: u64) {
        match happened {
            Happened::Joined(join) => self.take_join(join, at_ms),
            Happened::Revealed { seat, entropy } => {
                if let Some(seat) = self.seats.get_mut(usize::from(*seat)) {
                    seat.revealed = Some(*entropy);
                }
            }
            Happened::Begun { entropies } => self.group_entropies = Some(entropies.clone()),
            Happened::Grown(grown) => self.grown.push(grown.clone()),
            Happened::Left(left) => {
                if let Some(seat) = self.seats.get_mut(usize::from(left.seat)) {
                    seat.join = None;
                }
                self.left.push(left.clone());
            }
            Happened::Aborted { request } => self.aborted = Some(request.clone()),
            Happened::Repinned(pin) => self.header.repinned = Some((*pin).into()),
            Happened::Refereed(note) => {
                self.referee_acts.push(RefereeActDone { note: (**note).clone(), at_ms });
                if let RefereeAct::ReplacePlayer { seat, player, account, .. } = &note.act {
                    self.vacate(Seat::new(*seat), player, account.as_deref());
                }
            }
            Happened::GivenUp { seat } => self.given_up = Some(Seat::new(*seat)),
            Happened::ActedIllegally { seat, request, .. } => {
                self.note_illegal_action(Seat::new(*seat), request);
            }
            Happened::Forfeited { .. } | Happened::Expired | Happened::LogFull | Happened::Idle => {}
            Happened::Called { .. }
            | Happened::TimedOut { .. }
            | Happened::Compacted(_)
            | Happened::AdjournmentEnded => return,
        }
        self.turns += 1;
        self.go_on();
    }

    /// The illegal actions of a seat, as far as the log of the match is known.
    #[must_use]
    pub fn illegal_actions(&self, seat: Seat) -> Option<&IllegalActions> {
        self.illegal_actions.get(seat.index())
    }

    pub(super) fn illegal_actions_mut(&mut self, seat: Seat) -> Option<&mut IllegalActions> {
        self.illegal_actions.get_mut(seat.index())
    }

    /// The lengths of the spectators' sequence, ascending, with the moments since when; none without a delay.
    pub(super) fn spectator_lengths(&self) -> &[ShownSince] {
        &self.spectator_lengths
    }

    /// Notes that the spectators' sequence is as long as it is since that moment.
    fn note_spectator_length(&mut self, at_ms: u64) {
        let length = self.length(Observer::Spectator);
        if self.spectator_lengths.last().is_none_or(|last| last.length < length) {
            self.spectator_lengths.push(ShownSince { at_ms, length });
        }
    }

    /// Takes the rest of an entry: where the sequences stand after it, and whether it ended the match.
    pub(super) fn close_entry(&mut self, entry: &JournalEntry, lengths: impl IntoIterator<Item = u64>) {
        self.revision += 1;
        self.set_lengths(lengths);
        if self.header.spectator_delay.is_some() {
            self.note_spectator_length(entry.at_ms);
        }
        let offers = overview::seats_of(entry.offers);
        if self.offers != offers {
            self.offers = offers;
            self.turns += 1;
        }
        if let Some(clocks) = &entry.clocks {
            self.clocks.clone_from(clocks);
            self.turns += 1;
        }
        if let Some(adjourning) = &entry.adjourning {
            let ends = self.adjourning.adjournment.is_some() && adjourning.adjournment.is_none();
            self.resumed += u64::from(ends);
            self.adjourning.clone_from(adjourning);
            self.turns += 1;
        }
        if let Some(result) = &entry.result {
            self.result = Some(Box::new(result.clone()));
            self.ended_ms = entry.at_ms;
            self.phase = Phase::Over;
            self.turns += 1;
        }
    }

    /// A player takes a seat. Of one that another had the part in the dice stays.
    fn take_join(&mut self, join: &Join, at_ms: u64) {
        let Some(entry) = self.seats.get_mut(usize::from(join.seat)) else { return };
        let seat = Seat::new(join.seat);
        let former = entry.join.take().filter(|_| self.vacant.contains(seat));
        entry.join = Some(match former {
            None => {
                self.full_ms = at_ms;
                join.clone()
            }
            Some(former) => Join {
                player: if join.player.is_empty() { former.player } else { join.player.clone() },
                entropy: former.entropy,
                commitment: former.commitment,
                ..join.clone()
            },
        });
        self.vacant = self.vacant.without(seat);
    }

    /// A seat is taken from its player: neither their token nor their request is good for it any more.
    fn vacate(&mut self, seat: Seat, player: &str, account: Option<&[u8]>) {
        let Some(join) = self.seats.get_mut(seat.index()).and_then(|seat| seat.join.as_mut()) else { return };
        *join = Join {
            player: player.to_owned(),
            account: account.unwrap_or(ANONYMOUS_ID.as_bytes()).to_vec(),
            request: Vec::new(),
            secret: [0; 32],
            body: [0; 32],
            // The hash of no token.
            token: [0; 32],
            ..join.clone()
        };
        self.vacant = self.vacant.with(seat);
    }

    /// Moves to the next phase, by who sits and has revealed.
    fn go_on(&mut self) {
        if self.phase == Phase::Over || !self.is_full() {
            return;
        }
        let reveals = self.header.entropy_mode == EntropyMode::CommitReveal;
        self.phase = match () {
            () if reveals && !self.owing_reveal().is_empty() => Phase::Revealing,
            () if self.header.group().is_some() && self.group_entropies.is_none() => Phase::Waiting,
            () => Phase::Running,
        };
    }
}
