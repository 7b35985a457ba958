//! The invariants of the rulings, which hold at every node of a match, whatever was played: looked at from outside.

use std::collections::BTreeMap;

use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::unhappy_king_charles::{State, UnhappyKing};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::{Marker, View};

use crate::built_in::content;
use crate::play::{P, R};

/// Procedures in which Armies are on their way, fight, or are being put in order: what stands together then is not yet settled.
const IN_MOTION: [&str; 5] = ["activation", "battle", "illegal", "new-model", "special"];

/// Procedures in which a General has come to the map and takes Brigades.
const COMING: [&str; 2] = ["arrival", "enlist"];

/// Cards that lie on the table or are to come (4.1, 6.7, 6.8): of the Alt-Hist cards two come with each of two decks, six never.
const CARDS: u16 = 110 - 6;

/// Brigades by place and owner.
type Brigades = BTreeMap<(Location, Seat), u16>;

/// An Army on the map.
struct Army {
    general: u16,
    seat: Seat,
    at: Location,
    /// The Area of the Fortress that it is inside.
    inside: Option<u16>,
    /// Its Brigades, those of Subordinates among them.
    brigades: u16,
}

/// A spectator who looks at each node.
pub(crate) struct Watcher<'a> {
    game: &'a UnhappyKing,
    /// Kinds of markers.
    turn: u16,
    control: u16,
    siege: u16,
    promoted: u16,
    /// The Areas of mats that are the insides of Fortresses.
    insides: Vec<Option<u16>>,
}

impl<'a> Watcher<'a> {
    pub(crate) fn new(game: &'a UnhappyKing) -> Self {
        let catalogue = game.catalogue();
        let marker = |id: &str| {
            catalogue.markers.iter().position(|kind| kind.entry.id == id).expect("a kind of marker") as u16
        };
        let area = |mat: &str| {
            let area = mat.strip_prefix("inside-")?;
            catalogue.spaces.iter().position(|space| space.entry.id == area).map(|area| area as u16)
        };
        Self {
            game,
            turn: marker("turn"),
            control: marker("control"),
            siege: marker("siege"),
            promoted: marker("lieutenant-general"),
            insides: catalogue.mats.iter().map(|mat| area(&mat.entry.id)).collect(),
        }
    }

    fn name(&self, what: Ref) -> String {
        self.game.catalogue().id_of(what)
    }

    /// Returns the number of the Turn.
    pub(crate) fn turn(&self, state: &State) -> i32 {
        let view = self.game.view(state, Observer::Spectator);
        view.board
            .markers
            .iter()
            .find(|(marker, _)| marker.kind == self.turn)
            .map_or(0, |(_, &number)| number)
    }

    /// 9.5: a Subordinate is of a lower level than the commander, and no Army has more than nine Brigades; Rupert's level is that of a
    /// Lieutenant General once he is one.
    fn assert_levels(&self, view: &View, armies: &[Army]) {
        let promoted = view.board.markers.keys().any(|marker| marker.kind == self.promoted);
        let level = |general: u16| {
            let record = content().generals.get(usize::from(general)).expect("a General");
            if promoted && record.named.id == "prince-rupert" { 1 } else { record.level }
        };
        for army in armies {
            assert!(
                army.brigades <= 9,
                "{} has {} Brigades",
                self.name(Ref::Piece(army.general)),
                army.brigades
            );
            for under in 0..content().generals.len() as u16 {
                let serves = view.board.pieces[&under].at == Location::Piece(army.general);
                let lower = level(under) > level(army.general);
                assert!(
                    !serves || lower,
                    "{} under {}",
                    self.name(Ref::Piece(under)),
                    self.name(Ref::Piece(army.general))
                );
            }
        }
    }

