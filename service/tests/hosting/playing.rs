//! `PlaySeats`: channels, prompts, saved-up events, refusals.

use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason, LegalDetail, MatchStatus};
use edgehill_service::limits::Limits;

use crate::kit::{HasBatch, HasMatch, HasResult, Seated, batch, by, ids, join, notations, resign, skirmish};
use crate::running::Start;
use crate::stage::{Stage, apply, open, open_at};

fn legal(update: &v1::SeatUpdate) -> Vec<u32> {
    update.legal_actions.as_ref().expect("a prompt").ids.clone()
}

#[tokio::test]
async fn a_seat_is_opened_and_its_first_update_says_how_things_stand() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(7, open(&seated.tokens[1]));
    let opened = stage.opened(7).await;
    let seen = seated.view(&mut client, 1).await;
    assert_eq!((opened.seat, opened.seq(), &opened.view), (1, seen.seq, &seen.view));
    assert_eq!(opened.id(), seated.id);
    let update = stage.update(7, "").await;
    assert_eq!(update.state.as_ref(), Some(&seen.state()));
    assert_eq!(
        (update.seq, legal(&update)),
        (seen.seq, seated.legal(&mut client, 1).await.legal_actions.unwrap().ids)
    );
    assert!(update.events.is_empty() && update.apply_result.is_none() && update.view.is_none());
    // With a cursor: the events after it, and no view.
    stage.open(3, open_at(&seated.tokens[0], 1));
    let opened = stage.opened(3).await;
    assert_eq!((opened.seq(), opened.view), (1, None));
    let update = stage.update(3, "").await;
    assert_eq!(update.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [2, 3, 4]);
    stage.say(7, "", Call::Close(v1::play_seats_request::Close {}));
    assert_eq!(stage.closed(7).await, None);
    // The seat keeps its place.
    stage.open(7, open_at(&seated.tokens[1], 4));
    stage.opened(7).await;
}

#[tokio::test]
async fn a_bot_plays_by_prompts_and_events_are_saved_up_for_it() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    for seat in 0..2 {
        stage.open(seat, open_at(&seated.tokens[seat as usize], 0));
        stage.opened(seat).await;
        let update = stage.update(seat, "").await;
        assert_eq!((update.seq, update.events.len()), (4, 4));
    }
    // The answer has the outcome, the events, and what comes next.
    let card = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    stage.say(0, "a", apply(ids(&[card])));
    let update = stage.update(0, "a").await;
    assert_eq!((update.apply_result.as_ref().unwrap().actions, update.seq, update.events.len()), (1, 5, 1));
    let done = legal(&update);
    assert_eq!(done.len(), 1);
    stage.say(0, "b", apply(ids(&done)));
    let update = stage.update(0, "b").await;
    assert!(update.legal_actions.is_none() && update.state.is_none());
    // The other seat was prompted, so that comes with its own answer, and not before.
    let card = seated.legal(&mut client, 1).await.legal_actions.unwrap().ids[0];
    stage.say(1, "c", apply(ids(&[card])));
    let update = stage.update(1, "c").await;
    assert_eq!(update.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [5, 6]);
    stage.say(1, "d", apply(notations(&["done"])));
    // Now one of them acts: it is prompted, with all that was saved up. The answer comes in any case.
    let answer = stage.update(1, "d").await;
    assert_eq!(answer.events[0].seq, 7);
    let acting = seated.to_act(&mut client).await.unwrap();
    assert_eq!(answer.legal_actions.is_some(), acting == 1);
    if acting == 0 {
        let update = stage.update(0, "").await;
        assert_eq!(update.events[0].seq, 7);
        assert_eq!(legal(&update), seated.legal(&mut client, 0).await.legal_actions.unwrap().ids);
    }
}

