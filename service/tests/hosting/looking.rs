//! The visible state: views now and at the beginning, legal actions, reasons, records.

use edgehill_engine::record::{Record, verify};
use edgehill_proto::v1::{self, ErrorReason, LegalDetail};

use crate::accounts::Keys;
use crate::kit::{HasMatch, Seated, assert_field, by, exported, ids, join, reason, resign, skirmish};
use crate::running::Start;

#[tokio::test]
async fn a_view_is_of_now_or_of_the_beginning() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let view = |at_seq: Option<u64>, observer| v1::GetViewRequest {
        match_id: seated.id.clone(),
        at_seq,
        observer,
        include_text: false,
    };
    let start = view(Some(0), None);
    let own = client.get_view(by(&seated.tokens[0], start.clone())).await.unwrap().into_inner();
    let public = client.get_view(start.clone()).await.unwrap().into_inner();
    seated.choose_cards(&mut client).await;
    // The beginning stays as it was, although much has happened.
    let again = client.get_view(by(&seated.tokens[0], start.clone())).await.unwrap().into_inner();
    assert_eq!((own.seq, &again.view), (0, &own.view));
    assert_eq!(client.get_view(start).await.unwrap().into_inner().view, public.view);
    let now = client.get_view(by(&seated.tokens[0], view(None, None))).await.unwrap().into_inner();
    assert_ne!(now.view, own.view);
    // A seat may ask for what spectators see, and sees just that.
    let observer = Some(v1::Observer { seat: None });
    let seen = client.get_view(by(&seated.tokens[0], view(None, observer))).await.unwrap().into_inner();
    let public = client.get_view(view(None, None)).await.unwrap().into_inner();
    assert_eq!(seen, public);
    let other = Some(v1::Observer { seat: Some(1) });
    assert_eq!(reason(client.get_view(view(None, other)).await), ErrorReason::NotAllowed);
    for other in [1, 5, u64::MAX] {
        assert_field(
            client.get_view(view(Some(other), None)).await,
            ErrorReason::UnsupportedMoment,
            "at_seq",
        );
    }
    // Text only where it is wanted.
    let words = v1::GetViewRequest { include_text: true, ..view(None, None) };
    let prompt = |seen: v1::GetViewResponse| seen.view.unwrap().turn_state.unwrap().prompt.unwrap().text;
    assert!(!prompt(client.get_view(words).await.unwrap().into_inner()).is_empty());
    assert!(prompt(public).is_empty());
}

