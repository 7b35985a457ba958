//! The Game Turn: its phases, cards that are turned up, the end, Housekeeping (4.0, 6.0, 9.0, 10.0, 11.0).

use crate::event::{Event, Events};
use crate::game::{MatchResult, Termination};
use crate::ledger::Rule;
use crate::reference::{Ref, Refs};
use crate::seat::Seat;

use super::actions::Target;
use super::content::{CardKind, GRADES, IRELAND, LONDON, NORTH, Op, RewardEffect, SCOTLAND, WEST};
use super::frames::{Frame, Phase};
use super::procedures::tracks::{f_grades, flip_income};
use super::score::score;
use super::state::{
    DESPERATE, LICENCE_NEXT, LICENCE_NOW, NONE, OPT_LEAGUE, OPT_SETTLERS, SETTLED, State, Verdict, WATCHED,
    WON_BEFORE, WON_NOW, ZEAL_PLACED,
};
use super::{CruelNecessity, rules};

/// Codes of the interim checks, by grade.
const INTERIM: [&str; 8] = [
    "interim_crushing_defeat",
    "interim_decisive_defeat",
    "interim_substantive_defeat",
    "interim_marginal_defeat",
    "interim_minor_victory",
    "interim_moderate_victory",
    "interim_substantive_victory",
    "interim_decisive_victory",
];

/// The worth of an automatic defeat, before the turns that it was put off: worse than any score.
pub(super) const DEFEATED: i32 = -100;

impl CruelNecessity {
    /// Goes on until the player, or the dice, are asked.
    pub(super) fn settle(&self, state: &mut State, out: &mut Events) {
        while state.verdict.is_none() {
            let Some(frame) = state.frames.top().copied() else {
                self.begin_turn(state, out);
                continue;
            };
            match frame {
                Frame::Turn { next } => self.next_phase(state, next, out),
                Frame::Reveal => match self.due_card(state) {
                    Some(card) => {
                        out.revealed();
                        self.reveal(state, card, out);
                    }
                    None => return,
                },
                Frame::Items { list, next } => self.next_item(state, list, next, out),
                Frame::Activate { army, left, troubles } => {
                    self.go_on_activating(state, army, left, troubles, out)
                }
                Frame::Track { track, up, left } => {
                    if super::procedures::tracks::picks(&self.content, state, track, up, left) {
                        return;
                    }
                    self.move_track(state, track, up, left, out);
                }
                Frame::Choice { choice } => {
                    let def = &self.content.choices[usize::from(choice)];
                    if def.optional || def.options.len() > 1 {
                        return;
                    }
                    self.choose(state, def.options.start, out);
                }
                Frame::Settle if !self.may_settle(state) => {
                    state.frames.close();
                }
                Frame::SettlersTrack => match self.settlers_tracks(state) {
                    0 => {
                        state.frames.close();
                        out.emit(|| Event::new("no_settlers_track", rules::SETTLERS_ROLL, &[]));
                    }
                    one if one.count_ones() == 1 => {
                        self.settlers_roll(state, one.trailing_zeros() as u8, out)
                    }
                    _ => return,
                },
                Frame::Battle => {
                    if !self.battle_goes_on(state, out) {
                        return;
                    }
                }
                _ => return,
            }
        }
        state.frames.clear();
    }

    fn begin_turn(&self, state: &mut State, out: &mut Events) {
        let scene = self.scene(state, out);
        state.turn += 1;
        state.current = NONE;
        let won = state.has(WON_NOW);
        state.set(WON_BEFORE, won);
        state.set(WON_NOW, false);
        state.frames.open(Frame::Turn { next: Phase::Action });
        let refs = [Ref::Number(state.turn.into()), Ref::Number(i32::from(state.war) + 1)];
        scene.publish(self, state, out, || Event::new("turn_begins", rules::SEQUENCE, &refs));
        self.next_turn_rewards(state, out);
        state.frames.open(Frame::Reveal);
    }

