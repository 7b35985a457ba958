//! The TOML of the pages of operators: each block is read as what its page says that it is.

use figment::Figment;
use figment::providers::{Format, Serialized, Toml};

use super::Config;
use crate::entropy::SystemEntropy;
use crate::identity::{Accounts, ServerKey};

fn blocks() -> Vec<&'static str> {
    let pages =
        [include_str!("../../../docs/server.md"), include_str!("../../../docs/operations-cluster.md")];
    let blocks = pages.into_iter().flat_map(|page| page.split("```toml\n").skip(1));
    blocks.filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn tables_of_the_configuration_are_read() {
    let tables: Vec<_> = blocks().into_iter().filter(|block| !block.starts_with("[[account]]")).collect();
    assert_eq!(tables.len(), 3);
    for table in tables {
        let figment = Figment::from(Serialized::defaults(Config::default())).merge(Toml::string(table));
        let config: Config = figment.extract().unwrap_or_else(|error| panic!("{error}\n{table}"));
        assert_ne!(config, Config::default(), "{table}");
    }
}

#[test]
fn accounts_are_read() {
    let [accounts] =
        &blocks().into_iter().filter(|block| block.starts_with("[[account]]")).collect::<Vec<_>>()[..]
    else {
        panic!("one block")
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("accounts.toml");
    std::fs::write(&path, accounts).unwrap();
    Accounts::load(&path, &ServerKey::generate(&SystemEntropy).unwrap()).unwrap();
}
