//! A client that plays one seat by single calls, and watches while it is not to act.

use edgehill_proto::v1::{self, ErrorReason};

use crate::history::Answer;
use crate::line::{Client, Line};
use crate::message::HasResult;
use crate::process::by;
use crate::seat::{Ask, Asked, Seat, is_expected};

/// Plays until the match is over. `repeats`: now and then each call is made again.
pub(crate) async fn play(mut seat: Seat, mut line: Line, repeats: bool) {
    let mut epoch = 0;
    loop {
        let listed = line.insist_noting(
            |mut client| {
                let request =
                    v1::ListLegalActionsRequest { match_id: seat.match_id.clone(), ..Default::default() };
                let request = by(&seat.token, request);
                async move { client.list_legal_actions(request).await }
            },
            |_| {},
        );
        let (begin, legal) = listed.await;
        let legal = legal.unwrap().into_inner();
        seat.looked(legal.seq, begin);
        if line.epoch() != epoch {
            epoch = line.epoch();
            repeat_last(&mut seat, &mut line).await;
            continue;
        }
        if !legal.to_act {
            if wait(&seat, &mut line, legal.seq).await {
                return;
            }
            continue;
        }
        #[expect(clippy::disallowed_methods, reason = "a player thinks")]
        tokio::time::sleep(seat.thought()).await;
        let asked = seat.choose(&legal.legal_actions.unwrap().ids, Some(legal.seq));
        match ask(&mut seat, &mut line, &asked).await {
            Ok(()) => {}
            Err(refusal) if is_expected(&refusal) => continue,
            Err(refusal) => panic!("{asked:?}: {refusal:?}"),
        }
        if repeats && seat.random.percent(30) {
            repeat_last(&mut seat, &mut line).await;
        }
        if repeats && seat.random.percent(5) {
            // Its id with another call.
            let other = if asked.ask == Ask::Undo { Ask::Action(0) } else { Ask::Undo };
            let refusal = ask(&mut seat, &mut line, &Asked { ask: other, ..asked }).await.unwrap_err();
            assert_eq!(refusal.reason(), ErrorReason::RequestIdReused, "{refusal:?}");
        }
    }
}

/// Makes the last acknowledged call again, as it was.
async fn repeat_last(seat: &mut Seat, line: &mut Line) {
    if let Some((asked, _)) = seat.last.clone() {
        ask(seat, line, &asked).await.unwrap_or_else(|refusal| panic!("{asked:?} again: {refusal:?}"));
    }
}

/// Makes a call until it is answered, and notes the answer.
pub(crate) async fn ask(seat: &mut Seat, line: &mut Line, asked: &Asked) -> Result<(), v1::Refusal> {
    let unanswered = |begin| seat.tried(asked, begin, Answer::Unknown);
    let (begin, answered) = match asked.ask {
        Ask::Action(action) => {
            let apply = |mut client: Client| {
                let request = seat.apply(asked, action);
                async move { client.apply_actions(request).await }
            };
            let (begin, applied) = line.insist_noting(apply, unanswered).await;
            let applied = applied.map(tonic::Response::into_inner);
            (begin, applied.map(|applied| (applied.result().actions, applied.update.unwrap())))
        }
        Ask::Undo => {
            let undo = |mut client: Client| {
                let request = seat.undo(asked);
                async move { client.undo_actions(request).await }
            };
            let (begin, undone) = line.insist_noting(undo, unanswered).await;
            let undone = undone.map(tonic::Response::into_inner);
            (begin, undone.map(|undone| (undone.result().actions, undone.update.unwrap())))
        }
    };
    let (count, update) = match answered {
        Ok(answered) => answered,
        Err(refusal) => {
            seat.tried(asked, begin, Answer::Refused(refusal.reason().as_str_name()));
            return Err(refusal);
        }
    };
    let (seq, seen) = (update.seq, seat.take(update.events, update.seq));
    seat.tried(asked, begin, Answer::Done { count, seq, seen });
    seat.acknowledge(asked, count, seq);
    Ok(())
}

/// Follows the match until the seat has more than `seq` events, and returns whether the match is over.
async fn wait(seat: &Seat, line: &mut Line, seq: u64) -> bool {
    loop {
        let request = v1::WatchMatchRequest {
            match_id: seat.match_id.clone(),
            after_seq: Some(seat.len()),
            ..v1::WatchMatchRequest::default()
        };
        let watched = line.insist(|mut client| {
            let request = by(&seat.token, request.clone());
            async move { client.watch_match(request).await }
        });
        let mut stream = watched.await.unwrap().into_inner();
        let mut over = false;
        loop {
            match stream.message().await {
                Ok(Some(message)) => {
                    let update = message.update.unwrap();
                    assert_eq!(update.view, None, "a view, where a cursor was given");
                    over = update.status() == v1::MatchStatus::Finished;
                    let mut published = seat.published.lock().unwrap();
                    update.events.into_iter().for_each(|event| published.next(event));
                }
                Ok(None) => {
                    assert!(over, "the stream ended before the match");
                    return true;
                }
                Err(status) => {
                    line.lost(&status);
                    break;
                }
            }
            if !over && seat.len() > seq {
                return false;
            }
        }
    }
}
