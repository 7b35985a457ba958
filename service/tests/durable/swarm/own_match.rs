//! A match that a hostile client made, with both seats its own: what it may do there, it does badly.

use edgehill_proto::v1;

use super::hostile::Hostile;
use crate::line::Client;
use crate::message::{HasMatch, batch, ids};
use crate::process::by;

/// A match, and the tokens of its seats.
#[derive(Clone, Debug)]
pub(crate) struct OwnMatch {
    pub(crate) id: String,
    pub(crate) tokens: Vec<String>,
}

impl OwnMatch {
    /// Makes one; `None` if the server was killed meanwhile.
    pub(crate) async fn begin(hostile: &mut Hostile, client: &mut Client) -> Option<Self> {
        let create = create(&format!("own {}", hostile.random.next()));
        let created = hostile.answer(client.create_match(create)).await?.unwrap();
        let id = created.into_inner().id();
        let mut tokens = Vec::new();
        for seat in 0..2 {
            let joined = hostile.answer(client.join_match(join(&id, seat))).await?.unwrap();
            tokens.push(joined.into_inner().seat_token);
        }
        Some(Self { id, tokens })
    }

    /// A seat that is to act, and its legal actions; `None` if the match is over, or the server was killed.
    pub(crate) async fn to_act(
        &self,
        hostile: &Hostile,
        client: &mut Client,
    ) -> Option<(String, u64, Vec<u32>)> {
        for token in &self.tokens {
            let list = v1::ListLegalActionsRequest { match_id: self.id.clone(), ..Default::default() };
            let listed = hostile.answer(client.list_legal_actions(by(token, list))).await?.ok()?.into_inner();
            if listed.to_act {
                return Some((token.clone(), listed.seq, listed.legal_actions.unwrap_or_default().ids));
            }
        }
        None
    }

    /// A request for the action of this number, by a seat that has seen up to `seq`.
    pub(crate) fn apply(&self, number: usize, seq: u64, action: u32) -> v1::ApplyActionsRequest {
        v1::ApplyActionsRequest {
            match_id: self.id.clone(),
            request_id: format!("a{number}"),
            batch: Some(v1::ActionBatch { expected_seq: Some(seq), ..batch(ids(&[action])) }),
            ..v1::ApplyActionsRequest::default()
        }
    }
}

/// A request for a match whose seats are open.
pub(crate) fn create(request_id: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: request_id.to_owned(),
        game: "skirmish".to_owned(),
        client_secret: vec![8; 32],
        ..v1::CreateMatchRequest::default()
    }
}

/// A request for a seat of it.
pub(crate) fn join(match_id: &str, seat: u32) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        match_id: match_id.to_owned(),
        request_id: format!("seat {seat}"),
        seat: Some(seat),
        client_secret: vec![8; 32],
        ..v1::JoinMatchRequest::default()
    }
}
