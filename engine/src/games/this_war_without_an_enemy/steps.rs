//! The step table: verbs, their steps, and the two ways between ids and steps.

use crate::reference::Ref;
use crate::seat::Seat;
use crate::step::{StepId, StepTable, StepTableError, VerbKind};

use super::content::{Content, REGIONS};

/// A step, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
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

/// What the steps of a verb are about.
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

type Make = fn(u8) -> Step;
type Verb = (&'static str, VerbKind, &'static str, Over, Make);

const ACT: VerbKind = VerbKind::Act;

/// The verbs in table order; `Step::code` counts them.
const VERBS: &[Verb] = &[
    ("play", ACT, "Choose a card for the Turn", Over::Cards, |x| Step::Play(x as u16)),
    ("discard", ACT, "Discard a card", Over::Cards, |x| Step::Discard(x as u16)),
    ("first", ACT, "Name Player 1", Over::Seats, |x| Step::First(Seat::new(x))),
    ("event", ACT, "Use the card's event", Over::Nothing, |_| Step::Event),
    ("decline", VerbKind::Pass, "Decline the event", Over::Nothing, |_| Step::Decline),
    ("fever", ACT, "Camp Fever in", Over::Areas, Step::Fever),
    ("group", ACT, "Group Move from", Over::Areas, Step::Group),
    ("muster", ACT, "Muster at", Over::Areas, Step::Muster),
    ("raise", ACT, "Add strength to", Over::Blocks, Step::Raise),
    ("deploy", ACT, "Deploy", Over::Blocks, Step::Deploy),
    ("at", ACT, "Place it in", Over::Areas, Step::At),
    ("take", ACT, "Take along", Over::Blocks, Step::Take),
    ("go", ACT, "Go to", Over::Areas, Step::Go),
    ("via", ACT, "By way of", Over::Areas, Step::Via),
    ("stop", ACT, "Stop here", Over::Nothing, |_| Step::Stop),
    ("withdraw", ACT, "Withdraw into the City", Over::Blocks, Step::Withdraw),
    ("tactic", ACT, "Use the event in", Over::Areas, Step::Tactic),
    ("battle", ACT, "Fight the Battle in", Over::Areas, Step::Battle),
    ("break", ACT, "Break off the Siege", Over::Nothing, |_| Step::Break),
    ("maintain", ACT, "Maintain the Siege", Over::Nothing, |_| Step::Maintain),
    ("hold", ACT, "Hold back", Over::Blocks, Step::Hold),
    ("main", ACT, "Main Attack from", Over::Areas, Step::Main),
    ("retire", ACT, "Attempt to withdraw before Battle", Over::Nothing, |_| Step::Retire),
    ("fight", VerbKind::Pass, "Stand and fight", Over::Nothing, |_| Step::Fight),
    ("lose", ACT, "Reduce", Over::Blocks, Step::Lose),
    ("join", ACT, "Join the Battle with", Over::Blocks, Step::Join),
    ("stand", ACT, "Determined Last Stand of", Over::Blocks, Step::Stand),
    ("gun", ACT, "Well-positioned Artillery is", Over::Blocks, Step::Gun),
    ("horse", ACT, "Fire at Cavalry with", Over::Blocks, Step::AtHorse),
    ("foot", ACT, "Fire at Infantry with", Over::Blocks, Step::AtFoot),
    ("hit", ACT, "Take the hit on", Over::Blocks, Step::Hit),
    ("retreat", ACT, "Retreat with", Over::Blocks, Step::Retreat),
    ("to", ACT, "To", Over::Places, Step::To),
    ("regroup", ACT, "Regroup to", Over::Areas, Step::Regroup),
    ("siege", ACT, "Siege Combat at", Over::Cities, Step::Siege),
    ("fire", ACT, "Fire from the City with", Over::Blocks, Step::Fire),
    ("sally", ACT, "Sally with", Over::Blocks, Step::Sally),
    ("mine", ACT, "Use Mining", Over::Nothing, |_| Step::Mine),
    ("bombard", ACT, "Bombard the City", Over::Nothing, |_| Step::Bombard),
    ("storm", ACT, "Storm with", Over::Blocks, Step::Storm),
    ("on", ACT, "Go on", Over::Nothing, |_| Step::On),
    ("halt", VerbKind::Pass, "Stop the fight", Over::Nothing, |_| Step::Halt),
    ("exempt", ACT, "The Quartermaster General supplies", Over::Blocks, Step::Exempt),
    ("region", ACT, "Recruit in", Over::Regions, Step::Region),
    ("home", ACT, "Return home", Over::Blocks, Step::Home),
    ("pool", ACT, "To the Recruitment Pool", Over::Nothing, |_| Step::Pool),
    ("pass", VerbKind::Pass, "Pass", Over::Nothing, |_| Step::Pass),
    ("done", VerbKind::Done, "Done", Over::Nothing, |_| Step::Done),
];

impl Step {
    /// Its verb, by number, and which step of the verb it is.
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

/// The two ways between ids and steps.
#[derive(Debug)]
pub(super) struct Steps {
    list: Vec<Step>,
    /// The first id of each verb.
    first: [u16; VERBS.len()],
}

impl Steps {
    /// The step of an id that the table has.
    pub(super) fn get(&self, id: StepId) -> Step {
        self.list[usize::from(id.0)]
    }

    /// The id of a step that the table has.
    pub(super) const fn id(&self, step: Step) -> StepId {
        let (verb, index) = step.code();
        StepId(self.first[verb] + index)
    }
}

pub(super) const REGION_IDS: [&str; REGIONS + 1] = ["north", "wales", "midlands", "east", "south", "london"];

pub(super) fn step_table(content: &Content) -> Result<(StepTable, Steps), StepTableError> {
    let mut table = StepTable::default();
    let mut steps = Steps { list: Vec::new(), first: [0; VERBS.len()] };
    for (number, &(id, kind, title, over, make)) in VERBS.iter().enumerate() {
        let verb = table.verb(id, kind, title);
        steps.first[number] = steps.list.len() as u16;
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
            steps.list.push(make(index as u8));
        }
    }
    Ok((table, steps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_stand_where_their_steps_say() {
        for (number, (id, .., make)) in VERBS.iter().enumerate() {
            assert_eq!(make(1).code().0, number, "{id}");
        }
    }
}
