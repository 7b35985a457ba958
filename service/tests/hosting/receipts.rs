//! The server's signed word for what it has published (docs/record.md, "Receipts"): who gets it, and that it is right.

use edgehill_convert::transcript::check;
use edgehill_proto::receipts::Transcript;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::{IntoRequest, Request};

use crate::accounts::Keys;
use crate::kit::{HasMatch, Seated, by, join, reason, skirmish, soon, watch};
use crate::player::Player;
use crate::running::{Client, KEY, Start};

/// The observers of a match for two.
const OBSERVERS: [Option<u32>; 3] = [Some(0), Some(1), None];

/// A message as a seat sends it or, without a token, a spectator.
fn of<T>(token: &str, message: T) -> Request<T> {
    if token.is_empty() { message.into_request() } else { by(token, message) }
}

/// The token of an observer of a match.
fn token(seated: &Seated, seat: Option<u32>) -> &str {
    seat.map_or("", |seat| &seated.tokens[seat as usize])
}

/// The receipt of the caller's own observer.
pub(crate) async fn receipt(client: &mut Client, match_id: &str, token: &str) -> v1::Receipt {
    let request = v1::GetReceiptRequest { match_id: match_id.to_owned(), observer: None };
    client.get_receipt(of(token, request)).await.unwrap().into_inner().receipt.unwrap()
}

/// The receipts of all observers of a match.
pub(crate) async fn receipts(client: &mut Client, seated: &Seated) -> Vec<v1::Receipt> {
    let mut receipts = Vec::new();
    for seat in OBSERVERS {
        receipts.push(receipt(client, &seated.id, token(seated, seat)).await);
    }
    receipts
}

/// All that an observer was shown so far, with words or without.
async fn shown(client: &mut Client, seated: &Seated, seat: Option<u32>, include_text: bool) -> Transcript {
    let mut transcript = Transcript::new(&*seated.id, v1::Observer { seat });
    let token = token(seated, seat);
    let seq = receipt(client, &seated.id, token).await.seq;
    let request = v1::WatchMatchRequest { include_text, ..watch(&seated.id, Some(0)) };
    let mut stream = client.watch_match(of(token, request)).await.unwrap().into_inner();
    while transcript.seq() < seq {
        let update = soon(stream.message()).await.unwrap().expect("the stream goes on").update.unwrap();
        update.events.iter().for_each(|event| transcript.push(event).unwrap());
    }
    transcript
}

#[tokio::test]
async fn a_receipt_is_for_all_that_was_published_with_words_and_without() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let seated = Seated::skirmish(&mut client).await;
    let mut transcripts = Vec::new();
    for seat in OBSERVERS {
        transcripts.push(shown(&mut client, &seated, seat, true).await);
    }
    for moves in [0, 7, 300] {
        Player { actions: moves * 1_000, ..Player::new(&seated) }.play(&mut client, moves).await;
        for (transcript, seat) in transcripts.iter_mut().zip(OBSERVERS) {
            let receipt = receipt(&mut client, &seated.id, token(&seated, seat)).await;
            let words = shown(&mut client, &seated, seat, true).await;
            words.events().for_each(|event| transcript.push(event).unwrap());
            transcript.push_receipt(receipt.clone()).unwrap();
            assert_eq!(receipt.stream_hash, transcript.hash().as_bytes());
            assert_eq!(shown(&mut client, &seated, seat, false).await.hash(), transcript.hash());
            let report = check(transcript, &[KEY.signing().verifying_key()]);
            assert!(report.is_fully_checked(), "{report}");
            assert_eq!(receipt.observer, Some(v1::Observer { seat }));
        }
    }
    // Each has a hash of its own.
    let hashes: Vec<_> = transcripts.iter().map(Transcript::hash).collect();
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[2] != hashes[0]);
    // A server that starts again on the store says the same.
    let before = receipts(&mut client, &seated).await;
    let restarted = Start::on(running.store.clone()).run().await;
    assert_eq!(receipts(&mut restarted.client().await, &seated).await, before);
}

#[tokio::test]
async fn who_may_see_a_view_gets_its_receipt_and_nobody_else() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let created = client.create_match(by(&keys.ada, skirmish("r"))).await.unwrap().into_inner();
    let id = created.id();
    let request = |seat: Option<Option<u32>>| v1::GetReceiptRequest {
        match_id: id.clone(),
        observer: seat.map(|seat| v1::Observer { seat }),
    };
    // Nothing was published yet, and that is said, too.
    let empty = client.get_receipt(by(&keys.ada, request(None))).await.unwrap().into_inner().receipt.unwrap();
    assert_eq!((empty.seq, empty.stream_hash.len(), empty.signature.len()), (0, 32, 64));
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let joined = client.join_match(by(&keys.ada, join(&id, &format!("j{seat}"), seat))).await.unwrap();
        tokens.push(joined.into_inner().seat_token);
    }
    let mut asked = async |token: &str, seat| client.get_receipt(by(token, request(seat))).await;
    let own = asked(&tokens[0], None).await.unwrap().into_inner();
    assert_eq!(asked(&tokens[0], Some(Some(0))).await.unwrap().into_inner(), own);
    let public = asked(&tokens[0], Some(None)).await.unwrap().into_inner();
    assert_ne!(public, own);
    assert_eq!(asked(&keys.umpire, Some(Some(0))).await.unwrap().into_inner(), own, "a referee sees all");
    assert_eq!(reason(asked(&tokens[1], Some(Some(0))).await), ErrorReason::NotAllowed);
    assert_eq!(reason(asked(&keys.ada, Some(Some(9))).await), ErrorReason::UnknownSeat);
    let other = v1::GetReceiptRequest { match_id: "no match".to_owned(), observer: None };
    assert_eq!(reason(client.get_receipt(by(&keys.ada, other)).await), ErrorReason::UnknownMatch);
}
