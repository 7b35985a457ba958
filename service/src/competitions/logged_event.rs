//! An event of a competition as it is kept: [`LoggedEvent`].

use edgehill_competition::{CompetitionEvent, EntrantId};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::error::Error;
use crate::matches::{Ask, PinNote};
use crate::store::{AccountId, BodyHash, CompetitionId, KeptEvent, RequestId};

/// The version of the form in which events are kept.
const VERSION: u8 = 1;

/// The one who plays as an entrant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EntrantParty {
    /// An account.
    Account(AccountId),
    /// The house bot of this name.
    HouseBot(String),
}

impl EntrantParty {
    /// The account, if it is one.
    #[must_use]
    pub const fn account(&self) -> Option<&AccountId> {
        match self {
            Self::Account(account) => Some(account),
            Self::HouseBot(_) => None,
        }
    }
}

/// An event with what stands around it in the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedEvent {
    /// Its number, from 1 without a gap.
    pub number: u64,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: u64,
    /// The account that asked for it; the server's own for what comes of itself.
    pub actor: AccountId,
    /// The request that asked for it, and the hash of what it said.
    pub ask: Option<Ask>,
    /// Of an enrolment, who plays.
    pub party: Option<EntrantParty>,
    /// Of the creation, the rules that all matches are played by.
    pub rules: Option<PinNote>,
    /// The event.
    pub event: CompetitionEvent,
}

/// All but the number, in the form in which it is kept.
#[derive(Serialize, Deserialize)]
struct Form {
    at_ms: u64,
    actor: AccountId,
    ask: Option<(RequestId, [u8; 32])>,
    party: Option<EntrantParty>,
    rules: Option<PinNote>,
    event: ByteBuf,
}

impl LoggedEvent {
    /// The event as the store keeps it.
    #[must_use]
    pub fn to_kept(&self, competition: CompetitionId) -> KeptEvent {
        let form = Form {
            at_ms: self.at_ms,
            actor: self.actor.clone(),
            ask: self.ask.as_ref().map(|ask| (ask.id.clone(), ask.body.0)),
            party: self.party.clone(),
            rules: self.rules,
            event: ByteBuf::from(self.event.to_bytes()),
        };
        let bytes = postcard::to_extend(&form, vec![VERSION]).expect("an event knows its lengths");
        KeptEvent { competition, number: self.number, bytes }
    }

    /// Reads an event that the store has kept.
    ///
    /// # Errors
    /// [`Error::Unreadable`].
    pub fn read(kept: &KeptEvent) -> Result<Self, Error> {
        let KeptEvent { competition, number, bytes } = kept;
        let unreadable = |why: String| Error::Unreadable { competition: *competition, number: *number, why };
        let form = match bytes.split_first() {
            Some((&VERSION, form)) => form,
            Some((version, _)) => return Err(unreadable(format!("it is stored in version {version}"))),
            None => return Err(unreadable("there are no bytes".to_owned())),
        };
        let form: Form = postcard::from_bytes(form).map_err(|error| unreadable(error.to_string()))?;
        let Form { at_ms, actor, ask, party, rules, event } = form;
        let event = CompetitionEvent::from_bytes(&event).map_err(|error| unreadable(error.to_string()))?;
        let ask = ask.map(|(id, body)| Ask { id, body: BodyHash(body) });
        Ok(Self { number: *number, at_ms, actor, ask, party, rules, event })
    }

    /// The event with another name in the place of the account that `named` knows; `None` if it does not name that.
    pub(super) fn erased(
        &self,
        named: impl Fn(&AccountId) -> bool,
        pseudonym: &AccountId,
        ask: impl Fn(&Ask) -> Ask,
    ) -> Option<Self> {
        let is_actor = named(&self.actor);
        let is_party = self.party.as_ref().and_then(EntrantParty::account).is_some_and(&named);
        if !is_actor && !is_party {
            return None;
        }
        let event = match &self.event {
            CompetitionEvent::Enrolled { entrant, rating, .. } if is_party => CompetitionEvent::Enrolled {
                entrant: *entrant,
                name: String::from_utf8_lossy(pseudonym.as_bytes()).into_owned(),
                rating: *rating,
            },
            other => other.clone(),
        };
        Some(Self {
            actor: if is_actor { pseudonym.clone() } else { self.actor.clone() },
            ask: self.ask.as_ref().map(ask),
            party: if is_party { Some(EntrantParty::Account(pseudonym.clone())) } else { self.party.clone() },
            event,
            ..self.clone()
        })
    }

    /// The entrant that it takes in.
    #[must_use]
    pub const fn enrolled(&self) -> Option<EntrantId> {
        match self.event {
            CompetitionEvent::Enrolled { entrant, .. } => Some(entrant),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(id: &str) -> AccountId {
        AccountId::new(id).unwrap()
    }

    fn enrolled() -> LoggedEvent {
        LoggedEvent {
            number: 2,
            at_ms: 5,
            actor: account("umpire"),
            ask: Some(Ask { id: RequestId::new("r").unwrap(), body: BodyHash([7; 32]) }),
            party: Some(EntrantParty::Account(account("ada"))),
            rules: None,
            event: CompetitionEvent::Enrolled {
                entrant: EntrantId::FIRST,
                name: "Countess".to_owned(),
                rating: Some(-3),
            },
        }
    }

    #[test]
    fn an_event_comes_back_as_it_was_kept() {
        let competition = CompetitionId::from_bytes([3; 16]);
        let event = enrolled();
        let kept = event.to_kept(competition);
        assert_eq!(LoggedEvent::read(&kept), Ok(event));
        for bytes in [vec![], vec![2], kept.bytes[..kept.bytes.len() - 1].to_vec()] {
            let broken = KeptEvent { bytes, ..kept.clone() };
            assert!(matches!(LoggedEvent::read(&broken), Err(Error::Unreadable { number: 2, .. })));
        }
    }

    #[test]
    fn an_erased_account_is_named_in_no_part_of_an_event() {
        let pseudonym = account("erased-1");
        let erase = |name: &'static str| {
            let named = move |id: &AccountId| *id == account(name);
            enrolled().erased(named, &pseudonym, |ask| Ask { body: BodyHash([0; 32]), ..ask.clone() })
        };
        let ada = erase("ada").unwrap();
        assert_eq!(
            (&ada.actor, ada.party),
            (&account("umpire"), Some(EntrantParty::Account(pseudonym.clone())))
        );
        assert!(matches!(ada.event, CompetitionEvent::Enrolled { name, .. } if name == "erased-1"));
        let umpire = erase("umpire").unwrap();
        assert_eq!((umpire.actor, umpire.party), (pseudonym.clone(), enrolled().party));
        assert_eq!(erase("bob"), None);
    }
}
