//! Facts of the war in the words in which they are read, and lines that may be typed in any order.

use edgehill_engine::game::Game;
use edgehill_engine::games::english_civil_war_iia::CODES;
use edgehill_engine::seat::Observer;
use edgehill_engine::view::{Change, Phrase, View};
use serde_json::json;

use crate::play::{Match, P, Played, R, game, marker, month};
use crate::seasons::season;

/// Everything that all have been told so far by events of a code, in words.
fn told(played: &Match, code: &str) -> Vec<String> {
    let published = played.table.published(Observer::Spectator, 0);
    let of_code = published.iter().filter(|seen| seen.code == code);
    of_code.map(|seen| game().catalogue().say(&Phrase::new(seen.code, &seen.form.refs))).collect()
}

/// As [`told`], after a month.
fn said(played: &Played, code: &str) -> Vec<String> {
    told(&played.game, code)
}

/// The prompt of a side in words.
fn asked(played: &Match, seat: edgehill_engine::seat::Seat) -> String {
    let view = played.table.view(Observer::Seat(seat));
    game().catalogue().say(&view.turn_state.prompt)
}

/// The warnings of a side in words.
fn warned(played: &Match, seat: edgehill_engine::seat::Seat) -> Vec<String> {
    let view = played.table.view(Observer::Seat(seat));
    view.turn_state.warnings.iter().map(|warning| game().catalogue().say(warning)).collect()
}

/// The arrows of a view in words: with what its result is called.
fn arrows(view: &View) -> Vec<String> {
    let say = |arrow: &edgehill_engine::view::Arrow| {
        let code = arrow.result.expect("an arrow with a result");
        let known = game().catalogue().phrases.keys();
        let code = known.copied().find(|key| *key == format!("arrow.{code}")).unwrap_or(code);
        game().catalogue().say(&Phrase::new(code, &arrow.refs))
    };
    view.board.arrows.values().map(say).collect()
}

#[test]
fn rule_b9_removals_are_written_in_any_order_and_none_is_hidden() {
    let (armies, spaces) = (["6A NLD", "6A OXF", "6A CON"], ["remove NLD", "remove OXF", "remove CON"]);
    let mut outcomes = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut game = season(&armies, &["A KEN"], &json!({}));
        game.both("", "");
        for at in order {
            assert_eq!(game.legal(R), spaces, "behind and before the last one");
            game.write(R, spaces[at]);
        }
        assert_eq!(game.legal(R), ["done"]);
        game.news();
        game.both("", "");
        let facts = game.facts();
        assert_eq!(facts.iter().filter(|fact| fact.starts_with("removed royalist")).count(), 3, "{facts:?}");
        outcomes.push(facts);
    }
    assert!(outcomes.iter().all(|facts| *facts == outcomes[0]), "{outcomes:?}");
}

#[test]
fn rule_b9_what_is_owed_is_told_with_what_stands_and_what_can_be_kept() {
    let mut game = season(&["6A NLD", "6A OXF", "6A CON"], &["A KEN"], &json!({}));
    game.both("", "");
    assert_eq!(asked(&game, R), "take armies off: 3 still owed, since 18 armies stand and 15 can be kept");
    game.write(R, "X CON 2");
    assert_eq!(asked(&game, R), "take armies off: 1 still owed, since 18 armies stand and 15 can be kept");
}

#[test]
fn rule_i2_influence_is_written_in_any_order() {
    let mut outcomes = Vec::new();
    for lines in
        ["I OXF 2; I NLD 1; I CON 1", "I CON 1; I OXF 1; I NLD 1; I OXF 1", "I NLD 1; I CON 1; I OXF 2"]
    {
        let mut game = season(&["A OXF"], &["A LON"], &json!({}));
        let open = game.legal(R);
        for line in lines.split("; ") {
            game.write(R, line);
            assert_eq!(game.legal(R), open, "none is hidden after {line}");
        }
        game.news();
        game.both("", "");
        outcomes.push(game.facts());
    }
    assert!(outcomes.iter().all(|facts| *facts == outcomes[0]), "{outcomes:?}");
    assert!(outcomes[0].contains(&"funded OXF 2 0 3 5".to_owned()), "{:?}", outcomes[0]);
}

#[test]
fn rule_m13_a_dislodged_hold_is_told_once() {
    let played = month([&["2A OXF"], &["A BUC"]], ["2A OXF-BUC", ""]);
    let sentence = "Parliament: what stood in Buckinghamshire (1 army) is dislodged, attacked from Oxford";
    assert_eq!(said(&played, "dislodged"), [sentence]);
    assert_eq!(said(&played, "held"), [""; 0]);
    assert!(arrows(&played.game.view()).contains(&"dislodged: 1 army".to_owned()));
}

