//! Calls that are given up on the way, and connections that are cut with calls on them.

use std::time::Duration;

use edgehill_proto::v1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpSocket;
use tokio::task::JoinSet;
use tonic::transport::{Endpoint, Uri};

use super::hostile::Hostile;
use super::own_match::OwnMatch;
use crate::line::Client;
use crate::message::HasResult;
use crate::process::by;

/// Actions in a match before there is a new one.
const ACTIONS: usize = 40;
/// The longest that a call is let be, in microseconds.
const LET_BE_MAX: usize = 4_000;

pub(crate) async fn attack(mut hostile: Hostile) {
    while !hostile.is_over() {
        let mut client = hostile.client().await;
        if let Some(own) = OwnMatch::begin(&mut hostile, &mut client).await {
            let _ = play(&mut hostile, &mut client, &own).await;
        }
    }
}

/// Plays a match whose every action is first asked for by calls that are given up; `None` if the server was killed.
async fn play(hostile: &mut Hostile, client: &mut Client, own: &OwnMatch) -> Option<()> {
    for number in 0..ACTIONS {
        let Some((token, seq, legal)) = own.to_act(hostile, client).await else { return Some(()) };
        let action = *hostile.random.pick(&legal)?;
        let apply = own.apply(number, seq, action);
        give_up(hostile, client.apply_actions(by(&token, apply.clone()))).await;
        cut(hostile, &token, &apply).await;
        // Whatever became of those, it happens once.
        let applied = hostile.answer(client.apply_actions(by(&token, apply))).await?.unwrap().into_inner();
        assert_eq!(applied.result().actions, 1);
        let watch = v1::WatchMatchRequest { match_id: own.id.clone(), ..v1::WatchMatchRequest::default() };
        give_up(hostile, client.watch_match(watch)).await;
    }
    Some(())
}

async fn give_up<T>(hostile: &mut Hostile, call: impl Future<Output = T>) {
    let let_be = Duration::from_micros(hostile.random.below(LET_BE_MAX) as u64);
    let _ = tokio::time::timeout(let_be, call).await;
    hostile.made("cancelled calls");
}

/// Makes a call eight times on a connection that is reset with all of them on it.
async fn cut(hostile: &mut Hostile, token: &str, apply: &v1::ApplyActionsRequest) {
    let (from, to) = (hostile.from(), hostile.address().await);
    let connector = move |to: Uri| async move {
        let socket = TcpSocket::new_v4()?;
        socket.bind((from, 0).into())?;
        let address = to.authority().and_then(|to| to.as_str().parse().ok());
        let connection = socket.connect(address.ok_or(std::io::ErrorKind::AddrNotAvailable)?).await?;
        connection.set_zero_linger()?;
        Ok::<_, std::io::Error>(TokioIo::new(connection))
    };
    let endpoint = Endpoint::from_shared(format!("http://{to}")).unwrap();
    let Ok(channel) = endpoint.connect_with_connector(tower::service_fn(connector)).await else { return };
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let (mut client, request) = (Client::new(channel.clone()), by(token, apply.clone()));
        calls.spawn(async move { drop(client.apply_actions(request).await) });
    }
    #[expect(clippy::disallowed_methods, reason = "the calls are to be cut off at any moment")]
    tokio::time::sleep(Duration::from_micros(hostile.random.below(LET_BE_MAX) as u64)).await;
    hostile.made("connections cut");
}
