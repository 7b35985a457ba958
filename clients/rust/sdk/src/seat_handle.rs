//! One seat of one match, call by call ([`SeatHandle`]).

use std::fmt;
use std::time::Duration;

use edgehill_proto::v1::{
    AcceptAdjournmentRequest, AcceptDrawRequest, Action, ApplyActionsRequest, DeclineAdjournmentRequest,
    DeclineDrawRequest, ExplainActionRequest, ExplainActionResponse, GetMatchRequest, GetReceiptRequest,
    GetViewResponse, LeaveMatchRequest, LegalDetail, ListLegalActionsRequest, ListLegalActionsResponse,
    Match, OfferAdjournmentRequest, OfferDrawRequest, Receipt, Ref, RematchMatchRequest, ResignMatchRequest,
    ResponseOptions, ResumeMatchRequest, RevealEntropyRequest, RevealEntropyResponse, SeatUpdate,
    SetStandingPassesRequest, StandingPass, UndoActionsRequest, UndoSpan,
};

use crate::batch::Batch;
use crate::connection::Connection;
use crate::error::{Error, required};
use crate::match_watch::MatchWatch;
use crate::record::{self, ExportedRecord};
use crate::rematch::Rematch;
use crate::retry::until_answered;
use crate::span::span;
use crate::view_options::ViewOptions;

/// A seat of a match, by its token: the holder of the token plays the seat.
///
/// Each call is repeated under its request id while the connection is down, so that it happens once. A bot that plays
/// many seats uses a [`PlaySession`](crate::PlaySession).
#[derive(Clone)]
pub struct SeatHandle {
    connection: Connection,
    match_id: String,
    token: String,
}

/// Makes one call until it has an answer.
macro_rules! call {
    ($seat:ident . $method:ident($request:expr)) => {{
        let wire = $seat.connection.match_wire(Some(&$seat.token))?;
        let request = $request;
        let answer = until_answered($seat.connection.retry_policy(), $seat.connection.contact(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.$method(request).await }
        });
        answer.await
    }};
}

impl SeatHandle {
    pub(crate) const fn new(connection: Connection, match_id: String, token: String) -> Self {
        Self { connection, match_id, token }
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

    /// The match's config and state, and the last number of the seat's sequence.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn get(&self) -> Result<Match, Error> {
        required(call!(self.get_match(GetMatchRequest { match_id: self.match_id.clone() }))?.r#match, "match")
    }

    /// Returns the view of the seat, and its standing passes.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn view(&self, options: ViewOptions) -> Result<GetViewResponse, Error> {
        call!(self.get_view(options.request(&self.match_id)))
    }