#[test]
fn rule_0_a_bounce_names_the_strengths_that_met() {
    let attack = month([&["A OXF"], &["A BUC"]], ["A OXF-BUC", ""]);
    assert_eq!(
        said(&attack, "bounced.strength"),
        [
            "the Royalists: 1 army from Oxford bounced off Buckinghamshire: attack of strength 1 against a hold of strength 1"
        ]
    );
    assert!(arrows(&attack.game.view()).contains(&"bounced off the holders: 1 army, strength 1".to_owned()));
    let met = month([&["A OXF"], &["A BUC"]], ["A OXF-BUC", "A BUC-OXF"]);
    assert_eq!(
        said(&met, "bounced.head_to_head"),
        [
            "the Royalists: 1 army from Oxford bounced off Buckinghamshire: met on the way, strength 1 against strength 1",
            "Parliament: 1 army from Buckinghamshire bounced off Oxford: met on the way, strength 1 against strength 1",
        ]
    );
    let standoff = month([&["A OXF"], &["A BUC"]], ["A OXF-BRK", "A BUC-BRK"]);
    assert_eq!(
        said(&standoff, "bounced.standoff"),
        [
            "the Royalists: 1 army from Oxford bounced off Berkshire: stand-off, strength 1 against strength 1",
            "Parliament: 1 army from Buckinghamshire bounced off Berkshire: stand-off, strength 1 against strength 1",
        ]
    );
}

#[test]
fn rule_m6_a_cut_names_the_strength_that_is_left() {
    let units: [&[&str]; 2] = [&["2A OXF", "A BRK"], &["A BUC", "A WAR"]];
    let cut = month(units, ["2A OXF S BRK-BUC; A BRK-BUC", "A WAR-OXF"]);
    assert_eq!(
        said(&cut, "cut_to"),
        [
            "the Royalists: 2 armies in Oxford: support for the move from Berkshire to Buckinghamshire cut, strength 1 of 2 left"
        ]
    );
    assert!(
        arrows(&cut.game.view()).contains(&"support cut in part: 2 armies, strength 1 of 2 left".to_owned())
    );
    let units: [&[&str]; 2] = [&["A OXF", "A BRK"], &["A BUC", "A WAR"]];
    let all = month(units, ["A OXF S BRK; A BRK", "A WAR-OXF"]);
    assert_eq!(
        said(&all, "cut"),
        ["the Royalists: 1 army in Oxford: support of the hold in Berkshire cut, all of its strength 1"]
    );
    let given = month(units, ["A OXF S BRK; A BRK", ""]);
    assert_eq!(
        said(&given, "given"),
        ["the Royalists: 1 army in Oxford: support of the hold in Berkshire given, strength 1"]
    );
}

#[test]
fn rule_l9_a_retreat_that_is_barred_to_a_leader_is_not_listed() {
    let alone = month([&["L Rupert BRK"], &["A HAM"]], ["", "A HAM-BRK"]);
    assert_eq!(alone.game.legal(R), ["disband", "retreat OXF", "retreat WIL"], "the rest is Parliament's");
    assert!(arrows(&alone.game.view()).iter().all(|arrow| arrow != "open to a part with an army"));
    // With an army more is open, and said to be so.
    let led = month([&["A+Rupert BRK"], &["3A HAM"]], ["", "3A HAM-BRK"]);
    let mut game = led.game;
    game.write(R, "A+Rupert BRK R BUC");
    let units: [&[&str]; 2] = [&["A+Rupert BRK"], &["3A HAM"]];
    let shown = arrows(&month(units, ["", "3A HAM-BRK"]).game.view());
    let count = |words: &str| shown.iter().filter(|arrow| *arrow == words).count();
    assert_eq!(count("open to leaders alone, too"), 2, "{shown:?}");
    assert!(count("open to a part with an army") >= 1, "{shown:?}");
}

#[test]
fn rule_l10_done_warns_of_leaders_who_could_retreat() {
    let units: [&[&str]; 2] = [&["A+Charles OXF"], &["3A BUC"]];
    let mut game = month(units, ["", "3A BUC-OXF"]).game;
    let army = "1 army of Oxford will disband, though a retreat is open: `Done` makes it final";
    let leader = "King Charles I will be captured in Oxford, though a retreat is open: `Done` makes it final";
    assert_eq!(warned(&game, R), [army, leader]);
    assert_eq!(warned(&game, P), [""; 0], "nor does the other side learn of it");
    game.write(R, "L Charles OXF R BRK");
    assert_eq!(warned(&game, R), [army]);
    game.both("", "");
    assert!(told(&game, "captured.no_retreat").is_empty(), "he went");
    let mut lost = month(units, ["", "3A BUC-OXF"]).game;
    lost.both("", "");
    assert_eq!(
        told(&lost, "captured.no_retreat"),
        ["King Charles I is captured in Oxford: dislodged, and not retreated"]
    );
}

