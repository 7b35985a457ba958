//! The clocks of all matches, held against the time of the world ([`check`]): none has run out before its time or long after it, however
//! often the server was down and whatever became of the date.

use std::sync::Arc;
use std::time::Duration;

use edgehill_service::matches::archive;
use edgehill_service::matches::{ClockTerms, Happened, JournalEntry, MatchHeader, SeatClock};
use edgehill_service::store::{MatchId, Store, StoredRecord};

use crate::disk::Written;
use crate::life::WAITS;
use crate::world::{World, seconds};

/// Times of the server are whole milliseconds, and so is each part that a time is summed up from.
const ROUNDED: Duration = Duration::from_millis(5);
/// The time by which a clock may run out late: the store may not write, and somebody may have the match's lock.
const LATE: Duration = Duration::from_secs(7);
/// The time by which an outage may be taken to have been longer, in favour of the seats: the server notes every ten seconds that it is
/// up, and one that is started again within a minute was not up.
const LATE_BY_OUTAGE: Duration = Duration::from_secs(75);

/// Checks the clocks of all matches, of whose server nothing is left; returns how often one has run out.
pub(crate) async fn check(world: &World) -> usize {
    let rows: Arc<dyn Store> = Arc::clone(&world.disk.rows) as Arc<dyn Store>;
    let store = world.sealed(rows);
    let mut run_out = 0;
    for played in world.played() {
        let id: MatchId = played.id.parse().expect("the server's own id");
        let log = store.read(id, 0).await.expect("the log is whole");
        let header = MatchHeader::from_bytes(&log.header.bytes).expect("a header");
        let records = archive::unpacked(&log.records).expect("an archive");
        check_expiry(world, id, &records);
        let Some(terms) = header.clock else { continue };
        let mut clocks = vec![terms.start(); header.seats.len()];
        for record in records.iter() {
            let entry = JournalEntry::from_bytes(&record.entry).expect("an entry");
            let Some(after) = entry.clocks.clone() else { continue };
            for (seat, (before, after)) in clocks.iter().zip(&after).enumerate() {
                let what = format!("{id}, revision {}, seat {seat}", record.at.revision);
                let ran_out =
                    matches!(entry.happened, Happened::TimedOut { seat: of, .. } if usize::from(of) == seat);
                assert_eq!(after.strikes, before.strikes + u32::from(ran_out), "{what}: it is counted once");
                run_out += usize::from(ran_out);
                if before.question.is_some() && before.question != after.question {
                    let at = world.disk.truth().written[&(id, record.at.revision)];
                    answered(world, id, (&terms, before), at, ran_out, &what);
                }
            }
            clocks = after;
        }
    }
    run_out
}

/// Checks that a match whose seats nobody has taken did not expire before its time.
fn check_expiry(world: &World, id: MatchId, records: &[StoredRecord]) {
    for record in records {
        let entry = JournalEntry::from_bytes(&record.entry).expect("an entry");
        if entry.happened == Happened::Expired {
            let [made, expired] =
                [0, record.at.revision].map(|revision| world.disk.truth().written[&(id, revision)]);
            let (up, _) = world.outages().up_between(made.put, expired.put);
            assert!(up + ROUNDED >= WAITS, "{id} has expired after {} s", seconds(up));
        }
    }
}

/// Checks a question that was answered by an append, or whose time has run out with it.
fn answered(
    world: &World,
    id: MatchId,
    (terms, clock): (&ClockTerms, &SeatClock),
    at: Written,
    ran_out: bool,
    what: &str,
) {
    let (Some(question), Some(allowed_ms)) = (clock.question, terms.allowed_ms(clock)) else { return };
    let asked = world.disk.truth().written[&(id, question.revision)];
    let allowed = Duration::from_millis(allowed_ms);
    let (up, _) = world.outages().up_between(asked.put, at.put);
    assert!(
        !ran_out || up + ROUNDED >= allowed,
        "{what}: its time has run out after {} of {} s",
        seconds(up),
        seconds(allowed)
    );
    let (up, outages) = world.outages().up_between(asked.durable, at.put);
    assert!(
        up <= allowed + LATE + LATE_BY_OUTAGE * outages,
        "{what}: it had {} s instead of {}, over {outages} outages",
        seconds(up),
        seconds(allowed)
    );
}
