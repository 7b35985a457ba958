//! `edgehill-server migrate-store`: a store's content, brought into another one.

use std::fmt::Write as _;
use std::path::Path;

use super::wait_for;
use crate::command::args::MigrateStore;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::{Config, store_file_in};
use crate::server::database_at;
use crate::store::{self, Migrated, StorePlace};

/// Brings all that one store has into another one, and says what that was.
///
/// # Errors
/// [`Failure::Damage`] if matches stay behind, since their logs are not whole: no server starts on the other store then.
pub(crate) fn migrate_store(config: &Config, what: &MigrateStore) -> Result<(), Failure> {
    let (from, to) = (place(config, &what.from)?, place(config, &what.to)?);
    let tell = |migrated: &Migrated| {
        tracing::info!(
            matches = migrated.matches + migrated.matches_before,
            appends = migrated.appends,
            "brought over"
        );
    };
    let migrated = wait_for(async { Ok(store::migrate(&from, &to, tell).await?) })?;
    say(&as_text(&migrated))?;
    if migrated.left.is_empty() {
        return Ok(());
    }
    let words = "matches stay behind, and no server starts on what was made: restore or delete them, then run it again";
    Err(Failure::Damage(words.to_owned()))
}

/// The store of a folder or of a database's address.
fn place(config: &Config, name: &str) -> Result<StorePlace, Failure> {
    let is_address = ["postgres://", "postgresql://"].iter().any(|scheme| name.starts_with(scheme));
    if is_address || name.contains("dbname=") {
        let server = database_at(config, name).map_err(Failure::fault)?;
        return Ok(StorePlace::Database(Box::new(server)));
    }
    Ok(StorePlace::File(store_file_in(Path::new(name))))
}

fn as_text(migrated: &Migrated) -> String {
    let Migrated { matches, matches_before, appends, left, secrets, contents, acts, competitions } = migrated;
    let mut text = format!("matches        {matches}, and {matches_before} that were there already\n");
    for (what, count) in [
        ("appends", appends),
        ("secrets", secrets),
        ("contents", contents),
        ("acts", acts),
        ("competitions", competitions),
    ] {
        let _ = writeln!(text, "{what:<14} {count}");
    }
    for (id, why) in left {
        let _ = writeln!(text, "match {id} stays behind: {why}");
    }
    text
}
