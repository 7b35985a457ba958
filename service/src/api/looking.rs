//! Looking at matches: terms, views, legal actions, reasons, records.

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::game::{CONTRACT, Node};
use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use edgehill_proto::v1::{ErrorReason, LegalDetail};
use tonic::metadata::MetadataMap;

use super::seating::seat_of;
use super::{Matches, clock, field, invitations, state};
use crate::host::{Content, Error, RecordReader};
use crate::identity::{Caller, Role};
use crate::matches::{LiveMatch, MatchError, MatchRecord, Phase};
use crate::wire::{self, Refused};

/// The observer through whose eyes a caller looks.
#[derive(Copy, Clone)]
pub(super) struct Eyes {
    pub(super) observer: Observer,
    /// True if the look is a referee's at what nobody else may see, which is written down.
    is_noted: bool,
}

impl Eyes {
    /// The seat at whose view a look is to be written down.
    pub(super) fn noted_seat(self) -> Option<u8> {
        match self.observer {
            // Seats are few.
            Observer::Seat(seat) if self.is_noted => Some(seat.index() as u8),
            _ => None,
        }
    }
}

/// A view as it is shown, or what stands against showing it.
type Shown<T> = Result<Result<T, Refused>, Error>;

impl Matches {
    pub(super) async fn answer_get(
        &self,
        metadata: &MetadataMap,
        match_id: &str,
    ) -> Result<v1::GetMatchResponse, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(match_id)?;
        match self.host().read(id, |content| self.got(content, &caller)).await {
            Ok(shown) => Ok(shown),
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }

