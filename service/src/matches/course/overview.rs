//! A match as lists show it ([`Overview`]): its course without its log.

use edgehill_engine::seat::{Seat, SeatSet};
use serde::{Deserialize, Serialize};

use super::super::adjournment::Adjourning;
use super::super::clock::{self, ClockTerms, SeatClock};
use super::super::conduct::{Conduct, IllegalActions};
use super::super::entry::ResultNote;
use super::super::header::{MatchHeader, PinNote};
use super::super::referee::{RefereeAct, RefereeActDone};
use super::super::seats::{Join, SeatEntry};
use super::super::spectator_delay::SpectatorDelay;
use super::super::stored::{self, StoredError};
use super::{Course, Phase};
use crate::store::MatchId;

/// The part of a course that lists show, which the store keeps in the match's row: what of it changes does so with few
/// entries of a log, those that [`Course::turns`] counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Overview {
    /// The terms; of a described position is kept that there is one, and it is empty.
    pub header: MatchHeader,
    /// The seats; of a join are kept the player's name, the account (rows of earlier builds have it empty), the hash of the token,
    /// and what it says of entropy.
    pub seats: Vec<SeatEntry>,
    /// The phase that it is in.
    pub phase: Phase,
    /// The seats that offer a draw, a bit for each seat.
    pub offers: u8,
    /// The result, and its time in milliseconds since 1970.
    pub result: Option<(ResultNote, u64)>,
    /// When the last seat joined, in milliseconds since 1970.
    pub full_ms: u64,
    /// The entropies of a group that has begun.
    pub group_entropies: Option<Vec<[u8; 32]>>,
    /// The clocks of the seats; none without.
    #[serde(skip)]
    pub clocks: Vec<SeatClock>,
    /// The acts of referees, without what their requests were.
    #[serde(skip)]
    pub referee_acts: Vec<RefereeActDone>,
    /// The seats that referees have taken from their players, a bit for each seat that nobody has taken since.
    #[serde(skip)]
    pub vacant: u8,
    /// The adjournment of the match, and the offers to adjourn it.
    #[serde(skip)]
    pub adjourning: Adjourning,
}

/// The part of an overview that only matches with clocks have.
type Clocked = (ClockTerms, Vec<SeatClock>);

/// The part of an overview that only matches have on which referees have acted: acts, vacant seats, and the time that was added to
/// the limit of each seat's question.
type Refereed = (Vec<RefereeActDone>, u8, Vec<u64>);

/// The part of an overview that only matches have that are adjourned, that somebody offers to adjourn, or in which a question was
/// interrupted: the time that each had taken, and the adjournment with the offers.
type Adjourned = (Vec<u64>, Adjourning);

/// The part of an overview that comes behind its fields where it has a delay of spectators: all of the others, and the delay.
type Delayed = (Option<Clocked>, Option<PinNote>, Refereed, Adjourned, SpectatorDelay);

/// The part of an overview that comes behind its fields where it has terms of conduct: all of the others, and those.
type Conducted = (Option<Clocked>, Option<PinNote>, Refereed, Adjourned, Option<SpectatorDelay>, Conduct);