#[tokio::test]
async fn a_refused_call_leaves_the_channel_and_its_prompt_as_they_are() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let before = seated.sight(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&seated.tokens[0]));
    stage.opened(0).await;
    let cards = legal(&stage.update(0, "").await);
    for (id, call, expected) in [
        ("1", apply(v1::ActionList::default()), ErrorReason::EmptyList),
        ("1", apply(ids(&[9_999])), ErrorReason::UnknownAction),
        ("1", apply(ids(&cards)), ErrorReason::IllegalAction),
        ("1", Call::Undo(v1::UndoSpan::default()), ErrorReason::NothingToUndo),
        ("1", Call::AcceptDraw(v1::play_seats_request::AcceptDraw {}), ErrorReason::NoOffer),
        ("", apply(ids(&cards[..1])), ErrorReason::InvalidField),
        (&"x".repeat(65), apply(ids(&cards[..1])), ErrorReason::InvalidField),
    ] {
        stage.say(0, id, call);
        assert_eq!(stage.refusal(0, id).await, expected);
    }
    stage.say_as_it_is(v1::PlaySeatsRequest { channel: 0, request_id: "1".into(), call: None });
    assert_eq!(stage.refusal(0, "1").await, ErrorReason::InvalidField);
    let stale = batch(ids(&cards[..1])).expecting(3);
    stage.say(0, "1", Call::Apply(stale));
    assert_eq!(stage.refusal(0, "1").await, ErrorReason::StaleSequence);
    assert_eq!(seated.sight(&mut client).await, before);
    stage.say(0, "1", apply(ids(&cards[..1])));
    assert_eq!(stage.update(0, "1").await.apply_result.unwrap().actions, 1);
    stage.say(0, "1", apply(ids(&cards[1..2])));
    assert_eq!(stage.refusal(0, "1").await, ErrorReason::RequestIdReused);
}

#[tokio::test]
async fn paths_of_fields_begin_with_the_call() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&seated.tokens[0]));
    stage.opened(0).await;
    stage.update(0, "").await;
    let passes = vec![v1::StandingPass::default()];
    let stand =
        Call::SetStandingPasses(v1::play_seats_request::SetStandingPasses { standing_passes: passes });
    for (call, field) in [
        (apply(ids(&[])), "apply.actions.ids.values"),
        (stand, "set_standing_passes.standing_passes[0].scope"),
    ] {
        stage.say(0, "x", call);
        let (_, _, message) = stage.next_message().await;
        let Message::Refusal(refusal) = message else { panic!("{message:?}") };
        assert_eq!(refusal.field_violations[0].field, field);
    }
}

