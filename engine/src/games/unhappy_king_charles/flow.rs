//! The sequence of play: which procedure is offered to, examined, carried out, goes on by itself, or is given the dice.
//!
//! A frame stands at its stage until somebody, or the dice, are asked. A procedure that calls another sets its own next stage first, and
//! then opens the other's frame; once that has closed, [`UnhappyKing::advance`] goes on at that stage.

use crate::vocabulary::*;

use super::UnhappyKing;
use super::actions::Action;
use super::content::ids::CardId;
use super::frames::Frame;
use super::procedures::deserters::Selection;
use super::procedures::interception::Try;
use super::procedures::new_model_moves::Gathered;
use super::procedures::pick_up::Pick;
use super::procedures::retreat::Retreating;
use super::procedures::turnham_green::Gathering;
use super::procedures::{battle, bombardment, desertion, surrender};
use super::procedures::{evasion, interception};
use super::state::State;

crate::dispatch! {
    /// Offers a superset of the legal actions, of the procedure that asks.
    pub(super) impl UnhappyKing, by |state: State| state.frames.top().copied(), of Action:
    offer_action, examine_action, apply_action;
    Some(Frame::FirstPlay { .. }) => (offer_first_play, examine_first_play, apply_first_play)();
    Some(Frame::Claim { .. }) => (offer_claim, examine_claim, apply_claim)();
    Some(Frame::Placement { .. }) => (offer_placement, examine_placement, apply_placement)();
    Some(Frame::Blockade { done, .. }) => (offer_blockade, examine_blockade, apply_blockade)(done);
    Some(Frame::Markers { frozen, placed, .. }) => (offer_markers, examine_markers, apply_markers)((frozen, placed));
    Some(Frame::Raids { used, .. }) => (offer_raids, examine_raids, apply_raids)(used);
    Some(Frame::Raid { notable, .. }) => (offer_raid, examine_raid, apply_raid)(notable);
    Some(Frame::Activation { stage, from, face, .. })
        => (offer_activation, examine_activation, apply_activation)((stage, from, face));
    Some(Frame::Illegal { .. }) => (offer_illegal, examine_illegal, apply_illegal)();
    Some(Frame::Response { .. }) => (offer_response, examine_response, apply_response)();
    Some(Frame::Interception { general, added, stage, leaving, .. })
        => (offer_interception, examine_interception, apply_interception)(Try { general, leaving, added, stage });
    Some(Frame::PickUp { general, from, face, .. })
        => (offer_pick_up, examine_pick_up, apply_pick_up)(Pick { commander: general, from, face });
    Some(Frame::SiegeChoice { general, left, from, .. })
        => (offer_siege_choice, examine_siege_choice, apply_siege_choice)((general, left, from));
    Some(Frame::Evasion { general, stage, left, .. })
        => (offer_evasion, examine_evasion, apply_evasion)((general, stage, left));
    Some(Frame::Withdrawal { general, inside, .. })
        => (offer_withdrawal, examine_withdrawal, apply_withdrawal)((general, inside));
    Some(Frame::Parting { general, visited, .. })
        => (offer_parting, examine_parting, apply_parting)((general, visited));
    Some(Frame::Dispersal { .. }) => (offer_dispersal, examine_dispersal, apply_dispersal)();
    Some(Frame::CombatCard { .. }) => (offer_combat_card, examine_combat_card, apply_combat_card)();
    Some(Frame::Brentford { .. }) => (offer_brentford, examine_brentford, apply_brentford)();
    Some(Frame::BattleLoss { from, .. }) => (offer_battle_loss, examine_battle_loss, apply_battle_loss)(from);
    Some(Frame::Retreat { at, begun, left, paid, owed, from, .. })
        => (offer_retreat, examine_retreat, apply_retreat)(Retreating { at, begun, left, paid, owed, from });
    Some(Frame::Turncoat { face, .. }) => (offer_turncoat, examine_turncoat, apply_turncoat)(face);
    Some(Frame::Spoils { .. }) => (offer_spoil, examine_spoil, apply_spoil)();
    Some(Frame::Bombardment { .. }) => (offer_bombardment, examine_bombardment, apply_bombardment)();
    Some(Frame::AssaultLoss { general, from, .. })
        => (offer_assault_loss, examine_assault_loss, apply_assault_loss)((general, from));
    Some(Frame::Deserters { category, left, picked, done, at, from, .. })
        => (offer_deserters, examine_deserters, apply_deserters)(Selection { category, left, picked, done, at, from });
    Some(Frame::Attrition { done, from, .. }) => (offer_attrition, examine_attrition, apply_attrition)((done, from));
    Some(Frame::Play { bonus, card, .. }) => (offer_play, examine_play, apply_play)((bonus, card));
    Some(Frame::Commission { value, bombards, .. })
        => (offer_commission, examine_commission, apply_commission)((value, bombards));
    Some(Frame::Campaigning { card, used, raided, .. })
        => (offer_campaigning, examine_campaigning, apply_campaigning)((card, used, raided));
    Some(Frame::EventMarkers { free, .. })
        => (offer_event_markers, examine_event_markers, apply_event_markers)(free);
    Some(Frame::EventBrigades { face, .. })
        => (offer_event_brigades, examine_event_brigades, apply_event_brigades)(face);
    Some(Frame::EventRemovals { from, .. })
        => (offer_event_removals, examine_event_removals, apply_event_removals)(from);
    Some(Frame::Effect { first, second, .. }) => (offer_effect, examine_effect, apply_effect)([first, second]);
    Some(Frame::Target { .. }) => (offer_target, examine_target, apply_target)();
    Some(Frame::Transfer { moved, giver, taker, .. })
        => (offer_transfer, examine_transfer, apply_transfer)(((giver, taker), moved));
    Some(Frame::Recruitment { stage, .. })
        => (offer_recruitment, examine_recruitment, apply_recruitment)(stage);
    Some(Frame::Reform { .. }) => (offer_reform, examine_reform, apply_reform)();
    Some(Frame::Recruit { reformed, region, face, .. })
        => (offer_recruit, examine_recruit, apply_recruit)((reformed, region, face));
    Some(Frame::TrainPlace { .. }) => (offer_train_place, examine_train_place, apply_train_place)();
    Some(Frame::Arrival { general, .. }) => (offer_reinforcement, examine_reinforcement_place, apply_reinforcement)(general);
    Some(Frame::Enlist { general, taken, from, .. })
        => (offer_enlist, examine_enlist, apply_enlist)((general, taken, from));
    Some(Frame::ModelLosses { from, .. }) => (offer_model_losses, examine_model_losses, apply_model_losses)(from);
    Some(Frame::ModelSieges { left, .. }) => (offer_model_sieges, examine_model_sieges, apply_model_sieges)(left);
    Some(Frame::ModelArrival { general, .. })
        => (offer_model_arrival, examine_model_arrival, apply_model_arrival)(general);
    Some(Frame::ModelPoyntz { .. }) => (offer_model_poyntz, examine_model_poyntz, apply_model_poyntz)();
    Some(Frame::ModelMoves { train, from, face, vacated, .. })
        => (offer_model_moves, examine_model_moves, apply_model_moves)(Gathered { train, from, face, vacated });
    Some(Frame::Relocation { general, .. }) => (offer_relocation, examine_relocation, apply_relocation)(general);
    Some(Frame::Landing { card, .. }) => (offer_landing, examine_landing, apply_landing)(card);
    Some(Frame::Disembarking { area, .. }) => (offer_disembarking, examine_disembarking, apply_disembarking)(area);
    Some(Frame::Successor { .. }) => (offer_successor, examine_successor, apply_successor)();
    Some(Frame::Gathering { level, from, face, .. })
        => (offer_gathering, examine_gathering, apply_gathering)(Gathering { level, from, face });
    Some(Frame::Laughter { from, .. }) => (offer_laughter, examine_laughter, apply_laughter)(from);
}

