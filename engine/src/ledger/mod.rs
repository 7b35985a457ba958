//! The rules ledger: every numbered section of a game's rules and every ruling on them, with what becomes of it.
//!
//! A game's ledger is the content file `rules.toml`:
//!
//! ```toml
//! [sources]                       # the grounds that rules stand on
//! page = "Rules page, 1992"
//! house = "Our choice, where nothing is stated"
//!
//! [[rule]]
//! id = "L8"
//! title = "Capture"
//! text = "A leader who ends a month alone in enemy ground is out of the game."
//! status = "enforced"             # or "content"
//! ground = ["page 8"]             # a key of [sources], then where in it
//! see = ["L9", "L11"]             # other rules of the ledger
//!
//! [[rule]]
//! id = "12"
//! title = "Sorting the counters"
//! text = "Counters are kept by colour."
//! status = "presentation"         # or "not-used"
//! reason = "Only a physical table has counters."
//! ground = ["page 12"]
//! ```
//!
//! Code cites a rule by a constant, and asks it: [`Rule::applies`], [`Rule::allows`], [`Rule::gives`]. So a test can
//! switch it off, and show that it would notice if the rule were not enforced (the feature `rule-switch`):
//!
//! ```
//! use edgehill_engine::ledger::Rule;
//!
//! pub const CAPTURE: Rule = Rule::new("L8");
//!
//! # let (alone, in_enemy_ground, mut captured) = (true, true, 0);
//! if CAPTURE.applies(alone && in_enemy_ground) {
//!     captured += 1;
//! }
//! # assert_eq!(captured, 1);
//! ```
//!
//! `tests/ledger` holds games and ledgers together: every citation is in the ledger, and every enforced rule is cited,
//! and named by a test (`rule_l8_...`), as is every rule that the content keeps.

mod entry;
mod load;
mod rule;
#[cfg(feature = "rule-switch")]
pub mod switch;

pub use entry::{RuleEntry, RuleStatus};
pub use load::{Ledger, RULES_FILE};
pub use rule::{RULE_ID_BYTES_MAX, Rule};
