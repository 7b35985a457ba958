//! Sections 10.1, 10.2 and 10.5 to 10.7: a Battle from the reveal to its end.

use super::atlas::{PARLIAMENT, ROYALIST};
use super::model::Model;
use super::umpire::Play;
use super::world::{At, Post, Stay, other};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Field,
    Interception,
    /// An Interception among others of the active side (9.7.5).
    Apart,
    Sortie,
    /// Of one who has lost their Fortress to the New Model Army's changes (MC18): nobody came from anywhere.
    Relief,
}

/// The course that a Siege took before the Battle (14.6).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum SiegeFight {
    None,
    Lifted,
    Surplus,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Margin {
    Drawn,
    Indecisive,
    Major,
    Decisive,
}

#[derive(Clone, Debug)]
pub(crate) struct Battle {
    pub(crate) area: usize,
    pub(crate) kind: Kind,
    pub(crate) attacker: usize,
    /// By side who commands; of the attacker the General of the garrison, if they are the higher (F13).
    pub(crate) commanders: [Option<usize>; 2],
    /// Where the active Army came from.
    pub(crate) origin: Option<usize>,
    pub(crate) interceptor_origin: Option<Post>,
    pub(crate) siege: SiegeFight,
    /// The garrison that joins the attacker, or the besieger's surplus.
    pub(crate) picked: Vec<usize>,
    /// Brigades lost in the result (B13).
    pub(crate) fallen: Vec<usize>,
    pub(crate) winner: Option<usize>,
    pub(crate) margin: Option<Margin>,
    /// The Queen was with the beaten Army (V9).
    pub(crate) queen: bool,
}

impl Battle {
    pub(crate) const fn new(area: usize, kind: Kind, attacker: usize) -> Self {
        Self {
            area,
            kind,
            attacker,
            commanders: [None; 2],
            origin: None,
            interceptor_origin: None,
            siege: SiegeFight::None,
            picked: Vec::new(),
            fallen: Vec::new(),
            winner: None,
            margin: None,
            queen: false,
        }
    }
}

impl Model<'_, '_> {
    pub(crate) fn battle(&self) -> &Battle {
        self.battle.as_ref().expect("a Battle is under way")
    }

    fn battle_mut(&mut self) -> &mut Battle {
        self.battle.as_mut().expect("a Battle is under way")
    }

    /// The commander of a side's own Army in the Battle, while it is on the map.
    pub(crate) fn field_army(&self, side: usize) -> Option<usize> {
        let battle = self.battle();
        let general = if side == battle.attacker && battle.kind != Kind::Relief {
            Some(self.world.commander(self.march().general))
        } else {
            battle.commanders[side]
        };
        general.filter(|&general| self.world.area_of(general).is_some())
    }

    fn army_brigades(&self, side: usize) -> Vec<usize> {
        self.field_army(side).map_or(Vec::new(), |general| self.world.led(general))
    }

    /// The stack of a side: of the attacker its Army, of the defender all that is outside.
    pub(crate) fn battle_stack(&self, side: usize) -> Vec<usize> {
        let battle = self.battle();
        let mut all = self.army_brigades(side);
        if side != battle.attacker {
            all.extend(self.world.stack(side, battle.area));
            all.sort_unstable();
            all.dedup();
        } else if battle.kind == Kind::Relief {
            all.extend(self.world.unled(side, battle.area));
        }
        all
    }

    /// B1, F13: the Brigades of a side that fight.
    fn fighters(&self, side: usize) -> Vec<usize> {
        let battle = self.battle();
        if side == battle.attacker {
            let mut all = self.army_brigades(side);
            if battle.kind == Kind::Relief {
                all.extend(self.world.unled(side, battle.area));
            } else if battle.siege != SiegeFight::Surplus {
                let garrison = self.world.garrison(battle.area);
                all.extend(garrison.into_iter().filter(|one| battle.picked.contains(one)));
            }
            return all;
        }
        let mut stack = self.world.stack(side, battle.area);
        if battle.siege == SiegeFight::Surplus {
            stack.retain(|one| battle.picked.contains(one));
        }
        stack
    }

    /// 10.1, EV9 to EV11, F13: a side may scatter what is no foreigner.
    fn dispersal(&mut self, side: usize) -> Play<()> {
        let kept = side != self.battle().attacker && self.battle().siege == SiegeFight::Surplus;
        let mut going = self.battle_stack(side);
        going.retain(|&one| !kept && !self.world.is_foreign(one));
        if going.is_empty() || self.ask_word(side, &["disperse", "stand"])? == "stand" {
            return Ok(());
        }
        let army = self.field_army(side).map_or(Vec::new(), |general| self.world.army(general));
        self.disperse(side, &army, &going)
    }

