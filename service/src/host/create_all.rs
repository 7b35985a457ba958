//! Making several matches together, all of them or none.

use tracing::Instrument;

use super::Host;
use super::account_index::Concerned;
use super::create::{Created, Creator, MatchPlan, Settled};
use super::error::Error;
use super::groups::{Common, check_seat_entrants};
use super::shards::NewPlace;
use crate::limits::GROUP_ENTRANTS_MAX;
use crate::matches::{
    Ask, BulkOutcome, DiceSecret, GroupTerms, Grown, LiveMatch, MatchError, PendingChange, SeedTerms,
};
use crate::store::{Append, Appended, Create, CreateAll, MatchId, Request, Shard, Stored};
use crate::telemetry::spans;

/// Matches to make together.
#[derive(Clone)]
pub struct CreateMatches {
    /// The caller that asks.
    pub creator: Creator,
    /// The request's id and the hash of what it asks for.
    pub ask: Ask,
    /// The matches, at least one, each with the seed that it is to have.
    pub plans: Vec<(MatchPlan, PlannedSeed)>,
    /// Number of entrants of each of the new seed groups.
    pub groups: Vec<u32>,
    /// True if they are common series: nobody is an entrant, and each match begins by itself.
    pub is_series: bool,
}

/// The kind of seed that a match is to have which is made with others.
#[derive(Clone)]
pub enum PlannedSeed {
    /// One of its own, drawn by the server.
    Server,
    /// The caller's.
    Chosen([u8; 32]),
    /// That of a seed group which is made with it.
    Group {
        /// The group, by its place in the request.
        group: u32,
        /// The entrant that takes each seat of this match.
        seat_entrants: Vec<u32>,
    },
}

/// A seed group of which the first match was prepared.
struct NewGroup {
    first: LiveMatch,
    terms: GroupTerms,
    commitment: Option<[u8; 32]>,
    secret: DiceSecret,
}

impl Host {
    /// The matches that a request of this account has made before, if it has, in the order in which they were asked for.
    ///
    /// # Errors
    /// If the request id was used for something else.
    pub async fn all_made_before(&self, creator: &Creator, ask: &Ask) -> Result<Option<Vec<Created>>, Error> {
        let stored = self.creation_before(creator, ask).await?;
        stored.map(|stored| made_with(&stored)).transpose()
    }

    /// Makes matches, all of them or none, unless the request did so before. They are durable when this returns.
    ///
    /// # Errors
    /// If the request id was used for something else, or one of the matches can't be made ([`Error::Planned`]).
    pub async fn create_all(&self, wanted: CreateMatches) -> Result<Vec<Created>, Error> {
        let made = match self.all_made_before(&wanted.creator, &wanted.ask).await? {
            Some(made) => made,
            None => self.store_all(&wanted).await?,
        };
        for created in &made {
            // Read once, so that a match that begins at once does so, and its group.
            self.read(created.id, |_| Ok(())).await?;
        }
        Ok(made)
    }

    async fn store_all(&self, wanted: &CreateMatches) -> Result<Vec<Created>, Error> {
        let placing = self.placing().await;
        let reserved = self.reserve(&wanted.creator, wanted.plans.iter().map(|(plan, _)| plan))?;
        self.check_groups(wanted)?;
        for (index, (plan, seed)) in wanted.plans.iter().enumerate() {
            check_plan(wanted, plan, seed).map_err(|error| planned(index, error))?;
        }
        let ids = self.ids_for(wanted)?;
        let creation = self.creation(&wanted.creator, &wanted.ask)?;
        let (mut creates, appends, concerned) = self.prepare_all(wanted, &ids, creation.as_bytes()).await?;
        let others = ids.iter().skip(1).map(|id| *id.as_bytes()).collect();
        let outcome = BulkOutcome { others }.to_bytes();
        let request = Request { id: creation, body: wanted.ask.body, outcome };
        for first in creates.iter_mut().take(1) {
            first.requests = vec![(wanted.creator.account.clone(), request.clone())];
        }
        let append = spans::store_append();
        let create = CreateAll { creates, appends };
        let ticket = self.store().create_all(create).instrument(append.clone()).await?;
        match self.made(placing, ticket, reserved, concerned).instrument(append).await?? {
            Appended::Written(_) => Ok(ids.into_iter().map(|id| Created { id }).collect()),
            Appended::Repeated(stored) => {
                stored.outcome_for(&wanted.ask.body)?;
                made_with(&stored)
            }
        }
    }

    /// Names for all matches, in their order, so that lists have them so, and a group has its first one first. All are in one shard: a
    /// group has something to do with each of its matches, and so has whoever asks for all of them again.
    fn ids_for(&self, wanted: &CreateMatches) -> Result<Vec<MatchId>, Error> {
        let is_placed = |(plan, _): &(MatchPlan, PlannedSeed)| {
            plan.conduct.as_ref().is_some_and(|conduct| conduct.place.is_some())
        };
        let mut place = if wanted.plans.iter().any(is_placed) { NewPlace::Home } else { NewPlace::Anywhere };
        let mut ids = Vec::with_capacity(wanted.plans.len());
        for _ in &wanted.plans {
            let id = self.new_id(place)?;
            place = NewPlace::In(Shard::of(id));
            ids.push(id);
        }
        ids.sort_unstable();
        Ok(ids)
    }

