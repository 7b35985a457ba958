//! Refusals in the status of a call, and out of it again.

use std::time::Duration;

use edgehill_engine::registry::UnknownGame;
use edgehill_engine::seat::Seat;
use edgehill_engine::table::{ApplyMode, Refusal};
use edgehill_proto::v1::{self, ErrorReason, LimitName};
use edgehill_service::wire::{Refused, VIOLATIONS_MAX, refusal, status};
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::{below, error_reasons, game, matches, play};

/// Number of bytes of trailers that some clients take.
const TRAILER_BYTES_MAX: usize = 8 * 1024;

/// At most as many bytes as the trailers of a status have: details in base64, letters of the message by their codes.
fn trailer_bytes(status: &Status) -> usize {
    status.details().len().div_ceil(3) * 4 + status.message().len() * 3
}

fn violation(code: &str) -> v1::RuleViolation {
    v1::RuleViolation {
        code: code.to_owned(),
        rule: "2.3".to_owned(),
        text: "Picked".to_owned(),
        ..v1::RuleViolation::default()
    }
}

#[test]
fn every_reason_goes_into_a_status_and_comes_out_of_it() {
    for reason in error_reasons::all() {
        let refused = Refused::of(reason)
            .at(3)
            .rule_violations([violation("CARD_PICKED"), violation("NO_SUCH_CARD")])
            .violation("actions", "expected something else")
            .with_seq(12)
            .retry_after(Duration::from_millis(1_500));
        let message = refused.refusal().clone();
        let status = Status::from(refused.clone());
        assert_eq!((status.code(), status.message()), (refused.code(), &*message.message));
        assert_eq!(status::read(&status), Some(message));
        let info = status.get_details_error_info().expect("there always is one");
        assert_eq!(
            (&*info.domain, &*info.reason),
            ("edgehill", reason.as_str_name().trim_start_matches("ERROR_REASON_"))
        );
        let mut metadata: Vec<(&str, &str)> =
            info.metadata.iter().map(|(key, value)| (&**key, &**value)).collect();
        metadata.sort_unstable();
        assert_eq!(metadata, [("index", "3"), ("seq", "12"), ("violation", "CARD_PICKED")]);
        let request = status.get_details_bad_request().expect("a field is at fault");
        assert_eq!(request.field_violations[0].field, "actions");
        assert_eq!(request.field_violations[0].description, "expected something else");
        let retry = status.get_details_retry_info().expect("waiting helps");
        assert_eq!(retry.retry_delay, Some(Duration::from_millis(1_500)));
    }
}

#[test]
fn details_that_do_not_apply_are_left_out() {
    let status = Status::from(Refused::of(ErrorReason::MatchFinished));
    assert!(status.get_details_bad_request().is_none() && status.get_details_retry_info().is_none());
    assert!(status.get_details_error_info().expect("there always is one").metadata.is_empty());
    assert_eq!(
        status.check_error_details_vec().expect("they can be read").len(),
        1,
        "and the refusal, unknown to it"
    );
    for transport in [
        Status::internal("no message of this API"),
        Status::with_details(Code::Internal, "", vec![7; 9].into()),
    ] {
        assert_eq!(status::read(&transport), None);
    }
}

#[test]
fn refusals_with_something_of_their_own_carry_it() {
    let stale = Refused::stale(Seat::new(0), 9, 10).into_refusal();
    assert_eq!(
        (stale.reason(), stale.seq, &*stale.message),
        (ErrorReason::StaleSequence, Some(10), "the sequence of seat 0 is at 10, and `expected_seq` is 9")
    );
    assert_eq!(stale.field_violations[0].field, "expected_seq");
    let limit = Status::from(Refused::limit_reached(LimitName::StreamSeats, 1_024));
    let info = limit.get_details_error_info().expect("there always is one");
    assert_eq!(info.metadata["limit"], "LIMIT_NAME_STREAM_SEATS");
    assert!(limit.message().contains("LIMIT_NAME_STREAM_SEATS") && limit.message().contains("1024"));
    let wait = Duration::from_secs(2);
    for (refused, reason) in [
        (Refused::rate_limited(wait), ErrorReason::RateLimited),
        (Refused::store_unavailable(wait), ErrorReason::StoreUnavailable),
        (Refused::draining(wait), ErrorReason::Draining),
    ] {
        assert_eq!(
            (refused.reason(), refused.refusal().retry_after),
            (reason, Some(prost_types::Duration { seconds: 2, nanos: 0 }))
        );
    }
    let unknown = UnknownGame { given: "chess".to_owned(), known: "skirmish".to_owned() };
    let unknown = Refused::from(unknown);
    assert_eq!((unknown.code(), unknown.reason()), (Code::NotFound, ErrorReason::UnknownGame));
    assert_eq!(unknown.to_string(), "UNKNOWN_GAME: game `chess`: this server has skirmish");
    let inner = Refused::field("actions", "expected at least one").within("apply").into_refusal();
    assert_eq!(inner.field_violations[0].field, "apply.actions");
}

#[test]
fn equal_refusals_are_equal_bytes() {
    let bytes = || {
        Status::from(Refused::stale(Seat::new(1), 3, 4).at(2).rule_violations([violation("A")]))
            .details()
            .to_vec()
    };
    let first = bytes();
    assert!((0..20).all(|_| bytes() == first));
}

#[test]
fn whatever_a_caller_sent_trailers_stay_small() {
    for letter in ["x", "é", "\u{1f3f0}", "\0"] {
        let long = letter.repeat(60_000);
        let mut refused = Refused::new(ErrorReason::InvalidField, &*long);
        for _ in 0..VIOLATIONS_MAX + 3 {
            refused = refused.violation(&*long, &*long);
        }
        assert_eq!(refused.refusal().field_violations.len(), VIOLATIONS_MAX);
        let refused = refused.at(usize::MAX).with_seq(u64::MAX).retry_after(Duration::MAX);
        let status = Status::from(refused.within(&long));
        assert!(trailer_bytes(&status) <= TRAILER_BYTES_MAX, "{}", trailer_bytes(&status));
        let read = status::read(&status).expect("its own details");
        assert!(read.message.ends_with("..."));
    }
}

#[test]
fn refusals_of_play_fit_into_trailers() {
    let mut largest = 0;
    for mut table in matches(3) {
        play(&mut *table, 3, |table, rng| {
            let size = table.catalogue().actions.len();
            for seat in table.node().to_act().iter() {
                let action = edgehill_engine::action::ActionId(below(size, rng) as u16);
                let rule_violations = table.rule_violations(seat, action);
                if !rule_violations.is_empty() {
                    let refused = Refusal::Action { index: 255, action, rule_violations };
                    let status = Status::from(refusal::of(table.catalogue(), refused));
                    largest = largest.max(trailer_bytes(&status));
                }
            }
        });
    }
    assert!((1..=TRAILER_BYTES_MAX).contains(&largest), "{largest}");
    let mut table = crate::open(&*game("skirmish"));
    assert!(table.apply(Seat::new(0), &[], ApplyMode::Atomic).is_err());
}
