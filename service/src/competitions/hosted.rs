//! A competition in memory: [`HostedCompetition`].

use std::collections::HashMap;

use edgehill_competition::{
    Competition, CompetitionEvent, CompetitionPhase, CompetitionSettings, Due, EntrantId, Publication,
};

use super::error::Error;
use super::logged_event::{EntrantParty, LoggedEvent};
use crate::matches::{Ask, PinNote};
use crate::store::{AccountId, BodyHash, CompetitionId, RequestId};

/// A competition with its log.
#[derive(Clone, Debug)]
pub struct HostedCompetition {
    id: CompetitionId,
    competition: Competition,
    log: Vec<LoggedEvent>,
    /// By entrant.
    parties: Vec<EntrantParty>,
    /// The number of the event that each request has come to.
    requests: HashMap<(AccountId, RequestId), (BodyHash, u64)>,
}

impl HostedCompetition {
    /// The competition of a log.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an empty one, [`Error::Unreplayable`] if it leads nowhere.
    pub(super) fn replay(id: CompetitionId, log: Vec<LoggedEvent>) -> Result<Self, Error> {
        let Some(first) = log.first() else { return Err(Error::Unknown(id)) };
        let competition = Competition::replay([&first.event])
            .map_err(|fault| Error::Unreplayable { competition: id, fault })?;
        let mut hosted = Self {
            id,
            competition,
            log: Vec::with_capacity(log.len()),
            parties: Vec::new(),
            requests: HashMap::new(),
        };
        for (index, logged) in log.into_iter().enumerate() {
            if index > 0 {
                hosted.competition.apply(&logged.event).map_err(|refusal| Error::Unreplayable {
                    competition: id,
                    fault: edgehill_competition::ReplayFault { index, refusal },
                })?;
            }
            hosted.note(logged);
        }
        Ok(hosted)
    }

    /// Takes the next events; all of them or, if one is refused, none.
    ///
    /// # Errors
    /// [`Error::Refused`].
    pub(super) fn with(&self, events: &[LoggedEvent]) -> Result<Self, Error> {
        let mut next = self.clone();
        for logged in events {
            next.competition.apply(&logged.event)?;
            next.note(logged.clone());
        }
        Ok(next)
    }

    fn note(&mut self, logged: LoggedEvent) {
        if let Some(ask) = &logged.ask {
            let key = (logged.actor.clone(), ask.id.clone());
            self.requests.insert(key, (ask.body, logged.number));
        }
        // The machine has checked that entrants come in their order.
        self.parties.extend(logged.party.clone());
        self.log.push(logged);
    }

    /// The number of the event that a request has come to, if it has.
    ///
    /// # Errors
    /// [`Error::RequestReused`] if it said something else then.
    pub(super) fn answered(&self, actor: &AccountId, ask: &Ask) -> Result<Option<u64>, Error> {
        match self.requests.get(&(actor.clone(), ask.id.clone())) {
            None => Ok(None),
            Some((body, number)) if *body == ask.body => Ok(Some(*number)),
            Some(_) => Err(Error::RequestReused),
        }
    }

    /// The competition's name.
    #[must_use]
    pub const fn id(&self) -> CompetitionId {
        self.id
    }

    /// The competition.
    #[must_use]
    pub const fn competition(&self) -> &Competition {
        &self.competition
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &CompetitionSettings {
        self.competition.settings()
    }

    /// The account that created it.
    #[must_use]
    pub fn organizer(&self) -> &AccountId {
        &self.log[0].actor
    }

    /// The rules that its matches are played by.
    #[must_use]
    pub fn rules(&self) -> Option<PinNote> {
        self.log[0].rules
    }

    /// The number of the last event.
    #[must_use]
    pub fn last_event(&self) -> u64 {
        self.log.len() as u64
    }

    /// The event of this number.
    #[must_use]
    pub fn event(&self, number: u64) -> Option<&LoggedEvent> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.log.get(index)
    }

    /// The events behind the one with this number.
    #[must_use]
    pub fn events_after(&self, number: u64) -> &[LoggedEvent] {
        let from = usize::try_from(number).unwrap_or(usize::MAX).min(self.log.len());
        &self.log[from..]
    }

    /// The one who plays as an entrant.
    #[must_use]
    pub fn party(&self, entrant: EntrantId) -> Option<&EntrantParty> {
        self.parties.get(entrant.index())
    }

    /// The entrant that an account is.
    #[must_use]
    pub fn entrant_of(&self, account: &AccountId) -> Option<EntrantId> {
        let index = self.parties.iter().position(|party| party.account() == Some(account))?;
        EntrantId::at(index)
    }

    /// When an event of a kind happened last, in milliseconds since 1970.
    fn time_of(&self, is_kind: impl Fn(&CompetitionEvent) -> bool) -> Option<u64> {
        self.log.iter().rev().find(|logged| is_kind(&logged.event)).map(|logged| logged.at_ms)
    }

    /// Number of rounds that are published.
    #[must_use]
    pub fn published_rounds(&self) -> u16 {
        let is_over =
            matches!(self.competition.phase(), CompetitionPhase::Finished | CompetitionPhase::Cancelled);
        match self.settings().policy.publication {
            Publication::Never => 0,
            _ if is_over => u16::MAX,
            Publication::AtTheEnd => 0,
            Publication::AfterEachRound => {
                let paired = self.competition.round().map_or(0, |round| round.number());
                let waits = |due: &Due| matches!(due, Due::Begin(_) | Due::Watch { .. });
                if self.competition.due().iter().any(waits) { paired.saturating_sub(1) } else { paired }
            }
        }
    }

    /// The competition, as lists show it.
    #[must_use]
    pub fn overview(&self) -> CompetitionOverview {
        let competition = &self.competition;
        CompetitionOverview {
            id: self.id,
            organizer: self.organizer().clone(),
            settings: competition.settings().clone(),
            phase: competition.phase(),
            created_ms: self.log[0].at_ms,
            started_ms: self.time_of(|event| *event == CompetitionEvent::Started),
            ended_ms: self.time_of(|event| {
                matches!(event, CompetitionEvent::Finished | CompetitionEvent::Cancelled { .. })
            }),
            entrants: competition.entrants().len(),
            round: competition.round().map_or(0, |round| round.number()),
            last_event: self.last_event(),
            cancelled_for: competition.cancelled_for().unwrap_or_default().to_owned(),
            trouble: String::new(),
        }
    }
}

/// A competition, as lists show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompetitionOverview {
    /// Its name.
    pub id: CompetitionId,
    /// The account that created it.
    pub organizer: AccountId,
    /// Its settings.
    pub settings: CompetitionSettings,
    /// The phase that it is in.
    pub phase: CompetitionPhase,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was started.
    pub started_ms: Option<u64>,
    /// When it was finished or cancelled.
    pub ended_ms: Option<u64>,
    /// Number of entrants, those who left with them.
    pub entrants: usize,
    /// The round that was paired last; 0: none was.
    pub round: u16,
    /// The number of the last event.
    pub last_event: u64,
    /// The reason for which it was cancelled.
    pub cancelled_for: String,
    /// The reason that it does not go on by itself, in words for people; empty: it does.
    pub trouble: String,
}
