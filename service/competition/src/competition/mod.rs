//! A competition as a machine without I/O, folded from its log ([`Competition`]).
//!
//! Invariants: the state follows from the events and nothing else, byte for byte; an event that is refused changes nothing; what is due follows
//! from the state alone, so that a driver that crashes anywhere goes on with what [`Competition::due`] says. Pairings stand in the log: a
//! build that would pair otherwise replays it all the same.

mod apply;
mod due;
mod encounter_state;
mod entrant;
mod event;
mod pairing_check;
mod refusal;
mod stored;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::encounter::{Encounter, EncounterId, EncounterResult, EntrantId, MatchSlot, Round};
use crate::format::PairingInput;
use crate::settings::CompetitionSettings;
use crate::standings::Standings;

pub use due::Due;
use encounter_state::EncounterState;
pub use encounter_state::PlayedMatch;
pub use entrant::{Entrant, EntrantStatus};
pub use event::{CompetitionEvent, TEXT_BYTES_MAX};
pub use refusal::{CompetitionRefusal, PairingFault, ReplayFault};
pub use stored::EventError;

/// The most entrants of a competition, those who left with them.
pub const ENTRANTS_MAX: usize = 512;

/// The phase of a competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum CompetitionPhase {
    /// Entrants enrol.
    Enrolling,
    /// Rounds are paired and played.
    Running,
    /// All is played.
    Finished,
    /// It was called off.
    Cancelled,
}

/// A competition after some events of its log.
///
/// ```
/// use edgehill_competition::{Competition, CompetitionEvent, Due, Standings, Verdict};
/// # use edgehill_competition::*;
/// # let settings = CompetitionSettings {
/// #     name: "Spring cup".to_owned(),
/// #     terms: GameTerms { game: "skirmish".to_owned(), ..GameTerms::default() },
/// #     format: Format::RoundRobin { cycles: 1 },
/// #     encounter: EncounterTerms { length: EncounterLength::All(std::num::NonZeroU8::MIN), mirrored: false },
/// #     points: PointRules::classic(PointBasis::Matches),
/// #     tie_breaks: vec![TieBreak::DirectEncounter],
/// #     ratings: None,
/// #     policy: Policy::default(),
/// # };
/// let mut competition = Competition::create(settings)?;
/// for (index, name) in ["ada", "ben"].into_iter().enumerate() {
///     let entrant = EntrantId::at(index).expect("there are few");
///     competition.apply(&CompetitionEvent::Enrolled { entrant, name: name.to_owned(), rating: None })?;
/// }
/// competition.apply(&CompetitionEvent::Started)?;
///
/// // A driver writes into the log what it did of what was due, and asks again.
/// while let Some(due) = competition.due().into_iter().next() {
///     let event = match due {
///         Due::Pair { round, encounters } => CompetitionEvent::RoundPaired { round, encounters },
///         Due::Begin(planned) => {
///             CompetitionEvent::MatchBegun { slot: planned.slot, match_id: format!("match of {}", planned.slot) }
///         }
///         Due::Watch { slot, .. } => CompetitionEvent::MatchEnded {
///             slot,
///             verdict: Verdict::Win(EntrantId::FIRST),
///             evidence: "the record's result".to_owned(),
///         },
///         Due::Finish => CompetitionEvent::Finished,
///     };
///     competition.apply(&event)?;
/// }
/// assert_eq!(competition.standings().rows[0].name, "ada");
/// # Ok::<(), CompetitionRefusal>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Competition {
    settings: CompetitionSettings,
    phase: CompetitionPhase,
    /// Entrants by id.
    entrants: Vec<Entrant>,
    /// The entrants of the start, the best seed first.
    seeding: Vec<EntrantId>,
    /// The encounters of each round.
    rounds: Vec<Vec<EncounterState>>,
    /// The encounters that are not over.
    open: BTreeSet<EncounterId>,
    match_ids: BTreeSet<String>,
    /// The reason for which it was cancelled; empty if it was not.
    cancelled_for: String,
}

