//! The file that the server's key stands in: made once, readable by its owner alone, never inside the store.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::server_key::ServerKey;
use super::text::TextError;
use crate::entropy::{EntropyError, EntropySource};

/// Keeps those apart who make a key at once in one process.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Longer than any key's text: what is longer is another file.
const FILE_BYTES_MAX: u64 = 256;

/// The reason that there is no key.
#[derive(Debug, Error)]
pub enum KeyFileError {
    /// The file can't be read.
    #[error("the key file {path} can't be read: {why}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// The file can't be made.
    #[error("the key file {path} can't be made: {why}")]
    Make {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        why: io::Error,
    },
    /// Others can read it.
    #[error(
        "the key file {path} has mode {mode:04o}: whoever reads it can play every seat. Take the rights of others away \
         (chmod 600), and think of the key as known if others had them"
    )]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// It holds no key.
    #[error("the key file {path} holds no key of a server: {why}. Restore it from a backup")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The fault of its text.
        why: TextError,
    },
    /// There is nothing to make a key of.
    #[error(transparent)]
    EntropySource(#[from] EntropyError),
}

impl ServerKey {
    /// Reads the key in the file at `path`; `None` if there is no such file.
    ///
    /// # Errors
    /// [`KeyFileError::Read`], [`KeyFileError::Exposed`], [`KeyFileError::Unreadable`].
    pub fn read(path: &Path) -> Result<Option<Self>, KeyFileError> {
        let read = |why| KeyFileError::Read { path: path.to_owned(), why };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(read(why)),
        };
        if let Some(mode) = exposed_mode(&file.metadata().map_err(read)?) {
            return Err(KeyFileError::Exposed { path: path.to_owned(), mode });
        }
        let mut bytes = Vec::new();
        file.take(FILE_BYTES_MAX).read_to_end(&mut bytes).map_err(read)?;
        let text = String::from_utf8_lossy(&bytes);
        let key = Self::from_text(text.trim_end());
        key.map(Some).map_err(|why| KeyFileError::Unreadable { path: path.to_owned(), why })
    }

    /// Reads the key in the file at `path`, or makes a new key and its file there. The file is whole or not there,
    /// whatever happens meanwhile, and of several who make it at once one does, and all have its key.
    ///
    /// # Errors
    /// As [`ServerKey::read`], and [`KeyFileError::Make`], [`KeyFileError::EntropySource`].
    pub fn read_or_make(path: &Path, entropy: &dyn EntropySource) -> Result<Self, KeyFileError> {
        if let Some(key) = Self::read(path)? {
            return Ok(key);
        }
        let make = |why| KeyFileError::Make { path: path.to_owned(), why };
        let key = Self::generate(entropy)?;
        let new = beside(path);
        write_new(&new, &format!("{}\n", key.to_text())).map_err(make)?;
        // A link, unlike a renaming, never replaces a key that somebody made meanwhile.
        let linked = fs::hard_link(&new, path);
        fs::remove_file(&new).map_err(make)?;
        match linked {
            Ok(()) => sync_directory(path).map(|()| key).map_err(make),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                Self::read(path)?.ok_or_else(|| make(why))
            }
            Err(why) => Err(make(why)),
        }
    }
}

/// The file that a new key is written to first.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".new-{}-{number}", std::process::id()));
    PathBuf::from(name)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    // One that is there was left by a process of this number, which has ended.
    match fs::remove_file(path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Makes the file's name durable.
fn sync_directory(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    File::open(parent.unwrap_or(Path::new(".")))?.sync_all()
}

/// The mode of a secret's file, if it gives others a right to it, or its group more than to read it (which is how some hosts hand
/// out secrets).
#[cfg(unix)]
pub(crate) fn exposed_mode(metadata: &fs::Metadata) -> Option<u32> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777;
    (mode & 0o037 != 0).then_some(mode)
}

#[cfg(not(unix))]
pub(crate) fn exposed_mode(_: &fs::Metadata) -> Option<u32> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::entropy::SeededEntropy;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("the key was made").permissions().mode() & 0o777
    }

    #[test]
    fn a_key_is_made_once_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        assert!(ServerKey::read(&path).unwrap().is_none());
        let made = ServerKey::read_or_make(&path, &SeededEntropy::new(1)).unwrap();
        assert_eq!(mode(&path), 0o600);
        let again = ServerKey::read_or_make(&path, &SeededEntropy::new(2)).unwrap();
        assert_eq!(made.to_text(), again.to_text());
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["key"]);
    }

    #[test]
    fn of_many_who_make_it_at_once_all_have_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let made: Vec<String> = std::thread::scope(|scope| {
            let path = &path;
            let makers: Vec<_> = (0..4)
                .map(|seed| {
                    let entropy = SeededEntropy::new(seed);
                    scope.spawn(move || ServerKey::read_or_make(path, &entropy).map(|key| key.to_text()))
                })
                .collect();
            makers.into_iter().map(|maker| maker.join().unwrap().unwrap()).collect()
        });
        assert!(made.iter().all(|text| *text == made[0]));
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        ServerKey::read_or_make(&path, &SeededEntropy::new(1)).unwrap();
        for (mode, good) in
            [(0o600, true), (0o400, true), (0o440, true), (0o644, false), (0o660, false), (0o601, false)]
        {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let read = ServerKey::read(&path);
            assert_eq!(read.is_ok(), good, "{mode:o}");
            if let Err(error) = read {
                assert!(error.to_string().contains(&format!("{mode:04o}")), "{error}");
            }
        }
    }

    #[test]
    fn a_damaged_file_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        let text = ServerKey::from_bytes([1; 32]).to_text();
        for damaged in
            [String::new(), text[..40].to_owned(), text.replace("ehserver_", "ehs_"), "x".repeat(1_000)]
        {
            write_new(&path, &damaged).unwrap();
            let error = ServerKey::read_or_make(&path, &SeededEntropy::new(1)).unwrap_err();
            assert!(matches!(error, KeyFileError::Unreadable { .. }), "{error}");
            assert!(error.to_string().starts_with(&format!("the key file {}", path.display())), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let path = Path::new("/nowhere-at-all/key");
        let error = ServerKey::read_or_make(path, &SeededEntropy::new(1)).unwrap_err();
        assert!(error.to_string().contains("/nowhere-at-all/key can't be made"), "{error}");
    }
}
