//! `edgehill admin`: the accounts, keys and matches of a server, for those who look after it.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::{Subcommand, ValueEnum};
use edgehill_client::v1::{Account, AccountKey, AccountQuota, AccountRole, AccountSource, Act};
use edgehill_client::{CreatedKey, NewKey};

use super::account_data;
use super::admin_matches::{self, MatchesWhat};
use super::link::Link;
use crate::error::Error;

/// Number of roles that there are: a key with so many scopes is for whatever its account may do.
const ROLES: usize = 4;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Look after the accounts, keys and matches of a server.
#[derive(Debug, clap::Args)]
pub(crate) struct Admin {
    #[command(subcommand)]
    what: What,
}

/// The thing to do.
#[derive(Debug, Subcommand)]
enum What {
    /// List the accounts
    Accounts,
    /// Show an account, with its keys
    Account {
        /// Its id
        id: String,
    },
    /// Make an account
    Add {
        /// Its id: 1 to 64 letters, digits, `-`, `_`, `.`
        id: String,
        /// A role that it has; may be said several times
        #[arg(long, required = true)]
        role: Vec<RoleName>,
    },
    /// Give an account other roles, suspend it, or let it go on
    Set {
        /// Its id
        id: String,
        /// A role that it has from now on; may be said several times
        #[arg(long)]
        role: Vec<RoleName>,
        /// It may do nothing from now on
        #[arg(long, conflicts_with = "restore")]
        suspend: bool,
        /// It may do again what it might before
        #[arg(long)]
        restore: bool,
    },
    /// Take an account's rights and keys away, for ever
    Remove {
        /// Its id
        id: String,
    },
    /// Give an account a key, and print it
    Key {
        /// The account's id
        id: String,
        /// A name for people, such as `laptop`
        #[arg(long, default_value = "")]
        label: String,
        /// A role that the key is for; may be said several times; all where nothing is said
        #[arg(long)]
        scope: Vec<RoleName>,
        /// Days until it ends by itself
        #[arg(long, value_name = "N")]
        days: Option<u32>,
    },
    /// Give an account a key in the place of another, and print it
    Rotate {
        /// The account's id
        id: String,
        /// The number of the key that is replaced
        number: u32,
        /// Days that the old key goes on, 0 to 90
        #[arg(long, value_name = "N", default_value_t = 7)]
        overlap: u32,
        /// Days until the new key ends by itself
        #[arg(long, value_name = "N")]
        days: Option<u32>,
    },
    /// Take a key away at once
    Revoke {
        /// The account's id
        id: String,
        /// The key's number
        number: u32,
    },
    /// Set what an account may have of what all share: what is not said is as the server has it for everybody
    Quota {
        /// The account's id
        id: String,
        /// Matches that it has made and that are not finished
        #[arg(long, value_name = "N")]
        open_matches: Option<u32>,
        /// Those of them in which house bots have all seats
        #[arg(long, value_name = "N")]
        bot_matches: Option<u32>,
        /// Streams at once
        #[arg(long, value_name = "N")]
        streams: Option<u32>,
        /// Calls at once
        #[arg(long, value_name = "N")]
        calls: Option<u32>,
        /// Calls a second over time; 0: as many as it likes
        #[arg(long, value_name = "N")]
        calls_per_second: Option<u32>,
        /// Bytes of requests a second over time; 0: as many as it likes
        #[arg(long, value_name = "N")]
        bytes_per_second: Option<u32>,
    },
    /// List what was done, in order
    Acts {
        /// Only by or about this account
        account: Option<String>,
    },
    #[command(flatten)]
    Matches(MatchesWhat),
    /// Take the id and the names of a removed account out of all that the server keeps, for ever
    EraseAccountData {
        /// The account's id
        account: String,
    },
    /// Write all that the server keeps about an account into a new folder, for the person whose it is
    ExportAccountData {
        /// The account's id, of a deleted one too
        account: String,
        /// The folder; without it, one named after the account: ACCOUNT-data
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// A role by its name.
#[derive(Copy, Clone, Debug, ValueEnum)]
enum RoleName {
    /// Make matches, take seats, watch
    Player,
    /// See what is public
    Spectator,
    /// Read the records of running matches
    Referee,
    /// Look after the server
    Operator,
}

impl From<RoleName> for AccountRole {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Player => Self::Player,
            RoleName::Spectator => Self::Spectator,
            RoleName::Referee => Self::Referee,
            RoleName::Operator => Self::Operator,
        }
    }
}

