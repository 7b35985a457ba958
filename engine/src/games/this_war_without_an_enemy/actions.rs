//! The action table: verbs, their actions, and the two ways between ids and actions.

use crate::action::{ActionId, ActionTable, ActionTableError, VerbKind};
use crate::reference::Ref;
use crate::seat::Seat;

use super::content::{Content, REGIONS};

/// An action, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Play(u16),
    Discard(u16),
    First(Seat),
    Event,
    Decline,
    Fever(u8),
    Group(u8),
    Muster(u8),
    Raise(u8),
    Deploy(u8),
    At(u8),
    Take(u8),
    Go(u8),
    Via(u8),
    Stop,
    Withdraw(u8),
    Tactic(u8),
    Battle(u8),
    Break,
    Maintain,
    Hold(u8),
    Main(u8),
    Retire,
    Fight,
    Lose(u8),
    Join(u8),
    Stand(u8),
    Gun(u8),
    AtHorse(u8),
    AtFoot(u8),
    Hit(u8),
    Retreat(u8),
    To(u8),
    Regroup(u8),
    Siege(u8),
    Fire(u8),
    Sally(u8),
    Mine,
    Bombard,
    Storm(u8),
    On,
    Halt,
    Exempt(u8),
    Region(u8),
    Home(u8),
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

type Make = fn(u8) -> Action;
type Verb = (&'static str, VerbKind, &'static str, Over, Make);

const ACT: VerbKind = VerbKind::Play;