impl Overview {
    /// The bytes to store.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let clocked = self.header.clock.as_ref().map(|terms| (terms, &self.clocks));
        let pin = self.header.repinned.map(PinNote::from);
        let refereed =
            (&self.referee_acts, self.vacant, clock::extra_times(&self.clocks).unwrap_or_default());
        let spent_ms = clock::spent_times(&self.clocks);
        if let Some(conduct) = self.header.conduct {
            let adjourned = (spent_ms.unwrap_or_default(), &self.adjourning);
            let delay = self.header.spectator_delay;
            return stored::to_bytes_conducted(self, &(clocked, pin, refereed, adjourned, delay, conduct));
        }
        if let Some(delay) = self.header.spectator_delay {
            let adjourned = (spent_ms.unwrap_or_default(), &self.adjourning);
            return stored::to_bytes_delayed(self, &(clocked, pin, refereed, adjourned, delay));
        }
        if spent_ms.is_some() || self.adjourning != Adjourning::default() {
            let adjourned = (spent_ms.unwrap_or_default(), &self.adjourning);
            return stored::to_bytes_adjourned(self, &(clocked, pin, refereed, adjourned));
        }
        if !self.referee_acts.is_empty() {
            return stored::to_bytes_refereed(self, &(clocked, pin, refereed));
        }
        match &self.header.repinned {
            None => stored::to_bytes_clocked(self, clocked.as_ref(), 0),
            Some(pin) => stored::to_bytes_repinned(self, &(clocked, PinNote::from(*pin))),
        }
    }

    /// Reads stored bytes.
    ///
    /// # Errors
    /// If they are of another version, or no overview.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        if let Some((overview, rest)) = stored::from_bytes_conducted(bytes)? {
            let (overview, (clocked, pin, refereed, adjourned, delay, conduct)): (Self, Conducted) =
                (overview, rest);
            let mut overview = overview.refereed(clocked, pin, refereed).adjourned(adjourned);
            (overview.header.spectator_delay, overview.header.conduct) = (delay, Some(conduct));
            return Ok(overview);
        }
        if let Some((overview, rest)) = stored::from_bytes_delayed(bytes)? {
            let (overview, (clocked, pin, refereed, adjourned, delay)): (Self, Delayed) = (overview, rest);
            let mut overview = overview.refereed(clocked, pin, refereed).adjourned(adjourned);
            overview.header.spectator_delay = Some(delay);
            return Ok(overview);
        }
        if let Some((overview, rest)) = stored::from_bytes_adjourned(bytes)? {
            let (overview, (clocked, pin, refereed, adjourned)): (
                Self,
                (Option<Clocked>, Option<PinNote>, Refereed, Adjourned),
            ) = (overview, rest);
            return Ok(overview.refereed(clocked, pin, refereed).adjourned(adjourned));
        }
        if let Some((overview, rest)) = stored::from_bytes_refereed(bytes)? {
            let (overview, (clocked, pin, refereed)): (Self, (Option<Clocked>, Option<PinNote>, Refereed)) =
                (overview, rest);
            return Ok(overview.refereed(clocked, pin, refereed));
        }
        let (mut overview, clocked): (Self, Option<Clocked>) = match stored::from_bytes_repinned(bytes)? {
            None => stored::from_bytes_clocked(bytes)?,
            Some((overview, (clocked, note))) => {
                let (mut overview, note): (Self, PinNote) = (overview, note);
                overview.header.repinned = Some(note.into());
                (overview, clocked)
            }
        };
        overview.set_clocked(clocked);
        Ok(overview)
    }

    /// The overview with what comes behind its fields.
    fn refereed(
        mut self,
        clocked: Option<Clocked>,
        pin: Option<PinNote>,
        (referee_acts, vacant, extra_ms): Refereed,
    ) -> Self {
        self.header.repinned = pin.map(Into::into);
        self.set_clocked(clocked);
        clock::set_extra_times(&mut self.clocks, extra_ms);
        Self { referee_acts, vacant, ..self }
    }

    /// The overview with what comes behind its fields and those of referees.
    fn adjourned(mut self, (spent_ms, adjourning): Adjourned) -> Self {
        clock::set_spent_times(&mut self.clocks, spent_ms);
        Self { adjourning, ..self }
    }

    fn set_clocked(&mut self, clocked: Option<Clocked>) {
        if let Some((terms, clocks)) = clocked {
            (self.header.clock, self.clocks) = (Some(terms), clocks);
        }
    }
}

impl Course {
    /// Returns what lists show of it.
    #[must_use]
    pub fn overview(&self) -> Overview {
        let position = self.header.position.as_ref().map(|_| String::new());
        Overview {
            header: MatchHeader { position, ..self.header.clone() },
            seats: self.seats.iter().map(listed).collect(),
            phase: self.phase,
            offers: bits_of(self.offers),
            result: self.result.as_deref().map(|result| (result.clone(), self.ended_ms)),
            full_ms: self.full_ms,
            group_entropies: self.group_entropies.clone(),
            clocks: self.clocks.clone(),
            referee_acts: self.referee_acts.iter().map(listed_act).collect(),
            vacant: bits_of(self.vacant),
            adjourning: self.adjourning.clone(),
        }
    }

    /// The course of a match that stands at `revision`, with so many events in each sequence, as far as lists show it: who
    /// left, and the places of other matches in its group, are not known.
    #[must_use]
    pub fn listed(id: MatchId, revision: u64, lengths: Vec<u64>, overview: Overview) -> Self {
        let Overview {
            header,
            seats,
            phase,
            offers,
            result,
            full_ms,
            group_entropies,
            clocks,
            referee_acts,
            vacant,
            adjourning,
        } = overview;
        let (result, ended_ms) = result.map_or((None, 0), |(result, at_ms)| (Some(result), at_ms));
        let illegal_actions = vec![IllegalActions::default(); seats.len()];
        Self {
            id,
            header,
            seats,
            phase,
            revision,
            lengths,
            offers: seats_of(offers),
            turns: 0,
            result: result.map(Box::new),
            ended_ms,
            full_ms,
            group_entropies,
            clocks,
            grown: Vec::new(),
            left: Vec::new(),
            aborted: None,
            referee_acts,
            vacant: seats_of(vacant),
            given_up: None,
            adjourning,
            resumed: 0,
            spectator_lengths: Vec::new(),
            illegal_actions,
        }
    }
}

