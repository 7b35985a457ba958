//! Choices in blue text (6.10.1, S8).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::Action;
use super::super::catalogue::names;
use super::super::content::{ChoiceId, OptionId};
use super::super::frames::Frame;
use super::super::state::State;
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    pub(in super::super) fn open_choice(&self, state: &mut State, choice: ChoiceId) {
        if rules::BLUE_TEXT.applies(true) {
            state.frames.open(Frame::Choice { choice });
        }
    }

    /// Takes an option that nobody has to pick, because it must be taken and is the only one; returns whether it did.
    pub(in super::super) fn only_option(
        &self,
        state: &mut State,
        choice: ChoiceId,
        out: &mut Events,
    ) -> bool {
        let def = &self.content.choices[choice];
        let only = !def.optional && def.options.count() == 1;
        if only {
            self.choose(state, def.options.first().expect("a choice has an option"), out);
        }
        only
    }

    /// The options, then none of them where that is allowed.
    pub(in super::super) fn offer_choice(&self, _: &State, choice: ChoiceId, offer: &mut impl FnMut(Action)) {
        let def = &self.content.choices[choice];
        def.options.iter().for_each(|option| offer(Action::Choose(option)));
        if def.optional {
            offer(Action::Pass);
        }
    }

    pub(in super::super) fn examine_choice(
        &self,
        _: &State,
        choice: ChoiceId,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let def = &self.content.choices[choice];
        match action {
            Action::Choose(option) if def.options.contains(option) => ControlFlow::Continue(()),
            Action::Choose(_) => why.refuse(rules::BLUE_TEXT, "NOT_AN_OPTION"),
            Action::Pass => why.require(def.optional, rules::BLUE_TEXT, "MUST_CHOOSE", &[]),
            _ => why.refuse(rules::SEQUENCE, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_choice(
        &self,
        state: &mut State,
        _: ChoiceId,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Choose(option) => self.choose(state, option, out),
            _ => {
                state.frames.close();
                out.emit(|| Event::new("declines", rules::BLUE_TEXT, &[]));
            }
        }
    }

    /// An option of blue text is taken (6.10.1, S8); the Choice frame is the innermost.
    pub(in super::super) fn choose(&self, state: &mut State, option: OptionId, out: &mut Events) {
        state.frames.close();
        let list = self.content.options[option].1;
        if let Some((card, place)) = self.content.printed_option(option) {
            let refs = [names::card_ref(card), Ref::Number(place.into())];
            out.emit(|| Event::new("option", rules::BLUE_TEXT, &refs));
        }
        if rules::OPTION_IN_FULL.applies(true) {
            state.frames.open(Frame::Items { list, next: 0 });
        }
    }
}
