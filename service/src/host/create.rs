//! Making matches.

use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::dice::{OptionsSalt, Seed, ServerSeed, Terms};
use edgehill_engine::record::options_hash;
use edgehill_engine::registry::AnyGame;
use edgehill_engine::setup::Setup;
use serde_json::Value;
use tracing::Instrument;

use super::Host;
use super::account_index::Concerned;
use super::error::Error;
use super::open_matches::{Counted, Reserved};
use super::reader::{bot_commitments, group_row, secret_id};
use super::shards::{NewPlace, Placing};
use crate::identity::{CallerKey, ClientSecret};
use crate::matches::{
    Ask, ClockTerms, Conduct, Course, DiceSecret, EntropyMode, GroupTerms, LiveMatch, MatchError,
    MatchHeader, SeatConfig, SeedSource, SeedTerms, SpectatorDelay, written_options,
};
use crate::store::{
    self, AccountId, Appended, Create, MatchId, Request, RequestId, RequestScope, SecretId, Stored, Ticket,
};
use crate::telemetry::spans;
use crate::wire::encoder::MessageEncoder;

/// A match to make.
#[derive(Clone)]
pub struct CreateMatch {
    /// The caller that asks.
    pub creator: Creator,
    /// The request's id and the hash of what it asks for.
    pub ask: Ask,
    /// All that is asked for but the seed.
    pub plan: MatchPlan,
    /// The seed that the match is to have.
    pub seed: SeedWanted,
}

/// All that is settled of a match when it is made, but for its seed.
#[derive(Clone)]
pub struct MatchPlan {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// Scenario and options.
    pub setup: Setup,
    /// The described position to begin from.
    pub position: Option<Value>,
    /// The plan of who may take each seat: one for each seat of the scenario.
    pub seats: Vec<SeatConfig>,
    /// The way in which seats give entropy.
    pub entropy_mode: EntropyMode,
    /// Its clocks.
    pub clock: Option<ClockTerms>,
    /// The delay of its spectators.
    pub spectator_delay: Option<SpectatorDelay>,
    /// The terms beside the rules.
    pub conduct: Option<Conduct>,
}

impl MatchPlan {
    /// Checks that it goes with a chosen seed.
    pub(super) fn check_chosen(&self) -> Result<(), Error> {
        self.check_open("ENTROPY_MODE_COMMIT_REVEAL does not go with a chosen seed")
    }

    /// Checks that it goes with the seed of a group.
    pub(super) fn check_grouped(&self) -> Result<(), Error> {
        self.check_open("a seed group takes entropy with ENTROPY_MODE_OPEN only")
    }

    fn check_open(&self, why: &str) -> Result<(), Error> {
        match self.entropy_mode {
            EntropyMode::Open => Ok(()),
            EntropyMode::CommitReveal => {
                Err(Error::Field { field: "entropy_mode".into(), why: why.to_owned() })
            }
        }
    }

    /// The count that a match of those who count so belongs to ([`MatchHeader::counted_as`]).
    pub(super) fn counted(&self, counted_as: &[u8]) -> Counted {
        Counted::new(counted_as, self.seats.iter().all(|plan| matches!(plan, SeatConfig::Bot(_))))
    }
}

/// The caller that makes a match.
#[derive(Clone, Debug)]
pub struct Creator {
    /// The account.
    pub account: AccountId,
    /// The secret that tells their requests from others' of the account.
    pub secret: Option<ClientSecret>,
    /// Those with whom their matches count together.
    pub counted_as: CallerKey,
}

/// The kind of seed that a match is to have.
#[derive(Clone)]
pub enum SeedWanted {
    /// One of its own, drawn by the server.
    Server,
    /// The caller's.
    Chosen([u8; 32]),
    /// That of a group.
    Group {
        /// The group's id; `None`: a new one.
        id: Option<String>,
        /// Number of its matches; 0: as the group says.
        matches: u32,
        /// Number of its entrants; 0: as the group says.
        entrants: u32,
        /// The entrant that takes each seat of this match.
        seat_entrants: Vec<u32>,
    },
}

/// A match that was made, now or before.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Created {
    /// Its id.
    pub id: MatchId,
}

