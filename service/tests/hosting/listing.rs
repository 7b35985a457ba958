//! Lists: filters and pages.

use edgehill_proto::v1::{self, ErrorReason, MatchStatus};

use crate::kit::{HasMatch, Seated, assert_field, by, join, reason, resign, skirmish};
use crate::running::{Client, Start};

async fn list(client: &mut Client, request: v1::ListMatchesRequest) -> (Vec<String>, String) {
    let page = client.list_matches(request).await.unwrap().into_inner();
    let id = |entry: v1::Match| entry.id();
    (page.matches.into_iter().map(id).collect(), page.next_page_token)
}

#[tokio::test]
async fn matches_are_found_by_what_they_are() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let waiting = client.create_match(skirmish("w")).await.unwrap().into_inner().id();
    let played = Seated::of(&mut client, skirmish("p")).await;
    let over = Seated::of(&mut client, skirmish("o")).await;
    client.resign_match(by(&over.tokens[0], resign(&over.id, "r"))).await.unwrap();
    let invited = v1::SeatConfig {
        kind: v1::SeatKind::Invited.into(),
        bot: String::new(),
        ..v1::SeatConfig::default()
    };
    let closed = v1::CreateMatchRequest { seats: vec![invited; 2], ..skirmish("i") };
    let closed = client.create_match(closed).await.unwrap().into_inner().id();
    let other = v1::CreateMatchRequest { game: "english-civil-war-iia".into(), ..skirmish("e") };
    let other = client.create_match(other).await.unwrap().into_inner().id();
    // All were made within milliseconds: newest first is by id.
    let sorted = |ids: &[&String]| {
        let mut ids: Vec<String> = ids.iter().map(|id| (*id).clone()).collect();
        ids.sort_unstable_by(|a, b| b.cmp(a));
        ids
    };
    let of = |statuses: &[MatchStatus]| v1::ListMatchesRequest {
        statuses: statuses.iter().map(|&status| status.into()).collect(),
        ..v1::ListMatchesRequest::default()
    };
    let all = list(&mut client, v1::ListMatchesRequest::default()).await;
    assert_eq!(all, (sorted(&[&waiting, &played.id, &over.id, &closed, &other]), String::new()));
    let game =
        v1::ListMatchesRequest { game: "english-civil-war-iia".into(), ..v1::ListMatchesRequest::default() };
    assert_eq!(list(&mut client, game).await.0, sorted(&[&other]));
    let open = v1::ListMatchesRequest { open_seats: true, ..v1::ListMatchesRequest::default() };
    assert_eq!(list(&mut client, open).await.0, sorted(&[&waiting, &other]));
    for (statuses, expected) in [
        (vec![MatchStatus::Waiting], vec![&waiting, &closed, &other]),
        (vec![MatchStatus::Running], vec![&played.id]),
        (vec![MatchStatus::Finished], vec![&over.id]),
        (vec![MatchStatus::Running, MatchStatus::Finished], vec![&played.id, &over.id]),
        (vec![MatchStatus::Revealing], vec![]),
        (vec![MatchStatus::Quarantined, MatchStatus::Unplayable], vec![]),
    ] {
        assert_eq!(list(&mut client, of(&statuses)).await.0, sorted(&expected), "{statuses:?}");
    }
    let both =
        v1::ListMatchesRequest { game: "skirmish".into(), open_seats: true, ..of(&[MatchStatus::Waiting]) };
    assert_eq!(list(&mut client, both).await.0, sorted(&[&waiting]));
    // The number is the caller's own.
    let seq = |page: v1::ListMatchesResponse| {
        let entry =
            page.matches.into_iter().find(|entry| entry.config.as_ref().unwrap().match_id == played.id);
        entry.unwrap().seq
    };
    let card = played.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    played.take(&mut client, 0, "card", crate::kit::ids(&[card])).await;
    let public = seq(client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner());
    let own = seq(client
        .list_matches(by(&played.tokens[0], v1::ListMatchesRequest::default()))
        .await
        .unwrap()
        .into_inner());
    assert_eq!((public, own), (4, 5));
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repetition() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    for number in 0..7 {
        client.create_match(skirmish(&format!("m{number}"))).await.unwrap();
    }
    let (all, _) = list(&mut client, v1::ListMatchesRequest::default()).await;
    let (mut found, mut page_token, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let (page, next) =
            list(&mut client, v1::ListMatchesRequest { page_size: 3, page_token, ..Default::default() })
                .await;
        found.extend(page);
        pages += 1;
        if next.is_empty() {
            break;
        }
        page_token = next;
        // A match that is made meanwhile is newer than any page that comes.
        client.create_match(skirmish(&format!("late{pages}"))).await.unwrap();
    }
    assert_eq!((found, pages), (all, 3));
}

#[tokio::test]
async fn what_can_not_be_asked_for_is_refused() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let base = v1::ListMatchesRequest::default();
    for (request, field) in [
        (v1::ListMatchesRequest { page_size: 101, ..base.clone() }, "page_size"),
        (v1::ListMatchesRequest { page_size: -1, ..base.clone() }, "page_size"),
        (v1::ListMatchesRequest { page_size: i32::MIN, ..base.clone() }, "page_size"),
        (v1::ListMatchesRequest { page_token: "second".into(), ..base.clone() }, "page_token"),
        (v1::ListMatchesRequest { statuses: vec![4, 0], ..base.clone() }, "statuses[1]"),
        (v1::ListMatchesRequest { statuses: vec![99], ..base.clone() }, "statuses[0]"),
    ] {
        assert_field(client.list_matches(request).await, ErrorReason::InvalidField, field);
    }
    let game = v1::ListMatchesRequest { game: "chess".into(), ..base.clone() };
    assert_eq!(reason(client.list_matches(game).await), ErrorReason::UnknownGame);
    let group = v1::ListMatchesRequest { group_id: "nonsense".into(), ..base };
    assert!(list(&mut client, group).await.0.is_empty());
    let id = client.create_match(skirmish("x")).await.unwrap().into_inner().id();
    client.join_match(join(&id, "j", 0)).await.unwrap();
}
