//! This War Without an Enemy: rules by number, worked examples, random games, the bot.

mod battles;
mod moves;
mod play;
mod random;
mod sieges;
mod turns;
