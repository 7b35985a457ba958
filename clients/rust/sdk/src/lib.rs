//! Play the games of an Edgehill server from Rust.
//!
//! - A [`Client`] makes calls. Each call that changes something has a request id, made by the client, and is repeated with it
//!   while the connection is down: it happens once.
//! - [`Client::catalog`]: games and limits. [`Client::matches`]: make, join, list, get, watch and read matches.
//! - A [`Seat`] plays one seat call by call; its [`Watch`] tells what it hears, without a gap or a repetition, whatever becomes
//!   of the connection.
//! - A [`Play`] session plays any number of seats over one stream.
//! - A [`ViewTracker`] is a view kept current by events.
//! - A [`Bot`](bot::Bot) chooses actions; [`run_bot`](bot::run_bot) plays one until its match is over.
//!
//! The messages are those of [`edgehill_proto::v1`], re-exported as [`v1`] with the [`tonic`] that carries them; docs/api.md walks through a match, docs/errors.md
//! has each reason of a [`Refused`] call.
//!
//! ```no_run
//! use edgehill_client::bot::{Random, run_bot};
//! use edgehill_client::{SeatConfig, Client, Error, Join, NewMatch, entropy};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let client = Client::connect("http://127.0.0.1:7400").await?;
//! let game = client.catalog().game("skirmish").await?;
//!
//! let chairs = [SeatConfig::Open, SeatConfig::HouseBot("random".to_owned())];
//! let made = client.matches().create(NewMatch::of("skirmish").seats(chairs)).await?;
//! let match_id = made.terms.unwrap_or_default().match_id;
//! let joined = client.matches().join(Join::of(&match_id).seat(0).entropy(entropy::fresh()?)).await?;
//!
//! let outcome = run_bot(&client, joined.seat.token(), Random::new(&game, 0, 1642)).await?;
//! println!("{:?}", outcome.ending);
//! # Ok(())
//! # }
//! ```

pub mod bot;
mod catalog;
mod client;
mod connector;
pub mod entropy;
mod error;
pub mod fold;
mod join;
mod matches;
mod new_match;
mod pages;
mod play;
mod refused;
mod request_id;
mod retry;
mod seat;
mod actions;
mod trace;
mod watch;

pub use catalog::Catalog;
pub use client::{Client, Options};
pub use edgehill_proto::{tonic, v1};
pub use error::Error;
pub use fold::ViewTracker;
pub use join::Join;
pub use matches::{Joined, Look, Matches};
pub use new_match::{SeatConfig, NewMatch};
pub use pages::{Filter, Pages};
pub use play::{CallRefused, Channel, PlayEvent, Opened, Opening, Play, Update, What};
pub use refused::Refused;
pub use request_id::RequestIds;
pub use retry::RetryPolicy;
pub use seat::Seat;
pub use actions::Actions;
pub use trace::TraceContext;
pub use watch::{Heard, Watch};
