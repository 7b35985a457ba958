//! Plays by notation, with scripted dice that must be used up.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, LazyLock};

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::this_war_without_an_enemy::ThisWarWithoutAnEnemy as ThisWar;
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Refusal, Table};
use edgehill_engine::view::{Marker, Phrase};
use serde_json::{Value, json};

pub(crate) const R: Seat = Seat::new(0);
pub(crate) const P: Seat = Seat::new(1);

static GAME: LazyLock<Arc<ThisWar>> =
    LazyLock::new(|| Arc::new(ThisWar::load(&ThisWar::builtin()).expect("built-in content loads")));

pub(crate) fn game() -> Arc<ThisWar> {
    GAME.clone()
}

/// A position of the second year: `more` adds fields to it, or takes the place of what it would have.
pub(crate) fn place(phase: &str, first: &str, blocks: &Value, more: &Value) -> Value {
    let mut position = json!({ "turn": "1643-i", "phase": phase, "player_1": first, "blocks": blocks,
        "cards": { "royalist": "r-ap4-1", "parliament": "p-ap4-1" } });
    for (field, value) in more.as_object().into_iter().flatten() {
        position[field] = value.clone();
    }
    position
}

/// Actions, `first` being Player 1.
pub(crate) fn acting(first: &str, blocks: Value) -> Match {
    Match::at(place("operations", first, &blocks, &json!({})), "")
}

/// Operational events with these cards, `first` being Player 1.
pub(crate) fn events(first: &str, royalist: &str, parliament: &str, blocks: Value) -> Match {
    let more = json!({ "cards": { "royalist": royalist, "parliament": parliament } });
    Match::at(place("events", first, &blocks, &more), "")
}

/// Battles with these dice, `first` being Player 1.
pub(crate) fn battle(first: &str, blocks: Value, dice: &str) -> Match {
    Match::at(place("battles", first, &blocks, &json!({})), dice)
}

/// A Battle in which a side has given its card's event to an Area.
pub(crate) fn battle_with(first: &str, card: (&str, &str, &str), blocks: Value, dice: &str) -> Match {
    Match::at(place("battles", first, &blocks, &with(card)), dice)
}

fn with((side, card, area): (&str, &str, &str)) -> Value {
    let mut cards = json!({ "royalist": "r-ap4-1", "parliament": "p-ap4-1" });
    cards[side] = card.into();
    let mut tactics = json!({});
    tactics[side] = area.into();
    json!({ "cards": cards, "tactics": tactics })
}

/// Siege Combat with these markers and dice; the Royalist is Player 1.
pub(crate) fn siege(markers: Value, blocks: Value, dice: &str) -> Match {
    Match::at(place("sieges", "royalist", &blocks, &json!({ "sieges": markers })), dice)
}

/// As [`siege`], at Oxford without a choice of markers, with fields of one's own.
pub(crate) fn siege_with(more: &Value, blocks: Value, dice: &str) -> Match {
    Match::at(place("sieges", "royalist", &blocks, more), dice)
}

/// Siege Resolution with these markers and dice; the Royalist is Player 1.
pub(crate) fn resolution(markers: Value, blocks: Value, dice: &str) -> Match {
    Match::at(place("resolution", "royalist", &blocks, &json!({ "sieges": markers })), dice)
}

thread_local! {
    /// The events that matches of this thread published, by code.
    static PUBLISHED: RefCell<BTreeMap<&'static str, u32>> = const { RefCell::new(BTreeMap::new()) };
}

/// Returns the events that matches that are over published on this thread, by code.
pub(crate) fn published_here() -> BTreeMap<&'static str, u32> {
    PUBLISHED.with_borrow(Clone::clone)
}

pub(crate) struct Match(pub(crate) Table<ThisWar>);

/// A match at a position, whose draws and dice somebody enters.
pub(crate) fn entered(position: Value) -> Table<ThisWar> {
    let setup = Setup::default_of(game().catalogue());
    Table::open_position(game(), setup, position, ChanceSource::Manual)
        .expect("a position that the game accepts")
}

impl Drop for Match {
    fn drop(&mut self) {
        for observer in [Observer::Seat(R), Observer::Seat(P), Observer::Spectator] {
            for seen in self.0.published(observer, 0) {
                PUBLISHED.with_borrow_mut(|counts| *counts.entry(seen.code).or_default() += 1);
            }
        }
    }
}

impl Match {
    pub(crate) fn at(position: Value, script: &str) -> Self {
        let setup = Setup::new(game().catalogue(), None, &BTreeMap::new()).expect("the default scenario");
        let table = Table::open_position(game(), setup, position, ChanceSource::script(script));
        Self(table.expect("a position that the game accepts"))
    }

