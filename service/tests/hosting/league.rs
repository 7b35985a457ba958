//! Competitions for tests: their calls in short, and entrants that play.

use std::collections::BTreeMap;

use edgehill_proto::v1::competition_service_client::CompetitionServiceClient;
use edgehill_proto::v1::{self, CompetitionPhase, competition_format};
use edgehill_service::identity::Role;
use tonic::transport::Channel;
use tonic::{Status, Streaming};

use crate::erasing::account;
use crate::kit::{by, join, resign, soon};
use crate::running::{Client, Running};

/// An organizer with entrants, on a running server.
pub(crate) struct League {
    pub(crate) calls: CompetitionServiceClient<Channel>,
    pub(crate) client: Client,
    pub(crate) umpire: String,
    /// The key of each entrant, by its number from 1.
    pub(crate) keys: Vec<String>,
    pub(crate) id: String,
}

/// The settings of a competition of the training game, one match an encounter.
pub(crate) fn settings(format: competition_format::Format) -> v1::CompetitionSettings {
    v1::CompetitionSettings {
        name: "Spring cup".into(),
        game: "skirmish".into(),
        format: Some(v1::CompetitionFormat { format: Some(format) }),
        policy: Some(v1::CompetitionPolicy { house_bots: true, ..v1::CompetitionPolicy::default() }),
        ..v1::CompetitionSettings::default()
    }
}

pub(crate) fn round_robin() -> v1::CompetitionSettings {
    settings(competition_format::Format::RoundRobin(v1::RoundRobinFormat { cycles: 1 }))
}

/// The name of the account that is the entrant of this number.
pub(crate) fn name(number: usize) -> String {
    format!("bot-{number}")
}

impl League {
    /// Makes an umpire and so many players on a server, and a competition in which they enrol.
    pub(crate) async fn new(running: &Running, settings: v1::CompetitionSettings, entrants: usize) -> Self {
        let umpire = account(running, "umpire", Role::Referee).await;
        let mut keys = Vec::new();
        for number in 1..=entrants {
            keys.push(account(running, &name(number), Role::Player).await);
        }
        let mut league = Self::on(running, umpire, keys).await;
        let create = v1::CreateCompetitionRequest { request_id: "c".into(), settings: Some(settings) };
        let made = league.calls.create_competition(by(&league.umpire, create)).await.unwrap().into_inner();
        league.id = made.competition.unwrap().id;
        for number in 1..=entrants {
            let entrant = league.enrol(number).await.unwrap();
            assert_eq!((entrant.number as usize, entrant.name), (number, name(number)));
        }
        league
    }

    /// The same people on a server that goes on with what it has stored.
    pub(crate) async fn on(running: &Running, umpire: String, keys: Vec<String>) -> Self {
        let (calls, client) = (running.league().await, running.client().await);
        Self { calls, client, umpire, keys, id: String::new() }
    }

    pub(crate) async fn again(&self, running: &Running) -> Self {
        Self { id: self.id.clone(), ..Self::on(running, self.umpire.clone(), self.keys.clone()).await }
    }

    pub(crate) fn key(&self, number: usize) -> &str {
        &self.keys[number - 1]
    }

    pub(crate) async fn enrol(&mut self, number: usize) -> Result<v1::Entrant, Status> {
        let enrol = v1::EnrolEntrantRequest {
            request_id: "e".into(),
            competition_id: self.id.clone(),
            ..v1::EnrolEntrantRequest::default()
        };
        let key = self.key(number).to_owned();
        Ok(self.calls.enrol_entrant(by(&key, enrol)).await?.into_inner().entrant.unwrap())
    }

    pub(crate) async fn enrol_bot(&mut self, bot: &str, name: &str) -> Result<v1::Entrant, Status> {
        let enrol = v1::EnrolEntrantRequest {
            request_id: name.into(),
            competition_id: self.id.clone(),
            name: name.into(),
            house_bot: bot.into(),
            ..v1::EnrolEntrantRequest::default()
        };
        Ok(self.calls.enrol_entrant(by(&self.umpire, enrol)).await?.into_inner().entrant.unwrap())
    }

    pub(crate) async fn start(&mut self) -> Result<v1::Competition, Status> {
        let start = v1::StartCompetitionRequest { request_id: "s".into(), competition_id: self.id.clone() };
        let started = self.calls.start_competition(by(&self.umpire, start)).await?;
        Ok(started.into_inner().competition.unwrap())
    }

    pub(crate) async fn void(&mut self, slot: &str, replay: bool) -> Result<v1::Competition, Status> {
        let void = v1::VoidCompetitionMatchRequest {
            request_id: format!("void {slot} {replay}"),
            competition_id: self.id.clone(),
            slot: slot.into(),
            replay,
            evidence: "a fire".into(),
        };
        let voided = self.calls.void_competition_match(by(&self.umpire, void)).await?;
        Ok(voided.into_inner().competition.unwrap())
    }

    pub(crate) async fn competition(&mut self) -> v1::Competition {
        let get = v1::GetCompetitionRequest { competition_id: self.id.clone() };
        let got = self.calls.get_competition(by(&self.umpire, get)).await.unwrap();
        got.into_inner().competition.unwrap()
    }

