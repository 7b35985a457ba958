//! The set-up, and the optional rules (4.0, 18.0).

use serde::Deserialize;

use crate::content::{ContentError, ContentRecord, Loader, Records};
use crate::seat::Seat;

use super::brigades::{self, Faction};
use super::ids::{AreaId, BrigadeFace, FaceSet, GeneralId, GeneralSet, LeaderId, NotableId, NotableSet};
use super::leaders::{self, Arrival};
use super::map::{self, AreaShape};
use super::names::{Field, Side};
use super::{Named, OPTIONS, SEATS};

/// A stack of the set-up (4.2).
#[derive(Debug)]
pub struct StartStack {
    /// Its id and, as its name, the words of its place.
    pub named: Named,
    /// The seat that owns it.
    pub side: Seat,
    /// Its Area.
    pub area: AreaId,
    /// True if it is inside the Fortress.
    pub inside: bool,
    /// The Leader on whose Command Display its Brigades are; none of unled ones.
    pub leader: Option<LeaderId>,
    /// The faces of its Brigades, one a counter.
    pub brigades: Vec<BrigadeFace>,
}

/// The set-up (4.0). Markers stand with the Areas ([`Area::start`](super::map::Area::start)).
#[derive(Debug)]
pub struct SetUp {
    /// The stacks, Local Notables included.
    pub stacks: Vec<StartStack>,
    /// Generals in each side's Reinforcements Box.
    pub reinforcements: [GeneralSet; 2],
    /// Local Notables on the map.
    pub notables: NotableSet,
}

/// An option of a match: one of the optional rules (17.1, 18.0).
#[derive(Debug)]
pub struct OptionalRule {
    /// Its id and name.
    pub named: Named,
    /// The rulebook's number.
    pub rule: String,
    /// True if it holds unless the players agree otherwise.
    pub default: bool,
}

/// The optional rules, in the order of their records.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuleOption {
    /// The King's Surrender ends the game (17.1), which the players may do without.
    King,
    /// Stout Cornish Men (18.1).
    Cornish,
    /// Random Desertion Order (18.2).
    RandomDesertion,
    /// Manchester (18.3).
    Manchester,
    /// The Laughter of the Court (18.4).
    Laughter,
    /// Lostwithiel (18.5).
    Lostwithiel,
}

impl RuleOption {
    /// All of them, in order.
    pub const ALL: [Self; super::OPTIONS] = [
        Self::King,
        Self::Cornish,
        Self::RandomDesertion,
        Self::Manchester,
        Self::Laughter,
        Self::Lostwithiel,
    ];

    /// Its id in content and in set-ups.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["king-surrenders", "cornish", "random-desertion", "manchester", "laughter", "lostwithiel"]
            [self as usize]
    }
}

/// The Brigades that optional rules restrict.
#[derive(Copy, Clone, Debug)]
pub struct Restricted {
    /// Those of Stout Cornish Men (18.1).
    pub cornish: FaceSet,
    /// Those of Manchester (18.3).
    pub manchester: FaceSet,
}

/// The file of the set-up.
const FILE: &str = "setup.toml";

#[derive(Deserialize)]
struct StackRecord {
    name: String,
    side: Side,
    area: String,
    #[serde(default)]
    inside: bool,
    leader: Option<String>,
    brigades: Vec<String>,
}

#[derive(Deserialize)]
struct OptionRecord {
    name: String,
    rule: String,
    #[serde(default)]
    default: bool,
}

#[derive(Deserialize)]
struct RestrictedRecord {
    cornish: Vec<String>,
    manchester: Vec<String>,
}

/// The set-up as it was read; faults are with the loader.
pub(super) struct Read {
    pub(super) set_up: SetUp,
    pub(super) options: Vec<OptionalRule>,
    pub(super) restricted: Option<Restricted>,
}

/// The tables that the set-up is about.
struct Around<'a> {
    map: &'a map::Read,
    leaders: &'a leaders::Read,
    brigades: &'a brigades::Read,
    /// The most Brigades in a Limited Fortress.
    limited_room: u8,
}

