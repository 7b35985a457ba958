//! Achievements that are purchased (8.2).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{FORTS, TRACKS};
use super::super::frames::Frame;
use super::super::state::{OPT_LICENSING_3, State, WON_BEFORE, WON_NOW};
use super::super::{CruelNecessity, rules};
use super::fortresses::fort_value;
use super::tracks::grade;

/// The card whose price is an option (O1): the Licensing Order.
const LICENSING: u8 = 21 - 1;

impl CruelNecessity {
    /// Returns the cost of an Achievement.
    pub(in super::super) fn price(&self, state: &State, achievement: usize) -> u8 {
        let achievement = &self.content.achievements[achievement];
        let optional = achievement.card == LICENSING && state.opted(OPT_LICENSING_3);
        let dearer = rules::LICENSING_PRICE.applies(optional);
        if dearer { achievement.cost + 1 } else { achievement.cost }
    }

    /// Achievements in the boxes.
    pub(in super::super) fn offer_purchases(&self, state: &State, offer: &mut impl FnMut(Action)) {
        for (index, achievement) in self.content.achievements.iter().enumerate() {
            if state.available & 1 << achievement.card != 0 {
                offer(Action::Purchase(index as u8));
            }
        }
    }

    pub(in super::super) fn examine_purchase(
        &self,
        state: &State,
        index: usize,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let achievement = &self.content.achievements[index];
        let card = Ref::Card(achievement.card.into());
        let available = state.available & 1 << achievement.card != 0;
        why.demand(available, rules::PURCHASE, "NOT_AVAILABLE", &[card])?;
        let price = self.price(state, index);
        why.require(state.zeal >= price, rules::PRICE, "TOO_DEAR", &[card, Ref::Number(price.into())])?;
        for track in 0..TRACKS {
            let good = grade(&self.content, state, track) <= achievement.grades[track];
            why.require(good, rules::PURCHASE, "GRADE_TOO_LOW", &[card, Ref::Track(track as u16)])?;
        }
        let won = !achievement.battle_won || state.has(WON_NOW | WON_BEFORE);
        why.require(won, rules::BATTLE_WON, "NO_BATTLE_WON", &[card])?;
        for fort in 0..FORTS {
            let least = achievement.fortresses[fort] as i8;
            let held = !state.forts[fort].royalist && fort_value(&self.content, state, fort) >= least;
            let refs = [card, Target::Fort(fort as u8).reference()];
            why.require(least == 0 || held, rules::FORTRESS_HELD, "FORTRESS_TOO_WEAK", &refs)?;
        }
        ControlFlow::Continue(())
    }

    /// The whole price at once, then the effect (P4).
    pub(in super::super) fn apply_purchase(&self, state: &mut State, index: usize, out: &mut Events) {
        let achievement = &self.content.achievements[index];
        self.pay(state, self.price(state, index), out);
        let scene = self.scene(state, out);
        state.available &= !(1 << achievement.card);
        state.scored |= 1 << achievement.card;
        let refs = [Ref::Card(achievement.card.into()), Ref::Number(achievement.vp.into())];
        scene.publish(self, state, out, || Event::new("purchased", rules::PURCHASE, &refs));
        if rules::PURCHASE.applies(rules::PRICE.applies(true)) {
            state.frames.open(Frame::Items { list: achievement.list, next: 0 });
        }
    }
}