impl UnhappyKing {
    /// The point at which a state stands.
    pub(super) fn node_of(&self, state: &State) -> Node {
        match state.frames.top() {
            None => Node::Over,
            Some(frame) if self.awaits_chance(state, *frame) => Node::Chance,
            // Before a match is opened nobody is asked, and it goes on by itself.
            Some(frame) => frame.asked().map_or(Node::Chance, Node::Decision),
        }
    }

    /// Returns whether a procedure, if it is the innermost one, waits for dice, a draw or somebody.
    pub(super) fn is_awaited(&self, state: &State, frame: Frame) -> bool {
        self.awaits_chance(state, frame) || frame.asked().is_some()
    }

    /// Returns whether the innermost procedure waits for dice or a draw.
    fn awaits_chance(&self, _: &State, frame: Frame) -> bool {
        match frame {
            Frame::Deal { .. }
            | Frame::Draw { .. }
            | Frame::Chit
            | Frame::Removal { .. }
            | Frame::FortressRoll { .. } => true,
            Frame::Interception { stage, .. } => stage == interception::stages::DIE,
            Frame::Evasion { stage, .. } => stage == evasion::stages::DIE,
            Frame::Battle { stage } => stage == battle::stages::DICE,
            Frame::Bombardment { stage, .. } => {
                matches!(stage, bombardment::stages::ROLL | bombardment::stages::ASSAULT_ROLL)
            }
            Frame::Surrender { stage, .. } => stage == surrender::HONOURS,
            Frame::Desertion { stage } => stage == desertion::stages::DIE,
            Frame::Special { card, stage, .. } => self.awaits_rising(self.paragraph(card), stage),
            _ => false,
        }
    }

