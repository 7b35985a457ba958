//! Traces and metrics, as a receiver gets them.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use edgehill_proto::v1;
use edgehill_proto::v1::play_seats_request::{self, Call, Open};
use edgehill_service::telemetry::instruments::{ALL, Instrument, InstrumentKind};
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::metric;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use tokio::net::TcpListener;
use tonic::Request;

use crate::message::HasMatch;
use crate::process::{Said, by, start};
use crate::receiver::{Receiver, labels, receiver};

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
        ("rpc.system.name", "grpc"),
        ("rpc.method", "edgehill.v1.MatchService/JoinMatch"),
        ("rpc.response.status_code", "OK"),
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
    let resource = receiver.resources.lock().unwrap();
    assert_eq!(text(&resource, "service.name").as_deref(), Some("edgehill-test"));
    assert!(text(&resource, "service.version").is_some_and(|version| version.contains("development")));
    assert!(text(&resource, "service.instance.id").is_some_and(|instance| instance.len() == 32));
}

/// The spans of a run of [`play`], in which every call asks for its trace.
async fn traced_play(ratio: &str, trusted: &str) -> Receiver {
    let (receiver, address) = receiver().await;
    let endpoint = format!("http://{address}");
    let env = [
        ("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &*endpoint),
        ("EDGEHILL_TELEMETRY__SAMPLING_RATIO", ratio),
        ("EDGEHILL_TELEMETRY__CLIENT_SAMPLING", trusted),
    ];
    let said = play(&env).await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    receiver
}

/// Lets house bots play a match, and a player resign another in a stream.
async fn play(env: &[(&str, &str)]) -> Said {
    let server = start(&[], env);
    let mut client = server.matches().await;
    let create = |request_id: &str, seats| v1::CreateMatchRequest {
        request_id: request_id.into(),
        game: "skirmish".into(),
        client_secret: vec![7; 32],
        seats,
        ..v1::CreateMatchRequest::default()
    };
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot as i32,
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let bots = create("bots", vec![bot.clone(), bot]);
    let bots = client.create_match(traced(bots, true)).await.unwrap().into_inner().id();
    let watch = v1::WatchMatchRequest { match_id: bots, ..v1::WatchMatchRequest::default() };
    let mut watched = client.watch_match(watch).await.unwrap().into_inner();
    while watched.message().await.unwrap().is_some() {}

    let made = client.create_match(traced(create("a", Vec::new()), true)).await.unwrap().into_inner();
    let mut token = String::new();
    for (seat, request_id) in [(0, "j"), (1, "k")] {
        let join = v1::JoinMatchRequest {
            match_id: made.id(),
            seat: Some(seat),
            request_id: request_id.into(),
            client_secret: vec![7 + seat as u8; 32],
            ..v1::JoinMatchRequest::default()
        };
        token = client.join_match(traced(join, true)).await.unwrap().into_inner().seat_token;
    }
    let open = Call::Open(Open { seat_token: token, ..Open::default() });
    let said = |request_id: &str, call| v1::PlaySeatsRequest {
        channel: 1,
        request_id: request_id.into(),
        call: Some(call),
    };
    // Nobody is asked to accept a draw.
    let refused = Call::AcceptDraw(play_seats_request::AcceptDraw {});
    let messages =
        [said("", open), said("n", refused), said("r", Call::Resign(play_seats_request::Resign {}))];
    let mut answers =
        client.play_seats(traced(tokio_stream::iter(messages), true)).await.unwrap().into_inner();
    while answers.message().await.unwrap().is_some() {}
    // It is out of the memory by now, where there is room for one match.
    client.get_match(traced(v1::GetMatchRequest { match_id: made.id() }, true)).await.unwrap();
    drop((client, watched, answers));
    server.stop()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_span_hangs_under_its_call_or_begins_a_trace_that_is_linked() {
    let receiver = traced_play("1.0", "true").await;
    let spans = receiver.spans.lock().unwrap();
    let named = |name: &str| spans.iter().filter(|span| span.name == name).collect::<Vec<_>>();
    let ids: BTreeSet<_> = spans.iter().map(|span| &span.span_id).collect();
    for span in spans.iter() {
        let parent = hex::encode(&span.parent_span_id);
        let begins = span.name.contains('/') && ["", PARENT].contains(&&*parent)
            || ["message", "bot.turn"].contains(&&*span.name) && parent.is_empty();
        assert!(begins || ids.contains(&span.parent_span_id), "{span:?}");
    }
    let [stream] = named("edgehill.v1.MatchService/PlaySeats")[..] else { panic!() };
    let messages = named("message");
    assert_eq!(messages.len(), 2, "the two that ask for something");
    for message in &messages {
        let [link] = &message.links[..] else { panic!("{message:?}") };
        assert_eq!((&link.trace_id, &link.span_id), (&stream.trace_id, &stream.span_id));
        assert!(message.end_time_unix_nano <= stream.end_time_unix_nano);
    }
    let below = |parents: &[&Span], name: &str| {
        named(name).iter().filter(|span| parents.iter().any(|one| one.span_id == span.parent_span_id)).count()
    };
    assert_eq!((below(&messages, "rules"), below(&messages, "store.append")), (2, 1));
    let turns = named("bot.turn");
    assert!(turns.len() > 2 && below(&turns, "store.append") == turns.len(), "{turns:?}");
    let woken_by: Vec<_> = turns.iter().flat_map(|turn| &turn.links).map(|link| &link.span_id).collect();
    let creations = named("edgehill.v1.MatchService/CreateMatch");
    let linked =
        woken_by.iter().filter(|woken_by| creations.iter().any(|creation| creation.span_id == ***woken_by));
    assert_eq!((linked.count(), below(&creations, "store.append")), (1, 2), "{woken_by:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_wish_of_a_client_that_is_not_trusted_does_not_count() {
    assert!(traced_play("0.0", "false").await.spans.lock().unwrap().is_empty());
    assert!(!traced_play("0.0", "true").await.spans.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_is_what_the_table_of_instruments_has() {
    let (receiver, address) = receiver().await;
    let endpoint = format!("http://{address}");
    let env = [("EDGEHILL_TELEMETRY__OTLP_ENDPOINT", &*endpoint), ("EDGEHILL_CAPACITY__LOADED_MATCHES", "1")];
    let said = play(&env).await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let metrics = receiver.metrics.lock().unwrap();
    for metric in metrics.iter() {
        let instrument = ALL.iter().find(|one| one.name == metric.name);
        let Instrument { unit, description, labels: allowed, kind, .. } =
            instrument.unwrap_or_else(|| panic!("{} is in no table", metric.name));
        assert_eq!((&*metric.unit, &*metric.description), (*unit, *description), "{}", metric.name);
        let sent = match metric.data.as_ref().unwrap() {
            metric::Data::Sum(sum) if sum.is_monotonic => InstrumentKind::Counter,
            metric::Data::Sum(_) => InstrumentKind::UpDownCounter,
            metric::Data::Gauge(_) => InstrumentKind::Gauge,
            metric::Data::Histogram(_) => InstrumentKind::Histogram,
            other => panic!("{other:?}"),
        };
        assert_eq!(sent, *kind, "{}", metric.name);
        for label in labels(metric).iter().flatten() {
            assert!(allowed.contains(&&*label.key), "{}: {label:?}", metric.name);
        }
    }
    let sent: BTreeSet<_> = metrics.iter().map(|metric| &*metric.name).collect();
    // A server of several sends more, which `clusters` holds it to.
    let of_one = |name: &&str| !name.starts_with("edgehill.cluster.");
    let table: BTreeSet<_> = ALL.iter().map(|one| one.name).filter(of_one).collect();
    assert_eq!(sent, table);
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_say_what_was_called_and_not_which_match_it_was() {
    let (receiver, address) = receiver().await;
    let (said, match_id) = run(address, false).await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(receiver.spans.lock().unwrap().is_empty());
    let metrics = receiver.metrics.lock().unwrap();
    let points: Vec<Vec<KeyValue>> = metrics.iter().flat_map(labels).collect();
    let calls: BTreeSet<_> = points
        .iter()
        .filter_map(|labels| Some((text(labels, "rpc.method")?, text(labels, "rpc.response.status_code")?)))
        .collect();
    for (method, code) in [
        ("CreateMatch", "OK"),
        ("JoinMatch", "OK"),
        ("ListLegalActions", "FAILED_PRECONDITION"),
        ("GetMatch", "OK"),
    ] {
        let call = (format!("edgehill.v1.MatchService/{method}"), code.to_owned());
        assert!(calls.contains(&call), "{method} {code} is not in {calls:?}");
    }
    for label in points.iter().flatten() {
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
    assert!(everything.contains("_OTHER") && !everything.contains("Flood123"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_not_there_holds_nothing_up() {
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (said, _) = run(address, true).await;
    assert_eq!(said.code, Some(0), "{}", said.stderr);
}
