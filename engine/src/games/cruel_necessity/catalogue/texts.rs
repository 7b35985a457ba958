//! Effects of each card, line by line, for anyone who looks before it is met: made from its data, in the
//! words of the log.

use crate::catalogue::Catalogue;
use crate::numbered::{Listed, SetOf};
use crate::render;

use super::super::actions::Target;
use super::super::content::{
    Achievement, Arm, BattleCard, CardEffect, CardKind, Content, Dice, FormationId, FortId, ListId, Op,
    OptionId, Target as Whom, Timing, TrackId,
};
use super::super::turn_state;
use super::attributes::LETTERS;
use super::names;

/// The log's words before an operation that a card asks for.
pub(in super::super) const SAID_OF_CARDS: &str = "To come: ";

/// The lines of every card, in the catalogue's order: the three decks, then the Battle Event cards.
pub(in super::super) fn lines(content: &Content, catalogue: &Catalogue) -> Vec<Vec<String>> {
    let texts = Texts { content, catalogue };
    let decks = content.cards.iter().map(|card| match card.kind {
        CardKind::Event { list } => texts.list(list),
        CardKind::Achievement(index) => texts.achievement(&content.achievements[index]),
    });
    decks.chain(content.battle_cards.iter().map(|card| texts.battle_card(card))).collect()
}

struct Texts<'a> {
    content: &'a Content,
    catalogue: &'a Catalogue,
}

impl Texts<'_> {
    /// The operations of a list, a line each; each option of a choice has a line of its own.
    fn list(&self, list: ListId) -> Vec<String> {
        self.content.lists[list].iter().flat_map(|&op| self.operation(list, op)).collect()
    }

    fn operation(&self, list: ListId, op: Op) -> Vec<String> {
        let Op::Choice { choice } = op else { return vec![self.said(list, op)] };
        let choice = &self.content.choices[choice];
        let option = |option: OptionId| {
            let list = self.content.options[option].1;
            self.list(list).join("; ")
        };
        let several = choice.options.count() > 1;
        let lines = choice.options.iter().enumerate().map(|(place, index)| {
            let lead = match (choice.optional, several, place) {
                (true, _, 0) => "You may choose",
                (true, ..) => "Or you may choose",
                (false, true, 0) => "Either",
                (false, true, _) => "Or",
                (false, false, _) => "Then",
            };
            format!("{lead}: {}", option(index))
        });
        lines.collect()
    }

    /// An operation as the log says it, without what the log says before it.
    fn said(&self, list: ListId, op: Op) -> String {
        let (phrase, _) = turn_state::item(self.content, list, op);
        let text = render::say(self.catalogue, phrase.code, &phrase.refs);
        text.strip_prefix(SAID_OF_CARDS).map_or_else(|| text.clone(), str::to_owned)
    }

    fn achievement(&self, achievement: &Achievement) -> Vec<String> {
        let mut lines =
            vec![format!("Costs {} Zeal; counts {} Victory Points", achievement.cost, achievement.vp)];
        let asked = TrackId::all(self.content).map(|track| (track, achievement.grades[track]));
        for (track, grade) in asked.filter(|&(_, grade)| grade < 4) {
            let name = self.catalogue.name_of(Target::Track(track).reference());
            let better = if grade == 0 { "" } else { " or better" };
            lines.push(format!("Asks for {name} at {}{better}", LETTERS[usize::from(grade)]));
        }
        if achievement.battle_won {
            lines.push("Asks for a Battle won this turn or the last".to_owned());
        }
        let held = FortId::all(self.content).map(|fort| (fort, achievement.fortresses[fort]));
        for (fort, value) in held.filter(|&(_, value)| value > 0) {
            let name = self.catalogue.name_of(Target::Fort(fort).reference());
            lines.push(format!("Asks for Parliament's {name} with a Combat Value of {value} or more"));
        }
        lines.extend(self.list(achievement.list));
        lines
    }

    fn battle_card(&self, card: &BattleCard) -> Vec<String> {
        let sector = match card.effect {
            CardEffect::Sector { arm, .. } | CardEffect::Reroll { arm, .. } => {
                format!("a sector of {}", arm_name(arm))
            }
            _ => "a sector".to_owned(),
        };
        let timing = match card.timing {
            Timing::Immediate => "Acts at once when it is drawn".to_owned(),
            Timing::Green => "Held, and played once before the sectors".to_owned(),
            Timing::BeforeRoll => format!("Held, and played once before the dice of {sector}"),
            Timing::AfterRoll => format!("Held, and played once after the dice of {sector}"),
            Timing::Aftermath => "Held, and played once when the sectors are fought".to_owned(),
        };
        std::iter::once(timing).chain(self.effect(card.effect)).collect()
    }

    fn effect(&self, effect: CardEffect) -> Vec<String> {
        match effect {
            CardEffect::Strength { target, units, value, otherwise, leaves } => {
                let whom = if target == Whom::Unit { self.units(units) } else { whom(target).to_owned() };
                let each = if units.count() > 1 { " each" } else { "" };
                let mut lines = vec![format!("{whom}: {value:+} Strength{each}")];
                if let Some((target, value)) = otherwise {
                    lines.push(format!(
                        "If none of them is in the line, {}: {value:+} Strength",
                        whom_in_mid_line(target)
                    ));
                }
                if leaves {
                    lines.push("Then it goes out of play for good".to_owned());
                }
                lines
            }
            CardEffect::Replace { target } => {
                vec![format!("{} goes back to its pool, and another is drawn in its place", whom(target))]
            }
            CardEffect::Reroll { dice: Dice::Both, .. } => vec!["Both dice are rolled again".to_owned()],
            CardEffect::Reroll { dice: Dice::Parliament, .. } => {
                vec!["Parliament's die is rolled again".to_owned()]
            }
            CardEffect::Sector { value, .. } => vec![format!("{value:+} for Parliament in this sector")],
            CardEffect::Outcome { victory_points, draw_zeal } => {
                let won = format!("After a Victory: Benefit Points {:+}", victory_points);
                let drawn =
                    format!("After a Draw: {draw_zeal:+} Zeal, and nothing is lost for having salvaged it");
                let lines = [(victory_points, won), (draw_zeal, drawn)];
                lines.into_iter().filter(|(gain, _)| *gain > 0).map(|(_, line)| line).collect()
            }
        }
    }

    fn units(&self, units: SetOf<FormationId>) -> String {
        let names = units.iter().map(|kind| self.catalogue.name_of(names::formation_ref(self.content, kind)));
        names.collect::<Vec<_>>().join(", ")
    }
}

