//! Deviltry: markers come by cards (6.8), are fought, and have rewards on their backs (8.3.1).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::{Listed, SetOf};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::catalogue::names;
use super::super::content::{Content, DeviltryId, RewardEffect, RewardId, TrackId};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{CruelNecessity, rules};
use super::tracks::zenith;

/// The strength of a Deviltry marker.
pub(in super::super) fn deviltry_strength(content: &Content, state: &State) -> i8 {
    content.numbers.deviltry_strength + zenith(content, state)
}

impl CruelNecessity {
    pub(in super::super) fn place_deviltry(&self, state: &mut State, marker: DeviltryId, out: &mut Events) {
        if !rules::DEVILTRY.applies(true) {
            return;
        }
        let scene = self.scene(state, out);
        state.deviltry.insert(marker);
        let refs = [Target::Deviltry(marker).reference()];
        scene.publish(self, state, out, || Event::new("deviltry", rules::DEVILTRY, &refs));
    }

    pub(in super::super) fn examine_exorcise(
        &self,
        state: &State,
        marker: DeviltryId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let there = state.deviltry.contains(marker);
        why.demand(there, rules::EXORCISE, "NOT_ON_THE_MAP", &[Target::Deviltry(marker).reference()])?;
        self.pays(state, why)
    }

    pub(in super::super) fn apply_exorcise(&self, state: &mut State, marker: DeviltryId, out: &mut Events) {
        self.pay(state, 1, out);
        state.frames.open(Frame::Exorcise { marker });
    }

    /// A Campaign against a Deviltry marker (8.3.1).
    pub(in super::super) fn exorcise_roll(
        &self,
        state: &mut State,
        marker: DeviltryId,
        die: u8,
        out: &mut Events,
    ) {
        let target = Target::Deviltry(marker);
        let drm = self.zeal_drm(state, target);
        let strength = deviltry_strength(&self.content, state);
        let won = self.rolled(target, (die, drm, strength), rules::EXORCISE, out);
        if rules::EXORCISE.applies(won) {
            state.frames.open(Frame::Reward { marker });
        }
    }

    /// Rewards that nobody has found (P24).
    pub(in super::super) fn hidden_rewards(&self, state: &State) -> SetOf<RewardId> {
        let hidden = |&reward: &RewardId| rules::REWARDS_LEFT.allows(!state.found.contains(reward));
        RewardId::all(&self.content).filter(hidden).collect()
    }

    /// The back of a Deviltry marker is turned up (8.3.1, P24).
    pub(in super::super) fn reward_found(
        &self,
        state: &mut State,
        marker: DeviltryId,
        reward: RewardId,
        out: &mut Events,
    ) {
        let scene = self.scene(state, out);
        state.deviltry.remove(marker);
        state.found.insert(reward);
        state.zeal_on = state.zeal_on.filter(|&target| target != Target::Deviltry(marker));
        if !matches!(self.content.numbers.rewards[reward].effect, RewardEffect::Vp(_)) {
            state.waiting.insert(reward);
        }
        let refs = [Target::Deviltry(marker).reference(), names::reward_ref(reward)];
        scene.publish(self, state, out, || Event::new("reward_found", rules::EXORCISE, &refs));
    }

    /// Applies what was found last turn and acts before the card (8.3.1, P25).
    pub(in super::super) fn next_turn_rewards(&self, state: &mut State, out: &mut Events) {
        for reward in state.waiting.that(|_| rules::REWARDS_OF_NEXT_TURN.applies(true)) {
            match self.content.numbers.rewards[reward].effect {
                RewardEffect::NextDisorder(army) => {
                    self.spend_reward(state, reward, out);
                    self.disorder(state, army, out);
                }
                RewardEffect::NextStrength(army, value) => {
                    self.spend_reward(state, reward, out);
                    let scene = self.scene(state, out);
                    let unit = &mut state.armies[army];
                    unit.markers = unit.markers.saturating_add(value);
                    let refs = [Target::Army(army).reference(), Ref::Number(value.into())];
                    scene.publish(self, state, out, || {
                        Event::new("strength_marker", rules::REWARDS_OF_NEXT_TURN, &refs)
                    });
                }
                RewardEffect::Politics(_) | RewardEffect::Siege(_) | RewardEffect::Vp(_) => {}
            }
        }
    }

    /// A reward is used up.
    fn spend_reward(&self, state: &mut State, reward: RewardId, out: &mut Events) {
        let scene = self.scene(state, out);
        state.waiting.remove(reward);
        let refs = [names::reward_ref(reward)];
        scene.publish(self, state, out, || Event::new("reward_used", rules::EXORCISE, &refs));
    }

    /// A reward gives a free roll (8.3.1, P23).
    pub(in super::super) fn examine_reward(
        &self,
        state: &State,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::UsePolitics(reward) => {
                self.holds(state, reward, why)?;
                self.below_top(state, self.track_of_reward(reward), why)
            }
            Action::UseSiege(reward, fort) => {
                self.holds(state, reward, why)?;
                self.examine_siege(state, fort, why)
            }
            _ => unreachable!("{action:?} uses no reward"),
        }
    }

    pub(in super::super) fn apply_reward(&self, state: &mut State, action: Action, out: &mut Events) {
        let (reward, frame) = match action {
            Action::UsePolitics(reward) => {
                (reward, Frame::Politics { track: self.track_of_reward(reward), settlers: false })
            }
            Action::UseSiege(reward, fort) => (reward, Frame::Besiege { fort }),
            _ => unreachable!("{action:?} uses no reward"),
        };
        self.spend_reward(state, reward, out);
        state.frames.open(frame);
    }

    /// A reward waits to be used (8.3.1, P23).
    pub(in super::super) fn holds(&self, state: &State, reward: RewardId, why: &mut Why) -> ControlFlow<()> {
        let held = state.waiting.contains(reward);
        why.demand(held, rules::FREE_ROLLS_KEPT, "NO_REWARD", &[names::reward_ref(reward)])
    }

    /// The track on which a reward gives a free roll.
    fn track_of_reward(&self, reward: RewardId) -> TrackId {
        match self.content.numbers.rewards[reward].effect {
            RewardEffect::Politics(track) => track,
            effect => unreachable!("{effect:?} gives no Politics roll"),
        }
    }
}
