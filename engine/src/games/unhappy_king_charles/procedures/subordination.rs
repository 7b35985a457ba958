//! Levels and limits of Generals, and who may be the Subordinate of whom (8.4, 9.5).

use super::super::content::brigades::Faction;
use super::super::content::ids::GeneralId;
use super::super::state::{Happened, State};
use super::super::{UnhappyKing, rules};

impl UnhappyKing {
    /// The level of a General, 1 being the highest: Rupert's rises when he is Lieutenant General (9.5, 6.6).
    #[must_use]
    pub(in super::super) fn level_of(&self, state: &State, general: GeneralId) -> u8 {
        if general == self.content.people.rupert && state.has(Happened::LIEUTENANT_GENERAL) {
            return self.content.numbers.promotion.level;
        }
        self.content.generals[general].level
    }

    /// The most Brigades of an Army under a General (8.4).
    #[must_use]
    pub(in super::super) fn limit_of(&self, state: &State, general: GeneralId) -> u8 {
        if general == self.content.people.rupert && state.has(Happened::LIEUTENANT_GENERAL) {
            return self.content.numbers.promotion.limit;
        }
        self.content.generals[general].limit
    }

    /// Returns whether a General may be the Subordinate of another: of a lower level, without rivalry, and no foreigner under a native (S2, S9, S10).
    #[must_use]
    pub(in super::super) fn may_serve(
        &self,
        state: &State,
        subordinate: GeneralId,
        commander: GeneralId,
    ) -> bool {
        let people = &self.content.people;
        let lower = self.level_of(state, subordinate) > self.level_of(state, commander);
        let rivals = subordinate == people.waller && commander == people.essex;
        let faction = self.content.generals[subordinate].faction;
        let at_home = faction != Faction::Lorrainer
            && (faction != Faction::Covenanter || self.content.generals[commander].faction == faction);
        rules::LEVELS.allows(lower)
            && rules::RIVALRY.allows(!rivals || state.has(Happened::JOINT_VENTURE))
            && rules::FOREIGN_COMMAND.allows(at_home)
    }
}
