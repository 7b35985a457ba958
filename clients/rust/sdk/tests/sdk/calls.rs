use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use edgehill_client::v1::{
    AbortMatchRequest, AbortMatchResponse, ApplyActionsRequest, ApplyActionsResponse, ApplyResult,
    CreateMatchRequest, CreateMatchResponse, ErrorReason, ExportRecordRequest, ExportRecordResponse,
    FieldViolation, Match, MatchConfig, Refusal, RuleViolation, SeatUpdate,
};
use edgehill_client::{Batch, Client, Error, NewMatch, RetryPolicy, TraceContext};
use tonic::Code;

use crate::cutter::Cutter;
use crate::fake::{Fake, answers, client, options, refusal, serve};

/// The calls that came in, in order.
type Seen = Arc<Mutex<Vec<String>>>;

fn created() -> CreateMatchResponse {
    let config = MatchConfig { match_id: "m".to_owned(), ..MatchConfig::default() };
    let r#match = Some(Match { config: Some(config), ..Match::default() });
    CreateMatchResponse { r#match, creator_token: "the-creator".to_owned(), ..CreateMatchResponse::default() }
}

fn taken(actions: u32) -> ApplyActionsResponse {
    let apply_result = Some(ApplyResult { actions, line: String::new() });
    ApplyActionsResponse { update: Some(SeatUpdate { apply_result, ..SeatUpdate::default() }) }
}

fn seen(log: &Seen) -> Vec<String> {
    log.lock().unwrap().clone()
}

#[tokio::test]
async fn a_call_that_the_server_could_not_keep_is_made_again_with_its_request_id() {
    let log = Seen::default();
    let ids = Arc::clone(&log);
    let apply = move |request: ApplyActionsRequest, _: &_| {
        let mut ids = ids.lock().unwrap();
        ids.push(request.request_id);
        match ids.len() {
            1 => Err(refusal(ErrorReason::StoreUnavailable, Code::Unavailable, Refusal::default())),
            2 => Err(refusal(ErrorReason::Draining, Code::Unavailable, Refusal::default())),
            _ => Ok(taken(1)),
        }
    };
    let address = serve(Fake { apply_actions: Some(Box::new(apply)), ..Fake::default() }).await;
    let seat = client(address).seat("m", "t");
    let update = seat.apply(Batch::ids([7])).await.expect("in the end");
    assert_eq!(update.apply_result, taken(1).update.unwrap().apply_result);
    let ids = seen(&log);
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");

    seat.apply(Batch::ids([8])).await.expect("another call");
    assert_ne!(seen(&log)[3], ids[0], "another call has another id");
}

/// The answer gets lost with the connection, after the server has done what it was asked for.
#[tokio::test]
async fn a_call_whose_answer_is_lost_is_made_again_with_its_request_id() {
    let log = Seen::default();
    let cutter: Arc<Mutex<Option<Cutter>>> = Arc::default();
    let (ids, cut) = (Arc::clone(&log), Arc::clone(&cutter));
    let create = move |request: CreateMatchRequest, _: &_| {
        let mut ids = ids.lock().unwrap();
        ids.push(request.request_id);
        if ids.len() < 3 {
            cut.lock().unwrap().as_ref().expect("it is there").cut();
        }
        Ok(created())
    };
    let address = serve(Fake { create_match: Some(Box::new(create)), ..Fake::default() }).await;
    let proxy = Cutter::before(address).await;
    let client = client(proxy.address);
    *cutter.lock().unwrap() = Some(proxy);
    client.matches().create(NewMatch::of("skirmish")).await.expect("in the end");
    let ids = seen(&log);
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[tokio::test]
async fn a_request_id_of_ones_own_is_kept() {
    let log = Seen::default();
    let ids = Arc::clone(&log);
    let create = move |request: CreateMatchRequest, _: &_| {
        ids.lock().unwrap().push(request.request_id);
        Ok(created())
    };
    let address = serve(Fake { create_match: Some(Box::new(create)), ..Fake::default() }).await;
    client(address).matches().create(NewMatch::of("skirmish").request_id("mine")).await.expect("made");
    assert_eq!(seen(&log), ["mine"]);
}

#[tokio::test]
async fn a_refusal_comes_with_all_that_it_says() {
    let apply = |_, _: &_| {
        let refused = Refusal {
            index: Some(2),
            rule_violations: vec![RuleViolation {
                code: "CARD_PICKED".to_owned(),
                rule: "2.3".to_owned(),
                text: "A card is picked already".to_owned(),
                ..RuleViolation::default()
            }],
            field_violations: vec![FieldViolation {
                field: "actions.ids[2]".to_owned(),
                description: "no".to_owned(),
            }],
            seq: Some(11),
            ..Refusal::default()
        };
        Err(refusal(ErrorReason::IllegalAction, Code::FailedPrecondition, refused))
    };
    let address = serve(Fake { apply_actions: Some(Box::new(apply)), ..Fake::default() }).await;
    let error = client(address).seat("m", "t").apply(Batch::line("card colours")).await.expect_err("refused");
    let Error::Refused(refused) = error else { panic!("{error:?}") };
    assert_eq!(refused.reason(), ErrorReason::IllegalAction);
    assert_eq!(refused.reason_name(), "ILLEGAL_ACTION");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!((refused.index(), refused.seq()), (Some(2), Some(11)));
    assert_eq!(refused.rule_violations()[0].code, "CARD_PICKED");
    let text = refused.to_string();
    for part in
        ["refused (ILLEGAL_ACTION)", "A card is picked already (CARD_PICKED, rule 2.3)", "actions.ids[2]: no"]
    {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
}

/// A reason of a later version of the wire is a refusal all the same.
#[tokio::test]
async fn an_unknown_reason_is_a_refusal() {
    let apply = |_, _: &_| {
        let status = Refusal { reason: 9_999, code: 9, message: "later".to_owned(), ..Refusal::default() };
        let detail = prost_types::Any::from_msg(&status).unwrap();
        let details = tonic_types::pb::Status { details: vec![detail], ..Default::default() };
        let bytes = prost::Message::encode_to_vec(&details);
        Err(tonic::Status::with_details(Code::FailedPrecondition, "later", bytes.into()))
    };
    let address = serve(Fake { apply_actions: Some(Box::new(apply)), ..Fake::default() }).await;
    let error = client(address).seat("m", "t").apply(Batch::ids([1])).await.expect_err("refused");
    let refused = error.refusal().expect("a refusal");
    assert_eq!((refused.reason(), refused.reason_name().as_str()), (ErrorReason::Unspecified, "reason 9999"));
}

#[tokio::test]
async fn a_call_says_who_makes_it_and_within_which_trace() {
    let log = Seen::default();
    let headers = Arc::clone(&log);
    let note = move |metadata: &tonic::metadata::MetadataMap| {
        for name in ["authorization", "traceparent", "tracestate"] {
            let value = metadata.get(name).and_then(|value| value.to_str().ok()).unwrap_or("none");
            headers.lock().unwrap().push(value.to_owned());
        }
    };
    let also = note.clone();
    let fake = Fake {
        create_match: Some(Box::new(move |_, metadata| {
            note(metadata);
            Ok(created())
        })),
        apply_actions: Some(Box::new(move |_, metadata| {
            also(metadata);
            Ok(taken(1))
        })),
        ..Fake::default()
    };
    let address = serve(fake).await;
    let context = || {
        let context =
            TraceContext::new(0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c, 0xb7ad_6b71_6920_3331, true);
        Some(TraceContext { tracestate: Some("a=1".to_owned()), ..context })
    };
    let client = Client::with(options(address).key("the-key").unwrap().trace(context)).unwrap();
    client.matches().create(NewMatch::of("skirmish")).await.expect("made");
    client.seat("m", "the-token").apply(Batch::ids([1])).await.expect("taken");
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    assert_eq!(seen(&log), ["Bearer the-key", parent, "a=1", "Bearer the-token", parent, "a=1"]);
}

#[tokio::test]
async fn without_a_key_or_a_trace_nothing_is_said() {
    let log = Seen::default();
    let headers = Arc::clone(&log);
    let create = move |_, metadata: &tonic::metadata::MetadataMap| {
        let said = ["authorization", "traceparent"].map(|name| metadata.contains_key(name));
        headers.lock().unwrap().push(format!("{said:?}"));
        Ok(created())
    };
    let address = serve(Fake { create_match: Some(Box::new(create)), ..Fake::default() }).await;
    client(address).matches().create(NewMatch::of("skirmish")).await.expect("made");
    assert_eq!(seen(&log), ["[false, false]"]);
}

#[tokio::test]
async fn a_token_that_is_no_header_is_refused_and_none_is_shown() {
    let client = Client::lazy("http://127.0.0.1:1").expect("a URL");
    let seat = client.seat("m", "line\nfeed");
    assert!(matches!(seat.apply(Batch::ids([1])).await, Err(Error::InvalidToken)));
    assert!(!format!("{:?}", client.seat("m", "secret")).contains("secret"));
    let join = edgehill_client::JoinRequest::of("m").invitation("secret").entropy([3; 32]);
    assert!(!format!("{join:?}").contains("secret"), "{join:?}");
}

#[tokio::test]
async fn urls_that_are_none_are_refused() {
    for url in ["localhost:7400", "ftp://localhost", "", "http://"] {
        assert!(matches!(Client::lazy(url), Err(Error::InvalidUrl { .. })), "{url}");
    }
}

/// A wrong port: the first call fails long before a server that was there would be given up, and says what to try.
#[tokio::test]
async fn nobody_is_waited_for_who_never_answered() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let url = format!("http://{free}");
    let began = Instant::now();
    let lazy = Client::lazy(&url).expect("a URL").matches().get("m").await.expect_err("nothing is there");
    assert!(began.elapsed() < RetryPolicy::default().deadline, "{:?}", began.elapsed());
    let began = Instant::now();
    let eager = Client::connect(&url).await.expect_err("nothing is there");
    assert!(began.elapsed() < RetryPolicy::default().deadline, "{:?}", began.elapsed());
    for error in [lazy, eager] {
        assert!(matches!(error, Error::Connect { .. }), "{error}");
        for part in [url.as_str(), "refused", "make run", "port"] {
            assert!(error.to_string().contains(part), "`{part}` is not in: {error}");
        }
    }
    let once = RetryPolicy { first_connection: Duration::ZERO, ..RetryPolicy::default() };
    let began = Instant::now();
    let answer = Client::open(options(free).retry_policy(once)).await;
    assert!(matches!(answer, Err(Error::Connect { .. })), "{answer:?}");
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_match_is_taken_back_by_the_token_of_its_creator() {
    let log = Seen::default();
    let tokens = Arc::clone(&log);
    let fake = Fake {
        create_match: Some(Box::new(|_, _: &_| Ok(created()))),
        abort_match: Some(Box::new(move |request: AbortMatchRequest, _: &_| {
            tokens.lock().unwrap().push(request.creator_token);
            Ok(AbortMatchResponse { r#match: created().r#match })
        })),
        ..Fake::default()
    };
    let client = client(serve(fake).await);
    let made = client.matches().create(NewMatch::of("skirmish")).await.expect("made");
    assert!(!format!("{made:?}").contains("the-creator"), "{made:?}");
    client.matches().abort(made.match_id(), Some(&made.creator_token)).await.expect("taken back");
    client.matches().abort(made.match_id(), None).await.expect("taken back");
    assert_eq!(seen(&log), ["the-creator", ""]);
}

/// The parts of a record are joined; a stream that breaks begins anew.
#[tokio::test]
async fn a_record_is_joined_from_its_parts() {
    let tries: Arc<Mutex<usize>> = Arc::default();
    let count = Arc::clone(&tries);
    let export = move |request: ExportRecordRequest| {
        assert_eq!(request.match_id, "m");
        let (sender, receiver) = answers();
        let mut count = count.lock().unwrap();
        *count += 1;
        for text in ["edgehill record", " 2\n", "game skirmish\n"] {
            let _ = sender.send(Ok(ExportRecordResponse { text: text.to_owned(), complete: true }));
            if *count == 1 {
                let _ = sender.send(Err(tonic::Status::unavailable("it breaks")));
                break;
            }
        }
        receiver
    };
    let address = serve(Fake { export_record: Some(Box::new(export)), ..Fake::default() }).await;
    let record = client(address).matches().record("m").await.expect("a record");
    assert_eq!((record.text.as_str(), record.complete), ("edgehill record 2\ngame skirmish\n", true));
    assert_eq!(*tries.lock().unwrap(), 2);
}

/// A refusal that is no rule's says its reason once.
#[tokio::test]
async fn a_refusal_without_a_rule_does_not_repeat_itself() {
    let apply = |_, _: &_| {
        let violation = RuleViolation {
            code: "NOT_YOUR_TURN".to_owned(),
            rule: "contract".to_owned(),
            ..RuleViolation::default()
        };
        let refused = Refusal { rule_violations: vec![violation], ..Refusal::default() };
        Err(refusal(ErrorReason::NotYourTurn, Code::FailedPrecondition, refused))
    };
    let address = serve(Fake { apply_actions: Some(Box::new(apply)), ..Fake::default() }).await;
    let error = client(address).seat("m", "t").apply(Batch::ids([1])).await.expect_err("refused");
    assert_eq!(error.to_string(), "refused (NOT_YOUR_TURN)");
}
