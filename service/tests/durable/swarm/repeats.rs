//! One request id many times at once, and others' request ids.

use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::wire::status;
use tokio::task::JoinSet;
use tonic::Status;

use super::hostile::Hostile;
use super::own_match::{OwnMatch, create};
use crate::line::Client;
use crate::message::{HasMatch, HasResult, batch, ids};
use crate::process::by;

/// The same request, so many times at once.
const COPIES: usize = 8;
/// Actions in a match before there is a new one.
const ACTIONS: usize = 20;

pub(crate) async fn attack(mut hostile: Hostile) {
    while !hostile.is_over() {
        let mut client = hostile.client().await;
        let _ = repeat(&mut hostile, &mut client).await;
    }
}

/// Repeats requests in a match of its own; `None` if the server was killed.
async fn repeat(hostile: &mut Hostile, client: &mut Client) -> Option<()> {
    let request = create(&format!("copy {}", hostile.random.next()));
    let made = at_once(hostile, || {
        let (mut client, request) = (client.clone(), request.clone());
        async move { client.create_match(request).await.map(|created| created.into_inner().id()) }
    });
    let made = made.await?;
    assert!(made.windows(2).all(|pair| pair[0] == pair[1]), "other matches for one request: {made:?}");
    let other = v1::CreateMatchRequest { client_secret: vec![9; 32], ..request };
    let other = hostile.answer(client.create_match(other)).await?.unwrap().into_inner().id();
    assert!(made.iter().all(|made| made.as_ref().is_ok_and(|id| *id != other)), "one match for two secrets");
    let own = OwnMatch::begin(hostile, client).await?;
    for number in 0..ACTIONS {
        let Some((token, seq, legal)) = own.to_act(hostile, client).await else { return Some(()) };
        let action = *hostile.random.pick(&legal)?;
        let apply = own.apply(number, seq, action);
        let applied = at_once(hostile, || {
            let (mut client, request) = (client.clone(), by(&token, apply.clone()));
            async move { client.apply_actions(request).await.map(|applied| applied.into_inner().result().clone()) }
        });
        let applied = applied.await?;
        assert!(
            applied.windows(2).all(|pair| pair[0] == pair[1]),
            "other outcomes of one request: {applied:?}"
        );
        let another = v1::ApplyActionsRequest { batch: Some(batch(ids(&[action, action]))), ..apply };
        let refused = hostile.answer(client.apply_actions(by(&token, another))).await?.map(drop).unwrap_err();
        let reason = status::read(&refused).map(|refusal| refusal.reason());
        assert_eq!(reason, Some(ErrorReason::RequestIdReused), "{refused:?}");
    }
    Some(())
}

/// Makes a call many times at once: the answers, or what the refusals say; `None` if the server was killed.
async fn at_once<T, F>(hostile: &Hostile, call: impl Fn() -> F) -> Option<Vec<Result<T, String>>>
where
    T: Send + 'static,
    F: Future<Output = Result<T, Status>> + Send + 'static,
{
    let mut calls = JoinSet::new();
    for _ in 0..COPIES {
        calls.spawn(call());
        hostile.made("repeated requests");
    }
    let mut answers = Vec::new();
    while let Some(answer) = calls.join_next().await {
        let answer = hostile.answer(async { answer.unwrap() }).await?;
        answers.push(answer.map_err(|status| status.message().to_owned()));
    }
    Some(answers)
}
