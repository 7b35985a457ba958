//! Stages of a fight: to which procedure each belongs, whom it asks, what is rolled or drawn, by which rule, in which words.

use crate::chance::{Chance, Outcome, Weighted};
use crate::event::Events;
use crate::ledger::Rule;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::seat::Seat;
use crate::view::Phrase;

use super::super::actions::Action;
use super::super::content::things::BlockSet;
use super::super::state::{Fight, FightKind, Stage, State};
use super::super::{STREAM_DICE, STREAM_FIELD, ThisWar, rules};

crate::dispatch! {
    /// The actions of the stage that the fight has reached, of the procedure that it belongs to.
    pub(in super::super) impl ThisWar, by |state: State| state.ongoing_fight(), of Action:
    offer_fight, examine_fight, apply_fight;
    fight if fight.hits != [0; 3] => (offer_hit, examine_hit, apply_hit)(&fight);
    fight @ Fight { stage: Stage::Relief | Stage::Hold | Stage::Joining, .. }
        => (offer_relief, examine_relief, apply_relief)(&fight);
    fight @ Fight { stage: Stage::Main, .. } => (offer_main_attack, examine_main_attack, apply_main_attack)(&fight);
    fight @ Fight { stage: Stage::Withdraw | Stage::WithdrawLoss, .. }
        => (offer_battle_withdrawal, examine_battle_withdrawal, apply_battle_withdrawal)(&fight);
    fight @ Fight { stage: Stage::Guns | Stage::SallyPick, .. } => (offer_sally, examine_sally, apply_sally)(&fight);
    fight @ Fight { stage: Stage::Mine | Stage::Bombard, .. } => (offer_breach, examine_breach, apply_breach)(&fight);
    fight @ Fight { stage: Stage::StormPick | Stage::Exchange, .. } => (offer_storm, examine_storm, apply_storm)(&fight);
    fight @ Fight { stage: Stage::Stand | Stage::Well, .. }
        => (offer_named_block, examine_named_block, apply_named_block)(&fight);
    fight @ Fight { stage: Stage::GunsFirst | Stage::GunsSecond, .. }
        => (offer_artillery, examine_artillery, apply_artillery)(&fight);
    fight @ Fight { stage: Stage::GoOn, .. } => (offer_going_on, examine_going_on, apply_going_on)(&fight);
    fight @ Fight { stage: Stage::Retreat, .. } => (offer_retreat, examine_retreat, apply_retreat)(&fight);
    fight @ Fight { stage: Stage::Regroup | Stage::RegroupPick, .. }
        => (offer_regroup, examine_regroup, apply_regroup)(&fight);
}

impl ThisWar {
    /// Returns the seat that is asked in a fight that has stopped for a decision; `None` for dice.
    pub(in super::super) fn fight_seat(&self, fight: &Fight) -> Option<Seat> {
        if fight.hits != [0; 3] {
            return Some(fight.struck);
        }
        match fight.stage {
            Stage::Relief | Stage::Hold | Stage::Withdraw | Stage::WithdrawLoss | Stage::GunsFirst => {
                Some(fight.defender())
            }
            Stage::Main
            | Stage::Joining
            | Stage::Guns
            | Stage::SallyPick
            | Stage::Mine
            | Stage::Bombard
            | Stage::StormPick
            | Stage::GunsSecond
            | Stage::GoOn
            | Stage::Exchange => Some(fight.attacker),
            Stage::Stand | Stage::Well => Some(Self::asked(fight)),
            Stage::Retreat => fight.loser,
            Stage::Regroup | Stage::RegroupPick => fight.loser.map(Seat::other),
            _ => None,
        }
    }

    /// The draw or the roll that a fight has stopped for.
    pub(in super::super) fn fight_chance(&self, state: &State, fight: &Fight) -> Chance {
        let roll = |stream, dice| Chance::Roll { stream, dice, sides: 6 };
        let dice_of = |seat: Seat| STREAM_DICE + seat.index() as u32;
        // Backs have no names: whoever enters a draw counts them, and learns nothing of the faces.
        let among = |set: BlockSet| {
            let back = |number: u32| Weighted { what: Ref::Number(number as i32), weight: 1 };
            Chance::Choice { stream: STREAM_FIELD, options: (1..=set.count()).map(back).collect() }
        };
        match fight.stage {
            Stage::WithdrawRoll => roll(dice_of(fight.defender()), 1),
            Stage::GunTarget => among(self.besiegers(state, fight)),
            Stage::GunRoll => roll(dice_of(fight.attacker), state.blocks[fight.goal.gun()].strength.max(1)),
            Stage::SallyDraw => among(self.undrawn(state, fight)),
            Stage::MineRoll | Stage::BombardRoll => roll(dice_of(fight.attacker), 1),
            _ => {
                let dice: u32 = self.dice(state, fight).iter().map(|dice| u32::from(dice.count)).sum();
                roll(dice_of(Self::roller(fight)), dice.min(128) as u8)
            }
        }
    }

