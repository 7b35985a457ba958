//! Decisions outside of fights: which actions are legal, and what each does; outcomes of chance.

use std::ops::ControlFlow;

use crate::chance::Outcome;
use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::actions::Action;
use super::procedures::recruitment::Paid;
use super::state::{DRAWN, Frame, NONE, POOL, Stage, State, TAKEN, each};
use super::{ThisWar, rules};

impl ThisWar {
    pub(super) fn examine_action(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let space = |area: u8| Ref::Space(area.into());
        let go = ControlFlow::Continue(());
        match (state.frames.top(), action) {
            (Some(Frame::Discards), Action::Discard(_) | Action::Done) => {
                self.examine_card(state, seat, action, rules::DISCARD, why)
            }
            (Some(Frame::Initiative), Action::Play(_) | Action::Done) => {
                self.examine_card(state, seat, action, rules::CHOICE, why)
            }
            (Some(Frame::Tie), Action::First(_))
            | (Some(Frame::Offer { .. }), Action::Event | Action::Decline) => go,
            (Some(Frame::Fever { .. }), Action::Fever(area)) => {
                let fits = self.fever_fits(state, seat, area);
                why.require(fits, rules::CAMP_FEVER, "TOO_FEW_BLOCKS", &[space(area)])
            }
            (Some(&Frame::FeverLoss { area, first, .. }), Action::Lose(block)) => {
                self.examine_fever_loss(state, (seat, area, first), block, why)
            }
            (Some(&Frame::Desertion { regional, .. }), Action::Lose(block)) => {
                self.examine_deserter(state, seat, regional, block, why)
            }
            (Some(&Frame::DesertionPlace { block, .. }), Action::At(area)) => {
                let goals = self.deserter_goals(state, seat, block);
                why.require(goals >> area & 1 != 0, rules::DESERTION, "NOT_OPEN", &[space(area)])
            }
            (Some(&Frame::DesertionPlace { block, .. }), Action::Pool) => {
                let none = self.deserter_goals(state, seat, block) == 0;
                why.require(none, rules::DESERTION, "THERE_IS_ROOM", &[])
            }
            (Some(&Frame::Free { left, guns, .. }), Action::Raise(block)) => {
                why.require(left > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_raise(state, seat, block, Paid::Action { guns }, why)
            }
            (Some(&Frame::Free { left, guns, .. }), Action::Deploy(block)) => {
                why.require(left > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_deploy(state, seat, block, Paid::Action { guns }, why)
            }
            (Some(&Frame::Place { block, guns, points, .. }), Action::At(area)) => {
                let paid = if points == NONE { Paid::Action { guns } } else { Paid::Region(points) };
                self.examine_at(state, (seat, block), area, paid, why)
            }
            (Some(&Frame::Actions { points, .. }), Action::Group(area)) => {
                why.demand(points > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_group(state, seat, area, why)
            }
            (Some(&Frame::Actions { points, .. }), Action::Muster(area)) => {
                why.demand(points > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_muster(state, seat, area, why)
            }
            (Some(&Frame::Actions { points, .. }), Action::Raise(block)) => {
                why.demand(points > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_raise(state, seat, block, Paid::Action { guns: false }, why)
            }
            (Some(&Frame::Actions { points, .. }), Action::Deploy(block)) => {
                why.demand(points > 0, rules::ACTIONS, "NO_POINTS_LEFT", &[])?;
                self.examine_deploy(state, seat, block, Paid::Action { guns: false }, why)
            }
            (Some(&Frame::GroupMove { from, .. }), Action::Take(block)) => {
                self.examine_take(state, seat, from, block, why)
            }
            (Some(&Frame::GroupMove { from, .. }), Action::Go(to)) => {
                self.examine_go(state, seat, from, to, why)
            }
            (Some(&Frame::GroupMove { from, .. }), Action::Stop) => self.examine_stop(state, seat, from, why),
            (Some(Frame::GroupMove { .. }), Action::Done) => self.examine_group_done(state, seat, why),
            (Some(&Frame::Muster { to, .. }), Action::Take(block)) => {
                self.examine_muster_take(state, (seat, to), block, why)
            }
            (Some(&Frame::Via { block, to, .. }), Action::Via(via)) => {
                let way = self.muster_ways(state, seat, block.into(), to).contains(&via);
                why.require(way, rules::MUSTER, "NOT_ADJACENT", &[space(via), space(to)])
            }
            (Some(&Frame::Window { area, .. }), Action::Withdraw(block)) => {
                self.examine_withdraw(state, (seat, area), block, why)
            }
            (Some(Frame::Tactic { .. }), Action::Tactic(area)) => {
                let fits = self.tactic_fits(state, seat, area);
                why.require(fits, rules::TACTICAL, "NO_FIGHT_THERE", &[space(area)])
            }
            (Some(Frame::Battles), Action::Battle(area)) => {
                let contested = state.contested(&self.content, area);
                why.require(contested, rules::BATTLES, "NOT_CONTESTED", &[space(area)])
            }
            (Some(Frame::Sieges), Action::Siege(city)) => {
                let open = self.siege_open(state, city);
                why.require(open, rules::SIEGE_COMBAT, "NO_SIEGE", &[space(self.content.city_place(city))])
            }
            (Some(Frame::Fight), _) => match &state.fight {
                Some(fight) => self.examine_fight(state, seat, fight, action, why),
                None => why.refuse(CONTRACT, "NOT_NOW"),
            },
            (Some(&Frame::RetreatTo { block, .. }), Action::To(place)) => {
                let goals = self.goals_of(state, seat, block);
                why.require(goals >> place & 1 != 0, rules::RETREAT, "NOT_OPEN", &[space(place)])
            }
            (Some(&Frame::Short { area, picked, .. }), Action::Lose(block)) => {
                self.examine_short(state, (seat, area, picked), block, why)
            }
            (Some(&Frame::Short { area, picked, losing, .. }), Action::Exempt(block)) => {
                let quartermaster = state.exempt[seat.index()] > 0;
                why.demand(quartermaster, rules::QUARTERMASTER, "NO_QUARTERMASTER", &[])?;
                why.demand(!losing, rules::QUARTERMASTER, "LOSING_ALREADY", &[space(area)])?;
                self.examine_short(state, (seat, area, picked), block, why)
            }
            (Some(&Frame::Attrition { city, horse, .. }), Action::Lose(block)) => {
                self.examine_attrition(state, (city, horse), block, why)
            }
            (Some(Frame::Surrender { .. }), Action::Retreat(block)) => {
                let here = state.blocks[usize::from(block)].at == self.surrendering(state);
                let goals = if here { self.goals_of(state, seat, block) } else { 0 };
                why.require(goals != 0, rules::SURRENDER, "NO_WAY_OUT", &[Ref::Piece(block.into())])
            }
            (Some(Frame::Surrender { .. }), Action::Done) => {
                let left = state.at(self.surrendering(state));
                let able = each(left).any(|block| self.goals_of(state, seat, block as u8) != 0);
                why.require(!able, rules::SURRENDER, "MUST_LEAVE", &[])
            }
            (Some(&Frame::Recruit { left, .. }), Action::Region(region)) => {
                self.examine_region(state, (seat, left), region, why)
            }
            (Some(&Frame::Region { region, .. }), Action::Raise(block)) => {
                self.examine_raise(state, seat, block, Paid::Region(region), why)
            }
            (Some(&Frame::Region { region, .. }), Action::Deploy(block)) => {
                self.examine_deploy(state, seat, block, Paid::Region(region), why)
            }
            (Some(Frame::Return { .. }), Action::Home(block)) => self.examine_home(state, seat, block, why),
            (Some(Frame::Return { .. }), Action::Done) => {
                let (must, _) = self.away(state, seat);
                why.require(must == 0, rules::RETURN_HOME, "MUST_RETURN", &[])
            }
            (Some(&Frame::ReturnTo { block, .. }), Action::At(area)) => {
                let goals = self.returns_to(state, seat, block);
                why.require(goals >> area & 1 != 0, rules::RETURN_HOME, "NOT_OPEN", &[space(area)])
            }
            (Some(&Frame::ReturnTo { block, .. }), Action::Pool) => {
                let none = self.returns_to(state, seat, block) == 0;
                why.require(none, rules::RETURN_HOME, "THERE_IS_ROOM", &[])
            }
            (
                Some(
                    Frame::Free { .. }
                    | Frame::Actions { .. }
                    | Frame::Muster { .. }
                    | Frame::Window { .. }
                    | Frame::Recruit { .. },
                ),
                Action::Done,
            )
            | (Some(Frame::Tactic { .. }), Action::Decline) => go,
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    /// Returns where the block of a retreat, or of a City that surrendered, may go.
    fn goals_of(&self, state: &State, seat: Seat, block: u8) -> u64 {
        let surrender = state.frames.iter().find_map(|frame| match frame {
            Frame::Surrender { city, far, .. } => Some((*city, *far)),
            _ => None,
        });
        match (surrender, &state.fight) {
            (Some((city, far)), _) => self.surrender_goals(state, (seat, city, far), block),
            (None, Some(fight)) => self.retreat_goals(state, fight, block),
            _ => 0,
        }
    }

    fn surrendering(&self, state: &State) -> u8 {
        match state.frames.top() {
            Some(&Frame::Surrender { city, .. }) => self.content.city_place(city),
            _ => NONE,
        }
    }

    pub(super) fn apply_action(&self, state: &mut State, seat: Seat, action: Action, out: &mut Events) {
        let who = Ref::Seat(seat);
        let Some(frame) = state.frames.top().copied() else { return };
        let close = |state: &mut State, code, rule, refs: &[Ref], out: &mut Events| {
            state.frames.close();
            out.emit(|| Event::new(code, rule, refs));
        };
        match (frame, action) {
            (Frame::Discards | Frame::Initiative, _) => self.pick_card(state, seat, action, out),
            (Frame::Tie, Action::First(first)) => self.set_first(state, first, out),
            (Frame::Offer { .. }, Action::Event) => self.use_event(state, seat, out),
            (Frame::Offer { .. }, _) => close(state, "declines", rules::OPERATIONAL_EVENTS, &[who], out),
            (Frame::Fever { .. }, Action::Fever(area)) => self.fever(state, seat, area, out),
            (Frame::FeverLoss { area, left, .. }, Action::Lose(block)) => {
                state.frames.close();
                self.lose_one(state, block.into(), rules::CAMP_FEVER, out);
                if left > 1 {
                    state.frames.open(Frame::FeverLoss { seat, area, left: left - 1, first: block });
                }
            }
            (Frame::Desertion { .. }, Action::Lose(block)) => self.desert(state, seat, block, out),
            (Frame::DesertionPlace { block, .. }, Action::At(area)) => {
                state.frames.close();
                self.relocate(state, block, area, ("deserts", rules::DESERTION), out);
            }
            (Frame::DesertionPlace { block, .. } | Frame::ReturnTo { block, .. }, Action::Pool) => {
                state.frames.close();
                self.relocate(state, block, POOL, ("leaves", rules::RETURN_HOME), out);
            }
            (Frame::ReturnTo { block, .. }, Action::At(area)) => {
                state.frames.close();
                self.relocate(state, block, area, ("returns", rules::RETURN_HOME), out);
            }
            (_, Action::Raise(block)) => self.raise(state, block, out),
            (_, Action::Deploy(block)) => {
                let (guns, points) = match frame {
                    Frame::Free { guns, .. } => (guns, NONE),
                    Frame::Region { region, .. } => (false, region),
                    _ => (false, NONE),
                };
                state.frames.open(Frame::Place { seat, block, guns, points });
                let refs = [who, Ref::Piece(block.into())];
                out.emit(|| Event::only(seat, "picked_block", rules::DEPLOY, &refs));
            }
            (Frame::Place { block, .. }, Action::At(area)) => self.deploy(state, block, area, out),
            (Frame::Actions { points, .. }, Action::Group(from)) => {
                self.act(state, seat, points, Frame::GroupMove { seat, from }, out);
                out.emit(|| Event::new("group_move", rules::GROUP_MOVE, &[who, Ref::Space(from.into())]));
            }
            (Frame::Actions { points, .. }, Action::Muster(to)) => {
                self.act(state, seat, points, Frame::Muster { seat, to }, out);
                out.emit(|| Event::new("muster", rules::MUSTER, &[who, Ref::Space(to.into())]));
            }
            (Frame::GroupMove { .. }, Action::Take(block)) => {
                self.pick(state, seat, block, rules::GROUP_MOVE, out);
            }
            (Frame::GroupMove { from, .. }, Action::Go(to)) => self.go(state, seat, from, to, out),
            (Frame::GroupMove { .. }, Action::Stop) => self.stop(state, seat, out),
            (Frame::Muster { to, .. }, Action::Take(block)) => {
                let ways = self.muster_ways(state, seat, block.into(), to);
                if let [via] = ways[..] {
                    self.muster(state, block, to, via, out);
                } else {
                    state.frames.open(Frame::Via { seat, block, to });
                    let refs = [who, Ref::Piece(block.into())];
                    out.emit(|| Event::only(seat, "picked_block", rules::MUSTER, &refs));
                }
            }
            (Frame::Via { block, to, .. }, Action::Via(via)) => {
                state.frames.close();
                self.muster(state, block, to, via, out);
            }
            (Frame::GroupMove { .. } | Frame::Muster { .. }, _) => self.end_action(state, seat, out),
            (Frame::Window { area, .. }, Action::Withdraw(block)) => self.withdraw(state, area, block, out),
            (Frame::Window { area, .. }, _) => self.close_window(state, seat, area, out),
            (Frame::Tactic { .. }, Action::Tactic(area)) => {
                let scene = Scene::open(self, state, 2, out);
                state.tactic[seat.index()] = area;
                state.frames.close();
                let card = Ref::Card(state.cards[seat.index()].unwrap_or(0));
                let refs = [who, card, Ref::Space(area.into())];
                scene.publish(self, state, out, || Event::new("tactic", rules::TACTICAL, &refs));
            }
            (Frame::Tactic { .. }, _) => close(state, "declines", rules::TACTICAL, &[who], out),
            (Frame::Battles, Action::Battle(area)) => self.open_battle(state, area, out),
            (Frame::Sieges, Action::Siege(city)) => self.open_siege(state, city, out),
            (Frame::Fight, _) => {
                if let Some(fight) = state.fight {
                    self.apply_fight(state, seat, &fight, action, out);
                }
            }
            (Frame::RetreatTo { block, .. }, Action::To(place)) => {
                if state.fight.is_some() {
                    self.retreat(state, block, place, out);
                } else {
                    state.frames.close();
                    if let Some(Frame::Surrender { entered, .. }) = state.frames.top_mut() {
                        *entered |= 1 << place;
                    }
                    self.relocate(state, block, place, ("marches_out", rules::SURRENDER), out);
                }
            }
            (Frame::Short { .. }, Action::Lose(block)) => self.go_short(state, block, false, out),
            (Frame::Short { .. }, Action::Exempt(block)) => self.go_short(state, block, true, out),
            (Frame::Attrition { .. }, Action::Lose(block)) => self.suffer(state, block, out),
            (Frame::Surrender { .. }, Action::Retreat(block)) => self.open_goals(state, seat, block, out),
            (Frame::Surrender { .. }, _) => self.surrender_over(state, out),
            (Frame::Recruit { .. }, Action::Region(region)) => {
                state.frames.open(Frame::Region { seat, region });
                let mat = Ref::Mat(super::catalogue::REGION_MATS + u16::from(region));
                out.emit(|| Event::new("recruits", rules::RECRUIT, &[who, mat]));
            }
            (Frame::Recruit { .. }, _) => {
                self.replace(state, Frame::Return { seat });
                out.emit(|| Event::new("recruited", rules::RECRUIT, &[who]));
            }
            (Frame::Return { .. }, Action::Home(block)) => {
                state.frames.open(Frame::ReturnTo { seat, block });
                let refs = [who, Ref::Piece(block.into())];
                out.emit(|| Event::only(seat, "picked_block", rules::RETURN_HOME, &refs));
            }
            (Frame::Return { .. }, _) => close(state, "at_home", rules::RETURN_HOME, &[who], out),
            (Frame::Free { .. } | Frame::Actions { .. }, _) => {
                close(state, "acted", rules::ACTIONS, &[who], out);
            }
            _ => debug_assert!(false, "an illegal action was applied"),
        }
    }

    /// An Action Point is spent on a move.
    fn act(&self, state: &mut State, seat: Seat, points: u8, frame: Frame, _: &mut Events) {
        self.replace(state, Frame::Actions { seat, points: points.saturating_sub(1) });
        state.frames.open(frame);
    }

    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let fight = state.fight;
        match (state.frames.top().copied(), outcome) {
            (Some(Frame::Deal { left }), &Outcome::Pick(Ref::Card(card))) => {
                self.dealt(state, card, left, out)
            }
            (Some(Frame::Resolution { city }), Outcome::Roll(dice)) => {
                self.resolve_siege(state, city, dice[0], out);
            }
            (Some(Frame::Fight), outcome) => match (fight.map(|fight| fight.stage), outcome) {
                (Some(Stage::WithdrawRoll), Outcome::Roll(dice)) => {
                    self.withdrawal_rolled(state, dice[0], out)
                }
                (Some(Stage::GunTarget), &Outcome::Pick(Ref::Number(number))) => {
                    let scene = Scene::open(self, state, 2, out);
                    let among = fight.map_or(0, |fight| self.besiegers(state, &fight));
                    let Some(block) = nth(among, number) else { return };
                    state.depart(&self.content, 1 << block);
                    state.set_flags(1 << block, DRAWN);
                    if let Some(fight) = &mut state.fight {
                        fight.stage = Stage::GunRoll;
                    }
                    let owner = self.content.blocks[usize::from(block)].side;
                    let seat = Ref::Seat(owner);
                    scene.publish(self, state, out, || {
                        Event::new("target", rules::CITY_GUNS, &[seat]).private(
                            owner,
                            &[seat, Ref::Piece(block)],
                            [],
                        )
                    });
                }
                (Some(Stage::GunRoll), Outcome::Roll(dice)) => self.city_gun_rolled(state, dice, out),
                (Some(Stage::SallyDraw), &Outcome::Pick(Ref::Number(number))) => {
                    let among = fight.map_or(0, |fight| self.undrawn(state, &fight));
                    let Some(block) = nth(among, number) else { return };
                    self.draw(state, 1 << block, out);
                }
                (Some(Stage::MineRoll | Stage::BombardRoll), Outcome::Roll(dice)) => {
                    self.breach_rolled(state, dice[0], out);
                }
                (Some(_), Outcome::Roll(dice)) => self.rolled(state, dice, out),
                _ => debug_assert!(false, "an outcome that the chance event does not admit"),
            },
            _ => debug_assert!(false, "an outcome that the chance event does not admit"),
        }
    }

    /// 7.93, 8.3: the least roll of a mine, or of a bombardment, that makes a breach.
    pub(super) fn breach_at(&self, state: &State) -> u8 {
        let Some(fight) = state.fight else { return 7 };
        if fight.stage == Stage::MineRoll {
            let card = state.cards[fight.attacker.index()];
            return card.map_or(7, |card| self.content.cards[usize::from(card)].amount);
        }
        self.content.breach(fight.owed.into()).unwrap_or(7)
    }

    fn breach_rolled(&self, state: &mut State, die: u8, out: &mut Events) {
        let breach = die >= self.breach_at(state);
        let Some(fight) = &mut state.fight else { return };
        let mining = fight.stage == Stage::MineRoll;
        let rule = if mining { rules::MINING } else { rules::BOMBARDMENT };
        // London without its walls stays breached, whatever the die says.
        fight.breach |= breach && rule.on();
        fight.owed = 0;
        fight.stage = if mining { Stage::Bombard } else { Stage::StormPick };
        let refs = [Ref::Seat(fight.attacker), Ref::Number(die.into())];
        let code = if breach { "breach" } else { "no_breach" };
        out.emit(|| Event::new(code, rule, &refs));
    }

    /// Blocks that their owner is picking.
    pub(super) fn picked(&self, state: &State, seat: Seat) -> u64 {
        self.own_with(state, seat, TAKEN)
    }
}

/// The block that a draw counts out, from 1.
fn nth(among: u64, number: i32) -> Option<u16> {
    let place = usize::try_from(number).ok()?.checked_sub(1)?;
    each(among).nth(place).map(|block| block as u16)
}
