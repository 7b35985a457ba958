//! Law `golden`: a playout as each observer saw it, in words, to be compared byte for byte with what was kept of it.
//!
//! Invariant: whatever changes in what an observer is told or sees changes their text: events and their changes are told in full
//! words, as differences from what was told before, and after each call there is a hash of the whole view. So a hash of the
//! text ([`Golden::digest`]) is as sharp as the text, and a fraction of its size.

mod knowledge;
mod witness;

use std::fmt::Write as _;

use crate::bot::Bot;
use crate::chance_source::ChanceSource;
use crate::game::Node;
use crate::registry::{AnyGame, AnyTable};
use crate::seat::{Observer, Seat};
use crate::setup::Setup;
use crate::table::ApplyMode;

use super::failure::broken;
use super::{Law, LawResult};
use witness::Witness;

/// The number of events that one block of a golden's text tells.
pub const GOLDEN_BLOCK_EVENTS: usize = 50;

/// A playout as one observer saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Golden {
    /// Observer who saw it.
    pub observer: Observer,
    /// The view before anything was published.
    start: String,
    /// The calls in order, as many for each observer.
    calls: Vec<ToldCall>,
}

/// A call as one observer was told of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct ToldCall {
    events: Vec<String>,
    /// The numbers and the hash after it; nothing if nothing was published.
    after: String,
    /// The changes of the phase that ended with it.
    phase: String,
    /// The view at the end of the match.
    end: String,
}

impl Golden {
    /// Returns the whole text, in parts: a part ends before each event whose number, from 0, divides by [`GOLDEN_BLOCK_EVENTS`].
    #[must_use]
    pub fn blocks(&self) -> Vec<String> {
        let mut blocks = Vec::new();
        let mut block = self.start.clone();
        let mut published = 0;
        for call in &self.calls {
            for event in &call.events {
                if published > 0 && published % GOLDEN_BLOCK_EVENTS == 0 {
                    blocks.push(std::mem::take(&mut block));
                    let _ = writeln!(block, "== events from {} on", published + 1);
                }
                block.push_str(event);
                published += 1;
            }
            [&call.after, &call.phase, &call.end].into_iter().for_each(|text| block.push_str(text));
        }
        blocks.push(block);
        blocks
    }

    /// Returns the whole text.
    #[must_use]
    pub fn text(&self) -> String {
        self.blocks().concat()
    }

    /// Returns the text without phases, and without the events that `other`, called `name`, was told in the same words, then or at an
    /// earlier call: of its own drafts a seat is told first. It is for readers of both.
    #[must_use]
    pub fn text_beside(&self, other: &Self, name: &str) -> String {
        let mut text = self.start.clone();
        let mut left: Vec<&String> = Vec::new();
        for (call, beside) in self.calls.iter().zip(&other.calls) {
            left.extend(&beside.events);
            let mut alike = 0;
            for event in &call.events {
                match left.iter().position(|other| *other == event) {
                    Some(index) => {
                        left.remove(index);
                        alike += 1;
                    }
                    None => {
                        alike_events(std::mem::take(&mut alike), name, &mut text);
                        text.push_str(event);
                    }
                }
            }
            alike_events(alike, name, &mut text);
            [&call.after, &call.end].into_iter().for_each(|more| text.push_str(more));
        }
        text
    }

    /// Returns a short hash of each block.
    #[must_use]
    pub fn digest(&self) -> Vec<String> {
        self.blocks().iter().map(|block| short_hash(block)).collect()
    }
}

fn alike_events(count: usize, name: &str, to: &mut String) {
    if count > 0 {
        let _ = writeln!(to, "- {count} as told to {name}");
    }
}

/// Plays `setup` with a bot at each seat, in the order of seats, and tells it as each observer saw it: the view at the start and at the
/// end, every event, and at each end of a phase the entries of the view that have changed since the last such end.
///
/// # Errors
/// If something is said that is no sentence (law `phrases`), or a bot takes an action that is refused.
pub fn golden(
    game: &dyn AnyGame,
    setup: &Setup,
    seed: u64,
    bots: &mut [Box<dyn Bot>],
) -> LawResult<Vec<Golden>> {
    let table = game.open(setup.clone(), ChanceSource::playout(seed));
    witnessed(table, |table| match table.node() {
        Node::Over => Ok(false),
        _ => take_turn(table, bots).map(|()| true),
    })
}