#[tokio::test]
async fn channels_are_opened_once_and_known_while_they_are_open() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.say(5, "u", apply(ids(&[0])));
    assert_eq!(stage.refusal(5, "u").await, ErrorReason::UnknownChannel);
    stage.say(5, "", Call::Close(v1::play_seats_request::Close {}));
    assert_eq!(stage.refusal(5, "").await, ErrorReason::UnknownChannel);
    for (token, expected) in [
        ("", ErrorReason::BadToken),
        ("nonsense", ErrorReason::BadToken),
        (&*seated.tokens[0].replace("ehs_", "ehi_"), ErrorReason::BadToken),
    ] {
        stage.open(5, open(token));
        assert_eq!(stage.refusal(5, "").await, expected);
    }
    // Well made, and never given out; calls that follow a refused opening are answered too.
    let key = edgehill_service::identity::ServerKey::from_bytes([9; 32]);
    let forged = key.seat_token(&seated.id.parse().unwrap(), edgehill_engine::seat::Seat::new(0), b"x");
    stage.open(5, open(&forged.to_string()));
    stage.say(5, "follows", apply(ids(&[0])));
    assert_eq!(stage.refusal(5, "").await, ErrorReason::BadToken);
    assert_eq!(stage.refusal(5, "follows").await, ErrorReason::UnknownChannel);
    stage.open(5, open_at(&seated.tokens[0], 99));
    assert_eq!(stage.refusal(5, "").await, ErrorReason::CursorAhead);
    stage.open(5, v1::play_seats_request::Open { legal: 9, ..open(&seated.tokens[0]) });
    assert_eq!(stage.refusal(5, "").await, ErrorReason::InvalidField);
    // After all that the number is free.
    stage.open(5, open(&seated.tokens[0]));
    stage.opened(5).await;
    stage.update(5, "").await;
    stage.open(5, open(&seated.tokens[1]));
    assert_eq!(stage.refusal(5, "").await, ErrorReason::ChannelInUse);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_opened_again_in_the_same_breath() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(5, open(&seated.tokens[0]));
    stage.opened(5).await;
    stage.update(5, "").await;
    for _ in 0..200 {
        stage.say(5, "x", apply(ids(&[9_999])));
        stage.say(5, "", Call::Close(v1::play_seats_request::Close {}));
        stage.say(5, "between", apply(ids(&[9_999])));
        stage.open(5, open(&seated.tokens[1]));
        // Messages come in order: nothing of the one before after the next one is open.
        let mut published = Vec::new();
        loop {
            match stage.next_message().await {
                (5, _, Message::Update(_)) => break,
                (5, id, Message::Refusal(refusal)) => published.push((id, refusal.reason())),
                (5, id, Message::Closed(_)) => published.push((id, ErrorReason::Unspecified)),
                (5, id, Message::Opened(opened)) => {
                    assert_eq!(opened.seat, 1);
                    assert!(published.contains(&(String::new(), ErrorReason::Unspecified)), "{published:?}");
                    published.push((id, ErrorReason::ChannelInUse));
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(published.len(), 4, "{published:?}");
        let at = |what: &(String, ErrorReason)| published.iter().position(|published| published == what);
        let answered = at(&("x".to_owned(), ErrorReason::UnknownAction)).expect("an answer");
        assert!(answered < at(&(String::new(), ErrorReason::Unspecified)).unwrap());
        assert!(at(&("between".to_owned(), ErrorReason::UnknownChannel)).is_some());
        stage.say(5, "", Call::Close(v1::play_seats_request::Close {}));
        stage.closed(5).await;
        stage.open(5, open(&seated.tokens[0]));
        stage.opened(5).await;
        stage.update(5, "").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_both_ends_close_is_closed_once_and_what_comes_behind_is_refused_after_it() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let mut stage = Stage::new(&mut client).await;
    for number in 0..50 {
        let seated = Seated::of(&mut client, skirmish(&format!("match-{number}"))).await;
        for seat in 0..2 {
            stage.open(seat, open(&seated.tokens[seat as usize]));
            stage.opened(seat).await;
            stage.update(seat, "").await;
        }
        // The match is over, so that the server closes both channels, and the client does in the same breath.
        stage.say(0, "last", Call::Resign(v1::play_seats_request::Resign {}));
        for seat in 0..2 {
            stage.say(seat, "", Call::Close(v1::play_seats_request::Close {}));
            stage.say(seat, "behind", apply(ids(&[0])));
        }
        let mut said = [const { Vec::new() }; 2];
        while said.iter().any(|said| said.last() != Some(&Said::Refused)) {
            let (channel, id, message) = stage.next_message().await;
            said[channel as usize].push(match message {
                Message::Update(_) => Said::Updated,
                Message::Closed(closed) if closed.refusal.is_none() => Said::Closed,
                Message::Refusal(refusal) => {
                    assert_eq!((&*id, refusal.reason()), ("behind", ErrorReason::UnknownChannel));
                    Said::Refused
                }
                other => panic!("match {number}, channel {channel}: {other:?}"),
            });
        }
        let [resigned, other] = said;
        assert_eq!(resigned, [Said::Updated, Said::Closed, Said::Refused], "match {number}");
        let other: Vec<_> = other.into_iter().filter(|said| *said != Said::Updated).collect();
        assert_eq!(other, [Said::Closed, Said::Refused], "match {number}");
        // The `closed` of before was for one close: another one closes nothing.
        stage.say(0, "", Call::Close(v1::play_seats_request::Close {}));
        assert_eq!(stage.refusal(0, "").await, ErrorReason::UnknownChannel);
    }
}

/// The kind of a message about a channel.
#[derive(PartialEq, Eq, Debug)]
enum Said {
    Updated,
    Closed,
    Refused,
}

#[tokio::test]
async fn a_close_that_crosses_the_servers_is_answered_by_it() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(3, open(&seated.tokens[0]));
    stage.opened(3).await;
    stage.update(3, "").await;
    client.resign_match(by(&seated.tokens[1], resign(&seated.id, "r"))).await.unwrap();
    assert_eq!(stage.update(3, "").await.status(), MatchStatus::Finished);
    assert_eq!(stage.closed(3).await, None);
    // Sent before that had come: so it might have been.
    stage.say(3, "", Call::Close(v1::play_seats_request::Close {}));
    stage.open(3, open(&seated.tokens[0]));
    assert_eq!(stage.opened(3).await.seat, 0);
}

#[tokio::test]
async fn the_last_to_open_a_seat_has_it() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut first = Stage::new(&mut client).await;
    first.open(1, open(&seated.tokens[0]));
    first.opened(1).await;
    let card = legal(&first.update(1, "").await)[0];
    let mut other = running.client().await;
    let mut second = Stage::new(&mut other).await;
    second.open(9, open(&seated.tokens[0]));
    second.opened(9).await;
    second.update(9, "").await;
    assert_eq!(first.closed(1).await, Some(ErrorReason::OpenedElsewhere));
    first.say(1, "late", apply(ids(&[card])));
    assert_eq!(first.refusal(1, "late").await, ErrorReason::UnknownChannel);
    second.say(9, "a", apply(ids(&[card])));
    assert!(second.update(9, "a").await.apply_result.is_some());
    // In the same stream too; and a seat that fails to open takes nothing.
    second.open(8, open_at(&seated.tokens[0], 99));
    assert_eq!(second.refusal(8, "").await, ErrorReason::CursorAhead);
    second.open(8, open(&seated.tokens[0]));
    let mut closed = 0;
    for _ in 0..3 {
        match second.next_message().await {
            (9, _, Message::Closed(_)) => closed += 1,
            (8, ..) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(closed, 1);
}

#[tokio::test]
async fn request_ids_and_cursors_are_good_across_streams() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut first = Stage::new(&mut client).await;
    first.open(1, open_at(&seated.tokens[0], 0));
    first.opened(1).await;
    let update = first.update(1, "").await;
    let card = legal(&update)[0];
    first.say(1, "a", apply(ids(&[card])));
    let answer = first.update(1, "a").await;
    // The connection is lost; the client does not know whether its call got through.
    drop(first);
    let mut client = running.client().await;
    let mut second = Stage::new(&mut client).await;
    second.open(1, open_at(&seated.tokens[0], update.seq));
    second.opened(1).await;
    let resumed = second.update(1, "").await;
    assert_eq!(resumed.events, answer.events);
    second.say(1, "a", apply(ids(&[card])));
    let again = second.update(1, "a").await;
    assert_eq!(
        (again.apply_result.clone(), again.events.len(), legal(&again)),
        (answer.apply_result.clone(), 0, legal(&answer))
    );
    // As a single call it is the same request.
    let taken = seated.take(&mut client, 0, "a", ids(&[card])).await;
    assert_eq!(taken.result().actions, 1);
    assert_eq!(seated.view(&mut client, 0).await.view.unwrap().draft, [card]);
}

#[tokio::test]
async fn a_prompt_that_was_answered_another_way_does_not_keep_the_next_one_back() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&seated.tokens[0]));
    stage.opened(0).await;
    let card = legal(&stage.update(0, "").await)[0];
    // A single call takes the action that the channel was prompted for.
    seated.take(&mut client, 0, "single", ids(&[card])).await;
    let update = stage.update(0, "").await;
    assert_eq!(legal(&update).len(), 1, "the commitment is still to come");
    assert_eq!(update.events.len(), 1);
}

