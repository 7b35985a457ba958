//! Requests to make a match that name what there is not. Nothing is made.

use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::Code;

use crate::kit::{assert_field, reason, refusal, skirmish};
use crate::running::{Client, Start};

async fn matches(client: &mut Client) -> usize {
    client.list_matches(v1::ListMatchesRequest::default()).await.unwrap().into_inner().matches.len()
}

fn iia(id: &str, value: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: "o".into(),
        game: "english-civil-war-iia".into(),
        options: vec![v1::OptionValue { id: id.into(), value: value.into() }],
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    }
}

fn seats(seats: Vec<v1::SeatConfig>) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { seats, ..skirmish("s") }
}

fn seat(kind: i32, bot: &str) -> v1::SeatConfig {
    v1::SeatConfig { kind, bot: bot.into(), ..v1::SeatConfig::default() }
}

#[tokio::test]
async fn what_there_is_not_is_named_with_what_there_is() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let unknown = client.create_match(v1::CreateMatchRequest { game: "chess".into(), ..skirmish("g") }).await;
    let refused = refusal(unknown);
    assert_eq!((refused.reason(), refused.code), (ErrorReason::UnknownGame, Code::NotFound as i32));
    assert!(refused.message.contains("skirmish"), "{}", refused.message);

    let open = v1::SeatKind::Open.into();
    let bot = v1::SeatKind::HouseBot.into();
    let scenario = v1::CreateMatchRequest { scenario: "waterloo".into(), ..skirmish("s") };
    let cases = [
        (scenario, ErrorReason::UnknownScenario, "scenario"),
        (iia("fog", "true"), ErrorReason::UnknownOption, "options[0].id"),
        (iia("cut_all", "perhaps"), ErrorReason::BadOptionValue, "options[0].value"),
        (iia("max_seasons", "99999999999"), ErrorReason::BadOptionValue, "options[0].value"),
        (seats(vec![seat(bot, "deep-blue")]), ErrorReason::UnknownBot, "seats[0].bot"),
        (seats(vec![seat(open, "random")]), ErrorReason::InvalidField, "seats[0].bot"),
        (seats(vec![seat(77, "")]), ErrorReason::InvalidField, "seats[0].kind"),
        (seats(vec![seat(open, ""); 3]), ErrorReason::InvalidField, "seats"),
        (
            v1::CreateMatchRequest { entropy_mode: 9, ..skirmish("e") },
            ErrorReason::InvalidField,
            "entropy_mode",
        ),
    ];
    for (request, reason, field) in cases {
        assert_field(client.create_match(request).await, reason, field);
    }
    assert_eq!(matches(&mut client).await, 0);
}

#[tokio::test]
async fn options_come_once_and_all_that_are_wrong_are_told() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let option = |id: &str, value: &str| v1::OptionValue { id: id.into(), value: value.into() };
    let twice = vec![option("cut_all", "true"), option("cut_all", "true")];
    let request = v1::CreateMatchRequest { options: twice, ..iia("cut_all", "true") };
    assert_field(client.create_match(request).await, ErrorReason::InvalidField, "options[1].id");
    let wrong = vec![option("fog", "x"), option("cut_all", "x")];
    let refused =
        refusal(client.create_match(v1::CreateMatchRequest { options: wrong, ..iia("", "") }).await);
    let fields: Vec<&str> = refused.field_violations.iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["options[0].id", "options[1].value"]);
}

#[tokio::test]
async fn rules_are_those_that_are_played_here() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let with = |number, content_hash| {
        let rules = Some(v1::RulesVersion { number, content_hash });
        v1::CreateMatchRequest { rules, ..skirmish("p") }
    };
    assert_field(client.create_match(with(9, Vec::new())).await, ErrorReason::RulesChanged, "rules.number");
    assert_field(
        client.create_match(with(0, vec![1; 32])).await,
        ErrorReason::RulesChanged,
        "rules.content_hash",
    );
    assert_field(
        client.create_match(with(1, vec![1; 31])).await,
        ErrorReason::InvalidField,
        "rules.content_hash",
    );
    assert!(client.create_match(with(1, Vec::new())).await.is_ok());
}

