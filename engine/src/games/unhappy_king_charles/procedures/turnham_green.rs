//! Turnham Green (6.6): Parliament gathers in London, over enemies and without Interception (V1, V4, V5, V21).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, BrigadeFace, CounterSet, FortressId, GeneralId};
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Holding, Post, State, Told};
use super::super::{UnhappyKing, catalogue, rules};
use super::consequences::Cause;

/// All that the gathering has come to.
#[derive(Copy, Clone, Debug)]
pub(in super::super) struct Gathering {
    /// The level of the last General: the next ones are not higher.
    pub(in super::super) level: u8,
    /// The place that a Brigade is taken from.
    pub(in super::super) from: Option<Holder>,
    /// The Brigade that is taken.
    pub(in super::super) face: Option<BrigadeFace>,
}

impl UnhappyKing {
    /// V1: an Army of the Royalist's stands next to London.
    #[must_use]
    pub(in super::super) fn london_is_threatened(&self, state: &State) -> bool {
        let beside = self.content.adjacent[self.content.numbers.turnham_green.at];
        rules::TURNHAM_GREEN.allows(state.armies(&self.content, ROYALIST).meets(beside))
    }

    fn london(&self) -> AreaId {
        self.content.numbers.turnham_green.at
    }

    /// The Fortress of London, while Parliament can go inside.
    fn open_london(&self, state: &State) -> Option<FortressId> {
        let london = self.london();
        let printed = self.content.areas[london].notable.is_none();
        state
            .fortress(&self.content, london)
            .filter(|_| printed && state.controller(london) == Some(PARLIAMENT))
    }

    /// So many Brigades have room inside London (14.1).
    fn room_in_london(&self, state: &State) -> u8 {
        self.open_london(state).map_or(0, |fortress| {
            let garrison = state.garrison(&self.content, self.london()).count() as u8;
            self.content.fortresses[fortress].room.saturating_sub(garrison)
        })
    }

    /// V5: Royalist Brigades stand before London, so that only those come who fit inside.
    fn london_is_beset(&self, state: &State) -> bool {
        let enemies = state.stack(&self.content, ROYALIST, self.london());
        rules::GATHERING_INSIDE.applies(!enemies.is_empty())
    }

    /// The Areas from which Parliament gathers.
    fn gathering_area(&self, state: &State, holder: Holder) -> bool {
        let distance = self.content.numbers.turnham_green.distance;
        state.area_of_holder(&self.content, holder).is_some_and(|area| {
            area != self.london()
                && rules::GATHERING.allows(self.content.distances[area][self.london()] <= distance)
        })
    }

    /// The Brigades at a place that can be gathered one by one: unled, and of Local Notables; no Covenanters, who come under their own
    /// Generals alone (V4).
    fn gathered_brigades(&self, state: &State, holder: Holder) -> CounterSet {
        let single =
            matches!(holder.holding(), Holding::Outside(_) | Holding::Inside(_) | Holding::Notable(_));
        if !single || !self.gathering_area(state, holder) || self.london_receivers(state) == [None; 2] {
            return CounterSet::EMPTY;
        }
        let own = state.brigades.of_side(&self.content, state.brigades.at(holder), PARLIAMENT);
        own - self.content.bands_that(Faction::is_foreign)
    }

    /// Where a Brigade may be put in London: outside, unless Royalists stand there, and inside while there is room.
    fn london_receivers(&self, state: &State) -> [Option<Holder>; 2] {
        let outside = Some(Holder::outside(self.london())).filter(|_| !self.london_is_beset(state));
        let inside = self.open_london(state).filter(|_| self.room_in_london(state) > 0).map(Holder::inside);
        [outside, inside]
    }

    /// The place that a General would take in London with their own Brigades, the Army there, if there is one, and whether they would
    /// command it; none if London's stack would not be legal (V4, V5, V21).
    fn place_in_london(
        &self,
        state: &State,
        general: GeneralId,
    ) -> Option<(Post, Option<(GeneralId, bool)>)> {
        let london = self.london();
        let own = state.brigades.count(general);
        let inside = state.commander_inside(&self.content, PARLIAMENT, london);
        let beset = self.london_is_beset(state);
        if beset && (self.open_london(state).is_none() || own > self.room_in_london(state)) {
            return None;
        }
        let post = if beset { Post::Inside(london) } else { Post::Area(london) };
        let outside = state.commander_at(&self.content, PARLIAMENT, london).filter(|_| !beset);
        let other = match (outside, inside) {
            (Some(_), Some(_)) => return None,
            (outside, inside) => outside.or(inside),
        };
        let Some(other) = other else { return Some((post, None)) };
        let brigades = own + state.size(other);
        let over = brigades <= self.limit_of(state, general)
            && !self.has_siege_marker(state, other)
            && state.army(other).iter().all(|one| self.may_serve(state, one, general));
        let under = brigades <= self.limit_of(state, other) && self.may_serve(state, general, other);
        rules::GATHERING_ORDER.allows(over || under).then_some((post, Some((other, over))))
    }

    /// Returns whether a General may come next, in falling level; Waller not before the Standard (MC2).
    fn may_gather(&self, state: &State, general: GeneralId, level: u8) -> bool {
        let held = !state.has(Happened::STANDARD) && self.content.numbers.standard.held.contains(general);
        self.content.generals[general].side == PARLIAMENT
            && self.gathering_area(state, general.into())
            && state.brigades.count(general) > 0
            && rules::WALLER_WAITS.allows(!held)
            && rules::GATHERING_ORDER.allows(self.level_of(state, general) >= level)
            && self.place_in_london(state, general).is_some()
    }

