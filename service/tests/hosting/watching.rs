//! `WatchMatch`: an observer's events from any cursor, without a gap and without a repetition.

use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::limits::Limits;
use tonic::{Code, Status, Streaming};

use crate::kit::{HasMatch, Seated, by, ids, join, notations, reason, resign, skirmish, soon};
use crate::player::Player;
use crate::running::{Client, File, Start};
use crate::stage::{Stage, apply, open_at};

/// A stream of a match's events.
struct Watched {
    updates: Streaming<v1::WatchMatchResponse>,
    /// Events that came with a state, and were not asked for yet.
    saved: Vec<v1::Event>,
}

impl Watched {
    async fn of(client: &mut Client, seated: &Seated, seat: Option<usize>, after: Option<u64>) -> Self {
        let request = v1::WatchMatchRequest {
            match_id: seated.id.clone(),
            after_seq: after,
            ..v1::WatchMatchRequest::default()
        };
        let answer = match seat {
            Some(seat) => client.watch_match(by(&seated.tokens[seat], request)).await,
            None => client.watch_match(request).await,
        };
        Self { updates: answer.unwrap().into_inner(), saved: Vec::new() }
    }

    async fn next(&mut self) -> Result<Option<v1::SeatUpdate>, Status> {
        Ok(soon(self.updates.message()).await?.map(|message| message.update.expect("an update")))
    }

    /// The state of the next update.
    async fn state(&mut self) -> v1::MatchState {
        let update = self.next().await.unwrap().expect("the stream goes on");
        self.saved.extend(update.events);
        update.state.expect("a state is due")
    }

    /// All events up to the end of the stream, and the last state.
    async fn rest(&mut self) -> (Vec<v1::Event>, Option<v1::MatchState>) {
        let (mut events, mut last) = (std::mem::take(&mut self.saved), None);
        while let Some(update) = self.next().await.unwrap() {
            assert_eq!(update.view, None, "nobody asked for a view");
            events.extend(update.events);
            assert_eq!(update.seq, events.last().map_or(update.seq, |event| event.seq));
            last = update.state.or(last);
        }
        (events, last)
    }

    /// As many events as there are up to `seq`.
    async fn up_to(&mut self, seq: u64) -> Vec<v1::Event> {
        let mut events = std::mem::take(&mut self.saved);
        while events.last().is_none_or(|event| event.seq < seq) {
            events.extend(self.next().await.unwrap().expect("the stream goes on").events);
        }
        events
    }
}

fn numbers(events: &[v1::Event]) -> Vec<u64> {
    events.iter().map(|event| event.seq).collect()
}

#[tokio::test]
async fn from_every_cursor_the_rest_comes_once_before_and_after_a_restart() {
    let file = File::new();
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    // The answers to each seat, event by event.
    let mut player = Player::new(&seated);
    player.play(&mut client, 25).await;
    let mut all = Vec::new();
    for observer in [Some(0), Some(1), None] {
        let mut watched = Watched::of(&mut client, &seated, observer, Some(0)).await;
        watched.state().await;
        let length = match observer {
            Some(seat) => seated.view(&mut client, seat).await.seq,
            None => seated.get(&mut client).await.seq(),
        };
        let events = watched.up_to(length).await;
        assert_eq!(numbers(&events), (1..=length).collect::<Vec<_>>());
        if let Some(seat) = observer {
            for event in &player.answered[seat] {
                let plain = v1::Event { text: String::new(), ..event.clone() };
                assert_eq!(events[event.seq as usize - 1].code, plain.code);
            }
        }
        all.push((observer, length, events));
    }
    running.close().await;
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    for (observer, length, events) in &all {
        for cursor in 0..=*length {
            let mut watched = Watched::of(&mut client, &seated, *observer, Some(cursor)).await;
            watched.state().await;
            if cursor < *length {
                assert_eq!(watched.up_to(*length).await, events[cursor as usize..]);
            }
        }
        let ahead = v1::WatchMatchRequest {
            match_id: seated.id.clone(),
            after_seq: Some(length + 1),
            ..v1::WatchMatchRequest::default()
        };
        let answer = match observer {
            Some(seat) => client.watch_match(by(&seated.tokens[*seat], ahead)).await,
            None => client.watch_match(ahead).await,
        };
        let refused = crate::kit::refusal(answer.map(|_| ()));
        assert_eq!((refused.reason(), refused.seq), (ErrorReason::CursorAhead, Some(*length)));
    }
}

