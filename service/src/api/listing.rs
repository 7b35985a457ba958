//! Lists of matches.

use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use tonic::metadata::MetadataMap;

use super::{Matches, field, invitations, state};
use crate::host::{ListEntry, ListFilter, ListStates, ListedCourse};
use crate::identity::{Caller, Role};
use crate::matches::{EndedBy, Phase};
use crate::store::{AccountId, ListedMatch};
use crate::wire::Refused;

/// The reason of a quarantine in which a match's row means nothing.
const ROW_DAMAGED: &str = "ROW_DAMAGED";

impl Matches {
    pub(super) async fn answer_list(
        &self,
        metadata: &MetadataMap,
        request: v1::ListMatchesRequest,
    ) -> Result<v1::ListMatchesResponse, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        if !request.game.is_empty() {
            self.host().registry().game(&request.game)?;
        }
        let size = field::page_size(request.page_size, self.limits().page_matches)?;
        let before = match request.page_token.as_str() {
            "" => None,
            token => Some(field::match_id(token).map_err(|_| {
                Refused::field("page_token", "expected `next_page_token` of the page before, or nothing")
            })?),
        };
        let filter = ListFilter {
            game: Some(request.game).filter(|game| !game.is_empty()),
            states: states(&request.statuses)?,
            open_seats: request.open_seats,
            group: Some(request.group_id).filter(|group| !group.is_empty()),
            invited: if request.invited { Some(invited_account(&caller)?) } else { None },
        };
        let page = self.host().list(&filter, before, size, |listed| self.entry(listed, &caller)).await;
        let page = match page {
            Ok(page) => page,
            Err(error) => return Err(self.refused(error, None, None).await),
        };
        let entry = |entry| match entry {
            ListEntry::Shown(entry) => entry,
            ListEntry::Stopped(listed) => stopped(*listed),
        };
        Ok(v1::ListMatchesResponse {
            matches: page.matches.into_iter().map(entry).collect(),
            next_page_token: page.next.map(|id| id.to_string()).unwrap_or_default(),
        })
    }

    fn entry(&self, listed: &ListedCourse, caller: &Caller) -> v1::Match {
        let seat = super::seating::seat_of(self, listed.course(), caller).ok().flatten();
        let observer = seat.map_or(Observer::Spectator, Observer::Seat);
        let insider = self.is_insider(caller, listed.course());
        let mut shown = state::listed(self.host(), listed, observer, insider);
        invitations::show(&mut shown, listed.course(), caller);
        shown
    }
}

/// The account whose invitations are asked for.
fn invited_account(caller: &Caller) -> Result<AccountId, Refused> {
    match caller {
        Caller::Account { id, .. } => Ok(id.clone()),
        Caller::Anonymous | Caller::Seat(_) => Err(Refused::field(
            "invited",
            "seats are kept for accounts: expected an account's key with the call",
        )),
    }
}

/// All that can be said of a match that is stopped and can't be read.
fn stopped(listed: ListedMatch) -> v1::Match {
    let mut config = v1::MatchConfig { match_id: listed.id.to_string(), ..v1::MatchConfig::default() };
    if listed.quarantine.is_none_or(|quarantine| quarantine.reason != ROW_DAMAGED) {
        config.game = listed.game;
        config.scenario = listed.scenario;
    }
    let state = v1::MatchState { status: v1::MatchStatus::Quarantined.into(), ..v1::MatchState::default() };
    v1::Match { config: Some(config), state: Some(state), seq: 0 }
}

fn states(given: &[i32]) -> Result<Option<ListStates>, Refused> {
    if given.is_empty() {
        return Ok(None);
    }
    let mut states = ListStates::default();
    for (index, &status) in given.iter().enumerate() {
        match v1::MatchStatus::try_from(status) {
            Ok(v1::MatchStatus::Waiting) => states.phases.push(Phase::Waiting),
            Ok(v1::MatchStatus::Revealing) => states.phases.push(Phase::Revealing),
            Ok(v1::MatchStatus::Running) => states.phases.push(Phase::Running),
            Ok(v1::MatchStatus::Finished) => states.finished = true,
            Ok(v1::MatchStatus::Aborted) => states.ended_by.push(EndedBy::Abort),
            Ok(v1::MatchStatus::Expired) => states.ended_by.push(EndedBy::Expiry),
            Ok(v1::MatchStatus::Unplayable) => states.unplayable = true,
            Ok(v1::MatchStatus::Quarantined) => states.quarantined = true,
            Ok(v1::MatchStatus::Unspecified) | Err(_) => {
                return Err(Refused::field(
                    format!("statuses[{index}]"),
                    "expected a status of `MatchStatus`",
                ));
            }
        }
    }
    Ok(Some(states))
}
