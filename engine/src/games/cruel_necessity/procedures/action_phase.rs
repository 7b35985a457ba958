//! The Action Phase: which actions are legal, and what each begins (8.0 to 8.8, 12.5).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, TARGETS, Target};
use super::super::content::{FORTS, LONDON, RewardEffect, T_PARLIAMENT, T_PURITANISM, TRACKS};
use super::super::frames::{Cost, Frame};
use super::super::state::{
    BOTTOM, DESPERATE, LICENCE_NOW, OPT_FORTIFY_LIMIT, OPT_LICENSING_3, OPT_RECONNAISSANCE, OPT_STRIKE,
    STRUCK, State, TOP, WON_BEFORE, WON_NOW, ZEAL_PLACED,
};
use super::super::{CruelNecessity, rules};
use super::armies::{barred_by_revolt, eligible_revolt, fort_barred, fort_value, in_front, permitted};
use super::tracks::{grade, london_barred};

/// The card whose price is an option (O1): the Licensing Order.
const LICENSING: u8 = 21 - 1;
/// The tracks that a Desperate Act lowers.
pub(in super::super) const DESPERATE_TRACKS: [usize; 2] = [T_PARLIAMENT, T_PURITANISM];
/// Clicks a turn and fortress, where they are limited (O2).
const FORTIFY_LIMIT: u8 = 2;

impl CruelNecessity {
    /// Returns the cost of an Achievement.
    pub(in super::super) fn price(&self, state: &State, achievement: usize) -> u8 {
        let achievement = &self.content.achievements[achievement];
        let optional = achievement.card == LICENSING && state.opted(OPT_LICENSING_3);
        let dearer = rules::LICENSING_PRICE.applies(optional);
        if dearer { achievement.cost + 1 } else { achievement.cost }
    }

    /// Returns whether the Zeal marker can be placed there (P2).
    pub(in super::super) fn target_is_there(&self, state: &State, target: Target) -> bool {
        match target {
            Target::Army(_) | Target::Track(_) => true,
            Target::Fort(fort) => state.forts[usize::from(fort)].royalist,
            Target::Revolt(revolt) => state.revolts[usize::from(revolt)] != 0,
            Target::Deviltry(marker) => state.deviltry & 1 << marker != 0,
        }
    }

    /// Returns whether a Campaign against an Army is not barred and could change something (G4, P9, P16).
    pub(in super::super) fn campaign_makes_sense(&self, state: &State, army: usize) -> bool {
        let unit = &state.armies[army];
        let settled = unit.disordered && unit.area == 5;
        !settled && !barred_by_revolt(state, army)
    }

    pub(in super::super) fn offer_action_phase(&self, state: &State, offer: &mut impl FnMut(Action)) {
        let paid = state.zeal > 0;
        if !state.has(ZEAL_PLACED) {
            let free = state.has(LICENCE_NOW);
            for target in (0..TARGETS as u8).map(Target::of).filter(|&t| self.target_is_there(state, t)) {
                if free {
                    offer(Action::InfuseFree(target));
                } else if paid {
                    offer(Action::Infuse(target));
                }
            }
        }
        for (index, achievement) in self.content.achievements.iter().enumerate() {
            if state.available & 1 << achievement.card != 0 {
                offer(Action::Purchase(index as u8));
            }
        }
        if paid {
            (0..4).for_each(|army| offer(Action::Campaign(Target::Army(army))));
            (0..8)
                .filter(|marker| state.deviltry & 1 << marker != 0)
                .for_each(|marker| offer(Action::Campaign(Target::Deviltry(marker))));
            for fort in (0..FORTS as u8).filter(|&fort| state.forts[usize::from(fort)].royalist) {
                offer(Action::Besiege(Target::Fort(fort)));
            }
            for revolt in (0..4u8).filter(|&revolt| state.revolts[usize::from(revolt)] != 0) {
                offer(Action::Besiege(Target::Revolt(revolt)));
            }
            for fort in (0..FORTS as u8).filter(|&fort| !state.forts[usize::from(fort)].royalist) {
                offer(Action::Fortify(fort));
            }
            (0..TRACKS as u8).for_each(|track| offer(Action::Politics(track)));
        }
        if state.waiting != 0 {
            self.actions.uses().iter().for_each(|&action| offer(action));
        }
        (0..2).for_each(|which| offer(Action::Desperate(which)));
        if state.opted(OPT_STRIKE) && !state.has(STRUCK) {
            (0..4).for_each(|army| offer(Action::Strike(army)));
        }
        offer(Action::Pass);
    }

