//! Playing a record again, from its outcomes ([`replay`]).

use std::collections::BTreeMap;

use crate::action::ActionId;
use crate::catalogue::{Catalogue, LIST_ACTIONS_MAX};
use crate::chance::{Chance, Outcome};
use crate::chance_source::{self, ChanceSource};
use crate::dice::Seed;
use crate::game::Node;
use crate::reference::Ref;
use crate::registry::{AnyGame, AnyTable, DueChance};
use crate::seat::{Seat, SeatSet};
use crate::setup::{Setup, SetupError};
use crate::table::{ApplyMode, Refusal};

use super::ascii::is_word;
use super::fault::{Finding, Place, RecordFault};
use super::header::RulesPin;
use super::write::{START, entry_text, result_line};
use super::{DigestKey, EntryDigest, Record, RecordEntry, Recorded, RecordedResult};

/// Legal actions that a fault names at most.
const NAMED_ACTIONS_MAX: usize = 8;

/// The error of a record that can't be replayed: the first fault.
pub type ReplayError = Finding;

/// Plays a record again: each action has to be legal, each outcome possible, each digest and the result the same. The dice are
/// not checked ([`super::verify()`] does that). The table goes on by hand: no chance_source is at hand.
///
/// # Errors
/// The first fault, with its line.
pub fn replay(game: &dyn AnyGame, record: &Record) -> Result<Box<dyn AnyTable>, ReplayError> {
    let mut findings = Vec::new();
    let mut replay = Replay::open(game, record, &mut findings);
    while let Some(one) = &mut replay
        && findings.is_empty()
        && one.action(&mut findings)
    {}
    if let (Some(one), true) = (&replay, findings.is_empty()) {
        one.check_result(&mut findings);
    }
    match (replay, findings.into_iter().next()) {
        (Some(replay), None) => Ok(replay.table),
        (_, Some(finding)) => Err(finding),
        // A match that can't be opened is a finding.
        (None, None) => unreachable!("a replay that does not open says why"),
    }
}

impl dyn AnyGame {
    /// Plays a record of this game again: [`replay`].
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn replay(&self, record: &Record) -> Result<Box<dyn AnyTable>, ReplayError> {
        replay(self, record)
    }
}

/// The parts of a [`RulesPin`].
const RULES_PIN: [&str; 2] = ["rules", "content"];

/// A record that is being played again.
pub(super) struct Replay<'a> {
    record: &'a Record,
    pub(super) table: Box<dyn AnyTable>,
    seed: Option<Seed>,
    key: Option<DigestKey>,
    /// As replayed, not as recorded.
    digest: EntryDigest,
    /// True if the last digest was the recorded one: after a first difference the next ones tell nothing new.
    agrees: bool,
    /// Entries that were played.
    pub(super) played: usize,
}