    fn got(&self, content: &Content, caller: &Caller) -> Result<v1::GetMatchResponse, Error> {
        let seat = seat_of(self, content.course(), caller)?;
        let mut shown = match seat {
            Some(seat) => state::whole(self.host(), content, Observer::Seat(seat)),
            None if self.is_insider(caller, content.course()) => state::whole_of_all(self.host(), content),
            None => state::whole(self.host(), content, Observer::Spectator),
        };
        invitations::show(&mut shown, content.course(), caller);
        Ok(v1::GetMatchResponse { r#match: Some(shown) })
    }

    pub(super) async fn answer_view(
        &self,
        metadata: &MetadataMap,
        request: v1::GetViewRequest,
    ) -> Result<v1::GetViewResponse, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(&request.match_id)?;
        let start = match request.at_seq {
            None => false,
            Some(0) => true,
            Some(_) => {
                let refused = Refused::of(ErrorReason::UnsupportedMoment);
                return Err(refused.violation("at_seq", "expected nothing, for now, or 0, for the beginning"));
            }
        };
        let show = |content: &Content| -> Shown<(v1::GetViewResponse, Eyes)> {
            let eyes = match self.eyes(content, &caller, request.observer.as_ref())? {
                Ok(eyes) => eyes,
                Err(refused) => return Ok(Err(refused)),
            };
            Ok(Ok((self.viewed(content, eyes.observer, start, request.include_text)?, eyes)))
        };
        let (viewed, eyes) = match self.host().read(id, show).await {
            Ok(shown) => shown?,
            Err(error) => return Err(self.refused(error, Some(id), None).await),
        };
        if let Some(seat) = eyes.noted_seat() {
            self.note_look(&caller, id, Some(seat)).await?;
        }
        Ok(viewed)
    }

    /// Returns the observer through whose eyes a caller may look, if they ask for these.
    pub(super) fn eyes(
        &self,
        content: &Content,
        caller: &Caller,
        given: Option<&v1::Observer>,
    ) -> Result<Result<Eyes, Refused>, Error> {
        if let Caller::Seat(token) = caller
            && token.match_id() != content.course().id()
        {
            return Ok(Err(Refused::new(ErrorReason::NotAllowed, "the seat token is for another match")));
        }
        let own = seat_of(self, content.course(), caller)?.map_or(Observer::Spectator, Observer::Seat);
        let wanted = match wire::observer::read(given, content.course().seats().len()) {
            Ok(wanted) => wanted.unwrap_or(own),
            Err(refused) => return Ok(Err(refused)),
        };
        let observer = wanted;
        // A seat token is of this match, and so of one of its players.
        let is_inside = matches!(caller, Caller::Seat(_)) || self.is_insider(caller, content.course());
        if wanted == Observer::Spectator && !is_inside && !self.host().is_open_to_all(content.course()) {
            return Ok(Err(Refused::of(ErrorReason::NotPublished)));
        }
        if wanted == own || wanted == Observer::Spectator {
            return Ok(Ok(Eyes { observer, is_noted: false }));
        }
        if self.is_referee(caller) {
            return Ok(Ok(Eyes { observer, is_noted: content.course().phase() != Phase::Over }));
        }
        let words = "a seat's view is for the seat itself, with its token, and for referees";
        Ok(Err(Refused::new(ErrorReason::NotAllowed, words)))
    }

    fn viewed(
        &self,
        content: &Content,
        observer: Observer,
        start: bool,
        text: bool,
    ) -> Result<v1::GetViewResponse, Error> {
        let shown = state::whole(self.host(), content, observer);
        let sight = self.host().sight(content.course(), observer);
        let seq = if start { 0 } else { sight.seq };
        let (view, standing_passes) = match content {
            Content::Closed(closed) => {
                let view = wire::encoder::view_at(closed, observer, seq);
                // Nobody knows which passes still stand.
                (view.ok_or_else(|| closed.refusal())?, Vec::new())
            }
            Content::Live(live) => {
                let table = live.begun()?;
                let text = TextMode::wanted(table.catalogue(), text);
                let view = if start || sight.seq < content.course().length(observer) {
                    wire::encoder::live_view_at(live, observer, seq, text)?
                } else {
                    messages::view::of(&table.view(observer), text)
                };
                let standing = match observer {
                    Observer::Seat(seat) => table.standing(seat).iter().map(messages::standing::of).collect(),
                    Observer::Spectator => Vec::new(),
                };
                (view, standing)
            }
        };
        Ok(v1::GetViewResponse { seq, view: Some(view), r#match: Some(shown), standing_passes })
    }

    pub(super) async fn answer_legal_actions(
        &self,
        metadata: &MetadataMap,
        request: v1::ListLegalActionsRequest,
    ) -> Result<v1::ListLegalActionsResponse, Refused> {
        let caller = self.caller(metadata)?;
        let id = field::match_id(&request.match_id)?;
        let token = caller.require_seat(&id)?;
        let detail = wire::legal::detail(request.detail, LegalDetail::Ids, "detail")?;
        let show = |content: &Content| -> Shown<v1::ListLegalActionsResponse> {
            let seat = self.host().check_token(content.course(), token)?;
            if content.course().withheld().legal_actions {
                return Err(MatchError::CallWithheld("lists of legal actions").into());
            }
            let live = content.live()?;
            let table = live.begun()?;
            let catalogue = table.catalogue();
            let filter = match wire::legal::LegalFilter::read(catalogue, &request.verbs, &request.refs) {
                Ok(filter) => filter,
                Err(refused) => return Ok(Err(refused)),
            };
            let to_act = live.to_act().contains(seat);
            let mut actions = if to_act { table.legal(seat) } else { Vec::new() };
            actions.retain(|&action| filter.admits(catalogue, action));
            Ok(Ok(v1::ListLegalActionsResponse {
                seq: live.course().length(Observer::Seat(seat)),
                to_act,
                legal_actions: messages::legal::of(catalogue, &actions, detail),
                time_left: clock::time_left(self.host(), live.course(), seat).filter(|_| to_act),
            }))
        };
        match self.host().read(id, show).await {
            Ok(shown) => shown,
            Err(error) => Err(self.refused(error, Some(id), Some(token.seat())).await),
        }
    }

    pub(super) async fn answer_explain(
        &self,
        metadata: &MetadataMap,
        request: v1::ExplainActionRequest,
    ) -> Result<v1::ExplainActionResponse, Refused> {
        let caller = self.caller(metadata)?;
        let id = field::match_id(&request.match_id)?;
        let token = caller.require_seat(&id)?;
        let show = |content: &Content| -> Shown<v1::ExplainActionResponse> {
            let seat = self.host().check_token(content.course(), token)?;
            if content.course().withheld().explanations {
                return Err(MatchError::CallWithheld("the reasons of the rules").into());
            }
            let live = content.live()?;
            let table = live.begun()?;
            live.check_not_adjourned().map_err(|error| self.host().dated(content.course(), error))?;
            let catalogue = table.catalogue();
            let action = match wire::action::read(catalogue, request.action.as_ref()) {
                Ok(action) => action,
                Err(refused) => return Ok(Err(refused)),
            };
            let rule_violations = rule_violations(live, seat, action)?;
            Ok(Ok(v1::ExplainActionResponse {
                seq: live.course().length(Observer::Seat(seat)),
                legal: rule_violations.is_empty(),
                action: Some(messages::legal::full(catalogue, action)),
                rule_violations: rule_violations
                    .iter()
                    .map(|one| messages::rule_violation::with_rule(catalogue, one))
                    .collect(),
            }))
        };
        match self.host().read(id, show).await {
            Ok(shown) => shown,
            Err(error) => Err(self.refused(error, Some(id), Some(token.seat())).await),
        }
    }

    pub(super) async fn answer_record(
        &self,
        metadata: &MetadataMap,
        match_id: &str,
    ) -> Result<MatchRecord, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(match_id)?;
        let is_referee = self.is_referee(&caller);
        if is_referee {
            let runs = self.host().read(id, |content| Ok(content.course().phase() == Phase::Running));
            match runs.await {
                Ok(true) => self.note_look(&caller, id, None).await?,
                Ok(false) => {}
                Err(error) => return Err(self.refused(error, Some(id), None).await),
            }
        }
        let reader = match caller {
            _ if is_referee => RecordReader::Referee,
            Caller::Account { id, .. } => RecordReader::Account(id),
            Caller::Seat(token) if token.match_id() == id => RecordReader::Seat,
            Caller::Seat(_) | Caller::Anonymous => RecordReader::Anybody,
        };
        match self.host().record(id, &reader).await {
            Ok(record) => Ok(record),
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }
}

/// Every ground against an action, also of a seat that has committed and of one that is not to act.
fn rule_violations(
    live: &LiveMatch,
    seat: edgehill_engine::seat::Seat,
    action: edgehill_engine::action::ActionId,
) -> Result<Vec<edgehill_engine::refusal::RuleViolation>, MatchError> {
    let table = live.begun()?;
    let rule_violations = table.rule_violations(seat, action);
    let acts = live.to_act().contains(seat);
    if rule_violations.is_empty() && !acts && table.node() != Node::Over {
        let code = if table.node() == Node::Chance { "CHANCE_PENDING" } else { "NOT_YOUR_TURN" };
        return Ok(vec![edgehill_engine::refusal::RuleViolation { code, rule: CONTRACT, refs: Vec::new() }]);
    }
    Ok(rule_violations)
}
