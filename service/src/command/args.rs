//! The arguments that the command accepts.

use std::path::PathBuf;

use clap::{Args as Arguments, Parser, Subcommand};

use crate::config::Flags;
use crate::identity::Role;
use crate::store::MatchId;

const AFTER: &str = "\
Each field of the configuration (docs/server.md) can be set in the file, by a variable such as EDGEHILL_LIMITS__STREAMS, \
and some by flags; flags stand above variables, those above the file.

Exit codes:
  0  done, or stopped as asked (SIGTERM, SIGINT)
  1  the server can't start or go on
  2  the arguments or the configuration are not accepted
  3  the store is damaged, or another file stands in its place: keep the file, look through it, restore a backup; or another
     server has taken the database over";

/// The command.
#[derive(Debug, Parser)]
#[command(name = "edgehill-server", version = crate::VERSION, about = "Serve the games of the Edgehill engine over gRPC.")]
#[command(after_help = AFTER)]
pub(super) struct Args {
    /// Read the configuration from FILE
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Listen on ADDRESS, such as 127.0.0.1:7400; port 0: any free one
    #[arg(long, global = true, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// Keep matches and the key in DIR; without it matches are lost with the process
    #[arg(long, global = true, value_name = "DIR")]
    pub store: Option<String>,
    /// Keep the server's key in FILE instead of in the store's folder
    #[arg(long, global = true, value_name = "FILE")]
    pub key_file: Option<String>,
    /// Let in the accounts of FILE
    #[arg(long, global = true, value_name = "FILE")]
    pub accounts: Option<String>,
    /// Print the configuration that would hold as TOML, and end
    #[arg(long)]
    pub print_config: bool,
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The thing to do instead of serving.
#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Make an account's key: print it, and the lines for the accounts file. It is not kept anywhere
    Key(Key),
    /// Look through the whole store, also while a server has it open, and say what is damaged
    Fsck(Form),
    /// Say how much the store holds, also while a server has it open
    Stats(Form),
    /// The matches that are closed to play
    #[command(subcommand)]
    Quarantine(QuarantineVerb),
    /// Copy the store to FILE, also while a server has it open, and look through the copy
    Backup {
        /// The copy, which must not be there yet
        #[arg(value_name = "FILE")]
        to: PathBuf,
    },
    /// Rewrite the store without what holds nothing, while no server has it open
    Compact,
    /// Write records out of the store, also while a server has it open
    Export(Export),
    /// Play all matches again, have this build take up those whose rules it has no more if its own lead where they had led, and
    /// list the rest; while no server has the store open
    ReplayAll(ReplayAll),
    /// Bring all that one store has into another one, which is new: a folder into a database, or back. No server may have either open.
    /// Run again, it goes on where it was cut short
    MigrateStore(MigrateStore),
    /// Make the server another key and seal the store with it, while no server has the store open; run again, it completes what was
    /// cut short. What was made before goes on with the key of before
    RotateKey {
        /// Make no key, and forget those of before: what was made with them is refused then. Not while a match that is not over
        /// or an account in the store needs one
        #[arg(long)]
        forget: bool,
    },
}

/// The form of what is printed.
#[derive(Copy, Clone, Debug, Arguments)]
pub(super) struct Form {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The thing to do with matches that are closed to play.
#[derive(Debug, Subcommand)]
pub(super) enum QuarantineVerb {
    /// List them with the reason, also while a server has the store open
    List(Form),
    /// Open matches to play again whose logs are whole, while no server has the store open
    Release {
        /// The matches' ids
        #[arg(value_name = "MATCH", required = true)]
        matches: Vec<MatchId>,
    },
}

/// The records to write.
#[derive(Debug, Arguments)]
pub(super) struct Export {
    /// Write MATCH.edg into DIR, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub to: PathBuf,
    /// The matches' ids; without any: all that are over
    #[arg(value_name = "MATCH")]
    pub matches: Vec<MatchId>,
}

/// The way in which matches are played again.
#[derive(Debug, Arguments)]
pub(super) struct ReplayAll {
    /// Change nothing, also while a server has the store open
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub form: Form,
}

/// The stores of a migration: each a folder, or a database's address such as `postgres://edgehill@db.example/edgehill`, whose
/// password and certificates the configuration names.
#[derive(Debug, Arguments)]
pub(super) struct MigrateStore {
    /// The store that is there, which stays as it is
    #[arg(value_name = "FROM")]
    pub from: String,
    /// The store that is made
    #[arg(value_name = "TO")]
    pub to: String,
}

/// The purpose of a key.
#[derive(Debug, Arguments)]
pub(super) struct Key {
    /// The account's id: 1 to 64 letters, digits, and `-`, `_`, `.`
    #[arg(long, value_name = "NAME")]
    pub account: String,
    /// Role of the account: player, spectator, referee or operator; may be given several times
    #[arg(long, value_name = "ROLE", required = true)]
    pub role: Vec<Role>,
}

impl Args {
    /// The fields that were set here.
    pub(super) fn flags(&self) -> Flags {
        let fields = [
            ("listen", "--listen", &self.listen),
            ("store", "--store", &self.store),
            ("key_file", "--key-file", &self.key_file),
            ("accounts", "--accounts", &self.accounts),
        ];
        let fields = fields.into_iter().filter_map(|(path, flag, value)| Some((path, flag, value.clone()?)));
        Flags { config: self.config.clone(), fields: fields.collect() }
    }
}
