//! Accounts and keys that are kept in the store, as operators make and take them.

use std::fs;

use edgehill_proto::prost_types::Timestamp;
use edgehill_proto::v1::admin_service_client::AdminServiceClient;
use edgehill_proto::v1::{self, AccountRole, ActKind, ErrorReason};
use edgehill_service::clock::{Clock, SystemClock};
use tonic::transport::Channel;
use tonic::{Code, Response, Status};
use tonic_types::StatusExt;

use crate::message::HasMatch;
use crate::process::{Running, by, soon};
use crate::site::{Site, said};
use crate::start::reason;

type Operator = AdminServiceClient<Channel>;

fn refused<T: std::fmt::Debug>(answer: Result<Response<T>, Status>) -> ErrorReason {
    reason(&answer.unwrap_err())
}

fn create(request: &str, account: &str, roles: &[AccountRole]) -> v1::CreateAccountRequest {
    v1::CreateAccountRequest {
        request_id: request.into(),
        account_id: account.into(),
        roles: roles.iter().map(|&role| role.into()).collect(),
    }
}

fn create_key(request: &str, account: &str) -> v1::CreateAccountKeyRequest {
    v1::CreateAccountKeyRequest {
        request_id: request.into(),
        account_id: account.into(),
        ..v1::CreateAccountKeyRequest::default()
    }
}

fn rotate_key(request: &str, number: u32, overlap_seconds: i64) -> v1::RotateAccountKeyRequest {
    v1::RotateAccountKeyRequest {
        request_id: request.into(),
        account_id: "ada".into(),
        key_number: number,
        overlap: Some(edgehill_proto::prost_types::Duration { seconds: overlap_seconds, nanos: 0 }),
        expire_time: None,
    }
}

fn revoke_key(request: &str, number: u32) -> v1::RevokeAccountKeyRequest {
    v1::RevokeAccountKeyRequest { request_id: request.into(), account_id: "ada".into(), key_number: number }
}

fn suspend(request: &str, is_suspended: bool) -> v1::UpdateAccountRequest {
    v1::UpdateAccountRequest {
        request_id: request.into(),
        account_id: "ada".into(),
        roles: Vec::new(),
        is_suspended: Some(is_suspended),
    }
}

fn delete(request: &str, account: &str) -> v1::DeleteAccountRequest {
    v1::DeleteAccountRequest { request_id: request.into(), account_id: account.into() }
}

fn seconds_from_now(seconds: i64) -> Option<Timestamp> {
    let now = SystemClock::new().unix_ms() / 1_000;
    Some(Timestamp { seconds: now.cast_signed() + seconds, nanos: 0 })
}

/// Makes the player `ada`, and gives her a key.
async fn made_ada(operator: &mut Operator, site: &Site) -> String {
    said(operator.create_account(by(&site.chief, create("c", "ada", &[AccountRole::Player]))).await);
    said(operator.create_account_key(by(&site.chief, create_key("k1", "ada"))).await).key
}

/// The status code with which this key lists matches.
async fn code(server: &Running, key: &str) -> Code {
    let listed = server.matches().await.list_matches(by(key, v1::ListMatchesRequest::default())).await;
    listed.map_or_else(|status| status.code(), |_| Code::Ok)
}

fn new_match(request: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { request_id: request.into(), game: "skirmish".into(), ..Default::default() }
}

