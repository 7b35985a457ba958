//! Unhappy King Charles! (GMT Games, 2008). Rules: `engine/content/unhappy-king-charles/rules.toml`.

mod rules;