#[tokio::test]
async fn legal_actions_are_listed_as_they_are_asked_for() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { position_json: crate::kit::WINDOW.into(), ..skirmish("l") };
    let seated = Seated::of(&mut client, request).await;
    seated.choose_cards(&mut client).await;
    let base =
        v1::ListLegalActionsRequest { match_id: seated.id.clone(), ..v1::ListLegalActionsRequest::default() };
    let mut legal = async |request| client.list_legal_actions(by(&seated.tokens[0], request)).await;
    let space = |space| v1::Ref { what: Some(v1::r#ref::What::Space(space)) };
    let all = legal(base.clone()).await.unwrap().into_inner().legal_actions.unwrap();
    assert!(all.ids.len() > 2 && all.notations.is_empty() && all.actions.is_empty());
    let full = v1::ListLegalActionsRequest { detail: LegalDetail::Full.into(), ..base.clone() };
    let full = legal(full).await.unwrap().into_inner().legal_actions.unwrap();
    assert_eq!(full.actions.iter().map(|action| action.id).collect::<Vec<_>>(), all.ids);
    let some = v1::ListLegalActionsRequest {
        verbs: vec!["march".into()],
        refs: vec![space(0), space(3)],
        detail: LegalDetail::Notation.into(),
        ..base.clone()
    };
    let some = legal(some).await.unwrap().into_inner().legal_actions.unwrap();
    assert_eq!(some.notations, ["march north-camp ford"]);
    let none = v1::ListLegalActionsRequest { detail: LegalDetail::None.into(), ..base.clone() };
    assert_eq!(legal(none).await.unwrap().into_inner().legal_actions, None);
    for (request, field) in [
        (v1::ListLegalActionsRequest { verbs: vec!["bribe".into()], ..base.clone() }, "verbs[0]"),
        (v1::ListLegalActionsRequest { refs: vec![space(99)], ..base.clone() }, "refs[0]"),
        (v1::ListLegalActionsRequest { refs: vec![v1::Ref::default()], ..base.clone() }, "refs[0]"),
        (v1::ListLegalActionsRequest { refs: vec![space(0); 3], ..base.clone() }, "refs"),
        (v1::ListLegalActionsRequest { detail: 9, ..base.clone() }, "detail"),
    ] {
        assert_field(legal(request).await, ErrorReason::InvalidField, field);
    }
    // A seat that is not to act has no actions.
    let other = client.list_legal_actions(by(&seated.tokens[1], base)).await.unwrap().into_inner();
    assert_eq!((other.to_act, other.legal_actions.unwrap().ids.len()), (false, 0));
}

#[tokio::test]
async fn an_action_is_explained_without_being_tried() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let legal = seated.legal(&mut client, 0).await.legal_actions.unwrap();
    seated.take(&mut client, 0, "card", ids(&[legal.ids[0]])).await;
    let before = seated.sight(&mut client).await;
    let ask = |notation: &str| v1::ExplainActionRequest {
        match_id: seated.id.clone(),
        action: Some(v1::Action { encoding: Some(v1::action::Encoding::Notation(notation.into())) }),
    };
    let no =
        client.explain_action(by(&seated.tokens[0], ask(&legal.notations[1]))).await.unwrap().into_inner();
    assert!(!no.legal && no.rule_violations[0].rule_text.contains("secret"), "{no:?}");
    let yes = client.explain_action(by(&seated.tokens[0], ask("done"))).await.unwrap().into_inner();
    assert!(yes.legal && yes.rule_violations.is_empty());
    let unknown = client.explain_action(by(&seated.tokens[0], ask("surrender"))).await;
    assert_eq!(reason(unknown), ErrorReason::UnknownAction);
    let none = v1::ExplainActionRequest { match_id: seated.id.clone(), action: None };
    assert_field(
        client.explain_action(by(&seated.tokens[0], none)).await,
        ErrorReason::InvalidField,
        "action",
    );
    assert_eq!(seated.sight(&mut client).await, before);
    seated.take(&mut client, 0, "done", crate::kit::notations(&["done"])).await;
    let late = client.explain_action(by(&seated.tokens[0], ask("done"))).await.unwrap().into_inner();
    assert!(!late.legal, "a seat that has committed may do nothing");
}

#[tokio::test]
async fn a_running_record_is_the_referees_and_without_its_seed() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { seed: None, ..skirmish("r") };
    let created = client.create_match(by(&keys.ada, request)).await.unwrap().into_inner();
    let id = created.id();
    let record = || v1::ExportRecordRequest { match_id: id.clone() };
    assert_eq!(reason(client.export_record(by(&keys.umpire, record())).await), ErrorReason::MatchNotStarted);
    assert_eq!(reason(client.export_record(by(&keys.ada, record())).await), ErrorReason::MatchNotStarted);
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let request = v1::JoinMatchRequest {
            entropy: vec![1 + seat as u8; 32],
            ..join(&id, &format!("j{seat}"), seat)
        };
        tokens.push(client.join_match(by(&keys.ada, request)).await.unwrap().into_inner().seat_token);
    }
    for key in [&keys.ada, &keys.eve, &tokens[0]] {
        assert_eq!(reason(client.export_record(by(key, record())).await), ErrorReason::MatchRunning);
    }
    let running_record = exported(client.export_record(by(&keys.umpire, record())).await).await.unwrap();
    assert!(!running_record.complete && running_record.text.contains("withheld"));
    assert!(!running_record.text.contains(&"01".repeat(32)), "entropy is told before the end");
    client.resign_match(by(&tokens[0], resign(&id, "r"))).await.unwrap();
    let over = exported(client.export_record(by(&keys.eve, record())).await).await.unwrap();
    assert!(over.complete);
    let over = Record::parse(&over.text).unwrap();
    let game = running.host.registry().game("skirmish").unwrap();
    let report = verify(&**game, &over, &[]);
    assert!(report.is_consistent(), "{report}");
}
