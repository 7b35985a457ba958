//! A match of English Civil War IIa as a test drives it: positions in JSON, orders as lines, facts as text.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Game;
use edgehill_engine::games::english_civil_war_iia::{EnglishCivilWar, PARLIAMENT, ROYALIST};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, ObservedEvent, Table};
use edgehill_engine::view::{Arrow, ArrowKey, Change, View};
use serde_json::{Value, json};

pub(crate) const R: Seat = ROYALIST;
pub(crate) const P: Seat = PARLIAMENT;
pub(crate) const SIDES: [Seat; 2] = [R, P];

/// The game with its built-in content, loaded once.
pub(crate) fn game() -> &'static Arc<EnglishCivilWar> {
    static GAME: OnceLock<Arc<EnglishCivilWar>> = OnceLock::new();
    GAME.get_or_init(|| Arc::new(EnglishCivilWar::standard()))
}

/// A setup with these options.
pub(crate) fn setup(options: &[(&str, &str)]) -> Setup {
    let options: BTreeMap<String, String> =
        options.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect();
    Setup::new(game().catalogue(), None, &options).expect("options of the game")
}

/// A match, and how far its public events have been read.
pub(crate) struct Match {
    pub(crate) table: Table<EnglishCivilWar>,
    read: usize,
}

impl Match {
    /// The war from its start.
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// The war from its start, with options.
    pub(crate) fn with(options: &[(&str, &str)]) -> Self {
        Self { table: Table::open(Arc::clone(game()), setup(options), ChanceSource::Manual), read: 0 }
    }

    /// From a described position.
    pub(crate) fn at(position: &Value) -> Self {
        Self::at_with(position, &[])
    }

    /// From a described position, with options.
    pub(crate) fn at_with(position: &Value, options: &[(&str, &str)]) -> Self {
        let table = Table::open_position(
            Arc::clone(game()),
            setup(options),
            without_leaders(position),
            ChanceSource::Manual,
        );
        Self { table: table.unwrap_or_else(|error| panic!("{position}: {error}")), read: 0 }
    }

    /// From a month with only these units on the board.
    pub(crate) fn month(royalist: &[&str], parliament: &[&str]) -> Self {
        Self::at(&json!({ "units": { "R": royalist, "P": parliament } }))
    }

    /// Writes a line for a side.
    pub(crate) fn write(&mut self, seat: Seat, line: &str) {
        let applied = self.table.apply_line(seat, line, ApplyMode::Atomic);
        applied.unwrap_or_else(|error| panic!("{line}: {}: {error}", error.code()));
    }

    /// Writes a line for a side and commits it, if it owes anything.
    pub(crate) fn commit(&mut self, seat: Seat, line: &str) {
        if self.owes(seat) {
            self.write(seat, &format!("{line}; Done"));
        } else {
            assert_eq!(line, "", "the side is not asked");
        }
    }

    /// Both sides commit these lines: one node.
    pub(crate) fn both(&mut self, royalist: &str, parliament: &str) {
        let to_act = SIDES.map(|seat| self.owes(seat));
        for (seat, line) in SIDES.into_iter().zip([royalist, parliament]) {
            if to_act[seat.index()] {
                self.write(seat, &format!("{line}; Done"));
            } else {
                assert_eq!(line, "", "the side is not asked");
            }
        }
    }

    pub(crate) fn owes(&self, seat: Seat) -> bool {
        self.table.node().to_act().contains(seat)
    }

    pub(crate) fn view(&self) -> View {
        self.table.view(Observer::Spectator)
    }

    /// The public events since the last call.
    pub(crate) fn news(&mut self) -> Vec<ObservedEvent> {
        let published = self.table.published(Observer::Spectator, self.read).to_vec();
        self.read += published.len();
        published
    }

    /// The public events since the last call, as `code words` with ids for references.
    pub(crate) fn facts(&mut self) -> Vec<String> {
        self.news().iter().map(say).collect()
    }

    /// The name of the node's procedure.
    pub(crate) fn frame(&self) -> &'static str {
        self.view().turn_state.procedures[1].frame
    }

    /// A number that the node's context shows.
    pub(crate) fn number(&self, role: &str) -> Option<i32> {
        match self.view().turn_state.procedures[1].role(role)? {
            Ref::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The legal actions of a side in words.
    pub(crate) fn legal(&self, seat: Seat) -> Vec<String> {
        let actions = &game().catalogue().actions;
        self.table.legal(seat).into_iter().map(|action| actions.notation(action)).collect()
    }

    /// The codes and rules by which an action is refused.
    pub(crate) fn refusal(&self, seat: Seat, action: &str) -> Vec<(&'static str, &'static str)> {
        let action = game().catalogue().actions.parse(action).expect("an action of the table");
        let rule_violations = game().rule_violations(self.table.state(), seat, action);
        rule_violations.iter().map(|reason| (reason.code, reason.rule.id())).collect()
    }

    /// The ending: the code, and who won.
    pub(crate) fn result(&self) -> Option<(&'static str, Option<Seat>)> {
        let result = self.table.result()?;
        let winner = SIDES.into_iter().find(|seat| result.returns[seat.index()] == 1);
        Some((result.code, winner))
    }
}

/// The ids of all leaders.
pub(crate) fn leaders() -> Vec<&'static str> {
    game().realm().leaders.iter().map(|leader| leader.id.as_str()).collect()
}

