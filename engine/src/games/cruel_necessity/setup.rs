//! Set-ups: scenarios, options, and the state before the first card (3.0, B.0).

use crate::flow::Frames;
use crate::setup::{OptionDef, OptionKind, Setup};

use super::content::{ARMIES, FORTS, KINDS_MAX, REVOLTS, TRACKS};
use super::state::line::Battle;
use super::state::{
    Army, Fort, NONE, OPT_FORTIFY_LIMIT, OPT_LEAGUE, OPT_LICENSING_3, OPT_NUMERICAL, OPT_QUICK,
    OPT_RECONNAISSANCE, OPT_SETTLERS, OPT_STRIKE, OXFORD_PERMITTED, State,
};
use super::{CruelNecessity, rules};

/// Scenarios: id, title, first and last war (B.0, C1).
pub(super) const SCENARIOS: [(&str, &str, u8, u8); 6] = [
    ("whole-war", "The whole war", 0, 2),
    ("first", "First Civil War", 0, 0),
    ("second", "Second Civil War", 1, 1),
    ("third", "Third Civil War", 2, 2),
    ("first-second", "First and Second Civil War", 0, 1),
    ("second-third", "Second and Third Civil War", 1, 2),
];

/// The first and the last war of a setup.
pub(super) fn wars(setup: &Setup) -> (u8, u8) {
    let (_, _, first, last) = SCENARIOS[setup.scenario().min(SCENARIOS.len() - 1)];
    (first, last)
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
        let (first, last) = rules::WARS_OF_A_SCENARIO.gives(wars(setup), (0, 2));
        let bits = [
            OPT_NUMERICAL,
            OPT_LICENSING_3,
            OPT_FORTIFY_LIMIT,
            OPT_RECONNAISSANCE,
            OPT_LEAGUE,
            OPT_QUICK,
            OPT_SETTLERS,
            OPT_STRIKE,
        ];
        let chosen = bits.iter().enumerate().filter(|&(index, &bit)| {
            let number = setup.option(index);
            if bit == OPT_LICENSING_3 { number == 3 } else { number != 0 }
        });
        let options = chosen.fold(0, |set, (_, bit)| set | bit);
        // A war that begins later has a set-up of its own (B.0).
        let begins = rules::SCENARIOS.gives(usize::from(first), 0);
        let start = &self.content.numbers.starts[begins];
        let mut pool = [0u8; KINDS_MAX];
        for (kind, formation) in self.content.formations.iter().enumerate() {
            let named = start.named & 1 << kind != 0;
            let there = !formation.is_named || formation.royalist || named;
            pool[kind] = if there { formation.count } else { 0 };
        }
        for &kind in &start.removed {
            pool[usize::from(kind)] = pool[usize::from(kind)].saturating_sub(1);
        }
        let cards = (1u32 << self.content.battle_cards.len()) - 1;
        let removed_cards = rules::CARDS_OUT_OF_THE_THIRD_WAR.gives(start.removed_cards, 0);
        let army = |army: usize| Army {
            area: start.areas[army],
            disordered: false,
            markers: 0,
            counter: start.counters[army],
        };
        let fort = |fort: usize| Fort {
            royalist: start.royalist & 1 << fort != 0,
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
            current: NONE,
            zeal: start.zeal.min(self.content.numbers.zeal.max),
            seen: start.scored | start.available | start.discarded,
            available: start.available,
            scored: start.scored,
            flags: if permitted { OXFORD_PERMITTED } else { 0 },
            tracks: std::array::from_fn::<u8, TRACKS, _>(|track| start.boxes[track]),
            drm: [0; TRACKS],
            troubles: start.troubles,
            armies: std::array::from_fn::<Army, ARMIES, _>(army),
            forts: std::array::from_fn::<Fort, FORTS, _>(fort),
            zeal_on: NONE,
            revolts: [0; REVOLTS],
            deviltry: start.deviltry,
            found: 0,
            waiting: 0,
            pool,
            recovery: 0,
            battle_deck: cards as u16 & !removed_cards,
            battle_hand: 0,
            battle_discard: 0,
            shuffles: 0,
            battle: Battle::default(),
            frames: Frames::default(),
            verdict: None,
        }
    }
}