#[tokio::test]
async fn request_ids_have_1_to_64_bytes() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    for id in ["", &"x".repeat(65), &"ö".repeat(33)] {
        assert_field(client.create_match(skirmish(id)).await, ErrorReason::InvalidField, "request_id");
    }
    assert_eq!(matches(&mut client).await, 0);
    for id in ["x".repeat(64), "\0".to_owned(), "ö".repeat(32)] {
        assert!(client.create_match(skirmish(&id)).await.is_ok(), "{id:?}");
    }
}

#[tokio::test]
async fn positions_are_json_that_the_game_accepts() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let mut at = async |text: &str| {
        let position_json = text.to_owned();
        client.create_match(v1::CreateMatchRequest { position_json, ..skirmish("j") }).await
    };
    let deep = "[".repeat(20_000);
    let long = format!("\"{}\"", "x".repeat(32_768));
    for text in ["{", "nonsense", " ", &deep, &long, "1e999"] {
        assert_field(at(text).await, ErrorReason::InvalidField, "position_json");
    }
    for (text, field) in [
        ("[]", "position_json"),
        (r#"{"weather": "rain"}"#, "position_json.weather"),
        (r#"{"turn": 99}"#, "position_json.turn"),
        (r#"{"turn": -1}"#, "position_json.turn"),
        (r#"{"hands": {"north": ["ace"]}}"#, "position_json.hands.north[0]"),
        (r#"{"blocks": {"east": {}}}"#, "position_json.blocks.east"),
    ] {
        assert_field(at(text).await, ErrorReason::BadPosition, field);
    }
    assert_eq!(matches(&mut client).await, 0);
}

#[tokio::test]
async fn seeds_are_32_bytes_and_groups_fit() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let mut with =
        async |seed| client.create_match(v1::CreateMatchRequest { seed: Some(seed), ..skirmish("d") }).await;
    for bytes in [vec![], vec![1; 31], vec![1; 33]] {
        assert_field(with(Seed::ChosenSeed(bytes)).await, ErrorReason::InvalidField, "chosen_seed");
    }
    let group = |matches, entrants, seat_entrants: &[u32]| {
        let seat_entrants = seat_entrants.to_vec();
        Seed::Group(v1::SeedGroup { group_id: String::new(), matches, entrants, seat_entrants })
    };
    for (seed, field) in [
        (group(1, 2, &[0, 1]), "group.matches"),
        (group(257, 2, &[0, 1]), "group.matches"),
        (group(0, 2, &[0, 1]), "group.matches"),
        (group(2, 0, &[0, 1]), "group.entrants"),
        (group(2, 257, &[0, 1]), "group.entrants"),
        (group(2, 2, &[0]), "group.seat_entrants"),
        (group(2, 2, &[0, 2]), "group.seat_entrants"),
        (group(2, 2, &[0, u32::MAX]), "group.seat_entrants"),
    ] {
        assert_field(with(seed).await, ErrorReason::InvalidField, field);
    }
    for id in ["nonsense", "01890000-0000-7000-8000-000000000000"] {
        let group =
            v1::SeedGroup { group_id: id.into(), seat_entrants: vec![0, 1], ..v1::SeedGroup::default() };
        assert_eq!(reason(with(Seed::Group(group)).await), ErrorReason::UnknownGroup, "{id}");
    }
    let reveal = v1::EntropyMode::CommitReveal.into();
    let both = v1::CreateMatchRequest { entropy_mode: reveal, ..skirmish("b") };
    assert_field(client.create_match(both).await, ErrorReason::InvalidField, "entropy_mode");
    assert_eq!(matches(&mut client).await, 0);
}
