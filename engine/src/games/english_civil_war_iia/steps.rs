//! The step table and its meaning: every [`StepId`] is one [`Act`], and back ([`Steps`]).

use crate::reference::Ref;
use crate::step::{StepId, StepTable, StepTableError, VerbKind};

use super::adjudicator::{LeaderId, Space};
use super::realm::{ARMIES_MAX, Realm, SPACES_MAX, all_leaders};

/// One small choice, read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// The part goes there.
    Move(Space),
    /// The part goes there and forms one stack with the other own parts that do.
    Merge(Space),
    /// The part supports the hold of a space.
    Support(Space),
    /// The part supports what goes from one space to another.
    SupportMove {
        /// Where it comes from.
        from: Space,
        /// Where it goes.
        to: Space,
    },
    /// The dislodged part goes there.
    Retreat(Space),
    /// A point of influence goes into a space.
    Fund(Space),
    /// An army is taken off.
    Remove(Space),
    /// An army is built.
    Build(Space),
    /// The next leader starts there.
    Place(Space),
    /// Orders go on in this space.
    Pick(Space),
    /// So many armies form a part.
    Part(u8),
    /// This leader begins a part without armies.
    Alone(LeaderId),
    /// This leader goes with the part.
    With(LeaderId),
    /// This leader does not.
    Without(LeaderId),
    /// What has no order yet in this space holds.
    Hold,
    /// What has no order yet of this stack disbands.
    Disband,
    /// The draft is committed.
    Done,
}

/// The step table, with its meaning beside it.
#[derive(Clone, Debug)]
pub struct Steps {
    acts: Vec<Act>,
    /// Number of spaces.
    spaces: u16,
    /// The id of `support F-Z`, by from and to; `u16::MAX` where the two don't touch.
    pairs: Box<[[u16; SPACES_MAX]; SPACES_MAX]>,
    /// For each space, the supports of moves that a neighbour of their target can give: (from, to, id) by from, then to.
    seen_from: Vec<Vec<(Space, Space, StepId)>>,
    first_part: u16,
    first_leader: u16,
    leaders: u16,
    last: u16,
}

/// The verbs that take one space, in the order of their ids: name, kind, title.
const SPACE_VERBS: [(&str, VerbKind, &str); 9] = [
    ("move", VerbKind::Act, "move to a neighbouring space"),
    ("merge", VerbKind::Act, "merge with other own parts in a space"),
    ("support", VerbKind::Act, "support a hold or a move"),
    ("retreat", VerbKind::Act, "retreat to a space"),
    ("fund", VerbKind::Act, "put a point of influence into a space"),
    ("remove", VerbKind::Act, "take an army off"),
    ("build", VerbKind::Act, "build an army"),
    ("place", VerbKind::Act, "place the next leader"),
    ("pick", VerbKind::Navigate, "go on with another space"),
];

/// The verbs that take a leader, in the order of their ids: name, title.
const LEADER_VERBS: [(&str, &str); 3] = [
    ("alone", "a leader begins a part without armies"),
    ("with", "the leader goes with the part"),
    ("without", "the leader does not go with the part"),
];

