//! `AbortMatch`: a match taken back before it has begun.

use std::sync::Arc;

use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::limits::Limits;

use crate::accounts::Keys;
use crate::kit::{HasMatch, Seated, assert_field, by, ids, join, reason, resign, skirmish, soon, timestamp};
use crate::running::{Client, Start};
use crate::stage::{Stage, open};

fn abort(id: &str, request_id: &str, creator_token: &str) -> v1::AbortMatchRequest {
    v1::AbortMatchRequest {
        match_id: id.into(),
        request_id: request_id.into(),
        creator_token: creator_token.into(),
    }
}

async fn get(client: &mut Client, id: &str) -> v1::MatchState {
    client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.unwrap().into_inner().state()
}

#[tokio::test]
async fn the_creator_an_account_of_theirs_and_an_operator_may_and_nobody_else() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let other = client.create_match(by(&keys.bob, skirmish("other"))).await.unwrap().into_inner();
    for (name, key, with_token) in
        [("token", &keys.bob, true), ("account", &keys.ada, false), ("operator", &keys.chief, false)]
    {
        let created = client.create_match(by(&keys.ada, skirmish(name))).await.unwrap().into_inner();
        let id = created.id();
        assert!(created.creator_token.len() <= 128 && created.creator_token.is_ascii());
        let joined = client.join_match(by(&keys.bob, join(&id, "j", 0))).await.unwrap().into_inner();
        let plain = || abort(&id, "a", "");
        for stranger in [&keys.bob, &keys.eve, &keys.umpire, &joined.seat_token] {
            assert_eq!(reason(client.abort_match(by(stranger, plain())).await), ErrorReason::NotAllowed);
        }
        assert_eq!(reason(client.abort_match(plain()).await), ErrorReason::NotAllowed);
        let foreign = abort(&id, "a", &other.creator_token);
        assert_eq!(reason(client.abort_match(by(&keys.bob, foreign)).await), ErrorReason::NotAllowed);
        for nonsense in ["nonsense", &joined.seat_token] {
            let nonsense = abort(&id, "a", nonsense);
            let answer = client.abort_match(by(&keys.bob, nonsense)).await;
            assert_field(answer, ErrorReason::InvalidField, "creator_token");
        }
        let request = || by(key, abort(&id, "a", if with_token { &created.creator_token } else { "" }));
        let aborted = client.abort_match(request()).await.unwrap().into_inner();
        assert_eq!(aborted.state().status(), MatchStatus::Aborted, "{name}");
        assert_eq!(client.abort_match(request()).await.unwrap().into_inner(), aborted);
        assert_eq!(reason(client.abort_match(by(&keys.eve, plain())).await), ErrorReason::NotAllowed);
    }
    // The token alone is enough, without any key.
    let token_alone = abort(&other.id(), "a", &other.creator_token);
    assert!(client.abort_match(token_alone).await.is_ok());
}

#[tokio::test]
async fn an_aborted_match_is_over_without_a_result() {
    let clock = Arc::new(ManualClock::new(1_700_000_000_123));
    let running = Start { clock: clock.clone(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let created = client.create_match(skirmish("a")).await.unwrap().into_inner();
    let (id, token) = (created.id(), created.creator_token.clone());
    assert_eq!(
        client.create_match(skirmish("a")).await.unwrap().into_inner().creator_token,
        token,
        "the same call has the same token"
    );
    let waits = client.create_match(skirmish("w")).await.unwrap().into_inner().id();
    let seat = client.join_match(join(&id, "j", 0)).await.unwrap().into_inner().seat_token;
    let watch = || v1::WatchMatchRequest { match_id: id.clone(), ..v1::WatchMatchRequest::default() };
    let mut early = client.watch_match(watch()).await.unwrap().into_inner();
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&seat));
    stage.opened(0).await;
    stage.update(0, "").await;

    clock.advance(std::time::Duration::from_secs(3));
    let aborted = client.abort_match(abort(&id, "a", &token)).await.unwrap().into_inner();
    let state = aborted.state();
    assert_eq!(state, get(&mut client, &id).await);
    assert_eq!((state.status(), state.result.as_ref()), (MatchStatus::Aborted, None));
    assert_eq!(state.end_time, Some(timestamp(clock.unix_ms())));
    assert_eq!((state.expire_time, state.reveal.as_ref()), (None, None));
    assert_eq!(client.abort_match(abort(&id, "a", &token)).await.unwrap().into_inner(), aborted);
    let other = client.abort_match(abort(&id, "b", &token)).await;
    assert_eq!(reason(other), ErrorReason::MatchAborted);

    // Nobody joins, and no seat does anything.
    let expected = ErrorReason::MatchAborted;
    assert_eq!(reason(client.join_match(join(&id, "k", 1)).await), expected);
    let seated = Seated { id: id.clone(), tokens: vec![seat.clone()] };
    assert_eq!(reason(client.apply_actions(by(&seat, seated.apply("x", ids(&[0])))).await), expected);
    assert_eq!(reason(client.resign_match(by(&seat, resign(&id, "r"))).await), expected);
    let leave = v1::LeaveMatchRequest { match_id: id.clone(), request_id: "l".into() };
    assert_eq!(reason(client.leave_match(by(&seat, leave)).await), expected);
    let legal =
        v1::ListLegalActionsRequest { match_id: id.clone(), ..v1::ListLegalActionsRequest::default() };
    assert_eq!(reason(client.list_legal_actions(by(&seat, legal)).await), expected);
    let view = v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
    assert_eq!(reason(client.get_view(view).await), expected);
    let record = client.export_record(v1::ExportRecordRequest { match_id: id.clone() }).await;
    assert_eq!(reason(record.map(drop)), expected);

    // Streams say so, and end well.
    let update = stage.update(0, "").await;
    assert_eq!(update.state.unwrap().status(), MatchStatus::Aborted);
    assert_eq!(stage.closed(0).await, None);
    for mut stream in [early_rest(&mut early).await, Vec::new()] {
        if stream.is_empty() {
            let mut late = client.watch_match(watch()).await.unwrap().into_inner();
            stream = early_rest(&mut late).await;
        }
        assert_eq!(stream.last().unwrap(), &state);
    }

    // Listed where it belongs, before and after a restart.
    let again = Start { clock, ..Start::on(running.store.clone()) }.run().await;
    for client in [&mut client, &mut again.client().await] {
        for (status, expected) in [
            (MatchStatus::Aborted, vec![id.clone()]),
            (MatchStatus::Waiting, vec![waits.clone()]),
            (MatchStatus::Finished, vec![]),
            (MatchStatus::Expired, vec![]),
        ] {
            let statuses = vec![status.into()];
            let list = v1::ListMatchesRequest { statuses, ..v1::ListMatchesRequest::default() };
            let listed = client.list_matches(list).await.unwrap().into_inner().matches;
            assert_eq!(listed.iter().map(HasMatch::id).collect::<Vec<_>>(), expected, "{status:?}");
        }
        assert_eq!(get(client, &id).await, state);
        assert_eq!(client.abort_match(abort(&id, "a", &token)).await.unwrap().into_inner(), aborted);
    }
}

