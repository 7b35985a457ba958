//! `edgehill league`: competitions on a server, for those who organise them, take part in them, or follow them.

mod settings_file;
pub(crate) mod words;

use std::io::Write;
use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use edgehill_client::v1::{CompetitionExport, CompetitionPhase};
use edgehill_client::{CompetitionCalls, Enrolment};

use super::link::Link;
use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::match_lines;

/// Competitions on a server.
#[derive(Debug, clap::Args)]
pub(crate) struct League {
    #[command(subcommand)]
    what: What,
}

/// The thing to do.
#[derive(Debug, Subcommand)]
enum What {
    /// Make a competition of the settings in a file, and print its id
    Create {
        /// The settings, in TOML (docs/competitions.md)
        file: PathBuf,
    },
    /// List the competitions of the server, last made first
    List {
        /// Only those in this phase
        #[arg(long, value_enum)]
        phase: Option<PhaseName>,
    },
    /// Show a competition: its settings, how it stands, and its entrants
    Show {
        /// The competition's id
        competition: String,
    },
    /// Enrol oneself; with an organizer's key also another account or a house bot
    Enrol {
        /// The competition's id
        competition: String,
        /// The entrant's name; without one the account's id, or the house bot's name
        #[arg(long, default_value = "")]
        name: String,
        /// A rating to seed the entrant by
        #[arg(long, allow_negative_numbers = true)]
        rating: Option<i32>,
        /// Another account
        #[arg(long, value_name = "ID", default_value = "", conflicts_with = "bot")]
        account: String,
        /// A house bot of the game
        #[arg(long, value_name = "NAME", default_value = "")]
        bot: String,
    },
    /// Let an entrant leave
    Withdraw {
        /// The competition's id
        competition: String,
        /// The entrant's number
        entrant: u32,
    },
    /// Send an entrant away
    Disqualify {
        /// The competition's id
        competition: String,
        /// The entrant's number
        entrant: u32,
        /// The grounds, for everybody to see
        #[arg(long)]
        reason: String,
    },
    /// End enrolment, and begin to play
    Start {
        /// The competition's id
        competition: String,
    },
    /// Call a competition off: its matches that are not over are ended
    Cancel {
        /// The competition's id
        competition: String,
        /// The reason, for everybody to see
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Take a match back
    Void {
        /// The competition's id
        competition: String,
        /// The match's place, such as 2.5.1
        slot: String,
        /// Have it played again, with the other one of a mirrored pair
        #[arg(long)]
        replay: bool,
        /// The grounds, for everybody to see
        #[arg(long)]
        reason: String,
    },
    /// Run competitions of programs on this machine, each on a server of its own, or go on with them
    #[cfg(unix)]
    Run {
        /// Plans, in TOML: `[competition]` with its settings, and `[[bots]]` (docs/competitions.md)
        #[arg(required = true, value_name = "PLAN")]
        plans: Vec<PathBuf>,
        /// The folder of the run; without one NAME.league beside the plan. Of several plans each has a folder in it, and it has a page of all
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
        /// The server's program; without one that beside this command, or `edgehill-server` in PATH
        #[arg(long, value_name = "PROGRAM")]
        server_program: Option<PathBuf>,
    },
    /// Show the standings
    Standings {
        /// The competition's id
        competition: String,
        /// The number of an entrant, whose matches against each other are shown, too
        #[arg(long, value_name = "ENTRANT", default_value_t = 0)]
        against: u32,
    },
    /// Show who meets whom, with the verdicts
    Encounters {
        /// The competition's id
        competition: String,
        /// Of this round only
        #[arg(long, default_value_t = 0)]
        round: u32,
    },
    /// Follow a competition until it is over
    Watch {
        /// The competition's id
        competition: String,
        /// Begin behind the event of this number
        #[arg(long, value_name = "EVENT", default_value_t = 0)]
        after: u64,
    },
    /// Write a competition as a page, a table or a document
    Export {
        /// The competition's id
        competition: String,
        /// The form
        #[arg(long, value_enum, default_value = "json")]
        form: FormName,
        /// With `--form lines`, also the result of each match and all that was played in it, as its record has it
        #[arg(long)]
        with_records: bool,
        /// The file to write; without one it is printed
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

/// A phase by its name.
#[derive(Copy, Clone, Debug, ValueEnum)]
enum PhaseName {
    /// Entrants enrol
    Enrolling,
    /// It is played
    Running,
    /// All is played
    Finished,
    /// It was called off
    Cancelled,
}

impl From<PhaseName> for CompetitionPhase {
    fn from(name: PhaseName) -> Self {
        match name {
            PhaseName::Enrolling => Self::Enrolling,
            PhaseName::Running => Self::Running,
            PhaseName::Finished => Self::Finished,
            PhaseName::Cancelled => Self::Cancelled,
        }
    }
}

/// A form by its name.
#[derive(Copy, Clone, Debug, ValueEnum)]
enum FormName {
    /// One document with all of it
    Json,
    /// A page with standings, cross table and encounters
    Html,
    /// The standings (CSV)
    Standings,
    /// The cross table (CSV)
    CrossTable,
    /// The matches (CSV)
    Matches,
    /// The matches, one JSON object a line
    Lines,
}

impl From<FormName> for CompetitionExport {
    fn from(name: FormName) -> Self {
        match name {
            FormName::Json => Self::Json,
            FormName::Html => Self::Html,
            FormName::Standings => Self::StandingsCsv,
            FormName::CrossTable => Self::CrossTableCsv,
            FormName::Matches => Self::MatchesCsv,
            FormName::Lines => Self::MatchLines,
        }
    }
}

impl League {
    /// Does what needs no server that runs already.
    pub(crate) fn run_here(&self, out: &mut dyn Write) -> Result<(), Error> {
        match &self.what {
            #[cfg(unix)]
            What::Run { plans, folder, server_program } => {
                crate::league_run::run(plans, folder.as_deref(), server_program.as_deref(), out)
            }
            _ => Err(Error::NeedsServer("league")),
        }
    }
}

pub(super) async fn run(verb: &League, link: &Link, out: &mut dyn Write) -> Result<(), Error> {
    let calls = link.client.competitions();
    match &verb.what {
        What::Create { file } => {
            let made = calls.create(settings_file::read(file)?).await?;
            Ok(writeln!(out, "{}", made.id)?)
        }
        What::List { phase } => {
            for competition in calls.list(phase.map(Into::into)).await? {
                words::write_line(&competition, out)?;
            }
            Ok(())
        }
        What::Show { competition } => {
            let shown = calls.get(competition).await?;
            words::write_competition(&shown.competition.unwrap_or_default(), &shown.entrants, out)
        }
        What::Enrol { competition, name, rating, account, bot } => {
            let enrolment = Enrolment {
                name: name.clone(),
                rating: *rating,
                account_id: account.clone(),
                house_bot: bot.clone(),
            };
            words::write_entrant(&calls.enrol(competition, enrolment).await?, out)
        }
        What::Withdraw { competition, entrant } => {
            words::write_entrant(&calls.withdraw(competition, *entrant).await?, out)
        }
        What::Disqualify { competition, entrant, reason } => {
            words::write_entrant(&calls.disqualify(competition, *entrant, reason).await?, out)
        }
        What::Start { competition } => words::write_line(&calls.start(competition).await?, out),
        What::Cancel { competition, reason } => {
            words::write_line(&calls.cancel(competition, reason).await?, out)
        }
        What::Void { competition, slot, replay, reason } => {
            words::write_line(&calls.void_match(competition, slot, *replay, reason).await?, out)
        }
        #[cfg(unix)]
        What::Run { .. } => Err(Error::NotOnServer {
            verb: "league run",
            why: "it starts a server of its own; `league create` makes a competition on this one",
        }),
        What::Standings { competition, against } => {
            let standings = calls.standings(competition, *against).await?;
            words::write_standings(&standings.rows, out)?;
            words::write_cross_table(&standings, *against, out)
        }
        What::Encounters { competition, round } => encounters(&calls, competition, *round, out).await,
        What::Watch { competition, after } => watch(&calls, competition, *after, out).await,
        What::Export { competition, form, with_records, out: file } => {
            if *with_records && !matches!(form, FormName::Lines) {
                return Err(Error::Usage("--with-records goes with --form lines".to_owned()));
            }
            let mut text = calls.export(competition, (*form).into()).await?;
            if *with_records {
                text = match_lines::with_records(&link.client, &text).await?;
            }
            match file {
                Some(file) => replace(file, text.as_bytes(), Readers::Usual),
                None => Ok(write!(out, "{text}")?),
            }
        }
    }
}

async fn encounters(
    calls: &CompetitionCalls<'_>,
    competition: &str,
    round: u32,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let entrants = calls.get(competition).await?.entrants;
    for encounter in calls.encounters(competition, round).await? {
        words::write_encounter(&encounter, &entrants, out)?;
    }
    Ok(())
}

async fn watch(
    calls: &CompetitionCalls<'_>,
    competition: &str,
    after: u64,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let mut watch = calls.watch(competition).after(after);
    let mut entrants = calls.get(competition).await?.entrants;
    while let Some(news) = watch.next().await? {
        if news.events.iter().any(|event| event.entrant as usize > entrants.len()) {
            entrants = calls.get(competition).await?.entrants;
        }
        for event in &news.events {
            words::write_event(event, &entrants, out)?;
        }
        out.flush()?;
    }
    words::write_standings(&calls.standings(competition, 0).await?.rows, out)
}
