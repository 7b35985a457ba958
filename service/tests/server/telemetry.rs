//! Traces and metrics, as a receiver gets them.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use edgehill_proto::v1;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use tokio::net::TcpListener;
use tonic::Request;

use crate::message::HasMatch;
use crate::process::{Said, by, start};
use crate::receiver::{labels, receiver};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

fn traced<T>(message: T, sampled: bool) -> Request<T> {
    let mut request = Request::new(message);
    let parent = format!("00-{TRACE}-{PARENT}-0{}", u8::from(sampled));
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    request
}

fn text(attributes: &[KeyValue], key: &str) -> Option<String> {
    let value = attributes.iter().find(|one| one.key == key)?.value.clone()?.value?;
    Some(match value {
        any_value::Value::StringValue(text) => text,
        any_value::Value::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}

/// Makes a match, joins it, asks for what is not there, and stops the server.
async fn run(address: SocketAddr, sampled: bool) -> (Said, String) {
    let endpoint = format!("http://{address}");
    let env = [
        ("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &*endpoint),
        ("EDGEHILL_TELEMETRY__SERVICE_NAME", "edgehill-test"),
        // A trace that is not sampled by its client is not begun here either.
        ("EDGEHILL_TELEMETRY__SAMPLING_RATIO", "0.0"),
    ];
    let server = start(&[], &env);
    let mut client = server.matches().await;
    let create = v1::CreateMatchRequest {
        request_id: "a".into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    let made = client.create_match(traced(create, sampled)).await.unwrap().into_inner();
    let match_id = made.id();
    let join = v1::JoinMatchRequest {
        match_id: match_id.clone(),
        request_id: "j".into(),
        client_secret: vec![7; 32],
        ..v1::JoinMatchRequest::default()
    };
    let token = client.join_match(traced(join, sampled)).await.unwrap().into_inner().seat_token;
    let legal =
        v1::ListLegalActionsRequest { match_id: match_id.clone(), ..v1::ListLegalActionsRequest::default() };
    let mut legal = by(&token, legal);
    legal.metadata_mut().insert("traceparent", format!("00-{TRACE}-{PARENT}-00").parse().unwrap());
    client.list_legal_actions(legal).await.unwrap_err();
    client.get_match(v1::GetMatchRequest { match_id: match_id.clone() }).await.unwrap();
    drop(client);
    (server.stop(), match_id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_goes_from_the_client_to_the_store() {
    let (receiver, address) = receiver().await;
    let (said, _) = run(address, true).await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let spans = receiver.spans.lock().unwrap();
    let named = |name: &str| spans.iter().filter(|span| span.name == name).collect::<Vec<_>>();

    let joins = named("edgehill.v1.MatchService/JoinMatch");
    let [join] = &joins[..] else { panic!("{joins:?}") };
    assert_eq!(
        (hex::encode(&join.trace_id), hex::encode(&join.parent_span_id)),
        (TRACE.into(), PARENT.into())
    );
    assert_eq!(join.kind(), SpanKind::Server);
    for (key, expected) in [
        ("rpc.system", "grpc"),
        ("rpc.service", "edgehill.v1.MatchService"),
        ("rpc.method", "JoinMatch"),
        ("rpc.grpc.status_code", "0"),
    ] {
        assert_eq!(text(&join.attributes, key).as_deref(), Some(expected), "{key}");
    }
    for name in ["rules", "store.append"] {
        let below: Vec<_> =
            named(name).into_iter().filter(|span| span.parent_span_id == join.span_id).collect();
        assert_eq!(below.len(), 1, "{name} is below JoinMatch");
        assert_eq!(hex::encode(&below[0].trace_id), TRACE);
    }
    assert_eq!(named("edgehill.v1.MatchService/CreateMatch").len(), 1);
    assert_eq!(named("edgehill.v1.MatchService/GetMatch").len(), 0, "a ratio of 0 begins no traces");
    assert_eq!(named("edgehill.v1.MatchService/ListLegalActions").len(), 0, "the client did not want it");
    let service = text(&receiver.resources.lock().unwrap(), "service.name");
    assert_eq!(service.as_deref(), Some("edgehill-test"));
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_say_what_was_called_and_not_which_match_it_was() {
    let (receiver, address) = receiver().await;
    let (said, match_id) = run(address, false).await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(receiver.spans.lock().unwrap().is_empty());
    let metrics = receiver.metrics.lock().unwrap();
    let names: BTreeSet<_> = metrics.iter().map(|metric| &*metric.name).collect();
    for name in [
        "rpc.server.calls",
        "rpc.server.duration",
        "edgehill.matches.loaded",
        "edgehill.store.appends",
        "edgehill.store.flushes",
    ] {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
    let points: Vec<Vec<KeyValue>> = metrics.iter().flat_map(labels).collect();
    let calls: BTreeSet<_> = points
        .iter()
        .filter_map(|labels| Some((text(labels, "rpc.method")?, text(labels, "rpc.grpc.status_code")?)))
        .collect();
    for (method, code) in
        [("CreateMatch", "0"), ("JoinMatch", "0"), ("ListLegalActions", "9"), ("GetMatch", "0")]
    {
        assert!(calls.contains(&(method.to_owned(), code.to_owned())), "{method} {code} is not in {calls:?}");
    }
    let allowed = ["rpc.service", "rpc.method", "rpc.grpc.status_code"];
    for label in points.iter().flatten() {
        assert!(allowed.contains(&&*label.key), "{label:?}");
        assert!(!format!("{label:?}").contains(&match_id), "{label:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_callers_make_up_get_into_no_metric() {
    let (receiver, address) = receiver().await;
    let endpoint = format!("http://{address}");
    let server = start(&[], &[("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &endpoint)]);
    let mut client = tonic::client::Grpc::new(server.channel().await);
    client.ready().await.unwrap();
    let path = http::uri::PathAndQuery::from_static("/made.up.Service/Flood123");
    let codec = tonic_prost::ProstCodec::<v1::GetLimitsRequest, v1::GetLimitsResponse>::default();
    let status = client.unary(Request::new(v1::GetLimitsRequest {}), path, codec).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unimplemented);
    drop(client);
    assert_eq!(server.stop().code, Some(0));
    let everything = format!("{:?}{:?}", receiver.metrics.lock().unwrap(), receiver.spans.lock().unwrap());
    assert!(everything.contains("unknown") && !everything.contains("Flood123"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_not_there_holds_nothing_up() {
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (said, _) = run(address, true).await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}