const fn arm_name(arm: Arm) -> &'static str {
    match arm {
        Arm::Horse => "horse",
        Arm::Foot => "foot",
    }
}

/// Names the units that a card is about, at the beginning of a line.
const fn whom(target: Whom) -> &'static str {
    match target {
        Whom::Unit => "The unit that it names",
        Whom::StrongestRoyalistHorse => "The strongest Royalist horse that is not Named",
        Whom::WeakestRoyalistHorse => "The weakest Royalist horse",
        Whom::RandomRoyalistFoot => "A Royalist foot by chance",
        Whom::RandomParliamentFoot => "A foot of Parliament by chance",
        Whom::StrongestParliamentFoot => "Parliament's strongest foot that is not Named",
        Whom::ChosenParliamentFoot => "A foot of Parliament that you choose",
        Whom::ChosenUnmarkedParliament => "An unmarked formation of Parliament that you choose",
        Whom::ChosenRoyalistHorse => "A Royalist horse that you choose",
        Whom::ChosenParliament => "An unnamed formation of Parliament that you choose",
    }
}

/// The same after a comma.
fn whom_in_mid_line(target: Whom) -> String {
    let whom = whom(target);
    let (article, rest) = whom.split_once(' ').unwrap_or((whom, ""));
    // `Parliament's` is a name, and keeps its capital.
    let article = if article.len() <= 3 { article.to_lowercase() } else { article.to_owned() };
    format!("{article} {rest}")
}