async fn acts(operator: &mut Operator, site: &Site, account: &str, page_size: i32) -> Vec<v1::Act> {
    let (mut acts, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = v1::ListActsRequest { account_id: account.into(), page_size, page_token };
        let page = said(operator.list_acts(by(&site.chief, request)).await);
        acts.extend(page.acts);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return acts;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_made_plays_and_is_there_after_a_restart() {
    let site = Site::new();
    let server = site.start();
    let mut operator = server.admin().await;
    let key = made_ada(&mut operator, &site).await;
    assert!(key.starts_with("ehk_"), "{key}");
    let mut matches = server.matches().await;
    let made = said(matches.create_match(by(&key, new_match("a"))).await);
    assert_eq!(server.stop().code, Some(0));

    let server = site.start();
    let mut operator = server.admin().await;
    let mut matches = server.matches().await;
    let again = said(matches.create_match(by(&key, new_match("a"))).await);
    assert_eq!(again.id(), made.id());
    // All calls are answered as they were, the key with them.
    let repeated =
        said(operator.create_account(by(&site.chief, create("c", "ada", &[AccountRole::Player]))).await);
    let account = repeated.account.unwrap();
    assert_eq!((account.id.as_str(), account.source()), ("ada", v1::AccountSource::Store));
    assert_eq!(account.keys.len(), 1);
    assert_eq!(said(operator.create_account_key(by(&site.chief, create_key("k1", "ada"))).await).key, key);
    let kinds: Vec<_> = acts(&mut operator, &site, "", 0).await.iter().map(v1::Act::kind).collect();
    assert_eq!(kinds, [ActKind::AccountCreated, ActKind::KeyCreated]);
    // The same id with other words is another request.
    let other = create("c", "bob", &[AccountRole::Player]);
    assert_eq!(refused(operator.create_account(by(&site.chief, other)).await), ErrorReason::RequestIdReused);
    assert_eq!(
        refused(operator.delete_account(by(&site.chief, delete("c", "ada"))).await),
        ErrorReason::RequestIdReused
    );
    // No key stands in the store, nor does a name (a long one, which chance does not write).
    let named = create("n", "ada-augusta-of-lovelace", &[AccountRole::Player]);
    said(operator.create_account(by(&site.chief, named)).await);
    assert_eq!(server.stop().code, Some(0));
    for file in fs::read_dir(site.path("store")).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        for secret in [&key[4..], "ada-augusta-of-lovelace"] {
            let stands = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!stands, "{secret} stands in the store");
        }
    }
}

