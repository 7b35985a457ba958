//! The Catholic League intervenes in Ireland (12.2).

use crate::event::{Event, Events};
use crate::reference::Ref;

use super::super::content::{CounterId, IRELAND, T_CATHOLICISM, T_IRELAND};
use super::super::state::{BOTTOM, Options, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// Returns whether the Catholic League sends support now (12.2, O6).
    pub(in super::super) fn league_is_due(&self, state: &State) -> bool {
        let due = state.opted(Options::LEAGUE)
            && state.armies[IRELAND].counter == CounterId::new(IRELAND.index())
            && !state.armies[IRELAND].disordered
            && state.tracks[T_IRELAND] == BOTTOM
            && state.tracks[T_CATHOLICISM] == BOTTOM;
        rules::LEAGUE.applies(due)
    }

    /// Rolls for the support that the Catholic League sends (12.2, O7).
    pub(in super::super) fn league_roll(&self, state: &mut State, die: u8, out: &mut Events) {
        let (france_up_to, counters) = self.content.numbers.league;
        let counter = counters[usize::from(die > france_up_to)];
        out.emit(|| Event::new("league", rules::LEAGUE, &[Ref::Number(die.into())]));
        self.swap_army(state, counter, rules::LEAGUE, out);
    }
}
