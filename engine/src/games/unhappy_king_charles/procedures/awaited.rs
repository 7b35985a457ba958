//! Methods of other chapters, until they are merged.
use super::super::UnhappyKing;
use super::super::content::ids::{CardId, GeneralId};
use super::super::state::State;
use crate::vocabulary::*;
impl UnhappyKing {
    pub(in super::super) fn muster_covenanters(&self, _: &mut State, _: GeneralId) {}
    pub(in super::super) fn play_response(&self, _: &mut State, _: Seat, _: CardId, _: &mut Events) {}
    pub(in super::super) fn response_modifier(&self, _: CardId) -> u8 {
        0
    }
}