impl Steps {
    /// Builds the table of a board, and its meaning.
    ///
    /// # Errors
    /// If two ids of the content read alike.
    pub fn build(realm: &Realm) -> Result<(StepTable, Self), StepTableError> {
        let mut table = StepTable::default();
        let mut acts = Vec::new();
        let space_acts = [
            Act::Move,
            Act::Merge,
            Act::Support,
            Act::Retreat,
            Act::Fund,
            Act::Remove,
            Act::Build,
            Act::Place,
            Act::Pick,
        ];
        let mut support = 0;
        for ((name, kind, title), act) in SPACE_VERBS.into_iter().zip(space_acts) {
            let verb = table.verb(name, kind, title);
            if name == "support" {
                support = verb;
            }
            for space in realm.spaces() {
                table.add(verb, &[space_ref(space)], format!("{name} {}", realm.county(space).id))?;
                acts.push(act(space));
            }
        }
        let mut pairs = Box::new([[u16::MAX; SPACES_MAX]; SPACES_MAX]);
        for from in realm.spaces() {
            for to in realm.near(from) {
                let notation = format!("support {}-{}", realm.county(from).id, realm.county(to).id);
                let id = table.add(support, &[space_ref(from), space_ref(to)], notation)?;
                pairs[from.index()][to.index()] = id.0;
                acts.push(Act::SupportMove { from, to });
            }
        }
        let first_part = acts.len() as u16;
        let part = table.verb("part", VerbKind::Act, "so many armies form a part");
        for armies in 1..=ARMIES_MAX {
            table.add(part, &[Ref::Number(i32::from(armies))], format!("part {armies}"))?;
            acts.push(Act::Part(armies));
        }
        let first_leader = acts.len() as u16;
        let leader_acts: [fn(LeaderId) -> Act; 3] = [Act::Alone, Act::With, Act::Without];
        for ((name, title), act) in LEADER_VERBS.into_iter().zip(leader_acts) {
            let verb = table.verb(name, VerbKind::Act, title);
            for leader in all_leaders() {
                let id = &realm.leaders[leader.index()].id;
                table.add(verb, &[leader_ref(leader)], format!("{name} {id}"))?;
                acts.push(act(leader));
            }
        }
        let last = acts.len() as u16;
        for (name, kind, title, act) in [
            ("hold", VerbKind::Act, "what has no order here holds", Act::Hold),
            ("disband", VerbKind::Act, "what has no retreat here disbands", Act::Disband),
            ("done", VerbKind::Done, "commit, for good", Act::Done),
        ] {
            let verb = table.verb(name, kind, title);
            table.add(verb, &[], name)?;
            acts.push(act);
        }
        let seen_from = realm.spaces().map(|at| seen_from(realm, &pairs, at)).collect();
        let spaces = realm.counties.len() as u16;
        let leaders = all_leaders().count() as u16;
        Ok((table, Self { acts, spaces, pairs, seen_from, first_part, first_leader, leaders, last }))
    }

    /// What a step of the table means.
    #[must_use]
    pub fn act(&self, step: StepId) -> Option<Act> {
        self.acts.get(usize::from(step.0)).copied()
    }

    /// The step that means `act`; acts are made of this board's spaces and links only.
    #[must_use]
    pub fn id(&self, act: Act) -> StepId {
        let at = |verb: u16, space: Space| verb * self.spaces + space.index() as u16;
        let of =
            |verb: u16, leader: LeaderId| self.first_leader + verb * self.leaders + leader.index() as u16;
        StepId(match act {
            Act::Move(space) => at(0, space),
            Act::Merge(space) => at(1, space),
            Act::Support(space) => at(2, space),
            Act::Retreat(space) => at(3, space),
            Act::Fund(space) => at(4, space),
            Act::Remove(space) => at(5, space),
            Act::Build(space) => at(6, space),
            Act::Place(space) => at(7, space),
            Act::Pick(space) => at(8, space),
            Act::SupportMove { from, to } => self.pairs[from.index()][to.index()],
            Act::Part(armies) => self.first_part + u16::from(armies) - 1,
            Act::Alone(leader) => of(0, leader),
            Act::With(leader) => of(1, leader),
            Act::Without(leader) => of(2, leader),
            Act::Hold => self.last,
            Act::Disband => self.last + 1,
            Act::Done => self.last + 2,
        })
    }

    /// The supports of moves that a unit in `at` reaches, by from and then to.
    pub(super) fn seen_from(&self, at: Space) -> &[(Space, Space, StepId)] {
        &self.seen_from[at.index()]
    }
}

/// A space as a reference.
pub(super) const fn space_ref(space: Space) -> Ref {
    Ref::Space(space.index() as u16)
}

/// A leader as a reference.
pub(super) const fn leader_ref(leader: LeaderId) -> Ref {
    Ref::Piece(leader.index() as u16)
}

fn seen_from(
    realm: &Realm,
    pairs: &[[u16; SPACES_MAX]; SPACES_MAX],
    at: Space,
) -> Vec<(Space, Space, StepId)> {
    let mut seen = Vec::new();
    for from in realm.spaces() {
        for to in realm.near(from).iter().filter(|&to| realm.board.adjacent(at, to)) {
            seen.push((from, to, StepId(pairs[from.index()][to.index()])));
        }
    }
    seen
}
