//! Taking seats, and the calls of those who sit there.

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1;
use serde::Serialize;
use tonic::metadata::MetadataMap;

use super::seat_update::{self, ResponseOptions};
use super::{Matches, account_of, admin, field, seat_calls, state};
use crate::admin::{MatchAct, MatchActKind};
use crate::host::{AbortMatch, Content, HeldMatch, JoinMatch, SeatCall};
use crate::identity::{Caller, CreatorToken, Invitation, Role, SeatToken};
use crate::matches::{Ask, Call, CallOutcome, Course, LiveMatch};
use crate::store::{BodyHash, MatchId, RequestId};
use crate::wire::Refused;

/// The common part of a seat's requests.
pub(super) struct SeatRequest {
    pub(super) match_id: String,
    pub(super) request_id: String,
    pub(super) expected_seq: Option<u64>,
    pub(super) options: Option<v1::ResponseOptions>,
}

/// The same, read.
pub(super) struct SeatAsked {
    pub(super) token: SeatToken,
    pub(super) id: MatchId,
    pub(super) held: HeldMatch,
    pub(super) request: RequestId,
    pub(super) expected: Option<u64>,
    pub(super) options: ResponseOptions,
}

/// The content of a join, in the form in which it is hashed.
#[derive(Serialize)]
struct JoinBody<'a> {
    seat: Option<u32>,
    invitation: &'a str,
    entropy: &'a [u8],
    commitment: &'a [u8],
    player: &'a str,
}

/// Number of bytes in which most calls have room.
const BODY_BYTES_USUAL: usize = 64;

/// The hash of a call.
pub(super) fn body_of(call: &impl Serialize) -> BodyHash {
    let mut body = Vec::with_capacity(BODY_BYTES_USUAL);
    body.push(1);
    BodyHash::of(&postcard::to_extend(call, body).expect("a call knows its lengths"))
}

