//! The rights of callers: accounts and their keys, seats and their tokens, all from one [`ServerKey`].
//!
//! | text | kind | it is | the server keeps |
//! | --- | --- | --- | --- |
//! | `ehs_...` | [`SeatToken`] | HMAC of match, seat and the join's request id | a keyed hash, in the match's log |
//! | `ehi_...` | [`Invitation`] | HMAC of match and seat; where its player was replaced, how often, too | nothing: it is derived again |
//! | `ehc_...` | [`CreatorToken`] | HMAC of match | nothing: it is derived again |
//! | `ehg_...` | [`GroupId`] | HMAC of the group's first match | the id, sealed |
//! | `ehk_...` | [`AccountKey`] | 256 random bits, or HMAC of account and number | a keyed hash, in the accounts file or in the store |
//!
//! Invariants: no secret is stored, logged or compared in the clear; `Debug` never shows one; and no error repeats what a
//! caller sent. What leaks from a store or an accounts file lets nobody in.

mod account_act;
mod account_quota;
mod accounts;
mod accounts_file;
mod address;
mod caller;
mod caller_key;
mod client_secret;
mod competition_names;
mod current_accounts;
mod error;
mod hash;
mod kept_accounts;
mod key_file;
mod key_secret;
mod key_text;
mod pseudonym;
mod role;
mod seek_names;
mod server_key;
mod text;
mod tokens;

pub use account_act::{AccountAct, AccountActError, NewAccountKey};
pub use account_quota::AccountQuota;
pub use accounts::{ANONYMOUS_ID, Account, Accounts, HOUSE_ID};
pub use accounts_file::{ACCOUNTS_MAX, AccountsError, check_id};
pub use address::subscriber;
pub use caller::Caller;
pub use caller_key::CallerKey;
pub use client_secret::ClientSecret;
pub use current_accounts::CurrentAccounts;
pub use error::Error;
pub use hash::TokenHash;
pub use kept_accounts::{
    ACCOUNT_KEYS_MAX, ErasureProgress, KeptAccount, KeptAccountKey, KeptAccounts, LABEL_BYTES_MAX,
};
pub(crate) use key_file::exposed_mode;
pub use key_file::{KeyFileError, NewKeyFile};
pub use key_text::KeyTextError;
pub(crate) use key_text::{DATED_MS_MAX, date};
pub use role::{AccountRoles, Role, UnknownRole};
pub use server_key::{FORMER_KEYS_MAX, RotateKeyError, SealedWith, ServerKey};
pub use text::{Kind, TextError};
pub use tokens::{AccountKey, CreatorToken, GroupId, Invitation, SeatToken};
