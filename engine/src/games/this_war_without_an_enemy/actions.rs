//! The action table: verbs, and the things that they are about.

use crate::action::ActionThing;
use crate::numbered::{Numbered, SetOf};
use crate::reference::Ref;
use crate::seat::Seat;

use super::content::things::{AreaId, BlockId, CityId, Place, RegionId};
use super::content::{Content, REGIONS};

crate::actions! {
    /// An action, as the rules read it.
    pub(super) enum Action of Content {
        Play "play" "Choose a card for the Turn" Play(card: Card),
        Play "discard" "Discard a card" Discard(card: Card),
        Play "first" "Name Player 1" First(seat: Player),
        Play "event" "Use the card's event" Event,
        Pass "decline" "Decline the event" Decline,
        Play "fever" "Camp Fever in" Fever(area: AreaId),
        Play "group" "Group Move from" Group(from: AreaId),
        Play "muster" "Muster at" Muster(area: AreaId),
        Play "raise" "Add strength to" Raise(block: BlockId),
        Play "deploy" "Deploy" Deploy(block: BlockId),
        Play "at" "Place it in" At(area: AreaId),
        Play "take" "Take along" Take(block: BlockId),
        Play "go" "Go to" Go(to: AreaId),
        Play "via" "By way of" Via(via: AreaId),
        Play "stop" "Stop here" Stop,
        Play "withdraw" "Withdraw into the City" Withdraw(block: BlockId),
        Play "tactic" "Use the event in" Tactic(area: AreaId),
        Play "battle" "Fight the Battle in" Battle(area: AreaId),
        Play "break" "Break off the Siege" Break,
        Play "maintain" "Maintain the Siege" Maintain,
        Play "hold" "Hold back" Hold(block: BlockId),
        Play "main" "Main Attack from" Main(from: AreaId),
        Play "retire" "Attempt to withdraw before Battle" Retire,
        Pass "fight" "Stand and fight" Fight,
        Play "lose" "Reduce" Lose(block: BlockId),
        Play "join" "Join the Battle with" Join(block: BlockId),
        Play "stand" "Determined Last Stand of" Stand(block: BlockId),
        Play "gun" "Well-positioned Artillery is" Gun(block: BlockId),
        Play "horse" "Fire at Cavalry with" AtHorse(block: BlockId),
        Play "foot" "Fire at Infantry with" AtFoot(block: BlockId),
        Play "hit" "Take the hit on" Hit(block: BlockId),
        Play "retreat" "Retreat with" Retreat(block: BlockId),
        Play "to" "To" To(to: Place),
        Play "regroup" "Regroup to" Regroup(to: AreaId),
        Play "siege" "Siege Combat at" Siege(city: CityId),
        Play "fire" "Fire from the City with" Fire(block: BlockId),
        Play "sally" "Sally with" Sally(block: BlockId),
        Play "mine" "Use Mining" Mine,
        Play "bombard" "Bombard the City" Bombard,
        Play "storm" "Storm with" Storm(block: BlockId),
        Play "on" "Go on" On,
        Pass "halt" "Stop the fight" Halt,
        Play "exempt" "The Quartermaster General supplies" Exempt(block: BlockId),
        Play "region" "Recruit in" Region(region: RegionId),
        Play "home" "Return home" Home(block: BlockId),
        Play "pool" "To the Recruitment Pool" Pool,
        Pass "pass" "Pass" Pass,
        Done "done" "Done" Done,
    }
}

pub(super) const REGION_IDS: [&str; REGIONS + 1] = ["north", "wales", "midlands", "east", "south", "london"];

crate::things! {
    of Content;

    /// A card.
    pub(super) Card(u16) "a card" as Card: |content| content.cards.len(), |content, card| content.card(card).named.id.clone();
}

crate::action_words! {
    of Content;
    AreaId: |content, area| content.areas[area].named.id.clone();
    CityId: |content, city| content.cities[city].named.id.clone();
    BlockId: |content, block| content.blocks[block].named.id.clone();
    RegionId: |_, region| REGION_IDS[region].to_owned();
}

impl ActionThing<Content> for Place {
    type Value = Self;

    fn count(content: &Content) -> usize {
        content.places()
    }

    fn reference(_: &Content, place: Self) -> Ref {
        place.into()
    }

    fn word(content: &Content, place: Self) -> String {
        match content.city_at(place) {
            Some(city) => CityId::word(content, city),
            None => AreaId::word(content, AreaId::new(place.index())),
        }
    }
}

/// A player.
pub(super) enum Player {}

impl ActionThing<Content> for Player {
    type Value = Seat;

    fn count(_: &Content) -> usize {
        2
    }

    fn reference(_: &Content, seat: Seat) -> Ref {
        Ref::Seat(seat)
    }

    fn word(_: &Content, seat: Seat) -> String {
        ["royalist", "parliament"][seat.index()].to_owned()
    }
}

/// Offers an action for each thing of a set.
pub(super) fn offer_each<T: Numbered>(
    things: SetOf<T>,
    make: fn(T) -> Action,
    offer: &mut impl FnMut(Action),
) {
    things.iter().for_each(|thing| offer(make(thing)));
}
