//! Several servers on one database: any of them takes calls, each has some of the matches, and others go on where one ends.

use std::fs;

use edgehill_proto::v1::competition_service_client::CompetitionServiceClient;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;

use crate::process::{Running, by, key_of, said, soon, start};
use crate::real_postgres::postgres;
use crate::shared::{Shared, answered, create, get, refused_until, there, wait_as_told};
use crate::start::reason;
use crate::stored::{played, record_of, watched};
use crate::web::send;

#[tokio::test(flavor = "multi_thread")]
async fn any_server_answers_for_the_one_that_owns_the_matches() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let owner = shared.start().await;
    let follower = shared.start().await;
    // Made through the one, seen through the other: calls, and a stream from its begin to its end.
    let id = played(&follower).await;
    assert_eq!(watched(&follower, &id).await, watched(&owner, &id).await);
    assert_eq!(record_of(&follower, &id).await, record_of(&owner, &id).await);
    // Refusals come as they are.
    let unknown = get(&follower, "no match").await.unwrap_err();
    assert_eq!(reason(&unknown), reason(&get(&owner, "no match").await.unwrap_err()));
    // A page's message may be text, which is longer than what is handed on.
    let page = "POST /edgehill.v1.CatalogService/ListGames HTTP/1.1\r\ncontent-type: application/grpc-web-text\r\naccept: application/grpc-web-text\r\nx-grpc-web: 1";
    let (head, _) = send(&follower.address, page, b"AAAAAAA=").await;
    assert!(head.contains("content-type: application/grpc-web-text"), "{head}");
    assert!(!head.contains("\ngrpc-status:"), "{head}");
    let health = follower.health().await.check(HealthCheckRequest::default()).await.unwrap();
    assert_eq!(health.into_inner().status(), ServingStatus::Serving);
    let ended = follower.stop();
    assert_eq!((ended.code, ended.panicked()), (Some(0), false), "{}", ended.stderr);
    assert_eq!(owner.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_server_goes_on_where_a_killed_one_ended() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 4) else { return };
    let first = shared.start().await;
    let second = shared.start().await;
    let id = played(&first).await;
    let record = record_of(&first, &id).await;
    first.signal("KILL");
    first.wait();
    // The same request has the same match.
    let made = answered(&second, create("once")).await;
    assert_eq!(answered(&second, create("once")).await, made);
    there(&second, &id).await;
    assert_eq!(record_of(&second, &id).await, record);
    // The one that was killed comes again, and has its share.
    let first = shared.start().await;
    assert_eq!(answered(&first, create("once")).await, made);
    shared.shared_by(2).await;
    assert_eq!(record_of(&first, &id).await, record);
    assert_eq!(first.stop().code, Some(0));
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_hands_the_matches_over_before_its_lease_has_run_out() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let first = shared.start().await;
    let second = shared.start().await;
    let made = answered(&second, create("once")).await;
    let ended = first.stop();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    // It takes less than a lease, or this does not come.
    assert_eq!(answered(&second, create("once")).await, made);
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_stopped_for_too_long_tells_nothing_of_the_past_and_ends() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 4) else { return };
    let first = shared.start().await;
    let second = shared.start().await;
    let id = answered(&first, create("once")).await;
    let mut of_first = first.matches().await;
    first.signal("STOP");
    // The match goes on at the other one.
    answered(&second, create("later")).await;
    let join = v1::JoinMatchRequest {
        match_id: id.clone(),
        request_id: "j".into(),
        client_secret: vec![9; 32],
        ..v1::JoinMatchRequest::default()
    };
    second.matches().await.join_match(join).await.unwrap();
    let seated = get(&second, &id).await.unwrap();
    first.signal("CONT");
    // It refuses the call, or has ended before; it never answers with the match as it knew it.
    if let Ok(answer) = of_first.get_match(v1::GetMatchRequest { match_id: id.clone() }).await {
        assert_eq!(answer.into_inner(), seated);
    }
    let ended = first.wait();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("another server has taken the matches over"), "{}", ended.stderr);
    assert!(!ended.panicked(), "{}", ended.stderr);
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_goes_on_when_the_database_has_closed_its_connections() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 30) else { return };
    let owner = shared.start().await;
    let follower = shared.start().await;
    let id = answered(&follower, create("before")).await;
    let connections = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                       WHERE datname = current_database() AND pid <> pg_backend_pid()";
    postgres().unwrap().run(&shared.variables[0].1, connections);
    let made = answered(&follower, create("after")).await;
    assert_eq!(answered(&owner, create("after")).await, made);
    assert_eq!(get(&owner, &id).await.unwrap(), get(&follower, &id).await.unwrap());
    let ended = owner.stop();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(follower.stop().code, Some(0));
}

