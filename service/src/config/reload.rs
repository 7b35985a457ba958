//! The fields that a server takes up while it runs ([`Config::reloaded`]); the others are those that it was started with.

use super::{Config, FIELDS};
use crate::limits::LimitError;

/// The configuration of a running server after its sources were read again.
#[derive(Clone, PartialEq, Debug)]
pub struct Reloaded {
    /// The configuration that holds from now on.
    pub config: Config,
    /// The paths of fields that differ from what holds: they take a restart.
    pub restart: Vec<&'static str>,
}

impl Config {
    /// This configuration with what `new` has of the fields that are taken up: `accounts`, if there is an accounts file in both,
    /// `tls.*`, if there is TLS in both, `limits.*` but for the bytes of a request, and what a caller may have of calls.
    ///
    /// # Errors
    /// If a new limit does not fit those that stay.
    pub fn reloaded(&self, new: &Self) -> Result<Reloaded, LimitError> {
        let mut config = self.clone();
        if self.accounts.is_some() && new.accounts.is_some() {
            config.accounts.clone_from(&new.accounts);
        }
        if self.tls.certificate.is_some() && new.tls.certificate.is_some() {
            config.tls.clone_from(&new.tls);
        }
        config.limits = new.limits;
        config.limits.request_bytes = self.limits.request_bytes;
        config.limits.check()?;
        config.capacity.calls_per_second = new.capacity.calls_per_second;
        config.capacity.calls_burst = new.capacity.calls_burst;
        config.capacity.bytes_per_second = new.capacity.bytes_per_second;
        config.capacity.bytes_burst = new.capacity.bytes_burst;
        config.capacity.caller_calls = new.capacity.caller_calls;
        let restart = new.differences(&config);
        Ok(Reloaded { config, restart })
    }

    /// The paths of the fields in which two configurations differ.
    fn differences(&self, other: &Self) -> Vec<&'static str> {
        let table = |config: &Self| toml::Table::try_from(config).unwrap_or_default();
        let (own, others) = (table(self), table(other));
        let differs = |path: &&str| at(&own, path) != at(&others, path);
        FIELDS.iter().map(|field| field.path).filter(differs).collect()
    }
}

/// The value at a path of names with points between them.
fn at<'t>(table: &'t toml::Table, path: &str) -> Option<&'t toml::Value> {
    match path.split_once('.') {
        None => table.get(path),
        Some((first, rest)) => at(table.get(first)?.as_table()?, rest),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tls;
    use super::super::tests::full;
    use super::*;

    /// The fields that docs/server.md says are read again.
    const READ_AGAIN: [&str; 9] = [
        "accounts",
        "capacity.bytes_burst",
        "capacity.bytes_per_second",
        "capacity.caller_calls",
        "capacity.calls_burst",
        "capacity.calls_per_second",
        "tls.certificate",
        "tls.client_ca",
        "tls.key",
    ];

    #[test]
    fn each_field_is_taken_up_or_takes_a_restart() {
        let tls = Tls { certificate: Some("old.pem".into()), key: Some("old.key".into()), client_ca: None };
        let old = Config { accounts: Some("old.toml".into()), tls, ..Config::default() };
        let Reloaded { config, restart } = old.reloaded(&full()).unwrap();
        let taken_up = config.differences(&old);
        for path in full().differences(&old) {
            let read_again = READ_AGAIN.contains(&path) || path.starts_with("limits.");
            assert_eq!(
                (taken_up.contains(&path), restart.contains(&path)),
                (read_again, !read_again),
                "{path}"
            );
        }
        assert!(taken_up.contains(&"accounts") && restart.contains(&"listen"));
    }

    #[test]
    fn limits_are_taken_up_but_for_the_bytes_of_a_request() {
        let mut new = Config::default();
        (new.limits.streams, new.limits.request_bytes) = (7, 1 << 20);
        let Reloaded { config, restart } = Config::default().reloaded(&new).unwrap();
        assert_eq!((config.limits.streams, restart), (7, vec!["limits.request_bytes"]));
        assert_eq!(config.limits.request_bytes, Config::default().limits.request_bytes);
        // One that would only fit together with it is refused.
        new.limits.position_bytes = 100_000;
        Config::default().reloaded(&new).unwrap_err();
    }

    #[test]
    fn an_accounts_file_where_there_was_none_takes_a_restart() {
        let new = Config { accounts: Some("new.toml".into()), ..Config::default() };
        for (from, to) in [(Config::default(), new.clone()), (new, Config::default())] {
            let Reloaded { config, restart } = from.reloaded(&to).unwrap();
            assert_eq!((config, restart), (from, vec!["accounts"]));
        }
    }

    #[test]
    fn tls_where_there_was_none_takes_a_restart() {
        let tls = Tls { certificate: Some("a".into()), key: Some("b".into()), client_ca: None };
        let new = Config { tls, ..Config::default() };
        for (from, to) in [(Config::default(), new.clone()), (new, Config::default())] {
            let Reloaded { config, restart } = from.reloaded(&to).unwrap();
            assert_eq!((config, restart), (from, vec!["tls.certificate", "tls.key"]));
        }
    }
}
