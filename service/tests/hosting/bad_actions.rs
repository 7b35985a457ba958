//! Actions that can't be taken. The match stays as it is, and the request id is free.

use edgehill_proto::v1::{self, ErrorReason};
use tonic::Code;

use crate::kit::{
    HasBatch, HasMatch, HasResult, Seated, assert_field, by, ids, line, notations, reason, refusal, resign,
    structures,
};
use crate::running::Start;

#[tokio::test]
async fn what_is_no_list_of_actions_is_refused_with_its_field() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let blank = |count| line(&" ".repeat(count));
    let unset = v1::ActionStructure { verb: "card".into(), refs: vec![v1::Ref::default()] };
    let unset = structures(vec![unset]);
    let cases = [
        (v1::ActionList::default(), ErrorReason::EmptyList, "batch.actions"),
        (ids(&[]), ErrorReason::EmptyList, "batch.actions.ids.values"),
        (blank(3), ErrorReason::EmptyList, "batch.actions.line"),
        (blank(257), ErrorReason::LineTooLong, "batch.actions.line"),
        (ids(&vec![0; 10_000]), ErrorReason::ListTooLong, "batch.actions.ids.values"),
        (notations(&["done"; 257]), ErrorReason::ListTooLong, "batch.actions.notations.values"),
        (line("fire all cannons"), ErrorReason::UnreadableLine, "batch.actions.line"),
        (unset, ErrorReason::InvalidField, "batch.actions.structures.values[0].refs[0]"),
    ];
    for (actions, expected, field) in cases {
        let answer = client.apply_actions(by(&seated.tokens[0], seated.apply("bad", actions))).await;
        assert_field(answer, expected, field);
    }
    let done = || seated.apply("bad", notations(&["done"]));
    for (request, expected, field) in [
        (v1::ApplyActionsRequest { batch: None, ..done() }, ErrorReason::EmptyList, "batch.actions"),
        (done().with(|batch| batch.actions = None), ErrorReason::EmptyList, "batch.actions"),
        (done().with(|batch| batch.mode = 9), ErrorReason::InvalidField, "batch.mode"),
    ] {
        assert_field(client.apply_actions(by(&seated.tokens[0], request)).await, expected, field);
    }
    let response_options = Some(v1::ResponseOptions { legal: 9, ..v1::ResponseOptions::default() });
    let options = v1::ApplyActionsRequest { response_options, ..done() };
    let answer = client.apply_actions(by(&seated.tokens[0], options)).await;
    assert_field(answer, ErrorReason::InvalidField, "response_options.legal");
    assert_eq!(seated.sight(&mut client).await, before);
}

#[tokio::test]
async fn an_action_that_the_table_does_not_have_is_unknown_at_its_place() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let verb = v1::ActionStructure { verb: "bribe".into(), refs: Vec::new() };
    let structure = structures(vec![verb]);
    for (actions, index) in [
        (ids(&[0, 9_999]), 1),
        (ids(&[u32::MAX]), 0),
        (ids(&[65_536]), 0),
        (notations(&["done", "done", "surrender"]), 2),
        (notations(&["card fife x"]), 0),
        (notations(&[""]), 0),
        (structure, 0),
    ] {
        let refused =
            refusal(client.apply_actions(by(&seated.tokens[0], seated.apply("bad", actions))).await);
        assert_eq!(
            (refused.reason(), refused.index),
            (ErrorReason::UnknownAction, Some(index)),
            "{}",
            refused.message
        );
    }
    let long = "x".repeat(20_000);
    let refused =
        refusal(client.apply_actions(by(&seated.tokens[0], seated.apply("bad", notations(&[&long])))).await);
    assert!(refused.message.len() <= 512, "a refusal repeats all that was sent");
    assert_eq!(seated.sight(&mut client).await, before);
}

#[tokio::test]
async fn an_action_of_the_other_seat_is_not_ones_own() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    seated.choose_cards(&mut client).await;
    let acting = seated.to_act(&mut client).await.unwrap();
    let waiting = 1 - acting;
    let actions = seated.legal(&mut client, acting).await.legal_actions.unwrap().ids;
    let before = seated.sight(&mut client).await;
    for &action in &actions {
        let answer =
            client.apply_actions(by(&seated.tokens[waiting], seated.apply("bad", ids(&[action])))).await;
        let refused = refusal(answer);
        assert_eq!((refused.reason(), refused.index), (ErrorReason::NotYourTurn, Some(0)));
        assert_eq!(refused.rule_violations[0].code, "NOT_YOUR_TURN");
    }
    assert_eq!(seated.sight(&mut client).await, before);
}

