//! Invading Armies and fortresses: activation, sieges, disorder and retreat, eligibility (6.2, 6.10.4, 8.3 to 8.6).

use crate::event::{Event, Events};
use crate::ledger::Rule;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::content::{
    ARMIES, BOXES, Content, DUBLIN, FORTS, IRELAND, LONDON, NO_AREA, NORTH, REVOLTS, SCOTLAND,
};
use super::super::frames::Frame;
use super::super::state::{OXFORD_PERMITTED, State};
use super::super::{CruelNecessity, rules};
use super::tracks::{london_barred, morale, zenith};

/// The strength of an Army with all markers (G3).
pub(in super::super) fn army_strength(content: &Content, state: &State, army: usize) -> i8 {
    let unit = &state.armies[army];
    let printed = content.counters[usize::from(unit.counter)].strength;
    let markers = rules::MARKERS_ADD_UP.gives(unit.markers, 0);
    printed.saturating_add(morale(content, state, army)).saturating_add(markers)
}

/// The strength of a fortress.
pub(in super::super) fn fort_value(content: &Content, state: &State, fort: usize) -> i8 {
    content.forts[fort].values[usize::from(state.forts[fort].click)] as i8
}

/// The strength of a revolt marker.
pub(in super::super) fn revolt_strength(content: &Content, state: &State, revolt: usize) -> i8 {
    content.numbers.revolts[revolt].strength + zenith(content, state)
}

/// The strength of a Deviltry marker.
pub(in super::super) fn deviltry_strength(content: &Content, state: &State) -> i8 {
    content.numbers.deviltry_strength + zenith(content, state)
}

/// Returns whether a die beats a strength: a natural 1 never does, a natural 6 always (8.0, G1).
pub(in super::super) fn beats(die: u8, drm: i8, strength: i8) -> bool {
    if rules::NATURAL_ROLLS.applies(die == 1 || die == 6) {
        return die == 6;
    }
    (die as i8).saturating_add(drm) > strength
}

/// Returns the number of faces of a die that beat a strength.
pub(in super::super) fn winning_faces(drm: i8, strength: i8) -> u8 {
    (1..=6).filter(|&die| beats(die, drm, strength)).count() as u8
}

/// Returns whether a revolt marker is in front of the enemy Army of its region (8.5, P15).
pub(in super::super) fn eligible_revolt(state: &State, revolt: usize) -> bool {
    state
        .revolt_at(revolt)
        .is_some_and(|(region, area)| rules::REVOLTS_IN_REACH.allows(area < state.armies[region].area))
}

/// Returns whether eligible revolts bar Campaigns, Besieging and Fortifying in a region (8.5, P16).
pub(in super::super) fn barred_by_revolt(state: &State, region: usize) -> bool {
    let here = |revolt| state.revolt_at(revolt).is_some_and(|(at, _)| at == region);
    let eligible = (0..REVOLTS).any(|revolt| here(revolt) && eligible_revolt(state, revolt));
    rules::REVOLTS.applies(rules::BARRED_BY_REVOLTS.applies(eligible))
}

/// The regions in which a fortress lies, with its area there.
pub(in super::super) fn lies_in(content: &Content, fort: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
    let lies = &content.forts[fort].lies;
    (0..ARMIES).map(|region| (region, lies[region])).filter(|&(_, area)| area != NO_AREA)
}

/// Returns whether every Army in whose region a fortress lies is further away than the fortress (8.4, 8.6, P11).
pub(in super::super) fn in_front(content: &Content, state: &State, fort: usize) -> bool {
    lies_in(content, fort).all(|(region, area)| state.armies[region].area > area)
}

/// Returns whether an eligible revolt bars a fortress.
pub(in super::super) fn fort_barred(content: &Content, state: &State, fort: usize) -> bool {
    lies_in(content, fort).any(|(region, _)| barred_by_revolt(state, region))
}

/// Returns whether a fortress may be besieged as far as permission goes (6.10.2, 8.4).
pub(in super::super) fn permitted(content: &Content, state: &State, fort: usize) -> bool {
    !content.forts[fort].permission || state.has(OXFORD_PERMITTED)
}

