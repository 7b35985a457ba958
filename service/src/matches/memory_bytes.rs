//! The bytes that a match has in memory: an estimate, made without walking through what grows with the match. A test holds it
//! against what is allocated (`service/tests/memory`).

use edgehill_engine::registry::AnyTable;
use edgehill_engine::table::LogEntry;

use super::closed::ClosedMatch;
use super::course::Course;
use super::live::LiveMatch;

/// Bytes of a table beside itself and its states: what each observer was notified of last, drafts, and the lists in its state.
const TABLE_BYTES: usize = 9_216;

/// Bytes on the heap of an entry of a table's log: the actions of a commit, or an outcome.
const LOG_ENTRY_BYTES: usize = 32;

/// Bytes of a described position in memory for each that it has as text: it is kept as text, and parsed.
const POSITION_FACTOR: usize = 12;

impl LiveMatch {
    /// Returns about how many bytes it has in memory.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let table = self.table().map_or(0, table_bytes);
        size_of::<Self>()
            + self.course().memory_bytes()
            + table
            + size_of_val(&*self.adjournments)
            + self.answered.memory_bytes()
            + self.published().memory_bytes()
    }
}

impl ClosedMatch {
    /// Returns about how many bytes it has in memory.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let starts = self.starts().iter().map(|view| size_of_val(view) + view.len()).sum::<usize>();
        size_of::<Self>()
            + self.course().memory_bytes()
            + self.published().memory_bytes()
            + self.answered.memory_bytes()
            + starts
            + self.kept_record().map_or(0, str::len)
    }
}

impl Course {
    fn memory_bytes(&self) -> usize {
        let header = self.header();
        let position = header.position.as_ref().map_or(0, String::len) * POSITION_FACTOR;
        let options: usize = header.options.iter().map(|(id, value)| 64 + id.len() + value.len()).sum();
        let seats: usize = self.seats().iter().map(size_of_val).sum();
        let entropies = self.entropies_kept() * 32;
        let grown: usize = self.grown().iter().map(|grown| size_of_val(grown) + 64).sum();
        let left: usize = self.left().iter().map(|left| size_of_val(left) + 64).sum();
        let acts: usize = self.referee_acts().iter().map(|act| size_of_val(act) + 256).sum();
        1_024 + position + options + seats + entropies + grown + left + acts
    }
}

fn table_bytes(table: &dyn AnyTable) -> usize {
    let states = table.state_bytes();
    size_of_val(table)
        + states
        + TABLE_BYTES
        + table.log().len() * (2 * size_of::<LogEntry>() + LOG_ENTRY_BYTES)
}
