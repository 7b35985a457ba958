//! The laws of the contract, for every game: what must hold, how it is tried, how a failure is reported. Feature `laws`.
//!
//! Invariant: nothing here knows a game. Each [`Law`] has a function that looks at a match at one node (or at a whole run) and
//! says whether it holds; a [`Walk`] makes calls on a match and asks them; [`conform`] lets many random runs walk; and
//! [`shrink_failure`] makes the shortest run of a failing one.
//!
//! ```
//! use std::sync::Arc;
//! use edgehill_engine::game::Game;
//! use edgehill_engine::laws::{Care, Laws, Volume, conform};
//!
//! fn keeps_the_laws<G: Game>(game: G) {
//!     let game = Arc::new(game);
//!     let volume = Volume { nodes: 200, runs: 1, seed: 1642 };
//!     match conform(&game, volume, Laws::ALL, Care::Sampled) {
//!         Ok(tally) => println!("{tally}"),
//!         Err(failure) => panic!("{}", failure.report(game.catalogue())),
//!     }
//! }
//! ```

mod chance;
mod choices;
mod conform;
mod course;
mod encodings;
mod facts;
mod failure;
mod folding;
mod golden;
mod law;
mod lead;
mod lists;
mod look;
mod outcomes;
mod outline_difference;
mod phrases;
mod progress;
mod pure;
mod refused;
mod replay;
mod resample;
mod run;
mod saved;
mod sealed;
mod secrecy;
mod segment;
mod shrink;
mod streams;
mod tally;
mod text;
mod turns;
mod undo;
mod views;
mod walk;
mod worlds;

pub use chance::chance;
pub use choices::{Bytes, ChoiceSource, Habits, next_call, setup};
pub use conform::{Volume, conform, conform_led, play_from_bytes, playout};
pub use course::course;
pub use encodings::{encodings, lines};
pub use failure::{Breach, Failure, LawResult};
pub use folding::FoldedViews;
pub use golden::{GOLDEN_BLOCK_EVENTS, Golden, GoldenLine, golden, golden_bots, golden_line};
pub use law::{Law, Laws};
pub use lead::Leads;
pub use lists::lists;
pub use outcomes::outcomes;
pub use outline_difference::outline_difference;
pub use phrases::{reasons_have_words, sentence_fault, words_of};
pub use progress::{corner, dead_end};
pub use pure::{default_action, pure};
pub use refused::{Trace, listed, refused};
pub use replay::{Mark, enter, replay};
pub use resample::{World, dealt, distribution, resample};
pub use run::{MatchCall, Run, RunDice};
pub use saved::{codec, saved};
pub use sealed::sealed;
pub use secrecy::{secrecy, spectator};
pub use shrink::{shrink, shrink_failure};
pub use streams::Streams;
pub use tally::Tally;
pub use text::RunError;
pub use turns::{NodesByTurn, TurnTrack};
pub use undo::{Ring, barred, teaches_nothing};
pub use views::{views, windows};
pub use walk::{Care, Walk, rerun, written_out};
pub use worlds::small_worlds;
