//! Dice of the player's actions and of single procedures: what they are, and what comes of them (8.0, 12.1, 12.2).

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::super::content::{DEVILTRY, RewardEffect, SCOTLAND};
use super::super::frames::{Cost, Frame};
use super::super::state::{NONE, State};
use super::super::{CruelNecessity, rules};
use super::armies::{army_strength, beats, deviltry_strength, fort_value, revolt_strength};

impl CruelNecessity {
    /// +1 where the Zeal marker lies (8.1).
    pub(in super::super) fn zeal_drm(&self, state: &State, target: Target) -> i8 {
        i8::from(rules::INFUSE.applies(state.zeal_on == target.number()))
    }

    /// The modifier of a Politics roll (6.7, 8.1, T16).
    pub(in super::super) fn politics_drm(&self, state: &State, track: u8) -> i8 {
        let card = rules::MODIFIER_OF_THE_TRACK.gives(state.drm[usize::from(track)], 0);
        card.saturating_add(self.zeal_drm(state, Target::Track(track)))
    }

    /// Returns the number that a Politics roll must exceed: that of the next box up (8.7, P21).
    pub(in super::super) fn politics_number(&self, state: &State, track: u8) -> i8 {
        let numbers = &self.content.tracks[usize::from(track)].numbers;
        let here = state.tracks[usize::from(track)];
        let box_up = rules::NUMBER_OF_THE_BOX_ABOVE.gives(here.saturating_sub(1), here);
        numbers[usize::from(box_up)] as i8
    }

    /// Returns whether an Army is found: on any die but a 1, with Scotland and Ireland but a 1 or 2 (12.1).
    pub(in super::super) fn is_found(army: u8, die: u8) -> bool {
        die > if usize::from(army) >= SCOTLAND { 2 } else { 1 }
    }

    /// Returns whether a die exceeds a strength, and tells it: by the rule of the action, or by the natural 1 or 6 where
    /// that decides (G1).
    fn rolled(
        &self,
        target: Target,
        (die, drm, strength): (u8, i8, i8),
        rule: Rule,
        out: &mut Events,
    ) -> bool {
        let won = beats(die, drm, strength);
        let exceeds = (die as i8).saturating_add(drm) > strength;
        let code = if won { "roll_won" } else { "roll_lost" };
        let numbers = [i32::from(die), i32::from(drm), i32::from(strength)].map(Ref::Number);
        let [die, drm, strength] = numbers;
        let rule = if won == exceeds { rule } else { rules::NATURAL_ROLLS };
        out.emit(|| Event::new(code, rule, &[target.reference(), die, drm, strength]));
        won
    }

    /// A search for an Army (12.1).
    pub(in super::super) fn search_roll(
        &self,
        state: &mut State,
        army: u8,
        cost: Cost,
        die: u8,
        out: &mut Events,
    ) {
        let found = Self::is_found(army, die);
        let refs = [Target::Army(army).reference(), Ref::Number(die.into())];
        let code = if found { "found" } else { "not_found" };
        out.emit(|| Event::new(code, rules::RECONNAISSANCE, &refs));
        if found {
            state.frames.open(Frame::Campaign { army, cost });
        } else if cost == Cost::Strike {
            self.change_zeal(state, self.content.numbers.zeal.strike_lost as i8, rules::FREE_SEARCHES, out);
        }
    }

    /// A Campaign against an Army (8.3, 12.5).
    pub(in super::super) fn campaign_roll(
        &self,
        state: &mut State,
        army: u8,
        cost: Cost,
        die: u8,
        out: &mut Events,
    ) {
        let target = Target::Army(army);
        let drm = self.zeal_drm(state, target);
        let strength = army_strength(&self.content, state, usize::from(army));
        let won = self.rolled(target, (die, drm, strength), rules::CAMPAIGN, out);
        if rules::CAMPAIGN.applies(won) {
            self.beaten(state, usize::from(army), out);
        }
        if rules::STRIKE.applies(cost == Cost::Strike) {
            let zeal = &self.content.numbers.zeal;
            let gained = if won { zeal.strike_won } else { zeal.strike_lost };
            self.change_zeal(state, gained as i8, rules::STRIKE, out);
        }
    }

    /// A Campaign against a Deviltry marker (8.3.1).
    pub(in super::super) fn exorcise_roll(&self, state: &mut State, marker: u8, die: u8, out: &mut Events) {
        let target = Target::Deviltry(marker);
        let drm = self.zeal_drm(state, target);
        let strength = deviltry_strength(&self.content, state);
        let won = self.rolled(target, (die, drm, strength), rules::EXORCISE, out);
        if rules::EXORCISE.applies(won) {
            state.frames.open(Frame::Reward { marker });
        }
    }

    /// Rewards that nobody has found, as places in the content (P24).
    pub(in super::super) fn hidden_rewards(&self, state: &State) -> impl Iterator<Item = usize> + use<> {
        let found = state.found;
        (0..DEVILTRY).filter(move |reward| rules::REWARDS_LEFT.allows(found & 1 << reward == 0))
    }

    /// The back of a Deviltry marker is turned up (8.3.1, P24).
    pub(in super::super) fn reward_found(
        &self,
        state: &mut State,
        marker: u8,
        reward: usize,
        out: &mut Events,
    ) {
        let scene = self.scene(state, out);
        state.deviltry &= !(1 << marker);
        state.found |= 1 << reward;
        if state.zeal_on == Target::Deviltry(marker).number() {
            state.zeal_on = NONE;
        }
        if !matches!(self.content.numbers.rewards[reward].effect, RewardEffect::Vp(_)) {
            state.waiting |= 1 << reward;
        }
        let refs = [Target::Deviltry(marker).reference(), names::reward_ref(reward)];
        scene.publish(self, state, out, || Event::new("reward_found", rules::EXORCISE, &refs));
    }