impl Competition {
    /// The competition that these settings begin, as the event [`CompetitionEvent::Created`] does.
    ///
    /// # Errors
    /// If the settings are not accepted.
    pub fn create(settings: CompetitionSettings) -> Result<Self, CompetitionRefusal> {
        settings.check()?;
        Ok(Self {
            settings,
            phase: CompetitionPhase::Enrolling,
            entrants: Vec::new(),
            seeding: Vec::new(),
            rounds: Vec::new(),
            open: BTreeSet::new(),
            match_ids: BTreeSet::new(),
            cancelled_for: String::new(),
        })
    }

    /// The competition after the events of a log, of which the first is [`CompetitionEvent::Created`].
    ///
    /// # Errors
    /// The first event that is refused.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a CompetitionEvent>) -> Result<Self, ReplayFault> {
        let mut events = events.into_iter().enumerate();
        let mut competition = match events.next() {
            Some((_, CompetitionEvent::Created(settings))) => Self::create(settings.as_ref().clone())
                .map_err(|refusal| ReplayFault { index: 0, refusal })?,
            _ => return Err(ReplayFault { index: 0, refusal: CompetitionRefusal::NotCreated }),
        };
        for (index, event) in events {
            competition.apply(event).map_err(|refusal| ReplayFault { index, refusal })?;
        }
        Ok(competition)
    }

    /// Returns the settings.
    #[must_use]
    pub const fn settings(&self) -> &CompetitionSettings {
        &self.settings
    }

    /// Returns the phase.
    #[must_use]
    pub const fn phase(&self) -> CompetitionPhase {
        self.phase
    }

    /// Returns the reason for which it was cancelled, if it was.
    #[must_use]
    pub fn cancelled_for(&self) -> Option<&str> {
        (self.phase == CompetitionPhase::Cancelled).then_some(self.cancelled_for.as_str())
    }

    /// Returns all who enrolled, by id.
    #[must_use]
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// Returns an entrant.
    #[must_use]
    pub fn entrant(&self, entrant: EntrantId) -> Option<&Entrant> {
        self.entrants.get(entrant.index())
    }

    /// Returns those who were there at the start, the best seed first; nobody before it.
    #[must_use]
    pub fn seeding(&self) -> &[EntrantId] {
        &self.seeding
    }

    /// Returns the round that was paired last.
    #[must_use]
    pub fn round(&self) -> Option<Round> {
        Round::at(self.rounds.len().checked_sub(1)?)
    }

    /// Returns the encounters of each round with their verdicts.
    #[must_use]
    pub fn results(&self) -> Vec<Vec<EncounterResult>> {
        let active = self.active();
        let results = |round: &Vec<EncounterState>| {
            round.iter().map(|state| state.progress(&self.settings, &active).result).collect()
        };
        self.rounds.iter().map(results).collect()
    }

    /// Returns every match that was begun, in order, attempts that were voided with them.
    pub fn matches(&self) -> impl Iterator<Item = (MatchSlot, &PlayedMatch)> {
        self.rounds.iter().enumerate().flat_map(|(round, encounters)| {
            encounters.iter().enumerate().flat_map(move |(index, state)| {
                let round = Round::at(round).expect("rounds are counted when they are paired");
                let id = EncounterId::at(round, index).expect("entrants are few");
                state.matches(id)
            })
        })
    }

    /// Returns the encounter of a match, if it was paired.
    #[must_use]
    pub fn encounter_of(&self, slot: MatchSlot) -> Option<Encounter> {
        self.encounter(slot.encounter).map(|state| state.encounter)
    }

    /// Returns the standings, as they are now.
    #[must_use]
    pub fn standings(&self) -> Standings {
        Standings::of(&self.settings, &self.entrants, &self.seeding, &self.results())
    }

    /// Returns the canonical encoding of the state: two competitions with the same bytes are the same. It is for comparing; what is kept is the
    /// log.
    #[must_use]
    pub fn state_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("all of the state knows its lengths")
    }

    /// The entrants that have not left.
    fn active(&self) -> BTreeSet<EntrantId> {
        let active = self.entrants.iter().filter(|entrant| entrant.status == EntrantStatus::Active);
        active.map(|entrant| entrant.id).collect()
    }

    /// The input of the next pairing, with these active entrants and rounds.
    fn pairing_input<'a>(
        &'a self,
        active: &'a BTreeSet<EntrantId>,
        rounds: &'a [Vec<EncounterResult>],
    ) -> PairingInput<'a> {
        PairingInput { settings: &self.settings, seeding: &self.seeding, active, rounds }
    }
}
