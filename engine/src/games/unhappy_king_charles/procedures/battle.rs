//! Battles from the reveal on: who fights, scores, results, and the order of what follows (10.2, 14.6, B1 to B21).
//!
//! All that comes before, from the pick-up to the withdrawal inside (EV2, steps 1 to 4), is of the movement: it leaves the Battle in the state,
//! with the garrison that joins the attacker, or the besieger's surplus, marked as picked.

use num_bigint::BigUint;

use crate::vocabulary::*;

use super::super::content::ids::{CounterId, CounterSet, GeneralId};
use super::super::content::turns::RuleOption;
use super::super::content::{ROYALIST, SEATS};
use super::super::frames::Frame;
use super::super::state::{BattleKind, Happened, Margin, Marks, Post, Queen, SiegeFight, State};
use super::super::{STREAM_ENVIRONMENT, UnhappyKing, rules};
use super::consequences::Cause;

/// The stages of a Battle, in their order (EV2, B11).
pub(in super::super) mod stages {
    /// The Brigades of both sides are to be revealed.
    pub(in super::super::super) const REVEAL: u8 = 0;
    /// The defender has answered about a Dispersal.
    pub(in super::super::super) const DEFENDER_STAYS: u8 = 1;
    /// The attacker has, too.
    pub(in super::super::super) const ATTACKER_STAYS: u8 = 2;
    /// The attacker's Combat Card is known.
    pub(in super::super::super) const ATTACKER_CARD: u8 = 3;
    /// The dice are due.
    pub(in super::super::super) const DICE: u8 = 4;
    /// Brentford is asked for.
    pub(in super::super::super) const BRENTFORD: u8 = 5;
    /// Losses are due.
    pub(in super::super::super) const LOSSES: u8 = 6;
    /// The beaten side is to retreat.
    pub(in super::super::super) const RETREAT: u8 = 7;
    /// The Queen, and a turncoat.
    pub(in super::super::super) const TURNCOAT: u8 = 8;
    /// Spoils.
    pub(in super::super::super) const SPOILS: u8 = 9;
    /// Bonus cards.
    pub(in super::super::super) const BONUS: u8 = 10;
    /// The besieger's Fortress surrenders.
    pub(in super::super::super) const SIEGE: u8 = 11;
    /// The Battle is over.
    pub(in super::super::super) const END: u8 = 12;
}

impl UnhappyKing {
    /// The commander of a side's Army in the field: the attacker's own Army, without the garrison that joined it; none of unled Brigades,
    /// and none once the Army has left the map.
    #[must_use]
    pub(in super::super) fn field_army(&self, state: &State, side: Seat) -> Option<GeneralId> {
        let battle = state.ongoing_battle();
        let active = state.activation.as_ref().filter(|activation| {
            activation.seat == side && side == battle.attacker && battle.kind != BattleKind::Model
        });
        let active = active.map(|activation| state.commander(activation.general));
        active.or(battle.commanders[side.index()]).filter(|&general| state.area_of(general).is_some())
    }

    /// The Brigades of a side that fight: of the attacker the active Army, with the garrison that joins it; of the defender the whole stack,
    /// or the besieger's surplus (B1, F13, F14).
    #[must_use]
    pub(in super::super) fn fighters(&self, state: &State, side: Seat) -> CounterSet {
        let battle = state.ongoing_battle();
        let content = &self.content;
        let army = self.field_army(state, side);
        let army = army.map_or(CounterSet::EMPTY, |general| state.led_by(state.army(general)));
        if side != battle.attacker {
            let stack = rules::COMBATANTS.gives(state.stack(content, side, battle.area), army);
            return if rules::BESIEGER_ATTACKED.applies(battle.siege == SiegeFight::Surplus) {
                state.brigades.marked(stack, Marks::PICKED)
            } else {
                stack
            };
        }
        if battle.kind == BattleKind::Model {
            return army | state.unled(content, side, battle.area);
        }
        let garrison = state.garrison(content, battle.area);
        let garrison = state.brigades.of_side(content, garrison, side);
        army | state.brigades.marked(garrison, Marks::PICKED)
    }

    pub(in super::super) fn set_battle_stage(&self, state: &mut State, to: u8) {
        let Some(Frame::Battle { stage }) = state.frames.top_mut() else {
            unreachable!("a Battle is the innermost procedure when it goes on");
        };
        *stage = to;
    }