#[tokio::test]
async fn a_bot_gets_as_much_as_it_asks_for() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    // Keeps nothing: the view with each prompt, and no events.
    let keeps_nothing = v1::play_seats_request::Open {
        include_view: true,
        omit_events: true,
        include_text: true,
        ..open_at(&seated.tokens[0], 0)
    };
    stage.open(0, keeps_nothing);
    stage.opened(0).await;
    let update = stage.update(0, "").await;
    let seen = seated.view(&mut client, 0).await;
    let view = update.view.unwrap();
    assert_eq!((update.seq, update.events.len(), &view.board), (4, 0, &seen.view.unwrap().board));
    assert!(!view.turn_state.unwrap().prompt.unwrap().text.is_empty());
    // Knows the rules: a prompt without actions.
    stage
        .open(1, v1::play_seats_request::Open { legal: LegalDetail::None.into(), ..open(&seated.tokens[1]) });
    stage.opened(1).await;
    let update = stage.update(1, "").await;
    assert_eq!(update.legal_actions, Some(v1::LegalActions::default()));
    stage.say(1, "", Call::Close(v1::play_seats_request::Close {}));
    stage.closed(1).await;
    stage
        .open(1, v1::play_seats_request::Open { legal: LegalDetail::Full.into(), ..open(&seated.tokens[1]) });
    stage.opened(1).await;
    let legal = stage.update(1, "").await.legal_actions.unwrap();
    assert_eq!(legal.actions.len(), legal.ids.len());
}

