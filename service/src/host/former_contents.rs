//! Games with contents that new matches are not made with any more ([`FormerContents`]).
//!
//! A match is played to its end with the content that it was begun with. So a server keeps the content of each game in its store
//! when it starts, and loads those that it finds there from times before. One that this build does not accept any more, or whose game
//! has other rules now, is left there: its matches can be read.

use std::sync::Arc;

use edgehill_engine::content::ContentHash;
use edgehill_engine::registry::{AnyGame, Overlay, Registry};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::error::Error;
use crate::matches::MatchHeader;
use crate::store::{KeptContent, Store};

/// The version of the form in which contents are kept.
const VERSION: u8 = 1;

/// zstd's level: it is done once.
const LEVEL: i32 = 9;

/// The most bytes of the files of a content.
const PLAIN_BYTES_MAX: usize = 128 * 1024 * 1024;

/// Games as they were before their content changed. Copies are the same.
#[derive(Clone, Default)]
pub struct FormerContents(Arc<[Arc<dyn AnyGame>]>);

#[derive(Serialize, Deserialize)]
struct File {
    name: String,
    bytes: ByteBuf,
}

impl FormerContents {
    /// Keeps the contents of `registry` in `store`, and loads the others that are there.
    ///
    /// # Errors
    /// If the store can't be read or written.
    pub async fn keep_and_load(registry: &Registry, store: &dyn Store) -> Result<Self, Error> {
        let kept = store.kept_contents().await?;
        for game in registry.games() {
            let (id, hash) = (game.catalogue().id, *game.catalogue().content.as_bytes());
            if kept.iter().any(|content| content.game == id && content.hash == hash) {
                continue;
            }
            // A game that was not loaded from files has no other content.
            if let Ok(Some(files)) = registry.content_files(id) {
                let files = packed(files.iter());
                store.keep_content(KeptContent { game: id.to_owned(), hash, files }).await?;
            }
        }
        Ok(Self::loaded(registry, &kept))
    }

    /// Loads what `store` keeps beside the contents of `registry`.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn load(registry: &Registry, store: &dyn Store) -> Result<Self, Error> {
        Ok(Self::loaded(registry, &store.kept_contents().await?))
    }

    fn loaded(registry: &Registry, kept: &[KeptContent]) -> Self {
        let is_current = |content: &&KeptContent| {
            let game = registry.game(&content.game);
            game.is_ok_and(|game| *game.catalogue().content.as_bytes() == content.hash)
        };
        let former = kept.iter().filter(|content| !is_current(content)).filter_map(|content| {
            let hash = hex::encode(content.hash);
            match load(registry, content) {
                Ok(game) => {
                    tracing::info!(
                        game = content.game,
                        content = hash,
                        "matches go on with a content of before"
                    );
                    Some(game)
                }
                Err(why) => {
                    tracing::warn!(
                        game = content.game,
                        content = hash,
                        why,
                        "a content of before can't be loaded"
                    );
                    None
                }
            }
        });
        Self(former.collect())
    }

    /// The game of a match's terms, if it is one of these.
    pub(super) fn game(&self, header: &MatchHeader) -> Option<&Arc<dyn AnyGame>> {
        self.0.iter().find(|game| is_pinned(&***game, header))
    }

    /// The game of this id with a content of before.
    pub(super) fn with_content(&self, game: &str, content: ContentHash) -> Option<&Arc<dyn AnyGame>> {
        self.games().find(|other| other.catalogue().id == game && other.catalogue().content == content)
    }

    /// The games.
    pub fn games(&self) -> impl Iterator<Item = &Arc<dyn AnyGame>> {
        self.0.iter()
    }
}

/// Returns whether a match of these terms is played by this game.
pub(super) fn is_pinned(game: &dyn AnyGame, header: &MatchHeader) -> bool {
    let (catalogue, pin) = (game.catalogue(), header.played_by());
    catalogue.id == header.game
        && catalogue.rules_version == pin.rules_version
        && catalogue.content == pin.content
}

fn load(registry: &Registry, content: &KeptContent) -> Result<Arc<dyn AnyGame>, String> {
    let files = unpacked(&content.files)?;
    let game = registry.with_content(&content.game, files).map_err(|error| error.to_string())?;
    if *game.catalogue().content.as_bytes() == content.hash {
        return Ok(game);
    }
    Err("its files mean something else in this build".to_owned())
}

fn packed<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let files: Vec<File> =
        files.map(|(name, bytes)| File { name: name.to_owned(), bytes: ByteBuf::from(bytes) }).collect();
    let plain = postcard::to_stdvec(&files).expect("all that is stored knows its lengths");
    let packed = zstd::bulk::compress(&plain, LEVEL).expect("compression in memory can't fail");
    [&[VERSION][..], &(plain.len() as u64).to_le_bytes(), &packed].concat()
}

fn unpacked(bytes: &[u8]) -> Result<Overlay, String> {
    let (&version, rest) = bytes.split_first().ok_or("there are no bytes")?;
    if version != VERSION {
        return Err(format!("it is kept in version {version}; this server reads version {VERSION}"));
    }
    let (len, packed) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
    if len > PLAIN_BYTES_MAX {
        return Err(format!("it has {len} bytes, at most {PLAIN_BYTES_MAX} are taken"));
    }
    let plain = zstd::bulk::decompress(packed, len).map_err(|error| error.to_string())?;
    let files: Vec<File> = postcard::from_bytes(&plain).map_err(|error| error.to_string())?;
    Ok(files.into_iter().map(|File { name, bytes }| (name, bytes.into_vec())).collect())
}

impl std::fmt::Debug for FormerContents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids: Vec<_> = self.games().map(|game| (game.catalogue().id, game.catalogue().content)).collect();
        f.debug_tuple("FormerContents").field(&ids).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_read_back_as_they_were_packed() {
        let files = [("a.toml", &b"one"[..]), ("b.toml", &[0; 10_000])];
        let packed = packed(files.into_iter());
        assert!(packed.len() < 200);
        let expected = files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec()));
        assert_eq!(unpacked(&packed), Ok(expected.to_vec()));
        for (bytes, why) in [
            (&[][..], "no bytes"),
            (&[2, 0], "version 2"),
            (&[VERSION, 0], "cut short"),
            (&[VERSION, 0, 0, 0, 0, 0, 0, 0, 1], "at most"),
        ] {
            let error = unpacked(bytes).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        assert!(unpacked(&packed[..packed.len() - 1]).is_err());
    }
}
