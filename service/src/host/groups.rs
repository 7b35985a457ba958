//! Seed groups: matches that share a seed. The group's id names its first match, whose log says which others have a place in
//! it, and is a secret: whoever knows it may add a match.
//!
//! Invariant: nothing is drawn in any match of a group before all of them have been made and all of their seats are taken; but for a
//! common series, which the server alone makes: nobody's entropy is in its seed, and each match begins by itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use edgehill_engine::record::RulesPin;

use super::Host;
use super::create::{CreateMatch, MatchPlan, SeedWanted, Settled};
use super::error::Error;
use super::shards::NewPlace;
use super::slot::Content;
use crate::identity::GroupId;
use crate::limits::GROUP_ENTRANTS_MAX;
use crate::matches::{
    Course, GroupTerms, Grown, MatchError, MatchHeader, Phase, SeedSource, SeedTerms, written_options,
};
use crate::store::{self, MatchId, Shard};

/// A lock for each group that something is done with.
#[derive(Debug, Default)]
pub(super) struct GroupLocks(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

impl GroupLocks {
    fn of(&self, group: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locks.retain(|_, lock| Arc::strong_count(lock) > 1);
        Arc::clone(locks.entry(group.to_owned()).or_default())
    }
}

/// A place in a group, as it was asked for.
pub(super) struct Place<'a> {
    pub(super) new: bool,
    pub(super) matches: u32,
    pub(super) entrants: u32,
    pub(super) seat_entrants: &'a [u32],
}

impl Place<'_> {
    /// Checks that there can be such a place.
    pub(super) fn check(&self, matches_max: u32, seats: usize) -> Result<(), Error> {
        let field = |field: &'static str, why: String| Err(Error::Field { field: field.into(), why });
        let &Self { new, matches, entrants, seat_entrants } = self;
        if !(2..=matches_max).contains(&matches) && (new || matches != 0) {
            return field("group.matches", format!("expected 2 to {matches_max} matches, found {matches}"));
        }
        let entrants_max = GROUP_ENTRANTS_MAX as u32;
        if !(1..=entrants_max).contains(&entrants) && (new || entrants != 0) {
            return field(
                "group.entrants",
                format!("expected 1 to {entrants_max} entrants, found {entrants}"),
            );
        }
        check_seat_entrants(seat_entrants, entrants, seats)
    }
}

/// Checks that each seat of a match has an entrant; 0 `entrants` are as many as the group says.
pub(super) fn check_seat_entrants(seat_entrants: &[u32], entrants: u32, seats: usize) -> Result<(), Error> {
    let why = match () {
        () if seat_entrants.len() != seats => {
            format!("expected {seats} entrants, one a seat, found {}", seat_entrants.len())
        }
        () if entrants > 0 && seat_entrants.iter().any(|&entrant| entrant >= entrants) => {
            format!("expected entrants from 0 to {}", entrants - 1)
        }
        () => return Ok(()),
    };
    Err(Error::Field { field: "group.seat_entrants".into(), why })
}

impl Host {
    /// Gives a match a place in a group that is there, or the one that the same request had before.
    pub(super) async fn settle_in_group(&self, wanted: &CreateMatch, group: &str) -> Result<Settled, Error> {
        let SeedWanted::Group { matches, entrants, seat_entrants, .. } = &wanted.seed else {
            return Err(Error::UnknownGroup);
        };
        let group = self.0.reader.group_id(group).ok_or(Error::UnknownGroup)?;
        let first = group.match_id();
        let lock = self.0.groups.of(&group.to_string());
        let _held = lock.lock().await;
        let slot = self.0.slots.of(first);
        let mut locked = match self.lock(&slot).await {
            Err(Error::Store(store::Error::NotFound(_))) => return Err(Error::UnknownGroup),
            other => other?,
        };
        let course = locked.content()?.course();
        let terms = course.header().group().cloned().filter(|terms| terms.first() == Some(first));
        let terms = terms.ok_or(Error::UnknownGroup)?;
        if course.header().creator != wanted.creator.account.as_bytes() {
            return Err(Error::UnknownGroup);
        }
        fits(course.header(), wanted, &terms, *matches, *entrants, seat_entrants)?;
        let ask = &wanted.ask;
        let creation = self.creation(&wanted.creator, ask)?;
        let mine = |grown: &&Grown| grown.request == creation.as_bytes();
        let reserved = course.grown().iter().find(mine).map(|grown| (grown.id, grown.body));
        let commitment = course.header().commitment;
        let full = course.grown().len() as u32 + 1 >= terms.matches;
        let secret = locked.content()?.live()?.dice_secret().clone();
        if matches!(secret.source, SeedSource::Chosen(_)) {
            return Err(Error::UnknownGroup);
        }
        let id = match reserved {
            Some((id, body)) if body == ask.body.0 => MatchId::from_bytes(id),
            Some(_) => {
                return Err(MatchError::RequestReused { id: ask.id.clone(), method: "CreateMatch" }.into());
            }
            None if full => return Err(Error::GroupMismatch("the group has all its matches")),
            None => {
                let id = self.new_id(NewPlace::In(Shard::of(first)))?;
                let grown =
                    Grown { id: *id.as_bytes(), request: creation.as_bytes().to_vec(), body: ask.body.0 };
                let now_ms = self.now_ms();
                self.commit(&mut locked, |live| live.grow(grown, now_ms).map(|change| ((), Some(change))))
                    .await?;
                id
            }
        };
        let mark = locked.mark();
        drop(locked);
        slot.durable(mark).await?;
        let terms = GroupTerms { seat_entrants: seat_entrants.clone(), ..terms };
        Ok(Settled { id, terms: SeedTerms::Group(terms), commitment, secret })
    }

