//! The desk's handling of indexes that are behind, on every kind of rows.

use edgehill_engine::seat::{Seat, SeatSet};
use rusqlite::Connection;

use super::super::index::OVER_MAX;
use super::super::{BodyHash, StoredStatus, Summary, memory, sqlite};
use super::*;

const ID: MatchId = MatchId::from_bytes([1; 16]);
const ME: Party = Party::Seat(Seat::new(0));

fn append(expected: u64, name: &str) -> Append {
    let id = RequestId::new(name).unwrap();
    let request = Request { id, body: BodyHash::of(name.as_bytes()), outcome: name.into() };
    let summary = Summary { status: StoredStatus::Running, open_seats: SeatSet::EMPTY, lengths: vec![0] };
    Append {
        id: ID,
        expected,
        entry: name.into(),
        requests: vec![(ME, request)],
        summary,
        overview: None,
        replaces: None,
    }
}

fn create() -> Create {
    let (game, scenario, summary) = ("g".to_owned(), "s".to_owned(), append(0, "a").summary);
    let (header, overview, secrets) = (Vec::new(), b"o".to_vec(), Vec::new());
    Create { id: ID, game, scenario, group: None, header, summary, overview, requests: Vec::new(), secrets }
}

/// The revision at which it stands, and whether it stood there before.
fn revision(ended: Result<Appended, Trouble>) -> (u64, bool) {
    match ended.unwrap() {
        Appended::Written(at) => (at.revision, false),
        Appended::Repeated(stored) => (stored.at.revision, true),
    }
}

/// The desk of the server that has these indexes.
fn by<'a, R>(indexes: &'a Indexes, rows: &'a mut R) -> StoreOps<'a, R> {
    StoreOps { rows, indexes, unix_ms: 0 }
}

/// As two servers do on one database: each has indexes of its own, which fall behind by what the other appends.
fn an_index_that_fell_behind_decides_nothing<R: RowsMut>(rows: &mut R) {
    let (one, other) = (Indexes::new(), Indexes::new());
    by(&one, rows).create(&create()).unwrap();
    by(&other, rows).append(&append(0, "a")).unwrap();
    by(&other, rows).append(&append(1, "b")).unwrap();
    // One still thinks that the match stands at revision 0.
    assert_eq!(revision(by(&one, rows).append(&append(0, "a"))), (1, true));
    by(&other, rows).append(&append(2, "c")).unwrap();
    let conflict = by(&one, rows).append(&append(1, "d"));
    assert_eq!(conflict, Err(Trouble::Refused(Error::Conflict { current: 3 })));
    by(&other, rows).append(&append(3, "e")).unwrap();
    let conflict = by(&one, rows).append(&append(3, "f"));
    assert_eq!(conflict, Err(Trouble::Refused(Error::Conflict { current: 4 })));
    by(&other, rows).append(&append(4, "g")).unwrap();
    assert_eq!(revision(by(&one, rows).append(&append(5, "h"))), (6, false));
    let found = by(&other, rows).request(&RequestScope::Match(ID, ME), &RequestId::new("h").unwrap());
    assert_eq!(found.unwrap().unwrap().at.revision, 6);
    let log = by(&one, rows).read(ID, 0).unwrap();
    let entries: Vec<_> = log.records.iter().map(|record| &record.entry[..]).collect();
    assert_eq!(entries, ["a", "b", "c", "e", "g", "h"].map(str::as_bytes));
}

/// A look-up that began before may offer its index after.
fn an_index_does_not_open_a_closed_match<R: RowsMut>(rows: &mut R) {
    let indexes = Indexes::new();
    let mut ops = StoreOps { rows, indexes: &indexes, unix_ms: 0 };
    ops.create(&create()).unwrap();
    let index = Box::new(ops.load(ID).unwrap());
    let quarantine = Quarantine { reason: "R".into(), detail: "d".into(), since_ms: 1 };
    ops.quarantine(ID, &quarantine).unwrap();
    indexes.offer(index);
    let closed = Err(Trouble::Refused(Error::Quarantined { id: ID, quarantine }));
    assert_eq!(ops.append(&append(0, "a")), closed);
}

