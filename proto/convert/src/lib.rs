//! Between the engine's values and the messages of `edgehill.v1`, in both directions: a server makes [`messages`] of values,
//! and a client that has the engine makes [`values`] of messages. Both are total: no input panics.
//!
//! The calls that stand on a match beside its game ([`edgehill_engine::view::Calls`]) are no part of a view or an event on the
//! wire: draw offers are in `MatchState`, standing passes in `GetViewResponse`, and what can be taken back is the draft.
//!
//! ```
//! use edgehill_convert::{messages, values};
//! use edgehill_engine::reference::Ref;
//!
//! let message = messages::reference::of(Ref::Space(17));
//! assert_eq!(values::reference(&message).unwrap(), Ref::Space(17));
//! ```

pub mod messages;
pub mod values;