    /// Checks that each group has as many matches and entrants as a group may have.
    fn check_groups(&self, wanted: &CreateMatches) -> Result<(), Error> {
        let (matches_max, entrants_max) = (self.limits().group_matches, GROUP_ENTRANTS_MAX as u32);
        for (index, &entrants) in wanted.groups.iter().enumerate() {
            let matches = wanted.members_of(index).count();
            if !(2..=matches_max).contains(&matches) {
                let why = format!("expected 2 to {matches_max} matches that name it, found {matches}");
                return Err(Error::Field { field: format!("groups[{index}]").into(), why });
            }
            if !((1..=entrants_max).contains(&entrants) || wanted.is_series && entrants == 0) {
                let why = format!("expected 1 to {entrants_max} entrants, found {entrants}");
                return Err(Error::Field { field: format!("groups[{index}].entrants").into(), why });
            }
        }
        Ok(())
    }

    /// All that the store is given: the matches, and in the log of a group's first match the places of the others. Beside it, whom the
    /// matches concern.
    async fn prepare_all(
        &self,
        wanted: &CreateMatches,
        ids: &[MatchId],
        creation: &[u8],
    ) -> Result<(Vec<Create>, Vec<Append>, Vec<(MatchId, Concerned)>), Error> {
        let (mut creates, mut appends) = (Vec::with_capacity(ids.len()), Vec::new());
        let mut concerned = Vec::with_capacity(ids.len());
        let mut groups: Vec<Option<NewGroup>> = wanted.groups.iter().map(|_| None).collect();
        for (&id, (plan, seed)) in ids.iter().zip(&wanted.plans) {
            // So that many of them hold up nobody else.
            tokio::task::yield_now().await;
            let settled = match seed {
                PlannedSeed::Server => self.settle_alone(id, plan, SeedTerms::Server, None)?,
                PlannedSeed::Chosen(seed) => self.settle_alone(id, plan, SeedTerms::Chosen, Some(*seed))?,
                PlannedSeed::Group { group, seat_entrants } => {
                    let seat_entrants = seat_entrants.clone();
                    let place = *group as usize;
                    match groups.get_mut(place).and_then(Option::as_mut) {
                        Some(group) => {
                            let grown = Grown {
                                id: *id.as_bytes(),
                                request: creation.to_vec(),
                                body: wanted.ask.body.0,
                            };
                            let PendingChange { append, .. } = group.first.grow(grown, self.now_ms())?;
                            appends.push(append);
                            let terms = GroupTerms { seat_entrants, ..group.terms.clone() };
                            let (commitment, secret) = (group.commitment, group.secret.clone());
                            Settled { id, terms: SeedTerms::Group(terms), commitment, secret }
                        }
                        None => {
                            let terms = GroupTerms {
                                id: String::new(),
                                matches: wanted.members_of(place).count() as u32,
                                entrants: wanted.groups.get(place).copied().unwrap_or_default(),
                                seat_entrants,
                            };
                            self.settle_alone(id, plan, SeedTerms::Group(terms), None)?
                        }
                    }
                }
            };
            let (commitment, secret) = (settled.commitment, settled.secret.clone());
            let (create, live) = self.prepare(&wanted.creator, plan, settled)?;
            creates.push(create);
            concerned.push((id, Concerned::by(live.course())));
            if let PlannedSeed::Group { group, .. } = seed
                && let Some(group @ None) = groups.get_mut(*group as usize)
                && let Some(terms) = live.course().header().group().cloned()
            {
                *group = Some(NewGroup { first: live, terms, commitment, secret });
            }
        }
        Ok((creates, appends, concerned))
    }
}

impl CreateMatches {
    /// The plans that name a group.
    fn members_of(&self, index: usize) -> impl Iterator<Item = &MatchPlan> {
        let names = move |seed: &PlannedSeed| match seed {
            PlannedSeed::Group { group, .. } => *group as usize == index,
            PlannedSeed::Server | PlannedSeed::Chosen(_) => false,
        };
        self.plans.iter().filter(move |(_, seed)| names(seed)).map(|(plan, _)| plan)
    }
}

/// Checks one plan for faults, and that it has in common with the first of its group what all of it have in common.
fn check_plan(wanted: &CreateMatches, plan: &MatchPlan, seed: &PlannedSeed) -> Result<(), Error> {
    Host::check(plan)?;
    match seed {
        PlannedSeed::Server => Ok(()),
        PlannedSeed::Chosen(_) => plan.check_chosen(),
        PlannedSeed::Group { group, seat_entrants } => {
            let Some(&entrants) = wanted.groups.get(*group as usize) else {
                let why = match wanted.groups.len() {
                    0 => "the request has no groups".to_owned(),
                    groups => format!("expected a group from 0 to {}, found {group}", groups - 1),
                };
                return Err(Error::Field { field: "group.group".into(), why });
            };
            plan.check_grouped()?;
            if !wanted.is_series {
                check_seat_entrants(seat_entrants, entrants, plan.seats.len())?;
            }
            let first = wanted.members_of(*group as usize).next();
            first.map_or(Ok(()), |first| Common::of_plan(first).check(&Common::of_plan(plan)))
        }
    }
}

fn planned(index: usize, error: Error) -> Error {
    Error::Planned { index, error: Box::new(error) }
}

/// The matches that a request has made, by its outcome.
fn made_with(stored: &Stored) -> Result<Vec<Created>, Error> {
    let outcome = BulkOutcome::from_bytes(&stored.request.outcome)
        .map_err(|error| MatchError::Fault(format!("the outcome of a creation: {error}")))?;
    let others = outcome.others.into_iter().map(|id| Created { id: MatchId::from_bytes(id) });
    Ok(std::iter::once(Created { id: stored.id }).chain(others).collect())
}
