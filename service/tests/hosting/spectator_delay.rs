//! Spectators who are behind the match: what they see, what is withheld from them, and the end.

use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::fold;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus, SpectatorDelay};
use edgehill_service::clock::ManualClock;
use edgehill_service::matches::{HELD_EVENTS_MAX, HOLD_BACK_MS_MAX};
use tonic::Streaming;

use crate::accounts::Keys;
use crate::adjourned_table::banked;
use crate::kit::{HasMatch, Seated, assert_field, by, join, reason, refusal, resign, skirmish, soon, watch};
use crate::player::Player;
use crate::running::{Client, File, Running, Start};

const START_MS: u64 = 1_700_000_000_000;

/// A server whose time a test moves, with a match that its spectators are behind.
struct Table {
    clock: Arc<ManualClock>,
    file: File,
    running: Running,
    client: Client,
    seated: Seated,
}

fn seconds(seconds: i64) -> Option<edgehill_proto::prost_types::Duration> {
    Some(edgehill_proto::prost_types::Duration { seconds, nanos: 0 })
}

fn held(events: u32, hold_back: i64) -> SpectatorDelay {
    SpectatorDelay { events, hold_back: seconds(hold_back).filter(|_| hold_back > 0) }
}

fn start(file: &File, clock: &Arc<ManualClock>) -> Start {
    Start { clock: clock.clone(), ..Start::on(file.open()) }
}

impl Table {
    async fn new(delay: SpectatorDelay) -> Self {
        Self::of(v1::CreateMatchRequest { spectator_delay: Some(delay), ..skirmish("m") }).await
    }

    async fn of(request: v1::CreateMatchRequest) -> Self {
        let (clock, file) = (Arc::new(ManualClock::new(START_MS)), File::new());
        let running = start(&file, &clock).run().await;
        let mut client = running.client().await;
        let seated = Seated::of(&mut client, request).await;
        Self { clock, file, running, client, seated }
    }

    async fn restarted(self) -> Self {
        let Self { clock, file, running, seated, .. } = self;
        running.close().await;
        let running = start(&file, &clock).run().await;
        let client = running.client().await;
        Self { clock, file, running, client, seated }
    }

    fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    async fn view(&mut self, at_seq: Option<u64>) -> v1::GetViewResponse {
        let request = v1::GetViewRequest {
            match_id: self.seated.id.clone(),
            at_seq,
            include_text: true,
            ..v1::GetViewRequest::default()
        };
        self.client.get_view(request).await.unwrap().into_inner()
    }

    async fn receipt(&mut self) -> v1::Receipt {
        let request = v1::GetReceiptRequest { match_id: self.seated.id.clone(), observer: None };
        self.client.get_receipt(request).await.unwrap().into_inner().receipt.unwrap()
    }

    /// All that a stranger is told by single calls.
    async fn told(&mut self) -> (v1::GetMatchResponse, v1::GetViewResponse, v1::Match, v1::Receipt) {
        let got = self.seated.get(&mut self.client).await;
        let list = self.client.list_matches(v1::ListMatchesRequest::default()).await.unwrap();
        (got, self.view(None).await, list.into_inner().matches.remove(0), self.receipt().await)
    }

    async fn watch(&mut self, after: Option<u64>) -> Watch {
        let stream = self.client.watch_match(watch(&self.seated.id, after)).await;
        Watch { stream: stream.unwrap().into_inner(), events: Vec::new() }
    }

    /// All events of the spectators, of a match that is over.
    async fn events(&mut self) -> Vec<v1::Event> {
        let mut watch = self.watch(Some(0)).await;
        while watch.next().await.is_some() {}
        watch.events
    }
}

struct Watch {
    stream: Streaming<v1::WatchMatchResponse>,
    events: Vec<v1::Event>,
}

impl Watch {
    /// The next update; `None`: the stream ended well.
    async fn next(&mut self) -> Option<v1::SeatUpdate> {
        let update = soon(self.stream.message()).await.unwrap()?.update?;
        self.events.extend(update.events.clone());
        Some(update)
    }

    /// Waits until it has so many events.
    async fn until(&mut self, events: usize) {
        while self.events.len() < events {
            self.next().await.expect("the stream goes on");
        }
        assert_eq!(self.events.len(), events);
    }
}

/// The view at a number, from the beginning and all events.
fn at(seq: u64, mut view: v1::View, events: &[v1::Event]) -> v1::View {
    for event in events.iter().take_while(|event| event.seq <= seq) {
        event.changes.iter().for_each(|change| {
            fold::change(&mut view, change);
        });
    }
    view
}

