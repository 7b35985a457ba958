//! Events folded into a competition ([`Competition::apply`]). Each is checked as a whole before anything changes.

use std::cmp::Reverse;

use super::event::TEXT_BYTES_MAX;
use super::{
    Competition, CompetitionEvent, CompetitionPhase, CompetitionRefusal, ENTRANTS_MAX, EncounterState,
    Entrant, EntrantStatus, PlayedMatch, pairing_check,
};
use crate::encounter::{Encounter, EncounterId, EntrantId, MatchSlot, Round, Verdict};
use crate::format::Format;

/// The most bytes of a name, a match's id or a reason.
const WORD_BYTES_MAX: usize = 200;

/// The most attempts at a match.
pub(super) const ATTEMPTS_MAX: u16 = 100;

type Applied = Result<(), CompetitionRefusal>;

impl Competition {
    /// Applies the next event of the log.
    ///
    /// # Errors
    /// The reason for which it is refused; the competition is then as it was.
    pub fn apply(&mut self, event: &CompetitionEvent) -> Applied {
        match event {
            CompetitionEvent::Created(_) => Err(CompetitionRefusal::Created),
            CompetitionEvent::Enrolled { entrant, name, rating } => self.enrol(*entrant, name, *rating),
            CompetitionEvent::Withdrawn { entrant } => self.withdraw(*entrant),
            CompetitionEvent::Disqualified { entrant, evidence } => self.disqualify(*entrant, evidence),
            CompetitionEvent::Started => self.start(),
            CompetitionEvent::RoundPaired { round, encounters } => self.pair(*round, encounters),
            CompetitionEvent::MatchBegun { slot, match_id } => self.begin(*slot, match_id),
            CompetitionEvent::MatchEnded { slot, verdict, evidence } => self.end(*slot, *verdict, evidence),
            CompetitionEvent::MatchVoided { slot, replay, evidence } => self.void(*slot, *replay, evidence),
            CompetitionEvent::Cancelled { reason } => self.cancel(reason),
            CompetitionEvent::Finished => self.finish(),
        }
    }

    fn expect_phase(&self, accepted: CompetitionPhase) -> Applied {
        if self.phase == accepted {
            return Ok(());
        }
        Err(CompetitionRefusal::Phase { phase: self.phase, accepted })
    }

    /// Checks that it is neither finished nor cancelled.
    fn expect_under_way(&self) -> Applied {
        match self.phase {
            CompetitionPhase::Enrolling | CompetitionPhase::Running => Ok(()),
            phase => Err(CompetitionRefusal::Phase { phase, accepted: CompetitionPhase::Running }),
        }
    }

    fn enrol(&mut self, entrant: EntrantId, name: &str, rating: Option<i32>) -> Applied {
        self.expect_phase(CompetitionPhase::Enrolling)?;
        check_text("name", name, 1, WORD_BYTES_MAX)?;
        if self.entrants.len() >= ENTRANTS_MAX {
            return Err(CompetitionRefusal::Full);
        }
        let expected = EntrantId::at(self.entrants.len()).expect("entrants are bounded");
        if entrant != expected {
            return Err(CompetitionRefusal::EntrantOrder { given: entrant, expected });
        }
        if let Some(other) = self.entrants.iter().find(|other| other.name == name) {
            return Err(CompetitionRefusal::NameTaken { name: name.to_owned(), entrant: other.id });
        }
        self.entrants.push(Entrant {
            id: entrant,
            name: name.to_owned(),
            rating,
            status: EntrantStatus::Active,
            evidence: String::new(),
        });
        Ok(())
    }

    fn withdraw(&mut self, entrant: EntrantId) -> Applied {
        self.expect_under_way()?;
        let leaving = self.entrant_mut(entrant)?;
        if leaving.status != EntrantStatus::Active {
            return Err(CompetitionRefusal::Left(entrant));
        }
        leaving.status = EntrantStatus::Withdrawn;
        self.close_those_of(entrant);
        Ok(())
    }

    fn disqualify(&mut self, entrant: EntrantId, evidence: &str) -> Applied {
        self.expect_under_way()?;
        check_evidence(evidence)?;
        let leaving = self.entrant_mut(entrant)?;
        if leaving.status == EntrantStatus::Disqualified {
            return Err(CompetitionRefusal::Left(entrant));
        }
        leaving.status = EntrantStatus::Disqualified;
        evidence.clone_into(&mut leaving.evidence);
        self.close_those_of(entrant);
        Ok(())
    }

