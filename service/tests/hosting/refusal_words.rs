//! Refusals that say in their message what their caller needs to know.

use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};

use crate::kit::{
    HasBatch, HasMatch, Seated, assert_field, batch, by, ids, join, notations, refusal, resign, skirmish,
    watch,
};
use crate::running::{File, Start};
use crate::stage::{Stage, open, open_at};

#[tokio::test]
async fn an_empty_match_id_names_the_field() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let (token, bad) = (&seated.tokens[0], ErrorReason::InvalidField);
    assert_field(client.get_match(v1::GetMatchRequest::default()).await, bad, "match_id");
    assert_field(client.get_view(v1::GetViewRequest::default()).await, bad, "match_id");
    assert_field(client.join_match(join("", "j", 0)).await, bad, "match_id");
    assert_field(client.watch_match(watch("", None)).await.map(drop), bad, "match_id");
    let record = client.export_record(v1::ExportRecordRequest::default()).await;
    assert_field(record.map(drop), bad, "match_id");
    let abort = v1::AbortMatchRequest { request_id: "a".into(), ..v1::AbortMatchRequest::default() };
    assert_field(client.abort_match(abort).await, bad, "match_id");
    assert_field(client.resign_match(by(token, resign("", "r"))).await, bad, "match_id");
    let apply =
        v1::ApplyActionsRequest { match_id: String::new(), ..seated.apply("a", notations(&["done"])) };
    let refused = refusal(client.apply_actions(by(token, apply)).await);
    assert_eq!(refused.field_violations[0].field, "match_id");
    assert!(refused.message.starts_with("match_id: "), "{}", refused.message);
}

#[tokio::test]
async fn a_match_that_has_not_begun_says_what_it_waits_for() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("w")).await.unwrap().into_inner().id();
    let view = || v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
    let refused = refusal(client.get_view(view()).await);
    assert_eq!(refused.reason(), ErrorReason::MatchNotStarted);
    assert_eq!(refused.message, "the match has not begun: seats 0 and 1 are free");
    let token = client.join_match(join(&id, "j", 0)).await.unwrap().into_inner().seat_token;
    let seated = Seated { id: id.clone(), tokens: vec![token.clone()] };
    let refused = refusal(client.apply_actions(by(&token, seated.apply("a", notations(&["done"])))).await);
    assert_eq!(refused.message, "the match has not begun: seat 1 is free");

    let entropy_mode = v1::EntropyMode::CommitReveal.into();
    let reveals = v1::CreateMatchRequest { seed: None, entropy_mode, ..skirmish("e") };
    let id = client.create_match(reveals).await.unwrap().into_inner().id();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let entropy = edgehill_engine::dice::Entropy::from_bytes([7; 32]);
        let entropy_commitment = entropy.commit(&id, seat).unwrap().as_bytes().to_vec();
        let bound = v1::JoinMatchRequest { entropy_commitment, ..join(&id, &format!("j{seat}"), seat) };
        tokens.push(client.join_match(bound).await.unwrap().into_inner().seat_token);
    }
    let reveal = v1::RevealEntropyRequest {
        match_id: id.clone(),
        request_id: "e".into(),
        entropy: vec![7; 32],
        response_options: None,
    };
    client.reveal_entropy(by(&tokens[1], reveal)).await.unwrap();
    let refused = refusal(client.resign_match(by(&tokens[1], resign(&id, "r"))).await);
    assert_eq!(refused.message, "the match has not begun: seat 0 is to reveal entropy");

    let group = v1::SeedGroup { group_id: String::new(), matches: 2, entrants: 2, seat_entrants: vec![0, 1] };
    let seed = Some(v1::create_match_request::Seed::Group(group));
    let first = Seated::of(&mut client, v1::CreateMatchRequest { seed, ..skirmish("g") }).await;
    let refused = refusal(client.resign_match(by(&first.tokens[0], resign(&first.id, "r"))).await);
    assert_eq!(refused.message, "the match has not begun: other matches of its seed group are not full");
}

#[tokio::test]
async fn a_wrong_sequence_names_expected_seq() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let token = &seated.tokens[0];
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let apply = |seq| seated.apply("a", ids(&[card])).expecting(seq);
    let stale = refusal(client.apply_actions(by(token, apply(3))).await);
    assert_eq!((stale.reason(), stale.seq), (ErrorReason::StaleSequence, Some(4)));
    assert_eq!(stale.field_violations[0].field, "batch.expected_seq");
    assert_eq!(stale.message, "the sequence of seat 0 is at 4, and `expected_seq` is 3");
    let ahead = refusal(client.apply_actions(by(token, apply(5))).await);
    assert_eq!((ahead.reason(), ahead.seq), (ErrorReason::CursorAhead, Some(4)));
    assert_eq!(ahead.field_violations[0].field, "batch.expected_seq");
    assert!(ahead.message.contains("`expected_seq` is 5"), "{}", ahead.message);
    let undo = v1::UndoActionsRequest {
        match_id: seated.id.clone(),
        request_id: "u".into(),
        span: Some(v1::UndoSpan { expected_seq: Some(3), ..v1::UndoSpan::default() }),
        ..v1::UndoActionsRequest::default()
    };
    assert_field(client.undo_actions(by(token, undo)).await, ErrorReason::StaleSequence, "span.expected_seq");
    // A cursor that is ahead is named, too.
    let answer = client.watch_match(by(token, watch(&seated.id, Some(9)))).await;
    assert_field(answer.map(drop), ErrorReason::CursorAhead, "after_seq");
    let mut stage = Stage::new(&mut client).await;
    for (call, field) in [
        (Call::Open(open_at(token, 9)), "open.after_seq"),
        (Call::Open(open(token)), ""),
        (Call::Apply(batch(ids(&[card])).expecting(3)), "apply.expected_seq"),
        (Call::Undo(v1::UndoSpan { expected_seq: Some(3), ..v1::UndoSpan::default() }), "undo.expected_seq"),
    ] {
        let request_id = if matches!(call, Call::Open(_)) { "" } else { "s" };
        stage.say(0, request_id, call);
        if field.is_empty() {
            stage.opened(0).await;
            stage.update(0, "").await;
            continue;
        }
        let (_, _, Message::Refusal(refused)) = stage.next_message().await else { panic!("no refusal") };
        assert_eq!(refused.field_violations[0].field, field);
    }
}

