//! Between the engine's values and the messages of `edgehill.v1`, in both directions: a server makes [`messages`] of values,
//! and a client that has the engine makes [`values`] of messages. Both are total: no input panics.
//!
//! The calls that stand on a match beside its game ([`edgehill_engine::view::Calls`]) are no part of a view or an event on the
//! wire: draw offers are in `MatchState`, standing passes in `GetViewResponse`, and what can be taken back is the draft.
//!
//! ```
//! use edgehill_convert::messages::{self, TextMode};
//! use edgehill_convert::values::{self, Beside};
//! use edgehill_engine::{ChanceSource, Observer, Registry, Setup};
//!
//! let registry = Registry::built_in()?;
//! let game = registry.game("skirmish")?;
//! let table = game.open(Setup::default_of(game.catalogue()), ChanceSource::playout(1642));
//!
//! // What a spectator sees goes over the wire, and is the same at the other end.
//! let view = table.view(Observer::Spectator);
//! let message = messages::view::of(&view, TextMode::OFF);
//! assert_eq!(values::view(&message, Beside::default())?, view);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod competition;
pub mod messages;
pub mod transcript;
pub mod values;
