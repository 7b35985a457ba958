//! The facts that a match shows, in words ([`Witness`]): each event by code and references, each two that
//! follow each other, and what follows from where things stood when it came.
//!
//! Events alone don't say that an Army was before London, or that a marker was at its end; the witness folds the board up to each
//! event, and looks.

use std::collections::BTreeMap;
use std::sync::Arc;

use edgehill_engine::bot::{HouseBot, random};
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::cruel_necessity::{CruelNecessity, ironside};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, ObservedEvent, Table};
use edgehill_engine::view::{Board, Marker};

use crate::play::{PLAYER, game};

/// The number of times that each fact was met.
pub(super) type Met = BTreeMap<String, u32>;

/// A whole match by the house bot, or at random.
pub(super) fn matched(setup: Setup, by_chance: bool, seed: u64, met: &mut Met) {
    let game: Arc<CruelNecessity> = game();
    let scenario = game.catalogue().scenarios[setup.scenario()].id;
    // The Licensing Order's price is the one option that is a number.
    let all_options = (0..game.catalogue().options.len()).all(|index| ![0, 2].contains(&setup.option(index)));
    let mut table = Table::open(game.clone(), setup, ChanceSource::playout(seed));
    let house: HouseBot<CruelNecessity> = if by_chance { random() } else { ironside() };
    let mut bot = (house.make)(&game, PLAYER, seed);
    let mut witness = Witness::new(&table);
    witness.look(&table, "", met);
    while table.node() != Node::Over {
        let legal = table.legal(PLAYER);
        let action = bot.choose(&table.view(Observer::Seat(PLAYER)), &legal);
        let notation = game.catalogue().actions.notation(action);
        table.apply(PLAYER, &[action], ApplyMode::Atomic).expect("a legal action");
        witness.look(&table, &notation, met);
    }
    let over = table.result().expect("the match is over");
    note(met, format!("ending {} {}", over.code, over.grade));
    note(met, format!("ends {scenario} {}", over.code));
    if all_options {
        note(met, format!("all options {}", over.code));
    }
}

fn note(met: &mut Met, fact: String) {
    *met.entry(fact).or_default() += 1;
}

/// The tracks above and below each other.
const COLUMNS: [(&str, &str); 3] =
    [("ireland", "scotland"), ("monarchy", "parliament"), ("catholicism", "puritanism")];

/// Watches one match.
struct Witness {
    board: Board,
    published: usize,
    /// The event before, with what it was about first.
    before: (&'static str, String),
    card: String,
    in_a_row: u32,
    siege: Siege,
    battle: Fight,
    desperate: bool,
    london_lost: bool,
}

/// The siege or unrest that is on.
#[derive(Default)]
struct Siege {
    fort: String,
    rolls: u32,
    successes: u32,
}

/// The Battle that is on.
#[derive(Default)]
struct Fight {
    card: String,
    trust: bool,
    salvaged: bool,
}

impl Witness {
    fn new(table: &Table<CruelNecessity>) -> Self {
        Self {
            board: table.view(Observer::Seat(PLAYER)).board,
            published: table.published_count(Observer::Seat(PLAYER)),
            before: ("", String::new()),
            card: String::new(),
            in_a_row: 0,
            siege: Siege::default(),
            battle: Fight::default(),
            desperate: false,
            london_lost: false,
        }
    }

    /// Looks at what an action has brought.
    fn look(&mut self, table: &Table<CruelNecessity>, action: &str, met: &mut Met) {
        if !action.is_empty() {
            note(met, format!("action {action}"));
        }
        if let Some(fort) = action.strip_prefix("benefit ") {
            self.benefit(fort, met);
        }
        for seen in table.published(Observer::Seat(PLAYER), self.published) {
            self.event(seen, action, met);
            seen.form.changes.iter().for_each(|change| self.board.fold(change));
        }
        self.published = table.published_count(Observer::Seat(PLAYER));
        let turn_state = table.view(Observer::Seat(PLAYER)).turn_state;
        if turn_state.prompt.code == "act" {
            note(met, format!("act at zeal {}", self.on_track("zeal", "zeal")));
        }
        if let ("benefits_asked", [Ref::Number(points)]) =
            (turn_state.prompt.code, &turn_state.prompt.refs[..])
        {
            note(met, format!("benefit points {points}"));
        }
    }