    fn start(&mut self) -> Applied {
        self.expect_phase(CompetitionPhase::Enrolling)?;
        let active = self.active();
        let needed = self.settings.format.entrants_min();
        if active.len() < needed {
            return Err(CompetitionRefusal::TooFew { active: active.len(), needed });
        }
        if let Format::Gauntlet { challengers, .. } = self.settings.format {
            let running = active.iter().filter(|entrant| entrant.number() <= challengers).count();
            if running == 0 || running == active.len() {
                return Err(CompetitionRefusal::Challengers { active: active.len(), challengers: running });
            }
        }
        self.seeding = active.into_iter().collect();
        // Sorting keeps the order of enrolment where ratings are equal; who has none is below all who have.
        self.seeding.sort_by_key(|entrant| Reverse(self.entrants[entrant.index()].rating));
        self.phase = CompetitionPhase::Running;
        Ok(())
    }

    fn pair(&mut self, round: Round, encounters: &[Encounter]) -> Applied {
        self.expect_phase(CompetitionPhase::Running)?;
        let expected = Round::at(self.rounds.len()).ok_or(CompetitionRefusal::NoFurtherRound)?;
        if round != expected {
            return Err(CompetitionRefusal::RoundOrder { given: round, expected });
        }
        if !self.goes_on()? {
            return Err(CompetitionRefusal::NoFurtherRound);
        }
        pairing_check::check(encounters, self.settings.format, &self.active())?;
        self.rounds.push(
            encounters.iter().map(|&encounter| EncounterState::new(encounter, &self.settings)).collect(),
        );
        let ids = (0..encounters.len()).filter_map(|index| EncounterId::at(round, index));
        self.look_whether_over(ids.collect());
        Ok(())
    }

    /// True if a further round follows those so far, which are over.
    fn goes_on(&self) -> Result<bool, CompetitionRefusal> {
        if !self.open.is_empty() {
            return Err(CompetitionRefusal::RoundOpen);
        }
        let active = self.active();
        let may_go_on = self.rounds.len() < usize::from(u16::MAX);
        Ok(may_go_on
            && self.settings.format.goes_on(self.rounds.len(), &active, || {
                let results = self.results();
                self.settings.format.next_round(&self.pairing_input(&active, &results))
            }))
    }

    fn begin(&mut self, slot: MatchSlot, match_id: &str) -> Applied {
        self.expect_phase(CompetitionPhase::Running)?;
        check_text("match_id", match_id, 1, WORD_BYTES_MAX)?;
        let active = self.active();
        let state = self.encounter(slot.encounter).ok_or(CompetitionRefusal::NotDue(slot))?;
        let is_due = state.progress(&self.settings, &active).to_begin.contains(&slot.index())
            && state.slot(slot.encounter, slot.index()) == slot;
        if !is_due {
            return Err(CompetitionRefusal::NotDue(slot));
        }
        if self.match_ids.contains(match_id) {
            return Err(CompetitionRefusal::MatchIdTaken(match_id.to_owned()));
        }
        self.match_ids.insert(match_id.to_owned());
        let attempts = &mut self.encounter_mut(slot.encounter).attempts;
        if attempts.len() <= slot.index() {
            attempts.resize(slot.index() + 1, Vec::new());
        }
        attempts[slot.index()].push(PlayedMatch {
            attempt: slot.attempt,
            match_id: match_id.to_owned(),
            verdict: None,
            evidence: String::new(),
            replayed: false,
        });
        Ok(())
    }

    /// The match that counts in a slot, if it has begun under that attempt.
    fn begun(&self, slot: MatchSlot) -> Result<(&EncounterState, &PlayedMatch), CompetitionRefusal> {
        let state = self.encounter(slot.encounter).ok_or(CompetitionRefusal::NotBegun(slot))?;
        let begun = state.current(slot.index()).ok_or(CompetitionRefusal::NotBegun(slot))?;
        if state.slot(slot.encounter, slot.index()) != slot {
            return Err(CompetitionRefusal::NotBegun(slot));
        }
        Ok((state, begun))
    }

    fn end(&mut self, slot: MatchSlot, verdict: Verdict, evidence: &str) -> Applied {
        self.expect_phase(CompetitionPhase::Running)?;
        check_evidence(evidence)?;
        let (state, begun) = self.begun(slot)?;
        match begun.verdict {
            Some(Verdict::Void) => return Err(CompetitionRefusal::Voided(slot)),
            Some(_) => return Err(CompetitionRefusal::Over(slot)),
            None => {}
        }
        check_verdict(verdict, state.encounter, self.settings.format)
            .map_err(|accepted| CompetitionRefusal::Verdict { slot, verdict, accepted })?;
        let begun = self.begun_mut(slot);
        begun.verdict = Some(verdict);
        evidence.clone_into(&mut begun.evidence);
        self.look_whether_over(vec![slot.encounter]);
        Ok(())
    }

