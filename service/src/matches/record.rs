//! The record of a match ([`MatchRecord`]): docs/record.md, with what the match's terms say of its dice.

use edgehill_engine::dice::{Commitment, Entropy, EntropyCommitment};
use edgehill_engine::record::{
    AdjournedBy, ChosenSeed, Dice, HostSecrets, Origin, Record, RecordError, RecordedAct, RecordedActKind,
    RecordedAdjournment, SeatEntropy,
};
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::Seat;
use edgehill_engine::signing::SigningKey;

use super::adjournment::{Adjournment, NotedAdjournment};
use super::course::Phase;
use super::dice_secret::SeedSource;
use super::error::MatchError;
use super::live::LiveMatch;
use super::referee::RefereeAct;

/// The text that stands for the id of a group that is not over.
const WITHHELD: &str = "withheld";

/// A match's record as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchRecord {
    /// The text of an `.edg` file.
    pub text: String,
    /// True if the match is over.
    pub complete: bool,
}

impl LiveMatch {
    /// Its record so far, signed. `reveal`: with the secrets of its dice, which is right only when it and all of its group are
    /// over.
    ///
    /// # Errors
    /// If it has not begun, or [`MatchError::Fault`] if it can't be written.
    pub fn record(&self, reveal: bool, key: &SigningKey) -> Result<MatchRecord, MatchError> {
        let table = self.begun()?;
        let players = self.course.seats().iter().map(|seat| match (&seat.join, &seat.bot) {
            (Some(join), _) => join.player.clone(),
            (None, Some(bot)) => bot.clone(),
            (None, None) => String::new(),
        });
        let origin = Origin {
            match_id: self.course.id().to_string(),
            players: players.collect(),
            dice: self.dice(reveal),
            begun_under: Some(self.course.header().begun_under()),
            given_up: self.course.given_up().map(|seat| table.catalogue().id_of(Ref::Seat(seat))),
            adjournments: self.recorded_adjournments(),
            referee_acts: self.referee_acts(table),
        };
        let written = Record::of(table, &origin);
        let written =
            written.map_err(|error: RecordError| MatchError::Fault(format!("the record: {error}")))?;
        Ok(MatchRecord {
            text: written.signed_with(key).to_text(),
            complete: self.course.phase() == Phase::Over,
        })
    }

    /// The acts of referees in a record's words.
    fn referee_acts(&self, table: &dyn AnyTable) -> Vec<RecordedAct> {
        let seat = |seat: u8| table.catalogue().id_of(Ref::Seat(Seat::new(seat)));
        let acts = self.course.referee_acts().iter().zip(&self.acts_after);
        let recorded = acts.map(|(done, &entries)| {
            let kind = match &done.note.act {
                RefereeAct::AddTime { seat: of, added_ms } => {
                    RecordedActKind::TimeAdded { seat: seat(*of), added_ms: *added_ms }
                }
                RefereeAct::ReplacePlayer { seat: of, former, .. } => {
                    RecordedActKind::PlayerReplaced { seat: seat(*of), former: former.clone() }
                }
                RefereeAct::Void => RecordedActKind::MatchVoided,
                RefereeAct::CorrectResult { returns } => {
                    RecordedActKind::ResultCorrected { returns: returns.clone() }
                }
                RefereeAct::Adjourn { longest_ms } => {
                    RecordedActKind::MatchAdjourned { longest_ms: *longest_ms }
                }
                RefereeAct::EndAdjournment => RecordedActKind::AdjournmentEnded,
            };
            RecordedAct { entries, kind, reason: done.note.reason.clone() }
        });
        recorded.collect()
    }

    /// The adjournments in a record's words.
    fn recorded_adjournments(&self) -> Vec<RecordedAdjournment> {
        let recorded = |noted: &NotedAdjournment| {
            let Adjournment { at_ms, longest_ms, by_referee, .. } = noted.adjournment;
            RecordedAdjournment {
                entries: noted.entries,
                by: if by_referee { AdjournedBy::Referee } else { AdjournedBy::Seats },
                longest_ms,
                lasted_ms: noted.ended_ms.map(|ended_ms| ended_ms.saturating_sub(at_ms)),
            }
        };
        self.adjournments.iter().map(recorded).collect()
    }

    fn dice(&self, reveal: bool) -> Dice {
        let header = self.course.header();
        let salt = &self.dice_secret.salt;
        match (&self.dice_secret.source, header.commitment) {
            (SeedSource::Chosen(seed), _) => {
                let chosen = || ChosenSeed { seed: seed.clone(), salt: Some(salt.clone()) };
                Dice::Chosen(reveal.then(chosen))
            }
            (SeedSource::Server(server_seed), commitment) => Dice::Committed {
                // Its id is told with the rest.
                group: header
                    .group()
                    .map(|group| if reveal { group.id.clone() } else { WITHHELD.to_owned() }),
                commitment: Commitment::from_bytes(commitment.unwrap_or_default()),
                secrets: reveal.then(|| HostSecrets { server_seed: server_seed.clone(), salt: salt.clone() }),
                entropies: if reveal { self.entropies_given() } else { Vec::new() },
            },
        }
    }

    fn entropies_given(&self) -> Vec<SeatEntropy> {
        let grouped = self.course.header().group().is_some();
        let commitment = |index: usize| {
            let seat = self.course.seats().get(index).filter(|_| !grouped)?;
            seat.commitment().map(EntropyCommitment::from_bytes)
        };
        let given = self.course.entropies().into_iter().enumerate();
        given
            .map(|(index, bytes)| SeatEntropy {
                entropy: Entropy::from_bytes(bytes),
                commitment: commitment(index),
            })
            .collect()
    }
}