    fn event(&mut self, seen: &ObservedEvent, action: &str, met: &mut Met) {
        let words: Vec<String> = seen.form.refs.iter().map(|&what| game().catalogue().id_of(what)).collect();
        let first = words.first().cloned().unwrap_or_default();
        note(met, format!("{} {}", seen.code, words.join(" ")).trim_end().to_owned());
        note(met, format!("{}@{} {}", seen.code, seen.rule, words.join(" ")).trim_end().to_owned());
        note(
            met,
            format!("{} {} > {} {first}", self.before.0, self.before.1, seen.code).trim_end().to_owned(),
        );
        self.cards(seen.code, &first, met);
        self.sieges(seen.code, &first, met);
        self.tracks(seen.code, &words, action, met);
        self.rolls(seen.code, &words, met);
        self.armies(seen.code, &words, met);
        self.battles(seen.code, &words, met);
        self.before = (seen.code, first);
    }

    fn cards(&mut self, code: &str, first: &str, met: &mut Met) {
        match code {
            "turn_begins" => (self.in_a_row, self.desperate, self.london_lost) = (0, false, false),
            "achievement" => {
                self.in_a_row += 1;
                note(met, format!("achievements in a row {}", self.in_a_row));
            }
            "event" => first.clone_into(&mut self.card),
            "battle" => note(met, format!("battle of {}", self.card)),
            "desperate" => {
                if self.desperate {
                    note(met, "both desperate acts".to_owned());
                }
                self.desperate = true;
            }
            "reward_found" => {
                let found = (30..38).filter(|&kind| self.number(Location::Mat(13), kind) != 0).count();
                note(met, format!("reward after {found} others"));
            }
            _ => {}
        }
    }

    fn sieges(&mut self, code: &str, first: &str, met: &mut Met) {
        let which = ["first", "second"];
        match code {
            "siege" | "unrest" => {
                self.siege = Siege { fort: first.to_owned(), ..Siege::default() };
                if code == "siege" && first == "london" {
                    let near = ["north", "west"].iter().filter(|army| self.army(army).0 == 0).count();
                    note(met, format!("siege of london by {near}"));
                }
            }
            "siege_success" | "siege_failure" => {
                self.siege.rolls += 1;
                self.siege.successes += u32::from(code == "siege_success");
                let last = self.siege.rolls == 2 || code == "siege_success" && self.click(first) == 1;
                if last {
                    note(met, format!("siege with {} successes", self.siege.successes));
                }
            }
            "captured" => {
                let kind = game().catalogue().id_of(Ref::Kind(self.board.pieces[&piece(first)].kind));
                note(met, format!("{} taken from {kind}", first));
                if kind == "parliament-held" && self.siege.rolls > 0 && self.siege.fort == first {
                    note(met, format!("falls by the {} die", which[self.siege.rolls as usize - 1]));
                }
                if first == "london" {
                    if self.london_lost {
                        note(met, "london regained".to_owned());
                    }
                    self.london_lost = kind == "parliament-held";
                }
            }
            _ => {}
        }
    }

    fn tracks(&self, code: &str, words: &[String], action: &str, met: &mut Met) {
        match (code, words) {
            ("track_up" | "track_down", [track, ..]) => {
                let (from, up) = (self.on_track(track, "box"), code == "track_up");
                let to = if up { from - 1 } else { from + 1 };
                for (index, change) in [(from, "off"), (to, "on")] {
                    if index == 0 || index == 5 {
                        note(
                            met,
                            format!("flip {change} {track} {}", if index == 0 { "top" } else { "bottom" }),
                        );
                    }
                }
                if self.before.0 == "redirected" {
                    let asked = &self.before.1;
                    let end = self.on_track(asked, "box") == if up { 0 } else { 5 };
                    let column = COLUMNS.iter().any(|&(above, below)| {
                        (above, below) == (asked, track) || (below, above) == (asked, track)
                    });
                    let way = if up { "up" } else { "down" };
                    note(
                        met,
                        match (end, column) {
                            (true, true) => format!("off the edge {way} {asked} {track}"),
                            (false, _) => format!("middle ground {way} {asked} {track}"),
                            (true, false) if action.starts_with("shift") => {
                                "jammed, the player picks".to_owned()
                            }
                            (true, false) => "jammed, one can move".to_owned(),
                        },
                    );
                }
            }
            ("political_reaction", _) => self.reaction("political", ["parliament", "monarchy"], met),
            ("religious_reaction", _) => self.reaction("religious", ["puritanism", "catholicism"], met),
            _ => {}
        }
    }

