//! Achievements that are purchased (8.2).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::catalogue::names;
use super::super::content::{AchievementId, CardId, FortId, TrackId};
use super::super::frames::Frame;
use super::super::state::{Flags, Options, State};
use super::super::{CruelNecessity, rules};
use super::fortresses::fort_value;
use super::tracks::grade;

/// The card whose price is an option (O1): the Licensing Order.
const LICENSING: CardId = CardId::new(21 - 1);

impl CruelNecessity {
    /// Returns the cost of an Achievement.
    pub(in super::super) fn price(&self, state: &State, achievement: AchievementId) -> u8 {
        let achievement = &self.content.achievements[achievement];
        let optional = achievement.card == LICENSING && state.opted(Options::LICENSING_3);
        let dearer = rules::LICENSING_PRICE.applies(optional);
        if dearer { achievement.cost + 1 } else { achievement.cost }
    }

    /// Achievements in the boxes.
    pub(in super::super) fn offer_purchases(&self, state: &State, offer: &mut impl FnMut(Action)) {
        let achievement = |card| self.content.achievement(card).expect("an Achievement is in a box");
        state.available.iter().for_each(|card| offer(Action::Purchase(achievement(card))));
    }

    pub(in super::super) fn examine_purchase(
        &self,
        state: &State,
        id: AchievementId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let achievement = &self.content.achievements[id];
        let card = names::card_ref(achievement.card);
        let available = state.available.contains(achievement.card);
        why.demand(available, rules::PURCHASE, "NOT_AVAILABLE", &[card])?;
        let price = self.price(state, id);
        why.require(state.zeal >= price, rules::PRICE, "TOO_DEAR", &[card, Ref::Number(price.into())])?;
        for track in TrackId::all(&self.content) {
            let good = grade(&self.content, state, track) <= achievement.grades[track];
            why.require(good, rules::PURCHASE, "GRADE_TOO_LOW", &[card, Target::Track(track).reference()])?;
        }
        let won = !achievement.battle_won || state.has(Flags::WON_NOW | Flags::WON_BEFORE);
        why.require(won, rules::BATTLE_WON, "NO_BATTLE_WON", &[card])?;
        for fort in FortId::all(&self.content) {
            let least = achievement.fortresses[fort] as i8;
            let held = !state.forts[fort].royalist && fort_value(&self.content, state, fort) >= least;
            let refs = [card, Target::Fort(fort).reference()];
            why.require(least == 0 || held, rules::FORTRESS_HELD, "FORTRESS_TOO_WEAK", &refs)?;
        }
        ControlFlow::Continue(())
    }

    /// The whole price at once, then the effect (P4).
    pub(in super::super) fn apply_purchase(
        &self,
        state: &mut State,
        achievement: AchievementId,
        out: &mut Events,
    ) {
        self.pay(state, self.price(state, achievement), out);
        let achievement = &self.content.achievements[achievement];
        let scene = self.scene(state, out);
        state.available.remove(achievement.card);
        state.scored.insert(achievement.card);
        let refs = [names::card_ref(achievement.card), Ref::Number(achievement.vp.into())];
        scene.publish(self, state, out, || Event::new("purchased", rules::PURCHASE, &refs));
        if rules::PURCHASE.applies(rules::PRICE.applies(true)) {
            state.frames.open(Frame::Items { list: achievement.list, next: 0 });
        }
    }
}