/// The data that settle a match's luck: its id, its terms, what is committed to, and the secrets.
pub(super) struct Settled {
    pub(super) id: MatchId,
    pub(super) terms: SeedTerms,
    pub(super) commitment: Option<[u8; 32]>,
    pub(super) secret: DiceSecret,
}

impl Host {
    /// The match that a request of this account has made before, if it has.
    ///
    /// # Errors
    /// If the request id was used for something else.
    pub async fn made_before(&self, creator: &Creator, ask: &Ask) -> Result<Option<Created>, Error> {
        let stored = self.creation_before(creator, ask).await?;
        Ok(stored.map(|stored| Created { id: stored.id }))
    }

    /// The request of this account that made matches before, if it did.
    pub(super) async fn creation_before(
        &self,
        creator: &Creator,
        ask: &Ask,
    ) -> Result<Option<Stored>, Error> {
        let scope = RequestScope::Account(creator.account.clone());
        let stored = self.store().request(scope, self.creation(creator, ask)?).await?;
        let Some(stored) = stored else { return Ok(None) };
        if stored.outcome_for(&ask.body).is_err() {
            let method = if stored.request.outcome.is_empty() { "CreateMatch" } else { "CreateMatches" };
            return Err(MatchError::RequestReused { id: ask.id.clone(), method }.into());
        }
        Ok(Some(stored))
    }

    /// Makes a match, unless the request did so before. It is durable when this returns.
    ///
    /// # Errors
    /// If the request id was used for something else, or the match can't be made.
    pub async fn create(&self, wanted: CreateMatch) -> Result<Created, Error> {
        if let Some(created) = self.made_before(&wanted.creator, &wanted.ask).await? {
            // Read, so that house bots that were asked when the server stopped are asked again.
            self.read(created.id, |_| Ok(())).await?;
            return Ok(created);
        }
        let plan = &wanted.plan;
        let placing = self.placing().await;
        let reserved = self.reserve(&wanted.creator, [plan])?;
        Self::check(plan)?;
        self.check_seed(&wanted)?;
        let settled = match &wanted.seed {
            SeedWanted::Server => {
                self.settle_alone(self.new_id(NewPlace::Anywhere)?, plan, SeedTerms::Server, None)?
            }
            SeedWanted::Chosen(seed) => {
                self.settle_alone(self.new_id(NewPlace::Anywhere)?, plan, SeedTerms::Chosen, Some(*seed))?
            }
            SeedWanted::Group { id: None, matches, entrants, seat_entrants } => {
                let group = GroupTerms {
                    id: String::new(),
                    matches: *matches,
                    entrants: *entrants,
                    seat_entrants: seat_entrants.clone(),
                };
                self.settle_alone(self.new_id(NewPlace::Anywhere)?, plan, SeedTerms::Group(group), None)?
            }
            SeedWanted::Group { id: Some(id), .. } => self.settle_in_group(&wanted, id).await?,
        };
        let creation = self.creation(&wanted.creator, &wanted.ask)?;
        let request = Request { id: creation, body: wanted.ask.body, outcome: Vec::new() };
        let request = (wanted.creator.account.clone(), request);
        let id = self.store_match((&wanted.creator, request), plan, settled, (placing, reserved)).await?;
        // Read once, so that a match that begins at once does so.
        self.read(id, |_| Ok(())).await?;
        Ok(Created { id })
    }

    /// The name under which a request to make a match is kept.
    pub(super) fn creation(&self, creator: &Creator, ask: &Ask) -> Result<RequestId, Error> {
        let name = self.key().creation(&creator.account, creator.secret.as_ref(), &ask.id);
        name.ok_or_else(|| Error::Fault("a hash is no request's id".to_owned()))
    }

