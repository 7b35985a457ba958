//! Use that the house bots make of influence, armies owed or possible, and leaders to be placed.

use std::cmp::Reverse;

use crate::action::ActionId;
use crate::game::Game;
use crate::seat::Seat;

use super::super::EnglishCivilWar;
use super::super::actions::Action;
use super::super::adjudicator::Space;
use super::super::realm::sign;
use super::super::state::State;
use super::super::state::draft::Adjust;

/// Points for the enemy's cheapest centres, each brought to nobody's; then for one's own weakest.
pub(super) fn influence(game: &EnglishCivilWar, state: &State, seat: Seat, points: u16) -> Vec<String> {
    let realm = game.realm();
    let loyalty = |space: Space, whose: Seat| (state.bias[space.index()] * sign(whose)).max(0) as u16;
    let mut items = Vec::new();
    let mut left = points;
    let mut spend = |space: Space, points: u16| {
        let id = &realm.county(space).id;
        items.push(format!("I {id} {points}"));
    };
    let enemy = seat.other();
    let mut targets: Vec<Space> = state.active(realm, enemy).iter().collect();
    targets.sort_by_key(|&space| (loyalty(space, enemy), Reverse(realm.county(space).weight), space));
    for space in targets {
        let price = loyalty(space, enemy);
        if price > 0 && price <= left {
            left -= price;
            spend(space, price);
        }
    }
    let mut homes: Vec<Space> = state.active(realm, seat).iter().collect();
    homes.sort_by_key(|&space| (loyalty(space, seat), space));
    for space in homes {
        if left > 0 && loyalty(space, seat) <= 2 {
            left -= 1;
            spend(space, 1);
        }
    }
    items
}

/// Default removals, every build that there is room for, leaders by twos in the most loyal home centres.
pub(super) fn adjustment(
    game: &EnglishCivilWar,
    state: &State,
    seat: Seat,
    adjust: &Adjust,
) -> Vec<ActionId> {
    let realm = game.realm();
    let mut acts = Vec::new();
    let removals = state.default_removals(realm, seat, adjust.owed);
    for space in realm.spaces() {
        acts.extend((0..removals[space.index()]).map(|_| Action::Remove(space)));
    }
    if adjust.owed == 0 {
        let sites = adjust.sites.iter().take(usize::from(adjust.room));
        acts.extend(sites.map(Action::Build));
    }
    let mut homes: Vec<Space> = realm.homes[seat.index()].iter().collect();
    let kept = |space: Space| state.armies_of(seat, space) - removals[space.index()];
    homes
        .sort_by_key(|&space| (Reverse((state.bias[space.index()] * sign(seat), kept(space).min(2))), space));
    let safe = homes.into_iter().filter(|&space| kept(space) > 0);
    let places = safe.flat_map(|space| [space, space]).take(usize::from(adjust.to_place));
    acts.extend(places.map(Action::Place));
    acts.push(Action::Done);
    acts.into_iter()
        .map(|act| game.actions().id(act))
        .filter(|&action| game.catalogue().actions.get(action).is_some())
        .collect()
}
