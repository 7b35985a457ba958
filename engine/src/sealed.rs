//! Choices that seats make in secret and at once ([`SealedChoice`]): each picks, commits, and all picks are revealed together.

use rand_core::Rng;

use crate::codec::{Coding, DecodeError, Reader, Writer};
use crate::event::Events;
use crate::game::Game;
use crate::seat::{Observer, Seat, SeatSet};
use crate::view::{NodeView, View};

/// A seat's part of a sealed choice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Part<T> {
    picked: T,
    committed: bool,
}

/// A sealed choice of `SEATS` seats: the pick of each, which nobody else sees, and whether it is final. `T` holds a pick; its default
/// is none. Between choices all parts are empty. Its encoding is that of a kind of picks in the place of `T`.
///
/// ```
/// use edgehill_engine::sealed::SealedChoice;
/// use edgehill_engine::seat::{Seat, SeatSet};
///
/// let [north, south] = [0, 1].map(Seat::new);
/// let mut choice = SealedChoice::<Option<u16>>::default();
/// *choice.pick(north) = Some(7);
/// choice.commit(north);
/// assert_eq!(choice.to_act(SeatSet::first(2)), SeatSet::EMPTY.with(south));
/// choice.commit(south);
/// assert_eq!(choice.reveal(), [Some(7), None]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SealedChoice<T, const SEATS: usize = 2>([Part<T>; SEATS]);

impl<T: Default, const SEATS: usize> Default for SealedChoice<T, SEATS> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Part::default()))
    }
}

impl<T: Clone + PartialEq + Default, const SEATS: usize> SealedChoice<T, SEATS> {
    /// The pick of a seat so far.
    #[must_use]
    pub const fn picked(&self, seat: Seat) -> &T {
        &self.0[seat.index()].picked
    }

    /// The pick of a seat, to change it.
    pub const fn pick(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()].picked
    }

    /// The pick of a seat becomes final.
    pub const fn commit(&mut self, seat: Seat) {
        self.0[seat.index()].committed = true;
    }

    /// The seats that have committed.
    #[must_use]
    pub fn committed(&self) -> SeatSet {
        SeatSet::first(SEATS).iter().filter(|seat| self.0[seat.index()].committed).collect()
    }

    /// Those of the seats that are asked that still have to commit.
    #[must_use]
    pub fn to_act(&self, asked: SeatSet) -> SeatSet {
        asked.iter().filter(|seat| !self.0[seat.index()].committed).collect()
    }

    /// Hands over all picks, by seat, and leaves none.
    pub fn reveal(&mut self) -> [T; SEATS] {
        std::mem::take(self).0.map(|part| part.picked)
    }

    /// The parts of the seats that a view shows to have committed, but for its own: each has picked something that `possible` draws. The
    /// own part follows by [`replay`].
    pub fn resample(
        &mut self,
        view: &View,
        rng: &mut dyn Rng,
        mut possible: impl FnMut(Seat, &mut dyn Rng) -> T,
    ) {
        let NodeView::Sealed { committed, .. } = view.turn_state.node else { return };
        for seat in committed.iter().filter(|&seat| !view.observer.is(seat)) {
            self.0[seat.index()] = Part { picked: possible(seat, rng), committed: true };
        }
    }

    /// For scrambled states: the pick of a seat whose secrets have become others is drawn anew. One that is no more than drafted stays
    /// if all that it was drawn from has stayed.
    pub fn refit(&mut self, seat: Seat, has_changed: bool, possible: impl FnOnce() -> T) {
        let part = &mut self.0[seat.index()];
        if part.committed || (has_changed && part.picked != T::default()) {
            part.picked = possible();
        }
    }
}

impl<C, K: Coding<C>, const SEATS: usize> Coding<C> for SealedChoice<K, SEATS>
where
    K::Value: Default,
{
    type Value = SealedChoice<K::Value, SEATS>;

    fn encode(value: &Self::Value, to: &mut Writer) {
        for part in &value.0 {
            K::encode(&part.picked, to);
            to.bool(part.committed);
        }
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        let mut choice = SealedChoice::default();
        for part in &mut choice.0 {
            *part = Part { picked: K::decode(content, from)?, committed: from.bool()? };
        }
        Ok(choice)
    }
}

/// Takes the actions of a view's draft in a sealed choice, for a state that was made from the view: its board does not show them.
pub fn replay<G: Game>(game: &G, state: &mut G::State, view: &View) {
    let (Observer::Seat(seat), NodeView::Sealed { .. }) = (view.observer, &view.turn_state.node) else {
        return;
    };
    for &action in &view.draft {
        assert!(game.permits(state, seat, action), "an action of the draft is not legal where it was made");
        game.apply(state, seat, action, &mut Events::silent());
    }
}
