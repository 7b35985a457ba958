//! House bots at the seats of a table ([`Player`]).

use edgehill_engine::bot::Bot;
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::table::{ApplyMode, FollowedView};

use crate::error::Error;

/// A house bot at a seat.
pub(crate) struct Player {
    pub name: String,
    pub seat: Seat,
    bot: Box<dyn Bot>,
    /// The view of the seat, once it has been asked.
    seen: Option<FollowedView>,
}

impl Player {
    /// The game's bot of this name; its seed is the first eight bytes of `seed`.
    pub(crate) fn new(game: &dyn AnyGame, name: &str, seat: Seat, seed: [u8; 32]) -> Result<Self, Error> {
        let number = u64::from_le_bytes(std::array::from_fn(|index| seed[index]));
        match game.bot(name, seat, number) {
            Some(bot) => Ok(Self { name: name.to_owned(), seat, bot, seen: None }),
            None => {
                let known: Vec<&str> = game.bots().iter().map(|bot| bot.name).collect();
                Err(Error::Bot { given: name.to_owned(), known: known.join(", ") })
            }
        }
    }

    /// Takes an action if the seat is to act; true if it did. It is always of the same match.
    pub(crate) fn action(&mut self, table: &mut dyn AnyTable) -> Result<bool, Error> {
        let legal = table.legal(self.seat);
        if legal.is_empty() {
            return Ok(false);
        }
        let seen = self.seen.get_or_insert_with(|| table.followed(Observer::Seat(self.seat)));
        table.follow(seen);
        let action = self.bot.choose(seen.view(), &legal);
        match table.apply(self.seat, &[action], ApplyMode::Atomic) {
            Ok(_) => Ok(true),
            Err(refusal) => {
                Err(Error::Fault(format!("bot `{}` chose a refused action: {refusal}", self.name)))
            }
        }
    }
}