/// While the database is away all leases run out, and those who hold them live: whoever is back first takes nothing from the others.
#[tokio::test(flavor = "multi_thread")]
async fn servers_keep_what_they_have_when_the_database_comes_back() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 4) else { return };
    let (first, second) = (shared.start().await, shared.start().await);
    shared.shared_by(2).await;
    let id = answered(&first, create("before")).await;
    let (postgres, address) = (postgres().unwrap(), &shared.variables[0].1);
    let owners = "SELECT string_agg(encode(server, 'hex'), ' ' ORDER BY shard) FROM shards";
    let before = postgres.text(address, owners);
    shared.database_goes();
    // A lease has run out once a server no longer answers for what somebody has in memory.
    let lost = ErrorReason::StoreUnavailable;
    tokio::join!(refused_until(&first, &id, lost), refused_until(&second, &id, lost));
    shared.database_comes_back();
    for server in [&first, &second] {
        there(server, &id).await;
        answered(server, create("after")).await;
    }
    shared.shared_by(2).await;
    assert_eq!(postgres.text(address, owners), before);
    for server in [first, second] {
        let ended = server.stop();
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    }
}

/// Whichever servers a call goes through, what its client is told counts once.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_refused_once() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 2) else { return };
    let (first, second) = (start(&[], &shared.variables()), start(&[], &shared.variables()));
    shared.shared_by(2).await;
    let id = "01a22d5c-6873-7434-bc3f-363b53941996";
    let refused_for =
        async |reason| tokio::join!(refused_until(&first, id, reason), refused_until(&second, id, reason));
    let unknown = refused_for(ErrorReason::UnknownMatch).await;
    shared.database_goes();
    let lost = refused_for(ErrorReason::StoreUnavailable).await;
    shared.database_comes_back();
    let stderr = first.stop().stderr + &second.stop().stderr;
    let counted = |reason| {
        let counts = stderr.split(reason).skip(1).filter_map(|rest| rest.strip_prefix(' '));
        let digits = counts.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
        digits.map(|digits| digits.parse::<u32>().unwrap()).sum::<u32>()
    };
    // One of them has asked the other.
    assert_eq!(counted("UNKNOWN_MATCH"), 2);
    // The last two of each, which the wait was for, among them.
    assert_eq!(counted("STORE_UNAVAILABLE"), unknown.0 + unknown.1 + lost.0 + lost.1 + 2);
}

fn watch(id: &str) -> v1::WatchMatchRequest {
    v1::WatchMatchRequest { match_id: id.into(), after_seq: Some(0), ..v1::WatchMatchRequest::default() }
}

fn join(id: &str, request: &str) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        match_id: id.into(),
        request_id: request.into(),
        client_secret: vec![9; 32],
        ..v1::JoinMatchRequest::default()
    }
}

type Updates = tonic::Streaming<v1::WatchMatchResponse>;

/// Reads a stream until the match has so many players; the numbers of its events, which have neither gap nor repeat.
async fn read_until_joined(updates: &mut Updates, seqs: &mut Vec<u64>, players: usize) {
    let reading = async {
        loop {
            let update = updates.message().await.unwrap().expect("it goes on").update.unwrap();
            seqs.extend(update.events.iter().map(|event| event.seq));
            let joined =
                update.state.map(|state| state.seats.iter().filter(|seat| !seat.player.is_empty()).count());
            if joined.is_some_and(|joined| joined >= players) {
                return;
            }
        }
    };
    soon(reading).await;
    assert!(seqs.iter().copied().eq(1..=seqs.len() as u64), "{seqs:?}");
}