pub(super) async fn run(verb: &Admin, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let calls = link.client.admin();
    match &verb.what {
        What::Accounts => {
            for account in calls.accounts().await? {
                writeln!(out, "{}", line(&account))?;
            }
        }
        What::Account { id } => write_account(&calls.account(id).await?, out)?,
        What::Add { id, role } => write_account(&calls.create_account(id, &roles(role)).await?, out)?,
        What::Set { id, role, suspend, restore } => {
            let is_suspended = match (suspend, restore) {
                (false, false) => None,
                (suspend, _) => Some(*suspend),
            };
            write_account(&calls.update_account(id, &roles(role), is_suspended).await?, out)?;
        }
        What::Remove { id } => {
            calls.delete_account(id).await?;
            writeln!(out, "{id} is removed.")?;
        }
        What::Key { id, label, scope, days } => {
            let new = NewKey { label: label.clone(), scopes: roles(scope), expires: in_days(*days)? };
            write_key(&calls.create_key(id, new).await?, out)?;
        }
        What::Rotate { id, number, overlap, days } => {
            let rotated = calls.rotate_key(id, *number, DAY * *overlap, in_days(*days)?).await?;
            write_key(&rotated, out)?;
        }
        What::Revoke { id, number } => {
            writeln!(out, "{}", key_line(&calls.revoke_key(id, *number).await?))?;
        }
        &What::Quota {
            ref id,
            open_matches,
            bot_matches,
            streams,
            calls: calls_at_once,
            calls_per_second,
            bytes_per_second,
        } => {
            let quota = AccountQuota {
                open_matches,
                bot_matches,
                streams,
                calls: calls_at_once,
                calls_per_second,
                bytes_per_second,
            };
            write_account(&calls.set_quota(id, quota).await?, out)?;
        }
        What::Acts { account } => {
            let mut acts = calls.acts(account.as_deref());
            while let Some(act) = acts.next().await? {
                writeln!(out, "{}", act_line(&act))?;
            }
        }
        What::Matches(what) => admin_matches::run(what, link, out).await?,
        What::EraseAccountData { account } => {
            let erased = calls.erase_account_data(account).await?;
            writeln!(out, "{account} is erased, and goes by {}.", erased.pseudonym)?;
            match erased.waiting_matches {
                0 => {}
                left => {
                    writeln!(out, "Matches that are not finished, in which it is done when they are: {left}")?
                }
            }
            match erased.unreadable_matches {
                0 => {}
                left => writeln!(out, "Matches that can't be read, in which it may be named: {left}")?,
            }
        }
        What::ExportAccountData { account, out: folder } => {
            let data = calls.export_account_data(account).await?;
            let named = || PathBuf::from(format!("{account}-data"));
            account_data::write(data, &folder.clone().unwrap_or_else(named), out).await?;
        }
    }
    Ok(())
}

fn roles(names: &[RoleName]) -> Vec<AccountRole> {
    names.iter().map(|&name| name.into()).collect()
}

/// The moment in so many days.
fn in_days(days: Option<u32>) -> Result<Option<SystemTime>, Error> {
    let Some(days) = days else { return Ok(None) };
    let end = SystemTime::now().checked_add(DAY * days);
    end.map(Some).ok_or_else(|| Error::Usage(format!("there is no date in {days} days")))
}

fn write_account(account: &Account, out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "{}", line(account))?;
    if let Some(quota) = account.quota.as_ref().and_then(quota_line) {
        writeln!(out, "  {quota}")?;
    }
    for key in &account.keys {
        writeln!(out, "  {}", key_line(key))?;
    }
    Ok(())
}

/// The key alone on standard output's first line, for scripts.
fn write_key(created: &CreatedKey, out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "{}", created.key)?;
    writeln!(out, "{}", key_line(&created.account_key))?;
    Ok(())
}

fn line(account: &Account) -> String {
    let mut line = format!("{}: {}", account.id, names(account.roles()));
    if account.is_suspended {
        line += ", suspended";
    }
    if account.source() == AccountSource::File {
        line += ", in the accounts file";
    }
    line
}

/// The part that an account has of its own; `None`: none.
fn quota_line(quota: &AccountQuota) -> Option<String> {
    let parts = [
        ("open matches", quota.open_matches),
        ("bot matches", quota.bot_matches),
        ("streams", quota.streams),
        ("calls at once", quota.calls),
        ("calls a second", quota.calls_per_second),
        ("bytes a second", quota.bytes_per_second),
    ];
    let own: Vec<_> =
        parts.into_iter().filter_map(|(name, count)| Some(format!("{name} {}", count?))).collect();
    (!own.is_empty()).then(|| format!("quota: {}", own.join(", ")))
}

fn key_line(key: &AccountKey) -> String {
    let mut line = format!("key {}", key.number);
    if !key.label.is_empty() {
        line += &format!(" ({})", key.label);
    }
    line += ": ";
    line += &if key.scopes.len() == ROLES { "all roles".to_owned() } else { names(key.scopes()) };
    match (&key.revoke_time, &key.expire_time) {
        (Some(at), _) => line += &format!(", revoked {at}"),
        (None, Some(at)) => line += &format!(", ends {at}"),
        (None, None) => {}
    }
    line
}

fn act_line(act: &Act) -> String {
    let at = act.act_time.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{} {at} {} {}", act.number, act.actor, act.text)
}

fn names(roles: impl Iterator<Item = AccountRole>) -> String {
    let name = |role| match role {
        AccountRole::Unspecified => "none",
        AccountRole::Player => "player",
        AccountRole::Spectator => "spectator",
        AccountRole::Referee => "referee",
        AccountRole::Operator => "operator",
    };
    roles.map(name).collect::<Vec<_>>().join(", ")
}
