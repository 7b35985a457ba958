//! Legal lists in each detail, and the way back from each encoding to the same step.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::AnyTable;
use edgehill_engine::seat::Seat;
use edgehill_engine::step::StepId;
use edgehill_engine::table::ListMode;
use edgehill_proto::v1::{self, LegalDetail};
use edgehill_service::wire::legal::Filter;
use edgehill_service::wire::steps::Steps;
use edgehill_service::wire::{legal, reference, step, steps};
use v1::step::Encoding;

use crate::{SEEDS, below, game, matches, open, play, registry};

fn list(catalogue: &Catalogue, legal: &[StepId], detail: LegalDetail) -> v1::LegalList {
    legal::of(catalogue, legal, detail).expect("a detail that tells something")
}

fn structure(step: &v1::LegalStep) -> v1::StepStructure {
    v1::StepStructure { verb: step.verb.clone(), refs: step.refs.clone() }
}

/// The same steps sent in each of the three encodings.
fn sent(full: &v1::LegalList) -> [v1::Steps; 3] {
    [
        v1::Steps { ids: full.ids.clone(), ..v1::Steps::default() },
        v1::Steps { structures: full.steps.iter().map(structure).collect(), ..v1::Steps::default() },
        v1::Steps {
            notations: full.steps.iter().map(|step| step.notation.clone()).collect(),
            ..v1::Steps::default()
        },
    ]
}

#[test]
fn what_is_listed_comes_back_as_the_same_steps_in_every_encoding() {
    for seed in SEEDS {
        for mut table in matches(seed) {
            play(&mut *table, seed, |table, rng| {
                let catalogue = table.catalogue();
                for seat in table.node().owing().iter() {
                    let legal = table.legal(seat);
                    let full = list(catalogue, &legal, LegalDetail::Full);
                    assert_eq!(full.ids, step::ids(&legal));
                    assert!(full.notations.is_empty());
                    let notation = list(catalogue, &legal, LegalDetail::Notation);
                    assert!(notation.ids == full.ids && notation.steps.is_empty());
                    assert!(notation.notations.iter().eq(full.steps.iter().map(|step| &step.notation)));
                    let ids = list(catalogue, &legal, LegalDetail::Ids);
                    assert!(ids.ids == full.ids && ids.steps.is_empty() && ids.notations.is_empty());
                    for sent in sent(&full) {
                        assert_eq!(steps::read(catalogue, Some(&sent)), Ok(Steps::Ids(legal.clone())));
                    }
                    line_comes_back(table, seat, legal[below(legal.len(), rng)]);
                }
            });
        }
    }
}

/// A step as the game writes it leads where the step does: a game may write a run of steps in its own way.
fn line_comes_back(table: &dyn AnyTable, seat: Seat, step: StepId) {
    let line = table.print_line(seat, &[step]);
    let sent = v1::Steps { line: line.clone(), ..v1::Steps::default() };
    let read = steps::read(table.catalogue(), Some(&sent)).expect("a line of the game");
    assert_eq!(read, Steps::Line(line.clone()));
    let parsed = table.parse_line(seat, &line).expect("what is printed can be read");
    let after = |steps: &[StepId]| {
        let mut table = table.clone_box();
        table.apply(seat, steps, ListMode::Whole).map(|_| table.encoded())
    };
    assert_eq!(after(&parsed), after(&[step]), "{line}");
}

#[test]
fn the_three_encodings_are_bijective_over_the_whole_table() {
    for game in registry().games() {
        let catalogue = game.catalogue();
        for id in catalogue.steps.ids() {
            let full = legal::full(catalogue, id);
            let shouted = format!("  {} ", full.notation.to_uppercase().replace(' ', "   "));
            let encodings = [
                Encoding::Id(full.id),
                Encoding::Structure(structure(&full)),
                Encoding::Notation(full.notation),
                Encoding::Notation(shouted),
            ];
            for encoding in encodings {
                let given = v1::Step { encoding: Some(encoding) };
                assert_eq!(step::read(catalogue, Some(&given)), Ok(id));
            }
        }
    }
}

#[test]
fn a_legal_step_says_what_the_table_says() {
    let game = game("skirmish");
    let catalogue = game.catalogue();
    let march = catalogue.steps.parse("march north-camp ford").expect("a step of the game");
    let full = legal::full(catalogue, march);
    assert_eq!((&*full.verb, full.kind()), ("march", v1::VerbKind::Act));
    assert_eq!(full.refs, reference::all(&catalogue.steps.get(march).expect("it is there").refs));
    assert!(full.words.contains("North Camp"), "{}", full.words);
    assert_eq!(legal::of(catalogue, &[march], LegalDetail::None), None);
    let outside = legal::full(catalogue, StepId(u16::MAX));
    assert_eq!((outside.kind(), &*outside.notation), (v1::VerbKind::Unspecified, "#65535"));
}

#[test]
fn filters_leave_what_has_all_that_they_name() {
    let game = game("skirmish");
    let catalogue = game.catalogue();
    let of = |verbs: &[&str], refs: &[Ref]| -> Vec<String> {
        let verbs: Vec<String> = verbs.iter().map(|&verb| verb.to_owned()).collect();
        let filter = Filter::read(catalogue, &verbs, &reference::all(refs)).expect("things of the game");
        let admitted = catalogue.steps.ids().filter(|&step| filter.admits(catalogue, step));
        admitted.map(|step| catalogue.steps.notation(step)).collect()
    };
    assert_eq!(of(&[], &[]).len(), catalogue.steps.len());
    assert_eq!(of(&["pass", "done"], &[]), ["pass", "done"]);
    let marches = of(&["march"], &[Ref::Space(0)]);
    assert!(
        marches.len() > 1
            && marches.iter().all(|one| one.starts_with("march ") && one.contains("north-camp"))
    );
    let both = of(&["march"], &[Ref::Space(0), Ref::Space(1)]);
    assert_eq!(both.len(), 2, "there and back: {both:?}");
    assert!(of(&["done"], &[Ref::Space(0)]).is_empty());
    assert!(!Filter::default().admits(catalogue, StepId(u16::MAX)), "the table does not have it");
}

#[test]
fn details_are_read_with_the_default_of_their_field() {
    let detail = |given| legal::detail(given, LegalDetail::Ids, "detail");
    assert_eq!(detail(0), Ok(LegalDetail::Ids));
    assert_eq!(detail(1), Ok(LegalDetail::None));
    assert_eq!(detail(4), Ok(LegalDetail::Full));
    assert_eq!(crate::told(detail(5)).1, ["detail"]);
    let table = open(&*game("skirmish"));
    assert!(table.legal(Seat::new(7)).is_empty());
}
