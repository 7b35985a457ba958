//! The static half: seats, options, board, kinds, action table ([`catalogue`]).

use crate::action::ActionTable;
use crate::catalogue::{Catalogue, Entry, KindDef, ScenarioDef, SeatDef, SpaceDef};
use crate::content::{Confidence, ContentHash};
use crate::ledger::Ledger;
use crate::setup::{OptionDef, OptionKind};

use super::content::Numbers;
use super::phrases::PHRASES;
use super::realm::Realm;

/// Counts changes of the rules, of the encoding and of the action table.
const RULES_VERSION: u32 = 1;

/// The catalogue of a content set.
pub(super) fn catalogue(
    realm: &Realm,
    numbers: &Numbers,
    content: ContentHash,
    ledger: Ledger,
    actions: ActionTable,
) -> Catalogue {
    let house = |id: &str, name: &str| Entry::new(id, name, Confidence::House);
    let page = |id: &str, name: &str| Entry::new(id, name, Confidence::Official);
    let [min, max, default] = numbers.seasons.map(i32::from);
    Catalogue {
        id: super::EnglishCivilWar::ID,
        title: "English Civil War IIa",
        summary: "King against Parliament with sealed orders: a Diplomacy variant for two with stacks, leaders and influence.",
        rules_version: RULES_VERSION,
        content,
        seats: vec![
            SeatDef { id: "royalist", name: "the Royalists" },
            SeatDef { id: "parliament", name: "Parliament" },
        ],
        scenarios: vec![ScenarioDef { id: "war", title: "The whole war, from December 1642", seats: 2 }],
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
        map_unit: "a hundredth of a degree of longitude or latitude",
        spaces: spaces(realm),
        mats: vec![page("unplaced", "leaders to be placed"), page("captured", "captured leaders")],
        tracks: vec![page("calendar", "the calendar, in months since the first season")],
        piles: Vec::new(),
        kinds: vec![
            KindDef { entry: page("army", "army"), back: false },
            KindDef { entry: page("leader", "leader"), back: false },
        ],
        pieces: realm.leaders.iter().map(|one| Entry::new(&one.id, &one.name, one.badge)).collect(),
        cards: Vec::new(),
        markers: vec![
            page("bias", "rating: above 0 Royalist, below 0 Parliament"),
            page("owner", "regular centre of the Royalists (1) or of Parliament (-1)"),
            page("centre", "centre dedicated to the Royalists (1) or to Parliament (-1)"),
            page("points", "saved points of influence"),
            page("clock", "months that a leader has stood towards a centre"),
            page("calendar", "the present month"),
            house("fund", "points written for this space"),
            house("remove", "removals written for this space"),
            house("build", "a build written for this space"),
        ],
        arrows: vec![
            page("move", "move"),
            page("merge", "merge"),
            page("support", "support"),
            page("hold", "hold"),
            page("retreat", "retreat, or disbanding where it stands"),
            house("may_retreat", "a retreat that is open"),
            house("place", "a leader's start as it is written"),
        ],
        flags: vec!["dislodged"],
        actions,
        phrases: PHRASES.iter().copied().collect(),
        ledger,
        phase_ends: vec!["influence_shown", "adjustments_shown", "orders_shown", "retreats_shown"],
    }
}

fn spaces(realm: &Realm) -> Vec<SpaceDef> {
    let space = |space| {
        let county = realm.county(space);
        SpaceDef {
            entry: Entry::new(&county.id, &county.name, county.badge),
            region: String::new(),
            x: county.label.0,
            y: county.label.1,
            links: realm.near(space).iter().map(|near| (near.index() as u16, "")).collect(),
        }
    };
    realm.spaces().map(space).collect()
}