    pub(crate) async fn encounters(&mut self) -> Vec<v1::Encounter> {
        let (mut encounters, mut page_token) = (Vec::new(), String::new());
        loop {
            let list = v1::ListEncountersRequest {
                competition_id: self.id.clone(),
                page_size: 3,
                page_token,
                ..v1::ListEncountersRequest::default()
            };
            let page = self.calls.list_encounters(by(&self.umpire, list)).await.unwrap().into_inner();
            encounters.extend(page.encounters);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return encounters;
            }
        }
    }

    /// The match at a place, as it is now.
    pub(crate) async fn slot(&mut self, slot: &str) -> v1::CompetitionMatch {
        let matches = self.encounters().await.into_iter().flat_map(|encounter| encounter.matches);
        let found = matches.into_iter().find(|one| one.slot == slot);
        found.unwrap_or_else(|| panic!("there is no match {slot}"))
    }

    /// The match at a place, once it has begun.
    pub(crate) async fn begun(&mut self, slot: &str) -> v1::CompetitionMatch {
        self.begun_where(|_, one| one.slot == slot).await
    }

    /// The first match of a round, once it has begun: whichever encounter is no bye.
    pub(crate) async fn begun_in(&mut self, round: u32) -> v1::CompetitionMatch {
        self.begun_where(|of, _| of == round).await
    }

    async fn begun_where(
        &mut self,
        is_wanted: impl Fn(u32, &v1::CompetitionMatch) -> bool,
    ) -> v1::CompetitionMatch {
        soon(async {
            loop {
                for encounter in self.encounters().await {
                    let mut matches = encounter.matches.into_iter();
                    let found =
                        matches.find(|one| !one.match_id.is_empty() && is_wanted(encounter.round, one));
                    if let Some(found) = found {
                        return found;
                    }
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }

    pub(crate) async fn verdict(&mut self, slot: &str) -> v1::Verdict {
        soon(async {
            loop {
                if let Some(verdict) = self.slot(slot).await.verdict {
                    return verdict;
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }

    pub(crate) async fn standings(&mut self) -> Vec<v1::StandingRow> {
        let get =
            v1::GetStandingsRequest { competition_id: self.id.clone(), ..v1::GetStandingsRequest::default() };
        self.calls.get_standings(by(&self.umpire, get)).await.unwrap().into_inner().rows
    }

    pub(crate) async fn watch(&mut self, after_event: u64) -> Streaming<v1::WatchCompetitionResponse> {
        let watch = v1::WatchCompetitionRequest { competition_id: self.id.clone(), after_event };
        self.calls.watch_competition(by(&self.umpire, watch)).await.unwrap().into_inner()
    }

    pub(crate) async fn export(&mut self, form: v1::CompetitionExport) -> String {
        let export = v1::ExportCompetitionRequest { competition_id: self.id.clone(), form: form.into() };
        let mut parts = self.calls.export_competition(by(&self.umpire, export)).await.unwrap().into_inner();
        let mut text = String::new();
        while let Some(part) = parts.message().await.unwrap() {
            text += &part.chunk;
        }
        text
    }

    /// An entrant takes the seat that is kept for it in a match; its token.
    pub(crate) async fn sit(&mut self, number: usize, match_id: &str) -> Result<String, Status> {
        let request = v1::JoinMatchRequest {
            seat: None,
            client_secret: Vec::new(),
            entropy: vec![number as u8; 32],
            ..join(match_id, "sit", 0)
        };
        let key = self.key(number).to_owned();
        Ok(self.client.join_match(by(&key, request)).await?.into_inner().seat_token)
    }

    /// Both entrants of a match sit down; their tokens, by seat.
    pub(crate) async fn seat_all(&mut self, of: &v1::CompetitionMatch) -> Vec<String> {
        let mut tokens = Vec::new();
        for &seat in &of.seats {
            tokens.push(self.sit(seat as usize, &of.match_id).await.unwrap());
        }
        tokens
    }

    /// The match is played: the entrant with the greater number gives up.
    pub(crate) async fn decide(&mut self, of: &v1::CompetitionMatch) {
        let tokens = self.seat_all(of).await;
        let loser = usize::from(of.seats[0] < of.seats[1]);
        self.client.resign_match(by(&tokens[loser], resign(&of.match_id, "r"))).await.unwrap();
    }

    /// Plays all matches that begin, but those of house bots, until the competition is over; all matches, by slot.
    pub(crate) async fn play_all(&mut self) -> BTreeMap<String, v1::CompetitionMatch> {
        let mut played = BTreeMap::new();
        let mut news = self.watch(0).await;
        while let Some(news) = soon(news.message()).await.unwrap() {
            for event in news.events {
                if event.kind() == v1::CompetitionEventKind::MatchBegun && !event.match_id.is_empty() {
                    let one = self.slot(&event.slot).await;
                    let is_ours = one.seats.iter().all(|&seat| seat as usize <= self.keys.len());
                    if is_ours && one.verdict.is_none() && one.match_id == event.match_id {
                        self.decide(&one).await;
                    }
                    played.insert(event.slot, one);
                }
            }
        }
        assert_eq!(self.competition().await.phase(), CompetitionPhase::Finished);
        played
    }
}

/// The points of each entrant, in halves, by its name.
pub(crate) fn points(rows: &[v1::StandingRow]) -> BTreeMap<String, u32> {
    rows.iter().map(|row| (row.name.clone(), row.point_halves)).collect()
}
