//! A driver that plays competitions by chance ([`Driver`]).

use edgehill_competition::{
    Competition, CompetitionEvent, CompetitionPhase, CompetitionRefusal, CompetitionSettings, Due, Encounter,
    EntrantId, EntrantStatus, ForfeitReason, Format, MatchSlot, Verdict,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Steps after which a competition of the tests does not end any more.
const STEPS_MAX: usize = 20_000;

/// The share of steps in which something goes wrong, in a thousand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trouble {
    pub(crate) leaving: usize,
    pub(crate) voiding: usize,
    /// Forfeits, in a thousand matches.
    pub(crate) forfeits: usize,
}

impl Trouble {
    pub(crate) const NONE: Self = Self { leaving: 0, voiding: 0, forfeits: 0 };
    pub(crate) const MUCH: Self = Self { leaving: 20, voiding: 60, forfeits: 150 };
}

/// A competition that is played by chance, with its log.
pub(crate) struct Driver {
    pub(crate) competition: Competition,
    pub(crate) log: Vec<CompetitionEvent>,
    rng: ChaCha8Rng,
    trouble: Trouble,
    begun: usize,
}

pub(crate) fn entrant(number: u16) -> EntrantId {
    EntrantId::new(number).unwrap()
}

pub(crate) fn enrolled(number: u16) -> CompetitionEvent {
    CompetitionEvent::Enrolled { entrant: entrant(number), name: format!("bot {number}"), rating: None }
}

impl Driver {
    /// A competition that so many have enrolled in, and that has started.
    pub(crate) fn start(settings: &CompetitionSettings, entrants: u16, seed: u64, trouble: Trouble) -> Self {
        let mut driver = Self {
            competition: Competition::create(settings.clone()).unwrap(),
            log: vec![CompetitionEvent::Created(Box::new(settings.clone()))],
            rng: ChaCha8Rng::seed_from_u64(seed),
            trouble,
            begun: 0,
        };
        (1..=entrants).for_each(|number| driver.write(enrolled(number)));
        driver.write(CompetitionEvent::Started);
        driver
    }

    /// Plays to the end.
    pub(crate) fn play(mut self) -> Self {
        for _ in 0..STEPS_MAX {
            if !self.step() {
                assert_eq!(self.competition.phase(), CompetitionPhase::Finished);
                return self;
            }
        }
        panic!("{:?} does not end", self.competition.settings());
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.rng.next_u32() as usize % bound
    }

    /// Does one thing; false if it is over.
    pub(crate) fn step(&mut self) -> bool {
        if self.competition.phase() != CompetitionPhase::Running {
            return false;
        }
        if self.below(1000) < self.trouble.leaving {
            self.leave();
        }
        if self.below(1000) < self.trouble.voiding {
            self.void();
        }
        let due = self.competition.due();
        assert!(!due.is_empty(), "a competition that runs waits for something");
        let chosen = self.below(due.len());
        let event = self.answer(&due[chosen]);
        self.write(event);
        true
    }

    /// The event of what is due, done.
    pub(crate) fn answer(&mut self, due: &Due) -> CompetitionEvent {
        match due {
            Due::Pair { round, encounters } => {
                CompetitionEvent::RoundPaired { round: *round, encounters: encounters.clone() }
            }
            Due::Begin(planned) => {
                self.begun += 1;
                CompetitionEvent::MatchBegun { slot: planned.slot, match_id: format!("match {}", self.begun) }
            }
            Due::Watch { slot, .. } => CompetitionEvent::MatchEnded {
                slot: *slot,
                verdict: self.verdict(*slot),
                evidence: "played\nto its end".to_owned(),
            },
            Due::Finish => CompetitionEvent::Finished,
        }
    }

