//! A driver that crashes anywhere goes on.

use std::collections::BTreeMap;

use edgehill_competition::rating::RatingSystem;
use edgehill_competition::{
    Competition, CompetitionEvent, CompetitionPhase, Due, EntrantId, EntrantStatus, Format, PlannedMatch,
    TieBreak, Verdict,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::driver::enrolled;
use crate::settings::{length, settings};
use crate::volume::volume;

/// A server that keeps what was asked of it, whatever becomes of who asked: a request makes a match once.
#[derive(Default)]
struct Server {
    by_request: BTreeMap<String, String>,
    verdicts: BTreeMap<String, Verdict>,
}

impl Server {
    /// The match of a request; its verdict hangs on the request alone.
    fn create(&mut self, planned: &PlannedMatch) -> String {
        let request = planned.slot.to_string();
        let next = format!("match-{}", self.by_request.len());
        let id = self.by_request.entry(request.clone()).or_insert(next).clone();
        let sum: u64 =
            request.bytes().fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let verdict = match ChaCha8Rng::seed_from_u64(sum).next_u32() % 10 {
            0 | 1 => Verdict::Draw,
            2 => Verdict::Loss(planned.seats[0]),
            3..6 => Verdict::Win(planned.seats[0]),
            _ => Verdict::Win(*planned.seats.iter().min().unwrap()),
        };
        self.verdicts.insert(id.clone(), verdict);
        id
    }
}

/// The durable things: the log, and the server.
struct Durable {
    log: Vec<Vec<u8>>,
    server: Server,
}

impl Durable {
    fn write(&mut self, competition: &mut Competition, event: &CompetitionEvent) {
        competition.apply(event).unwrap();
        self.log.push(event.to_bytes());
    }

    fn replay(&self) -> Competition {
        let events: Vec<_> =
            self.log.iter().map(|bytes| CompetitionEvent::from_bytes(bytes).unwrap()).collect();
        Competition::replay(&events).unwrap()
    }

    /// Does what is due, in some order, until it crashes or all is over.
    fn drive(&mut self, rng: &mut ChaCha8Rng, crash_in_thousand: u32) {
        let mut competition = self.replay();
        let mut crashes = || rng.next_u32() % 1000 < crash_in_thousand;
        loop {
            let due = competition.due();
            if due.is_empty() {
                return;
            }
            for one in due {
                // Before anything was done.
                if crashes() {
                    return;
                }
                let event = match one {
                    Due::Pair { round, encounters } => CompetitionEvent::RoundPaired { round, encounters },
                    Due::Begin(planned) => {
                        let match_id = self.server.create(&planned);
                        CompetitionEvent::MatchBegun { slot: planned.slot, match_id }
                    }
                    Due::Watch { slot, match_id, .. } => {
                        let verdict = self.server.verdicts[&match_id];
                        CompetitionEvent::MatchEnded { slot, verdict, evidence: match_id }
                    }
                    Due::Finish => CompetitionEvent::Finished,
                };
                // After it was done, and before it was written down.
                if crashes() {
                    return;
                }
                self.write(&mut competition, &event);
            }
        }
    }
}

/// Plays a Swiss of 64 mirrored pairs, with operators that send some away, in so many lives of its driver.
fn play(seed: u64, crash_in_thousand: u32) -> (Durable, usize) {
    let mut settings = settings(Format::Swiss { rounds: 7 });
    settings.encounter.length = length(2);
    settings.encounter.mirrored = true;
    settings.ratings = Some(RatingSystem::Glicko2);
    settings.tie_breaks = vec![TieBreak::BuchholzCut1, TieBreak::SonnebornBerger, TieBreak::DirectEncounter];
    let mut durable = Durable { log: Vec::new(), server: Server::default() };
    let mut competition = Competition::create(settings.clone()).unwrap();
    durable.log.push(CompetitionEvent::Created(Box::new(settings)).to_bytes());
    (1..=64).for_each(|number| durable.write(&mut competition, &enrolled(number)));
    durable.write(&mut competition, &CompetitionEvent::Started);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lives = 0;
    while durable.replay().phase() == CompetitionPhase::Running {
        durable.drive(&mut rng, crash_in_thousand);
        lives += 1;
        // A life in fifty ends with a bot sent away, in the log like all else.
        let mut competition = durable.replay();
        if competition.phase() == CompetitionPhase::Running && rng.next_u32() % 50 == 0 {
            let entrant = EntrantId::new((rng.next_u32() % 64 + 1) as u16).unwrap();
            if competition.entrant(entrant).unwrap().status == EntrantStatus::Active {
                durable.write(&mut competition, &CompetitionEvent::Withdrawn { entrant });
            }
        }
    }
    (durable, lives)
}

#[test]
fn a_swiss_of_64_with_crashes_ends_with_the_standings_of_its_replay() {
    let volume = volume(100);
    for case in 0..volume.cases as u64 {
        let (durable, lives) = play(volume.seed.wrapping_add(case), 25);
        assert!(lives > 10, "{lives} lives");
        let competition = durable.replay();
        assert_eq!(competition.phase(), CompetitionPhase::Finished);
        assert_eq!(competition.round().unwrap().number(), 7);
        let again = durable.replay();
        assert_eq!(competition.state_bytes(), again.state_bytes());
        assert_eq!(competition.standings(), again.standings());
        // Every match of the server is in the log, once; what was begun and not written down was found again by its request.
        let begun: Vec<&String> = competition.matches().map(|(_, played)| &played.match_id).collect();
        let mut kept: Vec<&String> = durable.server.by_request.values().collect();
        assert_eq!(begun.len(), kept.len());
        kept.sort();
        let mut begun = begun;
        begun.sort();
        assert_eq!(begun, kept);
    }
}

/// The same verdicts without a crash give the same standings: crashes leave no trace.
#[test]
fn crashes_leave_no_trace() {
    let without_leaving = |crash| {
        let mut seed = 1;
        loop {
            let (durable, lives) = play(seed, crash);
            let competition = durable.replay();
            if competition.entrants().iter().all(|entrant| entrant.status == EntrantStatus::Active) {
                return (competition, lives);
            }
            seed += 1;
        }
    };
    let ((calm, one_life), (troubled, lives)) = (without_leaving(0), without_leaving(5));
    assert!(one_life == 1 && lives > 3, "{lives} lives");
    assert_eq!(calm.standings(), troubled.standings());
}
