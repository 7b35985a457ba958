//! All that happens when the active Army enters an Area, in its order (Flow, EV2): Response, Interception, and before an enemy stack its
//! pick-up, Siege choice, Evasion and withdrawal, until a Battle opens. A sortie begins with the stack before the gates (F18).

use crate::vocabulary::*;

use super::super::content::ids::{AreaId, CounterSet, GeneralId};
use super::super::frames::Frame;
use super::super::state::{Battle, BattleKind, Happened, Marks, Post, SiegeFight, State};
use super::super::{UnhappyKing, rules};

/// The stages of an entry.
pub(in super::super) mod stages {
    /// The Army is there: a Response may come (V2).
    pub(in super::super::super) const ENTERED: u8 = 0;
    /// An Interception may be tried (9.7).
    pub(in super::super::super) const INTERCEPTION: u8 = 1;
    /// None was, or its Battle is over.
    pub(in super::super::super) const INTERCEPTED: u8 = 2;
    /// An enemy stack outside may take up Brigades (G5).
    pub(in super::super::super) const APPROACH: u8 = 3;
    /// A besieger lifts the Siege, or fights with the surplus (F13).
    pub(in super::super::super) const SIEGE: u8 = 4;
    /// The enemy Army may Evade (10.1).
    pub(in super::super::super) const EVASION: u8 = 5;
    /// It may withdraw into its Fortress (10.1).
    pub(in super::super::super) const WITHDRAWAL: u8 = 6;
    /// Those who stand outside fight (10.0).
    pub(in super::super::super) const BATTLE: u8 = 7;
    /// The Area is the active Army's, or the Activation is over.
    pub(in super::super::super) const END: u8 = 8;
}

impl UnhappyKing {
    /// The next step of an entry: it sets what comes behind it, and asks.
    pub(in super::super) fn advance_entry(
        &self,
        state: &mut State,
        (seat, stage): (Seat, u8),
        (surplus, lifted): (bool, bool),
        out: &mut Events,
    ) {
        let activation = state.ongoing_activation();
        let general = activation.general;
        let here = state.area_of(general).filter(|_| !activation.over && state.commands(general));
        let Some(area) = here else {
            state.frames.close();
            return;
        };
        let enemy = seat.other();
        let army = state.commander_at(&self.content, enemy, area);
        match stage {
            stages::ENTERED => {
                self.set_entry_stage(state, stages::INTERCEPTION);
                self.open_response(state, seat);
            }
            stages::INTERCEPTION => {
                self.set_entry_stage(state, stages::INTERCEPTED);
                if rules::BEFORE_THE_STANDARD.allows(state.has(Happened::STANDARD)) {
                    self.open_interception(state, enemy, area);
                }
            }
            stages::INTERCEPTED => self.set_entry_stage(state, stages::APPROACH),
            stages::APPROACH => {
                self.set_entry_stage(state, stages::SIEGE);
                if let Some(army) = army {
                    self.open_pick_up(state, army);
                }
            }
            stages::SIEGE => {
                self.set_entry_stage(state, stages::EVASION);
                if let Some(army) = army {
                    self.open_siege_choice(state, army, area, out);
                }
            }
            stages::EVASION => {
                self.set_entry_stage(state, stages::WITHDRAWAL);
                // EV7: who keeps up the Siege does not Evade.
                if let Some(army) = army.filter(|_| rules::BESIEGER_EVADES.allows(!surplus)) {
                    self.open_evasion(state, army);
                }
            }
            stages::WITHDRAWAL => {
                self.set_entry_stage(state, stages::BATTLE);
                if let Some(army) = army.filter(|_| !surplus) {
                    self.open_withdrawal(state, army, area);
                }
            }
            stages::BATTLE => {
                self.set_entry_stage(state, stages::END);
                // AC15: a garrison is not fought.
                let outside = state.stack(&self.content, enemy, area);
                let fought =
                    rules::ENEMY_FORTRESS.gives(outside, state.brigades_in(&self.content, enemy, area));
                if rules::BATTLE.applies(!fought.is_empty()) {
                    self.open_field_battle(state, (general, area), (surplus, lifted), out);
                }
            }
            _ => {
                self.come_out(state, general, out);
                state.frames.close();
            }
        }
    }

