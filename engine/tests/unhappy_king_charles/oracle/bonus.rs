//! Sections 10.7 and 10.8: bonus cards are drawn, and their sets are played in the order in which they were won.

use super::fight::Margin;
use super::model::Model;
use super::recruit::Occasion;
use super::umpire::Play;

/// The number of Raids, or of Brigades, that a discarded card is good for (6.4).
const ONCE: i32 = 1;
/// Brigades of an Operations or Campaign card (7.3).
const RECRUITS: usize = 2;

impl Model<'_, '_> {
    /// B15: one card for a Major Victory, two for a Decisive one.
    pub(crate) fn win_set(&mut self) -> Play<()> {
        let Some(winner) = self.victor() else { return Ok(()) };
        let due = match self.battle().margin {
            Some(Margin::Major) => 1,
            Some(Margin::Decisive) => 2,
            _ => return Ok(()),
        };
        let drawn = self.umpire.draw_bonus(winner, due)?;
        if drawn > 0 {
            self.owed.push((winner, drawn));
        }
        self.compare_sets()
    }

    /// Game and model owe the same sets in the same order.
    fn compare_sets(&self) -> Play<()> {
        let (game, model) = (self.umpire.owed(), &self.owed);
        if game == *model {
            return Ok(());
        }
        Err(format!("bonus sets by side and cards: in the game {game:?}, in the model {model:?}").into())
    }

    /// 10.2, B16: a Combat Card of the hand, or of the set that is being played.
    pub(crate) fn combat_card(&mut self, side: usize, defends: bool) -> Play<Option<String>> {
        let before = self.umpire.owed();
        let card = self.umpire.combat_card(&self.world, side, defends)?;
        if let Some(first) = self.owed.first_mut()
            && self.umpire.owed() != before
        {
            first.1 -= 1;
            self.owed.retain(|&(_, cards)| cards > 0);
            self.compare_sets()?;
        }
        Ok(card)
    }

    /// B16, B17, B19: the first set is played card by card, whoever owns it, then the next; what is won meanwhile goes to the end.
    pub(crate) fn play_sets(&mut self) -> Play<()> {
        self.plays_sets = true;
        while let Some(&(side, cards)) = self.owed.first() {
            self.compare_sets()?;
            if self.owed.len() > 1 {
                self.umpire.saw("several bonus sets");
            }
            let (card, way) = self.umpire.bonus_card(&self.world, side, cards)?;
            self.owed[0].1 -= 1;
            self.owed.retain(|&(_, cards)| cards > 0);
            self.new_card();
            self.bonus_play(side, &card, &way)?;
        }
        self.plays_sets = false;
        self.compare_sets()
    }

    /// B17: sets are played after an Activation of a Campaign card; what has moved on this card stays so (K4).
    pub(crate) fn sets_within_campaign(&mut self) -> Play<()> {
        if self.owed.is_empty() {
            return Ok(());
        }
        self.umpire.saw("a bonus set within a Campaign card");
        let moved: Vec<bool> = self.world.brigades.iter().map(|one| one.moved).collect();
        self.play_sets()?;
        self.crossed.clear();
        for (one, moved) in self.world.brigades.iter_mut().zip(moved) {
            one.moved = moved;
        }
        Ok(())
    }

    /// K4: each bonus card is a card of its own.
    fn new_card(&mut self) {
        self.crossed.clear();
        for one in &mut self.world.brigades {
            one.moved = false;
        }
    }

    fn bonus_play(&mut self, side: usize, card: &str, way: &str) -> Play<()> {
        let value = self.world.atlas.operations.get(card).copied();
        match way {
            "activate" => self.activate_by(side, value.unwrap_or(ONCE)),
            "bombard" => self.bombard_by(side, value.unwrap_or(ONCE)),
            "campaign" => self.campaign(side, value.unwrap_or(ONCE) as usize),
            "raid" => self.raids(side, value.unwrap_or(ONCE) as usize),
            "recruit" => {
                let recruits = value.map_or(ONCE as usize, |_| RECRUITS);
                self.recruits(side, Occasion::Card, recruits)
            }
            _ => Ok(()),
        }
    }
}
