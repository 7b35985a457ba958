//! Looking at matches: terms, views, legal steps, reasons, records.

use edgehill_engine::game::{CONTRACT, Node};
use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use edgehill_proto::v1::{LegalDetail, Reason};
use tonic::metadata::MetadataMap;

use super::seating::seat_of;
use super::{Matches, field, state, terms};
use crate::host::{Content, Error};
use crate::identity::{Caller, Role};
use crate::matches::{LiveMatch, MatchError};
use crate::wire::{self, Refused, Words};

/// A view as it is shown, or what stands against showing it.
type Shown<T> = Result<Result<T, Refused>, Error>;

impl Matches {
    pub(super) async fn look(
        &self,
        metadata: &MetadataMap,
        match_id: &str,
    ) -> Result<v1::GetResponse, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(match_id)?;
        match self.host().read(id, |content| self.got(content, &caller)).await {
            Ok(shown) => Ok(shown),
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }

    fn got(&self, content: &Content, caller: &Caller) -> Result<v1::GetResponse, Error> {
        let seat = seat_of(self, content, caller)?;
        let observer = seat.map_or(Observer::Spectator, Observer::Seat);
        Ok(v1::GetResponse {
            terms: Some(terms::of(content.course())),
            state: Some(state::of(self.host(), content)),
            seq: content.course().length(observer),
        })
    }

    pub(super) async fn view_match(
        &self,
        metadata: &MetadataMap,
        request: v1::ViewRequest,
    ) -> Result<v1::ViewResponse, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(&request.match_id)?;
        let start = match v1::ViewMoment::try_from(request.moment) {
            Ok(v1::ViewMoment::Unspecified | v1::ViewMoment::Now) => false,
            Ok(v1::ViewMoment::Start) => true,
            Err(_) => return Err(Refused::field("moment", "expected VIEW_MOMENT_NOW or VIEW_MOMENT_START")),
        };
        let show = |content: &Content| -> Shown<v1::ViewResponse> {
            let observer = match self.observer(content, &caller, request.observer.as_ref())? {
                Ok(observer) => observer,
                Err(refused) => return Ok(Err(refused)),
            };
            Ok(Ok(self.viewed(content, observer, start, request.words)?))
        };
        match self.host().read(id, show).await {
            Ok(shown) => shown,
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }

    /// Whose eyes a caller may look through, if he asks for these.
    pub(super) fn observer(
        &self,
        content: &Content,
        caller: &Caller,
        given: Option<&v1::Observer>,
    ) -> Result<Result<Observer, Refused>, Error> {
        if let Caller::Seat(token) = caller
            && token.match_id() != content.course().id()
        {
            return Ok(Err(Refused::new(Reason::NotAllowed, "the seat token is for another match")));
        }
        let own = seat_of(self, content, caller)?.map_or(Observer::Spectator, Observer::Seat);
        let wanted = match wire::observer::read(given, content.course().seats().len()) {
            Ok(wanted) => wanted.unwrap_or(own),
            Err(refused) => return Ok(Err(refused)),
        };
        if wanted == own || wanted == Observer::Spectator || self.is_referee(caller) {
            return Ok(Ok(wanted));
        }
        let words = "a seat's view is for the seat itself, with its token, and for referees";
        Ok(Err(Refused::new(Reason::NotAllowed, words)))
    }

    fn viewed(
        &self,
        content: &Content,
        observer: Observer,
        start: bool,
        words: bool,
    ) -> Result<v1::ViewResponse, Error> {
        let state = Some(state::of(self.host(), content));
        let (seq, view, standing_passes) = match content {
            Content::Closed(closed) => match closed.start(observer).filter(|_| start) {
                Some(view) => (0, view.clone(), Vec::new()),
                None => return Err(closed.refusal().into()),
            },
            Content::Live(live) => {
                let table = live.begun()?;
                let words = Words::wanted(table.catalogue(), words);
                let view = if start { live.start()?.view(observer) } else { table.view(observer) };
                let standing = match observer {
                    Observer::Seat(seat) => table.standing(seat).iter().map(wire::standing::of).collect(),
                    Observer::Spectator => Vec::new(),
                };
                let seq = if start { 0 } else { live.course().length(observer) };
                (seq, wire::view::of(&view, words), standing)
            }
        };
        Ok(v1::ViewResponse { seq, view: Some(view), state, standing_passes })
    }