/// The states up to the end of a stream, which ends well.
async fn early_rest(stream: &mut tonic::Streaming<v1::WatchMatchResponse>) -> Vec<v1::MatchState> {
    let mut states = Vec::new();
    while let Some(message) = soon(stream.message()).await.unwrap() {
        let update = message.update.unwrap();
        assert!(update.events.is_empty() && update.view.is_none());
        states.extend(update.state);
    }
    states
}

#[tokio::test]
async fn a_match_that_has_begun_is_not_aborted() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let created = client.create_match(skirmish("kit")).await.unwrap().into_inner();
    let seated = Seated::skirmish(&mut client).await;
    let answer = client.abort_match(abort(&seated.id, "a", &created.creator_token)).await;
    assert_eq!(reason(answer), ErrorReason::MatchStarted);
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await.unwrap();
    let answer = client.abort_match(abort(&seated.id, "a", &created.creator_token)).await;
    assert_eq!(reason(answer), ErrorReason::MatchFinished);
    let unknown = abort("01890000-0000-7000-8000-000000000000", "a", &created.creator_token);
    assert_eq!(reason(client.abort_match(unknown).await), ErrorReason::UnknownMatch);
    let nameless = abort(&seated.id, "", &created.creator_token);
    assert_field(client.abort_match(nameless).await, ErrorReason::InvalidField, "request_id");
}

#[tokio::test]
async fn an_aborted_match_makes_room_for_another() {
    let limits = Limits { open_matches: 1, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let first = client.create_match(skirmish("a")).await.unwrap().into_inner();
    assert_eq!(reason(client.create_match(skirmish("b")).await), ErrorReason::LimitReached);
    client.abort_match(abort(&first.id(), "x", &first.creator_token)).await.unwrap();
    let second = client.create_match(skirmish("b")).await.unwrap().into_inner();
    assert_eq!(reason(client.create_match(skirmish("c")).await), ErrorReason::LimitReached);
    client.abort_match(abort(&second.id(), "x", &second.creator_token)).await.unwrap();
    let again = Start { limits, ..Start::on(running.store.clone()) }.run().await;
    assert!(again.client().await.create_match(skirmish("c")).await.is_ok());
}

#[tokio::test]
async fn a_group_with_an_aborted_match_never_begins_and_reveals_nothing() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = |name: &str, group_id: &str| {
        let new = if group_id.is_empty() { 2 } else { 0 };
        let group = v1::SeedGroup {
            group_id: group_id.into(),
            matches: new,
            entrants: new,
            seat_entrants: vec![0, 1],
        };
        v1::CreateMatchRequest { seed: Some(Seed::Group(group)), ..skirmish(name) }
    };
    let first = client.create_match(request("1", "")).await.unwrap().into_inner();
    let second = client.create_match(request("2", &crate::kit::group_id(&first))).await.unwrap().into_inner();
    for (id, seats) in [(first.id(), 2), (second.id(), 1)] {
        for seat in 0..seats {
            client.join_match(join(&id, &format!("j{seat}"), seat)).await.unwrap();
        }
    }
    client.abort_match(abort(&second.id(), "a", &second.creator_token)).await.unwrap();
    let again = Start::on(running.store.clone()).run().await;
    for client in [&mut client, &mut again.client().await] {
        assert_eq!(reason(client.join_match(join(&second.id(), "late", 1)).await), ErrorReason::MatchAborted);
        let state = get(client, &first.id()).await;
        assert_eq!((state.status(), state.reveal), (MatchStatus::Waiting, None));
        let state = get(client, &second.id()).await;
        assert_eq!((state.status(), state.reveal), (MatchStatus::Aborted, None));
    }
    client.abort_match(abort(&first.id(), "a", &first.creator_token)).await.unwrap();
    for id in [first.id(), second.id()] {
        let state = get(&mut client, &id).await;
        assert_eq!((state.status(), state.reveal), (MatchStatus::Aborted, None), "no seed is revealed");
    }
}
