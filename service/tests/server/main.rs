//! The server as its users and operators meet it: real processes and real connections, on free loopback ports.

mod config;
mod drain;
mod fake;
mod limits;
mod manual;
mod process;
mod receiver;
mod secrets;
mod start;
mod telemetry;
mod web;
