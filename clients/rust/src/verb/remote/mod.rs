//! The verbs on a server's matches, a module for each or for a few that are alike. What they accept is declared with the
//! local verbs; here are those that only a server has, too.

mod account_data;
mod actions;
pub(crate) mod adjourning;
pub(crate) mod admin;
mod admin_matches;
mod arena;
pub(crate) mod bot;
pub(crate) mod events;
mod games;
pub(crate) mod inbox;
pub(crate) mod join;
pub(crate) mod league;
pub(crate) mod leave;
mod link;
pub(crate) mod load;
pub(crate) mod matches;
mod new;
pub(crate) mod new_matches;
mod play;
pub(crate) mod receipt;
pub(crate) mod record;
pub(crate) mod referee;
mod refusal;
pub(crate) mod rematch;
pub(crate) mod reveal;
#[cfg(unix)]
pub(crate) mod run_bot;
pub(crate) mod seek;
pub(in crate::verb) mod series_bot;
mod show;
mod status;

use std::io::Write;

use crate::args::{Args, Verb};
use crate::error::Error;
use crate::games as content;
use link::Link;

/// Does what the arguments ask for, on the server at `url`.
pub(crate) fn run(args: &Args, url: &str, out: &mut dyn Write) -> Result<(), Error> {
    if args.content.is_some() && !reads_records(&args.verb) {
        let why = "the server has its own content";
        return Err(Error::NotOnServer { verb: "--content", why });
    }
    let offline = |verb, why| Err(Error::NotOnServer { verb, why });
    match &args.verb {
        Verb::Enter(_) => return offline("enter", "a server rolls its own dice"),
        Verb::DiffRules(_) => return offline("diff-rules", "it compares builds by files"),
        Verb::Shrink(_) => return offline("shrink", "it looks for faults of this build, in files"),
        Verb::Golden(_) => return offline("golden", "it tells how this build plays"),
        _ => {}
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::Fault(format!("no runtime: {error}")))?;
    runtime.block_on(work(args, url, out))
}

async fn work(args: &Args, url: &str, out: &mut dyn Write) -> Result<(), Error> {
    let link = &Link::to(url, args).await?;
    let registry = || content::load(args.content.as_deref());
    match &args.verb {
        Verb::Games(verb) => games::list(verb, link, out).await,
        Verb::Game(verb) => games::one(verb, link, out).await,
        Verb::New(verb) => new::run(verb, link, out).await,
        Verb::NewMatches(verb) => new_matches::run(verb, link, out).await,
        Verb::Join(verb) => join::run(verb, link, out).await,
        Verb::Seek(verb) => seek::run(verb, link, out).await,
        Verb::Leave(verb) => leave::leave(verb, link, out).await,
        Verb::Abort(verb) => leave::abort(verb, link, out).await,
        Verb::Reveal(verb) => reveal::run(verb, link, out).await,
        Verb::Rematch(verb) => rematch::run(verb, link, out).await,
        Verb::Inbox(verb) => inbox::run(verb, link, out).await,
        Verb::Load(verb) => load::run(verb, args, link, out).await,
        Verb::Matches(verb) => matches::run(verb, link, out).await,
        Verb::Show(verb) => show::show(verb, link, out).await,
        Verb::Legal(verb) => show::legal(verb, link, out).await,
        Verb::Apply(verb) => actions::apply(verb, link, out).await,
        Verb::Undo(verb) => actions::undo(verb, link, out).await,
        Verb::Resign(verb) => actions::resign(verb, link, out).await,
        Verb::Adjourn(verb) => adjourning::adjourn(verb, link, out).await,
        Verb::Resume(verb) => adjourning::resume(verb, link, out).await,
        Verb::Events(verb) => events::events(verb, link, registry, out).await,
        Verb::Watch(verb) => events::watch(verb, link, out).await,
        Verb::Record(verb) => record::record(verb, link, out).await,
        Verb::Export(verb) => record::export(verb, link, out).await,
        Verb::Receipt(verb) => receipt::run(verb, link, out).await,
        Verb::Admin(verb) => admin::run(verb, link, out).await,
        Verb::Referee(verb) => referee::run(verb, link, out).await,
        Verb::League(verb) => league::run(verb, link, out).await,
        Verb::Play(verb) => play::run(verb, link, out).await,
        Verb::Bot(verb) => bot::run(verb, link, out).await,
        #[cfg(unix)]
        Verb::RunBot(verb) => run_bot::run(verb, link, out).await,
        Verb::Arena(verb) => arena::run(verb, link, &registry()?, out).await,
        Verb::Verify(verb) => verb.run_against(&link.signing_keys().await?, &registry()?, out),
        Verb::Enter(_) | Verb::DiffRules(_) | Verb::Shrink(_) | Verb::Golden(_) => Ok(()),
    }
}

/// True if a verb replays records, by the content of one's own.
const fn reads_records(verb: &Verb) -> bool {
    matches!(verb, Verb::Events(_) | Verb::Arena(_) | Verb::Verify(_))
}
