//! The static half: seats, options, board, kinds, action table ([`catalogue`]).

mod attributes;
mod boards;
mod charts;
mod roles;
mod texts;

use crate::action::ActionTable;
use crate::catalogue::{
    CatalogEntry, Catalogue, KindDef, MarkerDef, MarkerPriority, ScenarioDef, SeatDef, ValueName,
};
use crate::content::{Confidence, ContentHash};
use crate::ledger::Ledger;
use crate::reference::Ref;
use crate::seat::Seat;
use crate::setup::{OptionDef, OptionKind};

use super::content::{Numbers, Printed};
use super::phrases::PHRASES;
use super::realm::{Realm, SIDES, all_leaders, sign};

/// Counts changes of the rules, of the encoding and of the action table.
const RULES_VERSION: u32 = 2;

/// The catalogue of a content set.
pub(super) fn catalogue(
    realm: &Realm,
    numbers: &Numbers,
    printed: &Printed,
    content: ContentHash,
    ledger: Ledger,
    actions: ActionTable,
) -> Catalogue {
    let house = |id: &str, name: &str| CatalogEntry::new(id, name, Confidence::House);
    let page = |id: &str, name: &str| CatalogEntry::new(id, name, Confidence::Official);
    let [min, max, default] = numbers.seasons.map(i32::from);
    Catalogue {
        id: super::EnglishCivilWar::ID,
        title: "English Civil War IIa",
        summary: "King against Parliament with sealed orders: a Diplomacy variant for two with stacks, leaders and influence.",
        rules_version: RULES_VERSION,
        content,
        seats: seats().to_vec(),
        sides: Vec::new(),
        scenarios: vec![ScenarioDef::won_or_lost("war", "The whole war, from December 1642", 2)],
        options: vec![
            OptionDef {
                id: "max_seasons",
                title: "how many points/build seasons are played before the stronger side wins",
                kind: OptionKind::Number { min, max },
                default,
            },
            OptionDef {
                id: "cut_all",
                title: "whether an attack that cuts at all cuts the whole supporting part",
                kind: OptionKind::Flag,
                default: 0,
            },
        ],
        attributes: attributes::declared(),
        boards: boards::boards(realm, numbers, printed),
        space_kinds: boards::space_kinds(),
        adjacency_kinds: Vec::new(),
        spaces: boards::spaces(realm, printed),
        mats: boards::mats(),
        tracks: boards::tracks(numbers, printed),
        grades: Vec::new(),
        piles: Vec::new(),
        kinds: vec![
            KindDef::new(
                page("army", "army")
                    .with_rules_text(texts::army(&printed.figures))
                    .with_attributes(attributes::of_army(&printed.figures)),
                false,
            )
            .with_short_label("A"),
            KindDef::new(
                page("leader", "leader")
                    .with_rules_text(texts::leader_kind(numbers, &printed.figures))
                    .with_attributes(attributes::of_leaders(&printed.figures)),
                false,
            )
            .with_short_label("L"),
        ],
        pieces: all_leaders()
            .map(|id| {
                let leader = &realm.leaders[id.index()];
                CatalogEntry::new(&leader.id, &leader.name, leader.confidence)
                    .with_rules_text(texts::leader(numbers, &printed.figures, id, leader))
                    .with_attributes(attributes::of_leader(realm, printed, id))
            })
            .collect(),
        cards: Vec::new(),
        markers: markers(),
        arrows: vec![
            page("move", "move"),
            page("merge", "merge"),
            page("support", "support"),
            page("hold", "hold"),
            page("retreat", "retreat, or disbanding where it stands"),
            house("may_retreat", "a retreat that is open"),
            house("place", "a leader's start as it is written"),
        ],
        arrow_results: roles::results(),
        charts: charts::charts(numbers, printed),
        procedures: roles::procedures(),
        roles: roles::roles(),
        flags: vec!["dislodged"],
        actions,
        phrases: PHRASES.iter().copied().collect(),
        ledger,
        phase_ends: vec!["influence_shown", "adjustments_shown", "orders_shown", "retreats_shown"],
    }
}

fn seats() -> [SeatDef; 2] {
    [
        SeatDef { id: "royalist", name: "the Royalists", color: "#b3262e", emblem: "crown" },
        SeatDef { id: "parliament", name: "Parliament", color: "#d8902f", emblem: "portcullis" },
    ]
}

fn markers() -> Vec<MarkerDef> {
    use Confidence::{House, Official};
    use MarkerPriority::{Bookkeeping, Position, Status};
    let kind = |id, label: &str, name, confidence, priority, unit| {
        let entry = CatalogEntry::new(id, name, confidence);
        MarkerDef { entry, priority, unit, short_label: label.to_owned() }
    };
    let sided = |id, label: &str, name, confidence| {
        let side =
            |(side, seat): (Seat, SeatDef)| ValueName::of(sign(side).into(), seat.name, Ref::Seat(side));
        let values = SIDES.into_iter().zip(seats()).map(side).collect();
        let entry = CatalogEntry::new(id, name, confidence).with_values(values);
        MarkerDef { entry, priority: Status, unit: "", short_label: label.to_owned() }
    };
    vec![
        kind("bias", "±", "rating: above 0 Royalist, below 0 Parliament", Official, Status, "points"),
        sided("owner", "reg", "regular centre", Official),
        sided("centre", "ded", "dedicated centre", Official),
        kind("points", "pts", "saved points of influence", Official, Status, "points"),
        kind("clock", "clk", "months that a leader has stood towards a centre", Official, Status, "months"),
        kind("calendar", "mon", "the present month", Official, Position, "months"),
        kind("fund", "fnd", "points written for this space", House, Bookkeeping, "points"),
        kind("remove", "rem", "removals written for this space", House, Bookkeeping, "armies"),
        kind("build", "bld", "a build written for this space", House, Bookkeeping, "armies"),
        kind("score", "uts", "units on the board, armies and leaders", House, Status, "units"),
        kind("victory", "win", "units that would win at once", House, Status, "units"),
    ]
}
