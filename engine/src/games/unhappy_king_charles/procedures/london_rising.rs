//! London Rising (6.6, V6, V7): a die, and Parliament's units leave the city.

use num_bigint::BigUint;

use crate::vocabulary::*;

use super::super::content::ids::{AreaId, AreaSet, CardId, GeneralSet};
use super::super::content::operations::Paragraph;
use super::super::content::{AREAS, PARLIAMENT, ROYALIST, SEATS};
use super::super::frames::Frame;
use super::super::state::{Holder, Holding, Post, Presence, Siege, State, Train};
use super::super::{STREAM_ENVIRONMENT, UnhappyKing, rules};
use super::consequences::Cause;

/// The stage at which the die is due.
const DIE: u8 = 1;

impl UnhappyKing {
    /// The event is for a London of Parliament's.
    pub(in super::super) fn london_may_rise(&self, state: &State) -> bool {
        state.controller(self.content.numbers.rising.at) == Some(PARLIAMENT)
    }

    /// Returns whether a card is a seat's event of the rising, and London may rise.
    pub(in super::super) fn may_raise_london(&self, state: &State, seat: Seat, card: CardId) -> bool {
        self.paragraph(card) == Some(Paragraph::LondonRising)
            && self.content.cards[card].is_for(seat)
            && self.london_may_rise(state)
    }

    /// Returns whether the die of the rising is due.
    pub(in super::super) fn awaits_rising(&self, paragraph: Option<Paragraph>, stage: u8) -> bool {
        paragraph == Some(Paragraph::LondonRising) && stage == DIE
    }

    /// Added to the die: the Royalist's economic infrastructures, less Parliament's and its Brigades inside (V6).
    fn rising_modifier(&self, state: &State) -> i32 {
        let count = |seat: Seat| self.infrastructures_of(state, seat).count() as i32;
        let at = self.content.numbers.rising.at;
        let inside = state.brigades.of_side(&self.content, state.garrison(&self.content, at), PARLIAMENT);
        rules::LONDON_RISING.gives(count(ROYALIST) - count(PARLIAMENT) - inside.count() as i32, 0)
    }

    fn london_rises(&self, state: &State, die: u8) -> bool {
        let score = i32::from(die) + self.rising_modifier(state);
        score >= self.content.numbers.rising.at_least.into()
    }

    /// The faces of the die by which London rises (V6).
    #[must_use]
    pub(in super::super) fn rising_ways(&self, state: &State) -> u8 {
        (1..=6).filter(|&die| self.london_rises(state, die)).count() as u8
    }

    pub(in super::super) fn rising_chance(&self) -> Chance {
        Chance::Roll { stream: STREAM_ENVIRONMENT, dice: 1, sides: 6 }
    }

    /// V6: it rises, or it does not; one class where the die can make no difference.
    pub(in super::super) fn rising_classes(&self, state: &State) -> Vec<Class> {
        let of = |rises: bool| {
            let mut dice = (1..=6u8).filter(move |&die| self.london_rises(state, die) == rises);
            let weight = dice.clone().count();
            dice.next_back().map(|die| Class {
                outcome: Outcome::Roll([die].into_iter().collect()),
                weight: BigUint::from(weight),
            })
        };
        [of(false), of(true)].into_iter().flatten().collect()
    }

    /// V6: the die falls; it is the once that there is.
    pub(in super::super) fn roll_rising(&self, state: &mut State, card: CardId, die: u8, out: &mut Events) {
        if let Some(Frame::Special { stage, .. }) = state.frames.top_mut() {
            *stage = DIE + 1;
        }
        let rises = self.london_rises(state, die);
        let score = i32::from(die) + self.rising_modifier(state);
        let refs = [Ref::Number(die.into()), Ref::Number(score)];
        let code = if rises { "london_rises" } else { "london_quiet" };
        out.emit(|| Event::new(code, rules::LONDON_RISING, &refs));
        if !rises {
            return;
        }
        let fortress = self.content.areas[self.content.numbers.rising.at].fortress;
        if let Some(fortress) = fortress.filter(|&fortress| state.sieges[fortress] != Siege::NONE) {
            self.lift_siege(state, fortress, out);
        }
        if self.units_in_london(state).is_empty() {
            self.take_london(state, out);
        } else if self.london_exits(state).is_empty() {
            self.scatter_london(state, out);
        } else {
            state.frames.open(Frame::Landing { seat: PARLIAMENT, card });
        }
    }

    /// The Generals of Parliament in London, and its places of Brigades there.
    fn units_in_london(&self, state: &State) -> Vec<Holder> {
        let at = self.content.numbers.rising.at;
        let there = |&holder: &Holder| state.area_of_holder(&self.content, holder) == Some(at);
        let own = |&holder: &Holder| {
            let brigades = state.brigades.at(holder);
            !state.brigades.of_side(&self.content, brigades, PARLIAMENT).is_empty()
        };
        Holder::of_map().filter(there).filter(own).collect()
    }

    /// V7: the neighbours without any Brigade or Local Notable.
    pub(in super::super) fn london_exits(&self, state: &State) -> AreaSet {
        let at = self.content.numbers.rising.at;
        let occupied =
            SEATS.into_iter().fold(AreaSet::EMPTY, |all, seat| all | state.occupied(&self.content, seat));
        let notables = AreaSet::first_of(AREAS).that(|area| state.notable_at(&self.content, area).is_some());
        self.content.adjacent[at] - rules::LONDON_RISEN.gives(occupied | notables, AreaSet::EMPTY)
    }

    fn generals_in_london(&self, state: &State) -> GeneralSet {
        let at = self.content.numbers.rising.at;
        state.generals_in(&self.content, PARLIAMENT, at)
    }

    /// V7: all of Parliament's units go to the Area that it named.
    pub(in super::super) fn leave_london(&self, state: &mut State, to: AreaId, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        for holder in self.units_in_london(state) {
            if !matches!(holder.holding(), Holding::General(_)) {
                let there = state.brigades.at(holder);
                let own = state.brigades.of_side(&self.content, there, PARLIAMENT);
                state.brigades.change(&self.content, own, |counter| counter.at = Holder::outside(to));
            }
        }
        for general in self.generals_in_london(state) {
            if state.commands(general) {
                state.generals.place(general, Post::Area(to));
            }
        }
        scene.publish(self, state, out, || Event::new("london_left", rules::LONDON_RISEN, &[to.into()]));
        self.take_london(state, out);
    }

    /// V7: where there is no way, they Disperse.
    fn scatter_london(&self, state: &mut State, out: &mut Events) {
        let at = self.content.numbers.rising.at;
        let going = state.brigades_in(&self.content, PARLIAMENT, at);
        self.disperse(state, PARLIAMENT, (at, self.generals_in_london(state), going), out);
        self.take_london(state, out);
    }

    /// V7, F9: the Royalist controls London, and a Siege Train in it is captured.
    fn take_london(&self, state: &mut State, out: &mut Events) {
        let at = self.content.numbers.rising.at;
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        if let Some(notable) = state.notable_at(&self.content, at) {
            state.notables[notable] = Presence::Out;
        }
        if state.trains[PARLIAMENT.index()] == Train::In(at) {
            state.trains[PARLIAMENT.index()] = Train::Out;
        }
        scene.publish(self, state, out, || Event::new("london_taken", rules::LONDON_RISEN, &[at.into()]));
        self.place_marker(state, ROYALIST, at, rules::LONDON_RISEN, out);
        self.consequences(state, held, Cause::Other, out);
    }
}
