//! Watching an account: each of its matches as it comes to concern it, from any cursor, across restarts.

use std::sync::Arc;
use std::time::Duration;

use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::clock::ManualClock;
use edgehill_service::host::RESULTS_KEPT;
use edgehill_service::limits::Limits;
use tonic::Streaming;

use crate::accounts::Keys;
use crate::kit::{
    HasMatch, Seated, assert_field, by, ids, join, notations, reason, refusal, resign, skirmish, soon,
};
use crate::running::{Client, File, Running, Start};

const START_MS: u64 = 1_700_000_000_000;

/// A server that asks for accounts and whose time a test moves.
struct Site {
    keys: Keys,
    clock: Arc<ManualClock>,
    file: File,
    running: Running,
    client: Client,
}

/// A stream of an account's matches.
struct Watch(Streaming<v1::WatchAccountResponse>);

/// The news of a match: its id, its status, the seats that are the account's, and those of them that are to act.
type News = (String, MatchStatus, Vec<u32>, Vec<u32>);

impl Site {
    async fn new() -> Self {
        Self::on(File::new(), Arc::new(ManualClock::new(START_MS)), Keys::new()).await
    }

    async fn on(file: File, clock: Arc<ManualClock>, keys: Keys) -> Self {
        let start = Start { accounts: keys.accounts(), clock: clock.clone(), ..Start::on(file.open()) };
        let running = start.run().await;
        let client = running.client().await;
        Self { keys, clock, file, running, client }
    }

    /// The same after a restart of the server.
    async fn restarted(self) -> Self {
        let Self { keys, clock, file, running, .. } = self;
        running.close().await;
        Self::on(file, clock, keys).await
    }

    async fn watch(&mut self, key: &str, cursor: &str) -> Watch {
        let request = v1::WatchAccountRequest { cursor: cursor.into() };
        Watch(self.client.watch_account(by(key, request)).await.unwrap().into_inner())
    }

    async fn create(&mut self, request_id: &str) -> String {
        let request = v1::CreateMatchRequest { seed: None, ..skirmish(request_id) };
        self.client.create_match(by(&self.keys.ada, request)).await.unwrap().into_inner().id()
    }

    async fn join(&mut self, key: &str, id: &str, seat: u32) -> String {
        let request = join(id, &format!("join-{seat}"), seat);
        self.client.join_match(by(key, request)).await.unwrap().into_inner().seat_token
    }

    /// A match of Ada and Bob.
    async fn seated(&mut self, request_id: &str) -> Seated {
        let id = self.create(request_id).await;
        let (ada, bob) = (self.keys.ada.clone(), self.keys.bob.clone());
        let tokens = vec![self.join(&ada, &id, 0).await, self.join(&bob, &id, 1).await];
        Seated { id, tokens }
    }

    async fn resign(&mut self, seated: &Seated, seat: usize) {
        let request = resign(&seated.id, "resign");
        self.client.resign_match(by(&seated.tokens[seat], request)).await.unwrap();
    }
}

impl Watch {
    async fn next(&mut self) -> v1::WatchAccountResponse {
        soon(self.0.message()).await.unwrap().expect("the stream goes on")
    }

    /// The next match.
    async fn next_match(&mut self) -> v1::WatchedMatch {
        self.next().await.r#match.expect("a match is due")
    }

    async fn news(&mut self) -> News {
        news(&self.next_match().await)
    }

    /// The news up to the end of the beginning, whether results are missing, and the cursor then.
    async fn catch_up(&mut self) -> (Vec<News>, bool, String) {
        let mut first = Vec::new();
        loop {
            let response = self.next().await;
            match response.r#match {
                Some(shown) => first.push(news(&shown)),
                None => {
                    assert!(response.caught_up);
                    return (first, response.results_missing, response.cursor);
                }
            }
        }
    }
}

fn news(shown: &v1::WatchedMatch) -> News {
    let to_act = shown.seats.iter().filter(|seat| seat.to_act);
    let id = shown.r#match.as_ref().unwrap().config.as_ref().unwrap().match_id.clone();
    (
        id,
        state(shown).status(),
        shown.seats.iter().map(|seat| seat.seat).collect(),
        to_act.map(|seat| seat.seat).collect(),
    )
}

fn state(shown: &v1::WatchedMatch) -> &v1::MatchState {
    shown.r#match.as_ref().unwrap().state.as_ref().unwrap()
}

