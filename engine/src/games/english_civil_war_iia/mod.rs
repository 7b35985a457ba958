//! English Civil War IIa: a two-sided Diplomacy variant with stacks of armies, leaders and influence.
//!
//! Flow: a points/build season (`season.rs`), then movement months (`month.rs`), both carried out by the umpire
//! (`umpire.rs`) once the sides have committed what they write on their desks (`draft.rs`, `entry.rs`, `adjust.rs`). There is
//! no luck: every node is sealed. The adjudicator knows no map; the board comes from the content (`content.rs`, `realm.rs`).
//!
//! Rules are cited by their numbers in the game's ledger. Position format and actions: docs/games/english-civil-war-iia.md.

mod actions;
pub mod adjudicator;
mod adjust;
mod attributes;
mod boards;
pub mod bots;
mod catalogue;
mod charts;
mod codec;
mod codes;
mod content;
mod default_action;
mod draft;
mod economy;
mod entry;
mod game;
mod grounds;
mod line;
mod list;
mod month;
mod phrases;
mod position;
mod realm;
mod resample;
mod roles;
mod rules;
mod season;
mod side_drafts;
mod state;
mod texts;
mod turn_state;
mod umpire;
mod view;
mod warnings;

use crate::catalogue::Catalogue;
use crate::content::{ContentErrors, ContentFiles};
use crate::ledger::Ledger;

pub use actions::{Action, Actions};
pub use content::Numbers;
pub use realm::{County, Leader, PARLIAMENT, ROYALIST, Realm};
pub use state::State;

/// The game: its board and numbers, its action table, its catalogue.
#[derive(Clone, Debug)]
pub struct EnglishCivilWar {
    realm: Realm,
    numbers: Numbers,
    actions: Actions,
    catalogue: Catalogue,
}

impl EnglishCivilWar {
    /// The game's id.
    pub const ID: &str = "english-civil-war-iia";
    /// Index of the option `max_seasons` in the catalogue.
    pub const MAX_SEASONS: usize = 0;
    /// Index of the option `cut_all` in the catalogue.
    pub const CUT_ALL: usize = 1;

    /// The content that is compiled in.
    #[must_use]
    pub fn builtin() -> ContentFiles {
        content::builtin()
    }

    /// The game with this content.
    ///
    /// # Errors
    /// Every fault of the content.
    pub fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let (realm, numbers, printed) = content::load(files)?;
        let (table, actions) = Actions::build(&realm).map_err(content::action_table_error)?;
        let ledger = Ledger::load(files)?;
        let catalogue = catalogue::catalogue(&realm, &numbers, &printed, files.hash(), ledger, table);
        Ok(Self { realm, numbers, actions, catalogue })
    }

    /// The game with the content that is compiled in.
    ///
    /// # Panics
    /// Never: tests load that content.
    #[must_use]
    pub fn standard() -> Self {
        match Self::load(&Self::builtin()) {
            Ok(game) => game,
            Err(errors) => panic!("the built-in content is at fault:\n{errors}"),
        }
    }

    /// The board.
    #[must_use]
    pub const fn realm(&self) -> &Realm {
        &self.realm
    }

    /// The meaning of the action table.
    #[must_use]
    pub const fn actions(&self) -> &Actions {
        &self.actions
    }
}
