//! The phases of a Turn, one after the other (5.0), and what the last of them does (5.9).

use crate::numbered::Listed;
use crate::vocabulary::*;

use super::super::content::cards::Deck;
use super::super::content::ids::{CardId, GeneralId, TurnId};
use super::super::content::numbers::Numbers;
use super::super::content::{PARLIAMENT, ROYALIST, SEATS, TURNS};
use super::super::frames::{Frame, Phase};
use super::super::state::{Happened, Occasion, Post, Recruiting, State, Train};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The next step of a phase: it sets what comes behind it, and opens its procedures.
    pub(in super::super) fn advance_turn(&self, state: &mut State, phase: Phase, step: u8, out: &mut Events) {
        let turn = &self.content.turns[state.turn];
        match phase {
            Phase::Start => self.start_turn(state, out),
            Phase::Housekeeping => {
                let next = rules::SEQUENCE.gives(Phase::PoliticalControl, Phase::Recruitment);
                self.to_phase(state, next, 0);
                self.gather_generals(state, out);
                if rules::NAVAL_STATUS.applies(turn.naval_chit) {
                    state.frames.open(Frame::Chit);
                }
                // T1: Parliament's marker comes first, so it lies on top.
                let order = rules::HOUSEKEEPING_ORDER.gives([ROYALIST, PARLIAMENT], [PARLIAMENT, ROYALIST]);
                order.into_iter().for_each(|seat| state.frames.open(Frame::Placement { seat }));
            }
            Phase::PoliticalControl => {
                self.to_phase(state, Phase::Recruitment, 0);
                if rules::FIRST_TURN.allows(turn.political_control) {
                    self.political_control(state, out);
                }
            }
            Phase::Recruitment => {
                let order = rules::RECRUITMENT_ORDER.gives([PARLIAMENT, ROYALIST], [ROYALIST, PARLIAMENT]);
                let seat = order[usize::from(step)];
                if step == 0 {
                    self.to_phase(state, Phase::Recruitment, 1);
                } else {
                    self.to_phase(state, Phase::Draw, 0);
                }
                state.recruiting = Some(Recruiting::new(seat, Occasion::Phase, turn.recruits));
                state.frames.open(Frame::Recruitment { seat, stage: 0 });
            }
            Phase::Draw => {
                self.to_phase(state, Phase::FirstPlay, 0);
                if rules::DEAL.applies(turn.draw) {
                    state.frames.open(Frame::Deal { left: 2 * self.content.numbers.hand.dealt });
                }
            }
            Phase::FirstPlay => {
                self.to_phase(state, Phase::Campaign, 0);
                let chooser = rules::FIRST_PLAYER
                    .gives(if state.has(Happened::NEW_MODEL) { PARLIAMENT } else { ROYALIST }, ROYALIST);
                state.frames.open(Frame::FirstPlay { seat: chooser });
            }
            Phase::Campaign => {
                self.to_phase(state, Phase::Blockade, 0);
                state.frames.open(Frame::Campaign { seat: state.first });
            }
            Phase::Blockade => {
                // T19: Parliament's Armies, then the Royalist's.
                let order = rules::BLOCKADE_ORDER.gives([PARLIAMENT, ROYALIST], [ROYALIST, PARLIAMENT]);
                let seat = order[usize::from(step != 0)];
                if step == 0 {
                    self.to_phase(state, Phase::Blockade, 1);
                } else {
                    self.to_phase(state, Phase::Desertion, 0);
                }
                state.frames.open(Frame::Blockade { seat, done: Default::default() });
            }
            Phase::Desertion => {
                self.to_phase(state, Phase::PowerBase, 0);
                state.frames.open(Frame::Desertion { stage: 0 });
            }
            Phase::PowerBase => {
                self.to_phase(state, Phase::End, 0);
                self.power_base(state, out);
            }
            Phase::End => self.end_turn(state, step, out),
        }
    }

    fn to_phase(&self, state: &mut State, to: Phase, to_step: u8) {
        let Some(Frame::Turn { phase, step }) = state.frames.top_mut() else {
            unreachable!("a phase is the innermost procedure when it goes on");
        };
        (*phase, *step) = (to, to_step);
    }

    /// 6.7: at the start of a Turn the deck may grow; in the first one the first cards are dealt (4.1).
    fn start_turn(&self, state: &mut State, out: &mut Events) {
        self.to_phase(state, Phase::Housekeeping, 0);
        let hand = self.content.numbers.hand;
        out.emit(|| Event::new("turn_begins", rules::SEQUENCE, &[Ref::Number(state.turn.number().into())]));
        if rules::WINTER_1643_DECK.applies(state.turn == Numbers::turn(hand.mid_war)) {
            let scene = Scene::open(self, state, 2, out);
            state.cards.deck.lay();
            state.cards.deck.lay();
            scene.publish(self, state, out, || Event::new("mid_war", rules::WINTER_1643_DECK, &[]));
        }
        if state.turn.index() == 0 {
            state.frames.open(Frame::Deal { left: rules::FIRST_DEAL.gives(hand.first_deal + 1, 0) });
        }
    }

    /// 5.1: unemployed Generals, and those of the Turn Record Track whose Turn has come, go to the Reinforcements Boxes.
    fn gather_generals(&self, state: &mut State, out: &mut Events) {
        let arrivals = self.content.turns[state.turn].arrivals;
        let comes = |state: &State, general: GeneralId| match state.generals[general].post {
            Post::Unemployed => true,
            Post::Waiting => arrivals.contains(general),
            _ => false,
        };
        let coming: Vec<GeneralId> =
            GeneralId::all(&self.content).filter(|&general| comes(state, general)).collect();
        if coming.is_empty() {
            return;
        }
        let scene = Scene::open(self, state, 2, out);
        for general in coming {
            let post = rules::HOUSEKEEPING.gives(Post::Reinforcements, state.generals[general].post);
            state.generals.place(general, post);
        }
        scene.publish(self, state, out, || Event::new("generals_gather", rules::HOUSEKEEPING, &[]));
    }

    /// 5.9, T23: cards come back, what lasts a Turn ends, and the next Turn begins, or the match is over.
    fn end_turn(&self, state: &mut State, step: u8, out: &mut Events) {
        if step == 0 {
            self.to_phase(state, Phase::End, 1);
            let scene = Scene::open(self, state, 2, out);
            let venture = state.has(Happened::JOINT_VENTURE);
            if rules::TURN_END.applies(true) {
                self.return_cards(state);
                Self::lapse(state);
            }
            scene.publish(self, state, out, || Event::new("turn_ends", rules::TURN_END, &[]));
            if rules::RIVALRY.applies(venture) {
                // S9: Waller and Essex may still stand together, and may no longer.
                state.frames.open(Frame::Illegal { seat: PARLIAMENT, stage: 0 });
            }
            return;
        }
        if state.turn.index() + 1 == TURNS {
            return self.count_points(state, out);
        }
        let scene = Scene::open(self, state, 2, out);
        state.turn = TurnId::new(state.turn.index() + 1);
        self.to_phase(state, Phase::Start, 0);
        scene.publish(self, state, out, || {
            Event::new("next_turn", rules::TURN_END, &[Ref::Number(state.turn.number().into())])
        });
    }

    /// 5.9, T23: all that lasts a Turn ends.
    fn lapse(state: &mut State) {
        for train in &mut state.trains {
            if *train == Train::Resting {
                *train = Train::Available;
            }
        }
        state.happened -= Happened::JOINT_VENTURE | Happened::POWICKE;
        for seat in SEATS {
            state.happened -= Happened::benefit(seat) | Happened::veteran(seat) | Happened::chance(seat);
        }
        (state.plays, state.passed) = ([0; 2], [false; 2]);
    }

    /// 5.9: played Core Cards go back to their owners, Recruitment cards to the discard pile.
    fn return_cards(&self, state: &mut State) {
        let core = self.content.decks[Deck::Core as usize];
        let aside = std::mem::take(&mut state.cards.aside);
        for seat in SEATS {
            for card in aside.iter().filter(|&card| self.content.cards[CardId::new(card.into())].is_for(seat))
            {
                state.cards.hands[seat.index()].insert(card);
            }
            for card in std::mem::take(&mut state.cards.recruitment[seat.index()]).iter() {
                if core.contains(card) {
                    state.cards.hands[seat.index()].insert(card);
                } else {
                    state.cards.discard.insert(card);
                }
            }
        }
    }
}
