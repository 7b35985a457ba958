//! Mandatory cards (6.5): the Raising of the Standard, and the Army of the Solemn League and Covenant. The New Model Army has a file of
//! its own.

use crate::vocabulary::*;

use super::super::content::ids::{CardId, CounterSet, FaceSet, GeneralId};
use super::super::content::operations::{Operation, Paragraph};
use super::super::content::{PARLIAMENT, ROYALIST};
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Occasion, Post, Recruiting, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The paragraph of the rulebook that a card stands for.
    #[must_use]
    pub(in super::super) fn paragraph(&self, card: CardId) -> Option<Paragraph> {
        self.content.lists[self.content.cards[card].list].iter().find_map(|step| match step.operation {
            Operation::Paragraph(paragraph) => Some(paragraph),
            _ => None,
        })
    }

    /// A Mandatory card goes on; `seat` counts as who played it, whoever drew it out of their hand (6.5, K13).
    pub(in super::super) fn advance_mandatory(
        &self,
        state: &mut State,
        (seat, card): (Seat, CardId),
        stage: u8,
        out: &mut Events,
    ) {
        if let Some(Frame::Mandatory { stage, .. }) = state.frames.top_mut() {
            *stage += 1;
        }
        match self.paragraph(card) {
            Some(Paragraph::Standard) => self.raise_standard(state, seat, stage, out),
            Some(Paragraph::SolemnLeague) => self.call_league(state, seat, stage, out),
            Some(Paragraph::NewModelArmy) => self.form_new_model(state, stage, out),
            _ => unreachable!("a Mandatory card is one of three paragraphs"),
        }
    }

    /// The Raising of the Standard: what held the war back is lifted (MC1 to MC3); Parliament recruits, if the card was theirs (MC4).
    fn raise_standard(&self, state: &mut State, seat: Seat, stage: u8, out: &mut Events) {
        if stage > 0 {
            state.frames.close();
            return;
        }
        let scene = Scene::open(self, state, 2, out);
        state.happened |= Happened::STANDARD;
        scene.publish(self, state, out, || {
            Event::new("standard_raised", rules::MANDATORY, &[Ref::Seat(seat)])
        });
        if rules::STANDARD_RECRUIT.applies(seat == PARLIAMENT) {
            let recruits = self.content.numbers.standard.recruits;
            state.recruiting = Some(Recruiting::new(PARLIAMENT, Occasion::Standard, recruits));
            state.frames.open(Frame::Recruitment { seat: PARLIAMENT, stage: 0 });
        }
    }

    /// The Army of the Solemn League and Covenant: Leven comes with his Brigades (MC5 to MC7); once he and the bonus sets are done, the
    /// Royalist recruits, if the card was theirs (MC11).
    fn call_league(&self, state: &mut State, seat: Seat, stage: u8, out: &mut Events) {
        match stage {
            0 => {
                let leven = self.content.people.leven;
                let scene = Scene::open(self, state, 2, out);
                state.happened |= Happened::LEAGUE;
                self.muster_covenanters(state, leven);
                scene.publish(self, state, out, || {
                    Event::new("league_called", rules::LEAGUE, &[Ref::from(leven)])
                });
                self.open_entry_activation(state, leven, out);
            }
            1 if rules::BONUS_OUTSIDE_ACTIVATION.applies(true) => state.frames.open(Frame::Bonus),
            1 => {}
            2 if rules::LEAGUE_COMPENSATION.applies(seat == ROYALIST) => {
                let recruits = self.content.numbers.league.recruits;
                state.recruiting = Some(Recruiting::new(ROYALIST, Occasion::League, recruits));
                state.frames.open(Frame::Recruitment { seat: ROYALIST, stage: 0 });
            }
            _ => {
                state.frames.close();
            }
        }
    }

    /// 6.5: a Covenanter General gets the Brigades that come with them, and waits off the map for the entry.
    pub(in super::super) fn muster_covenanters(&self, state: &mut State, general: GeneralId) {
        let mut forces = self.content.numbers.league.brigades.iter();
        let faces = forces.find(|(who, _)| *who == general).map_or(FaceSet::EMPTY, |&(_, faces)| faces);
        let away = state.brigades.at(Holder::AWAY);
        let coming: CounterSet = away.that(|counter| faces.contains(self.content.face_of[counter]));
        state.brigades.change(&self.content, coming, |counter| counter.at = Holder::from(general));
        state.generals.place(general, Post::Scotland);
    }
}
