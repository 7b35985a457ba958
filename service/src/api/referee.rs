//! `RefereeService`: time, players, adjournments and results of matches.

use edgehill_proto::prost::Message;
use edgehill_proto::v1::referee_service_server::RefereeService;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::metadata::MetadataMap;
use tonic::{Request, Response, Status};

use super::{Matches, admin, clock, field, state};
use crate::admin::{Act, MatchAct, MatchActKind};
use crate::host::{self, Content, RefereeOrder};
use crate::identity::{Caller, Role, check_id};
use crate::matches::{Ask, MatchError, REASON_BYTES_MAX, RefereeAct, RefereeActDone};
use crate::store::{AccountId, BodyHash, MatchId};
use crate::wire::Refused;

/// The largest number that a correction gives a seat, and the least with a minus.
const RETURN_MAX: i32 = 1_000_000;

/// The parts that all requests of referees have.
struct Asked<'a> {
    request_id: &'a str,
    reason: &'a str,
    /// True if there has to be a reason.
    needs_reason: bool,
    /// The hash of the whole request.
    body: BodyHash,
}

/// The match as a referee's act has left it, and the invitation to the seat that it has opened.
struct Refereed {
    shown: v1::Match,
    invitation: String,
}

#[tonic::async_trait]
impl RefereeService for Matches {
    async fn add_match_time(
        &self,
        request: Request<v1::AddMatchTimeRequest>,
    ) -> Result<Response<v1::AddMatchTimeResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::AddMatchTimeRequest { match_id, request_id, seat, added, reason } = &message;
        let asked = Asked::of(request_id, reason, false, &message);
        let referee = self.referee(&metadata).await?;
        let id = field::match_id(match_id)?;
        let added_ms = clock::time("added", added.as_ref(), 1)?
            .ok_or_else(|| Refused::field("added", "expected a time, found none"))?;
        let act = RefereeAct::AddTime { seat: self.seat_number(id, *seat).await?, added_ms };
        let Refereed { shown, .. } = self.answer_referee(referee, id, &asked, act).await?;
        Ok(Response::new(v1::AddMatchTimeResponse { r#match: Some(shown) }))
    }

    async fn replace_match_player(
        &self,
        request: Request<v1::ReplaceMatchPlayerRequest>,
    ) -> Result<Response<v1::ReplaceMatchPlayerResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::ReplaceMatchPlayerRequest { match_id, request_id, seat, account_id, player, reason } =
            &message;
        let asked = Asked::of(request_id, reason, false, &message);
        let referee = self.referee(&metadata).await?;
        let id = field::match_id(match_id)?;
        field::player(player, &self.limits())?;
        let account = self.account_to_play(account_id)?;
        let act = RefereeAct::ReplacePlayer {
            seat: self.seat_number(id, *seat).await?,
            former: String::new(),
            player: player.clone(),
            account: account.map(|account| account.as_bytes().to_vec()),
        };
        let Refereed { shown, invitation } = self.answer_referee(referee, id, &asked, act).await?;
        Ok(Response::new(v1::ReplaceMatchPlayerResponse { r#match: Some(shown), invitation }))
    }

    async fn adjourn_match(
        &self,
        request: Request<v1::AdjournMatchRequest>,
    ) -> Result<Response<v1::AdjournMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::AdjournMatchRequest { match_id, request_id, adjourn_for, reason } = &message;
        let asked = Asked::of(request_id, reason, false, &message);
        let referee = self.referee(&metadata).await?;
        let id = field::match_id(match_id)?;
        let act = RefereeAct::Adjourn { longest_ms: clock::adjourn_for_given(adjourn_for.as_ref())? };
        let Refereed { shown, .. } = self.answer_referee(referee, id, &asked, act).await?;
        Ok(Response::new(v1::AdjournMatchResponse { r#match: Some(shown) }))
    }

    async fn end_adjournment(
        &self,
        request: Request<v1::EndAdjournmentRequest>,
    ) -> Result<Response<v1::EndAdjournmentResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::EndAdjournmentRequest { match_id, request_id, reason } = &message;
        let asked = Asked::of(request_id, reason, false, &message);
        let referee = self.referee(&metadata).await?;
        let id = field::match_id(match_id)?;
        let Refereed { shown, .. } =
            self.answer_referee(referee, id, &asked, RefereeAct::EndAdjournment).await?;
        Ok(Response::new(v1::EndAdjournmentResponse { r#match: Some(shown) }))
    }

    async fn void_match(
        &self,
        request: Request<v1::VoidMatchRequest>,
    ) -> Result<Response<v1::VoidMatchResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::VoidMatchRequest { match_id, request_id, reason } = &message;
        let asked = Asked::of(request_id, reason, true, &message);
        let referee = self.referee(&metadata).await?;
        let id = field::match_id(match_id)?;
        let Refereed { shown, .. } = self.answer_referee(referee, id, &asked, RefereeAct::Void).await?;
        Ok(Response::new(v1::VoidMatchResponse { r#match: Some(shown) }))
    }

    async fn correct_match_result(
        &self,
        request: Request<v1::CorrectMatchResultRequest>,
    ) -> Result<Response<v1::CorrectMatchResultResponse>, Status> {
        let (metadata, _, message) = request.into_parts();
        let v1::CorrectMatchResultRequest { match_id, request_id, returns, reason } = &message;
        let asked = Asked::of(request_id, reason, true, &message);
        let referee = self.referee(&metadata).await?;
        let id = field::match_id(match_id)?;
        for (index, given) in returns.iter().enumerate() {
            if !(-RETURN_MAX..=RETURN_MAX).contains(given) {
                let what = format!("expected -{RETURN_MAX} to {RETURN_MAX}, found {given}");
                return Err(Refused::field(format!("returns[{index}]"), what).into());
            }
        }
        let act = RefereeAct::CorrectResult { returns: returns.clone() };
        let Refereed { shown, .. } = self.answer_referee(referee, id, &asked, act).await?;
        Ok(Response::new(v1::CorrectMatchResultResponse { r#match: Some(shown) }))
    }
}

impl<'a> Asked<'a> {
    fn of<R: Message>(request_id: &'a str, reason: &'a str, needs_reason: bool, request: &R) -> Self {
        Self { request_id, reason, needs_reason, body: admin::body_of(request) }
    }
}

impl Matches {
    /// The referee who calls.
    async fn referee(&self, metadata: &MetadataMap) -> Result<AccountId, Refused> {
        match self.caller_as(Role::Referee, metadata).await? {
            Caller::Account { id, .. } => Ok(id),
            Caller::Anonymous | Caller::Seat(_) => Err(Refused::of(ErrorReason::NotAllowed)),
        }
    }

    /// A seat of a match.
    async fn seat_number(&self, id: MatchId, given: u32) -> Result<u8, Refused> {
        let seat = self.host().read(id, |content| Ok(content.course().seat(given)?));
        match seat.await {
            Ok(seat) => Ok(seat.index() as u8),
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }

    /// `account_id`, of an account that may take seats; `None` if the field is empty.
    fn account_to_play(&self, given: &str) -> Result<Option<AccountId>, Refused> {
        if given.is_empty() {
            return Ok(None);
        }
        let account =
            check_id(given).map_err(|what| Refused::field("account_id", what.trim_start_matches("id: ")))?;
        match self.0.accounts.now().may_hold_seats(&account) {
            true => Ok(Some(account)),
            false => {
                let what = "expected an account of this server with the role `player`, or nothing";
                Err(Refused::field("account_id", what))
            }
        }
    }

    /// Has a referee's act done. It is done also where nobody waits for it any more: what is written down is to be done.
    async fn answer_referee(
        &self,
        referee: AccountId,
        id: MatchId,
        asked: &Asked<'_>,
        act: RefereeAct,
    ) -> Result<Refereed, Refused> {
        self.check_open()?;
        let request = field::request_id(asked.request_id, &self.limits())?;
        field::words("reason", asked.reason, (usize::from(asked.needs_reason), REASON_BYTES_MAX))?;
        let reason = asked.reason.to_owned();
        let ask = Ask { id: request, body: asked.body };
        let account = match &act {
            RefereeAct::ReplacePlayer { account: Some(account), .. } => AccountId::new(account).ok(),
            _ => None,
        };
        let what = MatchActKind::Referee { act: act.clone(), reason: reason.clone(), account };
        let logged = MatchAct { id: *id.as_bytes(), what };
        let order = RefereeOrder { id, referee: referee.clone(), ask: ask.clone(), act, reason };
        let matches = self.clone();
        let performed = tokio::spawn(async move {
            let host = matches.host();
            let show = |content: &Content, done: &RefereeActDone| Refereed {
                shown: state::whole_of_all(host, content),
                invitation: host
                    .replacement_invitation(content.course(), done)
                    .map(|invitation| invitation.to_string())
                    .unwrap_or_default(),
            };
            host.referee(&order, matches.written(referee, ask, logged), show).await
        });
        match performed.await {
            Ok(Ok(refereed)) => Ok(refereed),
            Ok(Err(error)) => Err(self.refused(error, Some(id), None).await),
            Err(ended) if ended.is_panic() => std::panic::resume_unwind(ended.into_panic()),
            Err(_) => Err(self.draining()),
        }
    }

    /// Writes an act on a match down in the log of acts, unless that was done before.
    pub(super) async fn written(&self, actor: AccountId, ask: Ask, act: MatchAct) -> Result<(), host::Error> {
        let id = ask.id.clone();
        let logged = self.0.administration.perform(actor, ask, move |_, _| Ok(Act::Match(act))).await;
        match logged {
            Ok(_) => Ok(()),
            Err(crate::admin::Error::Store(error)) => Err(error.into()),
            Err(crate::admin::Error::RequestReused) => {
                Err(MatchError::RequestReused { id, method: "another act" }.into())
            }
            Err(error) => Err(host::Error::Fault(error.to_string())),
        }
    }
}
