//! COMMIT_REVEAL: all are bound before any is known, and a seat that does not reveal forfeits before the first event.

use std::sync::Arc;
use std::time::Duration;

use edgehill_engine::dice::{Entropy, EntropyCommitment};
use edgehill_engine::record::{Record, verify};
use edgehill_proto::v1::{self, EntropyState, ErrorReason, MatchStatus};
use edgehill_service::clock::{Clock, ManualClock};

use crate::kit::{
    HasMatch, assert_field, by, everything, exported, join, reason, resign, skirmish, soon, timestamp,
};
use crate::running::{Client, File, Start};

pub(crate) fn request(id: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest { seed: None, entropy_mode: v1::EntropyMode::CommitReveal.into(), ..skirmish(id) }
}

fn commitment(id: &str, seat: u32, byte: u8) -> Vec<u8> {
    Entropy::from_bytes([byte; 32]).commit(id, seat).unwrap().as_bytes().to_vec()
}

pub(crate) fn bound(id: &str, seat: u32, byte: u8) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        entropy_commitment: commitment(id, seat, byte),
        ..join(id, &format!("j{seat}"), seat)
    }
}

pub(crate) fn reveal(id: &str, request_id: &str, byte: u8) -> v1::RevealEntropyRequest {
    v1::RevealEntropyRequest {
        match_id: id.into(),
        request_id: request_id.into(),
        entropy: vec![byte; 32],
        response_options: everything(),
    }
}

async fn get(client: &mut Client, id: &str) -> v1::MatchState {
    client.get_match(v1::GetMatchRequest { match_id: id.into() }).await.unwrap().into_inner().state()
}

async fn until(client: &mut Client, id: &str, status: MatchStatus) -> v1::MatchState {
    let watch =
        v1::WatchMatchRequest { match_id: id.into(), after_seq: Some(0), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    soon(async {
        loop {
            let update = watch.message().await.unwrap().expect("the stream goes on").update.unwrap();
            if let Some(state) = update.state
                && state.status() == status
            {
                return state;
            }
        }
    })
    .await
}

#[tokio::test]
async fn entropy_is_bound_first_and_revealed_when_all_are_bound() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let created = client.create_match(request("r")).await.unwrap().into_inner();
    let id = created.id();
    // The commitment is made for a seat, is asked for, and is not to zeros.
    let plain = join(&id, "x", 0);
    assert_field(client.join_match(plain.clone()).await, ErrorReason::InvalidField, "entropy_commitment");
    let seatless = v1::JoinMatchRequest { seat: None, ..bound(&id, 0, 1) };
    assert_field(client.join_match(seatless).await, ErrorReason::InvalidField, "seat");
    let early = v1::JoinMatchRequest { entropy: vec![1; 32], ..bound(&id, 0, 1) };
    assert_field(client.join_match(early).await, ErrorReason::InvalidField, "entropy");
    assert_field(client.join_match(bound(&id, 0, 0)).await, ErrorReason::InvalidField, "entropy_commitment");

    let north = client.join_match(bound(&id, 0, 1)).await.unwrap().into_inner();
    let state = north.state();
    assert_eq!((state.status(), state.seats[0].entropy()), (MatchStatus::Waiting, EntropyState::Committed));
    assert_eq!(state.seats[0].entropy_commitment, commitment(&id, 0, 1));
    let early = client.reveal_entropy(by(&north.seat_token, reveal(&id, "e", 1))).await;
    assert_eq!(reason(early), ErrorReason::NotRevealing);
    let south = client.join_match(bound(&id, 1, 2)).await.unwrap().into_inner();
    let state = south.state();
    assert_eq!((state.status(), south.update), (MatchStatus::Revealing, None));
    assert!(state.reveal_deadline.unwrap().seconds > 0);

    // Wrong, copied, zeros: the seat may try again.
    for byte in [3, 2, 0] {
        let wrong = client.reveal_entropy(by(&north.seat_token, reveal(&id, "e", byte))).await;
        assert_eq!(reason(wrong), ErrorReason::EntropyMismatch);
    }
    let short = v1::RevealEntropyRequest { entropy: vec![1; 31], ..reveal(&id, "e", 1) };
    let short = client.reveal_entropy(by(&north.seat_token, short)).await;
    assert_field(short, ErrorReason::InvalidField, "entropy");
    let first = client.reveal_entropy(by(&north.seat_token, reveal(&id, "e", 1))).await.unwrap().into_inner();
    let state = first.state();
    assert_eq!((state.status(), first.update), (MatchStatus::Revealing, None));
    assert_eq!(
        (state.seats[0].entropy(), state.seats[1].entropy()),
        (EntropyState::Revealed, EntropyState::Committed)
    );
    let reused = client.reveal_entropy(by(&north.seat_token, reveal(&id, "e", 9))).await;
    assert_eq!(reason(reused), ErrorReason::RequestIdReused);
    let twice = client.reveal_entropy(by(&north.seat_token, reveal(&id, "f", 1))).await;
    assert_eq!(reason(twice), ErrorReason::NotRevealing);
    let last = client.reveal_entropy(by(&south.seat_token, reveal(&id, "e", 2))).await.unwrap().into_inner();
    let (state, update) = (last.state(), last.update.unwrap());
    assert_eq!((state.status(), update.to_act, state.reveal_deadline), (MatchStatus::Running, true, None));
    let again = client.reveal_entropy(by(&north.seat_token, reveal(&id, "e", 1))).await.unwrap().into_inner();
    assert!(again.update.unwrap().to_act);

    client.resign_match(by(&north.seat_token, resign(&id, "r"))).await.unwrap();
    let revealed = get(&mut client, &id).await.reveal.unwrap();
    assert_eq!(revealed.entropies, [vec![1; 32], vec![2; 32]]);
    let record =
        exported(client.export_record(v1::ExportRecordRequest { match_id: id }).await).await.unwrap();
    let game = running.host.registry().game("skirmish").unwrap();
    let report = verify(&**game, &Record::parse(&record.text).unwrap(), &[]);
    assert!(report.is_consistent(), "{report}");
}

