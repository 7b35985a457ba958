//! Seats that are kept for accounts: who may take them, and who is told of it.

use std::sync::Arc;

use edgehill_proto::v1::{self, ErrorReason, MatchStatus, SeatKind};
use edgehill_service::matches::MatchHeader;
use edgehill_service::store::{MemoryStore, Store};

use crate::accounts::Keys;
use crate::kit::{HasMatch, assert_field, by, join, reason, refusal, resign, skirmish};
use crate::running::{Client, KEY, Running, Start};

/// A seat that is kept for this account.
fn kept_for(account: &str) -> v1::SeatConfig {
    v1::SeatConfig { kind: SeatKind::Invited.into(), account_id: account.into(), ..v1::SeatConfig::default() }
}

fn invited() -> v1::SeatConfig {
    v1::SeatConfig { kind: SeatKind::Invited.into(), ..v1::SeatConfig::default() }
}

fn create(id: &str, seats: Vec<v1::SeatConfig>) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { seats, client_secret: Vec::new(), ..skirmish(id) }
}

/// A server with accounts on this store.
async fn running(keys: &Keys, store: &Arc<dyn Store>) -> Running {
    Start { accounts: keys.accounts(), ..Start::on(Arc::clone(store)) }.run().await
}

/// A match that Ada has made, whose seats are kept for Bob and open.
async fn made(client: &mut Client, keys: &Keys) -> v1::CreateMatchResponse {
    let request = create("kept", vec![kept_for("bob")]);
    client.create_match(by(&keys.ada, request)).await.unwrap().into_inner()
}

/// The accounts that the seats of a match are kept for, as far as they are told.
fn told(of: &impl HasMatch) -> Vec<String> {
    of.state().seats.into_iter().map(|seat| seat.invited_account_id).collect()
}

/// A join that names neither a seat nor an invitation.
fn any_seat(id: &str) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest { seat: None, client_secret: Vec::new(), ..join(id, "any", 0) }
}

async fn listed(client: &mut Client, key: &str, invited: bool) -> Vec<v1::Match> {
    let request = v1::ListMatchesRequest { invited, ..v1::ListMatchesRequest::default() };
    client.list_matches(by(key, request)).await.unwrap().into_inner().matches
}

#[tokio::test]
async fn its_key_is_enough_for_the_account_and_nobody_else_sits_there() {
    let (keys, store) = (Keys::new(), Arc::new(MemoryStore::new()) as Arc<dyn Store>);
    let server = running(&keys, &store).await;
    let mut client = server.client().await;
    let made = made(&mut client, &keys).await;
    assert_eq!(made.invitations, []);
    let kinds: Vec<SeatKind> = made.state().seats.iter().map(v1::SeatState::kind).collect();
    assert_eq!(kinds, [SeatKind::Invited, SeatKind::Open]);
    // By name, by an invitation that nobody was given, and as if it were any invited seat's.
    let id = made.id();
    let named = v1::JoinMatchRequest { seat: Some(0), ..any_seat(&id) };
    let refused = refusal(client.join_match(by(&keys.ada, named.clone())).await);
    let derived = KEY.invitation(&id.parse().unwrap(), edgehill_engine::seat::Seat::new(0)).to_string();
    let stolen = v1::JoinMatchRequest { invitation: derived, ..named.clone() };
    for key in [&keys.ada, &keys.bob] {
        assert_eq!(
            reason(client.join_match(by(key, stolen.clone())).await),
            ErrorReason::BadInvitation,
            "there is none"
        );
    }
    let other = create("other", vec![invited()]);
    let other = client.create_match(by(&keys.ada, other)).await.unwrap().into_inner();
    let uninvited = v1::JoinMatchRequest { match_id: other.id(), ..named };
    let like = refusal(client.join_match(by(&keys.ada, uninvited)).await);
    assert_eq!((refused.reason(), &refused.message), (ErrorReason::BadInvitation, &like.message));
    // After a start, too: the account's own seat comes before one that is open, and the creator has the other.
    drop(server);
    let server = running(&keys, &store).await;
    let mut client = server.client().await;
    let taken = client.join_match(by(&keys.bob, any_seat(&id))).await.unwrap().into_inner();
    assert_eq!(taken.seat, 0);
    let again = client.join_match(by(&keys.bob, any_seat(&id))).await.unwrap().into_inner();
    assert_eq!((again.seat, &again.seat_token), (0, &taken.seat_token));
    let last = client.join_match(by(&keys.ada, any_seat(&id))).await.unwrap().into_inner();
    assert_eq!((last.seat, last.state().status()), (1, MatchStatus::Running));
    // A rematch is for those who played.
    client.resign_match(by(&taken.seat_token, resign(&id, "r"))).await.unwrap();
    let request = v1::RematchMatchRequest { match_id: id, request_id: "again".into() };
    let rematch = client.rematch_match(by(&taken.seat_token, request)).await.unwrap().into_inner();
    assert!(!rematch.invitation.is_empty() && told(&rematch) == ["", ""]);
}

