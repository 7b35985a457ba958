//! Draws from a bag without a shuffled pile that anyone could hold.

use super::encoding::Message;
use super::{Error, Seed};

const BAG_TAG: &str = "edgehill/bag/1";

/// Draws from the bag of `cards` and returns the index of the card that is drawn.
///
/// Each card has a rank, the first 16 bytes of `SHA-256("edgehill/bag/1" || seed || le32 stream ||
/// le32 epoch || le32 card)` read as a big-endian number, and the least is drawn; of equal ranks, the lower
/// card. The rank of a card does not depend on the others, so an epoch has one order of all its cards,
/// whatever was taken out and when: both games of a mirrored pair see it. The order of `cards` is of no
/// consequence, and a draw counts no `n`.
///
/// **Within an epoch a bag only shrinks.** The caller takes a drawn card out, and begins the next epoch
/// (from 0, in actions of 1) whenever a card comes in, be it returned or new. A card that came in without would
/// meet only the high ranks that earlier draws have left, and be drawn too soon.
///
/// **Tokens.** A bag may hold tokens that each stand for one card of a second bag. A token is a number of the
/// first bag that no card of it has; if it is the one drawn, a draw from the second bag completes the same
/// event. The second bag has a stream of its own, or numbers that the first does not use. While a bag holds two or more
/// tokens, each draw from it has an epoch that no other draw has ([`Bag`](crate::chance::Bag) says why).
///
/// ```
/// use edgehill_engine::dice::{Seed, bag};
///
/// let (mid, alternate) = ([31, 32, 33, 1000, 1001], [61, 62, 63]); // two tokens among the Mid cards
/// let seed = Seed::from_bytes([7; 32]);
/// let mut drawn = mid[bag(&seed, 0, 0, &mid)?];
/// if drawn >= 1000 {
///     drawn = alternate[bag(&seed, 1, 0, &alternate)?];
/// }
/// assert!((31..=33).contains(&drawn) || (61..=63).contains(&drawn));
/// # Ok::<(), edgehill_engine::dice::Error>(())
/// ```
///
/// # Errors
/// [`Error::BagEmpty`], [`Error::BagRepeats`].
pub fn bag(seed: &Seed, stream: u32, epoch: u32, cards: &[u16]) -> Result<usize, Error> {
    refuse_repeats(cards)?;
    let turn_state = Message::new(BAG_TAG).bytes32(seed.as_bytes()).le32(stream).le32(epoch);
    let ranked = cards.iter().enumerate().map(|(index, &card)| (rank(&turn_state, card), card, index));
    ranked.min().map(|(_, _, index)| index).ok_or(Error::BagEmpty)
}

/// The rank of a card, `head` being the message up to it.
fn rank(turn_state: &Message, card: u16) -> u128 {
    let digest = turn_state.clone().le32(u32::from(card)).digest();
    u128::from_be_bytes(std::array::from_fn(|i| digest[i]))
}

fn refuse_repeats(cards: &[u16]) -> Result<(), Error> {
    let mut seen = [0_u64; 1 << 10];
    for &card in cards {
        let (word, bit) = (&mut seen[usize::from(card >> 6)], 1 << (card & 63));
        if *word & bit != 0 {
            return Err(Error::BagRepeats(card));
        }
        *word |= bit;
    }
    Ok(())
}
