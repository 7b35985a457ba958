//! Set-ups: scenarios, options, and the state before the first card (3.0, B.0).

use crate::flow::Frames;
use crate::numbered::{Listed, SetOf};
use crate::setup::{OptionDef, OptionKind, Setup};

use super::content::{FormationId, FortId, KINDS_MAX, REVOLTS, TRACKS, WARS, WarId};
use super::state::line::Battle;
use super::state::{Army, Flags, Fort, Options, State};
use super::{CruelNecessity, rules};

/// Scenarios: id, title, first and last war (B.0, C1).
pub(super) const SCENARIOS: [(&str, &str, usize, usize); 6] = [
    ("whole-war", "The whole war", 0, 2),
    ("first", "First Civil War", 0, 0),
    ("second", "Second Civil War", 1, 1),
    ("third", "Third Civil War", 2, 2),
    ("first-second", "First and Second Civil War", 0, 1),
    ("second-third", "Second and Third Civil War", 1, 2),
];

/// The first and the last war of a setup.
pub(super) fn wars(setup: &Setup) -> (WarId, WarId) {
    let (_, _, first, last) = SCENARIOS[setup.scenario().min(SCENARIOS.len() - 1)];
    (WarId::new(first), WarId::new(last))
}

/// The options, in the order of their bits.
pub(super) fn options() -> Vec<OptionDef> {
    let flag = |id, title| OptionDef { id, title, kind: OptionKind::Flag, default: 0 };
    vec![
        flag("numerical-order", "Cards come in numerical order (3.0)"),
        OptionDef {
            id: "licensing-cost",
            title: "What the Licensing Order costs: 2 by its card, 3 by the example (O1)",
            kind: OptionKind::Number { min: 2, max: 3 },
            default: 2,
        },
        flag("fortify-limit", "At most 2 paid clicks a turn for each fortress (O2)"),
        flag("limited-reconnaissance", "An Army must be found before a Campaign (12.1)"),
        flag("catholic-league", "The Catholic League may intervene in Ireland (12.2)"),
        flag("quick-combat", "Battles may be resolved quickly (12.3)"),
        flag("english-settlers", "English settlers may be sent to Ireland and Scotland (12.4)"),
        flag("hot-iron", "One free strike at an Army in its area 5 (12.5)"),
    ]
}

impl CruelNecessity {
    /// The state before the first card.
    pub(super) fn set_up(&self, setup: &Setup) -> State {
        let (first, last) =
            rules::WARS_OF_A_SCENARIO.gives(wars(setup), (WarId::new(0), WarId::new(WARS - 1)));
        let chosen = |(index, option): (usize, Options)| {
            let number = setup.option(index);
            let chosen = if option == Options::LICENSING_3 { number == 3 } else { number != 0 };
            chosen.then_some(option)
        };
        let options = Options::all().iter().enumerate().filter_map(chosen).collect();
        // A war that begins later has a set-up of its own (B.0).
        let begins = rules::SCENARIOS.gives(first, WarId::new(0));
        let start = &self.content.numbers.starts[begins];
        let mut pool = [0u8; KINDS_MAX];
        for kind in FormationId::all(&self.content) {
            let formation = &self.content.formations[kind];
            let named = start.named.contains(kind);
            let there = !formation.is_named || formation.royalist || named;
            pool[kind] = if there { formation.count } else { 0 };
        }
        for &kind in &start.removed {
            pool[kind] = pool[kind].saturating_sub(1);
        }
        let removed_cards = rules::CARDS_OUT_OF_THE_THIRD_WAR.gives(start.removed_cards, SetOf::EMPTY);
        let army =
            |army: usize| Army { area: start.areas[army], counter: start.counters[army], ..Army::default() };
        let fort = |fort: usize| Fort {
            royalist: start.royalist.contains(FortId::new(fort)),
            click: start.clicks[fort],
            fortified: 0,
        };
        let permitted = rules::OXFORD_LATER.applies(start.oxford_permitted);
        State {
            options,
            first,
            last,
            war: first,
            turn: 0,
            current: None,
            zeal: start.zeal.min(self.content.numbers.zeal.max),
            seen: start.scored | start.available | start.discarded,
            available: start.available,
            scored: start.scored,
            flags: if permitted { Flags::OXFORD_PERMITTED } else { Flags::empty() },
            tracks: start.boxes,
            drm: [0; TRACKS],
            troubles: start.troubles,
            armies: std::array::from_fn(army),
            forts: std::array::from_fn(fort),
            zeal_on: None,
            revolts: [None; REVOLTS],
            deviltry: start.deviltry,
            found: SetOf::EMPTY,
            waiting: SetOf::EMPTY,
            pool,
            recovery: SetOf::EMPTY,
            battle_deck: SetOf::first_of(self.content.battle_cards.len()) - removed_cards,
            battle_hand: SetOf::EMPTY,
            battle_discard: SetOf::EMPTY,
            shuffles: 0,
            battle: Battle::default(),
            frames: Frames::default(),
            verdict: None,
        }
    }
}