    pub(in super::super) fn examine_action_phase(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let named = |target: Target| [target.reference()];
        match action {
            Action::Infuse(target) => {
                // Paid for, it would forfeit the free placement that waits.
                why.require(!state.has(LICENCE_NOW), rules::FREE_MARKER_NEXT_TURN, "PLACEMENT_IS_FREE", &[])?;
                self.pays(state, why)?;
                self.examine_marker(state, target, why)
            }
            Action::InfuseFree(target) => {
                why.demand(state.has(LICENCE_NOW), rules::FREE_MARKER_NEXT_TURN, "NO_FREE_MARKER", &[])?;
                self.examine_marker(state, target, why)
            }
            Action::Purchase(index) => self.examine_purchase(state, usize::from(index), why),
            Action::Campaign(Target::Deviltry(marker)) => {
                let there = state.deviltry & 1 << marker != 0;
                why.demand(there, rules::EXORCISE, "NOT_ON_THE_MAP", &named(Target::Deviltry(marker)))?;
                self.pays(state, why)
            }
            Action::Campaign(target) => {
                let army = usize::from(target.number());
                self.pays(state, why)?;
                let unit = &state.armies[army];
                let changes = !(unit.disordered && unit.area == 5);
                why.require(changes, rules::NOT_IDLE, "NOTHING_TO_WIN", &named(target))?;
                let free = !barred_by_revolt(state, army);
                why.require(free, rules::REVOLTS, "REVOLT_FIRST", &named(target))
            }
            Action::Besiege(Target::Revolt(revolt)) => {
                let there = state.revolts[usize::from(revolt)] != 0;
                why.demand(there, rules::REVOLTS, "NOT_ON_THE_MAP", &named(Target::Revolt(revolt)))?;
                let eligible = eligible_revolt(state, usize::from(revolt));
                why.require(
                    eligible,
                    rules::REVOLTS_IN_REACH,
                    "BEHIND_THE_LINES",
                    &named(Target::Revolt(revolt)),
                )?;
                self.pays(state, why)
            }
            Action::Besiege(target) => {
                self.examine_siege(state, usize::from(target.number() - 4), why)?;
                self.pays(state, why)
            }
            Action::Fortify(fort) => self.examine_fortify(state, usize::from(fort), why),
            Action::Politics(track) => {
                self.pays(state, why)?;
                self.below_top(state, track, why)
            }
            Action::UsePolitics(reward) => {
                self.holds(state, reward, why)?;
                self.below_top(state, self.track_of_reward(reward), why)
            }
            Action::UseSiege(reward, fort) => {
                self.holds(state, reward, why)?;
                self.examine_siege(state, usize::from(fort), why)
            }
            Action::Desperate(which) => {
                let track = DESPERATE_TRACKS[usize::from(which)];
                let refs = [Ref::Track(track as u16)];
                let done = state.has(DESPERATE[usize::from(which)]);
                why.require(!done, rules::DESPERATE_TIMES, "DESPERATE_ALREADY", &refs)?;
                why.require(
                    state.tracks[track] != BOTTOM,
                    rules::DESPERATE_AT_THE_BOTTOM,
                    "AT_THE_BOTTOM",
                    &refs,
                )?;
                let most = self.content.numbers.zeal.max;
                why.require(state.zeal < most, rules::NOT_IDLE, "ZEAL_FULL", &[])
            }
            Action::Strike(army) => {
                why.demand(state.opted(OPT_STRIKE), rules::STRIKE_TARGETS, "OPTION_OFF", &[])?;
                why.require(!state.has(STRUCK), rules::STRIKE, "STRUCK_ALREADY", &[])?;
                let army = usize::from(army);
                let far = state.armies[army].area == 5;
                why.require(far, rules::STRIKE, "NOT_IN_AREA_5", &named(Target::Army(army as u8)))?;
                let free = !barred_by_revolt(state, army);
                why.require(free, rules::STRIKE_TARGETS, "REVOLT_FIRST", &named(Target::Army(army as u8)))
            }
            Action::Pass => ControlFlow::Continue(()),
            _ => why.refuse(rules::ACTIONS, "NOT_NOW"),
        }
    }

