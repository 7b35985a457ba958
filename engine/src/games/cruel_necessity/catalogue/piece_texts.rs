//! Texts: what Armies, fortresses, markers and formations do, from their numbers.

use super::super::content::{
    ARMIES, Arm, CLUBMEN, Content, Counter, Formation, FortId, LONDON, RevoltKindId,
};
use super::super::procedures::fortresses::lies_in;

const REGIONS: [&str; ARMIES] = ["the North", "the West", "Scotland", "Ireland"];

/// A counter of an Army.
pub(in super::super) fn counter(counter: &Counter) -> Vec<String> {
    let mut text = vec![
        format!(
            "Strength {}, with its markers and the morale of its track: a die must exceed that to drive it back an area (rules 8.3, G3)",
            counter.strength
        ),
        "When a card activates it, it recovers, fights Clubmen, besieges or advances: the first that it can (rule 6.2)".to_owned(),
    ];
    if counter.vp != 0 {
        text.push(format!("{:+} Victory Points while it is on the map (rule 5.0)", counter.vp));
    }
    text
}

/// An Army.
pub(in super::super) fn army(content: &Content, index: usize) -> Vec<String> {
    let begins = &content.areas[index * 5 + 4].named.name;
    let mut text = vec![format!(
        "Invades {}: it comes from {begins}, its area 5, by way of areas 4 to 1 (rule 2.1)",
        REGIONS[index]
    )];
    text.extend(counter(&content.counters[index]));
    text
}

/// A fortress.
pub(in super::super) fn fort(content: &Content, id: FortId) -> Vec<String> {
    let fort = &content.forts[id];
    let lies: Vec<&str> = lies_in(content, id)
        .map(|(region, area)| match area.checked_sub(1) {
            None => "London Under Siege",
            Some(before) => content.areas[region.index() * 5 + usize::from(before)].named.name.as_str(),
        })
        .collect();
    let mut lies = lies;
    lies.dedup();
    let values: Vec<String> = fort.values[1..].iter().map(u8::to_string).collect();
    let mut text = vec![
        format!("A fortress in {}", lies.join(" and ")),
        format!(
            "Its Combat Value by click: {}; each siege that succeeds takes a click, and behind the last one it changes hands (rules 6.2.4, 8.4)",
            values.join(", ")
        ),
    ];
    if fort.vp != 0 {
        text.push(format!(
            "{:+} Victory Points for Parliament's, as many less for the Royalists' (rule 5.0)",
            fort.vp
        ));
    }
    if fort.permission {
        text.push("Can't be besieged before a card has allowed it (rule 6.10.2)".to_owned());
    }
    if id == LONDON {
        text.push("Without it the match is lost at the end of a turn (rule 9.0)".to_owned());
    }
    text
}

/// A fortress's kind by its owner.
pub(in super::super) fn held(royalist: bool) -> Vec<String> {
    vec![if royalist {
        "The Royalists' fortress: besieged for a Zeal Point while the Army of its region is in a higher area (rules 8.4, P11)".to_owned()
    } else {
        "Parliament's fortress: strengthened a click for a Zeal Point while the Army of its region is in a higher area (rules 8.6, P13)".to_owned()
    }]
}

/// A kind of revolt.
pub(in super::super) fn revolt_kind(kind: RevoltKindId) -> Vec<String> {
    let mut text = vec![
        "Comes into the area that a die names; while it is within reach it bars Campaigns, sieges and fortifying in its region (rules 6.9, 8.5)".to_owned(),
    ];
    if kind == CLUBMEN {
        text.push(
            "Clubmen fight both sides: an Army fights them instead of advancing (rules 6.2.3, 8.5.1)"
                .to_owned(),
        );
    }
    text
}

/// A revolt marker.
pub(in super::super) fn revolt(content: &Content, index: usize) -> Vec<String> {
    let revolt = &content.numbers.revolts[index];
    let mut text = vec![format!(
        "Strength {}: a die that exceeds it takes the marker off, for a Zeal Point; {:+} Victory Points while it is there (rules 8.5, 5.0)",
        revolt.strength, content.numbers.score.revolt
    )];
    text.extend(revolt_kind(revolt.kind));
    text
}

/// Deviltry markers.
pub(in super::super) fn deviltry(content: &Content) -> Vec<String> {
    vec![
        format!(
            "Strength {}: a die that exceeds it turns the marker over, for a Zeal Point, and gives a reward (rule 8.3.1)",
            content.numbers.deviltry_strength
        ),
        format!(
            "{:+} Victory Points while it is on the map; where it lies makes no difference (rules 5.0, 6.8)",
            content.numbers.score.deviltry
        ),
    ]
}

/// A formation, as a kind or as a Named unit.
pub(in super::super) fn formation(formation: &Formation) -> Vec<String> {
    let side = if formation.royalist { "Royalist" } else { "Parliament's" };
    let arm = match formation.arm {
        Arm::Horse => "horse",
        Arm::Foot => "foot",
    };
    let mut text = vec![format!(
        "{side} {arm} of strength {}, which a die is added to in its sector (rule 7.0)",
        formation.strength
    )];
    text.push(match (formation.is_named, formation.royalist) {
        (true, false) => {
            "A Named unit: it waits in the Holding Box, and is committed to a Battle by choice (rule 7.0)"
                .to_owned()
        }
        (true, true) => "A Named unit, drawn from its pool as any other (rule 7.0)".to_owned(),
        (false, _) => format!("Drawn from its pool, where {} of it begin (rule 7.0)", formation.count),
    });
    if formation.event {
        text.push("Calls for a Battle Event card when it comes into the line (rule 7.0)".to_owned());
    }
    if formation.turns > 0 {
        text.push(format!(
            "Where it wins its sector it adds {} to the foot of its wing (rule 7.1)",
            formation.turns
        ));
    }
    text
}
