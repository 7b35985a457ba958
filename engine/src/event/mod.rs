//! Events: facts in the view's vocabulary, made by the rules ([`Event`], [`Form`], [`Events`]).

mod scene;

pub(crate) use scene::Scene;

use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::ledger::Rule;
use crate::reference::{Ref, Refs};
use crate::seat::{Observer, Seat};
use crate::view::{Change, Changes};

/// The draw of the match's dice that an event rests on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ChanceRef {
    /// The stream of the seed.
    pub stream: u32,
    /// Of a roll or a choice, the count within the stream, from 0; of a draw from a bag, its epoch.
    pub n: u32,
}

/// The part of an event that is published to one audience.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// References that fill the places of the event's template.
    pub refs: Refs,
    /// Changes that it makes in the view.
    pub changes: Changes,
}

impl Form {
    /// The form about `refs` with these changes.
    #[must_use]
    pub fn new(refs: &[Ref], changes: Changes) -> Self {
        Self { refs: Refs::from_slice(refs), changes }
    }
}

/// Forms published to single seats, one for each; the usual one needs no memory of its own.
pub type Private = SmallVec<[(Seat, Arc<Form>); 1]>;

/// Events that an action or an outcome made happen, in order; a single event needs no memory of its own.
pub type EventList = SmallVec<[Event; 1]>;

/// A fact. Its forms are shared by all to whom they are published.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Key of its template in the catalogue.
    pub code: &'static str,
    /// The rule that made it.
    pub rule: Rule,
    /// The draw that it rests on.
    pub chance_ref: Option<ChanceRef>,
    /// The form published to everybody; `None`: nothing.
    pub public: Option<Arc<Form>>,
    /// The forms published to single seats instead.
    pub private: Private,
}

impl Event {
    /// A public fact about `refs`.
    #[must_use]
    pub fn new(code: &'static str, rule: Rule, refs: &[Ref]) -> Self {
        Self::with_changes(code, rule, refs, Changes::new())
    }

    /// A public fact about `refs` that changes the view so.
    #[must_use]
    pub(crate) fn with_changes(code: &'static str, rule: Rule, refs: &[Ref], changes: Changes) -> Self {
        let public = Some(Arc::new(Form::new(refs, changes)));
        Self { code, rule, chance_ref: None, public, private: Private::new() }
    }

    /// A fact published to `seat` alone.
    #[must_use]
    pub fn only(seat: Seat, code: &'static str, rule: Rule, refs: &[Ref]) -> Self {
        let form = Arc::new(Form::new(refs, Changes::new()));
        Self { code, rule, chance_ref: None, public: None, private: smallvec![(seat, form)] }
    }

    /// Adds a change to every form that stands so far.
    #[must_use]
    pub fn change(self, change: Change) -> Self {
        self.changes([change])
    }

    /// Adds changes to every form that stands so far.
    #[must_use]
    pub fn changes(mut self, changes: impl IntoIterator<Item = Change>) -> Self {
        let own = self.private.iter_mut().map(|(_, form)| form);
        let mut forms: SmallVec<[&mut Changes; 3]> =
            own.chain(&mut self.public).map(|form| &mut Arc::make_mut(form).changes).collect();
        if let Some((last, others)) = forms.split_last_mut() {
            for change in changes {
                others.iter_mut().for_each(|form| form.push(change.clone()));
                last.push(change);
            }
        }
        drop(forms);
        self
    }

    /// Gives `seat` a form of its own in place of the public one.
    #[must_use]
    pub fn private(mut self, seat: Seat, refs: &[Ref], changes: impl IntoIterator<Item = Change>) -> Self {
        let form = Form::new(refs, changes.into_iter().collect());
        self.private.push((seat, Arc::new(form)));
        self
    }

    /// Returns the form published to `observer`.
    #[must_use]
    pub(crate) fn form(&self, observer: Observer) -> Option<&Arc<Form>> {
        let own = |seat| self.private.iter().find(|(s, _)| *s == seat).map(|(_, form)| form);
        match observer {
            Observer::Seat(seat) => own(seat).or(self.public.as_ref()),
            Observer::Spectator => self.public.as_ref(),
        }
    }

    /// Returns the form published to `observer`, for a caller who is the last to notify anyone of it.
    #[must_use]
    pub(crate) fn into_form(self, observer: Observer) -> Option<Arc<Form>> {
        let own = |(seat, _): &(Seat, Arc<Form>)| observer.is(*seat);
        self.private.into_iter().find(own).map(|(_, form)| form).or(self.public)
    }
}

/// The collector into which rules put events and flags while they apply an action or resolve chance.
///
/// Silent for playouts: [`Events::emit`] then costs one branch.
#[derive(Clone, Debug, Default)]
pub struct Events {
    recording: bool,
    list: EventList,
    revealed: bool,
    released: bool,
    chance_ref: Option<ChanceRef>,
}

impl Events {
    /// Nobody listens.
    #[must_use]
    pub fn silent() -> Self {
        Self::default()
    }

    /// Keeps what is emitted.
    #[must_use]
    pub fn recording() -> Self {
        Self { recording: true, ..Self::default() }
    }

    /// Keeps what is emitted, and chance_refs the first event with the draw that it rests on.
    #[must_use]
    pub(crate) fn recording_draw(chance_ref: ChanceRef) -> Self {
        Self { recording: true, chance_ref: Some(chance_ref), ..Self::default() }
    }

    /// Returns whether anybody listens: rules that build forms in several statements ask first.
    #[must_use]
    pub const fn is_recording(&self) -> bool {
        self.recording
    }

    /// Puts down a fact, which is made only if somebody listens.
    pub fn emit(&mut self, event: impl FnOnce() -> Event) {
        if self.recording {
            let mut event = event();
            event.chance_ref = self.chance_ref.take();
            self.list.push(event);
        }
    }

    /// A hidden face was seen, or something was announced: own actions can't be taken back across this, and no list runs
    /// across it.
    pub const fn revealed(&mut self) {
        self.revealed = true;
        self.released = true;
    }

    /// Own actions can't be taken back across this, but a list may run across it.
    pub const fn release(&mut self) {
        self.released = true;
    }

    /// Returns whether [`Events::revealed`] was called.
    #[must_use]
    pub const fn has_revealed(&self) -> bool {
        self.revealed
    }

    /// Returns whether [`Events::release`] or [`Events::revealed`] was called.
    #[must_use]
    pub const fn has_released(&self) -> bool {
        self.released
    }

    /// Returns what was emitted.
    #[must_use]
    pub fn into_list(self) -> EventList {
        self.list
    }
}
