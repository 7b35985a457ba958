//! Saving and restoring a match between two actions. The seed is not in it: who restores brings the chance_source.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::action::ActionId;
use crate::chance::Outcome;
use crate::chance_source::ChanceSource;
use crate::codec::{DecodeError, Reader, Writer};
use crate::event::ChanceRef;
use crate::game::{Game, MatchResult};
use crate::reference::Ref;
use crate::seat::{Seat, SeatSet};
use crate::setup::Setup;
use crate::view::{PassScope, StandingPass};

use super::{LogEntry, Table};

const VERSION: u8 = 1;
const LOG_MAX: usize = u16::MAX as usize;

/// A saved match: bytes that [`Table::restore`] reads back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved(pub Vec<u8>);

impl<G: Game> Table<G> {
    /// Everything but the chance_source and what was published so far (only how much that was).
    #[must_use]
    pub fn save(&self) -> Saved {
        let mut to = Writer::new();
        to.u8(VERSION);
        let catalogue = self.game.catalogue();
        to.u32(self.setup.scenario() as u32);
        let options: Vec<i32> = (0..catalogue.options.len()).map(|index| self.setup.option(index)).collect();
        to.list(&options, |to, &number| to.i32(number));
        to.option(self.position.as_ref(), |to, position| to.bytes(position.to_string().as_bytes()));
        self.game.encode(&self.base, &mut to);
        for line in &self.lines {
            to.bool(line.committed);
            to.list(&line.actions, |to, action| to.u16(action.0));
        }
        let counters: Vec<(u32, u32)> = self.counters.iter().map(|(&stream, &n)| (stream, n)).collect();
        to.list(&counters, |to, &(stream, n)| {
            to.u32(stream);
            to.u32(n);
        });
        for length in self.streams.lengths() {
            to.u32(length as u32);
        }
        to.list(&self.log, write_entry);
        for passes in &self.standing {
            to.list(passes, write_pass);
        }
        to.list(&self.offers.iter().collect::<Vec<_>>(), |to, seat| to.u8(seat.index() as u8));
        Saved(to.finish())
    }

    /// Reads a saved match back; observers go on hearing from where they were.
    ///
    /// # Errors
    /// If the bytes are not a saved match of this game.
    pub fn restore(game: Arc<G>, saved: &Saved, chance_source: ChanceSource) -> Result<Self, DecodeError> {
        let mut from = Reader::new(&saved.0);
        from.u8()
            .and_then(|version| if version == VERSION { Ok(()) } else { Err(from.error("version 1")) })?;
        let setup = read_setup(&game, &mut from)?;
        let not_json = from.error("a position in JSON");
        let position = from.option(|from| from.bytes().map(<[u8]>::to_vec))?;
        let position =
            position.map(|bytes| serde_json::from_slice(&bytes).map_err(|_| not_json)).transpose()?;
        let base = game.decode(&mut from)?;
        let mut table = Self::from_state(game, setup, position, base, ChanceSource::Manual);
        table.chance_source = chance_source;
        for index in 0..table.seats {
            let committed = from.bool()?;
            let actions = from.list(crate::catalogue::DRAFT_ACTIONS_MAX, |from| from.u16().map(ActionId))?;
            table.redraft(Seat::new(index as u8), &actions, committed, &from)?;
        }
        let counters = from.list(LOG_MAX, |from| Ok((from.u32()?, from.u32()?)))?;
        table.counters = counters.into_iter().collect::<BTreeMap<_, _>>();
        let lengths =
            (0..=table.seats).map(|_| from.u32().map(|n| n as usize)).collect::<Result<Vec<_>, _>>()?;
        table.log = from.list(LOG_MAX, read_entry)?;
        for index in 0..table.seats {
            table.standing[index] = from.list(crate::catalogue::STANDING_PASSES_MAX, read_pass)?;
        }
        let offers = from.list(Seat::MAX, |from| from.below(Seat::MAX as u8, "a seat").map(Seat::new))?;
        table.offers = offers.into_iter().collect::<SeatSet>();
        from.finish()?;
        table.reclose();
        table.streams = super::streams::Streams::new(table.seats);
        table.meet();
        table.streams.go_on_from(&lengths);
        Ok(table)
    }

    /// Takes saved drafts up again, with the events that others will be notified of.
    fn redraft(
        &mut self,
        seat: Seat,
        actions: &[ActionId],
        committed: bool,
        from: &Reader<'_>,
    ) -> Result<(), DecodeError> {
        for &action in actions {
            if !self.game.rule_violations(&self.tip, seat, action).is_empty() {
                return Err(from.error("a draft of legal actions"));
            }
            let mut out = crate::event::Events::recording();
            self.game.apply(Arc::make_mut(&mut self.tip), seat, action, &mut out);
            let line = &mut self.lines[seat.index()];
            line.actions.push(action);
            line.waiting.push(out.into_list());
        }
        let line = &mut self.lines[seat.index()];
        line.committed = committed;
        if let crate::game::Node::Sealed(_) = self.game.node(&self.base) {
            line.waiting.clear();
        }
        Ok(())
    }