#[tokio::test]
async fn each_player_sees_a_match_from_its_making_to_its_result() {
    use MatchStatus::{Finished, Running, Waiting};
    let mut site = Site::new().await;
    let (ada_key, bob_key) = (site.keys.ada.clone(), site.keys.bob.clone());
    let mut ada = site.watch(&ada_key, "").await;
    assert_eq!(ada.catch_up().await.0, []);
    let id = site.create("m").await;
    let made = ada.next_match().await;
    assert_eq!((made.is_creator, news(&made)), (true, (id.clone(), Waiting, vec![], vec![])));
    let mut tokens = vec![site.join(&ada_key, &id, 0).await];
    assert_eq!(ada.news().await, (id.clone(), Waiting, vec![0], vec![]));
    let mut bob = site.watch(&bob_key, "").await;
    assert_eq!(bob.catch_up().await.0, [], "it is none of his yet");
    tokens.push(site.join(&bob_key, &id, 1).await);
    assert_eq!(ada.news().await, (id.clone(), Running, vec![0], vec![0]));
    let begun = bob.next_match().await;
    assert_eq!((begun.is_creator, news(&begun)), (false, (id.clone(), Running, vec![1], vec![1])));
    let seated = Seated { id: id.clone(), tokens };

    // A draft of the other is no news to anybody: the commitment is.
    let card = seated.legal(&mut site.client, 0).await.legal_actions.unwrap().ids[0];
    seated.take(&mut site.client, 0, "card", ids(&[card])).await;
    seated.take(&mut site.client, 0, "done", notations(&["done"])).await;
    assert_eq!(ada.news().await, (id.clone(), Running, vec![0], vec![]));
    let offer = v1::OfferDrawRequest { match_id: id.clone(), request_id: "o".into() };
    site.client.offer_draw(by(&seated.tokens[1], offer)).await.unwrap();
    for watch in [&mut ada, &mut bob] {
        let offered = watch.next_match().await;
        assert_eq!(state(&offered).draw_offers, [1]);
    }
    site.resign(&seated, 1).await;
    for (watch, seat) in [(&mut ada, 0), (&mut bob, 1)] {
        let over = watch.next_match().await;
        assert_eq!(news(&over), (id.clone(), Finished, vec![seat], vec![]));
        assert_eq!(state(&over).result.as_ref().unwrap().returns, [1, -1]);
    }
}

#[tokio::test]
async fn a_cursor_brings_the_results_since_then_and_all_that_goes_on_across_restarts() {
    use MatchStatus::{Finished, Running};
    let mut site = Site::new().await;
    let ada_key = site.keys.ada.clone();
    let (first, second) = (site.seated("1").await, site.seated("2").await);
    let third = site.seated("3").await;
    site.resign(&first, 0).await;
    let mut watch = site.watch(&ada_key, "").await;
    // Two that are made within a millisecond are in any order.
    let mut going_on =
        [&second, &third].map(|seated| (seated.id.clone(), Running, vec![0], vec![0])).to_vec();
    going_on.sort_by(|one, other| one.0.cmp(&other.0));
    let (shown, results_missing, before) = watch.catch_up().await;
    assert_eq!((&shown, results_missing), (&going_on, false), "no result of before");
    drop(watch);
    site.clock.advance(Duration::from_secs(600));
    site.resign(&second, 0).await;

    let still = (third.id.clone(), Running, vec![0], vec![0]);
    let over = |seated: &Seated| (seated.id.clone(), Finished, vec![0], vec![]);
    // Once with what is in memory, then with what the store has.
    for _ in 0..2 {
        let mut watch = site.watch(&ada_key, &before).await;
        let (shown, results_missing, _) = watch.catch_up().await;
        let results = shown.iter().filter(|(_, status, ..)| *status == Finished);
        // Within a minute before its cursor, since then a result may still have been on its way.
        assert_eq!(results.cloned().collect::<Vec<_>>(), [over(&first), over(&second)]);
        assert_eq!((shown.last(), results_missing), (Some(&still), false));
        site = site.restarted().await;
    }
    site.clock.advance(Duration::from_secs(600));
    // Results that are looked up for one who asks for them are news to nobody else.
    let mut other = site.watch(&ada_key, "").await;
    other.catch_up().await;
    site.watch(&ada_key, &before).await.catch_up().await;
    let made = site.create("4").await;
    assert_eq!(other.news().await.0, made);
    let abort =
        v1::AbortMatchRequest { match_id: made, request_id: "a".into(), creator_token: String::new() };
    site.client.abort_match(by(&ada_key, abort)).await.unwrap();
    site.clock.advance(Duration::from_secs(600));
    let (shown, _, now) = site.watch(&ada_key, "").await.catch_up().await;
    assert_eq!(shown, std::slice::from_ref(&still));
    site.clock.advance(Duration::from_secs(600));
    let (shown, _, _) = site.watch(&ada_key, &now).await.catch_up().await;
    assert_eq!(shown, [still], "nothing has ended since");
}

