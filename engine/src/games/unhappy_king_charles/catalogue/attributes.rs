//! Attributes: what the catalogue declares, and what each entry carries of it, with the confidence of the content's own field.

use crate::catalogue::AttributeKind::{Number, Reference, Text};
use crate::catalogue::{Attribute, AttributeDef, AttributeScope as On};
use crate::content::Confidence;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::Seat;

use super::super::content::brigades::{Brigade, BrigadeBack};
use super::super::content::cards::{Card, CardKind};
use super::super::content::ids::{AreaId, FortressId};
use super::super::content::leaders::{Arrival, General, Notable};
use super::super::content::map::{Infrastructure, Region};
use super::super::content::operations::Operation;
use super::super::content::turns::Turn;
use super::super::content::{Content, SEATS};
use super::{AWAY, REINFORCEMENT_MATS};

/// Declares the attributes, each with its index by name.
macro_rules! attributes {
    ($($NAME:ident $def:expr;)+) => {
        #[expect(non_camel_case_types, reason = "indices, named as constants are")]
        enum Index { $($NAME),+ }

        $(const $NAME: u16 = Index::$NAME as u16;)+

        /// The declarations, in the order of their indices.
        pub(in super::super) fn declared() -> Vec<AttributeDef> {
            vec![$($def),+]
        }
    };
}

attributes! {
    SIDE AttributeDef::new("side", "Side", Reference, &[On::Pieces, On::Cards, On::Kinds]);
    REGION AttributeDef::new("region", "Region", Reference, &[On::Spaces, On::Kinds]);
    SHAPE AttributeDef::new("shape", "Shape", Text, &[On::Spaces]);
    PORT AttributeDef::flag("port", "Port", &[On::Spaces]);
    START AttributeDef::new("start", "Controlled at the start by", Reference, &[On::Spaces]);
    CLASS AttributeDef::new("class", "Class of the Fortress", Number, &[On::Spaces]);
    SURRENDER AttributeDef::new("surrender", "Surrender Value", Number, &[On::Spaces]).unit("points");
    ROOM AttributeDef::new("room", "Room inside", Number, &[On::Spaces, On::Mats]).unit("Brigades");
    NOTABLE AttributeDef::new("notable", "Place of the Local Notable", Reference, &[On::Spaces]);
    INFRASTRUCTURE AttributeDef::new("infrastructure", "Part of", Reference, &[On::Spaces]);
    ROYALIST_DRUMMERS AttributeDef::new("royalist-recruits", "Royalist Brigades recruited here, of", Reference, &[On::Spaces]).many();
    PARLIAMENT_DRUMMERS
        AttributeDef::new("parliament-recruits", "Parliament's Brigades recruited here, of", Reference, &[On::Spaces]).many();
    OF_AREA AttributeDef::new("area", "Area", Reference, &[On::Mats, On::Pieces]);
    AREAS_OF AttributeDef::new("areas", "Areas", Reference, &[On::Mats]).many();
    LETTER AttributeDef::new("letter", "Letter", Text, &[On::Mats]);
    MAJORITY AttributeDef::new("majority", "Controlled with", Number, &[On::Mats]).unit("markers");
    FACTION AttributeDef::new("faction", "Faction", Text, &[On::Kinds, On::Pieces]);
    VALUE AttributeDef::new("combat-value", "Combat Value", Number, &[On::Kinds]);
    COUNTERS AttributeDef::new("counters", "Counters", Number, &[On::Kinds]).unit("counters");
    BACK AttributeDef::new("back", "Back", Reference, &[On::Kinds]);
    ACTIVATION AttributeDef::new("activation", "Strategy Rating against cards", Number, &[On::Pieces]);
    STRATEGY AttributeDef::new("strategy", "Strategy Rating for all else", Number, &[On::Pieces]);
    BATTLE AttributeDef::new("battle", "Battle Rating", Number, &[On::Pieces]);
    HOME AttributeDef::new("home", "Regional General of", Reference, &[On::Pieces]).many();
    LEVEL AttributeDef::new("level", "Level of subordination", Number, &[On::Pieces]);
    LIMIT AttributeDef::new("limit", "Leads at most", Number, &[On::Pieces]).unit("Brigades");
    ASSAULTS AttributeDef::flag("assaults", "May Assault at once", &[On::Pieces]);
    SET_UP AttributeDef::new("set-up", "Begins in", Reference, &[On::Pieces]);
    ARRIVES AttributeDef::new("arrives", "Arrives in Turn", Number, &[On::Pieces]);
    DECK AttributeDef::new("deck", "Deck", Text, &[On::Cards]);
    KIND AttributeDef::new("kind", "Kind", Text, &[On::Cards]);
    OPERATIONS AttributeDef::new("operations", "Operations", Number, &[On::Cards]);
    ACTIVATIONS AttributeDef::new("activations", "Activations", Number, &[On::Cards]).unit("Activations");
    MODIFIER AttributeDef::new("modifier", "Added to the Battle Score", Number, &[On::Cards]).unit("points");
    DECISIVE AttributeDef::flag("decisive", "A Major Victory is Decisive", &[On::Cards]);
    DEFENDER AttributeDef::flag("defender", "For the defender alone", &[On::Cards]);
    RESPONSE AttributeDef::flag("response", "Can be played in the enemy's Activation", &[On::Cards]);
    ONCE AttributeDef::flag("once", "Occurs once a game", &[On::Cards]);
    RECRUITS AttributeDef::new("recruits", "Recruits of a side", Number, &[On::Boxes]).unit("Brigades");
    CARD_RECRUITS
        AttributeDef::new("card-recruits", "Recruits of an Operations Card", Number, &[On::Boxes]).unit("Brigades");
    DISCARD_RECRUITS AttributeDef::new("discard-recruits", "Recruits of a discard", Number, &[On::Boxes]).unit("Brigades");
    POWER_BASE AttributeDef::new("power-base", "Power Base Number", Number, &[On::Boxes]).unit("markers");
    DESERTION AttributeDef::new("desertion", "Desertion Number", Number, &[On::Boxes]).unit("Brigades");
    CHIT AttributeDef::flag("naval-chit", "A Naval Chit is drawn", &[On::Boxes]);
    ARRIVALS AttributeDef::new("arrivals", "Generals who arrive", Reference, &[On::Boxes]).many();
}

