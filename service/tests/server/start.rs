//! Starting: what is made, what is found, and what a server does not start with.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use edgehill_proto::v1::{self, ErrorReason};
use tokio_stream::StreamExt;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
use tonic_reflection::pb::{v1 as reflection, v1alpha};

use crate::message::HasMatch;
use crate::process::{Running, by, said, start, start_in, try_start};

const SERVICES: [&str; 4] = [
    "edgehill.v1.CatalogService",
    "edgehill.v1.MatchService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
];

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn create(request_id: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: request_id.into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_told_for_the_whole_and_for_each_service() {
    let server = start(&[], &[]);
    let mut health = server.health().await;
    for service in ["", "edgehill.v1.CatalogService", "edgehill.v1.MatchService"] {
        let answer = health.check(HealthCheckRequest { service: service.into() }).await.unwrap();
        assert_eq!(answer.into_inner().status(), ServingStatus::Serving, "{service:?}");
    }
    let unknown = health.check(HealthCheckRequest { service: "chess".into() }).await.unwrap_err();
    assert_eq!(unknown.code(), Code::NotFound);
}

/// The symbols of all files that reflection gives for a symbol, as clients ask for the details of a refusal.
async fn files_of(server: &Running, symbol: &str) -> Vec<prost_types::FileDescriptorProto> {
    let request = reflection::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::FileContainingSymbol(symbol.to_owned())),
    };
    let mut client = ServerReflectionClient::new(server.channel().await);
    let mut answers = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response;
    let Some(MessageResponse::FileDescriptorResponse(files)) = answer else { panic!("{symbol}: {answer:?}") };
    let files = files.file_descriptor_proto;
    files.iter().map(|bytes| prost::Message::decode(&**bytes).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn reflection_knows_the_details_of_refusals() {
    let server = start(&[], &[]);
    for (package, message) in [
        ("google.rpc", "ErrorInfo"),
        ("google.rpc", "BadRequest"),
        ("google.rpc", "RetryInfo"),
        ("edgehill.v1", "Refusal"),
        ("google.protobuf", "Duration"),
        ("google.protobuf", "Timestamp"),
    ] {
        let files = files_of(&server, &format!("{package}.{message}")).await;
        let has = files.iter().filter(|file| file.package() == package);
        let mut messages = has.flat_map(|file| &file.message_type);
        assert!(messages.any(|one| one.name() == message), "{package}.{message} is not served");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reflection_lists_all_services_in_both_versions() {
    let server = start(&[], &[]);
    let request = reflection::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut client = ServerReflectionClient::new(server.channel().await);
    let mut answers = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response;
    let Some(MessageResponse::ListServicesResponse(list)) = answer else { panic!("{answer:?}") };
    let names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
    for service in SERVICES {
        assert!(names.iter().any(|name| name == service), "{service} is not in {names:?}");
    }

    let request = v1alpha::ServerReflectionRequest {
        host: String::new(),
        message_request: Some(v1alpha::server_reflection_request::MessageRequest::FileContainingSymbol(
            "edgehill.v1.MatchService".to_owned(),
        )),
    };
    let mut client = v1alpha::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let mut answers = client.server_reflection_info(tokio_stream::once(request)).await.unwrap().into_inner();
    let answer = answers.next().await.unwrap().unwrap().message_response;
    let Some(v1alpha::server_reflection_response::MessageResponse::FileDescriptorResponse(files)) = answer
    else {
        panic!("{answer:?}")
    };
    assert!(!files.file_descriptor_proto.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_start_makes_folder_key_and_store_for_their_owner_alone_and_a_second_finds_them() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("below").join("store");
    let server = start_in(&store);
    assert_eq!((mode(&store), mode(&store.join("server.key"))), (0o700, 0o600));
    assert!(store.join("edgehill.sqlite").is_file());
    let (id, token) = {
        let mut client = server.matches().await;
        let made = client.create_match(create("a")).await.unwrap().into_inner();
        let match_id = made.id();
        let join = v1::JoinMatchRequest {
            match_id: match_id.clone(),
            request_id: "j".into(),
            client_secret: vec![7; 32],
            ..v1::JoinMatchRequest::default()
        };
        (match_id, client.join_match(join).await.unwrap().into_inner().seat_token)
    };
    assert_eq!(server.stop().code, Some(0));

    let server = start_in(&store);
    let mut client = server.matches().await;
    // The same key: the token is good, and the same join gives the same token.
    let join = v1::JoinMatchRequest {
        match_id: id.clone(),
        request_id: "j".into(),
        client_secret: vec![7; 32],
        ..v1::JoinMatchRequest::default()
    };
    assert_eq!(client.join_match(join).await.unwrap().into_inner().seat_token, token);
    let legal = v1::ListLegalActionsRequest { match_id: id, ..v1::ListLegalActionsRequest::default() };
    let refused = client.list_legal_actions(by(&token, legal)).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::MatchNotStarted);
}

#[test]
fn a_store_in_use_is_not_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let _first = start_in(folder.path());
    let (code, stdout, stderr) =
        said(&["--store", folder.path().to_str().unwrap(), "--listen", "127.0.0.1:0"], &[]);
    assert_eq!((code, &*stdout), (Some(1), ""));
    assert!(
        stderr.contains("edgehill-server: STORE_LOCKED: the store ") && stderr.contains("another process"),
        "{stderr}"
    );
}

/// Takes away what is in a store's folder, but for what `stays`.
fn remove_but(folder: &Path, stays: &[&str]) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if !stays.contains(&entry.file_name().to_str().unwrap()) {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

/// That a second server does not start in `folder`.
fn refuses_a_second(folder: &Path) {
    let second = try_start(&["--store", folder.to_str().unwrap()], &[]);
    let Err(said) = second.map(|running| running.address.clone()) else {
        panic!("two servers have one store")
    };
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("STORE_LOCKED") && said.stderr.contains("another process"), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_in_use_is_not_opened_again_whatever_is_removed_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let first = start_in(folder.path());
    let mut client = first.matches().await;
    let before = client.create_match(create("before")).await.unwrap().into_inner().id();
    remove_but(folder.path(), &["server.key", "edgehill.sqlite", "edgehill.sqlite-wal"]);
    refuses_a_second(folder.path());
    let after = client.create_match(create("after")).await.unwrap().into_inner().id();
    first.signal("KILL");
    first.wait();

    let second = start_in(folder.path());
    let list = second.matches().await.list_matches(v1::ListMatchesRequest::default()).await.unwrap();
    let listed: Vec<_> = list.into_inner().matches.iter().map(HasMatch::id).collect();
    assert_eq!(listed, [after, before]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_whose_file_is_removed_is_not_made_anew_while_it_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let first = start_in(folder.path());
    let mut client = first.matches().await;
    client.create_match(create("before")).await.unwrap();
    remove_but(folder.path(), &["server.key"]);
    refuses_a_second(folder.path());
    remove_but(folder.path(), &[]);
    refuses_a_second(folder.path());
    client.create_match(create("after")).await.unwrap();
}

#[test]
fn a_store_without_its_key_is_not_opened_and_no_key_is_made() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(start_in(folder.path()).stop().code, Some(0));
    let (key, elsewhere) = (folder.path().join("server.key"), folder.path().join("elsewhere"));
    fs::rename(&key, &elsewhere).unwrap();
    let store = folder.path().to_str().unwrap();
    let (code, _, stderr) = said(&["--store", store, "--listen", "127.0.0.1:0"], &[]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("its key") && stderr.contains("--key-file"), "{stderr}");
    assert!(!key.exists());
    let found = start(&["--store", store, "--key-file", elsewhere.to_str().unwrap()], &[]);
    assert_eq!(found.stop().code, Some(0));
}

#[test]
fn a_key_that_others_can_read_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(start_in(folder.path()).stop().code, Some(0));
    let key = folder.path().join("server.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let (code, _, stderr) =
        said(&["--store", folder.path().to_str().unwrap(), "--listen", "127.0.0.1:0"], &[]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("has mode 0644") && stderr.contains("chmod 600"), "{stderr}");
}

#[test]
fn a_port_in_use_is_named() {
    let server = start(&[], &[]);
    let (code, stdout, stderr) = said(&["--listen", &server.address], &[]);
    assert_eq!((code, &*stdout), (Some(1), ""));
    assert!(stderr.contains(&format!("listen: {} can't be listened on", server.address)), "{stderr}");
}

#[test]
fn a_server_without_a_store_says_so() {
    let said = start(&[], &[]).stop();
    assert_eq!((said.code, &*said.stdout), (Some(0), ""));
    assert!(said.stderr.contains("matches are kept in memory"), "{}", said.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_made_let_in_and_held_to_its_role() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let store = store.to_str().unwrap();
    let key = |account: &str, role: &str| {
        let (code, stdout, stderr) =
            said(&["key", "--account", account, "--role", role, "--store", store], &[]);
        assert_eq!(code, Some(0), "{stderr}");
        let key = stdout.split_whitespace().find(|word| word.starts_with("ehk_")).unwrap().to_owned();
        (key, stdout)
    };
    // The command's output is an accounts file.
    let ((ada, first), (bob, second)) = (key("ada", "player"), key("bob", "spectator"));
    let accounts = folder.path().join("accounts.toml");
    fs::write(&accounts, first + &second).unwrap();
    let server = start(&["--store", store, "--accounts", accounts.to_str().unwrap()], &[]);
    let mut client = server.matches().await;
    let anonymous = client.create_match(create("a")).await.unwrap_err();
    assert_eq!((anonymous.code(), reason(&anonymous)), (Code::Unauthenticated, ErrorReason::BadToken));
    let spectator = client.create_match(by(&bob, create("a"))).await.unwrap_err();
    assert_eq!((spectator.code(), reason(&spectator)), (Code::PermissionDenied, ErrorReason::NotAllowed));
    client.create_match(by(&ada, create("a"))).await.unwrap();
    let list = client.list_matches(by(&bob, v1::ListMatchesRequest::default())).await.unwrap();
    assert_eq!(list.into_inner().matches.len(), 1);
    // The catalogue is for everybody.
    server.catalog().await.list_games(v1::ListGamesRequest::default()).await.unwrap();
}

#[test]
fn a_key_is_made_for_a_server_and_an_account_only() {
    for (args, expected) in [
        (&["key", "--account", "ada", "--role", "player"][..], "--store or --key-file"),
        (
            &["key", "--account", "a b", "--role", "player", "--store", "/nowhere"],
            "the flag --account: id: 1 to 64 letters",
        ),
        (
            &["key", "--account", "ada", "--role", "king", "--store", "/nowhere"],
            "the roles are player, spectator",
        ),
        (&["key", "--account", "ada", "--store", "/nowhere"], "--role"),
    ] {
        let (code, stdout, stderr) = said(args, &[]);
        assert_eq!((code, &*stdout), (Some(2), ""), "{args:?}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
    assert!(!Path::new("/nowhere").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exhibition_is_there_to_be_watched() {
    let server: Running = start(&[], &[("EDGEHILL_EXHIBITION", "true")]);
    let games =
        server.catalog().await.list_games(v1::ListGamesRequest::default()).await.unwrap().into_inner().games;
    let list = server
        .matches()
        .await
        .list_matches(v1::ListMatchesRequest::default())
        .await
        .unwrap()
        .into_inner()
        .matches;
    let mut shown: Vec<_> = list.into_iter().map(|entry| entry.config.unwrap().game).collect();
    let mut games: Vec<_> = games.into_iter().map(|game| game.id).collect();
    shown.sort();
    games.sort();
    assert_eq!(shown, games);
}

pub(crate) fn reason(status: &tonic::Status) -> ErrorReason {
    edgehill_service::wire::status::read(status).unwrap_or_else(|| panic!("no refusal: {status:?}")).reason()
}
