//! The vectors that every client is held to (clients/conformance), by this one, which has the rules as well.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD_NO_PAD as STANDARD_NO_PAD;
use edgehill_client::tonic::{Code, Status};
use edgehill_client::v1::{ErrorReason, Event, FILE_DESCRIPTOR_SET, Refusal, SeatUpdate, View};
use edgehill_client::view_tracker::FoldError;
use edgehill_client::{ServerRefusal, Transcript, ViewTracker};
use edgehill_convert::transcript;
use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;
use edgehill_engine::signing::VerifyingKey;
use prost::{Message, Name};
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde::Deserialize;
use serde_json::Value;

/// The vectors of a file, which has to be of this format.
fn vectors(file: &str, format: &str) -> serde_json::Map<String, Value> {
    let mut file: serde_json::Map<String, Value> = serde_json::from_str(file).expect("JSON");
    assert_eq!(file.remove("format"), Some(Value::from(format)));
    file
}

/// A list of vectors, taken out of those that are still to be looked at.
fn list<T: serde::de::DeserializeOwned>(file: &mut serde_json::Map<String, Value>, name: &str) -> Vec<T> {
    let list: Vec<T> = serde_json::from_value(file.remove(name).expect(name)).expect(name);
    assert!(!list.is_empty(), "{name}");
    list
}

fn keys(named: Option<&[String]>) -> Vec<VerifyingKey> {
    let key = |text: &String| {
        let bytes: [u8; 32] = hex::decode(text).ok()?.try_into().ok()?;
        VerifyingKey::from_bytes(&bytes).ok()
    };
    named.into_iter().flatten().filter_map(key).collect()
}

#[derive(Deserialize)]
struct RecordVector {
    name: String,
    text: String,
    signing_keys: Option<Vec<String>>,
    unchecked: Option<BTreeSet<String>>,
    fault: Option<String>,
}

/// With the rules nothing about them is open, nor about the seed where it is there; and two records, in which only a replay finds the fault,
/// do not pass.
#[test]
fn records() {
    const FOUND_BY_REPLAY: [&str; 2] = ["a resignation put in, resealed", "entropy changed, resealed"];
    let mut file = vectors(include_str!("../../../conformance/records.json"), "edgehill-record-vectors/1");
    let games = Registry::built_in().expect("the games load");
    for vector in list::<RecordVector>(&mut file, "records") {
        let signers = keys(vector.signing_keys.as_deref());
        let report = Record::parse(&vector.text).ok().and_then(|record| {
            let game = games.game(&record.header().game).ok()?;
            Some(verify(game.as_ref(), &record, &signers))
        });
        let is_consistent = report.as_ref().is_some_and(|report| report.is_consistent());
        // A key that was named has to have signed: the command's checker is told of keys that it knows, and says who signed.
        let named = vector.signing_keys.is_some();
        let is_known = report.as_ref().is_some_and(|report| report.unchecked.is_empty());
        match (&vector.fault, &vector.unchecked) {
            (Some(fault), None) => {
                let passes = is_consistent && (!named || is_known);
                assert!(!passes, "{}: {fault}", vector.name);
            }
            (None, Some(_)) if FOUND_BY_REPLAY.contains(&&*vector.name) => {
                assert!(!is_consistent, "{}", vector.name);
            }
            (None, Some(unchecked)) => {
                let report = report.unwrap_or_else(|| panic!("{}: it can't be read", vector.name));
                assert!(report.is_consistent(), "{}: {report}", vector.name);
                let open: BTreeSet<_> =
                    report.unchecked.iter().map(|one| one.part.name().to_owned()).collect();
                assert!(open.is_subset(unchecked), "{}: {report}", vector.name);
                let without = |parts: &BTreeSet<String>| -> BTreeSet<String> {
                    parts.iter().filter(|part| !["rules", "seed"].contains(&part.as_str())).cloned().collect()
                };
                assert_eq!(without(&open), without(unchecked), "{}", vector.name);
            }
            other => panic!("{}: {other:?}", vector.name),
        }
    }
    assert!(file.is_empty(), "{file:?}");
}

#[derive(Deserialize)]
struct TranscriptVector {
    name: String,
    text: String,
    signing_keys: Option<Vec<String>>,
    receipts: Option<usize>,
    unproven: Option<Vec<[u64; 2]>>,
    complete: Option<bool>,
    fault: Option<String>,
}

#[test]
fn receipts() {
    let mut file = vectors(include_str!("../../../conformance/receipts.json"), "edgehill-receipt-vectors/1");
    for vector in list::<TranscriptVector>(&mut file, "transcripts") {
        let signers = keys(vector.signing_keys.as_deref());
        let report = Transcript::parse(&vector.text).map(|shown| transcript::check(&shown, &signers));
        match &vector.fault {
            Some(fault) if fault == "text" => assert!(report.is_err(), "{}", vector.name),
            Some(fault) => {
                let report = report.unwrap_or_else(|error| panic!("{}: {error}", vector.name));
                // Whoever is known and has not signed is told apart from a fault here.
                let is_known = matches!(report.signer, Some((_, true)));
                let passes = report.is_consistent() && (is_known || vector.signing_keys.is_none());
                assert!(!passes, "{}: {fault}", vector.name);
            }
            None => {
                let report = report.unwrap_or_else(|error| panic!("{}: {error}", vector.name));
                assert!(report.is_consistent(), "{}: {report}", vector.name);
                assert_eq!(Some(report.receipts), vector.receipts, "{}", vector.name);
                let unproven = report.unproven().iter().map(|range| [*range.start(), *range.end()]).collect();
                assert_eq!(Some(unproven), vector.unproven, "{}", vector.name);
                assert_eq!(Some(report.is_fully_checked()), vector.complete, "{}", vector.name);
            }
        }
    }
    assert!(file.is_empty(), "{file:?}");
}

