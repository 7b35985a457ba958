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
use super::closed::ClosedMatch;
use super::course::{Course, Phase};
use super::dice_secret::{DiceSecret, SeedSource};
use super::error::MatchError;
use super::live::LiveMatch;
use super::referee::{RefereeAct, RefereeActDone};

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
        let dice = dice(&self.course, &self.dice_secret, reveal);
        let written = self.written(players(&self.course), dice, false)?;
        Ok(MatchRecord {
            text: written.signed_with(key).to_text(),
            complete: self.course.phase() == Phase::Over,
        })
    }

    /// Its record as an archive keeps it: unsigned, without names and without secrets, which [`ClosedMatch::record`] adds.
    ///
    /// # Errors
    /// As [`LiveMatch::record`].
    pub fn record_to_keep(&self) -> Result<String, MatchError> {
        let dice = dice(&self.course, &self.dice_secret, false);
        Ok(self.written(Vec::new(), dice, true)?.to_text())
    }

    fn written(&self, players: Vec<String>, dice: Dice, nameless: bool) -> Result<Record, MatchError> {
        let table = self.begun()?;
        let mut referee_acts = self.referee_acts(table);
        if nameless {
            referee_acts.iter_mut().for_each(|act| name_former(act, ""));
        }
        let origin = Origin {
            match_id: self.course.id().to_string(),
            players,
            dice,
            begun_under: Some(self.course.header().begun_under()),
            given_up: self.course.given_up().map(|seat| table.catalogue().id_of(Ref::Seat(seat))),
            adjournments: self.recorded_adjournments(),
            referee_acts,
        };
        Record::of(table, &origin).map_err(|error: RecordError| fault(&error))
    }

    /// The acts of referees in a record's words.
    fn referee_acts(&self, table: &dyn AnyTable) -> Vec<RecordedAct> {
        let seat = |seat: u8| table.catalogue().id_of(Ref::Seat(Seat::new(seat)));
        let acts = self.course.referee_acts().iter().zip(&self.acts_after);
        acts.map(|(done, &entries)| recorded_act(done, entries, seat)).collect()
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
}

impl ClosedMatch {
    /// The record of a match that is over, signed, from what its archive keeps of it: with the names of now. `reveal`: with the secrets
    /// of its dice, which is right only when all of its group is over.
    ///
    /// # Errors
    /// The refusal of what needs the rules, if it has no archive with a record; [`MatchError::Fault`] if that can't be read.
    pub fn record(&self, reveal: bool, key: &SigningKey) -> Result<MatchRecord, MatchError> {
        let kept = self.kept_record().ok_or_else(|| self.refusal())?;
        let kept = Record::parse(kept).map_err(|error| fault(&error))?;
        let dice = match self.dice_secret() {
            Some(secret) => dice(&self.course, secret, reveal),
            None => kept.header().dice.clone(),
        };
        let (seats, entries) = (&kept.header().players, kept.entries().len());
        let seat = |seat: u8| seats.get(usize::from(seat)).map_or_else(String::new, |seat| seat.seat.clone());
        // Those that came behind the archive came behind all of its entries.
        let entries = kept.referee_acts().iter().map(|act| act.entries).chain(std::iter::repeat(entries));
        let acts = self.course.referee_acts().iter().zip(entries);
        let acts = acts.map(|(done, entries)| recorded_act(done, entries, seat)).collect();
        let written = kept.restated(&players(&self.course), dice, acts).map_err(|error| fault(&error))?;
        Ok(MatchRecord { text: written.signed_with(key).to_text(), complete: true })
    }
}

fn fault(error: &dyn std::fmt::Display) -> MatchError {
    MatchError::Fault(format!("the record: {error}"))
}

/// The names of the players, in seat order.
fn players(course: &Course) -> Vec<String> {
    let players = course.seats().iter().map(|seat| match (&seat.join, &seat.bot) {
        (Some(join), _) => join.player.clone(),
        (None, Some(bot)) => bot.clone(),
        (None, None) => String::new(),
    });
    players.collect()
}

/// An act of a referee in a record's words, which came behind so many entries; `seat` gives the ids of seats.
fn recorded_act(done: &RefereeActDone, entries: usize, seat: impl Fn(u8) -> String) -> RecordedAct {
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
        RefereeAct::Adjourn { longest_ms } => RecordedActKind::MatchAdjourned { longest_ms: *longest_ms },
        RefereeAct::EndAdjournment => RecordedActKind::AdjournmentEnded,
    };
    RecordedAct { entries, kind, reason: done.note.reason.clone() }
}

/// Gives the player whom an act has replaced another name.
fn name_former(act: &mut RecordedAct, name: &str) {
    if let RecordedActKind::PlayerReplaced { former, .. } = &mut act.kind {
        name.clone_into(former);
    }
}

fn dice(course: &Course, secret: &DiceSecret, reveal: bool) -> Dice {
    let header = course.header();
    match (&secret.source, header.commitment) {
        (SeedSource::Chosen(seed), _) => {
            let chosen = || ChosenSeed { seed: seed.clone(), salt: Some(secret.salt.clone()) };
            Dice::Chosen(reveal.then(chosen))
        }
        (SeedSource::Server(server_seed), commitment) => Dice::Committed {
            // Its id is told with the rest.
            group: header.group().map(|group| if reveal { group.id.clone() } else { WITHHELD.to_owned() }),
            commitment: Commitment::from_bytes(commitment.unwrap_or_default()),
            secrets: reveal
                .then(|| HostSecrets { server_seed: server_seed.clone(), salt: secret.salt.clone() }),
            entropies: if reveal { entropies_given(course) } else { Vec::new() },
        },
    }
}

fn entropies_given(course: &Course) -> Vec<SeatEntropy> {
    let grouped = course.header().group().is_some();
    let commitment = |index: usize| {
        let seat = course.seats().get(index).filter(|_| !grouped)?;
        seat.commitment().map(EntropyCommitment::from_bytes)
    };
    let given = course.entropies().into_iter().enumerate();
    given
        .map(|(index, bytes)| SeatEntropy {
            entropy: Entropy::from_bytes(bytes),
            commitment: commitment(index),
        })
        .collect()
}