    /// One step further of a Battle; `false` if the dice are asked.
    pub(in super::super) fn advance_battle(&self, state: &mut State, stage: u8, out: &mut Events) -> bool {
        let attacker = state.ongoing_battle().attacker;
        let defender = attacker.other();
        match stage {
            stages::REVEAL => {
                self.set_battle_stage(state, stages::DEFENDER_STAYS);
                self.reveal(state, out);
                self.ask_dispersal(state, defender);
            }
            stages::DEFENDER_STAYS if self.fighters(state, defender).is_empty() => {
                // EV9: the attacker is not asked once the defender has Dispersed.
                self.set_battle_stage(state, stages::END);
                self.offer_spoils(state, attacker, rules::DISPERSED);
            }
            stages::DEFENDER_STAYS => {
                self.set_battle_stage(state, stages::ATTACKER_STAYS);
                self.ask_dispersal(state, attacker);
            }
            stages::ATTACKER_STAYS if self.field_army(state, attacker).is_none() => {
                self.set_battle_stage(state, stages::END);
            }
            stages::ATTACKER_STAYS => {
                self.set_battle_stage(state, stages::ATTACKER_CARD);
                self.ask_combat_card(state, rules::BATTLE_ORDER.gives(attacker, defender));
            }
            stages::ATTACKER_CARD => {
                self.set_battle_stage(state, stages::DICE);
                self.ask_combat_card(state, rules::BATTLE_ORDER.gives(defender, attacker));
            }
            stages::DICE | stages::BRENTFORD => return false,
            stages::LOSSES => self.battle_losses(state, out),
            stages::RETREAT => {
                self.set_battle_stage(state, stages::TURNCOAT);
                self.begin_retreat(state, out);
            }
            stages::TURNCOAT => {
                self.set_battle_stage(state, stages::SPOILS);
                self.capture_beaten_queen(state, out);
                self.ask_turncoat(state);
                self.laugh_at_beaten(state, out);
            }
            stages::SPOILS => {
                self.set_battle_stage(state, stages::BONUS);
                if let Some(winner) = self.victor(state) {
                    self.offer_spoils(state, winner, rules::SPOILS);
                }
            }
            stages::BONUS => {
                self.set_battle_stage(state, stages::SIEGE);
                self.draw_bonus_cards(state);
            }
            stages::SIEGE => {
                self.set_battle_stage(state, stages::END);
                self.besieged_surrender(state);
            }
            _ => self.end_battle(state, out),
        }
        true
    }

    /// The side that won, if the Battle was no draw.
    #[must_use]
    pub(in super::super) fn victor(&self, state: &State) -> Option<Seat> {
        let battle = state.ongoing_battle();
        battle.winner.filter(|_| battle.margin.is_some_and(|margin| margin > Margin::Drawn))
    }

    /// 10.1, Y2: both sides lay their Brigades open.
    fn reveal(&self, state: &mut State, out: &mut Events) {
        let (area, attacker) = (state.ongoing_battle().area, state.ongoing_battle().attacker);
        let scene = Scene::open(self, state, 2, out);
        for seat in SEATS {
            let fighters = self.fighters(state, seat);
            if rules::REVEAL.applies(true) {
                state.brigades.mark(&self.content, fighters, Marks::KNOWLEDGE);
            }
        }
        let refs = [Ref::from(area), Ref::Seat(attacker)];
        scene.publish(self, state, out, || Event::new("battle", rules::BATTLE, &refs));
        out.revealed();
    }

    /// Returns what a side scores without its die: its Brigades, the Battle Rating of its commander, its Combat Card (B3).
    fn score(&self, state: &State, side: Seat) -> i16 {
        let battle = state.ongoing_battle();
        let brigades = i16::from(state.brigades.value(&self.content, self.fighters(state, side)));
        let commander = battle.commanders[side.index()].filter(|&general| state.area_of(general).is_some());
        let rating = commander.map_or(0, |general| i16::from(self.content.generals[general].battle));
        let card = battle.cards[side.index()].map_or(0, |card| i16::from(self.combat_card(card).0));
        rules::BATTLE_SCORE.gives(brigades + rating + card, brigades)
    }

    /// The attacker's score less the defender's, with these dice.
    fn lead(&self, state: &State, dice: [u8; 2]) -> i16 {
        let attacker = state.ongoing_battle().attacker;
        let of = |side: Seat, die: u8| self.score(state, side) + i16::from(die);
        of(attacker, dice[0]) - of(attacker.other(), dice[1])
    }