/// The seats whose bits are set.
pub(super) fn seats_of(bits: u8) -> SeatSet {
    (0..Seat::MAX as u8).filter(|bit| bits >> bit & 1 == 1).map(Seat::new).collect()
}

fn bits_of(seats: SeatSet) -> u8 {
    seats.iter().fold(0, |bits, seat| bits | 1 << seat.index())
}

/// An act without what lists have no use for.
fn listed_act(done: &RefereeActDone) -> RefereeActDone {
    let mut listed = done.clone();
    (listed.note.referee, listed.note.request, listed.note.body) = (Vec::new(), Vec::new(), [0; 32]);
    if let RefereeAct::ReplacePlayer { account, .. } = &mut listed.note.act {
        *account = None;
    }
    listed
}

/// A seat without what lists have no use for.
fn listed(seat: &SeatEntry) -> SeatEntry {
    let without = |join: &Join| Join { request: Vec::new(), body: [0; 32], ..join.clone() };
    SeatEntry { join: seat.join.as_ref().map(without), ..seat.clone() }
}

#[cfg(test)]
mod tests {
    use edgehill_engine::content::ContentHash;
    use edgehill_engine::record::RulesPin;

    use super::super::super::adjournment::Adjournment;
    use super::super::super::clock::TimeoutRule;
    use super::super::super::header::{EntropyMode, SeatConfig, SeedTerms};
    use super::super::super::referee::RefereeNote;
    use super::*;

    fn header() -> MatchHeader {
        MatchHeader {
            game: "skirmish".to_owned(),
            rules_version: 1,
            content: [1; 32],
            scenario: "field".to_owned(),
            options: Vec::new(),
            options_hash: [2; 32],
            position: None,
            seats: vec![SeatConfig::Open, SeatConfig::Invited],
            entropy_mode: EntropyMode::Open,
            seed: SeedTerms::Server,
            commitment: None,
            created_ms: 5,
            creator: Vec::new(),
            counted_as: Vec::new(),
            clock: None,
            repinned: None,
            spectator_delay: None,
            conduct: None,
        }
    }

    /// The overview of the same match after acts of referees.
    fn refereed(mut overview: Overview) -> Overview {
        let acts = [
            RefereeAct::AddTime { seat: 1, added_ms: 7 },
            RefereeAct::CorrectResult { returns: vec![-1, 1] },
        ];
        let done = |act| RefereeActDone {
            note: RefereeNote { act, reason: "so".into(), referee: vec![], request: vec![], body: [0; 32] },
            at_ms: 9,
        };
        overview.clocks.iter_mut().for_each(|clock| clock.extra_ms = 7);
        Overview { referee_acts: acts.map(done).to_vec(), vacant: 2, ..overview }
    }

    /// The overview of the same match, adjourned.
    fn adjourned(mut overview: Overview) -> Overview {
        let adjournment = Adjournment { at_ms: 9, longest_ms: 60_000, by_referee: true, resumes: 0 };
        overview.clocks.iter_mut().for_each(|clock| clock.spent_ms = 5);
        let offers = [(0, 90_000)].into_iter().collect();
        Overview { adjourning: Adjourning { offers, adjournment: Some(adjournment) }, ..overview }
    }

    #[test]
    fn an_overview_reads_back_with_clocks_and_with_rules_that_took_its_match_up() {
        let pin = RulesPin { rules_version: 2, content: ContentHash::from_bytes([3; 32]) };
        let at_end = TimeoutRule::Forfeit;
        let terms = ClockTerms {
            bank_ms: Some(60_000),
            increment_ms: 1,
            delay_ms: 2,
            decision_ms: None,
            window_ms: Some(3),
            at_end,
        };
        for clock in [None, Some(terms)] {
            for repinned in [None, Some(pin)] {
                for spectator_delay in [None, Some(SpectatorDelay { events: 3, hold_back_ms: 5_000 })] {
                    let conduct = spectator_delay.filter(|_| clock.is_some()).map(|_| Conduct::default());
                    let header = MatchHeader { clock, repinned, spectator_delay, conduct, ..header() };
                    let overview = Course::new(MatchId::from_bytes([1; 16]), header, &[]).overview();
                    assert_eq!(Overview::from_bytes(&overview.to_bytes()), Ok(overview.clone()));
                    let refereed = refereed(overview.clone());
                    assert_eq!(Overview::from_bytes(&refereed.to_bytes()), Ok(refereed.clone()));
                    for overview in [overview, refereed] {
                        let adjourned = adjourned(overview);
                        assert_eq!(Overview::from_bytes(&adjourned.to_bytes()), Ok(adjourned));
                    }
                }
            }
        }
    }
}
