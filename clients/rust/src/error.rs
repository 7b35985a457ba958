//! The faults of the command, in words that say what would be accepted, and the exit code of each ([`Error`]).

use std::io;
use std::path::PathBuf;

use edgehill_client::tonic::Code;
use edgehill_convert::values::Garbled;
use edgehill_engine::chance_source::ChanceSourceError;
use edgehill_engine::position::PositionError;
use edgehill_engine::registry::{RegistryError, UnknownGame};
use edgehill_engine::setup::SetupError;

/// The reason that the command ends before its work is done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("`{0}` works on a match of a server: say which with --server URL")]
    NeedsServer(&'static str),
    #[error("`{verb}` does not go with --server: {why}")]
    NotOnServer { verb: &'static str, why: &'static str },
    #[error(transparent)]
    Game(#[from] UnknownGame),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("option `{0}`: an option is written id=value")]
    OptionForm(String),
    #[error("seat `{given}`: this match has {known}")]
    Seat { given: String, known: String },
    #[error("bot `{given}`: this game has {known}")]
    Bot { given: String, known: String },
    #[error("{0}")]
    Usage(String),
    #[error("seed `{0}`: a seed is 64 hexadecimal digits or a whole number of at most 20 decimal digits")]
    Seed(String),
    #[error("no random seed from the operating system: {0}")]
    Entropy(getrandom::Error),

    #[error("can't read {path}: {error}", path = path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("can't write {path}: {error}", path = path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{path} is there already: give another name, or --force", path = path.display())]
    Exists { path: PathBuf },
    #[error("{path} is not a match file: {why}", path = path.display())]
    NotAMatch { path: PathBuf, why: String },
    #[error("{path} is not a record: {why}", path = path.display())]
    NotARecord { path: PathBuf, why: String },
    #[error("{path} is not a transcript: {why}", path = path.display())]
    NotATranscript { path: PathBuf, why: String },
    #[error("{path} is not a run: {why}", path = path.display())]
    NotARun { path: PathBuf, why: String },
    #[error("can't run {path}: {error}", path = path.display())]
    Run { path: PathBuf, error: io::Error },
    #[error(
        "{path} was started with {game} {theirs}, and this build plays {ours}: use the build and --content that \
         started it",
        path = path.display()
    )]
    OtherRules { path: PathBuf, game: String, theirs: String, ours: String },
    #[error("{path}: {error}", path = path.display())]
    Position { path: PathBuf, error: PositionError },
    #[error("{path} is not a described position: {why}", path = path.display())]
    PositionForm { path: PathBuf, why: String },
    #[error("--content {path}: {why}", path = path.display())]
    Content { path: PathBuf, why: String },
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error("can't write to the terminal: {0}")]
    Output(io::Error),
    #[error("can't read from the terminal: {0}")]
    Input(io::Error),

    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    ChanceSource(#[from] ChanceSourceError),
    /// The failure has been printed.
    #[error("failed")]
    Failed,
    /// The parts have been printed.
    #[error("consistent, but unchecked in parts")]
    Unchecked,

    #[error("a fault of the program: {0}")]
    Fault(String),
    /// The outcome of each match has been printed.
    #[cfg(unix)]
    #[error("the bot broke in {matches} of its matches")]
    BrokenBot { matches: usize },

    #[error(transparent)]
    Client(Box<edgehill_client::Error>),
    #[error(transparent)]
    Garbled(#[from] Garbled),
}

impl Error {
    /// Returns the code that the command ends with; the help text lists them.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Refused(_) | Self::ChanceSource(_) | Self::Failed => 1,
            Self::NeedsServer(_)
            | Self::NotOnServer { .. }
            | Self::Game(_)
            | Self::Setup(_)
            | Self::OptionForm(_)
            | Self::Seat { .. }
            | Self::Bot { .. }
            | Self::Usage(_)
            | Self::Seed(_) => 2,
            Self::Entropy(_)
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::Exists { .. }
            | Self::NotAMatch { .. }
            | Self::NotARecord { .. }
            | Self::NotATranscript { .. }
            | Self::NotARun { .. }
            | Self::Run { .. }
            | Self::OtherRules { .. }
            | Self::Position { .. }
            | Self::PositionForm { .. }
            | Self::Content { .. }
            | Self::Registry(_)
            | Self::Output(_)
            | Self::Input(_) => 3,
            Self::Fault(_) => 4,
            #[cfg(unix)]
            Self::BrokenBot { .. } => 4,
            Self::Client(error) => client_exit_code(error),
            Self::Garbled(_) => 5,
            Self::Unchecked => 6,
        }
    }
}

/// A server's refusal is an answer; that there is none is not.
fn client_exit_code(error: &edgehill_client::Error) -> u8 {
    use edgehill_client::Error;
    let refusal = match error {
        Error::InvalidUrl { .. } | Error::InvalidToken | Error::InvalidCertificate(_) => return 2,
        Error::Bot { .. } => return 4,
        Error::Entropy(_) => return 3,
        Error::Refused(refusal) | Error::Closed(refusal) => refusal,
        _ => return 5,
    };
    match refusal.code() {
        Code::InvalidArgument | Code::NotFound => 2,
        Code::Internal | Code::Unavailable | Code::Unknown => 5,
        _ => 1,
    }
}

impl From<edgehill_client::Error> for Error {
    fn from(error: edgehill_client::Error) -> Self {
        Self::Client(Box::new(error))
    }
}

/// Errors of writing to the terminal.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