/// The same position; if it names units and no leader, the leaders are lost: tests put down what they are about.
pub(crate) fn without_leaders(position: &Value) -> Value {
    let mut position = position.clone();
    let names = leaders();
    let units = position.get("units").filter(|units| units.is_object()).map(Value::to_string);
    if units.is_some_and(|units| !names.iter().any(|name| units.contains(name)))
        && position.get("lost").is_none()
    {
        position["lost"] = json!(names);
    }
    position
}

/// An event in words.
pub(crate) fn say(seen: &ObservedEvent) -> String {
    let words: Vec<String> = seen.form.refs.iter().map(|&what| game().catalogue().id_of(what)).collect();
    [&[seen.code.to_owned()], &words[..]].concat().join(" ")
}

/// The rule that each event rests on, by the event in words.
pub(crate) fn grounds(events: &[ObservedEvent]) -> Vec<(String, &'static str)> {
    events.iter().map(|seen| (say(seen), seen.rule.id())).collect()
}

/// The marker of this kind, if it is there.
pub(crate) fn marker(view: &View, at: &str, kind: &str) -> Option<i32> {
    let catalogue = game().catalogue();
    let kind =
        catalogue.markers.iter().position(|def| def.entry.id == kind).expect("a kind of marker") as u16;
    let named = |place: Location| catalogue.id_of(place.into()).eq_ignore_ascii_case(at);
    view.board.markers.iter().find(|(key, _)| key.kind == kind && named(key.at)).map(|(_, &number)| number)
}

/// Units on the board as the grammar writes them, by side; dislodged ones left out.
pub(crate) fn units(view: &View, seat: Seat) -> Vec<String> {
    let realm = game().realm();
    let mut found = Vec::new();
    for (index, county) in realm.counties.iter().enumerate() {
        let here = Location::Space(index as u16);
        let own = |group: &&edgehill_engine::view::PieceGroup| {
            group.at == here && group.owner == Some(seat) && group.flags == 0
        };
        let armies: u16 = view.board.groups.keys().filter(own).map(|group| view.board.groups[group]).sum();
        let led = view
            .board
            .pieces
            .iter()
            .filter(|(_, piece)| piece.at == here && piece.owner == Some(seat) && piece.flags == 0);
        let leaders: Vec<&str> = led.map(|(&id, _)| realm.leaders[usize::from(id)].id.as_str()).collect();
        if armies > 0 || !leaders.is_empty() {
            found.push(format!("{} {}", named_units(i32::from(armies), &leaders), county.id));
        }
    }
    found
}

/// `2A+Rupert`, `L Rupert`.
pub(crate) fn named_units(armies: i32, leaders: &[&str]) -> String {
    let names = leaders.join("+");
    match (armies, names.is_empty()) {
        (0, _) => format!("L {names}"),
        (1, true) => "A".to_owned(),
        (1, false) => format!("A+{names}"),
        (_, true) => format!("{armies}A"),
        (_, false) => format!("{armies}A+{names}"),
    }
}

/// The result of an arrow's part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PartResult {
    pub(crate) line: String,
    /// The code as the worked examples write it.
    pub(crate) code: String,
    pub(crate) cause: String,
    pub(crate) strength: i32,
    pub(crate) retreat: bool,
}

/// The results of parts that events publish.
pub(crate) fn results(events: &[ObservedEvent]) -> Vec<PartResult> {
    let mut found = Vec::new();
    for seen in events {
        for change in &seen.form.changes {
            if let Change::Arrow(key, Some(arrow)) = change
                && arrow.result.is_some_and(|code| !["ordered", "draft", "all", "army"].contains(&code))
            {
                found.push(result(key, arrow));
            }
        }
    }
    found
}