impl Read {
    /// Reads the set-up, and gives Generals who begin on the map their Area.
    pub(super) fn of(
        load: &mut Loader<'_>,
        map: &map::Read,
        leaders: &mut leaders::Read,
        brigades: &brigades::Read,
        limited_room: u8,
    ) -> Self {
        let records = load.records::<StackRecord>(FILE, "stack");
        let around = Around { map, leaders, brigades, limited_room };
        let stacks: Vec<StartStack> =
            records.iter().filter_map(|record| around.stack(load, &records, record)).collect();
        around.check_places(load, &stacks);
        around.check_counters(load, &stacks);
        around.check_generals(load, &stacks);
        for stack in &stacks {
            let general = stack.leader.and_then(LeaderId::general);
            if let Some(one) = general.and_then(|general| leaders.generals.get_mut(general.index())) {
                one.arrival = Arrival::Area(stack.area);
            }
        }
        let in_box = |seat: Seat| {
            let generals = leaders.generals.iter().enumerate();
            let waiting =
                generals.filter(|(_, one)| one.side == seat && one.arrival == Arrival::Reinforcements);
            waiting.map(|(index, _)| GeneralId::new(index)).collect()
        };
        let notables = leaders.notables.iter().enumerate().filter(|(_, notable)| notable.at_start);
        let set_up = SetUp {
            stacks,
            reinforcements: SEATS.map(in_box),
            notables: notables.map(|(index, _)| NotableId::new(index)).collect(),
        };
        Self { set_up, options: read_options(load), restricted: read_restricted(load, brigades) }
    }
}

impl Around<'_> {
    fn stack(
        &self,
        load: &mut Loader<'_>,
        records: &Records<StackRecord>,
        record: &ContentRecord<StackRecord>,
    ) -> Option<StartStack> {
        let name = records.name_of(&record.id);
        let field = |path| Field { file: FILE, record: &name, path };
        let side = record.side.seat();
        let leader = record.leader.as_deref();
        let leader = leader.and_then(|id| self.leaders.leader(load, field("leader"), id));
        if leader.is_some_and(|leader| self.leaders.side(leader) != Some(side)) {
            field("leader").fault(load, "a Leader of the other side");
        }
        let mut brigades = Vec::new();
        for id in &record.brigades {
            let Some(face) = self.brigades.names.find::<BrigadeFace>(load, field("brigades"), id) else {
                continue;
            };
            let faction = self.brigades.faces.get(face.index()).map(|face| face.faction);
            if !faction.is_some_and(|faction| regular(faction) && faction.seat() == side) {
                field("brigades")
                    .fault(load, format!("{id}: a Brigade of the Royalists or Parliament's, of this side"));
            }
            brigades.push(face);
        }
        let most = leader.map_or(LIMIT_MAX, |leader| self.limit(leader));
        if !(1..=usize::from(most)).contains(&record.brigades.len()) {
            field("brigades").fault(load, format!("1 to {most} Brigades are expected"));
        }
        let area = self.map.names.find(load, field("area"), &record.area)?;
        if record.inside {
            self.check_inside(load, field("inside"), record, leader, area);
        }
        let named = Named::of(record, &*record.name);
        Some(StartStack { named, side, area, inside: record.inside, leader, brigades })
    }

    /// The most Brigades of a Leader.
    fn limit(&self, leader: LeaderId) -> u8 {
        let general = leader.general().and_then(|general| self.leaders.generals.get(general.index()));
        let notable = leader.notable().and_then(|notable| self.leaders.notables.get(notable.index()));
        general.map(|one| one.limit).or(notable.map(|one| one.limit)).unwrap_or(LIMIT_MAX)
    }

    /// A garrison is in its own side's Fortress, and has room there.
    fn check_inside(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        record: &StackRecord,
        leader: Option<LeaderId>,
        at: AreaId,
    ) {
        let Some(area) = self.map.areas.get(at.index()) else { return };
        let room = match area.shape {
            AreaShape::SupplyFortress => self.map.class(at).unwrap_or(0),
            AreaShape::LimitedFortress => self.limited_room,
            AreaShape::Standard | AreaShape::LocalNotable => 0,
        };
        if area.start != Some(record.side.seat()) || record.brigades.len() > usize::from(room) {
            field.fault(load, format!("a Fortress of the same side, with room for {room}"));
        }
        if leader.is_some() {
            field.fault(load, "Brigades inside have no Leader at the start");
        }
    }

    /// Each place has one stack, each Leader too, and no Area those of both sides.
    fn check_places(&self, load: &mut Loader<'_>, stacks: &[StartStack]) {
        for (index, stack) in stacks.iter().enumerate() {
            let name = format!("stack {}", stack.named.id);
            let field = |path| Field { file: FILE, record: &name, path };
            let notable = stack.leader.and_then(LeaderId::notable);
            if let Some(one) = notable.and_then(|notable| self.leaders.notables.get(notable.index()))
                && (one.area != stack.area || !one.at_start)
            {
                field("leader").fault(load, "a Local Notable who begins in this Area");
            }
            for other in &stacks[..index] {
                if other.leader.is_some() && other.leader == stack.leader {
                    field("leader").fault(load, "comes twice");
                }
                if other.area != stack.area {
                    continue;
                }
                if other.side != stack.side {
                    field("area").fault(load, "a stack of the other side begins there");
                }
                let general = |stack: &StartStack| stack.leader.and_then(LeaderId::general).is_some();
                let unled = |stack: &StartStack| stack.leader.is_none();
                let alike = unled(other) && unled(stack) && other.inside == stack.inside;
                if alike || (general(other) && general(stack)) {
                    field("area").fault(load, "another stack like it begins there");
                }
            }
        }
    }

    /// No face has more counters on the map than there are.
    fn check_counters(&self, load: &mut Loader<'_>, stacks: &[StartStack]) {
        for (index, face) in self.brigades.faces.iter().enumerate() {
            let placed = stacks.iter().flat_map(|stack| &stack.brigades);
            let placed = placed.filter(|&&placed| placed == BrigadeFace::new(index)).count();
            if placed > usize::from(face.count) {
                let what = format!("{placed} of {}, of which there are {}", face.named.id, face.count);
                load.report(ContentError::file(FILE, what));
            }
        }
    }

    /// Generals who begin on the map are those who have a stack.
    fn check_generals(&self, load: &mut Loader<'_>, stacks: &[StartStack]) {
        for (index, general) in self.leaders.generals.iter().enumerate() {
            let leader = LeaderId::from(GeneralId::new(index));
            let placed = stacks.iter().any(|stack| stack.leader == Some(leader));
            if placed != matches!(general.arrival, Arrival::Area(_)) {
                let what = format!("{} has a stack, or another way of arriving", general.named.id);
                load.report(ContentError::file(FILE, what));
            }
        }
    }
}

