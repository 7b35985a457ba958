//! Making several matches together: each plan is read as a request to make one match, before anything is made.

use edgehill_proto::v1;
use edgehill_proto::v1::match_plan::Seed;
use serde::Serialize;
use tonic::metadata::MetadataMap;

use super::creation::{body, chosen_seed, creator};
use super::{Matches, field, refusing};
use crate::host::{CreateMatches, PlannedSeed};
use crate::identity::{CallerKey, Role};
use crate::limits::BULK_MATCHES_MAX;
use crate::matches::Ask;
use crate::store::BodyHash;
use crate::wire::Refused;

/// A plan as the request that would make this match alone, and its place in a group.
struct Planned {
    request: v1::CreateMatchRequest,
    place: Option<v1::GroupPlace>,
}

/// The content of a request to make matches, in the form in which it is hashed.
#[derive(Serialize)]
struct BulkBody<'a> {
    matches: Vec<PlanBody<'a>>,
    /// The entrants of each group.
    groups: &'a [u32],
}

/// The same of one of them.
#[derive(Serialize)]
struct PlanBody<'a> {
    /// As that of a request to make it alone.
    alone: Vec<u8>,
    /// The group that it names, and its entrants.
    place: Option<(u32, &'a [u32])>,
}

impl Matches {
    pub(super) async fn answer_create_all(
        &self,
        metadata: &MetadataMap,
        counted_as: CallerKey,
        request: v1::CreateMatchesRequest,
    ) -> Result<v1::CreateMatchesResponse, Refused> {
        let caller = self.caller_as(Role::Player, metadata).await?;
        self.check_open()?;
        let id = field::request_id(&request.request_id, &self.limits())?;
        let given = request.matches.len();
        if !(1..=BULK_MATCHES_MAX).contains(&given) {
            let what = format!("expected 1 to {BULK_MATCHES_MAX} matches, found {given}");
            return Err(Refused::field("matches", what));
        }
        let groups: Vec<u32> = request.groups.iter().map(|group| group.entrants).collect();
        let creator = creator(&caller, counted_as, &request.client_secret)?;
        let planned: Vec<Planned> = request.matches.into_iter().map(Planned::of).collect();
        let ask = Ask { id, body: body_of_all(&planned, &groups) };
        let refused = |error| refusing::of(error, None, None);
        let made = match self.host().all_made_before(&creator, &ask).await.map_err(refused)? {
            Some(made) => made,
            None => {
                let plans = planned.iter().enumerate().map(|(index, one)| {
                    let read = self.plan(&one.request).and_then(|plan| Ok((plan, one.seed()?)));
                    read.map_err(|refused| refused.of_item("matches", index))
                });
                let plans = plans.collect::<Result<_, _>>()?;
                let wanted = CreateMatches { creator, ask, plans, groups, is_series: false };
                self.host().create_all(wanted).await.map_err(refused)?
            }
        };
        let mut created = Vec::with_capacity(made.len());
        for one in made {
            created
                .push(self.host().read(one.id, |content| Ok(self.created(content))).await.map_err(refused)?);
        }
        Ok(v1::CreateMatchesResponse { created })
    }
}

impl Planned {
    fn of(plan: v1::MatchPlan) -> Self {
        let (seed, place) = match plan.seed {
            Some(Seed::ChosenSeed(seed)) => (Some(v1::create_match_request::Seed::ChosenSeed(seed)), None),
            Some(Seed::Group(place)) => (None, Some(place)),
            None => (None, None),
        };
        let request = v1::CreateMatchRequest {
            game: plan.game,
            rules: plan.rules,
            scenario: plan.scenario,
            options: plan.options,
            seats: plan.seats,
            position_json: plan.position_json,
            entropy_mode: plan.entropy_mode,
            seed,
            clock: plan.clock,
            spectator_delay: plan.spectator_delay,
            ..v1::CreateMatchRequest::default()
        };
        Self { request, place }
    }

    fn seed(&self) -> Result<PlannedSeed, Refused> {
        match (&self.request.seed, &self.place) {
            (_, Some(place)) => {
                Ok(PlannedSeed::Group { group: place.group, seat_entrants: place.seat_entrants.clone() })
            }
            (Some(v1::create_match_request::Seed::ChosenSeed(seed)), None) => {
                chosen_seed(seed).map(PlannedSeed::Chosen)
            }
            _ => Ok(PlannedSeed::Server),
        }
    }
}

/// The hash of all that is asked for. No request to make one match has the same.
fn body_of_all(planned: &[Planned], groups: &[u32]) -> BodyHash {
    let matches = planned.iter().map(|one| {
        let place = one.place.as_ref().map(|place| (place.group, place.seat_entrants.as_slice()));
        PlanBody { alone: body(&one.request), place }
    });
    let body = BulkBody { matches: matches.collect(), groups };
    BodyHash::of(&postcard::to_extend(&body, vec![2]).expect("a request knows its lengths"))
}