#[tokio::test]
async fn an_illegal_action_has_its_violations_and_nothing_of_its_list_is_taken() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let cards = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids;
    let both = seated.apply("bad", ids(&[cards[0], cards[1]]));
    let status = client.apply_actions(by(&seated.tokens[0], both)).await.unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    let refused = refusal::<()>(Err(status));
    assert_eq!((refused.reason(), refused.index), (ErrorReason::IllegalAction, Some(1)));
    let violation = &refused.rule_violations[0];
    assert_eq!((&*violation.code, &*violation.rule), ("CARD_PICKED", "2.3"));
    assert!(!violation.text.is_empty());
    assert_eq!(seated.sight(&mut client).await, before);
    // The refused id is free for another call.
    seated.take(&mut client, 0, "bad", ids(&[cards[0]])).await;
}

#[tokio::test]
async fn a_list_does_not_run_past_what_is_revealed_unless_it_may_stop_there() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let done = |id| format!("{id}");
    let before = seated.sight(&mut client).await;
    let name = seated.legal(&mut client, 0).await.legal_actions.unwrap().notations[0].clone();
    let actions = || line(&format!("{name}; done; march north-camp ford"));
    for actions in [actions(), notations(&[&name, "done", "march north-camp ford"])] {
        let refused = refusal(client.apply_actions(by(&seated.tokens[0], seated.apply("r", actions))).await);
        assert_eq!((refused.reason(), refused.index), (ErrorReason::ListCrossesReveal, Some(2)));
    }
    assert_eq!(seated.sight(&mut client).await, before);
    let request = seated.apply("r", actions()).until_reveal();
    let taken = client.apply_actions(by(&seated.tokens[0], request)).await.unwrap().into_inner();
    assert_eq!((taken.result().actions, taken.result().line.clone()), (2, format!("{name}; done")));
    let update = taken.update.unwrap();
    assert!(!update.to_act && update.legal_actions.is_none());
    assert_eq!(done(card), card.to_string());
    // It has committed: nothing more, nothing back.
    let more = client.apply_actions(by(&seated.tokens[0], seated.apply("more", ids(&[card])))).await;
    assert_eq!(reason(more), ErrorReason::NotYourTurn);
    let undo = v1::UndoActionsRequest {
        match_id: seated.id.clone(),
        request_id: "u".into(),
        ..v1::UndoActionsRequest::default()
    };
    assert_eq!(reason(client.undo_actions(by(&seated.tokens[0], undo)).await), ErrorReason::Committed);
}

#[tokio::test]
async fn what_was_expected_is_what_is_so() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let legal = seated.legal(&mut client, 0).await;
    let card = legal.legal_actions.unwrap().ids[0];
    let request = |expected: u64, id: &str| seated.apply(id, ids(&[card])).expecting(expected);
    let before = seated.sight(&mut client).await;
    let stale = refusal(client.apply_actions(by(&seated.tokens[0], request(legal.seq - 1, "s"))).await);
    assert_eq!((stale.reason(), stale.seq), (ErrorReason::StaleSequence, Some(legal.seq)));
    let ahead = refusal(client.apply_actions(by(&seated.tokens[0], request(legal.seq + 1, "s"))).await);
    assert_eq!((ahead.reason(), ahead.seq), (ErrorReason::CursorAhead, Some(legal.seq)));
    let ahead = client.apply_actions(by(&seated.tokens[0], request(u64::MAX, "s"))).await;
    assert_eq!(reason(ahead), ErrorReason::CursorAhead);
    assert_eq!(seated.sight(&mut client).await, before);
    let taken =
        client.apply_actions(by(&seated.tokens[0], request(legal.seq, "s"))).await.unwrap().into_inner();
    // A repetition is never stale.
    let again =
        client.apply_actions(by(&seated.tokens[0], request(legal.seq, "s"))).await.unwrap().into_inner();
    assert_eq!(again, taken);
    let undo = v1::UndoActionsRequest {
        match_id: seated.id.clone(),
        request_id: "u".into(),
        span: Some(v1::UndoSpan { expected_seq: Some(legal.seq), ..v1::UndoSpan::default() }),
        ..v1::UndoActionsRequest::default()
    };
    assert_eq!(reason(client.undo_actions(by(&seated.tokens[0], undo)).await), ErrorReason::StaleSequence);
}

