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
use super::error::Error;
use super::open_matches::{Counted, Reserved};
use super::reader::{bot_commitments, secret_id};
use crate::identity::{CallerKey, ClientSecret};
use crate::matches::{
    Ask, ClockTerms, Course, DiceSecret, EntropyMode, GroupTerms, LiveMatch, MatchError, MatchHeader,
    SeatConfig, SeedSource, SeedTerms, written_options,
};
use crate::store::{self, AccountId, Appended, Create, MatchId, Request, RequestId, RequestScope, SecretId};
use crate::telemetry::spans;
use crate::wire::encoder::MessageEncoder;

/// A match to make.
#[derive(Clone)]
pub struct CreateMatch {
    /// The caller that asks.
    pub creator: Creator,
    /// The request's id and the hash of what it asks for.
    pub ask: Ask,
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
    /// The seed that the match is to have.
    pub seed: SeedWanted,
    /// Its clocks.
    pub clock: Option<ClockTerms>,
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
        let scope = RequestScope::Account(creator.account.clone());
        let stored = self.store().request(scope, self.creation(creator, ask)?).await?;
        let Some(stored) = stored else { return Ok(None) };
        if stored.outcome_for(&ask.body).is_err() {
            return Err(MatchError::RequestReused { id: ask.id.clone(), method: "CreateMatch" }.into());
        }
        Ok(Some(Created { id: stored.id }))
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
        let of_bots = wanted.seats.iter().all(|plan| matches!(plan, SeatConfig::Bot(_)));
        let counted = Counted::new(&self.counted_as(&wanted.creator), of_bots);
        let quota = self.0.parts.accounts.now().quota_of(&wanted.creator.counted_as);
        let reserved = self.0.open_matches.reserve(counted, &quota.within(self.limits()))?;
        self.check(&wanted)?;
        let settled = match &wanted.seed {
            SeedWanted::Server => self.settle_alone(&wanted, SeedTerms::Server, None)?,
            SeedWanted::Chosen(seed) => self.settle_alone(&wanted, SeedTerms::Chosen, Some(*seed))?,
            SeedWanted::Group { id: None, matches, entrants, seat_entrants } => {
                let group = GroupTerms {
                    id: String::new(),
                    matches: *matches,
                    entrants: *entrants,
                    seat_entrants: seat_entrants.clone(),
                };
                self.settle_alone(&wanted, SeedTerms::Group(group), None)?
            }
            SeedWanted::Group { id: Some(id), .. } => self.settle_in_group(&wanted, id).await?,
        };
        let id = self.store_match(&wanted, settled, reserved).await?;
        // Read once, so that a match that begins at once does so.
        self.read(id, |_| Ok(())).await?;
        Ok(Created { id })
    }

    /// The name under which a request to make a match is kept.
    pub(super) fn creation(&self, creator: &Creator, ask: &Ask) -> Result<RequestId, Error> {
        let name = self.key().creation(&creator.account, creator.secret.as_ref(), &ask.id);
        name.ok_or_else(|| Error::Fault("a hash is no request's id".to_owned()))
    }

    /// The name under which the open matches of a caller are counted: an account, or the hash of an address.
    fn counted_as(&self, creator: &Creator) -> Vec<u8> {
        match &creator.counted_as {
            CallerKey::Account(account) => account.as_bytes().to_vec(),
            CallerKey::Address(address) => self.key().hash_address(address).0.to_vec(),
        }
    }

    /// Checks for faults before anything is drawn.
    fn check(&self, wanted: &CreateMatch) -> Result<(), Error> {
        if let Some(position) = &wanted.position {
            wanted.game.open_position(wanted.setup.clone(), position.clone(), ChanceSource::Manual)?;
        }
        let reveals = wanted.entropy_mode == EntropyMode::CommitReveal;
        let field = |field, why: &str| Err(Error::Field { field, why: why.to_owned() });
        match &wanted.seed {
            SeedWanted::Chosen(_) if reveals => {
                field("entropy_mode", "ENTROPY_MODE_COMMIT_REVEAL does not go with a chosen seed")
            }
            SeedWanted::Group { .. } if reveals => {
                field("entropy_mode", "a seed group takes entropy with ENTROPY_MODE_OPEN only")
            }
            SeedWanted::Group { id, matches, entrants, seat_entrants } => {
                let matches_max = self.limits().group_matches as u32;
                let place = super::groups::Place {
                    new: id.is_none(),
                    matches: *matches,
                    entrants: *entrants,
                    seat_entrants,
                };
                place.check(matches_max, wanted.seats.len())
            }
            _ => Ok(()),
        }
    }

    /// Settles the luck of a match with a seed of its own, or of the first of a group.
    fn settle_alone(
        &self,
        wanted: &CreateMatch,
        terms: SeedTerms,
        chosen: Option<[u8; 32]>,
    ) -> Result<Settled, Error> {
        let parts = &self.0.parts;
        let id = MatchId::generate(self.now_ms(), &*parts.entropy)?;
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
            let commitment = Some(commitment(&bound_to, wanted, &server_seed, &salt)?);
            let secret = DiceSecret { source: SeedSource::Server(server_seed), salt };
            return Ok(Settled { id, terms, commitment, secret });
        };
        let secret = DiceSecret { source: SeedSource::Chosen(Seed::from_bytes(seed)), salt };
        Ok(Settled { id, terms, commitment: None, secret })
    }

    async fn store_match(
        &self,
        wanted: &CreateMatch,
        settled: Settled,
        reserved: Reserved,
    ) -> Result<MatchId, Error> {
        let Settled { id, terms, commitment, secret } = settled;
        let catalogue = wanted.game.catalogue();
        let scenario = catalogue.scenarios.get(wanted.setup.scenario()).map_or("", |scenario| scenario.id);
        let header = MatchHeader {
            game: catalogue.id.to_owned(),
            rules_version: catalogue.rules_version,
            content: *catalogue.content.as_bytes(),
            scenario: scenario.to_owned(),
            options: written_options(catalogue, &wanted.setup),
            options_hash: options_hash(catalogue, &wanted.setup, wanted.position.as_ref(), &secret.salt),
            position: wanted.position.as_ref().map(Value::to_string),
            seats: wanted.seats.clone(),
            entropy_mode: wanted.entropy_mode,
            seed: terms,
            commitment,
            created_ms: self.now_ms(),
            creator: wanted.creator.account.as_bytes().to_vec(),
            counted_as: self.counted_as(&wanted.creator),
            clock: wanted.clock,
            repinned: None,
        };
        let secret_id = secret_id(id, &header)?;
        let secrets = self.secrets(&header, id, secret_id, &secret)?;
        let course = Course::new(id, header.clone(), &bot_commitments(id, &header));
        let live =
            LiveMatch::new(course, Arc::clone(&wanted.game), secret, self.log_limits(), &MessageEncoder)?;
        let creation = self.creation(&wanted.creator, &wanted.ask)?;
        let request = Request { id: creation, body: wanted.ask.body, outcome: Vec::new() };
        let create = Create {
            id,
            game: header.game.clone(),
            scenario: header.scenario.clone(),
            group: header.group().and_then(|group| self.0.reader.group_row(&group.id)),
            header: header.to_bytes(),
            summary: live.course().summary(),
            overview: live.course().overview().to_bytes(),
            request: Some((wanted.creator.account.clone(), request)),
            secrets,
        };
        let append = spans::store_append();
        let ticket = self.store().create(create).instrument(append.clone()).await?;
        // It counts once it is made, whether its caller waits for that or not.
        let made = async move {
            let made = ticket.await;
            if let Ok(Appended::Written(_)) = made {
                reserved.keep();
            }
            made
        };
        let made = self.0.tasks.spawn(made.instrument(append));
        match made.await.map_err(|error| Error::Fault(error.to_string()))? {
            Ok(Appended::Written(_)) => Ok(id),
            Ok(Appended::Repeated(stored)) => {
                stored.outcome_for(&wanted.ask.body)?;
                Ok(stored.id)
            }
            // A place in a group that was reserved for this request, and taken by it.
            Err(store::Error::MatchExists(id)) if header.group().is_some() => Ok(id),
            Err(error) => Err(error.into()),
        }
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
    wanted: &CreateMatch,
    server_seed: &ServerSeed,
    salt: &OptionsSalt,
) -> Result<[u8; 32], Error> {
    let catalogue = wanted.game.catalogue();
    let rules_version = catalogue.rules_version.to_string();
    let terms = Terms {
        id,
        game: catalogue.id,
        rules_version: &rules_version,
        content_hash: *catalogue.content.as_bytes(),
        options_hash: options_hash(catalogue, &wanted.setup, wanted.position.as_ref(), salt),
    };
    let commitment = server_seed.commit(&terms);
    commitment.map(|commitment| *commitment.as_bytes()).map_err(|error| Error::Fault(error.to_string()))
}
