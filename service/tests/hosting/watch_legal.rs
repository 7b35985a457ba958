//! `WatchMatch` with `legal`: a client without a stream in two directions is told when its seat is to act.

use edgehill_proto::v1::{self, ErrorReason, LegalDetail, MatchStatus};
use tonic::Streaming;

use crate::accounts::Keys;
use crate::kit::{
    HasBatch, HasMatch, Seated, assert_field, by, ids, join, notations, reason, refusal, resign, skirmish,
    soon, watch,
};
use crate::player::Player;
use crate::running::{Client, Start};

/// A seat's stream with its legal actions.
struct Prompted {
    updates: Streaming<v1::WatchMatchResponse>,
}

impl Prompted {
    async fn of(client: &mut Client, seated: &Seated, seat: usize, after: u64, legal: LegalDetail) -> Self {
        let request = v1::WatchMatchRequest { legal: legal.into(), ..watch(&seated.id, Some(after)) };
        let answer = client.watch_match(by(&seated.tokens[seat], request)).await;
        Self { updates: answer.unwrap().into_inner() }
    }

    async fn next(&mut self) -> Option<v1::SeatUpdate> {
        soon(self.updates.message()).await.unwrap().map(|message| message.update.expect("an update"))
    }

    /// The next update, which is a prompt: the actions.
    async fn prompt(&mut self) -> v1::LegalActions {
        let update = self.next().await.expect("the stream goes on");
        assert!(update.to_act, "{update:?}");
        update.legal_actions.expect("a prompt")
    }
}

#[tokio::test]
async fn a_seat_learns_that_it_is_to_act_with_its_legal_actions() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let listed = seated.legal(&mut client, 0).await.legal_actions.unwrap();
    for (detail, notations, actions) in [
        (LegalDetail::Ids, false, false),
        (LegalDetail::Notation, true, false),
        (LegalDetail::Full, false, true),
    ] {
        let prompt = Prompted::of(&mut client, &seated, 0, 4, detail).await.prompt().await;
        assert_eq!(prompt.ids, listed.ids);
        assert_eq!(
            (!prompt.notations.is_empty(), !prompt.actions.is_empty()),
            (notations, actions),
            "{detail:?}"
        );
    }
    // Without it, or with none, there is no list; that the seat is to act is said all the same.
    for detail in [LegalDetail::Unspecified, LegalDetail::None] {
        let first = Prompted::of(&mut client, &seated, 0, 4, detail).await.next().await.unwrap();
        assert_eq!((first.to_act, first.legal_actions), (true, None), "{detail:?}");
    }
}

#[tokio::test]
async fn a_prompt_comes_once_for_each_call_of_the_seat() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut north = Prompted::of(&mut client, &seated, 0, 4, LegalDetail::Ids).await;
    let cards = north.prompt().await.ids;
    // An event of another seat is no reason to ask again, nor is a refused call.
    let bad = client.apply_actions(by(&seated.tokens[0], seated.apply("bad", ids(&cards)))).await;
    assert_eq!(reason(bad), ErrorReason::IllegalAction);
    let other = seated.legal(&mut client, 1).await.legal_actions.unwrap().ids[0];
    seated.take(&mut client, 1, "c", ids(&[other])).await;
    seated.take(&mut client, 1, "d", notations(&["done"])).await;
    let update = north.next().await.unwrap();
    assert_eq!(update.events.iter().map(|event| &*event.code).collect::<Vec<_>>(), ["committed"]);
    assert_eq!((update.to_act, update.legal_actions), (true, None), "it is asked already");
    // A call of its own that leaves it to act asks anew.
    seated.take(&mut client, 0, "card", ids(&cards[..1])).await;
    let done = north.prompt().await.ids;
    assert_eq!(done, seated.legal(&mut client, 0).await.legal_actions.unwrap().ids);
    let undo = v1::UndoActionsRequest {
        match_id: seated.id.clone(),
        request_id: "u".into(),
        ..v1::UndoActionsRequest::default()
    };
    client.undo_actions(by(&seated.tokens[0], undo)).await.unwrap();
    assert_eq!(north.prompt().await.ids, cards);
    // A stream that is opened again asks again.
    let length = seated.view(&mut client, 0).await.seq;
    let mut again = Prompted::of(&mut client, &seated, 0, length, LegalDetail::Ids).await;
    assert_eq!(again.prompt().await.ids, cards);
    // The end asks nobody.
    client.resign_match(by(&seated.tokens[1], resign(&seated.id, "r"))).await.unwrap();
    for stream in [&mut north, &mut again] {
        let mut last = stream.next().await.unwrap();
        while let Some(update) = stream.next().await {
            last = update;
        }
        assert_eq!((last.to_act, last.legal_actions), (false, None));
        assert_eq!(last.state.unwrap().status(), MatchStatus::Finished);
    }
}