impl<'a> Replay<'a> {
    /// Opens the match that the header describes. Faults of the versions are noted, and do not keep it from opening; `None`
    /// if no match can be opened.
    pub(super) fn open(game: &dyn AnyGame, record: &'a Record, findings: &mut Vec<Finding>) -> Option<Self> {
        let (header, catalogue) = (&record.header, game.catalogue());
        let mut note = |part: &'static str, expected: String, found: String| {
            let same = expected == found;
            if !same {
                let fault = RecordFault::Header { part, expected, found };
                let line =
                    if header.repinned.is_some() && RULES_PIN.contains(&part) { "repinned" } else { part };
                findings.push(Finding { line: header.line(line), fault });
            }
            same
        };
        if !note("game", catalogue.id.to_owned(), header.game.clone()) {
            return None;
        }
        let RulesPin { rules_version, content } = header.played_by();
        note("rules", catalogue.rules_version.to_string(), rules_version.to_string());
        note("content", catalogue.content.to_string(), content.to_string());
        let setup = match Setup::new(catalogue, Some(&header.scenario), &header.options) {
            Ok(setup) => setup,
            Err(error) => {
                findings.push(Finding { line: header.line(&part_of(&error)), fault: error.into() });
                return None;
            }
        };
        let written = setup.written(catalogue);
        note("option", listed(written.keys()), listed(header.options.keys()));
        let seats: Vec<&str> =
            catalogue.seats.iter().take(catalogue.seats_of(&setup)).map(|seat| seat.id).collect();
        let players: Vec<&str> = header.players.iter().map(|player| player.seat.as_str()).collect();
        if seats != players {
            let same = seats.iter().zip(&players).take_while(|(seat, player)| seat == player).count();
            let part = players.get(same).map_or_else(|| "seat".to_owned(), |seat| format!("seat {seat}"));
            let (expected, found) = (listed(seats.iter()), listed(players.iter()));
            let fault = RecordFault::Header { part: "seat", expected, found };
            findings.push(Finding { line: header.line(&part), fault });
            return None;
        }
        let table = match &header.position {
            None => game.open(setup, ChanceSource::Manual),
            Some(position) => match game.open_position(setup, position.clone(), ChanceSource::Manual) {
                Ok(table) => table,
                Err(error) => {
                    findings.push(Finding { line: header.line("position"), fault: error.into() });
                    return None;
                }
            },
        };
        // A fault of the seed is noted where commitments are checked.
        let seed = header.seed().unwrap_or(None);
        let key = match &seed {
            Some(seed) => Some(DigestKey::of(seed)),
            None if header.dice.has_seed() => None,
            None => Some(DigestKey::PLAIN),
        };
        let mut replay =
            Self { record, table, seed, key, digest: EntryDigest::NONE, agrees: true, played: 0 };
        replay.check_digest(START, record.start.line, record.start.digest, findings);
        Some(replay)
    }

    /// Plays the next entry; `false` after the last, and where the replay can't go on.
    pub(super) fn action(&mut self, findings: &mut Vec<Finding>) -> bool {
        let Some(entry) = self.record.entries.get(self.played) else { return false };
        if let Err(fault) = self.play(entry, findings) {
            findings.push(Finding { line: entry.line, fault });
            return false;
        }
        self.played += 1;
        self.check_digest(&entry_text(&entry.what), entry.line, entry.digest, findings);
        true
    }

    fn play(&mut self, entry: &RecordEntry, findings: &mut Vec<Finding>) -> Result<(), RecordFault> {
        match &entry.what {
            Recorded::Commit { seat, line } => self.commit(self.seat(seat)?, line),
            Recorded::Resigned { seat } => {
                let seat = self.seat(seat)?;
                self.table.resign(seat).map_err(|refusal| self.refused(seat, &refusal))
            }
            Recorded::Agreed => {
                let all: Vec<Seat> = SeatSet::first(self.table.seats()).iter().collect();
                let agreed = all[1..].iter().try_for_each(|&seat| self.table.offer_draw(seat));
                let agreed = agreed.and_then(|()| self.table.accept_draw(all[0]));
                agreed.map_err(|refusal| self.refused(all[0], &refusal))
            }
            Recorded::Roll { .. } | Recorded::Pick { .. } => self.resolve(entry, findings),
        }
    }

    /// The seat of an id.
    fn seat(&self, id: &str) -> Result<Seat, RecordFault> {
        let mut seats = SeatSet::first(self.table.seats()).iter();
        let seat = seats.find(|&seat| self.name(Ref::Seat(seat)) == id);
        seat.ok_or_else(|| RecordFault::Event { expected: self.due(), found: format!("something of `{id}`") })
    }

    fn commit(&mut self, seat: Seat, line: &str) -> Result<(), RecordFault> {
        if !self.table.node().to_act().contains(seat) {
            let refused = format!("`{line}` comes when {} is not to act", self.name(Ref::Seat(seat)));
            return Err(RecordFault::Refused { refused, expected: self.due() });
        }
        let actions = match numbered(line) {
            Some(actions) => actions,
            None => self.table.parse_line(seat, line)?,
        };
        for list in actions.chunks(LIST_ACTIONS_MAX) {
            let applied = self.table.apply(seat, list, ApplyMode::Atomic);
            applied.map_err(|refusal| self.refused(seat, &refusal))?;
        }
        // An empty line is nothing that could have been recorded.
        if actions.is_empty() {
            return Err(RecordFault::Refused { refused: "no actions".to_owned(), expected: self.due() });
        }
        Ok(())
    }

    fn resolve(&mut self, entry: &RecordEntry, findings: &mut Vec<Finding>) -> Result<(), RecordFault> {
        let Some(DueChance { chance, chance_ref }) = self.table.chance() else {
            let found = match &entry.what {
                Recorded::Roll { .. } => "dice",
                _ => "a draw",
            };
            return Err(RecordFault::Event { expected: self.due(), found: found.to_owned() });
        };
        let catalogue = self.table.catalogue();
        let (place, outcome) = match &entry.what {
            Recorded::Roll { chance_ref, faces } => {
                (*chance_ref, Outcome::Roll(faces.iter().copied().collect()))
            }
            Recorded::Pick { chance_ref, what } => match pick(&chance, what, catalogue) {
                Some(what) => (*chance_ref, Outcome::Pick(what)),
                None => {
                    let expected = chance_source::describe(&chance, catalogue);
                    return Err(RecordFault::Event { expected, found: format!("`{what}`") });
                }
            },
            _ => return Ok(()),
        };
        if place != chance_ref {
            return Err(RecordFault::ChanceRef { expected: Place(chance_ref), found: Place(place) });
        }
        chance.admits(&outcome)?;
        if let Some(seed) = &self.seed {
            let derived = chance_source::seeded(seed, &chance, chance_ref)?;
            if derived != outcome {
                let (expected, found) =
                    (print(&chance, &derived, catalogue), print(&chance, &outcome, catalogue));
                findings.push(Finding { line: entry.line, fault: RecordFault::Seed { expected, found } });
            }
        }
        self.table.enter(&outcome).map_err(|refusal| self.refused(Seat::new(0), &refusal))
    }

    fn check_digest(&mut self, entry: &str, line: usize, found: EntryDigest, findings: &mut Vec<Finding>) {
        let Some(key) = &self.key else { return };
        self.digest = key.digest(self.digest, entry, &self.table.encoded());
        let expected = self.digest;
        if expected != found && self.agrees {
            findings.push(Finding { line, fault: RecordFault::Digest { expected, found } });
        }
        self.agrees = expected == found;
    }

    /// Compares the end; makes sense only after the last entry.
    pub(super) fn check_result(&self, findings: &mut Vec<Finding>) {
        let expected = self.table.result().as_ref().map(RecordedResult::from);
        let (expected, found) = (result_line(expected.as_ref()), result_line(self.record.result.as_ref()));
        if expected != found {
            let fault = RecordFault::Result { expected, found };
            findings.push(Finding { line: self.record.result_line, fault });
        }
    }

    fn name(&self, what: Ref) -> String {
        self.table.catalogue().id_of(what)
    }

    /// Describes in words what may come next.
    fn due(&self) -> String {
        match self.table.node() {
            Node::Over => "`result`".to_owned(),
            Node::Chance => self.table.chance().map_or_else(
                || "an outcome".to_owned(),
                |due| chance_source::describe(&due.chance, self.table.catalogue()),
            ),
            node => {
                let seats: Vec<String> =
                    node.to_act().iter().map(|seat| self.name(Ref::Seat(seat))).collect();
                format!("actions of {}", seats.join(" or "))
            }
        }
    }

    fn refused(&self, seat: Seat, refusal: &Refusal) -> RecordFault {
        let actions = &self.table.catalogue().actions;
        let refused = match refusal {
            Refusal::Action { action, rule_violations, .. } => {
                let grounds: Vec<String> = rule_violations
                    .iter()
                    .map(|reason| format!("{} (rule {})", reason.code, reason.rule.id()))
                    .collect();
                format!("`{}` is not legal: {}", actions.notation(*action), grounds.join(", "))
            }
            other => other.to_string(),
        };
        let legal = self.table.legal(seat);
        let mut expected: Vec<String> = legal.iter().map(|&action| actions.notation(action)).collect();
        if expected.is_empty() {
            return RecordFault::Refused { refused, expected: self.due() };
        }
        if expected.len() > NAMED_ACTIONS_MAX {
            expected.truncate(NAMED_ACTIONS_MAX);
            expected.push("...".to_owned());
        }
        RecordFault::Refused { refused, expected: format!("one of {}", expected.join("; ")) }
    }
}

