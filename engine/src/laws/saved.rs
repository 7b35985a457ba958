//! Laws `codec` and `saved`: a state is its encoding, and a restored match goes on as the saved one.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use crate::codec::{DecodeError, Reader};
use crate::game::Game;
use crate::seat::{Observer, Seat};
use crate::table::{Saved, Table};

use super::failure::{broken, ensure, same};
use super::segment::pick;
use super::{Law, LawResult};

/// Number of cut encodings, and of altered ones, that are tried.
const SPOILT: usize = 16;

/// A state decodes from its encoding; cut or altered, the encoding is refused or is that of another state.
///
/// # Errors
/// If it does not, or bytes that no state encodes to are accepted.
pub fn codec<G: Game>(game: &G, state: &G::State, rng: &mut ChaCha8Rng) -> LawResult {
    let bytes = game.encoded(state);
    match decoded(game, &bytes) {
        Err(error) => {
            return broken(Law::Codec, format!("a state's encoding can't be read: {error}\n{state:#?}"));
        }
        Ok(back) => {
            same(Law::Codec, None, "decoding the encoding of a state gives another one", state, &back)?;
            same(Law::Codec, None, "encoding twice gives different bytes", &bytes, &game.encoded(&back))?;
        }
    }
    for _ in 0..SPOILT.min(bytes.len()) {
        let cut = &bytes[..pick(bytes.len(), rng)];
        ensure(decoded(game, cut).is_err(), Law::Codec, || {
            format!("the first {} of {} bytes are accepted", cut.len(), bytes.len())
        })?;
        let mut altered = bytes.clone();
        let (at, bit) = (pick(bytes.len(), rng), pick(8, rng));
        altered[at] ^= 1 << bit;
        if let Ok(other) = decoded(game, &altered) {
            same(
                Law::Codec,
                None,
                &format!("bit {bit} of byte {at} is not part of any state's encoding, and is accepted"),
                &altered,
                &game.encoded(&other),
            )?;
        }
    }
    Ok(())
}

fn decoded<G: Game>(game: &G, bytes: &[u8]) -> Result<G::State, DecodeError> {
    let mut from = Reader::new(bytes);
    let state = game.decode(&mut from)?;
    from.finish()?;
    Ok(state)
}

/// A saved match restores to an equal one; cut short, it is refused. The restored match is returned, to go on beside it.
///
/// # Errors
/// If it does not restore, or differs in anything that can be asked.
pub fn saved<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> Result<Table<G>, Box<super::Breach>> {
    let bytes = table.save();
    let restored = match Table::restore(Arc::clone(table.game()), &bytes, table.chance_source().clone()) {
        Ok(restored) => restored,
        Err(error) => return broken(Law::Saved, format!("a saved match can't be restored: {error}")),
    };
    equal(table, &restored)?;
    for _ in 0..SPOILT {
        let cut = Saved(bytes.0[..pick(bytes.0.len(), rng)].to_vec());
        let read = Table::restore(Arc::clone(table.game()), &cut, table.chance_source().clone());
        ensure(read.is_err(), Law::Saved, || {
            format!("the first {} of {} bytes of a saved match are accepted", cut.0.len(), bytes.0.len())
        })?;
    }
    Ok(restored)
}

/// Two matches can't be told apart by anything that can be asked, what was published before set aside.
pub(super) fn equal<G: Game>(left: &Table<G>, right: &Table<G>) -> LawResult {
    let law = Law::Saved;
    same(law, None, "the restored state differs", left.state(), right.state())?;
    same(law, None, "the restored released state differs", left.released(), right.released())?;
    same(law, None, "the restored node differs", &left.node(), &right.node())?;
    same(law, None, "the restored ending differs", &left.result(), &right.result())?;
    same(law, None, "the restored log differs", left.log(), right.log())?;
    same(law, None, "the restored offers differ", &left.offers(), &right.offers())?;
    for observer in Observer::all(left.seats()) {
        let views = (left.view(observer), right.view(observer));
        same(law, Some(observer), "the restored view differs", &views.0, &views.1)?;
    }
    for index in 0..left.seats() {
        let seat = Seat::new(index as u8);
        same(law, None, "the restored list differs", &left.legal(seat), &right.legal(seat))?;
        same(law, None, "the restored draft differs", left.draft(seat), right.draft(seat))?;
        same(law, None, "what was committed differs", &left.committed(seat), &right.committed(seat))?;
        same(law, None, "the standing passes differ", left.standing(seat), right.standing(seat))?;
    }
    ensure(left.save() == right.save(), law, || "saving the restored match gives other bytes".to_owned())
}
