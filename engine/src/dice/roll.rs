//! Rolls of equal dice.

use arrayvec::ArrayVec;

use super::{Error, KeyStream, Nonce, Seed};

/// Dice in one roll at most.
pub const DICE_MAX: usize = 128;
/// Sides of a die at least.
pub const SIDES_MIN: u16 = 2;
/// Sides of a die at most.
pub const SIDES_MAX: u16 = 256;

/// Faces that the dice of one roll show, each `1..=sides`, in the order in which the rules list the dice.
pub type Faces = ArrayVec<u16, DICE_MAX>;

/// Rolls `dice` dice of `sides` sides as the one event at `nonce`.
///
/// Each die takes the next bytes of the key stream until one is less than `256 - 256 % sides`, and shows
/// that byte `% sides + 1`. So a roll of fewer dice is the beginning of a roll of more at the same nonce.
///
/// # Errors
/// [`Error::DiceCount`] unless `dice` is in `1..=`[`DICE_MAX`], [`Error::DieSides`] unless `sides` is in
/// [`SIDES_MIN`]`..=`[`SIDES_MAX`].
pub fn roll(seed: &Seed, nonce: Nonce, dice: usize, sides: u16) -> Result<Faces, Error> {
    if !(1..=DICE_MAX).contains(&dice) {
        return Err(Error::DiceCount(dice));
    }
    if !(SIDES_MIN..=SIDES_MAX).contains(&sides) {
        return Err(Error::DieSides(sides));
    }
    let mut bytes = KeyStream::new(seed, nonce);
    Ok((0..dice).map(|_| die(&mut bytes, sides)).collect())
}

fn die(bytes: &mut KeyStream, sides: u16) -> u16 {
    loop {
        if let Some(face) = face(bytes.next_byte(), sides) {
            return face;
        }
    }
}

/// The face that a byte stands for, none if it is rejected.
const fn face(byte: u8, sides: u16) -> Option<u16> {
    let byte = byte as u16;
    if byte < 256 - 256 % sides { Some(byte % sides + 1) } else { None }
}
