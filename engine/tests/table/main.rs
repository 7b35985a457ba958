//! The driver's promises that are about reach: what can be taken back, when the others hear of it, what a list may cross.

mod ladder;

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::{DRAFT_ACTIONS_MAX, LIST_ACTIONS_MAX, STANDING_PASSES_MAX};
use edgehill_engine::chance::Outcome;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::english_civil_war_iia::EnglishCivilWar;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, LogEntry, Refusal, Table};
use edgehill_engine::view::{PassScope, StandingPass, View};

use ladder::{BREATHE, CLIMB, DARE, DONE, LOOK, Ladder, PASS, SWEAR, THROW};

const FIRST: Seat = Seat::new(0);
const SECOND: Seat = Seat::new(1);

fn table(chance_source: ChanceSource) -> Table<Ladder> {
    let game = Arc::new(Ladder::new());
    let setup = game.setup();
    Table::open(game, setup, chance_source)
}

fn apply(table: &mut Table<Ladder>, seat: Seat, actions: &[ActionId]) {
    table.apply(seat, actions, ApplyMode::Atomic).unwrap_or_else(|refusal| panic!("{refusal}"));
}

fn codes(table: &Table<Ladder>, observer: Observer) -> Vec<&'static str> {
    table.published(observer, 0).iter().map(|seen| seen.code).collect()
}

/// Heights as an observer sees them.
fn heights(view: &View) -> Vec<i32> {
    view.board.markers.values().copied().collect()
}

#[test]
fn a_draft_is_seen_by_its_seat_alone_until_the_segment_ends() {
    let mut table = table(ChanceSource::Manual);
    apply(&mut table, FIRST, &[CLIMB, CLIMB]);
    assert_eq!(heights(&table.view(Observer::Seat(FIRST))), [2]);
    for other in [Observer::Seat(SECOND), Observer::Spectator] {
        assert!(heights(&table.view(other)).is_empty());
        assert!(codes(&table, other).is_empty());
    }
    apply(&mut table, FIRST, &[DONE]);
    for observer in Observer::all(2) {
        assert_eq!(heights(&table.view(observer)), [2]);
        assert_eq!(codes(&table, observer), ["climbs", "climbs", "rests"]);
    }
    assert_eq!(table.log(), [LogEntry::Commit { seat: FIRST, actions: vec![CLIMB, CLIMB, DONE] }]);
}

#[test]
fn a_release_ends_undo_and_goes_out_but_a_list_runs_across_it() {
    let mut table = table(ChanceSource::Manual);
    apply(&mut table, FIRST, &[CLIMB, SWEAR, CLIMB]);
    assert_eq!(heights(&table.view(Observer::Seat(FIRST))), [3]);
    assert_eq!(heights(&table.view(Observer::Spectator)), [2]);
    assert_eq!(table.draft(FIRST), [CLIMB]);
    assert_eq!(table.log(), [LogEntry::Commit { seat: FIRST, actions: vec![CLIMB, SWEAR] }]);
    table.undo(FIRST, 0).expect("the last action was not released");
    assert_eq!(heights(&table.view(Observer::Seat(FIRST))), [2]);
    assert_eq!(table.undo(FIRST, 0), Err(Refusal::NothingToUndo));
}

#[test]
fn learning_ends_undo_and_no_list_crosses_it() {
    let mut table = table(ChanceSource::Manual);
    let before = table.clone();
    let refusal = table.apply(FIRST, &[CLIMB, LOOK, CLIMB], ApplyMode::Atomic);
    assert_eq!(refusal, Err(Refusal::ListCrossesReveal { index: 2 }));
    assert_eq!(table.state(), before.state());
    assert!(codes(&table, Observer::Seat(FIRST)).is_empty());
    let applied =
        table.apply(FIRST, &[CLIMB, LOOK, CLIMB], ApplyMode::UntilReveal).expect("two actions are taken");
    assert_eq!(applied.actions, 2);
    assert_eq!(table.undo(FIRST, 0), Err(Refusal::NothingToUndo));
    assert_eq!(heights(&table.view(Observer::Spectator)), [2]);
}

