//! The Tactical Battle: from the Army that is named to the last sector (7.0, 7.1, 12.3).

use crate::event::{Event, Events};
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::catalogue::names;
use super::super::content::{Arm, Timing};
use super::super::frames::Frame;
use super::super::state::line::{Battle, OWN, Outcome, Place, SLOTS, Stage, sector_of_foot, sector_slots};
use super::super::state::{NONE, OPT_QUICK, State};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// A Battle begins (6.1).
    pub(in super::super) fn open_battle(&self, state: &mut State, out: &mut Events) {
        if !rules::BATTLE_FIRST.applies(rules::BATTLE.applies(true)) {
            return;
        }
        let scene = self.scene(state, out);
        let asked = rules::QUICK.applies(rules::FULL_OR_QUICK.applies(state.opted(OPT_QUICK)));
        let stage = if asked { Stage::Method } else { Stage::Name };
        state.battle = Battle { stage, ..Battle::default() };
        state.frames.open(Frame::Battle);
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLE_FIRST, &[]));
    }

    /// Goes on with a Battle as far as nobody is asked; whether it went on.
    pub(in super::super) fn battle_goes_on(&self, state: &mut State, out: &mut Events) -> bool {
        match state.battle.stage {
            Stage::Commit if !self.may_commit(state) => state.battle.stage = Stage::Fill,
            Stage::Fill if self.empty_slot(state).is_none() => self.reveal_lines(state, out),
            Stage::Events if state.battle.draws == 0 => state.battle.stage = Stage::Green,
            Stage::Events if state.battle_deck == 0 => self.reshuffle(state, out),
            Stage::Redraw if self.redraw_kinds(state) == 0 => self.nobody_to_draw(state, out),
            Stage::Target => return self.only_target(state, out),
            Stage::Green if !self.any_playable(state) => state.battle.stage = Stage::Inspire,
            Stage::Inspire if !self.may_inspire(state) => state.battle.stage = Stage::Before,
            Stage::Before if !self.any_playable(state) => state.battle.stage = Stage::Roll,
            Stage::After if !self.any_playable(state) => self.resolve_sector(state, out),
            Stage::Aftermath if !self.any_playable(state) => self.apply_outcome(state, out),
            Stage::Benefits if !self.any_benefit(state) => state.battle.stage = Stage::Return,
            Stage::Return => self.return_units(state, out),
            Stage::Deadly if self.next_deadly(state).is_none() => {
                state.battle = Battle::default();
                state.frames.close();
            }
            Stage::Idle => {
                state.frames.close();
            }
            _ => return false,
        }
        true
    }

    /// The Army is named, and with it the region (7.0 step 1).
    pub(in super::super) fn name_army(&self, state: &mut State, army: u8, out: &mut Events) {
        let scene = self.scene(state, out);
        state.battle.army = army;
        state.battle.stage = if state.battle.quick { Stage::QuickRoll } else { Stage::Commit };
        scene.publish(self, state, out, || {
            Event::new("battle_against", rules::BATTLE, &[Target::Army(army).reference()])
        });
    }

    /// The place that a Named unit would take on a wing: 0 right, 1 left (7.0 step 2, B2).
    pub(in super::super) fn wing_slot(&self, state: &State, kind: usize, wing: u8) -> Option<usize> {
        let wing = usize::from(wing);
        let slots = match self.content.formations[kind].arm {
            Arm::Horse => wing..wing + 1,
            Arm::Foot => 2 + 2 * wing..4 + 2 * wing,
        };
        slots.into_iter().find(|&slot| state.battle.line[slot] == NONE)
    }

    fn may_commit(&self, state: &State) -> bool {
        let fits = |kind| (0..2).any(|wing| self.wing_slot(state, kind, wing).is_some());
        let any = names::own_named(&self.content).any(|kind| state.pool[kind] > 0 && fits(kind));
        rules::COMMITTED.applies(any)
    }

    pub(in super::super) fn commit(&self, state: &mut State, kind: usize, wing: u8, out: &mut Events) {
        let slot = self.wing_slot(state, kind, wing).expect("the wing has room");
        let scene = self.scene(state, out);
        state.pool[kind] -= 1;
        state.battle.line[slot] = kind as u8;
        let refs = [names::formation_ref(&self.content, kind), names::slot_ref(slot)];
        scene.publish(self, state, out, || Event::new("committed_unit", rules::COMMITTED, &refs));
    }

    /// The next place to be filled: Parliament's by sector, then the Royalists' (B3).
    pub(in super::super) fn empty_slot(&self, state: &State) -> Option<usize> {
        let empty = |&slot: &usize| state.battle.line[slot] == NONE;
        rules::ORDER_OF_FILLING.gives((0..SLOTS).find(empty), (0..SLOTS).rev().find(empty))
    }

    /// Kinds that can be drawn for a place: those in the pool of its side and arm (B3), as bits.
    pub(in super::super) fn pool_kinds(&self, state: &State, slot: usize) -> u32 {
        let royalist = slot >= OWN;
        let foot = slot % OWN >= 2;
        let fits = |kind: &usize| {
            let formation = &self.content.formations[*kind];
            formation.royalist == royalist
                && (formation.arm == Arm::Foot) == foot
                && state.pool[*kind] > 0
                && (royalist || !formation.is_named)
        };
        (0..self.content.formations.len()).filter(fits).fold(0, |set, kind| set | 1 << kind)
    }

    pub(in super::super) fn fill(&self, state: &mut State, kind: usize, out: &mut Events) {
        let slot = self.empty_slot(state).expect("a formation is drawn for an empty place");
        let scene = self.scene(state, out);
        state.pool[kind] -= 1;
        state.battle.line[slot] = kind as u8;
        let refs = [names::formation_ref(&self.content, kind), names::slot_ref(slot)];
        scene.publish(self, state, out, || Event::new("drawn_unit", rules::BATTLE, &refs));
    }

    /// Both lines stand: EVENT formations are counted, once (B6).
    fn reveal_lines(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        let calls = |&&kind: &&u8| self.content.formations[usize::from(kind)].event;
        let draws = state.battle.line.iter().filter(calls).count() as u8;
        state.battle.draws = rules::EVENT_FORMATIONS.gives(draws, 0);
        state.battle.stage = Stage::Events;
        scene.publish(self, state, out, || {
            Event::new("lines_stand", rules::EVENT_FORMATIONS, &[Ref::Number(draws.into())])
        });
    }

    /// The strength of a formation with its markers, never below 0 (B18).
    pub(in super::super) fn strength_at(&self, state: &State, slot: usize) -> i8 {
        let kind = state.battle.line[slot];
        if kind == NONE {
            return 0;
        }
        let strength =
            self.content.formations[usize::from(kind)].strength.saturating_add(state.battle.markers[slot]);
        rules::NEVER_BELOW_0.gives(strength.max(0), strength)
    }

    /// The strength of a side in a sector, dice left out: Parliament with what cards and Cromwell add (7.1).
    pub(in super::super) fn sector_sum(&self, state: &State, sector: u8, royalist: bool) -> i8 {
        let offset = if royalist { OWN } else { 0 };
        let own: i8 = sector_slots(sector).map(|slot| self.strength_at(state, slot + offset)).sum();
        if royalist {
            return own;
        }
        let turned = sector.checked_sub(2).map(usize::from);
        let turned =
            turned.filter(|&slot| rules::CROMWELL.applies(state.battle.places[slot] == Place::Turned));
        let bonus =
            turned.map_or(0, |slot| self.content.formations[usize::from(state.battle.line[slot])].turns);
        let extra = if state.battle.sector == sector { state.battle.extra } else { 0 };
        own + bonus + extra
    }

    /// Returns whether both lines stand and a sector is still to be fought.
    pub(in super::super) fn lines_face(&self, state: &State) -> bool {
        let battle = &state.battle;
        let stage = (Stage::Events..=Stage::Reroll).contains(&battle.stage);
        stage && !battle.quick && battle.line.iter().all(|&kind| kind != NONE)
    }

    /// Both totals of a sector and the ways in 36 that it is won and lost, by what is on the board now; of a sector whose dice
    /// have fallen the dice are in the totals, and it is won or lost in all ways or in none.
    pub(in super::super) fn sector_odds(&self, state: &State, sector: u8) -> [i32; 4] {
        let [mut own, mut theirs] =
            [false, true].map(|royalist| i32::from(self.sector_sum(state, sector, royalist)));
        let margin = i32::from(self.content.numbers.battle.margin);
        let fallen = sector == state.battle.sector && state.battle.dice[0] > 0;
        if fallen {
            own += i32::from(state.battle.dice[0]);
            theirs += i32::from(state.battle.dice[1]);
        }
        let ways = |holds: &dyn Fn(i32) -> bool| {
            let dice = (1..=6).flat_map(|own: i32| (1..=6).map(move |theirs: i32| own - theirs));
            dice.filter(|&ahead| holds(own - theirs + if fallen { 0 } else { ahead })).count() as i32
        };
        [own, theirs, ways(&|ahead| ahead >= margin), ways(&|ahead| -ahead >= margin)]
    }

    /// May the Zeal marker go to a formation without a Strength marker (7.0 step 4, B16, B17)?
    pub(in super::super) fn may_inspire(&self, state: &State) -> bool {
        rules::MARKER_IN_BATTLE.applies(state.zeal > 0 && (0..OWN).any(|slot| self.unmarked(state, slot)))
    }

    /// A formation of Parliament without a Strength marker of any sign (B16).
    pub(in super::super) fn unmarked(&self, state: &State, slot: usize) -> bool {
        rules::ONE_MARKER_EACH.allows(state.battle.marked & 1 << slot == 0)
    }

    pub(in super::super) fn inspire(&self, state: &mut State, slot: usize, out: &mut Events) {
        self.change_zeal(state, -1, rules::MARKER_IN_BATTLE, out);
        let scene = self.scene(state, out);
        state.battle.mark(slot, 1);
        state.battle.stage = Stage::Before;
        scene.publish(self, state, out, || {
            Event::new("inspired", rules::MARKER_IN_BATTLE, &[names::slot_ref(slot)])
        });
    }

    /// The dice of a sector have fallen (7.0 step 5).
    pub(in super::super) fn sector_roll(&self, state: &mut State, dice: [u8; 2], out: &mut Events) {
        let scene = self.scene(state, out);
        state.battle.dice = dice;
        state.battle.stage = Stage::After;
        let sector = state.battle.sector;
        let total = |royalist: bool| {
            let die = dice[usize::from(royalist)];
            Ref::Number(i32::from(self.sector_sum(state, sector, royalist)) + i32::from(die))
        };
        let refs = [
            Ref::Number(i32::from(sector) + 1),
            Ref::Number(dice[0].into()),
            Ref::Number(dice[1].into()),
            total(false),
            total(true),
        ];
        scene.publish(self, state, out, || Event::new("sector_dice", rules::BATTLE, &refs));
    }

    /// No card answers the dice: the formations of the sector go to their boxes (B19 to B21).
    pub(in super::super) fn resolve_sector(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        let sector = state.battle.sector;
        let [own, theirs] = [false, true].map(|royalist| {
            self.sector_sum(state, sector, royalist) + state.battle.dice[usize::from(royalist)] as i8
        });
        let margin = self.content.numbers.battle.margin;
        let place = match own - theirs {
            won if won >= margin => Place::Victory,
            lost if -lost >= margin => Place::Defeat,
            _ => Place::Draw,
        };
        let place = rules::SECTOR_RESULT.gives(place, Place::Draw);
        for slot in sector_slots(sector) {
            let kind = usize::from(state.battle.line[slot]);
            let turns = self.content.formations[kind].turns > 0;
            let turns = rules::CROMWELL.applies(rules::CROMWELLS_MARKERS.applies(turns));
            if place == Place::Victory && turns && !sector_of_foot(sector) {
                state.battle.places[slot] = Place::Turned;
                state.battle.unmark(slot);
            } else {
                state.battle.places[slot] = place;
            }
            let opposite = usize::from(state.battle.line[slot + OWN]);
            if place == Place::Victory && self.content.formations[opposite].is_named {
                state.battle.places[slot + OWN] = Place::Defeat;
            }
        }
        let turns = sector_slots(sector).find(|&slot| state.battle.places[slot] == Place::Turned);
        let turned = sector.checked_sub(2).map(usize::from);
        if let Some(slot) = turned.filter(|&slot| state.battle.places[slot] == Place::Turned) {
            state.battle.places[slot] = Place::Victory;
        }
        state.battle.dice = [0; 2];
        state.battle.extra = 0;
        let code = match place {
            Place::Victory => "sector_won",
            Place::Defeat => "sector_lost",
            _ => "sector_drawn",
        };
        if sector < 3 {
            state.battle.sector += 1;
            state.battle.stage = Stage::Before;
        } else {
            self.count(state);
        }
        scene.publish(self, state, out, || {
            Event::new(code, rules::SECTOR_RESULT, &[Ref::Number(i32::from(sector) + 1)])
        });
        if let Some(slot) = turns {
            let kind = usize::from(state.battle.line[slot]);
            let foot = i32::from(sector) + 3;
            let bonus = Ref::Number(self.content.formations[kind].turns.into());
            let refs = [names::formation_ref(&self.content, kind), Ref::Number(foot), bonus];
            out.emit(|| Event::new("turns", rules::CROMWELL, &refs));
        }
        if sector == 3 {
            let count = |place| Ref::Number(state.battle.count(place).into());
            let refs = [count(Place::Victory), count(Place::Draw), count(Place::Defeat)];
            out.emit(|| Event::new("tally", rules::MAJORITY, &refs));
        }
    }

    /// All sectors are fought: most of the six decide (7.0 step 6, B20, B22).
    pub(in super::super) fn count(&self, state: &mut State) {
        let [victory, draw, defeat] =
            [Place::Victory, Place::Draw, Place::Defeat].map(|place| state.battle.count(place));
        let outcome = if victory > draw && victory > defeat {
            Outcome::Victory
        } else if defeat > draw && defeat > victory {
            Outcome::Defeat
        } else {
            Outcome::Draw
        };
        state.battle.outcome = rules::MAJORITY.gives(outcome, Outcome::Draw);
        let salvageable =
            rules::SALVAGE.applies(outcome == Outcome::Defeat && victory > 0 && victory + draw >= defeat);
        state.battle.stage = if salvageable { Stage::Salvage } else { Stage::Aftermath };
        self.count_points(state);
    }

    /// Benefit Points of a Major Victory (7.2, B25).
    pub(in super::super) fn count_points(&self, state: &mut State) {
        let beyond = state.battle.count(Place::Victory).saturating_sub(self.content.numbers.battle.major);
        let won = rules::MAJOR.applies(state.battle.outcome == Outcome::Victory);
        state.battle.points = if won { beyond } else { 0 };
    }

    /// The dice of the quick method (12.3, O12, O13).
    pub(in super::super) fn quick_roll(&self, state: &mut State, dice: [u8; 2], out: &mut Events) {
        let quick = &self.content.numbers.quick;
        let revealed = |card| state.revealed(&self.content, card);
        let needed = if revealed(self.content.numbers.new_model_card) {
            quick.victory_new_model
        } else if revealed(self.content.numbers.cromwell_card) {
            quick.victory_cromwell
        } else {
            quick.victory
        };
        let needed = rules::QUICK_THRESHOLDS.gives(needed, quick.victory);
        let ahead = dice[0] as i8 - dice[1] as i8;
        let scene = self.scene(state, out);
        let outcome = if ahead >= needed {
            Outcome::Victory
        } else if -ahead >= quick.defeat {
            Outcome::Defeat
        } else {
            Outcome::Draw
        };
        state.battle.outcome = rules::QUICK_RESULT.gives(outcome, Outcome::Draw);
        let refs = [Ref::Number(dice[0].into()), Ref::Number(dice[1].into())];
        scene.publish(self, state, out, || Event::new("quick_dice", rules::QUICK, &refs));
        // The outcome alone: no points (O13), no cards (12.3.2).
        state.battle.points = rules::QUICK_OUTCOME.gives(0, 1);
        if rules::QUICK_ETC.applies(state.battle.quick) {
            self.apply_outcome(state, out);
        } else {
            state.battle.stage = Stage::Aftermath;
        }
    }

    /// Returns whether a held card can be played at this point of the Battle.
    pub(in super::super) fn any_playable(&self, state: &State) -> bool {
        state.battle_hand != 0 && (0..self.content.battle_cards.len()).any(|card| self.playable(state, card))
    }

    /// The timing that the present stage asks for.
    pub(in super::super) const fn timing(stage: Stage) -> Option<Timing> {
        match stage {
            Stage::Green => Some(Timing::Green),
            Stage::Before => Some(Timing::BeforeRoll),
            Stage::After => Some(Timing::AfterRoll),
            Stage::Aftermath => Some(Timing::Aftermath),
            _ => None,
        }
    }
}
