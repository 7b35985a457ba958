//! The calls of a seat, made until they are answered ([`ask`]).

use edgehill_proto::v1;
use tonic::metadata::MetadataValue;

use crate::line::Line;
use crate::message::HasResult;
use crate::seat::{Ask, Asked, SeatLog, apply, resign, undo};

/// A message as the holder of a token sends it; of a spectator, who has none, as it is.
pub(crate) fn by<T>(token: &str, message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    if !token.is_empty() {
        let value: MetadataValue<_> = format!("Bearer {token}").parse().unwrap();
        request.metadata_mut().insert("authorization", value);
    }
    request
}

/// Makes a call of a seat until it is answered: the number of actions that were taken or taken back, and the update.
pub(crate) async fn ask(
    log: &SeatLog,
    line: &mut Line,
    asked: &Asked,
) -> Result<(u32, v1::SeatUpdate), v1::Refusal> {
    match asked.ask {
        Ask::Action(action) => {
            let call = |mut client: crate::line::Client| {
                let request = apply(log, asked, action);
                async move { client.apply_actions(request).await }
            };
            let applied = line.insist(call).await?.into_inner();
            Ok((applied.result().actions, applied.update.expect("an update")))
        }
        Ask::Undo => {
            let call = |mut client: crate::line::Client| {
                let request = undo(log, asked);
                async move { client.undo_actions(request).await }
            };
            let undone = line.insist(call).await?.into_inner();
            Ok((undone.result().actions, undone.update.expect("an update")))
        }
        Ask::Resign => {
            let call = |mut client: crate::line::Client| {
                let request = resign(log, asked);
                async move { client.resign_match(request).await }
            };
            let resigned = line.insist(call).await?.into_inner();
            Ok((0, resigned.update.expect("an update")))
        }
    }
}
