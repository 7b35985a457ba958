//! The action table: verbs, their actions, and the two ways between ids and actions.

use crate::action::{ActionId, ActionTable, ActionTableError, VerbKind};
use crate::numbered::{Listed, Numbered, SetOf};
use crate::reference::Ref;
use crate::seat::Seat;

use super::content::things::{AreaId, BlockId, CityId, Place, RegionId};
use super::content::{Content, REGIONS};

/// An action, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Play(u16),
    Discard(u16),
    First(Seat),
    Event,
    Decline,
    Fever(AreaId),
    Group(AreaId),
    Muster(AreaId),
    Raise(BlockId),
    Deploy(BlockId),
    At(AreaId),
    Take(BlockId),
    Go(AreaId),
    Via(AreaId),
    Stop,
    Withdraw(BlockId),
    Tactic(AreaId),
    Battle(AreaId),
    Break,
    Maintain,
    Hold(BlockId),
    Main(AreaId),
    Retire,
    Fight,
    Lose(BlockId),
    Join(BlockId),
    Stand(BlockId),
    Gun(BlockId),
    AtHorse(BlockId),
    AtFoot(BlockId),
    Hit(BlockId),
    Retreat(BlockId),
    To(Place),
    Regroup(AreaId),
    Siege(CityId),
    Fire(BlockId),
    Sally(BlockId),
    Mine,
    Bombard,
    Storm(BlockId),
    On,
    Halt,
    Exempt(BlockId),
    Region(RegionId),
    Home(BlockId),
    Pool,
    Pass,
    Done,
}

/// The things that the actions of a verb are about.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Over {
    Cards,
    Seats,
    Areas,
    Blocks,
    Places,
    Cities,
    Regions,
    Nothing,
}

impl Over {
    /// The role of the reference, for verbs without a better name for it.
    const fn refs(self) -> &'static [&'static str] {
        match self {
            Self::Cards => &["card"],
            Self::Seats => &["seat"],
            Self::Areas | Self::Places => &["area"],
            Self::Blocks => &["block"],
            Self::Cities => &["city"],
            Self::Regions => &["region"],
            Self::Nothing => &[],
        }
    }
}

/// The role of a verb's reference.
fn refs_of(id: &str, over: Over) -> &'static [&'static str] {
    match id {
        "group" | "main" => &["from"],
        "go" | "to" | "regroup" => &["to"],
        "via" => &["via"],
        _ => over.refs(),
    }
}

type Make = fn(usize) -> Action;
type Verb = (&'static str, VerbKind, &'static str, Over, Make);

const ACT: VerbKind = VerbKind::Play;