    /// Lets a group go on, if it can now.
    pub(super) fn wake_group(&self, course: &Course) {
        let Some(group) = course.header().group().map(|group| group.id.clone()) else { return };
        let host = self.clone();
        if course.header().is_of_series() {
            let id = course.id();
            self.0.tasks.spawn(async move {
                if let Err(error) = host.begin_alone(id).await {
                    tracing::warn!(match_id = %id, %error, "a match of a series does not begin");
                }
            });
            return;
        }
        self.0.tasks.spawn(async move {
            if let Err(error) = host.begin_group(&group).await {
                tracing::warn!(%group, %error, "a seed group does not go on");
            }
        });
    }

    /// Begins all matches of a group, if all are there and all of their seats are taken.
    ///
    /// # Errors
    /// If one of them can't be read or written.
    pub(super) async fn begin_group(&self, group: &str) -> Result<(), Error> {
        let lock = self.0.groups.of(group);
        let _held = lock.lock().await;
        let Some(members) = self.members(group).await? else { return Ok(()) };
        let mut entropies: Option<Vec<[u8; 32]>> = None;
        let mut given: HashMap<u32, [u8; 32]> = HashMap::new();
        let mut entrants = 0;
        for &id in &members {
            let full = self
                .look(id, |content| {
                    let course = content.course();
                    entrants = course.header().group().map_or(0, |group| group.entrants);
                    if course.result().is_some_and(|(result, _)| !result.ended_by.has_result()) {
                        // It will never be played, and so the group never begins.
                        return Ok(false);
                    }
                    if matches!(course.phase(), Phase::Running | Phase::Over) {
                        entropies = Some(course.entropies());
                    }
                    given.extend(given_in(course));
                    // One that can't begin keeps the others from it.
                    content.live()?;
                    Ok(course.is_full())
                })
                .await;
            match full {
                Ok(true) => {}
                Ok(false) | Err(Error::Store(store::Error::NotFound(_))) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        let entropies = entropies.unwrap_or_else(|| {
            (0..entrants).map(|entrant| given.get(&entrant).copied().unwrap_or([0; 32])).collect()
        });
        for id in members {
            let slot = self.0.slots.of(id);
            let mut locked = self.lock(&slot).await?;
            if locked.content()?.course().phase() == Phase::Waiting {
                let (entropies, now_ms) = (entropies.clone(), self.now_ms());
                self.commit(&mut locked, |live| {
                    live.begin(entropies, now_ms).map(|change| ((), Some(change)))
                })
                .await?;
            }
        }
        Ok(())
    }

    /// Checks a group entrant's entropy against what it gave in other matches, while `lock` of the group is held.
    pub(super) async fn check_entrant(
        &self,
        group: &GroupTerms,
        entrant: u32,
        entropy: Option<[u8; 32]>,
    ) -> Result<(), Error> {
        let Some(entropy) = entropy else { return Ok(()) };
        for id in self.known_members(&group.id).await? {
            let same = self
                .look(id, |content| {
                    Ok(given_in(content.course())
                        .into_iter()
                        .all(|(other, bytes)| other != entrant || bytes == entropy))
                })
                .await;
            match same {
                Ok(true) | Err(Error::Store(store::Error::NotFound(_))) => {}
                Ok(false) => {
                    return Err(MatchError::EntropyMismatch(
                        "the entrant gave in another match of the group",
                    )
                    .into());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The lock of a match's group.
    pub(super) fn group_lock(&self, group: &GroupTerms) -> Arc<tokio::sync::Mutex<()>> {
        self.0.groups.of(&group.id)
    }

    /// The matches of a group, if all have their place.
    pub(super) async fn members(&self, group: &str) -> Result<Option<Vec<MatchId>>, Error> {
        let members = self.known_members(group).await?;
        let first = members.first().copied().ok_or(Error::UnknownGroup)?;
        let matches = self
            .look(first, |content| Ok(content.course().header().group().map_or(0, |group| group.matches)))
            .await?;
        Ok((members.len() == matches as usize).then_some(members))
    }

    /// A match of a group, as it is by itself.
    pub(super) async fn look<T>(
        &self,
        id: MatchId,
        show: impl FnMut(&Content) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let slot = self.0.slots.of(id);
        self.peek(&slot, show).await.map(|(_, shown)| shown)
    }

    async fn known_members(&self, group: &str) -> Result<Vec<MatchId>, Error> {
        let first = group.parse::<GroupId>().map_err(|_| Error::UnknownGroup)?.match_id();
        let grown = |content: &Content| {
            Ok(content.course().grown().iter().map(|grown| MatchId::from_bytes(grown.id)).collect::<Vec<_>>())
        };
        let others = self.look(first, grown).await?;
        Ok(std::iter::once(first).chain(others).collect())
    }
}

/// The entropies that entrants gave in one match.
fn given_in(course: &Course) -> Vec<(u32, [u8; 32])> {
    let entrants = course.header().group().map_or(&[][..], |group| &group.seat_entrants);
    let seats = course.seats().iter().zip(entrants);
    let given = seats.filter_map(|(seat, &entrant)| seat.entropy().map(|entropy| (entrant, entropy)));
    given.filter(|(_, entropy)| *entropy != [0; 32]).collect()
}

/// All that the matches of a group have in common.
pub(super) struct Common {
    game: String,
    rules: RulesPin,
    scenario: String,
    options: Vec<(String, String)>,
    position: Option<String>,
}

impl Common {
    fn of(header: &MatchHeader) -> Self {
        Self {
            game: header.game.clone(),
            rules: header.begun_under(),
            scenario: header.scenario.clone(),
            options: header.options.clone(),
            position: header.position.clone(),
        }
    }

    pub(super) fn of_plan(plan: &MatchPlan) -> Self {
        let catalogue = plan.game.catalogue();
        let scenario = catalogue.scenarios.get(plan.setup.scenario()).map_or("", |scenario| scenario.id);
        Self {
            game: catalogue.id.to_owned(),
            rules: RulesPin { rules_version: catalogue.rules_version, content: catalogue.content },
            scenario: scenario.to_owned(),
            options: written_options(catalogue, &plan.setup),
            position: plan.position.as_ref().map(ToString::to_string),
        }
    }

    /// Checks that another match has it, too.
    pub(super) fn check(&self, other: &Self) -> Result<(), Error> {
        let same_rules = self.game == other.game && self.rules == other.rules;
        let alike = [
            (same_rules, "the group plays another game, or other rules of it"),
            (self.scenario == other.scenario, "the group plays another scenario"),
            (self.options == other.options, "the group has other options"),
            (self.position == other.position, "the group begins from another position"),
        ];
        all_hold(alike)
    }
}

/// Checks that a match has in common with its group what all of it have in common.
fn fits(
    header: &MatchHeader,
    wanted: &CreateMatch,
    terms: &GroupTerms,
    matches: u32,
    entrants: u32,
    seat_entrants: &[u32],
) -> Result<(), Error> {
    Common::of(header).check(&Common::of_plan(&wanted.plan))?;
    all_hold([
        (matches == 0 || matches == terms.matches, "the group has another number of matches"),
        (entrants == 0 || entrants == terms.entrants, "the group has another number of entrants"),
        (seat_entrants.iter().all(|&entrant| entrant < terms.entrants), "the group has no such entrant"),
    ])
}

fn all_hold<const N: usize>(alike: [(bool, &'static str); N]) -> Result<(), Error> {
    match alike.into_iter().find(|(fits, _)| !fits) {
        Some((_, why)) => Err(Error::GroupMismatch(why)),
        None => Ok(()),
    }
}