    /// An action costs a Zeal Point (8.0).
    fn pays(&self, state: &State, why: &mut Why) -> ControlFlow<()> {
        why.require(state.zeal > 0, rules::ACTIONS, "NO_ZEAL", &[])
    }

    /// A reward waits to be used (8.3.1, P23).
    fn holds(&self, state: &State, reward: u8, why: &mut Why) -> ControlFlow<()> {
        let held = state.waiting & 1 << reward != 0;
        why.demand(
            held,
            rules::FREE_ROLLS_KEPT,
            "NO_REWARD",
            &[super::super::catalogue::names::reward_ref(usize::from(reward))],
        )
    }

    /// The track on which a reward gives a free roll.
    fn track_of_reward(&self, reward: u8) -> u8 {
        match self.content.numbers.rewards[usize::from(reward)].effect {
            RewardEffect::Politics(track) => track,
            effect => unreachable!("{effect:?} gives no Politics roll"),
        }
    }

    fn below_top(&self, state: &State, track: u8, why: &mut Why) -> ControlFlow<()> {
        let room = state.tracks[usize::from(track)] != TOP;
        why.demand(room, rules::POLITICS, "AT_THE_TOP", &[Ref::Track(track.into())])
    }

    /// Examines where the Zeal marker may go, and how often (8.1, P2, P3).
    fn examine_marker(&self, state: &State, target: Target, why: &mut Why) -> ControlFlow<()> {
        why.require(!state.has(ZEAL_PLACED), rules::MARKER_ONCE, "MARKER_PLACED", &[])?;
        let there = self.target_is_there(state, target);
        why.require(there, rules::MARKER_TARGETS, "NOT_A_TARGET", &[target.reference()])
    }

