//! The optional rule of the Laughter of the Court (18.4, O4): Newcastle leaves England.

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::ROYALIST;
use super::super::content::ids::{CounterSet, GeneralId};
use super::super::content::set_up::RuleOption;
use super::super::frames::Frame;
use super::super::state::{Holder, Post, State};
use super::super::{UnhappyKing, rules};
use super::brigade_choice::BrigadeChoice;
use super::consequences::Cause;

impl UnhappyKing {
    /// Asked after each Battle, with a General of the stack that was Decisively defeated in it, and after each change of control: Newcastle,
    /// if he was in that stack, or the Royalist has no marker in the North, leaves for good. Langdale takes his place, if he is in a box or
    /// on the track, and the Royalist gives up Northern Brigades. What it opens comes before all else.
    pub(in super::super) fn laughter(
        &self,
        state: &mut State,
        decisive_defeat_of: Option<GeneralId>,
        out: &mut Events,
    ) {
        if !state.options[RuleOption::Laughter as usize] {
            return;
        }
        let people = &self.content.people;
        let (newcastle, langdale) = (people.newcastle, people.langdale);
        let optional = &self.content.numbers.optional;
        let beaten =
            decisive_defeat_of.is_some_and(|general| state.commander(general) == state.commander(newcastle));
        let north = self.content.regions[optional.laughter_region].areas;
        let lost = !state.control[ROYALIST.index()].meets(north);
        let in_game = state.generals[newcastle].post != Post::Out;
        if !rules::LAUGHTER.applies(in_game && (beaten || lost)) {
            return;
        }
        let held = self.held_under_siege(state);
        let free =
            matches!(state.generals[langdale].post, Post::Reinforcements | Post::Unemployed | Post::Waiting);
        if !free {
            self.end_siege_of(state, newcastle, out);
        }
        let scene = Scene::open(self, state, 2, out);
        match state.area_of(newcastle) {
            Some(area) => {
                self.leave_display(state, newcastle, area);
                if free {
                    self.succeed(state, newcastle, langdale);
                } else {
                    self.dismiss(state, newcastle, Post::Out);
                }
            }
            None => {
                if free {
                    state.generals.place(langdale, state.generals[newcastle].post);
                }
                state.generals.place(newcastle, Post::Out);
            }
        }
        let refs: Vec<Ref> = [newcastle].into_iter().chain(free.then_some(langdale)).map(Ref::from).collect();
        scene.publish(self, state, out, || Event::new("newcastle_leaves", rules::LAUGHTER, &refs));
        self.settle_stacks(state, ROYALIST);
        state.frames.open(Frame::Laughter { seat: ROYALIST, left: optional.laughter_brigades, from: None });
        self.consequences(state, held, Cause::Other, out);
    }

    /// Returns whether Newcastle fights on a side of the Battle, in its Army or with the garrison that joined it.
    #[must_use]
    pub(in super::super) fn has_newcastle(&self, state: &State, side: Seat) -> bool {
        let newcastle = self.content.people.newcastle;
        let commander = Some(state.commander(newcastle));
        self.fighters(state, side).meets(state.brigades.at(newcastle))
            || self.field_army(state, side) == commander
            || state.ongoing_battle().commanders[side.index()] == commander
    }

    /// O4: after the Retreat of a stack that was Decisively defeated with Newcastle in it.
    pub(in super::super) fn laugh_at_beaten(&self, state: &mut State, out: &mut Events) {
        if std::mem::take(&mut state.ongoing_battle_mut().newcastle) {
            self.laughter(state, Some(self.content.people.newcastle), out);
        }
    }

    /// The Northern Brigades of the Royalist, in the pool or on the map.
    fn laughable(&self, state: &State, from: Option<Holder>) -> BrigadeChoice {
        let north = Some(self.content.numbers.optional.laughter_region);
        let pool = state.brigades.at(Holder::pool(ROYALIST));
        let own: CounterSet = state.on_map(&self.content, ROYALIST) | pool;
        let among = own.that(|counter| self.content.faces[self.content.face_of[counter]].region == north);
        BrigadeChoice { among, allowed: among, from, rule: rules::LAUGHTER }
    }

    /// It ends with the last one, or where none is left.
    pub(in super::super) fn advance_laughter(&self, state: &mut State, left: u8) -> bool {
        let ends = left == 0 || self.laughable(state, None).among.is_empty();
        if ends {
            state.frames.close();
        }
        ends
    }

    pub(in super::super) fn offer_laughter(
        &self,
        state: &State,
        _: Seat,
        from: Option<Holder>,
        offer: &mut impl FnMut(Action),
    ) {
        self.offer_brigades(state, self.laughable(state, from), offer);
    }

    pub(in super::super) fn examine_laughter(
        &self,
        state: &State,
        _: Seat,
        from: Option<Holder>,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        self.examine_brigades(state, self.laughable(state, from), action, why)
    }

    pub(in super::super) fn apply_laughter(
        &self,
        state: &mut State,
        seat: Seat,
        chosen: Option<Holder>,
        action: Action,
        out: &mut Events,
    ) {
        self.apply_given_up(state, seat, self.laughable(state, chosen), action, out);
    }
}