#[test]
fn dice_that_a_person_rolls_leave_their_action_open_until_they_are_entered() {
    let mut table = table(ChanceSource::Manual);
    apply(&mut table, FIRST, &[CLIMB, THROW]);
    assert_eq!(table.node(), Node::Chance);
    assert!(heights(&table.view(Observer::Spectator)).is_empty());
    table.undo(FIRST, 1).expect("the dice are not rolled yet");
    assert_eq!(table.node(), Node::Decision(FIRST));
    apply(&mut table, FIRST, &[THROW]);
    let die = |face| Outcome::Roll([face].into_iter().collect());
    assert!(matches!(table.enter(&die(7)), Err(Refusal::Outcome(_))));
    table.enter(&die(4)).expect("a die shows 1 to 6");
    assert_eq!(table.undo(FIRST, 0), Err(Refusal::NothingToUndo));
    assert_eq!(heights(&table.view(Observer::Spectator)), [5]);
    assert_eq!(table.enter(&die(4)), Err(Refusal::NoChance));
}

#[test]
fn dice_end_a_list_whatever_they_show() {
    for face in 1..=6 {
        let mut table = table(ChanceSource::script(&face.to_string()));
        let refusal = table.apply(FIRST, &[THROW, CLIMB], ApplyMode::Atomic);
        assert_eq!(refusal, Err(Refusal::ListCrossesReveal { index: 1 }));
        assert_eq!(table.chance_source().left_over(), 1, "a refused call asks for no die");
        apply(&mut table, FIRST, &[THROW]);
        assert_eq!(table.chance_source().left_over(), 0);
    }
}

#[test]
fn a_script_that_does_not_fit_leaves_the_dice_due() {
    let mut table = table(ChanceSource::script("9"));
    apply(&mut table, FIRST, &[THROW]);
    assert!(table.chance_source_error().is_some());
    assert_eq!(table.node(), Node::Chance);
    table.undo(FIRST, 0).expect("no die was rolled");
    assert!(table.chance_source_error().is_none());
}

#[test]
fn revising_is_one_call() {
    let mut table = table(ChanceSource::Manual);
    apply(&mut table, FIRST, &[CLIMB; 9]);
    let before = table.view(Observer::Seat(FIRST));
    let refusal = table.revise(FIRST, 8, &[CLIMB, CLIMB, CLIMB], ApplyMode::Atomic);
    assert!(matches!(refusal, Err(Refusal::Action { index: 2, .. })), "{refusal:?}");
    assert_eq!(table.view(Observer::Seat(FIRST)), before);
    table.revise(FIRST, 2, &[CLIMB, DONE], ApplyMode::Atomic).expect("three rungs are not too high");
    assert_eq!(heights(&table.view(Observer::Spectator)), [3]);
}

#[test]
fn a_draft_is_as_long_as_what_is_kept_and_what_follows() {
    let mut table = table(ChanceSource::Manual);
    while table.draft(FIRST).len() < DRAFT_ACTIONS_MAX {
        apply(&mut table, FIRST, &[BREATHE; LIST_ACTIONS_MAX]);
    }
    assert_eq!(table.apply(FIRST, &[BREATHE], ApplyMode::Atomic), Err(Refusal::DraftTooLong));
    let keep = DRAFT_ACTIONS_MAX - 2;
    let revise = |table: &mut Table<Ladder>, actions: &[ActionId]| {
        table.revise(FIRST, keep, actions, ApplyMode::Atomic)
    };
    assert_eq!(revise(&mut table, &[BREATHE; 3]), Err(Refusal::DraftTooLong));
    assert_eq!(table.draft(FIRST).len(), DRAFT_ACTIONS_MAX);
    revise(&mut table, &[CLIMB, BREATHE]).expect("it is as long as it was");
    assert_eq!(table.draft(FIRST)[keep..], [CLIMB, BREATHE]);
    let refusal = table.revise(FIRST, DRAFT_ACTIONS_MAX + 1, &[BREATHE], ApplyMode::Atomic);
    assert_eq!(refusal, Err(Refusal::NoSuchDraftAction { draft: DRAFT_ACTIONS_MAX }));
}

