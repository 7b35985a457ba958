//! A bot that connects to the server by itself: one process for the whole run.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use super::plan_file::{BotPlan, Program};
use crate::bot_process::{ProcessGroup, Stop};
use crate::error::Error;

/// The processes of a bot, which end with this.
struct KilledGroup(Arc<ProcessGroup>);

impl Drop for KilledGroup {
    fn drop(&mut self) {
        self.0.kill();
    }
}

/// Runs a program until it is told to stop, and starts it again as often as the plan says. It is told the server and its key by
/// `EDGEHILL_SERVER` and `EDGEHILL_KEY`.
///
/// # Errors
/// If it can't be started, or has ended more often than it may.
pub(super) async fn run(
    plan: &BotPlan,
    program: &Program,
    (url, key): (&str, &str),
    logs: &Path,
    mut stop: Stop,
) -> Result<(), Error> {
    fs::create_dir_all(logs).map_err(|error| Error::Write { path: logs.to_owned(), error })?;
    let path = logs.join("client.log");
    let mut restarts = 0;
    loop {
        let log = fs::OpenOptions::new().create(true).append(true).open(&path);
        let log = log.map_err(|error| Error::Write { path: path.clone(), error })?;
        let error_log = log.try_clone().map_err(|error| Error::Write { path: path.clone(), error })?;
        let child = Command::new(&program.command[0])
            .args(&program.command[1..])
            .envs(&program.env)
            .env("EDGEHILL_SERVER", url)
            .env("EDGEHILL_KEY", key)
            .current_dir(&program.folder)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(error_log)
            .process_group(0)
            .spawn()
            .map_err(|error| Error::Run { path: (&program.command[0]).into(), error })?;
        let group = KilledGroup(Arc::new(ProcessGroup::of(&child)));
        let waiting = Arc::clone(&group.0);
        #[expect(clippy::disallowed_methods, reason = "one for each bot of the plan, at most")]
        let mut ended = tokio::task::spawn_blocking(move || waiting.wait(child));
        let how = tokio::select! {
            how = &mut ended => how,
            () = stop.ordered() => {
                drop(group);
                // It has ended then.
                let _ = ended.await;
                return Ok(());
            }
        };
        if restarts >= plan.restarts {
            let how = how.map_or_else(|error| error.to_string(), |status| status.to_string());
            return Err(Error::Fault(format!(
                "the bot {} has ended more often than it may ({how}): {} says why",
                plan.name,
                path.display()
            )));
        }
        restarts += 1;
    }
}