    /// The winner, and the margin, with these dice, the attacker's first, and the Combat Cards that lie.
    #[must_use]
    pub(in super::super) fn battle_result(&self, state: &State, dice: [u8; 2]) -> (Seat, Margin) {
        self.result_of(state, self.lead(state, dice))
    }

    /// The winner, and the margin, of the attacker's score less the defender's (B5, B6).
    fn result_of(&self, state: &State, lead: i16) -> (Seat, Margin) {
        let battle = state.ongoing_battle();
        let numbers = self.content.numbers.battle;
        let winner = if lead > 0 { battle.attacker } else { battle.attacker.other() };
        let apart = lead.unsigned_abs();
        let decisive = battle.cards[winner.index()]
            .is_some_and(|card| rules::BATTLE_RESULT.applies(self.combat_card(card).1));
        let margin = if rules::DRAWN_BATTLE.applies(apart <= numbers.drawn.into()) {
            Margin::Drawn
        } else if apart < numbers.major.into() {
            Margin::Indecisive
        } else if decisive {
            Margin::Decisive
        } else {
            Margin::Major
        };
        (winner, margin)
    }

    /// Returns whether the side that defends is still to be asked for a Combat Card after the one that is asked now (B2).
    #[must_use]
    pub(in super::super) fn awaits_second_card(&self, state: &State) -> bool {
        let first = |frame: &Frame| matches!(frame, Frame::Battle { stage: stages::ATTACKER_CARD });
        let second = rules::BATTLE_ORDER
            .gives(state.ongoing_battle().attacker.other(), state.ongoing_battle().attacker);
        state.frames.iter().any(first) && self.might_hold_combat_card(state, second)
    }

    /// B4: the Royalist may still use the Earl of Brentford in this Battle.
    fn has_brentford(&self, state: &State) -> bool {
        let king = state.ongoing_battle().commanders[ROYALIST.index()] == Some(self.content.people.king);
        let until = self.content.numbers.brentford.until;
        rules::BRENTFORD_USE.applies(king && state.has(Happened::BRENTFORD) && state.turn.number() <= until)
    }

    /// The dice of both sides, the attacker's first (B3).
    pub(in super::super) fn battle_chance(&self) -> Chance {
        Chance::Roll { stream: STREAM_ENVIRONMENT, dice: 2, sides: 6 }
    }

    /// B5: the dice by what they bring: the result, or all of them as long as the Earl of Brentford may still change it.
    pub(in super::super) fn battle_classes(&self, state: &State) -> Vec<Class> {
        let mut classes: Vec<(Option<(Seat, Margin)>, Class)> = Vec::new();
        for first in 1..=6 {
            for second in 1..=6 {
                let result = (!self.has_brentford(state)).then(|| self.battle_result(state, [first, second]));
                let known = classes.iter_mut().find(|(of, _)| result.is_some() && *of == result);
                match known {
                    Some((_, class)) => class.weight += 1u8,
                    None => {
                        let outcome = Outcome::Roll([first, second].into_iter().collect());
                        classes.push((result, Class { outcome, weight: BigUint::from(1u8) }));
                    }
                }
            }
        }
        classes.into_iter().map(|(_, class)| class).collect()
    }

    /// B3, B4: the dice have fallen.
    pub(in super::super) fn fight(&self, state: &mut State, dice: [u8; 2], out: &mut Events) {
        let (area, attacker) = (state.ongoing_battle().area, state.ongoing_battle().attacker);
        let scores = [(attacker, dice[0]), (attacker.other(), dice[1])]
            .map(|(side, die)| self.score(state, side) + i16::from(die));
        let numbers = dice.map(i32::from).into_iter().chain(scores.map(i32::from)).map(Ref::Number);
        let refs: Vec<Ref> = [Ref::from(area)].into_iter().chain(numbers).collect();
        out.emit(|| Event::new("battle_dice", rules::BATTLE_SCORE, &refs));
        if self.has_brentford(state) {
            let [first, second] = dice;
            let dice = &mut state.ongoing_battle_mut().dice;
            dice[attacker.index()] = first;
            dice[attacker.other().index()] = second;
            self.set_battle_stage(state, stages::BRENTFORD);
            state.frames.open(Frame::Brentford { seat: ROYALIST });
        } else {
            let lead = self.lead(state, dice);
            self.settle_result(state, lead, out);
        }
    }

