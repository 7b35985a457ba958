//! Each law can fail: for each there is a specimen with a fault, and that very law catches it.

#[path = "mutants/encodings.rs"]
mod encodings;
#[path = "mutants/fault.rs"]
mod fault;
#[path = "mutants/flow.rs"]
mod flow;
#[path = "mutants/leads.rs"]
mod leads;
#[path = "mutants/lists.rs"]
mod lists;
#[path = "mutants/shrinking.rs"]
mod shrinking;
#[path = "mutants/sight.rs"]
mod sight;
#[path = "mutants/tools.rs"]
mod tools;
#[path = "mutants/words.rs"]
mod words;
#[path = "mutants/worlds.rs"]
mod worlds;

use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::laws::{Care, Law, Laws, Trace, Volume, conform};
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Table};
use edgehill_engine::view::{PassScope, StandingPass};
use fault::{Fault, Healthy, Mutant};

/// Enough for every fault here to show; the healthy specimen keeps all laws over the same runs.
const VOLUME: Volume = Volume { nodes: 1_500, runs: 20, seed: 1642 };

/// That very law, asked alone, catches the fault.
fn is_caught(fault: impl Fault, law: Law) {
    let game = Arc::new(Mutant::new(fault));
    match conform(&game, VOLUME, Laws::from(law), Care::Every) {
        Ok(tally) => panic!("law `{law}` does not catch it: {tally}"),
        Err(failure) => assert_eq!(failure.law, law, "{failure}"),
    }
}

macro_rules! mutants {
    ($($law:ident: $($test:ident = $fault:expr),+;)+) => {
        $($(
            #[test]
            fn $test() {
                is_caught($fault, Law::$law);
            }
        )+)+

        const TRIED: &[Law] = &[$(Law::$law),+];
    };
}

mutants! {
    Listed: a_action_listed_twice = lists::ListedTwice;
    Refused:
        a_legal_action_that_is_not_listed = lists::Unlisted,
        a_refusal_without_reason = lists::Speechless,
        a_line_of_nonsense_that_is_read = lists::Credulous;
    DeadEnd:
        a_decision_without_a_action = lists::NoWayToRest,
        returns_that_do_not_sum_to_nothing = lists::EverybodyWins;
    Corner: a_draft_that_can_never_be_finished = lists::SecondThoughts;
    Length: a_match_longer_than_its_bound = lists::Overrun;
    Encodings:
        a_notation_that_can_not_be_typed = encodings::Untypable,
        a_action_about_nothing_on_the_board = encodings::OffTheMap;
    Lines:
        a_line_that_loses_its_last_action = encodings::CutLine,
        a_line_that_can_not_say_march = encodings::Unwritten;
    Codec:
        an_encoding_that_forgets_a_field = encodings::ForgottenField,
        a_decoder_that_accepts_garbage = encodings::Garbage,
        a_decoder_that_panics = encodings::Fragile;
    Saved: a_restored_match_that_is_another = encodings::Restored;
    Replay:
        states_that_depend_on_a_clock = flow::Moody::default(),
        events_that_depend_on_a_clock = flow::PublishedByClock::default();
    Undo:
        a_draft_that_teaches = flow::Peek,
        faces_seen_and_taken_back = flow::Unflagged,
        an_undo_that_leads_elsewhere = flow::Moody::default();
    Lists: a_list_that_is_not_its_actions = flow::Moody::default();
    Chance:
        a_class_of_the_wrong_weight = flow::Loaded,
        a_class_that_mixes_two_results = flow::Mixed,
        classes_that_are_not_all = flow::Short,
        a_draw_that_nobody_hears_of = flow::SecretDraw,
        a_card_twice_in_the_bag = flow::Marked,
        a_card_that_comes_back_into_its_bag = flow::Refilled,
        dice_from_a_stream_of_cards = flow::OneStream,
        two_tokens_that_share_their_epoch = flow::Tokens { own_epochs: false },
        a_card_in_two_bags_of_one_draw = flow::TwoPlaces;
    Folding:
        an_event_that_forgets_a_change = sight::Forgetful,
        a_private_form_for_the_wrong_seat = sight::Misdelivered;
    Phrases:
        an_event_without_words = sight::Wordless,
        a_refusal_without_words = sight::Mumbling,
        a_place_that_nothing_fills = words::Template("lost", "{0} loses {1} {1|block|blocks} at {2}"),
        a_fact_that_is_not_said = words::Template("marched", "{0} marches from {1}"),
        a_dash_for_a_sentence = words::Template("turn_begins", "-{0||}"),
        a_word_of_the_wrong_number = words::Template("lost", "{0} loses {1} blocks"),
        a_number_for_a_name = words::Numbered,
        a_rule_that_no_ledger_has = words::Lawless;
    Views:
        a_group_of_nobody = sight::EmptyGroup,
        a_hand_that_is_not_sorted = sight::Unsorted,
        a_node_that_is_not_the_drivers = sight::WrongNode,
        a_pile_left_out_of_what_is_known = sight::LeftOutOfKnown;
    Windows:
        a_window_that_can_not_be_declined = sight::Trapped,
        a_window_that_only_its_seat_sees = sight::SecretWindow;
    Spectator: a_spectator_who_sees_too_much = sight::Gallery;
    Secrecy:
        a_leak_by_the_list = sight::LeakByList,
        a_leak_by_the_order_of_the_list = sight::LeakByOrder,
        a_leak_by_a_reason = sight::LeakByReason,
        a_leak_by_the_prompt = sight::LeakByPrompt,
        a_leak_by_the_size_of_the_view = sight::LeakBySize,
        a_leak_by_a_group = sight::LeakByGroup,
        a_leak_by_what_is_known = sight::LeakByKnowledge,
        a_scramble_of_what_the_seat_knows = worlds::Careless;
    Course:
        a_leak_by_a_public_form = sight::LeakByEvent,
        a_window_skipped_by_a_secret = sight::SkippedWindow,
        an_event_published_by_a_secret = sight::PublishedSilence,
        a_leak_by_the_public_form_of_a_draw = sight::LeakByDraw,
        a_scramble_that_leaves_a_pick_outside_the_hand = worlds::StalePick;
    Sealed:
        a_draft_that_others_see = sight::ShownDraft,
        a_draft_that_is_published = sight::PublishedDraft,
        a_reveal_that_asks_who_was_last = sight::LastIsSpecial;
    Resample:
        a_resample_that_counts_its_calls = worlds::Counting::default(),
        a_resample_that_deals_the_own_hand_anew = worlds::Redealt,
        a_resample_that_plays_on_too_long = worlds::Endless,
        a_fact_left_off_the_board = sight::LeftOffTheBoard;
    Distribution:
        a_biased_resample = worlds::Biased,
        a_resample_that_knows_one_world = worlds::Stubborn,
        a_resample_that_is_biased_after_the_start = worlds::BiasedLater,
        weights_that_no_world_has = worlds::Misweighed;
    Pure:
        a_list_in_another_order_each_time = flow::Unstable::default(),
        a_action_that_asks_who_listens = flow::Showman;
    DefaultAction:
        an_absence_that_ends_too_soon = flow::HalfAway,
        an_absence_that_keeps_too_much = flow::Greedy;
    Panic: a_action_that_panics = flow::Brittle;
}