#[tokio::test]
async fn a_watcher_gets_all_as_it_comes_and_the_stream_ends_with_the_match() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut streams = Vec::new();
    for observer in [Some(0), Some(1), None] {
        streams.push((observer, Watched::of(&mut client, &seated, observer, Some(0)).await));
    }
    let mut player = Player::new(&seated);
    player.play(&mut client, 1_000).await;
    for (observer, stream) in &mut streams {
        let (events, last) = stream.rest().await;
        let length = match observer {
            Some(seat) => seated.view(&mut client, *seat).await.seq,
            None => seated.get(&mut client).await.seq(),
        };
        assert_eq!(numbers(&events), (1..=length).collect::<Vec<_>>());
        assert_eq!(last, Some(seated.get(&mut client).await.state()));
    }
    // Of a match that is over, all comes and the stream ends, whatever the cursor.
    let length = seated.get(&mut client).await.seq();
    for cursor in [0, 1, length - 1, length] {
        let (events, last) = Watched::of(&mut client, &seated, None, Some(cursor)).await.rest().await;
        assert_eq!(numbers(&events), (cursor + 1..=length).collect::<Vec<_>>());
        assert_eq!(last.unwrap().status(), MatchStatus::Finished);
    }
}

#[tokio::test]
async fn without_a_cursor_the_view_comes_first_as_soon_as_there_is_one() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let id = client.create_match(skirmish("early")).await.unwrap().into_inner().id();
    let mut seated = Seated { id: id.clone(), tokens: Vec::new() };
    let mut watched = Watched::of(&mut client, &seated, None, None).await;
    let mut folded = Watched::of(&mut client, &seated, None, Some(0)).await;
    assert_eq!(watched.state().await.status(), MatchStatus::Waiting);
    for seat in 0..2 {
        let joined = client.join_match(join(&id, &format!("j{seat}"), seat)).await.unwrap().into_inner();
        seated.tokens.push(joined.seat_token);
    }
    let first = loop {
        let update = watched.next().await.unwrap().unwrap();
        assert!(update.events.is_empty(), "events before the view, or with it: {update:?}");
        if update.view.is_some() {
            break update;
        }
    };
    let request = v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
    let seen = client.get_view(request).await.unwrap().into_inner();
    assert_eq!((first.seq, first.view), (seen.seq, seen.view));
    assert_eq!(numbers(&folded.up_to(seen.seq).await), (1..=seen.seq).collect::<Vec<_>>());
    client.resign_match(by(&seated.tokens[0], resign(&id, "r"))).await.unwrap();
    let (events, _) = watched.rest().await;
    assert_eq!(events.first().map(|event| event.seq), Some(seen.seq + 1));
}

#[tokio::test]
async fn many_events_come_in_many_messages() {
    let limits = Limits { message_events: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    Player::new(&seated).play(&mut client, 40).await;
    let length = seated.view(&mut client, 0).await.seq;
    let mut watched = Watched::of(&mut client, &seated, Some(0), Some(0)).await;
    let mut count = 0;
    while count < length {
        let update = watched.next().await.unwrap().unwrap();
        assert!((1..=2).contains(&update.events.len()));
        assert_eq!((update.state.is_some(), update.events[0].seq), (count == 0, count + 1));
        count += update.events.len() as u64;
        assert_eq!(update.seq, count);
    }
    // An answer has no more either; the rest is for `WatchMatch`.
    let card = seated.legal(&mut client, 0).await;
    if card.to_act {
        let action = card.legal_actions.unwrap().ids[0];
        let request = seated.apply("x", ids(&[action]));
        let taken = client.apply_actions(by(&seated.tokens[0], request)).await.unwrap().into_inner();
        assert!(taken.update.unwrap().events.len() <= 2);
    }
}

#[tokio::test]
async fn a_server_that_stops_says_so_and_a_stream_resumes_elsewhere() {
    let file = File::new();
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut watched = Watched::of(&mut client, &seated, Some(0), Some(0)).await;
    let before = watched.up_to(4).await;
    running.draining.cancel();
    let status = loop {
        match watched.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the match is not over"),
            Err(status) => break status,
        }
    };
    assert_eq!(status.code(), Code::Unavailable);
    assert_eq!(reason::<()>(Err(status)), ErrorReason::Draining);
    let late = client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await;
    assert_eq!(reason(late), ErrorReason::Draining);
    assert!(client.get_match(v1::GetMatchRequest { match_id: seated.id.clone() }).await.is_ok());
    running.close().await;
    let running = Start::on(file.open()).run().await;
    let mut client = running.client().await;
    let mut watched = Watched::of(&mut client, &seated, Some(0), Some(before.last().unwrap().seq)).await;
    client.resign_match(by(&seated.tokens[0], resign(&seated.id, "r"))).await.unwrap();
    let (events, _) = watched.rest().await;
    assert_eq!(events[0].seq, before.last().unwrap().seq + 1);
}