impl Matches {
    pub(super) async fn answer_join(
        &self,
        metadata: &MetadataMap,
        request: v1::JoinMatchRequest,
    ) -> Result<v1::JoinMatchResponse, Refused> {
        let caller = self.caller(metadata)?;
        if !matches!(caller, Caller::Seat(_)) || !self.0.accounts.now().is_anonymous() {
            caller.require(Role::Player, &self.0.accounts.now())?;
        }
        self.check_open()?;
        let id = field::match_id(&request.match_id)?;
        let request_id = field::request_id(&request.request_id, &self.limits())?;
        let options = ResponseOptions::read(request.response_options.as_ref())?;
        field::player(&request.player, &self.limits())?;
        let invitation = match request.invitation.as_str() {
            "" => None,
            text => Some(text.parse::<Invitation>().map_err(|fault| {
                Refused::new(v1::ErrorReason::BadInvitation, format!("the invitation can't be read: {fault}"))
            })?),
        };
        let body = body_of(&JoinBody {
            seat: request.seat,
            invitation: &request.invitation,
            entropy: &request.entropy,
            commitment: &request.entropy_commitment,
            player: &request.player,
        });
        let wanted = JoinMatch {
            id,
            account: account_of(&caller)?,
            secret: field::client_secret(&request.client_secret, &caller)?,
            ask: Ask { id: request_id, body },
            seat: request.seat,
            invitation,
            // Zeros are as good as none.
            entropy: field::bytes32("entropy", &request.entropy)?.filter(|bytes| *bytes != [0; 32]),
            commitment: field::bytes32("entropy_commitment", &request.entropy_commitment)?,
            player: request.player,
        };
        let joined = self
            .host()
            .join(wanted, |content, seat| {
                let begun = content.live().ok().filter(|live| live.table().is_some());
                let update = begun.map(|live| seat_update::of(live, seat, options, 0, self.host()));
                Ok((state::whole(self.host(), content, Observer::Seat(seat)), update))
            })
            .await;
        match joined {
            Ok(joined) => {
                let (shown, update) = joined.shown;
                Ok(v1::JoinMatchResponse {
                    seat: joined.seat.index() as u32,
                    seat_token: joined.token.to_string(),
                    r#match: Some(shown),
                    update,
                })
            }
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }

    pub(super) async fn answer_reveal(
        &self,
        metadata: &MetadataMap,
        request: v1::RevealEntropyRequest,
    ) -> Result<v1::RevealEntropyResponse, Refused> {
        let v1::RevealEntropyRequest { match_id, request_id, entropy, response_options: options } = request;
        let asked = self.read(metadata, SeatRequest { match_id, request_id, expected_seq: None, options })?;
        let entropy = field::bytes32("entropy", &entropy)?
            .ok_or_else(|| Refused::field("entropy", "expected 32 bytes, found 0"))?;
        let ask = Ask { id: asked.request, body: body_of(&entropy) };
        let (seat, id, options) = (asked.token.seat(), asked.id, asked.options);
        let show = |live: &LiveMatch, _: &CallOutcome| {
            let begun = live.table().is_some();
            let update = begun.then(|| seat_update::of(live, seat, options, 0, self.host()));
            let shown = state::whole_live(self.host(), live, Observer::Seat(seat));
            Ok(v1::RevealEntropyResponse { r#match: Some(shown), update })
        };
        match self.host().reveal(&asked.token, entropy, ask, show).await {
            Ok(shown) => Ok(shown),
            Err(error) => Err(self.refused(error, Some(id), Some(seat)).await),
        }
    }

    /// Reads the common part of a seat's request that changes something.
    pub(super) fn read(&self, metadata: &MetadataMap, request: SeatRequest) -> Result<SeatAsked, Refused> {
        let caller = self.caller(metadata)?;
        let id = field::match_id(&request.match_id)?;
        let token = caller.require_seat(&id)?.clone();
        self.check_open()?;
        Ok(SeatAsked {
            token,
            id,
            request: field::request_id(&request.request_id, &self.limits())?,
            expected: request.expected_seq,
            options: ResponseOptions::read(request.options.as_ref())?,
            held: self.host().hold(id),
        })
    }

    pub(super) async fn answer_batch(
        &self,
        metadata: &MetadataMap,
        request: SeatRequest,
        given: v1::ActionBatch,
    ) -> Result<v1::SeatUpdate, Refused> {
        let asked = self.read(metadata, request)?;
        let call = match self.host().game(&asked.held).await {
            Ok(game) => {
                seat_calls::read_batch(game.catalogue(), given).map_err(|refused| refused.within("batch"))?
            }
            Err(error) => return Err(self.refused(error, Some(asked.id), None).await),
        };
        let answered = self.answer_with_update(asked, call).await;
        answered.map_err(|refused| refused.within("batch"))
    }

    pub(super) async fn answer_call(
        &self,
        metadata: &MetadataMap,
        request: SeatRequest,
        call: Call,
        field: &str,
    ) -> Result<v1::SeatUpdate, Refused> {
        let asked = self.read(metadata, request)?;
        let answered = self.answer_with_update(asked, call).await;
        answered.map_err(|refused| if field.is_empty() { refused } else { refused.within(field) })
    }

    /// Answers a call with how things stand then for its seat, and with its result.
    fn answer_with_update(
        &self,
        asked: SeatAsked,
        call: Call,
    ) -> impl Future<Output = Result<v1::SeatUpdate, Refused>> {
        let (seat, options, expected) = (asked.token.seat(), asked.options, asked.expected);
        let tells_result = matches!(call, Call::Apply { .. } | Call::Undo { .. });
        self.answer(asked, call, move |content, outcome| {
            let length = content.course().length(Observer::Seat(seat));
            let after = expected.unwrap_or(outcome.before).min(length);
            let result = v1::ApplyResult { actions: outcome.actions, line: outcome.line.clone() };
            let update = seat_update::of_any(content, seat, options, after, self.host());
            v1::SeatUpdate { apply_result: tells_result.then_some(result), ..update }
        })
    }

    /// Has a call executed, and answers with what `show` says of the match then.
    async fn answer<T>(
        &self,
        asked: SeatAsked,
        call: Call,
        show: impl FnOnce(&Content, &CallOutcome) -> T,
    ) -> Result<T, Refused> {
        let SeatAsked { token, id, held, request, expected, .. } = asked;
        let ask = Ask { id: request, body: body_of(&call) };
        let show = |content: &Content, outcome: &CallOutcome| Ok(show(content, outcome));
        match self.host().execute(held, &token, SeatCall { call, ask, expected }, show).await {
            Ok(shown) => Ok(shown),
            Err(error) => Err(self.refused(error, Some(id), Some(token.seat())).await),
        }
    }

    /// Answers a call on a draw or an adjournment with the match and its offers.
    pub(super) async fn answer_offer_call(
        &self,
        metadata: &MetadataMap,
        (match_id, request_id): (String, String),
        call: Call,
    ) -> Result<v1::Match, Refused> {
        let request = SeatRequest { match_id, request_id, expected_seq: None, options: None };
        let asked = self.read(metadata, request)?;
        let observer = Observer::Seat(asked.token.seat());
        self.answer(asked, call, |content, _| state::whole(self.host(), content, observer)).await
    }

    pub(super) async fn answer_leave(
        &self,
        metadata: &MetadataMap,
        request: v1::LeaveMatchRequest,
    ) -> Result<v1::LeaveMatchResponse, Refused> {
        let v1::LeaveMatchRequest { match_id, request_id } = request;
        let request = SeatRequest { match_id, request_id, expected_seq: None, options: None };
        let asked = self.read(metadata, request)?;
        let show = |content: &Content| Ok(state::whole(self.host(), content, Observer::Spectator));
        match self.host().leave(&asked.token, &asked.request, show).await {
            Ok(shown) => Ok(v1::LeaveMatchResponse { r#match: Some(shown) }),
            Err(error) => Err(self.refused(error, Some(asked.id), None).await),
        }
    }

    pub(super) async fn answer_abort(
        &self,
        metadata: &MetadataMap,
        request: v1::AbortMatchRequest,
    ) -> Result<v1::AbortMatchResponse, Refused> {
        let caller = self.caller(metadata)?;
        self.check_open()?;
        let id = field::match_id(&request.match_id)?;
        let token = match request.creator_token.as_str() {
            "" => None,
            text => Some(
                text.parse::<CreatorToken>()
                    .map_err(|fault| Refused::field("creator_token", format!("it can't be read: {fault}")))?,
            ),
        };
        let account = if let Caller::Account { id, .. } = &caller { Some(id.clone()) } else { None };
        let request_id = field::request_id(&request.request_id, &self.limits())?;
        let actor = account_of(&caller)?;
        let wanted = AbortMatch {
            id,
            request: request_id.clone(),
            account,
            token,
            operator: caller.require(Role::Operator, &self.0.accounts.now()).is_ok(),
        };
        let named = self.host().key().abort_request(&id, &request_id);
        let named = named.ok_or_else(|| Refused::of(v1::ErrorReason::InternalFault))?;
        let ask = Ask { id: named, body: admin::body_of(&request) };
        let act = MatchAct { id: *id.as_bytes(), what: MatchActKind::Abort };
        let written = self.written(actor, ask, act);
        let show = |content: &Content| Ok(state::whole(self.host(), content, Observer::Spectator));
        match self.host().abort(&wanted, written, show).await {
            Ok(shown) => Ok(v1::AbortMatchResponse { r#match: Some(shown) }),
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }
}

/// The seat of a caller who is one of this match's, checked.
pub(super) fn seat_of(
    matches: &Matches,
    course: &Course,
    caller: &Caller,
) -> Result<Option<Seat>, crate::host::Error> {
    match caller {
        Caller::Seat(token) if token.match_id() == course.id() => {
            matches.host().check_token(course, token).map(Some)
        }
        _ => Ok(None),
    }
}
