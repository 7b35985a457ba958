//! Explicit flow: a stack of typed frames and a first-in-first-out agenda, both without allocation; the declaration of frames
//! ([`frames!`](crate::frames)).
//!
//! Invariant: the innermost frame is the last one, and only it decides what the node is.

mod declaration;
mod dispatch;

use std::fmt::Debug;

use arrayvec::ArrayVec;

use crate::codec::{Coding, DecodeError, Reader, Writer};

pub use declaration::{Count, FieldBytes, FrameField, Own, Reached, Seats, Side, Stage, Untold};

/// A frame that has a name.
pub trait NamedFrame {
    /// The name of the procedure, as views tell it.
    fn name(&self) -> &'static str;
}

/// A stack of frames, innermost last; `N` is the greatest depth that the game's rules can reach. It is no part of the encoding.
///
/// A game reckons `N` where it declares its frames: as the length of the deepest path, by the names of the procedures on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frames<F, const N: usize>(ArrayVec<F, N>);

impl<F, const N: usize> Default for Frames<F, N> {
    fn default() -> Self {
        Self(ArrayVec::new())
    }
}

impl<F: NamedFrame, const N: usize> Frames<F, N> {
    /// Opens a procedure inside the present one.
    ///
    /// # Panics
    /// If the flow is deeper than the game declared: a fault of its rules, which random play finds. The message names the frame, its
    /// depth, and the frames that it would lie in.
    pub fn open(&mut self, frame: F) {
        if let Err(refused) = self.0.try_push(frame) {
            let path: Vec<&str> = self.iter().map(NamedFrame::name).collect();
            let (name, depth, path) = (refused.element().name(), N + 1, path.join(" > "));
            panic!(
                "the frame `{name}` at depth {depth} is deeper than the {N} that are declared: it would lie in {path}"
            );
        }
    }
}

impl<F, const N: usize> Frames<F, N> {
    /// Closes the innermost procedure and hands it back.
    pub fn close(&mut self) -> Option<F> {
        self.0.pop()
    }

    /// The innermost procedure.
    #[must_use]
    pub fn top(&self) -> Option<&F> {
        self.0.last()
    }

    /// The innermost procedure, to advance it.
    pub fn top_mut(&mut self) -> Option<&mut F> {
        self.0.last_mut()
    }

    /// From the outermost to the innermost.
    pub fn iter(&self) -> std::slice::Iter<'_, F> {
        self.0.iter()
    }

    /// From the outermost to the innermost, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, F> {
        self.0.iter_mut()
    }

    /// Returns the number of procedures under way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether nothing is under way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Abandons all procedures, as a sudden victory does.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// Procedures that are owed, oldest first; `N` is the most that can be owed at once, and no part of the encoding. A game reckons it where
/// it declares its state, from the rules that it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agenda<T, const N: usize>(ArrayVec<T, N>);

impl<T, const N: usize> Default for Agenda<T, N> {
    fn default() -> Self {
        Self(ArrayVec::new())
    }
}

impl<T: Debug, const N: usize> Agenda<T, N> {
    /// Notes one more procedure, behind those owed already.
    ///
    /// # Panics
    /// If more is owed than the game declared: a fault of its rules, which random play finds. The message shows the item, and those
    /// before it.
    pub fn owe(&mut self, item: T) {
        if let Err(refused) = self.0.try_push(item) {
            let (item, count) = (refused.element(), N + 1);
            panic!("{item:?} is number {count} that is owed, of {N} that are declared, behind {:?}", self.0);
        }
    }
}

impl<T, const N: usize> Agenda<T, N> {
    /// Takes the oldest.
    pub fn take(&mut self) -> Option<T> {
        if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
    }

    /// The oldest.
    #[must_use]
    pub fn next(&self) -> Option<&T> {
        self.0.first()
    }

    /// The oldest, to advance it.
    pub fn next_mut(&mut self) -> Option<&mut T> {
        self.0.first_mut()
    }

    /// Oldest first.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Returns the number of entitlements that are owed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether nothing is owed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Values of a kind one after the other: their number, then each.
fn decode_list<C, K: Coding<C>, const N: usize>(
    content: &C,
    from: &mut Reader<'_>,
) -> Result<ArrayVec<K::Value, N>, DecodeError> {
    Ok(from.list(N, |from| K::decode(content, from))?.into_iter().collect())
}

impl<C, K: Coding<C>, const N: usize> Coding<C> for Frames<K, N> {
    type Value = Frames<K::Value, N>;

    fn encode(value: &Self::Value, to: &mut Writer) {
        to.list(&value.0, |to, frame| K::encode(frame, to));
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        decode_list::<C, K, N>(content, from).map(Frames)
    }
}

impl<C, K: Coding<C>, const N: usize> Coding<C> for Agenda<K, N> {
    type Value = Agenda<K::Value, N>;

    fn encode(value: &Self::Value, to: &mut Writer) {
        to.list(&value.0, |to, item| K::encode(item, to));
    }

    fn decode(content: &C, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        decode_list::<C, K, N>(content, from).map(Agenda)
    }
}