#[tokio::test]
async fn a_seat_opened_before_the_match_gets_an_update_when_it_begins() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("w")).await.unwrap().into_inner().id();
    let token = client.join_match(join(&id, "j0", 0)).await.unwrap().into_inner().seat_token;
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open(&token));
    let opened = stage.opened(0).await;
    assert_eq!((opened.seq(), opened.view), (0, None));
    assert_eq!(stage.update(0, "").await.state.unwrap().status(), MatchStatus::Waiting);
    client.join_match(join(&id, "j1", 1)).await.unwrap();
    let update = stage.update(0, "").await;
    assert_eq!(update.state.as_ref().unwrap().status(), MatchStatus::Running);
    assert!(update.view.is_some() && update.events.is_empty() && !legal(&update).is_empty());
    assert_eq!(update.seq, 4);
    // A draw that is offered makes an update, too.
    let seated = Seated { id: id.clone(), tokens: vec![token] };
    stage.say(0, "d", Call::OfferDraw(v1::play_seats_request::OfferDraw {}));
    let update = stage.update(0, "d").await;
    assert_eq!((update.apply_result, update.state.unwrap().draw_offers), (None, vec![0]));
    stage.say(0, "r", Call::Resign(v1::play_seats_request::Resign {}));
    let update = stage.update(0, "r").await;
    assert_eq!(update.state.unwrap().status(), MatchStatus::Finished);
    assert!(update.legal_actions.is_none());
    assert_eq!(stage.closed(0).await, None);
    // Of a match that is over all is sent, and the channel closes.
    stage.open(0, open_at(&seated.tokens[0], 0));
    stage.opened(0).await;
    let update = stage.update(0, "").await;
    assert_eq!(update.events.len() as u64, update.seq);
    assert_eq!(stage.closed(0).await, None);
}

#[tokio::test]
async fn many_events_come_in_several_updates_the_last_of_which_answers() {
    let limits = Limits { message_events: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open_at(&seated.tokens[0], 0));
    stage.opened(0).await;
    let first = stage.update(0, "").await;
    assert_eq!((first.seq, first.events.len(), first.legal_actions, first.state), (2, 2, None, None));
    let second = stage.update(0, "").await;
    assert_eq!((second.seq, second.events.len()), (4, 2));
    let card = legal(&second)[0];
    stage.say(0, "a", apply(ids(&[card])));
    assert!(stage.update(0, "a").await.apply_result.is_some());
    // Another seat's choice makes more than fits.
    let other = seated.legal(&mut client, 1).await.legal_actions.unwrap().ids[0];
    seated.take(&mut client, 1, "c", ids(&[other])).await;
    seated.take(&mut client, 1, "d", notations(&["done"])).await;
    stage.say(0, "done", apply(notations(&["done"])));
    let mut seq = 5;
    loop {
        let (_, id, message) = stage.next_message().await;
        let Message::Update(update) = message else { panic!("{message:?}") };
        assert!(update.events.len() <= 2);
        for event in &update.events {
            seq += 1;
            assert_eq!(event.seq, seq);
        }
        if update.apply_result.is_some() {
            assert_eq!(id, "done");
            break;
        }
        assert!(id.is_empty() && update.legal_actions.is_none());
    }
    assert_eq!(seq, seated.view(&mut client, 0).await.seq);
}

#[tokio::test]
async fn a_stream_has_so_many_seats() {
    let limits = Limits { stream_seats: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let other = Seated::of(&mut client, skirmish("other")).await;
    let mut stage = Stage::new(&mut client).await;
    for channel in 0..2 {
        stage.open(channel, open(&seated.tokens[channel as usize]));
        stage.opened(channel).await;
        stage.update(channel, "").await;
    }
    stage.open(2, open(&other.tokens[0]));
    let refusal = stage.whole_refusal(2, "").await;
    assert_eq!(refusal.reason(), ErrorReason::LimitReached);
    assert_eq!(refusal.limit(), v1::LimitName::StreamSeats);
    assert_eq!(refusal.quota_subject(), v1::QuotaSubject::Caller);
    stage.say(0, "", Call::Close(v1::play_seats_request::Close {}));
    stage.closed(0).await;
    stage.open(2, open(&other.tokens[0]));
    stage.opened(2).await;
    client.resign_match(by(&other.tokens[1], resign(&other.id, "r"))).await.unwrap();
}