    /// Applies what was found last turn and acts before the card (8.3.1, P25).
    fn next_turn_rewards(&self, state: &mut State, out: &mut Events) {
        for (index, reward) in self.content.numbers.rewards.iter().enumerate() {
            if !rules::REWARDS_OF_NEXT_TURN.applies(state.waiting & 1 << index != 0) {
                continue;
            }
            match reward.effect {
                RewardEffect::NextDisorder(army) => {
                    self.spend_reward(state, index, out);
                    self.disorder(state, usize::from(army), out);
                }
                RewardEffect::NextStrength(army, value) => {
                    self.spend_reward(state, index, out);
                    let scene = self.scene(state, out);
                    let unit = &mut state.armies[usize::from(army)];
                    unit.markers = unit.markers.saturating_add(value);
                    let refs = [Target::Army(army).reference(), Ref::Number(value.into())];
                    scene.publish(self, state, out, || {
                        Event::new("strength_marker", rules::REWARDS_OF_NEXT_TURN, &refs)
                    });
                }
                RewardEffect::Politics(_) | RewardEffect::Siege(_) | RewardEffect::Vp(_) => {}
            }
        }
    }

    /// A reward is used up.
    pub(super) fn spend_reward(&self, state: &mut State, reward: usize, out: &mut Events) {
        let scene = self.scene(state, out);
        state.waiting &= !(1 << reward);
        let refs = [super::catalogue::names::reward_ref(reward)];
        scene.publish(self, state, out, || Event::new("reward_used", rules::EXORCISE, &refs));
    }

    /// The card that comes without chance: first, last, or the next by number (3.0, 10.3, S1, S2).
    fn due_card(&self, state: &State) -> Option<u8> {
        let unseen = state.unseen(&self.content);
        let [first, last] = self.content.ends[usize::from(state.war)];
        if rules::SETUP.applies(rules::DRAWING.applies(unseen & 1 << first != 0)) {
            Some(first)
        } else if rules::NUMERICAL_ORDER.applies(state.numerical()) {
            Some(unseen.trailing_zeros() as u8)
        } else {
            (self.drawable(state) == 0).then_some(last)
        }
    }

    /// The cards that the next draw can bring, as bits.
    pub(super) fn drawable(&self, state: &State) -> u64 {
        let unseen = state.unseen(&self.content);
        let [first, last] = self.content.ends[usize::from(state.war)];
        let middle = unseen & !(1 << last) & !(1 << first);
        rules::SETUP.gives(rules::DRAWING.gives(middle, unseen), unseen)
    }

    /// A card is turned up (6.0); the Reveal frame is the innermost.
    pub(super) fn reveal(&self, state: &mut State, card: u8, out: &mut Events) {
        let scene = self.scene(state, out);
        state.seen |= 1 << card;
        let refs = [Ref::Card(card.into())];
        match self.content.cards[usize::from(card)].kind {
            CardKind::Achievement(_) => {
                let room = rules::EVENT_PHASE.allows(state.available.count_ones() < 3);
                if room {
                    state.available |= 1 << card;
                } else {
                    state.frames.open(Frame::Displace { card });
                }
                scene.publish(self, state, out, || Event::new("achievement", rules::EVENT_PHASE, &refs));
                if room && !rules::ACHIEVEMENTS_IN_A_ROW.applies(room) {
                    state.frames.close();
                }
            }
            CardKind::Event { list } => {
                state.current = card;
                state.frames.close();
                state.frames.open(Frame::Items { list, next: 0 });
                scene.publish(self, state, out, || Event::new("event", rules::EVENT_PHASE, &refs));
                // The demands of the card, in plain words.
                for &op in &self.content.lists[usize::from(list)] {
                    out.emit(|| {
                        let (what, rule) = super::turn_state::item(&self.content, list, op);
                        Event::new(what.code, rule, &what.refs)
                    });
                }
            }
        }
    }