pub(in super::super) fn of_area(content: &Content, id: AreaId) -> Vec<Attribute> {
    let area = &content.areas[id];
    let levels = &area.named.levels;
    let mut facts = vec![
        Attribute::new(REGION, area.region.reference(content), levels.of("region")),
        Attribute::new(SHAPE, area.shape.as_str(), levels.of("shape")),
        Attribute::new(PORT, area.port, levels.of("port")),
    ];
    facts.extend(area.start.map(|seat| Attribute::new(START, Ref::Seat(seat), levels.of("start"))));
    if let Some(fortress) = area.fortress.map(|fortress| &content.fortresses[fortress]) {
        let numbers = levels.of_all(&["shape", "class", "surrender"]);
        facts.push(Attribute::new(CLASS, fortress.class, numbers));
        facts.push(Attribute::new(SURRENDER, fortress.surrender, numbers));
        facts.push(Attribute::new(ROOM, fortress.room, numbers));
    }
    facts.extend(area.notable.map(|notable| {
        Attribute::new(NOTABLE, Ref::from(notable), content.notables[notable].named.levels.of("area"))
    }));
    facts.extend(
        area.infrastructure
            .map(|one| Attribute::new(INFRASTRUCTURE, one.reference(content), levels.of("infrastructure"))),
    );
    for (seat, def) in SEATS.into_iter().zip([ROYALIST_DRUMMERS, PARLIAMENT_DRUMMERS]) {
        let regions = area.drummers[seat.index()];
        if !regions.is_empty() {
            let regions = regions.iter().map(|region| region.reference(content));
            facts.push(Attribute::list(def, regions, levels.of("drummers")));
        }
    }
    facts
}

pub(in super::super) fn of_region(region: &Region) -> Vec<Attribute> {
    let levels = &region.named.levels;
    vec![
        Attribute::list(AREAS_OF, region.areas.iter().map(Ref::from), Confidence::Inferred),
        Attribute::new(LETTER, region.letter.to_string(), levels.of("letter")),
        Attribute::new(MAJORITY, region.majority, levels.of("majority")),
    ]
}

pub(in super::super) fn of_infrastructure(one: &Infrastructure) -> Vec<Attribute> {
    vec![Attribute::list(AREAS_OF, one.areas.iter().map(Ref::from), one.named.levels.of("name"))]
}

pub(in super::super) fn of_inside(content: &Content, fortress: FortressId) -> Vec<Attribute> {
    let fortress = &content.fortresses[fortress];
    let level = content.areas[fortress.area].named.levels.of_all(&["shape", "class"]);
    vec![
        Attribute::new(ROOM, fortress.room, level),
        Attribute::new(OF_AREA, Ref::from(fortress.area), Confidence::Official),
    ]
}

/// A face of Brigades; its back is a kind as well.
pub(in super::super) fn of_face(content: &Content, brigade: &Brigade) -> Vec<Attribute> {
    let levels = &brigade.named.levels;
    let back = super::back_kind(content, brigade.faction.back());
    let mut facts = vec![
        Attribute::new(SIDE, Ref::Seat(brigade.faction.seat()), levels.of("faction")),
        Attribute::new(FACTION, brigade.faction.as_str(), levels.of("faction")),
        Attribute::new(VALUE, brigade.value, levels.of("value")),
        Attribute::new(COUNTERS, brigade.count, levels.of("count")),
        Attribute::new(BACK, Ref::Kind(back), levels.of("faction")),
    ];
    facts.extend(
        brigade.region.map(|region| Attribute::new(REGION, region.reference(content), levels.of("region"))),
    );
    facts
}

