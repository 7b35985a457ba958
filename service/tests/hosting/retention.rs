//! Matches that have long been over are deleted, if the configuration says so: whole, and whole groups at once.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::clock::ManualClock;
use edgehill_service::host::HostCapacity;

use crate::groups::pair;
use crate::kit::{HasMatch, Seated, by, exported, join, reason, resign, skirmish};
use crate::running::{Client, File, Start};
use crate::trouble::Full;

const DAYS: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// As often it is looked for matches whose time has come.
const HOUR: Duration = Duration::from_secs(60 * 60);

async fn get(client: &mut Client, id: &str) -> Result<v1::GetMatchResponse, tonic::Status> {
    client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.map(tonic::Response::into_inner)
}

async fn listed(client: &mut Client) -> Vec<String> {
    let all = v1::ListMatchesRequest::default();
    client.list_matches(all).await.unwrap().into_inner().matches.iter().map(HasMatch::id).collect()
}

/// Waits until a match is not there any more: the host finds its time come by itself.
async fn gone(client: &mut Client, id: &str) {
    while get(client, id).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert_eq!(reason(get(client, id).await), ErrorReason::UnknownMatch);
}

/// Takes both seats of a match.
async fn seats(client: &mut Client, id: &str) -> Seated {
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let joined = client.join_match(join(id, &format!("j{seat}"), seat)).await.unwrap();
        tokens.push(joined.into_inner().seat_token);
    }
    Seated { id: id.to_owned(), tokens }
}

async fn give_up(client: &mut Client, seated: &Seated) {
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "resign"))).await.unwrap();
}

#[tokio::test]
async fn matches_that_have_long_been_over_are_deleted_and_others_are_not() {
    let file = File::new();
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let capacity = HostCapacity {
        archive_after: Some(Duration::ZERO),
        delete_after: Some(DAYS),
        ..Start::default().capacity
    };
    let start = || Start { clock: clock.clone(), capacity, ..Start::on(file.open()) };
    let running = start().run().await;
    let mut client = running.client().await;
    let runs = Seated::of(&mut client, skirmish("runs")).await;
    let over = Seated::of(&mut client, skirmish("over")).await;
    give_up(&mut client, &over).await;
    clock.advance(DAYS - 2 * HOUR);
    let later = Seated::of(&mut client, skirmish("later")).await;
    give_up(&mut client, &later).await;
    let export = v1::ExportRecordRequest { match_id: over.id.clone() };
    exported(client.export_record(export.clone()).await).await.unwrap();
    clock.advance(2 * HOUR);
    gone(&mut client, &over.id).await;
    assert_eq!(listed(&mut client).await, [later.id.clone(), runs.id.clone()]);
    assert_eq!(reason(client.export_record(export).await), ErrorReason::UnknownMatch);
    let again = by(&over.tokens[0], resign(&over.id, "resign"));
    assert_eq!(reason(client.resign_match(again).await), ErrorReason::UnknownMatch);
    // The request that made it makes another one.
    let made = client.create_match(skirmish("over")).await.unwrap().into_inner();
    assert_ne!(made.id(), over.id);
    assert_eq!(get(&mut client, &runs.id).await.unwrap().state().status(), MatchStatus::Running);
    // So it is after a restart, in which the next one's time has come as well.
    running.close().await;
    clock.advance(DAYS);
    let running = start().run().await;
    let mut client = running.client().await;
    gone(&mut client, &later.id).await;
    assert_eq!(listed(&mut client).await, [made.id(), runs.id]);
    running.close().await;
}

/// Read while it is deleted: its log is still there, and the secret of its dice is not.
#[tokio::test]
async fn a_match_that_goes_while_it_is_read_is_unknown_and_not_damaged() {
    let file = File::new();
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let over = Seated::skirmish(&mut client).await;
    give_up(&mut client, &over).await;
    running.close().await;
    let store = Arc::new(Full::new(file.open()));
    let running = Start::on(store.clone()).run().await;
    let mut client = running.client().await;
    *store.going.lock().unwrap() = Some(over.id.parse().unwrap());
    let export = v1::ExportRecordRequest { match_id: over.id.clone() };
    assert_eq!(reason(client.export_record(export).await), ErrorReason::UnknownMatch);
    assert_eq!(*store.going.lock().unwrap(), None, "it has gone while it was read");
    running.close().await;
}

#[tokio::test]
async fn matches_of_a_group_are_deleted_together_with_the_last_of_them() {
    let file = File::new();
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let capacity = HostCapacity { delete_after: Some(DAYS), ..Start::default().capacity };
    let running = Start { clock: clock.clone(), capacity, ..Start::on(file.open()) }.run().await;
    let mut client = running.client().await;
    let ids = pair(&mut client, "pair").await;
    let (first, second) = (seats(&mut client, &ids[0]).await, seats(&mut client, &ids[1]).await);
    give_up(&mut client, &first).await;
    clock.advance(DAYS);
    give_up(&mut client, &second).await;
    // The first has been over for long, and the dice of both are the same.
    clock.advance(DAYS - HOUR);
    let alone = Seated::of(&mut client, skirmish("alone")).await;
    // The two were made in one millisecond, within which ids have no order.
    let all = BTreeSet::from([&alone.id, &second.id, &first.id].map(String::clone));
    assert_eq!(BTreeSet::from_iter(listed(&mut client).await), all);
    clock.advance(HOUR);
    gone(&mut client, &first.id).await;
    gone(&mut client, &second.id).await;
    assert_eq!(listed(&mut client).await, [alone.id]);
    running.close().await;
}
