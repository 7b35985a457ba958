//! Events published to every observer of a recorded match, as text: what two builds are compared by ([`events_text`]).

use std::fmt::Write;

use crate::catalogue::Catalogue;
use crate::reference::{Location, Ref};
use crate::registry::{AnyGame, AnyTable};
use crate::seat::{Observer, Seat, SeatSet};
use crate::table::ObservedEvent;
use crate::view::{
    Calls, Change, HiddenSet, NodeView, PassScope, Phrase, PieceGroup, StandingPass, TurnState,
};

use super::Record;
use super::replay::Replay;

/// Writes what is published to each observer of the replayed match, one event a line, in ASCII but for what a
/// catalogue's ids have:
///
/// ```text
/// ENTRY OBSERVER SEQ CODE RULE STREAM/N REFS | CHANGE | CHANGE ...
/// ```
///
/// ENTRY counts the record's entries from 1 (0: before the first), OBSERVER is a seat's id or `spectator`, SEQ counts what
/// what was published to that observer from 0; `-` stands for nothing. The same record gives the same lines wherever the rules are the same:
/// differences of rules version, content, digests and result are passed over. If the replay can't go on, the last line says so:
///
/// ```text
/// ENTRY stopped: WHY
/// ```
#[must_use]
pub fn events_text(record: &Record, game: &dyn AnyGame) -> String {
    let mut text = String::new();
    let mut findings = Vec::new();
    let Some(mut replay) = Replay::open(game, record, &mut findings) else {
        stopped(&mut text, 0, findings.last());
        return text;
    };
    let mut counts = vec![0; replay.table.seats() + 1];
    loop {
        write_published(&mut text, replay.played, &*replay.table, &mut counts);
        let entry = replay.played;
        if !replay.action(&mut findings) {
            if entry < record.entries().len() {
                stopped(&mut text, entry + 1, findings.last());
            }
            return text;
        }
    }
}

fn stopped(text: &mut String, entry: usize, finding: Option<&super::Finding>) {
    let why = finding.map_or_else(String::new, |finding| finding.fault.to_string());
    let _ = writeln!(text, "{entry} stopped: {why}");
}

/// Writes what is new to each observer.
fn write_published(text: &mut String, entry: usize, table: &dyn AnyTable, counts: &mut [usize]) {
    let print = Printer(table.catalogue());
    for (observer, count) in Observer::all(table.seats()).zip(counts) {
        for seen in table.published(observer, *count) {
            let who = match observer {
                Observer::Seat(seat) => print.id(Ref::Seat(seat)),
                Observer::Spectator => "spectator".to_owned(),
            };
            let _ = writeln!(text, "{entry} {who} {count} {}", print.seen(seen));
            *count += 1;
        }
    }
}

/// Writes things by their ids.
struct Printer<'a>(&'a Catalogue);

