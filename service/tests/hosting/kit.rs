//! The calls of tests to a server, in short.

use std::fmt::Debug;
use std::time::Duration;

use edgehill_proto::v1::{self, ErrorReason};
use edgehill_service::wire;
use tonic::metadata::MetadataValue;
use tonic::{Request, Status};

pub(crate) use crate::message::{
    HasBatch, HasMatch, HasResult, batch, exported, ids, line, notations, structures,
};
use crate::running::Client;

/// A message as the holder of a key or token sends it.
pub(crate) fn by<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let value: MetadataValue<_> = format!("Bearer {token}").parse().unwrap();
    request.metadata_mut().insert("authorization", value);
    request
}

/// The refusal of a call.
pub(crate) fn refusal<T: Debug>(answer: Result<T, Status>) -> v1::Refusal {
    let status = answer.expect_err("a refusal");
    wire::status::read(&status).unwrap_or_else(|| panic!("a status of the transport: {status:?}"))
}

/// The reason of a refusal.
pub(crate) fn reason<T: Debug>(answer: Result<T, Status>) -> ErrorReason {
    refusal(answer).reason()
}

/// That a call is refused for `reason`, and that `field` is at fault.
#[track_caller]
pub(crate) fn assert_field<T: Debug>(answer: Result<T, Status>, reason: ErrorReason, field: &str) {
    let refusal = refusal(answer);
    let fields: Vec<&str> = refusal.field_violations.iter().map(|one| one.field.as_str()).collect();
    assert_eq!((refusal.reason(), fields), (reason, vec![field]), "{}", refusal.message);
    assert!(refusal.field_violations.iter().all(|one| !one.description.is_empty()));
}

/// A moment of the wire, from milliseconds since 1970.
pub(crate) fn timestamp(unix_ms: u64) -> edgehill_proto::prost_types::Timestamp {
    let nanos = (unix_ms % 1_000 * 1_000_000) as i32;
    edgehill_proto::prost_types::Timestamp { seconds: (unix_ms / 1_000) as i64, nanos }
}

/// Waits for something that has to come, and fails instead of hanging where it does not.
pub(crate) async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), what).await.expect("it does not come")
}

/// A match of the training game for two, with a seed that is known.
pub(crate) fn skirmish(request_id: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: request_id.to_owned(),
        game: "skirmish".to_owned(),
        seed: Some(v1::create_match_request::Seed::ChosenSeed(vec![3; 32])),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    }
}

/// A position in which North, who acts first, can march past a block of South's that may intercept.
pub(crate) const WINDOW: &str =
    r#"{"blocks":{"south":{"1":"heath","2":"heath"}},"hands":{"north":["matchlock"],"south":["fife"]}}"#;

/// All that there is to send along.
pub(crate) fn everything() -> Option<v1::ResponseOptions> {
    Some(v1::ResponseOptions {
        include_view: true,
        legal: v1::LegalDetail::Full.into(),
        include_events: true,
        include_text: true,
    })
}

/// A match in which all have joined.
#[derive(Clone, Debug)]
pub(crate) struct Seated {
    pub(crate) id: String,
    pub(crate) tokens: Vec<String>,
}

/// The visible state of a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ViewTracker {
    state: v1::MatchState,
    views: Vec<(u64, Option<v1::View>, Vec<v1::StandingPass>)>,
}

impl Seated {
    /// A match of the training game, both seats taken.
    pub(crate) async fn skirmish(client: &mut Client) -> Self {
        Self::of(client, skirmish("kit")).await
    }

    /// A match in which all seats are taken, without entropy.
    pub(crate) async fn of(client: &mut Client, request: v1::CreateMatchRequest) -> Self {
        let created = client.create_match(request).await.unwrap().into_inner();
        let id = created.id();
        let mut tokens = Vec::new();
        for (seat, state) in created.state().seats.iter().enumerate() {
            if state.joined {
                tokens.push(String::new());
                continue;
            }
            let joined = client.join_match(join(&id, &format!("kit-{seat}"), seat as u32)).await.unwrap();
            tokens.push(joined.into_inner().seat_token);
        }
        Self { id, tokens }
    }

    pub(crate) async fn get(&self, client: &mut Client) -> v1::GetMatchResponse {
        client.get_match(v1::GetMatchRequest { match_id: self.id.clone() }).await.unwrap().into_inner()
    }

