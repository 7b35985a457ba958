//! The arguments that the command accepts: global options and verbs.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::verb;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  the answer is no: an action is refused, a check fails, records differ
  2  the arguments are not accepted
  3  a file or the games' content can't be read, written or understood
  4  a fault of a game or a bot
  5  the server can't be reached, or is at fault
  6  a record is consistent, and parts of it could not be checked";

/// The command.
#[derive(Debug, Parser)]
#[command(name = "edgehill", version, about = "Play, replay and verify the games of the Edgehill engine.")]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// Lay content files over the built-in ones: DIR holds a folder for each game id, with files of the same names
    #[arg(long, global = true, value_name = "DIR")]
    pub content: Option<PathBuf>,
    /// Work on matches of a server, such as http://127.0.0.1:7400
    #[arg(long, global = true, value_name = "URL")]
    pub server: Option<String>,
    /// The key of one's account, for servers that ask for one
    #[arg(long, global = true, value_name = "TEXT", env = "EDGEHILL_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// Trust the authorities of FILE (PEM) with the server's certificate, instead of those of the operating system
    #[arg(long, global = true, value_name = "FILE", env = "EDGEHILL_CA")]
    pub ca: Option<PathBuf>,
    /// Show the certificate of FILE (PEM), for servers that ask for one; goes with --cert-key
    #[arg(long, global = true, value_name = "FILE", env = "EDGEHILL_CERT")]
    pub cert: Option<PathBuf>,
    /// The key of that certificate (PEM)
    #[arg(long, global = true, value_name = "FILE", env = "EDGEHILL_CERT_KEY")]
    pub cert_key: Option<PathBuf>,
    #[command(subcommand)]
    pub verb: Verb,
}

/// The thing to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List the games, or print one's catalogue in words
    Games(verb::games::Games),
    /// Print one game's catalogue in words
    Game(verb::game::Game),
    /// List the matches of a server
    Matches(verb::remote::matches::Matches),
    /// Follow the matches of one's account on a server: invitations, turns, offers, results
    Inbox(verb::remote::inbox::Inbox),
    /// Start a match, in a file or on a server
    New(verb::new::New),
    /// Make several matches on a server, all of them or none
    NewMatches(verb::remote::new_matches::NewMatchesArgs),
    /// Take a seat of a match on a server
    Join(verb::remote::join::Join),
    /// Seek somebody on a server who wants to play the same
    Seek(verb::remote::seek::Seek),
    /// Give seats of a match on a server back, before it has begun
    Leave(verb::remote::leave::Leave),
    /// Take back a match that one has made on a server, before it has begun
    Abort(verb::remote::leave::Abort),
    /// Reveal the entropy that one's seats have bound themselves to, on a server
    Reveal(verb::remote::reveal::Reveal),
    /// Play a match of a server that is finished again, with the sides swapped
    Rematch(verb::remote::rematch::Rematch),
    /// Show a match as a seat or a spectator sees it
    Show(verb::show::Show),
    /// List the legal actions
    Legal(verb::legal::Legal),
    /// Take actions for a seat
    Apply(verb::apply::Apply),
    /// Take back actions of a seat that are not final yet
    Undo(verb::undo::Undo),
    /// Enter dice or draws that are due
    Enter(verb::enter::Enter),
    /// Give up
    Resign(verb::resign::Resign),
    /// Put a match with clocks off, on a server
    Adjourn(verb::remote::adjourning::Adjourn),
    /// Ask for an adjourned match of a server to go on
    Resume(verb::remote::adjourning::Resume),
    /// Print the events of a match
    Events(verb::events::Events),
    /// Follow a match on a server until it is over
    Watch(verb::remote::events::Watch),
    /// Write the record of a match
    Record(verb::record::Record),
    /// Get the record of a match from a server
    Export(verb::remote::record::Export),
    /// Keep what a server has shown of a match, with its signed word for it
    Receipt(verb::remote::receipt::Receipt),
    /// Check records and match files: each action, each outcome, the signature
    Verify(verb::verify::Verify),
    /// Compare recorded matches as two builds replay them
    DiffRules(verb::diff_rules::DiffRules),
    /// Find the shortest run that still breaks a law of the contract
    Shrink(verb::shrink::Shrink),
    /// Print a playout of house bots in words, to compare two builds
    Golden(verb::golden::Golden),
    /// Play in the terminal, against a house bot or on a server against others
    Play(verb::play::Play),
    /// Let a bot play a seat of a match on a server
    Bot(verb::remote::bot::Bot),
    /// Let a program play the seats on a server that are kept for one's account
    #[cfg(unix)]
    RunBot(Box<verb::remote::run_bot::RunBot>),
    /// Let bots play series against each other
    Arena(verb::arena::Arena),
    /// Have many matches played and watched on a server, and measure its answers
    Load(Box<verb::remote::load::Load>),
    /// Look after a server: its accounts, keys and matches
    Admin(verb::remote::admin::Admin),
    /// Act on a match of a server as its referee: time, players, adjournments, results
    Referee(verb::remote::referee::Referee),
    /// Competitions on a server: make, enrol, start, watch, export
    League(verb::remote::league::League),
}
