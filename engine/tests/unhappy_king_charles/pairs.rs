//! Non-interference along the pairs that RULINGS names: two matches that differ in what an observer may not know are played alike, and
//! everything that the observer sees, hears, may do and is refused is the same in both.

use edgehill_engine::game::Game;
use edgehill_engine::refusal::Why;
use edgehill_engine::seat::{Observer, Seat};
use serde_json::{Value, json};

use crate::armies::{activated, armies};
use crate::play::{Match, P, R, SPECTATOR, at, game, merged, phase, position};

/// Two matches that some observers can't tell apart.
struct Pair {
    left: Match,
    right: Match,
    blind: Vec<Observer>,
}

impl Pair {
    /// Matches from a position with these fields and with those; to all but `owner` they are the same.
    fn of(owner: Seat, position: &Value, fields: [Value; 2], script: &str) -> Self {
        let [left, right] = fields.map(|more| at(merged(position.clone(), &more), script));
        let blind = Observer::all(2).filter(|&observer| observer != Observer::Seat(owner)).collect();
        Self { left, right, blind }.alike().differs(owner)
    }

    /// Two matches from one position, which a hidden choice makes different.
    fn of_one(owner: Seat, position: Value) -> Self {
        Self::scripted(owner, position, "")
    }

    /// Two matches from one position, with this chance.
    fn scripted(owner: Seat, position: Value, script: &str) -> Self {
        let blind = Observer::all(2).filter(|&observer| observer != Observer::Seat(owner)).collect();
        Self { left: at(position.clone(), script), right: at(position, script), blind }.alike()
    }

    /// Matches that only spectators can't tell apart.
    fn spectated(position: &Value, fields: [Value; 2], script: &str) -> Self {
        let [left, right] = fields.map(|more| at(merged(position.clone(), &more), script));
        Self { left, right, blind: vec![SPECTATOR] }.alike()
    }

    /// The same line in both.
    fn act(self, line: &str) -> Self {
        self.each([line, line])
    }

    /// One line in the left match and another in the right one: what the blind are told of them is the same.
    fn each(mut self, [left, right]: [&str; 2]) -> Self {
        self.left.act(left);
        self.right.act(right);
        self.alike()
    }

    /// The innermost procedure and the seat that is to act, in both.
    fn stands(self, frame: &str, to_act: Seat) -> Self {
        for table in [&self.left, &self.right] {
            assert_eq!((table.frame().as_str(), table.to_act()), (frame, to_act));
        }
        self
    }

    /// The owner knows the difference: what they see or may do is not the same.
    fn differs(self, owner: Seat) -> Self {
        let known = |table: &Match| (table.view(owner), table.legal(owner));
        assert_ne!(known(&self.left), known(&self.right), "there is something to hide");
        self
    }

    /// Asserts that the blind are told the same.
    fn alike(self) -> Self {
        let (left, right) = (&self.left, &self.right);
        assert_eq!(left.asked(), right.asked());
        for &observer in &self.blind {
            assert_eq!(left.facts(observer), right.facts(observer), "{observer:?}");
            assert_eq!(left.published(observer), right.published(observer), "{observer:?}");
            assert_eq!(left.0.view(observer), right.0.view(observer), "{observer:?}");
            if let Observer::Seat(seat) = observer {
                assert_eq!(left.legal(seat), right.legal(seat));
                assert!(verdicts(left, seat) == verdicts(right, seat), "{seat} is refused something else");
            }
        }
        self
    }
}

/// Every ground against every action of the game, for a seat that is to act.
fn verdicts(table: &Match, seat: Seat) -> Vec<Vec<edgehill_engine::refusal::RuleViolation>> {
    if !table.asked().to_act().contains(seat) {
        return Vec::new();
    }
    let examined = |action| {
        let mut why = Why::collecting();
        let _ = game().examine(table.0.state(), seat, action, &mut why);
        why.into_rule_violations()
    };
    game().catalogue().actions.ids().map(examined).collect()
}

/// The hand of Parliament, and that of the Royalist.
fn hands(parliament: &[&str], royalist: &[&str]) -> Value {
    json!({ "hands": { "parliament": parliament, "royalist": royalist } })
}

/// Cards that are drawn after a recruitment, as many as it takes.
const CARDS: &str = "E01,E02,E03,E04,E05,E06,E07,E08";

/// A Veteran and Militia.
const FACES: [&str; 2] = ["ironsides", "gells"];

/// These Brigades of Parliament with one of the two faces that its enemy can't tell apart, and the other in the pool.
fn one_of_two(holder: &str, others: &[&str]) -> [Value; 2] {
    [FACES, [FACES[1], FACES[0]]].map(|[here, pooled]| {
        let faces: Vec<&str> = others.iter().copied().chain([here]).collect();
        json!({ "brigades": { holder: faces, "pool-parliament": [pooled] } })
    })
}

/// Hopton marches upon Waller, who stands: up to the Combat Cards.
const UPON_WALLER: &str = "card E06; use activate; activate hopton; move salisbury; stand; stand; stand";

