//! The caller: [`Caller`], from a call's metadata.

use tonic::metadata::MetadataMap;

use super::accounts::Accounts;
use super::error::Error;
use super::role::{AccountRoles, Role};
use super::text::{Kind, TextError};
use super::tokens::{AccountKey, SeatToken};
use crate::store::{AccountId, MatchId};

/// The caller. An account is known to be good; a seat's token is only well made, until the match's hash of it
/// was compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Caller {
    /// Somebody without key or token.
    Anonymous,
    /// An account that the server knows.
    Account {
        /// Its id.
        id: AccountId,
        /// The roles that it has.
        roles: AccountRoles,
    },
    /// The holder of this token.
    Seat(SeatToken),
}

impl Caller {
    /// Reads `authorization: Bearer ...`. Without it the caller is anonymous, which is for the call to judge
    /// ([`Caller::require`]); with it, it has to be good.
    ///
    /// # Errors
    /// All but [`Error::Missing`] of BAD_TOKEN.
    pub fn from_metadata(metadata: &MetadataMap, accounts: &Accounts) -> Result<Self, Error> {
        let mut values = metadata.get_all("authorization").iter();
        let Some(value) = values.next() else { return Ok(Self::Anonymous) };
        match values.count() {
            0 => {}
            more => return Err(Error::Repeated(1 + more)),
        }
        let text = value.to_str().map_err(|_| Error::Malformed)?;
        let (scheme, secret) = text.split_once(' ').ok_or(Error::Malformed)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Error::Malformed);
        }
        match Kind::of(secret).ok_or(Error::Malformed)? {
            Kind::SeatToken => Ok(Self::Seat(secret.parse()?)),
            Kind::AccountKey => {
                let account = accounts.find(&secret.parse::<AccountKey>()?)?;
                Ok(Self::Account { id: account.id, roles: account.roles })
            }
            Kind::Invitation => Err(Error::Invitation),
            // It goes into the request that it is for.
            Kind::CreatorToken | Kind::GroupId => Err(Error::Malformed),
            // The server's own keys are for nobody to send; that one was is not worth a hint.
            Kind::ServerKey | Kind::FormerKey | Kind::NamesKey => Err(Error::Malformed),
        }
    }

    /// Reads a seat token that came in a message, as `Play` opens a seat.
    ///
    /// # Errors
    /// [`Error::Mistyped`].
    pub fn from_seat_token(text: &str) -> Result<Self, Error> {
        Ok(Self::Seat(text.parse::<SeatToken>().map_err(|fault: TextError| Error::Mistyped(fault))?))
    }

    /// Lets the caller do what `role` may. Where no account is asked for, everybody may play and watch; to be referee or
    /// operator takes an account everywhere. A seat may watch.
    ///
    /// # Errors
    /// [`Error::Missing`], [`Error::RoleMissing`], [`Error::SeatOnly`].
    pub fn require(&self, role: Role, accounts: &Accounts) -> Result<(), Error> {
        match self {
            Self::Anonymous if accounts.is_anonymous() && matches!(role, Role::Player | Role::Spectator) => {
                Ok(())
            }
            Self::Anonymous => Err(Error::Missing { needed: role.needed() }),
            Self::Account { roles, .. } if roles.allow(role) => Ok(()),
            Self::Account { roles, .. } => Err(Error::RoleMissing { needed: role, has: *roles }),
            Self::Seat(_) if role == Role::Spectator => Ok(()),
            Self::Seat(_) => Err(Error::SeatOnly { needed: role.needed() }),
        }
    }

    /// The token of the seat that calls about this match.
    ///
    /// # Errors
    /// [`Error::Missing`], [`Error::NotASeat`], [`Error::OtherMatch`].
    pub fn require_seat(&self, match_id: &MatchId) -> Result<&SeatToken, Error> {
        match self {
            Self::Anonymous => Err(Error::Missing { needed: "the seat token that `JoinMatch` gave" }),
            Self::Account { .. } => Err(Error::NotASeat),
            Self::Seat(token) if token.match_id() == *match_id => Ok(token),
            Self::Seat(_) => Err(Error::OtherMatch),
        }
    }
}

#[cfg(test)]
mod tests {
    use edgehill_engine::seat::Seat;

    use super::*;
    use crate::entropy::SeededEntropy;
    use crate::identity::ServerKey;

    const SERVER: ServerKey = ServerKey::from_bytes([3; 32]);

    fn id(byte: u8) -> MatchId {
        MatchId::from_bytes([byte; 16])
    }

    fn read(values: &[&str], accounts: &Accounts) -> Result<Caller, Error> {
        let mut metadata = MetadataMap::new();
        for value in values {
            metadata.append("authorization", value.parse().unwrap());
        }
        Caller::from_metadata(&metadata, accounts)
    }

