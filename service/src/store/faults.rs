//! The point where a test makes a store fail or wait: [`Faults`].

use std::fmt::Debug;

/// A moment in the life of a batch of appends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Moment {
    /// It was taken from the queue; nothing is written yet.
    Begin {
        /// Number of its operations.
        operations: usize,
    },
    /// All of it is written, nothing is durable yet.
    Commit {
        /// Number of its operations.
        operations: usize,
    },
}

/// Decides what goes wrong. It runs on the thread that writes, which waits for it.
pub trait Faults: Debug + Send + Sync {
    /// Lets the batch go on, or fails it.
    ///
    /// # Errors
    /// The words for the disk's fault; the batch is dropped.
    fn at(&self, moment: Moment) -> Result<(), String>;
}

/// Nothing goes wrong.
#[derive(Copy, Clone, Default, Debug)]
pub struct NoFaults;

impl Faults for NoFaults {
    fn at(&self, _: Moment) -> Result<(), String> {
        Ok(())
    }
}
