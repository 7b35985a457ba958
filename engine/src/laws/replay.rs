//! Law `replay`: the log is enough to come to the same states, and the same is published to everybody.

use std::sync::Arc;

use crate::catalogue::LIST_ACTIONS_MAX;
use crate::chance_source::ChanceSource;
use crate::game::Game;
use crate::seat::{Observer, Seat, SeatSet};
use crate::table::{ApplyMode, LogEntry, Refusal, Table};

use super::facts::{Fact, facts};
use super::failure::{broken, broken_for, ensure, same};
use super::{Law, LawResult};

/// The released state's encoding at a length of the log.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Entries of the log.
    pub entries: usize,
    /// The encoding.
    pub released: Vec<u8>,
}

/// Replays `table`'s log from `start` and compares: states at each mark, the log, what was published to everybody.
///
/// `muddled` are the seats that took something back or chose in a sealed node: what was published to them of their own drafts need not
/// come again, or not in that order.
///
/// # Errors
/// If an entry is refused, or anything differs.
pub fn replay<G: Game>(start: &G::State, table: &Table<G>, marks: &[Mark], muddled: SeatSet) -> LawResult {
    let (game, setup) = (Arc::clone(table.game()), table.setup().clone());
    let mut again = Table::from_state(game, setup, None, start.clone(), ChanceSource::Manual);
    let mut marks = marks.iter().peekable();
    for (index, entry) in table.log().iter().enumerate() {
        at_mark(&mut marks, index, &again)?;
        if let Err(refusal) = enter(&mut again, entry) {
            return broken(Law::Replay, format!("entry {index} is refused: {refusal:?}\n{entry:?}"));
        }
    }
    at_mark(&mut marks, table.log().len(), &again)?;
    same(Law::Replay, None, "replaying the log gives another log", table.log(), again.log())?;
    same(Law::Replay, None, "replaying gives another state", table.released(), again.released())?;
    for observer in Observer::all(table.seats()) {
        published_alike(table, &again, observer, muddled)?;
    }
    Ok(())
}

fn at_mark<'a, G: Game>(
    marks: &mut std::iter::Peekable<impl Iterator<Item = &'a Mark>>,
    entries: usize,
    again: &Table<G>,
) -> LawResult {
    while let Some(mark) = marks.next_if(|mark| mark.entries == entries) {
        let encoded = again.game().encoded(again.released());
        ensure(encoded == mark.released, Law::Replay, || {
            format!(
                "after {entries} entries the replayed state is encoded differently\n{:#?}",
                again.released()
            )
        })?;
    }
    Ok(())
}

/// Does what an entry says.
///
/// # Errors
/// If the match refuses it.
pub fn enter<G: Game>(table: &mut Table<G>, entry: &LogEntry) -> Result<(), Refusal> {
    match entry {
        LogEntry::Commit { seat, actions } => actions
            .chunks(LIST_ACTIONS_MAX)
            .try_for_each(|list| table.apply(*seat, list, ApplyMode::Atomic).map(drop)),
        LogEntry::Chance { outcome, .. } => table.enter(outcome),
        LogEntry::Resigned(seat) => table.resign(*seat),
        LogEntry::Agreed => {
            let seats = SeatSet::first(table.seats());
            let last = Seat::new(table.seats() as u8 - 1);
            seats.without(last).iter().try_for_each(|seat| table.offer_draw(seat))?;
            table.accept_draw(last)
        }
    }
}

fn published_alike<G: Game>(
    table: &Table<G>,
    again: &Table<G>,
    observer: Observer,
    muddled: SeatSet,
) -> LawResult {
    let (first, second) = (facts(table.published(observer, 0)), facts(again.published(observer, 0)));
    let loose =
        matches!(observer, Observer::Seat(seat) if muddled.contains(seat) || !table.draft(seat).is_empty());
    if !loose {
        return same(Law::Replay, Some(observer), "replaying publishes other events", &first, &second);
    }
    let mut left: Vec<&Fact> = first.iter().collect();
    for fact in &second {
        match left.iter().position(|published| *published == fact) {
            Some(index) => drop(left.swap_remove(index)),
            None => {
                return broken_for(
                    Law::Replay,
                    observer,
                    format!("replaying publishes {fact:#?}, which was published to nobody before"),
                );
            }
        }
    }
    Ok(())
}