    pub(crate) async fn legal(&self, client: &mut Client, seat: usize) -> v1::ListLegalActionsResponse {
        let request = v1::ListLegalActionsRequest {
            match_id: self.id.clone(),
            detail: v1::LegalDetail::Notation.into(),
            ..v1::ListLegalActionsRequest::default()
        };
        client.list_legal_actions(by(&self.tokens[seat], request)).await.unwrap().into_inner()
    }

    /// A request to take actions, which wants everything.
    pub(crate) fn apply(&self, request_id: &str, actions: v1::ActionList) -> v1::ApplyActionsRequest {
        v1::ApplyActionsRequest {
            match_id: self.id.clone(),
            request_id: request_id.to_owned(),
            batch: Some(batch(actions)),
            response_options: everything(),
        }
    }

    /// Takes actions.
    pub(crate) async fn take(
        &self,
        client: &mut Client,
        seat: usize,
        id: &str,
        actions: v1::ActionList,
    ) -> v1::ApplyActionsResponse {
        let request = self.apply(id, actions);
        client.apply_actions(by(&self.tokens[seat], request)).await.unwrap().into_inner()
    }

    /// The seat's view.
    pub(crate) async fn view(&self, client: &mut Client, seat: usize) -> v1::GetViewResponse {
        let request = v1::GetViewRequest { match_id: self.id.clone(), ..v1::GetViewRequest::default() };
        client.get_view(by(&self.tokens[seat], request)).await.unwrap().into_inner()
    }

    /// All that anybody sees, and how far each sequence is.
    pub(crate) async fn sight(&self, client: &mut Client) -> ViewTracker {
        let state = self.get(client).await.state();
        let mut views = Vec::new();
        for seat in 0..self.tokens.len() {
            let seen = self.view(client, seat).await;
            views.push((seen.seq, seen.view, seen.standing_passes));
        }
        let request = v1::GetViewRequest { match_id: self.id.clone(), ..v1::GetViewRequest::default() };
        let seen = client.get_view(request).await.unwrap().into_inner();
        views.push((seen.seq, seen.view, seen.standing_passes));
        ViewTracker { state, views }
    }

    /// Both seats choose a card, so that somebody acts.
    pub(crate) async fn choose_cards(&self, client: &mut Client) {
        for seat in 0..self.tokens.len() {
            let card = self.legal(client, seat).await.legal_actions.unwrap().ids[0];
            self.take(client, seat, &format!("choose-{seat}"), ids(&[card])).await;
            self.take(client, seat, &format!("chosen-{seat}"), notations(&["done"])).await;
        }
    }

    /// Returns the seat that is to act, the first if there are several.
    pub(crate) async fn to_act(&self, client: &mut Client) -> Option<usize> {
        for seat in 0..self.tokens.len() {
            if self.legal(client, seat).await.to_act {
                return Some(seat);
            }
        }
        None
    }
}

/// The id of the group that a match was made in, which nobody else is told.
pub(crate) fn group_id(made: &v1::CreateMatchResponse) -> String {
    let config = made.r#match.as_ref().and_then(|shown| shown.config.as_ref());
    config.and_then(|config| config.dice.as_ref()?.group.as_ref()).unwrap().group_id.clone()
}

/// A request to join, without entropy.
pub(crate) fn join(match_id: &str, request_id: &str, seat: u32) -> v1::JoinMatchRequest {
    v1::JoinMatchRequest {
        match_id: match_id.to_owned(),
        request_id: request_id.to_owned(),
        seat: Some(seat),
        client_secret: vec![7; 32],
        ..v1::JoinMatchRequest::default()
    }
}

/// A request of spectators to watch, or of the seat whose token it is sent with.
pub(crate) fn watch(match_id: &str, after_seq: Option<u64>) -> v1::WatchMatchRequest {
    v1::WatchMatchRequest { match_id: match_id.to_owned(), after_seq, ..v1::WatchMatchRequest::default() }
}

/// A request to give up.
pub(crate) fn resign(match_id: &str, request_id: &str) -> v1::ResignMatchRequest {
    v1::ResignMatchRequest {
        match_id: match_id.to_owned(),
        request_id: request_id.to_owned(),
        response_options: everything(),
    }
}
