//! Effects of cards: operations of the small vocabulary, one after the other (6.0, 6.10); each opens the procedure that it names.

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::numbered::{Listed, SetOf};
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::super::content::{BattleCardId, Content, CounterId, FormationId, IRELAND, ListId, Op};
use super::super::frames::Frame;
use super::super::state::{Flags, State};
use super::super::{CruelNecessity, rules};

/// The rule by which an operation of a list gives or takes Zeal: blue text, an Achievement, or else an item of an Event.
pub(in super::super) fn zeal_rule(content: &Content, list: ListId) -> Rule {
    if content.options.iter().any(|&(_, own)| own == list) {
        rules::BLUE_TEXT
    } else if content.achievements.iter().any(|achievement| achievement.list == list) {
        rules::PURCHASE
    } else {
        rules::TRACK
    }
}

impl CruelNecessity {
    /// The next operation of a list, whose frame is the innermost.
    pub(in super::super) fn next_item(&self, state: &mut State, list: ListId, next: u8, out: &mut Events) {
        // An Event item is done: the League looks whether its time has come (O6).
        if next > 0
            && state.frames.len() == 2
            && rules::LEAGUE_AFTER_AN_ITEM.applies(self.league_is_due(state))
        {
            state.frames.open(Frame::League);
            return;
        }
        let ops = &self.content.lists[list];
        if rules::ORDER_OF_ITEMS.applies(usize::from(next) < ops.len()) {
            state.replace(Frame::Items { list, next: next + 1 });
            self.carry_out(state, list, ops[usize::from(next)], out);
        } else {
            state.frames.close();
        }
    }

    /// Begins an operation of a list; what it opens lies on the list.
    fn carry_out(&self, state: &mut State, list: ListId, op: Op, out: &mut Events) {
        match op {
            Op::Battle => self.open_battle(state, out),
            Op::Activate { army, times, strength } => self.open_activation(state, army, times, strength, out),
            Op::Track { track, arrows } => self.open_track(state, track, arrows),
            Op::TrackDrm { track, drm } => self.place_drm(state, track, drm, out),
            Op::BesiegeOrFortify { fort } => self.besiege_or_fortify(state, fort, out),
            Op::Unrest => self.open_unrest(state, out),
            Op::PoliticalReaction => self.react(state, false, out),
            Op::ReligiousReaction => self.open_religious_reaction(state, out),
            Op::Deviltry { marker } => self.place_deviltry(state, marker, out),
            Op::Revolt { kind, region } => self.open_revolt(state, (kind, Some(region), 0), out),
            Op::ClubmenSpecial { kind, north } => self.open_revolt(state, (kind, None, north), out),
            Op::PermitOxford => self.permit_oxford(state, out),
            Op::Fortify { fort } => self.event_fortify(state, fort, out),
            Op::Disorder { army } => self.disorder(state, army, out),
            Op::DisorderIfStillThere { .. } => {
                self.note(state, Flags::WATCHED, true, rules::WHEN_THE_TURN_ENDS, out);
            }
            Op::Choice { choice } => self.open_choice(state, choice),
            Op::SwapArmy { counter } => self.swap_army(state, counter, rules::COUNTER_SWAP, out),
            Op::AddNamedUnits { units } => self.add_named(state, units, out),
            Op::RemoveUnits { units } => self.remove_units(state, units, out),
            Op::Zeal { zeal } => self.change_zeal(state, zeal, zeal_rule(&self.content, list), out),
            Op::ZealMarker => self.open_placement(state, out),
            Op::FreeCampaign { army } => self.open_free_campaign(state, army, out),
            Op::ReactionImmunity => self.note(state, Flags::IMMUNE, true, rules::TOLERANCE, out),
            Op::RemoveBattleCard { card } => self.remove_battle_card(state, card, out),
        }
    }

    /// Notes that something is so, or is not any more.
    pub(in super::super) fn note(
        &self,
        state: &mut State,
        flag: Flags,
        on: bool,
        rule: Rule,
        out: &mut Events,
    ) {
        let scene = self.scene(state, out);
        state.set(flag, on);
        let code = match flag {
            Flags::OXFORD_PERMITTED => "oxford_permitted",
            Flags::IMMUNE => "immune",
            Flags::STRUCK => "strike",
            Flags::WATCHED => "watched",
            Flags::LICENCE_NEXT => "marker_again",
            _ => "marker_free",
        };
        scene.publish(self, state, out, || Event::new(code, rule, &[]));
    }

    /// A card permits to besiege Oxford (6.10.2).
    fn permit_oxford(&self, state: &mut State, out: &mut Events) {
        let permitted = state.has(Flags::OXFORD_PERMITTED);
        if permitted {
            out.emit(|| Event::new("permitted_already", rules::OXFORD, &[]));
        } else if rules::OXFORD.applies(!permitted) {
            self.note(state, Flags::OXFORD_PERMITTED, true, rules::OXFORD, out);
        }
    }

    /// Another counter takes the place of an Army's; everything else stays (S14, O7).
    pub(in super::super) fn swap_army(
        &self,
        state: &mut State,
        counter: CounterId,
        rule: Rule,
        out: &mut Events,
    ) {
        let army = self.content.counters[counter].army;
        let league = army == IRELAND;
        if !league && !rules::COUNTER_SWAP.applies(!league) {
            return;
        }
        let scene = self.scene(state, out);
        state.armies[army].counter = counter;
        let refs = [Target::Army(army).reference(), counter.reference(&self.content)];
        scene.publish(self, state, out, || Event::new("new_counter", rule, &refs));
    }

    fn add_named(&self, state: &mut State, units: SetOf<FormationId>, out: &mut Events) {
        let joins = |kind: &FormationId| rules::NAMED_UNITS_JOIN.applies(units.contains(*kind));
        for kind in names::own_named(&self.content).filter(joins) {
            let scene = self.scene(state, out);
            state.pool[kind] = 1;
            let refs = [names::formation_ref(&self.content, kind)];
            scene.publish(self, state, out, || Event::new("named_unit", rules::NAMED_UNITS_JOIN, &refs));
        }
    }

    fn remove_units(&self, state: &mut State, units: SetOf<FormationId>, out: &mut Events) {
        for kind in units {
            let formation = names::formation_ref(&self.content, kind);
            let count = state.pool[kind] + u8::from(state.recovery.contains(kind));
            if count == 0 {
                out.emit(|| Event::new("units_gone", rules::PURCHASE, &[formation]));
                continue;
            }
            let scene = self.scene(state, out);
            state.pool[kind] = 0;
            state.recovery.remove(kind);
            let refs = [formation, Ref::Number(count.into())];
            scene.publish(self, state, out, || Event::new("out_of_play", rules::PURCHASE, &refs));
        }
    }

    /// A card of this number leaves whichever pile it is in; one that is gone already stays gone (B15).
    fn remove_battle_card(&self, state: &mut State, card: BattleCardId, out: &mut Events) {
        if !(state.battle_deck | state.battle_hand | state.battle_discard).contains(card) {
            let gone = [names::battle_card_ref(card)];
            out.emit(|| Event::new("card_gone", rules::LEVELLER_MUTINIES, &gone));
            return;
        }
        let scene = self.scene(state, out);
        for pile in [&mut state.battle_deck, &mut state.battle_hand, &mut state.battle_discard] {
            pile.remove(card);
        }
        let refs = [names::battle_card_ref(card)];
        scene.publish(self, state, out, || Event::new("battle_card_out", rules::LEVELLER_MUTINIES, &refs));
    }
}
