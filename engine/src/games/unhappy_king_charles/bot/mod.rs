//! The house bot `colonel`: it weighs each legal action by rules of thumb, on a world that its view allows.
//!
//! Invariant: all that it goes by is in the view and in its generator. The world is drawn by [`Game::resample`], so that the rules' own
//! questions can be asked of it; of hidden Brigades it uses their mean alone, never the faces that were dealt.

mod answers;
mod cards;
mod marches;
mod odds;
mod prizes;
mod recruits;
mod sight;

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::action::ActionId;
use crate::bot::{Bot, HouseBot};
use crate::chance_source::below;
use crate::view::View;
use crate::vocabulary::*;

use super::UnhappyKing;
use super::actions::{Action, QueenChoice, TrainChoice};
use super::frames::Frame;

use sight::Sight;

/// The bot `colonel`.
#[must_use]
pub fn colonel() -> HouseBot<UnhappyKing> {
    HouseBot {
        name: "colonel",
        about: "Marches where markers tip Regions, besieges what it can take, fights at good odds, and keeps its ranks full.",
        make: |game, seat, seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(seat.index() as u64);
            let setup = Setup::default_of(game.catalogue());
            Box::new(Colonel { game: Arc::clone(game), setup, seat, rng })
        },
    }
}

struct Colonel {
    game: Arc<UnhappyKing>,
    /// The default setup: the view does not tell the optional rules, and no rule of thumb goes by them.
    setup: Setup,
    seat: Seat,
    rng: ChaCha8Rng,
}

impl Bot for Colonel {
    fn choose(&mut self, view: &View, legal: &[ActionId]) -> ActionId {
        assert!(!legal.is_empty(), "a bot is asked only when its seat is to act");
        if let &[only] = legal {
            return only;
        }
        let world = self.game.resample(&self.setup, view, &mut self.rng);
        let sight = Sight::new(&self.game, world, self.seat);
        let mut best = (i32::MIN, 0u64, legal[0]);
        for &action in legal {
            let worth = sight.worth(self.game.actions.get(action));
            if worth > best.0 {
                best = (worth, 1, action);
            } else if worth == best.0 {
                // Of equals each is as likely as the others.
                best.1 += 1;
                if below(best.1, &mut self.rng) == 0 {
                    best.2 = action;
                }
            }
        }
        best.2
    }
}

impl Sight<'_> {
    /// The worth of an action, in hundredths of a plain PC marker; 0 is that of doing nothing more.
    fn worth(&self, action: Action) -> i32 {
        let Some(&frame) = self.state.frames.top() else { return 0 };
        match frame {
            Frame::Play { bonus, card: None, .. } => self.card_worth(bonus, action),
            Frame::Play { card: Some(card), .. } => match action {
                Action::Use(way) => self.use_worth(card, way),
                Action::Queen(QueenChoice::Ship) => 200,
                Action::Train(TrainChoice::Remove) => -1_000,
                _ => 0,
            },
            // The last play has the last word on the map.
            Frame::FirstPlay { .. } => i32::from(action == Action::First(self.foe)),
            Frame::Claim { .. } => i32::from(action == Action::Pass),
            Frame::Placement { .. }
            | Frame::Markers { .. }
            | Frame::EventMarkers { .. }
            | Frame::Raid { .. } => self.marker_worth(action),
            Frame::Raids { .. } | Frame::Commission { .. } | Frame::Campaigning { .. } => {
                self.order_worth(action)
            }
            Frame::Effect { .. } | Frame::Target { .. } | Frame::Transfer { .. } => self.event_answer(action),
            Frame::Recruitment { .. }
            | Frame::Reform { .. }
            | Frame::Recruit { .. }
            | Frame::TrainPlace { .. }
            | Frame::Arrival { .. }
            | Frame::Enlist { .. }
            | Frame::EventBrigades { .. }
            | Frame::Disembarking { .. } => self.recruit_worth(frame, action),
            Frame::Activation { from, .. } => self.step_worth(from.is_some(), action),
            _ => self.answer_worth(frame, action),
        }
    }
}