    pub(crate) fn fight(&mut self) -> Play<()> {
        let attacker = self.battle().attacker;
        let defender = other(attacker);
        self.dispersal(defender)?;
        if self.fighters(defender).is_empty() {
            self.spoils(attacker)?;
            return self.end_battle();
        }
        self.dispersal(attacker)?;
        if self.field_army(attacker).is_none() {
            return self.end_battle();
        }
        let mut cards: [Option<String>; 2] = [None, None];
        for side in [attacker, defender] {
            cards[side] = self.combat_card(side, side == defender)?;
        }
        self.dice(&cards)?;
        self.losses()?;
        self.retreat()?;
        if std::mem::take(&mut self.battle_mut().queen) {
            self.world.capture_queen();
        }
        self.turncoat()?;
        if let Some(winner) = self.victor() {
            self.spoils(winner)?;
        }
        self.win_set()?;
        self.besieger_takes()?;
        self.end_battle()
    }

    pub(crate) fn victor(&self) -> Option<usize> {
        let battle = self.battle();
        battle.winner.filter(|_| battle.margin > Some(Margin::Drawn))
    }

    /// B3 to B6.
    fn dice(&mut self, cards: &[Option<String>; 2]) -> Play<()> {
        let attacker = self.battle().attacker;
        let of_card = |side: usize| cards[side].as_ref().map(|id| &self.world.atlas.combat[id]);
        let base = [0, 1].map(|side| {
            let brigades: i32 = self.fighters(side).into_iter().map(|one| self.world.value(one)).sum();
            let commander = self.battle().commanders[side];
            let commander = commander.filter(|&general| self.world.area_of(general).is_some());
            let rating = commander.map_or(0, |general| self.world.atlas.generals[general].battle);
            brigades + rating + of_card(side).map_or(0, |card| card.modifier)
        });
        let decisive = [0, 1].map(|side| of_card(side).is_some_and(|card| card.decisive));
        let dice = self.roll(2)?;
        let mut scores = base;
        scores[attacker] += dice[0];
        scores[other(attacker)] += dice[1];
        let king = self.world.atlas.general("king-charles-i");
        let commands = self.battle().commanders[ROYALIST] == Some(king);
        if commands && self.world.has("brentford") && self.world.turn <= 7 {
            let ahead = scores[ROYALIST] - scores[PARLIAMENT];
            if self.ask_word(ROYALIST, &["brentford", "pass"])? == "brentford" {
                self.world.happened.remove("brentford");
                // B4: no Indecisive Victory becomes a Major one.
                scores[ROYALIST] += i32::from(ahead != 4);
            }
        }
        let lead = scores[attacker] - scores[other(attacker)];
        let winner = if lead > 0 { attacker } else { other(attacker) };
        let margin = match lead.abs() {
            0 | 1 => Margin::Drawn,
            2..=4 => Margin::Indecisive,
            _ if decisive[winner] => Margin::Decisive,
            _ => Margin::Major,
        };
        let loser = other(winner);
        let queen = match self.world.queen {
            Stay::With(general) => self.field_army(loser) == Some(self.world.commander(general)),
            _ => false,
        };
        let battle = self.battle_mut();
        (battle.winner, battle.margin) = (Some(winner), Some(margin));
        battle.queen = margin > Margin::Drawn && queen;
        Ok(())
    }

    /// 10.2, B6 to B8: Brigades lost for good, and Generals whom that leaves alone.
    fn losses(&mut self) -> Play<()> {
        let (attacker, area) = (self.battle().attacker, self.battle().area);
        let margin = self.battle().margin.expect("the dice have fallen");
        let loser = other(self.battle().winner.expect("the dice have fallen"));
        let owed = match margin {
            Margin::Drawn => vec![attacker, other(attacker)],
            Margin::Indecisive => vec![loser],
            _ => vec![loser; 2],
        };
        for side in owed {
            let all = self.fighters(side);
            if all.is_empty() {
                continue;
            }
            let dear = matches!(margin, Margin::Drawn | Margin::Decisive);
            let mut first = all.clone();
            first.retain(|&one| (self.world.value(one) == 2) == dear);
            let allowed = if first.is_empty() { all.clone() } else { first };
            let lost = self.pick_open(side, &allowed)?;
            self.world.brigades[lost].at = At::Lost;
            self.battle_mut().fallen.push(lost);
        }
        let mut held = self.world.held_under_siege();
        if self.battle().kind == Kind::Sortie && !held.contains(&area) {
            held.push(area);
        }
        self.consequences(&held, true)
    }