    fn verdict(&mut self, slot: MatchSlot) -> Verdict {
        let encounter =
            self.competition.results()[slot.encounter.round.index()][slot.encounter.index()].encounter;
        let forfeits = self.below(1000) < self.trouble.forfeits;
        let reason = ForfeitReason::ALL[self.below(3)];
        match (encounter, self.competition.settings().format) {
            (Encounter::Pair { first, second }, _) => {
                let [one, other] = if self.below(2) == 0 { [first, second] } else { [second, first] };
                if forfeits {
                    return match self.below(4) {
                        0 => Verdict::BothForfeit(reason),
                        _ => Verdict::Forfeit { entrant: one, reason },
                    };
                }
                match self.below(8) {
                    0 | 1 => Verdict::Draw,
                    // The better seed, as a rule.
                    2..6 => Verdict::Win(first.min(second)),
                    6 => Verdict::Loss(one),
                    _ => Verdict::Win(other),
                }
            }
            (Encounter::Solo(entrant), Format::Series { least, most, .. }) => {
                if forfeits {
                    return Verdict::Forfeit { entrant, reason };
                }
                let width = most.abs_diff(least) as usize + 1;
                Verdict::Score { entrant, score: least + self.below(width) as i32 }
            }
            _ => panic!("{encounter:?} has no match"),
        }
    }

    fn leave(&mut self) {
        let entrants = self.competition.entrants();
        let active: Vec<EntrantId> = entrants
            .iter()
            .filter(|entrant| entrant.status == EntrantStatus::Active)
            .map(|entrant| entrant.id)
            .collect();
        if active.is_empty() {
            return;
        }
        let entrant = active[self.below(active.len())];
        let event = match self.below(3) {
            0 => CompetitionEvent::Disqualified { entrant, evidence: "two bots of one engine".to_owned() },
            _ => CompetitionEvent::Withdrawn { entrant },
        };
        self.write(event);
    }

    fn void(&mut self) {
        let slots: Vec<MatchSlot> = self.competition.matches().map(|(slot, _)| slot).collect();
        if slots.is_empty() {
            return;
        }
        let slot = slots[self.below(slots.len())];
        let replay = self.below(2) == 0;
        let event = CompetitionEvent::MatchVoided { slot, replay, evidence: "the host failed".to_owned() };
        // Voided before, of an attempt that is over, or built on: that changes nothing.
        let before = self.competition.state_bytes();
        match self.competition.apply(&event) {
            Ok(()) => self.log.push(event),
            Err(
                CompetitionRefusal::Voided(_)
                | CompetitionRefusal::NotBegun(_)
                | CompetitionRefusal::BuiltOn { .. },
            ) => assert_eq!(self.competition.state_bytes(), before),
            Err(refusal) => panic!("{event:?}: {refusal}"),
        }
    }

    /// Writes an event that is accepted.
    #[track_caller]
    pub(crate) fn write(&mut self, event: CompetitionEvent) {
        if let Err(refusal) = self.competition.apply(&event) {
            panic!("{event:?}: {refusal}");
        }
        self.log.push(event);
    }

    /// Pairs, begins and ends all that is due up to the next round, with these verdicts by the encounters' entrants; a draw for others.
    pub(crate) fn play_round(&mut self, verdict: impl Fn(Encounter) -> Verdict) {
        while !matches!(self.competition.due()[0], Due::Pair { .. } | Due::Finish) {
            self.settle(&verdict);
        }
    }

    /// Does the first thing that is due.
    pub(crate) fn settle(&mut self, verdict: &impl Fn(Encounter) -> Verdict) {
        let due = self.competition.due().remove(0);
        let event = match &due {
            Due::Watch { slot, .. } => {
                let id = slot.encounter;
                let encounter = self.competition.results()[id.round.index()][id.index()].encounter;
                CompetitionEvent::MatchEnded {
                    slot: *slot,
                    verdict: verdict(encounter),
                    evidence: String::new(),
                }
            }
            _ => self.answer(&due),
        };
        self.write(event);
    }

    /// Plays to the end with these verdicts.
    pub(crate) fn play_by(mut self, verdict: impl Fn(Encounter) -> Verdict) -> Self {
        while self.competition.phase() == CompetitionPhase::Running {
            self.settle(&verdict);
        }
        self
    }
}

/// The verdict by which the better seed wins, where entrants enrolled in the order of their seeds.
pub(crate) fn better_wins(encounter: Encounter) -> Verdict {
    Verdict::Win(encounter.entrants().min().unwrap())
}
