//! Siege Combat begins: the guns of the City, and the draw of those who meet a Sally (7.03, 8.2).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, offer_each};
use super::super::content::things::{BlockId, BlockSet, CityId};
use super::super::frames::Frame;
use super::super::state::{Fight, FightKind, Flags, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// The guns of the City, to fire; then who sallies.
    pub(in super::super) fn offer_sally(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        match fight.stage {
            Stage::Guns => {
                let guns = state.inside(&self.content, fight.area, seat) & self.content.guns;
                offer_each(guns, Action::Fire, offer);
            }
            _ => offer_each(self.sally_able(state, fight), Action::Sally, offer),
        }
        offer(Action::Done);
    }

    /// 8.2: a gun fires once, at somebody; guns don't sally alone.
    pub(in super::super) fn examine_sally(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let content = &self.content;
        let within = state.inside(content, fight.area, seat);
        match (fight.stage, action) {
            (Stage::Guns, Action::Fire(block)) => {
                let able = (within & (content.guns - state.flagged(within, Flags::FIRED))).contains(block);
                why.require(able, rules::CITY_GUNS, "NOT_IN_THE_CITY", &[block.into()])?;
                let target = !self.besiegers(state, fight).is_empty();
                why.require(target, rules::CITY_GUNS, "NO_TARGET", &[])
            }
            (Stage::Guns, Action::Done) => ControlFlow::Continue(()),
            (Stage::SallyPick, Action::Sally(block)) => {
                let able = self.sally_able(state, fight).contains(block);
                why.require(able, rules::SALLY, "NOT_IN_THE_CITY", &[block.into()])
            }
            (Stage::SallyPick, Action::Done) => {
                let picked = state.flagged(within, Flags::JOINED);
                let led = picked.is_empty() || picked.meets(content.field());
                why.require(led, rules::SALLY, "GUNS_ALONE", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_sally(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let (who, mut fight) = (Ref::Seat(seat), *fight);
        match (fight.stage, action) {
            (Stage::Guns, Action::Fire(gun)) => self.fire(state, gun, out),
            (Stage::Guns, Action::Done) => {
                fight.stage = Stage::SallyPick;
                Self::go_on(state, fight, ("guns_rest", rules::CITY_GUNS), &[who], out);
            }
            (Stage::SallyPick, Action::Sally(block)) => {
                self.mark(state, block, Flags::JOINED, ("sallies", rules::SALLY), out);
            }
            (Stage::SallyPick, Action::Done) => {
                let count = self.fighters(state, &fight, seat, Flags::JOINED).count();
                fight.stage = match fight.kind {
                    _ if rules::SALLY.allows(count == 0) => Stage::Close,
                    FightKind::SallyBattle => Stage::Withdraw,
                    _ => Stage::SallyDraw,
                };
                Self::go_on(state, fight, ("sally", rules::SALLY), &[who, Ref::Number(count as i32)], out);
                if fight.stage == Stage::SallyDraw {
                    // The draw comes now: nobody looks at who meets the Sally and then thinks again.
                    out.revealed();
                }
            }
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// 8.2: the block that a gun of the City fires at is drawn.
    pub(in super::super) fn gun_target(
        &self,
        state: &mut State,
        fight: &Fight,
        number: i32,
        out: &mut Events,
    ) {
        let scene = Scene::open(self, state, 2, out);
        let block = nth(self.besiegers(state, fight), number);
        state.depart(&self.content, BlockSet::one(block));
        state.set_flags(BlockSet::one(block), Flags::DRAWN);
        if let Some(fight) = &mut state.fight {
            fight.stage = Stage::GunRoll;
        }
        let owner = self.content.blocks[block].side;
        let seat = Ref::Seat(owner);
        scene.publish(self, state, out, || {
            Event::new("target", rules::CITY_GUNS, &[seat]).private(owner, &[seat, Ref::from(block)], [])
        });
    }

    /// 7.03: a Sally Block is drawn.
    pub(in super::super) fn sally_drawn(
        &self,
        state: &mut State,
        fight: &Fight,
        number: i32,
        out: &mut Events,
    ) {
        let block = nth(self.undrawn(state, fight), number);
        self.draw(state, BlockSet::one(block), out);
    }

    /// 7.03: Siege Combat at a City begins with the Sally.
    pub(in super::super) fn open_siege(&self, state: &mut State, city: CityId, out: &mut Events) {
        let scene = Scene::open(self, state, 2, out);
        state.resolved.insert(city);
        let area = self.content.cities[city].area;
        let marked = state.siege[city] > UNMARKED;
        let besieged = self.besieged(state, city);
        let (kind, stage) =
            if marked { (FightKind::Sally, Stage::Guns) } else { (FightKind::SallyBattle, Stage::SallyPick) };
        state.fight = Some(Fight::new(kind, stage, area, Some(city), besieged));
        state.frames.open(Frame::Fight);
        let refs = [Ref::from(self.content.city_place(city)), Ref::Seat(besieged)];
        scene.publish(self, state, out, || Event::new("siege_combat", rules::SIEGE_COMBAT, &refs));
    }

    /// 8.2: who may still be picked for a Sally: against a Siege Marker field blocks, in a Battle any, if a field block can come along.
    pub(in super::super) fn sally_able(&self, state: &State, fight: &Fight) -> BlockSet {
        let within = state.inside(&self.content, fight.area, fight.attacker);
        let field = within & self.content.field();
        let able = if fight.kind == FightKind::SallyBattle && !field.is_empty() { within } else { field };
        able - state.flagged(able, Flags::JOINED)
    }

    /// 8.2: the besiegers that can be drawn, those that are, and how many are wanted.
    pub(in super::super) fn draws(&self, state: &State, fight: &Fight) -> (BlockSet, BlockSet, u32) {
        let able = self.besiegers(state, fight);
        let wanted = self.fighters(state, fight, fight.attacker, Flags::JOINED).count();
        (able, state.flagged(able, Flags::DRAWN), wanted)
    }

    /// 8.2: the besiegers among whom the next one is drawn.
    pub(in super::super) fn undrawn(&self, state: &State, fight: &Fight) -> BlockSet {
        let (able, drawn, _) = self.draws(state, fight);
        able - drawn
    }

    /// 7.6: besiegers who have a part in this Turn's Siege Combat.
    pub(in super::super) fn besiegers(&self, state: &State, fight: &Fight) -> BlockSet {
        let own = state.out(&self.content, fight.area, fight.defender());
        own - state.flagged(own, Flags::TIRED)
    }

    /// 8.2: besiegers are drawn.
    pub(in super::super) fn draw(&self, state: &mut State, blocks: BlockSet, out: &mut Events) {
        let fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        let public = [Ref::Seat(fight.defender()), Ref::Number(blocks.count() as i32)];
        state.depart(&self.content, blocks);
        state.set_flags(blocks, Flags::DRAWN);
        scene.publish(self, state, out, || {
            let mut own = public.to_vec();
            own.extend(blocks.iter().map(Ref::from));
            Event::new("drawn", rules::SALLY, &public).private(fight.defender(), &own, [])
        });
    }

    /// 8.2: a gun in the City fires at a back.
    pub(in super::super) fn fire(&self, state: &mut State, gun: BlockId, out: &mut Events) {
        let fight = state.ongoing_fight_mut();
        (fight.goal, fight.stage) = (gun.into(), Stage::GunTarget);
        let seat = fight.attacker;
        let scene = Scene::open(self, state, 2, out);
        state.reveal(&self.content, BlockSet::one(gun));
        state.set_flags(BlockSet::one(gun), Flags::FIRED);
        out.revealed();
        let refs = [Ref::Seat(seat), Ref::from(gun)];
        scene.publish(self, state, out, || Event::new("fires", rules::CITY_GUNS, &refs));
    }

    /// 8.2: the hits of a gun in the City, on the block that was drawn.
    pub(in super::super) fn city_gun_rolled(&self, state: &mut State, dice: &[u8], out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        let target = self.fighters(state, &fight, fight.defender(), Flags::DRAWN);
        let at_most = self.city_gun_aim(&fight);
        let hits = dice.iter().filter(|&&die| die <= at_most).count() as u8;
        state.clear_flags(target, Flags::DRAWN);
        fight.stage = Stage::Guns;
        state.fight = Some(fight);
        let public = [Ref::Seat(fight.attacker), Ref::Number(hits.into())];
        for block in target {
            let hits = hits.min(state.blocks[block].strength);
            if rules::CITY_GUNS.applies(hits > 0) {
                state.weaken(&self.content, block, hits);
            }
        }
        scene.publish(self, state, out, || {
            let mut own = public.to_vec();
            own.extend(target.iter().map(Ref::from));
            Event::new("bombards", rules::CITY_GUNS, &public).private(fight.defender(), &own, [])
        });
    }

    /// 8.2: the most that a die may show for a gun in the City.
    pub(in super::super) fn city_gun_aim(&self, fight: &Fight) -> u8 {
        self.content.blocks[fight.goal.gun()].effectiveness.saturating_sub(1)
    }
}

/// The block that a draw counts out, from 1.
fn nth(among: BlockSet, number: i32) -> BlockId {
    among.iter().nth(number as usize - 1).expect("a draw counts out one of those that it is among")
}
