//! Holds the game to the model: at each decision and roll both must be at the same point, with the same list and the same board.

use std::collections::BTreeMap;

use edgehill_engine::action::ActionId;
use edgehill_engine::chance::{Chance, Outcome};
use edgehill_engine::chance_source::sampled;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::unhappy_king_charles::{State, UnhappyKing};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::{Observer, Seat};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::random::Random;
use super::reading::{difference, hand, pile_count, read, set_in_play};
use super::world::{At, Post, World};

/// The reason why a play ends before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// The match is over.
    Over,
    /// The model has no part in what follows.
    Beyond,
    /// Game and model part.
    Fault(String),
}

/// Rare cases, with the number of times that each was come upon.
pub(crate) type Cases = BTreeMap<&'static str, usize>;

impl From<String> for Halt {
    fn from(fault: String) -> Self {
        Self::Fault(fault)
    }
}

pub(crate) type Play<T> = Result<T, Halt>;

pub(crate) struct Umpire<'a> {
    pub(crate) game: &'a UnhappyKing,
    pub(crate) state: State,
    pub(crate) random: Random,
    /// The choices and rolls that were made.
    pub(crate) told: Vec<String>,
    /// The number of nodes at which lists or dice, and boards, were compared.
    pub(crate) compared: usize,
    pub(crate) cases: Cases,
    /// Choices that come up more often than others.
    pub(crate) favoured: Vec<String>,
    legal: Vec<ActionId>,
}

