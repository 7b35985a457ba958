//! A short list without allocation whose copy is a plain copy of memory ([`List`]).
//!
//! Invariant: places behind the last item hold the filler, so that equal lists are equal values.

use std::ops::{Deref, DerefMut};

/// At most `N` items; the type's default fills what is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct List<T, const N: usize> {
    len: u8,
    items: [T; N],
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    fn default() -> Self {
        Self { len: 0, items: [T::default(); N] }
    }
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Returns whether another item has room.
    pub(in super::super) const fn has_room(&self) -> bool {
        (self.len as usize) < N
    }

    /// Puts `item` at `at` and moves the later ones up.
    ///
    /// # Panics
    /// If the list is full: a fault of the rules, whose bounds size the lists.
    pub(in super::super) fn insert(&mut self, at: usize, item: T) {
        let len = usize::from(self.len);
        assert!(self.has_room(), "more than {N} items");
        self.items.copy_within(at..len, at + 1);
        self.items[at] = item;
        self.len += 1;
    }

    /// Puts `item` behind the others; as [`List::insert`].
    pub(in super::super) fn push(&mut self, item: T) {
        self.insert(usize::from(self.len), item);
    }
}

impl<T: PartialEq, const N: usize> List<T, N> {
    /// Returns what this list has beyond `before`, if that is at most one item, and the rest is the same in
    /// the same order.
    pub(in super::super) fn added_to(&self, before: &Self) -> Option<Option<&T>> {
        let same = self.iter().zip(before.iter()).take_while(|(now, before)| now == before).count();
        match self.len.checked_sub(before.len)? {
            0 if same == self.len() => Some(None),
            1 if self[same + 1..] == before[same..] => Some(Some(&self[same])),
            _ => None,
        }
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.len)]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.len)]
    }
}
