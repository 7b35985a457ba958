//! The command `edgehill-server`: run a server, print its configuration, make an account's key.
//!
//! Exit codes: 0 done, or stopped as asked; 1 the server can't start or go on; 2 arguments or configuration are not
//! accepted; 3 the store was lost while the server ran.

mod args;
mod key;
mod open_files;
mod reload;
mod run;
mod service_manager;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::config::{self, Env, Loaded};
use args::{Args, Verb};
use reload::Sources;

/// The failure that ends the command.
enum Failure {
    /// Exit code 2.
    Configuration(String),
    /// Exit code 1.
    Fault(String),
    /// Exit code 3.
    StoreLost(String),
}

/// Does what `arguments` ask for; returns when it is done, or the server has stopped.
pub fn main(arguments: impl IntoIterator<Item = OsString>, env: &Env) -> ExitCode {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors; clap knows where each goes.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let done = config::load(&args.flags(), env)
        .map_err(|invalid| Failure::Configuration(invalid.to_string()))
        .and_then(|loaded| act(&args, env, loaded));
    let (words, code) = match done {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Configuration(words)) => (words, 2),
        Err(Failure::Fault(words)) => (words, 1),
        Err(Failure::StoreLost(words)) => (words, 3),
    };
    for line in words.lines() {
        let _ = writeln!(io::stderr(), "edgehill-server: {line}");
    }
    ExitCode::from(code)
}

fn act(args: &Args, env: &Env, loaded: Loaded) -> Result<(), Failure> {
    if args.print_config {
        return say(&loaded.config.to_toml());
    }
    match &args.verb {
        Some(Verb::Key(key)) => say(&key::make(key, &loaded.config)?),
        None => run::run(loaded, &Sources { flags: args.flags(), env: env.clone() }),
    }
}

/// Writes to stdout.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let said = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    said.map_err(|error| Failure::Fault(format!("stdout can't be written: {error}")))
}