#[tokio::test]
async fn only_what_is_in_the_draft_is_taken_back_or_kept() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let undo = |keep| v1::UndoActionsRequest {
        match_id: seated.id.clone(),
        request_id: "u".into(),
        span: Some(v1::UndoSpan { keep_draft_actions: keep, ..v1::UndoSpan::default() }),
        ..v1::UndoActionsRequest::default()
    };
    assert_eq!(
        reason(client.undo_actions(by(&seated.tokens[0], undo(None))).await),
        ErrorReason::NothingToUndo
    );
    assert_eq!(
        reason(client.undo_actions(by(&seated.tokens[0], undo(Some(0)))).await),
        ErrorReason::NothingToUndo
    );
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let keep = |keep| seated.apply("k", ids(&[card])).keeping(keep);
    let nothing = client.apply_actions(by(&seated.tokens[0], keep(1))).await;
    assert!(matches!(reason(nothing), ErrorReason::NothingToUndo | ErrorReason::NoSuchDraftAction));
    seated.take(&mut client, 0, "card", ids(&[card])).await;
    let before = seated.sight(&mut client).await;
    for much in [1, 2, u32::MAX] {
        let answer = client.undo_actions(by(&seated.tokens[0], undo(Some(much)))).await;
        assert_field(answer, ErrorReason::NoSuchDraftAction, "span.keep_draft_actions");
    }
    for much in [2, u32::MAX] {
        let answer = client.apply_actions(by(&seated.tokens[0], keep(much))).await;
        assert_field(answer, ErrorReason::NoSuchDraftAction, "batch.keep_draft_actions");
        let answer =
            client.apply_actions(by(&seated.tokens[0], seated.apply("k", line("done")).keeping(much))).await;
        assert_field(answer, ErrorReason::NoSuchDraftAction, "batch.keep_draft_actions");
    }
    assert_eq!(seated.sight(&mut client).await, before);
}

#[tokio::test]
async fn nothing_is_done_before_the_match_begins_and_after_its_end() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let created = client.create_match(crate::kit::skirmish("early")).await.unwrap().into_inner();
    let id = created.id();
    let token = client.join_match(crate::kit::join(&id, "j", 0)).await.unwrap().into_inner().seat_token;
    let seated = Seated { id: id.clone(), tokens: vec![token] };
    let draw = |id: &str| v1::OfferDrawRequest { match_id: seated.id.clone(), request_id: id.into() };
    for expected in [ErrorReason::MatchNotStarted, ErrorReason::MatchFinished] {
        let apply =
            client.apply_actions(by(&seated.tokens[0], seated.apply("a", notations(&["done"])))).await;
        assert_eq!(reason(apply), expected);
        let apply = client.apply_actions(by(&seated.tokens[0], seated.apply("a", line("done")))).await;
        assert_eq!(reason(apply), expected);
        let undo = v1::UndoActionsRequest {
            match_id: id.clone(),
            request_id: "u".into(),
            ..v1::UndoActionsRequest::default()
        };
        assert_eq!(reason(client.undo_actions(by(&seated.tokens[0], undo)).await), expected);
        assert_eq!(reason(client.offer_draw(by(&seated.tokens[0], draw("d"))).await), expected);
        assert_eq!(reason(client.resign_match(by(&seated.tokens[0], resign(&id, "r"))).await), expected);
        let stand = v1::SetStandingPassesRequest {
            match_id: id.clone(),
            request_id: "p".into(),
            ..v1::SetStandingPassesRequest::default()
        };
        assert_eq!(reason(client.set_standing_passes(by(&seated.tokens[0], stand)).await), expected);
        let reveal = v1::RevealEntropyRequest {
            match_id: id.clone(),
            request_id: "e".into(),
            entropy: vec![1; 32],
            response_options: None,
        };
        assert_eq!(
            reason(client.reveal_entropy(by(&seated.tokens[0], reveal)).await),
            ErrorReason::NotRevealing
        );
        if expected == ErrorReason::MatchNotStarted {
            let legal = v1::ListLegalActionsRequest {
                match_id: id.clone(),
                ..v1::ListLegalActionsRequest::default()
            };
            assert_eq!(reason(client.list_legal_actions(by(&seated.tokens[0], legal)).await), expected);
            let view = v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
            assert_eq!(reason(client.get_view(view).await), expected);
            client.join_match(crate::kit::join(&id, "k", 1)).await.unwrap();
            client.resign_match(by(&seated.tokens[0], resign(&id, "end"))).await.unwrap();
        }
    }
    assert_eq!(reason(client.join_match(crate::kit::join(&id, "late", 0)).await), ErrorReason::MatchFinished);
}

#[tokio::test]
async fn standing_passes_are_as_they_can_be() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let pass = |window: &str, scope: v1::PassScope, procedure| v1::StandingPass {
        window: window.into(),
        scope: scope.into(),
        procedure,
    };
    let always = v1::PassScope::Always;
    for (passes, field) in [
        (vec![pass("", v1::PassScope::Unspecified, 0)], "standing_passes[0].scope"),
        (vec![pass("", always, 0), pass("", always, 1)], "standing_passes[1].procedure"),
        (vec![pass(&"x".repeat(65), always, 0)], "standing_passes[0].window"),
        (vec![pass("", always, 0); 65], "standing_passes"),
    ] {
        let request = v1::SetStandingPassesRequest {
            match_id: seated.id.clone(),
            request_id: "p".into(),
            standing_passes: passes,
            response_options: None,
        };
        let answer = client.set_standing_passes(by(&seated.tokens[0], request)).await;
        assert_field(answer, ErrorReason::InvalidField, field);
    }
    assert_eq!(seated.sight(&mut client).await, before);
}
