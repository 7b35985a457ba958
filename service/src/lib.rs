//! The server of the Edgehill engine, as its binary and tests start it:
//!
//! ```
//! use edgehill_service::config::Config;
//! use edgehill_service::server::{self, Context, Services};
//! use edgehill_service::telemetry::Metrics;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let config = Config { listen: "127.0.0.1:0".parse()?, ..Config::default() };
//! let context = Context::open(config, Metrics::nowhere())?;
//! let services = Services::all(&context).await?;
//! let handle = server::start(context, services).await?;
//! println!("http://{}", handle.local_addr());
//! handle.shutdown().await; // open streams have ended, and what was accepted is on disk
//! # Ok(())
//! # }
//! ```
//!
//! A match is its log ([`store`]): a header and appends, each durable before anybody sees it. Who may call is said by
//! keys and tokens ([`identity`]). What is outside of a match, the time ([`clock`]) and randomness ([`entropy`]), stands
//! behind small traits, so that one seed can drive a whole simulated server.

pub mod admin;
pub mod api;
pub mod clock;
pub mod command;
pub mod competitions;
pub mod config;
pub mod entropy;
pub mod erasure;
pub mod host;
pub mod identity;
pub mod limits;
pub mod matches;
pub mod rotation;
pub mod server;
mod shares;
pub mod store;
pub mod telemetry;
pub mod wire;

/// The version of this build, with the commit that it was made of, if that is known.
pub const VERSION: &str = env!("EDGEHILL_VERSION");