#[tokio::test]
async fn a_commitment_to_nothing_is_told_from_one_that_could_be() {
    // The commitment of zeros for a seat of this match, and not merely any 32 bytes.
    let id = "01890000-0000-7000-8000-000000000000";
    let zeros = EntropyCommitment::from_bytes(commitment(id, 0, 0).try_into().unwrap());
    assert!(zeros.verify(id, 0, &Entropy::ABSENT).is_ok());
    assert!(zeros.verify(id, 1, &Entropy::ABSENT).is_err());
}

#[tokio::test]
async fn a_seat_that_does_not_reveal_in_time_forfeits_before_the_first_event() {
    for (revealed, returns) in [(vec![0], [1, -1]), (vec![1], [-1, 1]), (vec![], [0, 0])] {
        let clock = Arc::new(ManualClock::new(1_700_000_000_000));
        let running = Start { clock: clock.clone(), ..Start::default() }.run().await;
        let mut client = running.client().await;
        let id = client.create_match(request("f")).await.unwrap().into_inner().id();
        let mut tokens = Vec::new();
        for seat in 0..2 {
            let joined = client.join_match(bound(&id, seat, 1 + seat as u8)).await.unwrap().into_inner();
            tokens.push(joined.seat_token);
        }
        for &seat in &revealed {
            let request = reveal(&id, "e", 1 + seat as u8);
            client.reveal_entropy(by(&tokens[seat], request)).await.unwrap();
        }
        clock.advance(Duration::from_secs(599));
        assert_eq!(get(&mut client, &id).await.status(), MatchStatus::Revealing);
        clock.advance(Duration::from_secs(1));
        let state = until(&mut client, &id, MatchStatus::Finished).await;
        let result = state.result.unwrap();
        assert_eq!((&*result.code, &*result.rule, &*result.returns), ("forfeited", "contract", &returns[..]));
        assert_eq!((state.reveal, state.end_time), (None, Some(timestamp(clock.unix_ms()))));
        assert_eq!(result.termination(), v1::Termination::Absence);
        let late = client.reveal_entropy(by(&tokens[1], reveal(&id, "late", 2))).await;
        assert_eq!(reason(late), ErrorReason::NotRevealing);
        // Nothing was drawn, so there is nothing to see and nothing to record.
        let view = v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
        assert_eq!(reason(client.get_view(view).await), ErrorReason::MatchNotStarted);
        let record = client.export_record(v1::ExportRecordRequest { match_id: id }).await;
        assert_eq!(reason(record), ErrorReason::MatchNotStarted);
    }
}

