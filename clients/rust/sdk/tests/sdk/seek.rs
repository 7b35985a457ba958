//! Seeking somebody to play with.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use edgehill_client::v1::{
    ErrorReason, Match, MatchConfig, PairedSeat, Refusal, SeekCount, SeekMatchRequest, SeekMatchResponse,
};
use edgehill_client::{Client, Error, SeekRequest, SeekUpdate};
use tokio::sync::mpsc::UnboundedReceiver;
use tonic::{Code, Status};

use crate::fake::{Fake, answers, client, refusal, serve};

/// The answers to a seek, each the whole of a stream.
type Streams = Vec<Vec<Result<SeekMatchResponse, Status>>>;

/// A client of a server that gives these answers in their order, and the requests that it got.
async fn served(streams: Streams) -> (Client, Arc<Mutex<Vec<SeekMatchRequest>>>) {
    let seen: Arc<Mutex<Vec<SeekMatchRequest>>> = Arc::default();
    let (log, streams) = (Arc::clone(&seen), Mutex::new(streams.into_iter()));
    let seek = move |request| -> UnboundedReceiver<Result<SeekMatchResponse, Status>> {
        log.lock().unwrap().push(request);
        let (said, stream) = answers();
        for item in streams.lock().unwrap().next().expect("so often is it asked") {
            said.send(item).expect("it is taken");
        }
        stream
    };
    let address = serve(Fake { seek_match: Some(Box::new(seek)), ..Fake::default() }).await;
    (client(address), seen)
}

fn count(same_terms: u32) -> Result<SeekMatchResponse, Status> {
    let seeking = Some(SeekCount { same_terms, same_game: same_terms });
    Ok(SeekMatchResponse { seeking, paired: None })
}

fn paired() -> Result<SeekMatchResponse, Status> {
    let config = MatchConfig { match_id: "n".to_owned(), ..MatchConfig::default() };
    let r#match = Some(Match { config: Some(config), ..Match::default() });
    let paired = Some(PairedSeat { r#match, seat: 1, invitation: "a-secret".to_owned() });
    Ok(SeekMatchResponse { seeking: None, paired })
}

#[tokio::test]
async fn a_seek_goes_on_with_its_request_until_it_is_paired() {
    let draining = refusal(ErrorReason::Draining, Code::Unavailable, Refusal::default());
    let (client, seen) =
        served(vec![vec![count(1), count(2)], vec![Err(draining)], vec![count(3), paired()]]).await;
    let asked = SeekRequest::of("skirmish")
        .scenario("field")
        .option("length", "short")
        .seat(1)
        .commit_reveal()
        .wait(Duration::from_secs(60));
    let mut seek = client.matches().seek(asked);
    let mut counts = Vec::new();
    let got = loop {
        match seek.next().await.expect("in the end") {
            SeekUpdate::Seeking(count) => counts.push(count.same_terms),
            SeekUpdate::Paired(paired) => break paired,
        }
    };
    assert_eq!(counts, [1, 2, 3]);
    assert_eq!((got.config.match_id.as_str(), got.seat, got.invitation.as_str()), ("n", 1, "a-secret"));
    assert!(!format!("{got:?} {:?}", got.join_request()).contains("a-secret"));
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 3);
    let terms = |request: &SeekMatchRequest| SeekMatchRequest { wait: None, ..request.clone() };
    assert!(seen.iter().all(|request| terms(request) == terms(&seen[0])));
    assert!(!seen[0].request_id.is_empty() && seen[0].client_secret.len() == 32);
    assert_eq!((seen[0].scenario.as_str(), seen[0].options.len(), seen[0].seat), ("field", 1, Some(1)));
    // The time that is left, and no more.
    let waits: Vec<Duration> =
        seen.iter().map(|request| request.wait.unwrap().try_into().expect("a time")).collect();
    assert_eq!(waits[0], Duration::from_secs(60));
    assert!(waits[1] <= waits[0] && waits[2] <= waits[1] && waits[2] > Duration::from_secs(20), "{waits:?}");
}

#[tokio::test]
async fn a_refusal_ends_it_and_an_answer_without_a_match_is_none() {
    let expired = refusal(ErrorReason::SeekExpired, Code::DeadlineExceeded, Refusal::default());
    let nothing = SeekMatchResponse { seeking: None, paired: Some(PairedSeat::default()) };
    let (client, seen) = served(vec![vec![count(1), Err(expired)], vec![Ok(nothing)]]).await;
    let answer = client.matches().seek(SeekRequest::of("skirmish").request_id("mine")).paired().await;
    let error = answer.expect_err("nobody came");
    assert_eq!(error.refusal().expect("refused").reason(), ErrorReason::SeekExpired);
    let answer = client.matches().seek(SeekRequest::of("skirmish")).paired().await;
    assert!(matches!(answer, Err(Error::Protocol(_))), "{answer:?}");
    let seen = seen.lock().unwrap();
    assert_eq!((seen.len(), seen[0].request_id.as_str(), seen[0].wait), (2, "mine", None));
}
