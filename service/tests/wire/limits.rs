//! The limits are those of the wire's comments.

use edgehill_proto::v1::{self, LimitName};
use edgehill_service::limits::Limits;

use crate::comments;

/// The default that a comment gives: the first number after its first semicolon.
fn stated(comment: &str) -> u64 {
    let (_, rest) = comment.split_once("; ").unwrap_or_else(|| panic!("no default in {comment}"));
    // From the end: `from the moment when ...; 600.`
    let rest = rest.rsplit("; ").next().unwrap_or(rest);
    let digits: String =
        rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no default in {comment}"))
}

#[test]
fn every_limit_is_served_in_order_with_the_default_of_its_comment() {
    let comments = comments::of_values("LimitName");
    let served = Limits::default().all();
    assert_eq!(served.len(), comments.len() - 1, "all but UNSPECIFIED");
    for (place, limit) in served.iter().enumerate() {
        assert_eq!(limit.name, place as i32 + 1);
        let name = limit.name().as_str_name();
        assert_eq!(
            (limit.value, limit.default_value),
            (stated(&comments[name]), stated(&comments[name])),
            "{name}"
        );
    }
}

#[test]
fn what_is_set_is_served_beside_its_default() {
    let limits = Limits { page_matches: 20, reveal_seconds: 30, ..Limits::default() };
    assert_eq!(limits.check(), Ok(()));
    let served =
        |name: LimitName| limits.all().into_iter().find(|limit| limit.name() == name).expect("it is served");
    let limit = |name: LimitName, value, default_value| v1::Limit { name: name.into(), value, default_value };
    assert_eq!(served(LimitName::PageMatches), limit(LimitName::PageMatches, 20, 100));
    assert_eq!(served(LimitName::RevealSeconds), limit(LimitName::RevealSeconds, 30, 600));
}

#[test]
fn what_the_server_can_not_keep_to_is_refused_by_name() {
    let default = Limits::default();
    assert_eq!(default.check(), Ok(()));
    for (limits, name) in [
        (Limits { request_bytes: 100, ..default }, LimitName::RequestBytes),
        (Limits { position_bytes: default.request_bytes + 1, ..default }, LimitName::PositionBytes),
        (Limits { request_id_bytes: 65, ..default }, LimitName::RequestIdBytes),
        (Limits { player_bytes: 0, ..default }, LimitName::PlayerBytes),
        (Limits { stream_seats: 0, ..default }, LimitName::StreamSeats),
        (Limits { streams: usize::MAX, ..default }, LimitName::Streams),
        (Limits { message_events: 0, ..default }, LimitName::MessageEvents),
        (Limits { page_matches: 257, ..default }, LimitName::PageMatches),
        (Limits { open_matches: 0, ..default }, LimitName::OpenMatches),
        (Limits { waiting_matches: 0, ..default }, LimitName::WaitingMatches),
        (Limits { group_matches: 1, ..default }, LimitName::GroupMatches),
        (Limits { reveal_seconds: 0, ..default }, LimitName::RevealSeconds),
    ] {
        let error = limits.check().expect_err("it is out of bounds");
        assert_eq!(error.name, name);
        assert!(error.to_string().starts_with(name.as_str_name()), "{error}");
    }
}

#[test]
fn limits_are_read_from_a_table() {
    let read: Limits = toml::from_str("streams = 8").expect("a limit");
    assert_eq!(read, Limits { streams: 8, ..Limits::default() });
    assert!(toml::from_str::<Limits>("list_actions = 300").is_err(), "it is fixed by the engine");
}