#[tokio::test]
async fn a_seat_that_is_kept_for_an_account_is_an_invitation_to_it() {
    let mut site = Site::new().await;
    let (ada_key, bob_key, umpire) = (site.keys.ada.clone(), site.keys.bob.clone(), site.keys.umpire.clone());
    let seated = site.seated("m").await;
    let (mut ada, mut bob) = (site.watch(&ada_key, "").await, site.watch(&bob_key, "").await);
    assert_eq!((ada.catch_up().await.0.len(), bob.catch_up().await.0.len()), (1, 1));
    let replace = v1::ReplaceMatchPlayerRequest {
        match_id: seated.id.clone(),
        request_id: "r".into(),
        seat: 1,
        account_id: "ada".into(),
        ..v1::ReplaceMatchPlayerRequest::default()
    };
    site.running.referee().await.replace_match_player(by(&umpire, replace)).await.unwrap();
    let invited = ada.next_match().await;
    let seats: Vec<_> = invited.seats.iter().map(|seat| (seat.seat, seat.is_invited, seat.to_act)).collect();
    assert_eq!(seats, [(0, false, true), (1, true, false)]);
    let gone = bob.next_match().await;
    assert_eq!((gone.is_creator, gone.seats.len()), (false, 0), "the last of it");
    site.join(&ada_key, &seated.id, 1).await;
    let taken = ada.next_match().await;
    assert!(taken.seats.iter().all(|seat| !seat.is_invited && seat.to_act), "{taken:?}");

    // The rest of it is nothing to Bob, neither now nor from the beginning.
    site.resign(&seated, 0).await;
    assert_eq!(ada.news().await.1, MatchStatus::Finished);
    let correct = v1::CorrectMatchResultRequest {
        match_id: seated.id.clone(),
        request_id: "c".into(),
        returns: vec![1, -1],
        reason: "he had the bell".into(),
    };
    site.running.referee().await.correct_match_result(by(&umpire, correct)).await.unwrap();
    assert_eq!(state(&ada.next_match().await).corrected_returns, [1, -1]);
    let other = site.seated("another").await;
    assert_eq!(bob.news().await.0, other.id);
    assert_eq!(site.watch(&bob_key, "").await.catch_up().await.0.len(), 1);
}

#[tokio::test]
async fn a_seat_that_a_match_is_made_with_for_an_account_is_an_invitation_until_it_is_taken() {
    let mut site = Site::new().await;
    let (ada_key, bob_key) = (site.keys.ada.clone(), site.keys.bob.clone());
    let mut bob = site.watch(&bob_key, "").await;
    bob.catch_up().await;
    let kept = v1::SeatConfig {
        kind: v1::SeatKind::Invited.into(),
        account_id: "bob".into(),
        ..v1::SeatConfig::default()
    };
    let seats = vec![v1::SeatConfig::default(), kept];
    let request = v1::CreateMatchRequest { seats, seed: None, ..skirmish("m") };
    let id = site.client.create_match(by(&ada_key, request)).await.unwrap().into_inner().id();
    let is_invited = |shown: &v1::WatchedMatch| {
        shown.seats.iter().map(|seat| (seat.seat, seat.is_invited)).collect::<Vec<_>>()
    };
    let invited = bob.next_match().await;
    assert_eq!((is_invited(&invited), state(&invited).status()), (vec![(1, true)], MatchStatus::Waiting));
    assert_eq!(state(&invited).seats[1].invited_account_id, "bob");
    // It is there from the beginning of another stream, too, and after a restart.
    let mut site = site.restarted().await;
    let mut bob = site.watch(&bob_key, "").await;
    assert_eq!(is_invited(&bob.next_match().await), [(1, true)]);
    assert!(bob.next().await.caught_up);
    site.join(&bob_key, &id, 1).await;
    assert_eq!(is_invited(&bob.next_match().await), [(1, false)]);
    site.join(&ada_key, &id, 0).await;
    assert_eq!(bob.news().await.1, MatchStatus::Running);
}