#[test]
fn standing_passes_answer_windows_that_they_cover() {
    let pass = |window: Option<&str>, scope| StandingPass { window: window.map(str::to_owned), scope };
    let asked = |passes: Vec<StandingPass>| {
        let mut table = table(ChanceSource::Manual);
        table.stand(SECOND, passes).expect("there is a second seat");
        apply(&mut table, FIRST, &[DARE]);
        (table.node() == Node::Decision(SECOND), table)
    };
    assert!(asked(vec![]).0);
    assert!(asked(vec![pass(Some("toast"), PassScope::Always)]).0);
    assert!(asked(vec![pass(None, PassScope::Procedure(7))]).0);
    assert!(!asked(vec![pass(None, PassScope::Procedure(0))]).0);
    assert!(!asked(vec![pass(None, PassScope::UntilAttacked)]).0);
    let (open, stood) = asked(vec![pass(Some("dare"), PassScope::Always)]);
    assert!(!open);
    let (_, mut typed) = asked(vec![]);
    apply(&mut typed, SECOND, &[PASS]);
    for observer in [Observer::Seat(FIRST), Observer::Spectator] {
        assert_eq!(
            stood.published(observer, 0),
            typed.published(observer, 0),
            "nobody can tell it from one that was typed"
        );
    }
    assert_eq!(stood.log(), typed.log());
}

#[test]
fn a_standing_pass_answers_a_window_that_is_open_already() {
    let mut table = table(ChanceSource::Manual);
    apply(&mut table, FIRST, &[DARE]);
    let pass = StandingPass { window: None, scope: PassScope::Always };
    table.stand(SECOND, vec![pass]).expect("there is a second seat");
    assert_eq!(table.node(), Node::Decision(FIRST));
}

#[test]
fn standing_passes_are_refused_above_what_a_saved_match_holds() {
    let pass = StandingPass { window: Some("toast".to_owned()), scope: PassScope::Always };
    let mut table = table(ChanceSource::Manual);
    table.stand(SECOND, vec![pass.clone(); STANDING_PASSES_MAX]).expect("as many as may be");
    let refused = table.stand(SECOND, vec![pass; STANDING_PASSES_MAX + 1]).expect_err("one too many");
    assert_eq!(
        (refused.code(), refused.to_string().as_str()),
        ("TOO_MANY_PASSES", "a seat leaves at most 64 standing passes, not 65")
    );
    assert_eq!(table.standing(SECOND).len(), STANDING_PASSES_MAX, "those before it stand");
    let restored =
        Table::restore(Arc::new(Ladder::new()), &table.save(), ChanceSource::Manual).expect("it was saved");
    assert_eq!(restored.standing(SECOND), table.standing(SECOND));
}

#[test]
fn a_draw_is_offered_accepted_and_lapses() {
    let mut table = table(ChanceSource::Manual);
    assert_eq!(table.accept_draw(SECOND), Err(Refusal::NoOffer));
    table.offer_draw(FIRST).expect("a draw takes two seats");
    assert!(table.view(Observer::Spectator).calls.draw_offers.contains(FIRST));
    apply(&mut table, FIRST, &[DONE]);
    assert_eq!(table.accept_draw(SECOND), Err(Refusal::NoOffer), "it lapsed with the commit");
    table.offer_draw(FIRST).expect("it may be offered again");
    assert_eq!(table.decline_draw(FIRST), Err(Refusal::NoOffer), "one's own offer is not to be declined");
    table.offer_draw(SECOND).expect("both may offer at once");
    table.decline_draw(SECOND).expect("the other seat offers one");
    assert_eq!(table.offers(), SeatSet::EMPTY.with(SECOND), "one's own offer stands");
    assert_eq!(table.accept_draw(SECOND), Err(Refusal::NoOffer), "it was declined");
    table.decline_draw(FIRST).expect("the other seat offers one");
    assert!(table.view(Observer::Spectator).calls.draw_offers.is_empty());
    table.offer_draw(FIRST).expect("it may be offered again");
    apply(&mut table, SECOND, &[CLIMB]);
    table.accept_draw(SECOND).expect("it stands");
    let result = table.result().expect("the match is over");
    assert_eq!((result.code, &result.returns[..]), ("agreed", &[0, 0][..]));
    assert!(heights(&table.view(Observer::Seat(SECOND))).is_empty(), "drafts are dropped");
    assert_eq!(table.apply(SECOND, &[CLIMB], ApplyMode::Atomic), Err(Refusal::MatchFinished));
}