#[tokio::test]
async fn spectators_see_the_match_as_it_was_so_many_events_ago_until_it_is_over() {
    let mut table = Table::new(held(5, 0)).await;
    let mut seen = Vec::new();
    let mut player = Player::new(&table.seated);
    for actions in [4, 4, 4, 4] {
        player.play(&mut table.client, actions).await;
        let shown = table.view(None).await;
        assert_eq!(table.seated.get(&mut table.client).await.r#match.unwrap().seq, shown.seq);
        assert_eq!(table.receipt().await.seq, shown.seq);
        seen.push((shown.seq, shown.view.unwrap()));
    }
    let last = seen.last().unwrap().0;
    assert!(last > 0 && seen.is_sorted_by_key(|(seq, _)| *seq), "they see more and more of it");
    let ahead = table.client.watch_match(watch(&table.seated.id, Some(last + 1))).await;
    let refused = refusal(ahead);
    assert_eq!((refused.reason(), refused.seq), (ErrorReason::CursorAhead, Some(last)));
    let mut watch = table.watch(Some(0)).await;
    watch.until(last as usize).await;
    let hash = table.receipt().await.stream_hash;

    let request = resign(&table.seated.id, "r");
    table.client.resign_match(by(&table.seated.tokens[0], request)).await.unwrap();
    let mut over = None;
    while let Some(update) = watch.next().await {
        over = update.state.or(over);
    }
    assert_eq!(over.unwrap().status(), MatchStatus::Finished);
    let events = table.events().await;
    assert_eq!(watch.events, events, "none is missing and none comes twice");
    let present = table.view(None).await;
    assert_eq!(present.seq, events.len() as u64);
    assert!(present.seq >= last + 5 && table.receipt().await.seq == present.seq);
    assert_ne!(table.receipt().await.stream_hash, hash);
    let first = table.view(Some(0)).await.view.unwrap();
    let mut worded = table
        .client
        .watch_match(v1::WatchMatchRequest {
            include_text: true,
            ..crate::kit::watch(&table.seated.id, Some(0))
        })
        .await
        .unwrap()
        .into_inner();
    let mut events = Vec::new();
    while let Some(response) = soon(worded.message()).await.unwrap() {
        events.extend(response.update.unwrap().events);
    }
    for (seq, view) in seen {
        assert_eq!(at(seq, first.clone(), &events), view, "the view of then at {seq}");
    }
}

#[tokio::test]
async fn events_are_shown_when_they_are_old_enough_though_nothing_happen() {
    let mut table = Table::new(held(0, 60)).await;
    let seats = table.seated.legal(&mut table.client, 0).await.seq;
    assert!(seats > 0, "the seats see it begin");
    let mut watch = table.watch(None).await;
    let first = watch.next().await.unwrap();
    assert_eq!((first.seq, first.view.is_some(), first.events.len()), (0, true, 0));
    table.advance(59);
    assert_eq!(table.view(None).await.seq, 0);
    table.advance(1);
    watch.next().await.unwrap();
    let begun = watch.events.len();
    assert_eq!(table.view(None).await.seq, begun as u64);

    table.advance(10);
    table.seated.choose_cards(&mut table.client).await;
    let mut table = table.restarted().await;
    table.advance(40);
    assert_eq!(table.view(None).await.seq, begun as u64);
    let mut watch = table.watch(Some(begun as u64)).await;
    assert!(watch.next().await.unwrap().state.is_some());
    table.advance(20);
    watch.next().await.unwrap();
    assert!(!watch.events.is_empty());
    assert_eq!(table.view(None).await.seq, (begun + watch.events.len()) as u64);
    // By both, what is old enough by each.
    let mut both = Table::new(held(2, 60)).await;
    both.seated.choose_cards(&mut both.client).await;
    assert_eq!(both.view(None).await.seq, 0);
    both.advance(60);
    let all = table.view(None).await.seq;
    assert_eq!(both.view(None).await.seq, all - 2);
}

#[tokio::test]
async fn a_stranger_is_told_nothing_of_what_is_held_back() {
    let delay = Some(held(1_000, 0));
    let request =
        v1::CreateMatchRequest { spectator_delay: delay, clock: Some(banked(600)), ..skirmish("m") };
    let mut table = Table::of(request).await;
    let before = table.told().await;
    let config = before.0.r#match.as_ref().unwrap().config.as_ref().unwrap();
    assert_eq!(config.spectator_delay, delay);
    assert_eq!(before.0.state().clocks, []);
    assert_eq!((before.1.seq, before.2.seq, before.3.seq), (0, 0, 0));
    let mut watch = table.watch(None).await;
    watch.next().await.unwrap();
    table.advance(7);
    table.seated.choose_cards(&mut table.client).await;
    let id = table.seated.id.clone();
    let offer = v1::OfferDrawRequest { match_id: id.clone(), request_id: "d".into() };
    let offered = table.client.offer_draw(by(&table.seated.tokens[1], offer)).await.unwrap().into_inner();
    assert_eq!(offered.state().draw_offers, [1], "seats are told");
    assert_eq!(table.told().await, before);
    let get = by(&table.seated.tokens[0], v1::GetMatchRequest { match_id: id.clone() });
    let own = table.client.get_match(get).await.unwrap().into_inner();
    assert_eq!((own.state().clocks.len(), own.state().draw_offers), (2, vec![1]));
    assert!(own.r#match.unwrap().seq > 0);
    // The stream has said nothing meanwhile: its next message is the end.
    let accept = v1::AcceptDrawRequest { match_id: id, request_id: "a".into(), response_options: None };
    table.client.accept_draw(by(&table.seated.tokens[0], accept)).await.unwrap();
    assert!(!watch.next().await.unwrap().events.is_empty());
    while watch.next().await.is_some() {}
    assert_eq!(table.told().await.0.state().clocks.len(), 2);
}

#[tokio::test]
async fn referees_see_all_and_who_has_made_a_match_what_spectators_do() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let delay = Some(held(1_000, 0));
    let request = v1::CreateMatchRequest { spectator_delay: delay, seed: None, ..skirmish("m") };
    let id = client.create_match(by(&keys.ada, request)).await.unwrap().into_inner().id();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let joined = client.join_match(by(&keys.bob, join(&id, &format!("j{seat}"), seat))).await.unwrap();
        tokens.push(joined.into_inner().seat_token);
    }
    let offer = v1::OfferDrawRequest { match_id: id.clone(), request_id: "d".into() };
    client.offer_draw(by(&tokens[1], offer)).await.unwrap();
    for (key, offers) in
        [(&keys.umpire, vec![1]), (&keys.bob, vec![1]), (&keys.ada, vec![]), (&keys.eve, vec![])]
    {
        let got = client.get_match(by(key, v1::GetMatchRequest { match_id: id.clone() })).await.unwrap();
        assert_eq!(got.into_inner().state().draw_offers, offers);
        let listed = client.list_matches(by(key, v1::ListMatchesRequest::default())).await.unwrap();
        assert_eq!(listed.into_inner().matches[0].state().draw_offers, offers);
    }
    for (key, offers) in [(&keys.bob, vec![1]), (&keys.ada, vec![])] {
        let watch = client.watch_account(by(key, v1::WatchAccountRequest::default())).await.unwrap();
        let shown = soon(watch.into_inner().message()).await.unwrap().unwrap().r#match.unwrap();
        assert_eq!(shown.r#match.unwrap().state.unwrap().draw_offers, offers);
    }
}

#[tokio::test]
async fn delays_are_read_and_go_on_in_the_rematch() {
    let mut table = Table::new(held(3, 5)).await;
    let request = |delay| v1::CreateMatchRequest { spectator_delay: Some(delay), ..skirmish("bad") };
    let most = (HOLD_BACK_MS_MAX / 1_000) as i64;
    for (delay, field) in [
        (held(0, 0), "spectator_delay"),
        (held(HELD_EVENTS_MAX + 1, 0), "spectator_delay.events"),
        (held(0, most + 1), "spectator_delay.hold_back"),
    ] {
        let refused = table.client.create_match(request(delay)).await;
        assert_field(refused, ErrorReason::InvalidField, field);
    }
    table.client.create_match(request(held(HELD_EVENTS_MAX, most))).await.unwrap();
    let again = table.client.create_match(request(held(HELD_EVENTS_MAX, 1))).await;
    assert_eq!(reason(again), ErrorReason::RequestIdReused);
    let ended = resign(&table.seated.id, "r");
    table.client.resign_match(by(&table.seated.tokens[0], ended)).await.unwrap();
    let rematch = v1::RematchMatchRequest { match_id: table.seated.id.clone(), request_id: "again".into() };
    let made = table.client.rematch_match(by(&table.seated.tokens[0], rematch)).await.unwrap().into_inner();
    assert_eq!(made.r#match.unwrap().config.unwrap().spectator_delay, Some(held(3, 5)));
}
