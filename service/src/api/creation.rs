//! Making matches: what a caller asks for, read whole before anything is made.

use std::sync::Arc;

use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use edgehill_proto::v1::ErrorReason;
use edgehill_proto::v1::create_match_request::Seed;
use prost::Message;
use serde::Serialize;
use tonic::metadata::MetadataMap;

use super::{Matches, account_of, clock, field, invitations, refusing, spectator_delay, state};
use crate::host::{Content, CreateMatch, Created, Creator, MatchPlan, SeedWanted};
use crate::identity::{Caller, CallerKey, Role};
use crate::matches::{Ask, EntropyMode, SeatConfig};
use crate::store::{AccountId, BodyHash};
use crate::wire::{self, Refused};

/// The content of a request to make a match, in the form in which it is hashed. It is made without looking at
/// the game, so that a repetition is known for what it is after the game has changed.
#[derive(Serialize)]
struct Body<'a> {
    game: &'a str,
    rules: (u32, &'a [u8]),
    scenario: &'a str,
    options: Vec<(&'a str, &'a str)>,
    seats: Vec<(i32, &'a str)>,
    position: &'a str,
    entropy_mode: i32,
    seed: u8,
    chosen: &'a [u8],
    group: Option<(&'a str, u32, u32, &'a [u32])>,
}

impl Matches {
    pub(super) async fn answer_create(
        &self,
        metadata: &MetadataMap,
        counted_as: CallerKey,
        request: v1::CreateMatchRequest,
    ) -> Result<v1::CreateMatchResponse, Refused> {
        let caller = self.caller_as(Role::Player, metadata).await?;
        self.check_open()?;
        let id = field::request_id(&request.request_id, &self.limits())?;
        let ask = Ask { id, body: BodyHash::of(&body(&request)) };
        let creator = creator(&caller, counted_as, &request.client_secret)?;
        let created = match self.host().made_before(&creator, &ask).await {
            Ok(Some(created)) => created,
            Ok(None) => self.create_anew(creator, ask, &request).await?,
            Err(error) => return Err(refusing::of(error, None, None)),
        };
        let shown = self.host().read(created.id, |content| Ok(self.created(content))).await;
        shown.map_err(|error| refusing::of(error, None, None))
    }

    async fn create_anew(
        &self,
        creator: Creator,
        ask: Ask,
        request: &v1::CreateMatchRequest,
    ) -> Result<Created, Refused> {
        let plan = self.plan(request)?;
        let game = Arc::clone(&plan.game);
        let wanted = CreateMatch { creator, ask, plan, seed: seed_wanted(request.seed.as_ref())? };
        let created = self.host().create(wanted).await;
        created.map_err(|error| refusing::of(error, Some(game.catalogue()), None))
    }

    /// Reads all that is asked for of a match but its seed.
    pub(super) fn plan(&self, request: &v1::CreateMatchRequest) -> Result<MatchPlan, Refused> {
        let game = Arc::clone(self.host().registry().game(&request.game)?);
        let catalogue = game.catalogue();
        wire::rules_version::check(catalogue, request.rules.as_ref())?;
        let setup = wire::setup::read(catalogue, &request.scenario, &request.options)?;
        let invited = |path: &str, account: &str| self.account_to_invite(path, account);
        let seats = seat_configs(&*game, catalogue.seats_of(&setup), &request.seats, invited)?;
        let position = wire::position::read(&request.position_json, self.limits().position_bytes)?;
        Ok(MatchPlan {
            game: Arc::clone(&game),
            setup,
            position,
            seats,
            entropy_mode: entropy_mode(request.entropy_mode)?,
            clock: request.clock.as_ref().map(clock::read).transpose()?,
            spectator_delay: request.spectator_delay.as_ref().map(spectator_delay::read).transpose()?,
            conduct: None,
        })
    }

    pub(super) fn created(&self, content: &Content) -> v1::CreateMatchResponse {
        let course = content.course();
        let invited = course.header().seats.iter().enumerate();
        let invited = invited.filter(|(_, plan)| **plan == SeatConfig::Invited);
        let invitations = invited.filter_map(|(index, _)| {
            let seat = course.seat(index as u32).ok()?;
            let invitation = self.host().key().invitation(&course.id(), seat).to_string();
            Some(v1::Invitation { seat: index as u32, invitation })
        });
        let mut shown = state::whole(self.host(), content, Observer::Spectator);
        invitations::show_all(&mut shown, course);
        let dice = shown.config.as_mut().and_then(|config| config.dice.as_mut());
        if let (Some(group), Some(terms)) =
            (dice.and_then(|dice| dice.group.as_mut()), course.header().group())
        {
            group.group_id.clone_from(&terms.id);
        }
        v1::CreateMatchResponse {
            r#match: Some(shown),
            invitations: invitations.collect(),
            creator_token: self.host().key().creator_token(&course.id()).to_string(),
        }
    }
}

/// The caller that makes matches.
pub(super) fn creator(caller: &Caller, counted_as: CallerKey, secret: &[u8]) -> Result<Creator, Refused> {
    Ok(Creator {
        account: account_of(caller)?,
        secret: field::client_secret(secret, caller)?,
        counted_as: match caller {
            Caller::Account { id, .. } => CallerKey::Account(id.clone()),
            _ => counted_as,
        },
    })
}

fn seat_configs(
    game: &dyn AnyGame,
    count: usize,
    given: &[v1::SeatConfig],
    invited: impl Fn(&str, &str) -> Result<AccountId, Refused>,
) -> Result<Vec<SeatConfig>, Refused> {
    if given.len() > count {
        let what = format!("expected at most {count}, the scenario's seats, found {}", given.len());
        return Err(Refused::field("seats", what));
    }
    let mut plans = vec![SeatConfig::Open; count];
    for (index, (plan, given)) in plans.iter_mut().zip(given).enumerate() {
        let path = format!("seats[{index}].bot");
        let kind = v1::SeatKind::try_from(given.kind).map_err(|_| {
            let what = "expected SEAT_KIND_OPEN, SEAT_KIND_INVITED or SEAT_KIND_HOUSE_BOT";
            Refused::field(format!("seats[{index}].kind"), what)
        })?;
        if kind != v1::SeatKind::HouseBot && !given.bot.is_empty() {
            return Err(Refused::field(path, "only a seat of SEAT_KIND_HOUSE_BOT has a bot"));
        }
        let account_path = format!("seats[{index}].account_id");
        if kind != v1::SeatKind::Invited && !given.account_id.is_empty() {
            return Err(Refused::field(
                account_path,
                "only a seat of SEAT_KIND_INVITED is kept for an account",
            ));
        }
        *plan = match kind {
            v1::SeatKind::HouseBot => {
                let bots: Vec<&str> = game.bots().iter().map(|bot| bot.name).collect();
                if !bots.contains(&given.bot.as_str()) {
                    let what = format!("expected one of {}", bots.join(", "));
                    let given = given.bot.chars().take(64).collect::<String>();
                    let message = format!("the game has no house bot `{given}`: {what}");
                    return Err(Refused::new(ErrorReason::UnknownBot, message).violation(path, what));
                }
                SeatConfig::Bot(given.bot.clone())
            }
            v1::SeatKind::Invited if given.account_id.is_empty() => SeatConfig::Invited,
            v1::SeatKind::Invited => {
                SeatConfig::Account(invited(&account_path, &given.account_id)?.as_bytes().to_vec())
            }
            v1::SeatKind::Open | v1::SeatKind::Unspecified => SeatConfig::Open,
        };
    }
    Ok(plans)
}

fn entropy_mode(given: i32) -> Result<EntropyMode, Refused> {
    match v1::EntropyMode::try_from(given) {
        Ok(v1::EntropyMode::Unspecified | v1::EntropyMode::Open) => Ok(EntropyMode::Open),
        Ok(v1::EntropyMode::CommitReveal) => Ok(EntropyMode::CommitReveal),
        Err(_) => {
            Err(Refused::field("entropy_mode", "expected ENTROPY_MODE_OPEN or ENTROPY_MODE_COMMIT_REVEAL"))
        }
    }
}

fn seed_wanted(given: Option<&Seed>) -> Result<SeedWanted, Refused> {
    match given {
        None => Ok(SeedWanted::Server),
        Some(Seed::ChosenSeed(bytes)) => chosen_seed(bytes).map(SeedWanted::Chosen),
        Some(Seed::Group(group)) => Ok(SeedWanted::Group {
            id: Some(group.group_id.clone()).filter(|id| !id.is_empty()),
            matches: group.matches,
            entrants: group.entrants,
            seat_entrants: group.seat_entrants.clone(),
        }),
    }
}

/// Reads the field `chosen_seed`.
pub(super) fn chosen_seed(given: &[u8]) -> Result<[u8; 32], Refused> {
    let seed = field::bytes32("chosen_seed", given)?;
    seed.ok_or_else(|| Refused::field("chosen_seed", "expected 32 bytes, found 0"))
}

/// The bytes to hash of all that is asked for; what is left out and what says that nothing special is wanted are the same.
pub(super) fn body(request: &v1::CreateMatchRequest) -> Vec<u8> {
    let mut options: Vec<(&str, &str)> =
        request.options.iter().map(|option| (option.id.as_str(), option.value.as_str())).collect();
    options.sort_unstable();
    let plain = |given: i32, unspecified: i32, plain: i32| if given == unspecified { plain } else { given };
    let kind = |kind| plain(kind, v1::SeatKind::Unspecified.into(), v1::SeatKind::Open.into());
    let mut seats: Vec<(i32, &str)> =
        request.seats.iter().map(|plan| (kind(plan.kind), plan.bot.as_str())).collect();
    while seats.last() == Some(&(v1::SeatKind::Open.into(), "")) {
        seats.pop();
    }
    let (mode, open) = (v1::EntropyMode::Unspecified.into(), v1::EntropyMode::Open.into());
    let (seed, chosen, group) = match &request.seed {
        None => (0, &[][..], None),
        Some(Seed::ChosenSeed(bytes)) => (1, bytes.as_slice(), None),
        Some(Seed::Group(group)) => {
            let place =
                (group.group_id.as_str(), group.matches, group.entrants, group.seat_entrants.as_slice());
            (2, &[][..], Some(place))
        }
    };
    let body = Body {
        game: &request.game,
        rules: request.rules.as_ref().map_or((0, &[]), |rules| (rules.number, &rules.content_hash)),
        scenario: &request.scenario,
        options,
        seats,
        position: &request.position_json,
        entropy_mode: plain(request.entropy_mode, mode, open),
        seed,
        chosen,
        group,
    };
    let mut bytes = postcard::to_extend(&body, vec![1]).expect("a request knows its lengths");
    // Requests without clocks have the hash that they had before there were any.
    bytes.extend(request.clock.iter().flat_map(Message::encode_to_vec));
    // Nor is there anything behind those without a delay of spectators; no message begins with this byte.
    bytes.extend(request.spectator_delay.iter().flat_map(|delay| [vec![0], delay.encode_to_vec()].concat()));
    // As have requests without accounts. No message begins with this byte.
    let accounts: Vec<(usize, &str)> = request
        .seats
        .iter()
        .map(|seat| seat.account_id.as_str())
        .enumerate()
        .filter(|(_, id)| !id.is_empty())
        .collect();
    if !accounts.is_empty() {
        bytes.push(u8::MAX);
        bytes = postcard::to_extend(&accounts, bytes).expect("a request knows its lengths");
    }
    bytes
}