/// The status with which a stream ends whose caller is let in no more.
async fn end<T>(mut stream: tonic::Streaming<T>) -> tonic::Status {
    loop {
        match soon(stream.message()).await {
            Ok(message) => assert!(message.is_some(), "it does not end well"),
            Err(status) => return status,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_rotated_goes_on_for_a_while_and_one_that_is_revoked_does_not() {
    let site = Site::new();
    let server = site.start();
    let mut operator = server.admin().await;
    let first = made_ada(&mut operator, &site).await;
    let rotated = said(operator.rotate_account_key(by(&site.chief, rotate_key("r1", 1, 3_600))).await);
    assert_eq!(rotated.account_key.as_ref().unwrap().number, 2);
    assert_eq!((code(&server, &first).await, code(&server, &rotated.key).await), (Code::Ok, Code::Ok));
    // Without an overlap the old one ends at once.
    let third = said(operator.rotate_account_key(by(&site.chief, rotate_key("r2", 2, 0))).await).key;
    assert_eq!(code(&server, &rotated.key).await, Code::Unauthenticated);
    assert_eq!((code(&server, &first).await, code(&server, &third).await), (Code::Ok, Code::Ok));
    let status =
        server.matches().await.list_matches(by(&rotated.key, v1::ListMatchesRequest::default())).await;
    assert!(status.unwrap_err().message().contains("has expired"));
    // Streams end when their key is taken away.
    let mut matches = server.matches().await;
    let id = said(matches.create_match(by(&third, new_match("a"))).await).id();
    let watch = v1::WatchMatchRequest { match_id: id, ..v1::WatchMatchRequest::default() };
    let mut stream = said(matches.watch_match(by(&first, watch)).await);
    soon(stream.message()).await.unwrap().unwrap();
    let account = v1::WatchAccountRequest::default();
    let mut account = said(matches.watch_account(by(&first, account)).await);
    soon(account.message()).await.unwrap().unwrap();
    let revoked = said(operator.revoke_account_key(by(&site.chief, revoke_key("v", 1))).await);
    assert!(revoked.account_key.unwrap().revoke_time.is_some());
    assert_eq!(end(stream).await.code(), Code::Unauthenticated);
    assert_eq!(end(account).await.code(), Code::Unauthenticated);
    assert_eq!((code(&server, &first).await, code(&server, &third).await), (Code::Unauthenticated, Code::Ok));
    for number in [0, 1, 2, 4] {
        let again = operator.revoke_account_key(by(&site.chief, revoke_key("w", number))).await;
        assert_eq!(refused(again), ErrorReason::UnknownAccountKey, "{number}");
    }
    // The call that took it away is answered as it was.
    said(operator.revoke_account_key(by(&site.chief, revoke_key("v", 1))).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_for_its_scopes_and_ends_in_its_time() {
    let site = Site::new();
    let server = site.start();
    let mut operator = server.admin().await;
    said(
        operator
            .create_account(by(
                &site.chief,
                create("c", "ada", &[AccountRole::Player, AccountRole::Operator]),
            ))
            .await,
    );
    let watching = v1::CreateAccountKeyRequest {
        label: "screen in the hall".into(),
        scopes: vec![AccountRole::Spectator.into(), AccountRole::Player.into()],
        ..create_key("k1", "ada")
    };
    let key = said(operator.create_account_key(by(&site.chief, watching)).await);
    assert_eq!(key.account_key.unwrap().label, "screen in the hall");
    let whole = said(operator.create_account_key(by(&site.chief, create_key("k2", "ada"))).await).key;
    said(operator.list_accounts(by(&whole, v1::ListAccountsRequest::default())).await);
    let listed = operator.list_accounts(by(&key.key, v1::ListAccountsRequest::default())).await;
    assert_eq!(refused(listed), ErrorReason::NotAllowed);
    said(server.matches().await.create_match(by(&key.key, new_match("a"))).await);
    // A key can't do what its account can't: the spectator's scope alone is left of it.
    let update = v1::UpdateAccountRequest {
        request_id: "u".into(),
        account_id: "ada".into(),
        roles: vec![AccountRole::Spectator.into()],
        is_suspended: None,
    };
    said(operator.update_account(by(&site.chief, update)).await);
    let created = server.matches().await.create_match(by(&key.key, new_match("b"))).await;
    assert_eq!(refused(created), ErrorReason::NotAllowed);
    assert_eq!(code(&server, &key.key).await, Code::Ok);
    // A moment that has passed is none to end at; one to come is kept.
    for (at, good) in [(-1, false), (0, false), (3_600, true)] {
        let request = v1::CreateAccountKeyRequest {
            expire_time: seconds_from_now(at),
            ..create_key(&format!("e{at}"), "ada")
        };
        let made = operator.create_account_key(by(&site.chief, request.clone())).await;
        match good {
            true => {
                assert_eq!(made.unwrap().into_inner().account_key.unwrap().expire_time, request.expire_time)
            }
            false => assert_eq!(refused(made), ErrorReason::InvalidField),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_account_plays_nothing_until_it_is_not_and_a_deleted_one_never_again() {
    let site = Site::new();
    let server = site.start();
    let mut operator = server.admin().await;
    let key = made_ada(&mut operator, &site).await;
    let mut matches = server.matches().await;
    let id = said(matches.create_match(by(&key, new_match("a"))).await).id();
    let join = v1::JoinMatchRequest { match_id: id.clone(), request_id: "j".into(), ..Default::default() };
    let token = said(matches.join_match(by(&key, join)).await).seat_token;
    let leave = || v1::LeaveMatchRequest { match_id: id.clone(), request_id: "l".into() };

    said(operator.update_account(by(&site.chief, suspend("s", true))).await);
    let listed = matches.list_matches(by(&key, v1::ListMatchesRequest::default())).await;
    let status = listed.unwrap_err();
    assert_eq!((reason(&status), status.message()), (ErrorReason::NotAllowed, "the account is suspended"));
    assert_eq!(refused(matches.leave_match(by(&token, leave())).await), ErrorReason::BadToken);
    said(operator.update_account(by(&site.chief, suspend("t", false))).await);
    said(matches.leave_match(by(&token, leave())).await);

    said(operator.delete_account(by(&site.chief, delete("d", "ada"))).await);
    said(operator.delete_account(by(&site.chief, delete("d", "ada"))).await);
    assert_eq!(code(&server, &key).await, Code::Unauthenticated);
    let get = v1::GetAccountRequest { account_id: "ada".into() };
    assert_eq!(refused(operator.get_account(by(&site.chief, get)).await), ErrorReason::UnknownAccount);
    for request in ["k1", "k2"] {
        let made = operator.create_account_key(by(&site.chief, create_key(request, "ada"))).await;
        // The first is a call that was answered, whose key opens nothing any more.
        let expected = (request == "k2").then_some(ErrorReason::UnknownAccount);
        assert_eq!(made.err().map(|status| reason(&status)), expected);
    }
    let again = operator.create_account(by(&site.chief, create("n", "ada", &[AccountRole::Player]))).await;
    assert_eq!(refused(again), ErrorReason::AccountExists);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_of_the_file_are_shown_and_are_changed_in_the_file_alone() {
    let site = Site::new();
    let server = site.start();
    let mut operator = server.admin().await;
    for number in 0..5 {
        let account = format!("bot.{number}");
        let request = create(&account, &account, &[AccountRole::Player]);
        said(operator.create_account(by(&site.chief, request)).await);
    }
    let (mut ids, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = v1::ListAccountsRequest { page_size: 4, page_token };
        let page = said(operator.list_accounts(by(&site.chief, request)).await);
        ids.extend(page.accounts.into_iter().map(|account| (account.source(), account.id)));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let mut expected: Vec<_> =
        (0..5).map(|number| (v1::AccountSource::Store, format!("bot.{number}"))).collect();
    expected.push((v1::AccountSource::File, "chief".to_owned()));
    assert_eq!(ids, expected);
    let update = v1::UpdateAccountRequest {
        request_id: "u".into(),
        account_id: "chief".into(),
        roles: vec![AccountRole::Player.into()],
        is_suspended: None,
    };
    assert_eq!(refused(operator.update_account(by(&site.chief, update)).await), ErrorReason::AccountInFile);
    let made = create("x", "chief", &[AccountRole::Player]);
    assert_eq!(refused(operator.create_account(by(&site.chief, made)).await), ErrorReason::AccountInFile);
    assert_eq!(
        refused(operator.delete_account(by(&site.chief, delete("y", "chief"))).await),
        ErrorReason::AccountInFile
    );
    let key = operator.create_account_key(by(&site.chief, create_key("z", "chief"))).await;
    assert_eq!(refused(key), ErrorReason::AccountInFile);
    assert_eq!(acts(&mut operator, &site, "bot.3", 1).await.len(), 1);
    assert_eq!(acts(&mut operator, &site, "chief", 2).await.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_a_part_of_its_own_of_what_callers_share() {
    let site = Site::new();
    let server = site.start();
    let mut operator = server.admin().await;
    let key = made_ada(&mut operator, &site).await;
    said(operator.create_account(by(&site.chief, create("c2", "bob", &[AccountRole::Player]))).await);
    let bob = said(operator.create_account_key(by(&site.chief, create_key("k2", "bob"))).await).key;
    let set = async |operator: &mut Operator, request: &str, quota: v1::AccountQuota| {
        let request = v1::SetAccountQuotaRequest {
            request_id: request.into(),
            account_id: "ada".into(),
            quota: Some(quota),
        };
        operator.set_account_quota(by(&site.chief, request)).await
    };
    let quota = v1::AccountQuota { open_matches: Some(1), streams: Some(1), ..v1::AccountQuota::default() };
    let account = said(set(&mut operator, "q1", quota).await).account.unwrap();
    assert_eq!(account.quota, Some(quota));
    let mut matches = server.matches().await;
    let id = said(matches.create_match(by(&key, new_match("a"))).await).id();
    let status = matches.create_match(by(&key, new_match("b"))).await.unwrap_err();
    assert_eq!(reason(&status), ErrorReason::LimitReached);
    let failure = status.get_details_quota_failure().unwrap();
    assert_eq!(failure.violations[0].subject, "caller");
    assert_eq!(failure.violations[0].description, status.message());
    let refusal = edgehill_service::wire::status::read(&status).unwrap();
    assert_eq!(refusal.limit(), v1::LimitName::OpenMatches);
    assert_eq!(refusal.quota_subject(), v1::QuotaSubject::Caller);
    // Matches that are made together count, too, and so does a rematch.
    let plan = v1::MatchPlan { game: "skirmish".into(), ..v1::MatchPlan::default() };
    let both = v1::CreateMatchesRequest {
        request_id: "both".into(),
        matches: vec![plan],
        ..v1::CreateMatchesRequest::default()
    };
    assert_eq!(refused(matches.create_matches(by(&key, both)).await), ErrorReason::LimitReached);
    let of_bob = said(matches.create_match(by(&bob, new_match("of bob"))).await).id();
    let mut tokens = Vec::new();
    for (seat, key) in [(0, &key), (1, &bob)] {
        let join = v1::JoinMatchRequest {
            match_id: of_bob.clone(),
            request_id: format!("j{seat}"),
            seat: Some(seat),
            ..v1::JoinMatchRequest::default()
        };
        tokens.push(said(matches.join_match(by(key, join)).await).seat_token);
    }
    let resign =
        v1::ResignMatchRequest { match_id: of_bob.clone(), request_id: "r".into(), ..Default::default() };
    said(matches.resign_match(by(&tokens[0], resign)).await);
    let rematch = || v1::RematchMatchRequest { match_id: of_bob.clone(), request_id: "r".into() };
    assert_eq!(refused(matches.rematch_match(by(&tokens[0], rematch())).await), ErrorReason::LimitReached);
    said(matches.rematch_match(by(&tokens[1], rematch())).await);
    for request in ["a", "b"] {
        said(matches.create_match(by(&bob, new_match(request))).await);
    }
    let watch = || v1::WatchMatchRequest { match_id: id.clone(), ..v1::WatchMatchRequest::default() };
    let _stream = said(matches.watch_match(by(&key, watch())).await);
    assert_eq!(refused(matches.watch_match(by(&key, watch())).await), ErrorReason::LimitReached);
    let _others = [
        said(matches.watch_match(by(&bob, watch())).await),
        said(matches.watch_match(by(&bob, watch())).await),
    ];

    // One call a second, in the place of what was set before.
    let quota = v1::AccountQuota { calls_per_second: Some(1), ..v1::AccountQuota::default() };
    said(set(&mut operator, "q2", quota).await);
    let mut limited = 0;
    for _ in 0..20 {
        let listed = matches.list_matches(by(&key, v1::ListMatchesRequest::default())).await;
        if let Err(status) = listed {
            assert_eq!(reason(&status), ErrorReason::RateLimited);
            assert!(status.get_details_retry_info().unwrap().retry_delay.is_some());
            assert_eq!(status.get_details_quota_failure().unwrap().violations[0].subject, "caller");
            limited += 1;
        }
        said(matches.list_matches(by(&bob, v1::ListMatchesRequest::default())).await);
    }
    assert!(limited > 0, "20 calls were let in where one a second is");
    // A few bytes a second: as much at once as all have, and then a long time for the next.
    let quota = v1::AccountQuota { bytes_per_second: Some(1), ..v1::AccountQuota::default() };
    said(set(&mut operator, "q3", quota).await);
    let large = |request: usize| v1::CreateMatchRequest {
        position_json: format!("{request}{}", " ".repeat(30_000)),
        ..new_match(&request.to_string())
    };
    let mut sent = 0;
    let status = loop {
        let status = matches.create_match(by(&key, large(sent))).await.unwrap_err();
        if reason(&status) == ErrorReason::RateLimited {
            break status;
        }
        assert_eq!(reason(&status), ErrorReason::BadPosition);
        sent += 1;
    };
    assert!((130..150).contains(&sent), "4,194,304 bytes were sent with {sent} requests of 30,000");
    assert!(status.message().contains("bytes"), "{status:?}");
    let much = v1::AccountQuota { streams: Some(65_537), ..v1::AccountQuota::default() };
    let status = set(&mut operator, "q4", much).await.unwrap_err();
    assert!(status.message().starts_with("quota.streams: expected 0 to 65536"), "{status:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_an_operator_is_answered_and_faults_are_named() {
    let site = Site::new();
    let server = site.start();
    let mut operator = server.admin().await;
    let player = made_ada(&mut operator, &site).await;
    let list = v1::ListAccountsRequest::default;
    assert_eq!(refused(operator.list_accounts(list()).await), ErrorReason::BadToken);
    assert_eq!(refused(operator.list_accounts(by(&player, list())).await), ErrorReason::NotAllowed);
    let mine = create_key("mine", "ada");
    assert_eq!(refused(operator.create_account_key(by(&player, mine)).await), ErrorReason::NotAllowed);
    for (request, field) in [
        (create("", "bob", &[AccountRole::Player]), "request_id"),
        (create("x", "", &[AccountRole::Player]), "account_id"),
        (create("x", "a b", &[AccountRole::Player]), "account_id"),
        (create("x", "house", &[AccountRole::Player]), "account_id"),
        (create("x", "bob", &[]), "roles"),
        (create("x", "bob", &[AccountRole::Unspecified]), "roles[0]"),
    ] {
        let status = operator.create_account(by(&site.chief, request)).await.unwrap_err();
        assert_eq!(reason(&status), ErrorReason::InvalidField);
        assert!(status.message().starts_with(&format!("{field}: ")), "{field}: {}", status.message());
    }
    let long = v1::CreateAccountKeyRequest { label: "x".repeat(65), ..create_key("x", "ada") };
    assert_eq!(refused(operator.create_account_key(by(&site.chief, long)).await), ErrorReason::InvalidField);
    let much = operator.rotate_account_key(by(&site.chief, rotate_key("x", 1, 7_776_001))).await;
    assert_eq!(refused(much), ErrorReason::InvalidField);
    let nothing = v1::UpdateAccountRequest { is_suspended: None, ..suspend("x", true) };
    assert_eq!(refused(operator.update_account(by(&site.chief, nothing)).await), ErrorReason::InvalidField);
    let token = v1::ListActsRequest { page_token: "next".into(), ..v1::ListActsRequest::default() };
    assert_eq!(refused(operator.list_acts(by(&site.chief, token)).await), ErrorReason::InvalidField);
    // An account has so many keys, of which those that have ended do not count.
    for number in 2..=16 {
        said(operator.create_account_key(by(&site.chief, create_key(&format!("k{number}"), "ada"))).await);
    }
    let one_more = || create_key("k17", "ada");
    assert_eq!(
        refused(operator.create_account_key(by(&site.chief, one_more())).await),
        ErrorReason::LimitReached
    );
    said(operator.revoke_account_key(by(&site.chief, revoke_key("v", 9))).await);
    let made = said(operator.create_account_key(by(&site.chief, one_more())).await);
    assert_eq!(made.account_key.unwrap().number, 17);
}
