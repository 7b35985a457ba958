//! What each observer heard: a dense sequence of its own, from which nothing about the others' drafts can be told.

use std::sync::Arc;

use crate::event::{Event, Form, Stamp};
use crate::game::{CONTRACT, Game};
use crate::ledger::Rule;
use crate::seat::{Observer, Seat, SeatSet};
use crate::step::StepId;
use crate::view::{Added, Calls, Change, Changes, Head, KnownAmong, StandingPass, View};

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
    /// What the observer heard; shared with the others who heard the same.
    pub form: Arc<Form>,
}

/// The parts of a view that the driver compares, as an observer was last told them.
#[derive(Clone, Debug)]
struct Told {
    known: Vec<KnownAmong>,
    draft: Vec<StepId>,
    calls: Calls,
    head: Arc<Head>,
}

/// The parts of a view that the driver compares, as they are now.
struct Now<'a> {
    known: Vec<KnownAmong>,
    draft: &'a [StepId],
    draw_offers: SeatSet,
    standing: &'a [StandingPass],
    undoable: usize,
    head: Head,
}

impl Told {
    /// Notes what is so `now`, and adds how that differs to `changes`.
    fn note(&mut self, now: Now<'_>, changes: &mut Changes) {
        if self.known != now.known {
            self.known.clone_from(&now.known);
            changes.push(Change::Known(now.known));
        }
        let keep = self.draft.iter().zip(now.draft).take_while(|(before, now)| before == now).count();
        let add = &now.draft[keep..];
        if keep < self.draft.len() || !add.is_empty() {
            self.draft.truncate(keep);
            self.draft.extend_from_slice(add);
            changes.push(Change::Draft { keep, add: Added::from_slice(add) });
        }
        let Calls { draw_offers, standing, undoable } = &self.calls;
        if (*draw_offers, &standing[..], *undoable) != (now.draw_offers, now.standing, now.undoable) {
            let standing = now.standing.to_vec();
            self.calls = Calls { draw_offers: now.draw_offers, standing, undoable: now.undoable };
            changes.push(Change::Calls(self.calls.clone()));
        }
        if *self.head != now.head {
            // Once nobody else keeps the last head, its memory is good for the next.
            match Arc::get_mut(&mut self.head) {
                Some(head) => *head = now.head,
                None => self.head = Arc::new(now.head),
            }
            changes.push(Change::Head(Arc::clone(&self.head)));
        }
    }
}

/// The sequences of all observers, and what they were last told.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    heard: Vec<Vec<Seen>>,
    /// Sequence number of the first kept event: more than 0 after a restore.
    first: Vec<usize>,
    /// Where the present call's events start.
    mark: Vec<usize>,
    /// By observer, once the match has begun.
    told: Vec<Option<Told>>,
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

    /// Tells an observer how his view differs from what he was last told: with the last event of this call, if there is one.
    fn tell_changes(&mut self, observer: usize, now: Now<'_>) {
        let Some(told) = &mut self.told[observer] else { return };
        let mut changes = Changes::new();
        told.note(now, &mut changes);
        if changes.is_empty() {
            return;
        }
        let heard = &mut self.heard[observer];
        if heard.len() > self.mark[observer]
            && let Some(last) = heard.last_mut()
        {
            let told = &mut Arc::make_mut(&mut last.form).changes;
            // Kept for as long as the match is in memory.
            told.reserve_exact(changes.len());
            changes.drain(..).for_each(|change| told.push(change));
            return;
        }
        let form = Arc::new(Form::new(&[], changes));
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
            let seen =
                Seen { code: event.code, rule: event.rule, stamp: event.stamp, form: Arc::clone(form) };
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
            let View { known, draft, calls, head, .. } = self.view_but_board(observer);
            self.streams.told[observer.index(self.seats)] = Some(Told { known, draft, calls, head });
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
        let state = self.seen_by(observer);
        let (known, head) = (self.game.known(state, observer), self.head_of(state, observer));
        let (line, standing) = match observer {
            Observer::Seat(seat) => (self.lines.get(seat.index()), self.standing.get(seat.index())),
            Observer::Spectator => (None, None),
        };
        let standing = standing.map_or(&[][..], Vec::as_slice);
        let draft = line.map_or(&[][..], |line| &line.steps);
        let undoable = line.map_or(0, |line| if line.committed { 0 } else { line.steps.len() });
        let now = Now { known, draft, draw_offers: self.offers, standing, undoable, head };
        self.streams.tell_changes(observer.index(self.seats), now);
    }

    /// A draft was taken back: its seat hears how its view changes back.
    pub(super) fn tell_undo(&mut self, observer: Observer, before: &View) {
        let changes = before.board.changes_to(&self.view(observer).board);
        let form = Arc::new(Form::new(&[], changes.into()));
        let seen = Seen { code: "undo", rule: CONTRACT, stamp: None, form };
        self.streams.tell(observer.index(self.seats), seen);
    }
}