    /// B4: the Royalist has answered about the Earl of Brentford.
    pub(in super::super) fn answer_brentford(&self, state: &mut State, used: bool, out: &mut Events) {
        state.frames.close();
        let attacker = state.ongoing_battle().attacker;
        let dice = state.ongoing_battle().dice;
        let mut lead = self.lead(state, [dice[attacker.index()], dice[attacker.other().index()]]);
        if used {
            let scene = Scene::open(self, state, 2, out);
            state.happened -= Happened::BRENTFORD;
            scene.publish(self, state, out, || Event::new("brentford_used", rules::BRENTFORD_USE, &[]));
            let sign = if attacker == ROYALIST { 1 } else { -1 };
            let (ahead, major) = (sign * lead, i16::from(self.content.numbers.battle.major));
            let raised = ahead + i16::from(self.content.numbers.brentford.modifier);
            // It can't make a Major Victory of the King's Indecisive one.
            let capped = if ahead < major { raised.min(major - 1) } else { raised };
            lead = sign * rules::BRENTFORD_USE.gives(capped, raised);
        }
        self.settle_result(state, lead, out);
    }

    /// 10.2: the result stands, and so do the losses.
    fn settle_result(&self, state: &mut State, lead: i16, out: &mut Events) {
        let (winner, margin) = self.result_of(state, lead);
        let numbers = self.content.numbers.battle;
        let loser = winner.other();
        let beaten = margin > Margin::Drawn;
        let queen = matches!(state.queen, Queen::With(general)
            if beaten && self.field_army(state, loser) == Some(state.commander(general)));
        let newcastle = margin == Margin::Decisive && self.has_newcastle(state, loser);
        let battle = state.ongoing_battle_mut();
        battle.newcastle = newcastle;
        (battle.winner, battle.margin, battle.dice, battle.queen) =
            (Some(winner), Some(margin), [0; 2], queen);
        match margin {
            Margin::Drawn => battle.losses = [rules::DRAWN_BATTLE.gives(numbers.drawn_losses, 0); 2],
            Margin::Indecisive => {
                battle.losses[loser.index()] = rules::LOSSES.gives(numbers.indecisive_losses, 0);
            }
            _ => battle.losses[loser.index()] = rules::LOSSES.gives(numbers.major_losses, 0),
        }
        let refs = [Ref::Seat(winner), Ref::from(battle.area)];
        let code = match margin {
            Margin::Drawn if winner == battle.attacker => "attacker_drawn",
            Margin::Drawn => "defender_drawn",
            Margin::Indecisive => "indecisive_victory",
            Margin::Major => "major_victory",
            Margin::Decisive => "decisive_victory",
        };
        out.emit(|| Event::new(code, rules::BATTLE_RESULT, &refs));
        self.set_battle_stage(state, stages::LOSSES);
    }

    /// 10.7, B15: the winner's bonus cards are drawn as soon as the Battle is done.
    fn draw_bonus_cards(&self, state: &mut State) {
        let numbers = self.content.numbers.battle;
        let left = match state.ongoing_battle().margin {
            Some(Margin::Major) => numbers.major_cards,
            Some(Margin::Decisive) => numbers.decisive_cards,
            _ => 0,
        };
        if let Some(seat) = self.victor(state).filter(|_| rules::BONUS_CARDS.applies(left > 0)) {
            state.frames.open(Frame::Draw { seat, left, bonus: true });
        }
    }

    /// 14.6, F15: the Fortress of a besieger who wins a Major Victory surrenders, whether they lifted the Siege or kept it up.
    fn besieged_surrender(&self, state: &mut State) {
        let battle = state.ongoing_battle();
        let (area, besieger) = (battle.area, battle.attacker.other());
        let won = battle.winner == Some(besieger) && battle.margin >= Some(Margin::Major);
        let besieged = battle.siege != SiegeFight::None
            && state.fortress(&self.content, area).is_some()
            && state.controller(area) == Some(besieger.other());
        if rules::BESIEGER_WINS.applies(won && besieged) {
            state.frames.open(Frame::Surrender { seat: besieger, area, stage: 0 });
        }
    }

    /// V9: the Queen is taken with an Army that has lost a Battle.
    fn capture_beaten_queen(&self, state: &mut State, out: &mut Events) {
        if std::mem::take(&mut state.ongoing_battle_mut().queen) {
            self.capture_queen(state, out);
        }
    }