    fn reaction(&self, kind: &str, column: [&str; 2], met: &mut Met) {
        for track in column {
            let grade = ["A", "B", "C", "D", "F"].into_iter().find(|grade| self.has(track, grade));
            note(met, format!("{kind} reaction from {}", grade.unwrap_or("?")));
        }
    }

    fn rolls(&self, code: &str, words: &[String], met: &mut Met) {
        let ("roll_won" | "roll_lost", [what, die, ..]) = (code, words) else { return };
        let won = if code == "roll_won" { "won" } else { "lost" };
        note(met, format!("natural {die} {won}"));
        if self.before.0 != "zeal_lost" && what.starts_with("clubmen") {
            let Location::Space(space) = self.board.pieces[&piece(what)].at else { return };
            let army = ["north", "west"][usize::from(space / 5)];
            let place = if i32::from(space % 5 + 1) == self.army(army).0 { "here" } else { "behind" };
            note(met, format!("royalists on clubmen {place} {won}"));
            note(met, format!("royalists on clubmen of strength {}", self.on_piece(what, "value")));
        }
        if what.starts_with("deviltry") {
            note(met, format!("deviltry of strength {} {won}", self.on_piece(what, "value")));
        }
        if game().catalogue().tracks.iter().any(|track| track.entry.id == *what) {
            let (card, zeal) = (self.on_track(what, "drm"), self.on_track(what, "zeal-marker"));
            note(met, format!("politics with card {card} and zeal {zeal}"));
        }
    }

    fn armies(&self, code: &str, words: &[String], met: &mut Met) {
        match (code, words) {
            ("retreats", [army, ..]) => note(met, format!("retreat of {army} from {}", self.army(army).0)),
            ("reward_used", [reward]) if reward == "next-turn-north" => {
                let (area, disordered) = self.army("north");
                note(
                    met,
                    format!(
                        "north disordered by reward: {}",
                        match (disordered, area) {
                            (false, _) => "ready",
                            (true, 5) => "in 5",
                            (true, _) => "disordered",
                        }
                    ),
                );
            }
            ("infused", [target]) => {
                let kind = match target.as_str() {
                    "north" | "west" | "scotland" | "ireland" => "army",
                    "london" | "hull" | "bristol" | "oxford" | "edinburgh" | "dublin" => "fortress",
                    deviltry if deviltry.starts_with("deviltry") => "deviltry",
                    revolt if ["clubmen-1", "clubmen-2", "uprising", "revolt"].contains(&revolt) => "revolt",
                    _ => "track",
                };
                note(met, format!("zeal marker on {kind}"));
            }
            _ => {}
        }
    }

