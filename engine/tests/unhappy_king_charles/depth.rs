//! How deep procedures nest: the state has room for 20, and one more is a panic. A queue of bonus sets is never opened within another
//! (B17), so that Campaign cards nest twice at most.

use serde_json::json;

use crate::armies::armies;
use crate::play::{Match, R, at, merged, position};

/// Takes actions, and returns the frames at the deepest point, outermost first.
fn deepest(table: &mut Match, line: &str) -> Vec<String> {
    let frames = |table: &Match| -> Vec<String> {
        let turn_state = table.view(table.to_act()).turn_state;
        turn_state.procedures.iter().map(|procedure| procedure.frame.to_owned()).collect()
    };
    let mut deepest = frames(table);
    for action in line.split(';') {
        table.act(action);
        let now = frames(table);
        if now.len() > deepest.len() {
            deepest = now;
        }
    }
    deepest
}

#[test]
fn rule_b17_a_battle_by_interception_of_a_campaign_card_in_a_set_that_another_campaign_card_won() {
    let stacks = "hopton@newbury grenviles-cornish ruperts-lifeguard; @salisbury pophams; \
        byron@chester byrons tyldesleys; lord-fairfax@skipton ironsides ironsides skippons";
    let hands = json!({ "hands": { "royalist": ["E12"] } });
    let place = merged(merged(position("early-1643", "royalist", &json!({})), &armies(stacks)), &hands);
    let mut table = at(place, "6,1 e10 6 1,6 e12");
    let frames = deepest(
        &mut table,
        "card E12; use campaign; activate hopton; move salisbury; stand; stand; pass; done; card E10; use campaign; activate byron; \
         move preston; intercept lord-fairfax; stand; stand; brigade byrons; pass",
    );
    let campaign_card = ["turn", "campaign", "bonus", "campaigning"];
    let of_the_set = ["queue", "campaigning", "activation", "entry", "battle", "dispersal"];
    assert_eq!(frames, [&campaign_card[..], &of_the_set].concat());
    assert_eq!((table.frame().as_str(), table.to_act()), ("campaigning", R), "the card of the set goes on");
}

#[test]
fn rule_k13_a_battle_of_the_league_that_an_event_of_a_set_draws_out_of_a_hand() {
    let stacks =
        "hopton@newbury grenviles-cornish ruperts-lifeguard; @salisbury pophams; @berwick hertfords stawells";
    let hands = json!({ "hands": { "royalist": ["M08"], "parliament": ["X02"] } });
    let place = merged(merged(position("early-1644", "royalist", &json!({})), &armies(stacks)), &hands);
    let mut table = at(place, "6,1 a05 x02");
    let frames = deepest(
        &mut table,
        "card M08; use campaign; activate hopton; move salisbury; stand; stand; pass; pass; done; card A05; use event; at berwick",
    );
    let campaign_card = ["turn", "campaign", "bonus", "campaigning"];
    let of_the_set = ["queue", "event", "removal", "mandatory", "activation", "entry", "battle", "dispersal"];
    assert_eq!(frames, [&campaign_card[..], &of_the_set].concat());
}