    /// One account, a player's, and its key.
    fn accounts() -> (Accounts, AccountKey) {
        let key = AccountKey::generate(&SeededEntropy::new(1)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("accounts.toml");
        let hash = SERVER.hash_account_key(&key);
        std::fs::write(&path, format!("[[account]]\nid='ada'\nkey_hash='{hash}'\nroles=['player']\n"))
            .unwrap();
        (Accounts::load(&path, &SERVER).unwrap(), key)
    }

    #[test]
    fn callers_are_told_apart_by_what_they_send() {
        let (accounts, key) = accounts();
        assert_eq!(read(&[], &accounts), Ok(Caller::Anonymous));
        let token = SERVER.seat_token(&id(1), Seat::new(1), b"join");
        assert_eq!(read(&[&format!("Bearer {token}")], &accounts), Ok(Caller::Seat(token.clone())));
        assert_eq!(read(&[&format!("bearer {token}")], &accounts), Ok(Caller::Seat(token)));
        let roles = [Role::Player].into_iter().collect();
        let ada = Caller::Account { id: AccountId::new("ada").unwrap(), roles };
        assert_eq!(read(&[&format!("Bearer {key}")], &accounts), Ok(ada));
    }

    #[test]
    fn what_is_wrong_is_told_and_not_repeated() {
        let (accounts, key) = accounts();
        let other = AccountKey::generate(&SeededEntropy::new(2)).unwrap();
        let invitation = SERVER.invitation(&id(1), Seat::new(1));
        let key = key.to_string();
        let cut = format!("Bearer {}", &key[..30]);
        let length = TextError::Length { kind: Kind::AccountKey, expected: 62, given: 30 };
        let mut mistyped = key.clone();
        mistyped.replace_range(10..11, if &key[10..11] == "b" { "c" } else { "b" });
        for (values, expected) in [
            (vec![""], Error::Malformed),
            (vec![key.as_str()], Error::Malformed),
            (vec!["Basic YWRhOmFkYQ=="], Error::Malformed),
            (vec!["Bearer hello"], Error::Malformed),
            (vec!["Bearer  ehk_"], Error::Malformed),
            (vec!["Bearer x", "Bearer y"], Error::Repeated(2)),
            (vec![&*format!("Bearer {invitation}")], Error::Invitation),
            (vec![&*cut], Error::Mistyped(length)),
            (vec![&*format!("Bearer {mistyped}")], Error::Mistyped(TextError::Checksum(Kind::AccountKey))),
            (vec![&*format!("Bearer {other}")], Error::NotGivenOut("account key")),
        ] {
            let error = read(&values, &accounts).unwrap_err();
            assert_eq!(error, expected, "{values:?}");
            assert_eq!(error.reason(), "BAD_TOKEN");
            assert!(!error.to_string().contains(&key[5..20]), "{error}");
        }
        // A metadata value need not be ASCII.
        let mut metadata = MetadataMap::new();
        let value = tonic::metadata::MetadataValue::try_from(b"Bearer \xFF".as_slice()).unwrap();
        metadata.insert("authorization", value);
        assert_eq!(Caller::from_metadata(&metadata, &accounts), Err(Error::Malformed));
    }

    #[test]
    fn roles_let_through_what_is_theirs() {
        let (accounts, key) = accounts();
        let ada = read(&[&format!("Bearer {key}")], &accounts).unwrap();
        let seat = Caller::Seat(SERVER.seat_token(&id(1), Seat::new(0), b"join"));
        let open = Accounts::anonymous();
        for (caller, accounts, role, reason) in [
            (&ada, &accounts, Role::Player, None),
            (&ada, &accounts, Role::Spectator, None),
            (&ada, &accounts, Role::Referee, Some("NOT_ALLOWED")),
            (&ada, &accounts, Role::Operator, Some("NOT_ALLOWED")),
            (&seat, &accounts, Role::Spectator, None),
            (&seat, &accounts, Role::Player, Some("NOT_ALLOWED")),
            (&seat, &open, Role::Referee, Some("NOT_ALLOWED")),
            (&Caller::Anonymous, &accounts, Role::Player, Some("BAD_TOKEN")),
            (&Caller::Anonymous, &accounts, Role::Spectator, Some("BAD_TOKEN")),
            (&Caller::Anonymous, &open, Role::Player, None),
            (&Caller::Anonymous, &open, Role::Spectator, None),
            (&Caller::Anonymous, &open, Role::Referee, Some("BAD_TOKEN")),
            (&Caller::Anonymous, &open, Role::Operator, Some("BAD_TOKEN")),
        ] {
            let got = caller.require(role, accounts).err().map(|error| error.reason());
            assert_eq!(got, reason, "{caller:?} as {role}");
        }
    }

    #[test]
    fn a_seat_token_is_for_its_match() {
        let (accounts, key) = accounts();
        let token = SERVER.seat_token(&id(1), Seat::new(1), b"join");
        let seat = Caller::from_seat_token(&token.to_string()).unwrap();
        assert_eq!(seat.require_seat(&id(1)), Ok(&token));
        assert_eq!(seat.require_seat(&id(2)), Err(Error::OtherMatch));
        let ada = read(&[&format!("Bearer {key}")], &accounts).unwrap();
        assert_eq!(ada.require_seat(&id(1)), Err(Error::NotASeat));
        assert_eq!(Caller::Anonymous.require_seat(&id(1)).unwrap_err().reason(), "BAD_TOKEN");
        assert_eq!(Caller::from_seat_token("x").unwrap_err().reason(), "BAD_TOKEN");
    }
}