#[test]
fn rule_v1_units_stand_against_those_that_would_win() {
    let shown = |game: &Match, seat: &str| {
        let number = |kind| marker(&game.view(), seat, kind).expect("units are always shown");
        (number("score"), number("victory"))
    };
    // Leaders are counted once they are placed.
    let game = Match::start();
    assert_eq!((shown(&game, "royalist"), shown(&game, "parliament")), ((15, 28), (14, 30)));
    // Two armies and a leader, one of them dislodged until it has retreated.
    let units: [&[&str]; 2] = [&["A OXF", "A+Charles NRY"], &["2A BUC", "L Cromwell LON"]];
    let mut game = month(units, ["", "2A BUC-OXF"]).game;
    assert_eq!(shown(&game, "royalist"), (2, 6));
    game.both("A OXF R BRK", "");
    assert_eq!((shown(&game, "royalist"), shown(&game, "parliament")), ((3, 6), (3, 6)));
}

#[test]
fn rule_v3_one_unit_more_would_win_once_the_great_leader_is_lost() {
    let units = json!({ "units": { "R": ["3A OXF", "L Charles BRK"], "P": ["3A LON", "L Essex KEN"] } });
    let to_win = |lost: &[&str]| {
        let mut position = units.clone();
        position["lost"] = json!(lost);
        let game = Match::at(&position);
        ["royalist", "parliament"].map(|seat| marker(&game.view(), seat, "victory"))
    };
    let others = ["Rupert", "Hopton", "Newcastle", "Fairfax", "Waller"];
    assert_eq!(to_win(&[&others[..], &["Cromwell"]].concat()), [Some(5), Some(8)]);
}

#[test]
fn every_result_of_an_order_has_a_name() {
    let results = &game().catalogue().arrow_results;
    for code in CODES.iter().map(|&(code, _)| code).chain(["ordered"]) {
        assert!(results.iter().any(|result| result.id == code), "{code}");
    }
}

#[test]
fn what_an_arrow_says_begins_with_the_name_of_its_result() {
    let catalogue = game().catalogue();
    for result in &catalogue.arrow_results {
        let of_arrow = format!("arrow.{}", result.id);
        let phrase = catalogue.phrases.get_key_value(of_arrow.as_str());
        let (code, said) = phrase.or_else(|| catalogue.phrases.get_key_value(result.id)).expect("a template");
        assert!(said.starts_with(result.name), "{code}: {said}, but the result is {}", result.name);
    }
}

/// An order that is drafted is one arrow more, whichever orders were drafted before it; where more has changed, the view is told the
/// difference.
#[test]
fn a_drafted_order_is_told_alone_wherever_it_stands() {
    let orders = ["A HAM-BRK", "A OXF-BUC", "A CON-DEV"];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut game = Match::month(&["A HAM", "A OXF", "A CON", "2A WAR"], &["A LON"]);
        for at in order {
            assert_eq!(drafted(&mut game, orders[at]), 1, "{} of {order:?}", orders[at]);
        }
        // Two orders in one line; part of the last one taken back.
        assert_eq!(drafted(&mut game, "A WAR-GLO; A WAR-OXF"), 2);
        let (before, read) =
            (game.table.view(Observer::Seat(R)), game.table.published_count(Observer::Seat(R)));
        let kept = before.draft.len() - 1;
        game.table.undo(R, kept).expect("it can be taken back");
        assert!(folded(&game, before, read) > 0);
    }
}

/// Drafts a line for the Royalists, and returns the number of arrows that they are told of.
fn drafted(game: &mut Match, line: &str) -> usize {
    let (before, read) = (game.table.view(Observer::Seat(R)), game.table.published_count(Observer::Seat(R)));
    game.write(R, line);
    folded(game, before, read)
}

/// Returns the number of arrows that the Royalists were told of since, which lead from the view before to that now.
fn folded(game: &Match, mut view: View, read: usize) -> usize {
    let news = game.table.published(Observer::Seat(R), read);
    let changes = || news.iter().flat_map(|seen| &seen.form.changes);
    changes().for_each(|change| view.fold(change));
    assert_eq!(view, game.table.view(Observer::Seat(R)));
    changes().filter(|change| matches!(change, Change::Arrow(..))).count()
}

bodies! {
    rule_b9_removals_are_written_in_any_order_and_none_is_hidden,
    rule_b9_what_is_owed_is_told_with_what_stands_and_what_can_be_kept,
    rule_i2_influence_is_written_in_any_order,
    rule_m13_a_dislodged_hold_is_told_once,
    rule_0_a_bounce_names_the_strengths_that_met,
    rule_m6_a_cut_names_the_strength_that_is_left,
    rule_l9_a_retreat_that_is_barred_to_a_leader_is_not_listed,
    rule_l10_done_warns_of_leaders_who_could_retreat,
    rule_v1_units_stand_against_those_that_would_win,
    rule_v3_one_unit_more_would_win_once_the_great_leader_is_lost,
}
