//! A view kept current by what is published ([`FollowedView`]).

use crate::game::Game;
use crate::seat::Observer;
use crate::view::View;

use super::Table;

/// The view that an observer has of a match, kept by folding over it what is published to them: for bots and others that look at every
/// action, where [`Table::view`] would draw everything anew.
#[derive(Clone, Debug)]
pub struct FollowedView {
    view: View,
    published: usize,
}

impl FollowedView {
    /// The view, as it was when it was brought up to date last.
    #[must_use]
    pub const fn view(&self) -> &View {
        &self.view
    }
}

impl<G: Game> Table<G> {
    /// The view of `observer`, to be followed from now on.
    #[must_use]
    pub fn followed(&self, observer: Observer) -> FollowedView {
        FollowedView { view: self.view(observer), published: self.published_count(observer) }
    }

    /// Brings a view of this match up to date. If what it lacks was forgotten, it is drawn anew.
    pub fn follow(&self, followed: &mut FollowedView) {
        let observer = followed.view.observer;
        let news = self.published(observer, followed.published);
        if followed.published + news.len() != self.published_count(observer) {
            *followed = self.followed(observer);
            return;
        }
        for seen in news {
            seen.form.changes.iter().for_each(|change| followed.view.fold(change));
        }
        followed.published += news.len();
    }
}