fn result(key: &ArrowKey, arrow: &Arrow) -> PartResult {
    let catalogue = game().catalogue();
    let id = |at: Location| catalogue.id_of(at.into());
    let numbers: Vec<i32> = arrow
        .refs
        .iter()
        .filter_map(|what| if let Ref::Number(n) = what { Some(*n) } else { None })
        .collect();
    let leaders: Vec<String> = arrow
        .refs
        .iter()
        .filter(|what| matches!(what, Ref::Piece(_)))
        .map(|&what| catalogue.id_of(what))
        .collect();
    let leaders: Vec<&str> = leaders.iter().map(String::as_str).collect();
    let units = named_units(numbers[0], &leaders);
    let (from, to) = (id(key.from), id(key.to));
    let kind = catalogue.arrows[usize::from(key.kind)].id.as_str();
    let line = match kind {
        "hold" => format!("{units} {from} H"),
        "move" => format!("{units} {from}-{to}"),
        "merge" => format!("{units} {from} MERGE {to}"),
        "support" => match key.of {
            Some(of) => format!("{units} {from} S {}-{to}", id(of)),
            None => format!("{units} {from} S {to}"),
        },
        _ if from == to => format!("{units} {from} D"),
        _ => format!("{units} {from} R {to}"),
    };
    let (code, cause) =
        arrow.result.unwrap_or("").split_once('.').unwrap_or((arrow.result.unwrap_or(""), ""));
    let code =
        if code == "cut_to" { format!("cut to {} of {}", numbers[2], numbers[1]) } else { code.to_owned() };
    let code = match (numbers[3], code.as_str()) {
        (0, _) => code,
        (_, "dislodged") => code,
        _ => format!("{code}, dislodged"),
    };
    PartResult { line, code, cause: cause.to_owned(), strength: numbers[1], retreat: kind == "retreat" }
}

/// A month played: what became of each part, and what was published.
pub(crate) struct Played {
    pub(crate) game: Match,
    results: Vec<PartResult>,
    published: Vec<(String, &'static str)>,
}

/// Plays the first month of a position with these units.
pub(crate) fn month(units: [&[&str]; 2], orders: [&str; 2]) -> Played {
    play(Match::month(units[0], units[1]), orders)
}

/// Plays the node that `game` is at.
pub(crate) fn play(mut game: Match, lines: [&str; 2]) -> Played {
    game.news();
    game.both(lines[0], lines[1]);
    let mut played = Played { game, results: Vec::new(), published: Vec::new() };
    played.read();
    played
}

impl Played {
    fn read(&mut self) {
        let news = self.game.news();
        self.results.extend(results(&news));
        self.published.extend(grounds(&news));
    }

    /// Plays the next node.
    pub(crate) fn then(mut self, lines: [&str; 2]) -> Self {
        self.game.both(lines[0], lines[1]);
        self.read();
        self
    }

    /// Asserts the result of each of these parts: its code, with the cause behind a dot.
    pub(crate) fn gave(self, expected: &[(&str, &str)]) -> Self {
        for (line, code) in expected {
            let result = self.results.iter().rev().find(|result| result.line == *line);
            let found = result.map(PartResult::full);
            assert_eq!(found.as_deref(), Some(*code), "{line} in {:#?}", self.results);
        }
        self
    }

    /// That this was published.
    pub(crate) fn published(self, fact: &str) -> Self {
        assert!(self.published.iter().any(|(what, _)| what == fact), "{fact} in {:#?}", self.published);
        self
    }

    /// That this was published, by this rule.
    pub(crate) fn published_by(self, fact: &str, rule: &str) -> Self {
        let found = self.published.iter().any(|(what, by)| what == fact && *by == rule);
        assert!(found, "{fact} by {rule} in {:#?}", self.published);
        self
    }

    /// That nothing was published that begins so.
    pub(crate) fn silent(self, prefix: &str) -> Self {
        let found = self.published.iter().find(|(what, _)| what.starts_with(prefix));
        assert!(found.is_none(), "{found:?}");
        self
    }

    /// Asserts where units stand now.
    pub(crate) fn stand(self, royalist: &[&str], parliament: &[&str]) -> Self {
        let view = self.game.view();
        assert_eq!(units(&view, R), royalist);
        assert_eq!(units(&view, P), parliament);
        self
    }

    /// The rating of a space now.
    pub(crate) fn rated(self, space: &str, rating: i32) -> Self {
        assert_eq!(marker(&self.game.view(), space, "bias"), Some(rating), "{space}");
        self
    }
}

impl PartResult {
    /// `bounced.strength`, `cut to 1 of 2`, `held`.
    pub(crate) fn full(&self) -> String {
        let cause = if self.cause.is_empty() { String::new() } else { format!(".{}", self.cause) };
        match self.code.split_once(", ") {
            Some((code, dislodged)) => format!("{code}{cause}, {dislodged}"),
            None => format!("{}{cause}", self.code),
        }
    }
}
