//! Effects of each card, line by line, in words made from its data ([`lines`]): other content brings other words.

use crate::seat::Seat;

use super::Content;
use super::brigades::Faction;
use super::cards::{Card, CardKind};
use super::ids::{AreaId, CardId, FortressSet, GeneralId, GeneralSet, ListId, RegionId, RegionSet};
use super::numbers::Numbers;
use super::operations::{
    CardUse, CardUses, Condition, FortressChange, MarkerMode, Operation, Paragraph, Placed, Places, Reach,
    Removal, Standing, Step, Weakness, Whose,
};

/// The lines of a card: who may play it, when, and what it does, an operation a line.
#[must_use]
pub fn lines(content: &Content, card: CardId) -> Vec<String> {
    Words { content }.card(&content.cards[card])
}

/// The words for a condition of being offered.
#[must_use]
pub fn condition(content: &Content, condition: Condition) -> String {
    Words { content }.condition(condition)
}

struct Words<'a> {
    content: &'a Content,
}

impl Words<'_> {
    fn card(&self, card: &Card) -> Vec<String> {
        let mut lines = vec![whose_card(card)];
        if card.response {
            lines.push("A Response: it may be played in the enemy's Activation".to_owned());
        }
        if card.once {
            lines.push("Its event occurs once in a game".to_owned());
        }
        lines.extend(self.list(card.list));
        lines.extend(self.offered(card));
        lines
    }

    fn offered(&self, card: &Card) -> Option<String> {
        let said = |conditions: &[Condition], link: &str| {
            let words: Vec<String> = conditions.iter().map(|&one| self.condition(one)).collect();
            words.join(link)
        };
        let (all, any) = (said(&card.offered.all, ", and "), said(&card.offered.any, ", or "));
        match (all.is_empty(), any.is_empty()) {
            (true, true) => None,
            (false, true) => Some(format!("Offered if {all}")),
            (true, false) => Some(format!("Offered if {any}")),
            (false, false) => Some(format!("Offered if {all}; and besides if {any}")),
        }
    }

    fn list(&self, list: ListId) -> Vec<String> {
        self.content.lists[list].iter().flat_map(|step| self.step(step)).collect()
    }

    fn step(&self, step: &Step) -> Vec<String> {
        let mut lines = match step.operation {
            Operation::Choice { options } => {
                let option = |(lead, list)| format!("{lead} {}", self.within_line(list));
                ["Either", "Or"].into_iter().zip(options).map(option).collect()
            }
            Operation::BySide { lists } => {
                let part = |(lead, list)| format!("{lead}, {}", self.within_line(list));
                ["Played by the Royalist", "Played by Parliament"].into_iter().zip(lists).map(part).collect()
            }
            operation => vec![self.operation(operation)],
        };
        if let Some(list) = step.otherwise {
            lines.push(format!("If that does nothing, {}", self.within_line(list)));
        }
        lines
    }

    /// The operations of a list behind other words of a line.
    fn within_line(&self, list: ListId) -> String {
        let lines: Vec<String> = self.list(list).iter().map(|line| mid_line(line)).collect();
        lines.join("; ")
    }

    fn operation(&self, operation: Operation) -> String {
        match operation {
            Operation::Operations { value, uses } => format!("One of: {}", uses_of(value, uses)),
            Operation::Campaign { activations, uses } => campaign(activations, uses),
            Operation::Combat { modifier, decisive, defender } => combat(modifier, decisive, defender),
            Operation::Markers { most, mode, reach, follows, .. } => {
                let lead = if follows { "Then up to" } else { "Up to" };
                let areas = match mode {
                    MarkerMode::Open => "open Areas",
                    MarkerMode::Any => "open Areas or the enemy's that are no Fortress and not occupied",
                };
                let markers = counted(most, "marker", "markers");
                format!("{lead} {markers}{}, in {areas}", self.reached(reach))
            }
            Operation::PlaceBrigades { count, brigades, places, after_new_model } => {
                self.placed(count, brigades, places, after_new_model)
            }
            Operation::RemoveBrigades { owner, count, faction, value, reach, standing, to, .. } => {
                let kind = self.kind_of(count, faction, value);
                let standing = match standing {
                    Standing::Anywhere => "",
                    Standing::Outside => " outside of Fortresses",
                    Standing::NotBesieged => " not inside a Besieged Fortress",
                };
                let to = match to {
                    Removal::Pool => "back to the pool",
                    Removal::Out => "out of the game",
                };
                let owner = whose(owner);
                format!("{owner} takes off {kind} of their choice{standing}{}, {to}", self.reached(reach))
            }
            Operation::RemoveCards { from, count } => {
                let cards = counted(count, "card", "cards");
                format!("{cards} at random, not stored, out of {} hand", whose_genitive(from))
            }
            Operation::Draw { count } => {
                format!("Draw {} from the Draw Deck", counted(count, "card", "cards"))
            }
            Operation::Naval { by } => {
                let side = if by > 0 { "Parliament" } else { "the Royalists" };
                format!("Naval Status {by:+}, for {side}")
            }
            Operation::PlaceNotable { notable } => {
                let notable = &self.content.notables[notable];
                let (name, side) = (&notable.named.name, genitive(notable.side));
                format!("The Local Notable {name} comes to {}, which becomes {side}", self.area(notable.area))
            }
            Operation::TakeFortress { among, weakness, change, .. } => self.fortress(among, weakness, change),
            Operation::Transfer { most, distance } => {
                let brigades = counted(most, "Brigade", "Brigades");
                let areas = counted(distance, "Area", "Areas");
                format!("Up to {brigades} go from one own General to another at most {areas} away")
            }
            Operation::BombardModifier { modifier } => {
                format!("+{modifier} to the next Bombardment of one own Siege, while its marker stays")
            }
            Operation::Activate { generals, lifts_rivalry } => {
                let lifted = if lifts_rivalry {
                    format!("; {} until the end of the turn", self.rivals())
                } else {
                    String::new()
                };
                format!(
                    "Activate {} for movement, as by a Campaign card{lifted}",
                    self.generals(generals, "or")
                )
            }
            Operation::InterceptModifier { modifier } => {
                format!("+{modifier} to the roll of the Interception that is declared")
            }
            Operation::Paragraph(paragraph) => self.paragraph(paragraph),
            Operation::Choice { .. } | Operation::BySide { .. } => String::new(),
        }
    }

    fn kind_of(&self, count: u8, faction: Option<Faction>, value: Option<u8>) -> String {
        let (one, many) = match value {
            Some(1) => ("Militia Brigade", "Militia Brigades"),
            Some(_) => ("Veteran Brigade", "Veteran Brigades"),
            None => ("Brigade", "Brigades"),
        };
        let faction = faction.map_or("", faction_name);
        let space = if faction.is_empty() { "" } else { " " };
        counted(count, &format!("{faction}{space}{one}"), &format!("{faction}{space}{many}"))
    }

    fn placed(&self, count: u8, brigades: Placed, places: Places, after_new_model: bool) -> String {
        let kind = match brigades {
            Placed::OfRegions(regions) if regions.count() == 1 => {
                let brigades = counted(count, "Brigade", "Brigades");
                format!("{brigades} of {}", self.regions(regions, "or"))
            }
            Placed::OfRegions(_) => {
                format!("{} of a Region of your choice", counted(count, "Brigade", "Brigades"))
            }
            Placed::Irish => self.kind_of(count, Some(Faction::Irish), None),
            Placed::NewModel => self.kind_of(count, Some(Faction::NewModel), None),
        };
        let place = match places {
            Places::OwnRegion if brigades == Placed::NewModel => {
                let barred = self.content.numbers.recruitment.new_model_barred;
                if barred.is_empty() {
                    String::new()
                } else {
                    format!(" outside {}", self.regions(barred, "and"))
                }
            }
            Places::OwnRegion => " in that Region".to_owned(),
            Places::Area(area) => format!(" in {}", self.area(area)),
            Places::OwnPort(regions) => format!(" in an own Port of {}", self.regions(regions, "or")),
        };
        let after = if after_new_model { ", once the New Model Army card was played" } else { "" };
        format!("Place {kind}{place} (6.4){after}")
    }

    fn fortress(&self, among: FortressSet, weakness: Weakness, change: FortressChange) -> String {
        let which = self.fortresses(among);
        let state = match weakness {
            Weakness::None => "",
            Weakness::Unoccupied => " with no Brigade inside",
            Weakness::BesiegedOrUnoccupied => " that is under an own Siege marker or has no Brigade inside",
        };
        let change = match change {
            FortressChange::Roll { at_least, less_inside } => {
                let less = if less_inside { ", less 1 for each Brigade inside," } else { "" };
                format!("a die{less} of {at_least} or more takes it, and what is inside Disperses")
            }
            FortressChange::Surrender => "it Surrenders (14.4)".to_owned(),
        };
        format!("Name {which}{state}, if it is the enemy's: {change}")
    }

    fn fortresses(&self, among: FortressSet) -> String {
        let first = among.first().map(|fortress| self.content.fortresses[fortress].class);
        let of_class = |class: u8| -> FortressSet {
            let all = self.content.fortresses.iter().enumerate();
            let fitting = all.filter(|(_, one)| one.notable.is_none() && one.class == class);
            fitting.map(|(index, _)| super::ids::FortressId::new(index)).collect()
        };
        match first {
            Some(class) if among.count() > 1 && of_class(class) == among => {
                format!("a Fortress of Class {class}")
            }
            _ => {
                let names = among.iter().map(|fortress| self.area(self.content.fortresses[fortress].area));
                listed(&names.collect::<Vec<_>>(), "or")
            }
        }
    }

    fn paragraph(&self, paragraph: Paragraph) -> String {
        let numbers = &self.content.numbers;
        let people = &self.content.people;
        let areas = |set: super::ids::AreaSet| {
            let names: Vec<String> = set.iter().map(|area| self.area(area)).collect();
            listed(&names, "or")
        };
        let section = paragraph.section();
        let text = match paragraph {
            Paragraph::Standard => {
                let recruits = counted(numbers.standard.recruits, "Brigade", "Brigades");
                format!(
                    "The war begins: enemies may be attacked, Intercepted and Bombarded. Parliament recruits {recruits} if it played \
                     the card or lost it to an event"
                )
            }
            Paragraph::SolemnLeague => format!(
                "{} and the Covenanters enter at {} and are Activated at once. The Royalists recruit {} outside {} if they \
                 played the card or lost it to an event",
                self.general(people.leven),
                areas(numbers.league.entries),
                counted(numbers.league.recruits, "Brigade", "Brigades"),
                self.regions(numbers.league.barred, "and"),
            ),
            Paragraph::NewModelArmy => format!(
                "Parliament's army is made anew: {} leave the game with {}; {}, {} and {} come, the first two with {} New Model Army \
                 Brigades",
                self.leaders(numbers.new_model.lords),
                counted(numbers.new_model.lost, "Brigade", "Brigades"),
                self.general(people.lord_general),
                self.general(people.cromwell),
                self.general(people.poyntz),
                u32::from(numbers.new_model.cromwell) + u32::from(numbers.new_model.lord_general),
            ),
            Paragraph::Queen => format!(
                "The Queen lands at {}, not where Parliament is: captured she moves Naval Status by {:+}, shipped off by {:+}",
                areas(numbers.queen.landing),
                numbers.naval.queen_captured,
                numbers.naval.queen_left,
            ),
            Paragraph::Brentford => format!(
                "A marker: once, up to {}, +{} after the dice of a Battle that {} commands, never from Indecisive to Major",
                self.content.turns[Numbers::turn(numbers.brentford.until)].named.name,
                numbers.brentford.modifier,
                self.general(people.king),
            ),
            Paragraph::TurnhamGreen => format!(
                "Parliament gathers any of its Generals and Brigades within {} of {} there",
                counted(numbers.turnham_green.distance, "Area", "Areas"),
                self.area(numbers.turnham_green.at),
            ),
            Paragraph::Cessation => format!(
                "The Irish land in one Port, not one of Parliament's, of {}; or of {} while Naval Status is for the Royalists",
                self.regions(numbers.landing.regions, "or"),
                self.regions(numbers.landing.naval_regions, "or"),
            ),
            Paragraph::LieutenantGeneral => format!(
                "{} has level {} and leads up to {}",
                self.general(people.rupert),
                numbers.promotion.level,
                counted(numbers.promotion.limit, "Brigade", "Brigades"),
            ),
            Paragraph::RupertDismissed => format!(
                "{} leaves the game; a General from the Unemployed Generals Box may take the Army over",
                self.general(people.rupert),
            ),
            Paragraph::Bishops => "All Covenanters leave the map for good".to_owned(),
            Paragraph::Lorraine => format!(
                "{} and the Lorrainers come to {}, if it is the Royalists'; no Grandee Recruitment while they are on the map",
                self.general(people.lorraine),
                areas(numbers.lorraine.at),
            ),
            Paragraph::LondonRising => format!(
                "A die, plus the Royalists' economic infrastructures, less Parliament's and less its Brigades inside: {} or more \
                 takes {}",
                numbers.rising.at_least,
                self.area(numbers.rising.at),
            ),
        };
        format!("{text} ({section})")
    }

    fn condition(&self, condition: Condition) -> String {
        match condition {
            Condition::MarkerPlace => "there is an Area for a marker".to_owned(),
            Condition::BrigadePlace => "there is a Brigade to place, and a place for it".to_owned(),
            Condition::EnemyCard => "the enemy has a card that is not stored".to_owned(),
            Condition::DeckCard => "a card is left in the Draw Deck".to_owned(),
            Condition::Fortress => "a Fortress fits".to_owned(),
            Condition::Notable => "the Local Notable's counter was never placed".to_owned(),
            Condition::Brigade => "such a Brigade is on the map".to_owned(),
            Condition::AnyBrigade => "the side that loses one has a Brigade on the map".to_owned(),
            Condition::GeneralPair => "two Generals fit".to_owned(),
            Condition::SiegeMarker => "you have a Siege marker".to_owned(),
            Condition::Controls(seat, area) => format!("{} is {}", self.area(area), genitive(seat)),
            Condition::Cessation => "The Cessation has occurred".to_owned(),
            Condition::IrishOffMap => {
                "an Irish Brigade is off the map, and not lost to an Assault".to_owned()
            }
            Condition::InGame(general) => format!("{} is in the game", self.general(general)),
            Condition::OnMap(generals) => {
                let names = self.generals(generals, "and");
                format!("{names} are on the map, and inside no Fortress that is Masked or Besieged")
            }
            Condition::ArmyBeside(seat, area) => {
                format!("one of {} Armies is next to {}", genitive(seat), self.area(area))
            }
            Condition::UpTo(turn) => format!("it is {} or earlier", self.content.turns[turn].named.name),
            Condition::QueenPlace => "there is an Area where the Queen can land".to_owned(),
            Condition::LandingPort => "there is a Port where the Irish can land".to_owned(),
            Condition::LorrainePlace => {
                format!("there is a place for {}", self.general(self.content.people.lorraine))
            }
            Condition::Covenanters => "a Covenanter General or Brigade is on the map".to_owned(),
            Condition::Interception => "you declare an Interception".to_owned(),
        }
    }

    fn rivals(&self) -> String {
        let people = &self.content.people;
        format!("{} may be Subordinate to {}", self.general(people.waller), self.general(people.essex))
    }

    fn area(&self, area: AreaId) -> String {
        self.content.areas[area].named.name.clone()
    }

    fn general(&self, general: GeneralId) -> String {
        self.content.generals[general].named.name.clone()
    }

    fn generals(&self, generals: GeneralSet, link: &str) -> String {
        listed(&generals.iter().map(|general| self.general(general)).collect::<Vec<_>>(), link)
    }

    fn leaders(&self, leaders: super::ids::LeaderSet) -> String {
        let names = leaders.iter().map(|leader| self.content.leader(leader).name.clone());
        listed(&names.collect::<Vec<_>>(), "and")
    }

    fn region(&self, region: RegionId) -> String {
        let name = &self.content.regions[region].named.name;
        // A Region goes by a point of the compass, or by the name of a country.
        if region == RegionId::WALES { name.clone() } else { format!("the {name}") }
    }

    fn regions(&self, regions: RegionSet, link: &str) -> String {
        listed(&regions.iter().map(|region| self.region(region)).collect::<Vec<_>>(), link)
    }

    /// The words behind what is somewhere.
    fn reached(&self, reach: Reach) -> String {
        match reach {
            Reach::Everywhere => String::new(),
            Reach::Regions(regions) => format!(" in {}", self.regions(regions, "or")),
            Reach::Near { area, distance } => {
                format!(" within {} of {}", counted(distance, "Area", "Areas"), self.area(area))
            }
        }
    }
}

