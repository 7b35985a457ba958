//! The action table and its meaning: every [`ActionId`] is one [`Action`], and back ([`Actions`]).

use crate::action::{ActionId, ActionTable, ActionTableError, VerbKind};
use crate::reference::Ref;

use super::adjudicator::{LeaderId, Space};
use super::realm::{ARMIES_MAX, Realm, SPACES_MAX, all_leaders};

/// One small choice, read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// The part goes there.
    Move(Space),
    /// The part goes there and forms one stack with the other own parts that do.
    Merge(Space),
    /// The part supports the hold of a space.
    Support(Space),
    /// The part supports what goes from one space to another.
    SupportMove {
        /// Space that it comes from.
        from: Space,
        /// Space that it goes to.
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
    /// Units that have no order yet in this space hold.
    Hold,
    /// Units of this stack that have no order yet disband.
    Disband,
    /// The draft is committed.
    Done,
}

/// The action table, with its meaning beside it.
#[derive(Clone, Debug)]
pub struct Actions {
    acts: Vec<Action>,
    /// Number of spaces.
    spaces: u16,
    /// The id of `support F-Z`, by from and to; `u16::MAX` where the two don't touch.
    pairs: Box<[[u16; SPACES_MAX]; SPACES_MAX]>,
    /// For each space, the supports of moves that a neighbour of their target can give: (from, to, id) by from, then to.
    seen_from: Vec<Vec<(Space, Space, ActionId)>>,
    first_part: u16,
    first_leader: u16,
    leaders: u16,
    last: u16,
}

/// The verbs that take one space, in the order of their ids: name, kind, title, roles of their references.
const SPACE_VERBS: [(&str, VerbKind, &str, &[&str]); 9] = [
    ("move", VerbKind::Play, "move to a neighbouring space", &["to"]),
    ("merge", VerbKind::Play, "merge with other own parts in a space", &["to"]),
    ("support", VerbKind::Play, "support a hold or a move", &["supported", "to"]),
    ("retreat", VerbKind::Play, "retreat to a space", &["to"]),
    ("fund", VerbKind::Play, "put a point of influence into a space", &["space"]),
    ("remove", VerbKind::Play, "take an army off", &["space"]),
    ("build", VerbKind::Play, "build an army", &["space"]),
    ("place", VerbKind::Play, "place the next leader", &["space"]),
    ("pick", VerbKind::Navigate, "go on with another space", &["space"]),
];

/// The verbs that take a leader, in the order of their ids: name, title.
const LEADER_VERBS: [(&str, &str); 3] = [
    ("alone", "a leader begins a part without armies"),
    ("with", "the leader goes with the part"),
    ("without", "the leader does not go with the part"),
];

impl Actions {
    /// Builds the table of a board, and its meaning.
    ///
    /// # Errors
    /// If two ids of the content read alike.
    pub fn build(realm: &Realm) -> Result<(ActionTable, Self), ActionTableError> {
        let mut table = ActionTable::default();
        let mut acts = Vec::new();
        let space_acts = [
            Action::Move,
            Action::Merge,
            Action::Support,
            Action::Retreat,
            Action::Fund,
            Action::Remove,
            Action::Build,
            Action::Place,
            Action::Pick,
        ];
        let mut support = 0;
        for ((name, kind, title, refs), act) in SPACE_VERBS.into_iter().zip(space_acts) {
            let verb = table.verb(name, kind, title, refs);
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
                acts.push(Action::SupportMove { from, to });
            }
        }
        let first_part = acts.len() as u16;
        let part = table.verb("part", VerbKind::Play, "so many armies form a part", &["armies"]);
        for armies in 1..=ARMIES_MAX {
            table.add(part, &[Ref::Number(i32::from(armies))], format!("part {armies}"))?;
            acts.push(Action::Part(armies));
        }
        let first_leader = acts.len() as u16;
        let leader_acts: [fn(LeaderId) -> Action; 3] = [Action::Alone, Action::With, Action::Without];
        for ((name, title), act) in LEADER_VERBS.into_iter().zip(leader_acts) {
            let verb = table.verb(name, VerbKind::Play, title, &["leader"]);
            for leader in all_leaders() {
                let id = &realm.leaders[leader.index()].id;
                table.add(verb, &[leader_ref(leader)], format!("{name} {id}"))?;
                acts.push(act(leader));
            }
        }
        let last = acts.len() as u16;
        for (name, kind, title, act) in [
            ("hold", VerbKind::Play, "what has no order here holds", Action::Hold),
            ("disband", VerbKind::Play, "what has no retreat here disbands", Action::Disband),
            ("done", VerbKind::Done, "commit, for good", Action::Done),
        ] {
            let verb = table.verb(name, kind, title, &[]);
            table.add(verb, &[], name)?;
            acts.push(act);
        }
        let seen_from = realm.spaces().map(|at| seen_from(realm, &pairs, at)).collect();
        let spaces = realm.counties.len() as u16;
        let leaders = all_leaders().count() as u16;
        Ok((table, Self { acts, spaces, pairs, seen_from, first_part, first_leader, leaders, last }))
    }

    /// Returns the meaning of an action of the table.
    #[must_use]
    pub fn act(&self, action: ActionId) -> Option<Action> {
        self.acts.get(usize::from(action.0)).copied()
    }

    /// The action that means `act`; acts are made of this board's spaces and links only.
    #[must_use]
    pub fn id(&self, act: Action) -> ActionId {
        let at = |verb: u16, space: Space| verb * self.spaces + space.index() as u16;
        let of =
            |verb: u16, leader: LeaderId| self.first_leader + verb * self.leaders + leader.index() as u16;
        ActionId(match act {
            Action::Move(space) => at(0, space),
            Action::Merge(space) => at(1, space),
            Action::Support(space) => at(2, space),
            Action::Retreat(space) => at(3, space),
            Action::Fund(space) => at(4, space),
            Action::Remove(space) => at(5, space),
            Action::Build(space) => at(6, space),
            Action::Place(space) => at(7, space),
            Action::Pick(space) => at(8, space),
            Action::SupportMove { from, to } => self.pairs[from.index()][to.index()],
            Action::Part(armies) => self.first_part + u16::from(armies) - 1,
            Action::Alone(leader) => of(0, leader),
            Action::With(leader) => of(1, leader),
            Action::Without(leader) => of(2, leader),
            Action::Hold => self.last,
            Action::Disband => self.last + 1,
            Action::Done => self.last + 2,
        })
    }

    /// The supports of moves that a unit in `at` reaches, by from and then to.
    pub(super) fn seen_from(&self, at: Space) -> &[(Space, Space, ActionId)] {
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
) -> Vec<(Space, Space, ActionId)> {
    let mut seen = Vec::new();
    for from in realm.spaces() {
        for to in realm.near(from).iter().filter(|&to| realm.board.adjacent(at, to)) {
            seen.push((from, to, ActionId(pairs[from.index()][to.index()])));
        }
    }
    seen
}
