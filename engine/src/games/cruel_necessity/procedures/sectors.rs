//! Sectors of a Battle: the Zeal marker before them, their dice, and where the formations go (7.0 steps 4 to 6, 7.1).

use std::ops::ControlFlow;

use crate::event::{Event, Events};
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;

use super::super::catalogue::names;
use super::super::content::{SectorId, SlotId};
use super::super::state::State;
use super::super::state::line::{Outcome, Place, Stage, own_slots};
use super::super::{CruelNecessity, rules};

impl CruelNecessity {
    /// May the Zeal marker go to a formation without a Strength marker (7.0 step 4, B16, B17)?
    pub(in super::super) fn may_inspire(&self, state: &State) -> bool {
        rules::MARKER_IN_BATTLE.applies(state.zeal > 0 && own_slots().any(|slot| self.unmarked(state, slot)))
    }

    pub(in super::super) fn examine_inspire(
        &self,
        state: &State,
        slot: SlotId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let refs = [names::slot_ref(slot)];
        let unmarked = self.unmarked(state, slot);
        why.require(unmarked, rules::ONE_MARKER_EACH, "HAS_A_MARKER", &refs)
    }

    /// A formation of Parliament without a Strength marker of any sign (B16).
    pub(in super::super) fn unmarked(&self, state: &State, slot: SlotId) -> bool {
        rules::ONE_MARKER_EACH.allows(!state.battle.marked.contains(slot))
    }

    pub(in super::super) fn inspire(&self, state: &mut State, slot: SlotId, out: &mut Events) {
        self.change_zeal(state, -1, rules::MARKER_IN_BATTLE, out);
        let scene = self.scene(state, out);
        state.battle.mark(slot, 1);
        state.battle.stage = Stage::Before;
        scene.publish(self, state, out, || {
            Event::new("inspired", rules::MARKER_IN_BATTLE, &[names::slot_ref(slot)])
        });
    }

    /// The strength of a side in a sector, dice left out: Parliament with what cards and Cromwell add (7.1).
    fn sector_sum(&self, state: &State, sector: SectorId, royalist: bool) -> i8 {
        if royalist {
            return sector.slots().map(|slot| self.strength_at(state, slot.opposite())).sum();
        }
        let own: i8 = sector.slots().map(|slot| self.strength_at(state, slot)).sum();
        let turned = sector
            .flank()
            .filter(|&slot| rules::CROMWELL.applies(state.battle.line[slot].place == Place::Turned));
        let bonus = turned.map_or(0, |slot| self.content.formations[state.battle.kind(slot)].turns);
        let extra = if state.battle.sector == sector { state.battle.extra } else { 0 };
        own + bonus + extra
    }

    /// Returns whether both lines stand and a sector is still to be fought.
    pub(in super::super) fn lines_face(&self, state: &State) -> bool {
        let battle = &state.battle;
        let stage = (Stage::Events..=Stage::Reroll).contains(&battle.stage);
        stage && !battle.quick && battle.line.iter().all(|there| there.kind.is_some())
    }

    /// Both totals of a sector and the ways in 36 that it is won and lost, by what is on the board now; of a sector whose dice
    /// have fallen the dice are in the totals, and it is won or lost in all ways or in none.
    pub(in super::super) fn sector_odds(&self, state: &State, sector: SectorId) -> [i32; 4] {
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
            sector.reference(&self.content),
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
        for slot in sector.slots() {
            let kind = state.battle.kind(slot);
            let turns = self.content.formations[kind].turns > 0;
            let turns = rules::CROMWELL.applies(rules::CROMWELLS_MARKERS.applies(turns));
            if place == Place::Victory && turns && !sector.of_foot() {
                state.battle.line[slot].place = Place::Turned;
                state.battle.unmark(slot);
            } else {
                state.battle.line[slot].place = place;
            }
            let opposite = slot.opposite();
            if place == Place::Victory && self.content.formations[state.battle.kind(opposite)].is_named {
                state.battle.line[opposite].place = Place::Defeat;
            }
        }
        let turns = sector.slots().find(|&slot| state.battle.line[slot].place == Place::Turned);
        if let Some(slot) = sector.flank().filter(|&slot| state.battle.line[slot].place == Place::Turned) {
            state.battle.line[slot].place = Place::Victory;
        }
        state.battle.dice = [0; 2];
        state.battle.extra = 0;
        let code = match place {
            Place::Victory => "sector_won",
            Place::Defeat => "sector_lost",
            _ => "sector_drawn",
        };
        match sector.next() {
            Some(next) => {
                state.battle.sector = next;
                state.battle.stage = Stage::Before;
            }
            None => self.count(state),
        }
        scene.publish(self, state, out, || {
            Event::new(code, rules::SECTOR_RESULT, &[sector.reference(&self.content)])
        });
        if let Some(slot) = turns {
            let kind = state.battle.kind(slot);
            let foot = sector.foot_of_the_wing().reference(&self.content);
            let bonus = Ref::Number(self.content.formations[kind].turns.into());
            let refs = [names::formation_ref(&self.content, kind), foot, bonus];
            out.emit(|| Event::new("turns", rules::CROMWELL, &refs));
        }
        if sector == SectorId::LAST {
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
    fn count_points(&self, state: &mut State) {
        let beyond = state.battle.count(Place::Victory).saturating_sub(self.content.numbers.battle.major);
        let won = rules::MAJOR.applies(state.battle.outcome == Outcome::Victory);
        state.battle.points = if won { beyond } else { 0 };
    }
}