    /// Counts matches that are about to be made with those of their creator, who may have limits of their own.
    ///
    /// # Errors
    /// [`Error::TooManyMatches`], and then none counts.
    pub(super) fn reserve<'a>(
        &self,
        creator: &Creator,
        plans: impl IntoIterator<Item = &'a MatchPlan>,
    ) -> Result<Vec<Reserved>, Error> {
        let counted_as = self.counted_as(creator);
        let counted = plans.into_iter().map(|plan| plan.counted(&counted_as)).collect();
        let quota = self.0.parts.accounts.now().quota_of(&creator.counted_as);
        self.0.open_matches.reserve(counted, &quota.within(self.limits()))
    }

    /// The name under which the open matches of a caller are counted: an account, or the hash of an address.
    pub(super) fn counted_as(&self, creator: &Creator) -> Vec<u8> {
        match &creator.counted_as {
            CallerKey::Account(account) => account.as_bytes().to_vec(),
            CallerKey::Address(address) => self.key().hash_address(address).0.to_vec(),
        }
    }

    /// Checks a plan for faults before anything is drawn.
    pub(super) fn check(plan: &MatchPlan) -> Result<(), Error> {
        if let Some(position) = &plan.position {
            plan.game.open_position(plan.setup.clone(), position.clone(), ChanceSource::Manual)?;
        }
        Ok(())
    }

    /// Checks that a plan goes with the seed that is wanted.
    fn check_seed(&self, wanted: &CreateMatch) -> Result<(), Error> {
        let CreateMatch { plan, seed, .. } = wanted;
        match seed {
            SeedWanted::Server => Ok(()),
            SeedWanted::Chosen(_) => plan.check_chosen(),
            SeedWanted::Group { id, matches, entrants, seat_entrants } => {
                plan.check_grouped()?;
                let matches_max = self.limits().group_matches as u32;
                let place = super::groups::Place {
                    new: id.is_none(),
                    matches: *matches,
                    entrants: *entrants,
                    seat_entrants,
                };
                place.check(matches_max, plan.seats.len())
            }
        }
    }

    /// Settles the luck of a match with a seed of its own, or of the first of a group.
    pub(super) fn settle_alone(
        &self,
        id: MatchId,
        plan: &MatchPlan,
        terms: SeedTerms,
        chosen: Option<[u8; 32]>,
    ) -> Result<Settled, Error> {
        let parts = &self.0.parts;
        let terms = match terms {
            SeedTerms::Group(group) => {
                SeedTerms::Group(GroupTerms { id: self.key().group_id(&id).to_string(), ..group })
            }
            other => other,
        };
        let draw = || {
            let mut bytes = [0; 32];
            parts.entropy.fill(&mut bytes).map(|()| bytes)
        };
        let salt = OptionsSalt::from_bytes(draw()?);
        let Some(seed) = chosen else {
            let server_seed = ServerSeed::from_bytes(draw()?);
            let bound_to = match &terms {
                SeedTerms::Group(group) => group.id.clone(),
                SeedTerms::Server | SeedTerms::Chosen => id.to_string(),
            };
            let commitment = Some(commitment(&bound_to, plan, &server_seed, &salt)?);
            let secret = DiceSecret { source: SeedSource::Server(server_seed), salt };
            return Ok(Settled { id, terms, commitment, secret });
        };
        let secret = DiceSecret { source: SeedSource::Chosen(Seed::from_bytes(seed)), salt };
        Ok(Settled { id, terms, commitment: None, secret })
    }

    /// Stores a match under the request of an account, unless that made one before. Returns the one that it made.
    pub(super) async fn store_match(
        &self,
        (creator, request): (&Creator, (AccountId, Request)),
        plan: &MatchPlan,
        settled: Settled,
        (placing, reserved): (Placing, Vec<Reserved>),
    ) -> Result<MatchId, Error> {
        let (mut create, live) = self.prepare(creator, plan, settled)?;
        let (id, is_of_group) = (create.id, live.course().header().group().is_some());
        let body = request.1.body;
        create.requests = vec![request];
        let concerned = vec![(id, Concerned::by(live.course()))];
        let append = spans::store_append();
        let ticket = self.store().create(create).instrument(append.clone()).await?;
        match self.made(placing, ticket, reserved, concerned).instrument(append).await? {
            Ok(Appended::Written(_)) => Ok(id),
            Ok(Appended::Repeated(stored)) => {
                stored.outcome_for(&body)?;
                Ok(stored.id)
            }
            // A place in a group that was reserved for this request, and taken by it.
            Err(store::Error::MatchExists(id)) if is_of_group => Ok(id),
            Err(error) => Err(error.into()),
        }
    }

    /// The creation of a match, without the request that asks for it, and the match as it is then.
    pub(super) fn prepare(
        &self,
        creator: &Creator,
        plan: &MatchPlan,
        settled: Settled,
    ) -> Result<(Create, LiveMatch), Error> {
        let Settled { id, terms, commitment, secret } = settled;
        let catalogue = plan.game.catalogue();
        let scenario = catalogue.scenarios.get(plan.setup.scenario()).map_or("", |scenario| scenario.id);
        let header = MatchHeader {
            game: catalogue.id.to_owned(),
            rules_version: catalogue.rules_version,
            content: *catalogue.content.as_bytes(),
            scenario: scenario.to_owned(),
            options: written_options(catalogue, &plan.setup),
            options_hash: options_hash(catalogue, &plan.setup, plan.position.as_ref(), &secret.salt),
            position: plan.position.as_ref().map(Value::to_string),
            seats: plan.seats.clone(),
            entropy_mode: plan.entropy_mode,
            seed: terms,
            commitment,
            created_ms: self.now_ms(),
            creator: creator.account.as_bytes().to_vec(),
            counted_as: self.counted_as(creator),
            clock: plan.clock,
            repinned: None,
            spectator_delay: plan.spectator_delay,
            conduct: plan.conduct,
        };
        let secret_id = secret_id(id, &header)?;
        let secrets = self.secrets(&header, id, secret_id, &secret)?;
        let course = Course::new(id, header.clone(), &bot_commitments(id, &header));
        let live =
            LiveMatch::new(course, Arc::clone(&plan.game), secret, self.log_limits(), &MessageEncoder)?;
        let create = Create {
            id,
            game: header.game.clone(),
            scenario: header.scenario.clone(),
            group: header.group().and_then(|group| group_row(&group.id)),
            header: header.to_bytes(),
            summary: live.course().summary(),
            overview: live.course().overview().to_bytes(),
            requests: Vec::new(),
            secrets,
        };
        Ok((create, live))
    }

    /// Waits until matches are made. They count once they are, and those whom they concern are told, whether their caller waits for that
    /// or not.
    pub(super) async fn made(
        &self,
        placing: Placing,
        ticket: Ticket<Appended>,
        reserved: Vec<Reserved>,
        concerned: Vec<(MatchId, Concerned)>,
    ) -> Result<Result<Appended, store::Error>, Error> {
        let host = self.clone();
        let made = async move {
            let made = ticket.await;
            if let Ok(Appended::Written(_)) = made {
                let ids = concerned.iter().map(|&(id, _)| id);
                reserved.into_iter().zip(ids).for_each(|(reserved, id)| reserved.keep(id));
                for (id, concerned) in concerned {
                    host.0.account_index.note(id, concerned);
                }
            }
            drop(placing);
            made
        };
        let made = self.0.tasks.spawn(made.in_current_span());
        made.await.map_err(|error| Error::Fault(error.to_string()))
    }

    /// The sealed secrets that become durable with the match; those of a group do with its first.
    fn secrets(
        &self,
        header: &MatchHeader,
        id: MatchId,
        secret_id: SecretId,
        secret: &DiceSecret,
    ) -> Result<Vec<(SecretId, store::SealedSecret)>, Error> {
        if header.group().and_then(GroupTerms::first).is_some_and(|first| first != id) {
            return Ok(Vec::new());
        }
        let sealed = self.0.reader.sealing().seal(&secret_id, &secret.to_bytes(), &*self.0.parts.entropy)?;
        Ok(vec![(secret_id, sealed)])
    }
}

/// Returns the server's commitment, made before anyone sits down.
fn commitment(
    id: &str,
    plan: &MatchPlan,
    server_seed: &ServerSeed,
    salt: &OptionsSalt,
) -> Result<[u8; 32], Error> {
    let catalogue = plan.game.catalogue();
    let rules_version = catalogue.rules_version.to_string();
    let terms = Terms {
        id,
        game: catalogue.id,
        rules_version: &rules_version,
        content_hash: *catalogue.content.as_bytes(),
        options_hash: options_hash(catalogue, &plan.setup, plan.position.as_ref(), salt),
    };
    let commitment = server_seed.commit(&terms);
    commitment.map(|commitment| *commitment.as_bytes()).map_err(|error| Error::Fault(error.to_string()))
}