#[derive(Deserialize)]
struct ReasonVector {
    reason: String,
    number: i32,
    code: String,
}

#[derive(Deserialize)]
struct StatusVector {
    name: String,
    status: i32,
    details: String,
    refusal: Value,
}

/// The list of retries is looked at where calls are repeated, in the client crate.
#[test]
fn errors() {
    let mut file = vectors(include_str!("../../../conformance/errors.json"), "edgehill-error-vectors/1");
    for vector in list::<ReasonVector>(&mut file, "reasons") {
        let reason = ErrorReason::try_from(vector.number).expect("a reason that is known");
        assert_eq!(reason.as_str_name(), format!("ERROR_REASON_{}", vector.reason));
        let refusal =
            Refusal { reason: vector.number, code: code(&vector.code) as i32, ..Refusal::default() };
        let refusal = ServerRefusal::from_status(&carrying(&refusal)).expect("a refusal");
        assert_eq!(refusal.reason_name(), vector.reason);
        assert_eq!(refusal.code(), code(&vector.code));
    }
    for vector in list::<StatusVector>(&mut file, "statuses") {
        let details = base64(&vector.details);
        let status = Status::with_details(Code::from_i32(vector.status), "refused", details.into());
        let refusal = ServerRefusal::from_status(&status).unwrap_or_else(|| panic!("{}", vector.name));
        assert_eq!(refusal.refusal(), &message::<Refusal>(&vector.refusal), "{}", vector.name);
    }
    list::<Value>(&mut file, "retries");
    assert!(file.is_empty(), "{file:?}");
}

fn code(name: &str) -> Code {
    let named = |code: &Code| format!("{code:?}").to_uppercase() == name.replace('_', "");
    (0..17).map(Code::from_i32).find(named).unwrap_or_else(|| panic!("{name} is no code of gRPC"))
}

/// A status with a refusal in its details.
fn carrying(refusal: &Refusal) -> Status {
    let detail = edgehill_client::prost_types::Any::from_msg(refusal).expect("a message with a name");
    // google.rpc.Status has its details in field 3.
    #[derive(Clone, PartialEq, Message)]
    struct RpcStatus {
        #[prost(message, repeated, tag = "3")]
        details: Vec<edgehill_client::prost_types::Any>,
    }
    let details = RpcStatus { details: vec![detail] }.encode_to_vec();
    Status::with_details(Code::from_i32(refusal.code), "refused", details.into())
}

/// A message of protobuf's JSON.
fn message<M: Message + Name + Default>(json: &Value) -> M {
    let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("descriptors");
    let descriptor = pool.get_message_by_name(&M::full_name()).expect("a message of the API");
    let message = DynamicMessage::deserialize(descriptor, json).expect("protobuf's JSON");
    M::decode(message.encode_to_vec().as_slice()).expect("the same message")
}

/// The bytes of base64, with or without padding.
fn base64(text: &str) -> Vec<u8> {
    STANDARD_NO_PAD.decode(text.trim_end_matches('=')).expect("base64")
}

#[derive(Deserialize)]
struct FoldVector {
    game: String,
    observer: Option<u32>,
    start: String,
    events: Vec<String>,
    end: String,
}

#[derive(Deserialize)]
struct TrackerVector {
    name: String,
    seq: String,
    view: Value,
    updates: Vec<Value>,
    expected: ExpectedView,
}

#[derive(Deserialize)]
struct ExpectedView {
    seq: Option<String>,
    view: Option<Value>,
    fault: Option<String>,
}

#[test]
fn folds() {
    let mut file = vectors(include_str!("../../../conformance/folds.json"), "edgehill-fold-vectors/1");
    for vector in list::<FoldVector>(&mut file, "folds") {
        let view = |text: &str| View::decode(base64(text).as_slice()).expect("a view");
        let events: Vec<_> = vector
            .events
            .iter()
            .map(|event| Event::decode(base64(event).as_slice()).expect("an event"))
            .collect();
        let mut tracker = ViewTracker::at(events[0].seq - 1, view(&vector.start));
        tracker.fold(&SeatUpdate { events, ..SeatUpdate::default() }).expect("they fold");
        assert_eq!(tracker.view(), Some(&view(&vector.end)), "{}, {:?}", vector.game, vector.observer);
    }
    for vector in list::<TrackerVector>(&mut file, "trackers") {
        let mut tracker = ViewTracker::at(vector.seq.parse().expect("a number"), message(&vector.view));
        let mut folded = Ok(());
        for update in &vector.updates {
            let update: SeatUpdate = message(update);
            folded = tracker.fold(&update);
            // An answer may leave events out; a stream has the rest then, or a view is asked for.
            if folded.is_ok() && tracker.seq() < update.seq {
                folded = Err(FoldError::Gap { seq: tracker.seq(), event: update.seq });
            }
            if folded.is_err() {
                break;
            }
        }
        match (vector.expected.fault.as_deref(), folded) {
            (None, Ok(())) => {
                assert_eq!(vector.expected.seq, Some(tracker.seq().to_string()), "{}", vector.name);
                let expected = vector.expected.view.as_ref().map(message::<View>);
                assert_eq!(tracker.view(), expected.as_ref(), "{}", vector.name);
            }
            (Some("gap"), Err(FoldError::Gap { .. })) => {}
            (Some("unknown_change"), Err(error)) if !matches!(error, FoldError::Gap { .. }) => {}
            (expected, found) => panic!("{}: {expected:?}, {found:?}", vector.name),
        }
    }
    assert!(file.is_empty(), "{file:?}");
}
