//! Events published to each observer: a dense sequence of its own, from which nothing about the others'
//! drafts can be published.

use std::sync::Arc;

use crate::action::ActionId;
use crate::event::{ChanceRef, Event, Form};
use crate::game::{CONTRACT, Game};
use crate::ledger::Rule;
use crate::seat::{Observer, Seat, SeatSet};
use crate::view::{Added, Calls, Change, Changes, HiddenSet, HiddenSets, StandingPass, TurnState, View};

use super::{Basis, Table};

/// An event as it was published to one observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedEvent {
    /// Key of its template.
    pub code: &'static str,
    /// The rule that made it.
    pub rule: Rule,
    /// The draw that it rests on.
    pub chance_ref: Option<ChanceRef>,
    /// The form published to the observer; shared with the others to whom the same was published.
    pub form: Arc<Form>,
}

/// The parts of a view that the driver compares, as an observer was last notified of them.
#[derive(Clone, Debug)]
struct Notified {
    known: HiddenSets,
    draft: Vec<ActionId>,
    calls: Calls,
    turn_state: Arc<TurnState>,
}

/// The parts of a view that the driver compares, as they are now.
struct Now<'a> {
    /// `None`: as before.
    known: Option<HiddenSets>,
    draft: &'a [ActionId],
    draw_offers: SeatSet,
    standing: &'a [StandingPass],
    undoable: usize,
    turn_state: TurnState,
}

impl Notified {
    /// Notes what is so `now`, and adds how that differs to `changes`. A head that `neighbour` was told as well is kept once.
    fn note(&mut self, now: Now<'_>, neighbour: Option<Arc<TurnState>>, changes: &mut Changes) {
        if let Some(known) = now.known.filter(|known| self.known != *known) {
            self.known = Arc::clone(&known);
            changes.push(Change::Known(known));
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
        if *self.turn_state != now.turn_state {
            match (neighbour, Arc::get_mut(&mut self.turn_state)) {
                (Some(neighbour), _) if *neighbour == now.turn_state => self.turn_state = neighbour,
                // Once nobody else keeps the last head, its memory is good for the next.
                (_, Some(turn_state)) => *turn_state = now.turn_state,
                (_, None) => self.turn_state = Arc::new(now.turn_state),
            }
            changes.push(Change::TurnState(Arc::clone(&self.turn_state)));
        }
    }
}

/// The sequences of all observers, and what they were last notified of.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    published: Vec<Vec<ObservedEvent>>,
    /// Sequence number of the first kept event: more than 0 after a restore.
    first: Vec<usize>,
    /// Starts of the present call's events.
    mark: Vec<usize>,
    /// By observer, once the match has begun.
    notified: Vec<Option<Notified>>,
}

impl Streams {
    pub(super) fn new(seats: usize) -> Self {
        let observers = seats + 1;
        Self {
            published: vec![Vec::new(); observers],
            first: vec![0; observers],
            mark: vec![0; observers],
            notified: vec![None; observers],
        }
    }

    /// The same counts, with nothing published yet.
    pub(super) fn branch(&self) -> Self {
        let observers = self.published.len();
        Self {
            published: vec![Vec::new(); observers],
            first: self.lengths(),
            mark: vec![0; observers],
            notified: self.notified.clone(),
        }
    }

    pub(super) fn since(&self, observer: usize, from: usize) -> &[ObservedEvent] {
        let start = from.saturating_sub(self.first[observer]).min(self.published[observer].len());
        &self.published[observer][start..]
    }

    pub(super) fn lengths(&self) -> Vec<usize> {
        (0..self.published.len()).map(|observer| self.length(observer)).collect()
    }

    pub(super) fn length(&self, observer: usize) -> usize {
        self.published[observer].len() + self.first[observer]
    }

    pub(super) fn go_on_from(&mut self, lengths: &[usize]) {
        self.first.copy_from_slice(lengths);
    }

    /// Starts a call: heads that change in it go with the last event that it makes for an observer.
    pub(super) fn begin(&mut self) {
        for (mark, published) in self.mark.iter_mut().zip(&self.published) {
            *mark = published.len();
        }
    }

    pub(super) fn notify(&mut self, observer: usize, seen: ObservedEvent) {
        self.published[observer].push(seen);
    }

    /// Lets what was published so far go; the counts go on.
    pub(super) fn forget(&mut self) {
        for (first, published) in self.first.iter_mut().zip(&mut self.published) {
            *first += published.len();
            published.clear();
        }
        self.begin();
    }

    /// Returns whether an observer was last told that they know this.
    fn knows(&self, observer: usize, known: &[HiddenSet]) -> bool {
        self.notified[observer].as_ref().is_none_or(|notified| *notified.known == *known)
    }

    /// The head that the observer before this one was told: most are told the same.
    fn head_told_before(&self, observer: usize) -> Option<Arc<TurnState>> {
        let before = self.notified[observer.checked_sub(1)?].as_ref()?;
        Some(Arc::clone(&before.turn_state))
    }

