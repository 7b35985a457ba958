//! Calls that change a competition.

use edgehill_competition::{CompetitionEvent, CompetitionSettings, Encounter, EntrantId, Format, MatchSlot};
use edgehill_convert::competition as settings_convert;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::metadata::MetadataMap;

use super::{CompetitionEndpoint, Viewer, competition_id, entrant, messages, refused};
use crate::competitions::{EntrantParty, Error, HostedCompetition, NewEvent, Written};
use crate::identity::Role;
use crate::limits::BULK_MATCHES_MAX;
use crate::matches::{Ask, PinNote};
use crate::store::{AccountId, CompetitionId};
use crate::wire::{self, Refused};

/// The most bytes of grounds.
const EVIDENCE_BYTES_MAX: usize = edgehill_competition::TEXT_BYTES_MAX;

impl CompetitionEndpoint {
    pub(super) async fn answer_create(
        &self,
        metadata: &MetadataMap,
        request: v1::CreateCompetitionRequest,
    ) -> Result<v1::CreateCompetitionResponse, Refused> {
        let viewer = self.account(Role::Referee, metadata).await?;
        let ask = self.ask(&request.request_id, &request)?;
        let given = request.settings.unwrap_or_default();
        let settings = settings_convert::settings(&given)
            .map_err(|fault| Refused::field(format!("settings.{}", fault.field), fault.fault))?;
        let rules = self.check_game(&settings, &given)?;
        let max = self.matches.limits().competitions;
        let made = self.competitions.create(viewer.account.clone(), ask, settings, rules, max).await;
        let Written { hosted, .. } = made.map_err(refused)?;
        Ok(v1::CreateCompetitionResponse { competition: Some(self.shown(&hosted, &viewer)?) })
    }

    /// Checks that the server has the game, with as many seats as the format needs. Returns its rules.
    fn check_game(
        &self,
        settings: &CompetitionSettings,
        given: &v1::CompetitionSettings,
    ) -> Result<PinNote, Refused> {
        let game = self.matches.host().registry().game(&settings.terms.game).map_err(Refused::from)?;
        let catalogue = game.catalogue();
        let setup = wire::setup::read(catalogue, &given.scenario, &given.options)
            .map_err(|refused| refused.within("settings"))?;
        let seats = catalogue.seats_of(&setup);
        let needed = if matches!(settings.format, Format::Series { .. }) { 1 } else { 2 };
        if seats != needed {
            let what = format!(
                "expected a game for {needed} in this format, found one for {seats}: a series is for games for one, all other formats \
                 for games for two"
            );
            return Err(Refused::field("settings.format", what));
        }
        Ok(PinNote { rules_version: catalogue.rules_version, content: *catalogue.content.as_bytes() })
    }

    pub(super) async fn answer_enrol(
        &self,
        metadata: &MetadataMap,
        request: v1::EnrolEntrantRequest,
    ) -> Result<v1::EnrolEntrantResponse, Refused> {
        let viewer = self.account(Role::Spectator, metadata).await?;
        let id = competition_id(&request.competition_id)?;
        let overview = self.overview(id)?;
        let ask = self.ask(&request.request_id, &request)?;
        let manages = viewer.may_manage(&overview.organizer);
        let party = self.party_of(&request, &viewer, manages, &overview.settings)?;
        if request.rating.is_some() && !manages {
            let words = "who looks after the competition gives ratings, and nobody to themselves";
            return Err(Refused::new(ErrorReason::NotAllowed, words).violation("rating", words));
        }
        let name = match (&*request.name, &party) {
            ("", EntrantParty::Account(account)) => String::from_utf8_lossy(account.as_bytes()).into_owned(),
            ("", EntrantParty::HouseBot(bot)) => bot.clone(),
            (name, _) => name.to_owned(),
        };
        let rating = request.rating;
        let make = move |hosted: &HostedCompetition| {
            if party.account().is_some_and(|account| hosted.entrant_of(account).is_some()) {
                return Err(Error::AlreadyEnrolled);
            }
            let entrant = EntrantId::at(hosted.competition().entrants().len());
            let entrant = entrant.ok_or(edgehill_competition::CompetitionRefusal::Full)?;
            let event = CompetitionEvent::Enrolled { entrant, name, rating };
            Ok(NewEvent { event, party: Some(party) })
        };
        let written = self.perform(id, &viewer, ask, make).await?;
        let entrant = written.event.enrolled().and_then(|id| {
            messages::entrant(&written.hosted, id, |_| manages || request.account_id.is_empty())
        });
        Ok(v1::EnrolEntrantResponse { entrant })
    }