    /// Returns whether a position is refused.
    pub(crate) fn fails(position: &Value) -> bool {
        let setup = Setup::new(game().catalogue(), None, &BTreeMap::new()).expect("the default scenario");
        Table::open_position(game(), setup, position.clone(), ChanceSource::script("")).is_err()
    }

    /// A match from its first deal.
    pub(crate) fn start(script: &str) -> Self {
        let setup = Setup::new(game().catalogue(), None, &BTreeMap::new()).expect("the default scenario");
        Self(Table::open(game(), setup, ChanceSource::script(script)))
    }

    /// Both seats choose a card and commit, Parliament first.
    pub(crate) fn choose(&mut self, royalist: &str, parliament: &str) -> &mut Self {
        for (seat, card) in [(P, parliament), (R, royalist)] {
            let taken = self.0.apply_line(seat, &format!("play {card}; done"), ApplyMode::Atomic);
            assert!(taken.is_ok(), "{taken:?}");
        }
        self
    }

    /// Returns the seat that is to act, which sees its own draft.
    fn watching(&self) -> Observer {
        self.to_act().map_or(Observer::Spectator, Observer::Seat)
    }

    /// The code of the prompt.
    pub(crate) fn asked(&self) -> &'static str {
        self.0.view(self.watching()).turn_state.prompt.code
    }

    /// A number of the prompt.
    pub(crate) fn number(&self) -> i32 {
        let prompt = self.0.view(self.watching()).turn_state.prompt.clone();
        let number =
            prompt.refs.iter().find_map(|what| if let Ref::Number(n) = what { Some(*n) } else { None });
        number.expect("the prompt has a number")
    }

    /// The Areas whose Supply is still to come, as an observer sees them: by id, how many blocks are short.
    pub(crate) fn still_short(&self, observer: Observer) -> Vec<(String, i32)> {
        let turn_state = self.0.view(observer).turn_state;
        let supply = turn_state.procedures.iter().find(|procedure| procedure.frame == "supply");
        let short = |pair: &[(&str, Ref)]| match *pair {
            [("area", area), ("short", Ref::Number(n))] => Some((game().catalogue().id_of(area), n)),
            _ => None,
        };
        supply.expect("Supply is under way").roles.windows(2).filter_map(short).collect()
    }

    /// The cards of a pile that a seat sees, by ids, and how many there are.
    pub(crate) fn pile(&self, seat: Seat, id: &str) -> (Vec<String>, u16) {
        let catalogue = game();
        let at = catalogue.catalogue().piles.iter().position(|pile| pile.entry.id == id).expect("a pile");
        let pile = self.0.view(Observer::Seat(seat)).board.piles[&(at as u16)].clone();
        (pile.cards.iter().map(|&card| game().catalogue().id_of(Ref::Card(card))).collect(), pile.count)
    }

    /// Returns whether others than its owner see a block's face.
    pub(crate) fn is_up(&self, block: &str) -> bool {
        self.0.view(Observer::Spectator).board.pieces.contains_key(&Self::piece(block))
    }

    /// The codes of everything that an observer was told, in order.
    pub(crate) fn codes(&self, observer: Observer) -> Vec<&'static str> {
        self.0.published(observer, 0).iter().map(|seen| seen.code).collect()
    }

    /// Events of a code as an observer was told them: the sentence, and the rule behind it.
    pub(crate) fn said(&self, observer: Observer, code: &str) -> Vec<String> {
        let published = self.0.published(observer, 0);
        let say = |code, refs: &[Ref]| game().catalogue().say(&Phrase::new(code, refs));
        let of_code = published.iter().filter(|seen| seen.code == code);
        of_code.map(|seen| format!("{} ({})", say(seen.code, &seen.form.refs), seen.rule)).collect()
    }

    /// Dice and draws of the script that are left.
    pub(crate) fn left_over(&self) -> usize {
        self.0.chance_source().left_over()
    }

    pub(crate) fn to_act(&self) -> Option<Seat> {
        if let Node::Decision(seat) = self.0.node() { Some(seat) } else { None }
    }

    /// Takes the actions of a line as the seat that is to act; they must be legal.
    pub(crate) fn play(&mut self, line: &str) -> &mut Self {
        let seat = self.to_act().expect("somebody is to act");
        for item in line.split(';').map(str::trim) {
            let taken = self.0.apply_line(seat, item, ApplyMode::Atomic);
            assert!(taken.is_ok(), "{seat}, `{item}`: {taken:?}, legal {:?}", self.legal());
        }
        self
    }

    pub(crate) fn legal(&self) -> Vec<String> {
        let Some(seat) = self.to_act() else { return Vec::new() };
        self.0.legal(seat).into_iter().map(|action| game().catalogue().actions.notation(action)).collect()
    }

    /// Those of the legal actions that begin with a verb, without it.
    pub(crate) fn choices(&self, verb: &str) -> Vec<String> {
        let rest = |action: String| action.strip_prefix(&format!("{verb} ")).map(str::to_owned);
        self.legal().into_iter().filter_map(rest).collect()
    }

    pub(crate) fn allows(&self, action: &str) -> bool {
        self.legal().iter().any(|legal| legal == action)
    }

    /// The grounds against an action, as `CODE rule`.
    pub(crate) fn refused(&mut self, notation: &str) -> Vec<String> {
        let seat = self.to_act().expect("somebody is to act");
        let action = game().catalogue().actions.parse(notation).expect("an action of the table");
        match self.0.apply(seat, &[action], ApplyMode::Atomic) {
            Err(Refusal::Action { rule_violations, .. }) => {
                rule_violations.iter().map(|reason| format!("{} {}", reason.code, reason.rule)).collect()
            }
            other => panic!("`{notation}` should be refused: {other:?}"),
        }
    }

    fn piece(id: &str) -> u16 {
        game().catalogue().pieces.iter().position(|piece| piece.id == id).expect("a block") as u16
    }

    fn space(id: &str) -> Location {
        let at = game().catalogue().spaces.iter().position(|space| space.entry.id == id).expect("a space");
        Location::Space(at as u16)
    }

    fn marker_kind(id: &str) -> u16 {
        game().catalogue().markers.iter().position(|marker| marker.entry.id == id).expect("a marker") as u16
    }

    /// A block's strength; 0 in the pool.
    pub(crate) fn strength(&self, block: &str) -> i32 {
        let piece = Self::piece(block);
        let seat = if block.starts_with('r') { R } else { P };
        let marker = Marker { at: Location::Piece(piece), kind: Self::marker_kind("strength") };
        self.0.view(Observer::Seat(seat)).board.markers.get(&marker).copied().unwrap_or(0)
    }

    /// Returns the place of a block, by its id.
    pub(crate) fn place(&self, block: &str) -> String {
        let seat = if block.starts_with('r') { R } else { P };
        let view = self.0.view(Observer::Seat(seat));
        game().catalogue().id_of(Ref::from(view.board.pieces[&Self::piece(block)].at))
    }

    /// Returns the class that a block fights as, as its owner sees it.
    pub(crate) fn class(&self, block: &str) -> String {
        let seat = if block.starts_with('r') { R } else { P };
        let kind = self.0.view(Observer::Seat(seat)).board.pieces[&Self::piece(block)].kind;
        game().catalogue().kinds[usize::from(kind)].entry.id.clone()
    }

    /// Returns a marker at a space, by ids, as the seat that is to act sees it.
    pub(crate) fn marker(&self, space: &str, kind: &str) -> Option<i32> {
        let marker = Marker { at: Self::space(space), kind: Self::marker_kind(kind) };
        self.0.view(self.watching()).board.markers.get(&marker).copied()
    }

    /// The Royalists' points.
    pub(crate) fn points(&self) -> i32 {
        let marker = Marker { at: Location::Track(1), kind: Self::marker_kind("victory") };
        self.0.view(self.watching()).board.markers[&marker]
    }

    /// Goes on with these answers where they are legal, these blocks for hits among equals, and otherwise as little as may be,
    /// until all is used up.
    pub(crate) fn drive(&mut self, answers: &[&str], equals: &[&str]) -> &mut Self {
        let (mut answers, mut equals): (VecDeque<&str>, VecDeque<&str>) =
            (answers.iter().copied().collect(), equals.iter().copied().collect());
        while self.to_act().is_some() {
            let legal = self.legal();
            if legal[0].starts_with("hit ") {
                let block = equals.pop_front().unwrap_or_else(|| panic!("not foreseen: {legal:?}"));
                self.play(&format!("hit {block}"));
                continue;
            }
            if answers.is_empty() && equals.is_empty() && self.0.chance_source().left_over() == 0 {
                break;
            }
            if answers.front().is_some_and(|answer| legal.iter().any(|action| action == answer)) {
                let answer = answers.pop_front().unwrap_or_default();
                self.play(answer);
                continue;
            }
            let default = ["fight", "pass", "done", "halt", "break"];
            let action = default.into_iter().find(|action| legal.iter().any(|legal| legal == action));
            self.play(action.unwrap_or_else(|| panic!("not foreseen: {legal:?}, answers {answers:?}")));
        }
        assert_eq!(
            (answers.len(), equals.len(), self.0.chance_source().left_over()),
            (0, 0, 0),
            "all is used up"
        );
        self
    }

    pub(crate) fn has(&self, strengths: &[(&str, i32)]) {
        for &(block, strength) in strengths {
            assert_eq!(self.strength(block), strength, "{block}");
        }
    }
}
