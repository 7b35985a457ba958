//! Accounts for tests.

use edgehill_service::entropy::SystemEntropy;
use edgehill_service::identity::{AccountKey, Accounts, CurrentAccounts};

use crate::running::KEY;

/// Keys of some accounts: two players, a spectator, a referee, an operator.
pub(crate) struct Keys {
    pub(crate) ada: String,
    pub(crate) bob: String,
    pub(crate) eve: String,
    pub(crate) umpire: String,
    pub(crate) chief: String,
    file: String,
}

impl Keys {
    pub(crate) fn new() -> Self {
        let mut file = String::new();
        let mut key = |id: &str, role: &str| {
            let key = AccountKey::generate(&SystemEntropy).unwrap();
            let hash = KEY.hash_account_key(&key);
            file += &format!("[[account]]\nid = '{id}'\nkey_hash = '{hash}'\nroles = ['{role}']\n");
            key.to_string()
        };
        let [ada, bob] = [key("ada", "player"), key("bob", "player")];
        let [eve, umpire] = [key("eve", "spectator"), key("umpire", "referee")];
        let chief = key("chief", "operator");
        Self { ada, bob, eve, umpire, chief, file }
    }

    /// The accounts; nobody is let in without one.
    pub(crate) fn accounts(&self) -> CurrentAccounts {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("accounts.toml");
        std::fs::write(&path, &self.file).unwrap();
        CurrentAccounts::new(Accounts::load(&path, &KEY).unwrap())
    }
}
