//! Fortresses of the player: sieges (8.4), fortifying (8.6, 6.10.3), the clicks of the dial.

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::actions::{Action, Target};
use super::super::content::{ArmyId, BOXES, Content, FortId, LONDON};
use super::super::frames::Frame;
use super::super::state::{Flags, Options, State};
use super::super::{CruelNecessity, rules};
use super::revolts::barred_by_revolt;
use super::tracks::london_barred;

/// Clicks a turn and fortress, where they are limited (O2).
pub(in super::super) const FORTIFY_LIMIT: u8 = 2;

/// The strength of a fortress.
pub(in super::super) fn fort_value(content: &Content, state: &State, fort: FortId) -> i8 {
    content.forts[fort].values[usize::from(state.forts[fort].click)] as i8
}

/// The regions in which a fortress lies, with its area there.
pub(in super::super) fn lies_in(content: &Content, fort: FortId) -> impl Iterator<Item = (ArmyId, u8)> + '_ {
    let lies = &content.forts[fort].lies;
    ArmyId::all(content).filter_map(|region| Some((region, lies[region]?)))
}

/// Returns whether every Army in whose region a fortress lies is further away than the fortress (8.4, 8.6, P11).
pub(in super::super) fn in_front(content: &Content, state: &State, fort: FortId) -> bool {
    lies_in(content, fort).all(|(region, area)| state.armies[region].area > area)
}

/// Returns whether an eligible revolt bars a fortress.
pub(in super::super) fn fort_barred(content: &Content, state: &State, fort: FortId) -> bool {
    lies_in(content, fort).any(|(region, _)| barred_by_revolt(state, region))
}

/// Returns whether a fortress may be besieged as far as permission goes (6.10.2, 8.4).
pub(in super::super) fn permitted(content: &Content, state: &State, fort: FortId) -> bool {
    !content.forts[fort].permission || state.has(Flags::OXFORD_PERMITTED)
}

impl CruelNecessity {
    /// Royalist fortresses.
    pub(in super::super) fn offer_sieges(&self, state: &State, offer: &mut impl FnMut(Action)) {
        for fort in FortId::all(&self.content).filter(|&fort| state.forts[fort].royalist) {
            offer(Action::Besiege(Target::Fort(fort)));
        }
    }

