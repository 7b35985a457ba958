//! The laws of every store.

use edgehill_engine::seat::{Seat, SeatSet};
use edgehill_service::entropy::SeededEntropy;
use edgehill_service::store::limits::{ENTRY_BYTES_MAX, PAGE_MATCHES_MAX};
use edgehill_service::store::{
    Append, Appended, Create, Error, MatchId, MemoryStore, Outage, Page, Party, Quarantine, Replaced,
    RequestId, RequestScope, SealingKey, SecretId, Store, StoreFilter, StoredStatus, Summary,
};

use crate::kit::{
    account, append, append_for, create, do_append, do_create, match_id, on_a_file, on_postgres, play,
    request, request_id, seat, whole_log, written,
};

/// Each law on each store. On the file and in the database, what a law leaves is there after closing and opening again, and sound.
macro_rules! laws {
    ($($law:ident),* $(,)?) => {
        mod in_memory {
            use super::*;
            $(#[tokio::test] async fn $law() { super::$law(&MemoryStore::new()).await })*
        }
        mod in_a_file {
            use super::*;
            $(#[tokio::test] async fn $law() { on_a_file(async |store| super::$law(store).await).await })*
        }
        mod in_postgres {
            use super::*;
            $(#[tokio::test] async fn $law() { on_postgres(async |store| super::$law(store).await).await })*
        }
    };
}

laws! {
    a_match_is_read_as_it_was_written,
    a_log_is_read_from_any_revision,
    an_append_to_another_revision_is_a_conflict_that_names_the_present_one,
    appends_in_line_take_effect_in_order_and_a_lost_race_changes_nothing,
    rivals_share_a_log_without_loss,
    a_match_is_created_once,
    what_is_not_there_is_not_found,
    a_retry_has_its_outcome_whatever_happened_since,
    a_request_id_with_another_body_is_refused_without_a_trace,
    request_ids_are_apart_by_match_and_party,
    an_append_answers_several_requests_or_none_of_them_twice,
    a_creation_is_retried_like_any_request,
    requests_are_looked_up,
    lists_show_the_last_append_and_filter,
    lists_page_without_gap_or_repeat,
    secrets_are_kept_once_and_are_in_no_log,
    a_match_in_quarantine_is_closed_until_it_is_released,
    a_match_that_is_over_is_deleted_whole_and_no_other_is,
    what_is_too_large_is_refused_before_anything_is_written,
    an_append_takes_the_place_of_others,
    an_append_takes_the_place_of_nothing_else,
    outages_are_kept,
    a_closed_store_says_so,
}

async fn a_match_is_read_as_it_was_written(store: &dyn Store) {
    let id = match_id(1);
    let made = Create { requests: vec![(account("me"), request("r0", "body"))], ..create(id) };
    let Ok(Appended::Written(created)) = do_create(store, made.clone()).await else { panic!() };
    assert_eq!(created.revision, 0);
    let sent = Append {
        requests: vec![(seat(1), request("r1", "a")), (Party::Host, request("r2", "b"))],
        ..append(id, 0)
    };
    let first = written(store, sent.clone()).await;
    let second = written(store, append(id, 1)).await;
    assert_eq!((first.revision, second.revision), (1, 2));
    assert!(created.position < first.position && first.position < second.position);

    let log = store.read(id, 0).await.unwrap();
    let header = &log.header;
    assert_eq!((header.id, header.at), (id, created));
    assert_eq!((&header.game, &header.scenario, &header.bytes), (&made.game, &made.scenario, &made.header));
    assert_eq!((&header.requests, &header.summary), (&made.requests, &made.summary));
    assert_eq!(log.revision, 2);
    let [one, two] = &log.records[..] else { panic!("{:?}", log.records) };
    assert_eq!((one.at, &one.entry, &one.requests), (first, &sent.entry, &sent.requests));
    assert_eq!((two.at, &two.entry), (second, &append(id, 1).entry));
    assert_eq!(one.summary, sent.summary);
}

async fn a_log_is_read_from_any_revision(store: &dyn Store) {
    let id = play(store, 1, 5).await;
    let whole = store.read(id, 0).await.unwrap();
    for from in 1..=5 {
        let log = store.read(id, from).await.unwrap();
        assert_eq!((&log.header, log.revision), (&whole.header, 5));
        assert_eq!(log.records, whole.records[from as usize - 1..]);
    }
    for from in [6, 7, u64::MAX] {
        let log = store.read(id, from).await.unwrap();
        assert_eq!((log.header, log.revision, log.records), (whole.header.clone(), 5, Vec::new()));
    }
}

async fn an_append_to_another_revision_is_a_conflict_that_names_the_present_one(store: &dyn Store) {
    let id = play(store, 1, 3).await;
    let before = store.read(id, 0).await.unwrap();
    for expected in [0, 2, 4, u64::MAX - 1] {
        assert_eq!(do_append(store, append(id, expected)).await, Err(Error::Conflict { current: 3 }));
    }
    assert_eq!(store.read(id, 0).await.unwrap(), before);
    assert_eq!(written(store, append(id, 3)).await.revision, 4);
}

async fn appends_in_line_take_effect_in_order_and_a_lost_race_changes_nothing(store: &dyn Store) {
    let id = play(store, 1, 0).await;
    let other = play(store, 2, 0).await;
    let mut tickets = Vec::new();
    for expected in 0..20 {
        tickets.push((expected, store.append(append(id, expected)).await.unwrap()));
        tickets.push((expected, store.append(append(other, expected)).await.unwrap()));
        // A rival who saw the same revision, and comes second.
        let rival = Append { entry: b"rival".to_vec(), ..append(id, expected) };
        tickets.push((u64::MAX, store.append(rival).await.unwrap()));
    }
    let mut lost = 0;
    for (expected, ticket) in tickets {
        match ticket.await {
            Ok(Appended::Written(at)) => assert_eq!(at.revision, expected + 1),
            Err(Error::Conflict { .. }) => lost += 1,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(lost, 20);
    assert_eq!((whole_log(store, id).await, whole_log(store, other).await), (20, 20));
}

async fn rivals_share_a_log_without_loss(store: &dyn Store) {
    let id = play(store, 1, 0).await;
    // Eight rivals, each of whom wants to append five times, from the revision that it last heard of.
    let rival = async |index: u8| {
        let (mut expected, mut left, mut mine) = (0, 5, Vec::new());
        while left > 0 {
            match do_append(store, append_for(id, expected, seat(index), request(&left.to_string(), "body")))
                .await
            {
                Ok(Appended::Written(at)) => {
                    mine.push(at.revision);
                    (expected, left) = (at.revision, left - 1);
                }
                Err(Error::Conflict { current }) => expected = current,
                other => panic!("{other:?}"),
            }
        }
        mine
    };
    let ((a, b, c, d), (e, f, g, h)) =
        tokio::join!(async { tokio::join!(rival(0), rival(1), rival(2), rival(3)) }, async {
            tokio::join!(rival(4), rival(5), rival(6), rival(7))
        },);
    let mut all = [a, b, c, d, e, f, g, h].concat();
    all.sort_unstable();
    assert_eq!(all, (1..=40).collect::<Vec<_>>());
    assert_eq!(whole_log(store, id).await, 40);
}

async fn a_match_is_created_once(store: &dyn Store) {
    let id = play(store, 1, 1).await;
    let again = Create { header: b"other".to_vec(), ..create(id) };
    assert_eq!(do_create(store, again).await, Err(Error::MatchExists(id)));
    assert_eq!(whole_log(store, id).await, 1);
}

async fn what_is_not_there_is_not_found(store: &dyn Store) {
    let id = match_id(9);
    assert_eq!(do_append(store, append(id, 0)).await, Err(Error::NotFound(id)));
    assert_eq!(store.read(id, 0).await, Err(Error::NotFound(id)));
    assert_eq!(store.release(id).await, Err(Error::NotFound(id)));
    assert_eq!(
        store.request(RequestScope::Match(id, seat(0)), request_id("r")).await,
        Err(Error::NotFound(id))
    );
    assert_eq!(store.request(RequestScope::Account(account("me")), request_id("r")).await, Ok(None));
    assert_eq!(store.secret(SecretId::new("s").unwrap()).await, Ok(None));
    let reason = Quarantine { reason: "X".into(), detail: String::new(), since_ms: 1 };
    assert_eq!(store.quarantine(id, reason).await, Err(Error::NotFound(id)));
    assert!(store.list(StoreFilter::default(), Page::FIRST).await.unwrap().matches.is_empty());
}

async fn a_retry_has_its_outcome_whatever_happened_since(store: &dyn Store) {
    let id = play(store, 1, 0).await;
    let sent = append_for(id, 0, seat(0), request("r1", "body"));
    let at = written(store, sent.clone()).await;
    for expected in 1..4 {
        written(store, append(id, expected)).await;
    }
    // As it was sent, and as a caller sends it who has read the match again meanwhile.
    for expected in [0, 4, 99] {
        let retried = append_for(id, expected, seat(0), Request::other_outcome("r1", "body"));
        let Ok(Appended::Repeated(stored)) = do_append(store, retried).await else { panic!() };
        assert_eq!((stored.id, stored.at, &stored.request), (id, at, &sent.requests[0].1));
    }
    assert_eq!(whole_log(store, id).await, 4);
}

/// A request as a server makes it that has lost its memory: the same question, another answer.
struct Request;

impl Request {
    fn other_outcome(name: &str, body: &str) -> edgehill_service::store::Request {
        edgehill_service::store::Request { outcome: b"another".to_vec(), ..request(name, body) }
    }
}

async fn a_request_id_with_another_body_is_refused_without_a_trace(store: &dyn Store) {
    let id = play(store, 1, 0).await;
    written(store, append_for(id, 0, seat(0), request("r1", "body"))).await;
    let before = store.read(id, 0).await.unwrap();
    for expected in [0, 1] {
        let reused = append_for(id, expected, seat(0), request("r1", "another body"));
        assert_eq!(do_append(store, reused).await, Err(Error::RequestReused));
    }
    assert_eq!(store.read(id, 0).await.unwrap(), before);
    let stored = store.request(RequestScope::Match(id, seat(0)), request_id("r1")).await.unwrap().unwrap();
    assert_eq!(stored.outcome_for(&request("r1", "another body").body), Err(Error::RequestReused));
    assert_eq!(stored.outcome_for(&request("r1", "body").body), Ok(&b"outcome of r1"[..]));
}

async fn request_ids_are_apart_by_match_and_party(store: &dyn Store) {
    let (one, other) = (play(store, 1, 0).await, play(store, 2, 0).await);
    let parties = [seat(0), seat(1), seat(7), Party::Host];
    for id in [one, other] {
        for (expected, party) in (0..).zip(parties) {
            let body = format!("{id} {party:?}");
            written(store, append_for(id, expected, party, request("r", &body))).await;
        }
    }
    for id in [one, other] {
        for (revision, party) in (1..).zip(parties) {
            let stored =
                store.request(RequestScope::Match(id, party), request_id("r")).await.unwrap().unwrap();
            assert_eq!((stored.id, stored.at.revision), (id, revision));
            assert_eq!(stored.request.body, request("r", &format!("{id} {party:?}")).body);
        }
    }
}

async fn an_append_answers_several_requests_or_none_of_them_twice(store: &dyn Store) {
    let id = play(store, 1, 0).await;
    let both = |expected, names: [&str; 2]| Append {
        requests: names.iter().map(|name| (seat(0), request(name, "body"))).collect(),
        ..append(id, expected)
    };
    written(store, both(0, ["a", "b"])).await;
    // One of them is known: none of the append is written, not even the other request.
    let Ok(Appended::Repeated(stored)) = do_append(store, both(1, ["c", "b"])).await else { panic!() };
    assert_eq!(stored.request.id, request_id("b"));
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("c")).await, Ok(None));
    assert_eq!(store.append(both(1, ["d", "d"])).await.unwrap_err().reason(), "STORE_INVALID");
    assert_eq!(whole_log(store, id).await, 1);
}

async fn a_creation_is_retried_like_any_request(store: &dyn Store) {
    let by = |number, who: &str, body: &str| Create {
        requests: vec![(account(who), request("r", body))],
        ..create(match_id(number))
    };
    let Ok(Appended::Written(at)) = do_create(store, by(1, "me", "body")).await else { panic!() };
    // A server that retries has made up a new name for the match meanwhile.
    let Ok(Appended::Repeated(stored)) = do_create(store, by(2, "me", "body")).await else { panic!() };
    assert_eq!((stored.id, stored.at), (match_id(1), at));
    assert_eq!(stored.request.outcome, b"outcome of r");
    assert_eq!(do_create(store, by(3, "me", "another")).await, Err(Error::RequestReused));
    let Ok(Appended::Written(_)) = do_create(store, by(4, "you", "another")).await else { panic!() };
    for number in [2, 3] {
        assert_eq!(store.read(match_id(number), 0).await, Err(Error::NotFound(match_id(number))));
    }
}

async fn requests_are_looked_up(store: &dyn Store) {
    let id = match_id(1);
    let made = Create { requests: vec![(account("me"), request("r0", "body"))], ..create(id) };
    do_create(store, made).await.unwrap();
    written(store, append(id, 0)).await;
    let at = written(store, append_for(id, 1, seat(1), request("r1", "body"))).await;
    let find = |scope, name| store.request(scope, request_id(name));
    let stored = find(RequestScope::Match(id, seat(1)), "r1").await.unwrap().unwrap();
    assert_eq!((stored.id, stored.at, stored.request), (id, at, request("r1", "body")));
    assert_eq!(find(RequestScope::Match(id, seat(0)), "r1").await, Ok(None));
    assert_eq!(find(RequestScope::Match(id, seat(1)), "r2").await, Ok(None));
    let stored = find(RequestScope::Account(account("me")), "r0").await.unwrap().unwrap();
    assert_eq!((stored.id, stored.at.revision, stored.request), (id, 0, request("r0", "body")));
    assert_eq!(find(RequestScope::Account(account("you")), "r0").await, Ok(None));
    assert_eq!(find(RequestScope::Match(id, Party::Host), "r0").await, Ok(None));
}

async fn names(store: &dyn Store, filter: StoreFilter) -> Vec<MatchId> {
    let listing = store.list(filter, Page::FIRST).await.unwrap();
    assert_eq!(listing.next, None);
    listing.matches.into_iter().map(|listed| listed.id).collect()
}

async fn lists_show_the_last_append_and_filter(store: &dyn Store) {
    for number in 1..=4 {
        let game = if number % 2 == 0 { "ukc" } else { "cn" };
        let scenario = if number < 3 { "short" } else { "full" };
        let group = (number > 2).then(|| "group of the third".to_owned());
        let made = Create { game: game.into(), scenario: scenario.into(), group, ..create(match_id(number)) };
        do_create(store, made).await.unwrap();
    }
    let open_seats = SeatSet::EMPTY.with(Seat::new(1));
    let last = Summary { status: StoredStatus::Over, open_seats, lengths: vec![7, 8, 9] };
    written(store, append(match_id(3), 0)).await;
    let overview = Some(b"another".to_vec());
    written(store, Append { summary: last.clone(), overview, ..append(match_id(3), 1) }).await;
    written(store, append(match_id(4), 0)).await;

    let listing = store.list(StoreFilter::default(), Page::FIRST).await.unwrap();
    let found: Vec<_> = listing.matches.iter().map(|m| (m.id, m.revision, m.summary.status)).collect();
    let expected = [
        (4, 1, StoredStatus::Running),
        (3, 2, StoredStatus::Over),
        (2, 0, StoredStatus::Open),
        (1, 0, StoredStatus::Open),
    ];
    assert_eq!(found, expected.map(|(number, revision, status)| (match_id(number), revision, status)));
    let third = &listing.matches[1];
    assert_eq!((&third.game[..], &third.scenario[..], &third.summary), ("cn", "full", &last));

    let overviews: Vec<_> = listing.matches.iter().map(|m| String::from_utf8_lossy(&m.overview)).collect();
    let made = |number| format!("overview of {}", match_id(number));
    assert_eq!(overviews, [made(4), "another".to_owned(), made(2), made(1)]);

    let all = StoreFilter::default;
    let expect = async |filter, numbers: &[u8]| {
        let expected: Vec<MatchId> = numbers.iter().copied().map(match_id).collect();
        assert_eq!(names(store, filter).await, expected);
    };
    expect(StoreFilter { game: Some("ukc".into()), ..all() }, &[4, 2]).await;
    expect(StoreFilter { scenario: Some("short".into()), ..all() }, &[2, 1]).await;
    expect(StoreFilter { status: Some(StoredStatus::Open), ..all() }, &[2, 1]).await;
    expect(StoreFilter { status: Some(StoredStatus::Abandoned), ..all() }, &[]).await;
    expect(StoreFilter { with_open_seats: true, ..all() }, &[3, 2, 1]).await;
    expect(StoreFilter { group: Some("group of the third".into()), ..all() }, &[4, 3]).await;
    expect(StoreFilter { group: Some("group of nobody".into()), ..all() }, &[]).await;
    let several = StoreFilter {
        game: Some("cn".into()),
        with_open_seats: true,
        status: Some(StoredStatus::Over),
        ..all()
    };
    expect(several, &[3]).await;
}

async fn lists_page_without_gap_or_repeat(store: &dyn Store) {
    for number in 1..=7 {
        play(store, number, 0).await;
    }
    for limit in [0, 1, 3, 7, 8, usize::MAX] {
        let mut page = Page { before: None, limit };
        let mut found = Vec::new();
        loop {
            let listing = store.list(StoreFilter::default(), page).await.unwrap();
            assert!(listing.matches.len() <= limit.clamp(1, PAGE_MATCHES_MAX));
            found.extend(listing.matches.iter().map(|listed| listed.id));
            match listing.next {
                Some(next) => page.before = Some(next),
                None => break,
            }
        }
        assert_eq!(found, (1..=7).rev().map(match_id).collect::<Vec<_>>(), "pages of {limit}");
    }
}

async fn secrets_are_kept_once_and_are_in_no_log(store: &dyn Store) {
    let (key, entropy) = (SealingKey::derive(&[3; 32]), SeededEntropy::new(5));
    let name = |text| SecretId::new(text).unwrap();
    let seed = [0xA5; 32];
    let sealed = key.seal(&name("m1"), &seed, &entropy).unwrap();
    let other = key.seal(&name("m1"), &[1; 32], &entropy).unwrap();
    let made = |number, sealed| Create { secrets: vec![(name("m1"), sealed)], ..create(match_id(number)) };
    do_create(store, made(1, sealed.clone())).await.unwrap();
    // Another match of the same group brings the same secret; another secret is refused, and its match with it.
    do_create(store, made(2, sealed.clone())).await.unwrap();
    assert_eq!(do_create(store, made(3, other.clone())).await, Err(Error::SecretKept));
    assert_eq!(store.read(match_id(3), 0).await, Err(Error::NotFound(match_id(3))));
    let twice = Create {
        secrets: vec![(name("x"), sealed.clone()), (name("x"), other.clone())],
        ..made(4, other.clone())
    };
    assert_eq!(store.create(twice).await.unwrap_err().reason(), "STORE_INVALID");

    assert_eq!(store.keep_secret(name("series"), sealed.clone()).await, Ok(()));
    assert_eq!(store.keep_secret(name("series"), sealed.clone()).await, Ok(()));
    assert_eq!(store.keep_secret(name("series"), other).await, Err(Error::SecretKept));
    assert_eq!(store.secret(name("m1")).await, Ok(Some(sealed.clone())));
    assert_eq!(key.open(&name("m1"), &sealed), Ok(seed.to_vec()));
    let log = format!("{:?}", store.read(match_id(1), 0).await.unwrap());
    assert!(!log.contains("165, 165"), "the log shows the seed");
    assert!(!log.contains("SealedSecret"), "the log shows a secret, if a sealed one");
}

async fn a_match_in_quarantine_is_closed_until_it_is_released(store: &dyn Store) {
    let (id, other) = (play(store, 1, 2).await, play(store, 2, 0).await);
    written(store, append_for(id, 2, seat(0), request("r", "body"))).await;
    let because = |reason: &str| Quarantine { reason: reason.into(), detail: "why".into(), since_ms: 5 };
    store.quarantine(id, because("REPLAY_DIFFERS")).await.unwrap();
    store.quarantine(id, because("LATER")).await.unwrap();
    assert_eq!(store.stats().quarantined, 1);
    let closed = Error::Quarantined { id, quarantine: because("REPLAY_DIFFERS") };
    assert_eq!(do_append(store, append(id, 3)).await, Err(closed.clone()));
    assert_eq!(do_append(store, append_for(id, 3, seat(0), request("r", "body"))).await, Err(closed.clone()));
    assert_eq!(store.read(id, 0).await, Err(closed.clone()));
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("r")).await, Err(closed));
    let listing = store.list(StoreFilter::default(), Page::FIRST).await.unwrap();
    let rule_violations: Vec<_> = listing.matches.iter().map(|m| m.quarantine.clone()).collect();
    assert_eq!(rule_violations, [None, Some(because("REPLAY_DIFFERS"))]);
    written(store, append(other, 0)).await;

    store.release(id).await.unwrap();
    assert_eq!(store.stats().quarantined, 0);
    assert_eq!(whole_log(store, id).await, 3);
    written(store, append(id, 3)).await;
    store.quarantine(other, because("STAYS")).await.unwrap();
}

async fn a_match_that_is_over_is_deleted_whole_and_no_other_is(store: &dyn Store) {
    let key = SealingKey::derive(&[9; 32]);
    let name = SecretId::new("seed").unwrap();
    let sealed = key.seal(&name, &[165; 32], &SeededEntropy::new(1)).unwrap();
    let (id, before, after) = (match_id(2), play(store, 1, 3).await, match_id(3));
    let asked = Create {
        requests: ["c", "d"].map(|name| (account("ada"), request(name, "body"))).to_vec(),
        secrets: vec![(name.clone(), sealed.clone())],
        ..create(id)
    };
    do_create(store, asked.clone()).await.unwrap();
    written(store, append_for(id, 0, seat(0), request("r", "body"))).await;
    play(store, 3, 2).await;
    let runs = store.delete(vec![id], vec![name.clone()]).await.unwrap_err();
    assert_eq!(runs.reason(), "STORE_INVALID");
    let ends = |id, expected| {
        let summary = Summary { status: StoredStatus::Over, ..append(id, expected).summary };
        Append { summary, ..append(id, expected) }
    };
    written(store, ends(id, 1)).await;
    // All of them, or none: one runs, one is not there.
    for other in [after, match_id(9)] {
        store.delete(vec![id, other], vec![name.clone()]).await.unwrap_err();
        assert_eq!(store.read(id, 0).await.unwrap().revision, 2);
        assert_eq!(store.secret(name.clone()).await, Ok(Some(sealed.clone())));
    }

    store.delete(vec![id], vec![name.clone()]).await.unwrap();
    let gone = Error::NotFound(id);
    assert_eq!(store.read(id, 0).await, Err(gone.clone()));
    assert_eq!(store.read_stopped(id).await, Err(gone.clone()));
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("r")).await, Err(gone.clone()));
    for name in ["c", "d"] {
        assert_eq!(store.request(RequestScope::Account(account("ada")), request_id(name)).await, Ok(None));
    }
    assert_eq!(do_append(store, append(id, 2)).await, Err(gone.clone()));
    assert_eq!(store.delete(vec![id], Vec::new()).await, Err(gone));
    assert_eq!(store.secret(name).await, Ok(None));
    let listing = store.list(StoreFilter::default(), Page::FIRST).await.unwrap();
    assert_eq!(listing.matches.iter().map(|listed| listed.id).collect::<Vec<_>>(), [after, before]);
    // Those made before and after it go on, and the request is a new one.
    assert_eq!((whole_log(store, before).await, whole_log(store, after).await), (3, 2));
    written(store, append(before, 3)).await;
    assert!(matches!(do_create(store, asked).await, Ok(Appended::Written(_))));
    // The last append of all goes as well.
    written(store, ends(id, 0)).await;
    store.delete(vec![id], Vec::new()).await.unwrap();
}

