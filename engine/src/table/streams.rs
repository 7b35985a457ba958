//! What each observer heard: a dense sequence of its own, from which nothing about the others' drafts can be told.

use crate::event::{Event, Form, Stamp};
use crate::game::{CONTRACT, Game};
use crate::ledger::Rule;
use crate::seat::{Observer, Seat};
use crate::view::{Change, View};

use super::Table;

/// An event as one observer heard it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Key of its template.
    pub code: &'static str,
    /// The rule that made it.
    pub rule: Rule,
    /// The draw that it rests on.
    pub stamp: Option<Stamp>,
    /// What the observer heard.
    pub form: Form,
}

/// The sequences of all observers, and the last view's parts that the driver compares.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    heard: Vec<Vec<Seen>>,
    /// Sequence number of the first kept event: more than 0 after a restore.
    first: Vec<usize>,
    /// Where the present call's events start.
    mark: Vec<usize>,
    /// Each observer's view as last told; its board is kept empty.
    told: Vec<Option<View>>,
}

impl Streams {
    pub(super) fn new(seats: usize) -> Self {
        let observers = seats + 1;
        Self {
            heard: vec![Vec::new(); observers],
            first: vec![0; observers],
            mark: vec![0; observers],
            told: vec![None; observers],
        }
    }

    /// The same counts, with nothing heard yet.
    pub(super) fn branch(&self) -> Self {
        let observers = self.heard.len();
        Self {
            heard: vec![Vec::new(); observers],
            first: self.lengths(),
            mark: vec![0; observers],
            told: self.told.clone(),
        }
    }

    pub(super) fn since(&self, observer: usize, from: usize) -> &[Seen] {
        let start = from.saturating_sub(self.first[observer]).min(self.heard[observer].len());
        &self.heard[observer][start..]
    }

    pub(super) fn lengths(&self) -> Vec<usize> {
        (0..self.heard.len()).map(|observer| self.length(observer)).collect()
    }

    pub(super) fn length(&self, observer: usize) -> usize {
        self.heard[observer].len() + self.first[observer]
    }

    pub(super) fn go_on_from(&mut self, lengths: &[usize]) {
        self.first.copy_from_slice(lengths);
    }

    /// Starts a call: heads that change in it go with the last event that it makes for an observer.
    pub(super) fn begin(&mut self) {
        for (mark, heard) in self.mark.iter_mut().zip(&self.heard) {
            *mark = heard.len();
        }
    }

    pub(super) fn tell(&mut self, observer: usize, seen: Seen) {
        self.heard[observer].push(seen);
    }

    /// Lets what was heard so far go; the counts go on.
    pub(super) fn forget(&mut self) {
        for (first, heard) in self.first.iter_mut().zip(&mut self.heard) {
            *first += heard.len();
            heard.clear();
        }
        self.begin();
    }

    fn tell_change(&mut self, observer: usize, changes: Vec<Change>) {
        let heard = &mut self.heard[observer];
        if heard.len() > self.mark[observer]
            && let Some(last) = heard.last_mut()
        {
            // Kept for as long as the match is in memory.
            last.form.changes.reserve_exact(changes.len());
            last.form.changes.extend(changes);
            return;
        }
        let form = Form { refs: Vec::new(), changes };
        heard.push(Seen { code: "prompt", rule: CONTRACT, stamp: None, form });
    }
}

impl<G: Game> Table<G> {
    /// Tells `event` to everybody who hears of it.
    pub(super) fn tell_all(&mut self, event: &Event) {
        for observer in Observer::all(self.seats) {
            self.tell(observer, event);
        }
    }

    /// Tells `event` to `observer`, if he hears of it.
    pub(super) fn tell(&mut self, observer: Observer, event: &Event) {
        if let Some(form) = event.form(observer) {
            let seen = Seen { code: event.code, rule: event.rule, stamp: event.stamp, form: form.clone() };
            self.streams.tell(observer.index(self.seats), seen);
        }
    }

    /// Tells `event` to `observer`, if he hears of it and nobody else will.
    pub(super) fn tell_only(&mut self, observer: Observer, event: Event) {
        let Event { code, rule, stamp, .. } = event;
        if let Some(form) = event.into_form(observer) {
            self.streams.tell(observer.index(self.seats), Seen { code, rule, stamp, form });
        }
    }

    /// Remembers what each observer sees at the start.
    pub(super) fn meet(&mut self) {
        for observer in Observer::all(self.seats) {
            let view = self.view_but_board(observer);
            self.streams.told[observer.index(self.seats)] = Some(view);
        }
    }

    /// Ends a call: tells each observer how heads and knowledge changed.
    pub(super) fn settle(&mut self) {
        for observer in Observer::all(self.seats) {
            self.settle_for(observer);
        }
    }

    /// Ends a call that changed nothing but `seat`'s draft. No other view differs then: a game that lets one differ breaks the
    /// law that events folded over a view give the next one.
    pub(super) fn settle_draft(&mut self, seat: Seat) {
        self.settle_for(Observer::Seat(seat));
    }

    fn settle_for(&mut self, observer: Observer) {
        let index = observer.index(self.seats);
        let view = self.view_but_board(observer);
        let changes =
            self.streams.told[index].as_ref().map(|told| told.changes_to(&view)).unwrap_or_default();
        if !changes.is_empty() {
            self.streams.tell_change(index, changes);
            self.streams.told[index] = Some(view);
        }
    }

    /// A draft was taken back: its seat hears how its view changes back.
    pub(super) fn tell_undo(&mut self, observer: Observer, before: &View) {
        let changes = before.board.changes_to(&self.view(observer).board);
        let form = Form { refs: Vec::new(), changes };
        let seen = Seen { code: "undo", rule: CONTRACT, stamp: None, form };
        self.streams.tell(observer.index(self.seats), seen);
    }
}