#[tokio::test]
async fn a_seat_that_watches_before_the_match_is_asked_when_it_begins() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("w")).await.unwrap().into_inner().id();
    let token = client.join_match(join(&id, "j0", 0)).await.unwrap().into_inner().seat_token;
    let request = v1::WatchMatchRequest { legal: LegalDetail::Ids.into(), ..watch(&id, None) };
    let answer = client.watch_match(by(&token, request)).await.unwrap();
    let mut north = Prompted { updates: answer.into_inner() };
    let first = north.next().await.unwrap();
    assert_eq!((first.to_act, first.legal_actions, first.view), (false, None, None));
    assert_eq!(first.state.unwrap().status(), MatchStatus::Waiting);
    client.join_match(join(&id, "j1", 1)).await.unwrap();
    let begun = north.next().await.unwrap();
    assert_eq!(begun.state.unwrap().status(), MatchStatus::Running);
    assert!(begun.view.is_some() && begun.to_act && !begun.legal_actions.unwrap().ids.is_empty());
}

#[tokio::test]
async fn legal_actions_are_for_the_seat_itself() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let created = client.create_match(by(&keys.ada, skirmish("a"))).await.unwrap().into_inner();
    let id = created.id();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let joined = client.join_match(by(&keys.ada, join(&id, &format!("j{seat}"), seat))).await.unwrap();
        tokens.push(joined.into_inner().seat_token);
    }
    let seat = |seat| Some(v1::Observer { seat });
    let request = |observer, legal: LegalDetail| v1::WatchMatchRequest {
        observer,
        legal: legal.into(),
        ..watch(&id, None)
    };
    for (key, observer) in [
        (&keys.eve, None),
        (&keys.ada, None),
        (&keys.umpire, seat(Some(0))),
        (&tokens[0], seat(Some(1))),
        (&tokens[0], seat(None)),
    ] {
        let answer = client.watch_match(by(key, request(observer, LegalDetail::Ids))).await;
        let refused = refusal(answer.map(drop));
        assert_eq!(refused.reason(), ErrorReason::NotAllowed, "{observer:?}");
    }
    assert!(client.watch_match(by(&keys.umpire, request(seat(Some(0)), LegalDetail::None))).await.is_ok());
    assert!(client.watch_match(by(&tokens[0], request(seat(Some(0)), LegalDetail::Ids))).await.is_ok());
    let unknown = v1::WatchMatchRequest { legal: 9, ..watch(&id, None) };
    let answer = client.watch_match(by(&tokens[0], unknown)).await;
    assert_field(answer.map(drop), ErrorReason::InvalidField, "legal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_match_is_played_by_watching_and_applying_alone() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut players = Vec::new();
    for seat in 0..2 {
        let (mut client, seated) = (running.client().await, seated.clone());
        players.push(tokio::spawn(async move {
            let mut stream = Prompted::of(&mut client, &seated, seat, 0, LegalDetail::Ids).await;
            let (mut seq, mut calls, mut last) = (0, 0, None);
            while let Some(update) = stream.next().await {
                for event in &update.events {
                    seq += 1;
                    assert_eq!(event.seq, seq);
                }
                assert_eq!(update.seq, seq);
                last = update.state.clone().or(last);
                let Some(legal_actions) = update.legal_actions.clone() else { continue };
                let legal = v1::ListLegalActionsResponse {
                    seq: update.seq,
                    to_act: true,
                    legal_actions: Some(legal_actions),
                    ..v1::ListLegalActionsResponse::default()
                };
                calls += 1;
                let request = seated.apply(&format!("c{calls}"), ids(&[Player::choice(&legal, seat)]));
                // Where both choose in secret, the other's commitment may come first.
                let stale = request.clone().expecting(update.seq);
                match client.apply_actions(by(&seated.tokens[seat], stale)).await {
                    Ok(_) => {}
                    Err(status) => {
                        assert_eq!(reason::<()>(Err(status)), ErrorReason::StaleSequence);
                        let again = client.apply_actions(by(&seated.tokens[seat], request.clone())).await;
                        let legal = seated.legal(&mut client, seat).await;
                        again.unwrap_or_else(|status| {
                            panic!("{request:?}: {status:?}; {update:?}; {legal:?}")
                        });
                    }
                }
            }
            (seq, calls, last.unwrap())
        }));
    }
    for (seat, player) in players.into_iter().enumerate() {
        let (seq, calls, last) = soon(player).await.unwrap();
        assert!(calls > 5, "{calls}");
        assert_eq!(last.status(), MatchStatus::Finished);
        assert_eq!(seq, seated.view(&mut client, seat).await.seq);
    }
}
