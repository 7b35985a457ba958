//! The folder with the seats that a runner has taken ([`SeatsFolder`]): so that another run goes on with them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use edgehill_client::ClientSecret;
use edgehill_client::v1::MatchConfig;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::error::Error;
use crate::match_file::{Readers, replace};
use crate::seats_file::SeatsFile;

/// The file with the secret that entropies follow from.
const SECRET_FILE: &str = "entropy.key";

/// The request for a seat. It is written down before it is made: a runner that ends before it has kept the answer makes it again, and is
/// given the same token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SeatAsked {
    /// Its id.
    pub request_id: String,
    /// True if the match had begun by then, so that no entropy went with it.
    pub goes_on: bool,
}

/// A folder with a file for each seat that a runner has taken, as `join` writes them, and the secret that their entropies follow from.
#[derive(Debug)]
pub(crate) struct SeatsFolder {
    path: PathBuf,
    secret: [u8; 32],
    /// True if the server may be at another address than when a seat was taken.
    server_moves: bool,
    /// Takes the folder away with the runner, if nobody asked to keep it.
    _own: Option<TempDir>,
}

impl SeatsFolder {
    /// The folder at `path`, made if it is not there; without one, a folder that is gone with the runner.
    ///
    /// # Errors
    /// If it can't be read and written, or the operating system gives no randomness.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Error> {
        let (path, own) = match path {
            Some(path) => (path.to_owned(), None),
            None => {
                let folder = TempDir::new();
                let folder = folder.map_err(|error| Error::Write { path: std::env::temp_dir(), error })?;
                (folder.path().to_owned(), Some(folder))
            }
        };
        fs::create_dir_all(&path).map_err(|error| Error::Write { path: path.clone(), error })?;
        let secret = secret(&path.join(SECRET_FILE))?;
        Ok(Self { path, secret, server_moves: false, _own: own })
    }

    /// The same for a server that is at another address each time it is started: a match's id says enough then.
    pub(crate) fn of_moving_server(self) -> Self {
        Self { server_moves: true, ..self }
    }

    /// The file for a seat of a match; with the seat in it, if the runner has it already.
    ///
    /// # Errors
    /// If there is one that can't be read, or that is of another server.
    pub(super) fn file(&self, config: &MatchConfig, seat: u32, url: &str) -> Result<SeatsFile, Error> {
        let path = self.path.join(format!("{}.json", file_name(&config.match_id, seat)));
        if !path.exists() {
            let commitment = config.dice.as_ref().map_or(&[][..], |dice| &dice.commitment);
            return Ok(SeatsFile::new(&path, url, &config.match_id, &config.game, commitment));
        }
        let file = SeatsFile::open(&path)?;
        let trimmed = |url: &str| url.trim_end_matches('/').to_owned();
        let is_elsewhere = !self.server_moves && trimmed(file.server()) != trimmed(url);
        if is_elsewhere || file.match_id() != config.match_id {
            let (server, id) = (file.server(), file.match_id());
            return Err(Error::Usage(format!("{} is of match {id} on {server}", path.display())));
        }
        Ok(file)
    }

    /// The secret that goes with requests for seats: the same for every runner with this folder.
    pub(super) fn client_secret(&self) -> ClientSecret {
        let mut hasher = Sha256::new();
        hasher.update("edgehill/runner-client/1");
        hasher.update(self.secret);
        ClientSecret::from_bytes(hasher.finalize().into())
    }

    /// The request for a seat whose answer was not kept, if there is one.
    ///
    /// # Errors
    /// If its file can't be read.
    pub(super) fn asked_for(&self, match_id: &str, seat: u32) -> Result<Option<SeatAsked>, Error> {
        let path = self.asked_path(match_id, seat);
        let unreadable = |error| Error::Read { path: path.clone(), error };
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| unreadable(error.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(error)),
        }
    }

    /// Writes down that a seat is about to be asked for.
    ///
    /// # Errors
    /// If the file can't be written.
    pub(super) fn note_asked(&self, match_id: &str, seat: u32, asked: &SeatAsked) -> Result<(), Error> {
        let text = serde_json::to_string(asked).map_err(|error| Error::Fault(error.to_string()))?;
        replace(&self.asked_path(match_id, seat), text.as_bytes(), Readers::Owner)
    }

    /// Forgets the request for a seat: its answer is kept, or it was refused.
    ///
    /// # Errors
    /// If the file can't be taken away.
    pub(super) fn forget_asked(&self, match_id: &str, seat: u32) -> Result<(), Error> {
        let path = self.asked_path(match_id, seat);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::Write { path, error }),
            _ => Ok(()),
        }
    }

    fn asked_path(&self, match_id: &str, seat: u32) -> PathBuf {
        self.path.join(format!("{}.asked", file_name(match_id, seat)))
    }

    /// The entropy of a seat: nobody else can reckon it, and matches of one seed group, which have one commitment, get the same of one
    /// entrant.
    pub(super) fn entropy(&self, config: &MatchConfig, seat: u32) -> [u8; 32] {
        let dice = config.dice.clone().unwrap_or_default();
        let entrants = dice.group.map(|group| group.seat_entrants).unwrap_or_default();
        let entrant = entrants.get(seat as usize).copied().unwrap_or(seat);
        let mut hasher = Sha256::new();
        hasher.update("edgehill/runner-entropy/1");
        hasher.update(self.secret);
        hasher.update(entrant.to_le_bytes());
        hasher.update(&dice.commitment);
        hasher.finalize().into()
    }
}