    fn void(&mut self, slot: MatchSlot, replay: bool, evidence: &str) -> Applied {
        self.expect_phase(CompetitionPhase::Running)?;
        check_evidence(evidence)?;
        let (state, begun) = self.begun(slot)?;
        if begun.verdict == Some(Verdict::Void) {
            return Err(CompetitionRefusal::Voided(slot));
        }
        let last = Round::at(self.rounds.len() - 1).expect("rounds are counted when they are paired");
        if self.settings.format.builds_on_results() && slot.encounter.round < last {
            let round = Round::at(slot.encounter.round.index() + 1).expect("a later one was paired");
            return Err(CompetitionRefusal::BuiltOn { slot, round });
        }
        if replay && slot.attempt.get() >= ATTEMPTS_MAX {
            return Err(CompetitionRefusal::Attempts(slot));
        }
        let partner = slot.index() ^ 1;
        // Both matches of a mirrored pair share a seed, which somebody knows by now.
        let with_partner = replay && state.mirrored && state.current(partner).is_some();
        let places = std::iter::once(slot.index()).chain(with_partner.then_some(partner));
        let attempts = &mut self.encounter_mut(slot.encounter).attempts;
        for place in places {
            let voided = attempts[place].last_mut().expect("it has begun");
            voided.verdict = Some(Verdict::Void);
            voided.replayed = replay;
            evidence.clone_into(&mut voided.evidence);
        }
        self.look_whether_over(vec![slot.encounter]);
        Ok(())
    }

    fn cancel(&mut self, reason: &str) -> Applied {
        self.expect_under_way()?;
        check_text("reason", reason, 0, WORD_BYTES_MAX)?;
        self.phase = CompetitionPhase::Cancelled;
        reason.clone_into(&mut self.cancelled_for);
        Ok(())
    }

    fn finish(&mut self) -> Applied {
        self.expect_phase(CompetitionPhase::Running)?;
        if self.goes_on()? {
            return Err(CompetitionRefusal::FurtherRound);
        }
        self.phase = CompetitionPhase::Finished;
        Ok(())
    }

    /// Keeps the encounters that are not over up to date, after something happened in these.
    fn look_whether_over(&mut self, changed: Vec<EncounterId>) {
        let active = self.active();
        for id in changed {
            let state = self.encounter(id).expect("it was paired");
            if state.progress(&self.settings, &active).result.is_over {
                self.open.remove(&id);
            } else {
                self.open.insert(id);
            }
        }
    }

    /// Closes the encounters of an entrant that only waited for matches to begin. None is opened by it.
    fn close_those_of(&mut self, entrant: EntrantId) {
        let of = |id: &EncounterId| self.encounter(*id).is_some_and(|state| state.encounter.has(entrant));
        let waiting = self.open.iter().copied().filter(of).collect();
        self.look_whether_over(waiting);
    }

    fn entrant_mut(&mut self, entrant: EntrantId) -> Result<&mut Entrant, CompetitionRefusal> {
        self.entrants.get_mut(entrant.index()).ok_or(CompetitionRefusal::UnknownEntrant(entrant))
    }

    pub(super) fn encounter(&self, id: EncounterId) -> Option<&EncounterState> {
        self.rounds.get(id.round.index())?.get(id.index())
    }

    fn encounter_mut(&mut self, id: EncounterId) -> &mut EncounterState {
        &mut self.rounds[id.round.index()][id.index()]
    }

    fn begun_mut(&mut self, slot: MatchSlot) -> &mut PlayedMatch {
        let attempts = &mut self.encounter_mut(slot.encounter).attempts;
        attempts[slot.index()].last_mut().expect("it has begun")
    }
}

fn check_text(field: &'static str, text: &str, min: usize, max: usize) -> Applied {
    if (min..=max).contains(&text.len()) && !text.chars().any(char::is_control) {
        return Ok(());
    }
    Err(CompetitionRefusal::Text { field, bytes: text.len(), min, max })
}

/// Evidence may have lines.
fn check_evidence(evidence: &str) -> Applied {
    if evidence.len() <= TEXT_BYTES_MAX && !evidence.chars().any(|c| c.is_control() && c != '\n') {
        return Ok(());
    }
    Err(CompetitionRefusal::Text { field: "evidence", bytes: evidence.len(), min: 0, max: TEXT_BYTES_MAX })
}

/// Checks that a match of this encounter can have the verdict; else the verdicts that it could have.
fn check_verdict(verdict: Verdict, encounter: Encounter, format: Format) -> Result<(), &'static str> {
    if verdict == Verdict::Void {
        return Err("a match is voided by an event of its own");
    }
    if verdict.about().is_some_and(|about| !encounter.has(about)) {
        return Err("it names an entrant of the encounter");
    }
    match (verdict, format) {
        (Verdict::Score { score, .. }, Format::Series { least, most, .. }) => {
            if (least..=most).contains(&score) {
                Ok(())
            } else {
                Err("a score is in the range of the settings")
            }
        }
        (Verdict::Forfeit { .. }, _) => Ok(()),
        (_, Format::Series { .. }) => Err("in a series a match has a score, or a forfeit"),
        (Verdict::Score { .. }, _) => Err("scores are for series"),
        _ => Ok(()),
    }
}