/// Hopton next to Waller.
fn in_the_west() -> Value {
    let stacks = "hopton@newbury hertfords stawells; waller@salisbury pophams ironsides";
    merged(position("early-1643", "royalist", &json!({})), &armies(stacks))
}

#[test]
fn b2_a_defender_with_and_without_a_combat_card() {
    let hand = |card: &str| hands(&[card, "E01"], &["E06"]);
    let battle = Pair::of(P, &in_the_west(), [hand("E13"), hand("E25")], "1,4").act(UPON_WALLER);
    let battle = battle.stands("combat-card", P).differs(P).act("pass");
    battle.act("brigade hertfords; move newbury; done; pass");
}

#[test]
fn b2_an_attacker_with_and_without_a_combat_card() {
    let hand = |card: &str| hands(&["E01"], &["E06", card]);
    let battle = Pair::of(R, &in_the_west(), [hand("E14"), hand("E25")], "3,2").act(UPON_WALLER);
    battle.stands("combat-card", R).differs(R).act("pass").stands("combat-card", P).act("pass");
}

/// Hopton at Oxford, a march away from Bedford next to London.
fn towards_london() -> Value {
    let more = json!({ "control": { "parliament": ["london", "hull"], "royalist": ["oxford"] },
        "generals": { "hopton": "oxford" },
        "brigades": { "hopton": ["stawells"], "unled-cambridge": ["fiennes"] } });
    position("early-1643", "royalist", &more)
}

#[test]
fn e28_with_and_without_it_at_each_area_next_to_london() {
    let hand = |card: &str| hands(&[card], &["E06"]);
    let march = Pair::of(P, &towards_london(), [hand("E28"), hand("E25")], "");
    let march = march.act("card E06; use activate; activate hopton; move bedford");
    let march = march.stands("response", P).differs(P).act("pass").stands("activation", R);
    march.act("move oxford").act("done");
}

#[test]
fn e28_with_and_without_it_in_the_store() {
    let store = |card: &str| json!({ "hands": { "royalist": ["E06"] }, "stores": { "parliament": [card] } });
    let near = merged(towards_london(), &json!({ "generals": { "hopton": "bedford" } }));
    let march =
        Pair::of(P, &near, [store("E28"), store("E25")], "").act("card E06; use activate; activate hopton");
    march.stands("response", P).differs(P).act("pass").act("done");
}

#[test]
fn t9_with_and_without_a_campaign_card() {
    let first = phase("early-1643", "first-play", &json!({}));
    let hand = |card: &str| hands(&["E01", card], &["E06"]);
    let claim = Pair::of(P, &first, [hand("E10"), hand("E25")], "").act("first royalist");
    claim.stands("claim", P).differs(P).act("pass").stands("play", R);
}

#[test]
fn a_veteran_and_militia_recruited() {
    let north = json!({ "happened": ["standard", "new-model"], "control": { "royalist": ["newcastle", "oxford"] },
        "brigades": { "pool-royalist": ["whitecoats", "glemhams"] } });
    let muster = Pair::scripted(R, phase("early-1645", "recruitment", &north), CARDS).act("done");
    let line = |face: &str| format!("from pool-royalist; brigade {face}; to unled-newcastle");
    let [veteran, militia] = ["whitecoats", "glemhams"].map(line);
    muster.each([&veteran, &militia]).differs(R).act("done").stands("first-play", P);
}

/// 7.1.2: that the Royalist used Powicke Bridge would tell of a Veteran.
#[test]
fn a_veteran_by_powicke_bridge_and_militia_recruited() {
    let north = json!({ "control": { "royalist": ["newcastle", "oxford"] },
        "brigades": { "pool-royalist": ["whitecoats", "glemhams"] } });
    let muster = Pair::scripted(R, phase("winter-1642", "recruitment", &north), CARDS);
    let muster = muster.act("done; from pool-royalist").each(["brigade whitecoats", "brigade glemhams"]);
    let muster = muster.act("to unled-newcastle").differs(R);
    assert!(muster.left.has_happened("powicke") && !muster.right.has_happened("powicke"));
    muster.act("done").stands("first-play", R);
}

/// 15.3: so would that they used the naval benefit; that they may have is seen.
#[test]
fn a_veteran_by_the_naval_benefit_and_militia_recruited() {
    let north = json!({ "fleet": -4, "control": { "royalist": ["newcastle", "oxford"] },
        "brigades": { "pool-royalist": ["whitecoats", "glemhams"] } });
    let muster = Pair::scripted(R, phase("early-1643", "recruitment", &north), CARDS);
    let muster = muster.act("done; from pool-royalist").each(["brigade whitecoats", "brigade glemhams"]);
    let muster = muster.act("to unled-newcastle").differs(R);
    assert!(muster.left.has_happened("royalist-veteran") && !muster.right.has_happened("royalist-veteran"));
    let done = muster.act("done").stands("first-play", R).differs(R);
    assert!(done.left.view(P).board == done.right.view(P).board);
    assert!([&done.left, &done.right].iter().all(|table| table.has_happened("royalist-chance")));
}

