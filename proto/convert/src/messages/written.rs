//! Events written straight to bytes ([`event`]), without their messages in between: what every call publishes,
//! mostly turn states, makes most of the small parts that such messages consist of.
//!
//! Invariant: the bytes are those of the message, which a test holds for whole matches of every game.

use edgehill_engine::action::ActionId;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::SeatSet;
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::{
    Arrow, ArrowKey, Change, Entitlement, NodeView, Phrase, Procedure, TurnState, Window,
};
use prost::Message;
use prost::encoding::{self, WireType};

use super::{TextMode, change, match_result, seat};

/// Writes the bytes of an event, without number and words, to the end of `to`.
pub fn event(seen: &ObservedEvent, to: &mut Vec<u8>) {
    let mut to = To(to);
    to.text(2, seen.code);
    to.text(3, seen.rule.id());
    if let Some(chance_ref) = seen.chance_ref {
        to.message(4, |to| {
            to.number(1, chance_ref.stream);
            to.number(2, chance_ref.n);
        });
    }
    to.refs(5, &seen.form.refs);
    for one in &seen.form.changes {
        match one {
            Change::TurnState(turn_state) => {
                to.message(6, |to| to.message(12, |to| to.turn_state(turn_state)))
            }
            Change::Arrow(key, Some(arrow)) => to.message(6, |to| to.message(7, |to| to.arrow(key, arrow))),
            Change::Arrow(key, None) => to.message(6, |to| to.message(8, |to| to.arrow_key(key))),
            Change::Draft { keep, add } => to.message(6, |to| to.message(11, |to| to.draft(*keep, add))),
            other => {
                if let Some(other) = change::of(other, TextMode::OFF) {
                    encoding::message::encode(6, &other, to.0);
                }
            }
        }
    }
}

/// Fields of messages, one after another. Fields that are no oneof's are left out where they are 0 or empty, as the encoding
/// has it.
struct To<'a>(&'a mut Vec<u8>);

/// A field's key: tags up to 15 take one byte, and there are no others.
const fn key(tag: u8, wire: WireType) -> u8 {
    tag << 3 | wire as u8
}