/// The verbs in table order; `Action::code` counts them.
const VERBS: &[Verb] = &[
    ("play", ACT, "Choose a card for the Turn", Over::Cards, |x| Action::Play(x as u16)),
    ("discard", ACT, "Discard a card", Over::Cards, |x| Action::Discard(x as u16)),
    ("first", ACT, "Name Player 1", Over::Seats, |x| Action::First(Seat::new(x))),
    ("event", ACT, "Use the card's event", Over::Nothing, |_| Action::Event),
    ("decline", VerbKind::Pass, "Decline the event", Over::Nothing, |_| Action::Decline),
    ("fever", ACT, "Camp Fever in", Over::Areas, Action::Fever),
    ("group", ACT, "Group Move from", Over::Areas, Action::Group),
    ("muster", ACT, "Muster at", Over::Areas, Action::Muster),
    ("raise", ACT, "Add strength to", Over::Blocks, Action::Raise),
    ("deploy", ACT, "Deploy", Over::Blocks, Action::Deploy),
    ("at", ACT, "Place it in", Over::Areas, Action::At),
    ("take", ACT, "Take along", Over::Blocks, Action::Take),
    ("go", ACT, "Go to", Over::Areas, Action::Go),
    ("via", ACT, "By way of", Over::Areas, Action::Via),
    ("stop", ACT, "Stop here", Over::Nothing, |_| Action::Stop),
    ("withdraw", ACT, "Withdraw into the City", Over::Blocks, Action::Withdraw),
    ("tactic", ACT, "Use the event in", Over::Areas, Action::Tactic),
    ("battle", ACT, "Fight the Battle in", Over::Areas, Action::Battle),
    ("break", ACT, "Break off the Siege", Over::Nothing, |_| Action::Break),
    ("maintain", ACT, "Maintain the Siege", Over::Nothing, |_| Action::Maintain),
    ("hold", ACT, "Hold back", Over::Blocks, Action::Hold),
    ("main", ACT, "Main Attack from", Over::Areas, Action::Main),
    ("retire", ACT, "Attempt to withdraw before Battle", Over::Nothing, |_| Action::Retire),
    ("fight", VerbKind::Pass, "Stand and fight", Over::Nothing, |_| Action::Fight),
    ("lose", ACT, "Reduce", Over::Blocks, Action::Lose),
    ("join", ACT, "Join the Battle with", Over::Blocks, Action::Join),
    ("stand", ACT, "Determined Last Stand of", Over::Blocks, Action::Stand),
    ("gun", ACT, "Well-positioned Artillery is", Over::Blocks, Action::Gun),
    ("horse", ACT, "Fire at Cavalry with", Over::Blocks, Action::AtHorse),
    ("foot", ACT, "Fire at Infantry with", Over::Blocks, Action::AtFoot),
    ("hit", ACT, "Take the hit on", Over::Blocks, Action::Hit),
    ("retreat", ACT, "Retreat with", Over::Blocks, Action::Retreat),
    ("to", ACT, "To", Over::Places, Action::To),
    ("regroup", ACT, "Regroup to", Over::Areas, Action::Regroup),
    ("siege", ACT, "Siege Combat at", Over::Cities, Action::Siege),
    ("fire", ACT, "Fire from the City with", Over::Blocks, Action::Fire),
    ("sally", ACT, "Sally with", Over::Blocks, Action::Sally),
    ("mine", ACT, "Use Mining", Over::Nothing, |_| Action::Mine),
    ("bombard", ACT, "Bombard the City", Over::Nothing, |_| Action::Bombard),
    ("storm", ACT, "Storm with", Over::Blocks, Action::Storm),
    ("on", ACT, "Go on", Over::Nothing, |_| Action::On),
    ("halt", VerbKind::Pass, "Stop the fight", Over::Nothing, |_| Action::Halt),
    ("exempt", ACT, "The Quartermaster General supplies", Over::Blocks, Action::Exempt),
    ("region", ACT, "Recruit in", Over::Regions, Action::Region),
    ("home", ACT, "Return home", Over::Blocks, Action::Home),
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
            Self::Fever(x) => (5, x as u16),
            Self::Group(x) => (6, x as u16),
            Self::Muster(x) => (7, x as u16),
            Self::Raise(x) => (8, x as u16),
            Self::Deploy(x) => (9, x as u16),
            Self::At(x) => (10, x as u16),
            Self::Take(x) => (11, x as u16),
            Self::Go(x) => (12, x as u16),
            Self::Via(x) => (13, x as u16),
            Self::Stop => (14, 0),
            Self::Withdraw(x) => (15, x as u16),
            Self::Tactic(x) => (16, x as u16),
            Self::Battle(x) => (17, x as u16),
            Self::Break => (18, 0),
            Self::Maintain => (19, 0),
            Self::Hold(x) => (20, x as u16),
            Self::Main(x) => (21, x as u16),
            Self::Retire => (22, 0),
            Self::Fight => (23, 0),
            Self::Lose(x) => (24, x as u16),
            Self::Join(x) => (25, x as u16),
            Self::Stand(x) => (26, x as u16),
            Self::Gun(x) => (27, x as u16),
            Self::AtHorse(x) => (28, x as u16),
            Self::AtFoot(x) => (29, x as u16),
            Self::Hit(x) => (30, x as u16),
            Self::Retreat(x) => (31, x as u16),
            Self::To(x) => (32, x as u16),
            Self::Regroup(x) => (33, x as u16),
            Self::Siege(x) => (34, x as u16),
            Self::Fire(x) => (35, x as u16),
            Self::Sally(x) => (36, x as u16),
            Self::Mine => (37, 0),
            Self::Bombard => (38, 0),
            Self::Storm(x) => (39, x as u16),
            Self::On => (40, 0),
            Self::Halt => (41, 0),
            Self::Exempt(x) => (42, x as u16),
            Self::Region(x) => (43, x as u16),
            Self::Home(x) => (44, x as u16),
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
            let area = |index: usize| (Ref::Space(index as u16), content.areas[index].named.id.as_str());
            let city = |city: usize| {
                let place = content.city_place(city as u8);
                (Ref::Space(place.into()), content.cities[city].named.id.as_str())
            };
            let (what, name) = match over {
                Over::Cards => (Ref::Card(index as u16), content.cards[index].named.id.as_str()),
                Over::Seats => (Ref::Seat(Seat::new(index as u8)), ["royalist", "parliament"][index]),
                Over::Areas => area(index),
                Over::Blocks => (Ref::Piece(index as u16), content.blocks[index].named.id.as_str()),
                Over::Places if index < content.areas.len() => area(index),
                Over::Places => city(index - content.areas.len()),
                Over::Cities => city(index),
                Over::Regions => (Ref::Mat(index as u16 + super::catalogue::REGION_MATS), REGION_IDS[index]),
                Over::Nothing => (Ref::Number(0), ""),
            };
            let refs: &[Ref] = if over == Over::Nothing { &[] } else { &[what] };
            let notation = if name.is_empty() { id.to_owned() } else { format!("{id} {name}") };
            table.add(verb, refs, notation)?;
            actions.list.push(make(index as u8));
        }
    }
    Ok((table, actions))
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
