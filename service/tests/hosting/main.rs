//! The host and `MatchService` over a real connection: matches made, joined, played, watched, and what is refused.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod accounts;
mod adjourned_ends;
mod adjourned_table;
mod adjourning;
mod fold;
mod kit;
#[path = "../shared/message.rs"]
#[allow(dead_code, reason = "tests of other parts use the rest")]
mod message;
mod player;
#[path = "../shared/raw_codec.rs"]
mod raw_codec;
mod running;
mod stage;
mod trouble;

mod abort_match;
mod account_watching;
mod archiving;
mod bad_actions;
mod bad_bytes;
mod bad_callers;
mod bad_creates;
mod bot_share;
mod bots;
mod bulk;
mod clocks;
mod compacting;
mod competition_policies;
mod competitions;
mod competitions_kept;
mod creating;
mod drafts;
mod ending;
mod erasing;
mod expiry;
mod export;
mod filling;
mod gone_callers;
mod groups;
mod hidden_options;
mod invited_accounts;
mod joining;
mod league;
mod leave_match;
mod listing;
mod listing_rows;
mod looking;
mod moved_times;
mod once;
mod play_ends;
mod playing;
mod receipts;
mod referee;
mod refusal_words;
mod rematch;
mod request_ids;
mod resting;
mod retention;
mod revealing;
mod rotated_key;
mod seeking;
mod shards;
mod signed_records;
mod smoke;
mod spectator_delay;
mod unplayable;
mod watch_legal;
mod watching;