#[tokio::test]
async fn a_seat_that_is_given_back_is_the_accounts_no_more() {
    let mut site = Site::new().await;
    let bob_key = site.keys.bob.clone();
    let mut bob = site.watch(&bob_key, "").await;
    bob.catch_up().await;
    let id = site.create("m").await;
    let token = site.join(&bob_key, &id, 1).await;
    assert_eq!(bob.news().await.2, [1]);
    let leave = v1::LeaveMatchRequest { match_id: id.clone(), request_id: "l".into() };
    site.client.leave_match(by(&token, leave)).await.unwrap();
    assert_eq!(bob.news().await.2, [0; 0]);
    let mut site = site.restarted().await;
    assert_eq!(site.watch(&bob_key, "").await.catch_up().await.0, []);
}

#[tokio::test]
async fn it_is_refused_to_seats_and_strangers_and_where_there_are_no_accounts() {
    let mut site = Site::new().await;
    let (ada_key, eve_key) = (site.keys.ada.clone(), site.keys.eve.clone());
    let seated = site.seated("m").await;
    let request = |cursor: &str| v1::WatchAccountRequest { cursor: cursor.into() };
    let by_seat = site.client.watch_account(by(&seated.tokens[0], request(""))).await;
    assert_eq!(reason(by_seat), ErrorReason::NotAllowed);
    assert_eq!(reason(site.client.watch_account(request("")).await), ErrorReason::BadToken);
    let bad = site.client.watch_account(by(&ada_key, request("yesterday"))).await;
    assert_field(bad, ErrorReason::InvalidField, "cursor");
    // A spectator's account has no matches, and may watch for them.
    assert_eq!(site.watch(&eve_key, "1").await.catch_up().await.0, []);

    let open = Start::default().run().await;
    let mut client = open.client().await;
    let refused = refusal(client.watch_account(request("")).await);
    assert_eq!(refused.reason(), ErrorReason::NoAccounts);
}

#[tokio::test]
async fn it_counts_among_streams_and_ends_with_the_server() {
    let keys = Keys::new();
    let limits = Limits { streams: 1, ..Limits::default() };
    let running = Start { accounts: keys.accounts(), limits, ..Start::default() }.run().await;
    let mut client = running.client().await;
    let request = v1::WatchAccountRequest::default();
    let mut first = client.watch_account(by(&keys.ada, request.clone())).await.unwrap().into_inner();
    assert!(first.message().await.unwrap().unwrap().caught_up);
    let second = client.watch_account(by(&keys.ada, request)).await;
    assert_eq!(reason(second), ErrorReason::LimitReached);
    running.draining.cancel();
    assert_eq!(reason(soon(first.message()).await), ErrorReason::Draining);
}

#[tokio::test]
async fn the_last_results_are_remembered_and_older_ones_are_said_to_be_missing() {
    let mut site = Site::new().await;
    let ada_key = site.keys.ada.clone();
    let before = site.watch(&ada_key, "").await.catch_up().await.2;
    site.clock.advance(Duration::from_secs(600));
    let mut made = Vec::new();
    for number in 0..=RESULTS_KEPT {
        let id = site.create(&number.to_string()).await;
        let abort = v1::AbortMatchRequest {
            match_id: id.clone(),
            request_id: "a".into(),
            creator_token: String::new(),
        };
        site.client.abort_match(by(&ada_key, abort)).await.unwrap();
        made.push(id);
        // So that their order is that in which they ended.
        site.clock.advance(Duration::from_millis(1));
        if number + 1 == RESULTS_KEPT {
            let (shown, results_missing, _) = site.watch(&ada_key, &before).await.catch_up().await;
            assert_eq!((shown.len(), results_missing), (RESULTS_KEPT, false));
        }
    }
    let (shown, results_missing, _) = site.watch(&ada_key, &before).await.catch_up().await;
    assert!(results_missing);
    assert!(shown.iter().map(|(id, ..)| id).eq(&made[1..]), "all but the first");
    site.clock.advance(Duration::from_secs(600));
    let now = site.watch(&ada_key, "").await.catch_up().await.2;
    assert!(!site.watch(&ada_key, &now).await.catch_up().await.1, "none is missing since then");
}