/// Returns whether Brigades of a faction may be on the map at the start.
const fn regular(faction: Faction) -> bool {
    matches!(faction, Faction::Royalist | Faction::Parliament)
}

/// The most Brigades of a stack.
const LIMIT_MAX: u8 = 9;

fn read_options(load: &mut Loader<'_>) -> Vec<OptionalRule> {
    let records = load.records::<OptionRecord>(FILE, "option");
    let ids = RuleOption::ALL.map(RuleOption::as_str);
    if records.iter().map(|record| record.id.as_str()).ne(ids) {
        let what = format!("the {OPTIONS} optional rules are, in this order, {}", ids.join(", "));
        load.report(ContentError::file(FILE, what));
    }
    let option = |record: &ContentRecord<OptionRecord>| OptionalRule {
        named: Named::of(record, &*record.name),
        rule: record.rule.clone(),
        default: record.default,
    };
    records.iter().map(option).collect()
}

fn read_restricted(load: &mut Loader<'_>, brigades: &brigades::Read) -> Option<Restricted> {
    let record = load.record::<RestrictedRecord>(FILE, "restricted")?;
    let faces = |load: &mut Loader<'_>, path, ids: &[String]| {
        let field = Field { file: FILE, record: "restricted", path };
        brigades.names.find_all::<BrigadeFace>(load, field, ids).into_iter().collect()
    };
    Some(Restricted {
        cornish: faces(load, "cornish", &record.cornish),
        manchester: faces(load, "manchester", &record.manchester),
    })
}
