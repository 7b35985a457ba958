//! Texts: what Areas, Brigades and Leaders are and do, made from their numbers; the rules of boxes and options in our words.

use crate::numbered::Listed;

use super::super::content::brigades::{BrigadeBack, Faction};
use super::super::content::ids::{AreaId, BrigadeFace, GeneralId, NotableId, RegionId, RegionSet, TurnId};
use super::super::content::leaders::Arrival;
use super::super::content::map::{Infrastructure, Region};
use super::super::content::set_up::RuleOption;
use super::super::content::{Content, SEATS};
use super::SIDES;

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

/// A number with its noun.
fn counted(number: u8, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A Region as a heading.
pub(super) fn region_heading(content: &Content, region: RegionId) -> String {
    region_heading_of(&content.regions[region])
}

/// See [`region_heading`].
pub(super) fn region_heading_of(region: &Region) -> String {
    let name = &region.named.name;
    if region.letter == 'W' { name.clone() } else { format!("The {name}") }
}

/// A Region within a sentence.
fn region_name(content: &Content, region: RegionId) -> String {
    let heading = region_heading(content, region);
    heading.strip_prefix("The ").map_or(heading.clone(), |name| format!("the {name}"))
}

fn regions(content: &Content, regions: RegionSet) -> String {
    let names: Vec<String> = regions.iter().map(|region| region_name(content, region)).collect();
    names.join(" and ")
}

/// An Area: its Fortress, Port, infrastructure and drummers.
pub(super) fn area(content: &Content, id: AreaId) -> Vec<String> {
    let area = &content.areas[id];
    let mut text = vec![format!("In {} (rule 2.1)", region_name(content, area.region))];
    if let Some(fortress) = area.fortress.map(|fortress| &content.fortresses[fortress]) {
        text.push(match area.notable {
            Some(notable) => format!(
                "A Fortress while {} is in play, who holds up to {} there and Surrenders at {} points (rules 13.0, 14.4)",
                content.notables[notable].named.name,
                counted(fortress.room, "Brigade", "Brigades"),
                fortress.surrender
            ),
            None => format!(
                "A Fortress of class {} with room for {}, which Surrenders at {} points (rules 14.1, 14.4)",
                fortress.class,
                counted(fortress.room, "Brigade", "Brigades"),
                fortress.surrender
            ),
        });
        if fortress.supplies {
            text.push("A chain of markers that ends here is not Isolated (rule 11.3)".to_owned());
        }
    }
    if area.port {
        text.push(
            "A Port: the Naval Status counts in its siege, and some events land here (rules 14.3, 15.0)"
                .to_owned(),
        );
    }
    if let Some(one) = area.infrastructure {
        text.push(format!(
            "Part of the economic infrastructure {} (rule 17.3)",
            content.infrastructures[one].named.name
        ));
    }
    for seat in SEATS {
        let drummers = area.drummers[seat.index()];
        if !drummers.is_empty() {
            text.push(format!(
                "{} Brigades of {} are recruited here (rule 7.2)",
                SIDES[seat.index()].1,
                regions(content, drummers)
            ));
        }
    }
    text
}

/// A Region.
pub(super) fn region(region: &Region) -> Vec<String> {
    vec![format!(
        "{} Areas, of which {} markers control it (rule 17.3)",
        region.areas.count(),
        region.majority
    )]
}

/// An economic infrastructure.
pub(super) fn infrastructure(content: &Content, one: &Infrastructure) -> Vec<String> {
    let names: Vec<&str> = one.areas.iter().map(|area| content.areas[area].named.name.as_str()).collect();
    vec![
        format!("Of {}", names.join(", ")),
        "Controlled with an own marker in each of its Areas and no enemy Brigade in any (rule 17.3)"
            .to_owned(),
    ]
}

/// The pool of a side.
pub(super) fn pool() -> Vec<String> {
    lines(&["Brigades that can be recruited: of each Region the Militia first, as a rule (rule 7.1.1)"])
}

/// The Unemployed Generals Box of a side.
pub(super) fn unemployed() -> Vec<String> {
    lines(&[
        "Generals without an Army, until the next Housekeeping Phase (rule 8.2)",
        "Dispersed Brigades: half of them can be reformed, the rest goes to the pool (rule 7.1.7)",
    ])
}

/// The Reinforcements Box of a side.
pub(super) fn reinforcements() -> Vec<String> {
    lines(&["Generals who can be placed with Brigades that they find on the map (rule 7.2.3)"])
}

/// Things that have not arrived.
pub(super) fn away() -> Vec<String> {
    lines(&["What comes by an event, or has gone and can come back by one (rules 4.4, 7.1.6)"])
}

/// Brigades lost for good.
pub(super) fn lost() -> Vec<String> {
    lines(&["Brigades lost in Battle or by Surrender: events alone bring some of them back (rule 6.4)"])
}

/// Things out of the game.
pub(super) fn out() -> Vec<String> {
    lines(&["Nothing brings these back"])
}

/// Scotland.
pub(super) fn scotland() -> Vec<String> {
    lines(&["Covenanters who are still to enter, or try again to (rule 6.5)"])
}

/// A back of Brigades.
pub(super) fn brigade_back(back: BrigadeBack) -> Vec<String> {
    let of = match back {
        BrigadeBack::Royalist => {
            "A Brigade of the Royalists, Irish ones among them, that you can't see (rules 16.0, Y1)"
        }
        BrigadeBack::Parliament => {
            "A Brigade of Parliament, those of the New Model Army among them, that you can't see (rules 16.0, Y1)"
        }
        BrigadeBack::Covenanter => "A Covenanter Brigade whose value you can't see (rule Y1)",
        BrigadeBack::Lorrainer => "A Lorrainer Brigade whose value you can't see (rule Y1)",
    };
    lines(&[of, "A Battle shows it to both sides, a Siege marker to the besieger (rules Y2, Y3)"])
}

/// A face of Brigades.
pub(super) fn brigade(content: &Content, face: BrigadeFace) -> Vec<String> {
    let brigade = &content.faces[face];
    let rank = if brigade.is_veteran() { "Veterans" } else { "Militia" };
    let side = match brigade.faction {
        Faction::Royalist => "Royalist",
        Faction::Irish => "Irish",
        Faction::Lorrainer => "Lorrainer",
        Faction::Parliament => "Parliament's",
        Faction::NewModel => "New Model Army",
        Faction::Covenanter => "Covenanter",
    };
    let mut text = vec![match brigade.region {
        Some(region) => format!("{side} {rank} of {} (rule 2.2)", region_name(content, region)),
        None => format!("{side} {rank} of no Region (rule 2.2)"),
    }];
    text.push(format!(
        "Adds {} to the Battle Score; {} (rule 10.2)",
        brigade.value,
        if brigade.is_veteran() { "lost before Militia in draws" } else { "lost after Veterans in draws" }
    ));
    text.push(match brigade.faction {
        Faction::Royalist | Faction::Parliament if brigade.is_veteran() => {
            "Recruited once the Militia of its Region is on the map, as a rule (rule 7.1.1)".to_owned()
        }
        Faction::Royalist | Faction::Parliament => {
            "Recruited before the Veterans of its Region, as a rule (rule 7.1.1)".to_owned()
        }
        Faction::NewModel => format!(
            "Recruited once the New Model Army was formed, for any Region but {} (rule 7.1.3)",
            regions(content, content.numbers.recruitment.new_model_barred)
        ),
        Faction::Irish => {
            "Comes by event alone, and leaves for good unless one brings it back (rule 7.1.6)".to_owned()
        }
        Faction::Lorrainer => "Comes and fights with Charles of Lorraine alone (rule 6.6)".to_owned(),
        Faction::Covenanter => {
            "Comes with the Solemn League, and fights under Covenanter Generals alone (rule 6.5)".to_owned()
        }
    });
    text
}

/// A General.
pub(super) fn general(content: &Content, general: GeneralId) -> Vec<String> {
    let one = &content.generals[general];
    let kind = if one.is_regional() {
        format!("{} Regional General of {}", SIDES[one.side.index()].1, regions(content, one.regions))
    } else {
        format!("{} Field General", SIDES[one.side.index()].1)
    };
    let ratings = if one.activation == one.strategy {
        format!("Strategy Rating {}, Battle Rating {}", one.strategy, one.battle)
    } else {
        format!(
            "Strategy Rating {} against cards and {} for all else, Battle Rating {}",
            one.activation, one.strategy, one.battle
        )
    };
    let mut text = vec![
        format!("{kind} (rule 2.2)"),
        format!("{ratings} (rules 6.1, 10.2)"),
        format!(
            "Level {}: leads up to {}, those of Subordinates of a lower level among them (rules 8.4, 9.5)",
            one.level,
            counted(one.limit, "Brigade", "Brigades")
        ),
    ];
    if one.assaults {
        text.push("May Assault with less than the Bombardment Value that others need (rule 14.5)".to_owned());
    }
    text.push(match one.arrival {
        Arrival::Area(area) => format!("Begins in {} (rule 4.2)", content.areas[area].named.name),
        Arrival::Reinforcements => "Begins in the Reinforcements Box (rule 4.2)".to_owned(),
        Arrival::Turn(turn) => format!("Arrives in {} (rule 4.4)", content.turns[turn].named.name),
        Arrival::Event => "Comes by event (rule 4.4)".to_owned(),
    });
    text
}

/// A Local Notable.
pub(super) fn notable(content: &Content, notable: NotableId) -> Vec<String> {
    let one = &content.notables[notable];
    let area = &content.areas[one.area].named.name;
    vec![
        format!(
            "Makes {area} a Fortress of {} with room for {} (rule 13.0)",
            SIDES[one.side.index()].1,
            counted(one.limit, "Brigade", "Brigades")
        ),
        "Raids for a card, and hands Brigades to Armies that pass (rule 13.0)".to_owned(),
        if one.at_start { "In play from the start (rule 4.2)" } else { "Comes by event (rule 13.0)" }
            .to_owned(),
    ]
}

/// Generals as a kind.
pub(super) fn general_kind() -> Vec<String> {
    lines(&[
        "Leads the Brigades on his Command Display, and those of his Subordinates (rules 8.0, 9.5)",
        "Without a Brigade he leaves the map (rule 8.2)",
    ])
}

/// Local Notables as a kind.
pub(super) fn notable_kind() -> Vec<String> {
    lines(&["Governs a Fortress, never moves and never fights in the field (rule 13.0)"])
}

/// The Queen.
pub(super) fn queen() -> Vec<String> {
    lines(&[
        "Lands by event, and goes with a Royalist Army (rule 6.6)",
        "Captured or shipped off, she moves the Naval Status (rules 6.6, 15.0)",
    ])
}

/// A Siege Train.
pub(super) fn train() -> Vec<String> {
    lines(&[
        "Recruited in place of a Brigade; goes with an Army (rule 7.1.4)",
        "Helps Bombardment, and is out of the game if it is captured (rules 14.3, 14.4)",
    ])
}

/// What a Turn brings.
pub(super) fn turn(content: &Content, turn: TurnId) -> Vec<String> {
    let one = &content.turns[turn];
    let mut text = vec![
        format!(
            "Each side recruits {}, {} by an Operations Card or {} by a discard (rule 7.2.2)",
            counted(one.recruits, "Brigade", "Brigades"),
            one.card_recruits,
            one.discard_recruits
        ),
        format!(
            "Power Base Number {}, Desertion Number {} (rules 12.0, 17.2)",
            one.power_base, one.desertion
        ),
    ];
    if one.naval_chit {
        text.push("A Naval Chit is drawn (rule 5.1)".to_owned());
    }
    if !one.draw {
        text.push("No cards are dealt but those of the set-up (rule 4.1)".to_owned());
    }
    if !one.political_control {
        text.push("No Political Control Phase (rule 5.2)".to_owned());
    }
    if one.powicke {
        text.push("The Royalists may recruit a Veteran once (rule 7.1.2)".to_owned());
    }
    if one.turncoats {
        text.push("Victors take turncoats (rule 10.6)".to_owned());
    }
    if !one.stored_cards {
        text.push("Stored cards can't be played (rule 6.0)".to_owned());
    }
    if turn.index() + 1 == TurnId::count(content) {
        text.push("After it points are counted (rule 17.3)".to_owned());
    }
    text
}

/// What a box of the Naval Status Chart gives.
pub(super) fn naval_box(content: &Content, number: i32) -> Vec<String> {
    let naval = &content.numbers.naval;
    let side = if number > 0 { "Parliament" } else { "The Royalist" };
    let distance = number.unsigned_abs();
    let mut text = Vec::new();
    if distance >= u32::from(naval.extra) {
        text.push(format!(
            "{side} may recruit a Veteran out of order, or one more Brigade, once a Turn (rule 15.3)"
        ));
    } else if distance >= u32::from(naval.veteran) {
        text.push(format!("{side} may recruit a Veteran out of order, once a Turn (rule 15.3)"));
    }
    if number != 0 && distance >= u32::from(naval.siege) {
        text.push(format!("{side} is helped at sea where own Ports are Bombarded (rule 14.3)"));
    }
    text
}

/// An optional rule.
pub(super) const fn option(rule: RuleOption) -> &'static str {
    match rule {
        RuleOption::King => "The Surrender of King Charles ends the game (17.1)",
        RuleOption::Cornish => "Stout Cornish Men: Truro recruits Cornish Brigades alone (18.1)",
        RuleOption::RandomDesertion => "Random Desertion Order: a die names the first category (18.2)",
        RuleOption::Manchester => {
            "Manchester: his Brigades are recruited at Cambridge and with him alone (18.3)"
        }
        RuleOption::Laughter => "The Laughter of the Court: Newcastle may leave the country (18.4)",
        RuleOption::Lostwithiel => "Lostwithiel: Essex beaten far from London is Dispersed (18.5)",
    }
}