    /// The one whom a request enrols.
    fn party_of(
        &self,
        request: &v1::EnrolEntrantRequest,
        viewer: &Viewer,
        manages: bool,
        settings: &CompetitionSettings,
    ) -> Result<EntrantParty, Refused> {
        let for_managers = |field: &str| {
            let words = "others than oneself are enrolled by who looks after the competition";
            Refused::new(ErrorReason::NotAllowed, words).violation(field, words)
        };
        match (&*request.account_id, &*request.house_bot) {
            ("", "") => {
                let account = self.matches.account_to_invite("account_id", &text(&viewer.account))?;
                Ok(EntrantParty::Account(account))
            }
            (account, "") => {
                let account = self.matches.account_to_invite("account_id", account)?;
                if account != viewer.account && !manages {
                    return Err(for_managers("account_id"));
                }
                Ok(EntrantParty::Account(account))
            }
            ("", _) if !manages => Err(for_managers("house_bot")),
            ("", _) if !settings.policy.calls.house_bots => {
                let what = "the policy of the competition lets no house bots in";
                Err(Refused::field("house_bot", what))
            }
            ("", bot) => {
                let game =
                    self.matches.host().registry().game(&settings.terms.game).map_err(Refused::from)?;
                let bots: Vec<&str> = game.bots().iter().map(|bot| bot.name).collect();
                if bots.contains(&bot) {
                    return Ok(EntrantParty::HouseBot(bot.to_owned()));
                }
                let what = format!("expected a house bot of the game: {}", bots.join(", "));
                Err(Refused::new(ErrorReason::UnknownBot, &*what).violation("house_bot", what))
            }
            _ => Err(Refused::field("house_bot", "an entrant is an account or a house bot, not both")),
        }
    }

    pub(super) async fn answer_withdraw(
        &self,
        metadata: &MetadataMap,
        request: v1::WithdrawEntrantRequest,
    ) -> Result<v1::WithdrawEntrantResponse, Refused> {
        let viewer = self.account(Role::Spectator, metadata).await?;
        let id = competition_id(&request.competition_id)?;
        let ask = self.ask(&request.request_id, &request)?;
        let hosted = self.competitions.get(id).await.map_err(refused)?;
        let entrant = entrant(&hosted, request.entrant)?;
        let is_own = hosted.party(entrant).and_then(EntrantParty::account) == Some(&viewer.account);
        if !is_own && !viewer.may_manage(hosted.organizer()) {
            let words = "an entrant is withdrawn by its own account, or by who looks after the competition";
            return Err(Refused::new(ErrorReason::NotAllowed, words));
        }
        let event = CompetitionEvent::Withdrawn { entrant };
        let written = self.perform(id, &viewer, ask, move |_| Ok(event.into())).await?;
        let shown = messages::entrant(&written.hosted, entrant, |_| true);
        Ok(v1::WithdrawEntrantResponse { entrant: shown })
    }

    pub(super) async fn answer_disqualify(
        &self,
        metadata: &MetadataMap,
        request: v1::DisqualifyEntrantRequest,
    ) -> Result<v1::DisqualifyEntrantResponse, Refused> {
        let (viewer, id) = self.manager(metadata, &request.competition_id).await?;
        let ask = self.ask(&request.request_id, &request)?;
        let hosted = self.competitions.get(id).await.map_err(refused)?;
        let entrant = entrant(&hosted, request.entrant)?;
        check_evidence(&request.evidence)?;
        let event = CompetitionEvent::Disqualified { entrant, evidence: request.evidence };
        let written = self.perform(id, &viewer, ask, move |_| Ok(event.into())).await?;
        let shown = messages::entrant(&written.hosted, entrant, |_| true);
        Ok(v1::DisqualifyEntrantResponse { entrant: shown })
    }

