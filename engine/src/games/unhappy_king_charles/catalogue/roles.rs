//! Procedures with their stages, and the roles in them and in actions, as [`super::super::turn_state`] names them.

use crate::catalogue::{ProcedureDef, RoleDef};

use super::super::content::Content;
use super::super::frames::{Frame, Phase};

/// Names of the phases, in their order (5.0).
const PHASES: [&str; Phase::ALL.len()] = [
    "before the Turn",
    "Housekeeping",
    "Political Control",
    "Recruitment",
    "Draw Strategy Cards",
    "Going first",
    "Campaign",
    "Blockade",
    "Desertion",
    "Power Base",
    "Turn End",
];

/// The procedures.
pub(in super::super) fn procedures() -> Vec<ProcedureDef> {
    let staged = |&(name, label): &(&'static str, &'static str)| match name {
        "turn" => ProcedureDef::new(name, label).with_stages(&PHASES),
        _ => ProcedureDef::new(name, label).counting("steps done"),
    };
    Frame::NAMES.iter().map(staged).collect()
}

fn role(name: &'static str, label: &'static str) -> RoleDef {
    RoleDef::new(name, label)
}

/// The roles.
pub(in super::super) fn roles(_: &Content) -> Vec<RoleDef> {
    vec![
        // Seats and things.
        role("seat", "Side"),
        role("active", "Active side"),
        role("next", "Next to play"),
        role("recruiter", "Recruits"),
        role("attacker", "Attacker"),
        role("winner", "Winner"),
        role("general", "General"),
        role("commander", "Commander"),
        role("commanders", "Commanders"),
        role("leader", "Leader"),
        role("notable", "Local Notable"),
        role("card", "Card"),
        role("combat-cards", "Combat Cards"),
        role("face", "Brigade"),
        role("brigade", "Brigade"),
        role("area", "Area"),
        role("region", "Region"),
        role("to", "To"),
        role("from", "From"),
        role("holder", "Place of Brigades"),
        role("origins", "Came from"),
        role("path", "Path"),
        role("placed-in", "Areas where some were placed"),
        role("receivers", "Leaders who received one"),
        role("regions", "Regions of which one was recruited"),
        role("beside", "Own markers before the card"),
        role("used", "Have had their turn"),
        role("done", "Done"),
        role("tried", "Tried to Intercept"),
        role("parted", "Left behind"),
        role("dropped", "Foreign Brigades were put down in"),
        role("reformed-in", "Areas where some reformed"),
        role("raided", "Have Raided"),
        role("giver", "Gives"),
        role("taker", "Takes"),
        role("leaving", "Are left behind"),
        role("visited", "Has been in"),
        role("vacated", "Left by Generals"),
        role("besieged", "Still to fight or to be Dispersed"),
        role("at", "At"),
        role("first", "First effect, or player"),
        role("second", "Second effect"),
        role("list", "List of effects"),
        // Counts.
        role("step", "Steps done").unit("steps"),
        role("left", "Still to come").unit("times"),
        role("recruits", "Brigades still to be recruited").unit("Brigades"),
        role("spent", "Movement Points spent").unit("points"),
        role("shipped", "Brigades shipped").unit("Brigades"),
        role("dice", "Dice of each side").unit("pips"),
        role("losses", "Losses still to be taken").unit("Brigades"),
        role("value", "Operations of the card").unit("Operations"),
        role("added", "Added to the roll").unit("points"),
        role("category", "Category of Desertion").unit("of the list"),
        role("owed", "Brigades still to be lost").unit("Brigades"),
        role("level", "Level of the last General").unit("of subordination"),
        role("procedures", "Procedures with windows so far").unit("procedures"),
        // Odds.
        role("may-intercept", "May try to intercept"),
        role("may-bombard", "May Bombard"),
        role("intercepts-in-6", "The Interception succeeds").unit("in 6"),
        role("evades-in-6", "The Evasion succeeds").unit("in 6"),
        role("surrenders-in-6", "The Fortress surrenders").unit("in 6"),
        role("storms-in-36", "The Assault succeeds").unit("in 36"),
        role("rises-in-6", "London rises").unit("in 6"),
        role("battle-ways", "Ways of the dice").unit("ways"),
        role("attacker-drawn", "The attacker is ahead in a Drawn Battle").unit("ways"),
        role("attacker-indecisive", "The attacker wins an Indecisive Victory").unit("ways"),
        role("attacker-major", "The attacker wins a Major Victory").unit("ways"),
        role("attacker-decisive", "The attacker wins a Decisive Victory").unit("ways"),
        role("defender-drawn", "The defender stands in a Drawn Battle").unit("ways"),
        role("defender-indecisive", "The defender wins an Indecisive Victory").unit("ways"),
        role("defender-major", "The defender wins a Major Victory").unit("ways"),
        role("defender-decisive", "The defender wins a Decisive Victory").unit("ways"),
        // All that is so or is not, and what numbers stand for.
        role("bonus", "Of a bonus set").flag(),
        role("placed", "One was placed").flag(),
        role("free", "Without a card, or none is enough").flag(),
        role("bombards", "To Bombard").flag(),
        role("begun", "Under way").flag(),
        role("did", "Something was done").flag(),
        role("moved", "Some were moved").flag(),
        role("reformed", "Of the Dispersed ones").flag(),
        role("taken", "One was taken").flag(),
        role("surplus", "The Siege is kept up").flag(),
        role("lifted", "The Siege was lifted for the Battle").flag(),
        role("inside", "Inside the Fortress").flag(),
        role("from-inside", "The interceptor came out of the Fortress").flag(),
        role("picked", "One was picked").flag(),
        role("paid", "The enemy marker was paid for").flag(),
        role("queen-left", "The Queen was left behind").flag(),
        role("queen-taken", "The Queen is taken after the Retreat").flag(),
        role("besieging", "The Siege marker is this Army's").flag(),
        role("newcastle", "Newcastle leaves after the Retreat").flag(),
        role("fee", "A Movement Point is owed for leaving a Battle").flag(),
        role("over", "The Activation is over").flag(),
        role("closed", "No more Generals are placed").flag(),
        role("warrant", "Activated by").values(&[
            (0, "a card for any General"),
            (1, "1 Operation"),
            (2, "2 Operations"),
            (3, "3 Operations"),
        ]),
        role("train", "Siege Train").values(&[
            (0, "recruited, or still to be placed"),
            (1, "taken along, or being placed"),
            (2, "taken off, or placed"),
        ]),
        role("queen", "The Queen").values(&[(0, "taken along"), (1, "left behind"), (2, "shipped off")]),
        role("line", "Entered by").values(&[(0, "nothing"), (1, "road"), (2, "mountains"), (3, "sea")]),
        role("kind", "Kind of Battle").values(&[
            (0, "in the field"),
            (1, "Interception"),
            (2, "Interception, of the two Armies alone"),
            (3, "sortie"),
            (4, "of a Notable turned General"),
        ]),
        role("siege", "Siege in the Battle").values(&[(0, "none"), (1, "lifted"), (2, "kept up by a part")]),
        role("margin", "Result").values(&[
            (0, "none yet"),
            (1, "Drawn"),
            (2, "Indecisive"),
            (3, "Major"),
            (4, "Decisive"),
        ]),
        role("occasion", "Occasion").values(&[
            (0, "Recruitment Phase"),
            (1, "Recruitment card"),
            (2, "Raising of the Standard"),
            (3, "Solemn League"),
        ]),
        role("way", "Use of the card").values(&[
            (0, "event"),
            (1, "Activations"),
            (2, "Activation"),
            (3, "Bombardment"),
            (4, "Raids"),
            (5, "PC markers"),
            (6, "recruitment"),
            (7, "nothing"),
        ]),
        role("marker", "Siege marker").values(&[(0, "Siege"), (1, "Blockade & Siege"), (2, "taken off")]),
        role("choice", "Choice").values(&[(0, "the first"), (1, "the second"), (2, "the third")]),
        role("option", "Effect").values(&[(0, "the first"), (1, "the second")]),
    ]
}
