//! A match played again from its beginning, so that all of its events are published to every observer.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::SeatSet;
use edgehill_engine::table::{ApplyMode, LogEntry};

use crate::error::Error;

/// The same match, played again from its log and the drafts that are not final.
///
/// # Errors
/// If the rules no longer accept what the log says: the match was played under other ones.
pub(crate) fn play_again(table: &dyn AnyTable) -> Result<Box<dyn AnyTable>, Error> {
    let fault = |what: String| Error::Fault(format!("the match can't be played again: {what}"));
    let mut again = table.anew(ChanceSource::Manual).map_err(|error| fault(error.to_string()))?;
    for entry in table.log() {
        follow(again.as_mut(), entry).map_err(&fault)?;
    }
    for seat in SeatSet::first(table.seats()).iter().filter(|&seat| !table.committed(seat)) {
        for &action in table.draft(seat) {
            again.apply(seat, &[action], ApplyMode::Atomic).map_err(|refusal| fault(refusal.to_string()))?;
        }
    }
    Ok(again)
}

fn follow(table: &mut dyn AnyTable, entry: &LogEntry) -> Result<(), String> {
    let done = match entry {
        LogEntry::Commit { seat, actions } => {
            actions.iter().try_for_each(|&action| table.apply(*seat, &[action], ApplyMode::Atomic).map(drop))
        }
        LogEntry::Chance { outcome, .. } => table.enter(outcome),
        LogEntry::Resigned(seat) => table.resign(*seat),
        LogEntry::Agreed => {
            let seats = SeatSet::first(table.seats());
            let Some(last) = seats.iter().last() else { return Ok(()) };
            seats
                .without(last)
                .iter()
                .try_for_each(|seat| table.offer_draw(seat))
                .and_then(|()| table.accept_draw(last))
        }
    };
    done.map_err(|refusal| refusal.to_string())
}
