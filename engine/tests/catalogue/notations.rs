//! docs/notation: a page a game, made of its action table and of matches that were played.
//!
//! `EDGEHILL_BLESS=1 cargo test --workspace --test catalogue notation` writes the pages anew.

#![expect(clippy::disallowed_methods, reason = "a test of the docs reads them")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use edgehill_engine::action::{ActionId, Verb, VerbKind};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::content::Confidence;
use edgehill_engine::game::Node;
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;

use super::games;

/// The matches that are played of each scenario, from seeds 0 and up.
const MATCHES: u64 = 40;
/// The most examples of a verb.
const EXAMPLES: usize = 2;
/// The most words of a parameter that are shown.
const WORDS: usize = 3;

/// All that was met of a verb's actions in matches.
#[derive(Clone, Default)]
struct Met {
    /// Legal actions, in the order in which they came.
    examples: Vec<ActionId>,
    /// The rules of the procedures that asked for them.
    rules: BTreeSet<String>,
}

#[test]
fn a_page_of_notation_is_what_the_engine_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/notation");
    let bless = std::env::var("EDGEHILL_BLESS").is_ok_and(|bless| bless == "1");
    for game in games() {
        let path = folder.join(format!("{}.md", game.catalogue().id));
        let page = page(game.catalogue(), &met(&*game));
        if bless {
            fs::create_dir_all(&folder).expect("the folder can be made");
            fs::write(&path, page).expect("the page can be written");
            continue;
        }
        let kept = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; EDGEHILL_BLESS=1 writes it", path.display()));
        let differs = kept.lines().zip(page.lines()).find(|(kept, page)| kept != page);
        assert!(kept == page, "{} (EDGEHILL_BLESS=1 writes it anew): {differs:?}", path.display());
    }
}

/// All that matches of house bots meet, verb by verb: every scenario, with every option off and on in turns, and each bot in turns.
fn met(game: &dyn AnyGame) -> Vec<Met> {
    let catalogue = game.catalogue();
    let mut met = vec![Met::default(); catalogue.actions.verbs().len()];
    for scenario in &catalogue.scenarios {
        for seed in 0..MATCHES {
            let flag = if seed % 2 == 1 { "true" } else { "false" };
            let flags = catalogue.options.iter().filter(|option| option.kind.expected() == "true or false");
            let options: BTreeMap<_, _> =
                flags.map(|option| (option.id.to_owned(), flag.to_owned())).collect();
            let setup = Setup::new(catalogue, Some(scenario.id), &options).expect("a setup");
            play(game, &mut *game.open(setup, ChanceSource::playout(seed)), seed, &mut met);
        }
    }
    met
}

/// Plays a match to its end, noting what is legal.
fn play(game: &dyn AnyGame, table: &mut dyn AnyTable, seed: u64, met: &mut [Met]) {
    let (names, seats) = (game.bots(), (0..table.seats()).map(|seat| (seat, Seat::new(seat as u8))));
    // Options change with every second seed; bots meet themselves and each other.
    let place = |seat: usize| (seed as usize / 2 + seat * (seed as usize / 4)) % names.len();
    let bot = |(at, seat)| game.bot(names[place(at)].name, seat, seed).expect("a bot of the game");
    let mut bots: Vec<_> = seats.map(bot).collect();
    loop {
        let seat = match table.node() {
            Node::Decision(seat) => seat,
            Node::Sealed(to_act) => to_act.iter().next().expect("a sealed node is owed"),
            Node::Chance => panic!("a playout draws by itself"),
            Node::Over => return,
        };
        let (view, legal) = (table.view(Observer::Seat(seat)), table.legal(seat));
        let rule = view.turn_state.procedures.last().map(|procedure| procedure.rule.to_string());
        for &action in &legal {
            let verb = game.catalogue().actions.get(action).expect("an id of the table").verb;
            let met = &mut met[usize::from(verb)];
            met.rules.extend(rule.clone());
            if met.examples.len() < EXAMPLES && !met.examples.contains(&action) {
                let notation = game.catalogue().actions.notation(action);
                assert_eq!(game.catalogue().actions.parse(&notation), Some(action), "{notation}");
                met.examples.push(action);
            }
        }
        let action = bots[seat.index()].choose(&view, &legal);
        table.apply(seat, &[action], ApplyMode::Atomic).expect("a legal action is taken");
        table.forget_published();
    }
}

/// One parameter of a verb: what its actions name there.
#[derive(Default)]
struct Parameter {
    kinds: BTreeSet<&'static str>,
    /// The words, in the order of the table, each with whether something of what it names is reconstructed.
    words: Vec<(String, bool)>,
    /// True if there are actions without it.
    is_left_out: bool,
}

/// The parameters of a verb, by role.
fn parameters(catalogue: &Catalogue, verb: &Verb) -> Vec<Parameter> {
    let mut parameters: Vec<_> = verb.refs.iter().map(|_| Parameter::default()).collect();
    for id in catalogue.actions.ids() {
        if catalogue.actions.verb_of(id) != Some(verb) {
            continue;
        }
        let action = catalogue.actions.get(id).expect("an id of the table");
        for (place, parameter) in parameters.iter_mut().enumerate() {
            let Some(&what) = action.refs.get(place) else {
                parameter.is_left_out = true;
                continue;
            };
            parameter.kinds.insert(kind(what));
            let reconstructed =
                catalogue.entry(what).is_some_and(|entry| entry.confidence == Confidence::Reconstructed);
            let word = (word(catalogue, what), reconstructed);
            if !parameter.words.contains(&word) {
                parameter.words.push(word);
            }
        }
    }
    parameters
}