/// A match whose watchers and seats are on streams through several servers goes on wherever it comes to be: a server comes and is handed
/// its share, the one before stops in order, and another one is killed; no stream breaks of those whose own server lives.
#[tokio::test(flavor = "multi_thread")]
async fn streams_go_on_whichever_server_has_the_match() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 2) else { return };
    let first = shared.start().await;
    let mut ids = Vec::new();
    for number in 0..24 {
        ids.push(answered(&first, create(&format!("match {number}"))).await);
    }
    let second = shared.start().await;
    shared.shared_by(2).await;
    // Through the second, whoever has them.
    let mut client = second.matches().await;
    let mut streams = Vec::new();
    for id in &ids {
        streams.push((client.watch_match(watch(id)).await.unwrap().into_inner(), Vec::new()));
    }
    let third = shared.start().await;
    shared.shared_by(3).await;
    let named =
        |id: &str, request: &str| v1::JoinMatchRequest { player: request.into(), ..join(id, request) };
    for (id, (updates, seqs)) in ids.iter().zip(&mut streams) {
        third.matches().await.join_match(named(id, "one")).await.unwrap();
        read_until_joined(updates, seqs, 1).await;
    }
    let ended = first.stop();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    shared.shared_by(2).await;
    third.signal("KILL");
    third.wait();
    for (id, (updates, seqs)) in ids.iter().zip(&mut streams) {
        // Until the lease of the one that was killed has run out, its matches wait.
        there(&second, id).await;
        second.matches().await.join_match(named(id, "two")).await.unwrap();
        read_until_joined(updates, seqs, 2).await;
    }
    assert_eq!(second.stop().code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_would_take_a_store_over_is_refused_while_a_lease_holds() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let owner = shared.start().await;
    let id = played(&owner).await;
    let alone = &shared.variables()[..2];
    let (database, copy) = (&*shared.variables[0].1, home.path().join("copy"));
    fs::create_dir(&copy).unwrap();
    let (copy, other) = (copy.to_str().unwrap(), postgres().unwrap().database());
    for taking in [
        &["replay-all"][..],
        &["quarantine", "release", &id],
        &["migrate-store", database, copy],
        &["migrate-store", database, &other],
    ] {
        let (code, _, stderr) = said(taking, alone);
        assert_eq!(code, Some(1), "{taking:?}: {stderr}");
        assert!(stderr.contains("STORE_LOCKED"), "{taking:?}: {stderr}");
    }
    let (code, _, stderr) = said(&["replay-all", "--check"], alone);
    assert_eq!(code, Some(0), "{stderr}");
    answered(&owner, create("later")).await;
    assert!(get(&owner, &id).await.is_ok());
    assert_eq!(owner.stop().code, Some(0));
    for taking in [&["replay-all"][..], &["migrate-store", database, copy]] {
        let (code, _, stderr) = said(taking, alone);
        assert_eq!(code, Some(0), "{taking:?}: {stderr}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_another_key_does_not_join() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let owner = shared.start().await;
    let foreign = home.path().join("foreign.key");
    let foreign = foreign.to_str().unwrap();
    let (code, ..) = said(&["key", "--account", "a", "--role", "player", "--key-file", foreign], &[]);
    assert_eq!(code, Some(0));
    let variables = shared.variables();
    let with = [&variables[..1], &[("EDGEHILL_KEY_FILE", foreign)], &variables[2..]].concat();
    let (code, _, stderr) = said(&["--listen", "127.0.0.1:0"], &with);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("was made with another key"), "{stderr}");
    assert_eq!(owner.stop().code, Some(0));
}

/// The status code with which a key asks a server for a view of nothing.
async fn code(server: &Running, key: &str) -> Code {
    let ask = by(key, v1::GetMatchRequest { match_id: "no match".into() });
    server.matches().await.get_match(ask).await.unwrap_err().code()
}

/// Acts of administration come to the home through any server, and hold on all of them before long; competitions are made there, too.
#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_no_match_is_the_same_through_any_server() {
    let home = tempfile::tempdir().unwrap();
    let Some(shared) = Shared::new(home.path(), 60) else { return };
    let (chief, table) = key_of("chief", "operator", home.path().to_str().unwrap());
    let accounts = home.path().join("accounts.toml");
    fs::write(&accounts, table).unwrap();
    let variables = shared.variables();
    let with = [&variables[..], &[("EDGEHILL_ACCOUNTS", accounts.to_str().unwrap())]].concat();
    let [first, second] = [start(&[], &with), start(&[], &with)];
    shared.shared_by(2).await;
    let mut operator = second.admin().await;
    let create = v1::CreateAccountRequest {
        request_id: "c".into(),
        account_id: "ada".into(),
        roles: vec![v1::AccountRole::Player.into()],
    };
    operator.create_account(by(&chief, create)).await.unwrap();
    let create = v1::CreateAccountKeyRequest {
        request_id: "k".into(),
        account_id: "ada".into(),
        ..v1::CreateAccountKeyRequest::default()
    };
    let ada = operator.create_account_key(by(&chief, create)).await.unwrap().into_inner().key;
    for server in [&first, &second] {
        soon(async { while code(server, &ada).await != Code::NotFound {} }).await;
    }
    let mut league = CompetitionServiceClient::new(second.channel().await);
    let listed = league.list_competitions(by(&ada, v1::ListCompetitionsRequest::default())).await.unwrap();
    assert!(listed.into_inner().competitions.is_empty());
    let revoke =
        v1::RevokeAccountKeyRequest { request_id: "r".into(), account_id: "ada".into(), key_number: 1 };
    first.admin().await.revoke_account_key(by(&chief, revoke)).await.unwrap();
    for server in [&first, &second] {
        soon(async { while code(server, &ada).await != Code::Unauthenticated {} }).await;
    }
    // The acts are all there wherever they were done, and stay where their home ends.
    assert_eq!(first.stop().code, Some(0));
    let acts = async {
        loop {
            match operator.list_acts(by(&chief, v1::ListActsRequest::default())).await {
                Ok(page) => return page.into_inner().acts,
                Err(status) => wait_as_told(&status).await,
            }
        }
    };
    let acts = soon(acts).await;
    assert!(acts.len() >= 3, "{acts:?}");
    assert_eq!(second.stop().code, Some(0));
}
