//! Making the record of a match ([`Record::of`]).

use std::collections::BTreeMap;

use crate::action::ActionId;
use crate::chance::Outcome;
use crate::chance_source::ChanceSource;
use crate::dice;
use crate::reference::Ref;
use crate::registry::AnyTable;
use crate::seat::{Seat, SeatSet};
use crate::table::{ApplyMode, LogEntry};

use super::header::{Origin, Player, RecordHeader, RulesPin};
use super::recorded_act::RecordedAct;
use super::recorded_adjournment::RecordedAdjournment;
use super::replay::pick_word;
use super::write::{START, entry_text, given_up_line, header_lines, marked, result_line, text_of};
use super::{DigestKey, EntryDigest, ParseError, Record, Recorded, RecordedResult, TextDigest, ascii};

/// The error of a match that has no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// Its log does not lead to where it stands: it was not played from its start, as determinized matches are not.
    #[error("the match was not played from its start: replaying its log goes wrong after {0} entries")]
    NotFromStart(usize),
    /// The digests need the seed, and neither the match nor the header has it.
    #[error("the seed is needed for the digests of a match that has one")]
    NoSeed,
    /// The seed can't be derived from what the header says.
    #[error(transparent)]
    Dice(#[from] dice::Error),
    /// Something does not fit a record, such as too long a name.
    #[error("the record would not be readable: {0}")]
    Unreadable(#[from] ParseError),
}

impl Record {
    /// The record of `table` so far; drafts are left out. It is played again for the digests, which costs as much as the match.
    ///
    /// While a seed is withheld, the digests are made with the seed that the table holds.
    ///
    /// # Errors
    /// If the match was not played from its start, or the header is not one that can be written.
    pub fn of(table: &dyn AnyTable, origin: &Origin) -> Result<Self, RecordError> {
        let header = header_of(table, origin);
        let key = match (header.seed()?, table.chance_source()) {
            (Some(seed), _) => DigestKey::of(&seed),
            (None, ChanceSource::Seeded(seed)) if header.dice.has_seed() => DigestKey::of(seed),
            (None, _) if header.dice.has_seed() => return Err(RecordError::NoSeed),
            _ => DigestKey::PLAIN,
        };
        let mut lines = header_lines(&header);
        let mut again = table.anew(ChanceSource::Manual).map_err(|_| RecordError::NotFromStart(0))?;
        let mut digest = key.digest(EntryDigest::NONE, START, &again.encoded());
        lines.push(marked(START, digest));
        for (index, entry) in table.log().iter().enumerate() {
            let recorded = play(&mut *again, entry).ok_or(RecordError::NotFromStart(index))?;
            let text = entry_text(&recorded);
            digest = key.digest(digest, &text, &again.encoded());
            lines.push(marked(&text, digest));
        }
        let result = table.result();
        if again.result() != result || again.encoded() != without_drafts(table).encoded() {
            return Err(RecordError::NotFromStart(table.log().len()));
        }
        lines.push(result_line(result.as_ref().map(RecordedResult::from).as_ref()));
        lines.extend(origin.given_up.as_deref().map(given_up_line));
        lines.extend(origin.adjournments.iter().map(RecordedAdjournment::line));
        lines.extend(origin.referee_acts.iter().map(RecordedAct::line));
        let end = TextDigest::of(lines.iter().map(String::as_str));
        Ok(Self::parse(&text_of(&lines, end, None))?)
    }
}

fn header_of(table: &dyn AnyTable, origin: &Origin) -> RecordHeader {
    let (catalogue, setup) = (table.catalogue(), table.setup());
    let names = origin.players.iter().map(String::as_str).chain(std::iter::repeat(""));
    let seats = catalogue.seats.iter().take(table.seats()).zip(names);
    let played_by = RulesPin { rules_version: catalogue.rules_version, content: catalogue.content };
    let begun_under = origin.begun_under.unwrap_or(played_by);
    RecordHeader {
        game: catalogue.id.to_owned(),
        begun_under,
        repinned: (played_by != begun_under).then_some(played_by),
        scenario: catalogue.scenarios.get(setup.scenario()).map_or("", |scenario| scenario.id).to_owned(),
        options: setup.written(catalogue),
        match_id: origin.match_id.clone(),
        players: seats
            .map(|(seat, name)| Player { seat: seat.id.to_owned(), name: name.to_owned() })
            .collect(),
        position: table.position().cloned(),
        dice: origin.dice.clone(),
        lines: BTreeMap::new(),
    }
}

/// `table` with all that can be taken back taken back.
fn without_drafts(table: &dyn AnyTable) -> Box<dyn AnyTable> {
    let mut copy = table.clone_box();
    for seat in SeatSet::first(table.seats()).iter() {
        // Refused where there is no draft, and where it is committed: then it is in the log.
        let _ = copy.undo(seat, 0);
    }
    copy
}

/// Plays an entry of a log, and says it in a record's words; `None` if it can't be played.
fn play(table: &mut dyn AnyTable, entry: &LogEntry) -> Option<Recorded> {
    let id = |table: &dyn AnyTable, seat| table.catalogue().id_of(Ref::Seat(seat));
    Some(match entry {
        LogEntry::Commit { seat, actions } => {
            let line = print_line(table, *seat, actions);
            // A draft is longer than a list may be.
            for list in actions.chunks(crate::catalogue::LIST_ACTIONS_MAX) {
                table.apply(*seat, list, ApplyMode::Atomic).ok()?;
            }
            Recorded::Commit { seat: id(table, *seat), line }
        }
        LogEntry::Chance { chance_ref, outcome } => {
            let due = table.chance().filter(|due| due.chance_ref == *chance_ref)?;
            table.enter(outcome).ok()?;
            match outcome {
                Outcome::Roll(faces) => Recorded::Roll { chance_ref: *chance_ref, faces: faces.to_vec() },
                Outcome::Pick(what) => {
                    let what = pick_word(&due.chance, *what, table.catalogue());
                    Recorded::Pick { chance_ref: *chance_ref, what }
                }
            }
        }
        LogEntry::Resigned(seat) => {
            table.resign(*seat).ok()?;
            Recorded::Resigned { seat: id(table, *seat) }
        }
        LogEntry::Agreed => {
            for seat in SeatSet::first(table.seats()).iter().skip(1) {
                table.offer_draw(seat).ok()?;
            }
            table.accept_draw(Seat::new(0)).ok()?;
            Recorded::Agreed
        }
    })
}

/// The actions as the game writes them, if it can read that again; else by their ids: no match goes without a record because of
/// a fault in a notation.
fn print_line(table: &dyn AnyTable, seat: Seat, actions: &[ActionId]) -> String {
    let line = table.print_line(seat, actions);
    let read = table.parse_line(seat, &line);
    if ascii::is_plain(&line) && !line.starts_with('#') && read.is_ok_and(|read| read == actions) {
        return line;
    }
    let ids: Vec<String> = actions.iter().map(ActionId::to_string).collect();
    ids.join(" ")
}