    /// Generals and places of Brigades, then faces, then where in London; to be done.
    pub(in super::super) fn offer_gathering(
        &self,
        state: &State,
        _: Seat,
        gathering: Gathering,
        offer: &mut impl FnMut(Action),
    ) {
        match (gathering.from, gathering.face) {
            (Some(_), Some(_)) => {
                self.london_receivers(state).into_iter().flatten().map(Action::To).for_each(offer);
            }
            (Some(holder), None) => {
                let there = self.gathered_brigades(state, holder);
                state.brigades.faces(&self.content, there).iter().map(Action::Brigade).for_each(offer);
            }
            _ => {
                let filled = |&holder: &Holder| !state.brigades.at(holder).is_empty();
                Holder::of_map().filter(filled).map(Action::From).for_each(&mut *offer);
                offer(Action::Done);
            }
        }
    }

    /// V4, V5, V21.
    pub(in super::super) fn examine_gathering(
        &self,
        state: &State,
        _: Seat,
        gathering: Gathering,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match (gathering.from, gathering.face, action) {
            (None, _, Action::Done) => ControlFlow::Continue(()),
            (None, _, Action::From(holder)) => {
                let place = [Ref::from(catalogue::location(&self.content, holder))];
                why.demand(self.gathering_area(state, holder), rules::GATHERING, "NOT_NEAR_LONDON", &place)?;
                let comes = match holder.holding() {
                    Holding::General(general) => self.may_gather(state, general, gathering.level),
                    _ => !self.gathered_brigades(state, holder).is_empty(),
                };
                why.demand(comes, rules::GATHERING_ORDER, "CANNOT_COME_TO_LONDON", &place)
            }
            (Some(holder), None, Action::Brigade(face)) => {
                let there = self.gathered_brigades(state, holder) & self.content.faces[face].counters();
                let refs = [Ref::from(face), Ref::from(catalogue::location(&self.content, holder))];
                why.demand(!there.is_empty(), rules::GATHERING, "BRIGADE_NOT_THERE", &refs)
            }
            (Some(_), Some(_), Action::To(holder)) => {
                let place = Ref::from(catalogue::location(&self.content, holder));
                let open = self.london_receivers(state).contains(&Some(holder));
                why.demand(open, rules::GATHERING_INSIDE, "NO_PLACE_IN_LONDON", &[place])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_gathering(
        &self,
        state: &mut State,
        seat: Seat,
        gathering: Gathering,
        action: Action,
        out: &mut Events,
    ) {
        let Some(Frame::Gathering { level, from, face, .. }) = state.frames.top_mut() else {
            unreachable!("Parliament gathers within the event");
        };
        match action {
            Action::From(holder) => match holder.holding() {
                Holding::General(general) => {
                    *level = self.content.generals[general].level;
                    self.gather_general(state, general, out);
                }
                _ => *from = Some(holder),
            },
            Action::Brigade(chosen) => {
                *face = Some(chosen);
                let places = self.london_receivers(state);
                if let [Some(to), None] | [None, Some(to)] = places {
                    self.gather_brigade(state, (gathering.from, Some(chosen)), to, out);
                }
            }
            Action::To(to) => self.gather_brigade(state, (gathering.from, gathering.face), to, out),
            _ => {
                state.frames.close();
                out.emit(|| Event::new("gathering_done", rules::GATHERING, &[Ref::Seat(seat)]));
                self.settle_stacks(state, seat);
            }
        }
    }

    /// A General comes with their own Brigades; their Subordinates stay.
    fn gather_general(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        let (post, other) = self.place_in_london(state, general).expect("they were offered as they may come");
        let held = self.held_under_siege(state);
        self.end_siege_of(state, general, out);
        let scene = Scene::open(self, state, 2, out);
        let before = state.generals[general].post;
        for left in state.army(general).that(|one| one != general) {
            state.generals.place(left, before);
        }
        state.generals.place(general, post);
        match other {
            Some((other, true)) => {
                for one in state.army(other) {
                    state.generals.place(one, Post::Under(general));
                }
            }
            Some((other, false)) => {
                state.generals.place(general, Post::Under(other));
                state.generals.place(other, post);
            }
            None => {}
        }
        let refs = [Ref::from(general), Ref::from(self.london())];
        scene.publish(self, state, out, || Event::new("general_gathers", rules::GATHERING, &refs));
        self.consequences(state, held, Cause::Other, out);
    }

    /// A Brigade comes; nobody else learns which one it is.
    fn gather_brigade(
        &self,
        state: &mut State,
        (from, face): (Option<Holder>, Option<BrigadeFace>),
        to: Holder,
        out: &mut Events,
    ) {
        let (Some(holder), Some(chosen)) = (from, face) else {
            unreachable!("place and face are chosen first");
        };
        if let Some(Frame::Gathering { from, face, .. }) = state.frames.top_mut() {
            (*from, *face) = (None, None);
        }
        let there = self.gathered_brigades(state, holder);
        let counter = state.brigades.of_face(&self.content, there, chosen);
        let counter = counter.expect("a face was offered that is there");
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.brigades.put(&self.content, counter, to, Told::Hidden);
        let [from, to] = [holder, to].map(|holder| Ref::from(catalogue::location(&self.content, holder)));
        scene.publish(self, state, out, || {
            Event::new("brigade_gathers", rules::GATHERING, &[from, to]).private(
                PARLIAMENT,
                &[from, to, chosen.into()],
                [],
            )
        });
        self.consequences(state, held, Cause::Other, out);
    }
}
