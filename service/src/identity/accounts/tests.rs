//! Accounts files, good and bad.

use super::*;
use crate::entropy::SeededEntropy;

const SERVER: ServerKey = ServerKey::from_bytes([3; 32]);

fn key(seed: u64) -> AccountKey {
    AccountKey::generate(&SeededEntropy::new(seed)).unwrap()
}

fn parse(text: &str) -> Result<Accounts, AccountsError> {
    AccountsFile::parse(Path::new("accounts.toml"), text).map(|file| Accounts::of(file, &SERVER))
}

fn entry(id: &str, seed: u64, roles: &str) -> String {
    format!(
        "[[account]]\nid = {id:?}\nkey_hash = \"{}\"\nroles = [{roles}]\n",
        SERVER.hash_account_key(&key(seed))
    )
}

#[test]
fn an_account_is_found_by_its_key_and_by_no_other() {
    let text = entry("ada", 1, "\"player\"") + &entry("b.2-x_Y", 2, "\"referee\", \"operator\"");
    let accounts = parse(&text).unwrap();
    assert_eq!((accounts.len(), accounts.is_anonymous()), (2, false));
    let ada = accounts.find(&key(1)).unwrap();
    assert_eq!(ada.id, AccountId::new("ada").unwrap());
    assert!(ada.roles.allow(Role::Player) && ada.roles.allow(Role::Spectator));
    assert!(!ada.roles.allow(Role::Referee) && !ada.roles.allow(Role::Operator));
    assert_eq!(accounts.find(&key(2)).unwrap().roles.to_string(), "referee, operator");
    assert_eq!(accounts.find(&key(3)), Err(Error::NotGivenOut("account key")));
    assert_eq!(Accounts::anonymous().find(&key(1)), Err(Error::NotGivenOut("account key")));
}

#[test]
fn a_hash_of_another_server_lets_nobody_in() {
    let text = entry("ada", 1, "\"player\"");
    let elsewhere = AccountsFile::parse(Path::new("a"), &text).unwrap();
    let elsewhere = Accounts::of(elsewhere, &ServerKey::from_bytes([4; 32]));
    assert!(elsewhere.find(&key(1)).is_err());
}

#[test]
fn a_role_is_not_another_one() {
    for role in Role::ALL {
        let roles: AccountRoles = [role].into_iter().collect();
        for other in Role::ALL {
            assert_eq!(roles.allow(other), role == other || other == Role::Spectator, "{role} as {other}");
        }
        assert_eq!(role.name().parse(), Ok(role));
    }
    assert!(Role::ALL.into_iter().all(|role| !AccountRoles::default().allow(role)));
}

#[test]
fn faults_name_file_and_entry_and_what_would_be_accepted() {
    let good = entry("ada", 1, "\"player\"");
    let hash = SERVER.hash_account_key(&key(1)).to_string();
    let long = "x".repeat(65);
    for (text, expected) in [
        ("account = 3".to_owned(), "accounts.toml, line 1: invalid type"),
        (
            format!("{good}colour = 1\n"),
            "accounts.toml, line 5: unknown field `colour`, expected one of `id`",
        ),
        ("\n[[account]]\nid = 'x'\n".to_owned(), "accounts.toml, line 2: missing field `key_hash`"),
        (good.clone() + &entry("", 2, "\"player\""), "entry 2: id: 1 to 64 letters"),
        (entry(&long, 2, "\"player\""), "entry 1: id: 1 to 64 letters"),
        (entry("a b", 2, "\"player\""), "entry 1: id: 1 to 64 letters"),
        (entry("anonymous", 2, "\"player\""), "entry 1: id: \"anonymous\" stands for"),
        (entry("house", 2, "\"player\""), "entry 1: id: \"house\" stands for"),
        (good.clone() + &entry("ada", 2, "\"player\""), "entry 2 (ada): entry 1 has the same id"),
        (good.clone() + &entry("bob", 1, "\"player\""), "entry 2 (bob): key_hash: another entry"),
        (good.replace(&hash, "5a"), "entry 1 (ada): key_hash: 64 hexadecimal digits"),
        (good.replace(&hash, &key(1).to_string()), "entry 1 (ada): key_hash: this is a key"),
        (entry("ada", 1, ""), "entry 1 (ada): roles: at least one of"),
        (entry("ada", 1, "\"king\""), "entry 1 (ada): roles: there is no role \"king\""),
    ] {
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{expected:?} is not in {error:?}");
        assert!(error.starts_with("the accounts file accounts.toml"), "{error}");
        assert!(!error.contains("ehk_"), "a key is repeated: {error}");
    }
    let error = Accounts::load(Path::new("/nowhere/accounts.toml"), &SERVER).unwrap_err().to_string();
    assert!(error.starts_with("the accounts file /nowhere/accounts.toml can't be read"), "{error}");
}

#[test]
fn seats_are_held_by_accounts_that_may_play_and_by_those_who_had_none() {
    let text = entry("ada", 1, "\"player\"") + &entry("bob", 2, "\"spectator\"");
    let accounts = parse(&text).unwrap();
    let may = |accounts: &Accounts, id: &str| accounts.may_hold_seats(&AccountId::new(id).unwrap());
    let held = ["ada", "bob", "cyd", ANONYMOUS_ID].map(|id| may(&accounts, id));
    assert_eq!(held, [true, false, false, true]);
    // Where nobody was asked who they are, nobody is kept out.
    assert!(["ada", ANONYMOUS_ID].into_iter().all(|id| may(&Accounts::anonymous(), id)));
}