    /// Examines whether a fortress can be besieged by the player, paid or not (8.4, P11, P12).
    pub(in super::super) fn examine_siege(
        &self,
        state: &State,
        fort: FortId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Target::Fort(fort).reference()];
        why.demand(state.forts[fort].royalist, rules::BESIEGE, "NOT_ROYALIST", &refs)?;
        let rule = if fort == LONDON { rules::LONDON_REGAINED } else { rules::BESIEGED_FROM_OUTSIDE };
        why.require(in_front(&self.content, state, fort), rule, "ARMY_IN_THE_WAY", &refs)?;
        why.require(permitted(&self.content, state, fort), rules::OXFORD, "NO_PERMISSION", &refs)?;
        why.require(!fort_barred(&self.content, state, fort), rules::REVOLTS, "REVOLT_FIRST", &refs)
    }

    pub(in super::super) fn apply_siege(&self, state: &mut State, fort: FortId, out: &mut Events) {
        self.pay(state, 1, out);
        state.frames.open(Frame::Besiege { fort });
    }

    /// The player besieges a fortress (8.4).
    pub(in super::super) fn besiege_roll(&self, state: &mut State, fort: FortId, die: u8, out: &mut Events) {
        let target = Target::Fort(fort);
        let drm = self.zeal_drm(state, target);
        let value = fort_value(&self.content, state, fort);
        let won = self.rolled(target, (die, drm, value), rules::BESIEGE, out);
        if rules::BESIEGE.applies(rules::TAKEN.applies(won)) {
            self.click_down(state, fort, rules::BESIEGE, out);
        }
    }

    /// Parliament's fortresses.
    pub(in super::super) fn offer_fortify(&self, state: &State, offer: &mut impl FnMut(Action)) {
        for fort in FortId::all(&self.content).filter(|&fort| !state.forts[fort].royalist) {
            offer(Action::Fortify(fort));
        }
    }

    pub(in super::super) fn examine_fortify(
        &self,
        state: &State,
        fort: FortId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [Target::Fort(fort).reference()];
        why.demand(!state.forts[fort].royalist, rules::FORTIFY, "NOT_PARLIAMENT", &refs)?;
        self.pays(state, why)?;
        why.require(
            in_front(&self.content, state, fort),
            rules::FORTIFIED_BEHIND_THE_FRONT,
            "ARMY_IN_THE_WAY",
            &refs,
        )?;
        why.require(!fort_barred(&self.content, state, fort), rules::REVOLTS, "REVOLT_FIRST", &refs)?;
        // Not a ground that can be switched off: there is no sixth click.
        if state.forts[fort].click >= 5 {
            return why.refuse(rules::FORTIFY, "FULL_STRENGTH");
        }
        let barred = fort == LONDON && london_barred(state);
        why.require(!barred, rules::NADIR_OF_PARLIAMENT, "PARLIAMENT_AT_ITS_NADIR", &refs)?;
        let limited = state.opted(Options::FORTIFY_LIMIT) && state.forts[fort].fortified >= FORTIFY_LIMIT;
        why.require(!limited, rules::FORTIFY_LIMIT, "FORTIFIED_TWICE", &refs)
    }

    pub(in super::super) fn apply_fortify(&self, state: &mut State, fort: FortId, out: &mut Events) {
        self.pay(state, 1, out);
        let limited = state.opted(Options::FORTIFY_LIMIT);
        let scene = self.scene(state, out);
        state.forts[fort].fortified += u8::from(limited);
        let refs = [Target::Fort(fort).reference()];
        scene.publish(self, state, out, || Event::new("fortifies", rules::FORTIFY, &refs));
        self.click_up(state, fort, rules::FORTIFY, out);
    }

    /// 6.10.3: a free click for Parliament's fortress, wherever the front is (A19).
    pub(in super::super) fn event_fortify(&self, state: &mut State, fort: FortId, out: &mut Events) {
        let barred = fort == LONDON && london_barred(state);
        let ours = rules::FORTIFY_BY_CARD.allows(!state.forts[fort].royalist);
        let piece = [Target::Fort(fort).reference()];
        if rules::EVENT_FORTIFY.applies(!ours) {
            out.emit(|| Event::new("not_fortified", rules::EVENT_FORTIFY, &piece));
        } else if rules::EVENT_FORTIFY.applies(barred) {
            out.emit(|| Event::new("not_fortified", rules::NADIR_OF_PARLIAMENT, &piece));
        } else if rules::EVENT_FORTIFY.applies(ours) {
            self.click_up(state, fort, rules::EVENT_FORTIFY, out);
        }
    }

    /// A fortress one click weaker; at the last one it changes its owner, at the first click of the dial (6.2.4, 8.4, P14).
    pub(in super::super) fn click_down(&self, state: &mut State, fort: FortId, rule: Rule, out: &mut Events) {
        let scene = self.scene(state, out);
        let there = &mut state.forts[fort];
        let code = if there.click == 1 {
            there.royalist = !there.royalist;
            "captured"
        } else {
            there.click -= 1;
            "weakened"
        };
        let refs = [Target::Fort(fort).reference(), Ref::Number(state.forts[fort].click.into())];
        scene.publish(self, state, out, || Event::new(code, rule, &refs));
    }

    /// A fortress one click stronger, up to the end of its dial.
    pub(in super::super) fn click_up(&self, state: &mut State, fort: FortId, rule: Rule, out: &mut Events) {
        if usize::from(state.forts[fort].click) + 1 >= BOXES {
            out.emit(|| Event::new("full_already", rule, &[Target::Fort(fort).reference()]));
            return;
        }
        let scene = self.scene(state, out);
        state.forts[fort].click += 1;
        let refs = [Target::Fort(fort).reference(), Ref::Number(state.forts[fort].click.into())];
        scene.publish(self, state, out, || Event::new("strengthened", rule, &refs));
    }
}
