//! The verbs of the command, a module each.

pub(crate) mod apply;
pub(crate) mod arena;
pub(crate) mod diff_rules;
pub(crate) mod enter;
pub(crate) mod events;
pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod golden;
pub(crate) mod legal;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod record;
pub(crate) mod remote;
pub(crate) mod resign;
pub(crate) mod show;
pub(crate) mod shrink;
pub(crate) mod status;
pub(crate) mod undo;
pub(crate) mod verify;

use std::io::Write;

use crate::args::{Args, Verb};
use crate::error::Error;
use crate::games as content;

/// Does what the arguments ask for.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Error> {
    if let Some(url) = &args.server {
        return remote::run(args, url, out);
    }
    let registry = content::load(args.content.as_deref())?;
    match &args.verb {
        Verb::Games(verb) => verb.run(&registry, out),
        Verb::Game(verb) => verb.run(&registry, out),
        Verb::New(verb) => verb.run(&registry, out),
        Verb::Show(verb) => verb.run(&registry, out),
        Verb::Legal(verb) => verb.run(&registry, out),
        Verb::Apply(verb) => verb.run(&registry, out),
        Verb::Undo(verb) => verb.run(&registry, out),
        Verb::Enter(verb) => verb.run(&registry, out),
        Verb::Resign(verb) => verb.run(&registry, out),
        Verb::Events(verb) => verb.run(&registry, out),
        Verb::Record(verb) => verb.run(&registry, out),
        Verb::Verify(verb) => verb.run(&registry, out),
        Verb::DiffRules(verb) => verb.run(args.content.as_deref(), out),
        Verb::Shrink(verb) => verb.run(&registry, out),
        Verb::Golden(verb) => verb.run(&registry, out),
        Verb::Play(verb) => verb.run(&registry, out),
        Verb::Arena(verb) => verb.run(&registry, out),
        Verb::Adjourn(_) => Err(Error::NeedsServer("adjourn")),
        Verb::Resume(_) => Err(Error::NeedsServer("resume")),
        Verb::NewMatches(_) => Err(Error::NeedsServer("new-matches")),
        Verb::Join(_) => Err(Error::NeedsServer("join")),
        Verb::Seek(_) => Err(Error::NeedsServer("seek")),
        Verb::Leave(_) => Err(Error::NeedsServer("leave")),
        Verb::Abort(_) => Err(Error::NeedsServer("abort")),
        Verb::Reveal(_) => Err(Error::NeedsServer("reveal")),
        Verb::Rematch(_) => Err(Error::NeedsServer("rematch")),
        Verb::Inbox(_) => Err(Error::NeedsServer("inbox")),
        Verb::Load(_) => Err(Error::NeedsServer("load")),
        Verb::Matches(_) => Err(Error::NeedsServer("matches")),
        Verb::Watch(_) => Err(Error::NeedsServer("watch")),
        Verb::Export(_) => Err(Error::NeedsServer("export")),
        Verb::Receipt(_) => Err(Error::NeedsServer("receipt")),
        Verb::Admin(_) => Err(Error::NeedsServer("admin")),
        Verb::Referee(_) => Err(Error::NeedsServer("referee")),
        Verb::League(verb) => verb.run_here(out),
        Verb::Bot(_) => Err(Error::NeedsServer("bot")),
        #[cfg(unix)]
        Verb::RunBot(_) => Err(Error::NeedsServer("run-bot")),
    }
}