async fn what_is_too_large_is_refused_before_anything_is_written(store: &dyn Store) {
    let id = play(store, 1, 0).await;
    let with = |len| Append { entry: vec![1; len], ..append(id, 0) };
    let refused = store.append(with(ENTRY_BYTES_MAX + 1)).await.unwrap_err();
    assert_eq!(refused.reason(), "STORE_TOO_LARGE");
    let summary = Summary { lengths: vec![0; 10], ..append(id, 0).summary };
    assert_eq!(
        store.append(Append { summary, ..append(id, 0) }).await.unwrap_err().reason(),
        "STORE_TOO_LARGE"
    );
    let made = Create { game: "g".repeat(65), ..create(match_id(2)) };
    assert_eq!(store.create(made).await.unwrap_err().reason(), "STORE_TOO_LARGE");
    let made = Create { group: Some("a\0b".into()), ..create(match_id(2)) };
    assert_eq!(store.create(made).await.unwrap_err().reason(), "STORE_INVALID");
    let nowhere = StoreFilter { group: Some("a\0b".into()), ..StoreFilter::default() };
    assert_eq!(store.list(nowhere, Page::FIRST).await.unwrap().matches, []);
    assert_eq!(RequestId::new("r".repeat(65)).unwrap_err().reason(), "STORE_TOO_LARGE");
    assert_eq!(RequestId::new("").unwrap_err().reason(), "STORE_INVALID");
    assert_eq!(store.read(id, 0).await.unwrap().revision, 0);

    // A whole log has its limit too: 72 MiB, envelopes included.
    let mut expected = 0;
    let full = loop {
        match do_append(store, Append { expected, ..with(ENTRY_BYTES_MAX) }).await {
            Ok(Appended::Written(_)) if expected < 72 => expected += 1,
            other => break other,
        }
    };
    assert_eq!(expected, 71);
    assert_eq!(full.unwrap_err().reason(), "STORE_TOO_LARGE");
    assert_eq!(store.read(id, 0).await.unwrap().revision, 71);
}

