//! The host and `MatchService` over a real connection: matches made, joined, played, watched, and what is refused.

mod accounts;
mod kit;
mod running;

mod bad_bytes;
mod bad_callers;
mod bad_creates;
mod bad_steps;
mod bots;
mod creating;
mod drafts;
mod ending;
mod groups;
mod joining;
mod listing;
mod looking;
mod request_ids;
mod revealing;
mod smoke;
