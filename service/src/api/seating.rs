//! Taking seats, and the calls of those who sit there.

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1;
use serde::Serialize;
use tonic::metadata::MetadataMap;

use super::situation::{self, ResponseOptions};
use super::{Matches, account_of, field, seat_calls, state, terms};
use crate::host::{Content, Held, JoinMatch, SeatCall};
use crate::identity::{Caller, Invitation, Role, SeatToken};
use crate::matches::{Ask, Call, LiveMatch, CallOutcome};
use crate::store::{BodyHash, MatchId, RequestId};
use crate::wire::Refused;

/// The common part of a seat's requests.
pub(super) struct SeatRequest {
    pub(super) match_id: String,
    pub(super) request_id: String,
    pub(super) expected_seq: Option<u64>,
    pub(super) want: Option<v1::ResponseOptions>,
}

/// The same, read.
pub(super) struct SeatAsked {
    pub(super) token: SeatToken,
    pub(super) id: MatchId,
    pub(super) held: Held,
    pub(super) request: RequestId,
    pub(super) expected: Option<u64>,
    pub(super) want: ResponseOptions,
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
    BodyHash::of(&postcard::to_extend(call, body).unwrap_or_default())
}

impl Matches {
    pub(super) async fn seat(
        &self,
        metadata: &MetadataMap,
        request: v1::JoinRequest,
    ) -> Result<v1::JoinResponse, Refused> {
        let caller = self.caller(metadata)?;
        if !matches!(caller, Caller::Seat(_)) || !self.0.accounts.is_anonymous() {
            caller.require(Role::Player, &self.0.accounts)?;
        }
        self.check_open()?;
        let id = field::match_id(&request.match_id)?;
        let request_id = field::request_id(&request.request_id, self.limits())?;
        let want = ResponseOptions::read(request.want.as_ref())?;
        let player_max = self.limits().player_bytes;
        if request.player.len() > player_max {
            let what = format!("expected at most {player_max} bytes, found {}", request.player.len());
            return Err(Refused::field("player", what));
        }
        if request.player.chars().any(char::is_control) {
            return Err(Refused::field("player", "expected no control characters"));
        }
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
                Ok((
                    terms::of(content.course()),
                    state::of(self.host(), content),
                    begun.map(|live| situation::of(live, seat, want, 0, self.limits())),
                ))
            })
            .await;
        match joined {
            Ok(joined) => {
                let (terms, state, situation) = joined.shown;
                Ok(v1::JoinResponse {
                    seat: joined.seat.index() as u32,
                    seat_token: joined.token.to_string(),
                    terms: Some(terms),
                    state: Some(state),
                    situation,
                })
            }
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }

    pub(super) async fn reveal(
        &self,
        metadata: &MetadataMap,
        request: v1::RevealEntropyRequest,
    ) -> Result<v1::RevealEntropyResponse, Refused> {
        let v1::RevealEntropyRequest { match_id, request_id, entropy, want } = request;
        let asked = self.asked(metadata, SeatRequest { match_id, request_id, expected_seq: None, want })?;
        let entropy = field::bytes32("entropy", &entropy)?
            .ok_or_else(|| Refused::field("entropy", "expected 32 bytes, found 0"))?;
        let ask = Ask { id: asked.request, body: body_of(&entropy) };
        let (seat, id, want) = (asked.token.seat(), asked.id, asked.want);
        let show = |live: &LiveMatch, _: &CallOutcome| {
            let begun = live.table().is_some();
            let situation = begun.then(|| situation::of(live, seat, want, 0, self.limits()));
            Ok(v1::RevealEntropyResponse { state: Some(state::of_live(self.host(), live)), situation })
        };
        match self.host().reveal(&asked.token, entropy, ask, show).await {
            Ok(shown) => Ok(shown),
            Err(error) => Err(self.refused(error, Some(id), Some(seat)).await),
        }
    }

    /// Reads the common part of a seat's request that changes something.
    pub(super) fn asked(&self, metadata: &MetadataMap, request: SeatRequest) -> Result<SeatAsked, Refused> {
        let caller = self.caller(metadata)?;
        let id = field::match_id(&request.match_id)?;
        let token = caller.require_seat(&id)?.clone();
        self.check_open()?;
        Ok(SeatAsked {
            token,
            id,
            request: field::request_id(&request.request_id, self.limits())?,
            expected: request.expected_seq,
            want: ResponseOptions::read(request.want.as_ref())?,
            held: self.host().hold(id),
        })
    }

    pub(super) async fn apply_actions(
        &self,
        metadata: &MetadataMap,
        request: SeatRequest,
        given: v1::Apply,
    ) -> Result<(v1::Accepted, v1::SeatUpdate), Refused> {
        let asked = self.asked(metadata, request)?;
        let call = match self.host().game(&asked.held).await {
            Ok(game) => seat_calls::apply(game.catalogue(), given)?,
            Err(error) => return Err(self.refused(error, Some(asked.id), None).await),
        };
        self.carry_out_and_tell(asked, call).await
    }

    pub(super) async fn seat_call(
        &self,
        metadata: &MetadataMap,
        request: SeatRequest,
        call: Call,
    ) -> Result<(v1::Accepted, v1::SeatUpdate), Refused> {
        let asked = self.asked(metadata, request)?;
        self.carry_out_and_tell(asked, call).await
    }

    /// Carries a call out, and returns what came of it and how things stand then.
    fn carry_out_and_tell(
        &self,
        asked: SeatAsked,
        call: Call,
    ) -> impl Future<Output = Result<(v1::Accepted, v1::SeatUpdate), Refused>> {
        let (seat, want, expected) = (asked.token.seat(), asked.want, asked.expected);
        self.carry_out(asked, call, move |live, outcome| {
            let after = expected.unwrap_or(outcome.before).min(live.course().length(Observer::Seat(seat)));
            let situation = situation::of(live, seat, want, after, self.limits());
            (v1::Accepted { actions: outcome.actions, line: outcome.line.clone() }, situation)
        })
    }

    async fn carry_out<T>(
        &self,
        asked: SeatAsked,
        call: Call,
        show: impl FnOnce(&LiveMatch, &CallOutcome) -> T,
    ) -> Result<T, Refused> {
        let SeatAsked { token, id, held, request, expected, .. } = asked;
        let ask = Ask { id: request, body: body_of(&call) };
        let show = |live: &LiveMatch, outcome: &CallOutcome| Ok(show(live, outcome));
        match self.host().call_held(held, &token, SeatCall { call, ask, expected }, show).await {
            Ok(shown) => Ok(shown),
            Err(error) => Err(self.refused(error, Some(id), Some(token.seat())).await),
        }
    }

    pub(super) async fn offer(
        &self,
        metadata: &MetadataMap,
        request: v1::OfferDrawRequest,
    ) -> Result<v1::MatchState, Refused> {
        let v1::OfferDrawRequest { match_id, request_id } = request;
        let asked =
            self.asked(metadata, SeatRequest { match_id, request_id, expected_seq: None, want: None })?;
        self.carry_out(asked, Call::OfferDraw, |live, _| state::of_live(self.host(), live)).await
    }
}

/// The seat of a caller who is one of this match's, checked.
pub(super) fn seat_of(
    matches: &Matches,
    content: &Content,
    caller: &Caller,
) -> Result<Option<Seat>, crate::host::Error> {
    match caller {
        Caller::Seat(token) if token.match_id() == content.course().id() => {
            matches.host().check_token(content, token).map(Some)
        }
        _ => Ok(None),
    }
}
