//! The canonical encoding: fixed-width little-endian fields, written by hand by each game.
//!
//! Invariant: equal states encode equally and different ones differently; digests rest on it, so a change of a game's
//! encoding is a new rules version.

use thiserror::Error;

mod coding;

pub use coding::{Coding, Flagged};

/// Collects an encoding.
#[derive(Clone, Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// An empty encoding.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty encoding with room for so many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    /// A flag, as 0 or 1.
    pub fn bool(&mut self, value: bool) {
        self.0.push(u8::from(value));
    }

    /// Two bytes.
    pub fn u16(&mut self, value: u16) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Sixteen bytes: a set of up to 128.
    pub fn u128(&mut self, value: u128) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Four bytes, two's complement.
    pub fn i32(&mut self, value: i32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// A length of at most 65,535, then the items.
    pub fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.u16(items.len() as u16);
        for item in items {
            write(self, item);
        }
    }

    /// A flag, then the value if there is one.
    pub fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.bool(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// Bytes whose number is known.
    pub fn array<const N: usize>(&mut self, bytes: &[u8; N]) {
        self.0.extend_from_slice(bytes);
    }

    /// A length, then the bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u32(bytes.len() as u32);
        self.0.extend_from_slice(bytes);
    }

    /// The number of bytes that it has by now.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// The encoding.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// The error of bytes that are not the encoding of a state.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("not an encoded state: {expected} expected at byte {at}")]
pub struct DecodeError {
    /// Offset of the byte at which reading stopped.
    pub at: usize,
    /// The item that should have stood there.
    pub expected: &'static str,
}

/// Reads an encoding back.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Over all of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Offset of the next byte.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    fn take<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], DecodeError> {
        let error = DecodeError { at: self.at, expected };
        let field = self.bytes.get(self.at..self.at + N).ok_or(error)?;
        self.at += N;
        Ok(field.try_into().unwrap_or([0; N]))
    }

    /// An error at the present place: what a game returns for a value out of its bounds.
    #[must_use]
    pub const fn error(&self, expected: &'static str) -> DecodeError {
        DecodeError { at: self.at, expected }
    }

    /// One byte.
    ///
    /// # Errors
    /// At the end of the bytes; so all readers below.
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take::<1>("a byte")?[0])
    }

    /// One byte below `bound`.
    ///
    /// # Errors
    /// If it is not below `bound`.
    pub fn below(&mut self, bound: u8, expected: &'static str) -> Result<u8, DecodeError> {
        let error = self.error(expected);
        let value = self.u8()?;
        if value < bound { Ok(value) } else { Err(error) }
    }

    /// A flag.
    ///
    /// # Errors
    /// If it is neither 0 nor 1.
    pub fn bool(&mut self) -> Result<bool, DecodeError> {
        Ok(self.below(2, "a flag")? == 1)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// At the end of the bytes.
    pub fn u16(&mut self) -> Result<u16, DecodeError> {
        Ok(u16::from_le_bytes(self.take("two bytes")?))
    }

    /// Four bytes.
    ///
    /// # Errors
    /// At the end of the bytes.
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(u32::from_le_bytes(self.take("four bytes")?))
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// At the end of the bytes.
    pub fn u64(&mut self) -> Result<u64, DecodeError> {
        Ok(u64::from_le_bytes(self.take("eight bytes")?))
    }

    /// Sixteen bytes.
    ///
    /// # Errors
    /// At the end of the bytes.
    pub fn u128(&mut self) -> Result<u128, DecodeError> {
        Ok(u128::from_le_bytes(self.take("sixteen bytes")?))
    }

    /// Four bytes, two's complement.
    ///
    /// # Errors
    /// At the end of the bytes.
    pub fn i32(&mut self) -> Result<i32, DecodeError> {
        Ok(i32::from_le_bytes(self.take("four bytes")?))
    }

    /// A list of at most `max` items.
    ///
    /// # Errors
    /// If it is longer, or an item can't be read.
    pub fn list<T>(
        &mut self,
        max: usize,
        mut read: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let error = self.error("a shorter list");
        let len = usize::from(self.u16()?);
        if len > max {
            return Err(error);
        }
        (0..len).map(|_| read(self)).collect()
    }

    /// A value, if there is one.
    ///
    /// # Errors
    /// If the flag or the value can't be read.
    pub fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, DecodeError> {
        if self.bool()? { read(self).map(Some) } else { Ok(None) }
    }

    /// A length, then as many bytes.
    ///
    /// # Errors
    /// At the end of the bytes.
    pub fn bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let len = self.u32()? as usize;
        let error = self.error("as many bytes as the length says");
        let bytes = self.at.checked_add(len).and_then(|end| self.bytes.get(self.at..end)).ok_or(error)?;
        self.at += len;
        Ok(bytes)
    }

    /// Nothing is left over.
    ///
    /// # Errors
    /// If bytes follow.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.error("the end")) }
    }
}
