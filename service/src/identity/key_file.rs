//! The file that the server's key stands in: readable by its owner alone, never inside the store; made once, and replaced as a whole
//! where the key is ([`NewKeyFile`]).

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::key_text::KeyTextError;
use super::server_key::ServerKey;
use crate::entropy::{EntropyError, EntropySource};

/// Keeps those apart who make a key at once in one process.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Longer than any key's text, with as many before it as there can be: what is longer is another file.
const FILE_BYTES_MAX: u64 = 4_096;

/// The end of the name of a file that is to replace the key's.
const ENDING: &str = ".rotated";

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
        why: KeyTextError,
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
        let key = Self::from_text(&text);
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
        write_new(&new, &key.to_text()).map_err(make)?;
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

/// A key on the disk that is to take the place of another in its file. It is removed when this is dropped, unless it has.
#[derive(Debug)]
pub struct NewKeyFile {
    path: PathBuf,
    new: PathBuf,
    is_placed: bool,
}

impl NewKeyFile {
    /// Writes a key beside the file at `path`, with that one's owner and rights.
    ///
    /// # Errors
    /// [`KeyFileError::Read`] if that one is not there, [`KeyFileError::Make`].
    pub fn write(path: &Path, key: &ServerKey) -> Result<Self, KeyFileError> {
        let read = |why| KeyFileError::Read { path: path.to_owned(), why };
        // Where a link leads to it, the file changes and not the link.
        let path = fs::canonicalize(path).map_err(read)?;
        let like = fs::metadata(&path).map_err(read)?;
        let mut new = path.as_os_str().to_owned();
        new.push(ENDING);
        let file = Self { new: PathBuf::from(new), path, is_placed: false };
        let written = write_new(&file.new, &key.to_text()).and_then(|()| become_like(&file.new, &like));
        written.map_err(|why| KeyFileError::Make { path: file.new.clone(), why })?;
        Ok(file)
    }

    /// Puts it into the other's place, whole or not at all.
    ///
    /// # Errors
    /// [`KeyFileError::Make`].
    pub fn take_place(mut self) -> Result<(), KeyFileError> {
        let placed = fs::rename(&self.new, &self.path);
        self.is_placed = placed.is_ok();
        let make = |why| KeyFileError::Make { path: self.path.clone(), why };
        placed.map_err(make)?;
        sync_directory(&self.path).map_err(make)
    }
}

impl Drop for NewKeyFile {
    fn drop(&mut self) {
        if !self.is_placed {
            // One that stays is written over by the next.
            let _ = fs::remove_file(&self.new);
        }
    }
}

/// Gives a file the owner and the rights of another.
#[cfg(unix)]
fn become_like(path: &Path, like: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let file = File::open(path)?;
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (like.uid(), like.gid()) {
        fchown(&file, Some(like.uid()), Some(like.gid()))?;
    }
    file.set_permissions(like.permissions())?;
    file.sync_all()
}

#[cfg(not(unix))]
fn become_like(_: &Path, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
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
    fn a_key_is_replaced_whole_and_with_the_rights_of_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let (path, entropy) = (folder.path().join("key"), SeededEntropy::new(1));
        let refused = NewKeyFile::write(&path, &ServerKey::from_bytes([1; 32])).unwrap_err();
        assert!(matches!(refused, KeyFileError::Read { .. }), "none is made where none was: {refused}");
        let first = ServerKey::read_or_make(&path, &entropy).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let second = first.rotated(1_000, &entropy).unwrap();
        // One that does not come to its place leaves nothing.
        drop(NewKeyFile::write(&link, &second).unwrap());
        assert_eq!(ServerKey::read(&path).unwrap().unwrap().to_text(), first.to_text());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        NewKeyFile::write(&link, &second).unwrap().take_place().unwrap();
        assert_eq!(ServerKey::read(&path).unwrap().unwrap().to_text(), second.to_text());
        assert_eq!(mode(&path), 0o440);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
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
            [String::new(), text[..40].to_owned(), text.replace("ehserver_", "ehs_"), "x".repeat(10_000)]
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
