//! The Surrender of a Fortress: honours of war, the Siege Train, the marker, Generals inside (14.4, F9, F10, NB7, RT7, RT9).

use num_bigint::BigUint;

use crate::vocabulary::*;

use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, AreaSet, CounterSet, GeneralSet};
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Holder, Post, Presence, Queen, Siege, State, Train};
use super::super::{STREAM_DICE, UnhappyKing, rules};
use super::consequences::Cause;

/// The stage at which a Surrender begins.
pub(in super::super) const BEGIN: u8 = 0;
/// The die of the honours of war is due.
pub(in super::super) const HONOURS: u8 = 1;
/// The stage at which a Surrender begins that an Assault has brought: without honours, and Generals inside are out of the game.
pub(in super::super) const STORMED: u8 = 2;

/// The fate of a garrison (14.4, F12).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Terms {
    /// Honours of war: it Disperses.
    Honours,
    /// It is eliminated, and may be recruited again.
    Eliminated,
    /// It was stormed: eliminated, and its Generals are out of the game.
    Stormed,
}

impl UnhappyKing {
    /// One step further of a Surrender; `false` if the die is due.
    pub(in super::super) fn advance_surrender(
        &self,
        state: &mut State,
        (seat, area): (Seat, AreaId),
        at: u8,
        out: &mut Events,
    ) -> bool {
        if at == HONOURS {
            return false;
        }
        if state.controller(area) == Some(seat) {
            // It has fallen in the meantime.
            state.frames.close();
            return true;
        }
        let garrison = state.garrison(&self.content, area);
        if at == BEGIN && rules::NO_HONOURS.allows(!garrison.is_empty()) {
            let Some(Frame::Surrender { stage, .. }) = state.frames.top_mut() else {
                unreachable!("a Surrender is the innermost procedure when it goes on");
            };
            *stage = HONOURS;
        } else {
            let terms = if at == STORMED { Terms::Stormed } else { Terms::Eliminated };
            self.fortress_surrenders(state, (seat, area), terms, out);
        }
        true
    }

    /// The die of the honours is the besieger's (T26).
    pub(in super::super) fn honours_chance(&self, seat: Seat) -> Chance {
        Chance::Roll { stream: STREAM_DICE + seat.index() as u32, dice: 1, sides: 6 }
    }

    /// The garrison Disperses, or is eliminated.
    pub(in super::super) fn honours_classes(&self) -> Vec<Class> {
        let honours = self.content.numbers.siege.honours.min(6);
        let fates = [(1, honours), (6, 6 - honours)].into_iter().filter(|&(_, weight)| weight > 0);
        let class = |(die, weight): (u8, u8)| Class {
            outcome: Outcome::Roll([die].into_iter().collect()),
            weight: BigUint::from(weight),
        };
        fates.map(class).collect()
    }

    /// 14.4: the die of the honours of war.
    pub(in super::super) fn honours(
        &self,
        state: &mut State,
        (seat, area): (Seat, AreaId),
        die: u8,
        out: &mut Events,
    ) {
        let disperses = die <= self.content.numbers.siege.honours;
        let refs = [Ref::from(area), Ref::Number(die.into())];
        out.emit(|| Event::new("honours_of_war", rules::FORTRESS_SURRENDERS, &refs));
        let terms = if disperses { Terms::Honours } else { Terms::Eliminated };
        self.fortress_surrenders(state, (seat, area), terms, out);
    }

    /// 14.4: garrison, Siege Train, marker, Generals; the Siege is over. A Local Notable is out of the game (NB7).
    fn fortress_surrenders(
        &self,
        state: &mut State,
        (seat, area): (Seat, AreaId),
        terms: Terms,
        out: &mut Events,
    ) {
        state.frames.close();
        let loser = seat.other();
        let held = self.held_under_siege(state) - AreaSet::one(area);
        let garrison = state.garrison(&self.content, area);
        let inside = state.commander_inside(&self.content, loser, area);
        let scene = Scene::open(self, state, 2, out);
        self.garrison_goes(state, loser, garrison, terms);
        let generals = inside.map_or(GeneralSet::EMPTY, |general| state.army(general));
        let trains = generals.iter().any(|general| state.trains[loser.index()] == Train::With(general));
        if rules::FORTRESS_SURRENDERS.applies(trains || state.trains[loser.index()] == Train::In(area)) {
            state.trains[loser.index()] = Train::Out;
        }
        let queen = match state.queen {
            Queen::With(general) => generals.contains(general),
            Queen::In(place) => rules::QUEEN_INSIDE.applies(place == area && loser == ROYALIST),
            _ => false,
        };
        for general in generals {
            state.generals.place(general, if terms == Terms::Stormed { Post::Out } else { Post::Unemployed });
        }
        if let Some(notable) = state.notable_at(&self.content, area) {
            state.notables[notable] = rules::NOTABLE_ELIMINATED.gives(Presence::Out, Presence::InPlay);
        }
        if let Some(fortress) = self.content.areas[area].fortress {
            state.sieges[fortress] = Siege::NONE;
        }
        state.set_control(area, Some(seat));
        let refs = [Ref::Seat(seat), Ref::from(area)];
        scene.publish(self, state, out, || {
            Event::new("fortress_surrenders", rules::FORTRESS_SURRENDERS, &refs)
        });
        if rules::QUEEN_CAPTURED.applies(queen && seat == PARLIAMENT) {
            self.capture_queen(state, out);
        }
        for general in generals {
            self.general_surrenders(state, general, out);
        }
        if state.result.is_none() {
            self.consequences(state, held, Cause::Other, out);
        }
    }

    /// 14.4: the garrison goes to the Unemployed Generals Box, or to the pool; foreigners and turncoats out of the game.
    fn garrison_goes(&self, state: &mut State, loser: Seat, garrison: CounterSet, terms: Terms) {
        if rules::FORTRESS_SURRENDERS.applies(terms == Terms::Honours) {
            let foreign = garrison & self.content.bands_that(Faction::is_foreign);
            return self.to_box(state, loser, garrison, foreign);
        }
        // A face serves a side as what it is or as a turncoat, so all of one face go to one place.
        let places = [Holder::OUT, Holder::AWAY, Holder::pool(loser)];
        for (to, some) in
            places.map(|to| (to, garrison.that(|counter| self.pool_place(state, counter) == to)))
        {
            state.brigades.change(&self.content, some, |counter| counter.at = to);
        }
    }
}