async fn an_append_takes_the_place_of_others(store: &dyn Store) {
    let id = play(store, 1, 2).await;
    let before = store.read(id, 0).await.unwrap();
    for expected in 2..8 {
        let name = format!("r{}", expected + 1);
        written(store, append_for(id, expected, seat(0), request(&name, "body"))).await;
    }
    // The last two of the six are answered still.
    let requests: Vec<_> = ["r7", "r8"].map(|name| (seat(0), request(name, "body"))).into();
    let replaces = Some(Replaced { after: 2, requests: requests.clone() });
    let one = Append { replaces, ..append_for(id, 8, seat(1), request("own", "body")) };
    assert_eq!(written(store, one.clone()).await.revision, 9);
    let log = store.read(id, 0).await.unwrap();
    assert_eq!((log.revision, &log.records[..2]), (9, &before.records[..]));
    let [record] = &log.records[2..] else { panic!("{:?}", log.records) };
    assert_eq!((record.at.revision, &record.entry), (9, &one.entry));
    assert_eq!(record.requests, [one.requests, requests].concat());
    // From any revision, there or not.
    for from in 3..=9 {
        assert_eq!(store.read(id, from).await.unwrap().records, log.records[2..]);
    }
    // Requests that it took over have their outcome, with the same body alone; the others are forgotten.
    let again = |name, body| append_for(id, 9, seat(0), request(name, body));
    let Ok(Appended::Repeated(stored)) = do_append(store, again("r7", "body")).await else { panic!() };
    assert_eq!((stored.at.revision, stored.request), (9, request("r7", "body")));
    assert_eq!(do_append(store, again("r8", "other")).await, Err(Error::RequestReused));
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("r5")).await, Ok(None));
    assert_eq!(written(store, again("r5", "other")).await.revision, 10);
    // It can be replaced itself.
    let replaces = Some(Replaced { after: 2, requests: Vec::new() });
    assert_eq!(written(store, Append { replaces, ..append(id, 10) }).await.revision, 11);
    let log = store.read(id, 0).await.unwrap();
    assert_eq!(log.records.iter().map(|record| record.at.revision).collect::<Vec<_>>(), [1, 2, 11]);
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("r7")).await, Ok(None));
}