    pub(super) async fn legal_steps(
        &self,
        metadata: &MetadataMap,
        request: v1::LegalRequest,
    ) -> Result<v1::LegalResponse, Refused> {
        let caller = self.caller(metadata)?;
        let id = field::match_id(&request.match_id)?;
        let token = caller.require_seat(&id)?;
        let detail = wire::legal::detail(request.detail, LegalDetail::Ids, "detail")?;
        let show = |content: &Content| -> Shown<v1::LegalResponse> {
            let seat = self.host().check_token(content, token)?;
            let live = content.live()?;
            let table = live.begun()?;
            let catalogue = table.catalogue();
            let filter = match wire::legal::Filter::read(catalogue, &request.verbs, &request.refs) {
                Ok(filter) => filter,
                Err(refused) => return Ok(Err(refused)),
            };
            let owing = live.owing().contains(seat);
            let mut steps = if owing { table.legal(seat) } else { Vec::new() };
            steps.retain(|&step| filter.admits(catalogue, step));
            Ok(Ok(v1::LegalResponse {
                seq: live.course().length(Observer::Seat(seat)),
                owing,
                legal: wire::legal::of(catalogue, &steps, detail),
            }))
        };
        match self.host().read(id, show).await {
            Ok(shown) => shown,
            Err(error) => Err(self.refused(error, Some(id), Some(token.seat())).await),
        }
    }

    pub(super) async fn explain_step(
        &self,
        metadata: &MetadataMap,
        request: v1::ExplainRequest,
    ) -> Result<v1::ExplainResponse, Refused> {
        let caller = self.caller(metadata)?;
        let id = field::match_id(&request.match_id)?;
        let token = caller.require_seat(&id)?;
        let show = |content: &Content| -> Shown<v1::ExplainResponse> {
            let seat = self.host().check_token(content, token)?;
            let live = content.live()?;
            let table = live.begun()?;
            let catalogue = table.catalogue();
            let step = match wire::step::read(catalogue, request.step.as_ref()) {
                Ok(step) => step,
                Err(refused) => return Ok(Err(refused)),
            };
            let reasons = reasons(live, seat, step)?;
            Ok(Ok(v1::ExplainResponse {
                seq: live.course().length(Observer::Seat(seat)),
                legal: reasons.is_empty(),
                step: Some(wire::legal::full(catalogue, step)),
                grounds: reasons.iter().map(|reason| wire::ground::with_rule(catalogue, reason)).collect(),
            }))
        };
        match self.host().read(id, show).await {
            Ok(shown) => shown,
            Err(error) => Err(self.refused(error, Some(id), Some(token.seat())).await),
        }
    }

    pub(super) async fn record(
        &self,
        metadata: &MetadataMap,
        match_id: &str,
    ) -> Result<v1::GetRecordResponse, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(match_id)?;
        match self.host().record(id, self.is_referee(&caller)).await {
            Ok(record) => Ok(v1::GetRecordResponse { text: record.text, complete: record.complete }),
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }
}

/// Every ground against a step, also of a seat that has committed and of one that owes nothing.
fn reasons(
    live: &LiveMatch,
    seat: edgehill_engine::seat::Seat,
    step: edgehill_engine::step::StepId,
) -> Result<Vec<edgehill_engine::refusal::Reason>, MatchError> {
    let table = live.begun()?;
    let reasons = table.reasons(seat, step);
    let owes = live.owing().contains(seat);
    if reasons.is_empty() && !owes && table.node() != Node::Over {
        let code = if table.node() == Node::Chance { "CHANCE_PENDING" } else { "NOT_YOUR_STEP" };
        return Ok(vec![edgehill_engine::refusal::Reason { code, rule: CONTRACT, refs: Vec::new() }]);
    }
    Ok(reasons)
}
