//! Steps that a competition waits for ([`Competition::due`]).

use super::{Competition, CompetitionPhase};
use crate::encounter::{Encounter, EncounterId, EntrantId, MatchSlot, PlannedMatch, Round};
use crate::format::NextRound;

/// A step that a competition waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Due {
    /// Pair a round: write [`super::CompetitionEvent::RoundPaired`] with these encounters.
    Pair {
        /// The round.
        round: Round,
        /// Its encounters.
        encounters: Vec<Encounter>,
    },
    /// Begin a match: create it on the server, then write [`super::CompetitionEvent::MatchBegun`]. A driver whose request id follows from the
    /// slot creates it once, even if it crashes in between.
    Begin(PlannedMatch),
    /// Watch a match that has begun, and write [`super::CompetitionEvent::MatchEnded`] when it is over, with the verdict of its returns
    /// ([`crate::Verdict::of_returns`]) or one of the host's.
    Watch {
        /// Its place in the competition.
        slot: MatchSlot,
        /// The entrants in the order of their seats.
        seats: Vec<EntrantId>,
        /// Its id on the server.
        match_id: String,
    },
    /// Write [`super::CompetitionEvent::Finished`].
    Finish,
}

impl Competition {
    /// Returns all that the competition waits for, in the order of rounds, encounters and matches: to pair or to finish alone, or else the
    /// matches to begin and to watch. A function of the log so far: a driver does any of it, writes down what it did, and asks again.
    /// Nothing is due before the start and after the end.
    #[must_use]
    pub fn due(&self) -> Vec<Due> {
        if self.phase != CompetitionPhase::Running {
            return Vec::new();
        }
        let active = self.active();
        let of_encounter = |&id: &EncounterId| {
            let state = self.encounter(id).expect("what is open was paired");
            state.due(id, &state.progress(&self.settings, &active))
        };
        if !self.open.is_empty() {
            return self.open.iter().flat_map(of_encounter).collect();
        }
        let results = self.results();
        let next = self.settings.format.next_round(&self.pairing_input(&active, &results));
        match (next, Round::at(self.rounds.len())) {
            (NextRound::Pair(encounters), Some(round)) => vec![Due::Pair { round, encounters }],
            // Settings and entrants bound the rounds, unless somebody has written idle ones into the log.
            (NextRound::Finished, _) | (_, None) => vec![Due::Finish],
        }
    }
}
