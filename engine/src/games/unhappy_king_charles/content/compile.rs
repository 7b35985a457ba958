//! Cards as they are written, compiled into [`Operation`]s and [`Condition`]s.

use serde::Deserialize;

use crate::content::Loader;

use super::brigades::Faction;
use super::ids::{
    AreaId, AreaSet, FortressId, FortressSet, GeneralId, GeneralSet, ListId, NotableId, RegionSet, TurnId,
};
use super::leaders;
use super::map;
use super::names::{Field, Side};
use super::operations::{
    CardUse, CardUses, Condition, FortressChange, MarkerMode, Operation, Paragraph, Placed, Places, Reach,
    Removal, Standing, Step, Weakness, Whose,
};
use super::{AREAS, CLASS_MAX, TURNS};

/// The owner of cards and Brigades, as it is written.
#[derive(Copy, Clone, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Owner {
    Royalist,
    Parliament,
    Enemy,
}

impl Owner {
    const fn whose(self) -> Whose {
        match self {
            Self::Royalist => Whose::Seat(Side::Royalist.seat()),
            Self::Parliament => Whose::Seat(Side::Parliament.seat()),
            Self::Enemy => Whose::Enemy,
        }
    }
}

/// An Area, and a distance from it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Near {
    area: String,
    distance: u8,
}

/// An operation as it is written.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum OperationRecord {
    Operations {
        value: u8,
        uses: Vec<CardUse>,
    },
    Campaign {
        activations: u8,
        uses: Vec<CardUse>,
    },
    Combat {
        modifier: u8,
        #[serde(default)]
        decisive: bool,
        #[serde(default)]
        defender: bool,
    },
    Markers {
        most: u8,
        mode: MarkerMode,
        regions: Option<Vec<String>>,
        near: Option<Near>,
    },
    PlaceBrigades {
        count: u8,
        faction: Option<Faction>,
        regions: Option<Vec<String>>,
        area: Option<String>,
        own_ports: Option<Vec<String>>,
        #[serde(default)]
        after_new_model: bool,
        #[serde(default, rename = "else")]
        otherwise: Vec<OperationRecord>,
    },
    RemoveBrigades {
        owner: Owner,
        count: u8,
        faction: Option<Faction>,
        value: Option<u8>,
        regions: Option<Vec<String>>,
        standing: Option<Standing>,
        to: Removal,
        #[serde(default, rename = "else")]
        otherwise: Vec<OperationRecord>,
    },
    RemoveCards {
        from: Owner,
        count: u8,
    },
    Draw {
        count: u8,
    },
    Naval {
        by: i8,
    },
    PlaceNotable {
        notable: String,
    },
    TakeFortress {
        among: Option<Vec<String>>,
        class: Option<u8>,
        weakness: Option<Weakness>,
        at_least: Option<u8>,
        #[serde(default)]
        less_inside: bool,
        #[serde(default)]
        surrender: bool,
        #[serde(default, rename = "else")]
        otherwise: Vec<OperationRecord>,
    },
    Transfer {
        most: u8,
        distance: u8,
    },
    BombardModifier {
        modifier: u8,
    },
    Activate {
        generals: Vec<String>,
        #[serde(default)]
        lifts_rivalry: bool,
    },
    InterceptModifier {
        modifier: u8,
    },
    Choice {
        options: [Vec<OperationRecord>; 2],
    },
    BySide {
        royalist: Vec<OperationRecord>,
        parliament: Vec<OperationRecord>,
    },
    Paragraph {
        paragraph: Paragraph,
    },
}

/// A condition as it is written; those without fields are braced, so that a field that is written there is a fault.
#[derive(Deserialize)]
#[serde(tag = "if", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum ConditionRecord {
    MarkerPlace {},
    BrigadePlace {},
    EnemyCard {},
    DeckCard {},
    Fortress {},
    Notable {},
    Brigade {},
    AnyBrigade {},
    GeneralPair {},
    SiegeMarker {},
    Controls { side: Side, area: String },
    Cessation {},
    IrishOffMap {},
    InGame { general: String },
    OnMap { generals: Vec<String> },
    ArmyBeside { side: Side, area: String },
    UpTo { turn: u8 },
    QueenPlace {},
    LandingPort {},
    LorrainePlace {},
    Covenanters {},
    Interception {},
}

/// The things that operations and conditions may name.
pub(super) struct Around<'a> {
    pub(super) map: &'a map::Read,
    pub(super) leaders: &'a leaders::Read,
    /// The least lines between each two Areas, of the lines that were read.
    pub(super) distances: Vec<[u8; AREAS]>,
}

