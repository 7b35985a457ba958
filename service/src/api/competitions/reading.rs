//! Calls that look at competitions.

use edgehill_competition::{EncounterId, EntrantId};
use edgehill_proto::v1;
use tonic::metadata::MetadataMap;

use super::{CompetitionEndpoint, competition_id, entrant, messages, refused};
use crate::api::field;
use crate::competitions::{CompetitionOverview, EntrantParty};
use crate::identity::Role;
use crate::limits::{PAGE_COMPETITIONS_MAX, PAGE_ENCOUNTERS_MAX};
use crate::store::CompetitionId;
use crate::wire::Refused;

impl CompetitionEndpoint {
    pub(super) async fn answer_get_competition(
        &self,
        metadata: &MetadataMap,
        request: v1::GetCompetitionRequest,
    ) -> Result<v1::GetCompetitionResponse, Refused> {
        let viewer = self.account(Role::Spectator, metadata).await?;
        let id = competition_id(&request.competition_id)?;
        let hosted = self.competitions.get(id).await.map_err(refused)?;
        let manages = viewer.may_manage(hosted.organizer());
        let is_known = |party: &EntrantParty| manages || party.account() == Some(&viewer.account);
        let count = hosted.competition().entrants().len();
        let entrants = (0..count).filter_map(EntrantId::at);
        let entrants = entrants.filter_map(|id| messages::entrant(&hosted, id, is_known)).collect();
        Ok(v1::GetCompetitionResponse { competition: Some(self.shown(&hosted, &viewer)?), entrants })
    }

    pub(super) async fn answer_list_competitions(
        &self,
        metadata: &MetadataMap,
        request: v1::ListCompetitionsRequest,
    ) -> Result<v1::ListCompetitionsResponse, Refused> {
        let viewer = self.account(Role::Spectator, metadata).await?;
        let size = field::page_size(request.page_size, PAGE_COMPETITIONS_MAX)?;
        let phase = v1::CompetitionPhase::try_from(request.phase)
            .map_err(|_| Refused::field("phase", "expected a phase that has a name, or none"))?;
        let after = match &*request.page_token {
            "" => None,
            token => Some(list_token(token)?),
        };
        let is_of = |overview: &CompetitionOverview| {
            phase == v1::CompetitionPhase::Unspecified || messages::phase(overview.phase) == phase
        };
        let mut overviews = self.competitions.overviews();
        overviews
            .retain(|one| is_of(one) && after.is_none_or(|(ms, id)| (one.created_ms, one.id) < (ms, id)));
        let next = overviews.get(size).and(overviews.get(size.wrapping_sub(1)));
        let next_page_token =
            next.map_or_else(String::new, |last| format!("{}-{}", last.created_ms, last.id));
        overviews.truncate(size);
        let competitions = overviews
            .iter()
            .map(|one| messages::competition(one, viewer.may_manage(&one.organizer)))
            .collect();
        Ok(v1::ListCompetitionsResponse { competitions, next_page_token })
    }

    pub(super) async fn answer_get_standings(
        &self,
        metadata: &MetadataMap,
        request: v1::GetStandingsRequest,
    ) -> Result<v1::GetStandingsResponse, Refused> {
        self.account(Role::Spectator, metadata).await?;
        let id = competition_id(&request.competition_id)?;
        let hosted = self.competitions.get(id).await.map_err(refused)?;
        let of = match request.cross_table_of {
            0 => None,
            given => Some(entrant(&hosted, given)?),
        };
        let last_event = hosted.last_event();
        let standings = self.reckoner.reckon(move || hosted.competition().standings()).await?;
        let cells = standings.cross_table.iter().filter(|((one, _), _)| Some(*one) == of);
        Ok(v1::GetStandingsResponse {
            rows: standings.rows.iter().map(messages::standing_row).collect(),
            cross_table: cells.map(|((_, other), cell)| messages::cross_cell(*other, cell)).collect(),
            last_event,
        })
    }

    pub(super) async fn answer_list_encounters(
        &self,
        metadata: &MetadataMap,
        request: v1::ListEncountersRequest,
    ) -> Result<v1::ListEncountersResponse, Refused> {
        self.account(Role::Spectator, metadata).await?;
        let id = competition_id(&request.competition_id)?;
        let size = field::page_size(request.page_size, PAGE_ENCOUNTERS_MAX)?;
        let after: Option<EncounterId> = match &*request.page_token {
            "" => None,
            token => Some(token.parse().map_err(|_| bad_token())?),
        };
        let hosted = self.competitions.get(id).await.map_err(refused)?;
        let wanted = |id: &EncounterId| {
            (request.round == 0 || u32::from(id.round.number()) == request.round)
                && after.is_none_or(|after| *id > after)
        };
        let mut encounters = messages::encounters(&hosted, wanted, size + 1);
        let is_more = encounters.len() > size;
        encounters.truncate(size);
        let last = encounters.last().filter(|_| is_more);
        let next_page_token = last.map_or_else(String::new, |last| format!("{}.{}", last.round, last.number));
        Ok(v1::ListEncountersResponse { encounters, next_page_token })
    }
}

fn bad_token() -> Refused {
    Refused::field("page_token", "expected the token of the page before, or nothing")
}

fn list_token(token: &str) -> Result<(u64, CompetitionId), Refused> {
    let (ms, id) = token.split_once('-').ok_or_else(bad_token)?;
    Ok((ms.parse().map_err(|_| bad_token())?, id.parse().map_err(|_| bad_token())?))
}
