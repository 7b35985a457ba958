use std::sync::{Arc, Mutex};

use edgehill_client::v1::{
    ApplyResponse, CreateResponse, ErrorReason, FieldViolation, Refusal, RuleViolation,
};
use edgehill_client::{Actions, Client, Error, NewMatch, TraceContext};
use tonic::Code;

use crate::cutter::Cutter;
use crate::fake::{Fake, client, options, refusal, serve};

/// The calls that a test has seen, in order.
type Seen = Arc<Mutex<Vec<String>>>;

fn seen(log: &Seen) -> Vec<String> {
    log.lock().unwrap().clone()
}

#[tokio::test]
async fn a_call_that_the_server_could_not_keep_is_made_again_with_its_request_id() {
    let log = Seen::default();
    let ids = Arc::clone(&log);
    let apply = move |request: edgehill_client::v1::ApplyRequest, _: &_| {
        let mut ids = ids.lock().unwrap();
        ids.push(request.request_id);
        match ids.len() {
            1 => Err(refusal(ErrorReason::StoreUnavailable, Code::Unavailable, Refusal::default())),
            2 => Err(refusal(ErrorReason::Draining, Code::Unavailable, Refusal::default())),
            _ => Ok(ApplyResponse { applied: 1, ..ApplyResponse::default() }),
        }
    };
    let address = serve(Fake { apply: Some(Box::new(apply)), ..Fake::default() }).await;
    let seat = client(address).seat("m", "t");
    assert_eq!(seat.apply(Actions::ids([7])).await.expect("in the end").applied, 1);
    let ids = seen(&log);
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");

    seat.apply(Actions::ids([8])).await.expect("another call");
    assert_ne!(seen(&log)[3], ids[0], "another call has another id");
}

/// The answer gets lost with the connection, after the server has done what it was asked for.
#[tokio::test]
async fn a_call_whose_answer_is_lost_is_made_again_with_its_request_id() {
    let log = Seen::default();
    let cutter: Arc<Mutex<Option<Cutter>>> = Arc::default();
    let (ids, cut) = (Arc::clone(&log), Arc::clone(&cutter));
    let create = move |request: edgehill_client::v1::CreateRequest, _: &_| {
        let mut ids = ids.lock().unwrap();
        ids.push(request.request_id);
        if ids.len() < 3 {
            cut.lock().unwrap().as_ref().expect("it is there").cut();
        }
        Ok(CreateResponse::default())
    };
    let address = serve(Fake { create: Some(Box::new(create)), ..Fake::default() }).await;
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
    let create = move |request: edgehill_client::v1::CreateRequest, _: &_| {
        ids.lock().unwrap().push(request.request_id);
        Ok(CreateResponse::default())
    };
    let address = serve(Fake { create: Some(Box::new(create)), ..Fake::default() }).await;
    client(address).matches().create(NewMatch::of("skirmish").request_id("mine")).await.expect("made");
    assert_eq!(seen(&log), ["mine"]);
}

#[tokio::test]
async fn a_refusal_is_told_with_all_that_it_says() {
    let apply = |_, _: &_| {
        let refused = Refusal {
            index: Some(2),
            grounds: vec![RuleViolation {
                code: "CARD_PICKED".to_owned(),
                rule: "2.3".to_owned(),
                refs: Vec::new(),
                words: "A card is picked already".to_owned(),
            }],
            violations: vec![FieldViolation {
                field: "actions.ids[2]".to_owned(),
                description: "no".to_owned(),
            }],
            seq: Some(11),
            ..Refusal::default()
        };
        Err(refusal(ErrorReason::IllegalAction, Code::FailedPrecondition, refused))
    };
    let address = serve(Fake { apply: Some(Box::new(apply)), ..Fake::default() }).await;
    let error =
        client(address).seat("m", "t").apply(Actions::line("card colours")).await.expect_err("refused");
    let Error::Refused(refused) = error else { panic!("{error:?}") };
    assert_eq!(refused.reason(), ErrorReason::IllegalAction);
    assert_eq!(refused.reason_name(), "ILLEGAL_ACTION");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!((refused.index(), refused.seq()), (Some(2), Some(11)));
    assert_eq!(refused.grounds()[0].code, "CARD_PICKED");
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
        let mut status =
            Refusal { reason: 9_999, code: 9, message: "later".to_owned(), ..Refusal::default() };
        status.retry_after_micros = None;
        let detail = prost_types::Any::from_msg(&status).unwrap();
        let details = tonic_types::pb::Status { details: vec![detail], ..Default::default() };
        let bytes = prost::Message::encode_to_vec(&details);
        Err(tonic::Status::with_details(Code::FailedPrecondition, "later", bytes.into()))
    };
    let address = serve(Fake { apply: Some(Box::new(apply)), ..Fake::default() }).await;
    let error = client(address).seat("m", "t").apply(Actions::ids([1])).await.expect_err("refused");
    let refused = error.refused().expect("a refusal");
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
        create: Some(Box::new(move |_, metadata| {
            note(metadata);
            Ok(CreateResponse::default())
        })),
        apply: Some(Box::new(move |_, metadata| {
            also(metadata);
            Ok(ApplyResponse::default())
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
    client.seat("m", "the-token").apply(Actions::ids([1])).await.expect("taken");
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
        Ok(CreateResponse::default())
    };
    let address = serve(Fake { create: Some(Box::new(create)), ..Fake::default() }).await;
    client(address).matches().create(NewMatch::of("skirmish")).await.expect("made");
    assert_eq!(seen(&log), ["[false, false]"]);
}

#[tokio::test]
async fn a_token_that_is_no_header_is_refused_and_none_is_shown() {
    let client = Client::lazy("http://127.0.0.1:1").expect("an address");
    let seat = client.seat("m", "line\nfeed");
    assert!(matches!(seat.apply(Actions::ids([1])).await, Err(Error::Token)));
    assert!(!format!("{:?}", client.seat("m", "secret")).contains("secret"));
    let join = edgehill_client::Join::of("m").invitation("secret").entropy([3; 32]);
    assert!(!format!("{join:?}").contains("secret"), "{join:?}");
}

#[tokio::test]
async fn addresses_that_are_none_are_refused() {
    for url in ["localhost:7400", "ftp://localhost", "", "http://"] {
        assert!(matches!(Client::lazy(url), Err(Error::Address { .. })), "{url}");
    }
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let error = Client::connect(format!("http://{nobody}")).await.expect_err("nothing is there");
    assert!(matches!(error, Error::Nobody { .. }), "{error}");
}
