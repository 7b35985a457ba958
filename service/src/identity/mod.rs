//! The rights of callers: accounts and their keys, seats and their tokens, all from one [`ServerKey`].
//!
//! | text | kind | it is | the server keeps |
//! | --- | --- | --- | --- |
//! | `ehs_...` | [`SeatToken`] | HMAC of match, seat and the join's request id | a keyed hash, in the match's log |
//! | `ehi_...` | [`Invitation`] | HMAC of match and seat | nothing: it is derived again |
//! | `ehc_...` | [`CreatorToken`] | HMAC of match | nothing: it is derived again |
//! | `ehg_...` | [`GroupId`] | HMAC of the group's first match | the id, sealed |
//! | `ehk_...` | [`AccountKey`] | 256 random bits | a keyed hash, in the accounts file |
//!
//! Invariants: no secret is stored, logged or compared in the clear; `Debug` never shows one; and no error repeats what a
//! caller sent. What leaks from a store or an accounts file lets nobody in.

mod accounts;
mod address;
mod caller;
mod caller_key;
mod client_secret;
mod current_accounts;
mod error;
mod hash;
mod key_file;
mod server_key;
mod text;
mod tokens;

pub use accounts::{
    ACCOUNTS_MAX, ANONYMOUS_ID, Account, AccountRoles, Accounts, AccountsError, HOUSE_ID, Role, UnknownRole,
    check_id,
};
pub use address::subscriber;
pub use caller::Caller;
pub use caller_key::CallerKey;
pub use client_secret::ClientSecret;
pub use current_accounts::CurrentAccounts;
pub use error::Error;
pub use hash::TokenHash;
pub use key_file::KeyFileError;
pub use server_key::ServerKey;
pub use text::{Kind, TextError};
pub use tokens::{AccountKey, CreatorToken, GroupId, Invitation, SeatToken};
