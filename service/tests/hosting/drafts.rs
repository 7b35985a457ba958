//! Drafts: actions in three encodings, taken back and revised; standing passes in windows.

use edgehill_proto::v1::{self, LegalDetail};

use crate::kit::{HasBatch, HasResult, Seated, WINDOW, by, ids, line, notations, skirmish, structures};
use crate::running::{Client, Start};

async fn draft(seated: &Seated, client: &mut Client, seat: usize) -> Vec<u32> {
    seated.view(client, seat).await.view.unwrap().draft
}

async fn undo(
    seated: &Seated,
    client: &mut Client,
    seat: usize,
    id: &str,
    keep: Option<u32>,
) -> v1::UndoActionsResponse {
    let request = v1::UndoActionsRequest {
        match_id: seated.id.clone(),
        request_id: id.into(),
        span: Some(v1::UndoSpan { keep_draft_actions: keep, ..v1::UndoSpan::default() }),
        response_options: crate::kit::everything(),
    };
    client.undo_actions(by(&seated.tokens[seat], request)).await.unwrap().into_inner()
}

#[tokio::test]
async fn an_action_is_the_same_in_each_encoding() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let request = v1::ListLegalActionsRequest {
        match_id: seated.id.clone(),
        detail: LegalDetail::Full.into(),
        ..v1::ListLegalActionsRequest::default()
    };
    let legal = client
        .list_legal_actions(by(&seated.tokens[0], request))
        .await
        .unwrap()
        .into_inner()
        .legal_actions
        .unwrap();
    let full = &legal.actions[0];
    let structure = v1::ActionStructure { verb: full.verb.clone(), refs: full.refs.clone() };
    let encodings = [
        ids(&[full.id]),
        notations(&[&full.notation.to_uppercase()]),
        structures(vec![structure]),
        line(&full.notation),
    ];
    for (number, actions) in encodings.into_iter().enumerate() {
        let taken = seated.take(&mut client, 0, &format!("t{number}"), actions.clone()).await;
        let is_line = matches!(actions.encoding, Some(v1::action_list::Encoding::Line(_)));
        let expected = if is_line { &full.notation } else { "" };
        assert_eq!((taken.result().actions, &*taken.result().line), (1, expected));
        assert_eq!(draft(&seated, &mut client, 0).await, [full.id]);
        let undone = undo(&seated, &mut client, 0, &format!("u{number}"), None).await;
        assert_eq!(undone.result().actions, 1);
        assert_eq!(draft(&seated, &mut client, 0).await, [] as [u32; 0]);
    }
    // Nothing of it was published to others.
    assert_eq!(seated.view(&mut client, 1).await.seq, 4);
}

#[tokio::test]
async fn a_draft_is_revised_from_where_it_is_kept() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { position_json: WINDOW.into(), ..skirmish("k") };
    let seated = Seated::of(&mut client, request).await;
    seated.choose_cards(&mut client).await;
    let march = ["march north-camp bridge", "take north-1", "take north-2"];
    let taken = seated.take(&mut client, 0, "1", notations(&march)).await;
    assert_eq!(taken.result().actions, 3);
    let before = draft(&seated, &mut client, 0).await;
    assert_eq!(before.len(), 3);
    let seen = seated.view(&mut client, 1).await;
    // A line after a revision is read against the state that it goes on from.
    let revise = |id: &str, keep, actions| seated.apply(id, actions).keeping(keep);
    let request = revise("2", 0, line("march north-camp ford; take north-1"));
    let revised = client.apply_actions(by(&seated.tokens[0], request.clone())).await.unwrap().into_inner();
    assert_eq!(
        (revised.result().actions, &*revised.result().line),
        (2, "march north-camp ford; take north-1")
    );
    let again = client.apply_actions(by(&seated.tokens[0], request)).await.unwrap().into_inner();
    assert_eq!(again, revised);
    assert_eq!(draft(&seated, &mut client, 0).await.len(), 2);
    let request = revise("3", 1, notations(&["take north-2", "take north-3"]));
    client.apply_actions(by(&seated.tokens[0], request)).await.unwrap();
    assert_eq!(draft(&seated, &mut client, 0).await.len(), 3);
    // To keep all is to go on.
    let request = revise("4", 3, line("take north-4"));
    client.apply_actions(by(&seated.tokens[0], request)).await.unwrap();
    assert_eq!(draft(&seated, &mut client, 0).await.len(), 4);
    let undone = undo(&seated, &mut client, 0, "5", Some(1)).await;
    assert_eq!(undone.result().actions, 3);
    assert_eq!(undo(&seated, &mut client, 0, "5", Some(1)).await, undone);
    // None of it was for others.
    assert_eq!(seated.view(&mut client, 1).await, seen);
}

