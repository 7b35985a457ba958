//! Adjudication test cases as data, and the check of one case against the adjudicator.
//!
//! A case is run as it is if it has armies only, or with each fleet replaced by an army on just the links that it
//! lists. All that a case expects is compared, and an expectation that can't be understood is a failure.

use std::collections::{BTreeMap, BTreeSet};

use edgehill_engine::games::english_civil_war_iia::adjudicator::*;
use serde::Deserialize;

/// The standard map.
#[derive(Deserialize)]
pub(crate) struct MapData {
    supply_centres: BTreeMap<String, Vec<String>>,
    provinces: Vec<Province>,
}

#[derive(Deserialize)]
struct Province {
    id: String,
    name: String,
    #[serde(default)]
    army_neighbours: Vec<String>,
    #[serde(default)]
    fleet_neighbours: Option<FleetNeighbours>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FleetNeighbours {
    OneCoast(Vec<String>),
    Coasts(BTreeMap<String, Vec<String>>),
}

#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    phase: String,
    army_only: bool,
    army_isomorph: Option<Isomorph>,
    units: Vec<Unit>,
    #[serde(default)]
    orders: Vec<OrderData>,
    expect: Option<Expect>,
    retreat_orders: Option<Vec<OrderData>>,
    expect_retreat: Option<BTreeMap<String, String>>,
    owners: Option<BTreeMap<String, String>>,
    may_build: Option<BTreeMap<String, usize>>,
    must_remove: Option<BTreeMap<String, usize>>,
    expect_removed: Option<OneOrMore>,
}

#[derive(Deserialize)]
struct Isomorph {
    edges: Vec<(String, String)>,
    same_result: bool,
}

#[derive(Deserialize)]
struct Unit {
    power: String,
    at: String,
}