#[tokio::test]
async fn a_seat_that_is_not_to_act_learns_whose_turn_it_is() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    // Both choose: the one that has chosen waits for the other.
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    seated.take(&mut client, 0, "c", ids(&[card])).await;
    seated.take(&mut client, 0, "d", notations(&["done"])).await;
    let refused = client.apply_actions(by(&seated.tokens[0], seated.apply("x", ids(&[card])))).await;
    let refused = refusal(refused);
    assert_eq!((refused.reason(), refused.index), (ErrorReason::NotYourTurn, Some(0)));
    assert_eq!(refused.message, "it is not the turn of North (seat 0): South (seat 1) is to act");
    let violation = &refused.rule_violations[0];
    assert_eq!((&*violation.code, &*violation.rule), ("NOT_YOUR_TURN", "contract"));
    assert_eq!(violation.text, "another seat is to act");
    for words in [&refused.message, &violation.text] {
        assert!(!words.contains("NOT_YOUR_TURN") && !words.contains("contract"), "{words}");
    }
    // The same of a line, and over a stream.
    let line = client.apply_actions(by(&seated.tokens[0], seated.apply("x", crate::kit::line("done")))).await;
    assert_eq!(refusal(line).message, refused.message);
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&seated.tokens[0]));
    stage.opened(0).await;
    stage.update(0, "").await;
    stage.say(0, "y", Call::Apply(batch(ids(&[card]))));
    let (_, _, Message::Refusal(said)) = stage.next_message().await else { panic!("no refusal") };
    assert_eq!(said.message, refused.message);
    // An explanation says it in words as well.
    let action = Some(v1::Action { encoding: Some(v1::action::Encoding::Id(card)) });
    let explain = v1::ExplainActionRequest { match_id: seated.id.clone(), action };
    let explained = client.explain_action(by(&seated.tokens[0], explain)).await.unwrap().into_inner();
    assert!(explained.rule_violations.iter().all(|one| !one.text.contains("NOT_YOUR_TURN")), "{explained:?}");
}

#[tokio::test]
async fn a_request_id_that_was_used_names_itself_and_the_call_that_had_it() {
    let file = File::new();
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    seated.take(&mut client, 0, "mine", ids(&[card])).await;
    running.close().await;
    // It is known after a restart, too.
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let refused = refusal(client.resign_match(by(&seated.tokens[0], resign(&seated.id, "mine"))).await);
    assert_eq!(refused.reason(), ErrorReason::RequestIdReused);
    assert_eq!(refused.message, "the request id `mine` was used for another call, ApplyActions");
    let offer = v1::OfferDrawRequest { match_id: seated.id.clone(), request_id: "o".into() };
    client.offer_draw(by(&seated.tokens[0], offer)).await.unwrap();
    let refused = refusal(client.resign_match(by(&seated.tokens[0], resign(&seated.id, "o"))).await);
    assert_eq!(refused.message, "the request id `o` was used for another call, OfferDraw");
    let scenario = v1::CreateMatchRequest { scenario: "drill".into(), ..skirmish("kit") };
    let refused = refusal(client.create_match(scenario).await);
    assert_eq!(refused.message, "the request id `kit` was used for another call, CreateMatch");
    let refused = refusal(client.join_match(join(&seated.id, "kit-0", 1)).await);
    assert_eq!(refused.message, "the request id `kit-0` was used for another call, JoinMatch");
    // It is a caller's text: what can't be shown is not.
    let odd = skirmish("a\nb\0");
    client.create_match(odd.clone()).await.unwrap();
    let refused = refusal(client.create_match(v1::CreateMatchRequest { seed: None, ..odd }).await);
    assert_eq!(refused.message, "the request id `a\\nb\\0` was used for another call, CreateMatch");
}

#[tokio::test]
async fn an_unknown_bot_gets_the_list_of_those_that_there_are() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "deep-blue".into(),
        ..v1::SeatConfig::default()
    };
    let refused =
        refusal(client.create_match(v1::CreateMatchRequest { seats: vec![bot], ..skirmish("b") }).await);
    assert_eq!(refused.reason(), ErrorReason::UnknownBot);
    let bots = running.host.registry().game("skirmish").unwrap().bots();
    for bot in &bots {
        assert!(refused.message.contains(bot.name), "{}", refused.message);
    }
    assert!(refused.message.contains("`deep-blue`") && !bots.is_empty(), "{}", refused.message);
}