    /// An Achievement gives up its box for the one that was turned up (6.0, S4).
    pub(super) fn displace(&self, state: &mut State, card: u8, gone: usize, out: &mut Events) {
        let scene = self.scene(state, out);
        let gone = self.content.achievements[gone].card;
        state.frames.close();
        state.available = state.available & !(1 << gone) | 1 << card;
        let refs = [Ref::Card(gone.into()), Ref::Card(card.into())];
        scene.publish(self, state, out, || Event::new("displaced", rules::EVENT_PHASE, &refs));
    }

    fn go_on_activating(&self, state: &mut State, army: u8, left: u8, troubles: bool, out: &mut Events) {
        if troubles {
            state.replace(Frame::Activate { army, left, troubles: false });
            self.troubles_move(state, out);
        } else if left == 0 {
            state.frames.close();
        } else {
            state.replace(Frame::Activate { army, left: left - 1, troubles: false });
            self.activate(state, usize::from(army), out);
        }
    }

    /// Returns whether the Catholic League sends support now (12.2, O6).
    pub(super) fn league_is_due(&self, state: &State) -> bool {
        let (ireland, catholicism) = (super::content::T_IRELAND, super::content::T_CATHOLICISM);
        let bottom = super::state::BOTTOM;
        let due = state.opted(OPT_LEAGUE)
            && usize::from(state.armies[IRELAND].counter) == IRELAND
            && !state.armies[IRELAND].disordered
            && state.tracks[ireland] == bottom
            && state.tracks[catholicism] == bottom;
        rules::LEAGUE.applies(due)
    }

    fn next_phase(&self, state: &mut State, next: Phase, out: &mut Events) {
        match next {
            Phase::Action => {
                state.replace(Frame::Turn { next: Phase::EndTimes });
                out.emit(|| Event::new("action_phase", rules::SEQUENCE, &[]));
                if rules::SEQUENCE.applies(true) {
                    state.frames.open(Frame::Actions);
                }
            }
            Phase::EndTimes => {
                self.end_times(state, out);
                if state.verdict.is_none() {
                    state.replace(Frame::Turn { next: Phase::Housekeeping });
                    self.housekeeping(state, out);
                }
            }
            Phase::Housekeeping => {
                self.income(state, out);
                self.next_deck(state, out);
                state.frames.close();
            }
        }
    }

    /// Defeat first, then the end of the last war (9.0, V1).
    fn end_times(&self, state: &mut State, out: &mut Events) {
        let last_card = self.content.ends[usize::from(state.war)][1];
        let finished = state.current == last_card && state.war == state.last;
        let defeat = if state.forts[LONDON].royalist {
            Some(Verdict::London)
        } else if f_grades(&self.content, state) >= self.content.numbers.f_grades {
            Some(Verdict::Grades)
        } else {
            None
        };
        let first = !finished || rules::DEFEAT_BEFORE_THE_END.applies(finished);
        let defeat = defeat.filter(|_| rules::END_TIMES.applies(first));
        let verdict = defeat.or(finished.then_some(Verdict::Finished));
        if verdict.is_some() {
            let scene = self.scene(state, out);
            state.verdict = verdict;
            let points = Ref::Number(score(&self.content, state));
            scene.publish(self, state, out, || Event::new("over", rules::END_TIMES, &[points]));
        }
    }