    /// 6.6: the Queen is captured.
    pub(in super::super) fn capture_queen(&self, state: &mut State, out: &mut Events) {
        if state.queen == Queen::Captured {
            return;
        }
        let scene = Scene::open(self, state, 2, out);
        state.queen = Queen::Captured;
        scene.publish(self, state, out, || Event::new("queen_captured", rules::QUEEN_CAPTURED, &[]));
    }

    /// I9, F18, AC8: the interceptor goes back, those who came out of the Fortress stay outside or go back in; the Activation goes on for a
    /// fee, or is over.
    fn end_battle(&self, state: &mut State, out: &mut Events) {
        let battle = state.ongoing_battle().clone();
        let (attacker, defender) = (battle.attacker, battle.attacker.other());
        let army = self.field_army(state, attacker);
        let held_field = army.filter(|&general| state.area_of(general) == Some(battle.area));
        let won = battle.margin.is_none() || battle.winner == Some(attacker) && self.victor(state).is_some();
        if let Some(general) = held_field.filter(|_| battle.kind == BattleKind::Sortie && won) {
            let scene = Scene::open(self, state, 2, out);
            let post = rules::SORTIE.gives(Post::Area(battle.area), Post::Inside(battle.area));
            state.generals.place(general, post);
            let refs = [Ref::from(general), Ref::from(battle.area)];
            scene.publish(self, state, out, || Event::new("comes_out", rules::SORTIE, &refs));
        }
        // F13, F16: a Siege that was kept up goes on, unless the besieger is beaten.
        let kept = rules::RELIEF_FAILS.applies(self.victor(state) != Some(attacker));
        if battle.siege == SiegeFight::Surplus && !kept && state.besieged(&self.content, battle.area) {
            let fortress = state.fortress(&self.content, battle.area).expect("a Siege is of a Fortress");
            self.lift_siege(state, fortress, out);
        }
        let marks = Marks::FALLEN | Marks::PICKED;
        let all = CounterSet::first_of(self.content.face_of.len());
        let scene = Scene::open(self, state, 2, out);
        state.brigades.unmark(&self.content, all, marks);
        if let Some(activation) = state.activation.as_mut().filter(|_| battle.kind != BattleKind::Model) {
            if army.is_none() || !won {
                activation.over = true;
            } else if battle.margin.is_some() {
                activation.fee = rules::BATTLE_FEE.applies(true);
            }
        }
        let interceptor = self.field_army(state, defender);
        state.battle = None;
        state.frames.close();
        scene.publish(self, state, out, || {
            Event::new("battle_over", rules::BATTLE_AFTERMATH, &[battle.area.into()])
        });
        let returns = interceptor.filter(|&general| {
            battle.kind == BattleKind::Apart && state.area_of(general) == Some(battle.area)
        });
        if let (Some(general), Some(origin)) = (returns, battle.origins[defender.index()]) {
            let back = if battle.from_inside { Post::Inside(origin) } else { Post::Area(origin) };
            self.interceptor_returns(state, defender, (general, back), out);
        }
    }

    /// 9.7.5, I9: an interceptor who has not lost goes back to where they came from, be it inside, and joins those who stayed there.
    fn interceptor_returns(
        &self,
        state: &mut State,
        seat: Seat,
        (general, back): (GeneralId, Post),
        out: &mut Events,
    ) {
        if !rules::INTERCEPTION_AMONG_ENEMIES.applies(true) {
            return;
        }
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        state.generals.place(general, back);
        let origin = state.area_of(general).expect("an interceptor came from the map");
        let refs = [Ref::from(general), Ref::from(origin)];
        scene.publish(self, state, out, || {
            Event::new("interceptor_returns", rules::INTERCEPTION_AMONG_ENEMIES, &refs)
        });
        self.join_or_part(state, seat, general, out);
        self.consequences(state, held, Cause::Other, out);
    }

    /// The King, Lostwithiel: whether an option of the match holds.
    #[must_use]
    pub(in super::super) const fn option(&self, state: &State, option: RuleOption) -> bool {
        state.options[option as usize]
    }

    /// A Brigade that is lost for good in a Battle (10.2).
    pub(in super::super) fn fall(&self, state: &mut State, counter: CounterId) {
        state.brigades.change(&self.content, CounterSet::one(counter), |counter| {
            counter.at = super::super::state::Holder::LOST;
            counter.marks |= Marks::FALLEN | Marks::KNOWLEDGE;
        });
    }
}
