//! One seat of one match, call by call ([`Seat`]).

use std::fmt;

use edgehill_proto::v1::{
    AcceptDrawRequest, ApplyRequest, ApplyResponse, ExplainRequest, ExplainResponse, GetRecordRequest,
    GetRecordResponse, GetRequest, GetResponse, LegalDetail, LegalRequest, LegalResponse, MatchState,
    OfferDrawRequest, Ref, ResignRequest, RevealEntropyRequest, RevealEntropyResponse,
    SetStandingPassesRequest, SeatUpdate, StandingPass, Action, UndoRequest, UndoResponse, ViewResponse, ResponseOptions,
};

use crate::client::Client;
use crate::error::Error;
use crate::matches::Look;
use crate::retry::until_answered;
use crate::actions::Actions;
use crate::watch::Watch;

/// A seat of a match. The holder of its token plays it.
///
/// Each call is repeated under its request id while the connection is down, so that it happens once. A bot that plays
/// many seats uses a [`Play`](crate::Play) session.
#[derive(Clone)]
pub struct Seat {
    client: Client,
    match_id: String,
    token: String,
}

/// Makes one call until it has an answer.
macro_rules! call {
    ($seat:ident . $method:ident($request:expr)) => {{
        let wire = $seat.client.match_wire(Some(&$seat.token))?;
        let request = $request;
        let answer = until_answered($seat.client.retry_policy(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.$method(request).await }
        });
        answer.await
    }};
}

impl Seat {
    pub(crate) const fn new(client: Client, match_id: String, token: String) -> Self {
        Self { client, match_id, token }
    }

    /// The match's id.
    #[must_use]
    pub fn match_id(&self) -> &str {
        &self.match_id
    }

    /// The seat's token: a secret.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The match's terms and state, and the last number of the seat's sequence.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn get(&self) -> Result<GetResponse, Error> {
        call!(self.get(GetRequest { match_id: self.match_id.clone() }))
    }

    /// Returns the view of the seat, and its standing passes.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn view(&self, look: Look) -> Result<ViewResponse, Error> {
        call!(self.view(look.request(&self.match_id)))
    }

    /// The actions that the seat may take now.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn legal(&self, detail: LegalDetail) -> Result<LegalResponse, Error> {
        self.legal_about::<String>(detail, [], []).await
    }

    /// The legal actions of one of these verbs (none: of any) that are about each of these things (none: about anything).
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn legal_about<S: Into<String>>(
        &self,
        detail: LegalDetail,
        verbs: impl IntoIterator<Item = S>,
        refs: impl IntoIterator<Item = Ref>,
    ) -> Result<LegalResponse, Error> {
        let request = LegalRequest {
            match_id: self.match_id.clone(),
            detail: detail.into(),
            verbs: verbs.into_iter().map(Into::into).collect(),
            refs: refs.into_iter().collect(),
        };
        call!(self.legal(request))
    }

    /// Returns the reasons that an action is not legal now, with the rules that say so.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn explain(&self, action: Action) -> Result<ExplainResponse, Error> {
        call!(self.explain(ExplainRequest { match_id: self.match_id.clone(), action: Some(action) }))
    }

    /// Takes actions, as one.
    ///
    /// # Errors
    /// If the server refuses them, with every ground; or does not answer.
    pub async fn apply(&self, actions: Actions) -> Result<ApplyResponse, Error> {
        let request_id =
            if actions.request_id.is_empty() { self.client.next_request_id() } else { actions.request_id };
        let request = ApplyRequest {
            match_id: self.match_id.clone(),
            request_id,
            expected_seq: actions.expected_seq,
            keep: actions.keep,
            actions: Some(actions.actions),
            mode: actions.mode.into(),
            want: Some(actions.want),
        };
        call!(self.apply(request))
    }

    /// Takes back actions of the draft: all but the first `keep`; `None`: the last one.
    ///
    /// # Errors
    /// If nothing can be taken back, or the server does not answer.
    pub async fn undo(&self, keep: Option<u32>, want: ResponseOptions) -> Result<UndoResponse, Error> {
        let request = UndoRequest {
            match_id: self.match_id.clone(),
            request_id: self.client.next_request_id(),
            expected_seq: None,
            keep,
            want: Some(want),
        };
        call!(self.undo(request))
    }

    /// Gives up.
    ///
    /// # Errors
    /// If the match does not run, or the server does not answer.
    pub async fn resign(&self, want: ResponseOptions) -> Result<SeatUpdate, Error> {
        let request = ResignRequest {
            match_id: self.match_id.clone(),
            request_id: self.client.next_request_id(),
            want: Some(want),
        };
        situation(call!(self.resign(request))?.situation)
    }

    /// Offers a draw, until the seat's next action is final.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn offer_draw(&self) -> Result<MatchState, Error> {
        let request =
            OfferDrawRequest { match_id: self.match_id.clone(), request_id: self.client.next_request_id() };
        state(call!(self.offer_draw(request))?.state)
    }

    /// Accepts the draw that all other seats offer.
    ///
    /// # Errors
    /// If there is no such offer, or the server does not answer.
    pub async fn accept_draw(&self, want: ResponseOptions) -> Result<SeatUpdate, Error> {
        let request = AcceptDrawRequest {
            match_id: self.match_id.clone(),
            request_id: self.client.next_request_id(),
            want: Some(want),
        };
        situation(call!(self.accept_draw(request))?.situation)
    }

    /// Replaces the seat's standing passes: windows that the server declines for it.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn set_standing_passes(
        &self,
        passes: impl IntoIterator<Item = StandingPass>,
        want: ResponseOptions,
    ) -> Result<SeatUpdate, Error> {
        let request = SetStandingPassesRequest {
            match_id: self.match_id.clone(),
            request_id: self.client.next_request_id(),
            standing_passes: passes.into_iter().collect(),
            want: Some(want),
        };
        situation(call!(self.set_standing_passes(request))?.situation)
    }

    /// Reveals the entropy that the seat committed to when it joined.
    ///
    /// # Errors
    /// If the match does not wait for it, it does not open the commitment, or the server does not answer.
    pub async fn reveal_entropy(
        &self,
        entropy: [u8; 32],
        want: ResponseOptions,
    ) -> Result<RevealEntropyResponse, Error> {
        let request = RevealEntropyRequest {
            match_id: self.match_id.clone(),
            request_id: self.client.next_request_id(),
            entropy: entropy.to_vec(),
            want: Some(want),
        };
        call!(self.reveal_entropy(request))
    }

    /// Returns the events published to the seat, from its present view on.
    #[must_use]
    pub fn watch(&self) -> Watch {
        Watch::new(self.client.clone(), self.match_id.clone(), Some(self.token.clone()))
    }

    /// The record of the match, when it is over.
    ///
    /// # Errors
    /// If the match is not over, or the server does not answer.
    pub async fn record(&self) -> Result<GetRecordResponse, Error> {
        call!(self.get_record(GetRecordRequest { match_id: self.match_id.clone() }))
    }
}

fn situation(situation: Option<SeatUpdate>) -> Result<SeatUpdate, Error> {
    situation.ok_or_else(|| Error::Protocol("an answer without its situation".to_owned()))
}

fn state(state: Option<MatchState>) -> Result<MatchState, Error> {
    state.ok_or_else(|| Error::Protocol("an answer without the match's state".to_owned()))
}

/// Without the token.
impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat").field("match_id", &self.match_id).finish_non_exhaustive()
    }
}
