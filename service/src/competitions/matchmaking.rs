//! The matches of competitions, as they are made.

use std::num::NonZeroU16;
use std::sync::Arc;

use edgehill_competition::{
    Encounter, EncounterId, EntrantId, IllegalActionCost, MatchSlot, PlannedMatch, SeedGroup, TimeoutCost,
};
use edgehill_engine::registry::AnyGame;
use edgehill_engine::setup::Setup;

use super::Inner;
use super::hosted::HostedCompetition;
use super::logged_event::EntrantParty;
use crate::host::{self, CreateMatches, Creator, MatchPlan, PlannedSeed};
use crate::identity::CallerKey;
use crate::matches::{
    Ask, ClockTerms, CompetitionPlace, Conduct, EntropyMode, PinNote, SeatConfig, SpectatorDelay,
    TimeoutRule, WithheldCalls,
};
use crate::store::{BodyHash, MatchId};

/// Matches that are made together, since they share a seed, or one alone.
struct Unit {
    /// The name under which they are made.
    name: String,
    /// Their slots, with the entrants in the order of their seats.
    matches: Vec<(MatchSlot, Vec<EntrantId>)>,
    is_series: bool,
}

impl Inner {
    /// Makes the match that is due, with those that share its seed, unless that was done before. Returns its id.
    ///
    /// # Errors
    /// In words for people, if it can't be made now.
    pub(super) async fn make_match(
        &self,
        hosted: &HostedCompetition,
        planned: &PlannedMatch,
    ) -> Result<MatchId, String> {
        let unit = unit_of(hosted, planned)?;
        let place = unit.matches.iter().position(|(slot, _)| *slot == planned.slot);
        let place = place.ok_or_else(|| format!("match {} is none of its seed group", planned.slot))?;
        let id = self.key.competition_request(hosted.id(), &unit.name);
        let organizer = hosted.organizer().clone();
        let creator =
            Creator { account: organizer.clone(), secret: None, counted_as: CallerKey::Account(organizer) };
        // The name says it all: by whatever settings it is made, it is made once.
        let ask = Ask { id, body: BodyHash::of(unit.name.as_bytes()) };
        let told = |error: host::Error| format!("match {} can't be made: {error}", planned.slot);
        let made = match self.host.all_made_before(&creator, &ask).await.map_err(told)? {
            Some(made) => made,
            None => {
                let game = self.game_of(hosted)?;
                let mut plans = Vec::with_capacity(unit.matches.len());
                for (slot, seats) in &unit.matches {
                    let plan = plan_of(hosted, &game, *slot, seats)?;
                    let seed = match unit.matches.len() {
                        1 => PlannedSeed::Server,
                        _ if unit.is_series => PlannedSeed::Group { group: 0, seat_entrants: Vec::new() },
                        _ => PlannedSeed::Group { group: 0, seat_entrants: places(&unit, seats) },
                    };
                    plans.push((plan, seed));
                }
                let groups = match unit.matches.len() {
                    1 => Vec::new(),
                    _ if unit.is_series => vec![0],
                    _ => vec![unit.matches[0].1.len() as u32],
                };
                let wanted = CreateMatches { creator, ask, plans, groups, is_series: unit.is_series };
                self.host.create_all(wanted).await.map_err(told)?
            }
        };
        made.get(place)
            .map(|created| created.id)
            .ok_or_else(|| format!("match {} was not made", planned.slot))
    }

    /// The game, if it is played by the rules that the competition was created under.
    fn game_of(&self, hosted: &HostedCompetition) -> Result<Arc<dyn AnyGame>, String> {
        let id = &hosted.settings().terms.game;
        let game = self.host.registry().game(id).map_err(|error| error.to_string())?;
        let catalogue = game.catalogue();
        let now = PinNote { rules_version: catalogue.rules_version, content: *catalogue.content.as_bytes() };
        match hosted.rules() {
            Some(rules) if rules != now => Err(format!(
                "the competition was created under the rules {} of {id}, and this server plays {}, or another content: a build \
                 that has them goes on with it; or it is cancelled",
                rules.rules_version, now.rules_version
            )),
            _ => Ok(Arc::clone(game)),
        }
    }
}

/// Those who take the seats, by their places in the first match of the pair.
fn places(unit: &Unit, seats: &[EntrantId]) -> Vec<u32> {
    let first = &unit.matches[0].1;
    let place = |entrant: &EntrantId| first.iter().position(|one| one == entrant).unwrap_or(0) as u32;
    seats.iter().map(place).collect()
}

