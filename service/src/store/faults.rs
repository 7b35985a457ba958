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

/// A moment in the rotation of the server's key ([`crate::rotation`]), in the order in which they come.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RotationMoment {
    /// The store's copy is made, and empty.
    CopyMade,
    /// It holds all that the store does.
    CopyFilled,
    /// It was looked through, and is on the disk.
    CopyChecked,
    /// The new key is on the disk, beside the key's file.
    KeyWritten,
    /// It has taken the place of the key's file.
    KeyInPlace,
    /// The copy has taken the store's place.
    StoreInPlace,
}

impl RotationMoment {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::CopyMade,
        Self::CopyFilled,
        Self::CopyChecked,
        Self::KeyWritten,
        Self::KeyInPlace,
        Self::StoreInPlace,
    ];
}

/// Decides what goes wrong. It runs on the thread that writes, which waits for it.
pub trait Faults: Debug + Send + Sync {
    /// Lets the batch go on, or fails it.
    ///
    /// # Errors
    /// The words for the disk's fault; the batch is dropped.
    fn at(&self, moment: Moment) -> Result<(), String>;

    /// Lets the rotation of the server's key go on, or ends it.
    ///
    /// # Errors
    /// The words for the fault; the rotation ends with them.
    fn at_rotation(&self, _: RotationMoment) -> Result<(), String> {
        Ok(())
    }
}

/// Nothing goes wrong.
#[derive(Copy, Clone, Default, Debug)]
pub struct NoFaults;

impl Faults for NoFaults {
    fn at(&self, _: Moment) -> Result<(), String> {
        Ok(())
    }
}