    /// Notifies an observer of how their view differs from what they were last notified of: with the last
    /// event of this call, if there is one.
    fn publish_changes(&mut self, observer: usize, now: Now<'_>) {
        let neighbour = self.head_told_before(observer);
        let Some(notified) = &mut self.notified[observer] else { return };
        let mut changes = Changes::new();
        notified.note(now, neighbour, &mut changes);
        if changes.is_empty() {
            return;
        }
        let published = &mut self.published[observer];
        if published.len() > self.mark[observer]
            && let Some(last) = published.last_mut()
        {
            let notified = &mut Arc::make_mut(&mut last.form).changes;
            // Kept for as long as the match is in memory.
            notified.reserve_exact(changes.len());
            changes.drain(..).for_each(|change| notified.push(change));
            return;
        }
        let form = Arc::new(Form::new(&[], changes));
        published.push(ObservedEvent { code: "prompt", rule: CONTRACT, chance_ref: None, form });
    }
}

impl<G: Game> Table<G> {
    /// Notifies everybody to whom `event` is published.
    pub(super) fn publish_to_all(&mut self, event: &Event) {
        for observer in Observer::all(self.seats) {
            self.notify(observer, event);
        }
    }

    /// Notifies `observer` of `event`, if it is published to them.
    pub(super) fn notify(&mut self, observer: Observer, event: &Event) {
        if let Some(form) = event.form(observer) {
            let seen = ObservedEvent {
                code: event.code,
                rule: event.rule,
                chance_ref: event.chance_ref,
                form: Arc::clone(form),
            };
            self.streams.notify(observer.index(self.seats), seen);
        }
    }

    /// Notifies `observer` of `event`, if it is published to them and nobody else is to be notified.
    pub(super) fn publish_to_one(&mut self, observer: Observer, event: Event) {
        let Event { code, rule, chance_ref, .. } = event;
        if let Some(form) = event.into_form(observer) {
            self.streams.notify(observer.index(self.seats), ObservedEvent { code, rule, chance_ref, form });
        }
    }

    /// Remembers what each observer sees at the start.
    pub(super) fn meet(&mut self) {
        for observer in Observer::all(self.seats) {
            let View { known, draft, calls, turn_state, .. } = self.view_but_board(observer);
            let index = observer.index(self.seats);
            self.told[index] = Arc::clone(self.seen_by(observer));
            let same = self.streams.head_told_before(index).filter(|before| *before == turn_state);
            let turn_state = same.unwrap_or(turn_state);
            self.streams.notified[index] = Some(Notified { known, draft, calls, turn_state });
        }
    }

    /// Ends a call: notifies each observer of how heads and knowledge changed.
    pub(super) fn settle(&mut self) {
        let mut common = None;
        for observer in Observer::all(self.seats) {
            self.settle_for(observer, &mut common);
        }
    }

    /// Ends a call that changed nothing but `seat`'s draft. No other view differs then: a game that lets one differ breaks the
    /// law that events folded over a view give the next one.
    pub(super) fn settle_draft(&mut self, seat: Seat) {
        self.settle_for(Observer::Seat(seat), &mut None);
    }

    /// Ends a call for one observer; `common` is what others were found to know in it, where everybody knows the same.
    fn settle_for(&mut self, observer: Observer, common: &mut Option<(Basis, HiddenSets)>) {
        let (basis, index) = (self.basis(observer), observer.index(self.seats));
        let state = self.state_at(basis);
        let known = self.game.known_may_differ(&self.told[index], state).then(|| match common {
            Some((of, known)) if *of == basis => Arc::clone(known),
            _ => {
                let known = HiddenSets::from(self.game.known(state, observer));
                if self.game.known_is_common() {
                    *common = Some((basis, Arc::clone(&known)));
                }
                known
            }
        });
        debug_assert!(
            known.is_some() || self.streams.knows(index, &self.game.known(state, observer)),
            "{observer:?} knows what it was told"
        );
        let turn_state = self.head_of(state, observer);
        // Also where nothing of it differs, so that no state of before is kept.
        self.told[index] = Arc::clone(state);
        let (line, standing) = match observer {
            Observer::Seat(seat) => (self.lines.get(seat.index()), self.standing.get(seat.index())),
            Observer::Spectator => (None, None),
        };
        let standing = standing.map_or(&[][..], Vec::as_slice);
        let draft = line.map_or(&[][..], |line| &line.actions);
        let undoable = line.map_or(0, |line| if line.committed { 0 } else { line.actions.len() });
        let now = Now { known, draft, draw_offers: self.offers, standing, undoable, turn_state };
        self.streams.publish_changes(index, now);
    }

    /// A draft was taken back: its seat, who saw `before`, is notified of how its view changes back.
    pub(super) fn publish_undo(&mut self, observer: Observer, before: &G::State) {
        let changes = self.game.board_changes(before, self.seen_by(observer), &[observer]);
        let form = Arc::new(Form::new(&[], changes.into_iter().flatten().collect()));
        let seen = ObservedEvent { code: "undo", rule: CONTRACT, chance_ref: None, form };
        self.streams.notify(observer.index(self.seats), seen);
    }
}
