//! A client that plays one seat by single calls, and watches while it is not to act.

use edgehill_proto::v1::{self, ErrorReason};

use crate::calls::{ask, by};
use crate::date::pause;
use crate::line::{Client, Line};
use crate::seat::{Ask, Asked, Seat, is_expected};

/// Plays until the match is over. Now and then a call is made again.
pub(crate) async fn play(mut seat: Seat, mut line: Line) {
    loop {
        let legal = line
            .insist(|mut client: Client| {
                let match_id = seat.log.match_id.clone();
                let request = v1::ListLegalActionsRequest { match_id, ..Default::default() };
                let request = by(&seat.log.token, request);
                async move { client.list_legal_actions(request).await }
            })
            .await
            .unwrap()
            .into_inner();
        if !legal.to_act {
            if wait(&mut seat, &mut line, legal.seq).await {
                return;
            }
            continue;
        }
        pause(seat.thought()).await;
        let asked = seat.choose(&legal.legal_actions.unwrap().ids, legal.seq);
        match make(&seat, &mut line, &asked).await {
            Ok(()) => {}
            Err(refusal) if is_expected(&refusal) => continue,
            Err(refusal) => panic!("{asked:?}: {refusal:?}"),
        }
        if seat.random.percent(20)
            && let Some(asked) = seat.last()
        {
            make(&seat, &mut line, &asked)
                .await
                .unwrap_or_else(|refusal| panic!("{asked:?} again: {refusal:?}"));
        }
        if seat.random.percent(3) {
            // Its id with another call.
            let other = if asked.ask == Ask::Undo { Ask::Action(0) } else { Ask::Undo };
            let refusal = make(&seat, &mut line, &Asked { ask: other, ..asked }).await.unwrap_err();
            assert_eq!(refusal.reason(), ErrorReason::RequestIdReused, "{refusal:?}");
        }
    }
}

/// Makes a call until it is answered, and notes the answer.
pub(crate) async fn make(seat: &Seat, line: &mut Line, asked: &Asked) -> Result<(), v1::Refusal> {
    let (actions, update) = ask(&seat.log, line, asked).await?;
    seat.take(update.events, false);
    seat.acknowledge(asked, actions, update.seq);
    Ok(())
}

/// Follows the match until the seat has more than `seq` events, and returns whether the match is over.
async fn wait(seat: &mut Seat, line: &mut Line, seq: u64) -> bool {
    loop {
        let request = v1::WatchMatchRequest {
            match_id: seat.log.match_id.clone(),
            after_seq: Some(seat.len()),
            ..v1::WatchMatchRequest::default()
        };
        let watched = line.insist(|mut client: Client| {
            let request = by(&seat.log.token, request.clone());
            async move { client.watch_match(request).await }
        });
        let mut stream = watched.await.unwrap().into_inner();
        let mut over = false;
        loop {
            match stream.message().await {
                Ok(Some(message)) => {
                    let update = message.update.unwrap();
                    assert_eq!(update.view, None, "a view, where a cursor was given");
                    over = is_over(update.status());
                    seat.take(update.events, true);
                }
                Ok(None) => {
                    assert!(over, "the stream ended before the match");
                    return true;
                }
                Err(status) => {
                    let refusal = line.lost(&status);
                    assert_eq!(refusal, None, "the stream was refused");
                    line.pause().await;
                    break;
                }
            }
            if !over && seat.len() > seq {
                return false;
            }
        }
    }
}

/// Returns whether a match that stands so goes on no more.
pub(crate) fn is_over(status: v1::MatchStatus) -> bool {
    use v1::MatchStatus::{Aborted, Expired, Finished};
    matches!(status, Finished | Aborted | Expired)
}
