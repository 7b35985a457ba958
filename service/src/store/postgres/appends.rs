//! Appends that wait for the end of their batch ([`Pending`]), and the one statement that writes them.
//!
//! A batch of appends alone is one statement, which is a transaction of its own: to the database and back once. Its conditions are that
//! the server owns the shards, that each match stands where it is thought to stand, and is not closed. Where one is not met, it
//! divides by zero on purpose, and nothing of it is done.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::super::chain::Head;
use super::super::lengths::lengths_bytes;
use super::super::names::MatchId;
use super::fence::{Fence, HELD};
use super::session::{CommitFailure, Session};
use super::tables::whole;

/// Writes appends, with what they change of their matches' rows.
static STATEMENT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH held AS ({HELD}), moved AS (\
           UPDATE matches SET revision = new.revision, hash = new.hash, status = new.status, \
             open_seats = new.open_seats, lengths = new.lengths, overview_hash = new.overview_hash, \
             checksum = new.checksum \
           FROM unnest($3::BYTEA[], $4::INT8[], $5::INT8[], $6::BYTEA[], $7::INT2[], $8::INT2[], $9::BYTEA[], \
             $10::BYTEA[], $11::BYTEA[]) \
             AS new (id, old_revision, revision, hash, status, open_seats, lengths, overview_hash, checksum) \
           WHERE matches.id = new.id AND matches.revision = new.old_revision \
             AND NOT EXISTS (SELECT 1 FROM quarantines WHERE quarantines.match_id = new.id) \
           RETURNING matches.id\
         ), shown AS (\
           UPDATE overviews SET overview = new.overview FROM unnest($12::BYTEA[], $13::BYTEA[]) \
             AS new (match_id, overview) WHERE overviews.match_id = new.match_id RETURNING overviews.match_id\
         ), written AS (\
           INSERT INTO appends (match_id, revision, envelope) \
           SELECT * FROM unnest($14::BYTEA[], $15::INT8[], $16::BYTEA[]) RETURNING revision\
         ) SELECT 1 / (CASE WHEN (SELECT count(*) FROM held) = $17 AND (SELECT count(*) FROM moved) = $18 \
           AND (SELECT count(*) FROM shown) = $19 AND (SELECT count(*) FROM written) = $20 THEN 1 ELSE 0 END)"
    )
});

/// A match's row that moves.
#[derive(Debug)]
struct Moved {
    old_revision: u64,
    head: Head,
    overview: Option<Vec<u8>>,
}

/// The appends of a batch that are not written yet.
#[derive(Debug, Default)]
pub(super) struct Pending {
    moved: BTreeMap<MatchId, Moved>,
    envelopes: Vec<(MatchId, u64, Vec<u8>)>,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.envelopes.is_empty()
    }

    /// Moves a match's row from a revision, or on from where it is about to go.
    pub(super) fn move_head(&mut self, old_revision: u64, head: &Head, overview: Option<&[u8]>) {
        let overview = overview.map(<[u8]>::to_vec);
        match self.moved.get_mut(&head.id) {
            Some(moved) => {
                moved.head.clone_from(head);
                moved.overview = overview.or(moved.overview.take());
            }
            None => drop(self.moved.insert(head.id, Moved { old_revision, head: head.clone(), overview })),
        }
    }

    pub(super) fn push(&mut self, id: MatchId, revision: u64, envelope: Vec<u8>) {
        self.envelopes.push((id, revision, envelope));
    }

    /// Writes them: as the whole transaction, if nothing was asked of it before.
    pub(super) fn write(self, session: &Session<'_>, fence: &Fence) -> Result<(), CommitFailure> {
        let count = self.moved.len();
        let mut ids = Vec::with_capacity(count);
        let (mut old_revisions, mut revisions) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut hashes, mut checksums) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut statuses, mut open_seats) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut lengths, mut overview_hashes) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let (mut shown, mut overviews) = (Vec::new(), Vec::new());
        for Moved { old_revision, head, overview } in self.moved.values() {
            ids.push(&head.id.as_bytes()[..]);
            old_revisions.push(whole(*old_revision));
            revisions.push(whole(head.at.revision));
            hashes.push(&head.hash[..]);
            checksums.push(head.checksum().to_vec());
            statuses.push(i16::from(head.summary.status.number()));
            open_seats.push(i16::from(head.summary.seat_bits()));
            lengths.push(lengths_bytes(&head.summary.lengths));
            overview_hashes.push(&head.overview[..]);
            if let Some(overview) = overview {
                shown.push(&head.id.as_bytes()[..]);
                overviews.push(&overview[..]);
            }
        }
        let of: Vec<&[u8]> = self.envelopes.iter().map(|(id, ..)| &id.as_bytes()[..]).collect();
        let at: Vec<i64> = self.envelopes.iter().map(|(_, revision, _)| whole(*revision)).collect();
        let envelopes: Vec<&[u8]> = self.envelopes.iter().map(|(.., bytes)| &bytes[..]).collect();
        let counts = [fence.shards.len(), ids.len(), shown.len(), of.len()].map(|count| count as i64);
        session.whole(
            &STATEMENT,
            &[
                &fence.shards,
                &fence.epochs,
                &ids,
                &old_revisions,
                &revisions,
                &hashes,
                &statuses,
                &open_seats,
                &lengths,
                &overview_hashes,
                &checksums,
                &shown,
                &overviews,
                &of,
                &at,
                &envelopes,
                &counts[0],
                &counts[1],
                &counts[2],
                &counts[3],
            ],
        )
    }
}