fn whose_card(card: &Card) -> String {
    let holder = match card.side {
        None => "Either side",
        Some(seat) if seat == super::ROYALIST => "The Royalist",
        Some(_) => "Parliament",
    };
    match card.kind {
        CardKind::Operations | CardKind::Campaign if card.side.is_some() => {
            format!("{holder}: a Core Card, back in hand every turn, never stored")
        }
        CardKind::Operations | CardKind::Campaign => format!("{holder}: an Operations Card"),
        CardKind::Combat => format!("{holder}: a Combat Card, never stored"),
        CardKind::Mandatory => format!("{holder}: Mandatory, to be played in the turn in which it came"),
        CardKind::Event => format!("{holder}: an event; otherwise a discard"),
        CardKind::Response => format!("{holder}: a Response, and nothing else; otherwise a discard"),
    }
}

fn uses_of(value: u8, uses: CardUses) -> String {
    let one = |one: CardUse| match one {
        CardUse::Recruit => "Recruitment Card of the turn".to_owned(),
        CardUse::Bombard => "a Bombardment".to_owned(),
        CardUse::Raid => format!("Raids of up to {}", counted(value, "Local Notable", "Local Notables")),
        CardUse::Activate => format!("the Activation of a General rated {value} or better"),
        CardUse::Markers => format!("up to {}", counted(value, "marker", "markers")),
    };
    listed(&uses.iter().map(one).collect::<Vec<_>>(), "or")
}

