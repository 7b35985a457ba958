//! Procedures with their stages, and the roles in them, as [`super::super::turn_state`] and [`super::super::odds`] name them, and of actions.

use crate::catalogue::{ProcedureDef, RoleDef};

use super::super::frames::Frame;
use super::super::state::Stage;

fn role(name: &'static str, label: &'static str) -> RoleDef {
    RoleDef::new(name, label)
}

/// Names of the stages of a fight, in the order of [`Stage`].
const FIGHT_STAGES: [&str; Stage::ALL.len()] = [
    "relief of a Siege",
    "the Siege is broken off",
    "the Siege is kept up",
    "Main Attack",
    "withdrawal",
    "roll of the withdrawal",
    "losses of the withdrawal",
    "who joins",
    "the City's guns",
    "target of a gun",
    "roll of a gun",
    "who sallies",
    "Sally Blocks are drawn",
    "mining",
    "roll of the mine",
    "bombardment",
    "roll of the bombardment",
    "who storms",
    "beginning of a Round",
    "last stand",
    "well-positioned gun",
    "guns of the first side",
    "dice of the first side's guns",
    "guns of the second side",
    "dice of the second side's guns",
    "Cavalry of the first side",
    "Cavalry of the second side",
    "Infantry of the first side",
    "Infantry of the second side",
    "end of a Round",
    "another Round or not",
    "exchange of blocks",
    "end of the fight",
    "Retreat",
    "Regroup",
    "who regroups",
    "close",
];

/// The procedures.
pub(in super::super) fn procedures() -> Vec<ProcedureDef> {
    let fight = ProcedureDef::new("fight", "Fight").with_stages(&FIGHT_STAGES);
    let others = Frame::NAMES.iter().filter(|(name, _)| *name != fight.name);
    others.map(|&(name, label)| ProcedureDef::new(name, label)).chain([fight.clone()]).collect()
}

/// The roles.
pub(in super::super) fn roles() -> Vec<RoleDef> {
    vec![
        // Seats and things.
        role("seat", "Side"),
        role("area", "Area"),
        role("city", "City"),
        role("block", "Block"),
        role("card", "Card"),
        role("from", "From"),
        role("to", "To"),
        role("by", "Entered from"),
        role("region", "Region whose Recruitment Points are spent"),
        role("picked", "Goes short"),
        role("entered", "Entered by those who march out"),
        // Counts of what is under way.
        role("left", "Still to be done"),
        role("done", "Already done"),
        role("points", "Points left").unit("points"),
        role("next", "Next place to be looked at"),
        role("short", "Blocks that go short there").unit("blocks"),
        role("regional", "Regional blocks only").flag(),
        role("guns", "With Artillery").flag(),
        role("losing", "Strength is being lost").flag(),
        role("horse", "The first loss falls on Cavalry").flag(),
        role("surrender", "The City surrenders").flag(),
        role("far", "No neighbour takes them in: they lose 1 each and go on").flag(),
        // Own blocks of an action.
        role("went", "Own block that went along"),
        role("began", "Area in which it began the Muster"),
        role("via", "First Area that it entered"),
        // A fight.
        role("attacker", "Attacker"),
        role("round", "Round"),
        role("main", "Main Attack from"),
        role("loser", "Loser"),
        role("kind", "Kind of fight").values(&[
            (0, "Battle"),
            (1, "Sally as a Battle"),
            (2, "Sally"),
            (3, "Storming"),
        ]),
        role("swapped", "The sides have changed roles").flag(),
        role("relief", "Siege in a relief").values(&[
            (0, "none"),
            (1, "without a marker"),
            (2, "maintained"),
            (3, "broken off"),
        ]),
        role("tried", "A withdrawal was tried").flag(),
        role("defending-horse", "Defender's Cavalry, as announced").unit("blocks"),
        role("attacking-horse", "Attacker's Cavalry, as announced").unit("blocks"),
        role("horse-only", "The Defender has Cavalry alone").flag(),
        role("withdrawn", "The Defender withdraws").flag(),
        role("waits", "The Attacker's Infantry waits in Reserve").flag(),
        role("owed", "Strength still to be lost"),
        role("force", "Events in force").bits(&[
            (1, "Royalist Advantageous Terrain"),
            (2, "Parliament's Advantageous Terrain"),
            (4, "Royalist Last Stand"),
            (8, "Parliament's Last Stand"),
            (16, "Royalist Artillery"),
            (32, "Parliament's Artillery"),
            (64, "Cavalry disfavoured"),
        ]),
        role("breach", "There is a breach").flag(),
        role("ask", "Sides still to be asked this Round about their event")
            .bits(&[(1, "Royalist"), (2, "Parliament")]),
        role("hits-horse", "Hits on Cavalry").unit("hits"),
        role("hits-foot", "Hits on Infantry").unit("hits"),
        role("hits-any", "Hits on any class").unit("hits"),
        role("spill", "Hits go on to Cavalry").flag(),
        role("struck", "Side that is hit"),
        role("firing", "Artillery of the City that fires, or fired last"),
        role("regroup-to", "Area to which the Victor regroups"),
        role("stand-royalist", "Royalist block that makes a last stand"),
        role("stand-parliament", "Parliament's block that makes a last stand"),
        role("well-royalist", "Royalist gun that is well-positioned"),
        role("well-parliament", "Parliament's gun that is well-positioned"),
        role("half", "Block with a half-hit"),
        role("declared", "Gun that has declared its target"),
        role("at-horse", "Gun that fires at Cavalry"),
        role("touched", "Area fought over or entered"),
        // Odds.
        role("withdraws-in-6", "The withdrawal succeeds").unit("in 6"),
        role("breach-in-6", "A breach").unit("in 6"),
        role("dice", "Dice that fall").unit("dice"),
        role("at-cavalry-in-6", "Each die hits Cavalry").unit("in 6"),
        role("at-infantry-in-6", "Each die hits Infantry").unit("in 6"),
        role("next-roll", "Who rolls next"),
        role("of", "Ways of the next roll; 6 where it is one die").unit("ways"),
        role("no-hit", "Without a hit").unit("of the ways"),
        role("1-hit", "With 1 hit").unit("of the ways"),
        role("2-hits", "With 2 hits").unit("of the ways"),
        role("3-hits", "With 3 hits").unit("of the ways"),
        role("4-hits", "With 4 hits").unit("of the ways"),
        role("5-hits", "With 5 hits").unit("of the ways"),
        role("6-hits", "With 6 hits").unit("of the ways"),
        role("7-hits", "With 7 hits").unit("of the ways"),
        role("8-hits", "With 8 hits").unit("of the ways"),
        role("9-hits", "With 9 hits").unit("of the ways"),
        role("10-hits", "With 10 hits").unit("of the ways"),
        role("11-hits", "With 11 hits").unit("of the ways"),
        role("12-hits", "With 12 hits").unit("of the ways"),
    ]
}
