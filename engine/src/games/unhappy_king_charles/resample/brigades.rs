//! Brigades from a view (Y6).

use rand_core::Rng;

use crate::chance_source::shuffle;
use crate::view::{HiddenSet, View};
use crate::vocabulary::*;

use super::super::actions::holder_at;
use super::super::catalogue::{DESERTERS, back_kind};
use super::super::content::brigades::{BrigadeBack, Faction};
use super::super::content::ids::{BrigadeFace, CounterId, CounterSet};
use super::super::content::{COUNTERS, Content, SEATS};
use super::super::state::{Brigades, Counter, Holder, Marks};
use super::super::view::brigades::TURNCOAT;

/// A hidden face, and whether it is a turncoat's.
type Face = (BrigadeFace, bool);

/// Counters as they are dealt out: of each face the next one is taken.
struct Dealt<'a> {
    content: &'a Content,
    counters: [Counter; COUNTERS],
    given: CounterSet,
}

impl Dealt<'_> {
    /// The next counter of a face is at a place.
    fn put(&mut self, face: BrigadeFace, counter: Counter) {
        if let Some(next) = (self.content.faces[face].counters() - self.given).first() {
            self.given.insert(next);
            self.counters[next] = counter;
        }
    }
}

/// All Brigades: those whose faces are seen where the view shows them, the others dealt over the backs.
pub(super) fn deal(content: &Content, view: &View, rng: &mut dyn Rng) -> Brigades {
    let counters = [Counter { at: Holder::OUT, marks: Marks::empty() }; COUNTERS];
    let mut dealt = Dealt { content, counters, given: CounterSet::EMPTY };
    for (group, &count) in &view.board.groups {
        let face = usize::from(group.kind);
        let Some(at) = holder_at(content, group.at).filter(|_| face < content.faces.len()) else { continue };
        let marks = Marks::from_bits_truncate(group.flags as u16);
        (0..count).for_each(|_| dealt.put(BrigadeFace::new(face), Counter { at, marks }));
    }
    for owner in SEATS.into_iter().filter(|&owner| !view.observer.is(owner)) {
        for back in BrigadeBack::ALL {
            let faces = hidden_faces(content, view, owner, back);
            let slots = slots(content, view, owner, back);
            deal_back(content, &mut dealt, back, faces, slots, rng);
        }
    }
    select_deserters(content, view, &mut dealt, rng);
    Brigades::of(content, dealt.counters)
}

/// The faces of a side under a back that the observer does not know.
fn hidden_faces(content: &Content, view: &View, owner: Seat, back: BrigadeBack) -> Vec<Face> {
    let kind = back_kind(content, back);
    let about = |set: &&HiddenSet| {
        set.owner == Some(owner) && set.places.first().is_some_and(|(group, _)| group.kind == kind)
    };
    let of = |by: Option<Seat>| view.known.iter().filter(about).find(|set| set.by == by);
    let own = if let Observer::Seat(seat) = view.observer { of(Some(seat)) } else { None };
    // Without a set of their own they know what everybody does.
    let faces = own.or_else(|| of(None)).map_or(&[][..], |set| &set.faces[..]);
    let face = |&(what, turned): &(Ref, Option<i32>)| match what {
        Ref::Kind(face) if usize::from(face) < content.faces.len() => {
            Some((BrigadeFace::new(face.into()), turned == Some(TURNCOAT)))
        }
        _ => None,
    };
    faces.iter().filter_map(face).collect()
}

/// The places of those.
fn slots(content: &Content, view: &View, owner: Seat, back: BrigadeBack) -> Vec<Counter> {
    let kind = back_kind(content, back);
    let mut slots = Vec::new();
    for (group, &count) in view.board.groups.iter().filter(|(group, _)| group.kind == kind) {
        if let Some(at) = holder_at(content, group.at).filter(|_| group.owner == Some(owner)) {
            let marks = Marks::from_bits_truncate(group.flags as u16);
            slots.extend((0..count).map(|_| Counter { at, marks }));
        }
    }
    slots
}

