//! Law `folding`: the events published to an observer make their view ([`FoldedViews`]). On the way everything that is said to them is
//! looked at for law `phrases`.

use crate::game::Game;
use crate::seat::Observer;
use crate::table::Table;
use crate::view::View;

use super::failure::same_view;
use super::phrases::{event_has_words, view_has_words};
use super::{Law, LawResult, Laws};

/// Each observer's first view with all events that were published to them folded over it.
#[derive(Clone, Debug)]
pub struct FoldedViews(Vec<FoldedView>);

#[derive(Clone, Debug)]
struct FoldedView {
    observer: Observer,
    view: View,
    published: usize,
}

impl FoldedViews {
    /// The first views of `start`, before anything was published.
    #[must_use]
    pub fn at<G: Game>(game: &G, start: &G::State, seats: usize) -> Self {
        let folded = |observer| FoldedView { observer, view: game.view(start, observer), published: 0 };
        Self(Observer::all(seats).map(folded).collect())
    }

    /// Folds what was published since and compares with what each observer sees.
    ///
    /// # Errors
    /// If a folded view differs, or something is shown that the catalogue has no words for.
    pub fn follow<G: Game>(&mut self, table: &Table<G>, laws: Laws) -> LawResult {
        for folded in &mut self.0 {
            let news = table.published(folded.observer, folded.published);
            folded.published += news.len();
            for seen in news {
                seen.form.changes.iter().for_each(|change| folded.view.fold(change));
            }
            let view = table.view(folded.observer);
            if laws.contains(Law::Folding) {
                let what = "the events folded over the first view (-) do not give the view (+)";
                same_view(Law::Folding, what, table.game().catalogue(), &folded.view, &view)?;
            }
            if laws.contains(Law::Phrases) {
                let catalogue = table.game().catalogue();
                news.iter().try_for_each(|seen| event_has_words(catalogue, folded.observer, seen))?;
                view_has_words(catalogue, &view)?;
            }
        }
        Ok(())
    }
}