impl Printer<'_> {
    fn seen(&self, seen: &ObservedEvent) -> String {
        let chance_ref = seen
            .chance_ref
            .map_or_else(|| "-".to_owned(), |chance_ref| format!("{}/{}", chance_ref.stream, chance_ref.n));
        let refs = self.refs(&seen.form.refs);
        let mut line = format!("{} {} {chance_ref} {refs}", seen.code, seen.rule.id());
        for change in &seen.form.changes {
            line.push_str(" | ");
            line.push_str(&self.change(change));
        }
        line
    }

    fn id(&self, what: Ref) -> String {
        self.0.id_of(what)
    }

    fn at(&self, at: Location) -> String {
        let sort = match at {
            Location::Space(_) => "space",
            Location::Mat(_) => "mat",
            Location::Track(_) => "track",
            Location::Pile(_) => "pile",
            Location::Piece(_) => "piece",
            Location::Card(_) => "card",
            Location::Seat(_) => "seat",
        };
        format!("{sort}:{}", self.id(at.into()))
    }

    fn refs(&self, refs: &[Ref]) -> String {
        let ids: Vec<String> = refs.iter().map(|&what| self.id(what)).collect();
        if ids.is_empty() { "-".to_owned() } else { ids.join(",") }
    }

    fn owner(&self, owner: Option<Seat>) -> String {
        owner.map_or_else(|| "-".to_owned(), |seat| self.id(Ref::Seat(seat)))
    }

    fn origin(&self, from: Option<Location>) -> String {
        from.map_or_else(|| "-".to_owned(), |at| self.at(at))
    }

    fn group(&self, group: &PieceGroup) -> String {
        let (kind, owner) = (self.id(Ref::Kind(group.kind)), self.owner(group.owner));
        format!("{kind} {owner} {} {:x} {}", self.at(group.at), group.flags, self.origin(group.from))
    }

    fn change(&self, change: &Change) -> String {
        match change {
            Change::Piece(id, piece) => {
                let (name, kind) = (self.id(Ref::Piece(*id)), self.id(Ref::Kind(piece.kind)));
                let (owner, at) = (self.owner(piece.owner), self.at(piece.at));
                format!("piece {name} {kind} {owner} {at} {:x} {}", piece.flags, self.origin(piece.from))
            }
            Change::PieceGone(id) => format!("piece {} gone", self.id(Ref::Piece(*id))),
            Change::Group(group, count) => format!("group {} = {count}", self.group(group)),
            Change::Pile(id, pile) => {
                let cards: Vec<Ref> = pile.cards.iter().map(|&card| Ref::Card(card)).collect();
                format!("pile {} = {} {}", self.id(Ref::Pile(*id)), pile.count, self.refs(&cards))
            }
            Change::Marker(marker, number) => {
                let number = number.map_or_else(|| "gone".to_owned(), |number| format!("= {number}"));
                format!("marker {} {} {number}", self.id(Ref::Marker(marker.kind)), self.at(marker.at))
            }
            Change::Arrow(key, arrow) => {
                let kinds = &self.0.arrows;
                let kind = kinds.get(usize::from(key.kind)).map_or("?", |kind| kind.id.as_str());
                let said = arrow.as_ref().map_or_else(
                    || "gone".to_owned(),
                    |arrow| format!("= {} {}", arrow.result.unwrap_or("-"), self.refs(&arrow.refs)),
                );
                let (from, to, of) = (self.at(key.from), self.at(key.to), self.origin(key.of));
                format!("arrow {kind} {} {from} {to} {of} {} {said}", self.owner(key.seat), key.ordinal)
            }
            Change::ArrowsCleared => "arrows cleared".to_owned(),
            Change::Known(known) => {
                let known: Vec<String> = known.iter().map(|known| self.known(known)).collect();
                format!("known {}", known.join("; "))
            }
            Change::Draft { keep, add } => {
                let add: Vec<String> = add.iter().map(|&action| self.0.actions.notation(action)).collect();
                format!("draft {keep} + {}", add.join("; "))
            }
            Change::Calls(calls) => self.calls(calls),
            Change::TurnState(turn_state) => self.turn_state(turn_state),
        }
    }

    fn known(&self, known: &HiddenSet) -> String {
        let number = |number: &Option<i32>| number.map_or_else(String::new, |number| format!("={number}"));
        let face = |(what, strength): &(Ref, Option<i32>)| format!("{}{}", self.id(*what), number(strength));
        let faces: Vec<String> = known.faces.iter().map(face).collect();
        let place = |(group, count): &(PieceGroup, u16)| format!("{}={count}", self.group(group));
        let places: Vec<String> = known.places.iter().map(place).collect();
        let facts: Vec<String> = known.facts.iter().map(|fact| self.phrase(fact)).collect();
        let (owner, by) = (self.owner(known.owner), self.owner(known.by));
        format!("{owner} by {by} ({}) in ({}) [{}]", faces.join(" "), places.join(", "), facts.join(", "))
    }

    fn phrase(&self, phrase: &Phrase) -> String {
        format!("{}({})", phrase.code, self.refs(&phrase.refs))
    }

    fn seats(&self, seats: SeatSet) -> String {
        self.refs(&seats.iter().map(Ref::Seat).collect::<Vec<_>>())
    }

    fn calls(&self, calls: &Calls) -> String {
        let pass = |pass: &StandingPass| {
            let scope = match pass.scope {
                PassScope::Always => "always".to_owned(),
                PassScope::Procedure(procedure) => format!("procedure:{procedure}"),
                PassScope::UntilAttacked => "until-attacked".to_owned(),
            };
            format!("{}={scope}", pass.window.as_deref().unwrap_or("*"))
        };
        let passes: Vec<String> = calls.standing.iter().map(pass).collect();
        format!(
            "calls offers {} undoable {} [{}]",
            self.seats(calls.draw_offers),
            calls.undoable,
            passes.join(" ")
        )
    }

    fn turn_state(&self, turn_state: &TurnState) -> String {
        let node = match &turn_state.node {
            NodeView::Decision(seat) => format!("decision {}", self.id(Ref::Seat(*seat))),
            NodeView::Sealed { to_act, committed } => {
                format!("sealed {} committed {}", self.seats(*to_act), self.seats(*committed))
            }
            NodeView::Chance => "chance".to_owned(),
            NodeView::Over(result) => {
                let returns: Vec<String> = result.returns.iter().map(i32::to_string).collect();
                format!("over {} {} {} {:?}", result.code, result.rule.id(), returns.join(","), result.grade)
            }
        };
        let role = |(name, what): &(&str, Ref)| format!("{name}={}", self.id(*what));
        let frames = turn_state.procedures.iter().map(|frame| {
            let roles: Vec<String> = frame.roles.iter().map(role).collect();
            format!("{}/{}/{}({})", frame.frame, frame.rule.id(), frame.stage, roles.join(" "))
        });
        let window = turn_state.window.as_ref().map_or_else(String::new, |window| {
            let (seat, pass) = (self.id(Ref::Seat(window.seat)), self.0.actions.notation(window.pass_action));
            let (code, rule, procedure) = (window.code, window.rule.id(), window.procedure);
            format!(" window {code}/{rule} {seat} {procedure} {} `{pass}`", window.attacked)
        });
        let owed = turn_state.entitlements.iter().map(|owed| {
            format!(" owed {} {} {}", self.id(Ref::Seat(owed.seat)), self.phrase(&owed.what), owed.rule.id())
        });
        let warnings = turn_state.warnings.iter().map(|warning| format!(" warning {}", self.phrase(warning)));
        format!(
            "turn-state {node} prompt {} procedures {}{window}{}{}",
            self.phrase(&turn_state.prompt),
            frames.collect::<Vec<_>>().join(" > "),
            owed.collect::<String>(),
            warnings.collect::<String>()
        )
    }
}