#[tokio::test]
async fn it_is_told_to_the_account_and_to_the_creator_alone() {
    let (keys, store) = (Keys::new(), Arc::new(MemoryStore::new()) as Arc<dyn Store>);
    let server = running(&keys, &store).await;
    let mut client = server.client().await;
    let seats = vec![kept_for("bob"), kept_for("ada")];
    let asked = create("both", seats);
    let made = client.create_match(by(&keys.ada, asked.clone())).await.unwrap().into_inner();
    assert_eq!(told(&made), ["bob", "ada"]);
    let again = client.create_match(by(&keys.ada, asked)).await.unwrap().into_inner();
    assert_eq!(again, made);
    let get = || v1::GetMatchRequest { match_id: made.id() };
    for (key, expected) in [
        (&keys.ada, ["bob", "ada"]),
        (&keys.bob, ["bob", ""]),
        (&keys.eve, ["", ""]),
        (&keys.umpire, ["", ""]),
        (&keys.chief, ["", ""]),
    ] {
        let got = client.get_match(by(key, get())).await.unwrap().into_inner();
        assert_eq!(told(&got), expected);
        assert_eq!(told(&listed(&mut client, key, false).await[0]), expected);
    }
    let seat = v1::JoinMatchRequest { seat: Some(1), ..any_seat(&made.id()) };
    let token = client.join_match(by(&keys.ada, seat)).await.unwrap().into_inner().seat_token;
    let by_token = client.get_match(by(&token, get())).await.unwrap().into_inner();
    assert_eq!(told(&by_token), ["", ""]);
    let watch = v1::WatchMatchRequest { match_id: made.id(), ..v1::WatchMatchRequest::default() };
    let mut stream = client.watch_match(by(&keys.bob, watch)).await.unwrap().into_inner();
    let state = stream.message().await.unwrap().unwrap().update.unwrap().state.unwrap();
    assert!(state.seats.iter().all(|seat| seat.invited_account_id.is_empty()));
    // Those who may know it read it from the match's terms.
    let log = store.read(made.id().parse().unwrap(), 0).await.unwrap();
    let header = MatchHeader::from_bytes(&log.header.bytes).unwrap();
    let of = |seat| header.invited_account(edgehill_engine::seat::Seat::new(seat));
    assert_eq!([of(0), of(1), of(2)], [Some(&b"bob"[..]), Some(&b"ada"[..]), None]);
}

#[tokio::test]
async fn an_account_lists_the_seats_that_are_kept_for_it() {
    let (keys, store) = (Keys::new(), Arc::new(MemoryStore::new()) as Arc<dyn Store>);
    let server = running(&keys, &store).await;
    let mut client = server.client().await;
    client.create_match(by(&keys.ada, create("open", Vec::new()))).await.unwrap();
    let made = made(&mut client, &keys).await;
    let ids = |matches: Vec<v1::Match>| matches.iter().map(HasMatch::id).collect::<Vec<_>>();
    assert_eq!(ids(listed(&mut client, &keys.bob, true).await), [made.id()]);
    assert_eq!(ids(listed(&mut client, &keys.ada, true).await), [""; 0]);
    let statuses = vec![MatchStatus::Running.into()];
    let running = v1::ListMatchesRequest { invited: true, statuses, ..v1::ListMatchesRequest::default() };
    assert_eq!(client.list_matches(by(&keys.bob, running)).await.unwrap().into_inner().matches, []);
    let taken = client.join_match(by(&keys.bob, any_seat(&made.id()))).await.unwrap().into_inner();
    assert_eq!(ids(listed(&mut client, &keys.bob, true).await), [""; 0]);
    let invited = v1::ListMatchesRequest { invited: true, ..v1::ListMatchesRequest::default() };
    let by_token = client.list_matches(by(&taken.seat_token, invited)).await;
    assert_field(by_token, ErrorReason::InvalidField, "invited");
    let leave = v1::LeaveMatchRequest { match_id: made.id(), request_id: "l".into() };
    client.leave_match(by(&taken.seat_token, leave)).await.unwrap();
    assert_eq!(ids(listed(&mut client, &keys.bob, true).await), [made.id()]);
}

