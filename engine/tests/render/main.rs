//! The renderer shows every kind of entry that a view can hold, in words and in a stable order.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod alterations;
mod playouts;
mod sample;

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::catalogue::{CatalogEntry, ValueName};
use edgehill_engine::content::Confidence;
use edgehill_engine::event::{ChanceRef, Form};
use edgehill_engine::game::{CONTRACT, MatchResult, Termination};
use edgehill_engine::ledger::Rule;
use edgehill_engine::reference::{Location, Ref, Refs};
use edgehill_engine::refusal::RuleViolation;
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, SeatSet};
use edgehill_engine::table::{ObservedEvent, Refusal};
use edgehill_engine::view::{Arrow, ArrowKey, Board, Change, Changes, HiddenSets, Marker, NodeView, Phrase};
use expect_test::expect;

use sample::{BATTLE, KING, PARLIAMENT, board, calls, catalogue, piece, sample, turn_state};

#[test]
fn a_view_is_drawn_whole() {
    expect![[r#"
        Sample, as seen by King
        Node: King to choose
        Prompt: King may march from Oxford [9]
        Under way
          Turn (rule 4.1, stage 0): number 3
          Battle (rule 8.2, stage 2: pursuit): attacker King, routed yes, dry the King and Parliament
        Window: Interception: Parliament is asked (rule 9.1; procedure 5; own things attacked; declined by `done`)
        Spaces
          OXF Oxford
            Rupert: Leader (King; besieged; from Reading)
              Boy: Pike
                Clock = 2
            3 x Block (Parliament; face down; in reserve)
            Clock = -1
        Mats
          van Vanguard
            2 x Pike (from Oxford)
        Tracks
          Calendar
            Turn = 4
        Piles
          Deck: 12 cards
            Clock = 5
          hand King's hand: 1 card, seen: c01 Edgehill
          discard Discards: 0 cards
        On cards
          c02 Newbury
            Clock = 6
        Before seats
          Parliament
            Turn = 7
        Arrows
          Support: Oxford (of Reading) [1]
          Attack: Oxford > Reading (King) = Stood off [2, Rupert]
          Attack: Oxford > Reading (King; number 2) = void
        Entitlements
          King: 2 more activations (rule 10.8)
        Known among hidden things
          Parliament, known to King: Pike 4, Essex
            among 2 x Block (Parliament; face down; in reserve) at Oxford
            gained [1]
        Warnings
          Rupert may be captured
        Calls
          A draw is offered by Parliament
          Standing pass: windows `Interception`, in procedure 5
          Standing pass: all windows, until own things are attacked
        Draft (2; can be taken back: 2): march READING; done
    "#]].assert_eq(&render::view(&catalogue(), &sample()));
}

#[test]
fn a_brief_view_has_one_line_a_place() {
    expect![[r#"
        Sample | King | King to choose
        Turn (number: 3) > Battle (attacker: King; Routed: yes; Short of powder: the King and Parliament)
        Spaces
          OXF Oxford: rupert: leader (King; besieged; from Reading) [boy: pike [clock = 2]]; 3 x block (Parliament; face down; in reserve); clock = -1
        Mats
          van Vanguard: 2 x pike (from Oxford)
        Tracks
          Calendar: turn = 4
        Piles
          Deck: 12 cards: clock = 5
          hand King's hand: 1 card, seen: c01 Edgehill
        On cards
          c02 Newbury: clock = 6
        Before seats
          Parliament: turn = 7
        Arrows
          Support: Oxford (of Reading) [1]
          Attack: Oxford > Reading (King) = Stood off [2, Rupert]
          Attack: Oxford > Reading (King; number 2) = void
        Known among hidden things
          Parliament, known to King: pike 4, essex: among 2 x block (Parliament; face down; in reserve) at OXF; gained [1]
        Owed: King: 2 more activations (rule 10.8)
        Not final yet: march READING; done
        A draw is offered by Parliament
        Standing pass: windows `Interception`, in procedure 5
        Standing pass: all windows, until own things are attacked
        Warning: Rupert may be captured
        Window: Interception: Parliament is asked (rule 9.1; procedure 5; own things attacked; declined by `done`)
        King may march from Oxford [9]
    "#]].assert_eq(&render::brief(&catalogue(), &sample()));
}

/// Equal actions in a row are told once, and a long draft by its end.
#[test]
fn a_draft_is_told_by_its_runs_and_its_end() {
    let catalogue = catalogue();
    let mut view = sample();
    let drafted = |view: &edgehill_engine::view::View| {
        let text = render::prompt(&catalogue, view);
        text.lines().find(|line| line.starts_with("Not final yet: ")).map(str::to_owned).unwrap_or_default()
    };
    view.draft = vec![ActionId(0), ActionId(0), ActionId(1)];
    assert_eq!(drafted(&view), "Not final yet: march OXF x2; march READING");
    view.draft = [ActionId(0), ActionId(1)].repeat(6);
    assert!(drafted(&view).starts_with("Not final yet: (12 actions) ...; march OXF; march READING; "));
}

/// Of places only those that are asked for are shown, and nothing of those that hold nothing.
#[test]
fn places_are_shown_one_by_one() {
    let board = sample().board;
    let at = |space| render::at_places(&catalogue(), &board, &[Location::Space(space)].into());
    assert!(at(0).starts_with("OXF Oxford: rupert"), "{}", at(0));
    assert_eq!(at(0).lines().count(), 1);
    assert_eq!(at(9), "");
}

/// A board with parts is shown part by part, in the order of its spaces; what belongs to none comes after them. Numbers that stand
/// for something are said in words, others as they are.
#[test]
fn spaces_stand_under_their_region_and_numbers_that_have_names_are_words() {
    let mut catalogue = catalogue();
    let mut view = sample();
    view.board = Board::default();
    for (space, number) in [(0, 1), (1, 2), (2, 0), (3, 1)] {
        view.board.markers.insert(Marker { at: Location::Space(space), kind: 0 }, number);
    }
    let (oxford, reading) = (catalogue.spaces[0].clone(), catalogue.spaces[1].clone());
    catalogue.spaces = vec![oxford.clone(), reading.clone(), oxford, reading];
    for (space, region) in catalogue.spaces.iter_mut().zip(["The South", "", "The East", "The South"]) {
        space.region = region.to_owned();
    }
    catalogue.markers[0].entry = catalogue.markers[0]
        .entry
        .clone()
        .with_values(vec![ValueName::new(1, "King"), ValueName::new(2, "none")]);
    let text = render::brief_board(&catalogue, &view);
    let from = text.find("The South").unwrap();
    expect![[r#"
        The South
          OXF Oxford: clock = King
          Reading: clock = King
        The East
          OXF Oxford: clock = 0
        Spaces
          Reading: clock = none
    "#]]
    .assert_eq(&text[from..text.find("Known").unwrap()]);
    assert!(render::catalogue(&catalogue).contains("OXF Oxford (The South), County at 3, -2"));
}

/// Things at the spaces of the prompt are shown with it, and nothing of others; roles with words of odds are
/// said, others are not.
#[test]
fn a_question_comes_with_its_places_and_its_odds() {
    let mut catalogue = catalogue();
    let mut view = sample();
    view.board.markers.insert(Marker { at: Location::Space(1), kind: 1 }, 3);
    let text = render::at_prompt(&catalogue, &view);
    assert!(text.starts_with("OXF Oxford: rupert: leader") && text.ends_with("; clock = -1\n"), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(!render::prompt(&catalogue, &view).contains("Odds"));
    for (role, words) in [("odds.number", "{0} of 6 faces hit"), ("odds.attacker", "{0} rolls")] {
        catalogue.phrases.insert(role, words);
    }
    let asked = render::prompt(&catalogue, &view);
    assert!(asked.contains("\nOdds:\n  3 of 6 faces hit\n  King rolls\nKing may march"), "{asked}");
    catalogue.phrases.remove("odds.attacker");
    assert!(render::prompt(&catalogue, &view).contains("\nOdds: 3 of 6 faces hit\nKing may march"));
}

#[test]
fn other_nodes_are_said_in_words() {
    let catalogue = catalogue();
    let mut view = sample();
    view.board = Board::default();
    view.observer = Observer::Spectator;
    let result = MatchResult {
        returns: vec![1, -1],
        code: "king_wins",
        refs: Refs::new(),
        rule: Rule::new("12.1"),
        grade: "Decisive Victory",
        termination: Termination::Victory,
    };
    let seats = |seat| SeatSet::EMPTY.with(seat);
    let mut text = String::new();
    for node in [
        NodeView::Sealed { to_act: seats(KING), committed: seats(PARLIAMENT) },
        NodeView::Chance,
        NodeView::Over(result),
    ] {
        Arc::make_mut(&mut view.turn_state).node = node;
        text.push_str(render::view(&catalogue, &view).lines().nth(1).unwrap());
        text.push('\n');
    }
    expect![[r#"
        Node: sealed choices; to act: King; committed: Parliament
        Node: dice or a draw are due
        Node: over: The King holds London, Decisive Victory: King +1, Parliament -1 (rule 12.1)
    "#]]
    .assert_eq(&text);
}

/// Pieces on one another in a ring, and on a piece that is not seen, are still shown, each once.
#[test]
fn pieces_that_lie_nowhere_are_shown() {
    let mut view = sample();
    view.board = Board::default();
    view.board.pieces.insert(0, piece(0, None, Location::Piece(1), 0, None));
    view.board.pieces.insert(1, piece(1, None, Location::Piece(0), 0, None));
    view.board.markers.insert(Marker { at: Location::Piece(2), kind: 0 }, 3);
    let text = render::view(&catalogue(), &view);
    let start = text.find("On pieces").unwrap();
    let end = text.find("Entitlements").unwrap();
    expect![[r#"
        On pieces that are not seen
          Rupert
            Boy: Pike
              Rupert: Leader
          Essex
            Clock = 3
    "#]]
    .assert_eq(&text[start..end]);
}

#[test]
fn an_index_outside_the_catalogue_is_still_said() {
    let catalogue = catalogue();
    let mut view = sample();
    view.board.markers.insert(Marker { at: Location::Space(99), kind: 98 }, 1);
    view.board.arrows.insert(
        ArrowKey {
            from: Location::Mat(97),
            to: Location::Mat(97),
            of: None,
            kind: 96,
            seat: None,
            ordinal: 0,
        },
        Arrow::default(),
    );
    let text = render::view(&catalogue, &view);
    for word in ["99", "98", "97", "96"] {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
}

#[test]
fn an_event_is_one_line_with_its_rule_and_its_dice() {
    let form = Form::new(&[Ref::Seat(KING), Ref::Number(3), Ref::Number(5)], Changes::new()).into();
    let seen = ObservedEvent {
        code: "rolled",
        rule: BATTLE,
        chance_ref: Some(ChanceRef { stream: 2, n: 17 }),
        form,
    };
    let mut text = render::event(&catalogue(), &seen);
    let own = ObservedEvent { code: "undo", rule: CONTRACT, chance_ref: None, form: Form::default().into() };
    text.push('\n');
    text.push_str(&render::event(&catalogue(), &own));
    expect![[r#"
        King rolls [3, 5] (rule 8.2; dice 2/17)
        actions are taken back"#]]
    .assert_eq(&text);
}

#[test]
fn what_the_driver_says_has_words_in_every_game() {
    let mut catalogue = catalogue();
    catalogue.phrases.clear();
    for (code, template) in render::OWN_PHRASES {
        let said = render::say(&catalogue, code, &[Ref::Seat(KING)]);
        assert!(said.starts_with(&template.replace("{0}", "King")), "{code}: {said}");
    }
    catalogue.phrases.insert("draw_offered", "peace?");
    assert_eq!(render::say(&catalogue, "draw_offered", &[]), "peace?");
}

#[test]
fn every_kind_of_change_is_one_line() {
    let board = board();
    let (group, arrow) = (*board.groups.keys().next().unwrap(), *board.arrows.keys().next().unwrap());
    let marker = Marker { at: Location::Track(0), kind: 1 };
    let changes = [
        Change::Piece(0, board.pieces[&0]),
        Change::PieceGone(0),
        Change::Group(group, 0),
        Change::Pile(1, board.piles[&1].clone()),
        Change::Marker(marker, Some(5)),
        Change::Marker(marker, None),
        Change::Arrow(arrow, Some(board.arrows[&arrow].clone())),
        Change::Arrow(arrow, None),
        Change::ArrowsCleared,
        Change::Known(HiddenSets::default()),
        Change::Known(sample().known),
        Change::Draft { keep: 1, add: vec![ActionId(0)].into() },
        Change::Calls(calls()),
        Change::TurnState(Arc::new(turn_state())),
    ];
    expect![[r#"
        Rupert: Leader (King; besieged; from Reading) at Oxford
        Rupert is not seen any more
        0 x Block (Parliament; face down; in reserve) at Oxford
        King's hand: 1 card, seen: c01 Edgehill
        Turn = 5 at Calendar
        no Turn at Calendar
        arrow Support: Oxford (of Reading) [1]
        no arrow Support: Oxford (of Reading)
        no arrows
        nothing known among hidden things
        Known among hidden things
          Parliament, known to King: Pike 4, Essex
            among 2 x Block (Parliament; face down; in reserve) at Oxford
            gained [1]
        draft: the first 1 stay, then march OXF
        calls: A draw is offered by Parliament; Standing pass: windows `Interception`, in procedure 5; Standing pass: all windows, until own things are attacked; can be taken back: 2
        turn: King to choose; King may march from Oxford [9]
    "#]]
    .assert_eq(&render::changes(&catalogue(), &changes));
}

#[test]
fn a_menu_numbers_the_list_and_groups_by_verb() {
    let catalogue = catalogue();
    expect![[r#"
        march: Move to the next area
          1  march READING  Reading
          3  march OXF      Oxford
        done: End the activation
          2  done
        no action of this game
          4  #40
    "#]]
    .assert_eq(&render::menu(&catalogue, &[ActionId(1), ActionId(2), ActionId(0), ActionId(40)]));
    expect!["Move to the next area: Oxford"].assert_eq(&render::action(&catalogue, ActionId(0)));
}

#[test]
fn a_refusal_gives_every_ground_with_its_rule() {
    let rule_violations = vec![
        RuleViolation { code: "FAR", rule: Rule::new("7.1"), refs: vec![Ref::Space(1)] },
        RuleViolation { code: "NO_POINTS", rule: BATTLE, refs: vec![Ref::Number(0)] },
        RuleViolation { code: "NOT_YOUR_TURN", rule: CONTRACT, refs: vec![] },
    ];
    let refusal = Refusal::Action { index: 1, action: ActionId(1), rule_violations };
    let mut text = render::refusal(&catalogue(), &refusal);
    text.push('\n');
    text.push_str(&render::refusal(&catalogue(), &Refusal::NothingToUndo));
    expect![[r#"
        action 2, `march READING`, is not legal:
          Reading is too far away (FAR, rule 7.1)
          NO_POINTS [0] (rule 8.2, Battle)
          another seat is to act (NOT_YOUR_TURN, the engine's contract)
        there is nothing that can be taken back (NOTHING_TO_UNDO)"#]]
    .assert_eq(&text);
}

#[test]
fn a_catalogue_is_printed_in_words() {
    expect![[r#"
        Sample (sample)
        Two areas and all that can lie in them.
        rules version 7, content abababababababababababababababababababababababababababababababab
        Seats
          king: King
          parliament: Parliament
        Scenarios
          whole: The whole war (seats: 2; returns -1 to +1)
        Options
          rounds: How many rounds (a whole number from 1 to 9; default 3)
        Sides that nobody plays
          mob: the mob
        Boards
          Map: -2, -7 to 8, 3 (right, down) in miles; scales 3 : 5
          Sheet: -1, -1 to 3, 1 (right, down) in boxes; scales 1 : 1
        Attributes
          points: Points (number)
          homes: Homes (reference, any number)
          green: Plays late (number); 0 no, 1 yes
        Spaces
          OXF Oxford, County at 3, -2; next to READING
          Reading, County in OXF at 3, -2; next to OXF by river <inferred>
        Kinds of adjacencies
          river: over a river
        Mats
          van Vanguard at 2, 0 of sheet
        Tracks
          Calendar at 0, 0 of sheet
            0
            1 March (good) <house>
              Spring comes
        Grades of boxes
          good: Good
        Piles
          Deck
          hand King's hand (King; in order)
          discard Discards (in order)
        Kinds of pieces
          Leader
          Pike
          Block (back)
        Pieces
          Rupert
            Homes Oxford, Reading <reconstructed>
          Boy
          Essex
        Cards
          c01 Edgehill <reconstructed>
            Points 4 in 6; Plays late yes
          c02 Newbury
        Markers
          Clock, months
          Turn
        Arrows
          Attack
          Support
        Results of arrows
          cut: cut off
        Charts
          Battle <house>
            Strength | Hits
            1 | on a 1 <house>
        Procedures
          Turn: Turn (counts seats done)
          Battle: Battle
            0 fire
            1 push
            2 pursuit
        Roles
          to: To
          left: Marches left (marches)
          routed: Routed; 0 no, 1 yes
          dry: Short of powder; 1 the King, 2 Parliament
        Verbs (3 actions)
          march [to]: Move to the next area (actions: 2, as in `march OXF`)
          done: End the activation (actions: 1, as in `done`)
        Rules
          8.2 Battle (enforced): Sides that meet fight.
    "#]]
    .assert_eq(&render::catalogue(&catalogue()));
}

#[test]
fn a_card_tells_what_it_does_by_itself_and_under_a_prompt_about_it() {
    let mut told = catalogue();
    told.cards[0] = CatalogEntry::new("c1", "The First", Confidence::Reconstructed)
        .with_rules_text(vec!["The King moves".to_owned(), "Or stays".to_owned()]);
    let text = "c1 The First <reconstructed>\n  The King moves\n  Or stays\n";
    assert_eq!(render::card(&told, "C1").as_deref(), Some(text));
    assert_eq!(render::card(&told, "c99"), None);
    assert!(render::catalogue(&told).contains("  c1 The First <reconstructed>\n    The King moves\n"));
    let mut asked = sample();
    Arc::make_mut(&mut asked.turn_state).prompt = Phrase::new("rolled", &[Ref::Card(0)]);
    assert!(render::prompt(&told, &asked).ends_with("The First rolls\n  The King moves\n  Or stays\n"));
}
