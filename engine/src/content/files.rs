use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{ContentError, ContentErrors, ContentHash};

/// The most files in a content set.
pub const FILES_MAX: usize = 256;

/// The longest file name, in bytes.
pub const FILE_NAME_BYTES_MAX: usize = 64;

/// The longest file, in bytes.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// The content of one game: bytes by file name, in byte order of the names.
///
/// A name is one or more of `a-z`, `0-9`, `-`, `_`, `.` and doesn't begin with a dot, so that it means the same
/// on every file system.
#[derive(Clone, Debug)]
pub struct ContentFiles {
    files: BTreeMap<String, Cow<'static, [u8]>>,
    builtin: bool,
}

impl ContentFiles {
    /// A built-in set; [`builtin_content!`](crate::builtin_content) calls this with files that it compiles in.
    ///
    /// # Panics
    ///
    /// If a name is not a file name, comes twice, or a limit of this module is exceeded: the set is part of the
    /// program.
    pub fn builtin(files: &[(&str, &'static [u8])]) -> Self {
        let mut set = Self { files: BTreeMap::new(), builtin: true };
        for &(name, bytes) in files {
            assert!(is_file_name(name), "{name:?} is not a file name");
            assert!(bytes.len() <= FILE_BYTES_MAX, "{name} is too long");
            assert!(set.files.insert(name.to_owned(), Cow::Borrowed(bytes)).is_none(), "{name} comes twice");
        }
        assert!(set.files.len() <= FILES_MAX, "too many files");
        set
    }

    /// This set with some of its files replaced, as an owner of the printed game does it.
    ///
    /// # Errors
    ///
    /// One for each file whose name this set doesn't have (nobody would read it: most likely it is misspelt), that
    /// comes twice, or that is longer than [`FILE_BYTES_MAX`].
    pub fn overlay(
        mut self,
        layer: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<Self, ContentErrors> {
        let mut errors = Vec::new();
        let mut replaced = BTreeMap::new();
        for (name, bytes) in layer {
            if !self.files.contains_key(&name) {
                errors.push(ContentError::file(&name, "the game has no such content file"));
            } else if bytes.len() > FILE_BYTES_MAX {
                errors.push(ContentError::file(&name, format!("longer than {FILE_BYTES_MAX} bytes")));
            } else if replaced.insert(name.clone(), bytes).is_some() {
                errors.push(ContentError::file(&name, "comes twice"));
            }
        }
        ContentErrors::none_of(errors)?;

        for (name, bytes) in replaced {
            // The same bytes again change nothing.
            if self.get(&name) != Some(&bytes[..]) {
                self.files.insert(name, Cow::Owned(bytes));
                self.builtin = false;
            }
        }
        Ok(self)
    }

    /// Returns whether every file is the one that was compiled in. Checks that only the built-in content has to satisfy
    /// (the totals of a reconstruction, say) ask this first.
    pub fn is_builtin(&self) -> bool {
        self.builtin
    }

    /// The bytes of a file.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(AsRef::as_ref)
    }

    /// The files, in byte order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_ref()))
    }

    /// The hash of the whole set.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.iter())
    }
}

fn is_file_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    (1..=FILE_NAME_BYTES_MAX).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(allowed)
}

/// Compiles a game's content in: the named files of the folder `content/<folder>` of the calling crate, as
/// [`ContentFiles`].
///
/// ```
/// use edgehill_engine::builtin_content;
///
/// let files = builtin_content!("english-civil-war-iia": "spaces.toml", "borders.toml");
/// assert!(files.is_builtin());
/// ```
#[macro_export]
macro_rules! builtin_content {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        $crate::content::ContentFiles::builtin(&[
            $((
                $name,
                include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/content/", $folder, "/", $name)).as_slice(),
            )),+
        ])
    };
}