    pub(in super::super) fn set_entry_stage(&self, state: &mut State, to: u8) {
        let Some(Frame::Entry { stage, .. }) = state.frames.top_mut() else {
            unreachable!("an entry is the innermost procedure when it goes on");
        };
        *stage = to;
    }

    /// F18: an Army that no enemy holds up any more has come out of its Fortress.
    fn come_out(&self, state: &mut State, general: GeneralId, out: &mut Events) {
        let Post::Inside(area) = state.generals[general].post else { return };
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, rules::SORTIE.gives(Post::Area(area), Post::Inside(area)));
        let refs = [Ref::from(general), Ref::from(area)];
        scene.publish(self, state, out, || Event::new("comes_out", rules::SORTIE, &refs));
    }

    /// 10.0: the active Army attacks the stack outside; the garrison of a Fortress of its side that an enemy Army holds up joins it, unless
    /// the besieger fights with the surplus (F13, F14).
    fn open_field_battle(
        &self,
        state: &mut State,
        (general, area): (GeneralId, AreaId),
        (surplus, lifted): (bool, bool),
        out: &mut Events,
    ) {
        let activation = state.ongoing_activation();
        let (attacker, origin) = (activation.seat, activation.previous());
        let defender = attacker.other();
        let army = state.commander_at(&self.content, defender, area);
        let sortie = state.generals[general].post == Post::Inside(area);
        let mut commanders = [None; 2];
        (commanders[attacker.index()], commanders[defender.index()]) = (Some(general), army);
        let kind = if sortie { BattleKind::Sortie } else { BattleKind::Field };
        let mut battle = Battle::new(area, kind, attacker, commanders);
        battle.origins[attacker.index()] = origin.filter(|_| !sortie);
        let relieved = army.is_some() && state.invests(&self.content, defender, area);
        if surplus {
            battle.siege = SiegeFight::Surplus;
        } else if rules::MASKING_ARMY_ATTACKED.applies(relieved) {
            // F15: only who had a Siege marker takes the Fortress by a victory.
            battle.siege = if lifted { SiegeFight::Lifted } else { SiegeFight::None };
            battle.commanders[attacker.index()] = Some(self.join_garrison(state, general, area, out));
        }
        state.battle = Some(battle);
        state.frames.open(Frame::Battle { stage: 0 });
    }

    /// F13, 14.6: unled Brigades and those of a Local Notable join the attacker in any case, an Army inside if both could stack. Returns who
    /// commands: the higher level.
    fn join_garrison(
        &self,
        state: &mut State,
        general: GeneralId,
        area: AreaId,
        out: &mut Events,
    ) -> GeneralId {
        let seat = self.content.generals[general].side;
        let own = state.led_by(state.army(general));
        let inside = state.commander_inside(&self.content, seat, area).filter(|&inside| inside != general);
        let meeting = inside.and_then(|inside| self.meeting(state, general, inside));
        let apart = match (inside, meeting) {
            (Some(inside), None) => state.led_by(state.army(inside)),
            _ => CounterSet::EMPTY,
        };
        let joining = state.garrison(&self.content, area) - own - apart;
        if !joining.is_empty() {
            let scene = Scene::open(self, state, 2, out);
            state.brigades.mark(&self.content, joining, Marks::PICKED);
            let refs = [Ref::from(area), Ref::Number(joining.count() as i32)];
            scene.publish(self, state, out, || {
                Event::new("garrison_joins", rules::MASKING_ARMY_ATTACKED, &refs)
            });
        }
        meeting.map_or(general, |meeting| meeting.commander)
    }
}