    fn examine_purchase(&self, state: &State, index: usize, why: &mut Why) -> ControlFlow<()> {
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

    /// Examines whether a fortress can be besieged by the player, paid or not (8.4, P11, P12).
    fn examine_siege(&self, state: &State, fort: usize, why: &mut Why) -> ControlFlow<()> {
        let refs = [Target::Fort(fort as u8).reference()];
        why.demand(state.forts[fort].royalist, rules::BESIEGE, "NOT_ROYALIST", &refs)?;
        let rule = if fort == LONDON { rules::LONDON_REGAINED } else { rules::BESIEGED_FROM_OUTSIDE };
        why.require(in_front(&self.content, state, fort), rule, "ARMY_IN_THE_WAY", &refs)?;
        why.require(permitted(&self.content, state, fort), rules::OXFORD, "NO_PERMISSION", &refs)?;
        why.require(!fort_barred(&self.content, state, fort), rules::REVOLTS, "REVOLT_FIRST", &refs)
    }

    fn examine_fortify(&self, state: &State, fort: usize, why: &mut Why) -> ControlFlow<()> {
        let refs = [Target::Fort(fort as u8).reference()];
        why.demand(!state.forts[fort].royalist, rules::FORTIFY, "NOT_PARLIAMENT", &refs)?;
        self.pays(state, why)?;
        why.require(
            in_front(&self.content, state, fort),
            rules::FORTIFIED_BEHIND_THE_FRONT,
            "ARMY_IN_THE_WAY",
            &refs,
        )?;
        why.require(!fort_barred(&self.content, state, fort), rules::REVOLTS, "REVOLT_FIRST", &refs)?;
        // Not a ground that can be switched off: there is no sixth click.
        if state.forts[fort].click >= 5 {
            return why.refuse(rules::FORTIFY, "FULL_STRENGTH");
        }
        let barred = fort == LONDON && london_barred(state);
        why.require(!barred, rules::NADIR_OF_PARLIAMENT, "PARLIAMENT_AT_ITS_NADIR", &refs)?;
        let limited = state.opted(OPT_FORTIFY_LIMIT) && state.forts[fort].fortified >= FORTIFY_LIMIT;
        why.require(!limited, rules::FORTIFY_LIMIT, "FORTIFIED_TWICE", &refs)
    }

    pub(in super::super) fn apply_action_phase(&self, state: &mut State, action: Action, out: &mut Events) {
        match action {
            Action::Infuse(target) => {
                self.pay(state, 1, out);
                self.place_marker(state, target, out);
            }
            Action::InfuseFree(target) => {
                self.note(state, LICENCE_NOW, false, rules::FREE_MARKER_NEXT_TURN, out);
                self.place_marker(state, target, out);
            }
            Action::Purchase(index) => self.purchase(state, usize::from(index), out),
            Action::Campaign(Target::Deviltry(marker)) => {
                self.pay(state, 1, out);
                state.frames.open(Frame::Exorcise { marker });
            }
            Action::Campaign(target) => {
                self.pay(state, 1, out);
                self.open_campaign(state, target.number(), Cost::Zeal, out);
            }
            Action::Besiege(Target::Revolt(revolt)) => {
                self.pay(state, 1, out);
                state.frames.open(Frame::Crush { revolt });
            }
            Action::Besiege(target) => {
                self.pay(state, 1, out);
                state.frames.open(Frame::Besiege { fort: target.number() - 4 });
            }
            Action::Fortify(fort) => {
                self.pay(state, 1, out);
                let limited = state.opted(OPT_FORTIFY_LIMIT);
                let scene = self.scene(state, out);
                state.forts[usize::from(fort)].fortified += u8::from(limited);
                let refs = [Target::Fort(fort).reference()];
                scene.publish(self, state, out, || Event::new("fortifies", rules::FORTIFY, &refs));
                self.click_up(state, usize::from(fort), rules::FORTIFY, out);
            }
            Action::Politics(track) => {
                self.pay(state, 1, out);
                state.frames.open(Frame::Politics { track, settlers: false });
            }
            Action::UsePolitics(reward) => {
                self.spend_reward(state, usize::from(reward), out);
                state.frames.open(Frame::Politics { track: self.track_of_reward(reward), settlers: false });
            }
            Action::UseSiege(reward, fort) => {
                self.spend_reward(state, usize::from(reward), out);
                state.frames.open(Frame::Besiege { fort });
            }
            Action::Desperate(which) => {
                let which = usize::from(which);
                let scene = self.scene(state, out);
                state.set(DESPERATE[which], true);
                let refs = [Ref::Track(DESPERATE_TRACKS[which] as u16)];
                scene.publish(self, state, out, || Event::new("desperate", rules::DESPERATE_TIMES, &refs));
                self.action_marker(state, DESPERATE_TRACKS[which], false, rules::DESPERATE_TIMES, out);
                self.change_zeal(state, 1, rules::DESPERATE_TIMES, out);
            }
            Action::Strike(army) => {
                self.note(state, STRUCK, true, rules::STRIKE, out);
                self.open_campaign(state, army, Cost::Strike, out);
            }
            _ => {
                state.frames.close();
                out.emit(|| Event::new("passes", rules::ACTIONS, &[]));
            }
        }
    }

    fn pay(&self, state: &mut State, price: u8, out: &mut Events) {
        if rules::ACTIONS.applies(price > 0) {
            self.change_zeal(state, -(price as i8), rules::ACTIONS, out);
        }
    }

    fn purchase(&self, state: &mut State, index: usize, out: &mut Events) {
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

    /// Opens a Campaign against an Army; with 12.1 it has to be found first (O5).
    pub(in super::super) fn open_campaign(&self, state: &mut State, army: u8, cost: Cost, out: &mut Events) {
        let refs = [Target::Army(army).reference()];
        out.emit(|| Event::new("campaign", rules::CAMPAIGN, &refs));
        let searched = rules::RECONNAISSANCE.applies(state.opted(OPT_RECONNAISSANCE));
        let searched = searched && (cost == Cost::Zeal || rules::FREE_SEARCHES.applies(cost != Cost::Zeal));
        state.frames.open(if searched {
            Frame::Search { army, cost }
        } else {
            Frame::Campaign { army, cost }
        });
    }
}