#[test]
fn a_veteran_and_militia_desert() {
    let stands = json!({ "control": { "parliament": ["london"] }, "generals": { "essex": "london" },
        "brigades": { "essex": ["ironsides", "gells", "fiennes", "assheton", "denbighs", "skippons"] } });
    let line = |face: &str| format!("at london; brigade {face}; done");
    let [veteran, militia] = ["ironsides", "gells"].map(line);
    Pair::of_one(P, phase("late-1642", "desertion", &stands)).each([&veteran, &militia]).differs(P);
}

#[test]
fn a_veteran_and_militia_where_many_are_in_an_area() {
    let stands = json!({ "control": { "parliament": ["london"] }, "generals": { "essex": "london" } });
    let five = one_of_two("essex", &["fiennes", "assheton", "denbighs", "skippons"]);
    let many = Pair::of(P, &phase("late-1642", "desertion", &stands), five, "");
    many.each(["brigade ironsides", "brigade gells"]);
}

#[test]
fn a_veteran_and_militia_lost_on_a_retreat() {
    let stacks =
        "waller@newbury wallers-horse hesilriggs-lobsters; hopton@salisbury hertfords stawells berkeleys";
    let more = json!({ "control": { "parliament": ["bath", "bristol", "taunton"] } });
    let stands = activated("waller", 3, stacks, &more);
    let retreat = Pair::scripted(R, stands, "5,2").act("move salisbury; stand; stand; stand");
    retreat.act("brigade hertfords; move bath").each(["brigade stawells", "brigade berkeleys"]);
}

#[test]
fn m26_with_the_irish_here_and_elsewhere() {
    let hand = hands(&["M26"], &["M01"]);
    let stands = merged(
        position("early-1644", "parliament", &json!({ "control": { "royalist": ["chester", "oxford"] } })),
        &hand,
    );
    let there = |faces: [&str; 2]| {
        json!({ "generals": { "byron": "chester", "hopton": "bath" },
            "brigades": { "byron": [faces[0], "tyldesleys"], "hopton": [faces[1], "stawells"] } })
    };
    let nantwich = Pair::of(R, &stands, [there(["irish", "byrons"]), there(["byrons", "irish"])], "");
    nantwich.act("card M26").act("use event").differs(R);
}

#[test]
fn cards_of_one_stage_stored() {
    let stores = |card: &str| json!({ "stores": { "parliament": [card] } });
    let stands = position("early-1643", "royalist", &hands(&["E02"], &["E06"]));
    let stored = Pair::of(P, &stands, [stores("E25"), stores("E27")], "");
    stored.act("card E06; use discard").differs(P).act("card E02; use discard");
}

#[test]
fn d7_the_card_that_was_exchanged_is_the_seats_alone() {
    let more = json!({ "late_war": true });
    let stands = position("early-1645", "royalist", &merged(hands(&["E02"], &["L01", "L02", "L03"]), &more));
    let exchanged = |card: &str| json!({ "exchanged": card });
    let deal = Pair::spectated(&stands, [exchanged("L01"), exchanged("L02")], "").differs(P);
    deal.act("card L03; use discard").act("card E02; use discard");
}

#[test]
fn a_bonus_card_that_is_and_is_not_the_card_just_played() {
    let stands = position("early-1643", "royalist", &hands(&["E02"], &["E06"]));
    let drawn = |set: &str, left: &str| json!({ "discard": ["E20", "E21", left], "sets": [{ "seat": "parliament", "cards": [set] }] });
    Pair::of(P, &stands, [drawn("E13", "E25"), drawn("E25", "E13")], "");
}

#[test]
fn y3_a_garrison_that_the_besieger_alone_has_seen() {
    let stands = json!({ "control": { "royalist": ["truro", "worcester"], "parliament": ["plymouth", "london"] },
        "generals": { "hopton": "plymouth" } });
    let inside = |here: &str, pooled: &str| {
        json!({ "brigades": { "hopton": ["stawells", "berkeleys", "hertfords", "grenviles-cornish"],
            "inside-plymouth": [here], "pool-parliament": [pooled] } })
    };
    let stands = position("early-1643", "royalist", &stands);
    let siege = Pair::spectated(&stands, [inside("pophams", "gells"), inside("gells", "pophams")], "");
    siege.act("card C02; use activate; activate hopton").act("siege place").differs(R).act("done");
}

#[test]
fn m19_with_and_without_it_where_an_army_intercepts() {
    let stacks = "cromwell@oxford pophams; hopton@lichfield hertfords";
    let hand = |card: &str| json!({ "turn": "early-1644", "hands": { "royalist": [card] } });
    let march = activated("cromwell", 3, stacks, &json!({}));
    let tried = Pair::of(R, &march, [hand("M19"), hand("M18")], "1").act("move warwick; intercept hopton");
    tried.stands("interception", R).differs(R).act("done");
}