/// Returns whether Royalists can capture or weaken nothing more there: a click down from here changes the owner.
pub(in super::super) const fn last_click(state: &State, fort: usize) -> bool {
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
    /// Opens an activation (6.2), with its Strength marker put down first (6.2.1, A14).
    pub(in super::super) fn open_activation(
        &self,
        state: &mut State,
        army: u8,
        times: u8,
        strength: i8,
        out: &mut Events,
    ) {
        let piece = Target::Army(army).reference();
        if rules::STRENGTH_MARKERS.applies(rules::MARKER_FIRST.applies(strength != 0)) {
            let scene = self.scene(state, out);
            let unit = &mut state.armies[usize::from(army)];
            unit.markers = unit.markers.saturating_add(strength);
            let refs = [piece, Ref::Number(strength.into())];
            scene.publish(self, state, out, || Event::new("strength_marker", rules::STRENGTH_MARKERS, &refs));
        }
        let times = rules::TWICE.gives(times, 1);
        if rules::ACTIVATION.applies(times > 0) {
            out.emit(|| match times {
                1 => Event::new("activates", rules::ACTIVATION, &[piece]),
                _ => Event::new("activates_times", rules::ACTIVATION, &[piece, Ref::Number(times.into())]),
            });
            state.frames.open(Frame::Activate { army, left: times, troubles: false });
        }
    }

    /// One activation, by the list of priorities; the frame is the innermost, with `left` counted down already.
    pub(in super::super) fn activate(&self, state: &mut State, army: usize, out: &mut Events) {
        let piece = Target::Army(army as u8).reference();
        if rules::RECOVERY.applies(state.armies[army].disordered) {
            let scene = self.scene(state, out);
            state.armies[army].disordered = false;
            scene.publish(self, state, out, || Event::new("recovers", rules::RECOVERY, &[piece]));
            return;
        }
        if let Some(revolt) = self.clubmen_ahead(state, army) {
            state.frames.open(Frame::Clubmen { army: army as u8, revolt: revolt as u8 });
            return;
        }
        if let Some(fort) = self.fort_ahead(state, army) {
            let rule = if fort == LONDON { rules::LONDON_BESIEGED } else { rules::ROYAL_SIEGE };
            self.open_siege(state, fort, rule, out);
            return;
        }
        self.advance(state, army, out);
    }

    /// The Clubmen that an Army fights: in its own area first, then the nearest behind it (6.2.3, A2 to A4).
    fn clubmen_ahead(&self, state: &State, army: usize) -> Option<usize> {
        let clubmen =
            |&revolt: &usize| rules::REVOLTS_IGNORED.allows(self.content.numbers.revolts[revolt].kind == 0);
        let behind = |revolt: usize| {
            let (region, area) = state.revolt_at(revolt)?;
            let behind = rules::CLUBMEN_AHEAD.allows(area >= state.armies[army].area);
            rules::CLUBMEN
                .applies(rules::BOTH_SIDES.applies(region == army && behind))
                .then_some((area, revolt))
        };
        let all = (0..REVOLTS).filter(clubmen).filter_map(behind);
        rules::NEAREST_CLUBMEN.gives(all.clone().min(), all.max()).map(|(_, revolt)| revolt)
    }

    /// The fortress that an Army besieges: in its own area first, then the nearest behind it (6.2.4, 6.2.5, A2, A7 to A9).
    fn fort_ahead(&self, state: &State, army: usize) -> Option<usize> {
        let behind = |fort: usize| {
            let (here, area) = (state.armies[army].area, self.content.forts[fort].lies[army]);
            let stops = area != NO_AREA
                && !state.forts[fort].royalist
                && (area == here || rules::OWN_AREA_OR_BEHIND.applies(area > here));
            let stops = match fort {
                LONDON => rules::LONDON_BESIEGED.applies(rules::LONDON_STOPS.applies(stops)),
                _ if self.content.forts[fort].permission => rules::OXFORD_STOPS.applies(stops),
                _ => stops,
            };
            rules::ROYAL_SIEGE.applies(stops).then_some((area, fort))
        };
        let all = (0..FORTS).filter_map(behind);
        rules::NEAREST_FORTRESS.gives(all.clone().min(), all.max()).map(|(_, fort)| fort)
    }

    /// The last item of the list: towards London, or what Scotland and Ireland do instead (6.2.5 to 6.2.7).
    fn advance(&self, state: &mut State, army: usize, out: &mut Events) {
        let area = state.armies[army].area;
        let piece = Target::Army(army as u8).reference();
        match (army, area) {
            (SCOTLAND, 1) => {
                if rules::SCOTS_PUSH.applies(rules::PUSH_OF_THE_NORTH.applies(true)) {
                    out.emit(|| Event::new("scots_push", rules::SCOTS_PUSH, &[]));
                    state.frames.open(Frame::Activate { army: NORTH as u8, left: 1, troubles: false });
                }
            }
            (IRELAND, 1) if rules::DUBLIN_FIRST.applies(state.forts[DUBLIN].click < 5) => {
                if rules::IRISH_TROUBLES.applies(state.forts[DUBLIN].royalist) {
                    self.click_up(state, DUBLIN, rules::IRISH_TROUBLES, out);
                }
            }
            (IRELAND, area) if rules::IRISH_TROUBLES.applies(area == 1) => {
                let track = 3 + usize::from(state.troubles);
                out.emit(|| Event::new("irish_troubles", rules::IRISH_TROUBLES, &[Ref::Track(track as u16)]));
                let Some(Frame::Activate { troubles, .. }) = state.frames.top_mut() else {
                    unreachable!("an Army activates");
                };
                *troubles = true;
                self.open_track(state, track, -1);
            }
            (IRELAND, 1) => {}
            (_, area) if rules::NOTHING_BEHIND.applies(area == 0) => {
                out.emit(|| Event::new("idle", rules::NOTHING_BEHIND, &[piece]));
            }
            _ if area != 1 || rules::LONDON_BESIEGED.applies(area == 1) => {
                let scene = self.scene(state, out);
                state.armies[army].area = area - 1;
                let space = Ref::Space(super::super::catalogue::names::area_space(army, area - 1));
                let rule = if area == 1 { rules::LONDON_BESIEGED } else { rules::ACTIVATION };
                scene.publish(self, state, out, || Event::new("advances", rule, &[piece, space]));
            }
            _ => {}
        }
    }

    /// After the track has moved, the Irish Troubles marker goes on (A13).
    pub(in super::super) fn troubles_move(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        state.troubles = rules::TROUBLES_GO_ON.gives((state.troubles + 1) % 3, state.troubles);
        let track = Ref::Track(3 + u16::from(state.troubles));
        scene.publish(self, state, out, || Event::new("troubles_move", rules::TROUBLES_GO_ON, &[track]));
    }

    /// Opens a Royalist siege by the rule that calls for it: two rolls (6.2.4, 6.3, 6.4, A15).
    pub(in super::super) fn open_siege(&self, state: &mut State, fort: usize, rule: Rule, out: &mut Events) {
        let piece = Target::Fort(fort as u8).reference();
        let unrest = rule == rules::UNREST;
        let code = if unrest { "unrest" } else { "siege" };
        out.emit(|| Event::new(code, rule, &[piece]));
        let left = rules::TWO_DICE.gives(2, 1);
        state.frames.open(Frame::Siege { fort: fort as u8, left, unrest });
    }

    /// A die of a Royalist siege; the frame has been closed.
    pub(in super::super) fn siege_roll(
        &self,
        state: &mut State,
        (fort, left, unrest): (u8, u8, bool),
        die: u8,
        out: &mut Events,
    ) {
        let index = usize::from(fort);
        let value = fort_value(&self.content, state, index);
        let success = beats(die, 0, value);
        let refs = [Target::Fort(fort).reference(), Ref::Number(die.into()), Ref::Number(value.into())];
        let code = if success { "siege_success" } else { "siege_failure" };
        let rule = siege_rule(state, unrest);
        out.emit(|| Event::new(code, rule, &refs));
        if rules::LAST_CLICK_OF_LONDON.applies(success && unrest && last_click(state, index)) {
            // Unrest does not take London: it costs Zeal instead (6.4).
            self.change_zeal(state, -1, rules::UNREST, out);
        } else if success {
            self.click_down(state, index, rule, out);
        }
        let fallen = state.forts[index].royalist;
        if left > 1 && !rules::TWO_DICE.applies(fallen) {
            state.frames.open(Frame::Siege { fort, left: left - 1, unrest });
        }
    }

    /// A fortress one click weaker; at the last one it changes its owner, at the first click of the dial (6.2.4, 8.4, P14).
    pub(in super::super) fn click_down(&self, state: &mut State, fort: usize, rule: Rule, out: &mut Events) {
        let scene = self.scene(state, out);
        let there = &mut state.forts[fort];
        let code = if there.click == 1 {
            there.royalist = !there.royalist;
            "captured"
        } else {
            there.click -= 1;
            "weakened"
        };
        let refs = [Target::Fort(fort as u8).reference(), Ref::Number(state.forts[fort].click.into())];
        scene.publish(self, state, out, || Event::new(code, rule, &refs));
    }

    /// A fortress one click stronger, up to the end of its dial.
    pub(in super::super) fn click_up(&self, state: &mut State, fort: usize, rule: Rule, out: &mut Events) {
        if usize::from(state.forts[fort].click) + 1 >= BOXES {
            out.emit(|| Event::new("full_already", rule, &[Target::Fort(fort as u8).reference()]));
            return;
        }
        let scene = self.scene(state, out);
        state.forts[fort].click += 1;
        let refs = [Target::Fort(fort as u8).reference(), Ref::Number(state.forts[fort].click.into())];
        scene.publish(self, state, out, || Event::new("strengthened", rule, &refs));
    }

    /// 6.3: besieged where Parliament holds it, strengthened where the Royalists do (A16).
    pub(in super::super) fn besiege_or_fortify(&self, state: &mut State, fort: usize, out: &mut Events) {
        let royalist = state.forts[fort].royalist;
        if rules::BESIEGE_OR_FORTIFY.applies(rules::BY_OWNER.applies(royalist)) {
            self.click_up(state, fort, rules::BESIEGE_OR_FORTIFY, out);
        } else if rules::BESIEGE_OR_FORTIFY.applies(!royalist) {
            self.open_siege(state, fort, rules::BESIEGE_OR_FORTIFY, out);
        }
    }

    /// 6.10.3: a free click for Parliament's fortress, wherever the front is (A19).
    pub(in super::super) fn event_fortify(&self, state: &mut State, fort: usize, out: &mut Events) {
        let barred = fort == LONDON && london_barred(state);
        let ours = rules::FORTIFY_BY_CARD.allows(!state.forts[fort].royalist);
        let piece = [Target::Fort(fort as u8).reference()];
        if rules::EVENT_FORTIFY.applies(!ours) {
            out.emit(|| Event::new("not_fortified", rules::EVENT_FORTIFY, &piece));
        } else if rules::EVENT_FORTIFY.applies(barred) {
            out.emit(|| Event::new("not_fortified", rules::NADIR_OF_PARLIAMENT, &piece));
        } else if rules::EVENT_FORTIFY.applies(ours) {
            self.click_up(state, fort, rules::EVENT_FORTIFY, out);
        }
    }

    /// 6.10.4: an Army is disordered; one that is already goes back (A18).
    pub(in super::super) fn disorder(&self, state: &mut State, army: usize, out: &mut Events) {
        let unit = state.armies[army];
        if rules::DISORDER.applies(!unit.disordered) {
            self.become_disordered(state, army, rules::DISORDER, out);
        } else if rules::DISORDER.applies(rules::DISORDERED_ALREADY.applies(unit.area < 5)) {
            self.retreat(state, army, rules::DISORDER, out);
        } else if rules::DISORDER.applies(unit.area == 5) {
            out.emit(|| {
                Event::new("no_further", rules::DISORDERED_ALREADY, &[Target::Army(army as u8).reference()])
            });
        }
    }

    fn become_disordered(&self, state: &mut State, army: usize, rule: Rule, out: &mut Events) {
        let scene = self.scene(state, out);
        state.armies[army].disordered = true;
        let piece = Target::Army(army as u8).reference();
        scene.publish(self, state, out, || Event::new("disordered", rule, &[piece]));
    }

    fn retreat(&self, state: &mut State, army: usize, rule: Rule, out: &mut Events) {
        let scene = self.scene(state, out);
        state.armies[army].area += 1;
        let space = Ref::Space(super::super::catalogue::names::area_space(army, state.armies[army].area));
        let refs = [Target::Army(army as u8).reference(), space];
        scene.publish(self, state, out, || Event::new("retreats", rule, &refs));
    }

    /// A Campaign is won (8.3, P10): the Army goes back; in its area 5 it is disordered.
    pub(in super::super) fn beaten(&self, state: &mut State, army: usize, out: &mut Events) {
        let unit = state.armies[army];
        if unit.area < 5 {
            self.retreat(state, army, rules::CAMPAIGN, out);
        } else if rules::CAMPAIGN_WON.applies(!unit.disordered) {
            self.become_disordered(state, army, rules::CAMPAIGN, out);
        } else if unit.disordered {
            // A strike is made at such an Army, too: it gains Zeal, and nothing on the map (O10).
            out.emit(|| Event::new("no_further", rules::CAMPAIGN, &[Target::Army(army as u8).reference()]));
        }
    }
}
