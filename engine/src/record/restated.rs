//! A record with other facts around what was played ([`Record::restated`]).

use super::header::Dice;
use super::recorded_act::RecordedAct;
use super::write::text_of;
use super::{ParseError, Record, TextDigest};

impl Record {
    /// The record of the same match, unsigned, with these names of its players in seat order, this source of its dice, and these acts
    /// of referees. What was played, and the digests of its entries, stay as they are: neither names nor secrets are in them.
    ///
    /// # Errors
    /// If it would not be readable, such as for too long a name.
    pub fn restated(
        mut self,
        names: &[String],
        dice: Dice,
        referee_acts: Vec<RecordedAct>,
    ) -> Result<Self, ParseError> {
        let names = names.iter().map(String::as_str).chain(std::iter::repeat(""));
        for (player, name) in self.header.players.iter_mut().zip(names) {
            name.clone_into(&mut player.name);
        }
        (self.header.dice, self.referee_acts) = (dice, referee_acts);
        let lines = self.lines();
        let end = TextDigest::of(lines.iter().map(String::as_str));
        Self::parse(&text_of(&lines, end, None))
    }
}