#[derive(Deserialize)]
struct OrderData {
    power: String,
    at: String,
    #[serde(rename = "do")]
    verb: String,
    unit_at: Option<String>,
    to: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Expect {
    Movement(ExpectMovement),
    Each(Vec<String>),
}

#[derive(Deserialize)]
struct ExpectMovement {
    orders: BTreeMap<String, String>,
    positions: Vec<Unit>,
    dislodged: Vec<ExpectDislodged>,
    standoff_empty: Vec<String>,
}

#[derive(Deserialize)]
struct ExpectDislodged {
    power: String,
    at: String,
    attacker_from: String,
    retreats: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

type Checked = Result<(), String>;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Checked {
    if found == expected { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {expected:?}")) }
}

/// A province without its coast.
fn land(province: &str) -> &str {
    province.split('/').next().unwrap_or(province)
}

impl Case {
    /// Returns whether an adjudicator of armies can run it.
    pub(crate) fn is_runnable(&self) -> bool {
        self.army_only || self.army_isomorph.as_ref().is_some_and(|isomorph| isomorph.same_result)
    }

    /// Runs the case.
    pub(crate) fn check(&self, map: &MapData) -> Checked {
        let table = Table::new(self, map)?;
        match self.phase.as_str() {
            "movement" | "movement+retreat" => self.check_movement(&table),
            "build" => self.check_builds(&table),
            "disband" => self.check_removals(&table),
            other => Err(format!("unknown phase {other}")),
        }
    }

    fn check_movement(&self, table: &Table<'_>) -> Checked {
        let Some(Expect::Movement(expect)) = &self.expect else { return Err("nothing is expected".into()) };
        let board = match &self.army_isomorph {
            Some(isomorph) if !self.army_only => {
                table.board(isomorph.edges.iter().map(|(one, other)| (one.as_str(), other.as_str())))?
            }
            _ => table.army_board()?,
        };
        let position = table.position(&self.units)?;
        let (orders, strays) = table.orders(&position, &self.orders)?;
        let mut adjudication = Month::new(&board, Rules::STANDARD).adjudicate(&orders);

        let mut verdicts: BTreeMap<String, String> =
            strays.iter().map(|at| (at.to_string(), "void".to_string())).collect();
        for (part, result) in orders.parts().iter().zip(&adjudication.results) {
            let at = table.name(part.space);
            if expect.orders.contains_key(at) || self.orders.iter().any(|order| land(&order.at) == at) {
                verdicts.insert(at.to_string(), verdict(result)?.to_string());
            }
        }
        same("orders", &verdicts, &expect.orders)?;

        let found: BTreeSet<_> = adjudication
            .after
            .stacks()
            .map(|(at, stack)| (table.power(stack.side), table.name(at)))
            .collect();
        let expected: BTreeSet<_> =
            expect.positions.iter().map(|unit| (unit.power.as_str(), land(&unit.at))).collect();
        same("positions", found, expected)?;
        same(
            "standoff_empty",
            table.names(adjudication.standoffs),
            expect.standoff_empty.iter().map(String::as_str).collect(),
        )?;
        self.check_dislodged(table, &adjudication, &expect.dislodged)?;

        match (&self.retreat_orders, &self.expect_retreat) {
            (None, None) => Ok(()),
            (Some(orders), Some(expected)) => {
                for (stack, given) in adjudication.dislodged.iter_mut().zip(sorted(table, &expect.dislodged))
                {
                    let Some(retreats) = &given.retreats else {
                        return Err("retreats are not listed".into());
                    };
                    stack.retreats = table.spaces(retreats.iter().map(String::as_str))?;
                }
                check_retreats(table, &adjudication, orders, expected)
            }
            _ => Err("retreat orders and what they come to must both be given".into()),
        }
    }

    fn check_dislodged(
        &self,
        table: &Table<'_>,
        adjudication: &Adjudication,
        expected: &[ExpectDislodged],
    ) -> Checked {
        same("number of dislodged units", adjudication.dislodged.len(), expected.len())?;
        for (stack, unit) in adjudication.dislodged.iter().zip(sorted(table, expected)) {
            let at = table.name(stack.space);
            same("dislodged", (table.power(stack.side), at), (unit.power.as_str(), land(&unit.at)))?;
            same(&format!("attacker of {at}"), table.names(stack.by.from), vec![land(&unit.attacker_from)])?;
            if let (true, Some(retreats)) = (self.army_only, &unit.retreats) {
                let expected: BTreeSet<_> = retreats.iter().map(|to| land(to)).collect();
                same(
                    &format!("retreats of {at}"),
                    table.names(stack.retreats).into_iter().collect(),
                    expected,
                )?;
            }
        }
        Ok(())
    }

    fn check_builds(&self, table: &Table<'_>) -> Checked {
        let (Some(rooms), Some(Expect::Each(expected))) = (&self.may_build, &self.expect) else {
            return Err("may_build and a list of results are needed".into());
        };
        let position = table.position(&self.units)?;
        let mut builds = BTreeMap::new();
        for (power, room) in rooms {
            let mut sites =
                table.spaces(table.home(power)?.iter().map(String::as_str))? & !position.occupied();
            for (centre, owner) in self.owners.iter().flatten() {
                if owner != power {
                    sites.remove(table.space(centre)?);
                }
            }
            builds.insert(power.as_str(), Builds::new(sites, *room));
        }
        let mut found = Vec::new();
        for order in &self.orders {
            let site = table.space(&order.at)?;
            let built = order.verb == "build"
                && builds.get_mut(order.power.as_str()).is_some_and(|side| side.build(site));
            found.push(if built { "succeeds" } else { "fails" });
        }
        same("builds", found, expected.iter().map(String::as_str).collect())
    }

    fn check_removals(&self, table: &Table<'_>) -> Checked {
        let Some(owed) = &self.must_remove else { return Err("must_remove is needed".into()) };
        if self.expect.is_none() && self.expect_removed.is_none() {
            return Err("nothing is expected".into());
        }
        let mut position = table.position(&self.units)?;
        let (mut found, mut by_default) = (vec!["fails"; self.orders.len()], Vec::new());
        for (power, owed) in owed {
            let side = table.side(power)?;
            table.reinforce(&mut position, power, *owed)?;
            let mut removals = Removals::new(&position, side, *owed);
            for (order, found) in self.orders.iter().zip(&mut found) {
                if order.verb == "remove" && order.power == *power && removals.remove(table.space(&order.at)?)
                {
                    *found = "succeeds";
                }
            }
            let centres = match &self.owners {
                Some(owners) => table
                    .spaces(owners.iter().filter(|(_, owner)| *owner == power).map(|(at, _)| at.as_str()))?,
                None => table.spaces(table.home(power)?.iter().map(String::as_str))?,
            };
            let left = removals.owed();
            let removed = removals.by_default(&table.any_board()?, centres, &table.ranks());
            same("removed by default", removed.iter().map(|(_, armies)| usize::from(*armies)).sum(), left)?;
            same("still owed", removals.owed(), 0)?;
            by_default.extend(removed.iter().map(|(at, _)| table.name(*at)));
        }
        match &self.expect {
            None => {}
            Some(Expect::Each(expected)) => {
                same("removals", found, expected.iter().map(String::as_str).collect())?
            }
            Some(Expect::Movement(_)) => return Err("a list of results is needed".into()),
        }
        match &self.expect_removed {
            None => Ok(()),
            Some(OneOrMore::One(at)) => same("removed by default", by_default, vec![land(at)]),
            Some(OneOrMore::More(expected)) => {
                same("removed by default", by_default, expected.iter().map(|at| land(at)).collect())
            }
        }
    }
}

fn sorted<'c>(table: &Table<'_>, units: &'c [ExpectDislodged]) -> Vec<&'c ExpectDislodged> {
    let mut units: Vec<_> = units.iter().collect();
    units.sort_by_key(|unit| table.space(&unit.at).ok());
    units
}

fn verdict(result: &PartResult) -> Result<&'static str, String> {
    match result.outcome {
        Outcome::Held | Outcome::Moved | Outcome::Given { .. } => Ok("ok"),
        Outcome::Bounced { .. } => Ok("fail"),
        Outcome::Cut { .. } => Ok("cut"),
        Outcome::Void(_) => Ok("void"),
        other => Err(format!("{other} with one unit a space")),
    }
}

fn check_retreats(
    table: &Table<'_>,
    adjudication: &Adjudication,
    orders: &[OrderData],
    expected: &BTreeMap<String, String>,
) -> Checked {
    let mut retreats = Vec::new();
    let mut verdicts = BTreeMap::new();
    for order in orders {
        let space = table.space(&order.at)?;
        let side = table.side(&order.power)?;
        let stack = adjudication.dislodged.iter().find(|stack| stack.space == space && stack.side == side);
        let (Some(_), true) = (stack, retreats.iter().all(|other: &RetreatOrder| other.space != space))
        else {
            verdicts.insert(land(&order.at), "void");
            continue;
        };
        // In a retreat there are moves and disbands only; whatever else is written is no retreat.
        let to = match (order.verb.as_str(), &order.to) {
            ("move", Some(to)) => Some(table.space(to)?),
            _ => None,
        };
        retreats.push(RetreatOrder { space, armies: 1, leaders: LeaderSet::EMPTY, to });
    }
    let result =
        resolve_retreats(adjudication, &retreats, Rules::STANDARD).map_err(|error| error.to_string())?;
    for part in &result.parts {
        let verdict = match part.outcome {
            RetreatOutcome::Retreated => "retreated",
            RetreatOutcome::Disbanded | RetreatOutcome::Clash => "disbanded",
            RetreatOutcome::Captured => return Err("a capture without leaders".into()),
        };
        verdicts.insert(table.name(part.order.space), verdict);
    }
    for (at, expected) in expected {
        let expected = if expected == "ok" || expected == "succeeds" { "retreated" } else { expected };
        same(&format!("retreat of {at}"), verdicts.remove(at.as_str()), Some(expected))?;
    }
    Ok(())
}

/// A case's powers and provinces as the adjudicator's sides and spaces.
struct Table<'a> {
    map: &'a MapData,
    powers: Vec<&'a str>,
}

impl<'a> Table<'a> {
    fn new(case: &'a Case, map: &'a MapData) -> Result<Self, String> {
        let mut powers: Vec<&str> = Vec::new();
        let named = case.units.iter().map(|unit| &unit.power);
        let named = named
            .chain(case.orders.iter().chain(case.retreat_orders.iter().flatten()).map(|order| &order.power));
        for power in named.chain(case.must_remove.iter().flatten().map(|(power, _)| power)) {
            if !powers.contains(&power.as_str()) {
                powers.push(power);
            }
        }
        if powers.len() > MAX_SIDES { Err("too many powers".into()) } else { Ok(Self { map, powers }) }
    }