    /// The player besieges a fortress (8.4).
    pub(in super::super) fn besiege_roll(&self, state: &mut State, fort: u8, die: u8, out: &mut Events) {
        let target = Target::Fort(fort);
        let drm = self.zeal_drm(state, target);
        let value = fort_value(&self.content, state, usize::from(fort));
        let won = self.rolled(target, (die, drm, value), rules::BESIEGE, out);
        if rules::BESIEGE.applies(rules::TAKEN.applies(won)) {
            self.click_down(state, usize::from(fort), rules::BESIEGE, out);
        }
    }

    /// The player, or an Army on Clubmen, crushes a revolt (6.2.3, 8.5, A6, P19).
    pub(in super::super) fn crush_roll(
        &self,
        state: &mut State,
        revolt: u8,
        own: bool,
        die: u8,
        out: &mut Events,
    ) {
        let target = Target::Revolt(revolt);
        let drm = if own { self.zeal_drm(state, target) } else { 0 };
        let strength = revolt_strength(&self.content, state, usize::from(revolt));
        let rule = if own { rules::REVOLTS } else { rules::CLUBMEN };
        let won = self.rolled(target, (die, drm, strength), rule, out);
        let won = if own { won } else { rules::CLUBMEN_STRENGTH.applies(won) };
        if rules::REVOLT_CRUSHED.applies(won) {
            self.remove_revolt(state, usize::from(revolt), rule, out);
        }
    }

    /// A Politics roll, paid, free, or the settlers' (8.7, 8.3.1, 12.4).
    pub(in super::super) fn politics_roll(
        &self,
        state: &mut State,
        track: u8,
        settlers: bool,
        die: u8,
        out: &mut Events,
    ) {
        let drm = if rules::SETTLERS_ROLL.applies(settlers) { 0 } else { self.politics_drm(state, track) };
        let number = self.politics_number(state, track);
        let rule = if settlers { rules::SETTLERS } else { rules::POLITICS };
        let won = self.rolled(Target::Track(track), (die, drm, number), rule, out);
        if rules::POLITICS.applies(won) {
            self.raise(state, usize::from(track), rule, out);
        }
    }

    /// Rolls for the support that the Catholic League sends (12.2, O7).
    pub(in super::super) fn league_roll(&self, state: &mut State, die: u8, out: &mut Events) {
        let (france_up_to, counters) = self.content.numbers.league;
        let counter = counters[usize::from(die > france_up_to)];
        out.emit(|| Event::new("league", rules::LEAGUE, &[Ref::Number(die.into())]));
        self.swap_army(state, counter, rules::LEAGUE, out);
    }

    /// Tracks on which the settlers may roll: Scotland, Ireland, Puritanism, Parliament, below the top (12.4, O9), as bits.
    pub(in super::super) fn settlers_tracks(&self, state: &State) -> u8 {
        use super::super::content::{T_IRELAND, T_PARLIAMENT, T_PURITANISM, T_SCOTLAND};
        let open = [T_IRELAND, T_SCOTLAND, T_PARLIAMENT, T_PURITANISM];
        open.into_iter()
            .filter(|&track| state.tracks[track] != super::super::state::TOP)
            .fold(0, |set, t| set | 1 << t)
    }

    pub(in super::super) fn settlers_roll(&self, state: &mut State, track: u8, _: &mut Events) {
        state.frames.close();
        state.frames.open(Frame::Politics { track, settlers: true });
    }

    /// The ways in 36 that the player's next roll at a target succeeds, with their modifiers of this moment;
    /// none where a success could change nothing, whether the roll may be made now or not.
    pub(in super::super) fn odds(&self, state: &State, target: Target) -> Option<u8> {
        let faces = super::armies::winning_faces;
        let content = &self.content;
        let drm = self.zeal_drm(state, target);
        let ways = match target {
            Target::Army(army) => {
                // A Disordered Army in its area 5 can't be driven further; a strike against it still gains Zeal (O10).
                let unit = &state.armies[usize::from(army)];
                let strikes =
                    state.opted(super::super::state::OPT_STRIKE) && !state.has(super::super::state::STRUCK);
                if unit.disordered && unit.area == 5 && !strikes {
                    return None;
                }
                let searched = state.opted(super::super::state::OPT_RECONNAISSANCE);
                let found =
                    if searched { (1..=6).filter(|&die| Self::is_found(army, die)).count() as u8 } else { 6 };
                found * faces(drm, army_strength(content, state, usize::from(army)))
            }
            Target::Fort(fort) if state.forts[usize::from(fort)].royalist => {
                6 * faces(drm, fort_value(content, state, usize::from(fort)))
            }
            Target::Revolt(revolt) if state.revolts[usize::from(revolt)] != 0 => {
                6 * faces(drm, revolt_strength(content, state, usize::from(revolt)))
            }
            Target::Deviltry(marker) if state.deviltry & 1 << marker != 0 => {
                6 * faces(drm, deviltry_strength(content, state))
            }
            Target::Track(track) if state.tracks[usize::from(track)] != super::super::state::TOP => {
                6 * faces(self.politics_drm(state, track), self.politics_number(state, track))
            }
            _ => return None,
        };
        Some(ways)
    }
}