/// The verbs in table order; `Action::code` counts them.
const VERBS: &[Verb] = &[
    ("play", ACT, "Choose a card for the Turn", Over::Cards, |x| Action::Play(x as u16)),
    ("discard", ACT, "Discard a card", Over::Cards, |x| Action::Discard(x as u16)),
    ("first", ACT, "Name Player 1", Over::Seats, |x| Action::First(Seat::new(x as u8))),
    ("event", ACT, "Use the card's event", Over::Nothing, |_| Action::Event),
    ("decline", VerbKind::Pass, "Decline the event", Over::Nothing, |_| Action::Decline),
    ("fever", ACT, "Camp Fever in", Over::Areas, |x| Action::Fever(AreaId::new(x))),
    ("group", ACT, "Group Move from", Over::Areas, |x| Action::Group(AreaId::new(x))),
    ("muster", ACT, "Muster at", Over::Areas, |x| Action::Muster(AreaId::new(x))),
    ("raise", ACT, "Add strength to", Over::Blocks, |x| Action::Raise(BlockId::new(x))),
    ("deploy", ACT, "Deploy", Over::Blocks, |x| Action::Deploy(BlockId::new(x))),
    ("at", ACT, "Place it in", Over::Areas, |x| Action::At(AreaId::new(x))),
    ("take", ACT, "Take along", Over::Blocks, |x| Action::Take(BlockId::new(x))),
    ("go", ACT, "Go to", Over::Areas, |x| Action::Go(AreaId::new(x))),
    ("via", ACT, "By way of", Over::Areas, |x| Action::Via(AreaId::new(x))),
    ("stop", ACT, "Stop here", Over::Nothing, |_| Action::Stop),
    ("withdraw", ACT, "Withdraw into the City", Over::Blocks, |x| Action::Withdraw(BlockId::new(x))),
    ("tactic", ACT, "Use the event in", Over::Areas, |x| Action::Tactic(AreaId::new(x))),
    ("battle", ACT, "Fight the Battle in", Over::Areas, |x| Action::Battle(AreaId::new(x))),
    ("break", ACT, "Break off the Siege", Over::Nothing, |_| Action::Break),
    ("maintain", ACT, "Maintain the Siege", Over::Nothing, |_| Action::Maintain),
    ("hold", ACT, "Hold back", Over::Blocks, |x| Action::Hold(BlockId::new(x))),
    ("main", ACT, "Main Attack from", Over::Areas, |x| Action::Main(AreaId::new(x))),
    ("retire", ACT, "Attempt to withdraw before Battle", Over::Nothing, |_| Action::Retire),
    ("fight", VerbKind::Pass, "Stand and fight", Over::Nothing, |_| Action::Fight),
    ("lose", ACT, "Reduce", Over::Blocks, |x| Action::Lose(BlockId::new(x))),
    ("join", ACT, "Join the Battle with", Over::Blocks, |x| Action::Join(BlockId::new(x))),
    ("stand", ACT, "Determined Last Stand of", Over::Blocks, |x| Action::Stand(BlockId::new(x))),
    ("gun", ACT, "Well-positioned Artillery is", Over::Blocks, |x| Action::Gun(BlockId::new(x))),
    ("horse", ACT, "Fire at Cavalry with", Over::Blocks, |x| Action::AtHorse(BlockId::new(x))),
    ("foot", ACT, "Fire at Infantry with", Over::Blocks, |x| Action::AtFoot(BlockId::new(x))),
    ("hit", ACT, "Take the hit on", Over::Blocks, |x| Action::Hit(BlockId::new(x))),
    ("retreat", ACT, "Retreat with", Over::Blocks, |x| Action::Retreat(BlockId::new(x))),
    ("to", ACT, "To", Over::Places, |x| Action::To(Place::new(x))),
    ("regroup", ACT, "Regroup to", Over::Areas, |x| Action::Regroup(AreaId::new(x))),
    ("siege", ACT, "Siege Combat at", Over::Cities, |x| Action::Siege(CityId::new(x))),
    ("fire", ACT, "Fire from the City with", Over::Blocks, |x| Action::Fire(BlockId::new(x))),
    ("sally", ACT, "Sally with", Over::Blocks, |x| Action::Sally(BlockId::new(x))),
    ("mine", ACT, "Use Mining", Over::Nothing, |_| Action::Mine),
    ("bombard", ACT, "Bombard the City", Over::Nothing, |_| Action::Bombard),
    ("storm", ACT, "Storm with", Over::Blocks, |x| Action::Storm(BlockId::new(x))),
    ("on", ACT, "Go on", Over::Nothing, |_| Action::On),
    ("halt", VerbKind::Pass, "Stop the fight", Over::Nothing, |_| Action::Halt),
    ("exempt", ACT, "The Quartermaster General supplies", Over::Blocks, |x| Action::Exempt(BlockId::new(x))),
    ("region", ACT, "Recruit in", Over::Regions, |x| Action::Region(RegionId::new(x))),
    ("home", ACT, "Return home", Over::Blocks, |x| Action::Home(BlockId::new(x))),
    ("pool", ACT, "To the Recruitment Pool", Over::Nothing, |_| Action::Pool),
    ("pass", VerbKind::Pass, "Pass", Over::Nothing, |_| Action::Pass),
    ("done", VerbKind::Done, "Done", Over::Nothing, |_| Action::Done),
];

