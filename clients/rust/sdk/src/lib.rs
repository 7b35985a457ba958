//! Play the games of an Edgehill server from Rust.
//!
//! - A [`Client`] makes calls. Each call that changes something has a request id, made by the client, and is repeated with it
//!   while the connection is down: it happens once.
//! - [`Client::catalog`]: games and limits. [`Client::matches`]: make, join, abort, list, get, watch and read matches.
//! - [`Client::competitions`]: competitions, their entrants, standings and events.
//! - [`Client::admin`]: for those who look after a server, its accounts and keys.
//! - A [`SeatHandle`] plays one seat call by call; its [`MatchWatch`] gives what is published to it, without a gap or a
//!   repetition, whatever becomes of the connection.
//! - An [`AccountWatch`] gives what comes to concern an account: invitations, its turn, offers, results.
//! - A [`PlaySession`] plays any number of seats over one stream.
//! - A [`ViewTracker`] keeps a view current: it folds the [`SeatUpdate`](v1::SeatUpdate) of an answer or of a stream.
//! - A [`Transcript`] keeps what was shown to an observer, with the server's receipts for it ([`SeatHandle::receipt`]).
//! - A [`ClientBot`](bot::ClientBot) chooses actions; [`run_bot`](bot::run_bot) plays one until its match is finished.
//!
//! The messages are those of [`edgehill_proto::v1`], re-exported as [`v1`] with the [`tonic`] that carries them and the
//! [`prost_types`] of their times; docs/api.md walks through a match, docs/errors.md has each reason of a [`ServerRefusal`].
//!
//! ```no_run
//! use edgehill_client::bot::{RandomBot, run_bot};
//! use edgehill_client::{Client, Error, JoinRequest, NewMatch, entropy, seat_config};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let client = Client::connect("http://127.0.0.1:7400").await?;
//! let game = client.catalog().game("skirmish").await?;
//!
//! let seats = [seat_config::open(), seat_config::house_bot("random")];
//! let created = client.matches().create(NewMatch::of("skirmish").seats(seats)).await?;
//! let join = JoinRequest::of(created.match_id()).seat(0).entropy(entropy::fresh()?);
//! let joined = client.matches().join(join).await?;
//!
//! let report = run_bot(&client, joined.handle.token(), RandomBot::new(&game, 0, 1642)).await?;
//! println!("{:?}", report.result);
//! # Ok(())
//! # }
//! ```

/// The API that this crate speaks: the package of its messages. Clients of all languages have one version, and move together.
pub const API: &str = "edgehill.v1";

mod account_data;
mod account_watch;
mod admin_calls;
mod answer_deadline;
mod batch;
pub mod bot;
mod catalog_calls;
mod client;
mod client_secret;
mod competition_calls;
mod competition_watch;
mod connection;
mod connector;
pub mod entropy;
mod error;
mod headers;
mod join_request;
mod match_calls;
mod match_seek;
mod match_watch;
mod new_match;
mod new_matches;
mod options;
mod pages;
mod play;
mod record;
mod referee_calls;
mod refusal;
mod rematch;
mod request_id;
mod resumed_stream;
mod retry;
pub mod seat_config;
mod seat_handle;
mod span;
#[cfg(feature = "tls")]
mod tls;
mod trace;
mod view_options;
pub mod view_tracker;

pub use account_data::AccountData;
pub use account_watch::AccountWatch;
pub use admin_calls::{ActPages, AdminCalls, CreatedKey, NewKey};
pub use batch::Batch;
pub use catalog_calls::{CatalogCalls, GameCatalog};
pub use client::Client;
pub use client_secret::ClientSecret;
pub use competition_calls::{CompetitionCalls, Enrolment};
pub use competition_watch::CompetitionWatch;
pub use edgehill_proto::receipts::{Transcript, TranscriptError};
pub use edgehill_proto::{prost_types, tonic, v1};
pub use error::Error;
pub use join_request::JoinRequest;
pub use match_calls::{CreatedMatch, JoinedSeat, MatchCalls};
pub use match_seek::{MatchSeek, PairedMatch, SeekRequest, SeekUpdate};
pub use match_watch::MatchWatch;
pub use new_match::NewMatch;
pub use new_matches::NewMatches;
pub use options::Options;
pub use pages::{MatchFilter, MatchPages};
pub use play::{Channel, OpenOptions, OpenedChannel, PlayEvent, PlayMessage, PlaySession, RefusedCall};
pub use record::ExportedRecord;
pub use referee_calls::{RefereeCalls, ReplacedPlayer, Replacement};
pub use refusal::ServerRefusal;
pub use rematch::Rematch;
pub use request_id::RequestIds;
pub use retry::RetryPolicy;
pub use seat_handle::SeatHandle;
pub use trace::TraceContext;
pub use view_options::ViewOptions;
pub use view_tracker::ViewTracker;