    fn side(&self, power: &str) -> Result<Side, String> {
        let index =
            self.powers.iter().position(|other| *other == power).ok_or(format!("no power {power}"))?;
        Side::new(index as u8).ok_or("too many powers".into())
    }

    fn power(&self, side: Side) -> &str {
        self.powers[side.index()]
    }

    fn space(&self, province: &str) -> Result<Space, String> {
        let index = self.map.provinces.iter().position(|other| other.id == land(province));
        index.and_then(|index| Space::new(index as u8)).ok_or(format!("no province {province}"))
    }

    fn spaces<'n>(&self, names: impl Iterator<Item = &'n str>) -> Result<SpaceSet, String> {
        names.map(|name| self.space(name)).collect()
    }

    fn name(&self, space: Space) -> &str {
        &self.map.provinces[space.index()].id
    }

    fn names(&self, spaces: SpaceSet) -> Vec<&str> {
        spaces.iter().map(|space| self.name(space)).collect()
    }

    fn home(&self, power: &str) -> Result<&[String], String> {
        self.map.supply_centres.get(power).map(Vec::as_slice).ok_or(format!("no home centres of {power}"))
    }

    fn board<'n>(&self, links: impl Iterator<Item = (&'n str, &'n str)>) -> Result<Board, String> {
        let links: Result<Vec<_>, String> =
            links.map(|(one, other)| Ok((self.space(one)?, self.space(other)?))).collect();
        Board::new(self.map.provinces.len(), links?).map_err(|error| error.to_string())
    }

    /// The links of armies.
    fn army_board(&self) -> Result<Board, String> {
        let provinces = self.map.provinces.iter();
        self.board(
            provinces.flat_map(|from| from.army_neighbours.iter().map(|to| (from.id.as_str(), to.as_str()))),
        )
    }

    /// The links of armies and fleets, which distances are measured by.
    fn any_board(&self) -> Result<Board, String> {
        let mut links = Vec::new();
        for from in &self.map.provinces {
            let fleets: Vec<&String> = match &from.fleet_neighbours {
                None => Vec::new(),
                Some(FleetNeighbours::OneCoast(to)) => to.iter().collect(),
                Some(FleetNeighbours::Coasts(coasts)) => coasts.values().flatten().collect(),
            };
            let neighbours = from.army_neighbours.iter().chain(fleets);
            links.extend(neighbours.map(|to| (from.id.as_str(), to.as_str())));
        }
        self.board(links.into_iter())
    }

    /// The place of each province by name.
    fn ranks(&self) -> Vec<u8> {
        let name = |index: &usize| &self.map.provinces[*index].name;
        let mut by_name: Vec<usize> = (0..self.map.provinces.len()).collect();
        by_name.sort_by_key(name);
        let mut ranks = vec![0; by_name.len()];
        for (rank, index) in by_name.into_iter().enumerate() {
            ranks[index] = rank as u8;
        }
        ranks
    }

    fn position(&self, units: &[Unit]) -> Result<Position, String> {
        let mut position = Position::default();
        for unit in units {
            let (at, side) = (self.space(&unit.at)?, self.side(&unit.power)?);
            position.place(at, side, 1, LeaderSet::EMPTY).map_err(|error| format!("{}: {error}", unit.at))?;
        }
        Ok(position)
    }

    /// Gives a power that has fewer units than it must remove the missing ones, in its home centres.
    fn reinforce(&self, position: &mut Position, power: &str, owed: usize) -> Checked {
        let side = self.side(power)?;
        for centre in self.home(power)? {
            let units = position.stacks().filter(|(_, stack)| stack.side == side).count();
            let centre = self.space(centre)?;
            if units < owed && position.stack(centre).is_none() {
                position.place(centre, side, 1, LeaderSet::EMPTY).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }

    /// The orders, and the provinces for which orders were written though no unit is there.
    fn orders<'o>(
        &self,
        position: &Position,
        orders: &'o [OrderData],
    ) -> Result<(Orders, Vec<&'o str>), String> {
        let mut sheet = OrderSheet::new(position);
        let mut strays = Vec::new();
        for order in orders {
            let at = self.space(&order.at)?;
            let Some(stack) = position.stack(at) else {
                strays.push(land(&order.at));
                continue;
            };
            let space = |name: &Option<String>| match name {
                Some(name) => self.space(name),
                None => Err(format!("{}: {} names no province", order.at, order.verb)),
            };
            let told = match order.verb.as_str() {
                // An order to another power's unit is illegal, as a move to one's own space is.
                _ if self.power(stack.side) != order.power => Order::Move(at),
                "hold" => Order::Hold,
                "move" => Order::Move(space(&order.to)?),
                "support_hold" => Order::SupportHold(space(&order.unit_at)?),
                "support_move" => Order::SupportMove { from: space(&order.unit_at)?, to: space(&order.to)? },
                other => return Err(format!("an adjudicator of armies has no order {other}")),
            };
            // Of two orders to one unit the first stands.
            match sheet.give(at, 1, LeaderSet::EMPTY, told) {
                Ok(()) | Err(OrderError::UnitsMissing(_)) => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Ok((sheet.finish().map_err(|error| error.to_string())?, strays))
    }
}