/// Runs `first` on a server of its own, which is then gone: closed, or as a process that is killed.
fn run_and_end<T: Send + 'static>(
    start: Start,
    kill: bool,
    first: impl AsyncFnOnce(Client) -> T + Send + 'static,
) -> T {
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let running = start.run().await;
            let given = first(running.client().await).await;
            if !kill {
                running.close().await;
            }
            given
        })
        // With the runtime goes all that was under way, and nothing more is written.
    };
    std::thread::Builder::new().spawn(run).unwrap().join().unwrap()
}

#[test]
fn time_in_which_the_server_is_down_does_not_count() {
    for kill in [false, true] {
        let (file, begun) = (File::new(), 1_700_000_000_000);
        let clock = Arc::new(ManualClock::new(begun));
        let start = || Start { clock: clock.clone(), ..Start::on(file.open()) };
        let moves = clock.clone();
        let (id, tokens) = run_and_end(start(), kill, async move |mut client| {
            let id = client.create_match(request("d")).await.unwrap().into_inner().id();
            let mut tokens = Vec::new();
            for seat in 0..2 {
                let joined = client.join_match(bound(&id, seat, 1 + seat as u8)).await.unwrap().into_inner();
                tokens.push(joined.seat_token);
            }
            moves.advance(Duration::from_secs(5));
            (id, tokens)
        });
        clock.advance(Duration::from_secs(700));
        let other = clock.clone();
        let (id, deadline) = run_and_end(start(), kill, async move |mut client| {
            let state = get(&mut client, &id).await;
            assert_eq!(state.status(), MatchStatus::Revealing, "nobody forfeits");
            client.reveal_entropy(by(&tokens[0], reveal(&id, "e", 1))).await.unwrap();
            // A kill is noticed with what was noted last, which is a little earlier and never later.
            let deadline = state.reveal_deadline.unwrap();
            let ends = begun + 1_000 * (600 + 700)..=begun + 1_000 * (600 + 700 + if kill { 5 } else { 0 });
            assert!(ends.contains(&unix_ms(&deadline)), "{deadline:?}");
            other.advance(Duration::from_secs(100));
            (id, deadline)
        });
        // A second outage is added to the first.
        clock.advance(Duration::from_secs(10_000));
        let moves = clock.clone();
        run_and_end(start(), kill, async move |mut client| {
            let state = get(&mut client, &id).await;
            assert_eq!(state.status(), MatchStatus::Revealing, "nobody forfeits");
            let later = unix_ms(&state.reveal_deadline.unwrap());
            assert!(later >= unix_ms(&deadline) + 10_000_000, "{later}");
            moves.advance(Duration::from_millis(later - moves.unix_ms() - 1));
            assert_eq!(get(&mut client, &id).await.status(), MatchStatus::Revealing);
            moves.advance(Duration::from_millis(1));
            let state = until(&mut client, &id, MatchStatus::Finished).await;
            assert_eq!(state.result.unwrap().returns, [1, -1]);
        });
    }
}

/// Milliseconds since 1970.
fn unix_ms(moment: &edgehill_proto::prost_types::Timestamp) -> u64 {
    moment.seconds as u64 * 1_000 + moment.nanos as u64 / 1_000_000
}

#[tokio::test]
async fn a_house_bot_is_bound_and_reveals_like_everybody() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "random".into(),
        ..v1::SeatConfig::default()
    };
    let created = client
        .create_match(v1::CreateMatchRequest { seats: vec![bot], ..request("b") })
        .await
        .unwrap()
        .into_inner();
    let id = created.id();
    let state = created.state();
    assert_eq!(
        (state.seats[0].entropy(), state.seats[0].entropy_commitment.len()),
        (EntropyState::Committed, 32)
    );
    let south = client.join_match(bound(&id, 1, 2)).await.unwrap().into_inner();
    assert_eq!(south.state().status(), MatchStatus::Revealing);
    let begun = client.reveal_entropy(by(&south.seat_token, reveal(&id, "e", 2))).await.unwrap().into_inner();
    let state = begun.state();
    assert_eq!((state.status(), state.seats[0].entropy()), (MatchStatus::Running, EntropyState::Revealed));
    client.resign_match(by(&south.seat_token, resign(&id, "r"))).await.unwrap();
    let record =
        exported(client.export_record(v1::ExportRecordRequest { match_id: id }).await).await.unwrap();
    let game = running.host.registry().game("skirmish").unwrap();
    let report = verify(&**game, &Record::parse(&record.text).unwrap(), &[]);
    assert!(report.is_consistent(), "{report}");
}
