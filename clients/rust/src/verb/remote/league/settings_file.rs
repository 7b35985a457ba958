//! The file of a competition's settings.

use std::fs;
use std::path::Path;

use edgehill_client::v1;
use edgehill_competition::CompetitionSettings;
use edgehill_convert::competition;

use crate::error::Error;

/// The settings in a file, checked as the server does.
///
/// # Errors
/// If it can't be read, or a setting is not accepted.
pub(super) fn read(path: &Path) -> Result<v1::CompetitionSettings, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::Read { path: path.to_owned(), error })?;
    let wrong = |what: String| Error::Usage(format!("{}: {what}", path.display()));
    let settings: CompetitionSettings = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    settings.check().map_err(|error| wrong(error.to_string()))?;
    if settings.policy.calls.analysis {
        return Err(wrong(
            "policy.calls.analysis is true; accepted: false, since servers have no calls for it".into(),
        ));
    }
    Ok(competition::message(&settings))
}
