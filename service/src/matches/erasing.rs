//! Names of people in a match's log, by pseudonyms ([`erased`]): accounts, names of players, and what requests for seats were.
//!
//! All that was played stays: actions, dice, what was published and its running hashes, which know no names. A record that is made of the
//! log afterwards has other names and is signed anew; everything else in it is as it was.

use super::archive;
use super::entry::{Happened, JournalEntry};
use super::header::{MatchHeader, SeatConfig};
use super::referee::{RefereeAct, RefereeNote};
use super::seats::Join;
use super::stored::StoredError;
use crate::store::{AccountId, MatchLog};

/// A log with pseudonyms in the place of accounts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErasedLog {
    /// Its header.
    pub header: Vec<u8>,
    /// The entry of each of its appends with its revision, in order.
    pub entries: Vec<(u64, Vec<u8>)>,
    /// An account that made the match, and its pseudonym.
    pub creator: Option<(AccountId, AccountId)>,
}

/// Gives the pseudonym of an account, if its data is erased.
pub type PseudonymOf<'a> = &'a (dyn Fn(&[u8]) -> Option<AccountId> + Send + Sync);

/// The log with pseudonyms; `None` if it names nobody who has one.
///
/// # Errors
/// If the header or an entry can't be read.
pub fn erased(log: &MatchLog, pseudonym_of: PseudonymOf<'_>) -> Result<Option<ErasedLog>, StoredError> {
    let mut header = MatchHeader::from_bytes(&log.header.bytes)?;
    let mut eraser = Eraser { pseudonym_of, holders: vec![None; header.seats.len()], has_erased: false };
    let creator = AccountId::new(&header.creator).ok();
    let creator = creator.and_then(|creator| pseudonym_of(creator.as_bytes()).map(|other| (creator, other)));
    eraser.account(&mut header.creator);
    eraser.account(&mut header.counted_as);
    for seat in &mut header.seats {
        if let SeatConfig::Account(account) = seat {
            eraser.account(account);
        }
    }
    let bytes = if eraser.has_erased { header.to_bytes() } else { log.header.bytes.clone() };
    let mut entries = Vec::new();
    for record in &log.records {
        let entry = archive::edited(record, |bytes| eraser.entry(bytes))?;
        entries.push((record.at.revision, entry.unwrap_or_else(|| record.entry.clone())));
    }
    Ok(eraser.has_erased.then_some(ErasedLog { header: bytes, entries, creator }))
}

/// Goes through a log, entry after entry.
struct Eraser<'a> {
    pseudonym_of: PseudonymOf<'a>,
    /// By seat, the pseudonym of the account that has it, if that is erased.
    holders: Vec<Option<AccountId>>,
    /// True once something was erased.
    has_erased: bool,
}

impl Eraser<'_> {
    /// The bytes of an entry without names; `None` if there are none.
    fn entry(&mut self, bytes: &[u8]) -> Result<Option<Vec<u8>>, StoredError> {
        let mut entry = JournalEntry::from_bytes(bytes)?;
        let is_changed = self.happened(&mut entry.happened);
        self.has_erased |= is_changed;
        Ok(is_changed.then(|| entry.to_bytes()))
    }

    /// Takes names out of an occurrence; `false` if there are none.
    fn happened(&mut self, happened: &mut Happened) -> bool {
        match happened {
            Happened::Joined(join) => self.join(join),
            Happened::Left(left) => {
                let holder = self.holders.get_mut(usize::from(left.seat)).and_then(Option::take);
                holder.map(|_| left.request.clear()).is_some()
            }
            Happened::Refereed(note) => self.note(note),
            _ => false,
        }
    }

    fn join(&mut self, join: &mut Join) -> bool {
        let pseudonym = (self.pseudonym_of)(&join.account);
        if let Some(holder) = self.holders.get_mut(usize::from(join.seat)) {
            holder.clone_from(&pseudonym);
        }
        let Some(pseudonym) = pseudonym else { return false };
        join.account = pseudonym.as_bytes().to_vec();
        rename(&mut join.player, &pseudonym);
        // A request whose name or hash may tell a name, and that nobody can repeat: the account is deleted.
        join.request.clear();
        join.body = [0; 32];
        true
    }

    fn note(&mut self, note: &mut RefereeNote) -> bool {
        let mut is_changed = self.account(&mut note.referee);
        if let RefereeAct::ReplacePlayer { seat, former, player, account } = &mut note.act {
            let holder = self.holders.get_mut(usize::from(*seat)).and_then(Option::take);
            if let Some(holder) = &holder {
                rename(former, holder);
            }
            let named = account.as_ref().and_then(|account| (self.pseudonym_of)(account));
            if let Some(named) = &named {
                rename(player, named);
                *account = Some(named.as_bytes().to_vec());
            }
            is_changed |= holder.is_some() || named.is_some();
        }
        if is_changed {
            note.request.clear();
            note.body = [0; 32];
        }
        is_changed
    }

    /// Puts the pseudonym of an account in its place; `false` if it has none.
    fn account(&mut self, account: &mut Vec<u8>) -> bool {
        let Some(pseudonym) = (self.pseudonym_of)(account) else { return false };
        *account = pseudonym.as_bytes().to_vec();
        self.has_erased = true;
        true
    }
}

/// Puts the pseudonym in the place of a player's name; who gave none has none.
fn rename(player: &mut String, pseudonym: &AccountId) {
    if !player.is_empty() {
        *player = String::from_utf8_lossy(pseudonym.as_bytes()).into_owned();
    }
}