#[test]
fn giving_up_loses() {
    let mut table = table(ChanceSource::Manual);
    table.resign(SECOND).expect("the match is open");
    assert_eq!(table.result().map(|result| result.returns), Some(vec![1, -1]));
    assert_eq!(table.resign(FIRST), Err(Refusal::MatchFinished));
}

#[test]
fn malformed_lists_are_refused() {
    let mut table = table(ChanceSource::Manual);
    assert_eq!(table.apply(FIRST, &[], ApplyMode::Atomic), Err(Refusal::EmptyList));
    assert_eq!(table.apply(FIRST, &[CLIMB; 257], ApplyMode::Atomic), Err(Refusal::ListTooLong));
    assert_eq!(table.apply(Seat::new(5), &[CLIMB], ApplyMode::Atomic), Err(Refusal::UnknownSeat));
    let english = Arc::new(EnglishCivilWar::standard());
    let setup = Setup::default_of(english.catalogue());
    let mut war = Table::open(english, setup, ChanceSource::Manual);
    let refusal = war.apply_line(Seat::new(5), "I OXF 1", ApplyMode::Atomic);
    assert_eq!(refusal, Err(Refusal::UnknownSeat), "before the game's own grammar is asked");
    for (seat, action, code) in [
        (SECOND, CLIMB, "NOT_YOUR_TURN"),
        (FIRST, ActionId(999), "UNKNOWN_ACTION"),
        (FIRST, PASS, "ANSWER_THE_DARE"),
    ] {
        let refusal = table.apply(seat, &[action], ApplyMode::Atomic).expect_err("it is not legal");
        assert_eq!(refusal.code(), code);
    }
    assert!(matches!(table.apply_line(FIRST, "climb; jump", ApplyMode::Atomic), Err(Refusal::Line(_))));
    assert!(table.log().is_empty());
}

#[test]
fn saving_keeps_drafts_and_sequences() {
    let mut table = table(ChanceSource::Manual);
    apply(&mut table, FIRST, &[CLIMB, SWEAR, CLIMB]);
    let game = Arc::clone(table.game());
    let mut again = Table::restore(game, &table.save(), ChanceSource::Manual).expect("it was saved");
    for observer in Observer::all(2) {
        assert_eq!(again.view(observer), table.view(observer));
        let published = table.published(observer, 0).len();
        apply_both(&mut table.clone(), &mut again.clone(), observer, published);
    }
    again.undo(FIRST, 0).expect("the draft is there");
    assert_eq!(again.state().heights, [2, 0]);
    let mut cut = table.save();
    cut.0.pop();
    assert!(Table::restore(Arc::new(Ladder::new()), &cut, ChanceSource::Manual).is_err());
}

/// The events published after a restore go on where they were.
fn apply_both(a: &mut Table<Ladder>, b: &mut Table<Ladder>, observer: Observer, published: usize) {
    apply(a, FIRST, &[DONE]);
    apply(b, FIRST, &[DONE]);
    assert_eq!(a.published(observer, published), b.published(observer, published));
    assert_eq!(a.game().encoded(a.state()), b.game().encoded(b.state()));
}
