//! The server as its users and operators meet it: real processes and real connections, on free loopback ports.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod account_data;
mod accounts;
mod acts;
mod adjourning;
#[path = "../shared/authority.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod authority;
mod clusters;
mod config;
mod contents;
mod copies;
mod databases;
mod disk;
mod docs;
mod door;
mod drain;
mod fake;
mod forwarding;
mod guessing;
mod limits;
mod logs;
mod manual;
#[path = "../shared/message.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod message;
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod process;
mod rate;
#[path = "../shared/postgres.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod real_postgres;
mod rebalancing;
mod receiver;
mod referee;
mod reload;
mod rotation;
mod sdk;
mod secrets;
mod service_manager;
mod shared;
mod site;
mod start;
mod stored;
mod streams;
mod taken_up;
mod telemetry;
mod tls;
mod version;
mod web;