/// The part of a header that an error is about.
fn part_of(error: &SetupError) -> String {
    match error {
        SetupError::Scenario { .. } => "scenario".to_owned(),
        SetupError::Option { given, .. } => format!("option {given}"),
        SetupError::Value { option, .. } => format!("option {option}"),
    }
}

fn listed<T: AsRef<str>>(ids: impl Iterator<Item = T>) -> String {
    let ids: Vec<T> = ids.collect();
    let ids: Vec<&str> = ids.iter().map(AsRef::as_ref).collect();
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}

/// Actions that are written by their ids; `None` if the line is in the game's own notation.
fn numbered(line: &str) -> Option<Vec<ActionId>> {
    let id = |word: &str| word.strip_prefix('#')?.parse().ok().map(ActionId);
    line.split(' ').map(id).collect()
}

/// Returns the record's word for each option of `chance`: its id, or `#` and its place where that is no word
/// of its own.
fn option_words(chance: &Chance, catalogue: &Catalogue) -> Vec<(Ref, String)> {
    let options = chance.options();
    let ids: Vec<String> = options.iter().map(|&(what, _)| catalogue.id_of(what)).collect();
    let mut count = BTreeMap::<&str, usize>::new();
    for id in &ids {
        *count.entry(id).or_default() += 1;
    }
    let named = |id: &str| count.get(id) == Some(&1) && is_word(id) && !id.starts_with('#');
    let word = |(place, id): (usize, &String)| if named(id) { id.clone() } else { format!("#{place}") };
    let words: Vec<String> = ids.iter().enumerate().map(word).collect();
    options.into_iter().map(|(what, _)| what).zip(words).collect()
}

/// Returns the record's word for `what`, an option of `chance`.
pub(super) fn pick_word(chance: &Chance, what: Ref, catalogue: &Catalogue) -> String {
    let mut words = option_words(chance, catalogue).into_iter();
    words.find(|&(option, _)| option == what).map_or_else(|| catalogue.id_of(what), |(_, word)| word)
}

/// The option that a record calls `word`.
fn pick(chance: &Chance, word: &str, catalogue: &Catalogue) -> Option<Ref> {
    let mut words = option_words(chance, catalogue).into_iter();
    words.find(|(_, option)| option == word).map(|(what, _)| what)
}

fn print(chance: &Chance, outcome: &Outcome, catalogue: &Catalogue) -> String {
    match outcome {
        Outcome::Roll(faces) => faces.iter().map(u8::to_string).collect::<Vec<_>>().join(" "),
        Outcome::Pick(what) => pick_word(chance, *what, catalogue),
    }
}