    /// Asserts all invariants.
    pub(crate) fn assert_at(&self, state: &State) {
        let view = self.game.view(state, Observer::Spectator);
        let is_in = |frames: &[&str]| {
            view.turn_state.procedures.iter().any(|procedure| frames.contains(&procedure.frame))
        };
        let brigades = self.brigades(&view);
        self.assert_cards(&view);
        // RT8: when the match is decided nothing else of the procedure is done.
        if self.game.node(state) == Node::Over {
            return;
        }
        let armies = self.armies(&view, &brigades);
        for army in &armies {
            let led = army.brigades > 0 || is_in(&IN_MOTION) || is_in(&COMING);
            assert!(led, "{} is on the map without a Brigade", self.name(Ref::Piece(army.general)));
        }
        if !is_in(&IN_MOTION) {
            self.assert_levels(&view, &armies);
        }
        for area in 0..self.game.catalogue().spaces.len() as u16 {
            let space = Location::Space(area);
            let [royalist, parliament] = [R, P].map(|seat| {
                let here = armies.iter().filter(|army| army.at == space && army.seat == seat);
                here.fold((0, brigades.get(&(space, seat)).copied().unwrap_or(0)), |(count, all), army| {
                    (count + 1, all + army.brigades)
                })
            });
            let both = royalist.1 > 0 && parliament.1 > 0;
            assert!(
                !both || is_in(&IN_MOTION),
                "both sides stand outside at {}",
                self.name(Ref::Space(area))
            );
            let crowded = royalist.0 > 1 || parliament.0 > 1;
            assert!(!crowded || is_in(&IN_MOTION), "two Armies of a side at {}", self.name(Ref::Space(area)));
            if view.board.markers.contains_key(&Marker { at: space, kind: self.siege }) {
                self.assert_siege(&view, area, &armies, &brigades);
            }
        }
    }

    /// Counts Brigades by place and owner: none is ever lost to the count.
    fn brigades(&self, view: &View) -> Brigades {
        // Faces, then the backs of the Royalist, Parliament, Covenanters and Lorrainers.
        let kinds = (content().faces.len() + 4) as u16;
        let (mut brigades, mut all) = (Brigades::new(), 0);
        for (group, &count) in view.board.groups.iter().filter(|(group, _)| group.kind < kinds) {
            all += usize::from(count);
            if let Some(owner) = group.owner {
                *brigades.entry((group.at, owner)).or_insert(0) += count;
            }
        }
        assert_eq!(all, content().face_of.len(), "Brigades in all places");
        brigades
    }

    /// Asserts that as many cards as there are lie in piles, and each that is seen in one.
    fn assert_cards(&self, view: &View) {
        let (mut seen, mut count) = (0_u128, 0);
        for cards in view.board.piles.values() {
            count += cards.count;
            for &card in &cards.cards {
                assert_eq!(seen >> card & 1, 0, "{} lies in two piles", self.name(Ref::Card(card)));
                seen |= 1 << card;
            }
        }
        assert_eq!(count, CARDS, "cards in piles");
    }

    /// F2, NB6: a Siege marker stands with an Army of the class and the garrison, and of one at least.
    fn assert_siege(&self, view: &View, area: u16, armies: &[Army], brigades: &Brigades) {
        let name = || self.name(Ref::Space(area));
        let space = Location::Space(area);
        let besieger = match view.board.markers.get(&Marker { at: space, kind: self.control }) {
            Some(1) => P,
            Some(2) => R,
            _ => panic!("a Siege of {}, which nobody controls", name()),
        };
        let record = content().areas.get(usize::from(area)).expect("an Area");
        let fortress = &content().fortresses[record.fortress.expect("a Siege is of a Fortress")];
        let place = match fortress.notable {
            // Leaders are Generals, then Local Notables.
            Some(notable) => Location::Piece((content().generals.len() + notable.index()) as u16),
            None => Location::Mat(
                self.insides.iter().position(|&inside| inside == Some(area)).expect("an inside") as u16,
            ),
        };
        let inside: u16 =
            armies.iter().filter(|army| army.inside == Some(area)).map(|army| army.brigades).sum();
        let garrison = inside + brigades.get(&(place, besieger.other())).copied().unwrap_or(0);
        let need = (u16::from(fortress.class) + garrison).max(1);
        let size = armies
            .iter()
            .filter(|army| army.at == space && army.seat == besieger)
            .map(|army| army.brigades)
            .max();
        assert!(size >= Some(need), "a Siege of {} takes {need}, not {size:?}", name());
    }

    fn armies(&self, view: &View, brigades: &Brigades) -> Vec<Army> {
        let generals = content().generals.len() as u16;
        let mut armies = Vec::new();
        for general in 0..generals {
            let piece = view.board.pieces[&general];
            let inside = match piece.at {
                Location::Mat(mat) => self.insides[usize::from(mat)],
                _ => None,
            };
            if inside.is_none() && !matches!(piece.at, Location::Space(_)) {
                continue;
            }
            let seat = piece.owner.expect("a General serves a side");
            let of = |leader: u16| brigades.get(&(Location::Piece(leader), seat)).copied().unwrap_or(0);
            let under = |&one: &u16| view.board.pieces[&one].at == Location::Piece(general);
            let led = (0..generals).filter(under).map(of).sum::<u16>() + of(general);
            armies.push(Army { general, seat, at: piece.at, inside, brigades: led });
        }
        armies
    }
}