#[tokio::test]
async fn a_caller_has_so_many_streams_at_once() {
    let limits = Limits { streams: 2, ..Limits::default() };
    let running = Start { limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let first = Watched::of(&mut client, &seated, None, None).await;
    let _second = Watched::of(&mut client, &seated, None, None).await;
    let request =
        || v1::WatchMatchRequest { match_id: seated.id.clone(), ..v1::WatchMatchRequest::default() };
    let refused = crate::kit::refusal(client.watch_match(request()).await.map(|_| ()));
    assert_eq!(refused.reason(), ErrorReason::LimitReached);
    assert!(refused.message.contains("LIMIT_NAME_STREAMS"));
    let play = client.play_seats(tokio_stream::pending()).await;
    assert_eq!(reason(play.map(|_| ())), ErrorReason::LimitReached);
    // A seat's token makes nobody another caller; and a stream that closes makes room.
    let own = by(&seated.tokens[0], request());
    assert_eq!(reason(client.watch_match(own).await.map(|_| ())), ErrorReason::LimitReached);
    drop(first);
    soon(async {
        while client.watch_match(request()).await.is_err() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_of_a_draft_is_published_to_others() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut others = Vec::new();
    for observer in [Some(1), None] {
        let mut watched = Watched::of(&mut client, &seated, observer, Some(4)).await;
        watched.state().await;
        others.push(watched);
    }
    let mut stage = Stage::new(&mut client).await;
    stage.open(0, open_at(&seated.tokens[1], 4));
    stage.opened(0).await;
    stage.update(0, "").await;
    // North chooses, thinks again, leaves word, and chooses.
    let cards = seated.legal(&mut client, 0).await.legal_actions.unwrap().ids;
    for (number, card) in cards.iter().cycle().take(5).enumerate() {
        seated.take(&mut client, 0, &format!("t{number}"), ids(&[*card])).await;
        let undo = v1::UndoActionsRequest {
            match_id: seated.id.clone(),
            request_id: format!("u{number}"),
            ..v1::UndoActionsRequest::default()
        };
        client.undo_actions(by(&seated.tokens[0], undo)).await.unwrap();
    }
    let pass = v1::StandingPass { scope: v1::PassScope::Always.into(), ..v1::StandingPass::default() };
    let stand = v1::SetStandingPassesRequest {
        match_id: seated.id.clone(),
        request_id: "s".into(),
        standing_passes: vec![pass],
        response_options: None,
    };
    client.set_standing_passes(by(&seated.tokens[0], stand)).await.unwrap();
    seated.take(&mut client, 0, "card", ids(&cards[..1])).await;
    seated.take(&mut client, 0, "done", notations(&["done"])).await;
    // The first that is published to the others is that it has committed, and not what; the numbers have no gap.
    for watched in &mut others {
        let update = watched.next().await.unwrap().expect("events are due");
        let codes: Vec<(u64, &str)> =
            update.events.iter().map(|event| (event.seq, event.code.as_str())).collect();
        assert_eq!(codes, [(5, "committed")]);
    }
    // South was prompted, so its bot gets it with its own answer.
    let card = seated.legal(&mut client, 1).await.legal_actions.unwrap().ids[0];
    stage.say(0, "a", apply(ids(&[card])));
    let update = stage.update(0, "a").await;
    let codes: Vec<(u64, &str)> =
        update.events.iter().map(|event| (event.seq, event.code.as_str())).collect();
    assert_eq!(codes, [(5, "committed"), (6, "picked")]);
}