/// Y6: Irish and turncoats first, who are in no pool and alone leave the game otherwise; then the rest.
fn deal_back(
    content: &Content,
    dealt: &mut Dealt<'_>,
    back: BrigadeBack,
    faces: Vec<Face>,
    slots: Vec<Counter>,
    rng: &mut dyn Rng,
) {
    let mut put = |(face, turned): Face, mut slot: Counter| {
        slot.marks.set(Marks::TURNED, turned);
        dealt.put(face, slot);
    };
    let own = matches!(back, BrigadeBack::Royalist | BrigadeBack::Parliament);
    let (mut irish, others): (Vec<Face>, Vec<Face>) = faces
        .into_iter()
        .partition(|&(face, turned)| own && !turned && content.faces[face].faction == Faction::Irish);
    let (mut turned, mut regular): (Vec<Face>, Vec<Face>) =
        others.into_iter().partition(|&(_, turned)| own && turned);
    let (away, rest): (Vec<Counter>, Vec<Counter>) =
        slots.into_iter().partition(|slot| own && slot.at == Holder::AWAY);
    let (gone, rest): (Vec<Counter>, Vec<Counter>) =
        rest.into_iter().partition(|slot| own && slot.at == Holder::OUT);
    let (pooled, mut open): (Vec<Counter>, Vec<Counter>) =
        rest.into_iter().partition(|slot| own && SEATS.iter().any(|&seat| slot.at == Holder::pool(seat)));
    shuffle(&mut irish, rng);
    let mut later = Vec::new();
    for slot in away {
        match irish.pop() {
            Some(face) => put(face, slot),
            None => later.push(slot),
        }
    }
    turned.append(&mut irish);
    shuffle(&mut turned, rng);
    for slot in gone {
        match turned.pop() {
            Some(face) => put(face, slot),
            None => later.push(slot),
        }
    }
    shuffle(&mut open, rng);
    while let Some(slot) = if turned.is_empty() { None } else { open.pop() } {
        turned.pop().into_iter().for_each(|face| put(face, slot));
    }
    regular.append(&mut turned);
    open.extend(pooled);
    open.append(&mut later);
    shuffle(&mut open, rng);
    regular.into_iter().zip(open).for_each(|(face, slot)| put(face, slot));
}

/// H15: of the Brigades of others, as many of a place are selected for Desertion as its marker says: those that may desert first (H11).
fn select_deserters(content: &Content, view: &View, dealt: &mut Dealt<'_>, rng: &mut dyn Rng) {
    for (marker, &count) in view.board.markers.iter().filter(|(marker, _)| marker.kind == DESERTERS) {
        let Some(at) = holder_at(content, marker.at) else { continue };
        let here = |counter: &CounterId| dealt.counters[*counter].at == at && dealt.given.contains(*counter);
        let counters: Vec<CounterId> = (0..content.face_of.len()).map(CounterId::new).filter(here).collect();
        let marked =
            counters.iter().filter(|&&counter| dealt.counters[counter].marks.contains(Marks::DESERTING));
        let left = (count as usize).saturating_sub(marked.count());
        let own = |counter: &&CounterId| {
            let turned = dealt.counters[**counter].marks.contains(Marks::TURNED);
            let printed = content.faces[content.face_of[**counter]].faction.seat();
            view.observer.is(if turned { printed.other() } else { printed })
        };
        let mut others: Vec<CounterId> = counters.iter().filter(|counter| !own(counter)).copied().collect();
        shuffle(&mut others, rng);
        others.sort_by_key(|&counter| !deserts_first(content, counter));
        for counter in others.into_iter().take(left) {
            dealt.counters[counter].marks |= Marks::DESERTING;
        }
    }
}

/// H11: whether a Brigade deserts while others that do are enough: it is neither Irish nor a Covenanter.
pub(in super::super) fn deserts_first(content: &Content, counter: CounterId) -> bool {
    let face = content.face_of[counter];
    let faction = content.faces[face].faction;
    faction != Faction::Irish && faction.back() != BrigadeBack::Covenanter
}