/// The kind of thing that a reference names.
fn kind(what: Ref) -> &'static str {
    match what {
        Ref::Space(_) => "space",
        Ref::Mat(_) => "mat",
        Ref::Track(_) => "track",
        Ref::Pile(_) => "pile",
        Ref::Piece(_) => "piece",
        Ref::Kind(_) => "kind of piece",
        Ref::Card(_) => "card",
        Ref::Marker(_) => "kind of marker",
        Ref::Seat(_) => "seat",
        Ref::Number(_) => "number",
    }
}

/// The word that the catalogue has for what a reference names.
fn word(catalogue: &Catalogue, what: Ref) -> String {
    match what {
        Ref::Seat(seat) => catalogue.seats[seat.index()].id.to_owned(),
        Ref::Number(number) => number.to_string(),
        other => catalogue.entry(other).expect("the catalogue has it").id.clone(),
    }
}

/// The page of a game.
fn page(catalogue: &Catalogue, met: &[Met]) -> String {
    let (verbs, mut page) = (catalogue.actions.verbs(), String::new());
    let said = write_page(catalogue, verbs, met, &mut page);
    said.expect("a text grows");
    page
}

fn write_page(catalogue: &Catalogue, verbs: &[Verb], met: &[Met], page: &mut String) -> std::fmt::Result {
    writeln!(page, "# Notation of {}\n", catalogue.title)?;
    writeln!(
        page,
        "Each action of [{}](../games/{}.md) as text: {} actions of {} verbs, in version {} of its rules. A test makes this page of the action \
         table and of {MATCHES} matches of house bots in each scenario (`engine/tests/catalogue/notations.rs`). [Notation](../notation.md) says how lines \
         are made of actions.\n",
        catalogue.title,
        catalogue.id,
        catalogue.actions.len(),
        verbs.len(),
        catalogue.rules_version
    )?;
    writeln!(page, "## Actions\n")?;
    writeln!(
        page,
        "*Rules* are those of the procedures that asked when such an action was legal, by the numbers of the rulebook; an example was legal in a match.\n"
    )?;
    writeln!(page, "| action | effect | kind | rules | for example |\n| --- | --- | --- | --- | --- |")?;
    for (verb, met) in verbs.iter().zip(met) {
        let parameters: String = verb.refs.iter().map(|role| format!(" *{role}*")).collect();
        let examples: Vec<_> =
            met.examples.iter().map(|&id| format!("`{}`", catalogue.actions.notation(id))).collect();
        let examples = if examples.is_empty() { "none was met".to_owned() } else { examples.join(", ") };
        let rules: Vec<_> = in_order(catalogue, &met.rules);
        let kind = match verb.kind {
            VerbKind::Play => "play",
            VerbKind::Pass => "pass",
            VerbKind::Done => "done",
            VerbKind::Navigate => "navigate",
        };
        writeln!(
            page,
            "| `{}`{parameters} | {} | {kind} | {} | {examples} |",
            verb.id,
            verb.title,
            rules.join(", ")
        )?;
    }
    writeln!(page, "\n## Parameters\n")?;
    let mut is_reconstructed = false;
    writeln!(
        page,
        "| of | parameter | meaning | kind | values | such as |\n| --- | --- | --- | --- | --- | --- |"
    )?;
    for verb in verbs {
        for (role, parameter) in verb.refs.iter().zip(parameters(catalogue, verb)) {
            let label = catalogue.role(role).map_or("", |role| role.label);
            let kinds: Vec<_> = parameter.kinds.into_iter().collect();
            let (count, marked) =
                (parameter.words.len(), parameter.words.iter().filter(|(_, marked)| *marked).count());
            let mark = if marked == 0 { String::new() } else { format!(", {marked} reconstructed") };
            is_reconstructed |= marked > 0;
            let absent = if parameter.is_left_out { ", or none" } else { "" };
            let such: Vec<_> =
                parameter.words.iter().take(WORDS).map(|(word, _)| format!("`{word}`")).collect();
            writeln!(
                page,
                "| `{}` | *{role}* | {label} | {} | {count}{absent}{mark} | {} |",
                verb.id,
                kinds.join(", "),
                such.join(", ")
            )?;
        }
    }
    if is_reconstructed {
        writeln!(
            page,
            "\n*Reconstructed* are things of which something stands in for a printed value that was not at hand; the catalogue says of each what."
        )?;
    }
    Ok(())
}

/// Rules in the order of the ledger; what is none of its rules comes first.
fn in_order(catalogue: &Catalogue, rules: &BTreeSet<String>) -> Vec<String> {
    let place = |rule: &String| catalogue.ledger.iter().position(|entry| entry.id == *rule);
    let mut rules: Vec<_> = rules.iter().cloned().collect();
    rules.sort_by_key(place);
    rules
}
