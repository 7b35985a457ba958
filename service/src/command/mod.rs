//! The command `edgehill-server`: run a server, print its configuration, make an account's key, look after a store.
//!
//! Exit codes: 0 done, or stopped as asked; 1 it can't be done, or the server can't go on; 2 arguments or configuration are not
//! accepted; 3 the store is damaged, or was lost while the server ran.

mod args;
mod failure;
mod key;
mod open_files;
#[cfg(test)]
mod page_tests;
mod reload;
mod run;
mod service_manager;
mod stored;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::config::{self, Env, Loaded};
use args::{Args, Verb};
use failure::Failure;
use reload::Sources;

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
    let Err(failure) = done else { return ExitCode::SUCCESS };
    for line in failure.words().lines() {
        let _ = writeln!(io::stderr(), "edgehill-server: {line}");
    }
    ExitCode::from(failure.exit_code())
}

fn act(args: &Args, env: &Env, loaded: Loaded) -> Result<(), Failure> {
    let config = &loaded.config;
    if args.print_config {
        return say(&config.to_toml());
    }
    match &args.verb {
        Some(Verb::Key(key)) => say(&key::make(key, config)?),
        Some(Verb::Fsck(form)) => stored::fsck(config, *form),
        Some(Verb::Stats(form)) => stored::stats(config, *form),
        Some(Verb::Quarantine(verb)) => stored::quarantine(config, verb),
        Some(Verb::Backup { to }) => stored::backup(config, to),
        Some(Verb::Compact) => stored::compact(config),
        Some(Verb::Export(export)) => stored::export(config, export),
        Some(Verb::ReplayAll(what)) => stored::replay_all(config, what),
        Some(Verb::MigrateStore(what)) => stored::migrate_store(config, what),
        Some(Verb::RotateKey { forget }) => stored::rotate_key(config, *forget),
        None => run::run(loaded, &Sources { flags: args.flags(), env: env.clone() }),
    }
}

/// Writes to stdout.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let said = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    said.map_err(|error| Failure::Fault(format!("stdout can't be written: {error}")))
}
