//! The log, as its readers and their programs meet it.

use std::fs;

use edgehill_proto::v1;
use edgehill_proto::v1::play_seats_request::{Call, Open};
use edgehill_proto::v1::play_seats_response::Message;
use serde_json::Value;
use tonic::Request;

use crate::process::{by, player_key, start};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn get<T>(mut request: Request<T>) -> Request<T> {
    let parent = format!("00-{TRACE}-b7ad6b7169203331-01");
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    request
}

fn unknown_match() -> v1::GetMatchRequest {
    v1::GetMatchRequest { match_id: "nothing".into() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_about_a_call_says_its_trace_its_reason_and_who_called_from_where() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let store = store.to_str().unwrap();
    let (key, made) = player_key("ada", store);
    let accounts = folder.path().join("accounts.toml");
    fs::write(&accounts, &made).unwrap();
    let env = [("EDGEHILL_LOG__FILTER", "info,edgehill_service=debug"), ("EDGEHILL_LOG__FORMAT", "json")];
    let server = start(&["--store", store, "--accounts", accounts.to_str().unwrap()], &env);
    let mut client = server.matches().await;
    client.get_match(get(by(&key, unknown_match()))).await.unwrap_err();
    client.list_matches(v1::ListMatchesRequest::default()).await.unwrap_err();
    client.list_matches(by(&key, v1::ListMatchesRequest::default())).await.unwrap();
    drop(client);
    let said = server.stop();
    let lines: Vec<Value> = said.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ended: Vec<_> = lines.iter().filter(|line| line["message"] == "the call ended").collect();
    let of = |field: &str| ended.iter().map(|line| line["span"][field].as_str()).collect::<Vec<_>>();
    let methods =
        ["GetMatch", "ListMatches", "ListMatches"].map(|name| format!("edgehill.v1.MatchService/{name}"));
    assert_eq!(of("rpc.method"), methods.each_ref().map(|name| Some(&**name)));
    assert_eq!(of("trace_id"), [Some(TRACE), None, None]);
    assert_eq!(of("reason"), [Some("UNKNOWN_MATCH"), Some("BAD_TOKEN"), None]);
    assert_eq!(of("caller"), [Some("ada"), Some("127.0.0.1"), Some("ada")]);
    assert_eq!(of("peer"), [Some("127.0.0.1"); 3]);
    // Their libraries have theirs; ours is one.
    let ours = lines.iter().filter_map(|line| line["target"].as_str());
    assert!(ours.into_iter().all(|target| target.starts_with("edgehill_service::")), "{}", said.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_calls_and_messages_are_counted_by_reason_in_one_line() {
    let server = start(&[], &[("EDGEHILL_LOG__FORMAT", "json")]);
    let mut client = server.matches().await;
    for _ in 0..20 {
        client.get_match(unknown_match()).await.unwrap_err();
    }
    client.list_matches(by("not a key", v1::ListMatchesRequest::default())).await.unwrap_err();
    let open = v1::PlaySeatsRequest {
        channel: 7,
        request_id: "a".into(),
        call: Some(Call::Open(Open { seat_token: "none".into(), ..Open::default() })),
    };
    let mut stream = client.play_seats(tokio_stream::once(open)).await.unwrap().into_inner();
    let answer = stream.message().await.unwrap().unwrap().message;
    assert!(matches!(answer, Some(Message::Refusal(_))), "{answer:?}");
    assert!(stream.message().await.unwrap().is_none());
    drop(client);
    let said = server.stop();
    let lines = said.stderr.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut counts = std::collections::BTreeMap::new();
    // One, unless the machine is so slow that ten seconds went by.
    for line in lines.filter(|line| line["message"] == "calls were refused") {
        assert_eq!(line["level"], "INFO");
        for part in line["reasons"].as_str().unwrap().split(", ") {
            let (reason, count) = part.split_once(' ').unwrap();
            *counts.entry(reason.to_owned()).or_default() += count.parse::<u64>().unwrap();
        }
    }
    let expected =
        [("BAD_TOKEN", 2), ("UNKNOWN_MATCH", 20)].map(|(reason, count)| (reason.to_owned(), count));
    assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected, "{}", said.stderr);
}
