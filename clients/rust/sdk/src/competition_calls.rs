//! Calls on competitions ([`CompetitionCalls`]): for those who organise them, take part in them, or follow them.

use edgehill_proto::v1::{
    CancelCompetitionRequest, Competition, CompetitionExport, CompetitionPhase, CompetitionSettings,
    CreateCompetitionRequest, DisqualifyEntrantRequest, Encounter, EnrolEntrantRequest, Entrant,
    ExportCompetitionRequest, GetCompetitionRequest, GetCompetitionResponse, GetStandingsRequest,
    GetStandingsResponse, ListCompetitionsRequest, ListEncountersRequest, StartCompetitionRequest,
    VoidCompetitionMatchRequest, WithdrawEntrantRequest,
};

use crate::competition_watch::CompetitionWatch;
use crate::connection::Connection;
use crate::error::{Error, required};
use crate::retry::until_answered;

/// Calls on competitions, by an account's key. Each that changes something is made with a request id, and repeated with it while the
/// connection is down: it happens once.
#[derive(Copy, Clone, Debug)]
pub struct CompetitionCalls<'a> {
    connection: &'a Connection,
}

/// An entrant to enrol. The default is the client's own account, under its id.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Enrolment {
    /// Its name; empty: the account's id, or the house bot's name.
    pub name: String,
    /// The rating to seed it by, which organizers alone give.
    pub rating: Option<i32>,
    /// Another account, which organizers alone enrol; empty: the client's own.
    pub account_id: String,
    /// A house bot, which organizers alone enrol; empty: an account.
    pub house_bot: String,
}

/// Makes one call until it has an answer.
macro_rules! call {
    ($calls:ident . $method:ident($request:expr)) => {{
        let wire = $calls.connection.competition_wire()?;
        let request = $request;
        let answer = until_answered($calls.connection.retry_policy(), $calls.connection.contact(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.$method(request).await }
        });
        answer.await
    }};
}

impl<'a> CompetitionCalls<'a> {
    pub(crate) const fn new(connection: &'a Connection) -> Self {
        Self { connection }
    }

    /// Makes a competition.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn create(&self, settings: CompetitionSettings) -> Result<Competition, Error> {
        let request = CreateCompetitionRequest {
            request_id: self.connection.next_request_id(),
            settings: Some(settings),
        };
        required(call!(self.create_competition(request))?.competition, "competition")
    }

    /// A competition with its entrants.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn get(&self, competition_id: &str) -> Result<GetCompetitionResponse, Error> {
        let request = GetCompetitionRequest { competition_id: competition_id.to_owned() };
        call!(self.get_competition(request))
    }

    /// The competitions of the server in a phase, or in all; last made first.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn list(&self, phase: Option<CompetitionPhase>) -> Result<Vec<Competition>, Error> {
        let (mut competitions, mut page_token) = (Vec::new(), String::new());
        loop {
            let phase = phase.unwrap_or(CompetitionPhase::Unspecified).into();
            let request = ListCompetitionsRequest { phase, page_size: 0, page_token };
            let page = call!(self.list_competitions(request))?;
            competitions.extend(page.competitions);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return Ok(competitions);
            }
        }
    }

    /// Enrols an entrant.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn enrol(&self, competition_id: &str, enrolment: Enrolment) -> Result<Entrant, Error> {
        let Enrolment { name, rating, account_id, house_bot } = enrolment;
        let request = EnrolEntrantRequest {
            request_id: self.connection.next_request_id(),
            competition_id: competition_id.to_owned(),
            name,
            rating,
            account_id,
            house_bot,
        };
        required(call!(self.enrol_entrant(request))?.entrant, "entrant")
    }

    /// Lets an entrant leave, by its number.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn withdraw(&self, competition_id: &str, entrant: u32) -> Result<Entrant, Error> {
        let request = WithdrawEntrantRequest {
            request_id: self.connection.next_request_id(),
            competition_id: competition_id.to_owned(),
            entrant,
        };
        required(call!(self.withdraw_entrant(request))?.entrant, "entrant")
    }

    /// Sends an entrant away, by its number; the grounds are for everybody to see.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn disqualify(
        &self,
        competition_id: &str,
        entrant: u32,
        evidence: &str,
    ) -> Result<Entrant, Error> {
        let request = DisqualifyEntrantRequest {
            request_id: self.connection.next_request_id(),
            competition_id: competition_id.to_owned(),
            entrant,
            evidence: evidence.to_owned(),
        };
        required(call!(self.disqualify_entrant(request))?.entrant, "entrant")
    }

    /// Ends enrolment, and begins to play.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn start(&self, competition_id: &str) -> Result<Competition, Error> {
        let request = StartCompetitionRequest {
            request_id: self.connection.next_request_id(),
            competition_id: competition_id.to_owned(),
        };
        required(call!(self.start_competition(request))?.competition, "competition")
    }

    /// Calls a competition off; the reason is for everybody to see, and may be empty.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn cancel(&self, competition_id: &str, reason: &str) -> Result<Competition, Error> {
        let request = CancelCompetitionRequest {
            request_id: self.connection.next_request_id(),
            competition_id: competition_id.to_owned(),
            reason: reason.to_owned(),
        };
        required(call!(self.cancel_competition(request))?.competition, "competition")
    }

    /// Takes a match back by its place, such as `2.5.1`, to be played again or not; the grounds are for everybody to see.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn void_match(
        &self,
        competition_id: &str,
        slot: &str,
        replay: bool,
        evidence: &str,
    ) -> Result<Competition, Error> {
        let request = VoidCompetitionMatchRequest {
            request_id: self.connection.next_request_id(),
            competition_id: competition_id.to_owned(),
            slot: slot.to_owned(),
            replay,
            evidence: evidence.to_owned(),
        };
        required(call!(self.void_competition_match(request))?.competition, "competition")
    }

    /// The standings as they are now, with the matches of one entrant against each other; of none for 0.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn standings(
        &self,
        competition_id: &str,
        cross_table_of: u32,
    ) -> Result<GetStandingsResponse, Error> {
        let request = GetStandingsRequest { competition_id: competition_id.to_owned(), cross_table_of };
        call!(self.get_standings(request))
    }

    /// The encounters of a round, or of all for 0.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn encounters(&self, competition_id: &str, round: u32) -> Result<Vec<Encounter>, Error> {
        let (mut encounters, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListEncountersRequest {
                competition_id: competition_id.to_owned(),
                round,
                page_size: 0,
                page_token,
            };
            let page = call!(self.list_encounters(request))?;
            encounters.extend(page.encounters);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return Ok(encounters);
            }
        }
    }

    /// The events of a competition as they come, from its creation on.
    #[must_use]
    pub fn watch(&self, competition_id: &str) -> CompetitionWatch {
        CompetitionWatch::new(self.connection.clone(), competition_id)
    }

    /// A competition as a text.
    ///
    /// # Errors
    /// If the server refuses, or does not answer, or the text is cut short: it is asked for anew then.
    pub async fn export(&self, competition_id: &str, form: CompetitionExport) -> Result<String, Error> {
        let request =
            ExportCompetitionRequest { competition_id: competition_id.to_owned(), form: form.into() };
        let mut parts = call!(self.export_competition(request))?;
        let mut text = String::new();
        while let Some(part) = parts.message().await.map_err(Error::of)? {
            text += &part.chunk;
        }
        Ok(text)
    }
}