async fn an_append_takes_the_place_of_nothing_else(store: &dyn Store) {
    let id = play(store, 1, 6).await;
    let replacing = |expected, after| {
        let replaces = Some(Replaced { after, requests: Vec::new() });
        Append { replaces, ..append(id, expected) }
    };
    let before = store.read(id, 0).await.unwrap();
    for (expected, after, refused) in [
        (6, 6, "STORE_INVALID"),
        (6, 7, "STORE_INVALID"),
        (5, 2, "REVISION_CONFLICT"),
        (7, 2, "REVISION_CONFLICT"),
    ] {
        let found = do_append(store, replacing(expected, after)).await.unwrap_err();
        assert_eq!(found.reason(), refused, "{expected} after {after}");
        assert_eq!(store.read(id, 0).await.unwrap(), before);
    }
    written(store, replacing(6, 3)).await;
    // A revision that is gone is no place to come after.
    assert_eq!(do_append(store, replacing(7, 5)).await.unwrap_err().reason(), "STORE_INVALID");
    // The creation is not replaced, and all after it can be.
    written(store, replacing(7, 0)).await;
    assert_eq!(store.read(id, 0).await.unwrap().records.len(), 1);
}

async fn outages_are_kept(store: &dyn Store) {
    let (second, hour) = (1_000, 3_600_000);
    assert_eq!(store.start_up(hour).await, Ok(Vec::new()));
    store.note_up(hour + second).await.unwrap();
    let first = Outage { from_ms: hour + second, until_ms: 2 * hour };
    assert_eq!(store.start_up(2 * hour).await, Ok(vec![first]));
    store.note_up(3 * hour).await.unwrap();
    // The date was set back: nobody knows how long it was down, and its time does not go back.
    let unknown = Outage { from_ms: 3 * hour, until_ms: 3 * hour };
    assert_eq!(store.start_up(hour - second).await, Ok(vec![first, unknown]));
    assert_eq!(store.start_up(hour).await, Ok(vec![first, unknown]));
    let second = Outage { from_ms: 3 * hour, until_ms: 4 * hour };
    assert_eq!(store.start_up(4 * hour).await, Ok(vec![first, second]));
}

async fn a_closed_store_says_so(store: &dyn Store) {
    let id = play(store, 1, 1).await;
    store.close().await;
    store.close().await;
    assert_eq!(store.create(create(match_id(2))).await.unwrap_err(), Error::Closed);
    assert_eq!(store.append(append(id, 1)).await.unwrap_err(), Error::Closed);
    assert_eq!(store.read(id, 0).await, Err(Error::Closed));
    assert_eq!(store.list(StoreFilter::default(), Page::FIRST).await, Err(Error::Closed));
    assert_eq!(store.request(RequestScope::Match(id, seat(0)), request_id("r")).await, Err(Error::Closed));
    assert_eq!(store.secret(SecretId::new("s").unwrap()).await, Err(Error::Closed));
    assert_eq!(store.release(id).await, Err(Error::Closed));
}
