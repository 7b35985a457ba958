//! The house bot.
