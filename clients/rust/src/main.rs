//! The `edgehill` command: every game of the engine from a terminal or a script, in files of one's own or on a server.
//!
//! Invariant: a call that is refused leaves every file as it was. Exit codes are in [`error::Error::exit_code`].

mod args;
#[cfg(unix)]
mod bot_process;
mod chance_source;
mod clock_text;
mod error;
mod games;
#[cfg(unix)]
mod league_run;
mod match_file;
mod match_lines;
#[cfg(test)]
mod pages;
mod people;
mod play_again;
mod players;
mod record_file;
mod seating;
mod seats_file;
mod spectator_delay;
mod terminal;
mod transcript_file;
mod verb;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::error::Error;

fn main() -> ExitCode {
    let args = Args::parse();
    // Colours go to terminals that have them, and to nobody who has said NO_COLOR.
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    let done = verb::run(&args, &mut out).and_then(|()| out.flush().map_err(Error::Output));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The reader of our output may have had enough of it.
            let hung_up = matches!(&error, Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe);
            if !hung_up && !matches!(error, Error::Failed | Error::Unchecked) {
                let _ = out.flush();
                eprintln!("edgehill: {error}");
            }
            if hung_up { ExitCode::SUCCESS } else { ExitCode::from(error.exit_code()) }
        }
    }
}