    /// Goes on with what was rolled or drawn.
    pub(in super::super) fn resolve_fight(
        &self,
        state: &mut State,
        stage: Stage,
        outcome: &Outcome,
        out: &mut Events,
    ) {
        let fight = state.ongoing_fight();
        match (stage, outcome) {
            (Stage::WithdrawRoll, Outcome::Roll(dice)) => self.withdrawal_rolled(state, dice[0], out),
            (Stage::GunTarget, &Outcome::Pick(Ref::Number(number))) => {
                self.gun_target(state, &fight, number, out);
            }
            (Stage::GunRoll, Outcome::Roll(dice)) => self.city_gun_rolled(state, dice, out),
            (Stage::SallyDraw, &Outcome::Pick(Ref::Number(number))) => {
                self.sally_drawn(state, &fight, number, out);
            }
            (Stage::MineRoll | Stage::BombardRoll, Outcome::Roll(dice)) => {
                self.breach_rolled(state, dice[0], out);
            }
            (_, Outcome::Roll(dice)) => self.rolled(state, dice, out),
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }
}

/// The rule that a fight rests on at a stage.
pub(in super::super) const fn fight_rule(stage: Stage) -> Rule {
    match stage {
        Stage::Relief | Stage::BreakOff | Stage::Hold => rules::RELIEF,
        Stage::Main => rules::MAIN_ATTACK,
        Stage::Withdraw | Stage::WithdrawRoll => rules::BATTLE_WITHDRAWAL,
        Stage::WithdrawLoss => rules::WITHDRAWAL_LOSS,
        Stage::Joining => rules::JOINING,
        Stage::Guns | Stage::GunTarget | Stage::GunRoll => rules::CITY_GUNS,
        Stage::SallyPick | Stage::SallyDraw => rules::SALLY,
        Stage::Mine | Stage::MineRoll => rules::MINING,
        Stage::Bombard | Stage::BombardRoll => rules::BOMBARDMENT,
        Stage::StormPick => rules::STORM,
        Stage::Retreat => rules::RETREAT,
        Stage::Regroup | Stage::RegroupPick => rules::REGROUP,
        _ => rules::ROUNDS,
    }
}

/// The prompt of a fight, to the seat that it asks.
pub(in super::super) fn fight_prompt(game: &ThisWar, state: &State, seat: Ref) -> Phrase {
    let Some(fight) = &state.fight else { return Phrase::new("dice_due", &[]) };
    let area = Ref::from(fight.area);
    let round = Ref::Number(fight.round.into());
    if fight.hits != [0; 3] {
        return Phrase::new("hits_due", &[seat, area]);
    }
    let code = match fight.stage {
        Stage::Relief | Stage::Hold => "relief",
        Stage::Main => "main",
        Stage::Withdraw => "withdraw",
        Stage::WithdrawLoss => {
            return Phrase::new("withdraw_loss", &[seat, area, Ref::Number(fight.owed.into())]);
        }
        Stage::Joining => "join",
        Stage::Guns => "city_guns",
        Stage::SallyPick => "sally_pick",
        Stage::Mine => "mine",
        Stage::Bombard => "bombard",
        Stage::StormPick | Stage::Exchange => "storm_pick",
        Stage::Stand => "stand_pick",
        Stage::Well => "gun_pick",
        Stage::GunsFirst | Stage::GunsSecond => "declare",
        Stage::GoOn => "go_on",
        Stage::Retreat => "retreat",
        Stage::Regroup | Stage::RegroupPick => "regroup",
        _ => return Phrase::new("round_dice", &[area, round]),
    };
    // A fight about a City: what is in it matters, too.
    let besieging = match fight.stage {
        Stage::Relief | Stage::Hold | Stage::Guns | Stage::SallyPick => true,
        Stage::Mine | Stage::Bombard | Stage::StormPick | Stage::Exchange => true,
        Stage::GoOn => fight.kind == FightKind::Storm,
        _ => false,
    };
    let city = fight.city.filter(|_| besieging).map(|city| city.reference(&game.content));
    let refs: Vec<Ref> = [seat, area].into_iter().chain(city).collect();
    Phrase::new(code, &refs)
}
