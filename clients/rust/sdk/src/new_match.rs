//! The terms of a new match ([`NewMatch`]).

use edgehill_proto::v1::create_request::Seed;
use edgehill_proto::v1::{CreateRequest, EntropyMode, OptionValue, RulesVersion, SeatKind, SeatConfig, SeedGroup};

/// The plan of who may take a seat of a new match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatConfig {
    /// Open to anyone: the first who comes has it.
    Open,
    /// The holder of the seat's invitation, which `create` gives.
    Invited,
    /// The server's house bot of this name.
    HouseBot(String),
}

impl From<SeatConfig> for SeatConfig {
    fn from(chair: SeatConfig) -> Self {
        let (kind, bot) = match chair {
            SeatConfig::Open => (SeatKind::Open, String::new()),
            SeatConfig::Invited => (SeatKind::Invited, String::new()),
            SeatConfig::HouseBot(name) => (SeatKind::HouseBot, name),
        };
        Self { kind: kind.into(), bot }
    }
}

/// A match to be made. What is not named is the game's default.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMatch(CreateRequest);

impl NewMatch {
    /// A match of this game.
    #[must_use]
    pub fn of(game: impl Into<String>) -> Self {
        Self(CreateRequest { game: game.into(), ..CreateRequest::default() })
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

    /// Sets who may take the seats, in seat order; those that are not named are open.
    #[must_use]
    pub fn seats(mut self, chairs: impl IntoIterator<Item = SeatConfig>) -> Self {
        self.0.seats = chairs.into_iter().map(SeatConfig::from).collect();
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

    /// Under a request id of the caller's own, for programs that must not make the match twice even if they are restarted.
    /// Without one the client makes it.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = id.into();
        self
    }

    /// The call, with `request_id` if it has none of its own.
    pub(crate) fn request(mut self, request_id: impl FnOnce() -> String) -> CreateRequest {
        if self.0.request_id.is_empty() {
            self.0.request_id = request_id();
        }
        self.0
    }
}
