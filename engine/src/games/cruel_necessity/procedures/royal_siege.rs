//! Royalist sieges: by an activation, by a card, by unrest within London (6.2.4, 6.2.5, 6.3, 6.4).

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::content::{FortId, LONDON};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{CruelNecessity, rules};
use super::dice::beats;
use super::fortresses::fort_value;

/// Returns whether Royalists can capture or weaken nothing more there: a click down from here changes the owner.
fn last_click(state: &State, fort: FortId) -> bool {
    state.forts[fort].click == 1
}

/// The rule of a Royalist siege under way: unrest, an activation, or else a card that names the fortress.
pub(in super::super) fn siege_rule(state: &State, unrest: bool) -> Rule {
    let activates = state.frames.iter().any(|frame| matches!(frame, Frame::Activate { .. }));
    match (unrest, activates) {
        (true, _) => rules::UNREST,
        (false, true) => rules::ROYAL_SIEGE,
        (false, false) => rules::BESIEGE_OR_FORTIFY,
    }
}

impl CruelNecessity {
    /// 6.3: besieged where Parliament holds it, strengthened where the Royalists do (A16).
    pub(in super::super) fn besiege_or_fortify(&self, state: &mut State, fort: FortId, out: &mut Events) {
        let royalist = state.forts[fort].royalist;
        if rules::BESIEGE_OR_FORTIFY.applies(rules::BY_OWNER.applies(royalist)) {
            self.click_up(state, fort, rules::BESIEGE_OR_FORTIFY, out);
        } else if rules::BESIEGE_OR_FORTIFY.applies(!royalist) {
            self.open_siege(state, fort, rules::BESIEGE_OR_FORTIFY, out);
        }
    }

    /// Unrest within London, while it is Parliament's (6.4, A17).
    pub(in super::super) fn open_unrest(&self, state: &mut State, out: &mut Events) {
        let royalist = state.forts[LONDON].royalist;
        if royalist {
            let piece = [Target::Fort(LONDON).reference()];
            out.emit(|| Event::new("no_unrest", rules::LAST_CLICK_OF_LONDON, &piece));
        } else if rules::UNREST.applies(!royalist) {
            self.open_siege(state, LONDON, rules::UNREST, out);
        }
    }

    /// Opens a Royalist siege by the rule that calls for it: two rolls (6.2.4, 6.3, 6.4, A15).
    pub(in super::super) fn open_siege(&self, state: &mut State, fort: FortId, rule: Rule, out: &mut Events) {
        let piece = Target::Fort(fort).reference();
        let unrest = rule == rules::UNREST;
        let code = if unrest { "unrest" } else { "siege" };
        out.emit(|| Event::new(code, rule, &[piece]));
        let left = rules::TWO_DICE.gives(2, 1);
        state.frames.open(Frame::Siege { fort, left, unrest });
    }

    /// A die of a Royalist siege; the frame has been closed.
    pub(in super::super) fn siege_roll(
        &self,
        state: &mut State,
        (fort, left, unrest): (FortId, u8, bool),
        die: u8,
        out: &mut Events,
    ) {
        let value = fort_value(&self.content, state, fort);
        let success = beats(die, 0, value);
        let refs = [Target::Fort(fort).reference(), Ref::Number(die.into()), Ref::Number(value.into())];
        let code = if success { "siege_success" } else { "siege_failure" };
        let rule = siege_rule(state, unrest);
        out.emit(|| Event::new(code, rule, &refs));
        if rules::LAST_CLICK_OF_LONDON.applies(success && unrest && last_click(state, fort)) {
            // Unrest does not take London: it costs Zeal instead (6.4).
            self.change_zeal(state, -1, rules::UNREST, out);
        } else if success {
            self.click_down(state, fort, rule, out);
        }
        let fallen = state.forts[fort].royalist;
        if left > 1 && !rules::TWO_DICE.applies(fallen) {
            state.frames.open(Frame::Siege { fort, left: left - 1, unrest });
        }
    }
}