fn campaign(activations: u8, uses: CardUses) -> String {
    let each = |one: CardUse| match one {
        CardUse::Activate => Some("a General for movement".to_owned()),
        CardUse::Bombard => Some("a General who Bombards".to_owned()),
        CardUse::Raid => Some("a Local Notable who Raids".to_owned()),
        CardUse::Recruit | CardUse::Markers => None,
    };
    let each = listed(&uses.iter().filter_map(each).collect::<Vec<_>>(), "or");
    let recruit = if uses.contains(CardUse::Recruit) { "; or the Recruitment Card of the turn" } else { "" };
    let activations = counted(activations, "Activation", "Activations");
    format!(
        "Up to {activations}, each of another Leader of any rating, with any Army: {each}{recruit}. It may claim the first play"
    )
}

fn combat(modifier: u8, decisive: bool, defender: bool) -> String {
    let defender = if defender { ", as the defender alone" } else { "" };
    let decisive = if decisive { "; a Major Victory of its owner is Decisive" } else { "" };
    format!("+{modifier} to the own score in one Battle{defender}{decisive}")
}

const fn faction_name(faction: Faction) -> &'static str {
    match faction {
        Faction::Royalist => "Royalist",
        Faction::Irish => "Irish",
        Faction::Lorrainer => "Lorrainer",
        Faction::Parliament => "Parliament",
        Faction::NewModel => "New Model Army",
        Faction::Covenanter => "Covenanter",
    }
}

fn genitive(seat: Seat) -> &'static str {
    if seat == super::ROYALIST { "the Royalists'" } else { "Parliament's" }
}

fn whose(owner: Whose) -> &'static str {
    match owner {
        Whose::Seat(seat) if seat == super::ROYALIST => "The Royalist",
        Whose::Seat(_) => "Parliament",
        Whose::Enemy => "The enemy",
    }
}

fn whose_genitive(owner: Whose) -> &'static str {
    match owner {
        Whose::Seat(seat) => genitive(seat),
        Whose::Enemy => "the enemy's",
    }
}

/// A line's words behind others: its first one keeps its capital only if it is a name.
fn mid_line(line: &str) -> String {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    if matches!(first, "Activate" | "All" | "Draw" | "Name" | "Place" | "The" | "Then" | "Up") {
        format!("{} {rest}", first.to_lowercase())
    } else {
        line.to_owned()
    }
}

/// A number with its noun.
fn counted(number: u8, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Words with commas, and `link` before the last.
fn listed(words: &[String], link: &str) -> String {
    match words {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {link} {last}", first.join(", ")),
    }
}
