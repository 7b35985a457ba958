//! The matches of an account, over streams that break.

use edgehill_client::v1::{ErrorReason, Refusal, WatchAccountRequest, WatchAccountResponse};
use edgehill_client::{Error, v1};
use tonic::{Code, Status};

use crate::fake::{Fake, answers, client, refusal, serve};

/// The number of the last response.
const LAST: u64 = 9;

fn response(number: u64) -> WatchAccountResponse {
    let config = v1::MatchConfig { match_id: format!("m{number}"), ..Default::default() };
    let shown = v1::Match { config: Some(config), ..Default::default() };
    let shown = v1::WatchedMatch { r#match: Some(shown), ..Default::default() };
    WatchAccountResponse { r#match: Some(shown), cursor: number.to_string(), ..Default::default() }
}

/// A server that goes on behind each cursor, and whose streams break after `after` responses: with a status, or without one.
fn breaking(after: u64, with_status: bool) -> Fake {
    let watch = move |request: WatchAccountRequest| {
        let (sender, receiver) = answers();
        let seen: u64 = request.cursor.parse().unwrap_or(0);
        for number in seen + 1..=(seen + after).min(LAST) {
            let _ = sender.send(Ok(response(number)));
        }
        let over = match () {
            () if seen + after >= LAST => {
                Some(refusal(ErrorReason::NotAllowed, Code::PermissionDenied, Refusal::default()))
            }
            () if with_status => Some(Status::unavailable("it breaks")),
            () => None,
        };
        over.into_iter().for_each(|status| drop(sender.send(Err(status))));
        receiver
    };
    Fake { watch_account: Some(Box::new(watch)), ..Fake::default() }
}

#[tokio::test]
async fn a_stream_that_breaks_goes_on_at_its_cursor_until_it_is_refused() {
    for (after, with_status) in [(1, true), (2, false), (4, true), (LAST, true)] {
        let client = client(serve(breaking(after, with_status)).await);
        let mut watch = client.matches().watch_account();
        assert_eq!(watch.cursor(), "");
        for number in 1..=LAST {
            assert_eq!(watch.next().await.unwrap(), response(number));
            assert_eq!(watch.cursor(), number.to_string());
        }
        let Err(Error::Refused(refused)) = watch.next().await else { panic!("it is refused") };
        assert_eq!(refused.reason(), ErrorReason::NotAllowed);
    }
}

#[tokio::test]
async fn it_begins_at_the_cursor_that_it_is_given() {
    let client = client(serve(breaking(LAST, true)).await);
    let mut watch = client.matches().watch_account().after("4");
    assert_eq!(watch.next().await.unwrap(), response(5));
}
