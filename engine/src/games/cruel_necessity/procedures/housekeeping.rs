//! Housekeeping: markers go (10.1), Zeal comes in (10.2), a war gives way to the next (10.3).

use crate::event::{Event, Events};
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::content::{BRISTOL, CardKind, HULL, LONDON, OXFORD, Op};
use super::super::frames::Frame;
use super::super::score::score;
use super::super::state::{
    DESPERATE, LICENCE_NEXT, LICENCE_NOW, NONE, OPT_SETTLERS, State, WATCHED, ZEAL_PLACED,
};
use super::super::{CruelNecessity, rules};
use super::tracks::flip_income;

/// Codes of the interim checks, by grade.
const INTERIM: [&str; 8] = [
    "interim_crushing_defeat",
    "interim_decisive_defeat",
    "interim_substantive_defeat",
    "interim_marginal_defeat",
    "interim_minor_victory",
    "interim_moderate_victory",
    "interim_substantive_victory",
    "interim_decisive_victory",
];

impl CruelNecessity {
    /// Ends what ends with the turn (10.1, H1, S9), then sees to settlers (12.4).
    pub(in super::super) fn housekeeping(&self, state: &mut State, out: &mut Events) {
        let watched =
            if rules::WHEN_THE_TURN_ENDS.applies(state.has(WATCHED)) { self.watched(state) } else { None };
        if let Some((army, area)) = watched {
            if state.armies[usize::from(army)].area == area {
                self.disorder(state, usize::from(army), out);
            } else {
                let refs = [Target::Army(army).reference(), Ref::Number(area.into())];
                out.emit(|| Event::new("not_there", rules::WHEN_THE_TURN_ENDS, &refs));
            }
        }
        let scene = self.scene(state, out);
        if rules::MARKERS_OFF.applies(true) {
            state.armies.iter_mut().for_each(|army| army.markers = 0);
            state.drm = [0; 6];
            state.zeal_on = NONE;
        }
        state.forts.iter_mut().for_each(|fort| fort.fortified = 0);
        let licence = state.has(LICENCE_NEXT);
        for flag in [ZEAL_PLACED, DESPERATE[0], DESPERATE[1], LICENCE_NEXT, WATCHED] {
            state.set(flag, false);
        }
        state.set(LICENCE_NOW, rules::FREE_MARKER_NEXT_TURN.applies(licence));
        if rules::SETTLERS.applies(state.opted(OPT_SETTLERS)) {
            state.frames.open(Frame::Settle);
        }
        scene.publish(self, state, out, || Event::new("housekeeping", rules::MARKERS_OFF, &[]));
    }

    /// The Army and the area that the current card looks at when the turn ends.
    pub(in super::super) fn watched(&self, state: &State) -> Option<(u8, u8)> {
        let card = self.content.cards.get(usize::from(state.current))?;
        let CardKind::Event { list } = card.kind else { unreachable!("the current card is an Event") };
        let ops = &self.content.lists[usize::from(list)];
        let options = ops.iter().filter_map(|op| match op {
            Op::Choice { choice } => Some(self.content.choices[usize::from(*choice)].options.clone()),
            _ => None,
        });
        let nested = options.flatten().flat_map(|option| {
            let own = self.content.options[usize::from(option)].1;
            &self.content.lists[usize::from(own)]
        });
        ops.iter().chain(nested).find_map(|op| match *op {
            Op::DisorderIfStillThere { army, area } => Some((army, area)),
            _ => None,
        })
    }

    /// Zeal Points for the next turn (10.2, H2).
    fn income_due(&self, state: &State) -> i8 {
        let zeal = &self.content.numbers.zeal;
        let held = |fort: usize| !state.forts[fort].royalist;
        let london = i8::from(held(LONDON)) * zeal.london as i8;
        let others = [HULL, BRISTOL, OXFORD];
        let others = others.into_iter().filter(|&fort| held(fort)).count() as i8;
        london + others * zeal.fortress as i8 + flip_income(&self.content, state)
    }

    pub(in super::super) fn income(&self, state: &mut State, out: &mut Events) {
        let due = self.income_due(state);
        if rules::INCOME.applies(rules::INCOME_DUE.applies(due != 0)) {
            self.change_zeal(state, due, rules::INCOME, out);
        }
    }

    /// The draw pile of the next war, and the Interim Check (10.3, S11, S12).
    pub(in super::super) fn next_deck(&self, state: &mut State, out: &mut Events) {
        let over = state.current == self.content.ends[usize::from(state.war)][1];
        if !over {
            return;
        }
        let grade = self.grade(state.war, score(&self.content, state));
        let refs = [Ref::Number(i32::from(state.war) + 1), Ref::Number(score(&self.content, state))];
        let scene = self.scene(state, out);
        state.war += u8::from(rules::NEXT_DECK.applies(over));
        if rules::INTERIM_CHECK.applies(over) {
            scene.publish(self, state, out, || Event::new(INTERIM[grade], rules::NEXT_DECK, &refs));
        } else {
            scene.publish(self, state, out, || Event::new("next_war", rules::NEXT_DECK, &refs[..1]));
        }
    }
}