/// The name of the files of a seat, without their endings.
pub(super) fn file_name(match_id: &str, seat: u32) -> String {
    // The server's word, and no path.
    let safe = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    format!("{}-{seat}", match_id.chars().map(safe).collect::<String>())
}

fn secret(file: &Path) -> Result<[u8; 32], Error> {
    let unreadable = |error| Error::Read { path: file.to_owned(), error };
    match fs::read_to_string(file) {
        Ok(text) => {
            let bytes = hex::decode(text.trim()).ok().and_then(|bytes| bytes.try_into().ok());
            bytes.ok_or_else(|| unreadable(io::Error::other("expected 64 hexadecimal digits")))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret).map_err(Error::Entropy)?;
            replace(file, format!("{}\n", hex::encode(secret)).as_bytes(), Readers::Owner)?;
            Ok(secret)
        }
        Err(error) => Err(unreadable(error)),
    }
}

#[cfg(test)]
mod tests {
    use edgehill_client::v1::{DiceConfig, SeedGroup};

    use super::*;

    fn config(commitment: u8, seat_entrants: &[u32]) -> MatchConfig {
        let group = (!seat_entrants.is_empty()).then(|| SeedGroup {
            matches: 2,
            entrants: 2,
            seat_entrants: seat_entrants.to_vec(),
            ..SeedGroup::default()
        });
        let dice = DiceConfig { commitment: vec![commitment; 32], group, ..DiceConfig::default() };
        MatchConfig { match_id: "m".to_owned(), dice: Some(dice), ..MatchConfig::default() }
    }

    #[test]
    fn an_entrant_gives_one_entropy_to_a_group_and_others_elsewhere() {
        let (folder, other) = (SeatsFolder::open(None).unwrap(), SeatsFolder::open(None).unwrap());
        let first = folder.entropy(&config(1, &[0, 1]), 0);
        assert_eq!(folder.entropy(&config(1, &[1, 0]), 1), first, "the same entrant");
        assert_ne!(folder.entropy(&config(1, &[1, 0]), 0), first, "another entrant");
        assert_ne!(folder.entropy(&config(2, &[0, 1]), 0), first, "another group");
        assert_ne!(folder.entropy(&config(1, &[]), 1), folder.entropy(&config(1, &[]), 0));
        assert_ne!(other.entropy(&config(1, &[0, 1]), 0), first, "another runner");
    }

    #[test]
    fn the_secret_of_a_folder_stays() {
        let folder = tempfile::tempdir().unwrap();
        let first = SeatsFolder::open(Some(folder.path())).unwrap();
        assert_eq!(SeatsFolder::open(Some(folder.path())).unwrap().secret, first.secret);
        fs::write(folder.path().join(SECRET_FILE), "short\n").unwrap();
        let refused = SeatsFolder::open(Some(folder.path())).unwrap_err();
        assert!(refused.to_string().contains("64 hexadecimal digits"), "{refused}");
    }

    #[test]
    fn a_request_is_kept_until_it_is_forgotten() {
        let folder = SeatsFolder::open(None).unwrap();
        let asked = SeatAsked { request_id: "r".to_owned(), goes_on: true };
        assert_eq!(folder.asked_for("m", 1).unwrap(), None);
        folder.forget_asked("m", 1).unwrap();
        folder.note_asked("m", 1, &asked).unwrap();
        assert_eq!(folder.asked_for("m", 1).unwrap(), Some(asked));
        assert_eq!(folder.asked_for("m", 0).unwrap(), None);
        folder.forget_asked("m", 1).unwrap();
        assert_eq!(folder.asked_for("m", 1).unwrap(), None);
    }

    #[test]
    fn names_of_files_are_no_paths() {
        assert_eq!(file_name("../../x", 1), "______x-1");
    }
}
