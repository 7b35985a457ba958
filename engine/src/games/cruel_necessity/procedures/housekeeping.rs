//! Housekeeping: markers go (10.1), Zeal comes in (10.2), a war gives way to the next (10.3).

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::content::{ArmyId, BRISTOL, CardKind, FortId, HULL, LONDON, OXFORD, Op, TRACKS, WarId};
use super::super::frames::Frame;
use super::super::score::score;
use super::super::state::{Flags, Options, State};
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
        let watched = if rules::WHEN_THE_TURN_ENDS.applies(state.has(Flags::WATCHED)) {
            self.watched(state)
        } else {
            None
        };
        if let Some((army, area)) = watched {
            if state.armies[army].area == area {
                self.disorder(state, army, out);
            } else {
                let refs = [Target::Army(army).reference(), Ref::Number(area.into())];
                out.emit(|| Event::new("not_there", rules::WHEN_THE_TURN_ENDS, &refs));
            }
        }
        let scene = self.scene(state, out);
        if rules::MARKERS_OFF.applies(true) {
            state.armies.iter_mut().for_each(|army| army.markers = 0);
            state.drm = [0; TRACKS];
            state.zeal_on = None;
        }
        state.forts.iter_mut().for_each(|fort| fort.fortified = 0);
        let licence = state.has(Flags::LICENCE_NEXT);
        let of_the_turn = Flags::ZEAL_PLACED
            | Flags::DESPERATE_PARLIAMENT
            | Flags::DESPERATE_PURITANISM
            | Flags::LICENCE_NEXT
            | Flags::WATCHED;
        state.set(of_the_turn, false);
        state.set(Flags::LICENCE_NOW, rules::FREE_MARKER_NEXT_TURN.applies(licence));
        if rules::SETTLERS.applies(state.opted(Options::SETTLERS)) {
            state.frames.open(Frame::Settle);
        }
        scene.publish(self, state, out, || Event::new("housekeeping", rules::MARKERS_OFF, &[]));
    }

    /// The Army and the area that the current card looks at when the turn ends.
    pub(in super::super) fn watched(&self, state: &State) -> Option<(ArmyId, u8)> {
        let CardKind::Event { list } = self.content.cards[state.current?].kind else {
            unreachable!("the current card is an Event")
        };
        let ops = &self.content.lists[list];
        let options = ops.iter().filter_map(|op| match op {
            Op::Choice { choice } => Some(self.content.choices[*choice].options),
            _ => None,
        });
        let nested = options.flatten().flat_map(|option| {
            let own = self.content.options[option].1;
            &self.content.lists[own]
        });
        ops.iter().chain(nested).find_map(|op| match *op {
            Op::DisorderIfStillThere { army, area } => Some((army, area)),
            _ => None,
        })
    }

    /// Zeal Points for the next turn (10.2, H2).
    fn income_due(&self, state: &State) -> i8 {
        let zeal = &self.content.numbers.zeal;
        let held = |fort: FortId| !state.forts[fort].royalist;
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
        let over = state.current == Some(self.content.ends[state.war][1]);
        if !over {
            return;
        }
        let grade = self.grade(state.war, score(&self.content, state));
        let refs = [state.war.reference(&self.content), Ref::Number(score(&self.content, state))];
        let scene = self.scene(state, out);
        state.war = rules::NEXT_DECK.gives(WarId::new(state.war.index() + 1), state.war);
        if rules::INTERIM_CHECK.applies(over) {
            scene.publish(self, state, out, || Event::new(INTERIM[grade], rules::NEXT_DECK, &refs));
        } else {
            scene.publish(self, state, out, || Event::new("next_war", rules::NEXT_DECK, &refs[..1]));
        }
    }
}