#[tokio::test]
async fn a_seat_is_kept_for_accounts_that_can_take_it() {
    let (keys, store) = (Keys::new(), Arc::new(MemoryStore::new()) as Arc<dyn Store>);
    let server = running(&keys, &store).await;
    let mut client = server.client().await;
    let (invalid, unknown) = (ErrorReason::InvalidField, ErrorReason::UnknownAccount);
    let of =
        |kind: SeatKind, bot: &str| v1::SeatConfig { kind: kind.into(), bot: bot.into(), ..kept_for("bob") };
    for (seat, expected) in [
        (kept_for("nobody"), unknown),
        // There are such accounts, and they play nothing.
        (kept_for("eve"), unknown),
        (kept_for("not an id"), invalid),
        (kept_for("house"), invalid),
        (kept_for("anonymous"), invalid),
        (of(SeatKind::Open, ""), invalid),
        (of(SeatKind::Unspecified, ""), invalid),
        (of(SeatKind::HouseBot, "random"), invalid),
    ] {
        let request = create("bad", vec![invited(), seat.clone()]);
        let answer = client.create_match(by(&keys.ada, request)).await;
        assert_field(answer, expected, "seats[1].account_id");
        let plan = v1::MatchPlan {
            game: "skirmish".into(),
            seats: vec![invited(), seat],
            ..v1::MatchPlan::default()
        };
        let request = v1::CreateMatchesRequest {
            request_id: "bad".into(),
            matches: vec![v1::MatchPlan { seats: Vec::new(), ..plan.clone() }, plan],
            ..v1::CreateMatchesRequest::default()
        };
        let answer = client.create_matches(by(&keys.ada, request)).await;
        assert_field(answer, expected, "matches[1].seats[1].account_id");
    }
    // The account is a part of what is asked for.
    let one = client.create_match(by(&keys.ada, create("same", vec![kept_for("bob")]))).await.unwrap();
    assert_eq!(told(&one.into_inner()), ["bob", ""]);
    for seats in [vec![invited()], vec![kept_for("ada")]] {
        let other = client.create_match(by(&keys.ada, create("same", seats))).await;
        assert_eq!(reason(other), ErrorReason::RequestIdReused);
    }

    let without = Start::default().run().await;
    let mut client = without.client().await;
    let request = v1::CreateMatchRequest { seats: vec![kept_for("bob")], ..skirmish("none") };
    let refused = client.create_match(request.clone()).await;
    assert!(refusal(refused).message.contains("no accounts"));
    assert_field(client.create_match(request).await, invalid, "seats[0].account_id");
    let list = v1::ListMatchesRequest { invited: true, ..v1::ListMatchesRequest::default() };
    assert_field(client.list_matches(list).await, invalid, "invited");
}

#[tokio::test]
async fn the_entropy_of_a_kept_seat_may_be_bound() {
    let (keys, store) = (Keys::new(), Arc::new(MemoryStore::new()) as Arc<dyn Store>);
    let server = running(&keys, &store).await;
    let mut client = server.client().await;
    let entropy_mode = v1::EntropyMode::CommitReveal.into();
    let request =
        v1::CreateMatchRequest { seed: None, entropy_mode, ..create("bound", vec![kept_for("bob")]) };
    let id = client.create_match(by(&keys.ada, request)).await.unwrap().into_inner().id();
    let unnamed = client.join_match(by(&keys.bob, any_seat(&id))).await;
    assert_field(unnamed, ErrorReason::InvalidField, "seat");
    let commitment = edgehill_engine::dice::Entropy::from_bytes([5; 32]).commit(&id, 0).unwrap();
    let bound = v1::JoinMatchRequest {
        seat: Some(0),
        entropy_commitment: commitment.as_bytes().to_vec(),
        ..any_seat(&id)
    };
    assert_eq!(client.join_match(by(&keys.bob, bound)).await.unwrap().into_inner().seat, 0);
}