impl<'a> Umpire<'a> {
    pub(crate) const fn new(game: &'a UnhappyKing, state: State, random: Random) -> Self {
        Self {
            game,
            state,
            random,
            told: Vec::new(),
            compared: 0,
            cases: Cases::new(),
            favoured: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// The choices and rolls that were made, and the cases that they came upon.
    pub(crate) fn telling(&mut self) -> (Vec<String>, Cases) {
        (std::mem::take(&mut self.told), std::mem::take(&mut self.cases))
    }

    pub(crate) fn saw(&mut self, case: &'static str) {
        *self.cases.entry(case).or_default() += 1;
    }

    /// The boards are the same.
    pub(crate) fn compare(&mut self, world: &World<'_>) -> Play<()> {
        self.compared += 1;
        let found = read(self.game, world.atlas, &self.state);
        difference(&found, world).map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Lets one of the options be chosen, which must be the legal list.
    pub(crate) fn ask(&mut self, world: &World<'_>, side: usize, options: &[String]) -> Play<String> {
        let seat = Seat::new(side as u8);
        if self.game.node(&self.state) != Node::Decision(seat) {
            return Err(format!("the model asks seat {side} for {options:?}, {}", self.whereabouts()).into());
        }
        self.game.legal(&self.state, seat, &mut self.legal);
        if options.is_empty() {
            let found = self.notations();
            return Err(format!(
                "the model offers seat {side} nothing, the game {found:?}, {}",
                self.whereabouts()
            )
            .into());
        }
        let mut found = self.notations();
        // Cards are no matter of the model, but for those of a Battle.
        found.retain(|word| !word.starts_with("card "));
        let mut expected = options.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        if found != expected {
            let only = |one: &[String], other: &[String]| -> Vec<String> {
                one.iter().filter(|word| !other.contains(word)).cloned().collect()
            };
            let (game, model) = (only(&found, &expected), only(&expected, &found));
            return Err(format!(
                "seat {side} is offered {found:?}: the game alone has {game:?}, the model alone {model:?}"
            )
            .into());
        }
        self.compare(world)?;
        let chosen = self.choose(options);
        self.act(side, &chosen);
        Ok(chosen)
    }

    /// One of the options; what ends a list, and what keeps a Battle from being fought, comes up less often.
    fn choose(&mut self, options: &[String]) -> String {
        if options.iter().any(|word| word == "disperse") && self.random.percent(90) {
            return "stand".to_owned();
        }
        let favoured: Vec<&String> = options.iter().filter(|word| self.favoured.contains(word)).collect();
        if let Some(&word) = self.random.pick(&favoured)
            && self.random.percent(75)
        {
            return word.clone();
        }
        let ends = |word: &String| matches!(&**word, "done" | "pass" | "stand");
        let rest: Vec<&String> = options.iter().filter(|word| !ends(word)).collect();
        match self.random.pick(&rest) {
            Some(word) if rest.len() == options.len() || self.random.percent(70) => (*word).clone(),
            _ => self.random.pick(options).expect("there is an option").clone(),
        }
    }

    pub(crate) fn act(&mut self, side: usize, word: &str) {
        let action =
            self.game.catalogue().actions.parse(word).unwrap_or_else(|| panic!("{word} is no action"));
        self.told.push(word.to_owned());
        self.game.apply(&mut self.state, Seat::new(side as u8), action, &mut Events::silent());
    }

    /// The list that the game offers a side; nothing if it is not asked.
    pub(crate) fn offered(&mut self, side: usize) -> Vec<String> {
        if self.game.node(&self.state) != Node::Decision(Seat::new(side as u8)) {
            return Vec::new();
        }
        self.game.legal(&self.state, Seat::new(side as u8), &mut self.legal);
        self.notations()
    }

    pub(crate) fn roll(&mut self, world: &World<'_>, dice: usize) -> Play<Vec<i32>> {
        if self.game.node(&self.state) != Node::Chance {
            return Err(format!("the model rolls {dice} dice, {}", self.whereabouts()).into());
        }
        match self.game.chance(&self.state) {
            Chance::Roll { dice: rolled, sides: 6, .. } if usize::from(rolled) == dice => {}
            other => return Err(format!("the model rolls {dice} dice, the game {other:?}").into()),
        }
        self.compare(world)?;
        let faces: Vec<u8> = (0..dice).map(|_| self.random.below(6) as u8 + 1).collect();
        self.told.push(format!("{faces:?}"));
        let outcome = Outcome::Roll(faces.iter().copied().collect());
        self.game.resolve(&mut self.state, &outcome, &mut Events::silent());
        Ok(faces.into_iter().map(i32::from).collect())
    }

    /// The name of the innermost procedure.
    pub(crate) fn innermost(&self) -> &'static str {
        let path = self.game.turn_state(&self.state, Observer::Spectator);
        path.procedures.last().map_or("", |procedure| procedure.frame)
    }

    /// The Turn's phase.
    pub(crate) fn phase(&self) -> Option<u8> {
        let path = self.game.turn_state(&self.state, Observer::Spectator);
        path.procedures.first().map(|procedure| procedure.stage)
    }

    /// The boards are the same once the model is done. If the game has gone on to another phase, in which much happens of itself, they are
    /// so on the map.
    pub(crate) fn compare_after(&mut self, world: &World<'_>, phase: Option<u8>) -> Play<()> {
        if phase.is_some() && self.phase() == phase {
            return self.compare(world);
        }
        self.compared += 1;
        let found = read(self.game, world.atlas, &self.state);
        let [found, model] = [on_map(&found), on_map(world)];
        if found == model {
            Ok(())
        } else {
            Err(format!("on the map: {found:?}, in the model {model:?}").into())
        }
    }

    /// 10.2, B2, B16, X3: a side that might hold a Combat Card, for all that a spectator knows, is asked for one that serves it, or none.
    pub(crate) fn combat_card(
        &mut self,
        world: &World<'_>,
        side: usize,
        defends: bool,
    ) -> Play<Option<String>> {
        let mut cards = hand(self.game, &self.state, side);
        let asked = self.innermost() == "combat-card" && !self.offered(side).is_empty();
        let set = set_in_play(self.game, &self.state, side);
        let expected = !set.is_empty() || cards.iter().any(|card| world.atlas.might_be_combat(card));
        if asked != expected {
            return Err(format!("asked for a Combat Card: {asked}, in the model {expected}").into());
        }
        if !asked {
            return Ok(None);
        }
        self.compare(world)?;
        cards.extend(set.iter().cloned());
        let serving = cards.iter().filter(|card| world.atlas.serves(card, side, defends));
        let mut expected: Vec<String> =
            serving.map(|card| format!("card {card}")).chain(["pass".to_owned()]).collect();
        let mut found = self.offered(side);
        expected.sort_unstable();
        found.sort_unstable();
        if found != expected {
            return Err(format!("seat {side} is offered {found:?}, in the model {expected:?}").into());
        }
        let chosen = self.random.pick(&found).expect("somebody is asked for a card").clone();
        self.act(side, &chosen);
        let card = chosen.strip_prefix("card ").map(str::to_owned);
        if card.as_ref().is_some_and(|card| set.contains(card)) {
            self.saw("a Combat Card of a bonus set");
        }
        Ok(card)
    }

    /// 6.4: nobody answers with a Response: what those do is no matter of the model.
    pub(crate) fn no_response(&mut self, world: &World<'_>, side: usize) -> Play<()> {
        if self.innermost() == "response" {
            self.compare(world)?;
            self.act(side, "pass");
        }
        Ok(())
    }

    /// 10.7, B15: so many bonus cards are drawn, the Royalist's from the deck, Parliament's from the discards; fewer, if there are fewer.
    pub(crate) fn draw_bonus(&mut self, side: usize, due: usize) -> Play<usize> {
        let piles: &[&str] = if side == 0 { &["deck"] } else { &["discard", "drawn-from"] };
        let there: usize = piles.iter().map(|pile| pile_count(self.game, &self.state, pile)).sum();
        for _ in 0..due.min(there) {
            if self.innermost() != "draw" || self.game.node(&self.state) != Node::Chance {
                return Err(format!("a bonus card is drawn of {there}, {}", self.whereabouts()).into());
            }
            let chance = self.game.chance(&self.state);
            let mut rng = ChaCha8Rng::seed_from_u64(self.random.next());
            let outcome = sampled(&chance, &mut rng);
            self.told.push("draw".to_owned());
            self.game.resolve(&mut self.state, &outcome, &mut Events::silent());
        }
        Ok(due.min(there))
    }

    /// 10.7, 10.8: the bonus sets that are owed, in order: the side, and the number of its cards, as all are told.
    pub(crate) fn owed(&self) -> Vec<(usize, usize)> {
        let path = self.game.turn_state(&self.state, Observer::Spectator);
        let owed = |refs: &[Ref]| match *refs {
            [Ref::Seat(seat), Ref::Number(cards), ..] => (seat.index(), cards as usize),
            ref other => panic!("a set is told by its seat and cards, not by {other:?}"),
        };
        let sets = path.entitlements.iter().map(|set| owed(&set.what.refs));
        sets.filter(|&(_, cards)| cards > 0).collect()
    }

    /// Returns whether bonus sets are being played (10.7).
    pub(crate) fn plays_sets(&self) -> bool {
        let path = self.game.turn_state(&self.state, Observer::Spectator);
        path.procedures.iter().any(|procedure| procedure.frame == "queue")
    }

    /// B16: a side plays a card of its set, one of so many; the card, and what it is used for. Events, and markers that need no Army, are no
    /// matter of the model.
    pub(crate) fn bonus_card(
        &mut self,
        world: &World<'_>,
        side: usize,
        cards: usize,
    ) -> Play<(String, String)> {
        let offered = self.offered(side);
        let all_cards = offered.iter().all(|word| word.starts_with("card "));
        if !self.plays_sets() || self.innermost() != "play" || !all_cards || offered.len() != cards {
            let whereabouts = self.whereabouts();
            return Err(format!("seat {side} plays one of {cards} bonus cards, {whereabouts}").into());
        }
        self.compare(world)?;
        let card = self.random.pick(&offered).expect("a set has a card").clone();
        self.act(side, &card);
        let moves = ["use activate", "use campaign", "use bombard"];
        let mut uses = self.offered(side);
        uses.retain(|word| {
            moves.contains(&&**word) || ["use raid", "use recruit", "use discard"].contains(&&**word)
        });
        let way = match uses.iter().find(|word| moves.contains(&&***word)) {
            Some(way) if self.random.percent(70) => Some(way.clone()),
            _ => self.random.pick(&uses).cloned(),
        };
        let way = way.ok_or(Halt::Beyond)?;
        self.act(side, &way);
        self.saw("a bonus card");
        let word = |text: &str, before: &str| text.strip_prefix(before).expect("it was offered").to_owned();
        Ok((word(&card, "card "), word(&way, "use ")))
    }

    pub(crate) fn is_rolling(&self) -> bool {
        self.game.node(&self.state) == Node::Chance
    }

    fn notations(&self) -> Vec<String> {
        self.legal.iter().map(|&action| self.game.catalogue().actions.notation(action)).collect()
    }

    fn whereabouts(&mut self) -> String {
        match self.game.node(&self.state) {
            Node::Decision(seat) => {
                let offered = self.offered(seat.index());
                format!("the game asks {seat} for {offered:?}")
            }
            Node::Chance => format!("the game is at {:?}", self.game.chance(&self.state)),
            node => format!("the game is at {node:?}"),
        }
    }
}

/// Generals, Brigades and Sieges on the map.
type OnMap = (Vec<Option<Post>>, Vec<(usize, At)>, Vec<usize>);

/// All that is on the map, Political Control aside.
fn on_map(world: &World<'_>) -> OnMap {
    let post =
        |&post: &Post| matches!(post, Post::Area(_) | Post::Inside(_) | Post::Under(_)).then_some(post);
    let is_on_map = |at: At| matches!(at, At::General(_) | At::Notable(_) | At::Outside(_) | At::Inside(_));
    let brigades = world.brigades.iter().map(|one| (one.face, one.at));
    let mut brigades: Vec<(usize, At)> = brigades.filter(|&(_, at)| is_on_map(at)).collect();
    brigades.sort_unstable();
    (world.posts.iter().map(post).collect(), brigades, world.sieges.keys().copied().collect())
}