#[tokio::test]
async fn a_window_is_asked_or_passed_as_the_seat_has_left_word() {
    for stands in [false, true] {
        let running = Start::default().run().await;
        let mut client = running.client().await;
        let request = v1::CreateMatchRequest { position_json: WINDOW.into(), ..skirmish("w") };
        let seated = Seated::of(&mut client, request).await;
        seated.choose_cards(&mut client).await;
        let pass = v1::StandingPass { scope: v1::PassScope::Always.into(), ..v1::StandingPass::default() };
        let stand = |id: &str| v1::SetStandingPassesRequest {
            match_id: seated.id.clone(),
            request_id: id.into(),
            standing_passes: vec![pass.clone()],
            response_options: crate::kit::everything(),
        };
        let spectators =
            client.get_match(v1::GetMatchRequest { match_id: seated.id.clone() }).await.unwrap().into_inner();
        if stands {
            client.set_standing_passes(by(&seated.tokens[1], stand("p"))).await.unwrap();
            assert_eq!(seated.view(&mut client, 1).await.standing_passes, std::slice::from_ref(&pass));
            // It is for nobody else to see.
            assert!(seated.view(&mut client, 0).await.standing_passes.is_empty());
            assert_eq!(seated.get(&mut client).await, spectators);
        }
        let march = ["march north-camp ford", "take north-1", "go"];
        let taken = seated.take(&mut client, 0, "march", notations(&march)).await;
        assert_eq!(taken.result().actions, 3);
        assert_eq!(seated.to_act(&mut client).await, Some(usize::from(!stands)));
        if stands {
            continue;
        }
        let window = seated.view(&mut client, 1).await.view.unwrap().turn_state.unwrap().window.unwrap();
        assert_eq!(window.seat, 1);
        assert!(seated.legal(&mut client, 1).await.legal_actions.unwrap().ids.contains(&window.pass_action));
        // A window that is open and covered is passed at once, and once.
        let set = client.set_standing_passes(by(&seated.tokens[1], stand("p"))).await.unwrap().into_inner();
        assert!(!set.update.as_ref().unwrap().to_act);
        let again = client.set_standing_passes(by(&seated.tokens[1], stand("p"))).await.unwrap().into_inner();
        assert_eq!(again, set);
        assert_eq!(seated.to_act(&mut client).await, Some(0));
    }
}

#[tokio::test]
async fn an_answer_has_the_events_that_were_asked_for() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    let request = seated.apply("1", ids(&[card])).expecting(4);
    let taken = client.apply_actions(by(&seated.tokens[0], request)).await.unwrap().into_inner();
    let update = taken.update.unwrap();
    assert_eq!(update.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [5]);
    assert_eq!(update.seq, 5);
    let least = v1::ApplyActionsRequest { response_options: None, ..seated.apply("2", notations(&["done"])) };
    let taken = client.apply_actions(by(&seated.tokens[0], least)).await.unwrap().into_inner();
    let update = taken.update.unwrap();
    assert!(update.events.is_empty() && update.view.is_none() && update.legal_actions.is_none());
}