    /// The server's signed word for what it has published to the seat. A [`Transcript`](crate::Transcript) of it has the same hash.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn receipt(&self) -> Result<Receipt, Error> {
        let request = GetReceiptRequest { match_id: self.match_id.clone(), observer: None };
        required(call!(self.get_receipt(request))?.receipt, "receipt")
    }

    /// The actions that the seat may take now.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn legal_actions(&self, detail: LegalDetail) -> Result<ListLegalActionsResponse, Error> {
        self.legal_actions_about::<String>(detail, [], []).await
    }

    /// The legal actions of one of these verbs (none: of any) that are about each of these things (none: about anything).
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn legal_actions_about<S: Into<String>>(
        &self,
        detail: LegalDetail,
        verbs: impl IntoIterator<Item = S>,
        refs: impl IntoIterator<Item = Ref>,
    ) -> Result<ListLegalActionsResponse, Error> {
        let request = ListLegalActionsRequest {
            match_id: self.match_id.clone(),
            detail: detail.into(),
            verbs: verbs.into_iter().map(Into::into).collect(),
            refs: refs.into_iter().collect(),
        };
        call!(self.list_legal_actions(request))
    }

    /// Explains why an action is not legal now, with the rules that say so.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn explain(&self, action: Action) -> Result<ExplainActionResponse, Error> {
        let request = ExplainActionRequest { match_id: self.match_id.clone(), action: Some(action) };
        call!(self.explain_action(request))
    }

    /// Takes actions, as one.
    ///
    /// # Errors
    /// If the server refuses them, with every rule that they would violate; or does not answer.
    pub async fn apply(&self, batch: Batch) -> Result<SeatUpdate, Error> {
        let Batch { batch, response_options, request_id } = batch;
        let request = ApplyActionsRequest {
            match_id: self.match_id.clone(),
            request_id: if request_id.is_empty() { self.connection.next_request_id() } else { request_id },
            batch: Some(batch),
            response_options: Some(response_options),
        };
        required(call!(self.apply_actions(request))?.update, "update")
    }

    /// Takes back actions of the draft, from its end: by default the last one.
    ///
    /// # Errors
    /// If nothing can be taken back, or the server does not answer.
    pub async fn undo(&self, span: UndoSpan, options: ResponseOptions) -> Result<SeatUpdate, Error> {
        let request = UndoActionsRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
            span: Some(span),
            response_options: Some(options),
        };
        required(call!(self.undo_actions(request))?.update, "update")
    }

    /// Gives up.
    ///
    /// # Errors
    /// If the match does not run, or the server does not answer.
    pub async fn resign(&self, options: ResponseOptions) -> Result<SeatUpdate, Error> {
        let request = ResignMatchRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
            response_options: Some(options),
        };
        required(call!(self.resign_match(request))?.update, "update")
    }

    /// Gives the seat back before the match has begun. Its token is void from then on.
    ///
    /// # Errors
    /// If the match has begun, or the server does not answer.
    pub async fn leave(&self) -> Result<Match, Error> {
        let request = LeaveMatchRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
        };
        required(call!(self.leave_match(request))?.r#match, "match")
    }

    /// The match that follows this one, which is finished: the same players with their sides swapped. It is made once, whoever
    /// asks first.
    ///
    /// # Errors
    /// If the match is not finished or has no result, the server refuses otherwise, or does not answer.
    pub async fn rematch(&self) -> Result<Rematch, Error> {
        let (match_id, request_id) = (self.match_id.clone(), self.connection.next_request_id());
        Rematch::of(call!(self.rematch_match(RematchMatchRequest { match_id, request_id }))?)
    }

    /// Offers a draw, until the seat's next action is final.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn offer_draw(&self) -> Result<Match, Error> {
        let request = OfferDrawRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
        };
        required(call!(self.offer_draw(request))?.r#match, "match")
    }

    /// Accepts the draw that all other seats offer.
    ///
    /// # Errors
    /// If there is no such offer, or the server does not answer.
    pub async fn accept_draw(&self, options: ResponseOptions) -> Result<SeatUpdate, Error> {
        let request = AcceptDrawRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
            response_options: Some(options),
        };
        required(call!(self.accept_draw(request))?.update, "update")
    }

    /// Declines the draw that other seats offer.
    ///
    /// # Errors
    /// If there is no such offer, or the server does not answer.
    pub async fn decline_draw(&self) -> Result<Match, Error> {
        let request = DeclineDrawRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
        };
        required(call!(self.decline_draw(request))?.r#match, "match")
    }

    /// Offers to adjourn the match, until the seat's next action is final: for at most so long, in whole milliseconds, from a minute to 30
    /// days. House bots agree at once.
    ///
    /// # Errors
    /// If the match has no clocks or is adjourned, the server refuses otherwise, or does not answer.
    pub async fn offer_adjournment(&self, longest: Duration) -> Result<Match, Error> {
        let request = OfferAdjournmentRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
            adjourn_for: Some(span(longest)?),
        };
        required(call!(self.offer_adjournment(request))?.r#match, "match")
    }

    /// Accepts the adjournment that all other seats offer: no clock runs, and nobody is to act. It lasts for the least time that was
    /// named; `longest` may name another one.
    ///
    /// # Errors
    /// If there is no such offer, or the server does not answer.
    pub async fn accept_adjournment(&self, longest: Option<Duration>) -> Result<Match, Error> {
        let request = AcceptAdjournmentRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
            adjourn_for: longest.map(span).transpose()?,
        };
        required(call!(self.accept_adjournment(request))?.r#match, "match")
    }

    /// Declines the adjournment that other seats offer.
    ///
    /// # Errors
    /// If there is no such offer, or the server does not answer.
    pub async fn decline_adjournment(&self) -> Result<Match, Error> {
        let request = DeclineAdjournmentRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
        };
        required(call!(self.decline_adjournment(request))?.r#match, "match")
    }

    /// Asks for the match, which the seats have adjourned, to go on. It does when every seat has asked.
    ///
    /// # Errors
    /// If the match is not adjourned or a referee has adjourned it, or the server does not answer.
    pub async fn resume(&self) -> Result<Match, Error> {
        let request = ResumeMatchRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
        };
        required(call!(self.resume_match(request))?.r#match, "match")
    }

    /// Replaces the seat's standing passes: windows that the server declines for it.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn set_standing_passes(
        &self,
        passes: impl IntoIterator<Item = StandingPass>,
        options: ResponseOptions,
    ) -> Result<SeatUpdate, Error> {
        let request = SetStandingPassesRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
            standing_passes: passes.into_iter().collect(),
            response_options: Some(options),
        };
        required(call!(self.set_standing_passes(request))?.update, "update")
    }

    /// Reveals the entropy that the seat committed to when it joined.
    ///
    /// # Errors
    /// If the match does not wait for it, it does not open the commitment, or the server does not answer.
    pub async fn reveal_entropy(
        &self,
        entropy: [u8; 32],
        options: ResponseOptions,
    ) -> Result<RevealEntropyResponse, Error> {
        let request = RevealEntropyRequest {
            match_id: self.match_id.clone(),
            request_id: self.connection.next_request_id(),
            entropy: entropy.to_vec(),
            response_options: Some(options),
        };
        call!(self.reveal_entropy(request))
    }

    /// Watches the match as the seat, from its present view on.
    #[must_use]
    pub fn watch(&self) -> MatchWatch {
        MatchWatch::new(self.connection.clone(), self.match_id.clone(), Some(self.token.clone()))
    }

    /// Exports the record of the match, when it is finished.
    ///
    /// # Errors
    /// If the match is not finished, or the server does not answer.
    pub async fn record(&self) -> Result<ExportedRecord, Error> {
        record::export(&self.connection, Some(&self.token), &self.match_id).await
    }
}

/// Without the token.
impl fmt::Debug for SeatHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatHandle").field("match_id", &self.match_id).finish_non_exhaustive()
    }
}
