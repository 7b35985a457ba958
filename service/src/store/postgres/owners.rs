//! The servers that share a database, and which shards each of them owns ([`Owners`]), as it was when the database was last asked.

use std::fmt;
use std::sync::Arc;

use super::super::shards::{SHARDS, Shard, ShardSet};

/// The name of a run of a server.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerId(pub(super) [u8; 16]);

impl ServerId {
    /// The name of these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Debug for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&u128::from_be_bytes(self.0), f)
    }
}

/// A server whose lease holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub id: ServerId,
    /// The address at which others reach it.
    pub address: Arc<str>,
    /// The shards that it owns.
    pub shards: ShardSet,
    /// True once it is to stop: it has no share any more, and is handed nothing.
    pub leaving: bool,
}

/// The servers whose leases hold. A shard is one's at most; one that is nobody's is free.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Owners {
    /// By their names, ascending: all servers see them in the same order.
    members: Vec<Member>,
}

impl Owners {
    pub(super) fn new(mut members: Vec<Member>) -> Self {
        members.sort_unstable_by_key(|member| member.id);
        Self { members }
    }

    /// All servers.
    #[must_use]
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The server of this name.
    #[must_use]
    pub fn member(&self, id: ServerId) -> Option<&Member> {
        self.members.iter().find(|member| member.id == id)
    }

    /// The owner of a shard; `None`: it is free.
    #[must_use]
    pub fn of(&self, shard: Shard) -> Option<&Member> {
        self.members.iter().find(|member| member.shards.contains(shard))
    }

    /// The shards that are nobody's.
    #[must_use]
    pub fn free(&self) -> ShardSet {
        self.members.iter().fold(ShardSet::ALL, |free, member| free.without(&member.shards))
    }

    /// The free shards that a server is to claim.
    #[must_use]
    pub fn to_claim(&self, by: ServerId) -> ShardSet {
        let free = self.free();
        let owned = match self.member(by) {
            Some(member) if member.leaving => return ShardSet::NONE,
            member => member.map_or(ShardSet::NONE, |member| member.shards),
        };
        // They go together, however small a share is.
        let mut claimed = match self.of(Shard::OF_STORE) {
            Some(home) if home.id != by => ShardSet::NONE,
            _ => free.and(&ShardSet::HOME),
        };
        let room = self.share(by).saturating_sub(owned.len() + claimed.len());
        claimed.extend(free.without(&ShardSet::HOME).iter().take(room));
        claimed
    }

    /// The shard that a server is to hand over next, and to whom; `None`: it has no more than its share, or nobody has less than theirs.
    /// What belongs to no match stays where it is, with the shards that go with it.
    #[must_use]
    pub fn to_hand_over(&self, by: ServerId) -> Option<(Shard, ServerId)> {
        let owned = self.member(by)?.shards;
        if owned.len() <= self.share(by) {
            return None;
        }
        let lacks = |member: &&Member| member.shards.len() < self.share(member.id);
        let to = self.members.iter().filter(lacks).min_by_key(|member| member.shards.len())?;
        owned.without(&ShardSet::HOME).iter().next_back().map(|shard| (shard, to.id))
    }

    /// The server that has the fewest shards, but this one and those who stop as well: who stops hands over to it.
    #[must_use]
    pub fn least(&self, but: ServerId) -> Option<ServerId> {
        let others = self.staying().filter(|member| member.id != but);
        others.min_by_key(|member| member.shards.len()).map(|member| member.id)
    }

    /// Those that are not to stop.
    fn staying(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !member.leaving)
    }

    /// The number of shards that a server is to have: those who come first by their names have one more, where there is no other way.
    fn share(&self, of: ServerId) -> usize {
        if self.member(of).is_some_and(|member| member.leaving) {
            return 0;
        }
        let count = self.staying().count().max(1);
        let place = self.staying().position(|member| member.id == of).unwrap_or(count);
        SHARDS / count + usize::from(place < SHARDS % count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(number: u8, shards: ShardSet) -> Member {
        let address = format!("http://{number}:7400").into();
        Member { id: ServerId([number; 16]), address, shards, leaving: false }
    }

    fn id(number: u8) -> ServerId {
        ServerId([number; 16])
    }

    /// Lets all servers claim and hand over until nobody has anything to do; returns the owners and how many shards were handed over.
    fn settle(mut owners: Owners) -> (Owners, usize) {
        let mut handed = 0;
        loop {
            let before = owners.clone();
            for at in 0..owners.members.len() {
                let by = owners.members[at].id;
                let claimed = owners.to_claim(by);
                assert!(claimed.without(&owners.free()).is_empty(), "it claims what is somebody's");
                owners.members[at].shards.extend(claimed.iter());
                if let Some((shard, to)) = owners.to_hand_over(by) {
                    assert!(owners.members[at].shards.contains(shard) && to != by);
                    owners.members[at].shards.remove(shard);
                    owners.members.iter_mut().find(|member| member.id == to).unwrap().shards.insert(shard);
                    handed += 1;
                }
            }
            if owners == before {
                return (owners, handed);
            }
        }
    }

    fn counts(owners: &Owners) -> Vec<usize> {
        owners.members.iter().map(|member| member.shards.len()).collect()
    }

    #[test]
    fn each_server_comes_to_its_share_and_stays_there() {
        let (one, handed) = settle(Owners::new(vec![member(2, ShardSet::NONE)]));
        assert_eq!((counts(&one), handed), (vec![1_024], 0));
        // Another one comes, and gets half of them, one after the other.
        let mut members = one.members;
        members.push(member(1, ShardSet::NONE));
        let (two, handed) = settle(Owners::new(members));
        assert_eq!((counts(&two), handed), (vec![512, 512], 512));
        let home = |owners: &Owners| {
            let home = owners.of(Shard::OF_STORE).unwrap();
            assert_eq!(home.shards.and(&ShardSet::HOME), ShardSet::HOME);
            home.id
        };
        assert_eq!(home(&two), id(2), "it stays where it was");
        let mut members = two.members;
        members.push(member(3, ShardSet::NONE));
        let (three, handed) = settle(Owners::new(members));
        assert_eq!((counts(&three), handed), (vec![342, 341, 341], 341));
        // One goes: the others share what it had, and hand nothing over.
        let mut members = three.members;
        members.retain(|member| member.id != id(2));
        let (left, handed) = settle(Owners::new(members));
        assert_eq!((counts(&left), handed), (vec![512, 512], 0));
        assert!(left.free().is_empty());
        home(&left);
        // Many have less each than what goes together.
        let members = (1..=40).map(|number| member(number, ShardSet::NONE)).collect();
        let (many, handed) = settle(Owners::new(members));
        assert_eq!(
            (handed, many.free().len(), many.of(Shard::OF_STORE).unwrap().shards),
            (0, 0, ShardSet::HOME)
        );
    }

    #[test]
    fn who_is_to_stop_has_no_share() {
        let third = |from: usize| Shard::all().skip(from).step_by(3).collect();
        let mut members: Vec<Member> =
            (0..3).map(|number| member(number + 1, third(number.into()))).collect();
        members[1].leaving = true;
        // It hands over what it has, and nobody hands it back.
        members[1].shards = ShardSet::NONE;
        let (owners, handed) = settle(Owners::new(members));
        assert_eq!((counts(&owners), handed), (vec![512, 0, 512], 0));
        assert_eq!((owners.least(id(1)), owners.to_hand_over(id(1))), (Some(id(3)), None));
    }
}