    pub(super) async fn answer_start(
        &self,
        metadata: &MetadataMap,
        request: v1::StartCompetitionRequest,
    ) -> Result<v1::StartCompetitionResponse, Refused> {
        let (viewer, id) = self.manager(metadata, &request.competition_id).await?;
        let ask = self.ask(&request.request_id, &request)?;
        let make = |hosted: &HostedCompetition| {
            let entrants = hosted.competition().entrants().len();
            let is_series = matches!(hosted.settings().format, Format::Series { .. });
            if is_series && entrants > BULK_MATCHES_MAX {
                let fault =
                    format!("a series has at most {BULK_MATCHES_MAX} entrants here, and this one {entrants}");
                return Err(Error::Field { field: "competition_id", fault });
            }
            Ok(CompetitionEvent::Started.into())
        };
        let Written { hosted, .. } = self.perform(id, &viewer, ask, make).await?;
        Ok(v1::StartCompetitionResponse { competition: Some(self.shown(&hosted, &viewer)?) })
    }

    pub(super) async fn answer_cancel(
        &self,
        metadata: &MetadataMap,
        request: v1::CancelCompetitionRequest,
    ) -> Result<v1::CancelCompetitionResponse, Refused> {
        let (viewer, id) = self.manager(metadata, &request.competition_id).await?;
        let ask = self.ask(&request.request_id, &request)?;
        let event = CompetitionEvent::Cancelled { reason: request.reason };
        let Written { hosted, .. } = self.perform(id, &viewer, ask, move |_| Ok(event.into())).await?;
        Ok(v1::CancelCompetitionResponse { competition: Some(self.shown(&hosted, &viewer)?) })
    }

    pub(super) async fn answer_void(
        &self,
        metadata: &MetadataMap,
        request: v1::VoidCompetitionMatchRequest,
    ) -> Result<v1::VoidCompetitionMatchResponse, Refused> {
        let (viewer, id) = self.manager(metadata, &request.competition_id).await?;
        let ask = self.ask(&request.request_id, &request)?;
        let slot: MatchSlot =
            request.slot.parse().map_err(|error: edgehill_competition::ParseWordError| {
                Refused::field("slot", error.to_string())
            })?;
        check_evidence(&request.evidence)?;
        let (replay, evidence) = (request.replay, request.evidence);
        let make = move |hosted: &HostedCompetition| {
            if matches!(hosted.competition().encounter_of(slot), None | Some(Encounter::Bye(_))) {
                return Err(edgehill_competition::CompetitionRefusal::NotBegun(slot).into());
            }
            Ok(CompetitionEvent::MatchVoided { slot, replay, evidence }.into())
        };
        let Written { hosted, .. } = self.perform(id, &viewer, ask, make).await?;
        Ok(v1::VoidCompetitionMatchResponse { competition: Some(self.shown(&hosted, &viewer)?) })
    }

    /// The account that calls, which may look after the competition.
    async fn manager(&self, metadata: &MetadataMap, given: &str) -> Result<(Viewer, CompetitionId), Refused> {
        let viewer = self.account(Role::Spectator, metadata).await?;
        let id = competition_id(given)?;
        if viewer.may_manage(&self.overview(id)?.organizer) {
            return Ok((viewer, id));
        }
        let words = "who has created the competition looks after it, and operators do";
        Err(Refused::new(ErrorReason::NotAllowed, words))
    }

    async fn perform(
        &self,
        id: CompetitionId,
        viewer: &Viewer,
        ask: Ask,
        make: impl FnOnce(&HostedCompetition) -> Result<NewEvent, Error> + Send + 'static,
    ) -> Result<Written, Refused> {
        self.competitions.perform(id, viewer.account.clone(), ask, make).await.map_err(refused)
    }

    /// A competition as it is shown to a caller.
    pub(super) fn shown(
        &self,
        hosted: &HostedCompetition,
        viewer: &Viewer,
    ) -> Result<v1::Competition, Refused> {
        let trouble = self.overview(hosted.id())?.trouble;
        let overview = crate::competitions::CompetitionOverview { trouble, ..hosted.overview() };
        Ok(messages::competition(&overview, viewer.may_manage(&overview.organizer)))
    }
}

fn check_evidence(given: &str) -> Result<(), Refused> {
    let bytes = given.len();
    if !(1..=EVIDENCE_BYTES_MAX).contains(&bytes) {
        let what = format!("expected 1 to {EVIDENCE_BYTES_MAX} bytes, found {bytes}");
        return Err(Refused::field("evidence", what));
    }
    Ok(())
}

fn text(account: &AccountId) -> String {
    String::from_utf8_lossy(account.as_bytes()).into_owned()
}