/// A back of Brigades.
pub(in super::super) fn of_back(seat: Seat, back: BrigadeBack) -> Vec<Attribute> {
    vec![
        Attribute::new(SIDE, Ref::Seat(seat), Confidence::Official),
        Attribute::new(FACTION, back.as_str(), Confidence::Official),
    ]
}

pub(in super::super) fn of_general(content: &Content, general: &General) -> Vec<Attribute> {
    let levels = &general.named.levels;
    let mut facts = vec![
        Attribute::new(SIDE, Ref::Seat(general.side), levels.of("side")),
        Attribute::new(FACTION, general.faction.as_str(), levels.of("faction")),
        Attribute::new(ACTIVATION, general.activation, levels.of("activation")),
        Attribute::new(STRATEGY, general.strategy, levels.of("strategy")),
        Attribute::new(BATTLE, general.battle, levels.of("battle")),
        Attribute::new(LEVEL, general.level, levels.of("level")),
        Attribute::new(LIMIT, general.limit, levels.of("limit")),
        Attribute::new(ASSAULTS, general.assaults, levels.of("assaults")),
    ];
    if general.is_regional() {
        let regions = general.regions.iter().map(|region| region.reference(content));
        facts.push(Attribute::list(HOME, regions, levels.of("regions")));
    }
    let level = levels.of("arrival");
    facts.push(match general.arrival {
        Arrival::Area(area) => Attribute::new(SET_UP, Ref::from(area), level),
        Arrival::Reinforcements => {
            Attribute::new(SET_UP, Ref::Mat(REINFORCEMENT_MATS + general.side.index() as u16), level)
        }
        Arrival::Turn(turn) => Attribute::new(ARRIVES, turn.number(), level),
        Arrival::Event => Attribute::new(SET_UP, Ref::Mat(AWAY), level),
    });
    facts
}

pub(in super::super) fn of_notable(notable: &Notable) -> Vec<Attribute> {
    let levels = &notable.named.levels;
    let at = if notable.at_start { Ref::from(notable.area) } else { Ref::Mat(AWAY) };
    vec![
        Attribute::new(SIDE, Ref::Seat(notable.side), levels.of("side")),
        Attribute::new(OF_AREA, Ref::from(notable.area), levels.of("area")),
        Attribute::new(LIMIT, notable.limit, levels.of("limit")),
        Attribute::new(SET_UP, at, levels.of("at_start")),
    ]
}

/// A piece of a side that is no Leader.
pub(in super::super) fn of_side(seat: Seat) -> Vec<Attribute> {
    vec![Attribute::new(SIDE, Ref::Seat(seat), Confidence::Official)]
}

pub(in super::super) fn of_card(content: &Content, card: &Card) -> Vec<Attribute> {
    let levels = &card.named.levels;
    let mut facts = vec![
        Attribute::new(DECK, card.deck.as_str(), levels.of("deck")),
        Attribute::new(KIND, card.kind.as_str(), levels.of("kind")),
        Attribute::new(RESPONSE, card.response, levels.of("response")),
        Attribute::new(ONCE, card.once, levels.of("once")),
    ];
    facts.extend(card.side.map(|seat| Attribute::new(SIDE, Ref::Seat(seat), levels.of("side"))));
    let level = levels.of("operations");
    match content.lists[card.list].first().map(|step| step.operation) {
        Some(Operation::Operations { value, .. }) => facts.push(Attribute::new(OPERATIONS, value, level)),
        Some(Operation::Campaign { activations, .. }) => {
            facts.push(Attribute::new(ACTIVATIONS, activations, level));
        }
        Some(Operation::Combat { modifier, decisive, defender }) if card.kind == CardKind::Combat => {
            facts.push(Attribute::new(MODIFIER, modifier, level));
            facts.push(Attribute::new(DECISIVE, decisive, level));
            facts.push(Attribute::new(DEFENDER, defender, level));
        }
        _ => {}
    }
    facts
}

pub(in super::super) fn of_turn(turn: &Turn) -> Vec<Attribute> {
    let levels = &turn.named.levels;
    let mut facts = vec![
        Attribute::new(RECRUITS, turn.recruits, levels.of("recruits")),
        Attribute::new(CARD_RECRUITS, turn.card_recruits, levels.of("card_recruits")),
        Attribute::new(DISCARD_RECRUITS, turn.discard_recruits, levels.of("discard_recruits")),
        Attribute::new(POWER_BASE, turn.power_base, levels.of("power_base")),
        Attribute::new(DESERTION, turn.desertion, levels.of("desertion")),
        Attribute::new(CHIT, turn.naval_chit, levels.of("naval_chit")),
    ];
    if !turn.arrivals.is_empty() {
        facts.push(Attribute::list(ARRIVALS, turn.arrivals.iter().map(Ref::from), Confidence::Official));
    }
    facts
}