impl Action {
    /// Its verb, by number, and which action of the verb it is.
    const fn code(self) -> (usize, u16) {
        match self {
            Self::Play(x) => (0, x),
            Self::Discard(x) => (1, x),
            Self::First(seat) => (2, seat.index() as u16),
            Self::Event => (3, 0),
            Self::Decline => (4, 0),
            Self::Fever(x) => (5, x.index() as u16),
            Self::Group(x) => (6, x.index() as u16),
            Self::Muster(x) => (7, x.index() as u16),
            Self::Raise(x) => (8, x.index() as u16),
            Self::Deploy(x) => (9, x.index() as u16),
            Self::At(x) => (10, x.index() as u16),
            Self::Take(x) => (11, x.index() as u16),
            Self::Go(x) => (12, x.index() as u16),
            Self::Via(x) => (13, x.index() as u16),
            Self::Stop => (14, 0),
            Self::Withdraw(x) => (15, x.index() as u16),
            Self::Tactic(x) => (16, x.index() as u16),
            Self::Battle(x) => (17, x.index() as u16),
            Self::Break => (18, 0),
            Self::Maintain => (19, 0),
            Self::Hold(x) => (20, x.index() as u16),
            Self::Main(x) => (21, x.index() as u16),
            Self::Retire => (22, 0),
            Self::Fight => (23, 0),
            Self::Lose(x) => (24, x.index() as u16),
            Self::Join(x) => (25, x.index() as u16),
            Self::Stand(x) => (26, x.index() as u16),
            Self::Gun(x) => (27, x.index() as u16),
            Self::AtHorse(x) => (28, x.index() as u16),
            Self::AtFoot(x) => (29, x.index() as u16),
            Self::Hit(x) => (30, x.index() as u16),
            Self::Retreat(x) => (31, x.index() as u16),
            Self::To(x) => (32, x.index() as u16),
            Self::Regroup(x) => (33, x.index() as u16),
            Self::Siege(x) => (34, x.index() as u16),
            Self::Fire(x) => (35, x.index() as u16),
            Self::Sally(x) => (36, x.index() as u16),
            Self::Mine => (37, 0),
            Self::Bombard => (38, 0),
            Self::Storm(x) => (39, x.index() as u16),
            Self::On => (40, 0),
            Self::Halt => (41, 0),
            Self::Exempt(x) => (42, x.index() as u16),
            Self::Region(x) => (43, x.index() as u16),
            Self::Home(x) => (44, x.index() as u16),
            Self::Pool => (45, 0),
            Self::Pass => (46, 0),
            Self::Done => (47, 0),
        }
    }
}

/// The two ways between ids and actions.
#[derive(Debug)]
pub(super) struct Actions {
    list: Vec<Action>,
    /// The first id of each verb.
    first: [u16; VERBS.len()],
}

impl Actions {
    /// The action of an id that the table has.
    pub(super) fn get(&self, id: ActionId) -> Action {
        self.list[usize::from(id.0)]
    }

    /// The id of an action that the table has.
    pub(super) const fn id(&self, action: Action) -> ActionId {
        let (verb, index) = action.code();
        ActionId(self.first[verb] + index)
    }
}

pub(super) const REGION_IDS: [&str; REGIONS + 1] = ["north", "wales", "midlands", "east", "south", "london"];

pub(super) fn action_table(content: &Content) -> Result<(ActionTable, Actions), ActionTableError> {
    let mut table = ActionTable::default();
    let mut actions = Actions { list: Vec::new(), first: [0; VERBS.len()] };
    for (number, &(id, kind, title, over, make)) in VERBS.iter().enumerate() {
        let verb = table.verb(id, kind, title, refs_of(id, over));
        actions.first[number] = actions.list.len() as u16;
        let count = match over {
            Over::Cards => content.cards.len(),
            Over::Seats => 2,
            Over::Areas => content.areas.len(),
            Over::Blocks => content.blocks.len(),
            Over::Places => content.places(),
            Over::Cities => content.cities.len(),
            Over::Regions => REGION_IDS.len(),
            Over::Nothing => 1,
        };
        for index in 0..count {
            let area = |area: AreaId| (area.into(), content.areas[area].named.id.as_str());
            let city = |city: CityId| (city.reference(content), content.cities[city].named.id.as_str());
            let (what, name) = match over {
                Over::Cards => (Ref::Card(index as u16), content.cards[index].named.id.as_str()),
                Over::Seats => (Ref::Seat(Seat::new(index as u8)), ["royalist", "parliament"][index]),
                Over::Areas => area(AreaId::new(index)),
                Over::Blocks => (BlockId::new(index).into(), content.blocks[index].named.id.as_str()),
                Over::Places => match content.city_at(Place::new(index)) {
                    Some(at) => city(at),
                    None => area(AreaId::new(index)),
                },
                Over::Cities => city(CityId::new(index)),
                Over::Regions => (RegionId::new(index).reference(content), REGION_IDS[index]),
                Over::Nothing => (Ref::Number(0), ""),
            };
            let refs: &[Ref] = if over == Over::Nothing { &[] } else { &[what] };
            let notation = if name.is_empty() { id.to_owned() } else { format!("{id} {name}") };
            table.add(verb, refs, notation)?;
            actions.list.push(make(index));
        }
    }
    Ok((table, actions))
}

/// Offers an action for each thing of a set.
pub(super) fn offer_each<T: Numbered>(
    things: SetOf<T>,
    make: fn(T) -> Action,
    offer: &mut impl FnMut(Action),
) {
    things.iter().for_each(|thing| offer(make(thing)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_stand_where_their_actions_say() {
        for (number, (id, .., make)) in VERBS.iter().enumerate() {
            assert_eq!(make(1).code().0, number, "{id}");
        }
    }
}