    /// Ends what ends with the turn (10.1, H1, S9), then sees to settlers (12.4).
    fn housekeeping(&self, state: &mut State, out: &mut Events) {
        let watched =
            if rules::WHEN_THE_TURN_ENDS.applies(state.has(WATCHED)) { self.watched(state) } else { None };
        if let Some((army, area)) = watched {
            if state.armies[usize::from(army)].area == area {
                self.disorder(state, usize::from(army), out);
            } else {
                let refs = [Target::Army(army).reference(), Ref::Number(area.into())];
                out.emit(|| Event::new("not_there", rules::WHEN_THE_TURN_ENDS, &refs));
            }
        }
        let scene = self.scene(state, out);
        if rules::MARKERS_OFF.applies(true) {
            state.armies.iter_mut().for_each(|army| army.markers = 0);
            state.drm = [0; 6];
            state.zeal_on = NONE;
        }
        state.forts.iter_mut().for_each(|fort| fort.fortified = 0);
        let licence = state.has(LICENCE_NEXT);
        for flag in [ZEAL_PLACED, DESPERATE[0], DESPERATE[1], LICENCE_NEXT, WATCHED] {
            state.set(flag, false);
        }
        state.set(LICENCE_NOW, rules::FREE_MARKER_NEXT_TURN.applies(licence));
        if rules::SETTLERS.applies(state.opted(OPT_SETTLERS)) {
            state.frames.open(Frame::Settle);
        }
        scene.publish(self, state, out, || Event::new("housekeeping", rules::MARKERS_OFF, &[]));
    }

    /// The Army and the area that the current card looks at when the turn ends.
    pub(super) fn watched(&self, state: &State) -> Option<(u8, u8)> {
        let card = self.content.cards.get(usize::from(state.current))?;
        let CardKind::Event { list } = card.kind else { unreachable!("the current card is an Event") };
        let ops = &self.content.lists[usize::from(list)];
        let options = ops.iter().filter_map(|op| match op {
            Op::Choice { choice } => Some(self.content.choices[usize::from(*choice)].options.clone()),
            _ => None,
        });
        let nested = options.flatten().flat_map(|option| {
            let own = self.content.options[usize::from(option)].1;
            &self.content.lists[usize::from(own)]
        });
        ops.iter().chain(nested).find_map(|op| match *op {
            Op::DisorderIfStillThere { army, area } => Some((army, area)),
            _ => None,
        })
    }

    /// Returns whether English settlers can be sent anywhere (12.4, O8).
    pub(super) fn may_settle(&self, state: &State) -> bool {
        (0..2).any(|which| self.settlers_wait(state, which))
    }

    /// Returns whether the Army of Ireland (0) or Scotland (1) stands in its area 5 and no settlers were sent
    /// there yet.
    pub(super) fn settlers_wait(&self, state: &State, which: usize) -> bool {
        let army = [IRELAND, SCOTLAND][which];
        state.armies[army].area == 5 && !rules::SETTLERS_ONCE.applies(state.has(SETTLED[which]))
    }

    /// Zeal Points for the next turn (10.2, H2).
    pub(super) fn income_due(&self, state: &State) -> i8 {
        let zeal = &self.content.numbers.zeal;
        let held = |fort: usize| !state.forts[fort].royalist;
        let london = i8::from(held(LONDON)) * zeal.london as i8;
        let others = [super::content::HULL, super::content::BRISTOL, super::content::OXFORD];
        let others = others.into_iter().filter(|&fort| held(fort)).count() as i8;
        london + others * zeal.fortress as i8 + flip_income(&self.content, state)
    }

    fn income(&self, state: &mut State, out: &mut Events) {
        let due = self.income_due(state);
        if rules::INCOME.applies(rules::INCOME_DUE.applies(due != 0)) {
            self.change_zeal(state, due, rules::INCOME, out);
        }
    }

    /// The draw pile of the next war, and the Interim Check (10.3, S11, S12).
    fn next_deck(&self, state: &mut State, out: &mut Events) {
        let over = state.current == self.content.ends[usize::from(state.war)][1];
        if !over {
            return;
        }
        let grade = self.grade(state.war, score(&self.content, state));
        let refs = [Ref::Number(i32::from(state.war) + 1), Ref::Number(score(&self.content, state))];
        let scene = self.scene(state, out);
        state.war += u8::from(rules::NEXT_DECK.applies(over));
        if rules::INTERIM_CHECK.applies(over) {
            scene.publish(self, state, out, || Event::new(INTERIM[grade], rules::NEXT_DECK, &refs));
        } else {
            scene.publish(self, state, out, || Event::new("next_war", rules::NEXT_DECK, &refs[..1]));
        }
    }

