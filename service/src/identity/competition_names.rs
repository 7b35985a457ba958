//! Names that follow from the server's first key: of competitions, and of the requests by which their matches are made.

use super::server_key::ServerKey;
use crate::store::{AccountId, CompetitionId, RequestId};

impl ServerKey {
    /// The name of the competition that a request of an account creates.
    #[must_use]
    pub fn competition_id(&self, account: &AccountId, request: &RequestId) -> CompetitionId {
        let mut asked = (account.as_bytes().len() as u64).to_le_bytes().to_vec();
        asked.extend_from_slice(account.as_bytes());
        asked.extend_from_slice(request.as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.keyed("edgehill competition v1", &asked)[..16]);
        CompetitionId::derived(bytes)
    }

    /// The name of the request by which the server makes what a competition calls so: nobody else can ask for it.
    #[must_use]
    pub fn competition_request(&self, competition: CompetitionId, what: &str) -> RequestId {
        let asked = [competition.as_bytes().as_slice(), what.as_bytes()].concat();
        let hash = self.keyed("edgehill competition request v1", &asked);
        RequestId::new(hex::encode(hash)).expect("a hash is as long as a name may be")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_from_what_is_asked_for_and_from_nothing_else() {
        let (key, other) = (ServerKey::from_bytes([1; 32]), ServerKey::from_bytes([2; 32]));
        let account = |id: &str| AccountId::new(id).unwrap();
        let request = |id: &str| RequestId::new(id).unwrap();
        let id = key.competition_id(&account("no"), &request("table"));
        assert_eq!(id, key.competition_id(&account("no"), &request("table")));
        assert_ne!(id, key.competition_id(&account("not"), &request("able")));
        assert_ne!(id, other.competition_id(&account("no"), &request("table")));
        let name = key.competition_request(id, "1.1.1");
        assert_eq!(name, key.competition_request(id, "1.1.1"));
        assert_ne!(name, key.competition_request(id, "1.1.1/2"));
        assert_ne!(name, other.competition_request(id, "1.1.1"));
    }
}