impl To<'_> {
    fn key(&mut self, tag: u8, wire: WireType) {
        self.0.push(key(tag, wire));
    }

    fn varint(&mut self, value: u64) {
        match u8::try_from(value) {
            Ok(short @ 0..0x80) => self.0.push(short),
            _ => encoding::encode_varint(value, self.0),
        }
    }

    fn text(&mut self, tag: u8, text: &str) {
        if !text.is_empty() {
            self.key(tag, WireType::LengthDelimited);
            self.varint(text.len() as u64);
            self.0.extend_from_slice(text.as_bytes());
        }
    }

    fn number(&mut self, tag: u8, number: u32) {
        if number != 0 {
            self.choice(tag, number);
        }
    }

    /// A number of a oneof, which is written also if it is 0.
    fn choice(&mut self, tag: u8, number: u32) {
        self.key(tag, WireType::Varint);
        self.varint(number.into());
    }

    /// A message within the message: its length goes before it once it is known.
    fn message(&mut self, tag: u8, write: impl FnOnce(&mut Self)) {
        self.key(tag, WireType::LengthDelimited);
        let start = self.0.len();
        self.0.push(0);
        write(self);
        let length = self.0.len() - start - 1;
        if let Ok(short @ 0..0x80) = u8::try_from(length) {
            self.0[start] = short;
            return;
        }
        // Room for the rest of the length, which is then written over itself.
        let more = encoding::encoded_len_varint(length as u64) - 1;
        let end = self.0.len();
        self.0.resize(end + more, 0);
        self.0.copy_within(start + 1..end, start + 1 + more);
        encoding::encode_varint(length as u64, &mut &mut self.0[start..=start + more]);
    }

    fn refs(&mut self, tag: u8, refs: &[Ref]) {
        for &what in refs {
            self.reference(tag, what);
        }
    }

    fn reference(&mut self, tag: u8, what: Ref) {
        let (choice, number) = match what {
            Ref::Space(index) => (1, index.into()),
            Ref::Mat(index) => (2, index.into()),
            Ref::Track(index) => (3, index.into()),
            Ref::Pile(index) => (4, index.into()),
            Ref::Piece(index) => (5, index.into()),
            Ref::Card(index) => (6, index.into()),
            Ref::Seat(whose) => (7, seat::of(whose)),
            Ref::Kind(index) => (8, index.into()),
            Ref::Marker(index) => (9, index.into()),
            Ref::Number(number) => (10, (number << 1 ^ number >> 31).cast_unsigned()),
        };
        self.choice_of(tag, choice, number);
    }

    fn at(&mut self, tag: u8, at: Location) {
        let (choice, number) = match at {
            Location::Space(index) => (1, index.into()),
            Location::Mat(index) => (2, index.into()),
            Location::Track(index) => (3, index.into()),
            Location::Pile(index) => (4, index.into()),
            Location::Piece(index) => (5, index.into()),
            Location::Card(index) => (6, index.into()),
            Location::Seat(whose) => (7, seat::of(whose)),
        };
        self.choice_of(tag, choice, number);
    }

    /// A message of nothing but a oneof's number. Most of a turn state are such, and short.
    fn choice_of(&mut self, tag: u8, choice: u8, number: u32) {
        match u8::try_from(number) {
            Ok(short @ 0..0x80) => {
                let [outer, inner] = [key(tag, WireType::LengthDelimited), key(choice, WireType::Varint)];
                self.0.extend_from_slice(&[outer, 2, inner, short]);
            }
            _ => self.message(tag, |to| to.choice(choice, number)),
        }
    }

    fn arrow(&mut self, key: &ArrowKey, arrow: &Arrow) {
        self.message(1, |to| to.arrow_key(key));
        self.text(2, arrow.result.unwrap_or_default());
        self.refs(3, &arrow.refs);
    }

    fn arrow_key(&mut self, key: &ArrowKey) {
        self.at(1, key.from);
        self.at(2, key.to);
        if let Some(of) = key.of {
            self.at(3, of);
        }
        self.number(4, key.kind.into());
        if let Some(whose) = key.seat {
            self.choice(5, seat::of(whose));
        }
        self.number(6, key.ordinal.into());
    }

    fn draft(&mut self, keep: usize, add: &[ActionId]) {
        self.number(1, keep as u32);
        if !add.is_empty() {
            self.message(2, |to| add.iter().for_each(|action| to.varint(action.0.into())));
        }
    }

    fn phrase(&mut self, tag: u8, phrase: &Phrase) {
        self.message(tag, |to| {
            to.text(1, phrase.code);
            to.refs(2, &phrase.refs);
        });
    }

    fn turn_state(&mut self, turn_state: &TurnState) {
        self.message(1, |to| to.node(&turn_state.node));
        self.phrase(2, &turn_state.prompt);
        for procedure in &turn_state.procedures {
            self.message(3, |to| to.procedure(procedure));
        }
        if let Some(window) = &turn_state.window {
            self.message(4, |to| to.window(window));
        }
        for one in &turn_state.entitlements {
            self.message(5, |to| to.entitlement(one));
        }
        for warning in &turn_state.warnings {
            self.phrase(6, warning);
        }
    }

    fn node(&mut self, node: &NodeView) {
        match node {
            NodeView::Decision(whose) => self.choice(1, seat::of(*whose)),
            NodeView::Sealed { to_act, committed } => self.message(2, |to| {
                to.seats(1, *to_act);
                to.seats(2, *committed);
            }),
            NodeView::Chance => self.message(3, |_| {}),
            NodeView::Over(how) => {
                let how = match_result::of(how);
                self.message(4, |to| how.encode_raw(to.0));
            }
        }
    }

    fn seats(&mut self, tag: u8, seats: SeatSet) {
        if !seats.is_empty() {
            self.message(tag, |to| seats.iter().for_each(|one| to.varint(seat::of(one).into())));
        }
    }

    fn procedure(&mut self, procedure: &Procedure) {
        self.text(1, procedure.frame);
        self.text(2, procedure.rule.id());
        self.number(3, procedure.stage.into());
        for &(name, what) in &procedure.roles {
            self.message(4, |to| {
                to.text(1, name);
                to.reference(2, what);
            });
        }
    }

    fn window(&mut self, window: &Window) {
        self.text(1, window.code);
        self.text(2, window.rule.id());
        self.number(3, seat::of(window.seat));
        self.number(4, window.procedure);
        self.number(5, window.attacked.into());
        self.number(6, window.pass_action.0.into());
    }

    fn entitlement(&mut self, entitlement: &Entitlement) {
        self.number(1, seat::of(entitlement.seat));
        self.phrase(2, &entitlement.what);
        self.text(3, entitlement.rule.id());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use edgehill_engine::catalogue::Catalogue;
    use edgehill_engine::chance_source::ChanceSource;
    use edgehill_engine::event::{ChanceRef, Form};
    use edgehill_engine::game::{CONTRACT, MatchResult, Termination};
    use edgehill_engine::reference::Refs;
    use edgehill_engine::registry::Registry;
    use edgehill_engine::seat::{Observer, Seat};
    use edgehill_engine::setup::Setup;
    use edgehill_engine::table::ApplyMode;
    use edgehill_proto::v1;

    use super::super::reference;
    use super::*;

    /// The event as a message.
    fn message(seen: &ObservedEvent, words: TextMode<'_>) -> v1::Event {
        v1::Event {
            seq: 0,
            code: seen.code.to_owned(),
            rule: seen.rule.id().to_owned(),
            chance_ref: seen.chance_ref.map(|ChanceRef { stream, n }| v1::ChanceRef { stream, n }),
            refs: reference::all(&seen.form.refs),
            changes: seen.form.changes.iter().filter_map(|one| change::of(one, words)).collect(),
            text: words.say(seen.code, &seen.form.refs),
            ..v1::Event::default()
        }
    }

    fn hold(seen: &ObservedEvent, catalogue: &Catalogue) {
        let mut bytes = vec![7];
        event(seen, &mut bytes);
        assert_eq!(bytes[1..], message(seen, TextMode::OFF).encode_to_vec(), "{seen:?}");
        for words in [TextMode::OFF, TextMode::of(catalogue)] {
            let expected = v1::Event { seq: 9, ..message(seen, words) };
            assert_eq!(super::super::event::read(&bytes[1..], 9, words), Ok(expected));
        }
    }

    /// Actions of a match.
    const ACTIONS: usize = 2_000;

    #[test]
    fn events_of_every_game_are_written_as_their_messages_are() {
        for game in Registry::built_in().unwrap().games() {
            let mut table = game.open(Setup::default_of(game.catalogue()), ChanceSource::playout(7));
            for number in 0..ACTIONS {
                let to_act = table.node().to_act();
                let Some(seat) = to_act.iter().find(|&seat| !table.committed(seat)) else { break };
                let legal = table.legal(seat);
                table.apply(seat, &[legal[number * 7 % legal.len()]], ApplyMode::Atomic).unwrap();
            }
            for observer in Observer::all(table.seats()) {
                table.published(observer, 0).iter().for_each(|seen| hold(seen, game.catalogue()));
            }
        }
    }

    /// Parts that no game here may show.
    #[test]
    fn rare_parts_are_written_as_their_messages_are() {
        let registry = Registry::built_in().unwrap();
        let catalogue = registry.games().next().expect("a game").catalogue();
        let seat = Seat::new(3);
        let numbers = [0, 1, -1, i32::MAX, i32::MIN].map(Ref::Number);
        let refs = [
            Ref::Seat(seat),
            Ref::Kind(0),
            Ref::Marker(300),
            Ref::Card(u16::MAX),
            Ref::Track(1),
            Ref::Pile(0),
        ];
        let result = MatchResult {
            returns: vec![0, -1, 1],
            code: "agreed",
            refs: Refs::from_slice(&[Ref::Seat(seat)]),
            rule: CONTRACT,
            grade: "",
            termination: Termination::Agreement,
        };
        let all = SeatSet::EMPTY.with(Seat::new(0)).with(seat);
        for node in [
            NodeView::Decision(Seat::new(0)),
            NodeView::Sealed { to_act: all, committed: SeatSet::EMPTY },
            NodeView::Sealed { to_act: SeatSet::EMPTY, committed: all },
            NodeView::Chance,
            NodeView::Over(result.clone()),
        ] {
            let phrase = Phrase::new("a phrase", &numbers);
            let window = Window {
                code: "interception",
                rule: CONTRACT,
                seat,
                procedure: 70_000,
                attacked: true,
                pass_action: ActionId(0),
            };
            let procedure = Procedure {
                frame: "Battle",
                rule: CONTRACT,
                stage: 200,
                roles: vec![("attacker", refs[0]); 40].into(),
            };
            let turn_state = TurnState {
                node,
                prompt: Phrase::new("", &refs),
                procedures: vec![procedure; 3].into(),
                window: Some(window),
                entitlements: vec![Entitlement { seat: Seat::new(0), what: phrase.clone(), rule: CONTRACT }],
                warnings: vec![phrase; 2],
            };
            let changes =
                vec![Change::ArrowsCleared, Change::TurnState(Arc::new(turn_state)), Change::PieceGone(0)];
            let form = Arc::new(Form::new(&refs, changes.into()));
            for chance_ref in
                [None, Some(ChanceRef { stream: 0, n: 0 }), Some(ChanceRef { stream: 9, n: 300 })]
            {
                hold(&ObservedEvent { code: "x", rule: CONTRACT, chance_ref, form: form.clone() }, catalogue);
            }
        }
    }
}