#[test]
fn indexes_of_few_matches_that_are_over_are_kept_and_requests_of_all_are_known() {
    let (indexes, rows) = (Indexes::new(), &mut memory::Tables::default());
    let id = |number: usize| MatchId::from_bytes([number as u8; 16]);
    let last = |number| {
        let mut last = Append { id: id(number), ..append(1, "b") };
        last.summary.status = StoredStatus::Over;
        last
    };
    let matches = 0..OVER_MAX.get() * 2;
    for number in matches.clone() {
        by(&indexes, rows).create(&Create { id: id(number), ..create() }).unwrap();
        by(&indexes, rows).append(&Append { id: id(number), ..append(0, "a") }).unwrap();
    }
    assert!(matches.clone().all(|number| indexes.contains(id(number))));
    for number in matches.clone() {
        by(&indexes, rows).append(&last(number)).unwrap();
    }
    for repeated in [false, true] {
        let kept: Vec<usize> = matches.clone().filter(|&number| indexes.contains(id(number))).collect();
        assert_eq!(kept, (OVER_MAX.get()..matches.end).collect::<Vec<_>>(), "repeated: {repeated}");
        for number in matches.clone() {
            assert_eq!(revision(by(&indexes, rows).append(&last(number))), (2, true));
            by(&indexes, rows).read(id(number), 0).unwrap();
        }
    }
}

fn on_sqlite(test: impl FnOnce(&mut sqlite::Tables<'_>)) {
    let connection = Connection::open_in_memory().unwrap();
    sqlite::make_schema(&connection);
    test(&mut sqlite::Tables::new(&connection, std::path::Path::new("in memory"), 1));
}

#[test]
fn an_index_that_fell_behind_decides_nothing_in_memory() {
    an_index_that_fell_behind_decides_nothing(&mut memory::Tables::default());
}

#[test]
fn an_index_that_fell_behind_decides_nothing_in_sqlite() {
    on_sqlite(|rows| an_index_that_fell_behind_decides_nothing(rows));
}

#[test]
fn an_index_does_not_open_a_closed_match_in_memory() {
    an_index_does_not_open_a_closed_match(&mut memory::Tables::default());
}

#[test]
fn an_index_does_not_open_a_closed_match_in_sqlite() {
    on_sqlite(|rows| an_index_does_not_open_a_closed_match(rows));
}

/// A look-up sees what is durable, and the writer's index is ahead of that.
fn an_index_that_is_ahead_shows_nothing<A: RowsMut, D: RowsMut>(ahead: &mut A, durable: &mut D) {
    let indexes = Indexes::new();
    by(&Indexes::new(), durable).create(&create()).unwrap();
    by(&indexes, ahead).create(&create()).unwrap();
    by(&indexes, ahead).append(&append(0, "a")).unwrap();
    let (scope, name) = (RequestScope::Match(ID, ME), RequestId::new("a").unwrap());
    assert!(by(&indexes, ahead).request(&scope, &name).unwrap().is_some());
    assert_eq!(by(&indexes, durable).request(&scope, &name), Ok(None));
}

#[test]
fn an_index_that_is_ahead_shows_nothing_in_memory() {
    an_index_that_is_ahead_shows_nothing(&mut memory::Tables::default(), &mut memory::Tables::default());
}

#[test]
fn an_index_that_is_ahead_shows_nothing_in_sqlite() {
    on_sqlite(|ahead| on_sqlite(|durable| an_index_that_is_ahead_shows_nothing(ahead, durable)));
}

#[test]
fn what_an_append_finds_closes_the_match() {
    let connection = Connection::open_in_memory().unwrap();
    sqlite::make_schema(&connection);
    let mut rows = sqlite::Tables::new(&connection, std::path::Path::new("in memory"), 1);
    by(&Indexes::new(), &mut rows).create(&create()).unwrap();
    by(&Indexes::new(), &mut rows).append(&append(0, "a")).unwrap();
    connection.execute("DELETE FROM appends WHERE position = 1", []).unwrap();
    let indexes = Indexes::new();
    let mut ops = by(&indexes, &mut rows);
    let ended = ops.append(&append(1, "b"));
    ops.note_fault(&ended).unwrap();
    let Err(Trouble::Faulty(_, found)) = ended else { panic!("{ended:?}") };
    assert_eq!(found.reason, "APPEND_MISSING");
    assert_eq!(ops.rows.quarantine(ID), Ok(Some(found)));
}