    /// One of some Brigades that lie open: asked where they stand in several places, or bear several faces.
    pub(crate) fn pick_open(&mut self, side: usize, allowed: &[usize]) -> Play<usize> {
        let mut there = allowed.to_vec();
        let places = self.places(&there);
        if places.len() > 1 {
            let words: Vec<String> = places.iter().map(|&at| self.holder_word("from", at)).collect();
            let place = places[self.ask_place(side, &words)?];
            there = self.at_place(&there, place);
        }
        if self.face_words(&there).len() == 1 { Ok(there[0]) } else { self.pick_face(side, &there) }
    }

    /// The winner's Army, if it is where the Battle was.
    fn winning_army(&self, winner: usize) -> Option<usize> {
        let area = Some(self.battle().area);
        self.field_army(winner).filter(|&general| self.world.area_of(general) == area)
    }

    /// 10.6, B13, B14.
    fn turncoat(&mut self) -> Play<()> {
        let Some(winner) = self.victor() else { return Ok(()) };
        let Some(general) = self.winning_army(winner) else { return Ok(()) };
        let commander = self.battle().commanders[winner].unwrap_or(general);
        let foreign = self.world.atlas.generals[commander].faction != super::atlas::SIDES[winner];
        let size = self.world.size(general) + 1;
        let active = winner == self.battle().attacker && self.battle().kind != Kind::Relief;
        let small = active && size >= 5 && self.march().card.is_some_and(|card| card < 3);
        let recruited =
            |&one: &usize| matches!(self.world.faction(one), "royalist" | "parliament" | "new-model");
        let fallen: Vec<usize> = self.battle().fallen.iter().copied().filter(recruited).collect();
        let may = self.world.atlas.turns[self.world.turn - 1].turncoats
            && self.battle().margin >= Some(Margin::Major)
            && size <= self.world.limit(general)
            && !small
            && !foreign
            && !fallen.is_empty();
        if !may {
            return Ok(());
        }
        let mut words = self.face_words(&fallen);
        words.push("pass".to_owned());
        let chosen = self.ask(winner, &words)?;
        if chosen == "pass" {
            return Ok(());
        }
        let brigade = self.of_face(&fallen, &chosen);
        let army = self.world.army(general);
        let taker = match army[..] {
            [only] => only,
            _ => {
                let words: Vec<String> = army.iter().map(|&one| self.general_word("to", one)).collect();
                army[self.ask_place(winner, &words)?]
            }
        };
        let one = &mut self.world.brigades[brigade];
        (one.at, one.turned, one.moved) = (At::General(taker), !one.turned, false);
        Ok(())
    }

    /// 10.1, 10.5, B12.
    fn spoils(&mut self, side: usize) -> Play<()> {
        let area = self.battle().area;
        let open = !self.world.is_fortress(area) && self.world.controller(area) != Some(side);
        if open && self.winning_army(side).is_some() && self.ask_word(side, &["pc", "pass"])? == "pc" {
            self.world.set_control(area, side);
        }
        Ok(())
    }

    /// 14.6, F15.
    fn besieger_takes(&mut self) -> Play<()> {
        let (area, besieger) = (self.battle().area, other(self.battle().attacker));
        let won = self.battle().winner == Some(besieger) && self.battle().margin >= Some(Margin::Major);
        let besieged = self.battle().siege != SiegeFight::None
            && self.world.is_fortress(area)
            && self.world.controller(area) == Some(other(besieger));
        if won && besieged { self.surrender(besieger, area, false) } else { Ok(()) }
    }

    /// 9.4, 9.7.5, F18, I9, AC8.
    fn end_battle(&mut self) -> Play<()> {
        let (attacker, area, kind) = (self.battle().attacker, self.battle().area, self.battle().kind);
        let army = self.field_army(attacker);
        let fought = self.battle().margin.is_some();
        let won = !fought || self.victor() == Some(attacker);
        if let Some(general) = army
            && kind == Kind::Sortie
            && won
        {
            self.world.posts[general] = Post::Area(area);
        }
        let interceptor = self.field_army(other(attacker));
        if kind == Kind::Relief {
            self.battle = None;
            return Ok(());
        }
        let march = self.march_mut();
        march.over |= army.is_none() || !won;
        march.fee |= won && fought;
        let battle = self.battle.take().expect("it is under way");
        if let Some(general) = interceptor
            && kind == Kind::Apart
            && self.world.area_of(general) == Some(area)
        {
            let held = self.world.held_under_siege();
            self.world.posts[general] = battle.interceptor_origin.expect("it came from somewhere");
            self.join_there(general)?;
            self.consequences(&held, false)?;
        }
        Ok(())
    }
}