    /// The band of a score at the end of a war (B.0, 11.2, V4), as a place in [`GRADES`].
    pub(super) fn grade(&self, war: u8, score: i32) -> usize {
        let band = self.bands(war).iter().rev().find(|&&(least, _)| score >= least);
        band.map_or(0, |&(_, grade)| usize::from(grade))
    }

    /// Returns the better grade that comes next at the end of a war, and the least score of it.
    pub(super) fn next_grade(&self, war: u8, score: i32) -> Option<(usize, i32)> {
        let grade = self.grade(war, score);
        let better = |&&(least, other): &&(i32, u8)| least > score && usize::from(other) != grade;
        self.bands(war).iter().find(better).map(|&(least, other)| (usize::from(other), least))
    }

    /// The bands of the score at the end of a war, from the lowest.
    fn bands(&self, war: u8) -> &[(i32, u8)] {
        let table = rules::SCENARIOS.gives(rules::BANDS.gives(usize::from(war), 2), 2);
        &self.content.numbers.bands[table]
    }

    /// Adds Zeal Points within the track; what goes beyond its ends is lost (6.6, G5).
    pub(super) fn change_zeal(&self, state: &mut State, by: i8, rule: Rule, out: &mut Events) {
        let most = self.content.numbers.zeal.max as i8;
        let zeal = (state.zeal as i8 + by).clamp(0, rules::ZEAL_LIMITS.gives(most, 99));
        let changed = zeal - state.zeal as i8;
        if changed != 0 {
            let scene = self.scene(state, out);
            let code = if by < 0 { "zeal_lost" } else { "zeal_gained" };
            let refs = [Ref::Number(changed.abs().into()), Ref::Number(zeal.into())];
            state.zeal = zeal as u8;
            scene.publish(self, state, out, || Event::new(code, rule, &refs));
        }
        if changed != by {
            // Beyond the ends of the track it comes to nothing, and is named all the same (G5).
            let code = if by < 0 { "zeal_empty" } else { "zeal_full" };
            out.emit(|| Event::new(code, rule, &[Ref::Number((by - changed).abs().into())]));
        }
    }

    /// Returns how a match ends that the player gives up: as an automatic defeat of this moment would, since a game that is lost
    /// must not be worth more for being left (11.1).
    pub(super) fn given_up(&self, state: &State, seat: Seat) -> MatchResult {
        let value = rules::DEFEAT.gives(DEFEATED + i32::from(state.turn), -1);
        let grade = GRADES[self.defeat_grade(state)].1;
        MatchResult { returns: vec![value], grade, ..MatchResult::resigned(1, seat) }
    }

    /// Returns the way the match ended (9.0, 11.0).
    pub(super) fn ending_of(&self, state: &State) -> Option<MatchResult> {
        let verdict = state.verdict?;
        let points = score(&self.content, state);
        let (code, rule, grade) = match verdict {
            Verdict::London => ("london_lost", rules::DEFEAT, self.defeat_grade(state)),
            Verdict::Grades => ("four_f", rules::DEFEAT, self.defeat_grade(state)),
            Verdict::Finished => {
                ("finished", rules::VICTORY, rules::VICTORY.gives(self.grade(state.last, points), 0))
            }
        };
        let value = if verdict == Verdict::Finished { points } else { DEFEATED + i32::from(state.turn) };
        let grade = GRADES[grade].1;
        Some(MatchResult {
            returns: vec![value],
            code,
            refs: Refs::new(),
            rule,
            grade,
            termination: Termination::Victory,
        })
    }

    /// An automatic defeat is the worse the earlier the war in which it comes (11.1, V2).
    fn defeat_grade(&self, state: &State) -> usize {
        rules::DEFEAT.gives(rules::GRADE_OF_DEFEAT.gives(usize::from(state.war), 3), 3)
    }
}

const _: () = assert!(NORTH == 0 && WEST == 1, "a Battle names North or West by these numbers");