    fn battles(&mut self, code: &str, words: &[String], met: &mut Met) {
        match (code, words) {
            ("battle", _) => self.battle = Fight::default(),
            ("battle_card" | "played", [card]) => {
                card.clone_into(&mut self.battle.card);
                self.battle.trust |= card == "trust-in-god" && code == "played";
            }
            ("salvaged", _) => {
                self.battle.salvaged = true;
                note(met, format!("salvage at zeal {}", self.on_track("zeal", "zeal")));
            }
            ("sector_won" | "sector_lost" | "sector_drawn", [sector]) => {
                let flank = match self.board.pieces.get(&piece("cromwell")).map(|piece| piece.at) {
                    Some(Location::Space(22)) if sector == "1" => "right",
                    Some(Location::Space(23)) if sector == "2" => "left",
                    _ => return,
                };
                note(met, format!("cromwell {flank} {code}"));
            }
            ("battle_won" | "battle_lost" | "battle_drawn", _) => {
                let boxes = [6, 7, 8].map(|mat| self.own_in(Location::Mat(mat)).to_string()).join("-");
                note(met, format!("{code} with {boxes}"));
                if self.battle.trust {
                    let salvaged = if self.battle.salvaged { " salvaged" } else { "" };
                    note(met, format!("trust in god: {code}{salvaged}"));
                }
            }
            ("replaced", [slot, _]) => {
                let arm = if slot.ends_with("flank") || slot == "r-first" || slot == "r-second" {
                    "horse"
                } else {
                    "foot"
                };
                note(met, format!("{} replaces {arm}", self.battle.card));
            }
            ("unit_marker", [slot, value]) => {
                note(met, format!("{} gives {value}", self.battle.card));
                let index = game().catalogue().spaces.iter().position(|space| space.entry.id == *slot);
                let at = Location::Space(index.expect("a place of the line") as u16);
                note(met, format!("{} at strength {}", self.battle.card, self.number(at, 11)));
            }
            ("unit_lost" | "unit_recovers" | "unit_returns", [unit, die]) => {
                let own = ["cromwell", "ironsides", "london-trained-bands", "new-model-1", "new-model-2"];
                let side = if own.contains(&unit.as_str()) { "parliament" } else { "royalist" };
                note(met, format!("deadly {side} {die}"));
            }
            _ => {}
        }
    }

    fn benefit(&self, what: &str, met: &mut Met) {
        let forts = ["london", "hull", "bristol", "oxford", "edinburgh", "dublin"];
        if forts.contains(&what) {
            let kind = game().catalogue().id_of(Ref::Kind(self.board.pieces[&piece(what)].kind));
            note(met, format!("benefit click of {kind}"));
        }
    }

    /// Returns the number of Parliament's formations in an outcome box.
    fn own_in(&self, at: Location) -> usize {
        let own = |from: Option<Location>| matches!(from, Some(Location::Space(space)) if space < 28);
        let pieces = self.board.pieces.values().filter(|piece| piece.at == at && own(piece.from)).count();
        let groups = self.board.groups.iter().filter(|(group, _)| group.at == at && own(group.from));
        pieces + groups.map(|(_, &count)| usize::from(count)).sum::<usize>()
    }

    fn number(&self, at: Location, kind: u16) -> i32 {
        self.board.markers.get(&Marker { at, kind }).copied().unwrap_or(0)
    }

    fn on_track(&self, track: &str, kind: &str) -> i32 {
        self.number(track_at(track), marker(kind))
    }

    fn has(&self, track: &str, kind: &str) -> bool {
        self.board.markers.contains_key(&Marker { at: track_at(track), kind: marker(kind) })
    }

    fn on_piece(&self, id: &str, kind: &str) -> i32 {
        self.number(Location::Piece(piece(id)), marker(kind))
    }

    fn click(&self, fort: &str) -> i32 {
        self.on_piece(fort, "click")
    }

    /// Area of an Army, 0 for London Under Siege, and whether it is Disordered.
    fn army(&self, army: &str) -> (i32, bool) {
        let there = &self.board.pieces[&piece(army)];
        let Location::Space(space) = there.at else { panic!("an Army stands in an area") };
        (if space == 20 { 0 } else { i32::from(space % 5) + 1 }, there.flags & 1 != 0)
    }
}

fn piece(id: &str) -> u16 {
    game().catalogue().pieces.iter().position(|entry| entry.id == id).expect("a piece") as u16
}

fn marker(id: &str) -> u16 {
    game().catalogue().markers.iter().position(|def| def.entry.id == id).expect("a kind of marker") as u16
}

fn track_at(id: &str) -> Location {
    Location::Track(
        game().catalogue().tracks.iter().position(|def| def.entry.id == id).expect("a track") as u16
    )
}
