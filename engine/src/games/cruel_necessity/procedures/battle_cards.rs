//! Battle Event cards: drawing, playing, and whom they are about (7.0 step 4, B7 to B16).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::{Listed, SetOf};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Action;
use super::super::catalogue::names;
use super::super::content::{
    Arm, BattleCardId, CardEffect, Dice, FormationId, SLOTS, SlotId, Target as Whom, Timing,
};
use super::super::state::State;
use super::super::state::line::{Outcome, Stage, own_slots, slots};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// The discards become the draw pile; where there are none either, nothing is drawn (B8).
    pub(in super::super) fn reshuffle(&self, state: &mut State, out: &mut Events) {
        if !rules::CARDS_RESHUFFLED.applies(!state.battle_discard.is_empty()) {
            let fewer = Ref::Number(state.battle.draws.into());
            state.battle.draws = 0;
            out.emit(|| Event::new("no_battle_card", rules::CARDS_RESHUFFLED, &[fewer]));
            return;
        }
        let scene = self.scene(state, out);
        state.battle_deck = std::mem::take(&mut state.battle_discard);
        state.shuffles += 1;
        scene.publish(self, state, out, || Event::new("reshuffled", rules::CARDS_RESHUFFLED, &[]));
    }

    /// A card comes from the draw pile (B7).
    pub(in super::super) fn battle_card_drawn(
        &self,
        state: &mut State,
        card: BattleCardId,
        out: &mut Events,
    ) {
        let scene = self.scene(state, out);
        let def = &self.content.battle_cards[card];
        state.battle_deck.remove(card);
        state.battle.draws -= 1;
        let immediate = def.timing == Timing::Immediate;
        if !immediate {
            state.battle_hand.insert(card);
        } else if !self.leaves_play(card) {
            state.battle_discard.insert(card);
        }
        let refs = [names::battle_card_ref(card)];
        scene.publish(self, state, out, || Event::new("battle_card", rules::CARDS_ONE_BY_ONE, &refs));
        if rules::CARDS_ONE_BY_ONE.applies(immediate) {
            self.use_card(state, card, out);
        }
    }

    /// Returns whether a card goes out of play once it has acted (B15).
    fn leaves_play(&self, card: BattleCardId) -> bool {
        let leaves =
            matches!(self.content.battle_cards[card].effect, CardEffect::Strength { leaves: true, .. });
        rules::LEVELLER_MUTINIES.applies(leaves)
    }

    /// The timing that the present stage asks for.
    pub(in super::super) const fn timing(stage: Stage) -> Option<Timing> {
        match stage {
            Stage::Green => Some(Timing::Green),
            Stage::Before => Some(Timing::BeforeRoll),
            Stage::After => Some(Timing::AfterRoll),
            Stage::Aftermath => Some(Timing::Aftermath),
            _ => None,
        }
    }

    /// Returns whether a held card can be played now and changes something (B9, G4).
    fn playable(&self, state: &State, card: BattleCardId) -> bool {
        let def = &self.content.battle_cards[card];
        if !state.battle_hand.contains(card) || Self::timing(state.battle.stage) != Some(def.timing) {
            return false;
        }
        let of_sector = |arm: Arm| (arm == Arm::Foot) == state.battle.sector.of_foot();
        match def.effect {
            CardEffect::Strength { target: Whom::Unit, units, .. } => {
                units.iter().any(|kind| state.battle.of_kind(kind) > 0)
            }
            CardEffect::Strength { target, .. } | CardEffect::Replace { target } => {
                !self.target_slots(state, target).is_empty()
            }
            CardEffect::Sector { arm, .. } | CardEffect::Reroll { arm, .. } => {
                rules::CARD_TIMING.allows(of_sector(arm))
            }
            CardEffect::Outcome { victory_points, draw_zeal } => match state.battle.outcome {
                Outcome::Victory => victory_points > 0,
                Outcome::Draw => {
                    let room = state.zeal < self.content.numbers.zeal.max || state.battle.salvaged;
                    rules::TRUST_IN_GOD.applies(draw_zeal > 0 && room)
                }
                Outcome::Defeat | Outcome::Open => false,
            },
        }
    }

    /// Returns whether a held card can be played at this point of the Battle.
    pub(in super::super) fn any_playable(&self, state: &State) -> bool {
        state.battle_hand.iter().any(|card| self.playable(state, card))
    }

    /// The cards that are held.
    pub(in super::super) fn offer_held(&self, state: &State, offer: &mut impl FnMut(Action)) {
        state.battle_hand.iter().for_each(|card| offer(Action::Play(card)));
    }

    pub(in super::super) fn examine_play(
        &self,
        state: &State,
        card: BattleCardId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let playable = self.playable(state, card);
        if playable { ControlFlow::Continue(()) } else { why.refuse(rules::CARD_TIMING, "NOT_PLAYABLE") }
    }

    /// A held card is played and discarded (B9).
    pub(in super::super) fn play_card(&self, state: &mut State, card: BattleCardId, out: &mut Events) {
        let scene = self.scene(state, out);
        state.battle_hand.remove(card);
        if !self.leaves_play(card) {
            state.battle_discard.insert(card);
        }
        let refs = [names::battle_card_ref(card)];
        scene.publish(self, state, out, || Event::new("played", rules::CARD_TIMING, &refs));
        self.use_card(state, card, out);
    }

    fn use_card(&self, state: &mut State, card: BattleCardId, out: &mut Events) {
        match self.content.battle_cards[card].effect {
            CardEffect::Strength { target: Whom::Unit, units, value, otherwise, .. } => {
                let there =
                    |&slot: &SlotId| state.battle.line[slot].kind.is_some_and(|kind| units.contains(kind));
                let slots: SetOf<SlotId> = slots().filter(there).collect();
                if !slots.is_empty() || !rules::LEVELLER_MUTINIES.applies(otherwise.is_some()) {
                    if slots.is_empty() {
                        self.is_about_nobody(card, out);
                    }
                    for slot in slots {
                        self.mark(state, slot, value, out);
                    }
                    self.card_is_done(state);
                } else {
                    self.aim(state, card, out);
                }
            }
            CardEffect::Strength { .. } | CardEffect::Replace { .. } => self.aim(state, card, out),
            CardEffect::Reroll { .. } => {
                state.battle.card = Some(card);
                state.battle.stage = Stage::Reroll;
            }
            CardEffect::Sector { value, .. } => {
                let scene = self.scene(state, out);
                state.battle.extra = state.battle.extra.saturating_add(value);
                let refs = [state.battle.sector.reference(&self.content), Ref::Number(value.into())];
                scene.publish(self, state, out, || Event::new("sector_bonus", rules::CARD_TIMING, &refs));
            }
            CardEffect::Outcome { victory_points, draw_zeal } => {
                if state.battle.outcome == Outcome::Victory {
                    let scene = self.scene(state, out);
                    let added = rules::CARD_POINTS.gives(victory_points, 0);
                    state.battle.points = state.battle.points.saturating_add(added);
                    let refs = [Ref::Number(state.battle.points.into())];
                    scene.publish(self, state, out, || Event::new("points", rules::CARD_POINTS, &refs));
                } else {
                    state.battle.trusted = rules::TRUST_IN_GOD.applies(state.battle.outcome == Outcome::Draw);
                    self.change_zeal(state, draw_zeal as i8, rules::TRUST_IN_GOD, out);
                }
            }
        }
    }

    /// Finds the units that the card in play is about: by itself, by chance, or by the player.
    fn aim(&self, state: &mut State, card: BattleCardId, out: &mut Events) {
        let (whom, _) = self.aims_at(card);
        state.battle.card = Some(card);
        let random = matches!(whom, Whom::RandomParliamentFoot | Whom::RandomRoyalistFoot);
        match whom {
            _ if rules::RANDOM_FORMATION.applies(random) => {
                state.battle.stage = Stage::RandomUnit;
            }
            Whom::ChosenParliament
            | Whom::ChosenParliamentFoot
            | Whom::ChosenRoyalistHorse
            | Whom::ChosenUnmarkedParliament => state.battle.stage = Stage::Target,
            _ => match self.target_slots(state, whom).iter().last() {
                Some(slot) => self.hit(state, slot, out),
                None => {
                    self.is_about_nobody(card, out);
                    self.card_is_done(state);
                }
            },
        }
    }

    /// Tells that nobody in the lines is what a card in play is about.
    fn is_about_nobody(&self, card: BattleCardId, out: &mut Events) {
        out.emit(|| Event::new("nobody_meant", rules::BATTLE, &[names::battle_card_ref(card)]));
    }

    /// Tells that the pool has nobody for the place that is to be drawn again, and lets the card go (B13).
    pub(in super::super) fn nobody_to_draw(&self, state: &mut State, out: &mut Events) {
        let slot = names::slot_ref(state.battle.slot.expect("a place is drawn for again"));
        out.emit(|| Event::new("nobody_to_draw", rules::REPLACED, &[slot]));
        self.card_is_done(state);
    }

    /// Returns the units that a card aims at, and with which marker: its second line where it names units
    /// that are not there.
    fn aims_at(&self, card: BattleCardId) -> (Whom, i8) {
        match self.content.battle_cards[card].effect {
            CardEffect::Strength { target: Whom::Unit, otherwise, .. } => {
                otherwise.unwrap_or((Whom::Unit, 0))
            }
            CardEffect::Strength { target, value, .. } => (target, value),
            CardEffect::Replace { target } => (target, 0),
            _ => (Whom::Unit, 0),
        }
    }

    /// The places that a card can be about.
    fn target_slots(&self, state: &State, whom: Whom) -> SetOf<SlotId> {
        let generic = |slot: &SlotId| {
            state.battle.line[*slot].kind.is_some_and(|kind| !self.content.formations[kind].is_named)
        };
        // Ties go to the lower sector, then the lower place (B11).
        let best = |slots: &mut dyn Iterator<Item = SlotId>, strongest: bool| {
            let key = |slot: SlotId| {
                let strength = i32::from(self.strength_at(state, slot));
                (
                    if strongest { -strength } else { strength },
                    rules::STRONGEST_AND_WEAKEST.gives(slot.index(), SLOTS - slot.index()),
                )
            };
            slots.min_by_key(|&slot| key(slot)).map_or(SetOf::EMPTY, SetOf::one)
        };
        let of = |royalist: bool, foot: bool| {
            slots().filter(move |slot| slot.is_royalist() == royalist && slot.of_foot() == foot)
        };
        let (foot, mut their_horse, their_foot) = (of(false, true), of(true, false), of(true, true));
        match whom {
            Whom::Unit => SetOf::EMPTY,
            Whom::StrongestRoyalistHorse => best(&mut their_horse.filter(generic), true),
            Whom::WeakestRoyalistHorse => best(&mut their_horse, false),
            Whom::StrongestParliamentFoot => best(&mut foot.filter(generic), true),
            Whom::RandomRoyalistFoot => their_foot.collect(),
            Whom::RandomParliamentFoot | Whom::ChosenParliamentFoot => foot.collect(),
            Whom::ChosenRoyalistHorse => their_horse.collect(),
            Whom::ChosenUnmarkedParliament => {
                own_slots().filter(|&slot| self.unmarked(state, slot)).collect()
            }
            Whom::ChosenParliament => {
                let there = |slot: &SlotId| generic(slot) && !self.pool_kinds(state, *slot).is_empty();
                own_slots().filter(there).collect()
            }
        }
    }

    /// The places for the card in play.
    pub(in super::super) fn aimed(&self, state: &State) -> SetOf<SlotId> {
        let slots = |card| self.target_slots(state, self.aims_at(card).0);
        state.battle.card.map_or(SetOf::EMPTY, slots)
    }

    /// A place that nobody has to pick, because it is the only one; whether the Battle went on.
    pub(in super::super) fn only_target(&self, state: &mut State, out: &mut Events) -> bool {
        let slots = self.aimed(state);
        match slots.first() {
            None => {
                self.is_about_nobody(state.battle.card.expect("a card is in play"), out);
                self.card_is_done(state);
            }
            Some(slot) if slots.count() == 1 => self.hit(state, slot, out),
            Some(_) => return false,
        }
        true
    }

    pub(in super::super) fn examine_target(
        &self,
        state: &State,
        slot: SlotId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if self.aimed(state).contains(slot) {
            return ControlFlow::Continue(());
        }
        why.refuse(rules::ONE_MARKER_EACH, "NOT_A_TARGET_OF_THE_CARD")
    }

    /// The card in play is about this place.
    pub(in super::super) fn hit(&self, state: &mut State, slot: SlotId, out: &mut Events) {
        let card = state.battle.card.expect("a card is in play");
        if let CardEffect::Replace { .. } = self.content.battle_cards[card].effect {
            state.battle.slot = Some(slot);
            state.battle.stage = Stage::Redraw;
        } else {
            let (_, value) = self.aims_at(card);
            self.mark(state, slot, value, out);
            self.card_is_done(state);
        }
    }

    pub(in super::super) fn mark(&self, state: &mut State, slot: SlotId, value: i8, out: &mut Events) {
        let scene = self.scene(state, out);
        state.battle.mark(slot, value);
        let refs = [names::slot_ref(slot), Ref::Number(value.into())];
        scene.publish(self, state, out, || Event::new("unit_marker", rules::BATTLE, &refs));
    }

    /// Kinds that can take the place of the formation that is replaced (B13).
    pub(in super::super) fn redraw_kinds(&self, state: &State) -> SetOf<FormationId> {
        self.pool_kinds(state, state.battle.slot.expect("a place is drawn for again"))
    }

    /// Another formation takes the place; the old one goes back, its markers leave with it (B13).
    pub(in super::super) fn replaced(&self, state: &mut State, kind: FormationId, out: &mut Events) {
        let scene = self.scene(state, out);
        let slot = state.battle.slot.expect("a place is drawn for again");
        let old = state.battle.kind(slot);
        state.pool[old] += 1;
        state.pool[kind] -= 1;
        state.battle.line[slot].kind = Some(kind);
        if rules::REPLACED.applies(state.battle.marked.contains(slot)) {
            state.battle.unmark(slot);
        }
        self.card_is_done(state);
        let refs = [names::slot_ref(slot), names::formation_ref(&self.content, kind)];
        scene.publish(self, state, out, || Event::new("replaced", rules::REPLACED, &refs));
    }

    /// Back to where the card came from.
    fn card_is_done(&self, state: &mut State) {
        if state.battle.stage != Stage::Events {
            let timing = state.battle.card.map(|card| self.content.battle_cards[card].timing);
            let immediate = timing == Some(Timing::Immediate);
            state.battle.stage = if immediate { Stage::Events } else { Stage::Green };
        }
        state.battle.card = None;
        state.battle.slot = None;
    }

    /// Returns the number of dice that the card in play has rolled again.
    pub(in super::super) fn reroll_dice(&self, state: &State) -> u8 {
        match state.battle.card.map(|card| self.content.battle_cards[card].effect) {
            Some(CardEffect::Reroll { dice: Dice::Parliament, .. }) => 1,
            _ => 2,
        }
    }

    /// Dice were rolled again.
    pub(in super::super) fn rerolled(&self, state: &mut State, dice: &[u8], out: &mut Events) {
        let mut kept = state.battle.dice;
        for (kept, &die) in kept.iter_mut().zip(dice) {
            *kept = die;
        }
        state.battle.card = None;
        self.sector_roll(state, kept, out);
    }
}