/// A line of actions from a described position, told as [`golden`] tells a playout; for what chance alone hardly ever comes to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct GoldenLine {
    /// The position, in the game's own format ([`Game::position`](crate::game::Game::position)), as JSON.
    pub position: &'static str,
    /// Dice and draws, as [`ChanceSource::script`] reads them.
    pub chance: &'static str,
    /// The actions in their notation, each of whoever is to act; a `;` stands between two.
    pub actions: &'static str,
}

/// Plays a line, and tells it as each observer saw it.
///
/// # Errors
/// If the position or an action is refused, the script does not fit, or something is said that is no sentence (law `phrases`).
pub fn golden_line(game: &dyn AnyGame, setup: &Setup, line: &GoldenLine) -> LawResult<Vec<Golden>> {
    let position = serde_json::from_str(line.position)
        .or_else(|error| broken(Law::Golden, format!("the position is no JSON: {error}")))?;
    let table = game
        .open_position(setup.clone(), position, ChanceSource::script(line.chance))
        .or_else(|error| broken(Law::Golden, error.to_string()))?;
    let mut actions = line.actions.split(';').map(str::trim);
    witnessed(table, |table| {
        let Some(action) = actions.next() else {
            let unused = table.chance_source().left_over();
            return if unused == 0 {
                Ok(false)
            } else {
                broken(Law::Golden, format!("{unused} words of the script are left"))
            };
        };
        let Some(seat) = table.node().to_act().iter().next() else {
            return broken(Law::Golden, format!("nobody is to act at `{action}`"));
        };
        match table.apply_line(seat, action, ApplyMode::Atomic) {
            Ok(_) if table.chance_source_error().is_none() => Ok(true),
            Ok(_) => broken(Law::Golden, format!("the script does not fit after `{action}`")),
            Err(refusal) => broken(Law::Golden, format!("seat {} takes `{action}`: {refusal}", seat.index())),
        }
    })
}

/// The table as each observer is told of it while `go_on` plays it, until it returns `false`.
fn witnessed(
    mut table: Box<dyn AnyTable>,
    mut go_on: impl FnMut(&mut dyn AnyTable) -> LawResult<bool>,
) -> LawResult<Vec<Golden>> {
    let mut witnesses = Vec::new();
    for observer in Observer::all(table.seats()) {
        witnesses.push(Witness::of(table.as_ref(), observer)?);
    }
    while go_on(table.as_mut())? {
        witnesses.iter_mut().try_for_each(|witness| witness.look(table.as_ref()))?;
    }
    Ok(witnesses.into_iter().map(Witness::into_golden).collect())
}

/// Lets the bot at the lowest seat that is to act take an action.
fn take_turn(table: &mut dyn AnyTable, bots: &mut [Box<dyn Bot>]) -> LawResult {
    let Some(seat) = table.node().to_act().iter().next() else {
        return broken(Law::Golden, "nobody is to act, and the match is not over");
    };
    let view = table.view(Observer::Seat(seat));
    let action = bots[seat.index()].choose(&view, &table.legal(seat));
    match table.apply(seat, &[action], ApplyMode::Atomic) {
        Ok(_) => Ok(()),
        Err(refusal) => {
            let notation = table.catalogue().actions.notation(action);
            broken(Law::Golden, format!("the bot at seat {} takes `{notation}`: {refusal}", seat.index()))
        }
    }
}

/// The bots of this name at all seats of `game`; `None` if it has none of this name.
#[must_use]
pub fn golden_bots(game: &dyn AnyGame, name: &str, seed: u64) -> Option<Vec<Box<dyn Bot>>> {
    (0..game.catalogue().seats.len()).map(|seat| game.bot(name, Seat::new(seat as u8), seed)).collect()
}

fn short_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}