/// The matches that are made with one that is due.
fn unit_of(hosted: &HostedCompetition, planned: &PlannedMatch) -> Result<Unit, String> {
    let competition = hosted.competition();
    let slot = planned.slot;
    match planned.group {
        None => Ok(Unit {
            name: slot.to_string(),
            matches: vec![(slot, planned.seats.clone())],
            is_series: false,
        }),
        Some(group @ SeedGroup::Pair { .. }) => {
            let encounter = competition.encounter_of(slot).ok_or("the encounter was not paired")?;
            let first = slot.index() & !1;
            let matches = [first, first + 1].map(|index| {
                let number = u16::try_from(index + 1).ok().and_then(NonZeroU16::new).unwrap_or(slot.number);
                (MatchSlot { number, ..slot }, encounter.seats(index))
            });
            Ok(Unit { name: group.to_string(), matches: matches.to_vec(), is_series: false })
        }
        Some(group @ SeedGroup::Series(round)) => {
            let results = competition.results();
            let encounters = results.get(round.index()).ok_or("the round was not paired")?;
            let solos = encounters.iter().enumerate().filter_map(|(index, result)| {
                let Encounter::Solo(entrant) = result.encounter else { return None };
                let encounter = EncounterId::at(round, index)?;
                Some((MatchSlot { encounter, number: NonZeroU16::MIN, attempt: slot.attempt }, vec![entrant]))
            });
            let name = match slot.attempt.get() {
                1 => group.to_string(),
                // A seed that somebody plays again is theirs alone, since the others have played it.
                _ => {
                    let matches = vec![(slot, planned.seats.clone())];
                    return Ok(Unit { name: slot.to_string(), matches, is_series: true });
                }
            };
            Ok(Unit { name, matches: solos.collect(), is_series: true })
        }
    }
}

fn plan_of(
    hosted: &HostedCompetition,
    game: &Arc<dyn AnyGame>,
    slot: MatchSlot,
    seats: &[EntrantId],
) -> Result<MatchPlan, String> {
    let settings = hosted.settings();
    let (terms, policy) = (&settings.terms, &settings.policy);
    let scenario = Some(&*terms.scenario).filter(|id| !id.is_empty());
    let setup = Setup::new(game.catalogue(), scenario, &terms.options).map_err(|error| error.to_string())?;
    let seat = |entrant: &EntrantId| match hosted.party(*entrant) {
        Some(EntrantParty::Account(account)) => Ok(SeatConfig::Account(account.as_bytes().to_vec())),
        Some(EntrantParty::HouseBot(name)) => Ok(SeatConfig::Bot(name.clone())),
        None => Err(format!("nobody plays as {entrant}")),
    };
    let at_end = match policy.timeouts {
        TimeoutCost::DefaultAction => TimeoutRule::DefaultAction { strikes: 0 },
        TimeoutCost::ForfeitAfter(NonZeroU16::MIN) => TimeoutRule::Forfeit,
        TimeoutCost::ForfeitAfter(times) => TimeoutRule::DefaultAction { strikes: times.get().into() },
    };
    let clock = terms.clock.map(|clock| ClockTerms {
        bank_ms: clock.bank_ms,
        increment_ms: clock.increment_ms,
        delay_ms: clock.delay_ms,
        decision_ms: clock.limit_ms,
        window_ms: clock.window_ms,
        at_end,
    });
    let delay = SpectatorDelay {
        events: policy.spectator_delay_events,
        hold_back_ms: u64::from(policy.spectator_delay_s) * 1_000,
    };
    let place = CompetitionPlace {
        competition: *hosted.id().as_bytes(),
        round: slot.encounter.round.number(),
        encounter: slot.encounter.number.get(),
        number: slot.number.get(),
        attempt: slot.attempt.get(),
        is_closed: matches!(settings.format, edgehill_competition::Format::Series { .. }),
        absence_ms: u64::from(policy.absence_s) * 1_000,
    };
    let conduct = Conduct {
        withheld: WithheldCalls {
            legal_actions: !policy.calls.legal_lists,
            explanations: !policy.calls.explanations,
            undo: !policy.calls.undo,
        },
        illegal_actions_max: match policy.illegal_actions {
            IllegalActionCost::Refusal => None,
            IllegalActionCost::ForfeitAfter(times) => Some(times),
        },
        place: Some(place),
    };
    Ok(MatchPlan {
        game: Arc::clone(game),
        setup,
        position: None,
        seats: seats.iter().map(seat).collect::<Result<_, _>>()?,
        entropy_mode: EntropyMode::Open,
        clock,
        spectator_delay: Some(delay).filter(|delay| (delay.events, delay.hold_back_ms) != (0, 0)),
        conduct: Some(conduct),
    })
}