/// Counts and sizes.
const SOME: (u8, u8) = (1, 9);

impl Around<'_> {
    /// Appends operations to a list. Lists of their own go behind `lists`; those have none again. Faults go to the loader.
    pub(super) fn compile(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        operations: &[OperationRecord],
        lists: &mut Vec<Vec<Step>>,
    ) -> ListId {
        let list = ListId::new(lists.len());
        lists.push(Vec::new());
        self.fill(load, field, operations, lists, (list, false));
        list
    }

    fn fill(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        operations: &[OperationRecord],
        lists: &mut Vec<Vec<Step>>,
        (list, nested): (ListId, bool),
    ) {
        if operations.is_empty() {
            field.fault(load, "an operation is expected");
        }
        let mut placed = false;
        for (index, record) in operations.iter().enumerate() {
            let path = format!("{}[{index}]", field.path);
            let field = Field { path: &path, ..field };
            let parts = record.parts();
            if nested && !parts.is_empty() {
                field.fault(load, "a list within an operation has none of its own");
                continue;
            }
            let own = parts.iter().map(|part| {
                let own = ListId::new(lists.len());
                lists.push(Vec::new());
                self.fill(load, field, part, lists, (own, true));
                own
            });
            let own: Vec<ListId> = own.collect();
            let Some(operation) = self.operation(load, field, record, &own, placed) else { continue };
            placed |= matches!(operation, Operation::PlaceBrigades { .. });
            let whole = matches!(operation, Operation::Choice { .. } | Operation::BySide { .. });
            let otherwise = own.first().copied().filter(|_| !whole);
            lists[list].push(Step { operation, otherwise });
        }
    }

    /// An operation whose lists are compiled; `placed`: after one that places a Brigade.
    fn operation(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        record: &OperationRecord,
        own: &[ListId],
        placed: bool,
    ) -> Option<Operation> {
        Some(match *record {
            OperationRecord::Operations { value, ref uses } => Operation::Operations {
                value: field.within(load, value, (1, 3)),
                uses: used(load, field, uses),
            },
            OperationRecord::Campaign { activations, ref uses } => {
                let uses = used(load, field, uses);
                if uses.contains(CardUse::Markers) {
                    field.fault(load, "a Campaign card places no markers");
                }
                Operation::Campaign { activations: field.within(load, activations, (1, 3)), uses }
            }
            OperationRecord::Combat { modifier, decisive, defender } => {
                Operation::Combat { modifier: field.within(load, modifier, (0, 9)), decisive, defender }
            }
            OperationRecord::Markers { most, mode, ref regions, ref near } => {
                let reach = self.reach(load, field, regions.as_deref(), near.as_ref());
                let most = field.within(load, most, SOME);
                Operation::Markers { most, mode, within: self.reached(reach), reach, follows: placed }
            }
            OperationRecord::PlaceBrigades {
                count,
                faction,
                ref regions,
                ref area,
                ref own_ports,
                after_new_model,
                ..
            } => Operation::PlaceBrigades {
                count: field.within(load, count, SOME),
                brigades: self.placed(load, field, faction, regions.as_deref())?,
                places: self.places(load, field, area.as_deref(), own_ports.as_deref())?,
                after_new_model,
            },
            OperationRecord::RemoveBrigades {
                owner,
                count,
                faction,
                value,
                ref regions,
                standing,
                to,
                ..
            } => {
                let reach = self.reach(load, field, regions.as_deref(), None);
                Operation::RemoveBrigades {
                    owner: owner.whose(),
                    count: field.within(load, count, SOME),
                    faction,
                    value: value.map(|value| field.within(load, value, (1, 2))),
                    within: self.reached(reach),
                    reach,
                    standing: standing.unwrap_or(Standing::Anywhere),
                    to,
                }
            }
            OperationRecord::RemoveCards { from, count } => {
                Operation::RemoveCards { from: from.whose(), count: field.within(load, count, SOME) }
            }
            OperationRecord::Draw { count } => Operation::Draw { count: field.within(load, count, SOME) },
            OperationRecord::Naval { by } => {
                if by == 0 {
                    field.fault(load, "0 moves nothing");
                }
                Operation::Naval { by: field.within(load, by, (-9, 9)) }
            }
            OperationRecord::PlaceNotable { ref notable } => {
                let notable = self.leaders.notable_names.find::<NotableId>(load, field, notable)?;
                if self.leaders.notables.get(notable.index()).is_some_and(|one| one.at_start) {
                    field.fault(load, "a Local Notable who is not on the map at the start");
                }
                Operation::PlaceNotable { notable }
            }
            OperationRecord::TakeFortress {
                ref among,
                class,
                weakness,
                at_least,
                less_inside,
                surrender,
                ..
            } => Operation::TakeFortress {
                among: self.fortresses(load, field, among.as_deref(), class),
                weakness: weakness.unwrap_or(Weakness::None),
                change: change(load, field, at_least, less_inside, surrender)?,
            },
            OperationRecord::Transfer { most, distance } => Operation::Transfer {
                most: field.within(load, most, SOME),
                distance: field.within(load, distance, (0, AREAS as u8)),
            },
            OperationRecord::BombardModifier { modifier } => {
                Operation::BombardModifier { modifier: field.within(load, modifier, SOME) }
            }
            OperationRecord::Activate { ref generals, lifts_rivalry } => {
                let generals = self.generals(load, field, generals);
                Operation::Activate { generals, lifts_rivalry }
            }
            OperationRecord::InterceptModifier { modifier } => {
                Operation::InterceptModifier { modifier: field.within(load, modifier, SOME) }
            }
            OperationRecord::Choice { .. } => Operation::Choice { options: own.try_into().ok()? },
            OperationRecord::BySide { .. } => Operation::BySide { lists: own.try_into().ok()? },
            OperationRecord::Paragraph { paragraph } => Operation::Paragraph(paragraph),
        })
    }

    /// All Areas, those of Regions, or those within a distance of one.
    /// Everywhere, Regions, or what is near an Area.
    fn reach(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        regions: Option<&[String]>,
        near: Option<&Near>,
    ) -> Reach {
        match (regions, near) {
            (None, None) => Reach::Everywhere,
            (Some(ids), None) => Reach::Regions(some_regions(load, field, ids)),
            (None, Some(near)) => Reach::Near {
                area: self.map.names.find(load, field, &near.area).unwrap_or_default(),
                distance: field.within(load, near.distance, (0, AREAS as u8)),
            },
            (Some(_), Some(_)) => {
                field.fault(load, "either `regions` or `near` is expected");
                Reach::Everywhere
            }
        }
    }

    /// The Areas of it.
    fn reached(&self, reach: Reach) -> AreaSet {
        match reach {
            Reach::Everywhere => AreaSet::first_of(AREAS),
            Reach::Regions(regions) => self.map.areas_of(regions),
            Reach::Near { area, distance } => {
                let lines = self.distances[area].iter().enumerate();
                lines.filter(|&(_, &lines)| lines <= distance).map(|(index, _)| AreaId::new(index)).collect()
            }
        }
    }

    fn placed(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        faction: Option<Faction>,
        regions: Option<&[String]>,
    ) -> Option<Placed> {
        match (faction, regions) {
            (None, Some(ids)) => Some(Placed::OfRegions(some_regions(load, field, ids))),
            (Some(Faction::Irish), None) => Some(Placed::Irish),
            (Some(Faction::NewModel), None) => Some(Placed::NewModel),
            _ => {
                field
                    .fault(load, "Brigades of `regions`, or of the faction irish or new-model, are expected");
                None
            }
        }
    }

    fn places(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        area: Option<&str>,
        own_ports: Option<&[String]>,
    ) -> Option<Places> {
        match (area, own_ports) {
            (None, None) => Some(Places::OwnRegion),
            (Some(id), None) => self.map.names.find(load, field, id).map(Places::Area),
            (None, Some(ids)) => Some(Places::OwnPort(some_regions(load, field, ids))),
            (Some(_), Some(_)) => {
                field.fault(load, "either an Area or Ports are expected");
                None
            }
        }
    }

    /// Generals, at least one.
    fn generals(&self, load: &mut Loader<'_>, field: Field<'_>, ids: &[String]) -> GeneralSet {
        if ids.is_empty() {
            field.fault(load, "a General is expected");
        }
        self.leaders.general_names.find_all::<GeneralId>(load, field, ids).into_iter().collect()
    }

    /// Printed Fortresses: those of some Areas, or those of a class.
    fn fortresses(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        among: Option<&[String]>,
        class: Option<u8>,
    ) -> FortressSet {
        let fortresses = self.map.printed();
        let number = |area: AreaId| fortresses.iter().position(|&other| other == area).map(FortressId::new);
        let mut found = FortressSet::EMPTY;
        match (among, class) {
            (Some(ids), None) => {
                for area in self.map.names.find_all::<AreaId>(load, field, ids) {
                    match number(area) {
                        Some(fortress) => found.insert(fortress),
                        None => field.fault(load, "a Fortress is expected"),
                    }
                }
            }
            (None, Some(class)) => {
                let class = field.within(load, class, (1, CLASS_MAX));
                let of_class = fortresses.iter().filter(|&&area| self.map.class(area) == Some(class));
                found = of_class.filter_map(|&area| number(area)).collect();
            }
            _ => field.fault(load, "either `among` or `class` is expected"),
        }
        found
    }

    /// Compiles a condition; a fault, and `None`, if it names what there isn't.
    pub(super) fn condition(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        record: &ConditionRecord,
    ) -> Option<Condition> {
        let area = |load: &mut Loader<'_>, id: &str| self.map.names.find::<AreaId>(load, field, id);
        let generals = &self.leaders.general_names;
        Some(match *record {
            ConditionRecord::MarkerPlace {} => Condition::MarkerPlace,
            ConditionRecord::BrigadePlace {} => Condition::BrigadePlace,
            ConditionRecord::EnemyCard {} => Condition::EnemyCard,
            ConditionRecord::DeckCard {} => Condition::DeckCard,
            ConditionRecord::Fortress {} => Condition::Fortress,
            ConditionRecord::Notable {} => Condition::Notable,
            ConditionRecord::Brigade {} => Condition::Brigade,
            ConditionRecord::AnyBrigade {} => Condition::AnyBrigade,
            ConditionRecord::GeneralPair {} => Condition::GeneralPair,
            ConditionRecord::SiegeMarker {} => Condition::SiegeMarker,
            ConditionRecord::Controls { side, area: ref id } => {
                Condition::Controls(side.seat(), area(load, id)?)
            }
            ConditionRecord::Cessation {} => Condition::Cessation,
            ConditionRecord::IrishOffMap {} => Condition::IrishOffMap,
            ConditionRecord::InGame { ref general } => {
                Condition::InGame(generals.find(load, field, general)?)
            }
            ConditionRecord::OnMap { generals: ref ids } => Condition::OnMap(self.generals(load, field, ids)),
            ConditionRecord::ArmyBeside { side, area: ref id } => {
                Condition::ArmyBeside(side.seat(), area(load, id)?)
            }
            ConditionRecord::UpTo { turn } => {
                let number = field.within(load, turn, (1, TURNS as u8));
                Condition::UpTo(TurnId::of_number(number)?)
            }
            ConditionRecord::QueenPlace {} => Condition::QueenPlace,
            ConditionRecord::LandingPort {} => Condition::LandingPort,
            ConditionRecord::LorrainePlace {} => Condition::LorrainePlace,
            ConditionRecord::Covenanters {} => Condition::Covenanters,
            ConditionRecord::Interception {} => Condition::Interception,
        })
    }
}

