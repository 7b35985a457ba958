//! Section 6.5, as far as it moves, fights and recruits: the Raising of the Standard, and the Army of the Solemn League and Covenant.

use super::atlas::{PARLIAMENT, ROYALIST};
use super::model::Model;
use super::recruit::Occasion;
use super::umpire::Play;
use super::world::{At, Post};

/// Brigades that come with Leven.
const LEVENS: [&str; 2] = ["covenanter-levens", "covenanter-veterans-levens"];

impl Model<'_, '_> {
    /// MC4: Parliament recruits one Brigade, if the card was theirs.
    pub(crate) fn standard(&mut self, side: usize) -> Play<()> {
        self.world.happened.insert("standard".to_owned());
        if side == PARLIAMENT { self.recruits(PARLIAMENT, Occasion::Standard, 1) } else { Ok(()) }
    }

    /// MC5 to MC7, MC11, B18: Leven enters and is Activated with an Army of any size; then the sets that were won are played; then the
    /// Royalist recruits two Brigades, if the card was theirs.
    pub(crate) fn solemn_league(&mut self, side: usize) -> Play<()> {
        let leven = self.world.atlas.general("leven");
        self.world.happened.insert("league".to_owned());
        for brigade in self.world.at(At::Away) {
            let face = &*self.world.atlas.faces[self.world.brigades[brigade].face].id;
            if LEVENS.contains(&face) {
                self.world.brigades[brigade].at = At::General(leven);
            }
        }
        self.world.posts[leven] = Post::Scotland;
        // MC27: without an Area to enter he waits for a later card.
        if !self.world.arrivals(leven).is_empty() {
            self.begin_activation(leven, None)?;
            self.activation()?;
        }
        self.play_sets()?;
        if side == ROYALIST { self.recruits(ROYALIST, Occasion::League, 2) } else { Ok(()) }
    }
}