    /// Goes on until somebody, or the dice, are asked, or the match is over.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.result.is_none() {
            // 18.4, O4: it interrupts whatever has changed control.
            self.laughter(state, None, out);
            if state.result.is_some() || !self.advance(state, out) {
                break;
            }
        }
        if state.result.is_some() {
            state.frames.clear();
            (state.recruiting, state.activation, state.battle) = (None, None, None);
        }
    }

    /// One step further; `false` if somebody or the dice are asked. Here the phases of a Turn (5).
    fn advance(&self, state: &mut State, out: &mut Events) -> bool {
        let Some(&frame) = state.frames.top() else { return false };
        match frame {
            Frame::Turn { phase, step } => self.advance_turn(state, phase, step, out),
            Frame::Deal { left } => return self.advance_deal(state, left, out),
            Frame::Draw { seat, left, bonus } => return self.advance_draw(state, seat, left, bonus, out),
            Frame::Placement { seat } => return self.advance_placement(state, seat),
            Frame::Chit => return self.advance_chit(state),
            Frame::Campaign { seat } => self.advance_campaign(state, seat, out),
            Frame::Blockade { seat, done } => return self.advance_blockade(state, seat, done),
            Frame::Desertion { stage } => return self.advance_desertion(state, stage, out),
            Frame::Deserters { seat, category, left, picked, done, at, from } => {
                let selection = Selection { category, left, picked, done, at, from };
                return self.advance_deserters(state, seat, selection, out);
            }
            Frame::Attrition { seat, done, from } => {
                return self.advance_attrition(state, seat, (done, from));
            }
            Frame::Recruitment { seat, stage } => return self.advance_recruitment(state, seat, stage, out),
            Frame::Reform { seat, left } => return self.advance_reform(state, seat, left, out),
            Frame::Enlist { seat, general, taken, from } => {
                return self.advance_enlist(state, (seat, general), taken, from);
            }
            Frame::Relocation { seat, general } => {
                return self.advance_relocation(state, seat, general, out);
            }
            Frame::Laughter { left, .. } => return self.advance_laughter(state, left),
            _ => return self.advance_play(state, frame, out),
        }
        true
    }

    /// The same of what a card does (6).
    fn advance_play(&self, state: &mut State, frame: Frame, out: &mut Events) -> bool {
        match frame {
            Frame::Markers { seat, left, frozen, .. } => {
                return self.advance_markers(state, seat, left, frozen);
            }
            Frame::Raids { seat, left, used } => return self.advance_raids(state, seat, left, used),
            Frame::Bonus => self.advance_bonus(state, out),
            Frame::Queue => self.advance_queue(state, out),
            Frame::Removal { seat, left } => return self.advance_removal(state, seat, left),
            Frame::Campaigning { seat, card, left, used, raided } => {
                return self.advance_campaigning(state, (seat, card, left), (used, raided));
            }
            Frame::Event { seat, card, list, step, begun, did } => {
                self.advance_event(state, (seat, card, list), (step, begun, did), out);
            }
            Frame::EventMarkers { seat, left, .. } => return self.advance_event_markers(state, seat, left),
            Frame::EventBrigades { seat, left, face } => {
                return self.advance_event_brigades(state, (seat, left), face);
            }
            Frame::EventRemovals { seat, left, .. } => return self.advance_event_removals(state, seat, left),
            Frame::Effect { seat, first, second } => {
                return self.advance_effect(state, seat, [first, second]);
            }
            Frame::Target { seat } => return self.advance_target(state, seat, out),
            Frame::Transfer { seat, left, giver, taker, .. } => {
                return self.advance_transfer(state, (seat, left), (giver, taker));
            }
            Frame::Mandatory { seat, card, stage } => self.advance_mandatory(state, (seat, card), stage, out),
            Frame::Special { seat, card, stage } => {
                return self.advance_special(state, (seat, card), stage, out);
            }
            Frame::NewModel { stage, left, vacated } => {
                self.advance_new_model(state, (stage, left, vacated), out);
            }
            Frame::ModelLosses { left, .. } => return self.advance_model_losses(state, left),
            Frame::Disembarking { area, .. } => return self.advance_disembarking(state, area, out),
            _ => return self.advance_war(state, frame, out),
        }
        true
    }

    /// The same of Armies: movement, Battle, Siege (9, 10, 14).
    fn advance_war(&self, state: &mut State, frame: Frame, out: &mut Events) -> bool {
        match frame {
            Frame::Activation { seat, stage, .. } => self.advance_activation(state, (seat, stage), out),
            Frame::Illegal { seat, .. } => self.advance_illegal(state, seat, out),
            Frame::Entry { seat, stage, surplus, lifted } => {
                self.advance_entry(state, (seat, stage), (surplus, lifted), out);
                true
            }
            Frame::PickUp { general, from, face, .. } => {
                self.advance_pick_up(state, Pick { commander: general, from, face })
            }
            Frame::Withdrawal { seat, general, inside } => {
                self.advance_withdrawal(state, seat, (general, inside))
            }
            Frame::Parting { seat, general, visited } => {
                self.advance_parting(state, (seat, general, visited), out)
            }
            Frame::Battle { stage } => self.advance_battle(state, stage, out),
            Frame::Retreat { seat, at, begun, left, paid, owed, from } => {
                self.advance_retreat(state, seat, Retreating { at, begun, left, paid, owed, from }, out)
            }
            Frame::Bombardment { seat, general, stage, .. } => {
                self.advance_bombardment(state, (seat, general), stage, out)
            }
            Frame::AssaultLoss { seat, general, .. } => {
                self.advance_assault_loss(state, (seat, general), out)
            }
            Frame::Surrender { seat, area, stage } => self.advance_surrender(state, (seat, area), stage, out),
            _ => false,
        }
    }

    /// The draw or roll that is due.
    pub(super) fn chance_of(&self, state: &State) -> Chance {
        match state.frames.top() {
            Some(Frame::Deal { .. }) => self.deal_chance(state),
            Some(&Frame::Draw { seat, bonus, .. }) => self.draw_chance(state, seat, bonus),
            Some(Frame::Chit) => self.chit_chance(state),
            Some(&(Frame::Interception { seat, .. } | Frame::Evasion { seat, .. })) => {
                self.attempt_chance(seat)
            }
            Some(Frame::Battle { .. }) => self.battle_chance(),
            Some(&Frame::Bombardment { seat, stage, .. }) => self.bombardment_chance(seat, stage),
            Some(&Frame::Surrender { seat, .. }) => self.honours_chance(seat),
            Some(Frame::Desertion { .. }) => self.desertion_chance(),
            Some(&Frame::Removal { seat, .. }) => self.removal_chance(state, seat),
            Some(Frame::FortressRoll { .. }) => self.fortress_chance(),
            Some(Frame::Special { .. }) => self.rising_chance(),
            _ => unreachable!("a node of chance is a procedure that waits for it"),
        }
    }

    /// The classes of a roll.
    pub(super) fn classes(&self, state: &State) -> Vec<Class> {
        match state.frames.top() {
            Some(&Frame::Interception { general, added, stage, leaving, .. }) => {
                self.interception_classes(state, Try { general, leaving, added, stage })
            }
            Some(&Frame::Evasion { general, .. }) => self.evasion_classes(state, general),
            Some(Frame::Battle { .. }) => self.battle_classes(state),
            Some(&Frame::Bombardment { general, stage: bombardment::stages::ROLL, .. }) => {
                self.bombardment_classes(state, general)
            }
            Some(&Frame::Bombardment { general, .. }) => self.assault_classes(state, general),
            Some(Frame::Surrender { .. }) => self.honours_classes(),
            Some(Frame::Desertion { .. }) => self.desertion_classes(),
            Some(&Frame::FortressRoll { area, .. }) => self.fortress_classes(state, area),
            Some(Frame::Special { .. }) => self.rising_classes(state),
            _ => Vec::new(),
        }
    }

    /// Goes on with what chance has brought.
    pub(super) fn resolve_outcome(&self, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let frame = *state.frames.top().expect("an outcome is resolved within a procedure");
        match (frame, outcome) {
            (Frame::Deal { left }, &Outcome::Pick(Ref::Card(card))) => {
                self.deal(state, left, CardId::new(card.into()), out);
            }
            (Frame::Draw { seat, left, bonus }, &Outcome::Pick(Ref::Card(card))) => {
                self.draw(state, (seat, left, bonus), CardId::new(card.into()), out);
            }
            (Frame::Chit, &Outcome::Pick(Ref::Number(value))) => self.draw_chit(state, value, out),
            (Frame::Interception { seat, general, added, stage, leaving }, Outcome::Roll(dice)) => {
                let attempt = Try { general, leaving, added, stage };
                self.resolve_interception(state, seat, attempt, dice[0], out);
            }
            (Frame::Evasion { general, left, .. }, Outcome::Roll(dice)) => {
                self.resolve_evasion(state, (general, left), dice[0], out);
            }
            (Frame::Battle { .. }, Outcome::Roll(dice)) => self.fight(state, [dice[0], dice[1]], out),
            (
                Frame::Bombardment { seat, general, free, stage: bombardment::stages::ROLL },
                Outcome::Roll(dice),
            ) => self.bombard(state, (seat, general, free), dice[0], out),
            (Frame::Bombardment { seat, general, .. }, Outcome::Roll(dice)) => {
                self.assault(state, (seat, general), [dice[0], dice[1]], out);
            }
            (Frame::Surrender { seat, area, .. }, Outcome::Roll(dice)) => {
                self.honours(state, (seat, area), dice[0], out);
            }
            (Frame::Desertion { .. }, Outcome::Roll(dice)) => self.random_desertion(state, dice[0], out),
            (Frame::Removal { seat, .. }, &Outcome::Pick(Ref::Card(card))) => {
                self.remove_card(state, seat, CardId::new(card.into()), out);
            }
            (Frame::FortressRoll { seat, area }, Outcome::Roll(dice)) => {
                self.roll_fortress(state, (seat, area), dice[0], out);
            }
            (Frame::Special { card, .. }, Outcome::Roll(dice)) => self.roll_rising(state, card, dice[0], out),
            _ => unreachable!("an outcome that the chance event does not admit"),
        }
    }
}