impl OperationRecord {
    /// The lists within it.
    fn parts(&self) -> Vec<&[Self]> {
        match self {
            Self::Choice { options } => options.iter().map(Vec::as_slice).collect(),
            Self::BySide { royalist, parliament } => vec![royalist, parliament],
            Self::PlaceBrigades { otherwise, .. }
            | Self::RemoveBrigades { otherwise, .. }
            | Self::TakeFortress { otherwise, .. }
                if !otherwise.is_empty() =>
            {
                vec![otherwise]
            }
            _ => Vec::new(),
        }
    }
}

/// Regions, at least one.
fn some_regions(load: &mut Loader<'_>, field: Field<'_>, ids: &[String]) -> RegionSet {
    if ids.is_empty() {
        field.fault(load, "a Region is expected");
    }
    field.regions(load, ids)
}

fn used(load: &mut Loader<'_>, field: Field<'_>, uses: &[CardUse]) -> CardUses {
    if uses.is_empty() {
        field.fault(load, "a use is expected");
    }
    uses.iter().fold(CardUses::NONE, |uses, &one| uses.with(one))
}

fn change(
    load: &mut Loader<'_>,
    field: Field<'_>,
    at_least: Option<u8>,
    less_inside: bool,
    surrender: bool,
) -> Option<FortressChange> {
    match (at_least, surrender) {
        (Some(at_least), false) => {
            Some(FortressChange::Roll { at_least: field.within(load, at_least, (1, 6)), less_inside })
        }
        (None, true) if !less_inside => Some(FortressChange::Surrender),
        _ => {
            field.fault(load, "either `at_least`, with or without `less_inside`, or `surrender` is expected");
            None
        }
    }
}