    /// A result from outside the rules is the log's last entry.
    fn reclose(&mut self) {
        self.closed = match self.log.last() {
            Some(LogEntry::Resigned(seat)) => Some(self.game.resignation(&self.base, self.seats, *seat)),
            Some(LogEntry::Agreed) => Some(MatchResult::agreed(self.seats)),
            _ => None,
        };
    }
}

fn read_setup<G: Game>(game: &Arc<G>, from: &mut Reader<'_>) -> Result<Setup, DecodeError> {
    let catalogue = game.catalogue();
    let error = from.error("a scenario and options of this game");
    let scenario = from.u32()? as usize;
    let numbers = from.list(catalogue.options.len(), Reader::i32)?;
    let scenario = catalogue.scenarios.get(scenario).ok_or_else(|| error.clone())?.id;
    let written = catalogue.options.iter().zip(&numbers);
    let written =
        written.map(|(option, &number)| (option.id.to_owned(), option.kind.print(number))).collect();
    Setup::new(catalogue, Some(scenario), &written).map_err(|_| error)
}

fn write_entry(to: &mut Writer, entry: &LogEntry) {
    match entry {
        LogEntry::Commit { seat, actions } => {
            to.u8(0);
            to.u8(seat.index() as u8);
            to.list(actions, |to, action| to.u16(action.0));
        }
        LogEntry::Chance { chance_ref, outcome } => {
            to.u8(1);
            to.u32(chance_ref.stream);
            to.u32(chance_ref.n);
            match outcome {
                Outcome::Roll(faces) => {
                    to.u8(0);
                    to.list(faces, |to, &face| to.u8(face));
                }
                Outcome::Pick(what) => {
                    to.u8(1);
                    write_ref(to, *what);
                }
            }
        }
        LogEntry::Resigned(seat) => {
            to.u8(2);
            to.u8(seat.index() as u8);
        }
        LogEntry::Agreed => to.u8(3),
    }
}

fn read_entry(from: &mut Reader<'_>) -> Result<LogEntry, DecodeError> {
    Ok(match from.below(4, "a log entry")? {
        0 => LogEntry::Commit {
            seat: Seat::new(from.below(Seat::MAX as u8, "a seat")?),
            actions: from.list(crate::catalogue::DRAFT_ACTIONS_MAX, |from| from.u16().map(ActionId))?,
        },
        1 => {
            let chance_ref = ChanceRef { stream: from.u32()?, n: from.u32()? };
            let outcome = if from.bool()? {
                Outcome::Pick(read_ref(from)?)
            } else {
                let faces = from.list(crate::chance::ROLL_DICE_MAX, Reader::u8)?;
                Outcome::Roll(faces.into_iter().collect::<ArrayVec<_, _>>())
            };
            LogEntry::Chance { chance_ref, outcome }
        }
        2 => LogEntry::Resigned(Seat::new(from.below(Seat::MAX as u8, "a seat")?)),
        _ => LogEntry::Agreed,
    })
}

fn write_ref(to: &mut Writer, what: Ref) {
    let (tag, number) = match what {
        Ref::Space(i) => (0, i32::from(i)),
        Ref::Mat(i) => (1, i32::from(i)),
        Ref::Track(i) => (2, i32::from(i)),
        Ref::Pile(i) => (3, i32::from(i)),
        Ref::Piece(i) => (4, i32::from(i)),
        Ref::Kind(i) => (5, i32::from(i)),
        Ref::Card(i) => (6, i32::from(i)),
        Ref::Marker(i) => (7, i32::from(i)),
        Ref::Seat(seat) => (8, seat.index() as i32),
        Ref::Number(number) => (9, number),
    };
    to.u8(tag);
    to.i32(number);
}

fn read_ref(from: &mut Reader<'_>) -> Result<Ref, DecodeError> {
    let tag = from.below(10, "a reference")?;
    let error = from.error("an index");
    let number = from.i32()?;
    if tag == 9 {
        return Ok(Ref::Number(number));
    }
    let index = u16::try_from(number).map_err(|_| error.clone())?;
    Ok(match tag {
        0 => Ref::Space(index),
        1 => Ref::Mat(index),
        2 => Ref::Track(index),
        3 => Ref::Pile(index),
        4 => Ref::Piece(index),
        5 => Ref::Kind(index),
        6 => Ref::Card(index),
        7 => Ref::Marker(index),
        _ if usize::from(index) < Seat::MAX => Ref::Seat(Seat::new(index as u8)),
        _ => return Err(error),
    })
}

fn write_pass(to: &mut Writer, pass: &StandingPass) {
    to.option(pass.window.as_deref(), |to, code| to.bytes(code.as_bytes()));
    match pass.scope {
        PassScope::Always => to.u8(0),
        PassScope::Procedure(procedure) => {
            to.u8(1);
            to.u32(procedure);
        }
        PassScope::UntilAttacked => to.u8(2),
    }
}

fn read_pass(from: &mut Reader<'_>) -> Result<StandingPass, DecodeError> {
    let error = from.error("a window's name");
    let window = from.option(|from| from.bytes().map(<[u8]>::to_vec))?;
    let window = window.map(String::from_utf8).transpose().map_err(|_| error)?;
    let scope = match from.below(3, "a scope")? {
        0 => PassScope::Always,
        1 => PassScope::Procedure(from.u32()?),
        _ => PassScope::UntilAttacked,
    };
    Ok(StandingPass { window, scope })
}
