//! The host and `MatchService` over a real connection: matches made, joined, played, watched, and what is refused.

mod running;
mod smoke;
