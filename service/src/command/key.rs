//! `edgehill-server key`: a new key for an account.

use super::args::Key;
use super::failure::Failure;
use crate::config::Config;
use crate::entropy::SystemEntropy;
use crate::identity::{AccountKey, AccountRoles, check_id};
use crate::server::server_key;

/// Makes a key, and says it with the lines that let its holder in.
///
/// # Errors
/// If the id is none, or there is no server's key that outlives this command.
pub(super) fn make(key: &Key, config: &Config) -> Result<String, Failure> {
    check_id(&key.account).map_err(|what| Failure::Configuration(format!("the flag --account: {what}")))?;
    if config.key_path().is_none() {
        let what =
            "an account's key is good on one server: say which, with --store or --key-file as it is started";
        return Err(Failure::Configuration(what.to_owned()));
    }
    let server = server_key(config, &SystemEntropy).map_err(|error| Failure::Fault(error.to_string()))?;
    let made = AccountKey::generate(&SystemEntropy).map_err(|error| Failure::Fault(error.to_string()))?;
    let roles: AccountRoles = key.role.iter().copied().collect();
    let roles: Vec<_> = roles.to_string().split(", ").map(|role| format!("\"{role}\"")).collect();
    Ok(format!(
        "# The key of {id}, to give to its holder. It is shown this once:\n\
         #   {made}\n\
         # For the accounts file:\n\
         [[account]]\n\
         id = \"{id}\"\n\
         key_hash = \"{hash}\"\n\
         roles = [{roles}]\n",
        id = key.account,
        hash = server.hash_account_key(&made),
        roles = roles.join(", "),
    ))
}