#[test]
fn the_specimen_without_a_fault_keeps_every_law() {
    let game = Arc::new(Mutant::new(Healthy));
    let laws = Laws::ALL.without(Law::Golden);
    match conform(&game, VOLUME, laws, Care::Every) {
        Ok(tally) => {
            let untried: Vec<Law> = tally.untried(laws.without(Law::Panic)).collect();
            assert_eq!(untried, [], "{tally}");
        }
        Err(failure) => panic!("{failure}"),
    }
}

/// A message names the event, its field and the things in it by their ids.
#[test]
fn a_breach_is_told_by_names() {
    let game = Arc::new(Mutant::new(sight::LeakByDraw));
    let failure = conform(&game, VOLUME, Laws::from(Law::Course), Care::Every).expect_err("it is caught");
    let detail = &failure.detail;
    assert!(detail.contains("event `dealt` tells them apart: its refs are "), "{detail}");
    assert!(detail.lines().count() <= 2, "{detail}");
}

/// The place of the draw is named, and what to do about it.
#[test]
fn a_shared_epoch_is_told_by_its_place() {
    let game = Arc::new(Mutant::new(flow::Tokens { own_epochs: false }));
    let failure = conform(&game, VOLUME, Laws::from(Law::Chance), Care::Every).expect_err("it is caught");
    let detail = &failure.detail;
    let place = "two draws of stream 0 share epoch 0, and a bag of one of them holds 2 tokens";
    assert!(detail.contains(place), "{detail}");
    assert!(detail.ends_with("each draw opens an epoch of its own"), "{detail}");
}

/// Tokens are no fault: with an epoch for each draw they keep the law that forbids them to share one.
#[test]
fn tokens_with_an_epoch_for_each_draw_break_no_law_about_chance() {
    let game = Arc::new(Mutant::new(flow::Tokens { own_epochs: true }));
    match conform(&game, VOLUME, Laws::from(Law::Chance), Care::Every) {
        Ok(tally) => assert_eq!(tally.untried(Laws::from(Law::Chance)).count(), 0, "{tally}"),
        Err(failure) => panic!("{failure}"),
    }
}

/// A draft may be committed before anything is in it: there is nothing to take back of it then.
#[test]
fn a_commitment_that_may_come_first_breaks_no_law_about_drafts() {
    let game = Arc::new(Mutant::new(flow::Resigned));
    if let Err(failure) = conform(&game, VOLUME, Laws::from(Law::Sealed), Care::Every) {
        panic!("{failure}");
    }
}

/// The driver refuses without a trace for every game, so no game can show that a trace would be seen: this does.
#[test]
fn every_kind_of_trace_is_seen() {
    let game = Arc::new(Mutant::new(Healthy));
    let setup = Setup::default_of(edgehill_engine::game::Game::catalogue(game.as_ref()));
    let table = Table::open(Arc::clone(&game), setup, ChanceSource::playout(1642));
    let trace = Trace::of(&table);
    let seat = Seat::new(0);
    assert_eq!(trace.still(&table), Ok(()));

    let mut stepped = table.clone();
    let action = stepped.legal(seat)[0];
    stepped.apply(seat, &[action], ApplyMode::Atomic).unwrap();
    let mut standing = table.clone();
    standing.stand(seat, vec![StandingPass { window: None, scope: PassScope::Always }]).unwrap();
    let drawn = Table::restore(game, &table.save(), ChanceSource::playout(1)).unwrap();
    for (what, other) in [("an action", stepped), ("a standing pass", standing), ("a die", drawn)] {
        let breach = trace.still(&other).expect_err(what);
        assert_eq!(breach.law, Law::Refused, "{what}");
    }
}

#[test]
fn every_law_has_a_mutant() {
    // Goldens are compared by their own suite, which has a test of its own that they can differ.
    let untried: Vec<Law> = Law::ALL.into_iter().filter(|law| !TRIED.contains(law)).collect();
    assert_eq!(untried, [Law::Golden]);
}
