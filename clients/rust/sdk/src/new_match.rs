//! A match to be made ([`NewMatch`]).

use crate::connection::Connection;
use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::v1::{
    ClockConfig, CreateMatchRequest, EntropyMode, GroupPlace, MatchPlan, OptionValue, RulesVersion,
    SeatConfig, SeedGroup, SpectatorDelay, match_plan,
};

/// A match to be made. Everything that is not named is the game's default.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch(CreateMatchRequest);

impl NewMatch {
    /// A match of this game.
    #[must_use]
    pub fn of(game: impl Into<String>) -> Self {
        Self(CreateMatchRequest { game: game.into(), ..CreateMatchRequest::default() })
    }

    /// The scenario's id.
    #[must_use]
    pub fn scenario(mut self, id: impl Into<String>) -> Self {
        self.0.scenario = id.into();
        self
    }

    /// An option and its value as it is written.
    #[must_use]
    pub fn option(mut self, id: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.options.push(OptionValue { id: id.into(), value: value.into() });
        self
    }

    /// Sets the callers that may take the seats, in seat order, as [`seat_config`](crate::seat_config) has them; the seats
    /// that are not named are open.
    #[must_use]
    pub fn seats(mut self, seats: impl IntoIterator<Item = SeatConfig>) -> Self {
        self.0.seats = seats.into_iter().collect();
        self
    }

    /// Only under these rules: the call is refused if the server plays others.
    #[must_use]
    pub fn rules(mut self, rules: RulesVersion) -> Self {
        self.0.rules = Some(rules);
        self
    }

    /// From a described position, in the game's own JSON.
    #[must_use]
    pub fn position(mut self, json: impl Into<String>) -> Self {
        self.0.position_json = json.into();
        self
    }

    /// Each seat commits to its entropy when it joins and reveals it when all have.
    #[must_use]
    pub fn commit_reveal(mut self) -> Self {
        self.0.entropy_mode = EntropyMode::CommitReveal.into();
        self
    }

    /// With clocks: a bank, or a limit for each question, and what happens when the time has run out.
    #[must_use]
    pub fn clock(mut self, clock: ClockConfig) -> Self {
        self.0.clock = Some(clock);
        self
    }

    /// With a delay for spectators, which ends with the match.
    #[must_use]
    pub fn spectator_delay(mut self, delay: SpectatorDelay) -> Self {
        self.0.spectator_delay = Some(delay);
        self
    }

    /// With a seed that everybody may know: the match says so, and can never be rated.
    #[must_use]
    pub fn chosen_seed(mut self, seed: [u8; 32]) -> Self {
        self.0.seed = Some(Seed::ChosenSeed(seed.to_vec()));
        self
    }

    /// As one match of a seed group; with an empty `group_id` the first of a new one.
    #[must_use]
    pub fn group(mut self, group: SeedGroup) -> Self {
        self.0.seed = Some(Seed::Group(group));
        self
    }

    /// Under a request id of the caller's own, for programs that must not make the match twice even if they are restarted;
    /// those need [`Options::client_secret`](crate::Options::client_secret), too. Without one the client makes it.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = id.into();
        self
    }

    /// The same as one of several matches that are made together. A seed group of its own is none of theirs.
    pub(crate) fn plan(self) -> MatchPlan {
        let CreateMatchRequest { game, rules, scenario, options, seats, position_json, entropy_mode, .. } =
            self.0;
        let seed = self.0.seed.map(|seed| match seed {
            Seed::ChosenSeed(seed) => match_plan::Seed::ChosenSeed(seed),
            Seed::Group(SeedGroup { seat_entrants, .. }) => {
                match_plan::Seed::Group(GroupPlace { group: u32::MAX, seat_entrants })
            }
        });
        let (clock, spectator_delay) = (self.0.clock, self.0.spectator_delay);
        MatchPlan {
            game,
            rules,
            scenario,
            options,
            seats,
            position_json,
            entropy_mode,
            seed,
            clock,
            spectator_delay,
        }
    }

    /// The call of a client, with an id of its own if this has none.
    pub(crate) fn request(mut self, connection: &Connection) -> CreateMatchRequest {
        if self.0.request_id.is_empty() {
            self.0.request_id = connection.next_request_id();
        }
        self.0.client_secret = connection.client_secret().as_bytes().to_vec();
        self.0
    }
}
